"""W406: a name under a skill's ``returns`` that nothing in the skill gives a value."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Skill


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    elsewhere = set(view.globals) | view.told_besides()
    for body in view.bodies:
        if not isinstance(body.steps, Skill) or not body.steps.actions:
            continue
        made = {write.head for action in body.steps.actions for write in view.names.writes(action)}
        for action in body.steps.actions:
            for part in action.peek("actions") or ():
                made |= {write.head for write in view.names.writes(part)}
        made |= {variable.var for variable in body.steps.declare if variable.value is not None or variable.listen}
        made |= {parameter.name for parameter in body.steps.parameters}
        for index, name in enumerate(body.steps.returns):
            if name in made | elsewhere:
                continue
            place = view.project.at(body.steps, "returns", index, value=True)
            known = sorted(made - set(body.steps.returns))
            advice = nearest(name, known)
            mend = view.renamed(place, name, known)
            told = advice if "?" in advice.en else ""
            yield finding("W406", place, mend=mend, name=clip(name), skill=clip(body.steps.skill), advice=told)
