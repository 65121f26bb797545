"""Whose words are these? Tried from above; the first row that holds claims them, and a row further down never looks
past one above it.

Some rows can be told by rules at once, others only when a model has judged the danger, or has answered for the question
that the words belong to. So the table is gone through more than once in a turn: a claim stands unless a row above it
holds by then. A special case is a row here, or a trait that an action type declares: never an ``if`` in another row's
step.
"""

from __future__ import annotations

from dataclasses import replace

from heartrule.engine.awareness import awareness, directives
from heartrule.engine.extraction import choice_match
from heartrule.engine.repair import conflict_question, questions_back, remarks, taken_back
from heartrule.engine.repair.conflict_question import Reply
from heartrule.engine.steps import danger, first_words, no_answer, outcomes
from heartrule.engine.steps.case import Case, Found, Known, Row
from heartrule.engine.steps.receive import read_as


def _counsellor(case: Case) -> bool:
    return case.work.state.human is not None


def _explicit(case: Case) -> bool:
    ruled = list(case.danger.ruled)
    return case.danger.is_grave and danger.takes(case.work, awareness.pressing(case.work, ruled))


def _judged(case: Case) -> bool:
    return danger.comes_first(case.work, case.danger.found)


def _which_counts(case: Case) -> Reply | None:
    return None if case.is_late or case.first else conflict_question.reply(case.work, case.words.heard)


def _beside_which_counts(case: Case, found: Found) -> Case | None:
    if not isinstance(found, Reply) or found.is_all:
        return None
    return read_as(replace(case, chosen=found), found.rest)


def _calls(case: Case) -> bool:
    return no_answer.how(case) == "called"


def _cries(case: Case) -> bool:
    return no_answer.how(case) != ""


def _safety_speaks(case: Case) -> bool:
    if case.danger.alarms or case.is_crisis_answer or (case.work.led and case.is_read):
        return False
    mild = [each for each in case.danger.found if danger.is_safety(each) and each.node.priority != "P0"]
    return any(directives.takes_the_floor(case.work, each) for each in mild)


def _comes_with_danger(case: Case) -> bool:
    return case.danger.is_grave or danger.takes(case.work, case.danger.found)


def _behind_a_human(case: Case) -> bool:
    return case.first and not case.is_late and case.words.choice is None and not first_words.are_for_us(case)


def _control(case: Case) -> str | None:
    return _remark(case) if case.words.repair is not None else None


def _choice(case: Case) -> bool:
    frame = case.work.frame
    choices = frame.wait.choices if frame.wait is not None else ()
    return case.words.choice is not None or choice_match.picked(case.work, case.words.text, choices) is not None


def _asked_back(case: Case) -> str | None:
    return questions_back.kind_of(case.work, case.waiting, case.words.heard, case.reply) if case.waiting else None


def _correction(case: Case) -> Found:
    return taken_back.taken_back_in(case.work, case.waiting, case.words.heard, case.reply) if case.waiting else None


def _remark(case: Case) -> str | None:
    return remarks.kind_of(case.work, case.waiting, case.words.heard, case.reply) if case.waiting else None


CLAIMS = (
    Row(
        "a human speaks",
        "arrived",
        _counsellor,
        outcomes.to_the_counsellor,
        "While a counsellor holds the session its words are theirs to answer; danger in them only alarms.",
    ),
    Row(
        "danger",
        "screened",
        _explicit,
        outcomes.interrupt_at_once,
        "Explicit danger is met at once, by rules, whatever was asked: no model is waited for.",
    ),
    Row(
        "danger, judged",
        "weighed",
        _judged,
        outcomes.interrupt,
        "So is what a model judges to be danger, before anything is taken from the words.",
    ),
    Row(
        "confirmation",
        "screened",
        _which_counts,
        outcomes.choose_the_value,
        "Which of two values counts was asked last, and is answered by the words that plainly say so.",
        asks="safety",
        leaves=_beside_which_counts,
    ),
    Row(
        "asks for a human, or for what a script listens for",
        "answered",
        _calls,
        outcomes.call,
        "Who calls for something by words that rules know is given it, and a call is no answer.",
    ),
    Row(
        "a cry",
        "answered",
        _cries,
        outcomes.take_up_gently,
        "Where nobody but rules reads them, words of danger that answer nothing are never kept for an answer.",
    ),
    Row(
        "the safety project has a word",
        "answered",
        _safety_speaks,
        outcomes.interrupt,
        "What the safety project answers by itself is no answer to its fixed question; a model that leads reads both.",
    ),
    Row(
        "late",
        "screened",
        lambda case: case.is_late,
        outcomes.to_the_earlier_question,
        "Who had not seen the question that waits was answering the one that they had seen.",
        asks="earlier",
    ),
    Row(
        "the question has gone",
        "answered",
        lambda case: case.waiting is None,
        outcomes.go_on_without,
        "A script that was moved to another version may no longer have the action that waits.",
    ),
    Row(
        "the first behind a human",
        "answered",
        _behind_a_human,
        first_words.take_up,
        "Nothing was asked since the human left: only what is surely an answer is one, and the question is put again.",
    ),
    Row(
        "crisis answer, or an answer beside something urgent",
        "answered",
        _comes_with_danger,
        outcomes.to_the_waiting_action,
        "Nobody in danger is put off by how they say it: the action takes what it can, then comes what is urgent.",
    ),
    Row(
        "control",
        "answered",
        _control,
        outcomes.explain,
        "What repeats, explains or stops at a choice, a form or a line to press is answered where it was said.",
    ),
    Row(
        "command or refusal",
        "answered",
        lambda case: case.words.repair is not None,
        outcomes.to_the_waiting_action,
        "Nothing but skip, repeat, stop, not knowing: the action knows what each means for its question.",
    ),
    Row(
        "question back",
        "answered",
        _asked_back,
        outcomes.answer_back,
        "A question is no answer: without a model it has a line of its own, and ours is put again.",
    ),
    Row(
        "correction",
        "answered",
        _correction,
        outcomes.put_right,
        "Who takes back what they said before is not answering what waits.",
    ),
    Row(
        "choice",
        "answered",
        _choice,
        outcomes.to_the_waiting_action,
        "One of those that the action offers, picked or named.",
    ),
    Row(
        "remark",
        "answered",
        _remark,
        outcomes.explain,
        "What is said about the conversation itself is no content of it.",
    ),
    Row(
        "answer",
        "screened",
        lambda case: True,
        outcomes.to_the_waiting_action,
        "Everything else answers the question that waits.",
        asks="waiting",
    ),
)


def claimed(case: Case, known: Known) -> Case:
    """The case with the row that claims its words, as far as that can be told by now. The claim that stands already is
    only overtaken by a row above it; the words are what that row claims of them."""
    for row in CLAIMS:
        if row is case.claim:
            return case
        if row.known != known or not (found := row.holds(case)):
            continue
        left = row.leaves(case, found) if row.leaves is not None else None
        if left is None:
            return replace(case, claim=row, found=found)
        case = left
    return case
