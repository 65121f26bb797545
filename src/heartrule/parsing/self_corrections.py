"""One answer in which a value is taken back for another (8分，不对，6分), or several differ. Of a variable
marked ``risk`` nothing is taken back by rules: only its yes counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from heartrule.language.nodes import VariableRules
from heartrule.parsing.corrections import Correction, amends, correction
from heartrule.parsing.text import MAX_READ, clauses, fold, normalise

Reader = Callable[[str], Any]
"""What a piece of the words says, as something with ``value`` and ``evidence``; None where it cannot be read."""
SHORT = 12
"""Letters of a text that may be taken back by what follows it, and how much of both is the same where that only says
no."""
ALIKE = 0.5
_MANY = ("list", "object")
CUTS_READ = 24
"""Clauses, from the end, at which something may be taken back: whoever says more behind it tells a story."""
CLAUSES_READ = 64
"""Clauses that differ, from the beginning, in which a value may stand beside another. Each is read on its own, by
every rule of the variable: a thousand of them held up everybody else for a tenth of a second."""
_CUTS = re.compile(r"[，,。！!；;…~～\s]+|(?<![0-9])\.|\.(?![0-9])")
_AGAIN = re.compile("^(?:也|又|还|而且|但也|但又|但是?|不过|可是?|and |but |also )+")


def amended(rules: VariableRules, text: str, reads: Reader) -> Any:
    """What ``reads`` makes of the words that take the place of others; None where nothing is taken back. ``reads`` is
    the reader of this variable without any of this."""
    if rules.type in _MANY or len(text) > MAX_READ or has_its_own_way(rules):
        return None
    is_text = rules.type in (None, "text") and not rules.options
    for before, said in _taken_back(text):
        read = reads(said.new) or (reads(said.rest) if said.rest != said.new else None)
        if read is None:
            continue
        if is_text:
            return read if _replaces(before, said) else None
        if reads(before) is not None or len(several(rules, before, reads)) > 1:
            return read if _may(rules, read.value) else None
    return None


def has_its_own_way(rules: VariableRules) -> bool:
    """Whether a yes or no has rules of its own, which say how far a no goes (没有，不过以前有一回)."""
    return rules.type == "boolean" and bool(rules.rules)


def several(rules: VariableRules, text: str, reads: Reader) -> list[Any]:
    """The values that are said one beside the other, each once, in their order; of a text nobody can tell."""
    if rules.type in (None, "text", *_MANY) and not rules.options:
        return []
    said = dict.fromkeys(each.text for each in clauses(normalise(text[:MAX_READ])) if not each.asks)
    found: list[Any] = []
    for clause in islice(said, CLAUSES_READ):
        plainly = dict.fromkeys((_AGAIN.sub("", clause.strip()), clause))
        read = next((read for each in plainly if (read := reads(each)) is not None), None)
        if read is not None and read.value not in found:
            found.append(read.value)
    return found


def withdrawn(rules: VariableRules, text: str, reads: Reader) -> bool:
    """Whether a value is said to be wrong in the end, and no other can be read in its place (30。打错了)."""
    if (
        rules.risk
        or has_its_own_way(rules)
        or (rules.type in (None, "text", *_MANY) and not rules.options)
        or len(text) > MAX_READ
    ):
        return False
    for cut in reversed(list(_CUTS.finditer(text))[-CUTS_READ:]):
        before, said = text[: cut.start()].strip(), correction(text[cut.end() :].strip())
        if before and said is not None:
            return reads(said.new) is None
    return False


def _taken_back(text: str) -> Iterator[tuple[str, Correction]]:
    """Where something is taken back, the last first: what stands before it, and what is said instead."""
    for cut in reversed(list(_CUTS.finditer(text))[-CUTS_READ:]):
        before, rest = text[: cut.start()].strip(), text[cut.end() :].strip()
        said = amends(rest) if before and rest else None
        if said is not None and fold(said.new):
            yield before, said


def _replaces(before: str, said: Correction) -> bool:
    """Whether a text gives way: it is short and one piece, and what takes it back says so, or is like it."""
    if len(fold(before)) > SHORT or len(fold(said.new)) > SHORT or _CUTS.search(before):
        return False
    if said.plain != "denied":
        return not said.about
    return SequenceMatcher(None, fold(before), fold(said.new)).ratio() >= ALIKE


def _may(rules: VariableRules, value: Any) -> bool:
    return not rules.risk or value is True
