"""Whether a condition holds: expressions by code, ``judge`` by the model. What was perceived ahead, because this turn
was foreseen to come here, counts; the rest of one place is asked in one call."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Literal, assert_never

from heartrule.engine.session.events import Judged
from heartrule.engine.session.foreseen import NOBODY, ConditionVerdict
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.answers import items, share
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.tasks.verdicts import verdicts_schema
from heartrule.engine.variables.evidence import EVIDENCE
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import Work
from heartrule.language.expressions import Expression
from heartrule.language.nodes.conditions import All, Any_, Condition, Judge, Not

Deciding = Generator[tuple[Task, ...], Mapping[str, Answer], bool]
Truth = bool | None | Literal["open"]
"""None is unknown, and stays unknown through ``not``; ``open`` waits for the model's word."""

JUDGE_SCHEMA = verdicts_schema({"type": "boolean"}, "confidence")


def holds(work: Work, condition: Condition | None, where: str) -> Deciding:
    """True when there is no condition. An unknown condition does not hold."""
    if condition is None:
        return True
    return (yield from first_holding(work, [condition], where)) == 0


def first_holding(
    work: Work, conditions: Sequence[Condition | None], where: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], int | None]:
    """The index of the first condition that holds. One call answers the model's questions of all of them; what code
    has decided by itself is not asked."""
    questions: list[Judge] = []
    for condition in conditions:
        truth = True if condition is None else _evaluate(work, condition, {})
        if truth is True:
            break
        if truth == "open":
            _collect(work, condition, questions)
    verdicts: dict[Judge, bool] = {}
    if questions:
        verdicts = yield from _judge(work, list(dict.fromkeys(questions)), where)
    for index, condition in enumerate(conditions):
        if condition is None or _evaluate(work, condition, verdicts) is True:
            return index
    return None


def truth_with(work: Work, condition: Condition, verdicts: Mapping[Judge, bool]) -> Truth:
    """What a condition comes to when its questions are answered so; nobody is asked."""
    return _evaluate(work, condition, verdicts)


def _collect(work: Work, condition: Condition | None, into: list[Judge]) -> None:
    """The questions whose answers can still make a difference."""
    match condition:
        case Judge():
            into.append(condition)
        case All() | Any_():
            for part in condition.all if isinstance(condition, All) else condition.any:
                if _evaluate(work, part, {}) == "open":
                    _collect(work, part, into)
        case Not():
            _collect(work, condition.not_, into)
        case _:
            pass


def _evaluate(work: Work, condition: Condition, verdicts: Mapping[Judge, bool]) -> Truth:
    match condition:
        case Expression():
            return condition.truth(lambda name: lookup(work, name), work.world.now)
        case Judge():
            return verdicts.get(condition, "open")
        case Not():
            inner = _evaluate(work, condition.not_, verdicts)
            return not inner if isinstance(inner, bool) else inner
        case All():
            return _joined([_evaluate(work, part, verdicts) for part in condition.all], False)
        case Any_():
            return _joined([_evaluate(work, part, verdicts) for part in condition.any], True)
        case _:
            assert_never(condition)


def _joined(parts: Sequence[Truth], deciding: bool) -> Truth:
    """``all`` (decided by a false part) or ``any`` (by a true one)."""
    undecided: tuple[Truth, ...] = (deciding, "open", None)
    return next((truth for truth in undecided if truth in parts), not deciding)


def _judge(
    work: Work, questions: Sequence[Judge], where: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], dict[Judge, bool]]:
    """What was foreseen of this turn's words counts; the rest is asked now."""
    foreseen = {question: work.findings.foreseen.get(text_of(work, question)) for question in questions}
    open_ = [question for question, known in foreseen.items() if known is None or where in known.places]
    given = yield from _asked(work, open_)
    found: dict[Judge, bool] = {}
    for question in questions:
        known = foreseen[question] if question not in open_ else None
        if known is not None:
            known.places.add(where)
        verdict, confidence, evidence = given.get(question, NOBODY) if known is None else known.verdict()
        decided = question.default if verdict is None else verdict and (confidence or 0.0) >= question.threshold
        found[question] = decided
        work.emit(
            Judged(
                question=question.judge,
                verdict=decided,
                source="default" if verdict is None else "model",
                confidence=confidence,
                evidence=evidence,
                where=where,
                foreseen=known is not None,
            )
        )
    return found


def text_of(work: Work, question: Judge) -> str:
    """A question as it is put here and now."""
    return " ".join(fill(work, question.judge).split())


def _asked(
    work: Work, questions: Sequence[Judge]
) -> Generator[tuple[Task, ...], Mapping[str, Answer], dict[Judge, ConditionVerdict]]:
    """What the model says of these, in a call of their own."""
    if not work.model or not questions:
        return {}
    task = Task(
        key=work.task_key("judge"),
        kind="judge",
        role="judge",
        template="judge",
        context=shared(work),
        values={"questions": "\n".join(f"{n}. {text_of(work, q)}" for n, q in enumerate(questions, 1))},
        schema=JUDGE_SCHEMA,
        required=("verdicts",),
        temperature=0.0,
    )
    answer = (yield (task,))[task.key]
    given = by_number(answer.data)
    return {question: given[n] for n, question in enumerate(questions, 1) if n in given}


def by_number(data: Mapping[str, Any] | None) -> dict[int, ConditionVerdict]:
    """Well-formed verdicts by the number of their question; the rest is as good as unanswered."""
    found: dict[int, ConditionVerdict] = {}
    for item in items(data, "verdicts"):
        number, verdict, confidence = item.get("id"), item.get("verdict"), share(item.get("confidence", 1.0))
        if isinstance(number, int) and isinstance(verdict, bool) and confidence is not None:
            quote = item.get("evidence")
            found[number] = (verdict, confidence, quote[:EVIDENCE] or None if isinstance(quote, str) else None)
    return found
