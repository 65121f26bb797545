"""One call of its own that only extracts, where the action's own answer or a value in it could not be used: before
rules read the words.

It is made only when a provider is there and has answered, but nothing usable came of it, or of a value that it gave;
never when nobody could be reached, and never in an ordinary turn.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from heartrule.engine.extraction.extraction import described, is_refused, values_schema
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.listener_view import newest, overheard
from heartrule.engine.variables import missing_reasons
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Get, Set

HOLD = 4.0
"""Seconds that this call is waited for; the turn's own budget holds as well."""
SHOWN = 4
"""Messages that its prompt shows at least, the newest."""
_STYLE = ("check:", "cut:")
"""How the codes of attempts begin whose values could be used, and only their words not."""


def called(
    work: Work, output: Sequence[Get | Set], heard: PersonInput, answer: Answer | None, earlier: Mapping[str, Any]
) -> Generator[tuple[Task, ...], Mapping[str, Answer], Mapping[str, Any] | None]:
    """What that call found, as ``values`` of a model's answer; None where it was not made, or came to nothing."""
    wanted = [item for item in gets(output) if item.get not in earlier]
    if heard.repair is not None or not work.model:
        return None
    if not unusable(answer):
        wanted = [item for item in wanted if _is_refused(work, item, heard, answer)]
    if not wanted:
        return None
    task = _task(work, wanted)
    data = (yield (task,))[task.key].data
    given = data.get("values") if data is not None else None
    return given if isinstance(given, Mapping) else None


def unusable(answer: Answer | None) -> bool:
    """Whether a provider did answer, and nothing that can be used came of it: an answer that was rejected to the last.
    One that failed for want of a provider, of time or of money is none of these."""
    if answer is None:
        return False
    if answer.data is not None:
        return "values" in answer.data and not isinstance(answer.data["values"], Mapping)
    last = answer.attempts[-1] if answer.attempts else None
    return answer.status == "failed" and last is not None and last.outcome == "rejected" and _rejects_values(last.code)


def _is_refused(work: Work, item: Get, heard: PersonInput, answer: Answer | None) -> bool:
    """Whether the answer itself can be used and gives a value that cannot be: without proof, or against its rules. Of
    words that hedge nobody has to make out another value, and a second reading never judges about danger."""
    rules, offered = rules_of(work, item), (answer.data or {}).get("values") if answer is not None else None
    if (
        not isinstance(offered, Mapping)
        or item.get not in offered
        or rules.risk
        or missing_reasons.doubtful(rules, heard.text)
    ):
        return False
    texts = "\n".join(QuestionState.of(work.frame).texts)
    return is_refused(work, item.get, rules, offered[item.get], texts)


def _rejects_values(code: str) -> bool:
    return not code.startswith(_STYLE)


def _task(work: Work, wanted: Sequence[Get]) -> Task:
    return Task(
        key=work.task_key("extract"),
        kind="extract",
        role="understand",
        template="extract",
        context=overheard(work, newest(work, SHOWN)),
        values={
            "question": work.frame.question,
            "outputs": described(work, wanted),
            "time": str(work.world.now.date()) if _dated(work, wanted) else "",
        },
        schema={
            "type": "object",
            "properties": {"values": values_schema(work, wanted)},
            "required": ["values"],
        },
        required=("values",),
        temperature=0.0,
        seconds=HOLD,
    )


def _dated(work: Work, wanted: Sequence[Get]) -> bool:
    return any(rules_of(work, item).type == "date" for item in wanted)
