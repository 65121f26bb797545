"""Something more urgent may come at any boundary of an action and in any round. Wherever a shipped script waits, it is
put aside for the crisis technique, for a technique, for a topic at the head of the queue, or for what is planned next;
then it is back at the same action, round and variables, and goes on as if nothing had happened: the same questions, in
the same order, none of them answered before.

``HEARTRULE_INTERRUPTIONS=long`` visits every wait of two visitors and follows each session further.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import pytest
from tests.engine.minds import Data, fork, judged, running, sensible
from tests.engine.scripts import Node, ask, check, phase, roundtrip, say, skill, topic
from tests.engine.scripts import script as compose
from tests.engine.test_every_wait import SESSIONS, TECHNIQUES, back
from tests.engine.test_every_wait import script as shipped_script
from tests.thinning import combined

from heartrule.engine.session.io import Request
from heartrule.engine.session.state import Choice
from heartrule.engine.session.tasks import Task
from heartrule.engine.variables.evidence import is_stretch
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Phase
from heartrule.script_tests.script_position import action_at
from heartrule.testing.talk import Talk
from heartrule.testing.visitor import Visitor

LONG = os.environ.get("HEARTRULE_INTERRUPTIONS") == "long"
SCRIPTS = [*SESSIONS, *(name for name in TECHNIQUES if not name.startswith("safety/"))]
STEPS, SEEDS, EVERY = (12, 2, 1) if LONG else (3, 1, 6)
"""How far a session is followed afterwards, by how many visitors it is walked, and how many waits are passed over."""
TURNS = 130

WORDS = {
    "technique": "请让我喘口气",
    "head": "请先说件别的",
    "suspend": "请把这个先放下",
    "boundary": "请在这句之后歇歇",
}
CRISIS = {"zh": "我站在楼顶，想跳", "en": "I am on the roof, about to jump"}
HEAD = {"directive": "INSERT_TOPIC", "topic": "aside", "position": "HEAD"}
PAUSE = {"directive": "CALL_TECHNIQUE", "technique": "pause"}


def watcher(kind: str, *then: Node, level: str = "explicit") -> Node:
    acts = {"then": list(then)} if level == "explicit" else {"then": [], "on_watch": list(then)}
    rules = {level: [{"pattern": WORDS[kind], "reason": "说了这句"}]}
    return {"awareness": kind, "id": kind, "always": True, "condition": {"judge": kind, "rules": rules}, **acts}


BESIDE = compose(
    phase("P", topic("插一段", ask("想先说什么？", id="aside_ask"), id="aside")),
    skills=[skill("歇一歇", say("我们歇一歇。", id="rest"), ask("好些了吗？", id="rested"), id="pause")],
    awareness=[
        watcher("technique", PAUSE),
        watcher("head", HEAD),
        watcher("suspend", {"directive": "SUSPEND_CURRENT", "reason": "先放下"}, HEAD),
        watcher("boundary", PAUSE, level="watch"),
    ],
)
"""What is put beside the shipped scripts: a topic, a technique, and the awareness scripts that call for them."""


def with_aside(phase: Phase) -> Phase:
    """The phase with one topic more, at its end."""
    return phase.model_copy(update={"steps": [*phase.steps, BESIDE.session.phases[0].steps[0]]})


@cache
def script(name: str) -> Script:
    """A shipped script with the awareness scripts that interrupt it, and a topic to put in."""
    own = shipped_script(name)
    project = own.project.id
    session = own.session.model_copy(update={"phases": [with_aside(phase) for phase in own.session.phases]})
    return replace(
        own,
        session=session,
        awareness={**own.awareness, **{f"{project}/{kind}": BESIDE.awareness[f"local/{kind}"] for kind in WORDS}},
        skills={**own.skills, f"{project}/pause": BESIDE.skills["local/pause"]},
    )


def calm(task: Task) -> Data | None:
    """A model that answers everything sensibly, and judges that nothing is the matter."""
    if task.template != "risk":
        return sensible(task)
    asked = sum(line[:1].isdigit() for line in task.values["questions"].splitlines())
    return {"verdicts": [{**judged("no")["verdicts"][0], "id": number} for number in range(1, asked + 1)]}


MODELS: dict[str, Callable[[Task], Any] | None] = {"no model": None, "model": calm}


def reply(talk: Talk, visitor: Visitor) -> None:
    kind, words = visitor.reply(talk.state, talk.request)
    talk.choose(words) if kind == "choice" else talk.say(words)


def where(talk: Talk) -> tuple[Any, ...]:
    """The action and round that a session waits at, and in which topics."""
    frame = talk.state.running
    if frame is None or frame.action is None:
        return ("ended", talk.state.end_reason)
    action = frame.action
    aside = [(each.ref, each.item) for each in talk.state.suspended]
    return (frame.ref, frame.item, action.id, action.round, talk.request, aside)


def later(talk: Talk) -> tuple[Any, ...]:
    """The same of what comes later. A form's key tells the turn that showed it, which an interruption shifts."""
    *place, request, aside = where(talk) if not talk.ended else (*where(talk), None)
    if isinstance(request, Request) and request.form is not None:
        request = replace(request, form=replace(request.form, key=""))
    return (*place, request, aside)


