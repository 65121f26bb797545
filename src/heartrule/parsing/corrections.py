"""A message that opens by taking back something said before: how plainly it says so, what it is about, and what it is
to be instead. It decides no value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Literal

import re2  # type: ignore[import-untyped]

from heartrule.language.patterns import compiled, joined, storable
from heartrule.language.texts.plain import packaged_yaml
from heartrule.parsing.text import MAX_READ, READ_AT_ONCE

Plainness = Literal["earlier", "wrong", "denied"]
"""``earlier``: it says that an earlier answer is meant; ``wrong``: that something was said wrongly; ``denied``: only
that something is not right, which may as well be an answer."""
_ORDER: tuple[Plainness, ...] = ("earlier", "wrong", "denied")
_LONGEST = 300
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
_MEMORY = 8 << 20
_GROUP, _NAMED = re.compile(r"\(@(\w+):"), r"(?P<\1>"
_PATTERNS = (*_ORDER, "within", "becomes", "instead", "plain", "any")


@dataclass(frozen=True, slots=True)
class Correction:
    """``rest``: all that is said behind the opening; ``new``: what it is to be, without the words that say so.
    ``about``: what is named; ``old``: what it is not. ``shaped``: it says that it is this now (应该是、改成、不是…是);
    ``points``: it names an earlier thing (刚才的心情)."""

    plain: Plainness
    rest: str = field(repr=False)
    new: str = field(repr=False)
    about: str = field(default="", repr=False)
    old: str = field(default="", repr=False)
    shaped: bool = False
    points: bool = False
    is_said: bool = False
    """It is put as what it is (是三个月, it was three months)."""


@lru_cache(READ_AT_ONCE)
def correction(text: str) -> Correction | None:
    """What ``text`` takes back, in Chinese or English whatever the locale; None where it opens otherwise, or tells a
    story."""
    said = storable(text[:MAX_READ]).strip()
    if not said or len(said) > _LONGEST or said.endswith(("?", "？")):
        return None
    for plain in _ORDER:
        for language in _written():
            opened = _opened(language, plain, said)
            if opened is not None and (opened[0] or plain != "denied"):
                found = _body(language, plain, opened[0])
                return replace(found, about=opened[1], points=True) if opened[1] else found
    return None


@lru_cache(READ_AT_ONCE)
def amends(text: str) -> Correction | None:
    """What ``text`` takes back, where a value stands right before it, or it is known to be about one: there less is
    needed to say so (应该是31)."""
    found = correction(text)
    said = storable(text[:MAX_READ]).strip()
    if found is not None or len(said) > _LONGEST or said.endswith(("?", "？")):
        return found
    for language in _written():
        opened = _opened(language, "within", said)
        if opened is not None and opened[0]:
            return _body(language, "denied", opened[0])
    return None


def checks(question: str) -> bool:
    """Whether we asked if something is right: there a no is the answer."""
    return any(_any(f"(?i)(?:{each['checks']})").search(storable(question)) for each in _written().values())


def _opened(language: str, kind: str, said: str) -> tuple[str, str] | None:
    """What comes behind such an opening, and what the opening names; None where the words do not open so."""
    if _one_of(language, kind).match(said.encode()) is None:
        return None
    for pattern in _patterns(language, kind):
        found = _any(pattern).match(said)
        if found is not None:
            groups = found.groupdict()
            about = (groups.get("about") or "").strip()
            rest = str(groups.get("rest") or groups.get("rest2") or "").strip()
            return rest, "" if _is_any(language, about) else about
    return None


def _body(language: str, plain: Plainness, rest: str) -> Correction:
    for kind in ("instead", "becomes", "plain"):
        for pattern in _patterns(language, kind):
            found = _any(pattern).match(rest)
            if found is None:
                continue
            groups = found.groupdict()
            about = (groups.get("about") or "").strip()
            named = "" if _is_any(language, about) else about
            return Correction(
                plain,
                _trimmed(language, rest),
                _trimmed(language, groups["new"]),
                named,
                (groups.get("old") or "").strip(),
                shaped=kind == "instead" or bool(groups.get("sure") or groups.get("spoken")),
                points=bool(groups.get("then")),
                is_said=kind != "plain",
            )
    return Correction(plain, rest, rest)


def _is_any(language: str, about: str) -> bool:
    return any(_any(pattern).match(about) for pattern in _patterns(language, "any"))


def _trimmed(language: str, words: str) -> str:
    tail = _any(f"(?is)(?:{_written()[language]['tail']})$").search(words)
    return (words[: tail.start()] if tail else words).strip() or words.strip()


def _any(pattern: str) -> Any:
    made = compiled(pattern)
    if made is None:
        raise ValueError(pattern)
    return made


@cache
def _written() -> Mapping[str, Mapping[str, Any]]:
    written: Mapping[str, Mapping[str, Any]] = packaged_yaml("heartrule.parsing.phrases", "corrections.yaml")
    return written


@cache
def _patterns(language: str, kind: str) -> tuple[str, ...]:
    written = _written()[language]
    return tuple(f"(?is)^(?:{_GROUP.sub(_NAMED, joined(each, written['words']))})$" for each in written[kind])


@cache
def _one_of(language: str, kind: str) -> Any:
    """All of them in one, on bytes: most words open in none of these ways, and that is seen by one look."""
    options = re2.Options()
    options.never_capture = True
    options.max_mem = _MEMORY
    return re2.compile("|".join(_NAMED_GROUP.sub("(?:", each) for each in _patterns(language, kind)).encode(), options)


def patterns() -> Iterator[str]:
    """Every pattern of the file, for whoever checks that they can all be compiled."""
    for language in _written():
        for kind in _PATTERNS:
            yield from _patterns(language, kind)
