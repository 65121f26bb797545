"""Lint: what is wrong with scripts beyond their shape. One rule a file; deleting the file removes the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from heartrule.language.findings import Finding
from heartrule.language.project import LoadedProject

Projects = Callable[[str], LoadedProject | None]


def check(project: LoadedProject, projects: Projects) -> Iterable[Finding]:
    """Every finding of every rule on one project."""
    return []
