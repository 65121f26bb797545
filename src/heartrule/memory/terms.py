"""What a text is about, as a set of terms, and how near two texts are."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

_WORDS = re.compile(r"[^\W\d_]+|\d+")
_HAN = re.compile("[\u3400-\u9fff]+")
_SHORTEST = 3
"""Letters of a word that counts; shorter ones stand in every text."""
SINGLE = 0.25
"""What a Chinese character counts alone, beside one with its neighbour."""


def terms(text: str) -> frozenset[str]:
    """Words of three letters or more, Chinese characters, and each two neighbouring ones."""
    plain = text.casefold()
    runs = _HAN.findall(plain)
    single = {character for run in runs for character in run}
    pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
    words = {word for word in _WORDS.findall(_HAN.sub(" ", plain)) if len(word) >= _SHORTEST}
    return frozenset(single | pairs | words)


def weights(texts: Iterable[frozenset[str]]) -> Mapping[str, float]:
    """What each term says: the fewer of the texts hold it, the more."""
    held = list(texts)
    count = Counter(term for text in held for term in text)
    return {term: _own(term) * math.log(1 + len(held) / times) for term, times in sorted(count.items())}


def _own(term: str) -> float:
    return SINGLE if len(term) == 1 and _HAN.fullmatch(term) else 1.0


def nearness(one: frozenset[str], other: frozenset[str], weigh: Mapping[str, float]) -> float:
    """What the two have in common, weighed. 0 where that is no more than single Chinese characters."""
    shared = sorted(one & other)
    if not any(_own(term) == 1.0 for term in shared):
        return 0.0
    return sum(weigh.get(term, 0.0) for term in shared)
