"""W427: actions behind a technique that is called at once and takes the place of what is left of the topic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action


def check(view: View) -> Iterator[Finding]:
    for body in view.bodies:
        for action, following in pairwise(body.steps.actions):
            if _leaves(action):
                skill = clip(str(action.peek("skill")))
                yield finding("W427", following.place, skill=skill, line=action.place.line)
                break


def _leaves(action: Action) -> bool:
    """Whether whatever stands behind it never runs: with a condition, or for each of some items, it may."""
    return (
        (action.peek("timing") or "now") == "now"
        and action.peek("resume") == "skip"
        and action.condition is None
        and action.peek("for_each") is None
    )
