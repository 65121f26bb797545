"""``use_skill``: runs a technique as a temporary topic, now or later."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from heartrule.engine import branches
from heartrule.engine.action_types import ActionType
from heartrule.engine.extraction.extraction import literal
from heartrule.engine.scheduling import phase_queue, topics
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.events import Fault
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.session.state import ActionFrame, Cause, PlannedTopic, Return
from heartrule.engine.variables.scopes import keyed, lookup
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, ForEach, Json, Node
from heartrule.language.nodes.traits import Traits


class ReturnBinding(Node):
    get: str
    set: str


class Fields(Action):
    traits: ClassVar[Traits] = Traits(calls=True, silent=True, is_leaf=False, model="")

    type: Literal["use_skill"]
    skill: str
    input: dict[str, Json] = {}
    output: list[ReturnBinding] = []
    for_each: ForEach | None = None
    timing: Literal["now", "before_topic", "after_topic", "after_phase"] = "now"
    to: str | None = None
    resume: Literal["after", "skip"] = "after"


class SkillCalls(ActionState):
    """The keys of the items that it has been called for. ``is_left``: the person has left the technique out, and it is
    called for no further one."""

    section: ClassVar[str] = "use_skill"

    done: list[str] = Field(default=[], repr=False)
    is_left: bool = False


class UseSkill(ActionType):
    name = "use_skill"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        return self._next(work, action)
        yield ()

    def again(self, work: Work, action: Fields) -> Step:
        """A call has come back: the next item, or the end."""
        if action.for_each is not None and (step := self._next(work, action)).call:
            return step
        return Step(done=True, leave_topic=action.resume == "skip")

    def left_out(self, frame: ActionFrame) -> None:
        SkillCalls.of(frame).is_left = True

    def _next(self, work: Work, action: Fields) -> Step:
        if action.for_each is None:
            return self._call(work, action)
        calls = SkillCalls.of(work.frame)
        if calls.is_left:
            calls.is_left = False
            return Step(done=True)
        for key, _ in keyed(action.for_each, lookup(work, action.for_each.in_)):
            if key not in calls.done and len(calls.done) < action.for_each.max:
                calls.done.append(key)
                work.frame.item = key
                step = self._call(work, action)
                if step.call or step.outcome == "refused":
                    return step
        work.frame.item = None
        return Step(done=True)

    def _call(self, work: Work, action: Fields) -> Step:
        found = work.world.script.skill(action.skill, work.running.project)
        if found is None:
            work.emit(Fault(what=f"no skill {action.skill}", action=work.frame.id))
            return Step(done=True, outcome="refused")
        ref, skill = found
        planned = PlannedTopic(
            key=work.key("t"),
            kind="skill",
            ref=ref,
            name=skill.skill,
            priority=min(skill.priority, work.running.priority, key=phase_queue.ORDER.__getitem__),
            params=topics.parameters(skill, {name: literal(work, value) for name, value in action.input.items()}),
            returns=[Return(theirs=item.get, ours=item.set) for item in action.output],
            cause=Cause(kind="use_skill", ref=work.frame.id),
        )
        place = branches.acting(work)
        if action.timing == "now":
            called = topics.call(work, planned)
            if called:
                branches.take(work, place, branches.CALL)
            return Step(call=True) if called else Step(done=True, outcome="refused")
        branches.take(work, place, branches.CALL)
        phase_queue.defer(work, planned, action.timing, action.to)
        return Step(done=True, outcome="deferred")


USE_SKILL = UseSkill()
