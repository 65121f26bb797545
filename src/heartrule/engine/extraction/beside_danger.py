"""What a message says beside the danger that rules have heard in it: it may hold an answer all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from heartrule import parsing
from heartrule.engine.session.io import World
from heartrule.language.nodes import VariableRules
from heartrule.parsing.murmurs import asks_a_particular

Wanted = tuple[str, VariableRules]
"""An output by its name, and what is known of it."""

_CLAUSE = re.compile(r"[^，,。.！!？?；;、…\n]+(?:(?<=[0-9])\.[0-9]+)?")
_NOTHING = re.compile(r"^[\W_]*(?:嗯|唉|哎|啊|真的|反正|就是|oh|well|really|yes|i mean)*[\W_]*$", re.IGNORECASE)


def rest(text: str, heard: Iterable[str | None]) -> str:
    """The clauses in which none of what was ``heard`` stands."""
    spans = [(at, at + len(words)) for words in heard if words and (at := text.find(words)) >= 0]
    kept = [
        found.group().strip()
        for found in _CLAUSE.finditer(text)
        if spans and not any(start < found.end() and end > found.start() for start, end in spans)
    ]
    return "\n".join(each for each in kept if not _NOTHING.match(each))


def may_answer(world: World, wanted: Iterable[Wanted], question: str, said: str) -> bool:
    """Whether a message may be the answer for all the danger in it: it was asked what somebody has to tell, or nothing
    that is kept; or what is ``said`` beside the danger holds a value, by an output's own rules or the reader for its
    type."""
    outputs = list(wanted)
    if not outputs or any(_is_open(name, rules, question) for name, rules in outputs):
        return True
    return bool(said) and any(_is_read(world, rules, question, said) for _, rules in outputs)


def _is_open(name: str, rules: VariableRules, question: str) -> bool:
    if rules.options or rules.type not in (None, "text", "list"):
        return False
    return not any(asks_a_particular(each) for each in (question, name, rules.define))


def _is_read(world: World, rules: VariableRules, question: str, said: str) -> bool:
    locale, now = world.script.locale, world.now
    if rules.type in (None, "text", "list") and not rules.options:  # any words would be one
        return parsing.read_by_rules(rules, said, locale, now) is not None
    return parsing.parse_value(rules, said, locale, now, question) is not None
