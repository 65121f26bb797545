"""Texts written otherwise that say the same: spaces, quotation marks, the order of keys, comments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bench.comparing.items import changes, material, same_data
from bench.comparing.material import LONGEST, PROJECTS
from bench.comparing.steps import fresh_file

from heartrule.authoring.splices import parse_cached

HARMLESS = {"formatting", "comment"}


@dataclass(frozen=True, slots=True)
class Unchanged:
    """One of them. ``said``: the kinds of what the comparer says."""

    how: str
    file: str
    said: tuple[str, ...]


def unchanged(seed: int) -> list[Unchanged]:
    return [found for project in PROJECTS for how in WAYS for found in _of(project, how, seed)]


def _of(project: str, how: str, seed: int) -> list[Unchanged]:
    made = []
    texts = material(project).texts
    for file, text in sorted(texts.items()):
        if not file.endswith(".yaml") or len(text) >= LONGEST:
            continue
        after = {**texts, file: WAYS[how](text, Random(f"{seed}/{file}"))}
        if after[file] != text and same_data(texts, after):
            made.append(Unchanged(how, file, tuple(each.kind for each in changes(texts, after))))
    return made


def _spaced(text: str, random: Random) -> str:
    """Empty lines more, in front of what stands at the edge."""
    lines = text.split("\n")
    places = [n for n, line in enumerate(lines) if line and not line[0].isspace() and n]
    for n in sorted(random.sample(places, min(3, len(places))), reverse=True):
        lines.insert(n, "")
    return "\n".join(lines)


def _rewritten(text: str, random: Random) -> str:
    """Without comments, as the workbench would have written it."""
    (document,) = parse_cached(text).documents
    return fresh_file(document)


def _reordered(text: str, random: Random) -> str:
    """The keys at the edge in another order."""
    (document,) = parse_cached(text).documents
    return fresh_file(dict(sorted(document.items(), reverse=True)))


def _commented(text: str, random: Random) -> str:
    return f"# {random.randrange(10**6)}\n{text}"


WAYS: dict[str, Callable[[str, Random], str]] = {
    "spaces": _spaced,
    "written anew": _rewritten,
    "order of keys": _reordered,
    "a comment": _commented,
}
