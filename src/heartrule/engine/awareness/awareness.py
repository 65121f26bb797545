"""P0 awareness: rules in code on every message, and the model's judgement beside the action's call.

Rules only raise. Explicit intent interrupts, and no model lowers it; a watch word puts a gentle question of its own.
With no provider the rules are the judge; when a provider failed and no rule spoke, the verdict is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from heartrule.engine.awareness import alerts, crisis, switches
from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.engine.casefile import risk_picture
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.classifier import Classifier
from heartrule.engine.session.events import Noticed
from heartrule.engine.session.io import World
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.answers import within
from heartrule.engine.tasks.listener_view import newest, overheard
from heartrule.engine.tasks.verdicts import verdicts_schema
from heartrule.engine.variables.evidence import locate
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Awareness, AwarenessTrigger, Directive
from heartrule.locales import is_chinese

RESTS = 6
"""Turns for which a watch word is only recorded after it has led to its gentle question."""
SINCE = 12
"""Messages since the crisis technique handed back that the judgement is shown apart."""
JUDGED = 6
"""Messages that the judgement is shown at least, the newest; old ones leave in blocks of as many. What went before is
in the line that says what is known."""
CERTAIN = 0.95
"""From here on a model's yes calls what the script orders at once, also where a model leads."""
BELOW = "below threshold"
"""Why a model's yes is a watch word: it is not sure enough of it."""
DOUBT = 0.5
"""How sure of not being sure a model has to be before that interrupts for a danger other than to the person's own life:
a dizzy moment of yesterday ("unknown", 0.4) had somebody told twice to call an ambulance."""
JUST_BEHIND = 12
"""So many messages after wishes were talked about, nobody is asked again because a model is not sure."""
HOLD = 3.0
"""Seconds that the judgement may hold a reply back; then the rules decide."""

Priority = Literal["P0", "P1", "P2"]

RISK_SCHEMA = verdicts_schema({"enum": ["yes", "passive", "no", "unknown"]})


def enabled(work: Work, priority: Priority = "P0") -> dict[str, Awareness]:
    """Scripts of a priority that are on here, by their full id in its order: the ``always`` ones, the session's, the
    phase's and the topic's changes to those, and what directives have switched since. Nothing switches P0 off that is
    ``always`` on."""
    script = work.world.script
    names = set(script.session.awareness)
    for switch, _ in switches.here(work):
        names |= set(switch.enable)
        names -= set(switch.disable)
    return {
        ref: node
        for ref, node in sorted(script.awareness.items())
        if node.priority == priority and _is_on(work.state, ref, node, names)
    }


def in_text(work: Work, text: str) -> list[Verdict]:
    """What is heard without a model in a text that the person wrote elsewhere than in the conversation, such as in a
    form; only what was found. Nothing is recorded."""
    return [verdict for verdict in heard(work, text) if verdict.verdict != "no"]


def _is_on(state: State, ref: str, node: Awareness, names: set[str]) -> bool:
    """What the safety project watches below P0 is how far its own topics have come."""
    if node.always and node.priority == "P0":
        return True
    running = state.running
    if ref.partition("/")[0] == SAFETY and (running is None or running.project != SAFETY):
        return False
    written = node.always or bool(names & {ref, ref.partition("/")[2], node.awareness})
    return state.switched.get(ref, written)


def asks(node: Awareness) -> AwarenessTrigger:
    """The question of a script that has one; of another, one that nobody is asked."""
    return node.noticing or _NOTHING


_NOTHING = AwarenessTrigger(judge="")


def heard(work: Work, text: str, before: str = "") -> list[Verdict]:
    """What rules say about words that the person wrote, raised to a watch word where a classifier hears what they did
    not. It decides of what rules doubt; nothing else that they hear is lowered, and what they hear of somebody else
    keeps its own way, on which the person is asked too. In a topic of the safety project rules read alone:
    there words answer questions about danger."""
    running = work.state.running
    reads = {} if running is not None and running.project == SAFETY else work.world.classifiers
    return [_as_wish(work, read_along(ruled, reads, text), text) for ruled in by_rules(work, text, before)]


