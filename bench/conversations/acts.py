"""What a visitor does at a page: the text that they answered it with, read.

Plain text is a message; a line ``---`` ends one and begins another. ``[pick] label`` picks a choice, ``[form]`` and
lines of ``field: answer`` fill in a form, ``[close]`` puts it away, ``[wait]`` says nothing, ``[end]`` leaves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bench.conversations.wording import words

_COMMAND = re.compile(r"\[(pick|form|close|wait|end)\][ \t]*(.*)", re.DOTALL)
_BETWEEN = re.compile(r"^-{3,}[ \t]*$|\n(?=\[(?:end|wait|close)\]\s*\Z)", re.MULTILINE)
"""A line ``---``; what stands on a line of its own behind the last words is no part of them either."""
_ANSWER = re.compile(r"^\s*(.+?)\s*[:：]\s*(.*?)\s*$")


class NotUnderstood(Exception):
    """The text says in the visitor's language what cannot be done."""


@dataclass(frozen=True, slots=True)
class Act:
    """``text``: of a message, or the label of a choice. ``answers``: of a form, by whatever names its fields."""

    kind: Literal["message", "pick", "form", "close", "wait", "end"]
    text: str = ""
    answers: Sequence[tuple[str, str]] = ()


def acts(said: str, locale: str) -> list[Act]:
    """In order; only the last may be another than a message. Raises ``NotUnderstood``."""
    parts = [part.strip() for part in _BETWEEN.split(said)]
    found = [_act(part) for part in parts if part]
    if not found:
        raise NotUnderstood(words(locale, "nothing_said"))
    if any(act.kind != "message" for act in found[:-1]):
        raise NotUnderstood(words(locale, "command_last"))
    return found


def _act(part: str) -> Act:
    command = _COMMAND.fullmatch(part)
    match command and command[1]:
        case "pick":
            return Act("pick", command[2].strip())  # type: ignore[index]
        case "form":
            lines = command[2].splitlines()  # type: ignore[index]
            return Act("form", answers=[(each[1], each[2]) for line in lines if (each := _ANSWER.match(line))])
        case "close":
            return Act("close")
        case "wait":
            return Act("wait")
        case "end":
            return Act("end")
    return Act("message", part)
