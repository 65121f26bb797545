"""Lint: what is wrong with scripts beyond their shape. One rule a file; deleting the file removes the rule.

Each module has ``check(view)``, which yields findings for one project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from heartrule.language.findings import Finding
from heartrule.language.linting.view import Projects, View
from heartrule.language.names import Names
from heartrule.language.projects.project import LoadedProject

Rule = Callable[[View], Iterator[Finding]]


def check(project: LoadedProject, projects: Projects, names: Names | None = None) -> list[Finding]:
    """Every finding of every rule on one project. ``projects`` finds the others that it may refer to; ``names`` may
    bring what is known of its nodes already."""
    view = View(project, projects, names or Names())
    return [found for rule in _rules() for found in rule(view)]


@cache
def _rules() -> tuple[Rule, ...]:
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}").check for name in names)
