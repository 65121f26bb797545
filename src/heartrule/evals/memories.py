"""Histories with questions about them: of the form of public conversation-memory sets (LoCoMo's), and our own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from heartrule.evals.labelled_files import BadFile
from heartrule.memory.session_material import SaidMessage, SessionMaterial

CATEGORIES = {1: "several", 2: "time", 3: "inference", 4: "fact", 5: "unanswerable"}
"""What LoCoMo's numbers mean."""


@dataclass(frozen=True, slots=True)
class Question:
    """``evidence``: the ids of the messages that answer it; ``older``: of those that did before."""

    ask: str = field(repr=False)
    kind: str
    evidence: tuple[str, ...]
    older: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """``ids``: by session and number of a message, what the file calls it."""

    id: str
    told: tuple[SessionMaterial, ...]
    ids: Mapping[tuple[str, int], str] = field(repr=False)
    questions: tuple[Question, ...] = ()


def load_histories(file: Path) -> list[History]:
    """JSON (LoCoMo's list) or JSON Lines. ``BadFile`` says in which line what is wrong."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadFile("unread", path=file) from None
    try:
        whole = json.loads(text) if text.lstrip().startswith("[") else None
    except ValueError:
        raise BadFile("not_json", 1) from None
    if isinstance(whole, list):
        return [_read(at, each) for at, each in enumerate(whole, start=1)]
    return [_read(at, _parsed(at, line)) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _parsed(at: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise BadFile("not_json", at) from None


def _read(at: int, data: Any) -> History:
    try:
        return _locomo(data) if "conversation" in data else own(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadFile("no_history", at) from None


def own(data: Mapping[str, Any]) -> History:
    """A history in our own form."""
    sessions: list[tuple[str, datetime, Sequence[tuple[str, str, bool]]]] = [
        (
            f"{data['id']}.{number}",
            datetime.fromisoformat(each["at"]),
            [(said["id"], said["text"], said["who"] != "person") for said in each["said"]],
        )
        for number, each in enumerate(data["sessions"], start=1)
    ]
    asked = [
        Question(each["ask"], each["kind"], tuple(each["evidence"]), tuple(each.get("older", ())))
        for each in data["questions"]
    ]
    return _made(data["id"], data.get("locale", "en"), sessions, asked)


def _locomo(data: Mapping[str, Any]) -> History:
    """Both who speak count as persons: questions are about either."""
    held, name = data["conversation"], str(data.get("sample_id", "sample"))
    numbers = sorted(int(key.removeprefix("session_")) for key in held if key.removeprefix("session_").isdigit())
    sessions = [
        (
            f"{name}.{number}",
            _date(held.get(f"session_{number}_date_time", ""), number),
            [(said["dia_id"], f"{said['speaker']}: {_text(said)}", False) for said in held[f"session_{number}"]],
        )
        for number in numbers
    ]
    asked = [
        Question(each["question"], CATEGORIES.get(each.get("category"), "other"), tuple(_evidence(each)))
        for each in data["qa"]
        if each.get("evidence")
    ]
    return _made(name, "en", sessions, asked)


def _text(said: Mapping[str, Any]) -> str:
    shown = said.get("blip_caption")
    return f"{said.get('text', '')} [{shown}]" if shown else str(said.get("text", ""))


def _evidence(each: Mapping[str, Any]) -> Iterator[str]:
    for named in each["evidence"]:
        yield from (part.strip() for part in str(named).replace(";", " ").split() if ":" in part)


def _date(text: str, number: int) -> datetime:
    for form in ("%I:%M %p on %d %B, %Y", "%d %B, %Y"):
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return datetime(2023, 1, 1, tzinfo=UTC) + timedelta(days=7 * number)


def _made(
    name: str,
    locale: str,
    sessions: Sequence[tuple[str, datetime, Sequence[tuple[str, str, bool]]]],
    questions: Sequence[Question],
) -> History:
    told, ids = [], dict[tuple[str, int], str]()
    for session, at, lines in sessions:
        said = [
            SaidMessage(number, text, at + timedelta(seconds=30 * number), reply)
            for number, (_, text, reply) in enumerate(lines, start=1)
        ]
        ids |= {(session, number): key for number, (key, _, _) in enumerate(lines, start=1)}
        told.append(SessionMaterial(session, session, locale, at, said, ended=at))
    return History(name, tuple(told), ids, tuple(questions))
