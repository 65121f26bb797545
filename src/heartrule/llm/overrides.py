"""What a project and a session say over the server's policy and budget, as far as the server lets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from heartrule.language.compiling.script import Script
from heartrule.language.nodes import AskRule, AskRules, Llm, TurnBudget
from heartrule.llm.budget import Budget
from heartrule.llm.policy import Policy, Rule, over
from heartrule.llm.prices import PARTS

_MEANT: Mapping[str, tuple[str, ...]] = {
    "generate": ("generate", "ai_ask", "ask", "stretch", "choice"),
    "perceive": ("perceive", "listen"),
    "extract": ("extract",),
    "judge": ("judge",),
    "review": ("review",),
    "analyse": ("analyse",),
}
"""The templates and kinds that each key of ``policy`` is for."""


def policy_for(policy: Policy, script: Script | None) -> Policy:
    """The session's own rules before the project's before the server's. Deadlines, retries and lengths stay within the
    server's (``Policy`` sees to that)."""
    said = [each.policy for each in _said(script) if each.policy.model_fields_set]
    if not said:
        return policy
    rules = dict(policy.rules)
    for each in reversed(said):
        for key, rule in _rules(each).items():
            rules[key] = over(rule, rules.get(key, Rule()))
    return replace(policy, rules=rules)


def budget_for(budget: Budget, script: Script | None) -> Budget:
    """The session's before the project's; neither may take more than the server lets it."""
    found = budget
    for each in reversed(_said(script)):
        found = _budget(each.budget, found).within(found)
    return found


def _said(script: Script | None) -> list[Llm]:
    """Innermost first."""
    if script is None:
        return []
    return [each for each in (script.session.llm, script.project.llm) if each is not None]


def _rules(said: AskRules) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for key, names in _MEANT.items():
        rule: AskRule | None = getattr(said, key)
        if rule is not None:
            found |= dict.fromkeys(names, _rule(rule))
    return found


def _rule(said: AskRule) -> Rule:
    return Rule(said.tier, said.deadline, said.retries, said.temperature, said.max_tokens)


def _budget(said: TurnBudget, outer: Budget) -> Budget:
    cost = None if said.max_cost is None else int(Decimal(str(said.max_cost)) * PARTS)
    give_up = outer.give_up if said.give_up is None else tuple(said.give_up)
    return Budget(said.max_latency, cost, said.currency or "", give_up)
