"""What of the conversation is shown to whoever only listens in: the judgement of danger, and perception.

All that the person said stays; of what was said to them they are shown the question that was answered. What once stood
there is never changed, so that one turn's prompt begins with that of the turn before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from heartrule.engine.session.io import Message
from heartrule.engine.session.tasks import Context, Line
from heartrule.engine.tasks.prompt_context import shared, shown
from heartrule.engine.work import Work
from heartrule.locales import is_chinese

ASKED = 60
"""Chinese characters of the words before an answer, at most, from their end; English ones three times as many."""
WIDER = 3
SHORT = 5
"""A question shorter than this part of it (你有过吗？) is shown with the sentence before it."""
_QUESTION = re.compile("[?？]")
_ENDS = re.compile(r"(?:[。！？!?…\n]|\.(?=\s))+[”’」』）)\"']*\s*")


def newest(work: Work, least: int) -> list[Message]:
    """The last messages that prompts show, ``least`` or more of them: old ones leave in blocks of as many."""
    messages = shown(work)
    start = max(0, messages[-1].number - least) // least * least if messages else 0
    return [message for message in messages if message.number > start]


def overheard(work: Work, messages: Sequence[Message] | None = None) -> Context:
    """The context of these ``messages``, the last ones that prompts show; None: of all that they show."""
    context = shared(work)
    seen = context.history if messages is None else context.history[len(context.history) - len(messages) :]
    size = ASKED if is_chinese(context.locale) else ASKED * WIDER
    return replace(context, history=tuple(_lines(seen, size)))


def _lines(seen: Sequence[Line], size: int) -> Iterator[Line]:
    for speaker, group in groupby(seen, key=lambda line: line.speaker):
        if speaker == "ai":
            yield Line(speaker, asked("\n".join(line.text.strip() for line in group), size))
        else:
            yield from group


def asked(text: str, size: int) -> str:
    """The last ``size`` characters of what was said, from a sentence's beginning where there is one; of these, from the
    first sentence that asks, or from the one before where the question alone is too short to say what it is about."""
    if len(text) > size:
        text = text[-size:]
        ends = _ENDS.search(text)
        text = text[ends.end() :] if ends and ends.end() < len(text) else text
    asks = _QUESTION.search(text)
    if asks is None:
        return text
    begins = [0, *(ends.end() for ends in _ENDS.finditer(text, 0, asks.start()))]
    short = asks.start() - begins[-1] < size / SHORT
    return text[begins[-2 if short and len(begins) > 1 else -1] :]
