"""Asides: what an answer tells beyond its question. A value that is known already is put right, and what a later
question would ask for is known when that question comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heartrule.engine import scopes
from heartrule.engine.actions.base import Heard
from heartrule.engine.answers import items
from heartrule.engine.extraction import gets, kind, locate
from heartrule.engine.prompting import fill, shown
from heartrule.engine.tasks import Answer
from heartrule.engine.variables import Value
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Get, Set, Topic, VariableRules

FACTS = 32
"""Known values that a prompt shows at most, the newest, each cut to so many characters:"""
SHOWN = 20
LATER = 6
"""Later questions whose answers a prompt offers to take down, each meaning cut to so many characters:"""
MEANT = 18
WIDER = 3
"""An English text needs as many more characters."""
_LEARNED = ("json", "history", "rules", "fallback", "form", "passive", "correction")
_MANY = ("list", "object")
_NUMBERS = ("integer", "number")
_ASKING = ("ask", "ai_ask")


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
            if at == where and rules is not None and _plain(rules):
                found[name] = value
    return dict(list(found.items())[-FACTS:])


def later(work: Work, output: Sequence[Get | Set] = ()) -> dict[str, VariableRules]:
    """What the script is going to ask for and nobody has told yet, in its order. A number is not among it: it means
    nothing without its question."""
    own = {item.get for item in gets(output)}
    found: dict[str, VariableRules] = {}
    for item in _ahead(work):
        name = item.get
        if name in own or name in found or "." in name or scopes.lookup(work, name) is not None:
            continue
        where, declared = scopes.definition(work, name)
        rules = scopes.rules_for(declared, item)
        if declared is None or not rules.define or where not in work.variables.cells:
            continue
        if _plain(rules) and rules.type not in _NUMBERS:
            found[name] = rules
            if len(found) == LATER:
                break
    return found


def _plain(rules: VariableRules) -> bool:
    return not rules.risk and rules.update == "overwrite" and rules.type not in _MANY


def _ahead(work: Work) -> Iterator[Get]:
    """The outputs of the questions that come after the present action, in the script's order."""
    if work.state.phase is None:
        return
    topics = [frame for frame in (*work.state.suspended, work.state.running) if frame and frame.kind == "topic"]
    here, phases = topics[-1] if topics else None, work.world.script.session.phases
    for phase in phases[work.phase_frame.index :]:
        steps: list[Topic] = list(phase.steps)
        first = 0
        if phase is work.phase and here is not None:
            at = next((n for n, topic in enumerate(steps) if here.ref in (topic.id, topic.topic)), 0)
            steps, first = steps[at:], here.action.index + 1 if here.action else 0
        for number, topic in enumerate(steps):
            for action in topic.actions[first if number == 0 else 0 :]:
                if action.type in _ASKING:
                    yield from gets(action.peek("output") or [])


def told(work: Work, output: Sequence[Get | Set] = ()) -> str:
    """The facts as prompts show them, on one line: by name alone where the transcript of the prompt still shows what
    was said and that is long."""
    locale, messages = work.world.script.locale, shown(work)
    size, joint = (SHOWN, "；") if locale.startswith("zh") else (SHOWN * WIDER, "; ")
    rows = []
    for name, value in facts(work, output).items():
        words = placeholders.format_value(value.value, locale)
        seen = bool(messages) and messages[0].at <= value.updated_at
        rows.append(name if seen and len(words) > size // 2 else f"{name}={_cut(words, size)}")
    return joint.join(rows)


def open_questions(work: Work, output: Sequence[Get | Set]) -> str:
    """What later questions ask for as prompts show it, on one line."""
    zh = work.world.script.locale.startswith("zh")
    left, comma, right, joint = ("（", "，", "）", "；") if zh else (" (", ", ", ")", "; ")
    rows = []
    for name, rules in later(work, output).items():
        meant = [_cut(fill(work, rules.define), MEANT if zh else MEANT * WIDER)]
        if rules.options:
            meant.append("|".join(placeholders.format_value(option) for option in rules.options))
        elif rules.type == "boolean":
            meant.append("true|false")
        elif rules.type not in (None, "text"):
            meant.append(kind(work, rules))
        rows.append(f"{name}{left}{comma.join(meant)}{right}")
    return joint.join(rows)


def _cut(text: str, size: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= size else f"{line[:size]}…"


def schema(work: Work, output: Sequence[Get | Set]) -> dict[str, Any]:
    """Properties of the sparse lists; those that could hold nothing are not asked for."""
    found = {"corrections": list(facts(work, output)), "also": list(later(work, output))}
    asked = {key: _list_of(names) for key, names in found.items() if names}
    if len(asked) == 2:
        asked["also"] |= {"default": []}  # one example shows them what both look like
    return asked


def _list_of(names: list[str]) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": {
            "name": {"enum": names, "description": "…"},
            "value": {"description": "…"},
            "evidence": {"type": "string"},
        },
        "required": ["name", "value", "evidence"],
    }
    return {"type": "array", "items": item}


def take(work: Work, output: Sequence[Get | Set], heard: Heard, answer: Answer | None) -> None:
    """Write the asides of an answer. Their proof must stand in these very words; what is no aside is left out."""
    data = answer.data if answer else None
    if not data:
        return
    known, wanted = facts(work, output), later(work, output)
    for item in items(data, "corrections"):
        _write(work, item, heard.text, known, "correction")
    for item in items(data, "also"):
        _write(work, item, heard.text, wanted, "passive")


def _write(work: Work, item: Mapping[str, Any], said: str, among: Mapping[str, Any], strategy: scopes.Strategy) -> None:
    name, value, quote = item.get("name"), item.get("value"), item.get("evidence")
    if not isinstance(name, str) or name not in among or value is None or value == "" or not isinstance(quote, str):
        return
    evidence = locate(quote, said)
    if evidence is not None:
        scopes.write(work, name, value, strategy=strategy, evidence=evidence, rules=scopes.definition(work, name)[1])
