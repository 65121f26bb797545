"""Which earlier answer a correction means: the one that it names, else the newest; and what the words make of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from heartrule import parsing
from heartrule.engine.extraction import asides
from heartrule.engine.repair import late_words
from heartrule.engine.session.io import World
from heartrule.engine.session.state import PastQuestion, State
from heartrule.engine.session.variables import Value
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import VariableRules
from heartrule.parsing import single_values
from heartrule.parsing.corrections import Correction
from heartrule.parsing.murmurs import says_nothing

SHORT = 12
"""Letters of a text that puts another right by being like it, and how much of both is the same:"""
ALIKE = 0.5
TEXT = (None, "text")
_MANY = ("list", "object")
_NUMBERS = ("integer", "number")

Own = Sequence[tuple[str, VariableRules]]
"""What the waiting question is to find out."""


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """Something the person has told, and the question that it answered, where that is remembered."""

    name: str
    rules: VariableRules
    value: Value
    asked: PastQuestion | None = None


@dataclass(slots=True)
class TakenBack:
    """What is taken back and what it is to be instead; ``known`` without ``value``: it cannot be read. ``line``: what
    is said about it."""

    known: EarlierAnswer | None
    value: Any = field(default=None, repr=False)
    words: str = field(default="", repr=False)
    line: str = field(default="", repr=False)
    is_put_right: bool = False


def meant(work: Work, own: Own, said: Correction) -> TakenBack | None:
    """What is taken back; None where it is no correction after all: words that name what is asked for now, or only deny
    something, or come behind an answer that was in vain."""
    newest = _newest(work)
    if said.about:
        known = [*_candidates(work, {name for name, _ in own}), *(newest or [])]
        mine = any(_names(work, name, rules, said.about) for name, rules in own)
        if mine and not any(_names(work, each.name, each.rules, said.about) for each in known):
            return None
        return taken(work, known, said)
    return None if newest is None else taken(work, newest, said)


def taken(work: Work, known: Sequence[EarlierAnswer], said: Correction) -> TakenBack | None:
    """What it makes of the one that it can be about; None where words that only deny may as well be an answer."""
    able = {each.name: each for each in known if _is_about(work, each, said)}
    only = next(iter(able.values())) if len(able) == 1 else None
    read = reading(work, only, said) if only is not None else None
    if read is not None:
        return TakenBack(only, read.value, read.evidence)
    return None if said.plain == "denied" and not (said.about and said.points) else TakenBack(only)


def _is_about(work: Work, known: EarlierAnswer, said: Correction) -> bool:
    """Whether it is what the words name, and holds what they say that it is not (不是一个月，是三个月)."""
    if said.about and not _names(work, known.name, known.rules, said.about):
        return False
    return not said.old or said.old == said.about or parsing.fold(said.old) in parsing.fold(shown(work.world, known))


def _newest(work: Work) -> list[EarlierAnswer] | None:
    """What the newest answer has told, as far as code can put it right; nothing where it told more than one thing, None
    where it was in vain and the question that waits is the same."""
    asked = next((each for each in reversed(work.state.asked) if each.texts or each.found), None)
    if asked is None:  # questions back and repairs only
        return []
    if asked.action == work.frame.id and asked.topic == work.running.key and not asked.found:
        return None
    fresh = _fresh(work.state, asked)
    told = [EarlierAnswer(item.get, rules, value, asked) for item, rules, value in late_words.told_values(work, asked)]
    told = [each for each in told if each.name in fresh and can(each.rules)]
    return told if len(told) == 1 else []


def _fresh(state: State, asked: PastQuestion) -> list[str]:
    """What the answer has told that an earlier one to the same question had not."""
    before = next((each.found for each in state.asked if _same(each, asked) and each is not asked), {})
    return [name for name in asked.found if name not in before] or list(asked.found)


def _same(one: PastQuestion, other: PastQuestion) -> bool:
    return (one.action, one.topic, one.index) == (other.action, other.topic, other.index)


def _candidates(work: Work, own: set[str]) -> Iterator[EarlierAnswer]:
    """All that may be named, each with the question that it answered last, where that is remembered."""
    found = {
        name: EarlierAnswer(name, rules, value)
        for name, value in asides.facts(work).items()
        if (rules := scopes.definition(work, name)[1]) is not None
    }
    for asked in work.state.asked:
        found |= {
            item.get: EarlierAnswer(item.get, rules, value, asked)
            for item, rules, value in late_words.told_values(work, asked)
        }
    yield from (each for each in found.values() if each.name not in own and can(each.rules))


def can(rules: VariableRules) -> bool:
    return rules.type not in _MANY and rules.update in ("overwrite", "versioned")


def _names(work: Work, name: str, rules: VariableRules, about: str) -> bool:
    """Whether ``about`` names it: by its name, or in the words that say what it is."""
    said, own = parsing.fold(about), parsing.fold(name.rpartition(".")[2])
    meaning = parsing.fold(fill(work, rules.define, to_person=True))
    return said == own or (len(said) > 1 and (said in own or (len(own) > 1 and own in said) or said in meaning))


def reading(work: Work, known: EarlierAnswer, said: Correction) -> parsing.ReadValue | None:
    """The new value, by the variable's own rules. A text gives way only to what is put as what it is (是三个月), a
    number only to one number and nothing else."""
    words = said.new
    if not can(known.rules) or not parsing.fold(words):
        return None
    is_text = known.rules.type in TEXT and not known.rules.options
    if is_text and (not _is_put_so(work.world, known, said) or says_nothing(words)):
        return None
    if known.rules.type in _NUMBERS and single_values.told_number(words) is None:
        return None
    if known.rules.type == "boolean" and said.plain == "denied":
        return None
    read = parsing.parse_value(
        known.rules, words, work.world.script.locale, work.world.now, _question(work, known.asked)
    )
    if read is None:
        return None
    outcome = values.accept(
        known.rules, read.value, lambda other: read.value if other == known.name else scopes.lookup(work, other)
    )
    return parsing.ReadValue(outcome.value, read.evidence) if isinstance(outcome, values.Ok) else None


def _is_put_so(world: World, known: EarlierAnswer, said: Correction) -> bool:
    """Whether a text is put as what it is. Words that only deny must be like it as well (一个月: 不对，是三个月), or
    what the script's own rules find in them (不对，我叫小明)."""
    if said.plain != "denied":
        return said.is_said or said.plain == "earlier"
    put, held = parsing.fold(said.new), parsing.fold(shown(world, known))
    by_rules = parsing.read_by_rules(known.rules, said.new, world.script.locale, world.now)
    alike = len(put) <= max(SHORT, len(held)) and SequenceMatcher(None, put, held).ratio() >= ALIKE
    return alike or (by_rules is not None and parsing.fold(str(by_rules.value)) != put)


def _question(work: Work, asked: PastQuestion | None) -> str:
    return next((each.text for each in work.transcript() if asked and each.number == asked.message), "")


def shown(world: World, known: EarlierAnswer) -> str:
    return placeholders.format_value(known.value.value, world.script.locale)
