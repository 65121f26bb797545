"""W268: ``memory`` on an action that neither leaves anything to be remembered nor is told what is. W269: something is
read, and nothing in the project is ever written."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes.memory import MemoryRules


def check(view: View) -> Iterator[Finding]:
    types = view.project.types
    able = {
        "read": [name for name, fields in types.items() if fields.traits.recalls],
        "write": [name for name, fields in types.items() if fields.traits.remembers],
    }
    for _, action in view.actions():
        for key, known in able.items():
            if action.memory is None or getattr(action.memory, key) is None or action.type in known:
                continue
            place = view.project.at(action.memory, key)
            mend = view.without(place, safe=False)
            yield finding("W268", place, mend=mend, key=key, type=action.type, types=", ".join(known))
    yield from _nothing_there(view)


def _nothing_there(view: View) -> Iterator[Finding]:
    project = view.project
    if not project.whole or not any(True for _ in project.sessions):
        return
    said = [each for each in _said(view) if each is not None]
    written = [each.write for each in (project.node.memory, project.node.defaults.memory, *said) if each is not None]
    if any(each is not None and each.enabled for each in written):
        return
    for each in said:
        if each.read is not None and each.read.enabled and each.read.mode != "opening":
            yield finding("W269", project.at(each.read, "enabled"))


def _said(view: View) -> Iterator[MemoryRules | None]:
    for session in view.project.sessions:
        yield session.memory
        yield from (phase.memory for phase in session.phases)
    yield from (body.steps.memory for body in view.bodies)
    yield from (action.memory for _, action in view.actions())
