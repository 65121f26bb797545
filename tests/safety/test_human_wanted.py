"""While danger is gone through: asking for a human, wanting to stop, and plain words that come late."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.safety.shipped import read
from tests.safety.test_crisis_mends import MORE, told
from tests.safety.test_crisis_talk import LANGUAGES, answer, running

from heartrule.engine.awareness.risk_rules import matcher_for
from heartrule.engine.session.events import Escalated, Noticed
from heartrule.language.nodes import RiskRules
from heartrule.sessions.rows import escalation_rows
from heartrule.testing.talk import Talk

HUMAN = {"zh": "我想跟真人说", "en": "can I talk to a real person"}
STOP = {"zh": "今天就到这儿吧", "en": "Can we stop here?"}
BOTH = {"zh": "我站在楼顶了，马上就跳，让真人跟我说", "en": "I'm going to jump off the roof now, get me a human"}
REACHED = {"zh": "给负责这里的人留了话", "en": "I have left word with those"}
NOBODY = {"zh": "这里没有人值班", "en": "Nobody is on duty here"}
FREE = {"zh": "可以停", "en": "You can stop"}
BACK = {"zh": ("接着刚才的说", "一句一句来"), "en": ("Back to where we were", "one thing at a time")}
PLACES = [
    "thoughts",
    "intent",
    "plan",
    "hurt",
    "means",
    "time",
    "past",
    "support",
    "choice",
    "landing",
    "ask_contact",
    "listen",
]


@pytest.fixture(params=MORE, ids=["zh", "en"])
def said(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


def standing_at(said: dict[str, str], place: str, **given: Any) -> Talk:
    """The technique, called by a yes to the gentle question, waiting at one of its places."""
    talk = Talk(said["script"], **given)
    talk.say(said["watch" if place == "support" else "intent"])
    if place == "support":
        talk.say(said["yes"])
    yes = (
        {}
        if place in ("hurt", "means", "support", "choice", "landing", "listen")
        else {"thoughts": "yes", "intent": "yes"}
    )
    for _ in range(20):
        if talk.at == place:
            break
        if talk.request.kind == "message":
            name = (talk.at or "").removesuffix("_again")
            talk.say(said["words"] if name == "support" else said[yes.get(name, "no")])
        elif talk.at == "ask_contact":
            talk.choose("declined")
        else:
            talk.choose("company" if place == "listen" else "safe")
    assert talk.at == place
    return talk


def variables(talk: Talk) -> dict[Any, dict[str, Any]]:
    """What is known in the scopes that are open, what was told to whom left aside."""
    return {
        scope: {name: cell.value for name, cell in cells.items() if name not in ("desk_told", "desk_said")}
        for scope, cells in talk.variables.cells.items()
        if cells
    }


def asked_for(talk: Talk) -> list[Escalated]:
    return [event for event in talk.events if isinstance(event, Escalated) and event.cause.endswith("human_to_desk")]


@pytest.mark.parametrize("words", [HUMAN, STOP], ids=["human", "stop"])
@pytest.mark.parametrize("place", PLACES)
def test_it_is_heard_and_the_same_question_stands(said: dict[str, str], place: str, words: dict[str, str]) -> None:
    talk = standing_at(said, place, reaches=["desk", "contact"])
    question, before, choices = talk.history[-1].text, variables(talk), talk.request.choices
    talk.say(words[said["name"]])
    assert (running(talk), talk.at) == ("crisis_support", place)
    assert variables(talk) == before, "no answer was stored"
    assert talk.request.choices == choices
    assert (REACHED if words is HUMAN else FREE)[said["name"]] in "\n".join(talk.said)
    assert said["number"] in "\n".join(talk.said)
    assert question.endswith(talk.said[-1]) or talk.request.kind == "choice"
    assert not any(back in text for text in talk.said for back in BACK[said["name"]]), "nobody has been away"
    assert talk.happened("fault") == []


@pytest.mark.parametrize("model", [None, {}, {"reading": {"answer": "no", "evidence": "真人"}}])
@pytest.mark.parametrize("place", ["thoughts", "hurt", "choice"])
def test_ten_times_close_nothing_and_tell_once(said: dict[str, str], place: str, model: Any) -> None:
    talk = standing_at(said, place, reaches=["desk"])
    talk.model = model
    before = variables(talk)
    for _ in range(10):
        talk.say(HUMAN[said["name"]])
        assert talk.at == place
        assert REACHED[said["name"]] in "\n".join(talk.said), "the tenth is told what the first was"
    assert variables(talk) == before
    assert len(asked_for(talk)) == 1
    assert not talk.ended


def test_those_on_duty_are_told_again_after_half_an_hour(said: dict[str, str]) -> None:
    talk = standing_at(said, "thoughts", reaches=["desk"])
    talk.say(HUMAN[said["name"]])
    talk.say(HUMAN[said["name"]], seconds=29 * 60)
    assert len(asked_for(talk)) == 1
    talk.say(HUMAN[said["name"]], seconds=2 * 60)
    assert len(asked_for(talk)) == 2


def test_where_nobody_is_on_duty_that_is_said(said: dict[str, str]) -> None:
    talk = standing_at(said, "intent")
    talk.say(HUMAN[said["name"]])
    words = "\n".join(talk.said)
    assert NOBODY[said["name"]] in words
    assert REACHED[said["name"]] not in words
    assert said["number"] in words
    assert len(asked_for(talk)) == 1, "it stays on record"


@pytest.mark.parametrize("opening", ["watch"])
def test_the_gentle_question_hears_it_as_well(said: dict[str, str], opening: str) -> None:
    talk = Talk(said["script"], reaches=["desk"])
    talk.say(said[opening])
    assert running(talk) == "safety_check"
    talk.say(HUMAN[said["name"]])
    assert (running(talk), talk.at) == ("safety_check", "thoughts")
    assert told(talk) == ["desk"]
    talk.say(said["no"])
    assert talk.at == "sleep", "back, behind the answer that was kept"
    assert not talk.happened("fault")


def test_a_plain_denial_beside_it_is_not_taken(said: dict[str, str]) -> None:
    talk = standing_at(said, "hurt")
    talk.say(f"{said['no']}. {HUMAN[said['name']]}")
    assert talk.at == "hurt"


def test_explicit_words_beside_it_count_as_ever(said: dict[str, str]) -> None:
    for place in ("thoughts", "hurt", "choice", "landing"):
        talk = standing_at(said, place, reaches=["desk"])
        talk.say(BOTH[said["name"]])
        words = "\n".join(talk.said)
        assert running(talk) == "crisis_support"
        assert REACHED[said["name"]] in words
        assert said["number"] in words
        assert any(v is True for cells in variables(talk).values() for v in cells.values())
        assert len(asked_for(talk)) == 1
        if talk.request.kind == "choice":
            talk.choose("safe")
        assert (running(talk), talk.request.kind) == ("crisis_support", "message"), "no way out stays open"


def test_who_wants_to_stop_again_is_taken_as_unclear_and_nothing_is_cleared(said: dict[str, str]) -> None:
    talk = standing_at(said, "thoughts")
    talk.say(STOP[said["name"]])
    assert talk.at == "thoughts"
    talk.say(STOP[said["name"]])
    assert talk.at == "intent"
    assert FREE[said["name"]] not in "\n".join(talk.said)
    for _ in range(30):
        if running(talk) != "crisis_support":
            break
        talk.say(STOP[said["name"]])
    assert (running(talk), talk.ended) == ("questions", False), "nobody is kept"
    assert talk.state.handled.open, "and nobody is cleared"


def test_the_words_of_a_choice_are_the_choice(said: dict[str, str]) -> None:
    talk = standing_at(said, "landing")
    talk.say(next(choice.label for choice in talk.request.choices if choice.value == "stop"))
    assert talk.ended
    assert [event for event in talk.happened("awareness") if event.verdict == "yes" and "stop" in event.awareness] == []


def test_outside_of_danger_nothing_of_it_is_heard(said: dict[str, str]) -> None:
    talk = Talk(said["script"], reaches=["desk"])
    talk.say(HUMAN[said["name"]])
    assert talk.at == "mood", "what only asks for somebody answers nothing"
    assert told(talk) == []


def test_it_is_recorded_with_the_words_that_were_heard() -> None:
    talk = standing_at({**LANGUAGES["zh"], "name": "zh"}, "thoughts")
    talk.say("别问了，我想跟真人说")
    found = [event for event in talk.happened("awareness") if event.awareness == "safety/human_wanted_now"]
    assert isinstance(found[-1], Noticed)
    assert (found[-1].verdict, found[-1].source, found[-1].acted) == ("yes", "rules", True)
    assert found[-1].evidence
    assert found[-1].evidence in "别问了，我想跟真人说"


def test_they_are_decided_by_rules_alone() -> None:
    for node in read("human.yaml")["awareness"]:
        assert (node["priority"], node["always"], node["at"]) == ("P1", True, ["answer"])
        assert node["condition"]["judge"] == ""


ANSWERS = [
    ("没有", False),
    ("我会去找我的咨询师", False),
    ("我要走了", False),
    ("我想结束", False),
    ("I want it to end", False),
    ("not really", False),
    ("my sister", False),
    ("我想和真人谈谈", True),
    ("能转人工吗", True),
    ("叫个真人来", True),
    ("有没有真人", True),
    ("我 想 跟 真 人 说", True),
    ("could I speak with a counsellor?", True),
    ("I’d like to talk to a human", True),
    ("please connect me with a therapist", True),
    ("is anybody there", True),
    ("我不聊了", True),
    ("我想结束谈话", True),
    ("let's stop for today", True),
]


@pytest.mark.parametrize(("text", "heard"), ANSWERS)
def test_what_counts_as_that(text: str, heard: bool) -> None:
    found = [
        matcher_for(RiskRules.model_validate(node["condition"]["rules"])).match(text).level
        for node in read("human.yaml")["awareness"]
    ]
    assert any(found) == heard


RULES = [
    (node["id"], rule)
    for node in read("human.yaml")["awareness"][1:]
    for rule in RiskRules.model_validate(node["condition"]["rules"]).explicit
]


@pytest.mark.parametrize(("script", "rule"), RULES, ids=lambda each: getattr(each, "reason", each))
def test_every_rule_shows_what_it_finds_and_what_it_lets_pass(script: str, rule: Any) -> None:
    matcher = matcher_for(RiskRules(explicit=[rule]))
    assert rule.match
    assert rule.pass_
    assert [text for text in rule.match if matcher.match(text).level != "explicit"] == []
    assert [text for text in rule.pass_ if matcher.match(text).level] == []


# words that were sent before the choice was seen


@pytest.mark.parametrize("place", ["choice", "landing", "intent"])
@pytest.mark.parametrize("model", [None, {}], ids=["rules", "model away"])
def test_explicit_words_that_come_late_are_heard_as_explicit(said: dict[str, str], place: str, model: Any) -> None:
    talk = standing_at(said, place, reaches=["desk"])
    talk.model = model
    grave = {"zh": "我站在楼顶了，马上就跳", "en": "I'm going to jump off the roof now"}[said["name"]]
    talk.say(grave, after=talk.history[-1].number - 4)
    assert place == "intent" or said["number"] in "\n".join(talk.said)
    assert any(v is True for cells in variables(talk).values() for v in cells.values()), "not lost"
    if talk.request.kind == "message":
        answer(talk, said)
    talk.choose("safe")
    assert (running(talk), talk.request.kind) == ("crisis_support", "message"), "a press does not take it back"


def test_whoever_is_in_danger_is_told_of_as_such_whatever_called(said: dict[str, str]) -> None:
    """Asking for a human is a wish of the second rank; on the way through danger it is not."""
    there = standing_at(said, "plan", reaches=["desk"])
    there.say(HUMAN[said["name"]])
    at_once = Talk(said["script"], reaches=["desk"])
    at_once.say(BOTH[said["name"]])
    for talk in (there, at_once):
        assert {row.level for row in escalation_rows(talk.turn)} == {"P0"}
    calm = Talk(said["script"], reaches=["desk"])
    calm.say(HUMAN[said["name"]])
    assert {row.level for row in escalation_rows(calm.turn)} <= {"P1"}


@pytest.mark.parametrize("verdict", ["yes", "watch"])
def test_danger_said_to_a_human_has_its_level(said: dict[str, str], verdict: str) -> None:
    talk = Talk(said["script"], reaches=["desk"])
    ref = "safety/suicide_risk"
    noticed = Noticed(awareness=ref, verdict="yes", source="rules", priority="P0")
    called = Escalated(id="1-1", to="desk", cause=f"awareness {ref} {verdict}")
    turn = replace(talk.turn, events=(noticed.model_copy(update={"verdict": verdict}), called))
    assert [row.level for row in escalation_rows(turn)] == ["P0"]
