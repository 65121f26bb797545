"""From what the sessions say to what the API answers with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any
from urllib.parse import quote

from heartrule.engine.session.io import FormRequest, Request
from heartrule.language.compiling.script import Script
from heartrule.language.projects.media_files import is_remote
from heartrule.language.projects.project import SAFETY
from heartrule.server import desk_shapes, shapes
from heartrule.sessions import Outcome, Sessions
from heartrule.sessions.forms import Result
from heartrule.sessions.rows import GIVEN, MEDIA
from heartrule.sessions.session_status import life_of
from heartrule.sessions.subscribers import News
from heartrule.store.recalls import RECALLED
from heartrule.store.records import HumanRecord, MessageRecord, SessionRecord

MEDIA_PATH = "/api/v1/media"
"""Where ``routes/media.py`` answers."""


def message(record: MessageRecord) -> shapes.Message:
    return shapes.Message(
        id=record.id,
        seq=record.number,
        turn=record.turn,
        sender=record.sender,
        name=record.metadata.get("name"),
        content=record.text,
        content_type=record.content_type,
        action_id=record.action,
        at=record.at,
        recalled=bool(record.metadata.get(RECALLED)),
        media=[media(each) for each in record.metadata.get(MEDIA, ())],
    )


def contacts(sessions: Sessions, locale: str) -> list[shapes.Contact]:
    """Whom to call in an emergency, for who speaks this language."""
    return [shapes.Contact(name=each.name, number=each.number, note=each.note) for each in sessions.contacts(locale)]


def well_formed(value: Any) -> Any:
    """JSON without half characters, which no door lets in now and no answer can say: ``?`` stands for each."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def notes(record: SessionRecord) -> dict[str, Any]:
    """What whoever began a session has noted of it."""
    kept: dict[str, Any] = well_formed(record.metadata.get(GIVEN, {}))
    return kept


def media(kept: Mapping[str, Any]) -> shapes.Media:
    """What it is shown for is the script's own matter."""
    src = kept.get("src")
    told = {name: value for name, value in kept.items() if name != "purpose"}
    return shapes.Media.model_validate({**told, "src": address(src) if src else None})


def address(src: str) -> str:
    """Where a page reads it."""
    return src if is_remote(src) or src.startswith("data:image/") else f"{MEDIA_PATH}/{quote(src)}"


def face(script: Script, picture: str) -> str:
    """Where a page reads the picture of who speaks in a script."""
    return address(picture if is_remote(picture) else f"{script.project.id}/{picture}")


def human(held: HumanRecord | None) -> shapes.HumanShape | None:
    return None if held is None else shapes.HumanShape(name=held.name, since=held.since)


def delta(news: News) -> shapes.MessageDelta:
    return shapes.MessageDelta(turn=news.turn, number=news.number, offset=news.offset, text=news.text)


def request(asked: Request) -> shapes.RequestShape:
    """A suggested line to be pressed is a choice of one."""
    kind = "choice" if asked.choices else asked.kind
    return shapes.RequestShape(
        type=kind if kind in ("choice", "form", "none") else "message",
        choices=[shapes.Choice(value=choice.value, label=choice.label) for choice in asked.choices],
        offers=list(asked.offers) or None,
        scale=shapes.ScaleShape.model_validate(asked.scale.model_dump()) if asked.scale is not None else None,
        form=form(asked.form) if asked.form is not None else None,
    )


def form(asked: FormRequest) -> shapes.FormShape:
    return shapes.FormShape(
        **asked.shown,
        id=asked.id,
        key=asked.key,
        name=asked.name,
        required=asked.required,
        values=dict(asked.values),
        hidden=list(asked.hidden),
        problems=[
            shapes.FormProblem(field=field, code=code, message=message) for field, code, message in asked.problems
        ],
    )


def form_result(found: Result) -> shapes.FormResult:
    return shapes.FormResult(**_told(found))


def done_form(found: Result) -> desk_shapes.DoneForm:
    return desk_shapes.DoneForm(**_told(found), filled_by="counselor" if found.by else "person")


def _told(found: Result) -> dict[str, Any]:
    return {name: value for name, value in asdict(found).items() if name not in ("audience", "by")}


def position(given: Mapping[str, Any]) -> shapes.Position:
    def place(of: Mapping[str, Any] | None) -> shapes.Place | None:
        return None if of is None else shapes.Place(index=of["index"], id=of["id"])

    return shapes.Position(
        phase=place(given.get("phase")),
        topic=place(given.get("topic")),
        action=place(given.get("action")),
        action_type=given.get("action_type"),
        current_round=given.get("current_round"),
        max_rounds=given.get("max_rounds"),
    )


def progress(given: Mapping[str, Any]) -> shapes.Progress:
    return shapes.Progress.model_validate(given)


def in_crisis(given: Mapping[str, Any]) -> bool:
    """Whether the session stands in a technique of the project ``safety``, or left one with danger not ruled out."""
    return bool(given.get("danger_open")) or str((given.get("topic") or {}).get("id", "")).startswith(f"{SAFETY}/")


def exit_(given: Mapping[str, str]) -> shapes.Exit | None:
    if not given:
        return None
    return shapes.Exit(
        reason=given.get("reason", ""),
        class_=given.get("class") or None,
        decision_source=given.get("decision_source", ""),
    )


def quiet(given: Mapping[str, Any]) -> bool:
    """Whether a human has handed back, and the program says nothing until the person does."""
    return bool(given.get("quiet"))


def turn_id(session: str, seq: int) -> str:
    return f"{session}.{seq}"


def turn_end(session: str, outcome: Outcome) -> shapes.TurnEnd:
    return shapes.TurnEnd(**_turn(session, outcome))


def turn(session: str, outcome: Outcome) -> shapes.Turn:
    return shapes.Turn(**_turn(session, outcome), messages=[message(record) for record in outcome.messages])


def _turn(session: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "turn": shapes.TurnHead(id=turn_id(session, outcome.turn), seq=outcome.turn),
        "execution_status": outcome.execution_status,
        "position": position(outcome.position),
        "exit": exit_(outcome.exit),
        "request": request(outcome.request),
        "progress": progress(outcome.progress),
        "in_crisis": in_crisis(outcome.position),
        "human": human(outcome.human),
        "quiet": quiet(outcome.position),
        "recalled": list(outcome.taken_back),
        "rewound": outcome.rewound,
    }


def item(record: SessionRecord, name: str, now: datetime) -> shapes.SessionItem:
    return shapes.SessionItem(
        id=record.id,
        script=record.script,
        name=name,
        locale=record.locale,
        status=life_of(record, now),
        created_at=record.created_at,
        last_active_at=record.last_active_at,
        ended_at=record.ended_at,
        turn=record.seq,
    )
