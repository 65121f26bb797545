"""A no to what is about danger, where a model leads the talk: what our own reading does not take for one is held
against the words once more, by one small question to the model.

Rules raise, the model may only clear: a message in which rules hear danger that is under way is never shown to it, and
its quote has to be a denial that takes nothing back by itself ("no", not "not really"). Two readings that agree count;
no model, no answer in time, or a quote that is nobody's: it stays unclear, and is asked once more.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from heartrule.engine.awareness import awareness
from heartrule.engine.extraction.extraction import NO_DENIAL, ExtractionResult, quoted
from heartrule.engine.session.events import Verified
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.answers import items
from heartrule.engine.tasks.listener_view import newest, overheard
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import danger_statements, scopes
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.variables.evidence import gets, length, locate
from heartrule.engine.work import Work
from heartrule.language.nodes import Get, Set
from heartrule.parsing.denials import denies, is_bare

LONGEST = 500
"""Length of a message that is shown, as ``evidence.length`` counts. Whoever says more tells a story."""
BEFORE = 10
"""Messages before it that are shown with it, at least."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "answers": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "answer": {"enum": ["no", "yes", "unclear"]},
                    "evidence": {"type": "string"},
                },
                "required": ["id", "answer", "evidence"],
            },
        }
    },
    "required": ["answers"],
}


def read_again(
    work: Work, output: Sequence[Get | Set], found: ExtractionResult, texts: Sequence[str]
) -> Generator[tuple[Task, ...], Mapping[str, Answer], None]:
    """Move the nos that a second reading confirms from ``found.doubted`` to ``found.found``; the others are refused.
    ``texts``: the person's answers within this action, the newest last."""
    said = {name: quoted(each.evidence or "", texts) for name, each in found.doubted.items()}
    asked = [item for item in gets(output) if item.get in said and _may_be_shown(work, said[item.get])]
    confirmed = (yield from _confirmed(work, asked, said)) if asked else {}
    for name, each in found.doubted.items():
        if name in confirmed:
            found.found[name] = replace(each, evidence=confirmed[name])
            found.missing.pop(name, None)
            found.risky.discard(name)
        else:
            scopes.refuse(work, name, each.value, strategy=each.strategy, evidence=each.evidence, reason=NO_DENIAL)


def _confirmed(
    work: Work, asked: Sequence[Get], said: Mapping[str, str]
) -> Generator[tuple[Task, ...], Mapping[str, Answer], dict[str, str]]:
    """Those that are denied, with the words that deny them."""
    task = _task(work, asked, list(dict.fromkeys(said[item.get] for item in asked)))
    rows = {row.get("id"): row for row in items((yield (task,))[task.key].data, "answers")}
    quotes = {
        item.get: str(rows[number].get("evidence") or "")
        for number, item in enumerate(asked, 1)
        if number in rows and rows[number].get("answer") == "no"
    }
    confirmed = {name: quote for name, quote in quotes.items() if _proves(work, name, quote, said[name])}
    names = [item.get for item in asked]
    work.emit(
        Verified(
            action=work.frame.id,
            asked=names,
            dropped={name: NO_DENIAL for name in names if name not in confirmed},
            unanswered=[name for number, name in enumerate(names, 1) if number not in rows],
        )
    )
    return confirmed


def _may_be_shown(work: Work, text: str) -> bool:
    return work.model and length(text) <= LONGEST and not awareness.is_under_way(work, text)


def _proves(work: Work, name: str, quote: str, text: str) -> bool:
    """Whether these words of theirs deny something by themselves, and two of three hold: it was just asked, they say
    of what, and nothing in the message sounds of danger ("No. The pills are by my bed")."""
    if not quote or locate(quote, text) is None or not denies(quote):
        return False
    asked = danger_statements.is_asked(name, work.frame.asking)
    holding = (asked, not is_bare(quote), not awareness.sounds_of_danger(work, text))
    return sum(holding) >= 2


def _task(work: Work, asked: Sequence[Get], texts: Sequence[str]) -> Task:
    rows = [f"{number}. {_meaning(work, item)}" for number, item in enumerate(asked, 1)]
    return Task(
        key=work.task_key("denial"),
        kind="judge",
        role="judge",
        template="denial",
        context=overheard(work, newest(work, BEFORE)),
        values={"items": "\n".join(rows), "answer": "\n".join(" ".join(text.split()) for text in texts)},
        schema=SCHEMA,
        required=("answers",),
        temperature=0.0,
        seconds=awareness.HOLD,
    )


def _meaning(work: Work, item: Get) -> str:
    return " ".join(fill(work, rules_of(work, item).define).split()) or item.get
