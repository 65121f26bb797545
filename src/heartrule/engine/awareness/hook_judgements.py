"""What the scripts that watch at hook points (P1) are asked about one turn's words, and what they come to.

Their questions ride in the call that perceives whatever else those words say; nothing is asked of a script that rests,
whose hook points this turn cannot come to, or that rules or code decide alone. Reading a verdict changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from heartrule.engine.awareness import alerts
from heartrule.engine.awareness.awareness import enabled
from heartrule.engine.awareness.risk_rules import Risk, matcher_for
from heartrule.engine.session.awareness_results import Lookout, PutQuestion, Verdict
from heartrule.engine.session.io import World
from heartrule.engine.session.state import State
from heartrule.engine.session.turn_parts import TurnFindings
from heartrule.engine.tasks.conditions import truth_with
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables.evidence import locate
from heartrule.engine.work import Work
from heartrule.language.nodes import Awareness, AwarenessTrigger
from heartrule.language.nodes.conditions import Judge, judges

if TYPE_CHECKING:
    from heartrule.engine.session.foreseen import Foreseen

EXAMPLE = 60
"""Characters of an example that a question shows."""
TOO_MANY = "too many at once"
SAID_ALREADY = "nothing new was said"
UNANSWERED = "unanswered"


def lookout_of(findings: TurnFindings, text: str = "", *, heard: bool = False) -> Lookout:
    """This turn's, begun with the person's words where there are any."""
    if findings.lookout is None:
        findings.lookout = Lookout(text, heard)
    return findings.lookout


def hook_points_of(node: Awareness) -> list[str]:
    return [" ".join(at.split()) for at in node.at]


# asking


def questions(work: Work, hook_points: Sequence[str], room: int) -> list[PutQuestion]:
    """What is to be asked about these words: for what is owed, and for the hook points that can be come to; at most
    ``room`` questions, those that are owed first."""
    look = lookout_of(work.findings)
    found: dict[str, None] = {}
    scripts = enabled(work, "P1").items()
    for ref, node in sorted(scripts, key=lambda item: (not alerts.alert_of(work.state, item[0]).owed, item[0])):
        at = tuple(hook_point for hook_point in hook_points if hook_point in hook_points_of(node))
        if not at and not alerts.alert_of(work.state, ref).owed:
            continue
        why = alerts.resting(work, ref, node)
        if why:
            look.why[ref] = why
            continue
        asked = put(work, ref, node, at)
        fresh = {each.text: None for each in asked if each.text not in found}
        if len(found) + len(fresh) > room:
            look.why[ref] = TOO_MANY
        elif asked:
            look.put[ref] = asked
            found |= fresh
    return [each for asked in look.put.values() for each in asked]


def put(work: Work, ref: str, node: Awareness, at: tuple[str, ...]) -> list[PutQuestion]:
    """Its questions as they are put here and now; none where rules or code decide alone."""
    return list(_put(work, ref, node, at))


def _put(work: Work, ref: str, node: Awareness, at: tuple[str, ...]) -> Iterator[PutQuestion]:
    noticing = node.noticing
    if noticing is None:
        if truth_with(work, node.condition, {}) == "open":  # type: ignore[arg-type]
            for judge in _leaves(node):
                yield PutQuestion(ref, judge.judge, _worded(work, ref, judge.judge), at, _again(work.state, ref))
    elif noticing.judge.strip() and _by_rules(work.findings, noticing).level != "explicit":
        yield PutQuestion(
            ref, noticing.judge, _worded(work, ref, noticing.judge, noticing), at, _again(work.state, ref)
        )


def _leaves(node: Awareness) -> list[Judge]:
    return list(dict.fromkeys(judge for _, judge in judges(node.condition)))


def _again(state: State, ref: str) -> bool:
    return alerts.status(state, ref) != "first"


def _worded(work: Work, ref: str, judge: str, trigger: AwarenessTrigger | None = None) -> str:
    """One line: the question, what counts and what does not, and what has been handled of it already."""
    parts = [" ".join(fill(work, judge).split())]
    if trigger is not None:
        parts += _examples(work, "alert_hit", trigger.examples.hit)
        parts += _examples(work, "alert_miss", trigger.examples.miss)
    status = alerts.status(work.state, ref)
    if status != "first":
        parts.append(work.spoken(f"alert_{status}", 0))
    return "".join(parts)


def _examples(work: Work, key: str, examples: Iterable[str]) -> list[str]:
    told = "｜".join(" ".join(each.split())[:EXAMPLE] for each in examples)
    return [work.spoken(key, 0).replace("{examples}", told)] if told else []


# reading


def verdict(work: Work, ref: str, node: Awareness) -> Verdict | None:
    """What it comes to now, with what was said already left aside. None: nobody was asked about these words."""
    found = _by_condition(work, ref, node) if node.noticing is None else _by_question(work, ref, node, node.noticing)
    return found if found is None else _weighed(work, found)


def heard_at_rest(findings: TurnFindings, ref: str, node: Awareness) -> Verdict | None:
    """What rules hear, in words that leave no doubt, for a script that rests: for the record. It acts upon nothing."""
    rules = _by_rules(findings, node.noticing) if node.noticing is not None else Risk()
    return Verdict(ref, node, "yes", "rules", rules.reason, rules.evidence) if rules.level == "explicit" else None


def _by_rules(findings: TurnFindings, trigger: AwarenessTrigger) -> Risk:
    text = lookout_of(findings).text
    return matcher_for(trigger.rules).match(text) if trigger.rules is not None and text else Risk()


def _by_question(work: Work, ref: str, node: Awareness, trigger: AwarenessTrigger) -> Verdict | None:
    """Rules may raise what the model says, and stand in where there is none."""
    rules, known = _by_rules(work.findings, trigger), _known(work.findings, ref, trigger.judge)
    if rules.level == "explicit":
        return Verdict(ref, node, "yes", "rules", rules.reason, rules.evidence)
    held = known.held if known is not None else None
    if held is not None and held.confidence >= trigger.threshold:
        return Verdict(ref, node, "yes", "model", "", held.evidence or None, held.confidence)
    if rules.level is not None:
        return Verdict(ref, node, "watch", "rules", rules.reason, rules.evidence)
    if known is None:
        return _without_model(work, ref, node, trigger)
    if not known.answered:
        return _unanswered(ref, node, trigger)
    if held is not None:
        return Verdict(ref, node, "no", "model", "below threshold", None, held.confidence)
    return Verdict(ref, node, "no", "model")


def _known(findings: TurnFindings, ref: str, judge: str) -> Foreseen | None:
    look = lookout_of(findings)
    strict = look.strict.get((ref, judge))
    if strict is not None:
        return strict
    put = next((each for each in look.put.get(ref, ()) if each.judge == judge), None)
    return findings.foreseen.get(put.text) if put is not None else None


def _without_model(work: Work, ref: str, node: Awareness, trigger: AwarenessTrigger) -> Verdict | None:
    """With no provider rules are the judge, where there are any; as ever where they are all that there is."""
    alone = trigger.rules is not None and not trigger.judge.strip()
    if (work.world.model and not alone) or not lookout_of(work.findings).heard:
        return None
    if alone or (trigger.rules is not None and trigger.if_unanswered == "rules"):
        return Verdict(ref, node, "no", "rules")
    return _unanswered(ref, node, trigger)


def _unanswered(ref: str, node: Awareness, trigger: AwarenessTrigger) -> Verdict:
    match trigger.if_unanswered:
        case "hit":
            return Verdict(ref, node, "yes", "default", UNANSWERED)
        case "miss":
            return Verdict(ref, node, "no", "default", UNANSWERED)
        case _:
            return Verdict(ref, node, "unknown", "default", UNANSWERED)


def _by_condition(work: Work, ref: str, node: Awareness) -> Verdict | None:
    """Expressions by code; each question as it was answered, else its default where the script wrote one."""
    known = {leaf: _known(work.findings, ref, leaf.judge) for leaf in _leaves(node)}
    given = _given(work.world, known)
    truth = truth_with(work, node.condition, given)  # type: ignore[arg-type]
    put = [told for told in known.values() if told is not None]
    if truth == "open":
        if not put and (work.world.model or not lookout_of(work.findings).heard):
            return None
        return Verdict(ref, node, "unknown", "default", UNANSWERED)
    source: Literal["model", "rules"] = "model" if any(told.answered for told in put) else "rules"
    verdict = Verdict(ref, node, "yes" if truth is True else "no", source, "" if known else "condition")
    return _proved(verdict, [told for leaf, told in known.items() if told is not None and given.get(leaf)])


def _proved(verdict: Verdict, held: Sequence[Foreseen]) -> Verdict:
    """With the words that bear out the first of the questions that hold."""
    proof = next((told.held for told in held if told.held), None)
    return verdict if proof is None else replace(verdict, evidence=proof.evidence or None, confidence=proof.confidence)


def _given(world: World, known: Mapping[Judge, Foreseen | None]) -> dict[Judge, bool]:
    """Whether each question holds, as far as that can be said."""
    held = {leaf: _holds(world, leaf, told) for leaf, told in known.items()}
    return {leaf: holds for leaf, holds in held.items() if holds is not None}


def _holds(world: World, leaf: Judge, told: Foreseen | None) -> bool | None:
    """Whether one question holds; None where nobody has answered it, nor its script."""
    if told is not None and told.answered:
        return told.held is not None and told.held.confidence >= leaf.threshold
    if "default" in leaf.model_fields_set and (told is not None or not world.model):
        return leaf.default
    return None


def _weighed(work: Work, found: Verdict) -> Verdict:
    """Words that were there when it hit last do not make it hit again."""
    if found.verdict not in ("yes", "watch") or not _again(work.state, found.ref):
        return found
    return found if _is_new(work, found) else replace(found, repeat=True)


def _is_new(work: Work, found: Verdict) -> bool:
    """A condition of code is new when it did not hold in between; anything else when its words are. What rests on no
    words at all comes again as often as its cooldown allows."""
    if found.evidence is None:
        code = found.node.noticing is None and not alerts.alert_of(work.state, found.ref).holds
        return code or (found.source != "model" and found.node.cooldown is not None)
    fresh = alerts.since(work, found.ref)
    return any(locate(found.evidence, text) is not None for text in fresh)
