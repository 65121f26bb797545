"""One item of the reading: an edit, what the comparer says of it, and five edits that it could be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from bench.comparing.drawing import Candidate, Drawing
from bench.comparing.kinds import KINDS
from bench.comparing.material import PROJECTS, REGISTRY, Material
from bench.comparing.plain import LANGUAGES, Line
from bench.comparing.steps import Texts

from heartrule.authoring.diff.change import Change
from heartrule.authoring.diff.item_pairs import canonical
from heartrule.authoring.diff.versions import compared
from heartrule.authoring.splices import CannotEdit, parse_cached

LETTERS = "ABCDE"
_CANNOT = (CannotEdit, KeyError, IndexError, TypeError, AttributeError)
Told = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """``words``: file and sentence of each thing that the comparer says. ``same``: the letters of candidates of which
    it says the very same words, though they are other edits."""

    id: str
    kind: str
    language: str
    project: str
    words: Told = field(repr=False)
    candidates: tuple[tuple[Line, ...], ...] = field(repr=False)
    hows: tuple[str, ...]
    deeds: int
    same: tuple[str, ...]

    @property
    def answer(self) -> str:
        return LETTERS[self.hows.index("true")]


def wanted() -> list[str]:
    """The kinds of the three hundred, in turn."""
    left = {kind: number for kind, (number, _) in KINDS.items()}
    found: list[str] = []
    while any(left.values()):
        for kind in left:
            if left[kind]:
                left[kind] -= 1
                found.append(kind)
    return found


@cache
def material(name: str) -> Material:
    return Material(name)


def drawn(seed: int, number: int, kind: str) -> Item:
    """The item of that number. Raises ``LookupError`` where no luck helps."""
    for attempt in range(80):
        random = Random(f"{seed}/{number}/{attempt}")
        project = PROJECTS[0] if random.random() < 0.7 else PROJECTS[1]
        found = _drawn(Drawing(material(project), random), number, kind, LANGUAGES[number % 2])
        if found is not None:
            return found
    raise LookupError(f"{number}: {kind}")


def _drawn(drawing: Drawing, number: int, kind: str, language: str) -> Item | None:
    texts = drawing.material.texts
    made = KINDS[kind][1](drawing)
    if made is None:
        return None
    steps, siblings = made
    true = Candidate(steps)
    after = done(true, texts)
    if after is None or (same_data(texts, after) and kind != "comments"):
        return None
    words = said(texts, after, language)
    candidates, lines, same = [true], [told(true, texts, language)], []
    for each in _tried(siblings):
        other = done(each, texts)
        if other is None or (
            not each.back and (same_data(other, after) or same_data(other, texts)) and kind != "comments"
        ):
            continue
        own = told(each, texts, language)
        if own in lines:
            continue
        candidates.append(each)
        lines.append(own)
        if (said(other, texts, language) if each.back else said(texts, other, language)) == words:
            same.append(each)
        if len(candidates) == len(LETTERS):
            break
    if len(candidates) < len(LETTERS):
        return None
    order = drawing.random.sample(range(len(LETTERS)), len(LETTERS))
    return Item(
        f"{number:03}",
        kind,
        language,
        drawing.material.name,
        words,
        tuple(lines[n] for n in order),
        tuple(candidates[n].how for n in order),
        len(steps),
        tuple(letter for letter, n in zip(LETTERS, order, strict=True) if candidates[n] in same),
    )


def _tried(siblings: Iterator[Candidate]) -> Iterator[Candidate]:
    while True:
        try:
            yield next(siblings)
        except StopIteration:
            return
        except _CANNOT:
            return


def done(candidate: Candidate, texts: Texts) -> Texts | None:
    """The texts afterwards; None where the workbench does no such thing."""
    try:
        for step in candidate.steps:
            texts = step.done(texts)
    except _CANNOT:
        return None
    return texts


def told(candidate: Candidate, texts: Texts, language: str) -> tuple[Line, ...]:
    lines: list[Line] = []
    for number, step in enumerate(candidate.steps, 1):
        lines += step.lines(texts, language)
        if number < len(candidate.steps):
            texts = step.done(texts)
    return tuple(each.backwards() for each in lines) if candidate.back else tuple(lines)


def changes(before: Texts, after: Texts) -> list[Change]:
    return compared(before, after, REGISTRY)


def said(before: Texts, after: Texts, language: str) -> Told:
    return tuple((each.file, each.says.localized(language)) for each in changes(before, after))


def same_data(one: Texts, other: Texts) -> bool:
    return one.keys() == other.keys() and all(
        one[file] == other[file] or canonical(_data(one[file])) == canonical(_data(other[file])) for file in one
    )


def _data(text: str) -> Any:
    return parse_cached(text).documents
