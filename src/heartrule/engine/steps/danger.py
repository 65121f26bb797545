"""What danger is heard in the words: by rules at once, by rules and model once it has judged; rules only raise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from heartrule.engine import takeover_end
from heartrule.engine.awareness import awareness, crisis, directives
from heartrule.engine.repair import late_words
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import Noticed
from heartrule.engine.session.state import Cause
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.steps.case import Case
from heartrule.engine.steps.effects import Alarm
from heartrule.engine.steps.receive import read_as
from heartrule.engine.work import SAFETY, Work

AGAIN = timedelta(minutes=1)
"""How long explicit words tell those on duty nothing that they have not just been told."""


def screen(case: Case) -> Case:
    """Rules and classifier read the words, rules with what was said in pieces just before."""
    work, text = case.work, case.words.text
    ruled = takeover_end.add_told_to_human(list(case.danger.told), awareness.heard(work, text, case.words.before))
    return read_as(replace(case, danger=replace(case.danger, ruled=ruled)), text)


def weigh(case: Case, risk: Task | None, answers: Mapping[str, Answer]) -> Case:
    """What rules and model find, as far as it must act now. ``risk``: what the model was asked about it."""
    ruled = list(case.danger.ruled)
    judged = awareness.with_model(ruled, answers.get(risk.key)) if risk else ruled
    found = urgent(case.work, awareness.weighed(case.work, judged, case.words.said))
    return replace(case, danger=replace(case.danger, found=found))


def urgent(work: Work, verdicts: list[Verdict]) -> list[Verdict]:
    """Record all verdicts; those that must act now. A grave one leaves no room for a gentle question."""
    acting = [verdict for verdict, now in awareness.acting(work, verdicts) if now]
    grave = [verdict for verdict in acting if verdict.verdict == "yes"]
    return grave if takes(work, grave) else acting


def takes(work: Work, verdicts: list[Verdict]) -> bool:
    """Whether something else comes than the reply to what was said."""
    return any(
        directives.takes_the_floor(work, verdict) and not gives_way(work, verdict, verdicts) for verdict in verdicts
    )


def comes_first(work: Work, verdicts: list[Verdict]) -> bool:
    """Whether a hit among them comes before everything else."""
    return any(verdict.verdict == "yes" for verdict in verdicts) and takes(work, verdicts)


def gives_way(work: Work, verdict: Verdict, verdicts: list[Verdict]) -> bool:
    """Nothing comes between a person in danger and the crisis technique."""
    if is_safety(verdict) or not directives.wants_the_floor(verdict):
        return False
    if verdict.node.priority != "P0" and any(
        other.node.priority == "P0" and directives.takes_the_floor(work, other) for other in verdicts
    ):
        return True
    return crisis.runs(work) or any(is_safety(other) and directives.takes_the_floor(work, other) for other in verdicts)


def is_safety(verdict: Verdict) -> bool:
    return verdict.ref.partition("/")[0] == SAFETY


def call_again(work: Work) -> None:
    """Those on duty were told once, and may have looked and gone: explicit words since then are told them too, whatever
    is done about them here. What a model leads a talk about is no news; nobody is told twice within a minute."""
    called = work.state.handled.called
    if called is None or work.world.now - called < AGAIN or crisis.explores(work):
        return
    said = (
        each for each in work.events if isinstance(each, Noticed) and (each.verdict, each.source) == ("yes", "rules")
    )
    first = next((each.awareness for each in said if _is_of_words(work, each.awareness)), None)
    if first is not None:
        directives.escalate(work, "desk", work.spoken("alarm_again", 0), f"awareness {first} yes")


def _is_of_words(work: Work, ref: str) -> bool:
    """Whether it hears danger in words, as P0 does; others of the project look at how far the technique has come."""
    node = work.world.script.awareness.get(ref)
    return node is not None and node.priority == "P0"


def carry_out(work: Work, verdicts: list[Verdict]) -> None:
    if takes(work, verdicts):
        late_words.put_aside(work)
    waiting = [(verdict, gives_way(work, verdict, verdicts)) for verdict in verdicts]
    for verdict, yields in waiting:
        if yields:
            directives.give_way(work, verdict)
        else:
            directives.carry_out(work, verdict)
        if work.state.ended:
            return


def alarm(work: Work, raised: Alarm, verdicts: list[Verdict]) -> list[Verdict]:
    """A variable marked ``risk`` was answered with yes, or not clearly: the crisis technique comes before everything
    else, or the numbers. What is left of what was urgent."""
    crisis.call(work, Cause(kind="risk variable of", ref=raised.whose), raised.text, near=raised.near)
    return [verdict for verdict in verdicts if not directives.wants_the_floor(verdict)]
