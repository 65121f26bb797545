"""Which earlier answer a correction means, and what the words make of it: what it names, else what holds the old value,
else the newest answer, as far as the words plainly are about that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from heartrule import readers
from heartrule.engine.calling.prompting import fill
from heartrule.engine.scoping import scopes
from heartrule.engine.scoping.variables import Value
from heartrule.engine.state import Asked
from heartrule.engine.understanding import asides, late
from heartrule.engine.work import Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import VariableRules
from heartrule.readers import confirming, telling
from heartrule.readers.corrections import Correction
from heartrule.readers.murmurs import says_nothing
from heartrule.readers.numbers import unit_asked

SHORT = 12
"""Letters of a text that puts another right by being like it (三个月: 一个月), and how much of both is the same:"""
ALIKE = 0.5
_TEXT = (None, "text")
_MANY = ("list", "object")
_NUMBERS = ("integer", "number")
_POINTS = ("分", "point")
_BY_NAME = 4

Own = Sequence[tuple[str, VariableRules]]
"""What the waiting question is to find out."""


@dataclass(frozen=True, slots=True)
class Known:
    """Something the person has told, and the question that it answered, where that is remembered."""

    name: str
    rules: VariableRules
    value: Value
    asked: Asked | None = None


@dataclass(slots=True)
class Taken:
    """What is taken back and what it is to be instead; ``known`` without ``value``: it cannot be read. ``line``: what
    is said about it."""

    known: Known | None
    value: Any = field(default=None, repr=False)
    words: str = field(default="", repr=False)
    line: str = field(default="", repr=False)
    rest: str = field(default="", repr=False)
    """What was said before it and answers the question that waits."""
    is_put_right: bool = False


def told_so_far(work: Work, own: Own) -> list[Known]:
    """All that may be meant, each once, the oldest first."""
    return _all(work, _latest(work)[0], {name for name, _ in own})


def meant(work: Work, own: Own, said: Correction) -> Taken | None:
    """What is taken back; None where it is no correction after all."""
    latest, tried = _latest(work)
    known = _all(work, latest, {name for name, _ in own})
    unclear = None if said.plain == "denied" else Taken(None)
    if said.about and (named := _named(work, known, latest, own, said)) is not None:
        if not named:
            return None
        able = [(each, words) for each in named if (words := reading(work, each, said.new)) is not None]
        if len(able) == 1:
            return Taken(able[0][0], able[0][1].value, able[0][1].evidence)
        return Taken(named[0] if len(named) == 1 else None) if unclear or said.points else None
    target = _by_value(work, known, said)
    if said.about and (said.points or said.shaped) and target is None:
        return unclear if said.new else None
    if tried:
        return None
    target = target or (latest[0] if len(latest) == 1 else None)
    read = of_latest(work, target, said) if target is not None else None
    if target is None or read is None:
        return unclear and Taken(target)
    return Taken(target, read.value, read.evidence)


def _latest(work: Work) -> tuple[list[Known], bool]:
    """What the newest answer has told; whether that was in vain and the question that waits is the same."""
    for asked in reversed(work.state.asked):
        if not asked.texts and not asked.found:
            continue  # a question back, or a repair
        before = next((each.found for each in work.state.asked if _same(each, asked) and each is not asked), {})
        fresh = [name for name in asked.found if name not in before] or list(asked.found)
        told = [Known(item.get, rules, value, asked) for item, rules, value in late.told(work, asked)]
        again = asked.action == work.frame.id and asked.topic == work.running.key and not asked.found
        return [each for each in told if each.name in fresh and can(each.rules)], again
    return [], False


def _same(one: Asked, other: Asked) -> bool:
    return (one.action, one.topic, one.index) == (other.action, other.topic, other.index)


def _all(work: Work, latest: Sequence[Known], own: set[str]) -> list[Known]:
    """All that may be meant, each once, the oldest first: also what rules cannot put right, lest what is said of a list
    goes to something else."""
    known = {
        name: Known(name, rules, value)
        for name, value in (*_added_to(work), *asides.facts(work).items())
        if name not in own and (rules := scopes.definition(work, name)[1]) is not None
    }
    for asked in work.state.asked:
        for item, rules, value in late.told(work, asked):
            if item.get not in own:
                known.pop(item.get, None)
                known[item.get] = Known(item.get, rules, value, asked)
    for each in latest:
        known.pop(each.name, None)
        known[each.name] = each
    return list(known.values())


def _added_to(work: Work) -> Iterator[tuple[str, Value]]:
    for where in reversed(work.chain()):
        for name, value in work.variables.cells.get(where, {}).items():
            rules = scopes.definition(work, name)[1]
            if rules is not None and not can(rules) and value.value and value.evidence:
                yield name, value


def can(rules: VariableRules) -> bool:
    return rules.type not in _MANY and rules.update in ("overwrite", "versioned")


def _named(
    work: Work,
    known: Sequence[Known],
    latest: Sequence[Known],
    own: Own,
    said: Correction,
) -> list[Known] | None:
    """Those that are named best; empty where that is what the waiting question asks for; None where nothing is."""
    scores = [(_score(work, each.name, each.rules, said.about, each.asked), each) for each in known]
    best = max((score for score, _ in scores if said.plain != "denied" or score >= _BY_NAME), default=0)
    mine = max((_score(work, name, rules, said.about, None) for name, rules in own), default=0)
    if not max(best, mine):
        return None
    if mine > best:
        return []
    found = [each for score, each in scores if score == best]
    newest = [each for each in found if each in latest]
    return newest if len(found) > 1 and len(newest) == 1 else found


def named(work: Work, known: Sequence[Known], said: Correction) -> list[Known]:
    """Those of ``known`` that are named best; empty where none is."""
    return _named(work, known, known, (), said) or []


def names_own(work: Work, own: Own, name: str) -> bool:
    """Whether ``name`` is what the waiting question asks for."""
    return any(_score(work, each, rules, name, None) >= _BY_NAME for each, rules in own)


def _score(work: Work, name: str, rules: VariableRules, about: str, asked: Asked | None) -> int:
    """How plainly ``about`` names a variable: by its name, its meaning, its question, or another word for it."""
    bare, own = name.rpartition(".")[2].replace("_", " "), readers.fold(name.rpartition(".")[2])
    said, meaning = readers.fold(about), fill(work, rules.define, to_person=True)
    if said == own:
        return _BY_NAME + 1
    if len(said) > 1 and (said in own or (len(own) > 1 and own in said)):
        return _BY_NAME
    if len(said) > 1 and said in readers.fold(meaning):
        return 3
    if len(said) > 1 and said in readers.fold(_question(work, asked)):
        return 2
    return 1 if confirming.named(about, confirming.names_of(bare, meaning)) else 0


def _by_value(work: Work, known: Sequence[Known], said: Correction) -> Known | None:
    """The newest whose value is what is said not to be so."""
    old = [words for words in map(readers.fold, (said.old, said.about)) if words]
    held = [each for each in known if any(words in readers.fold(shown(work, each)) for words in old)]
    return held[-1] if held else None


def of_latest(work: Work, known: Known, said: Correction) -> readers.Read | None:
    """What the words make of the newest answer, as far as they plainly are about it. One that only says no may be an
    answer: it counts where it is a value of the same kind."""
    kind = known.rules.type
    if kind not in _TEXT or known.rules.options:
        if kind in _NUMBERS and not is_its_number(work, known, said.new):
            return None
        if kind == "boolean" and said.plain == "denied":
            return None
        return reading(work, known, said.new)
    alike = is_alike(work, known, said.new)
    if said.plain == "denied":
        read = reading(work, known, said.new)
        return read if alike or (said.shaped and not said.about) or _is_by_its_rules(known, said, read) else None
    if said.about and said.about != said.old and not said.points and not alike:
        return reading(work, known, said.rest) if said.plain == "earlier" else None
    vague = said.points and not (said.shaped or said.old)  # 不对，刚才是我妈打来的
    plain = (said.plain == "earlier" and not vague) or alike or (said.is_said and not vague)
    return reading(work, known, said.new) if plain else None


def _is_by_its_rules(known: Known, said: Correction, read: readers.Read | None) -> bool:
    """Whether the script's own rules have found the value within the words (我叫小明)."""
    return read is not None and bool(known.rules.rules) and readers.fold(str(read.value)) != readers.fold(said.new)