def _as_wish(work: Work, verdict: Verdict, text: str) -> Verdict:
    """What is said straight and not under way is talked about, behind the numbers, where a model leads: said again
    there it is what is being talked about; once that is over one thing is asked, and where something graver is said the
    talk is taken up again with that."""
    if not verdict.wish or verdict.verdict != "yes":
        return verdict
    if not (work.model and work.world.script.session.led and verdict.node.on_wish):
        return replace(verdict, wish=False)
    if crisis.explores(work):
        return replace(verdict, verdict="no", reason="talked about") if crisis.numbers_given(work) else verdict
    if not _was_talked_about(work):
        return verdict
    rules = asks(verdict.node).rules
    graver = rules is not None and matcher_for(rules).graver(text).level is not None
    return verdict if graver else replace(verdict, verdict="watch", repeat=True)


def _was_talked_about(work: Work) -> bool:
    """Whether danger was gone through before: what is certain then is new."""
    return bool(work.state.handled.times or work.state.handled.explored)


def is_under_way(work: Work, text: str) -> bool:
    """Whether rules hear danger in these words that is more than a wish or a thought said straight: an act, means, a
    place, a time."""
    rules = (asks(node).rules for node in enabled(work).values())
    graver = any(matcher_for(each).graver(text).level is not None for each in rules if each)
    return graver or any(verdict.verdict == "yes" and not verdict.wish for verdict in by_rules(work, text))


def sounds_of_danger(work: Work, text: str) -> bool:
    """Whether rules hear more in these words than a wish or a thought said straight, or classifiers anything."""
    heard = [verdict for verdict in by_rules(work, text) if verdict.verdict != "no"]
    if heard:
        return not all(verdict.wish for verdict in heard)
    return any(classifier.estimate(text).raised for classifier in work.world.classifiers.values())


def read_along(ruled: Verdict, classifiers: Mapping[str, Classifier], text: str) -> Verdict:
    """What rules came to, with the classifier that its script names."""
    classifier = classifiers.get(asks(ruled.node).classifier or "")
    if classifier is None or (ruled.verdict != "no" and not ruled.doubted) or _denies(text):
        return ruled
    estimate = classifier.estimate(text)
    if estimate.raised:
        return Verdict(
            ruled.ref, ruled.node, "watch", "classifier", classifier.name, estimate.evidence, round(estimate.score, 2)
        )
    return replace(ruled, verdict="no", evidence=None) if ruled.doubted and not estimate.likely else ruled


_DENIAL = re.compile(
    r"(?:no[,.!]? |nope[,.!]? )?i (?:really |honestly |just )?"
    r"(?:do not|don.?t|never|would never|am not going to|.?m not going to) "
    r"(?:want(?:ed)? to |wanna |plan to |wish to |intend to )?(?:die|kill myself|hurt myself|end my life)"
    r"|(?:没有?[，,。 ]*)?我?(?:真的|并|从来|可|也)?(?:不想|没想过?要?|没有想过?要?|不会)"
    r"(?:去)?(?:死|自杀|寻死|伤害自己)"
)


def _denies(text: str) -> bool:
    """Whether the words are nothing but a plain no to a wish to die: nobody is asked because of them."""
    return _DENIAL.fullmatch(text.strip().strip("。.!！~～ ").lower().replace("’", "'")) is not None


def by_rules(work: Work, text: str, before: str = "") -> list[Verdict]:
    """What the rules in code say about these words. ``before``: what they may be the end of."""
    found = []
    for ref, node in enabled(work).items():
        rules = asks(node).rules
        match = matcher_for(rules).across(before if node.then else "", text) if rules else None
        if match is None or match.level is None:
            found.append(Verdict(ref, node, "no", "rules"))
        else:
            level = _hit(node) if match.level == "explicit" else "watch"
            verdict = Verdict(ref, node, level, "rules", match.reason, match.evidence, about=match.about)
            found.append(replace(verdict, doubted=match.doubted, wish=match.wish))
    return found


