"""How a place in a text is meant: denied, told, asked, supposed or quoted rather than said."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

from heartrule.checks.patterns import compiled
from heartrule.checks.rules import Guard, Guards

Span = tuple[int, int]

_REACH = 100
"""Characters on either side of a place that may still belong to its clause: keeps the work linear."""
_TAIL = 16
"""Characters at the end of the clause before that may introduce what follows: “…，他说，”."""
_OPENING = "“「『《«„"
_CLOSING = "”」』》»"
_ENDS = "。!?…\n"


@dataclass(frozen=True, slots=True)
class Clauses:
    """``begins`` and ``ends`` in order: what stands between two marks is a clause."""

    begins: list[int]
    ends: list[int]
    length: int

    def around(self, span: Span) -> Span:
        """The clause round ``span``, or the clauses that it spans."""
        before = bisect_right(self.begins, span[0])
        after = bisect_left(self.ends, span[1])
        left = self.begins[before - 1] if before else 0
        right = self.ends[after] if after < len(self.ends) else self.length
        return max(left, span[0] - _REACH), min(right, span[1] + _REACH)


class GuardClauses:
    """The guards of one language, compiled. Texts are folded."""

    def __init__(self, guards: Guards) -> None:
        self._clause = compiled(guards.clause)
        self._denied, self._undenied = compiled(guards.denied), compiled(guards.undenied)
        self._told, self._untold = compiled(guards.told), compiled(guards.untold)
        self._supposed = compiled(guards.supposed)
        self._asked = compiled(guards.asked)

    def meant_otherwise(self, text: str, span: Span, clause: Span, even: frozenset[Guard]) -> bool:
        """Whether a guard that is not in ``even`` takes the words at ``span``, in their ``clause``, back."""
        left, right = clause
        words = text[left : span[1]]
        return (
            ("quoted" not in even and quoted(text, span[0]))
            or ("denied" not in even and self._is_denied(text[left : span[0]], words))
            or ("supposed" not in even and self._supposed.search(words) is not None)
            or ("asked" not in even and self._is_asked(text, span, right))
            or ("told" not in even and self._is_told(text, left, words))
        )

    def clauses(self, text: str) -> Clauses:
        """Where the clauses of a text begin and end."""
        marks = [mark.span() for mark in self._clause.finditer(text)]
        return Clauses([end for _, end in marks], [start for start, _ in marks], len(text))

    def _is_denied(self, before: str, clause: str) -> bool:
        return _holds(self._denied, self._undenied, before) or _holds(self._denied, self._undenied, clause)

    def _is_told(self, text: str, left: int, clause: str) -> bool:
        if _holds(self._told, self._untold, clause):
            return True
        before = text[max(0, left - _TAIL) : left].rstrip(" ,:;\"“「'")
        if not before or before[-1] in _ENDS:
            return False
        last = self._untold.sub("#", self._clause.split(before)[-1])
        return last != "" and any(found.end() >= len(last) - 1 for found in self._told.finditer(last))

    def _is_asked(self, text: str, span: Span, right: int) -> bool:
        if text[right : right + 1] == "?":
            return True
        end = next((at for at in range(span[1], min(len(text), span[1] + _REACH)) if text[at] in _ENDS), None)
        if end is None or text[end] != "?":
            return False
        begin = max((text.rfind(mark, 0, span[0]) for mark in (*_ENDS, ". ")), default=-1) + 1
        return self._asked.search(text[begin : span[1]]) is not None


def quoted(text: str, at: int) -> bool:
    """Whether the character at ``at`` stands within quotation marks."""
    depth = sum(mark in _OPENING for mark in text[:at]) - sum(mark in _CLOSING for mark in text[:at])
    return depth > 0 or text.count('"', 0, at) % 2 == 1


def _holds(pattern: Any, without: Any, words: str) -> bool:
    found = pattern.search(words)
    return found is not None and pattern.search(without.sub("#", words)) is not None
