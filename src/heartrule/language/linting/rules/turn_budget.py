"""E250: an order of giving up that does not name each part once. E251: money without a currency, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import GiveUp, TurnBudget
from heartrule.language.projects.project import PROJECT_FILE


def check(view: View) -> Iterator[Finding]:
    for budget in _budgets(view):
        if budget.give_up is not None and sorted(budget.give_up) != sorted(get_args(GiveUp)):
            yield finding("E250", view.project.at(budget, "give_up"), parts=", ".join(get_args(GiveUp)))
        if (budget.max_cost is None) != (budget.currency is None):
            key = "currency" if budget.max_cost is None else "max_cost"
            missing = "max_cost" if budget.max_cost is None else "currency"
            yield finding("E251", view.project.at(budget, key), key=key, missing=missing)


def _budgets(view: View) -> Iterator[TurnBudget]:
    project = view.project.node
    if project.llm is not None and project.place.file == PROJECT_FILE:
        yield project.llm.budget
    for session in view.project.sessions:
        if session.llm is not None:
            yield session.llm.budget
