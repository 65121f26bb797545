"""A person may say that they want to die at any moment. Every place where a shipped session or technique waits for them
is visited, and left through the crisis technique: with no model, with one, and with one that fails.

``HEARTRULE_INTERRUPTIONS=long`` (`make histories`) walks the techniques by a visitor more, and goes all the way back
also where words of the other language led away.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, lru_cache

import pytest
from tests.engine.minds import Data, _quoted, fork, out, running, sensible, spoken
from tests.thinning import combined

from heartrule.engine.session.tasks import Task
from heartrule.engine.variables.evidence import is_stretch
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk, compile_text, shipped
from heartrule.testing.visitor import Visitor, action_at

INTENT = {"zh": "我站在楼顶，想跳", "en": "I am on the roof, about to jump"}
"""What leads to the technique also where a model leads."""
THOUGHT = {"zh": "我想自杀", "en": "I want to kill myself"}
"""What is talked about there, behind the numbers."""
SESSIONS = ("cbt/first_assessment", "cbt/abc_intro", "cbt/abc_intro_en")
TECHNIQUES = {
    "cbt/socratic": {"目标信念": "我什么都做不好", "情境": "被领导说了几句"},
    "cbt/socratic_en": {"目标信念": "I do nothing right", "情境": "my manager said so"},
    "cbt/cognitive_restructuring": {"情境": "被领导说了几句", "自动想法": "我什么都做不好"},
    "cbt/emotion_regulation": {},
    "cbt/behavioural_activation": {},
    "safety/crisis_support": {},
    "safety/safety_check": {},
    "safety/safety_unsure": {},
    "safety/safety_follow_up": {},
}
CALLING = """
sessions:
  - session: {name}
    id: calling
    locale: {locale}
    phases:
      - phase: one
        id: one
        steps:
          - topic: one
            id: one
            actions:
              - {{type: use_skill, id: call, skill: {skill}, input: {input}}}
              - {{type: ask, id: afterwards, content: "{afterwards}"}}
