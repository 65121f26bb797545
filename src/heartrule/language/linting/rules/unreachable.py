"""W245: a topic or phase that no way leads to. W246: a transition that is never read, since the one before it always
holds, or those before it whenever it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions import Expression
from heartrule.language.findings import Finding, finding
from heartrule.language.findings.mends import Mend, TextEdit
from heartrule.language.linting.domains import Domains
from heartrule.language.linting.topic_graph import always
from heartrule.language.linting.trials import Rules, trials
from heartrule.language.linting.view import View
from heartrule.language.nodes import Session, Topic, Transition

_ALWAYS = Bilingual("没有条件，总会先走它", "has no condition and is always taken")
_WHENEVER = Bilingual("在它成立时也成立，总会先走", "holds whenever this one does and is taken first")
_TOGETHER = Bilingual("和更前面的合起来，在它成立时总有一条先成立", "and those above hold whenever this one does")


def check(view: View) -> Iterator[Finding]:
    domains = view.once(Domains)
    for session in view.project.sessions:
        for phase in session.phases:
            yield from _never_read(view, phase.transitions, partial(domains.in_phase, session, phase))
        yield from _unreached(view, session)
    for body in view.bodies:
        if isinstance(body.steps, Topic):
            yield from _never_read(view, body.steps.transitions, partial(domains.in_body, body))


def _never_read(view: View, transitions: Sequence[Transition], rules: Rules) -> Iterator[Finding]:
    conditions: list[Expression] = []
    for before, transition in pairwise(transitions):
        if always(before.condition):
            mend = _at_the_end(view, before, transition)
            yield finding("W246", transition.place, mend=mend, to=transition.to, line=before.place.line, why=_ALWAYS)
            return
        if isinstance(before.condition, Expression):
            conditions.append(before.condition)
        own = transition.condition
        if isinstance(own, Expression) and _held_before(conditions, own, rules):
            why = _WHENEVER if len(conditions) == 1 or _held_before([conditions[-1]], own, rules) else _TOGETHER
            yield finding("W246", transition.place, to=transition.to, line=before.place.line, why=why)


def _held_before(conditions: Sequence[Expression], own: Expression, rules: Rules) -> bool:
    """Whether one of some conditions holds whenever this one does."""
    tried = trials([*conditions, own], rules) if own.names & frozenset().union(*(c.names for c in conditions)) else None
    some = False
    for values in tried or ():
        if own.holds(values.get):
            some = True
            if not any(each.holds(values.get) for each in conditions):
                return False
    return some


def _unreached(view: View, session: Session) -> Iterator[Finding]:
    ways = view.ways(session)
    named = {at for at, stop in enumerate(ways.stops) if {stop.topic.id, stop.topic.topic} & ways.moved}
    reached = ways.reached({*(ways.entries[0] if ways.entries else ()), *named})
    for number, phase in enumerate(session.phases):
        inside = [at for at, stop in enumerate(ways.stops) if stop.phase == number]
        if inside and not reached & set(inside):
            yield finding("W245", view.project.at(phase, "phase"), what=Bilingual("阶段", "phase"), name=phase.phase)
            continue
        for at in inside:
            if at not in reached:
                topic = ways.stops[at].topic
                place = view.project.at(topic, "topic")
                yield finding("W245", place, what=Bilingual("话题", "topic"), name=topic.topic)


def _at_the_end(view: View, before: Transition, after: Transition) -> Mend | None:
    """The two change places, where each has a line of its own."""
    source = view.project.maps.get(before.place.file)
    if source is None or source is not view.project.maps.get(after.place.file):
        return None
    one, other = before.place.line, after.place.line
    lines = [source.lines[number - 1] for number in (one, other)]
    if other != one + 1 or any(not line.strip().startswith("- {") or not line.rstrip().endswith("}") for line in lines):
        return None
    edits = (TextEdit(one, 1, one, len(lines[0]) + 1, lines[1]), TextEdit(other, 1, other, len(lines[1]) + 1, lines[0]))
    return Mend(edits, safe=False)
