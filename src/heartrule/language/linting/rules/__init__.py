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
WARN_ONLY = frozenset(
    (
        *("acknowledgment", "always_the_same", "behind_skipping", "contradictions", "cut_off"),
        *("does_nothing", "durations", "empty_text", "endless", "exit_sources", "got_twice", "half_said", "idle_keys"),
        *("item_fields", "listed", "listening", "locales", "may_not_order", "memory", "merging_rules"),
        *("misses_declared", "named_as_its_list", "never_holds", "never_read", "never_used", "no_actions"),
        *("nothing_to_review", "open_braces", "out_of_scope", "parts", "returned", "safety_off"),
        *("said_both_ways", "same_names", "set_undeclared", "sleeping_awareness", "system_names"),
        *("too_early", "translations", "unkeepable", "unmarked_danger", "unreachable", "unspoken"),
        *("wide_braces", "wide_commas", "widened_scope", "without_braces", "without_effect", "written_twice"),
    )
)
"""Rules none of whose findings keeps a script from being run: whoever only wants to run it need not wait for them."""


def check(
    project: LoadedProject, projects: Projects, names: Names | None = None, *, stopping: bool = False
) -> list[Finding]:
    """Every finding of every rule on one project, or, ``stopping``, of those that may keep it from being run.
    ``projects`` finds the others that it may refer to; ``names`` may bring what is known of its nodes already."""
    view = View(project, project.finds(projects), names or Names())
    return [found for rule in _rules(stopping) for found in rule(view)]


@cache
def _rules(stopping: bool) -> tuple[Rule, ...]:
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}").check for name in names if not (stopping and name in WARN_ONLY))
