"""``parallel_actions``: several actions at once, all of them on what was known before; what they write counts when the
last has ended, in the order of the list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from heartrule.engine import branches
from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.events import Fault
from heartrule.engine.interacting import parts
from heartrule.engine.interacting.parts import Part
from heartrule.engine.scoping import recording
from heartrule.engine.speaking import showing
from heartrule.engine.state import ActionFrame
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

_NOTED, _FRAME, _WAITS = "noted", "frame", "waits"


class Fields(Action):
    type: Literal["parallel_actions"]
    actions: list[Action] = Field(min_length=1, max_length=10)


class ParallelActions(ActionType):
    """``frame.memory``: ``waits``, the index of the part that waits for the person, and its ``frame``; ``noted``, what
    each part has written."""

    name = "parallel_actions"
    fields = Fields
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        due: list[int] = []
        for index, each in enumerate(action.actions):
            name = _name(work, each, index)
            place = branches.action_place(branches.running(work), work.running.ref, name)
            if (yield from branches.decide(work, each.condition, f"action {name}", place)):
                branches.take(work, place, branches.PART)
                due.append(index)
        made = {index: Part(action.actions[index], _frame(work, action.actions[index], index)) for index in due}
        yield from parts.together(work, list(made.values()))
        waiting = _tell(work, made)
        memory = work.frame.memory
        memory[_NOTED] = {str(index): part.noted for index, part in made.items()}
        if waiting is None:
            return _ended(work, action, risk=any(part.step.risk for part in made.values() if part.step))
        return _waits(work, waiting, made[waiting])

    def question(self, work: Work, action: Fields, heard: Heard) -> Task | None:
        part = _waiting(work, action)
        with part.standing(work):
            return part.kind.question(work, part.action, heard)

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        part = _waiting(work, action)
        yield from parts.alone(work, part, lambda: part.kind.hear(work, part.action, heard, answer))
        return _after(work, action, part)

    def struck(self, work: Work, action: Fields) -> Step | None:
        part = _waiting(work, action)
        with part.standing(work):
            part.step = part.kind.struck(work, part.action)
        return None if part.step is None else _after(work, action, part)

    def takes(self, work: Work, action: Fields, text: str) -> bool:
        part = _waiting(work, action)
        with part.standing(work):
            return part.kind.takes(work, part.action, text)

    def asks_for(self, work: Work, action: Fields) -> list[str]:
        part = _waiting(work, action)
        with part.standing(work):
            return part.kind.asks_for(work, part.action)

    def again(self, work: Work, action: Fields) -> Step:
        part = _waiting(work, action)
        part.frame.wait = work.frame.wait
        with part.standing(work):
            part.step = part.kind.again(work, part.action)
        part.frame.wait = None
        return _waits(work, work.frame.memory[_WAITS], part)


def _name(work: Work, action: Action, index: int) -> str:
    return action.id or f"{work.frame.id}.{index + 1}"


def _frame(work: Work, action: Action, index: int) -> ActionFrame:
    at = work.frame.index
    return ActionFrame(index=at, id=_name(work, action, index), type=action.type, entered_at=work.world.now)


def _tell(work: Work, made: dict[int, Part]) -> int | None:
    """Say what the parts say, in the order of the list, but what waits for the person last. Which one that is."""
    waiting: int | None = None
    for index, part in made.items():
        assert part.step is not None
        if part.step.wait and waiting is None:
            waiting = index
            continue
        if part.step.wait:
            work.emit(Fault(what="a second action of a block would wait", action=part.frame.id))
        media = (*part.step.media, *_beside(work, part))
        for number, text in enumerate(filter(None, part.step.say)):
            work.acknowledge = False
            work.tell(text, action=part.frame.id, media=media if number == 0 else ())
    return waiting


def _beside(work: Work, part: Part) -> Any:
    block = work.running.action
    work.running.action = part.frame
    try:
        return showing.beside(work, part.action) if part.step and any(part.step.say) else ()
    finally:
        work.running.action = block


def _waiting(work: Work, action: Fields) -> Part:
    """The part that waits, as it stood."""
    memory = work.frame.memory
    index = int(memory[_WAITS])
    return Part(
        action.actions[min(index, len(action.actions) - 1)],
        ActionFrame.model_validate(memory[_FRAME]),
        list(memory[_NOTED].get(str(index), [])),
    )


def _waits(work: Work, index: int, part: Part) -> Step:
    """The block waits as its part does."""
    assert part.step is not None
    memory = work.frame.memory
    beside = _beside(work, part)
    memory[_NOTED][str(index)] = part.noted
    memory |= {_WAITS: index, _FRAME: part.frame.model_dump(mode="json"), "question": part.frame.memory.get("question")}
    work.frame.round, work.frame.max_rounds = part.frame.round, part.frame.max_rounds
    return replace(part.step, media=(*part.step.media, *beside))


def _after(work: Work, action: Fields, part: Part) -> Step:
    assert part.step is not None
    index = int(work.frame.memory[_WAITS])
    if not part.step.done:
        return _waits(work, index, part)
    work.frame.memory[_NOTED][str(index)] = part.noted
    ended = _ended(work, action, risk=part.step.risk)
    return replace(part.step, risk=ended.risk, done=True)


def _ended(work: Work, action: Fields, *, risk: bool) -> Step:
    """All have ended: what they wrote is written, in the order of the list."""
    for index, each in enumerate(action.actions):
        noted = work.frame.memory[_NOTED].get(str(index), [])
        risk = recording.apply(work, each, noted) or risk
    for index, each in enumerate(action.actions):
        if str(index) in work.frame.memory[_NOTED]:
            parts.kept(work, each, _frame(work, each, index))
    return Step(done=True, risk=risk)


PARALLEL_ACTIONS = ParallelActions()
