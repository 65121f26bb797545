"""W414: ``translation_of`` names what there is none of, so that nothing is a sibling of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest, spellings
from heartrule.language.nodes import Session, Skill
from heartrule.language.nodes.forms import Form
from heartrule.language.references import pick


def check(view: View) -> Iterator[Finding]:
    if view.project.whole:
        yield from _of(view, list(view.project.sessions))
        yield from _of(view, list(view.project.skills))
        yield from _of(view, list(view.project.forms))


def _of(view: View, nodes: Sequence[Session] | Sequence[Skill] | Sequence[Form]) -> Iterator[Finding]:
    for node in nodes:
        named = node.translation_of
        if named is not None and pick(nodes, named) is None:
            known = spellings(each for each in nodes if each is not node)
            place = view.project.at(node, "translation_of", value=True)
            mend = view.renamed(place, named, known)
            yield finding("W414", place, mend=mend, name=clip(named), advice=nearest(named, known))
