"""``parallel_actions``: several actions at once, all of them on what was known before; what they write counts when the
last has ended, in the order of the list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field

from heartrule.engine import branches
from heartrule.engine.action_types import ActionType
from heartrule.engine.dialogue import parallel_parts, script_media
from heartrule.engine.dialogue.parallel_parts import Part
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.events import Fault
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.state import ActionFrame
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.variables import deferred_writes
from heartrule.engine.work import Work
from heartrule.language.nodes import Action
from heartrule.language.nodes.traits import Traits


class Fields(Action):
    traits: ClassVar[Traits] = Traits(waits=True, is_leaf=False, model="")

    type: Literal["parallel_actions"]
    actions: list[Action] = Field(min_length=1, max_length=10)

    def may_wait(self) -> bool:
        return any(each.may_wait() for each in self.actions)


class BlockState(ActionState):
    """``waits``: the index of the part that waits for the person, and its ``frame``. ``noted``: what each part that ran
    has written, by its index."""

    section: ClassVar[str] = "parallel_actions"

    waits: int = 0
    frame: ActionFrame | None = None
    noted: dict[int, list[dict[str, Any]]] = Field(default={}, repr=False)


class ParallelActions(ActionType):
    name = "parallel_actions"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        due: list[int] = []
        for index, each in enumerate(action.actions):
            name = _name(work, each, index)
            place = branches.action_place(branches.running(work), work.running.ref, name)
            if (yield from branches.decide(work, each.condition, f"action {name}", place)):
                branches.take(work, place, branches.PART)
                due.append(index)
        made = {index: Part(action.actions[index], _frame(work, action.actions[index], index)) for index in due}
        yield from parallel_parts.together(work, list(made.values()))
        waiting = _tell(work, made)
        BlockState.of(work.frame).noted = {index: part.noted for index, part in made.items()}
        if waiting is None:
            return _ended(work, action, risk=any(part.step.risk for part in made.values() if part.step))
        return _waits(work, waiting, made[waiting])

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        part = _waiting(work, action)
        with part.standing(work):
            return part.kind.question(work, part.action, heard)

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        part = _waiting(work, action)
        yield from parallel_parts.alone(work, part, lambda: part.kind.hear(work, part.action, heard, answer))
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
        return _waits(work, BlockState.of(work.frame).waits, part)


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
            work.flags.acknowledge = False
            work.tell(text, action=part.frame.id, media=media if number == 0 else ())
    return waiting


def _beside(work: Work, part: Part) -> Any:
    block = work.running.action
    work.running.action = part.frame
    try:
        return script_media.beside(work, part.action) if part.step and any(part.step.say) else ()
    finally:
        work.running.action = block


def _waiting(work: Work, action: Fields) -> Part:
    """The part that waits, as it stood."""
    block = BlockState.of(work.frame)
    assert block.frame is not None
    return Part(
        action.actions[min(block.waits, len(action.actions) - 1)],
        block.frame.model_copy(deep=True),
        list(block.noted.get(block.waits, [])),
    )


def _waits(work: Work, index: int, part: Part) -> Step:
    """The block waits as its part does."""
    assert part.step is not None
    block = BlockState.of(work.frame)
    beside = _beside(work, part)
    block.noted[index] = part.noted
    block.waits, block.frame, work.frame.question = index, part.frame.model_copy(deep=True), part.frame.question
    work.frame.round, work.frame.max_rounds = part.frame.round, part.frame.max_rounds
    return replace(part.step, media=(*part.step.media, *beside))


def _after(work: Work, action: Fields, part: Part) -> Step:
    assert part.step is not None
    block = BlockState.of(work.frame)
    if not part.step.done:
        return _waits(work, block.waits, part)
    block.noted[block.waits] = part.noted
    ended = _ended(work, action, risk=part.step.risk)
    return replace(part.step, risk=ended.risk, done=True)


def _ended(work: Work, action: Fields, *, risk: bool) -> Step:
    """All have ended: what they wrote is written, in the order of the list."""
    noted = BlockState.of(work.frame).noted
    for index, each in enumerate(action.actions):
        risk = deferred_writes.apply(work, each, noted.get(index, [])) or risk
    for index, each in enumerate(action.actions):
        if index in noted:
            parallel_parts.kept(work, each, _frame(work, each, index))
    return Step(done=True, risk=risk)


PARALLEL_ACTIONS = ParallelActions()
