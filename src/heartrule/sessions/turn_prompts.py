"""A prompt in its layers, with the places where a variable's value was put into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from heartrule.engine.session.io import Turn
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import ScopeKey, Value, Variables
from heartrule.engine.turn import UnderWay
from heartrule.language.compiling.script import Script
from heartrule.language.placeholders import format_value
from heartrule.llm.prompt import mend, render
from heartrule.prompts.template import TemplateError
from heartrule.sessions.replay import ReplayedCall, ReplayedTurn

_OPEN, _MIDDLE, _CLOSE = "\ue0f0", "\ue0f1", "\ue0f2"
"""Private characters round what is inserted; they are taken out again, and what remains must be the prompt."""
_MARK = re.compile(f"{_OPEN}([^{_OPEN}{_MIDDLE}{_CLOSE}]*){_MIDDLE}|{_CLOSE}")
MOST = 200
"""Places that are told of one layer."""


@dataclass(frozen=True, slots=True)
class InsertedValue:
    """``length`` characters at ``offset`` of a layer are the value of a variable. ``source`` is the action that wrote
    it; scope and key say which of that name it is, all empty for what is no variable of the script."""

    name: str
    scope: str
    scope_key: str
    source: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Layer:
    role: str
    text: str = field(repr=False)
    inserted: tuple[InsertedValue, ...] = ()


def layers(replayed: ReplayedTurn) -> Mapping[str, tuple[Layer, ...]]:
    """Of every prompt of the turn, by the key of its task. The turn is worked out once more, with marks round what is
    inserted; where they would have changed a prompt, its text stands without them."""
    marked = _marked(replayed)
    known = _NameScopes(replayed.world.variables, replayed.result.variables)
    locale = replayed.world.script.locale
    return {
        asked.task.key: tuple(
            _layer(message.role, message.text, marked.get(asked.task.key, ())[number : number + 1], known, locale)
            for number, message in enumerate(asked.prompt.messages)
        )
        for asked in replayed.asked
        if asked.prompt is not None
    }


def forms(asked: ReplayedCall | None, script: Script | None) -> Mapping[int, tuple[Layer, ...]]:
    """By number, the prompts of attempts that were asked otherwise than the first: with less, or with the answer
    before and what was wrong with it. What was asked for the rest of a shown answer is not known any more."""
    if asked is None or asked.prompt is None:
        return {}
    found: dict[int, tuple[Layer, ...]] = {}
    prompt, before = asked.prompt, None
    for kept in asked.call.attempts:
        form = kept.get("form", "first")
        if form == "simplified":
            prompt = render(asked.task, script, simplified=True)
        elif form == "mended" and before is not None:
            prompt = mend(asked.task, prompt, before["raw"], before["cause"], script)
        else:
            prompt = asked.prompt
        if form in ("simplified", "mended") and prompt is not asked.prompt:
            found[kept["number"]] = tuple(Layer(message.role, message.text) for message in prompt.messages)
        before = kept
    return found


class _NameScopes:
    """Which variable a name means, the narrowest scope first."""

    def __init__(self, *stands: Variables) -> None:
        self._cells: dict[ScopeKey, dict[str, Value]] = {}
        for stand in stands:
            for where, cell in stand.cells.items():
                self._cells.setdefault(where, {}).update(cell)
        order = ("topic", "phase", "session", "global")
        self._where = sorted(self._cells, key=lambda where: (order.index(where[0]), -_number(where[1])))

    def find(self, name: str) -> tuple[ScopeKey, str, Value] | None:
        head, _, rest = name.partition(".")
        for bare, scope in ((head, None), (rest.partition(".")[0], head)):
            for where in self._where:
                if bare in self._cells[where] and scope in (None, where[0]):
                    return where, bare, self._cells[where][bare]
        return None

    def values(self, locale: str) -> Iterator[tuple[str, str]]:
        """Every name with its value in words, the longest first."""
        found = {name: format_value(v.value, locale) for cell in self._cells.values() for name, v in cell.items()}
        yield from sorted(found.items(), key=lambda one: -len(one[1]))


def _number(key: str) -> int:
    digits = key[1:]
    return int(digits) if digits.isdigit() else 0


def _marked(replayed: ReplayedTurn) -> Mapping[str, Sequence[str]]:
    """The texts of every prompt with marks in them, by the key of its task."""
    found: dict[str, Sequence[str]] = {}
    answers: dict[str, Answer] = {}
    under_way = UnderWay(replace(replayed.world, marked=_mark), replayed.given)
    while not isinstance(needs := under_way.go_on(answers), Turn):
        for task in needs.tasks:
            if task.key not in replayed.answers:
                return found
            answers[task.key] = replayed.answers[task.key]
            found[task.key] = _texts(task, replayed.world.script)
    return found


def _texts(task: Task, script: Script) -> Sequence[str]:
    variables = {name: _mark(name, words) for name, words in task.context.variables.items()}
    try:
        prompt = render(replace(task, context=replace(task.context, variables=variables)), script)
    except TemplateError:
        return ()
    return [message.text for message in prompt.messages]


def _mark(name: str, words: str) -> str:
    return f"{_OPEN}{name}{_MIDDLE}{words}{_CLOSE}" if words.strip() else words


def _layer(role: str, text: str, marked: Sequence[str], known: _NameScopes, locale: str) -> Layer:
    spans = _spans(marked[0], text) if marked else []
    spans += [span for span in _listed(text, known, locale) if not any(_overlap(span, other) for other in spans)]
    inserted = []
    for name, offset, length in sorted(spans, key=lambda span: span[1])[:MOST]:
        which = known.find(name)
        where, bare, source = (which[0], which[1], which[2].source) if which else (("", ""), name, "")
        inserted.append(InsertedValue(bare, where[0], where[1], source, offset, length))
    return Layer(role, text, tuple(inserted))


Span = tuple[str, int, int]


def _overlap(one: Span, other: Span) -> bool:
    return one[1] < other[1] + other[2] and other[1] < one[1] + one[2]


def _spans(marked: str, text: str) -> list[Span]:
    """Name, offset and length of what stands between marks; nothing when the rest is not ``text``."""
    plain, at, size = [], 0, 0
    open_: list[tuple[str, int]] = []
    spans: list[Span] = []
    for mark in _MARK.finditer(marked):
        plain.append(marked[at : mark.start()])
        size += mark.start() - at
        at = mark.end()
        if mark[1] is not None:
            open_.append((mark[1], size))
        elif open_:
            name, begun = open_.pop()
            if not open_ and size > begun:
                spans.append((name, begun, size - begun))
    plain.append(marked[at:])
    return spans if "".join(plain) == text else []


def _listed(text: str, known: _NameScopes, locale: str) -> list[Span]:
    """Values that a prompt lists by name (``mood = 4``): what is known of an item, and facts told before."""
    spans: list[Span] = []
    for name, words in known.values(locale):
        if words:
            listed = re.compile(f"(?:(?<=^)|(?<=[\\s;；-])){re.escape(name)} ?= ?({re.escape(words)})", re.MULTILINE)
            spans += [(name, found.start(1), len(words)) for found in listed.finditer(text)]
    return spans
