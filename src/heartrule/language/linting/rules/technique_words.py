"""E229: an action of a crisis technique with nothing of its own to say when no model answers."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import techniques
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.rules.unspoken import is_literal
from heartrule.language.linting.view import View
from heartrule.language.nodes import Skill
from heartrule.language.references import identity


def check(view: View) -> Iterator[Finding]:
    for skill in _called_at_p0(view):
        for action in skill.actions:
            traits = action.traits
            asks = traits.asks and (action.peek("question") is not None or is_literal(action))
            if "model" in (traits.asks, traits.says) and action.fallback is None and not asks:
                yield finding("E229", view.project.at(action, "type"), skill=skill.name)


def _called_at_p0(view: View) -> list[Skill]:
    """The techniques of P0 awareness scripts, in every language."""
    found: list[Skill] = []
    own = list(view.project.skills)
    for node in view.project.awareness:
        for _, reference in techniques(node):
            skill = view.skill(reference, view.project.node.locale)
            if node.priority == "P0" and skill is not None and skill in own:
                origin = skill.translation_of or identity(skill)
                found += [one for one in own if origin in (identity(one), one.translation_of) and one not in found]
    return found