def _hit(node: Awareness) -> Literal["yes", "watch"]:
    """What is never acted upon at once leaves the waiting question its answer, as a watch word does."""
    return "yes" if node.then else "watch"


def question(work: Work) -> Task | None:
    """One small call that judges all scripts that are on. None without a provider, or with nothing to judge."""
    scripts = enabled(work)
    if not work.model or not scripts:
        return None
    return Task(
        key=work.task_key("risk"),
        kind="judge",
        role="judge",
        template="risk",
        context=overheard(work, newest(work, JUDGED)),
        values={
            "questions": "\n".join(_put(work, n, node) for n, node in enumerate(scripts.values(), 1)),
            "already": "\n".join(_already(work, scripts)),
            "known": risk_picture.prompt_line(work),
        }
        | _standing(work),
        schema=RISK_SCHEMA,
        required=("verdicts",),
        temperature=0.0,
        seconds=HOLD,
    )


def _standing(work: Work) -> dict[str, str]:
    """How far danger has been handled in this session, for the prompt: ``exploring`` while a model talks about wishes
    to be dead, ``handling`` while fixed words are gone through, afterwards ``since``, the person's words since it
    handed back; at first none of them, nor while a model talks about something else, such as a child or a medicine."""
    nothing = {"exploring": "", "handling": "", "since": ""}
    if work.state.is_in(SAFETY):
        if not work.led:
            return nothing | {"handling": "yes"}
        return nothing | ({"exploring": "yes"} if crisis.is_led_about_wishes(work) else {})
    last = max(work.state.handled.message, work.state.handled.explored)
    if not last:
        return nothing
    said = [m for m in work.transcript() if m.sender == "person" and m.number > last]
    return nothing | {"since": "\n".join(f"- {' '.join(m.text.split())}" for m in said[-SINCE:])}


def _already(work: Work, scripts: Mapping[str, Awareness]) -> Iterator[str]:
    """What has been handled of each, by its number. Of what has ``on_repeat`` the prompt says more itself."""
    for number, (ref, node) in enumerate(scripts.items(), 1):
        status = "first" if node.on_repeat else alerts.status(work.state, ref)
        if status != "first":
            yield f"{number}. {work.spoken(f'alert_{status}', 0).strip()}"


def _put(work: Work, number: int, node: Awareness) -> str:
    always = work.spoken("answer_always", 0) if must_be_answered(node) else ""
    return as_asked(number, node, work.world.script.locale, always=always)


def must_be_answered(node: Awareness) -> bool:
    """Whether something follows from nobody's having answered. Of the others only what was found is written down."""
    return bool(node.on_unknown) or asks(node).if_unanswered == "hit"


def as_asked(number: int, node: Awareness, locale: str, *, always: str = "") -> str:
    """Its question with what counts and what does not, in the session's language: examples in its own script, where
    there are any."""
    rows, examples = [f"{number}. {always}{asks(node).asked_in(locale)}"], asks(node).examples
    for mark, said in (("+", examples.hit), ("-", examples.miss)):
        own = [each for each in said if each.isascii() != is_chinese(locale)]
        if own or said:
            rows.append(f"{mark} {'｜'.join(own or said)}")
    return "\n".join(rows)


def with_model(verdicts: list[Verdict], answer: Answer | None) -> list[Verdict]:
    """Join the model's verdicts to the rules'. The model may raise, never lower; where it is not sure itself, the
    gentle question is asked as for a watch word. What was left out is a no only in an answer that can be trusted to
    say what it found: every item readable, and the questions answered that must be."""
    if answer is None:
        return list(verdicts)
    given, stray = _by_number(answer.data or {}, len(verdicts))
    sparse = not stray and _tells_what_it_found(verdicts, given)
    joined = [_with_model_verdict(ruled, given.get(number), sparse=sparse) for number, ruled in enumerate(verdicts, 1)]
    return joined if answer.data is not None else [replace(each, answered=False) for each in joined]


