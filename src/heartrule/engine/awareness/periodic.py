"""P2 awareness: scripts that look back over the conversation every so often, beside it and never within a turn.

Pure, like everything here: which scripts are due in a state, when the next one will be, what is asked about them, and
what they come to. Whoever drives sessions asks when the time has come, and hands the findings in as an input of their
own (``noticed``); what becomes of them is in ``pending_notices``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from heartrule.engine.awareness import alerts, crisis
from heartrule.engine.awareness.awareness import enabled
from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.engine.session.io import PeriodicFinding
from heartrule.engine.session.state import LastJudgement
from heartrule.engine.session.tasks import Answer, Context, Task
from heartrule.engine.tasks.answers import items, share
from heartrule.engine.tasks.conditions import text_of, truth_with
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.tasks.verdicts import verdicts_schema
from heartrule.engine.variables.evidence import locate
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Awareness, AwarenessTrigger
from heartrule.language.nodes.conditions import Condition, Judge, judges

TEMPLATE = "periodic"
EVERY = timedelta(minutes=5)
"""How often a script is judged that does not say it."""


@dataclass(frozen=True, slots=True)
class DueScript:
    """A script whose time has come. ``since``: the turn in which it was judged last, or came on."""

    ref: str
    node: Awareness
    since: int


@dataclass(frozen=True, slots=True)
class PeriodicQuestion:
    """A question of a script: ``text`` as it is put, with its examples below it."""

    ref: str
    judge: str
    text: str


def every(node: Awareness) -> timedelta | int:
    """The time between two looks, or the number of the person's turns."""
    return alerts.stretch(node.every) or EVERY


PERIODIC_SCHEMA = verdicts_schema({"enum": ["yes", "no", "unknown"]})
"""As for danger, but that nothing here is a passive wish."""


# when


def note(work: Work) -> None:
    """From when on the time of each script is counted: since it came on, at first. Of those that are off nothing is
    kept, so that they begin anew."""
    known, state = work.state.periodic, work.state
    begun = LastJudgement(turn=state.seq, at=work.world.now, heard=state.heard, message=state.messages)
    state.periodic = {ref: known.get(ref, begun) for ref in enabled(work, "P2")}


def may_look(work: Work) -> bool:
    """Nobody looks back while a person is in danger, or speaks with a human, or before and after the session."""
    state = work.state
    if state.ended or state.started_at is None or state.human is not None or crisis.runs(work):
        return False
    return state.running is None or state.running.project != SAFETY


def due(work: Work) -> list[DueScript]:
    """The scripts whose time has come, as many as one call is asked about; in the order of their ids."""
    found = [
        DueScript(ref, node, work.state.periodic[ref].turn)
        for ref, node, at in _times(work)
        if at is not None and at <= work.world.now
    ]
    return found[: work.world.grouping.judgements]


def next_due(work: Work) -> datetime | None:
    """When the next one is due, now at the earliest; None: not before the person says something more."""
    times = [at for _, _, at in _times(work) if at is not None]
    return max(min(times), work.world.now) if times else None


def _times(work: Work) -> list[tuple[str, Awareness, datetime | None]]:
    if not may_look(work):
        return []
    return [
        (ref, node, _at(work, ref, node, work.state.periodic[ref]))
        for ref, node in enabled(work, "P2").items()
        if ref in work.state.periodic
    ]


def _at(work: Work, ref: str, node: Awareness, last: LastJudgement) -> datetime | None:
    """Nothing is judged twice over the same words."""
    heard, span = work.state.heard - last.heard, every(node)
    if not heard:
        return None
    until = _rested(work, ref, node)
    if until is None:
        return None
    if isinstance(span, int):
        return until if heard >= span else None
    return max(last.at + span, until)


def _rested(work: Work, ref: str, node: Awareness) -> datetime | None:
    """From when on it watches again; None: not before the person says something more, if at all."""
    why = alerts.resting(work, ref, node)
    cooldown, last = alerts.stretch(node.cooldown), alerts.alert_of(work.state, ref).at
    if why == alerts.COOLDOWN and isinstance(cooldown, timedelta) and last is not None:
        return last + cooldown
    return None if why else work.world.now


# what is asked


def question(work: Work, scripts: Sequence[DueScript]) -> Task | None:
    """One call about all of them. None without a provider, or where code decides alone."""
    asked = _asked(work, scripts)
    if not asked or not work.world.model:
        return None
    minutes = (work.elapsed("session") or 0.0) / 60
    return Task(
        key=f"{TEMPLATE} {' '.join(each.ref for each in scripts)}",
        kind="analyse",
        role="understand",
        template=TEMPLATE,
        context=shared(work),
        values={
            "questions": "\n".join(f"{number}. {each.text}" for number, each in enumerate(asked, 1)),
            "elapsed": f"{minutes:.0f}",
        },
        schema=PERIODIC_SCHEMA,
        required=("verdicts",),
        temperature=0.0,
    )


def _asked(work: Work, scripts: Sequence[DueScript]) -> list[PeriodicQuestion]:
    found: list[PeriodicQuestion] = []
    for each in scripts:
        noticing = each.node.noticing
        if noticing is not None:
            found.append(PeriodicQuestion(each.ref, noticing.judge, _with_examples(work, noticing)))
        else:
            condition = each.node.condition
            found += [PeriodicQuestion(each.ref, one.judge, text_of(work, one)) for one in _judges(condition)]
    return [each for each in found if each.judge.strip()]


