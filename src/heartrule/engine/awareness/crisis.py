"""The crisis technique: what calls it, beside awareness scripts, and that nothing calls it twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heartrule import parsing
from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.engine.casefile import risk_picture
from heartrule.engine.scheduling import topics
from heartrule.engine.session.events import Fault
from heartrule.engine.session.io import World
from heartrule.engine.session.state import Cause, State
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import alarming, gets, shortened
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Get, Set, Variable

CRISIS = "safety/crisis_support"
"""What a positive or unclear answer to a variable marked ``risk`` calls."""
FOLLOW_UP = "safety/safety_follow_up"
"""What it calls once that has been gone through and the answer tells of no more."""
WISHES = "safety/explore_wishes"
"""In which wishes to be dead are talked about with a model."""
NEAR = "safety/near_danger"
"""Numbers, and word to those on duty, in the talk about wishes where danger is near; it goes on."""
_OF_WISHES = (WISHES, NEAR, FOLLOW_UP, "safety/second_look", "safety/safety_plan")
"""In which a model talks about the person's own danger; in the others in which it speaks it talks of something else."""
_CLOSE = frozenset({"harm_lately", "thoughts_now", "suicidal_plan", "suicidal_intent"})
_CLOSE_WITH_THOUGHTS = frozenset({"method_thought", "means_at_hand"})
"""Alone they are no present danger: the published screener (C-SSRS) sees moderate risk in a way thought of."""
_AT_ITS_END = frozenset({"thoughts_now", "suicidal_intent", "suicidal_plan"})
THOUGHTS = "suicidal_thoughts"
"""Its variable for thoughts of ending their life."""
NUMBERS_SAID = "near_said"
"""The variable that says that numbers were given in that talk."""
LEFT_OPEN = "danger_open"
"""Its variable that says it was left with danger not ruled out: nobody is kept in it, and nobody cleared by leaving."""
PAST, PAST_ASKED = ("tried_ever", "harm_lately"), "past"
"""What it has asked of earlier times, by its variables; and the crisis technique's question of the same."""
WATCHER = "safety/suicide_risk"
"""The awareness script that both belong to: what is graver takes the follow-up's place."""


RECALLED = Cause(kind="awareness", ref=WATCHER)
"""What a topic is put aside for when words that told of danger have been taken back."""


def technique(world: World) -> str:
    """Its full id in the language of the session."""
    return named(world, CRISIS)


def named(world: World, reference: str) -> str:
    """The full id of one of the safety project's techniques, in the language of the session."""
    found = world.script.skill(reference, SAFETY)
    return found[0] if found else reference


def told_in_form(form: str, field: str) -> Cause:
    """What a topic is put aside for when an answer in a form calls it."""
    return Cause(kind="answer in form", ref=f"{form}: {field}" if field else form)


def called(cause: Cause | None) -> bool:
    """Whether this is what a topic was put aside for."""
    if cause is None:
        return False
    is_ours = cause.kind == "awareness" and cause.ref.partition("/")[0] == SAFETY
    return is_ours or cause.kind in ("risk variable of", "answer in form", "no answer of a model to")


def is_aside(world: World, cause: Cause | None) -> bool:
    """Whether a topic was put aside for a word beside it only: below P0 the safety project says what can be said to who
    asks for a human or wants to stop, and the same question stands once more."""
    node = world.script.awareness.get(cause.ref) if cause is not None and cause.kind == "awareness" else None
    return called(cause) and node is not None and node.priority != "P0"


def runs(work: Work) -> bool:
    return any(frame.ref == technique(work.world) for frame in work.state.frames)


def call(work: Work, cause: Cause, said: str = "", heard: str = "answer", *, near: bool = False) -> None:
    """Put everything else aside for it; unless it runs already. Who has gone through it in this session, and says
    (``said``) no more than was told then, is asked one thing only. Where a model leads, what is not explicit is talked
    about first, and turns to it where danger is at hand. ``heard``: in what it was told. ``near``: a model leads the
    talk about wishes, which goes on behind the numbers."""
    if runs(work):
        return
    ref, owner = technique(work.world), None
    params: dict[str, Any] = {"heard": heard}
    if near:
        ref, params = named(work.world, NEAR), {}
    elif explores(work):  # it gives way, and is not gone back to
        owner = work.running.awareness = work.running.awareness or WATCHER
        params |= {"asked": True, "answered": True if _is_told(work) else None}
    elif not _graver(work.world, said) and (instead := _milder(work)) is not None:
        ref, owner = instead, WATCHER
        params = {}
    why = topics.interrupt(work, ref, cause, awareness=owner, params=params)
    if why:
        work.emit(Fault(what=f"{ref}: {why}"))


def _milder(work: Work) -> str | None:
    """What comes in its place where nothing graver was said: the follow-up, once this was talked about, and where a
    model leads the talk about wishes; None where there is neither."""
    handled = work.state.handled
    if handled.times or (handled.explored and work.world.script.session.led):
        found = work.world.script.skill(FOLLOW_UP, SAFETY)
    else:
        found = work.world.script.skill(WISHES, SAFETY) if work.model and work.world.script.session.led else None
    return found[0] if found is not None else None


def is_near(work: Work) -> bool:
    """Whether the talk about wishes has come to what is near, and no numbers were given yet."""
    if not explores(work) or numbers_given(work):
        return False
    close = _CLOSE | (_CLOSE_WITH_THOUGHTS if scopes.lookup(work, THOUGHTS) is True else frozenset())
    return any(scopes.lookup(work, name) is True for name in close)


