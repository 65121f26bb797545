"""How much the person has written lately, as far as a question should be asked otherwise for it. Measured by code; an
ordinary length says nothing and costs no token."""

from __future__ import annotations

from heartrule.engine.tasks.manner import size_of
from heartrule.engine.work import Work
from heartrule.locales import is_chinese

LATELY = 3
"""Answers in a row that must be short before it counts: one short answer is what a short question gets."""
FEW = 4
"""Chinese characters of a short answer."""
MANY = 160
"""Characters from which one answer is long."""


def measured(work: Work) -> str:
    """``few``, ``many``, or nothing where the length is ordinary."""
    told = [m.text for m in work.transcript() if m.sender == "person" and m.content_type == "text" and not m.withheld]
    sizes = [size_of(text) for text in told[-LATELY:]]
    if sizes and sizes[-1] >= MANY:
        return "many"
    return "few" if len(sizes) == LATELY and all(0 < size <= FEW for size in sizes) else ""


def style(work: Work, written: str) -> str:
    """How to ask: what the script says (``written``: open, choice, mixed), and what the person's replies make of it."""
    own = "" if written == "open" else work.spoken(f"styles.{written}", 0)
    length = measured(work)
    told = work.spoken(f"lengths.{length}", 0) if length else ""
    return ("；" if is_chinese(work.world.script.locale) else "; ").join(each for each in (own, told) if each)
