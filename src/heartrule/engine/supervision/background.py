"""What is asked beside the conversation once a turn stands, and what becomes of the advice that comes back.

Pure. Each feature says what it would ask about the turn that has just been worked out, whether an answer holds
anything, and takes it in a turn of its own, in which nothing is asked and nothing is said. Nobody waits for any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from heartrule.engine.awareness import periodic
from heartrule.engine.session.events import AdviceUnused
from heartrule.engine.session.io import Advice
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.supervision import monitors, orchestration, strategy
from heartrule.engine.work import Work

NOT_NOW = "nobody looks on now"
UNKNOWN = "nobody takes this advice"


class Feature(NamedTuple):
    """``question``: what it asks about the turn that ends, None at no cost for nothing. ``holds``: whether an answer is
    worth a turn. ``take``: what it makes of the advice about ``key``; it checks that what that was about still stands.
    """

    templates: Callable[[], tuple[str, ...]]
    question: Callable[[Work], Task | None]
    take: Callable[[Work, str, Mapping[str, Any]], None]
    holds: Callable[[Mapping[str, Any]], bool] = bool


FEATURES: tuple[Feature, ...] = (
    Feature(monitors.templates, monitors.question, monitors.take, monitors.holds),
    Feature(lambda: (orchestration.TEMPLATE,), orchestration.question, orchestration.take),
    Feature(lambda: (strategy.TEMPLATE,), strategy.question, strategy.take, strategy.holds),
)
"""In the order in which their advice is taken."""


def tasks(work: Work) -> tuple[Task, ...]:
    """What may be asked once the turn is committed. Nothing in script mode, in a topic of safety's, while a person is
    in danger or speaks with a human, and before and after the session."""
    if not work.world.model or not periodic.may_look(work):
        return ()
    asked = (feature.question(work) for feature in FEATURES)
    return tuple(task for task in asked if task is not None)


def advice_of(task: Task, answer: Answer) -> Advice | None:
    """What an answer has to say; None where it failed, is no answer to this, or holds nothing."""
    feature = _feature_of(task.template)
    if answer.status != "answered" or not answer.data or feature is None or not feature.holds(answer.data):
        return None
    return Advice(task.key, task.template, answer.data)


def take(work: Work, advice: tuple[Advice, ...]) -> None:
    """Let each feature have its own. Meanwhile it may have come too late for all of them."""
    looked_on = work.world.model and periodic.may_look(work)
    order = [template for feature in FEATURES for template in feature.templates()]
    for each in sorted(advice, key=lambda one: order.index(one.template) if one.template in order else len(order)):
        feature = _feature_of(each.template)
        if feature is None or not looked_on:
            why = UNKNOWN if feature is None else NOT_NOW
            work.emit(AdviceUnused(template=each.template, about=each.key, why=why))
        else:
            feature.take(work, each.key, each.data)


def _feature_of(template: str) -> Feature | None:
    return next((feature for feature in FEATURES if template in feature.templates()), None)
