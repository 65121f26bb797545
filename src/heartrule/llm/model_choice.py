"""What the tasks of a checkpoint would cost and take with each model that could be asked, and who is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heartrule.engine.session.tasks import Task
from heartrule.llm.budget import Choice, Plan, PlannedTask, plan, stage
from heartrule.llm.expected_usage import estimated_tokens
from heartrule.llm.policy import TIERS, Policy
from heartrule.llm.prices import Prices
from heartrule.llm.prompt import Prompt
from heartrule.llm.routing import Routes
from heartrule.llm.turn_budget import TurnBudget
from heartrule.llm.upstream import Upstream

UNLIMITED = 4000
"""Tokens an answer is reckoned with where nothing limits it and nobody has measured any."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The most a call can cost."""

    prices: Prices
    currency: str

    def most(self, upstream: Upstream, task: Task, prompt: Prompt, policy: Policy) -> int | None:
        """In billionths of the currency; None where there is no price in it."""
        price = self.prices.of(upstream.offer.name, "")
        if price is None or price.currency != self.currency:
            return None
        typical = upstream.typical
        tokens_in = typical.tokens_in(estimated_tokens(prompt.messages))
        tokens_out = upstream.offer.tokens(policy.tokens(task)) or typical.tokens_out(task.template) or UNLIMITED
        return price.cost(tokens_in, 0, tokens_out)


def planned(
    tasks: Iterable[Task],
    prompts: Mapping[str, Prompt],
    routes: Routes,
    policy: Policy,
    costs: Costs,
    turn_budget: TurnBudget,
    stay: str = "",
) -> Plan:
    """What is asked of whom with what is left in ``turn_budget``; money for each is put aside there."""
    wanted = [
        PlannedTask(task.key, stage(task), _choices(task, prompts.get(task.key), routes, policy, costs, stay))
        for task in tasks
    ]
    seconds = None if turn_budget.until is None else turn_budget.until - routes.now()
    found = plan(wanted, turn_budget.budget, turn_budget.left, seconds)
    for key, choice in found.asked.items():
        turn_budget.put_aside(key, choice.cost)
    return found


def _choices(
    task: Task, prompt: Prompt | None, routes: Routes, policy: Policy, costs: Costs, stay: str
) -> tuple[Choice, ...]:
    """The model it is meant for, and each less able one that is another."""
    found: dict[Upstream, Choice] = {}
    meant = policy.tier(task)
    for tier in reversed(TIERS[: TIERS.index(meant) + 1]):
        upstream = routes.route(task, stay, policy, tier).preferred
        if upstream in found:
            continue
        typical = upstream.typical
        found[upstream] = Choice(
            tier,
            None if prompt is None else costs.most(upstream, task, prompt, policy),
            typical.seconds(task.template, 0.5),
            typical.seconds(task.template, 0.95),
        )
    return tuple(found.values())
