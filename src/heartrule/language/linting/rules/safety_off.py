"""W255: a script that says P0 and is on in some sessions of its project only. W256: one that is switched off."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.reach import enabled
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Awareness, Node
from heartrule.language.projects.project import SAFETY
from heartrule.language.texts.source import Path

_NO_EFFECT = Bilingual("一直启用的 P0 关不掉，这一行没有作用", "P0 that is always on stays on; this does nothing")
_UNWATCHED = Bilingual("关掉以后，危险的话没有人留意", "from there on nobody watches for danger")


def check(view: View) -> Iterator[Finding]:
    sessions = list(view.project.sessions)
    for node in view.project.awareness if view.project.id != SAFETY else ():
        if not _is_safety(node) or node.always:
            continue
        on = [any(view.noticing(name) is node for name in session.awareness) for session in sessions]
        some = any(view.noticing(name) is node for session in sessions for name in enabled(session))
        if some and not all(on):
            without = next(session for session, watched in zip(sessions, on, strict=True) if not watched)
            place = view.project.at(node, "awareness")
            yield finding("W255", place, name=clip(node.name), session=clip(without.session))
    for owner, keys, name in _switched_off(view):
        found = view.noticing(name)
        if found is not None and _is_safety(found):
            effect = _NO_EFFECT if found.always else _UNWATCHED
            place = view.project.at(owner, *keys, value=True)
            yield finding("W256", place, name=clip(found.name), effect=effect)


def _is_safety(node: Awareness) -> bool:
    """Whether it says that it is P0, rather than nothing."""
    return node.priority == "P0" and "priority" in node.model_fields_set


def _switched_off(view: View) -> Iterator[tuple[Node, Path, str]]:
    for session in view.project.sessions:
        for phase in session.phases:
            for switch in phase.switches:
                for index, name in enumerate(switch.disable):
                    yield switch, ("disable", index), name
    for node in view.project.awareness:
        for directive in node.directives():
            if directive.directive == "DISABLE" and directive.awareness is not None:
                yield directive, ("awareness",), directive.awareness
