"""Why a value could not be had: decided by code from what was given, recorded, and told where it is asked for again.

``not_mentioned``: nobody said anything about it. ``vague``: something was said, but with words of doubt, as a range
where one number is wanted, or without words that prove it. ``contradictory``: two different answers to one question.
``contradicted`` and ``unproved``: what a second look (``verify: llm``) made of it. The rest says what form is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from heartrule.engine.session.io import World
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import VariableRules
from heartrule.locales import is_chinese
from heartrule.parsing.dates import day_without_year
from heartrule.parsing.doubts import holds
from heartrule.parsing.tense import is_imprecise
from heartrule.parsing.yes_no import hedges

Reason = Literal[
    "not_mentioned", "vague", "contradictory", "contradicted", "unproved", "out_of_range", "need_number", "need_yes_no",
    "need_option", "need_date", "need_year", "need_day", "not_understood",
]  # fmt: skip
OVERRULING: tuple[str, ...] = ("contradictory", "contradicted", "unproved")
"""Reasons that turn up only after the model has worded its reply, which took the value for known."""
_NUMBERS = ("integer", "number")
_SINGLE = ("integer", "number", "boolean", "enum", "date")
_FORMS: Mapping[str, Reason] = {
    "integer": "need_number",
    "number": "need_number",
    "boolean": "need_yes_no",
    "enum": "need_option",
    "date": "need_date",
}


def form(rules: VariableRules) -> Reason:
    """What form is needed, for a type that has one."""
    return _FORMS.get(rules.type or "text", "not_understood")


def refused(code: str, rules: VariableRules, raw: Any) -> Reason:
    """Why a value that was given was not accepted."""
    if rules.type in _SINGLE and isinstance(raw, list) and len({str(each) for each in raw}) > 1:
        return "contradictory"
    if code in ("range", "too_small", "too_large"):
        return "out_of_range"
    return "vague" if isinstance(raw, str) and doubtful(rules, raw) else form(rules)


def doubtful(rules: VariableRules, text: str) -> bool:
    """Whether words hedge, or give a range where one number is wanted."""
    if rules.type == "boolean" and not rules.risk and hedges(text):
        return True
    return holds("hedge", text) or (rules.type in _NUMBERS and holds("range", text))


def unread(rules: VariableRules, text: str, *, asked: bool, understood: bool) -> Reason:
    """Why nothing was given. ``asked``: the question was about it. ``understood``: a model has read the words."""
    if not asked:
        return "not_mentioned"
    if doubtful(rules, text):
        return "vague"
    if rules.type == "date":
        return "need_year" if day_without_year(text) else "need_day" if is_imprecise(text) else "need_date"
    needed = form(rules)
    return "not_mentioned" if needed == "not_understood" and understood else needed


def differs(rules: VariableRules, before: Any, now: Any, text: str, evidence: str | None) -> bool:
    """Whether ``now`` contradicts what the same action had found before, rather than putting it right. Of texts and of
    what holds many things nobody can say; a variable marked ``risk`` is never doubted."""
    if rules.risk or rules.type not in _SINGLE or rules.update not in ("overwrite", "versioned"):
        return False
    return before != now and bool(evidence) and not holds("correction", text)


def remember(work: Work, missing: Mapping[str, str], differing: Mapping[str, str]) -> None:
    """Keep why for the record of this round and for the words by which it is asked for again."""
    state = QuestionState.of(work.frame)
    state.missing, state.differing = dict(missing), {**state.differing, **differing}


def contradicted_before(work: Work) -> Mapping[str, str]:
    """What was asked about once already because two answers differed, with both as text. It is not doubted twice."""
    return QuestionState.of(work.frame).differing


def recorded(work: Work) -> dict[str, str]:
    """Names and reasons, for the round's record. No words of the person's."""
    return dict(QuestionState.of(work.frame).missing)


def either(world: World, values: Sequence[Any]) -> str:
    locale = world.script.locale
    comma = "、" if is_chinese(locale) else ", "
    return comma.join(dict.fromkeys(placeholders.format_value(value, locale)[:40] for value in values))


def hint(work: Work) -> str:
    """What the next prompt is told of values that were offered and could not be used; empty in ordinary rounds. What
    nobody has mentioned is told from the second time on."""
    tries = QuestionState.of(work.frame).tries
    zh = is_chinese(work.world.script.locale)
    colon, semicolon = ("：", "；") if zh else (": ", "; ")
    rows = [
        f"{name}{colon}{told}"
        for name, reason in recorded(work).items()
        if lookup(work, name) is None or reason in OVERRULING
        if reason != "not_mentioned" or tries.get(name, 0) > 1
        if (told := _reason_text(work, name, reason))
    ]
    return semicolon.join(rows)


def _reason_text(work: Work, name: str, reason: str) -> str:
    said = work.spoken(f"why.{reason}", 0)
    return said.replace("{earlier}", contradicted_before(work).get(name, ""))
