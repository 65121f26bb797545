"""E252: a ``time_budget`` that is no length of time between a second and a day. W244: the topics of a phase have more
time than the phase."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.timeouts import seconds
from heartrule.language.linting.view import View
from heartrule.language.nodes import Phase, Steps


def check(view: View) -> Iterator[Finding]:
    for node in view.nodes():
        if not isinstance(node, Phase | Steps) or node.time_budget is None:
            continue
        place = view.project.at(node, "time_budget", value=True)
        whole = seconds(node.time_budget)
        if whole is None:
            yield finding("E252", place, value=clip(node.time_budget))
        elif isinstance(node, Phase):
            parts = sum(seconds(topic.time_budget or "") or 0 for topic in node.steps)
            if parts > whole:
                yield finding("W244", place, parts=_written(parts), whole=_written(whole))


def _written(length: int) -> str:
    return f"{length // 60}m" if length % 60 == 0 else f"{length}s"
