"""The words come in: written down, and whether they are nothing but a phrase that mends the conversation."""

from __future__ import annotations

import re
from dataclasses import replace

from heartrule import parsing
from heartrule.engine import flow, takeover_end
from heartrule.engine.action_types import registry
from heartrule.engine.awareness import fragments, hook_judgements, pending_notices
from heartrule.engine.extraction import extraction
from heartrule.engine.memory import retrieval
from heartrule.engine.repair import late_words
from heartrule.engine.session.io import Input
from heartrule.engine.steps.case import Case, Words
from heartrule.engine.work import Work

_CLAUSES = re.compile(r"[，,。.！!？?；;、\n]+")


def arrive(work: Work, given: Input) -> Case:
    """What came and what waits, before anything is read or written down. Who says "stop" to an exercise is never too
    late: the waiting action may take words whatever their sender had seen."""
    texts, action = tuple(words.text for words in given.words), flow.present_action(work)
    text = "\n".join(texts)
    takes = action is not None and registry()[action.type].takes(work, action, text)
    is_late = late_words.is_late(work.state, given.after) and not takes
    earlier = late_words.belonging(work.state, given.after) if is_late else None
    words = Words(text, text, texts, after=given.after, late=is_late, earlier=earlier)
    return Case(work, words, waiting=action, first=work.state.quiet is not None)


def receive(case: Case) -> Case:
    """The person's messages are written down, whatever comes of them."""
    work, words = case.work, case.words
    work.state.heard += 1
    pending_notices.forget(work)
    hook_judgements.lookout_of(work.findings, words.said, heard=True)
    before = fragments.before(work, words.said, words.after)
    numbers = [work.receive(text) for text in words.messages]
    retrieval.mentioned(work, words.said)
    told = takeover_end.come_back(work)
    return replace(case, words=replace(words, numbers=numbers, before=before), danger=replace(case.danger, told=told))


def read_as(case: Case, text: str) -> Case:
    """The case of these words, with the repair phrase that they are. What an output's own rules read is none of not
    knowing."""
    repair = repair_in(text, case.work.world.script.locale)
    if repair == "unknown" and not case.is_late and extraction.reads(case.work, case.waiting, text):
        repair = None
    return replace(case, words=replace(case.words, text=text, repair=repair))


def repair_in(text: str, locale: str) -> str | None:
    """The repair phrase that the words are; of several in a row the first."""
    whole = parsing.repair(text, locale)
    if whole is not None:
        return whole
    first, *others = [part for part in _CLAUSES.split(text) if part.strip()] or [""]
    found = parsing.repair(first, locale) if others else None
    return found if found and all(parsing.repair(part, locale) for part in others) else None
