"""W245: a topic or phase that no way leads to. W246: a transition that is never read, since the one before it always
holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.linting.ways import always
from heartrule.language.nodes import Session, Transition
from heartrule.language.said import Said


def check(view: View) -> Iterator[Finding]:
    for session in view.project.sessions:
        for phase in session.phases:
            yield from _never_read(view, phase.transitions)
            for topic in phase.steps:
                yield from _never_read(view, topic.transitions)
        yield from _unreached(view, session)


def _never_read(view: View, transitions: Sequence[Transition]) -> Iterator[Finding]:
    for before, transition in pairwise(transitions):
        if always(before.condition):
            yield finding("W246", transition.place, to=transition.to, line=before.place.line)
            return


def _unreached(view: View, session: Session) -> Iterator[Finding]:
    ways = view.ways(session)
    named = {at for at, stop in enumerate(ways.stops) if {stop.topic.id, stop.topic.topic} & ways.moved}
    reached = ways.reached({*(ways.entries[0] if ways.entries else ()), *named})
    for number, phase in enumerate(session.phases):
        inside = [at for at, stop in enumerate(ways.stops) if stop.phase == number]
        if inside and not reached & set(inside):
            yield finding("W245", view.project.at(phase, "phase"), what=Said("阶段", "phase"), name=phase.phase)
            continue
        for at in inside:
            if at not in reached:
                topic = ways.stops[at].topic
                place = view.project.at(topic, "topic")
                yield finding("W245", place, what=Said("话题", "topic"), name=topic.topic)
