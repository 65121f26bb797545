"""Which way a turn went wherever a script has several: the ground on which coverage is counted. Names of places hold
nothing that anybody said."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING

from heartrule.engine.session.events import BranchesTaken
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.conditions import holds
from heartrule.language.nodes import Transition
from heartrule.language.nodes.conditions import Condition

if TYPE_CHECKING:
    from heartrule.engine.work import Work

TIMEOUT, CALL = "timeout", "call"
PART = "part"
"""A part of a block of actions has begun: it has no boundary of its own in the events."""


def topic_place(phase: str, ref: str, *, skill: bool) -> str:
    """A topic, or the skill that is called."""
    return f"@{ref}" if skill else f"{phase}/{ref}"


def action_place(topic: str, ref: str, name: str) -> str:
    """``name``: the action's id, or what stands for one. ``ref``: its topic's."""
    own = name.removeprefix(ref) if name.startswith(f"{ref}#") else name
    return f"{topic}/{own}"


def awareness_place(ref: str) -> str:
    return f"!{ref}"


def branch(place: str, way: str) -> str:
    return f"{place}: {way}"


def condition(of: str, held: bool) -> str:
    """``of``: what the condition belongs to (``condition``, ``done_when``, ``repeat``, ``transition 2``)."""
    return f"{of} {'held' if held else 'did not hold'}"


def transition(index: int) -> str:
    return f"transition {index + 1}"


def choice(index: int) -> str:
    return f"choice {index + 1}"


def output(name: str) -> str:
    """An output of a stretch of talk, asked for or told there."""
    return f"output {name}"


def is_timeout(taken: str) -> bool:
    """Whether a way that was taken is that of an action whose time was up."""
    return taken.rpartition(": ")[2] == TIMEOUT


def running(work: Work) -> str:
    """The topic or skill that runs."""
    frame = work.running
    return topic_place(work.phase_frame.id, frame.ref, skill=frame.kind == "skill")


def acting(work: Work) -> str:
    """The action that runs."""
    return action_place(running(work), work.running.ref, work.frame.id)


def take(work: Work, place: str, way: str) -> None:
    work.branches[branch(place, way)] = None


def come_to(work: Work, place: str, transitions: Sequence[Transition], chosen: int | None) -> None:
    """The first transition that holds is made; of those before it the conditions did not."""
    for index, each in enumerate(transitions[:chosen]):
        if each.condition is not None:
            take(work, place, condition(transition(index), False))
    if chosen is not None:
        take(work, place, transition(chosen))


def decide(
    work: Work, given: Condition | None, where: str, place: str, of: str = "condition"
) -> Generator[tuple[Task, ...], Mapping[str, Answer], bool]:
    """As ``holds``; a condition that there is has been decided."""
    held = yield from holds(work, given, where)
    if given is not None:
        take(work, place, condition(of, held))
    return held


def record(work: Work) -> None:
    """The turn is over: one record for all of them, none where there were none."""
    if work.branches:
        work.emit(BranchesTaken(taken=list(work.branches)))
