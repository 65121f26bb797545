"""Hook points: the places of a script at which P1 awareness is read and acts. A topic begins or ends; an action of some
type is about to begin, or has ended.

What was foreseen of the hook point counts where it is come to; where nobody foresaw it, the script is asked in the turn
after, or at once where it is ``strict``. Danger goes first: nothing here acts while it is being handled.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence

from heartrule.engine.awareness import alerts, crisis, directives, hook_judgements
from heartrule.engine.awareness.awareness import enabled
from heartrule.engine.extraction import choice_match
from heartrule.engine.scheduling.foresight import ANSWER
from heartrule.engine.session.awareness_results import PutQuestion, Verdict
from heartrule.engine.session.events import Noticed, Unasked
from heartrule.engine.session.foreseen import Foreseen, ForeseenJudgement
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.conditions import JUDGE_SCHEMA, by_number
from heartrule.engine.tasks.prompt_context import shared
from heartrule.engine.variables.evidence import locate
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Awareness

Crossing = Generator[tuple[Task, ...], Mapping[str, Answer], bool]
"""True: something else comes than what would have come behind the hook point."""
NOT_CROSSED, NOT_REACHABLE, NEXT_TURN = "hook point not crossed", "hook point not reachable", "judged next turn"
SAFETY_FIRST, HANDLED, SAID_NOTHING = "safety first", "handled", "nothing was said"
CHOSEN = "a choice was made"


def ended(work: Work) -> None:
    """The running action has ended: its hook point is come to as soon as the turn goes on."""
    frame = work.frame
    work.schedule.crossing = (work.running.key, f"after {frame.type}", frame.index)


def behind(work: Work) -> Crossing:
    """The hook point behind the action that ended last, unless something else runs by now."""
    crossing, work.schedule.crossing = work.schedule.crossing, None
    running = work.state.running
    if crossing is None or running is None or running.key != crossing[0] or running.action is not None:
        return False
    return (yield from crossed(work, crossing[1]))


def crossed(work: Work, hook_point: str) -> Crossing:
    """Read the scripts that watch here, let those act that must, and say whether that takes the turn elsewhere."""
    due = {ref: node for ref, node in enabled(work, "P1").items() if hook_point in hook_judgements.hook_points_of(node)}
    if not due or work.state.running is None:
        return False
    look, running = hook_judgements.lookout_of(work.findings), work.running
    due = _of_safety_alone(work, due)
    place = f"{running.key} {running.next} {running.passes} {hook_point}"
    found: list[Verdict] = []
    unforeseen: dict[str, Awareness] = {}
    for ref, node in due.items():
        why = alerts.resting(work, ref, node)
        if why:
            look.why[ref] = why
        elif alerts.alert_of(work.state, ref).place == place:
            look.why.setdefault(ref, HANDLED)
        elif (verdict := hook_judgements.verdict(work, ref, node)) is not None:
            found.append(verdict)
        else:
            unforeseen[ref] = node
    found += yield from _unforeseen(work, unforeseen, hook_point)
    _act(work, sorted(found, key=lambda each: each.ref), hook_point, place)
    return work.state.ended or work.state.running is not running or running.action is not None


def _of_safety_alone(work: Work, due: dict[str, Awareness]) -> dict[str, Awareness]:
    """While danger is gone through, the safety project's own."""
    if work.running.project != SAFETY and not crisis.runs(work):
        return due
    others = [ref for ref in due if ref.partition("/")[0] != SAFETY]
    hook_judgements.lookout_of(work.findings).why |= dict.fromkeys(others, SAFETY_FIRST)
    return {ref: node for ref, node in due.items() if ref not in others}


def _unforeseen(
    work: Work, scripts: Mapping[str, Awareness], hook_point: str
) -> Generator[tuple[Task, ...], Mapping[str, Answer], list[Verdict]]:
    """Those that are strict are asked now; the others with the next words. There is nothing to ask about before the
    person has said anything."""
    look = hook_judgements.lookout_of(work.findings)
    if not any(message.sender == "person" for message in work.transcript()):
        look.why |= dict.fromkeys(scripts, SAID_NOTHING)
        return []
    asked = [ref for ref, node in scripts.items() if node.strict and work.model]
    for ref in scripts:
        if ref not in asked:
            alerts.owe(work.state, ref, hook_point)
            look.why[ref] = NEXT_TURN
    put = [each for ref in asked for each in hook_judgements.put(work, ref, scripts[ref], (hook_point,))]
    if put:
        yield from _ask(work, put)
    verdicts = [hook_judgements.verdict(work, ref, scripts[ref]) for ref in asked]
    return [verdict for verdict in verdicts if verdict is not None]