def _tells_what_it_found(verdicts: list[Verdict], given: Mapping[int, _ModelVerdict]) -> bool:
    must = [number for number, ruled in enumerate(verdicts, 1) if must_be_answered(ruled.node)]
    answered = all(number in given and given[number].verdict for number in must)
    return answered and any(each.verdict for each in given.values())


def _with_model_verdict(ruled: Verdict, told: _ModelVerdict | None, *, sparse: bool) -> Verdict:
    if ruled.verdict == "yes":
        return ruled
    if ruled.repeat and not (told is not None and told.verdict == "yes" and told.confidence >= CERTAIN):
        return ruled  # said straight once more: one thing is asked, whatever a model makes of it
    if told is None and sparse and ruled.verdict == "no":
        return Verdict(ruled.ref, ruled.node, "no", "model")
    return _joined(ruled, told or _ModelVerdict())


def _joined(ruled: Verdict, told: _ModelVerdict) -> Verdict:
    """One question's verdict, whose rules did not speak of explicit intent."""
    ref, node, quote, confidence = ruled.ref, ruled.node, told.evidence[:20], told.confidence
    sure = confidence >= asks(node).threshold
    if told.verdict == "yes" and sure:
        return Verdict(ref, node, _hit(node), "model", "", quote, confidence)
    if ruled.verdict == "watch" and not (ruled.source == "classifier" and told.verdict in ("yes", "passive")):
        return _judged(ruled, told, sure=sure)
    if told.verdict == "yes" and node.priority == "P0":
        return Verdict(ref, node, "watch", "model", BELOW, quote, confidence)
    if told.verdict == "passive" and node.priority == "P0":
        return Verdict(ref, node, "watch", "model", "passive", quote, confidence)
    if told.verdict == "unknown" and (node.on_unknown or confidence >= DOUBT):
        return Verdict(ref, node, "watch", "model", "not sure", quote, confidence, doubt=True)
    if told.verdict:
        return Verdict(ref, node, "no", "model", "" if told.verdict == "no" else BELOW, None, confidence)
    return _unanswered(ruled)


def _judged(ruled: Verdict, told: _ModelVerdict, *, sure: bool) -> Verdict:
    """A watch word stays one. What the classifier alone raised does not stand against a model that has read the same
    words within the talk and is sure of a no; where it is not sure, that is kept."""
    if ruled.source != "classifier" or told.verdict not in ("no", "unknown"):
        return ruled
    if told.verdict == "no" and sure:
        return replace(ruled, verdict="no", reason="judged")
    return replace(ruled, doubt=True)


def weighed(work: Work, verdicts: list[Verdict], text: str) -> list[Verdict]:
    """Once the technique of a script has been gone through, its milder verdicts are about what was told already, unless
    rules or the model find more in these very words. Explicit words stay what they are."""
    if crisis.explores(work):
        return [_being_talked_about(verdict) for verdict in verdicts]
    told = [_told_already(work, _as_led(work, verdict), text) for verdict in verdicts]
    if work.state.handled.times:
        return [_after_crisis_talk(work, verdict, text) for verdict in told]
    return [_explored(work, verdict, text) for verdict in told] if work.state.handled.explored else told


def _being_talked_about(verdict: Verdict) -> Verdict:
    """In the talk about wishes its own questions say how near danger is: what the model reads in the answers to them is
    what is being asked. What the judge is not sure of, of whatever danger ("I can't move"), is for the talk to ask
    about. Rules act as ever."""
    if verdict.source == "model" and verdict.doubt:
        return replace(verdict, verdict="no", reason="talked about")
    if verdict.source != "model" or verdict.verdict not in ("yes", "watch") or not verdict.node.on_repeat:
        return verdict
    return replace(verdict, verdict="no", reason="talked about")


def _as_led(work: Work, verdict: Verdict) -> Verdict:
    """Where a model leads the session its yes is talked about: behind the numbers where it is nearly certain, else as a
    watch word."""
    if verdict.verdict != "yes" or verdict.source != "model" or not work.world.script.session.led:
        return verdict
    if (verdict.confidence or 0.0) >= CERTAIN:
        return replace(verdict, wish=bool(verdict.node.on_wish))
    return replace(verdict, verdict="watch", reason=BELOW) if verdict.node.on_watch else verdict


