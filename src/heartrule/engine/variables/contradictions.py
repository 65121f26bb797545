"""A new value that contradicts a good one: of a variable with ``confirm_change`` it waits until the person has said
which of the two counts; a worse one never takes the place of a better."""

from __future__ import annotations

from typing import Any

from heartrule.engine.session.state import Contradiction
from heartrule.engine.session.variables import Value
from heartrule.engine.variables.offered_values import Offer, record
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders
from heartrule.language.nodes import VariableRules
from heartrule.language.values.merge import counterpart, identity

KEPT = 6
"""Contradictions that are remembered, settled ones among them, so that nobody is asked about the same words twice."""
SHOWN = 24
"""Characters of a value in the question."""


def is_ordered(offer: Offer) -> bool:
    """Whether the script or the person decides by it: it needs no proof and nobody is asked about it."""
    return offer.strategy in ("set", "form") or (offer.strategy == "llm" and not offer.evidence)


def is_proved(held: Value) -> bool:
    """Whether the person's own words or hand stand behind it."""
    return held.value is not None and (bool(held.evidence) or held.strategy == "form")


def is_worse(offer: Offer, held: Value) -> bool:
    """Whether the value that is there is better proved than the one that is offered: a guess from raw words, or a
    default, beside what was understood. What was picked before gives way to what they answer when asked for it."""
    if not is_proved(held) or is_ordered(offer):
        return False
    if offer.strategy == "fallback":
        return held.strategy not in ("fallback", "set") or not offer.evidence
    return not offer.evidence


def is_asked(work: Work, rules: VariableRules | None, offer: Offer, held: Value) -> bool:
    """Whether the person is asked before a value that contradicts takes the place of this one. Not about a variable
    marked ``risk``, and not within the safety project."""
    if rules is None or not rules.confirm_change or rules.risk or is_ordered(offer) or not is_proved(held):
        return False
    return work.state.running is None or work.running.project != SAFETY


def note(work: Work, rules: VariableRules, offer: Offer, held: Value, part: Any) -> None:
    """Keep the part that contradicts until the person has said which counts. What they have been asked about already is
    only asked again when they say it again."""
    known = [
        each
        for each in work.state.contradictions
        if (each.name, each.scope, each.scope_key) == (offer.name, *offer.where)
    ]
    same = [each for each in known if identity(each.part) == identity(part)]
    if why := _asked_already(work, same, offer):
        record(work, offer, "kept", why)
        return
    for each in known:
        if not each.settled:
            record(work, offered(each), "kept", "said otherwise since")
    others = [each for each in work.state.contradictions if each not in known or (each.settled and each not in same)]
    locale = work.world.script.locale
    made = Contradiction(
        name=offer.name,
        scope=offer.where[0],
        scope_key=offer.where[1],
        path=offer.path,
        part=part,
        key=rules.key,
        strategy=offer.strategy,
        evidence=offer.evidence,
        source=offer.source,
        before=_words(counterpart(held.value, part, rules.key), held.evidence, locale),
        now=_words(part, offer.evidence, locale),
    )
    work.state.contradictions = [*others, made][-KEPT:]
    record(work, offer, "unconfirmed", "contradicts the value that is there")


def _asked_already(work: Work, same: list[Contradiction], offer: Offer) -> str:
    """Why the person is not asked about it; empty: they are."""
    settled = any(each.settled == work.state.seq for each in same)
    if any(not each.settled for each in same) or offer.strategy == "history" or settled:
        return "asked about already"
    return "not said again" if same and not _said_now(work, offer) else ""


def otherwise(work: Work, each: Contradiction, value: Any, words: str) -> None:
    """The person has told a third value: that one is to be asked about instead."""
    record(work, offered(each), "kept", "said otherwise since")
    each.settled = work.state.seq
    made = each.model_copy(
        update={
            "part": value,
            "strategy": "rules",
            "evidence": words,
            "now": _words(value, words, work.world.script.locale),
            "asked": 0,
            "settled": 0,
        }
    )
    work.state.contradictions = [*work.state.contradictions, made][-KEPT:]
    record(work, offered(made), "unconfirmed", "contradicts the value that is there")


def told_again(work: Work, offer: Offer) -> None:
    """The value that is there was told once more: nobody is asked any more about another that was told before."""
    for each in work.state.contradictions:
        about = (each.name, each.scope, each.scope_key) == (offer.name, *offer.where)
        if about and not each.settled and not each.path and offer.strategy != "history" and _said_now(work, offer):
            each.settled = work.state.seq
            record(work, offered(each), "kept", "the person keeps it")


def offered(made: Contradiction) -> Offer:
    """What a contradiction is about, as it was offered."""
    return Offer(
        made.name,
        made.path,
        (made.scope, made.scope_key),
        made.part,
        made.source,
        made.strategy,  # type: ignore[arg-type]
        made.evidence,
    )


def lost(made: Contradiction, held: Any) -> Any:
    """What the newer value takes the place of."""
    return counterpart(held, made.part, made.key)


def _said_now(work: Work, offer: Offer) -> bool:
    said = "\n".join(each.text for each in work.messages if each.sender == "person")
    return bool(offer.evidence) and str(offer.evidence) in said


def _words(value: Any, evidence: str | None, locale: str) -> str:
    """A value as it is written; a yes or no, whose meaning hangs on its question, in the words that said it."""
    words = evidence if isinstance(value, bool) and evidence else placeholders.format_value(value, locale)
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def drop(work: Work, reason: str) -> None:
    """Nobody is asked any more: what is there stays."""
    for each in work.state.contradictions:
        if not each.settled:
            each.settled = work.state.seq
            record(work, offered(each), "kept", reason)
