"""Chinese written in letters (``wo xiang si``, ``wo3 xiang3 si3``, ``woxiangsi``, ``不xiang活``), read as what
they stand for, where these could be about dying. Linear in the length of the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from heartrule.engine.awareness.pinyin_table import ALONE, GRAVE, PHRASES, SYLLABLES

_CJK = "\u3400-\u4dbf\u4e00-\u9fff"


def _longest_of(words: Iterable[str]) -> str:
    """A pattern of the longest of these words, which looks at each letter once."""
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[:1], []).append(word[1:])
    ends = by_letter.pop("", None) is not None
    branches = "|".join(letter + _longest_of(rest) for letter, rest in sorted(by_letter.items()))
    return (f"(?:{branches})" + ("?" if ends else "")) if branches else ""


_SYLLABLE = _longest_of(SYLLABLES)
_RUN = re.compile(rf"(?<![a-z0-9])(?>{_SYLLABLE}[1-5]?[ '-]?){{2,}}+")
_ONE = re.compile(rf"({_SYLLABLE})[1-5]?")
_MIXED = re.compile(
    rf"(?<=[{_CJK}]) ?({'|'.join(sorted(ALONE))}) ?(?![a-z])|(?<![a-z])({'|'.join(sorted(ALONE))}) ?(?=[{_CJK}])"
)
_UNKNOWN = "□"
_MAY_BE_GRAVE = re.compile(
    _longest_of(
        {
            syllable
            for phrase, signs in PHRASES.items()
            for syllable, sign in zip(phrase, signs, strict=True)
            if any(grave[0] == sign for grave in GRAVE)
        }
    )
)
"""The syllables without which nothing grave can be written."""
_TYPED = 20_000
"""Characters; nobody types more at once."""
_LETTER = re.compile("[a-z]")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_LONGEST = {first: max(len(each) for each in PHRASES if each[0] == first) for first in {each[0] for each in PHRASES}}
"""Syllables of the longest phrase that begins with this one."""

Cut = tuple[int, int, str]


def spelt(text: str) -> Iterator[Cut]:
    """The syllables to replace, each with its character. ``text`` is lower case and without accents."""
    if len(text) > _TYPED or not _LETTER.search(text):
        return
    begun = 0
    for cut in sorted([*_runs(text), *_beside(text)]):
        if cut[0] >= begun:
            begun = cut[1]
            yield cut


def _runs(text: str) -> Iterator[Cut]:
    for run in _RUN.finditer(text):
        if text[run.end() : run.end() + 1] in _LETTERS:  # in the middle of a word: no part of the run is one, either
            continue
        if not _MAY_BE_GRAVE.search(text, *run.span()):
            continue
        found = list(_ONE.finditer(text, *run.span()))
        read = _characters([each[1] for each in found])
        if any(grave in read for grave in GRAVE):
            for at, (each, sign) in enumerate(zip(found, read, strict=True)):
                end = found[at + 1].start() if at + 1 < len(found) else each.end()
                yield each.start(), end, sign


def _characters(syllables: list[str]) -> str:
    """The longest known words first, from the left; every syllable becomes one character."""
    signs: list[str] = []
    at = 0
    while at < len(syllables):
        for length in range(min(_LONGEST.get(syllables[at], 0), len(syllables) - at), 0, -1):
            sign = PHRASES.get(tuple(syllables[at : at + length]))
            if sign is not None:
                signs.append(sign)
                at += length
                break
        else:
            signs.append(_UNKNOWN)
            at += 1
    return "".join(signs)


def _beside(text: str) -> Iterator[Cut]:
    for each in _MIXED.finditer(text):
        yield *each.span(), ALONE[each[1] or each[2]]
