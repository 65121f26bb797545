"""What a debug session consists of: moves, each with what came in and all that it was given, as a tree. A branch is a
path through it; nothing that was done is ever changed, but for the move that is under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from pydantic import TypeAdapter

from heartrule.engine.session.io import Input
from heartrule.engine.session.tasks import Answer

Origin = Literal["model", "record", "test", "typed", "none"]
"""Who answered: a model, an answer of an earlier run of the same move, a test's table, somebody by hand, nobody."""

_INPUT: TypeAdapter[Input] = TypeAdapter(Input)
_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


@dataclass(frozen=True, slots=True)
class TapedAnswer:
    """An answer, where it came from, and the template that was asked with. ``misfit``: it was recorded for another
    prompt than the one that is asked now."""

    answer: Answer = field(repr=False)
    origin: Origin
    template: str = ""
    misfit: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A variable set by hand, when ``at`` events of the turn had happened."""

    at: int
    name: str
    value: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Move:
    """One turn. ``text``: the hash of the text that it was worked out with; ``model``: somebody answered. ``origin``:
    the move that this one repeats, if it does."""

    number: int
    parent: int | None
    text: str
    given: Input
    at: datetime
    model: bool
    answers: Mapping[str, TapedAnswer] = field(default_factory=dict, repr=False)
    changes: tuple[Change, ...] = ()
    origin: int | None = None
    key: str = ""
    """The sender's own, by which the same input is known when it comes again."""
    offers: Mapping[str, TapedAnswer] = field(default_factory=dict, repr=False)
    """Answers on record from an earlier run of this move, for whoever asks for the same."""

    def answered(self, key: str, given: TapedAnswer) -> Move:
        return replace(self, answers={**self.answers, key: given})

    def changed(self, change: Change) -> Move:
        return replace(self, changes=(*self.changes, change))

    def plain(self) -> dict[str, Any]:
        """For the store and for files."""
        return {
            "number": self.number,
            "parent": self.parent,
            "text": self.text,
            "given": _INPUT.dump_python(self.given, mode="json"),
            "at": self.at.isoformat(),
            "model": self.model,
            "answers": _plain(self.answers),
            "changes": [[each.at, each.name, each.value] for each in self.changes],
            "origin": self.origin,
            "key": self.key,
            "offers": _plain(self.offers),
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Move:
        """Raises ``ValueError``, ``KeyError`` or ``TypeError`` for what is none."""
        return cls(
            number=data["number"],
            parent=data["parent"],
            text=data["text"],
            given=_INPUT.validate_python(data["given"]),
            at=datetime.fromisoformat(data["at"]),
            model=data["model"],
            answers=_given(data["answers"]),
            changes=tuple(Change(*each) for each in data["changes"]),
            origin=data.get("origin"),
            key=data.get("key", ""),
            offers=_given(data["offers"]),
        )


def _plain(answers: Mapping[str, TapedAnswer]) -> dict[str, Any]:
    return {
        key: [_ANSWER.dump_python(each.answer, mode="json"), each.origin, each.template, each.misfit]
        for key, each in answers.items()
    }


def _given(data: Mapping[str, Any]) -> dict[str, TapedAnswer]:
    return {
        key: TapedAnswer(_ANSWER.validate_python(answer), origin, template, misfit)
        for key, (answer, origin, template, misfit) in data.items()
    }


@dataclass(frozen=True, slots=True)
class Branch:
    """``leaf``: its last move that stands (None: nothing has begun); ``open``: the one under way, of which ``passed``
    events have happened where it is held, and ``why``. ``came_from``: the branch and the move that it left, and
    ``because``."""

    name: str
    leaf: int | None = None
    open: int | None = None
    passed: int = 0
    why: Mapping[str, Any] = field(default_factory=dict)
    came_from: str = ""
    at: int | None = None
    because: str = ""

    def plain(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "leaf": self.leaf,
            "open": self.open,
            "passed": self.passed,
            "why": dict(self.why),
            "came_from": self.came_from,
            "at": self.at,
            "because": self.because,
        }


def encode_input(given: Input) -> dict[str, Any]:
    data: dict[str, Any] = _INPUT.dump_python(given, mode="json")
    return data


def decode_input(data: Any) -> Input:
    """Raises ``ValueError`` for what is none."""
    return _INPUT.validate_python(data)
