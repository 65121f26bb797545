"""E216: skills that call each other without end. W218: that might, when their conditions keep holding."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action, Skill

_Edge = tuple[Action, Skill, bool]


def check(view: View) -> Iterator[Finding]:
    graph = {id(skill): list(_edges(view, skill)) for skill in view.project.skills}
    for skill in view.project.skills:
        for action, called, conditional in graph[id(skill)]:
            back = _leads_back(graph, called, skill)
            if back is None:
                continue
            code = "W218" if conditional or back else "E216"
            yield finding(code, view.project.at(action, "skill"), skill=called.name)


def _edges(view: View, skill: Skill) -> Iterator[_Edge]:
    for action in skill.actions:
        reference = action.peek("skill")
        called = view.skill(reference, skill.locale or view.project.node.locale) if isinstance(reference, str) else None
        if called is not None and called in list(view.project.skills):
            each = action.peek("for_each")
            yield action, called, action.condition is not None or each is not None


def _leads_back(graph: dict[int, list[_Edge]], start: Skill, goal: Skill) -> bool | None:
    """None when no calls lead from ``start`` to ``goal``; else whether every way there depends on a condition."""
    for unconditional in (True, False):
        seen, queue = {id(start)}, [start]
        while queue:
            skill = queue.pop()
            if skill is goal:
                return not unconditional
            for _, called, conditional in graph.get(id(skill), ()):
                if id(called) not in seen and not (unconditional and conditional):
                    seen.add(id(called))
                    queue.append(called)
    return None
