"""What a waiting question offers to be tapped instead of typed: words that its script wrote, or the numbers of a scale.
What is tapped is said as words, and read as any others."""

from __future__ import annotations

from heartrule.engine.session.state import Scale
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, VariableRules

FEW = 10
"""So far apart the ends of a scale may be; a hundred is shown in tens."""
HUNDRED = (0, 100)


def offer_and_scale(work: Work, action: Action, name: str) -> tuple[list[str], Scale | None]:
    """Of a question that goes for the variable ``name``."""
    declared = scopes.definition(work, name)[1]
    item = next((each for each in gets(action.peek("output") or ()) if each.get == name), None)
    rules = scopes.rules_for(declared, item) if item is not None else declared
    if rules is None:
        return [], None
    return list(rules.offer or ()), _scale(rules)


def _scale(rules: VariableRules) -> Scale | None:
    if rules.type != "integer" or rules.range is None:
        return None
    low, high = (int(end) for end in rules.range)
    if (low, high) != HUNDRED and not 0 < high - low <= FEW:
        return None
    return Scale(low=low, high=high, ends=rules.ends)
