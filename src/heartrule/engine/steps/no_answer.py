"""Words by which rules call something else, while no model can tell whether there is an answer in them as well: stored
whole, a cry would become a name. Not so of what is read strictly: a choice, asking back, and whatever answers a
question about risk; nor for ever, unless they mean nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from heartrule.engine.awareness import directives, hook_judgements
from heartrule.engine.extraction import beside_danger
from heartrule.engine.repair import late_words, questions_back
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.steps import danger
from heartrule.engine.steps.case import Case
from heartrule.engine.variables import dependencies
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.parsing.remarks import remark

How = Literal["called", "cried", "told", "cried out", ""]
WITHHELD: dict[How, int] = {"called": 2, "cried": 1, "told": 1, "cried out": 3}
"""Times that words are withheld from one question for what they call, or would have called; the next are its answer.
``told``: a script of P0 heard danger in them; ``cried out``: and they are nothing beside it."""
TOLD = ("told", "cried out")


class Withheld(ActionState):
    """How often words were withheld from ``question``, by why."""

    section: ClassVar[str] = "withheld"

    question: str = Field(default="", repr=False)
    times: dict[str, int] = {}


def how(case: Case) -> How:
    """How the words are no answer; empty: they may be one. What has made a variable marked ``risk`` a yes is one."""
    understood = case.is_read if case.reply is not None else case.own is None and case.work.model
    if understood or case.words.repair is not None or case.danger.alarms or case.is_crisis_answer:
        return ""
    found = _how(case)
    if not found or (_may_answer_earlier(case, found) if _earlier(case) else _may_answer(case, found)):
        return ""
    return found


def withhold(case: Case, found: How) -> None:
    """Count it on the question that waits."""
    running = case.work.state.running
    frame = running.action if running is not None else None
    if frame is not None and not case.is_late:
        times = _withheld(case.work)
        state = Withheld.of(frame)
        state.question, state.times = frame.question, times | {found: times.get(found, 0) + 1}


def _earlier(case: Case) -> bool:
    return case.is_late and case.words.earlier is not None


def _may_answer_earlier(case: Case, found: How) -> bool:
    work, asked = case.work, case.words.earlier
    if asked is None:
        return False
    return late_words.about_risk(work, asked) or _keeps(case, found, late_words.wanted(work, asked), "")


def _may_answer(case: Case, found: How) -> bool:
    """Whether the question that waits takes them all the same."""
    work, action, running = case.work, case.waiting, case.work.state.running
    wait = running.action.wait if running is not None and running.action is not None else None
    if action is None or wait is None or (wait.choices and wait.kind != "press"):
        return True
    if wait.choices and questions_back.is_an_answer(work, action, case.words.text):
        return True
    output = action.peek("output") or []
    wanted = [(item.get, dependencies.rules_of(work, item)) for item in gets(output)]
    question = work.frame.question
    if late_words.concerns_risk(work, output) or _keeps(case, found, wanted, question):
        return True
    return _withheld(work).get(found, 0) >= WITHHELD[found] and remark(case.words.text) is None


def _how(case: Case) -> How:
    """What the words are instead of an answer."""
    work = case.work
    if any(_called(work, verdict, case.danger.found) for verdict in case.danger.found):
        return "called"
    if case.in_safety:
        return ""
    if work.findings.lookout is not None and work.findings.lookout.cried:
        return "cried"
    told = _danger_words(work, case.danger.ruled)
    if not told:
        return ""
    return "told" if beside_danger.rest(hook_judgements.lookout_of(work.findings).text, told) else "cried out"


def _called(work: Work, verdict: Verdict, verdicts: list[Verdict]) -> bool:
    """Whether rules heard it in these words, and it takes the floor. An expression is not about the words."""
    heard = verdict.node.priority == "P1" and verdict.source == "rules" and verdict.node.noticing is not None
    return heard and directives.takes_the_floor(work, verdict) and not danger.gives_way(work, verdict, verdicts)


def _danger_words(work: Work, ruled: Sequence[Verdict]) -> list[str | None]:
    """The words in which rules of P0 have heard danger that comes before the reply. A script that never acts at once
    is about no danger."""
    heard = [verdict for verdict in ruled if verdict.verdict != "no" and verdict.node.then]
    told = [verdict for verdict in heard if directives.takes_the_floor(work, verdict)]
    return [verdict.evidence for verdict in told]


def _keeps(case: Case, found: How, wanted: list[beside_danger.Wanted], question: str) -> bool:
    """Whether words of danger may be the answer to what was asked all the same."""
    rest = beside_danger.rest(case.words.text, _danger_words(case.work, case.danger.ruled))
    return found in TOLD and beside_danger.may_answer(case.work.world, wanted, question, rest)


def _withheld(work: Work) -> dict[str, int]:
    """How often words were withheld from the question that waits, by why."""
    state = Withheld.of(work.frame)
    return state.times if state.question == work.frame.question else {}
