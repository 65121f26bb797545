"""W275: an awareness script sets a name that nothing declares, writes or reads elsewhere, and that is like one that is
known: a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.linting.view import View, nearest


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    known = {variable.var for variable in view.variables()} | set(view.globals)
    known |= view.written()
    read = {each.head for node in view.nodes() for each in view.names.reads(node)}
    for node in view.project.awareness:
        for write in view.names.writes(node):
            if write.head in known | read or not mends.alike(write.head, sorted(known)):
                continue
            place = view.project.at(node, *write.keys, value=True)
            mend = view.renamed(place, write.name, sorted(known))
            yield finding("W275", place, mend=mend, name=clip(write.name), advice=nearest(write.head, sorted(known)))
