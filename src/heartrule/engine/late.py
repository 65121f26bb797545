"""Words that were sent before their sender had seen the present question: added to the answer they belong to, never
taken for an answer to the question that came after."""

from __future__ import annotations

from collections.abc import Sequence

from heartrule.engine import scopes
from heartrule.engine.actions.base import Heard
from heartrule.engine.asking import values_schema
from heartrule.engine.events import LateWords
from heartrule.engine.extraction import commit, described, extract
from heartrule.engine.prompting import shared
from heartrule.engine.state import Asked
from heartrule.engine.tasks import Answer, Task
from heartrule.engine.work import Work, topic_of
from heartrule.language.nodes import Get, Set, Steps

KEPT = 3
"""Answered questions that are remembered for words still on their way."""


def is_late(work: Work, after: int | None) -> bool:
    """Whether a sender who had seen messages up to ``after`` cannot have seen the present question."""
    frame = work.state.running.action if work.state.running else None
    return after is not None and frame is not None and frame.wait is not None and after < frame.asked


def note(work: Work, text: str) -> None:
    """Remember that the present question has been answered with these words."""
    frame, topic = work.frame, work.running
    work.state.asked.append(
        Asked(
            message=frame.asked,
            topic=topic.key,
            kind=topic.kind,
            ref=topic.ref,
            index=frame.index,
            action=frame.id,
            texts=[text],
        )
    )
    del work.state.asked[:-KEPT]


def belonging(work: Work, after: int | None) -> Asked | None:
    """The answered question that the sender had before their eyes."""
    seen = [asked for asked in work.state.asked if after is not None and asked.message <= after]
    return seen[-1] if seen else None


def outputs(work: Work, asked: Asked) -> list[Get | Set]:
    """What that question was to find out, as far as it can still be written where it belongs."""
    body: Steps | None = None
    if asked.kind == "skill":
        body = work.world.script.skills.get(asked.ref)
    elif work.state.phase is not None:
        body = topic_of(work.phase, asked.ref)
    if body is None or asked.index >= len(body.actions):
        return []
    alive = work.state.running is not None and work.state.running.key == asked.topic
    wanted: list[Get | Set] = []
    for item in getattr(body.actions[asked.index], "output", []):
        if isinstance(item, Get) and (alive or scopes.definition(work, item.get)[0][0] in ("session", "global")):
            wanted.append(item)
    return wanted


def question(work: Work, asked: Asked, text: str) -> Task | None:
    """The extraction is made again over the whole answer."""
    wanted = outputs(work, asked)
    if not work.model or not wanted:
        return None
    return Task(
        key=work.task_key("late"),
        kind="extract",
        role="understand",
        template="ask",
        context=shared(work),
        values={
            "question": "",
            "outputs": described(work, wanted),
            "known": "",
            "current_round": "1",
            "max_rounds": "1",
        },
        schema={
            "type": "object",
            "properties": {"understood": {"type": "boolean"}, "values": values_schema(work, wanted)},
            "required": ["understood", "values"],
        },
        required=("understood",),
    )


def append(work: Work, asked: Asked | None, text: str, numbers: Sequence[int], answer: Answer | None) -> None:
    """Add the words to their answer and extract again; without such an answer they only stay in the transcript."""
    if asked is None:
        work.emit(LateWords(messages=list(numbers), outcome="kept"))
        return
    asked.texts.append(text)
    del asked.texts[:-8]
    wanted = outputs(work, asked)
    whole = "\n".join(asked.texts)
    found = extract(work, wanted, Heard(text=whole), answer, asked.texts, {})
    commit(work, wanted, found)
    work.emit(LateWords(action=asked.action, messages=list(numbers), outcome="appended" if found.found else "kept"))
