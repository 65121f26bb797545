"""A person's words in one turn: step by step, each in a file of ``steps``. Whose they are is a table there."""

from __future__ import annotations

from heartrule.engine import flow
from heartrule.engine.calling.prompting import fill
from heartrule.engine.flow import Flow
from heartrule.engine.io import Input
from heartrule.engine.steps import danger, questions
from heartrule.engine.steps.case import Case, Words
from heartrule.engine.steps.claims import claimed
from heartrule.engine.steps.receive import arrive, receive
from heartrule.engine.understanding import late, late_choice, settling
from heartrule.engine.watching import awareness, crisis, lookout
from heartrule.engine.work import Work


def hear(work: Work, given: Input) -> Flow:
    """One answer (a message or a burst of them) from the person."""
    case = claimed(arrive(work, given), "arrived")
    if case.claim is None:
        case = claimed(danger.screen(receive(case)), "screened")
    if case.asks != "nothing":
        asked = questions.ask(case)
        answers = (yield asked.tasks) if asked.tasks else {}
        case = claimed(danger.weigh(case, asked.risk, answers), "weighed")
        if case.asks != "nothing":
            case = claimed((yield from questions.read(case, asked, answers)), "answered")
    yield from case.become()


def choose(work: Work, given: Input) -> Flow:
    """A choice was picked, or a suggested line pressed."""
    frame = work.state.running.action if work.state.running else None
    wait = frame.wait if frame else None
    label = next((c.label for c in wait.choices if c.value == given.choice), None) if wait else None
    if wait is None or label is None or late.is_late(work, given.after):
        whose = late_choice.take(work, given.after, given.choice)
        if whose is not None and not crisis.runs(work):
            late.put_aside(work)
            danger.alarm(work, whose, "", [])
        yield from flow.run_on(work)
        return
    lookout.begin(work)
    settling.settle(work, None)
    work.receive(label, choice=True)
    case = Case(work, Words(label, label, choice=given.choice), waiting=flow.present_action(work))
    yield from claimed(case, "answered").become()


def after_the_end(work: Work, given: Input) -> None:
    """Words that were on their way when the session ended: kept, and where they speak of danger, whom to call."""
    for words in given.words:
        work.receive(words.text)
    ruled = awareness.by_rules(work, "\n".join(words.text for words in given.words))
    acting = list(awareness.acting(work, ruled))
    if any(verdict.verdict == "yes" for verdict, _ in acting):
        work.tell(fill(work, "{%crisis_contacts%}", to_person=True))
