"""What a text is found again by: words, Chinese characters and each two neighbouring ones; and what else a question may
have meant by its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from heartrule.language.texts.plain import packaged_yaml

_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")
_HAN = re.compile("[\u3400-\u9fff]+")
_ENDINGS = ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "ly", "s", "y", "e")
_LEAST = 3
"""Letters that stay of a word that loses its ending."""
EMPTY = frozenset(files(__package__).joinpath("empty_words.txt").read_text("utf-8").split())
"""Words that stand in every text, and those that questions are made of."""


NOW = "\x00now"
"""Beside the words of a text that says that something has become otherwise: what is so now is looked for with it."""
_CHANGED = re.compile(
    r"换|改成|改为|改吃|改做|变成|现在|如今|不再|搬到|搬去|转去|转行|停了|新的|最近|刚|"
    r"\b(?:now|nowadays|these days|lately|no longer|any ?more|changed|switched|moved|swap|instead|new|recently|just|"
    r"down to|onto|quit)\b"
)


_IRREGULAR: Mapping[str, str] = packaged_yaml(__package__, "irregular.yaml")


def kept(text: str) -> list[str]:
    """What a text is found again by."""
    return [*tokens(text), *([NOW] if _CHANGED.search(text.casefold()) else ())]


def tokens(text: str) -> list[str]:
    """In their order, each as often as it stands there."""
    plain = text.casefold()
    found: list[str] = []
    for run in _HAN.findall(plain):
        found += [each for each in run if each not in EMPTY]
        found += [pair for at in range(len(run) - 1) if (pair := run[at : at + 2]) not in EMPTY and not _hollow(pair)]
    found += [stem(word) for word in _WORDS.findall(_HAN.sub(" ", plain)) if word not in EMPTY]
    return found


def _hollow(pair: str) -> bool:
    return pair[0] in EMPTY and pair[1] in EMPTY


def stem(word: str) -> str:
    """An English word without what grammar has hung on it, roughly: the same for what was told and what is asked."""
    word = word.removesuffix("'s")
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _LEAST and word[-1] == word[-2] else word


def is_single(token: str) -> bool:
    """A Chinese character alone, which says less than two."""
    return len(token) == 1 and _HAN.fullmatch(token) is not None


AKIN, KIND_OF = 0.7, 0.5
"""What a word counts that stands beside the one that was said in the thesaurus; and what one counts of which it is the
kind, or that is a kind of it."""
SINGLE, ALONE = 0.08, 0.6
"""What a Chinese character counts beside others, and where nothing else is asked for."""


def asked(text: str) -> dict[str, float]:
    """What a question looks for, each with its weight: its own words, and those that mean much the same."""
    found = tokens(text)
    single = SINGLE if any(not is_single(each) for each in found) else ALONE
    own = {token: single if is_single(token) else 1.0 for token in found}
    plain = text.casefold()
    words = {stem(word) for word in _WORDS.findall(_HAN.sub(" ", plain))}
    for group in _thesaurus():
        if words.isdisjoint(group.words) and not any(each in plain for each in group.within):
            continue
        for token, weigh in group.tokens:
            own[token] = max(own.get(token, 0.0), weigh)
    return own


@cache
def _parts(word: str) -> tuple[tuple[str, float], ...]:
    """What a word of the thesaurus is found by: a single character only where it is the whole of it."""
    found = [each for each in tokens(word) if len(word) == 1 or not is_single(each)]
    return tuple((each, 1.0 if len(found) < 3 else 2.0 / len(found)) for each in found)


@dataclass(frozen=True, slots=True)
class _Group:
    """Words that are said for much the same in what people tell of themselves: stems of English ``words``, and what is
    looked for ``within`` a text. ``tokens``: what is looked for in their place, each with its weight."""

    words: frozenset[str]
    within: tuple[str, ...]
    tokens: tuple[tuple[str, float], ...]


@cache
def _thesaurus() -> tuple[_Group, ...]:
    told: Mapping[str, str] = packaged_yaml(__package__, "thesaurus.yaml")
    kinds: Mapping[str, str] = packaged_yaml(__package__, "kinds.yaml")
    return tuple(_group(_words_of(line), _words_of(kinds.get(name, ""))) for name, line in told.items())


def _group(akin: Sequence[str], kinds: Sequence[str]) -> _Group:
    within = tuple(each for each in akin if _HAN.search(each) or " " in each)
    tokens_: dict[str, float] = {}
    for weigh, group in ((AKIN, akin), (KIND_OF, kinds)):
        for each in group:
            for token, share in _parts(each):
                tokens_[token] = max(tokens_.get(token, 0.0), weigh * share)
    return _Group(frozenset(stem(each) for each in akin if each not in within), within, tuple(tokens_.items()))


def _words_of(line: str) -> tuple[str, ...]:
    return tuple(each.strip().casefold() for each in line.split("|") if each.strip())