def _explored(work: Work, verdict: Verdict, text: str) -> Verdict:
    """Wishes were talked about: a yes is new, the wish itself is known. Just behind that talk a model's doubt, or its
    reading of a wish, is no reason to ask whether it has become heavier since; that it hears danger is."""
    if verdict.verdict != "watch" or not verdict.node.on_repeat:
        return verdict
    last, quote = work.state.handled.explored, verdict.evidence or ""
    soon = work.state.messages - last < JUST_BEHIND
    if verdict.source == "model" and verdict.reason != BELOW and soon:
        return replace(verdict, verdict="no", reason="talked about")
    if verdict.source == "model" and _stands_before(work, quote, last) and locate(quote, text) is None:
        return replace(verdict, verdict="no", reason="talked about")
    return _after_crisis_talk(work, verdict, text)


def _was_denied(work: Work) -> bool:
    """Whether there was no wish in the talk about wishes: then a doubt is no reason to ask once more."""
    return all(lookup(work, name) is False for name in ("wish_dead", "suicidal_thoughts"))


def _told_already(work: Work, verdict: Verdict, text: str) -> Verdict:
    """What the model reads in words that were there when the script acted last does not make it act again. Rules read
    the newest words only; a script with ``on_repeat`` says itself what then."""
    if verdict.source != "model" or verdict.verdict not in ("yes", "watch") or verdict.node.on_repeat:
        return verdict
    if not alerts.alert_of(work.state, verdict.ref).times:
        return verdict
    quote = verdict.evidence or ""
    fresh = any(locate(quote, said) is not None for said in [text, *alerts.since(work, verdict.ref)])
    if fresh or (verdict.verdict == "yes" and text.strip() and not _is_old(work, verdict.ref, quote)):
        return verdict
    return replace(verdict, repeat=True)


def _is_old(work: Work, ref: str, quote: str) -> bool:
    """Whether a quote stands in what the person had said when the script acted last. One that is left out or reworded
    stands nowhere: it proves nothing old, and danger is not passed over for want of a quote."""
    return _stands_before(work, quote, alerts.alert_of(work.state, ref).message)


def _stands_before(work: Work, quote: str, last: int) -> bool:
    said = [m.text for m in work.transcript() if m.sender == "person" and m.number <= last]
    return any(locate(quote, text) is not None for text in said)


def _after_crisis_talk(work: Work, verdict: Verdict, text: str) -> Verdict:
    told = verdict.verdict == "watch" or (verdict.verdict == "yes" and verdict.source == "model")
    if not told or not verdict.node.on_repeat or verdict.about == "other":
        return verdict
    rules = asks(verdict.node).rules
    more = matcher_for(rules).graver(text) if rules else None
    if more is not None and more.level is not None:
        led = work.model and work.world.script.session.led and bool(verdict.node.on_wish)
        return replace(verdict, verdict="yes", source="rules", reason=more.reason, evidence=more.evidence, wish=led)
    if verdict.verdict == "yes" and verdict.evidence and locate(verdict.evidence, text):
        return verdict
    if _is_settled(work, verdict):
        return replace(verdict, verdict="no", reason="talked about")
    return replace(verdict, verdict="watch", repeat=True)


def _is_settled(work: Work, verdict: Verdict) -> bool:
    if work.state.handled.open:
        return False
    return verdict.doubt and _was_denied(work)


def _unanswered(ruled: Verdict) -> Verdict:
    hit = asks(ruled.node).if_unanswered == "hit"
    return Verdict(ruled.ref, ruled.node, "yes" if hit else "unknown", "default", "unanswered")


@dataclass(frozen=True, slots=True)
class _ModelVerdict:
    """What the model wrote of one question; without a ``verdict``: nothing, or nothing that can be read."""

    verdict: Literal["yes", "passive", "no", "unknown", ""] = ""
    confidence: float = 0.0
    evidence: str = ""


