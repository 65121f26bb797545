"""How somebody talks, as far as what is said to them should be shorter for it. Measured by code over the whole talk:
one short answer is what a short question gets. An ordinary manner says nothing and costs no token."""

from __future__ import annotations

import re
from statistics import median

from heartrule.engine.work import Work

LEAST = 4
"""Answers before a manner shows."""
FEW = 12
"""Chinese characters of the median answer of somebody of few words; letters and digits of an English one count for a
third."""
WIDER = 3
_SIGNS = re.compile(r"[\W_]+")


def prompt_line(work: Work) -> str:
    """What prompts say of it; empty where there is nothing to say."""
    return work.spoken("manner_few", 0) if is_of_few_words(work) else ""


def is_of_few_words(work: Work) -> bool:
    """Whether half of the person's turns are short. What was sent in a row is one turn."""
    sizes: list[float] = []
    before = ""
    for message in work.transcript():
        if message.sender == "person" and message.content_type == "text" and not message.withheld:
            size = size_of(message.text)
            if before == "person":
                sizes[-1] += size
            else:
                sizes.append(size)
            before = "person"
        elif message.sender != "person":
            before = message.sender
    return len(sizes) >= LEAST and median(sizes) <= FEW


def size_of(text: str) -> float:
    """Its length in Chinese characters."""
    said = _SIGNS.sub("", text)
    wide = len(said) - len(said.encode("ascii", "ignore"))
    return wide + (len(said) - wide) / WIDER
