"""E206: a topic that is named and does not exist. E207: ``before_topic`` that does not say before which."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import orders
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Directive
from heartrule.language.references import identity
from heartrule.language.texts.source import Path


def check(view: View) -> Iterator[Finding]:
    for body, action in view.actions():
        if action.peek("timing") != "before_topic":
            continue
        to = action.peek("to")
        if to is None:
            yield finding("E207", view.project.at(action, "timing"))
        elif body.phase is not None and all(to not in (topic.id, topic.topic) for topic in body.phase.steps):
            known = [identity(topic) for topic in body.phase.steps]
            place = view.project.at(action, "to", value=True)
            mend = view.renamed(place, to, known)
            yield finding("E206", place, mend=mend, topic=clip(to), advice=nearest(to, known))
    yield from _directives(view)


def _directives(view: View) -> Iterator[Finding]:
    """Awareness scripts and forms meet many sessions; what they name is a topic of at least one in their project."""
    topics = [topic for session in view.project.sessions for phase in session.phases for topic in phase.steps]
    if not topics or not view.project.whole:
        return
    known = {name for topic in topics for name in (topic.id, topic.topic)}
    for node in view.ordering():
        for directive in orders(node):
            for keys, name in _named(directive):
                if name not in known:
                    place = view.project.at(directive, *keys, value=keys[0] != "priority_map")
                    ids = [identity(topic) for topic in topics]
                    mend = view.renamed(place, name, ids)
                    yield finding("E206", place, mend=mend, topic=clip(name), advice=nearest(name, ids))


def _named(directive: Directive) -> Iterator[tuple[Path, str]]:
    if directive.topic is not None:
        yield ("topic",), directive.topic
    for index, name in enumerate(directive.topics or ()):
        yield ("topics", index), name
    for name in directive.priority_map or ():
        yield ("priority_map", name), name
