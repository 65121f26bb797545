"""Asides: what an answer tells beyond its question. A value that is known already is put right, and what a later
question would ask for is known when that question comes. They are found by perception, whatever action asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from heartrule.engine.session.io import Message, World
from heartrule.engine.session.state import TopicFrame
from heartrule.engine.session.variables import Value
from heartrule.engine.tasks.prompt_context import shown
from heartrule.engine.variables import scopes
from heartrule.engine.variables.definitions import is_on_demand
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Action, Get, Set, VariableRules
from heartrule.locales import is_chinese

FACTS = 32
"""Known values that a prompt shows at most, the newest, each cut to so many characters:"""
SHOWN = 20
LATER = 6
"""Later questions whose answers a prompt offers to take down, each meaning cut to so many characters:"""
MEANT = 40
WIDER = 3
"""An English text needs as many more characters."""
_LEARNED = ("json", "history", "rules", "fallback", "form", "passive", "correction")
_MANY = ("list", "object")
_NUMBERS = ("integer", "number")


def facts(work: Work, output: Sequence[Get | Set] = ()) -> dict[str, Value]:
    """What the person has told so far and is not this action's own to find out, oldest first: declared variables with
    proof, without those marked ``risk`` and those that hold many things."""
    own = {item.get for item in gets(output)}
    found: dict[str, Value] = {}
    for where in reversed(work.chain()):
        for name, value in work.variables.cells.get(where, {}).items():
            if name in own or value.value is None or value.strategy not in _LEARNED or not value.evidence:
                continue
            at, rules = scopes.definition(work, name)
            if at == where and rules is not None and is_plain(rules):
                found[name] = value
    return dict(list(found.items())[-FACTS:])


def later(work: Work, own: Collection[str] = ()) -> dict[str, VariableRules]:
    """What the script is going to ask for and nobody has told yet, in its order, without ``own``. A number is not among
    it: it means nothing without its question."""
    found: dict[str, VariableRules] = {}
    for item in _ahead(work):
        name = item.get
        if name in own or name in found or "." in name or scopes.lookup(work, name) is not None:
            continue
        where, declared = scopes.definition(work, name)
        rules = scopes.rules_for(declared, item)
        if declared is None or not rules.define or where not in work.chain() or is_on_demand(work, item):
            continue
        if is_plain(rules) and rules.type not in _NUMBERS:
            found[name] = rules
            if len(found) == LATER:
                break
    return found


def is_plain(rules: VariableRules) -> bool:
    """Whether it may be taken in passing: one value, and not about danger."""
    return not rules.risk and rules.update == "overwrite" and rules.type not in _MANY


def _ahead(work: Work) -> Iterator[Get]:
    """The outputs of the questions that come after the present action, in the script's order."""
    for actions in _still_to_come(work):
        for action in actions:
            if action.traits.asks:
                yield from gets(action.peek("output") or [])


def _still_to_come(work: Work) -> Iterator[Sequence[Action]]:
    """What the present topic has left, and then each topic after it."""
    if work.state.phase is None:
        return
    topics = [frame for frame in work.state.frames if frame.kind == "topic"]
    ahead = [topic for phase in work.world.script.session.phases[work.phase_frame.index :] for topic in phase.steps]
    if topics:
        ahead, here = ahead[_position(work, topics[-1]) :], topics[-1]
        if here.action and ahead:
            yield (work.body(here) or ahead[0]).actions[here.action.index + 1 :]
            ahead = ahead[1:]
    for topic in ahead:
        yield topic.actions


def _position(work: Work, here: TopicFrame) -> int:
    return next((n for n, topic in enumerate(work.phase.steps) if here.ref in (topic.id, topic.topic)), 0)


def prompt_line(work: Work, output: Sequence[Get | Set] = ()) -> str:
    """The facts as the prompts of those who speak show them, on one line: what cannot be read in the transcript."""
    messages = shown(work)
    rows = []
    for name, value in facts(work, output).items():
        if not _is_read(value, messages):
            words = placeholders.format_value(value.value, work.world.script.locale)
            rows.append(f"{name}={cut(work.world, words, SHOWN)}")
    return _listed(work.world, rows)


def recorded(work: Work, present: Mapping[str, str], messages: Sequence[Message]) -> str:
    """What is known, by name and as ``present`` words it, on one line: by name alone what ``messages`` still tell."""
    held = facts(work)
    return _listed(
        work.world,
        [
            name if name in held and _is_read(held[name], messages) else f"{name}={words}"
            for name, words in present.items()
        ],
    )


def _is_read(value: Value, messages: Sequence[Message]) -> bool:
    """Whether the words that tell it stand in these messages. What was put into a form stands in none."""
    return bool(messages) and messages[0].at <= value.updated_at and value.strategy != "form"


def _listed(world: World, rows: Sequence[str]) -> str:
    return ("；" if is_chinese(world.script.locale) else "; ").join(rows)


def cut(world: World, text: str, size: int) -> str:
    """On one line, and at most so many Chinese characters, or three times as many English ones."""
    line, most = " ".join(text.split()), size if is_chinese(world.script.locale) else size * WIDER
    return line if len(line) <= most else f"{line[:most]}…"
