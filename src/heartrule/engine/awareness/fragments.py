"""What somebody has just written, where it may be the beginning of what comes now (我想自 – 杀)."""

from __future__ import annotations

import re
from datetime import timedelta

from heartrule.engine.awareness import awareness
from heartrule.engine.session.io import Message
from heartrule.engine.work import Work

BETWEEN = timedelta(seconds=90)
"""The longest pause within what is written in pieces."""
WIDEST = 8
"""Chinese characters of one piece at most, or three times as many Latin ones."""
_ENDS = re.compile(r"(?:[。！？!?.~～]|[吗呢吧啦嘛])\s*$")
"""How a sentence ends that nothing follows."""
MOST = 3
"""Pieces before the newest."""


def before(work: Work, text: str, after: int | None) -> str:
    """The person's last messages, where they and the newest (``text``, which is not in the transcript yet) are short
    and came one upon the other, or were sent without having seen what was said to them (``after``). Words that tell of
    danger by themselves have been heard, and begin nothing."""
    found: list[str] = []
    at, latin = work.world.now, text.isascii()
    for message in reversed(work.transcript()) if is_piece(text) else ():
        if message.sender != "person":
            continue
        unseen = after is not None and message.number > after
        if not _goes_on(work, message) or message.text.isascii() != latin or not (unseen or at - message.at <= BETWEEN):
            break
        found.append(message.text)
        at = message.at
        if len(found) == MOST:
            break
    return "\n".join(reversed(found))


def _goes_on(work: Work, message: Message) -> bool:
    kept = message.withheld and work.state.human is None  # while a human holds the session all words are kept from it
    if message.content_type != "text" or kept or not is_piece(message.text) or _ENDS.search(message.text):
        return False
    return all(verdict.verdict == "no" for verdict in awareness.by_rules(work, message.text))


def is_piece(text: str) -> bool:
    """Whether it is short enough to be one."""
    bare = text.strip()
    if len(bare) > WIDEST * 3:
        return False
    width = sum(1 if character.isascii() else 3 for character in bare)
    return 0 < width <= WIDEST * 3
