"""``verify: llm``: what a model has taken from a person's words is held against them once more, by one small question.

What contradicts the words, or is not in them, is dropped and asked for again. Without an answer in time the values
stand as they are, and that is recorded. A variable marked ``risk`` is left alone: a second look may take nothing back.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from heartrule.engine.extraction.extraction import ExtractedValue, ExtractionResult
from heartrule.engine.session.events import Verified
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.answers import items
from heartrule.engine.tasks.listener_view import newest, overheard
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.tasks.verdicts import verdicts_schema
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Get, Set
from heartrule.locales import is_chinese

HOLD = 4.0
"""Seconds that the second look is waited for; the turn's own budget holds as well."""
SHOWN = 8
"""Messages that its prompt shows at least, the newest."""
SCHEMA = verdicts_schema(
    {"enum": ["supported", "contradicted", "unproved"]}, "reason", beside={"reason": {"type": "string"}}
)
_TAKEN = ("json", "llm")
"""Strategies by which a model has taken a value from the words."""


def verified(
    work: Work, output: Sequence[Get | Set], found: ExtractionResult, earlier: Mapping[str, Any]
) -> Generator[tuple[Task, ...], Mapping[str, Answer], None]:
    """Move what does not hold from ``found.found`` to ``found.missing``. What an earlier round has taken in the same
    words and value is not asked about twice."""
    doubtful = [item for item in gets(output) if _is_open(work, item, found, earlier)]
    if not doubtful or not work.model:
        return
    task = _task(work, doubtful, found)
    data = (yield (task,))[task.key].data
    verdicts = {item.get("id"): item.get("verdict") for item in items(data, "verdicts")}
    dropped = {
        item.get: str(verdicts[number])
        for number, item in enumerate(doubtful, 1)
        if verdicts.get(number) in ("contradicted", "unproved")
    }
    for name, why in dropped.items():
        del found.found[name]
        found.missing[name] = why
    unanswered = [item.get for number, item in enumerate(doubtful, 1) if not isinstance(verdicts.get(number), str)]
    work.emit(
        Verified(action=work.frame.id, asked=[item.get for item in doubtful], dropped=dropped, unanswered=unanswered)
    )


def _is_open(work: Work, item: Get, found: ExtractionResult, earlier: Mapping[str, Any]) -> bool:
    taken = found.found.get(item.get)
    if taken is None or taken.strategy not in _TAKEN:
        return False
    if rules_of(work, item).risk:
        return False
    return item.get not in earlier or bool(earlier[item.get]["value"] != taken.value)


def _task(work: Work, doubtful: Sequence[Get], found: ExtractionResult) -> Task:
    rows = [_row(work, number, item, found.found[item.get]) for number, item in enumerate(doubtful, 1)]
    return Task(
        key=work.task_key("verify"),
        kind="judge",
        role="judge",
        template="verify",
        context=overheard(work, newest(work, SHOWN)),
        values={"taken": "\n".join(rows)},
        schema=SCHEMA,
        required=("verdicts",),
        temperature=0.0,
        seconds=HOLD,
    )


def _row(work: Work, number: int, item: Get, taken: ExtractedValue) -> str:
    rules = rules_of(work, item)
    zh = is_chinese(work.world.script.locale)
    left, right, colon = ("（", "）", "：") if zh else (" (", ")", ": ")
    value = " ".join(placeholders.format_value(taken.value, work.world.script.locale).split())
    meaning = " ".join(fill(work, rules.define).split())
    return f"{number}. {item.get}" + (f"{left}{meaning}{right}" if meaning else "") + f"{colon}{value}"