def _judges(condition: Any) -> list[Judge]:
    return list(dict.fromkeys(judge for _, judge in judges(condition)))


def _with_examples(work: Work, trigger: AwarenessTrigger) -> str:
    rows = [" ".join(fill(work, trigger.judge).split())]
    rows += [f"   + {example}" for example in trigger.examples.hit]
    rows += [f"   - {example}" for example in trigger.examples.miss]
    return "\n".join(rows)


# what it comes to


@dataclass(frozen=True, slots=True)
class _ModelVerdict:
    """What the model said of one question. ``proved``: what it quotes stands in the person's words."""

    verdict: str
    confidence: float
    evidence: str | None
    proved: bool = True


def findings(work: Work, scripts: Sequence[DueScript], answer: Answer | None) -> tuple[PeriodicFinding, ...]:
    """What becomes of each: the model's word (``answer`` to the ``question`` about them), raised by rules in code, else
    theirs, else what the script says for when nobody could judge."""
    asked = _asked(work, scripts)
    given = _given(answer, shared(work)) if answer is not None else {}
    said = {(each.ref, each.judge): given[n] for n, each in enumerate(asked, 1) if n in given}
    return tuple(_finding(work, each, said) for each in scripts)


def _given(answer: Answer, context: Context) -> dict[int, _ModelVerdict]:
    shown = "\n".join(line.text for line in context.history if line.speaker == "person")
    found: dict[int, _ModelVerdict] = {}
    for item in items(answer.data, "verdicts"):
        number, verdict, confidence = item.get("id"), item.get("verdict"), share(item.get("confidence", 1.0))
        if isinstance(verdict, bool):
            verdict = "yes" if verdict else "no"
        if isinstance(number, int) and verdict in ("yes", "no", "unknown") and confidence is not None:
            quote = item.get("evidence")
            evidence = locate(quote, shown) if isinstance(quote, str) and quote.strip() else None
            proved = evidence is not None or not (isinstance(quote, str) and quote.strip())
            found.setdefault(number, _ModelVerdict(verdict, confidence, evidence, proved))
    return found


def _finding(work: Work, script: DueScript, said: Mapping[tuple[str, str], _ModelVerdict]) -> PeriodicFinding:
    noticing = script.node.condition
    if not isinstance(noticing, AwarenessTrigger):
        return _by_condition(work, script, noticing, said)
    rules = matcher_for(noticing.rules).match(_since(work, script.ref)) if noticing.rules else None
    level = rules.level if rules is not None else None
    if rules is not None and level == "explicit":
        return PeriodicFinding(script.ref, script.since, "yes", "rules", rules.reason, rules.evidence)
    judged = said.get((script.ref, noticing.judge))
    if judged is not None and judged.verdict == "yes" and judged.proved and judged.confidence >= noticing.threshold:
        return PeriodicFinding(script.ref, script.since, "yes", "model", "", judged.evidence, judged.confidence)
    if rules is not None and level is not None:
        return PeriodicFinding(script.ref, script.since, "watch", "rules", rules.reason, rules.evidence)
    if judged is not None:
        return _not_so(script, judged)
    if noticing.rules is not None and not work.world.model:
        return PeriodicFinding(script.ref, script.since, "no", "rules")
    return _unanswered(script, noticing)


def _not_so(script: DueScript, judged: _ModelVerdict) -> PeriodicFinding:
    if judged.verdict == "yes" and not judged.proved:
        return PeriodicFinding(script.ref, script.since, "unknown", "model", "the quote is not the person's", None)
    reason = "below threshold" if judged.verdict == "yes" else ""
    if judged.verdict == "unknown":
        return PeriodicFinding(script.ref, script.since, "unknown", "model")
    return PeriodicFinding(script.ref, script.since, "no", "model", reason, None, judged.confidence)


def _unanswered(script: DueScript, trigger: AwarenessTrigger) -> PeriodicFinding:
    verdicts: Mapping[str, Literal["yes", "no", "unknown"]] = {"hit": "yes", "miss": "no"}
    verdict = verdicts.get(trigger.if_unanswered, "unknown")
    return PeriodicFinding(script.ref, script.since, verdict, "default", "unanswered")


def _by_condition(
    work: Work, script: DueScript, condition: Condition, said: Mapping[tuple[str, str], _ModelVerdict]
) -> PeriodicFinding:
    """A condition of any other kind: expressions by code, each question in it as it was answered, else its default."""
    known = {one: said.get((script.ref, one.judge)) for one in _judges(condition)}
    held = {one: _holds(one, judged) for one, judged in known.items()}
    answered = [judged for judged in known.values() if judged is not None]
    source: Literal["rules", "model", "default"] = "model" if answered else "default" if known else "rules"
    proof = next((j for one, j in known.items() if j is not None and held[one]), None)
    return PeriodicFinding(
        script.ref,
        script.since,
        "yes" if truth_with(work, condition, held) is True else "no",
        source,
        "" if answered or not known else "unanswered",
        proof.evidence if proof else None,
        proof.confidence if proof else None,
    )


def _holds(question: Judge, judged: _ModelVerdict | None) -> bool:
    if judged is None:
        return question.default
    return judged.verdict == "yes" and judged.proved and judged.confidence >= question.threshold


def _since(work: Work, ref: str) -> str:
    """What the person has said since a script was judged last."""
    last = work.state.periodic[ref].message
    said = [m.text for m in work.transcript() if m.sender == "person" and m.number > last and not m.withheld]
    return "\n".join(said)
