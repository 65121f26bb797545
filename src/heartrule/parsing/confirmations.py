"""What is said when something known is put to be confirmed, as far as rules can tell: how it begins, and what a clause
denies. It decides no value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from heartrule.language.patterns import compiled, storable
from heartrule.language.texts.plain import packaged_yaml
from heartrule.parsing.text import MAX_READ, fold, spans

Lead = Literal["yes", "agree", "no"]
"""``agree``: a yes (好, fine) that may as well be one of the options."""
_LEADS: Mapping[Lead, str] = {"yes": "affirms", "agree": "agree", "no": "refutes"}
_STOPS = "，,。.！!；;、~～—\\n\\r"
_CLAUSES = f"[^{_STOPS}]+"
MAX_CLAUSES = 24
_DOUBLED = 3
"""How often a yes or no is said again before anything else (对，对，就是)."""


class Clause(NamedTuple):
    """A piece of what was said and the words from it to the end."""

    text: str
    onwards: str


def clauses(text: str) -> list[Clause]:
    """The first ones: whoever says more tells a story, which rules cannot read."""
    pattern: Any = compiled(_CLAUSES)
    said = storable(text[:MAX_READ])
    found = [(each.start(), each.group().strip()) for each in pattern.finditer(said)]
    return [Clause(words, said[start:].strip()) for start, words in found if words][:MAX_CLAUSES]


def same(text: str) -> bool:
    """Whether all that is said is that nothing has changed."""
    said = storable(text[:MAX_READ]).strip().strip("，,。.！!；;~～ ")
    return any(_any(f"(?is)^(?:{pattern})$").match(said) for each in _written().values() for pattern in each["same"])


def lead(text: str) -> tuple[Lead | None, str]:
    """The yes or no that the words begin with, and what comes behind it."""
    said = storable(text[:MAX_READ]).strip()
    first, rest = _lead(said)
    for _ in range(_DOUBLED):
        kind, behind = _lead(rest)
        if first is None or not rest or kind not in ("yes" if first == "agree" else first, first):
            break
        rest = behind
    return first, rest


def _lead(said: str) -> tuple[Lead | None, str]:
    for language in _LANGUAGES:
        for kind in _LEADS:
            rest = _behind(language, kind, said)
            if rest is not None:
                return kind, rest
    return None, said


def denies(clause: str) -> bool:
    """Whether a clause says that something is wrong or has changed."""
    return any(
        _any(f"(?i)(?:{'|'.join(each['denies'])})").search(
            _any(f"(?i)(?:{'|'.join(each['harmless'])})").sub("", clause)
        )
        for each in _written().values()
    )


def denies_that(clause: str, names: Sequence[str] = ()) -> bool:
    """Whether a clause only says that it is not that (不是那个原因). ``names``: words for the thing itself."""
    rest = storable(clause).casefold()
    if not denies(rest):
        return False
    for each in _written().values():
        rest = _any(f"(?i)(?:{'|'.join(each['denies'])})").sub(" ", rest)
    for each in _written().values():
        rest = _any(f"(?i){each['that']}").sub(" ", rest)
    for word in sorted(names, key=len, reverse=True):
        rest = rest.replace(word.casefold(), " ")
    return not fold(rest)


def without_tail(words: str) -> str:
    said = storable(words).strip()
    for each in _written().values():
        said = _any(f"(?i)[ ,，]*{each['tail']}$").sub("", said).strip() or said
    return said


def names_of(*known: str) -> list[str]:
    """The words for what ``known`` (a variable's name, its meaning) is about, the longest first."""
    folded = [each.casefold() for each in known if each]
    found = dict.fromkeys(each for each in folded if len(each) <= 24)
    for group in (group for each in _written().values() for group in each["things"]):
        if any(word == each or (len(word) > 1 and _holds(each, word)) for word in group for each in folded):
            found |= dict.fromkeys(group)
    return sorted(found, key=len, reverse=True)


def _holds(text: str, word: str) -> bool:
    return next(spans(text, word), None) is not None


def _behind(language: str, kind: Lead, said: str) -> str | None:
    """What comes behind such a beginning; None where the words do not begin so."""
    written = _written()[language]
    words = f"(?:(?:{'|'.join(written[_LEADS[kind]])}){written['particles']})+"
    blank = "" if language == "en" and kind == "agree" else " "
    found = _any(f"(?is)^{words}(?:[{_STOPS}{blank}]+(.*))?$").match(said)
    if found is None:
        return None
    rest: str = (found.group(1) or "").strip()
    if language == "en" and rest and kind == "no" and not _any("(?i)^[^ ]+ *[,.!;—-]").match(said):
        return rest if _any(r"(?i)^(?:it|its|i|im|my|call|now|make|that|thats)\b").match(rest) else None
    return rest


def _any(pattern: str) -> Any:
    made = compiled(pattern)
    if made is None:
        raise ValueError(pattern)
    return made


_LANGUAGES = ("zh", "en")


@cache
def _written() -> Mapping[str, Mapping[str, Any]]:
    written: Mapping[str, Mapping[str, Any]] = packaged_yaml("heartrule.parsing.phrases", "confirmations.yaml")
    return written


def patterns() -> Iterator[str]:
    """Every pattern of the file, for whoever checks that they can all be compiled."""
    for each in _written().values():
        for kind, written in each.items():
            if kind != "things":
                yield from [written] if isinstance(written, str) else written
