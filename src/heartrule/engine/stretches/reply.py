"""What a model's reply in a stretch says, read kindly: whatever it left out or got wrong asks for nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from heartrule.engine.dialogue import exit_policy, rounds
from heartrule.engine.extraction.extraction import values_schema
from heartrule.engine.tasks.answers import number_of
from heartrule.engine.work import Work

FOLLOW = "follow"
TECHNIQUE = "technique:"
_TEXT = {"type": "string"}


@dataclass(frozen=True, slots=True)
class Reply:
    """``asks``: what its question goes for (an output's name, ``follow``, ``technique:ID``, or nothing). ``wants_end``:
    the stretch may end with it. ``hot``: the thought that is hot, in the person's words, and how far it is believed.
    ``declined``: outputs that the person would not talk about; ``unknown``: those that they were asked for and could
    not tell; ``moot``: those that make no sense here. ``takes_up``:
    records of the case file that it answers or keeps. ``promises``: what it says it will come back to."""

    asks: str = ""
    wants_end: bool = False
    hot: str = field(default="", repr=False)
    belief: str = field(default="", repr=False)
    declined: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    moot: tuple[str, ...] = ()
    takes_up: tuple[int, ...] = ()
    promises: tuple[str, ...] = field(default=(), repr=False)
    content: str = field(default="", repr=False)

    @property
    def technique(self) -> str:
        return self.asks.removeprefix(TECHNIQUE) if self.asks.startswith(TECHNIQUE) else ""


def parse_reply(data: Mapping[str, Any] | None, names: Collection[str]) -> Reply:
    """``names``: the outputs of the stretch."""
    given = data or {}
    hot = given.get("hot")
    thought, belief = (hot.get("quote"), hot.get("belief")) if isinstance(hot, Mapping) else (hot, "")
    asks = _line(given.get("asks"), 80)
    if asks not in names and asks != FOLLOW and not asks.startswith(TECHNIQUE):
        asks = ""
    return Reply(
        asks=asks,
        wants_end=rounds.wants_exit(given),
        hot=_line(thought, 160),
        belief=_line(str(belief) if isinstance(belief, int | float) else belief, 20),
        declined=tuple(name for name in _texts(given.get("declined")) if name in names),
        unknown=tuple(name for name in _texts(given.get("unknown")) if name in names),
        moot=tuple(name for name in _texts(given.get("moot")) if name in names),
        takes_up=tuple(found for each in _list(given.get("takes_up")) if (found := number_of(each)) is not None),
        promises=tuple(_texts(given.get("promises")))[:3],
        content=rounds.text_of(given),
    )


def schema(work: Work, action: Any) -> dict[str, Any]:
    """Decisions first, so that words can be shown while they are written; the same in every turn of the stretch."""
    return {
        "type": "object",
        "properties": {
            "values": values_schema(work, action.output),
            "declined": {"type": "array", "items": _TEXT},
            "unknown": {"type": "array", "items": _TEXT},
            "moot": {"type": "array", "items": _TEXT},
            "hot": {"type": "object", "properties": {"quote": _TEXT, "belief": _TEXT}},
            "takes_up": {"type": "array", "items": {"type": "integer"}},
            "promises": {"type": "array", "items": _TEXT},
            "asks": _TEXT,
            "EXIT": {"enum": ["YES", "NO"]},
            "content": {"type": "string", "minLength": 0},
            **_described(work),
        },
        "required": ["values", "asks", "EXIT", "content", *rounds.required(work)],
    }


def _described(work: Work) -> dict[str, Any]:
    if not rounds.whole(work):
        return {}
    suggestions = {"enum": list(get_args(exit_policy.Progress))}
    return {"progress_suggestion": suggestions, "metrics": rounds.metrics(work, rounds.ASK_METRICS)}


OPENING: Mapping[str, Any] = {
    "type": "object",
    "properties": {"promises": {"type": "array", "items": _TEXT}, "asks": _TEXT, "content": _TEXT},
    "required": ["asks", "content"],
}


def _line(value: Any, most: int) -> str:
    return " ".join(value.split())[:most] if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value[:20] if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    return [text for each in _list(value) if (text := _line(each, 160))]
