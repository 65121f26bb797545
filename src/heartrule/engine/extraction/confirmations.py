"""What a reply says to what was put to be confirmed, read by rules: that it is so, that something is not, or what it is
instead. A good value gives way only to a plain correction; whatever else is said leaves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Literal

from heartrule import parsing
from heartrule.engine.tasks.prompting import fill
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.work import Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import Get, VariableRules
from heartrule.parsing import confirming
from heartrule.parsing.murmurs import says_nothing

MANY = ("list", "object")
SHORT = 12
"""Letters of a text that may be put right by saying a similar one and nothing else (小禾: 小林)."""
ALIKE = 0.5
"""How much of both such texts is the same at least."""
DAY = 6
"""Letters of a day in words (上个星期三)."""
Kind = Literal["yes", "no", "other", "adds", "which", "unclear"]


@dataclass(frozen=True, slots=True)
class Reply:
    """``names``: those that are denied (no), or of which ``text`` says the new value (other), or more of it (adds).
    ``denied``: what else is not so. ``plain``: nothing but a yes or a no is said. ``against``: it is said in so many
    words that what is known is not so, and not only what it is instead."""

    kind: Kind
    names: Sequence[str] = ()
    text: str = field(default="", repr=False)
    denied: Sequence[str] = ()
    plain: bool = False
    against: bool = False


def read(work: Work, items: Sequence[Get], text: str, *, which: bool = False) -> Reply:
    """``which``: the question was which of them is not so."""
    if confirming.same(text):
        return Reply("yes", plain=True)
    if len(items) > 1:
        return _of_several(work, items, text, which=which)
    item = items[0]
    if parsing.fold(text) and parsing.fold(text) == _held(work, item):
        return Reply("yes", plain=True)
    return _of_text(work, item, text) if _is_text(rules_of(work, item)) else _of_typed(work, item, text)


def is_echo(work: Work, item: Get, quote: str) -> bool:
    """Whether a quote is no more than a yes, or the value that is known already: it proves no other."""
    lead, rest = confirming.lead(quote)
    said, held = parsing.fold(rest), _held(work, item)
    return said == held or (lead in ("yes", "agree") and not said)


def differs(work: Work, item: Get, raw: Any) -> bool:
    """Whether ``raw`` could take the place of the value that is known."""
    held = lookup(work, item.get)
    outcome = values.accept(rules_of(work, item), raw, lambda other: raw if other == item.get else lookup(work, other))
    return isinstance(outcome, values.Ok) and outcome.value != held


def _is_text(rules: VariableRules) -> bool:
    return rules.type in (None, "text", *MANY)


def _held(work: Work, item: Get) -> str:
    return parsing.fold(placeholders.format_value(lookup(work, item.get), work.world.script.locale))


def _reads(work: Work, item: Get, text: str) -> parsing.Read | None:
    return parsing.read(rules_of(work, item), text, work.world.script.locale, work.world.now)


# one text, or one list


def _of_text(work: Work, item: Get, text: str) -> Reply:
    lead, rest = confirming.lead(text)
    if rules_of(work, item).type == "list" and (more := confirming.added(text)) and _reads(work, item, more):
        return Reply("adds", [item.get], more)
    if lead is None and (denied := _denied_at_once(work, item, text)) is not None:
        lead, rest = "no", denied
    if lead == "no":
        return _instead(work, item, rest)
    return _agreed_or_renamed(work, item, text, rest, agrees=lead is not None)


def _agreed_or_renamed(work: Work, item: Get, text: str, rest: str, *, agrees: bool) -> Reply:
    """What is not denied. ``agrees``: it opens like a yes, and ``rest`` comes behind that."""
    held, new = _held(work, item), _renamed(rest)
    if new is not None and parsing.fold(new[1]) != held:
        return Reply("other", [item.get], rest if agrees else new[0])
    if agrees:
        return Reply("yes", plain=parsing.fold(confirming.without_tail(rest)) in ("", held))
    if new is not None or (held and held in parsing.fold(text)):
        return Reply("yes")
    is_like = rules_of(work, item).type != "list" and _is_alike(work, item, text)
    return Reply("other", [item.get], text) if is_like else Reply("unclear")


def _instead(work: Work, item: Get, rest: str) -> Reply:
    """What comes behind a no."""
    new = _renamed(rest)
    words = new[0] if new is not None else confirming.without_copula(rest)
    if not parsing.fold(words) or says_nothing(words) or parsing.repair(rest, work.world.script.locale) is not None:
        return Reply("no", [item.get], plain=True)
    if parsing.fold(words) == _held(work, item):
        return Reply("unclear")
    return Reply("other", [item.get], words, against=True)


def _renamed(text: str) -> tuple[str, str] | None:
    """The first clause that says what it is to be instead, with all that comes behind it."""
    return next((new for each in confirming.clauses(text) if (new := confirming.renamed(each.onwards))), None)


def _denied_at_once(work: Work, item: Get, text: str) -> str | None:
    """What comes behind a clause that denies the very value (不是小禾), or opens by denying what was put without saying
    it again (不是那个原因); None where there is none."""
    held, parts = _held(work, item), confirming.clauses(text)
    for number, each in enumerate(parts):
        told = bool(held) and held in parsing.fold(each.text) and confirming.denies(each.text)
        if told or (number == 0 and confirming.denies_that(each.text, _names(work, item))):
            return parts[number + 1].onwards if number + 1 < len(parts) else ""
    return None


def _is_alike(work: Work, item: Get, text: str) -> bool:
    said, held = parsing.fold(text), _held(work, item)
    if not said or says_nothing(text) or len(said) > min(SHORT, len(held) + 1) or _reads(work, item, text) is None:
        return False
    return SequenceMatcher(None, said, held).ratio() >= ALIKE


# one value of a type


def _of_typed(work: Work, item: Get, text: str) -> Reply:
    lead, rest = confirming.lead(text)
    if lead in (None, "agree") and _chooses(work, item, text, alone=lead is not None):
        lead, rest = None, text
    if lead == "no":
        return _denied(work, item, rest)
    if lead is not None:
        moved = [each for each in confirming.clauses(rest) if confirming.moves(each.text)]
        new = next((each.text for each in moved if _bare(work, item, each.text) is True), None)
        return Reply("other", [item.get], new) if new else Reply("yes", plain=not rest)
    rules = rules_of(work, item)
    by_rules = parsing.read_by_rules(rules, text, work.world.script.locale, work.world.now)
    if by_rules is not None and rules.type != "boolean" and differs(work, item, by_rules.value):
        return Reply("other", [item.get], text)
    return _clause_by_clause(work, item, text)


def _clause_by_clause(work: Work, item: Get, text: str) -> Reply:
    said = {_bare(work, item, each.text): each.text for each in confirming.clauses(text)}
    if True in said and False not in said:
        return Reply("other", [item.get], said[True])
    if False in said and True not in said:
        return Reply("yes", plain=True)
    return _plain(work, item, text)


def _chooses(work: Work, item: Get, text: str, *, alone: bool) -> bool:
    """Whether the words name one of its options, and nothing else where they open like a yes."""
    chosen = _reads(work, item, text) if rules_of(work, item).options else None
    return chosen is not None and (not alone or parsing.fold(chosen.evidence) == parsing.fold(text))


def _denied(work: Work, item: Get, rest: str) -> Reply:
    """What comes behind a no: another value, the same one, or nothing that can be read."""
    found = _reads(work, item, rest) if rest and rules_of(work, item).type != "boolean" else None
    if found is None:
        return Reply("no", [item.get], plain=not rest)
    if found.value == lookup(work, item.get):
        return Reply("unclear")
    is_new = differs(work, item, found.value)
    return Reply("other", [item.get], rest, against=True) if is_new else Reply("no", [item.get])


def _plain(work: Work, item: Get, text: str) -> Reply:
    """A yes or no in words that only its own reader knows."""
    found = parsing.read(VariableRules(type="boolean"), text, work.world.script.locale, work.world.now)
    if found is None:
        return Reply("unclear")
    return Reply("yes", plain=True) if found.value else Reply("no", [item.get], plain=True)


def _bare(work: Work, item: Get, clause: str) -> bool | None:
    """Whether a clause is another value (True) or the same one (False) and nothing else; None where it is neither."""
    found = _reads(work, item, clause) if rules_of(work, item).type != "boolean" else None
    if found is None or not _says_only(work, item, clause, found):
        return None
    if differs(work, item, found.value):
        return True
    return False if found.value == lookup(work, item.get) else None


def _says_only(work: Work, item: Get, clause: str, found: parsing.Read) -> bool:
    """Readers may give the whole clause for a proof: then a long one says more than the value."""
    kind, names = rules_of(work, item).type, _names(work, item)
    if kind in ("integer", "number", "date") and confirming.is_bare(clause, None, names):
        return True
    whole = parsing.fold(found.evidence) == parsing.fold(clause)
    if kind in ("integer", "number") or (whole and kind == "date" and len(parsing.fold(clause)) > DAY):
        return False
    return confirming.is_bare(clause, found.evidence, names)


# several


def _names(work: Work, item: Get) -> list[str]:
    own = item.get.rpartition(".")[2].replace("_", " ")
    return confirming.names_of(own, fill(work, rules_of(work, item).define, to_person=True))


def _of_several(work: Work, items: Sequence[Get], text: str, *, which: bool) -> Reply:
    if confirming.all_denied(text):
        return Reply("no", [item.get for item in items])
    new, denied = _named(work, items, text, which=which)
    if new:
        name, words = next(iter(new.items()))
        return Reply("other", [name], words, [*denied, *list(new)[1:]])
    if denied:
        return Reply("no", denied)
    lead, rest = confirming.lead(text)
    if lead in ("yes", "agree"):
        moved = [each.text for each in confirming.clauses(rest) if confirming.moves(each.text)]
        return _by_type(work, items, moved) or Reply("yes", plain=not rest)
    found = _by_type(work, items, [each.text for each in confirming.clauses(rest)])
    if found is not None:
        return found
    if lead == "no":
        return Reply("unclear" if which else "which")
    said = parsing.read(VariableRules(type="boolean"), text, work.world.script.locale, work.world.now)
    return Reply("unclear" if said is None or not said.value else "yes")


def _by_type(work: Work, items: Sequence[Get], parts: Sequence[str]) -> Reply | None:
    """A value without a name, where only one of them can have it."""
    texts = [item for item in items if _is_text(rules_of(work, item))]
    for part in parts:
        able = [item for item in items if item not in texts and _bare(work, item, part) is not None]
        if len(able) == 1 and _bare(work, able[0], part):
            return Reply("other", [able[0].get], part)
        new = confirming.renamed(part)
        if len(texts) == 1 and not able and new is not None and parsing.fold(new[1]) != _held(work, texts[0]):
            return Reply("other", [texts[0].get], new[0])
    return None


def _named(work: Work, items: Sequence[Get], text: str, *, which: bool) -> tuple[dict[str, str], list[str]]:
    """What is said about those that are named: the words of a new value by name, and the names that are only denied."""
    new, denied, about = dict[str, str](), list[str](), None
    for each in confirming.clauses(text):
        words = {item.get: confirming.named(each.text, _names(work, item)) for item in items}
        item = max(items, key=lambda one: len(words[one.get]))
        if not words[item.get]:
            if about is not None and about.get not in new and (found := _value(work, about, each.text)):
                new[about.get] = found
            continue
        behind = each.text.casefold().partition(words[item.get].casefold())[2]
        wrong = confirming.denies(each.text) or (which and confirming.lead(behind)[0] is None)
        about = item if wrong else None
        said = _value(work, item, confirming.after_denial(each.text) or behind)
        if said:
            new[item.get], about = said, item
        elif wrong:
            denied.append(item.get)
    return new, [name for name in dict.fromkeys(denied) if name not in new]


def _value(work: Work, item: Get, words: str) -> str:
    """The words of a new value for an item that is spoken about; empty where there is none."""
    if not _is_text(rules_of(work, item)):
        return words if _bare(work, item, words) else ""
    renamed, plain = confirming.renamed(words), confirming.without_copula(words)
    new = renamed[0] if renamed else plain if plain != words.strip() else ""
    lead = confirming.lead(new)[0] or ("yes" if confirming.denies(new) else None)
    return "" if not parsing.fold(new) or lead or parsing.fold(new) == _held(work, item) else new
