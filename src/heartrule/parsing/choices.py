"""Which of several offered things a person means: by label, by letter or number, by place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from heartrule.parsing.attribution import is_over, of_another, turned, wished
from heartrule.parsing.numbers import chinese_number
from heartrule.parsing.text import Clause, clauses, fold, meant, normalise, spans, words_of
from heartrule.parsing.yes_no import hesitates, read_yes_no, shows_feeling

T = TypeVar("T")
_LONGEST = 200
_MAX_CHOICES = 200
_LEAD = "(?:(?:嗯|恩|额|那|就|我|想|要|应该|可能|觉得|是|会|比较|偏|选择|选|属于|算|更|挺|很|最)*)"
_PICKED = re.compile(
    rf"{_LEAD}?(?:选项)?(?:(?P<letter>[a-z])|第(?P<place>[0-9]{{1,3}}|[一二两三四五六七八九十]{{1,3}})(?:个|项"
    rf"|条|种|选项)?|(?P<number>[0-9]{{1,3}})|(?P<last>最后(?:一)?(?:个|项|条|种)?))(?:项|吧|啊|呢|了|选项|那个|的)?"
)
_PICKED_ENGLISH = re.compile(
    r"(?:(?:i|ill|id|would|will|choose|pick|select|take|go|with|the|option|choice|number|answer|is|its) ?)*?"
    r"(?:(?P<letter>[a-z])|(?P<number>[0-9]{1,3})|(?P<place>first|second|third|fourth|fifth"
    r"|sixth)(?: ?(?:one|option|choice))?|(?P<last>last)(?: ?(?:one|option"
    r"|choice))?)(?: ?please)?"
)
_ORDINALS = {word: n for n, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"], 1)}
_FILLING = re.compile(
    "我|是|的|比较|选|属于|应该|大概|可能|偏|很|挺|吧|呢|啊|了|生|性|一个|一点|有点|就|觉得|程度|感觉|嗯|算"
)
_NEGATIVE = re.compile(r"不|没|无|别|非|\b(?:not?|never|dont)\b")
_SOUNDS = re.compile(
    "嗯|恩|哦|噢|啊|呀|啦|哈|好的|好|对的|对|是的|是|我|现在|这会儿|已经|真的|确实|谢谢你?|选|那|的|了"
    r"|\b(?:ok(?:ay)?|yes|yeah|yep|well|i|am|im|feel|really|just|now|please|thanks|thank you)\b"
)
"""What may stand beside a bare label and adds nothing to it."""


def match_choice(text: str, choices: Sequence[tuple[T, str]], locale: str = "zh-CN", *, bare: bool = False) -> T | None:
    """The value of the one choice that ``text`` picks out of ``(value, label)`` pairs, or None.

    In this order: the value or label itself, a letter or place (``选A``, ``第一个``, ``2``), one label within the
    words, the words within one label, a plain yes or no where exactly one label says so.

    ``bare``: only the label itself, its letter or its place, with nothing beside it that could turn it.
    """
    offered = [(value, label) for value, label in choices[:_MAX_CHOICES]]
    plain = normalise(text[: _LONGEST * 4]).casefold()
    if not offered or not plain or len(text) > _LONGEST * 4 or len(plain) > _LONGEST:
        return None
    if bare and (hesitates(plain) or shows_feeling(plain)):
        return None
    for find in (_named, _picked, _barely) if bare else (_named, _picked, _contained, _within, _by_yes_no):
        place = find(plain, offered)
        if place is not None:
            return offered[place][0]
    return None


def only_choice(text: str, choices: Sequence[tuple[T, str]]) -> T | None:
    """The value of the choice that is all the words say: each of their clauses is its label, a piece of one, its place,
    or a short yes or no. ``match_choice`` finds as much in words that say more beside it (可以，不过我只有十分钟)."""
    offered = list(choices[:_MAX_CHOICES])
    plain = normalise(text[: _LONGEST * 4]).casefold()
    if not offered or not plain or len(plain) > _LONGEST or hesitates(plain):
        return None
    parts = [each.text for each in clauses(plain) if _without_sounds(each.text)] if "?" not in plain else []
    for words in ([plain], parts):
        found = {_alone(each, offered) for each in words}
        place = found.pop() if len(found) == 1 else None
        if place is not None:
            return offered[place][0]
    return None


_SHORT, _SHORT_LATIN = 4, 10
"""Letters of a yes or no that says nothing else."""


def _alone(plain: str, offered: Sequence[tuple[T, str]]) -> int | None:
    for find in (_named, _picked, _barely, _within):
        place = find(plain, offered)
        if place is not None:
            return place
    said = fold(plain)
    short = len(said) <= (_SHORT_LATIN if said.isascii() else _SHORT)
    return _by_yes_no(plain, offered) if short else None


def read_option(text: str, options: Sequence[tuple[T, str]], about: str = "") -> tuple[T, str] | None:
    """The one option whose label is said, and the words that say it. Nobody has seen a numbered list here, so letters
    and places mean nothing. ``about``: the question and what it is to find out."""
    offered = list(options[:_MAX_CHOICES])
    plain = normalise(text[: _LONGEST * 4]).casefold()
    if not plain or len(text) > _LONGEST * 4 or len(plain) > _LONGEST:
        return None
    for find in (_named, partial(_contained, about=normalise(about).casefold()), _by_yes_no):
        place = find(plain, offered)
        if place is not None:
            return offered[place][0], plain
    return None


def exact_option(text: str, options: Sequence[tuple[T, str]]) -> tuple[T, str] | None:
    """The one option that the words are, punctuation and width aside."""
    plain = normalise(text[: _LONGEST * 4]).casefold()
    place = _named(plain, options[:_MAX_CHOICES]) if len(text) <= _LONGEST * 4 else None
    return None if place is None else (options[place][0], plain)


def _only(places: set[int]) -> int | None:
    return next(iter(places)) if len(places) == 1 else None


def _named(plain: str, offered: Sequence[tuple[T, str]]) -> int | None:
    if "?" in plain and not any("?" in normalise(label) for _, label in offered):
        return None
    said = fold(plain)
    by_label = {place for place, (_, label) in enumerate(offered) if said and fold(label) == said}
    by_value = {place for place, (value, _) in enumerate(offered) if said and fold(str(value)) == said}
    return _only(by_label) if by_label else _only(by_value)


def _picked(plain: str, offered: Sequence[tuple[T, str]]) -> int | None:
    if "?" in plain:
        return None
    said = fold(plain)
    found = _PICKED.fullmatch(said) or _PICKED_ENGLISH.fullmatch(re.sub(r"[.,!'\"]", "", plain))
    if found is None:
        return None
    if found["last"]:
        return len(offered) - 1
    symbol = found["letter"] or found["number"]
    if symbol:
        places = {p for p, (value, label) in enumerate(offered) if symbol in (fold(str(value)), fold(label))}
        if places:
            return _only(places)
        if _has_symbols(offered, digits=symbol.isdecimal()):
            return None
    place = _place(found)
    return place - 1 if place is not None and 1 <= place <= len(offered) else None


def _has_symbols(offered: Sequence[tuple[T, str]], *, digits: bool) -> bool:
    """Whether the choices carry letters or numbers of their own, which a place must not be mixed up with."""
    names = [fold(str(value)) for value, _ in offered] + [fold(label) for _, label in offered]
    if digits:
        return any(name.isdecimal() for name in names)
    return any(len(name) == 1 and name.isascii() and name.isalpha() for name in names)


def _place(found: re.Match[str]) -> int | None:
    if found["letter"]:
        return ord(found["letter"]) - ord("a") + 1
    written = found["number"] or found["place"]
    if written in _ORDINALS:
        return _ORDINALS[written]
    place = int(written) if written.isdecimal() else chinese_number(written)
    return place if isinstance(place, int) else None


def _barely(plain: str, offered: Sequence[tuple[T, str]]) -> int | None:
    """The label with sounds and courtesies around it, or without its own."""
    said = _without_sounds(plain)
    if not said or "?" in plain:
        return None
    return _only({place for place, (_, label) in enumerate(offered) if _without_sounds(label) == said})


def _without_sounds(text: str) -> str:
    words = words_of(text)
    return "".join(_SOUNDS.sub("", words).split())


def _contained(plain: str, offered: Sequence[tuple[T, str]], about: str = "") -> int | None:
    """The only option whose label is said and meant; a longer label covers a shorter one inside it."""
    places: set[int] = set()
    for clause in clauses(plain):
        covering: list[tuple[int, int]] = []
        for place, label in _by_length(offered):
            for start, end in spans(clause.text, label):
                if any(a <= start and end <= b and (a, b) != (start, end) for a, b in covering):
                    continue
                covering.append((start, end))
                if _says(clause, label, start, end, about):
                    places.add(place)
    return _only(places)


def _by_length(offered: Sequence[tuple[T, str]]) -> list[tuple[int, str]]:
    labels = [(place, normalise(label).casefold()) for place, (_, label) in enumerate(offered)]
    return sorted(labels, key=lambda each: (-len(each[1]), each[0]))


def _says(clause: Clause, label: str, start: int, end: int, about: str) -> bool:
    if read_yes_no(label) is not None or not meant(clause, start, end):
        return False
    before, behind = clause.text[:start], clause.text[end:]
    if turned(before, behind) or of_another(before, about) or is_over(before, about) or wished(before, about):
        return False
    return len(label) > 1 or not any(character.isalnum() for character in _FILLING.sub("", before + behind))


def _within(plain: str, offered: Sequence[tuple[T, str]]) -> int | None:
    """``继续`` picks ``继续聊这个`` where no other label holds it. Who denies never picks what does not deny, nor the
    other way round; and no word picks what only holds it inside another one (``no`` in ``safe now``)."""
    said = fold(plain)
    if len(said) < 2 or "?" in plain:
        return None
    denies = bool(_NEGATIVE.search(plain))
    labels = [(place, normalise(label).casefold()) for place, (_, label) in enumerate(offered)]
    return _only({p for p, label in labels if _holds(label, plain) and denies == bool(_NEGATIVE.search(label))})


def _holds(label: str, plain: str) -> bool:
    """Whether the words stand in a label: whole ones, where they are written in a script with blanks."""
    said = fold(plain)
    if not said.isascii():
        return said in fold(label)
    return len(said) > 2 and next(spans(words_of(label), words_of(plain)), None) is not None


def _by_yes_no(plain: str, offered: Sequence[tuple[T, str]]) -> int | None:
    """A plain yes or no, where exactly one label is a yes and exactly one a no."""
    answer = read_yes_no(plain)
    if answer is None:
        return None
    meanings = [read_yes_no(label) for _, label in offered]
    return meanings.index(answer) if meanings.count(True) == 1 == meanings.count(False) else None
