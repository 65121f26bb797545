"""E214: a skill called without a parameter it requires. E215: with one it does not have. E217: for what it does not
return."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import techniques
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.unknown_skill import key_of
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Node, Skill


def check(view: View) -> Iterator[Finding]:
    for body, action in view.actions():
        reference = action.peek("skill")
        skill = view.skill(reference, body.locale) if isinstance(reference, str) else None
        if skill is None:
            continue
        yield from _given(view, action, "skill", "input", skill)
        for index, item in enumerate(action.peek("output") or ()):
            if item.get not in skill.returns:
                place = view.project.at(action, "output", index, "get", value=True)
                advice = nearest(item.get, skill.returns)
                mend = view.renamed(place, item.get, skill.returns)
                yield finding("E217", place, mend=mend, name=clip(item.get), skill=skill.name, advice=advice)
    for node in view.ordering():
        for directive, reference in techniques(node):
            skill = view.skill(reference, view.project.node.locale)
            if skill is not None:
                yield from _given(view, directive, key_of(directive, reference), "params", skill)


def _given(view: View, node: Node, key: str, under: str, skill: Skill) -> Iterator[Finding]:
    given = node.peek(under) or {}
    place = view.project.at(node, under if under in node.model_fields_set else key)
    for parameter in skill.parameters:
        if parameter.required and parameter.default is None and parameter.name not in given:
            yield finding("E214", place, skill=skill.name, name=parameter.name, under=under)
    known = [parameter.name for parameter in skill.parameters]
    for name in given:
        if name not in known:
            place = view.project.at(node, under, name)
            mend = view.renamed(place, name, [each for each in known if each not in given])
            yield finding("E215", place, mend=mend, skill=skill.name, name=clip(name), advice=nearest(name, known))
