"""W412: a variable that is declared, and that nothing writes, reads or listens for."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    project = view.project
    if not project.whole or not any(True for _ in project.sessions):
        return
    used = set(view.read())
    used |= view.written()
    used |= view.told_besides()
    used |= {name for skill in project.skills for name in skill.returns}
    for variable in view.variables():
        if variable.var not in used and variable.value is None and not variable.risk:
            yield finding("W412", project.at(variable, "var", value=True), name=clip(variable.var))
