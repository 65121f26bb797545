"""Whether a condition holds: expressions by code, ``judge`` by the model, all questions of one place in one call."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, assert_never

from heartrule.engine.events import Judged
from heartrule.engine.prompting import shared
from heartrule.engine.scopes import lookup
from heartrule.engine.tasks import Answer, Task
from heartrule.engine.work import Work
from heartrule.language.conditions import All, Any_, Condition, Judge, Not
from heartrule.language.expressions import Expression

Deciding = Generator[tuple[Task, ...], Mapping[str, Answer], bool]

VERDICTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "verdict": {"type": "boolean"},
                    "confidence": {"type": "number"},
                    "evidence": {"type": "string"},
                },
                "required": ["id", "verdict", "confidence"],
            },
        }
    },
    "required": ["verdicts"],
}


def holds(work: Work, condition: Condition | None, where: str) -> Deciding:
    """True when there is no condition. An unknown condition does not hold."""
    if condition is None:
        return True
    return (yield from first_holding(work, [condition], where)) == 0


def first_holding(
    work: Work, conditions: Sequence[Condition | None], where: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], int | None]:
    """The index of the first condition that holds; one call answers the model's questions of all of them."""
    questions: list[Judge] = []
    for condition in conditions:
        _collect(condition, questions)
    verdicts: dict[Judge, bool] = {}
    if questions:
        verdicts = yield from _judge(work, list(dict.fromkeys(questions)), where)
    for index, condition in enumerate(conditions):
        if condition is None or _evaluate(work, condition, verdicts) is True:
            return index
    return None


def _collect(condition: Condition | None, into: list[Judge]) -> None:
    match condition:
        case Judge():
            into.append(condition)
        case All():
            for part in condition.all:
                _collect(part, into)
        case Any_():
            for part in condition.any:
                _collect(part, into)
        case Not():
            _collect(condition.not_, into)
        case _:
            pass


def _evaluate(work: Work, condition: Condition, verdicts: Mapping[Judge, bool]) -> bool | None:
    """Three-valued: None is unknown, and stays unknown through ``not``."""
    match condition:
        case Expression():
            return condition.truth(lambda name: lookup(work, name), work.world.now)
        case Judge():
            return verdicts[condition]
        case Not():
            inner = _evaluate(work, condition.not_, verdicts)
            return None if inner is None else not inner
        case All():
            parts = [_evaluate(work, part, verdicts) for part in condition.all]
            return False if False in parts else None if None in parts else True
        case Any_():
            parts = [_evaluate(work, part, verdicts) for part in condition.any]
            return True if True in parts else None if None in parts else False
        case _:
            assert_never(condition)


def _judge(
    work: Work, questions: Sequence[Judge], where: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], dict[Judge, bool]]:
    data: Mapping[str, Any] | None = None
    if work.model:
        task = Task(
            key=work.task_key("judge"),
            kind="judge",
            role="judge",
            template="judge",
            context=shared(work),
            values={"questions": "\n".join(f"{n}. {q.judge}" for n, q in enumerate(questions, 1))},
            schema=VERDICTS,
            required=("verdicts",),
            temperature=0.0,
        )
        answer = (yield (task,))[task.key]
        data = answer.data
    given = _by_number(data)
    found: dict[Judge, bool] = {}
    for number, question in enumerate(questions, 1):
        verdict, confidence = given.get(number, (None, None))
        decided = question.default if verdict is None else verdict and (confidence or 0.0) >= question.threshold
        found[question] = decided
        work.emit(
            Judged(
                question=question.judge,
                verdict=decided,
                source="default" if verdict is None else "model",
                confidence=confidence,
                where=where,
            )
        )
    return found


def _by_number(data: Mapping[str, Any] | None) -> dict[int, tuple[bool, float]]:
    """Well-formed verdicts by the number of their question; the rest is as good as unanswered."""
    found: dict[int, tuple[bool, float]] = {}
    for item in (data or {}).get("verdicts") or []:
        if not isinstance(item, Mapping):
            continue
        number, verdict, confidence = item.get("id"), item.get("verdict"), item.get("confidence", 1.0)
        if isinstance(number, int) and isinstance(verdict, bool) and isinstance(confidence, int | float):
            found[number] = (verdict, max(0.0, min(1.0, float(confidence))))
    return found
