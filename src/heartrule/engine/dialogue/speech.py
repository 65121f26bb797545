"""Words of a reply that is still being written: shown sentence by sentence as soon as what it decides is known."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace

from heartrule.engine.session.events import Blocked
from heartrule.engine.session.io import Rest
from heartrule.engine.session.tasks import Answer
from heartrule.engine.work import Work

Waiting = Generator[Rest, Mapping[str, Answer], Answer | None]


def whole(
    work: Work, answer: Answer | None, *, shown: bool = True, statement: bool = False, risk: bool = False
) -> Waiting:
    """The whole answer. Of one that is still being written, the rest is waited for and, where ``shown``, released as
    the next message on the way. ``statement``: only up to a sentence that asks something. ``risk``: what was answered
    may call the crisis technique, which then comes in place of these words: nobody waits for them, nor where something
    else is more urgent."""
    if answer is not None and answer.data is not None and (work.flags.silent or risk):
        data = {name: value for name, value in answer.data.items() if name not in UNHEARD}
        return replace(answer, status="answered", data=data)
    if answer is not None and answer.status == "speaking":
        number = work.state.messages + 1 if shown else None
        answer = (yield Rest(answer.key, number, statement=statement))[answer.key]
    for attempt in answer.attempts if answer is not None else ():
        if attempt.code.startswith(HELD_BACK):
            work.emit(Blocked(action=work.frame.id, check=attempt.code.partition(":")[2], reason=attempt.cause))
    return answer


UNHEARD = ("content", "metrics", "BRIEF")
"""What an answer says at its end, and is passed over where its words are."""
HELD_BACK = ("check:", "cut:")
"""How the codes of attempts begin whose words were not shown, or not all of them."""
