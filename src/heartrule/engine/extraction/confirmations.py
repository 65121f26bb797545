"""What a reply says to what was put to be confirmed, as far as rules can tell: a plain yes, a no, the value once more,
or behind a no another number, day or choice. Whatever else it may mean is for a model; without one it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule import parsing
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.work import Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import Get
from heartrule.parsing import confirmations

MANY = ("list", "object")
_TYPED = ("integer", "number", "date")
Kind = Literal["yes", "no", "other", "unclear"]


@dataclass(frozen=True, slots=True)
class Reply:
    """``names``: those that are denied (no), or of which ``text`` says the new value (other). ``against``: it is said
    in so many words that what is known is not so, and something more."""

    kind: Kind
    names: Sequence[str] = ()
    text: str = field(default="", repr=False)
    against: bool = False


def parse_reply(work: Work, items: Sequence[Get], text: str) -> Reply:
    only = items[0] if len(items) == 1 else None
    lead, rest = confirmations.lead(text)
    if only is not None and lead in (None, "agree") and (chosen := _chosen(work, only, text)) is not None:
        return Reply("other", [only.get], text) if differs(work, only, chosen.value) else Reply("yes")
    if only is not None and lead is None and (behind := _denied_at_once(work, only, text)) is not None:
        lead, rest = "no", behind
    if lead == "no":
        return _denied(work, items, rest)
    said = parsing.fold(confirmations.without_tail(rest))
    if confirmations.same(text) or (lead is not None and not said) or (only is not None and _is_held(work, only, rest)):
        return Reply("yes")
    return Reply("unclear")


def is_echo(work: Work, item: Get, quote: str) -> bool:
    """Whether a quote is no more than a yes, or the value that is known already: it proves no other."""
    lead, rest = confirmations.lead(quote)
    said, held = parsing.fold(rest), _held(work, item)
    return said == held or (lead in ("yes", "agree") and not said)


def differs(work: Work, item: Get, raw: Any) -> bool:
    """Whether ``raw`` could take the place of the value that is known."""
    held = lookup(work, item.get)
    outcome = values.accept(rules_of(work, item), raw, lambda other: raw if other == item.get else lookup(work, other))
    return isinstance(outcome, values.Ok) and outcome.value != held


def _held(work: Work, item: Get) -> str:
    return parsing.fold(placeholders.format_value(lookup(work, item.get), work.world.script.locale))


def _reads(work: Work, item: Get, text: str) -> parsing.ReadValue | None:
    return parsing.parse_value(rules_of(work, item), text, work.world.script.locale, work.world.now)


def _is_held(work: Work, item: Get, text: str) -> bool:
    """Whether the words are what is known, said once more."""
    said = parsing.fold(confirmations.without_tail(text))
    if said and said == _held(work, item):
        return True
    found = _reads(work, item, text) if rules_of(work, item).type in _TYPED else None
    return found is not None and found.value == lookup(work, item.get)


def _chosen(work: Work, item: Get, text: str) -> parsing.ReadValue | None:
    """One of its options, where the words name one and nothing else."""
    found = _reads(work, item, text) if rules_of(work, item).options else None
    return found if found is not None and parsing.fold(found.evidence) == parsing.fold(text) else None


def _denied_at_once(work: Work, item: Get, text: str) -> str | None:
    """What comes behind a clause that denies the very value (不是小禾), or opens by denying what was put without saying
    it again (不是那个原因); None where there is none."""
    held, parts = _held(work, item), confirmations.clauses(text)
    for number, each in enumerate(parts):
        told = bool(held) and held in parsing.fold(each.text) and confirmations.denies(each.text)
        if told or (number == 0 and confirmations.denies_that(each.text, _names(work, item))):
            return parts[number + 1].onwards if number + 1 < len(parts) else ""
    return None


def _denied(work: Work, items: Sequence[Get], rest: str) -> Reply:
    """A no, and what comes behind it: of one number, day or choice another value; else only that it is not so."""
    no = Reply("no", [item.get for item in items], against=len(items) == 1 and bool(parsing.fold(rest)))
    if not no.against:
        return no
    item, rules = items[0], rules_of(work, items[0])
    if _is_held(work, item, rest):
        return Reply("unclear")
    found = _reads(work, item, rest) if rules.type in _TYPED or (rules.options and rules.type != "list") else None
    is_new = found is not None and differs(work, item, found.value)
    return Reply("other", [item.get], rest, against=True) if is_new else no


def _names(work: Work, item: Get) -> list[str]:
    own = item.get.rpartition(".")[2].replace("_", " ")
    return confirmations.names_of(own, fill(work, rules_of(work, item).define, to_person=True))
