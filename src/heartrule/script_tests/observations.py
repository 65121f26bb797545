"""What there is to look at when expectations are held against a turn or a conversation, and what came of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from heartrule.engine.session.events import Event
from heartrule.engine.session.io import Message, Request
from heartrule.engine.session.variables import Value
from heartrule.language.nodes.node import NOWHERE, Place
from heartrule.script_tests.script_names import KnownScript

NOTHING = "–"
_TEXT = "tag:yaml.org,2002:str"


@dataclass(frozen=True, slots=True)
class Observation:
    """A turn, or the whole conversation. ``past``: all events so far, of which ``events`` are the last. ``values``:
    what variables hold at its end, by scope, the innermost first. ``at``: the topic and the action that wait, None
    where none does."""

    known: KnownScript = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    past: tuple[Event, ...] = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)
    values: tuple[tuple[str, Mapping[str, Value]], ...] = field(repr=False)
    at: tuple[str, str] | None
    request: Request
    calls: int
    ended: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one thing that was expected. ``kind`` is the key it stands under (``not set`` under a ``not``),
    ``wanted`` and ``got`` say what was to be and what was, ``part`` under which name or index of the key it stands,
    ``turn`` which turn it was about (None: the whole)."""

    kind: str
    wanted: str
    got: str = field(repr=False)
    held: bool = True
    part: str | int | None = None
    place: Place = NOWHERE
    turn: int | None = None


def same(wanted: Any, got: Any) -> bool:
    """Equal, 1 and true being two things; of a mapping, what is wanted of it; an empty one is empty."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return bool(wanted or not got) and all(key in got and same(value, got[key]) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(same, wanted, got))
    return bool(wanted == got)


def shown_as(value: Any) -> str:
    """A value as a report shows it: as in YAML, on one line. A text that would be read as something else has quotes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown_as(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown_as, value)) + "]"
    text = " ".join(str(value).split())
    return f'"{text}"' if isinstance(value, str) and _misread(text) else text


def _misread(text: str) -> bool:
    """Whether it is a number, a truth or nothing at all without quotes."""
    tag: str = _YAML.resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return not text or tag not in (_TEXT, _DAY)


_YAML = Resolver()
_DAY = "tag:yaml.org,2002:timestamp"


def listed(parts: Iterable[str]) -> str:
    return " | ".join(" ".join(part.split()) for part in dict.fromkeys(parts)) or NOTHING
