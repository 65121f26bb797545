"""The words come in: written down, and whether they are nothing but a phrase that mends the conversation."""

from __future__ import annotations

import re
from dataclasses import replace

from heartrule import readers
from heartrule.engine import flow
from heartrule.engine.actions import registry
from heartrule.engine.io import Input
from heartrule.engine.steps.case import Case, Words
from heartrule.engine.understanding import extraction, late
from heartrule.engine.watching import lookout, pending, pieces
from heartrule.engine.work import Work

_CLAUSES = re.compile(r"[，,。.！!？?；;、\n]+")


def arrive(work: Work, given: Input) -> Case:
    """What came and what waits, before anything is read or written down. Who says "stop" to an exercise is never too
    late: the waiting action may take words whatever their sender had seen."""
    texts, action = tuple(words.text for words in given.words), flow.present_action(work)
    text = "\n".join(texts)
    takes = action is not None and registry()[action.type].takes(work, action, text)
    is_late = late.is_late(work, given.after) and not takes
    earlier = late.belonging(work, given.after) if is_late else None
    words = Words(text, text, texts, after=given.after, late=is_late, earlier=earlier)
    return Case(work, words, waiting=action)


def receive(case: Case) -> Case:
    """The person's messages are written down, whatever comes of them."""
    work, words = case.work, case.words
    work.state.heard += 1
    pending.forget(work)
    lookout.begin(work, words.said, heard=True)
    before = pieces.before(work, words.said, words.after)
    numbers = [work.receive(text) for text in words.messages]
    return replace(case, words=replace(words, numbers=numbers, before=before))


def read_as(case: Case, text: str) -> Case:
    """The case of these words, with the repair phrase that they are. What an output's own rules read is none of not
    knowing."""
    repair = repair_in(text, case.work.world.script.locale)
    if repair == "unknown" and not case.is_late and extraction.reads(case.work, case.waiting, text):
        repair = None
    return replace(case, words=replace(case.words, text=text, repair=repair))


def repair_in(text: str, locale: str) -> str | None:
    """The repair phrase that the words are; of several in a row the first."""
    whole = readers.repair(text, locale)
    if whole is not None:
        return whole
    first, *others = [part for part in _CLAUSES.split(text) if part.strip()] or [""]
    found = readers.repair(first, locale) if others else None
    return found if found and all(readers.repair(part, locale) for part in others) else None
