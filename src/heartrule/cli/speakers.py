"""Who says what, in the words of the command line."""

from __future__ import annotations

from heartrule.cli.safe_text import shown
from heartrule.cli.words import Words
from heartrule.store.records import MessageRecord


def speaker_of(message: MessageRecord, ai: str, words: Words) -> str:
    """The name that stands before what somebody else than the person says; a human's is said to be one."""
    if message.sender == "human":
        return words("human", name=shown(str(message.metadata.get("name", ""))))
    return words("note") if message.sender == "system" else ai
