"""E282: a step of an exercise that waits for something that there is none of."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.timeouts import seconds
from heartrule.language.linting.view import View
from heartrule.language.nodes.media import ExerciseStep

WAITS = ("reply", "done")
LONGEST = 1_800
"""Seconds that a step lasts at most."""


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        for step in action.peek("exercise_steps") or ():
            if (
                isinstance(step, ExerciseStep)
                and step.wait not in WAITS
                and not 0 < (seconds(step.wait) or 0) <= LONGEST
            ):
                place = view.project.at(step, "wait", value=True)
                mend = view.chosen(place, step.wait, WAITS)
                yield finding("E282", place, mend=mend, value=clip(step.wait))
