"""A model's quote that stands in what was said but for one character, set right: the words as they really are.

A slip is no proof where it turns a sentence round: a denial that is left out or put in is never mended.
"""

from __future__ import annotations

from heartrule.parsing.quote_places import stands
from heartrule.parsing.text import fold

REACH = 12
"""Characters by which a quote that ends within a word or a number is carried on."""
SHORTEST = 5
"""Letters of a quote that may differ in one; a shorter one says something else then."""
_DENIALS = frozenset("不没无未别否非莫勿")
_DENYING = ("not", "no", "n't", "never", "none")


def mended(quote: str, said: str) -> str | None:
    """The words of ``said`` that ``quote`` means, where it differs from them in one letter; None where there are none,
    or where the letter makes a denial of it. A quote that stands there is none of these."""
    wanted = fold(quote)
    if len(wanted) < SHORTEST:
        return None
    letters, places = _folded(said)
    for start in _starts(wanted, letters):
        for size in (len(wanted), len(wanted) - 1, len(wanted) + 1):
            found = letters[start : start + size]
            if len(found) != size or not _one_apart(wanted, found) or _turns(wanted, found, quote):
                continue
            meant = said[places[start] : places[start + size - 1] + 1]
            if stands(meant, said):  # not where it begins behind a denial, or ends within a word
                return meant
    return None


def carried_on(quote: str, said: str) -> str | None:
    """A quote that stands in what was said, and ends there within a word, a number or a denial, up to where it ends
    whole; None where it ends whole, or nowhere near."""
    wanted = fold(quote)
    if len(wanted) < SHORTEST or stands(quote, said):
        return None
    letters, places = _folded(said)
    at = letters.find(wanted)
    if at < 0:
        return None
    start, end = places[at], places[at + len(wanted) - 1] + 1
    longer = (said[start : end + more] for more in range(1, min(REACH, len(said) - end) + 1))
    return next((each for each in longer if stands(each, said)), None)


def _folded(said: str) -> tuple[str, list[int]]:
    """The letters of a text as ``fold`` has them, and where each stands in it."""
    letters, places = [], []
    for at, character in enumerate(said):
        for letter in fold(character):
            letters.append(letter)
            places.append(at)
    return "".join(letters), places


def _starts(wanted: str, letters: str) -> list[int]:
    """Where it may begin: with one slip, one of its halves stands there as it is."""
    half = len(wanted) // 2
    found: dict[int, None] = {}
    for part, before in ((wanted[:half], 0), (wanted[half:], half)):
        at = letters.find(part)
        while at >= 0 and len(found) < 60:
            for start in (at - before, at - before - 1, at - before + 1):
                if start >= 0:
                    found[start] = None
            at = letters.find(part, at + 1)
    return list(found)


def _one_apart(one: str, other: str) -> bool:
    """Whether one letter was changed, left out or put in."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return long[at + 1 :] == short[at + (len(short) == len(long)) :]


def _turns(wanted: str, found: str, quote: str) -> bool:
    """Whether the slip denies what is said, or says what is denied."""
    if {c for c in wanted if c in _DENIALS} != {c for c in found if c in _DENIALS}:
        return True
    if wanted.count("不") != found.count("不") or wanted.count("没") != found.count("没"):
        return True
    return quote.isascii() and any((word in wanted) != (word in found) for word in map(fold, _DENYING))
