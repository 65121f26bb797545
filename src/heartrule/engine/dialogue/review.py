"""``review: true``: the model's draft is held against the action's instructions before anybody sees it.

A draft that does not pass is written once more, with the reason; one that does not pass then, or that nobody could
review, is not shown: the script's own words stand in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

from heartrule.engine.dialogue import rounds
from heartrule.engine.session.events import Blocked
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["ok", "reason"],
}
_INSTRUCTIONS = ("content", "exit", "follow_up", "goal", "tone")


def passed(
    work: Work, action: Action, answer: Answer | None, again: Callable[[], Task | None]
) -> Generator[tuple[Task, ...], Mapping[str, Answer], Answer | None]:
    """``answer`` with words that may be shown, or with none. ``again`` builds the task that asked for them: what it
    decided stands, only its words are written anew."""
    if answer is None or answer.data is None or not action.review or not rounds.text_of(answer.data):
        return answer
    reason = yield from _reviewed(work, action, answer)
    if reason == "":
        return answer
    task = again() if reason is not None else None
    if task is not None:
        said = f"{task.values.get('monitor_feedback', '')} {reason or ''}".strip()
        values = {**task.values, "monitor_feedback": said}
        task = replace(task, key=f"{task.key} reviewed", values=values, speaks=False)
        second = (yield (task,))[task.key]
        words = rounds.text_of(second.data)
        answer = replace(answer, data={**answer.data, "content": words})
        if words and (yield from _reviewed(work, action, answer)) == "":
            return answer
    return replace(answer, data={**(answer.data or {}), "content": ""})


def _reviewed(
    work: Work, action: Action, answer: Answer
) -> Generator[tuple[Task, ...], Mapping[str, Answer], str | None]:
    """What is wrong with the draft; empty: nothing; None: nobody could tell."""
    parts = [fill(work, action.peek(name)) for name in _INSTRUCTIONS]
    task = Task(
        key=work.task_key("review"),
        kind="judge",
        role="judge",
        template="review",
        context=shared(work),
        values={"instructions": "\n".join(part for part in parts if part), "draft": rounds.text_of(answer.data)},
        schema=SCHEMA,
        required=("ok",),
        temperature=0.0,
    )
    data = (yield (task,))[task.key].data
    if data is None:
        work.emit(Blocked(action=work.frame.id, check="review", reason="unanswered"))
        return None
    if data.get("ok") is True:
        return ""
    reason = str(data.get("reason") or "-")[:300]
    work.emit(Blocked(action=work.frame.id, check="review", reason=reason))
    return reason
