"""Words sent to an answered question before the next one was seen, which put that answer right (不对，是31): the later
one counts, is recorded as a correction and said back. What only adds to the answer is left to ``late_words``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from heartrule.engine.repair import late_words, taken_back, which_answer
from heartrule.engine.repair.which_answer import EarlierAnswer, TakenBack
from heartrule.engine.session.events import LateWords
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.state import PastQuestion
from heartrule.engine.session.tasks import Answer
from heartrule.engine.work import Work
from heartrule.parsing.corrections import Correction, amends, correction
from heartrule.parsing.yes_no import is_plain

LONG_AFTER = timedelta(minutes=1)
"""What is sent so long after an answer is no more of it."""


def take(
    work: Work, asked: PastQuestion | None, heard: PersonInput, numbers: Sequence[int], answer: Answer | None
) -> tuple[bool, str]:
    """Let the words join their answer, or put it right. Whether a variable marked ``risk`` became true or unclear by
    them; and what is to be said about it."""
    if asked is None or heard.repair is not None:
        return late_words.append(work, asked, heard, numbers, answer)[0], ""
    known = _known(work, asked)
    taken = _another(work, asked, heard) or _taken(work, known, heard, answer)
    if taken is None:
        risky, outcome = late_words.append(work, asked, heard, numbers, answer)
        return risky, _changed(work, asked, known) if outcome != "kept" else _too_late(work, asked, heard)
    taken_back.settle(work, taken)
    outcome = "corrected" if taken.is_put_right else "kept"
    work.emit(LateWords(action=asked.action, messages=list(numbers), outcome=outcome))
    if taken.known is not None:
        late_words.join(asked, heard.text)
    return False, taken.line


def _another(work: Work, asked: PastQuestion, heard: PersonInput) -> TakenBack | None:
    """A second answer to the same question, long after the first, as from another window that still shows it: what was
    said last counts. What comes at once is more of the same answer."""
    known = [EarlierAnswer(item.get, rules, value, asked) for item, rules, value in late_words.told_values(work, asked)]
    if len(known) != 1 or known[0].rules.risk or known[0].rules.confirm_change:
        return None
    mine = known[0]
    if mine.rules.type not in which_answer.TEXT or mine.rules.options:
        return None
    if work.world.now - mine.value.updated_at < LONG_AFTER or heard.text == mine.value.value:
        return None
    return TakenBack(mine, heard.text, heard.text)


def _too_late(work: Work, asked: PastQuestion, heard: PersonInput) -> str:
    """What cannot be put right, because where it was kept has ended, is said."""
    if late_words.names(work, asked):
        return ""
    return work.spoken("correction_too_late", 0) if correction(heard.text) is not None else ""


def _known(work: Work, asked: PastQuestion) -> list[EarlierAnswer]:
    return [
        EarlierAnswer(item.get, rules, value, asked)
        for item, rules, value in late_words.told_values(work, asked)
        if which_answer.can(rules)
    ]


def _taken(work: Work, known: Sequence[EarlierAnswer], heard: PersonInput, answer: Answer | None) -> TakenBack | None:
    """What they put right by rules; None where they are more of the answer, or a model has read them."""
    is_read = answer is not None and answer.data is not None
    if not known or is_read or any(each.rules.risk for each in known):
        return None
    said = correction(heard.text)
    found = which_answer.taken(work, known, said) if said is not None else _bare(work, known, heard.text)
    unmoved = found is not None and found.known is not None and found.value == found.known.value.value
    return None if unmoved else found


def _bare(work: Work, known: Sequence[EarlierAnswer], text: str) -> TakenBack | None:
    """Another value and nothing else: their sender cannot have meant the question that came after. Where a change is to
    be confirmed, that is how it is asked about."""
    known = [each for each in known if not each.rules.confirm_change]
    if len(known) != 1 or (known[0].rules.type in which_answer.TEXT and not known[0].rules.options):
        return None
    if amends(text) is not None or (known[0].rules.type == "boolean" and not is_plain(text)):
        return None
    read = which_answer.reading(work, known[0], Correction("wrong", text, text))
    return None if read is None else TakenBack(known[0], read.value, read.evidence)


def _changed(work: Work, asked: PastQuestion, before: Sequence[EarlierAnswer]) -> str:
    """What is said of a single value that a model has read anew in them."""
    now = {each.name: each.value.value for each in _known(work, asked)}
    moved = [
        now[each.name]
        for each in before
        if each.name in now and now[each.name] != each.value.value and each.rules.type not in which_answer.TEXT
    ]
    return taken_back.corrected(work, moved[0]) if len(moved) == 1 else ""