_GRAVITY = ("no", "", "unknown", "passive", "yes")
"""Of two items on one question the later in this order counts."""


def _by_number(data: Mapping[str, Any], count: int) -> tuple[dict[int, _ModelVerdict], bool]:
    """What was written of each of ``count`` questions, and whether something was written of which nobody can say what
    question it is about. A plain no to a question that was not put is about none."""
    found: dict[int, _ModelVerdict] = {}
    stray = False
    rows = data.get("verdicts")
    for item in rows if isinstance(rows, list) else []:
        told = _parse_verdict(item) if isinstance(item, Mapping) else _ModelVerdict()
        number = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(number, bool) or not isinstance(number, int):
            stray = True
        elif not 1 <= number <= count:
            stray = stray or told.verdict != "no"
        elif number not in found or _gravity(told) > _gravity(found[number]):
            found[number] = told
    return found, stray


def _parse_verdict(item: Mapping[str, Any]) -> _ModelVerdict:
    verdict, confidence = item.get("verdict"), within(item.get("confidence", 1.0), 0, 1)
    if isinstance(verdict, bool):
        verdict = "yes" if verdict else "no"
    if confidence is None:
        return _ModelVerdict()
    quote = item.get("evidence")
    evidence = quote if isinstance(quote, str) else ""
    match verdict:
        case "yes" | "passive" | "no" | "unknown":
            return _ModelVerdict(verdict, confidence, evidence)
        case _:
            return _ModelVerdict()


def _gravity(told: _ModelVerdict) -> tuple[int, float]:
    return _GRAVITY.index(told.verdict), told.confidence


def acting(work: Work, verdicts: list[Verdict]) -> Iterator[tuple[Verdict, bool]]:
    """Record every verdict, and give those that must act now (True) apart from those already being handled."""
    for verdict in verdicts:
        handled = verdict.verdict != "no" and _handled(work, verdict)
        if verdict.source == "model":
            work.state.unsure.pop(verdict.ref, None)
        work.emit(
            Noticed(
                awareness=verdict.ref,
                verdict=verdict.verdict,
                source=verdict.source,
                confidence=verdict.confidence,
                evidence=verdict.evidence,
                reason=verdict.reason,
                handled=handled,
                rest=_why_not(verdict, handled=handled),
            )
        )
        if verdict.verdict != "no":
            yield verdict, not handled


def _why_not(verdict: Verdict, *, handled: bool) -> str:
    if handled:
        return "handled"
    return "nothing new was said" if verdict.repeat and not verdict.directives() else ""


def pressing(work: Work, verdicts: list[Verdict]) -> list[Verdict]:
    """Those of a hit that nobody is handling yet. Records nothing."""
    return [verdict for verdict in verdicts if verdict.verdict == "yes" and not _handled(work, verdict)]


def _handled(work: Work, verdict: Verdict) -> bool:
    """Its technique is running already, or the same thing was asked about a moment ago."""
    active = {frame.ref for frame in work.state.frames}
    hit = {target(work.world, d, verdict.ref) for d in verdict.node.then}
    if active & hit:
        return True
    if verdict.verdict == "yes":
        return False
    if any(frame.awareness == verdict.ref for frame in work.state.frames):
        return True
    if verdict.verdict == "watch":
        if (verdict.wish or verdict.reason == BELOW) and _was_denied(work):
            return False  # said straight, or heard by the model, behind a plain no: no doubt that may rest
        last = work.state.watched.get(verdict.ref)
        return last is not None and work.state.seq - last <= RESTS
    return verdict.ref in work.state.unsure


def target(world: World, directive: Directive, within: str, *, answered: bool = True) -> str | None:
    """The full id of the technique that a directive calls. ``answered``: whether the model has answered in this turn,
    where there is one."""
    name = directive.technique
    if directive.without_model is not None and not (world.model and answered):
        name = directive.without_model
    if name is None:
        return None
    found = world.script.skill(name, within.partition("/")[0])
    return found[0] if found else None
