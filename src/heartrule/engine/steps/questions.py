"""What a model is asked about the words, side by side, and what becomes of the answers besides their danger."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from heartrule.engine.action_types import registry
from heartrule.engine.awareness import awareness, hook_points
from heartrule.engine.repair import conflict_question, late_words
from heartrule.engine.session.io import Rest
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.steps import danger
from heartrule.engine.steps import perception as perceiving
from heartrule.engine.steps.case import Case
from heartrule.engine.steps.perception import Perception
from heartrule.engine.tasks.speculation import settled

Reading = Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Case]


@dataclass(frozen=True, slots=True)
class Questions:
    """``risk``: whether the words tell of danger. ``perception``: what they say beside their answer. ``own``: what the
    question wants that they belong to."""

    risk: Task | None
    perception: Perception | None = None
    own: Task | None = None

    @property
    def tasks(self) -> tuple[Task, ...]:
        perceived = self.perception.tasks if self.perception is not None else ()
        return tuple(task for task in (self.risk, *perceived, self.own) if task is not None)


def ask(case: Case) -> Questions:
    """What the row asks that claims the words."""
    if case.claim is not None and case.claim.asks == "safety":
        return Questions(awareness.question(case.work))
    own = _own(case)
    risk = awareness.question(case.work)
    return Questions(risk, perceiving.perceive(case.work, case.words.heard, case.waiting, _earlier(case)), own)


def perceive(case: Case, questions: Questions, answers: Mapping[str, Answer]) -> Reading:
    """What they say beside their answer is written, and what scripts listen for in it acts with what is urgent."""
    work, perception = case.work, questions.perception
    if case.chosen is not None:
        conflict_question.settle(work, case.chosen)
    if perception is None:
        return case
    yield from perception.settle(work, answers)
    found = [*case.danger.found, *hook_points.owed(work), *hook_points.answered(work)]
    return replace(case, danger=replace(case.danger, found=found, alarms=tuple(perception.alarms)))


def settle(case: Case, questions: Questions, answers: Mapping[str, Answer]) -> Reading:
    """The answer of the question's own: it is made once more where what it rests on has changed by what was
    perceived."""
    work, perception, own = case.work, questions.perception, questions.own
    if perception is None or own is None:
        return case
    beside = bool(perception.tasks) and not danger.takes(work, case.danger.found)
    reply = yield from settled(work, own, answers, partial(_own, case), beside=beside)
    return replace(case, own=own, reply=reply)


def _earlier(case: Case) -> list[str] | None:
    """What the question was to find out that late words belong to."""
    if not case.is_late:
        return None
    return late_words.names(case.work, case.words.earlier) if case.words.earlier is not None else []


def _own(case: Case) -> Task | None:
    if case.is_late:
        earlier = case.words.earlier
        return late_words.question(case.work, earlier) if earlier is not None else None
    if case.waiting is None:
        return None
    return registry()[case.waiting.type].question(case.work, case.waiting, case.words.heard)
