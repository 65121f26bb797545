"""``ai_guide``: an exercise, step by step; the person may stop at any moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import ClassVar, Literal

from pydantic import Field

from heartrule.engine.action_types import ActionType
from heartrule.engine.dialogue import script_media
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.media import Media
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.state import Choice
from heartrule.engine.session.tasks import Answer
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.work import Work
from heartrule.language.lengths import length
from heartrule.language.nodes import Action, Template
from heartrule.language.nodes.media import ExerciseStep
from heartrule.language.nodes.traits import Traits
from heartrule.parsing.exercises import meant

STOP, DONE = "stop", "done"
REPLY = "reply"


class Fields(Action):
    traits: ClassVar[Traits] = Traits(guides=True, waits=True, model="")

    type: Literal["ai_guide"]
    exercise: Template
    exercise_steps: list[ExerciseStep] = Field(min_length=1, max_length=60)
    on_stop: Template = ""


class GuideProgress(ActionState):
    """The step that it is at, and whether that goes on by itself."""

    section: ClassVar[str] = "ai_guide"

    step: int = 0
    timed: bool = False


class AiGuide(ActionType):
    name = "ai_guide"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        return _put(work, action, 0)
        yield ()

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        """Words that stop, stop, whatever the step waits for. With a reply that is asked for, any other words are it;
        while time runs or a button waits, only words that mean it go on."""
        wait, said = action.exercise_steps[_at(work)].wait, meant(heard.text)
        if heard.choice == STOP or (heard.choice is None and (said == "stop" or heard.repair == "stop")):
            return _stopped(work, action)
        if heard.choice == DONE or heard.repair == "skip" or said == "ready":
            return _next(work, action)
        if heard.repair in ("repeat", "clarify"):
            return self.again(work, action)
        if wait == REPLY:
            work.flags.acknowledge = True
            return _next(work, action)
        return self._in_between(work, action)
        yield ()

    def struck(self, work: Work, action: Fields) -> Step | None:
        """A step's time is over."""
        return _next(work, action, still=True) if GuideProgress.of(work.frame).timed else None

    def takes(self, work: Work, action: Fields, text: str) -> bool:
        return meant(text) == "stop"

    def again(self, work: Work, action: Fields) -> Step:
        """The step once more, with all of its time."""
        return _put(work, action, min(_at(work), len(action.exercise_steps) - 1))

    def _in_between(self, work: Work, action: Fields) -> Step:
        """Something is said while nothing was asked: it is heard, and the step goes on for what is left of its time."""
        left = (
            work.schedule.due - work.world.now
            if work.schedule.due is not None and GuideProgress.of(work.frame).timed
            else None
        )
        if left is not None and left <= timedelta():
            return _next(work, action)
        step = _put(work, action, _at(work), left)
        return replace(step, say=(work.spoken("exercise_heard"),))


def _at(work: Work) -> int:
    return GuideProgress.of(work.frame).step


def _next(work: Work, action: Fields, *, still: bool = False) -> Step:
    index = _at(work) + 1
    if index >= len(action.exercise_steps):
        return Step(done=True, acknowledge=work.flags.acknowledge)
    return _put(work, action, index, still=still)


def _put(work: Work, action: Fields, index: int, left: timedelta | None = None, *, still: bool = False) -> Step:
    step, frame = action.exercise_steps[index], work.frame
    time = left or length(step.wait)
    words = fill(work, step.say, to_person=True)
    at = GuideProgress.of(frame)
    at.step, at.timed, frame.question = index, time is not None, words
    frame.round, frame.max_rounds = index + 1, len(action.exercise_steps)
    stop = Choice(value=STOP, label=work.spoken("exercise_stop", 0))
    done = Choice(value=DONE, label=work.spoken("exercise_done", 0))
    pressed = step.wait == DONE
    return Step(
        say=(words,),
        wait="press" if pressed else "message",
        choices=(done, stop) if pressed else (stop,),
        media=_shown(work, step, time),
        after=time,
        still=still,
    )


def _shown(work: Work, step: ExerciseStep, time: timedelta | None) -> tuple[Media, ...]:
    seconds = time / timedelta(seconds=1) if time else None
    made = (
        script_media.picture(work, step.picture) if step.picture else None,
        script_media.pacer(step.pacer, seconds) if step.pacer else None,
        script_media.audio(work, step.audio) if step.audio else None,
    )
    return tuple(each for each in made if each is not None)


def _stopped(work: Work, action: Fields) -> Step:
    words = fill(work, action.on_stop, to_person=True) or work.spoken("exercise_stopped", 0)
    work.flags.acknowledge = False
    return Step(say=(words,), done=True, outcome="stopped")


AI_GUIDE = AiGuide()
