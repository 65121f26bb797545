"""Words of a reply that is still being written: shown sentence by sentence as soon as what it decides is known."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from heartrule.engine.io import Rest
from heartrule.engine.tasks import Answer
from heartrule.engine.work import Work

Waiting = Generator[Rest, Mapping[str, Answer], Answer | None]


def whole(
    work: Work, answer: Answer | None, *, shown: bool = True, statement: bool = False, risk: bool = False
) -> Waiting:
    """The whole answer. Of one that is still being written, the rest is waited for and, where ``shown``, released as
    the next message on the way. ``statement``: only up to a sentence that asks something. ``risk``: what was answered
    may call the crisis technique, which then comes in place of these words."""
    if answer is None or answer.status != "speaking":
        return answer
    number = None if work.silent or risk or not shown else work.state.messages + 1
    rest = Rest(answer.key, number, statement=statement)
    return (yield rest)[answer.key]
