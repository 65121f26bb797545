"""Forms on their way in and out: what the inbox keeps of one that is sent, and what a person has handed in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from heartrule.engine.session.io import CounsellorsForm, FormAnswers, FormRequest
from heartrule.store.records import EventRecord

KINDS = ("form_draft", "form_submit", "form_cancel")
SUBMITTED = "form_submitted"


@dataclass(frozen=True, slots=True)
class Result:
    """A form as it was handed in: the answers of the fields that were shown, its scores (None: an answer was missing),
    what each is called (``labels``) and the labels of their bands. ``form`` is its full id, ``name`` what it is
    called. ``audience``: whom it is for, where a counsellor filled it (``by``, their id)."""

    turn: int
    form: str
    name: str
    values: Mapping[str, Any] = field(repr=False)
    scores: Mapping[str, int | float | None] = field(repr=False)
    bands: Mapping[str, str] = field(repr=False)
    labels: Mapping[str, str] = field(repr=False)
    at: datetime
    audience: str = "client"
    by: str = ""

    @property
    def is_private(self) -> bool:
        """Whether the person is not to see it."""
        return self.by != "" and self.audience == "counselor"


def encode_answers(key: str, values: Mapping[str, Any]) -> str:
    """What was sent of the form ``key``, for the inbox."""
    return json.dumps({"key": key, "values": dict(values)}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def decode_answers(text: str | None) -> FormAnswers:
    """``ValueError`` or ``TypeError`` for what is none."""
    return FormAnswers(**json.loads(text or "{}"))


def encode_filled(filled: CounsellorsForm) -> str:
    """What a counsellor hands in, for the inbox."""
    return json.dumps(asdict(filled), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def decode_filled(text: str | None) -> CounsellorsForm:
    """``ValueError`` or ``TypeError`` for what is none."""
    return CounsellorsForm(**json.loads(text or "{}"))


def results(events: Sequence[EventRecord]) -> tuple[Result, ...]:
    """Of a session's events, oldest first."""
    return tuple(
        Result(
            turn=event.turn,
            form=event.data["form"],
            name=event.data["name"],
            values=event.data["values"],
            scores=event.data["scores"],
            bands=event.data["bands"],
            labels=event.data["labels"],
            at=datetime.fromisoformat(event.data["at"]),
            audience=event.data.get("audience", "client"),
            by=event.data.get("by", ""),
        )
        for event in events
        if event.kind == SUBMITTED
    )


def request_data(form: FormRequest) -> dict[str, Any]:
    """A form that is to be filled, as a turn's outcome keeps it."""
    return asdict(form) | {"hidden": list(form.hidden), "problems": [list(each) for each in form.problems]}


def request_of(data: Mapping[str, Any]) -> FormRequest:
    problems = tuple((field, code, message) for field, code, message in data["problems"])
    return FormRequest(**{**data, "hidden": tuple(data["hidden"]), "problems": problems})