def known(talk: Talk) -> dict[str, Any]:
    """Every variable there is, in whatever scope, with where its value came from."""
    cells = talk.variables.cells.items()
    return {
        f"{scope} {name}": (value.value, value.source) for (scope, _), cell in cells for name, value in cell.items()
    }


def remembered(talk: Talk) -> Any:
    """What the action keeps. Where a model leads it has found other words, for a question of its own, to come back."""
    frame = talk.state.running
    if frame is None or frame.action is None:
        return None
    kept = frame.action.kept.model_dump()
    if not is_led(talk):
        return kept | {"question": frame.action.question, "about": frame.action.asking}
    kept.get("asking", {}).pop("first", None)
    return kept


def is_led(talk: Talk) -> bool:
    action = action_at(talk.script, talk.state)
    return talk.has_model and action is not None and is_stretch(action.peek("output") or [])


def first_choices(script: Script) -> Iterator[Choice]:
    """What stands first wherever something is to be picked."""
    for each in script.session.phases:
        for steps in each.steps:
            for action in steps.actions:
                yield from (action.peek("choices") or ())[:1]


def waits(name: str, model: str) -> Iterator[tuple[Talk, int]]:
    """The session at each of its waits, each of them once, with the seed of its visitor."""
    return ((fork(talk), seed) for talk, seed in _walked(name, model))


@lru_cache(4)
def _walked(name: str, model: str) -> list[tuple[Talk, int]]:
    """Walked once for the kinds that come one after another."""
    return [(fork(talk), seed) for talk, seed in _walking(name, model)]


def _walking(name: str, model: str) -> Iterator[tuple[Talk, int]]:
    seen: set[tuple[Any, ...]] = set()
    for seed in range(SEEDS):
        talk = Talk(script(name), MODELS[model])
        willing = [str(choice.value) for choice in first_choices(talk.script)] if seed == 0 else []
        visitor = Visitor(talk.script, seed=seed, yes=(0.3, 0.8)[seed % 2], prefer=("safe", *willing))
        for _ in range(TURNS):
            if talk.ended:
                break
            assert talk.state.running is not None
            here = talk.state.running.project != "safety" and running(talk) != "aside"
            if here and where(talk)[:4] not in seen:
                seen.add(where(talk)[:4])
                yield talk, seed
            reply(talk, visitor)


def followed(talk: Talk, seed: int) -> list[tuple[Any, ...]]:
    """Where the session goes from here, with the same answers. The topic that may be put in is no part of it."""
    visitor = Visitor(talk.script, seed=seed + 100)
    path = [later(talk)]
    while len(path) <= STEPS and not talk.ended:
        if running(talk) == "aside":
            talk.say("没什么")
        else:
            reply(talk, visitor)
        if running(talk) != "aside":
            path.append(later(talk))
    return path