def is_its_number(work: Work, known: Known, new: str) -> bool:
    """Whether it is one number and nothing else, in the unit that was told or asked for (三个月 is no score)."""
    only = telling.told_number(new)
    if only is None or not only.unit:
        return only is not None
    before = telling.told_number(known.value.evidence or "")
    units = [before.unit if before is not None else "", unit_asked(_question(work, known.asked)), *_POINTS]
    units += confirming.names_of(known.name.rpartition(".")[2], fill(work, known.rules.define, to_person=True))
    return any(unit and (unit in only.unit or only.unit in unit) for unit in units)


def about(work: Work, known: Known) -> str:
    """The question that it answered, where that is remembered, and what it is."""
    return f"{_question(work, known.asked)}\n{fill(work, known.rules.define, to_person=True)}"


def _question(work: Work, asked: Asked | None) -> str:
    return next((each.text for each in work.transcript() if asked and each.number == asked.message), "")


def is_alike(work: Work, known: Known, new: str) -> bool:
    said, held = readers.fold(new), readers.fold(shown(work, known))
    if not said or len(said) > max(SHORT, len(held)):
        return False
    return SequenceMatcher(None, said, held).ratio() >= ALIKE


def shown(work: Work, known: Known) -> str:
    return placeholders.format_value(known.value.value, work.world.script.locale)


def reading(work: Work, known: Known, words: str) -> readers.Read | None:
    if not can(known.rules) or not readers.fold(words) or (known.rules.type in _TEXT and says_nothing(words)):
        return None
    question = _question(work, known.asked)
    read = readers.read(known.rules, words, work.world.script.locale, work.world.now, question)
    if read is None:
        return None
    outcome = values.accept(
        known.rules, read.value, lambda other: read.value if other == known.name else scopes.lookup(work, other)
    )
    return readers.Read(outcome.value, read.evidence) if isinstance(outcome, values.Ok) else None