def numbers_given(work: Work) -> bool:
    """Whether the talk about wishes goes on with what is near: those on duty were told and the person has numbers."""
    return explores(work) and scopes.lookup(work, NUMBERS_SAID) is True


def comes_before(work: Work) -> bool:
    """Whether a yes to a variable marked ``risk`` comes before the reply."""
    return not explores(work) or is_near(work)


def is_led_about_wishes(work: Work) -> bool:
    """Whether a model is talking with the person about their own danger."""
    return work.led and any(work.running.ref == named(work.world, each) for each in _OF_WISHES)


def explores(work: Work) -> bool:
    return work.state.running is not None and work.running.ref == named(work.world, WISHES)


def _is_told(work: Work) -> bool:
    """Whether thoughts of ending their life, or more, have been told of already."""
    return not risk_picture.THOUGHTS.isdisjoint(risk_picture.seen(work).present)


def _graver(world: World, said: str) -> bool:
    node = world.script.awareness.get(WATCHER)
    rules = node.noticing.rules if node and node.noticing else None
    return rules is not None and matcher_for(rules).graver(said).level is not None


def put(work: Work, action: str) -> None:
    """One of its questions is put."""
    if work.running.ref == technique(work.world):
        known, name = work.state.handled.asked, action.removesuffix("_again")
        work.state.handled.asked = known if name in known else [*known, name]


def was_explored(state: State, cause: Cause | None) -> bool:
    """Whether what a topic was put aside for was a talk about wishes to be dead, and nothing graver since."""
    handled = state.handled
    return cause == RECALLED and handled.explored > handled.message


def was_denied(work: Work, cause: Cause | None) -> bool:
    """Whether what a topic was put aside for was the talk about wishes, and wishes and thoughts were both denied: a
    figure of speech, asked about once. The model's own words have gone back already."""
    denied = all(scopes.lookup(work, name) is False for name in ("wish_dead", "suicidal_thoughts"))
    return denied and was_explored(work.state, cause)


def finished(work: Work) -> None:
    """The running topic ends: where it is the technique, it has been gone through."""
    if work.running.ref == technique(work.world):
        work.state.handled.times += 1
        work.state.handled.message = work.state.messages
        work.state.handled.open = scopes.lookup(work, LEFT_OPEN) is True
        _past_is_known(work)
    elif work.running.ref == named(work.world, WISHES):
        work.state.handled.explored = work.state.messages
        work.state.handled.open = _stays_near(work)
        work.state.watched[WATCHER] = work.state.seq
        _past_is_known(work)


def _stays_near(work: Work) -> bool:
    """Whether the talk about wishes ends with danger near: they think of it now, mean to act or have a plan; or nobody
    knows whether they mean to."""
    if any(scopes.lookup(work, name) is True for name in _AT_ITS_END):
        return True
    meant, thought = scopes.lookup(work, "suicidal_intent"), scopes.lookup(work, THOUGHTS)
    return numbers_given(work) and meant is None and thought is not False


def _past_is_known(work: Work) -> None:
    """What was told of earlier times in the talk counts as asked."""
    if any(scopes.lookup(work, name) is not None for name in PAST) and PAST_ASKED not in work.state.handled.asked:
        work.state.handled.asked = [*work.state.handled.asked, PAST_ASKED]


def close(work: Work, cause: str) -> None:
    """A human has cleared the danger: everything of the safety project that is under way is left, and it counts as gone
    through, so that what was told until now calls nothing again."""
    with work.rescheduling(cause):
        running = work.state.running
        if running is not None and running.project == SAFETY:
            topics.drop(work, running, cause)
            work.state.running = None
        for frame in [each for each in reversed(work.state.suspended) if each.project == SAFETY]:
            work.state.suspended.remove(frame)
            topics.drop(work, frame, cause)
    work.state.handled.times += 1
    work.state.handled.message = work.state.messages
    work.state.handled.open = False


def answers(work: Work, output: Sequence[Get | Set], said: str, *, explicit: bool) -> bool:
    """Words that call it while a variable marked ``risk`` is asked about are the answer to that: written where they say
    so, and in any case the question is closed. False where something else was asked."""
    asking = work.frame.asking
    wanted = {item.get: scopes.rules_for(scopes.definition(work, item.get)[1], item) for item in gets(output)}
    name = next((name for name, rules in wanted.items() if rules.risk and asking in (None, "", name)), None)
    if name is None:
        return False
    rules = wanted[name]
    read = parsing.parse_value(rules, said, work.world.script.locale, work.world.now)
    value = read.value if read is not None and alarming(read.value) else None
    if value is None and explicit and rules.type == "boolean":
        value = True
    if value is not None:
        scopes.write(work, name, value, strategy="rules", evidence=shortened(said), rules=rules)
    work.frame.settled = True
    return True


def raise_risk(work: Work) -> None:
    """Explicit intent while a safety topic is running: its variables marked ``risk`` become true, so that it stays."""
    for variable in _marked(work):
        scopes.write(work, variable.var, True, strategy="rules")


def stays(work: Work) -> bool:
    """Whether explicit intent keeps the person in the running topic: it begins anew, and no choice is left open."""
    body = work.body()
    return body is not None and body.repeat is not None and bool(_marked(work))


def _marked(work: Work) -> list[Variable]:
    """Where the running topic is of the project ``safety``: its variables marked ``risk``."""
    body = work.body()
    return [each for each in body.declare if each.risk] if body is not None and work.running.project == SAFETY else []
