"""E260: a hook point that there is none of. E261: a P1 script that says no hook point, a P2 script that does not say
how often. W263: what has no effect at the script's priority."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Awareness
from heartrule.language.nodes.hook_points import EDGES, PLACES

_NEEDS = {"P1": "at", "P2": "every"}
_ONLY = {"at": "P1", "strict": "P1", "every": "P2"}


def check(view: View) -> Iterator[Finding]:
    types = {*view.project.types, *(action.type for _, action in view.actions())}
    known = [*PLACES, *(f"{edge} {kind}" for kind in sorted(types) for edge in EDGES)]
    for node in view.project.awareness:
        needed = _NEEDS.get(node.priority)
        if needed is not None and not getattr(node, needed):
            yield finding("E261", view.project.at(node, "priority"), priority=node.priority, key=needed)
        for index, hook_point in enumerate(node.at):
            if " ".join(hook_point.split()) not in known:
                place = view.project.at(node, "at", index, value=True)
                mend = view.renamed(place, hook_point, known)
                yield finding("E260", place, mend=mend, hook_point=clip(hook_point), advice=nearest(hook_point, known))
        yield from _idle(view, node)


def _idle(view: View, node: Awareness) -> Iterator[Finding]:
    for key, priority in _ONLY.items():
        if node.priority != priority and getattr(node, key):
            place = view.project.at(node, key)
            yield finding("W263", place, mend=view.without(place), key=key, priority=node.priority, only=priority)
