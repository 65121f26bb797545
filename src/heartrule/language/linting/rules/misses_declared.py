"""W410: an action gets a name that is declared nowhere and read nowhere, and that is like one which is declared: a slip
of the pen, and the declared one never gets its value. What the project ``safety`` declares is not meant."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.linting.view import View, nearest
from heartrule.language.names import aliases
from heartrule.language.nodes import Skill


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    read = view.read()
    written = [(body, action, write) for body, action in view.actions() for write in view.names.writes(action)]
    heads: dict[str, int] = {}
    for _, _, write in written:
        heads[write.head] = heads.get(write.head, 0) + 1
    for body, action, write in written:
        if write.rules is None or write.head in read or view.declaration(body, write.head) is not None:
            continue
        if write.head in {*aliases(action), *aliases(body.steps)} or heads[write.head] > 1:
            continue
        if isinstance(body.steps, Skill) and write.head in body.steps.returns:
            continue
        missing = sorted(
            name
            for name in {variable.var for variable in (*(each for _, each in body.declared()), *view.project.variables)}
            if name not in heads and name not in view.told_besides()
        )
        if not mends.alike(write.head, missing):
            continue
        place = view.project.at(action, *write.keys, value=True)
        mend = view.renamed(place, write.name, missing)
        yield finding("W410", place, mend=mend, name=clip(write.name), advice=nearest(write.head, missing))