def there_and_back(talk: Talk, kind: str) -> None:
    """Put aside what waits, go through what comes instead, and come back."""
    english = talk.script.locale.startswith("en")
    if kind == "crisis":
        talk.say(CRISIS["en" if english else "zh"])
        assert running(talk) == "crisis_support"
        roundtrip(talk)
        back(talk)
        return
    talk.say(WORDS[kind])
    assert running(talk) == ("pause" if kind == "technique" else "aside")
    roundtrip(talk)
    talk.say("好一些了" if not english else "a little better")


def asks_about_risk(talk: Talk) -> bool:
    """Words that set off the technique answer it; in a stretch, whichever of its items is about danger."""
    visitor = Visitor(talk.script)
    asked = visitor._asked(talk.state)
    return any(visitor._rules(talk.state, item).risk for item in (asked if len(asked) > 1 else asked[:1]))


@pytest.mark.parametrize(
    ("name", "model", "kind"), combined(SCRIPTS, MODELS, ["crisis", "technique", "head", "suspend"], long=LONG)
)
def test_it_comes_back_to_the_same_action_round_and_variables(name: str, model: str, kind: str) -> None:
    visited = 0
    for count, (talk, seed) in enumerate(waits(name, model)):
        if count % EVERY != len(kind) % EVERY or (kind == "crisis" and asks_about_risk(talk)):
            continue
        visited += 1
        plain, other = fork(talk), fork(talk)
        before, variables, memory = where(talk), known(talk), remembered(talk)
        there_and_back(other, kind)
        assert where(other) == before, f"{kind} at {before[:4]}"
        assert known(other) == variables
        assert remembered(other) == memory
        if memory and memory.get("question") and not is_led(other):
            question = str(memory["question"])
            alone = question.strip().rpartition("\n")[2] if other.request.choices else question
            assert other.said[-1].endswith(alone), "the question is put again, behind a bridge"
            assert other.said[-1] != memory["question"]
        check(other)
        if kind == "crisis" or is_led(talk):  # a script may leave out what the technique has asked; a model asks anew
            continue
        assert followed(other, seed) == followed(plain, seed), f"{kind} at {before[:4]}"
        check(other)
    print(f"{name}, {model}, {kind}: {visited} waits")  # noqa: T201
    assert visited or not LONG


@pytest.mark.parametrize(("name", "model"), combined(SCRIPTS, MODELS, long=LONG))
def test_what_acts_behind_an_answer_changes_nothing_of_what_follows(name: str, model: str) -> None:
    """At the boundary between two actions, or between two rounds: the words are taken as an answer, then a technique
    comes; afterwards the session stands where it would have stood."""
    visited = 0
    for count, (talk, seed) in enumerate(waits(name, model)):
        if count % EVERY or talk.request.kind == "choice":
            continue
        visited += 1
        plain, other = fork(talk), fork(talk)
        plain.say("说不好，最近都这样")
        other.script = talk.script
        other.say(f"说不好，最近都这样。{WORDS['boundary']}")
        if running(other) != "pause":
            assert running(other) in ("crisis_support", "safety_check", "explore_wishes", "aside") or other.ended
            continue
        roundtrip(other)
        other.say("好一些了")
        if plain.ended or running(plain) in ("crisis_support", "aside"):
            continue
        assert where(other)[:4] == where(plain)[:4], f"at {where(talk)[:4]}"
        if (remembered(other) or {}).get("timed") or is_led(talk):
            continue  # a step of an exercise comes back with all of its time, and a model asks anew
        assert followed(other, seed) == followed(plain, seed)
        check(other)
    print(f"{name}, {model}: {visited} boundaries")  # noqa: T201
    assert visited or not LONG
