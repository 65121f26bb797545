"""Chinese written in letters (``wo xiang si``, ``wo3 xiang3 si3``, ``woxiangsi``, ``不xiang活``), read as what
they stand for, where these could be about dying. Linear in the length of the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.engine.watching.pinyin_table import ALONE, GRAVE, PHRASES, SYLLABLES

_CJK = "\u3400-\u4dbf\u4e00-\u9fff"
_SYLLABLE = "|".join(sorted(SYLLABLES, key=len, reverse=True))
_RUN = re.compile(rf"(?<![a-z0-9])(?>(?:{_SYLLABLE})[1-5]?[ '-]?){{2,}}+(?![a-z])")
_ONE = re.compile(rf"({_SYLLABLE})[1-5]?")
_MIXED = re.compile(
    rf"(?<=[{_CJK}]) ?({'|'.join(sorted(ALONE))}) ?(?![a-z])|(?<![a-z])({'|'.join(sorted(ALONE))}) ?(?=[{_CJK}])"
)
_UNKNOWN = "□"
_TYPED = 20_000
"""Characters; nobody types more at once, and reading syllables is slow."""
_LETTER = re.compile("[a-z]")
_LONGEST = max(len(phrase) for phrase in PHRASES)

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
        found = list(_ONE.finditer(text, *run.span()))
        read = _read([each[1] for each in found])
        if any(grave in read for grave in GRAVE):
            for at, (each, sign) in enumerate(zip(found, read, strict=True)):
                end = found[at + 1].start() if at + 1 < len(found) else each.end()
                yield each.start(), end, sign


def _read(syllables: list[str]) -> str:
    """The longest known words first, from the left; every syllable becomes one character."""
    signs, at = "", 0
    while at < len(syllables):
        for length in range(min(_LONGEST, len(syllables) - at), 0, -1):
            sign = PHRASES.get(tuple(syllables[at : at + length]))
            if sign is not None:
                signs, at = signs + sign, at + length
                break
        else:
            signs, at = signs + _UNKNOWN, at + 1
    return signs


def _beside(text: str) -> Iterator[Cut]:
    for each in _MIXED.finditer(text):
        yield *each.span(), ALONE[each[1] or each[2]]