def _ask(work: Work, put: Sequence[PutQuestion]) -> Generator[tuple[Task, ...], Mapping[str, Answer], None]:
    """A call of their own, which the turn waits for. A quote has to stand in what the person said."""
    context = shared(work)
    task = Task(
        key=work.task_key("judge"),
        kind="judge",
        role="judge",
        template="judge",
        context=context,
        values={"questions": "\n".join(f"{n}. {each.text}" for n, each in enumerate(put, 1))},
        schema=JUDGE_SCHEMA,
        required=("verdicts",),
        temperature=0.0,
    )
    answer = (yield (task,))[task.key]
    said = "\n".join(line.text for line in context.history if line.speaker == "person")
    given = by_number(answer.data)
    for number, each in enumerate(put, 1):
        holds, confidence, quote = given.get(number, (False, None, None))
        evidence = locate(quote, said) if quote else ""
        held = ForeseenJudgement(confidence or 0.0, evidence or "") if holds else None
        answered = answer.data is not None and evidence is not None
        work.findings.lookout.strict[each.ref, each.judge] = Foreseen(held if answered else None, answered=answered)  # type: ignore[union-attr]


# acting


def _act(work: Work, found: Sequence[Verdict], hook_point: str, place: str) -> None:
    """In the order of their ids; one takes the floor, those after it that would take it too give way."""
    floor = ""
    for verdict in found:
        if work.state.ended:
            return
        rest = _rest(work.state, verdict, floor)
        _record(work, verdict, hook_point, rest)
        if rest or not verdict.directives():
            continue
        taken = directives.carry_out(work, verdict, place)
        floor = floor or (verdict.ref if taken else "")


def _rest(state: State, verdict: Verdict, floor: str) -> str:
    """Why it does not act, or nothing."""
    if verdict.node.noticing is None:
        alerts.holds(state, verdict.ref, verdict.verdict == "yes")
    if verdict.source == "model":
        state.unsure.pop(verdict.ref, None)
    if verdict.verdict in ("yes", "watch") and alerts.status(state, verdict.ref) == "handling":
        return HANDLED
    if verdict.repeat and not verdict.directives():
        return hook_judgements.SAID_ALREADY
    if verdict.verdict == "unknown" and (verdict.ref in state.unsure or not verdict.directives()):
        return verdict.reason or "unknown"
    if floor and directives.wants_the_floor(verdict):
        return directives.GAVE_WAY
    return ""


def answered(work: Work) -> list[Verdict]:
    """The person has said something, and nothing was said to it yet. What leaves the reply as it is is carried out;
    those are returned that would take its place."""
    due = {ref: node for ref, node in enabled(work, "P1").items() if ANSWER in hook_judgements.hook_points_of(node)}
    look = hook_judgements.lookout_of(work.findings)
    waiting: list[Verdict] = []
    if due and work.state.running is not None:
        due = _of_safety_alone(work, due)
    if _is_a_choice(work):
        look.why |= dict.fromkeys(due, CHOSEN)
        return []
    for ref, node in due.items():
        why = alerts.resting(work, ref, node)
        verdict = None if why else hook_judgements.verdict(work, ref, node)
        if why:
            _heard_at_rest(work, ref, node, why)
        if verdict is None:
            look.why.setdefault(ref, why or NOT_REACHABLE)
        elif _would_take_its_place(work, verdict, waiting):
            waiting.append(verdict)
    return waiting


def _would_take_its_place(work: Work, verdict: Verdict, waiting: list[Verdict]) -> bool:
    """Whether what it orders is to come in the place of the reply; what is not is carried out."""
    if directives.takes_the_floor(work, verdict) or (waiting and directives.wants_the_floor(verdict)):
        rest = _rest(work.state, verdict, waiting[0].ref if waiting else "")
        _record(work, verdict, ANSWER, rest)
        return not rest
    _act(work, [verdict], ANSWER, "")
    return False


def _heard_at_rest(work: Work, ref: str, node: Awareness, why: str) -> None:
    """What a script that rests would have acted upon is recorded all the same."""
    heard, look = hook_judgements.heard_at_rest(work.findings, ref, node), hook_judgements.lookout_of(work.findings)
    if heard is not None:
        _record(work, heard, ANSWER, why)
        look.cried = look.cried or (directives.takes_the_floor(work, heard) and _is_all(heard, look.text))


