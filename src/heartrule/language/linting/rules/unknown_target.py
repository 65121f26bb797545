"""E205: a transition to a place that does not exist. It may lead to a topic of its phase, to a phase, or to ``end``."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Place, Session
from heartrule.language.references import identity


def check(view: View) -> Iterator[Finding]:
    for session in view.project.sessions:
        phases = {name for phase in session.phases for name in (phase.id, phase.phase)}
        for phase in session.phases:
            targets = {"end", *phases, *(name for topic in phase.steps for name in (topic.id, topic.topic))}
            known = [*map(identity, phase.steps), *map(identity, session.phases), "end"]
            for transition in (*phase.transitions, *(t for topic in phase.steps for t in topic.transitions)):
                if transition.to not in targets:
                    place = view.project.at(transition, "to", value=True)
                    mend = view.renamed(place, transition.to, known) or _its_phase(view, session, place, transition.to)
                    yield finding(
                        "E205", place, mend=mend, to=clip(transition.to), advice=nearest(transition.to, known)
                    )


def _its_phase(view: View, session: Session, place: Place, name: str) -> Mend | None:
    """The phase of a topic that is jumped to from another one."""
    for phase in session.phases:
        if phase.id and any(name in (topic.id, topic.topic) for topic in phase.steps):
            return view.replaced(place, name, phase.id, safe=False)
    return None
