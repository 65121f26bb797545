"""Who wrote each line of a file, and in which version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from heartrule.authoring.diff.versions import renamed
from heartrule.store.projects import Projects, VersionRecord

FARTHEST = 500
"""Versions that are looked through; what is older counts as written in the last of them."""


@dataclass(frozen=True, slots=True)
class Run:
    """Lines ``first`` to ``last``, from 1, that came in one version."""

    first: int
    last: int
    version: VersionRecord


async def blame_lines(projects: Projects, project: str, path: str) -> list[Run]:
    """Of the newest version; nothing where it has no such file."""
    versions = await projects.versions(project, many=FARTHEST)
    _, texts = await projects.texts(project, versions[0].number)
    if path not in texts:
        return []
    whose: list[VersionRecord | None] = [None] * len(texts[path].splitlines())
    left = {index: index for index in range(len(whose))}
    for version in versions:
        if not left:
            break
        if path not in version.changed:
            continue
        before: Mapping[str, str] = {}
        if version.number > 1 and version is not versions[-1]:
            _, before = await projects.texts(project, version.number - 1)
        _, texts = await projects.texts(project, version.number)
        former = path if path in before else renamed(before, texts).get(path)
        there = _kept(before[former], texts[path]) if former is not None else {}
        for line in [line for line in left if line not in there]:
            whose[left.pop(line)] = version
        left = {there[line]: index for line, index in left.items()}
        path = former or path
    return _runs([each or versions[-1] for each in whose])


def _kept(before: str, after: str) -> dict[int, int]:
    """Of each line that was there before, as which."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    blocks = matcher.get_matching_blocks()
    return {block.b + step: block.a + step for block in blocks for step in range(block.size)}


def _runs(whose: list[VersionRecord]) -> list[Run]:
    runs: list[Run] = []
    for number, version in enumerate(whose, 1):
        if runs and runs[-1].version.number == version.number:
            runs[-1] = Run(runs[-1].first, number, version)
        else:
            runs.append(Run(number, number, version))
    return runs