_FILLERS = re.compile(r"[\W_]+|我|真的|现在|又|还是|了|啊|\b(?:i|really|now|again|still|oh|god|yes)\b", re.IGNORECASE)


def _is_all(heard: Verdict, text: str) -> bool:
    """Whether the words hold nothing beside what was heard in them."""
    said, rest = _FILLERS.sub("", text), _FILLERS.sub("", heard.evidence or "")
    return said.casefold() == rest.casefold()


def _is_a_choice(work: Work) -> bool:
    """In the safety project the words of a choice that is offered are the choice, and nothing beside it."""
    wait = work.frame.wait if work.state.running is not None and work.state.running.action is not None else None
    if wait is None or not wait.choices or work.running.project != SAFETY:
        return False
    return choice_match.picked(work, hook_judgements.lookout_of(work.findings).text, wait.choices) is not None


def owed(work: Work) -> list[Verdict]:
    """What was put off from the turn before and is known now: recorded, and carried out where it leaves the reply as it
    is. Those are returned that would take its place."""
    look = hook_judgements.lookout_of(work.findings)
    waiting: list[Verdict] = []
    for ref, node in enabled(work, "P1").items():
        if ref not in look.put or not (hook_points := alerts.alert_of(work.state, ref).owed):
            continue
        verdict = hook_judgements.verdict(work, ref, node)
        if verdict is None:
            continue
        alerts.paid(work.state, ref)
        if crisis.runs(work):
            _record(work, verdict, hook_points[0], SAFETY_FIRST if verdict.directives() else "")
        elif directives.takes_the_floor(work, verdict) or (waiting and directives.wants_the_floor(verdict)):
            rest = _rest(work.state, verdict, waiting[0].ref if waiting else "")
            _record(work, verdict, hook_points[0], rest)
            if not rest:
                waiting.append(verdict)
        else:
            _act(work, [verdict], hook_points[0], "")
    return waiting


def impending(work: Work, *hook_points: str) -> bool:
    """Whether something may act at one of these hook points, which the turn is about to come to."""
    for ref, node in enabled(work, "P1").items():
        if not {*hook_points} & {*hook_judgements.hook_points_of(node)} or alerts.resting(work, ref, node):
            continue
        verdict = hook_judgements.verdict(work, ref, node)
        if node.strict if verdict is None else verdict.directives():
            return True
    return False


# telling


def _record(work: Work, verdict: Verdict, hook_point: str, rest: str) -> None:
    """A record of its own for what was ordered or held back; of the rest the last is told when the turn is over."""
    look = hook_judgements.lookout_of(work.findings)
    if rest and verdict.ref in look.told:
        return
    if verdict.verdict == "no" or (rest and rest not in (directives.GAVE_WAY, HANDLED, SAFETY_FIRST)):
        look.seen[verdict.ref] = (verdict, hook_point, rest)
        return
    look.told.add(verdict.ref)
    work.emit(_noticed(verdict, hook_point, rest))


def _noticed(verdict: Verdict, hook_point: str, rest: str) -> Noticed:
    return Noticed(
        awareness=verdict.ref,
        verdict=verdict.verdict,
        source=verdict.source,
        confidence=verdict.confidence,
        evidence=verdict.evidence,
        reason=verdict.reason,
        handled=rest in (HANDLED, hook_judgements.SAID_ALREADY),
        priority="P1",
        hook_point=hook_point,
        rest=rest,
    )


def tell(work: Work) -> None:
    """The turn is over: of each script that is on and has no record yet, what it came to, or why it was not asked; the
    latter in one record for all."""
    look = work.findings.lookout
    unasked: dict[str, list[str]] = {}
    if look is None:
        return
    danger = crisis.runs(work)
    for ref, node in enabled(work, "P1").items():
        if ref in look.told:
            continue
        if ref in look.seen:
            work.emit(_noticed(*look.seen[ref]))
            continue
        verdict = hook_judgements.verdict(work, ref, node) if ref in look.put else None
        if verdict is not None:
            why = look.why.get(ref) or (SAFETY_FIRST if danger else NOT_CROSSED)
            rest = "" if verdict.verdict == "no" else why
            work.emit(_noticed(verdict, look.put[ref][0].hook_points[0] if look.put[ref][0].hook_points else "", rest))
        else:
            why = look.why.get(ref) or (SAFETY_FIRST if danger else NOT_REACHABLE)
            unasked.setdefault(why, []).append(ref)
    if unasked:
        work.emit(Unasked(awareness=unasked))