"""
LONG = os.environ.get("HEARTRULE_INTERRUPTIONS") == "long"
SEEDS = (5, 3 if LONG else 2)
"""By how many visitors a session, and a technique, is walked."""
TURNS = 130


@cache
def script(name: str) -> Script:
    if name in SESSIONS:
        return shipped(name)
    english = name.endswith("_en")
    text = CALLING.format(
        name=name.replace("/", " "),
        locale="en" if english else "zh-CN",
        skill=name.removesuffix("_en"),
        input="{" + ", ".join(f'{key}: "{value}"' for key, value in TECHNIQUES[name].items()) + "}",
        afterwards="Anything else?" if english else "还有吗？",
    )
    return compile_text(text)


def fails_but_judges(task: Task) -> Data | None:
    """A provider that answers the safety question and nothing else."""
    return sensible(task) if task.template == "risk" else None


def leads(task: Task) -> Data | None:
    """It takes what it is told in a stretch, too."""
    if task.template == "stretch" and "values" in task.schema["properties"]:
        return {"values": _quoted(task), "asks": "", "EXIT": "NO", "content": "谢谢你告诉我。可以再多说一点吗？"}
    return sensible(task)


MODELS = {"no model": None, "model": leads, "failed model": fails_but_judges}


def waits(name: str, model: str) -> Iterator[Talk]:
    """The session at each of its waits, each of them once."""
    return map(fork, _walked(name, model))


@lru_cache(6)
def _walked(name: str, model: str) -> list[Talk]:
    """Walked once for the tests that come one after another."""
    return [fork(talk) for talk in _walking(name, model)]


def _walking(name: str, model: str) -> Iterator[Talk]:
    seen: set[tuple[str, int, str, str, int]] = set()
    for seed in range(SEEDS[name not in SESSIONS]):
        talk = Talk(script(name), MODELS[model])
        visitor = Visitor(
            talk.script,
            seed=seed,
            yes=(0.3, 0.8)[seed % 2],
            prefer=("safe", "company")[seed % 2 :],
            at_risk=name.startswith("safety/") and seed % 2 == 1,
        )
        for _ in range(TURNS):
            if talk.ended:
                break
            frame = talk.state.running
            assert frame is not None
            assert frame.action is not None
            asked = str(frame.action.asking or "")
            place = (frame.ref, frame.action.index, asked, talk.request.kind, min(frame.action.round, 2))
            if place not in seen:
                seen.add(place)
                yield talk
            kind, words = visitor.reply(talk.state, talk.request)
            talk.choose(words) if kind == "choice" else talk.say(words)


def words_of(name: str) -> str:
    return INTENT["zh" if script(name).locale.startswith("zh") else "en"]


def back(talk: Talk) -> None:
    """Out of the crisis technique, by the only way out."""
    no = "没有" if talk.script.locale.startswith("zh") else "no"
    for _ in range(12):
        if running(talk) != "crisis_support" or talk.ended:
            return
        if talk.request.kind == "choice":
            out(talk)
        else:
            talk.say(no)
    raise AssertionError("there was no way out")


def asks_about_risk(talk: Talk) -> bool:
    visitor = Visitor(talk.script)
    if talk.request.kind != "message" or talk.state.running is None or talk.state.running.project == "safety":
        return False
    return any(visitor._rules(talk.state, item).risk for item in visitor._asked(talk.state)[:1])


def interrupted(talk: Talk, text: str, *, returns: bool = True) -> None:
    """What must be so after these words, wherever they were said; and what must be so again after the technique."""
    before, kind, question = talk.at, talk.request.kind, talk.state.running
    assert question is not None
    key, already = question.key, running(talk) == "crisis_support"
    closed = asks_about_risk(talk)
    asked_before = question.action.question if question.action else None
    waits = action_at(talk.script, talk.state)
    led = talk.has_model and waits is not None and is_stretch(waits.peek("output") or [])
    writes = len(talk.happened("variable"))
    talk.say(text)
    assert running(talk) == "crisis_support", f"at {before}"
    said = [message for message in talk.turn.messages if message.sender == "person"]
    held = [event for event in talk.happened("variable")[writes:] if isinstance(event.value, str)]
    if already:
        assert talk.state.running is not None
        assert talk.state.running.key == key, "further words do not begin it anew"
        return
    assert not [event for event in held if text in event.value]
    assert [message.withheld for message in said] == [True]
    assert any("12356" in line or "988" in line for line in talk.said)
    assert talk.request.kind == "message"
    if not returns:
        return
    back(talk)
    if closed and not led:
        assert talk.ended or talk.at != before, "a question about risk is answered by such words"
    elif led:
        assert talk.said[-1], "a stretch has its own way back, or on where nothing needed is open"
        assert talk.ended or talk.at != before or talk.request.kind == kind
    elif question.awareness is None:
        assert (talk.at, talk.request.kind) == (before, kind), "the question that was interrupted waits again"
        assert talk.said[-1].splitlines()[0] in spoken(talk, "resume", "resume_gently")
        if asked_before:
            assert talk.said[-1].endswith(asked_before.strip().rpartition("\n")[2])


COUNTS = {"cbt/first_assessment": 44, "cbt/abc_intro": 14, "cbt/abc_intro_en": 10, "safety/crisis_support": 12}
"""Fewer waits than this, and the visitor has lost the way."""


@pytest.mark.parametrize(("name", "model"), combined([*SESSIONS, *TECHNIQUES], MODELS, long=LONG))
def test_intent_is_heard_at_every_wait(name: str, model: str) -> None:
    visited = 0
    for talk in waits(name, model):
        visited += 1
        other = fork(talk)
        interrupted(fork(talk), words_of(name))
        if model == "no model":  # either language is heard in a session of the other
            interrupted(other, INTENT["en" if words_of(name) == INTENT["zh"] else "zh"], returns=LONG)
    print(f"{name}, {model}: {visited} waits")  # noqa: T201
    assert visited >= COUNTS.get(name, 1)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_thought_said_straight_is_talked_about_at_every_wait(name: str) -> None:
    """Numbers first, in the same turn, wherever it is said; nothing of it answers what waited."""
    words = THOUGHT["zh" if script(name).locale.startswith("zh") else "en"]
    for talk in waits(name, "model"):
        if talk.state.running is None or talk.state.running.project == "safety" or talk.state.handled.explored:
            continue
        writes = len(talk.happened("variable"))
        twin = fork(talk)
        twin.say(words)
        assert running(twin) == "explore_wishes", f"at {talk.at}"
        assert any("12356" in line or "988" in line for line in twin.said)
        assert [each.withheld for each in twin.turn.messages if each.sender == "person"] == [True]
        held = [event for event in twin.happened("variable")[writes:] if isinstance(event.value, str)]
        assert not [event for event in held if words in event.value and event.scope != "session"]


def test_the_visitor_reaches_every_action_that_can_wait() -> None:
    """Of the shipped sessions, in a few visits; a place nobody reaches is a place nobody has tested."""
    for name in SESSIONS:
        walks = [talk for model in ("no model", "model") for talk in waits(name, model)]
        reached = {action.id for talk in walks if (action := action_at(talk.script, talk.state))}
        waiting = {
            action.id
            for phase in script(name).session.phases
            for topic in phase.steps
            for action in topic.actions
            if action.type in ("ask", "ai_ask", "user_option", "user_say")
        }
        assert len(waiting - reached) <= 0.25 * len(waiting), f"{name}: never at {sorted(map(str, waiting - reached))}"


@pytest.mark.parametrize("name", ["cbt/first_assessment", "cbt/abc_intro"])
def test_a_burst_is_heard_as_one(name: str) -> None:
    for count, talk in enumerate(waits(name, "no model")):
        if count % 6 == 0:
            twin = fork(talk)
            twin.say("我", "不想", "活了")
            assert running(twin) == "crisis_support"
            assert all(message.withheld for message in twin.turn.messages if message.sender == "person")
