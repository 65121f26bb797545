"""Techniques that may be begun from a stretch; they run as a topic of their own and come back to it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from heartrule.engine import branches
from heartrule.engine.extraction.extraction import literal
from heartrule.engine.scheduling import phase_queue, topics
from heartrule.engine.session.state import Cause, PlannedTopic
from heartrule.engine.stretches.talk import Talk
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.work import Work
from heartrule.language.nodes.stretch import Use


def described(work: Work, action: Any, used: Collection[str]) -> str:
    """Those that were not begun yet, each with what it is for."""
    rows = []
    for use in action.may_use:
        found = work.world.script.skill(use.skill, work.running.project)
        if found is not None and use.skill not in used:
            rows.append(f"technique:{use.skill} {found[1].skill}" + (f"（{found[1].goal}）" if found[1].goal else ""))
    return "\n".join(rows)


def named(action: Any, name: str) -> Use | None:
    return next((use for use in action.may_use if use.skill == name), None) if name else None


def begin(work: Work, use: Use, words: str) -> bool:
    """Put the stretch aside for a technique. False where it cannot run, or ran before."""
    talk, found = Talk.of(work.frame), work.world.script.skill(use.skill, work.running.project)
    if found is None or use.skill in talk.used:
        return False
    talk.used = [*talk.used, use.skill]
    talk.in_a_row = 0
    ref, skill = found
    given = {name: literal(work, value) for name, value in use.input.items()}
    for parameter in skill.parameters:
        if parameter.name not in given and lookup(work, parameter.name) is not None:
            given[parameter.name] = lookup(work, parameter.name)
    if words:
        work.tell(words, action=work.frame.id)
        work.flags.acknowledge = False
    place = branches.acting(work)
    planned = PlannedTopic(
        key=work.key("t"),
        kind="skill",
        ref=ref,
        name=skill.skill,
        priority=min(skill.priority, work.running.priority, key=phase_queue.ORDER.__getitem__),
        params=topics.parameters(skill, given),
        cause=Cause(kind="may_use", ref=work.frame.id),
    )
    called = topics.call(work, planned)
    if called:
        branches.take(work, place, branches.CALL)
    return called
