"""The crisis technique has exits of its own: unclear twice is enough, nobody is kept, nobody is cleared by that; what
was told is taken over, what was denied is not; one thing a question."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.safety.shipped import skills
from tests.safety.test_crisis_talk import LANGUAGES, answer, running
from tests.safety.test_wishes import SAID as WISHES
from tests.safety.test_wishes import hold as exploring

from heartrule.sessions.views import position_of
from heartrule.testing.talk import Talk

SAID = LANGUAGES["zh"] | {"name": "zh"}, LANGUAGES["en"] | {"name": "en"}
TWICE = {"zh": "有一句我问了两次", "en": "There is one thing I asked twice"}
DESK = {"zh": "看得到这件事还没问清", "en": "can see that this is still open"}
NOBODY = {"zh": "这里现在没有人值班", "en": "Nobody is on duty here right now"}
ON = {"zh": "好，我们接着说", "en": "All right, let's go on talking"}
STORY = {"zh": "我妈今天又骂我了，我不想一个人待着", "en": "my mother shouted at me again today, it never ends"}
BOTH_NO = {"zh": "没受伤，手边也没有那种东西", "en": "I'm not hurt, and there's nothing near me"}


@pytest.fixture(params=SAID, ids=["zh", "en"])
def said(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


def begun(said: dict[str, str], how: str = "intent", **given: Any) -> Talk:
    talk = Talk(said["script"], **given)
    talk.say(said[how])
    return talk


def unclear_twice(said: dict[str, str], question: str = "means", **given: Any) -> Talk:
    """One question stays unclear in two passes; everything else is denied."""
    talk = begun(said, **given)
    answer(talk, said, thoughts="yes", **{question: "unclear"})
    talk.choose("safe")
    answer(talk, said, thoughts="yes", **{question: "unclear"})
    return talk


# exits


@pytest.mark.parametrize("question", ["intent", "plan", "hurt", "means"])
def test_unclear_twice_is_enough_and_it_is_said_what_happens_now(said: dict[str, str], question: str) -> None:
    talk = unclear_twice(said, question)
    words = "\n".join(talk.said)
    assert talk.at == "stand"
    assert TWICE[said["name"]] in words
    assert said["number"] in words
    assert NOBODY[said["name"]] in words
    assert [choice.value for choice in talk.request.choices] == ["company", "safe", "talk"]
    assert "{" not in words


def test_where_somebody_is_on_duty_it_is_said_that_they_know(said: dict[str, str]) -> None:
    talk = unclear_twice(said, reaches=["desk"])
    words = "\n".join(talk.said)
    assert DESK[said["name"]] in words
    assert talk.script.on_duty in words, "what they do is the project's word"
    assert NOBODY[said["name"]] not in words


@pytest.mark.parametrize("way", ["talk", "safe", "words"])
def test_who_was_asked_enough_goes_on_talking_and_is_not_cleared(said: dict[str, str], way: str) -> None:
    talk = unclear_twice(said)
    if way == "words":
        talk.say(STORY[said["name"]])
    else:
        talk.choose(way)
    assert (running(talk), talk.at) == ("questions", "mood")
    assert ON[said["name"]] in "\n".join(talk.said)
    assert talk.state.handled.open
    assert position_of(talk.state)["danger_open"] is True, "in sight at the desk and on the page"
    assert talk.happened("fault") == []


def test_who_wants_company_gets_it_and_is_not_asked_again(said: dict[str, str]) -> None:
    talk = unclear_twice(said)
    for _ in range(4):
        talk.choose("company")
        if talk.at == "listen":
            talk.say(said["words"])
        assert talk.at == "stand", "no question about danger comes any more"
    spoken = "\n".join(message.text for message in talk.history if message.sender == "ai")
    assert spoken.count(TWICE[said["name"]]) == 1, "and what will be done is said once"


def test_explicit_words_begin_the_questions_anew(said: dict[str, str]) -> None:
    talk = unclear_twice(said)
    talk.say(said["intent"])
    assert (running(talk), talk.at) == ("crisis_support", "hurt_again")
    answer(talk, said, means="unclear")
    assert not talk.state.handled.open


def test_plain_noes_later_clear_what_was_left_open(said: dict[str, str]) -> None:
    talk = unclear_twice(said)
    talk.choose("talk")
    talk.say(said["intent"])
    assert talk.state.handled.open, "it begins again, and is not over yet"
    answer(talk, said)
    talk.choose("safe")
    talk.choose("go_on")
    assert running(talk) == "questions"
    assert not talk.state.handled.open


def test_words_at_the_first_choice_are_listened_to_then_kept_company(said: dict[str, str]) -> None:
    talk = begun(said)
    answer(talk, said)
    talk.say(STORY[said["name"]])
    assert talk.at == "choice"
    talk.say(STORY[said["name"]])
    assert talk.at == "listen"


@given(
    st.sampled_from(SAID),
    st.sampled_from(["intent", "watch"]),
    st.lists(st.sampled_from(["unclear", "words"]), max_size=12),
)
@settings(max_examples=12, deadline=None)
def test_who_never_answers_clearly_is_through_in_bounded_time(said: dict[str, str], how: str, moves: list[str]) -> None:
    talk = begun(dict(said), how)
    for move in [*moves, *["words"] * 40]:
        if running(talk) == "questions":
            break
        if talk.request.kind == "choice":
            talk.say(STORY[said["name"]])
        else:
            talk.say(said[move])
    else:
        raise AssertionError("kept in the technique")
    assert talk.state.handled.open


# one thing a question


@pytest.mark.parametrize("name", ["crisis.yaml", "crisis.en.yaml"])
def test_a_question_is_about_one_thing_and_has_a_variable_of_its_own(name: str) -> None:
    crisis = next(skill for skill in skills(name).values() if "repeat" in skill)
    asked = {action["id"]: action for action in crisis["actions"] if action["type"] == "ask"}
    assert asked["hurt"]["output"] != asked["means"]["output"]
    for each in ("hurt", "hurt_again"):
        assert not any(word in asked[each]["content"] for word in ("手边", "身边", "或者", " or ", "near"))
    for each in ("means", "means_again"):
        assert not any(word in asked[each]["content"] for word in ("受伤", "伤到", "are you hurt"))


def test_both_denied_in_one_breath_are_both_kept(said: dict[str, str]) -> None:
    talk = begun(said)
    talk.say(said["no"])
    talk.say(BOTH_NO[said["name"]])
    assert talk.request.kind == "choice"
    talk.choose("safe")
    assert talk.at == "landing"


def test_both_denied_before_they_are_asked_deny_nothing(said: dict[str, str]) -> None:
    talk = begun(said)
    talk.say(BOTH_NO[said["name"]])
    answered = answer(talk, said)
    assert {"hurt", "means"} <= set(answered)


def test_what_lies_near_is_no_emergency_by_itself() -> None:
    talk = begun(LANGUAGES["zh"])
    talk.say("没有")
    talk.say("没有伤着。手边就是降压药，还有酒")
    words = "\n".join(talk.said)
    assert "请先跟它隔开" in words
    assert "大声叫人来" not in words
    assert talk.value("手边有东西") is True
    assert talk.value("眼前有危险") is True


# what was told

TOLD = {"": "你说过的，我记着", "_en": "What you told me stays with me"}
NAMES = {"": {"intent": "打算去做", "plan": "想好怎么做", "means": "手边有东西"}, "_en": {}}


@pytest.mark.parametrize(
    ("item", "taken", "next_asked"),
    [
        ("method_thought", "plan", "hurt"),
        ("suicidal_intent", "intent", "plan"),
    ],
)
@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
def test_what_was_told_is_said_back_and_the_next_is_asked(
    wish: dict[str, str], item: str, taken: str, next_asked: str
) -> None:
    told = ("suicidal_thoughts", "suicidal_intent", item)
    talk = exploring(wish, **dict.fromkeys(told, "yes"))
    while any(talk.value(name) is None for name in told):
        talk.say(wish["yes"] if talk.said[-1].rstrip("?") in told else wish["no"])
    suffix = wish["suffix"]
    talk.say("I want to kill myself" if suffix else "我想自杀")
    assert (running(talk), talk.at) == ("crisis_support", next_asked)
    assert talk.value(NAMES[suffix].get(taken, taken)) is True
    assert TOLD[suffix] in "\n".join(talk.said)
    asked = []
    while talk.request.kind == "message" and talk.at != "support":
        asked.append(talk.at)
        talk.say(wish["no"])
    assert taken not in asked
    assert "hurt" in asked, "the rest is asked"


@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
def test_what_was_denied_is_asked_all_the_same(wish: dict[str, str]) -> None:
    talk = exploring(wish, suicidal_thoughts="yes")
    while talk.value("suicidal_intent") is None:
        talk.say(wish["yes"] if talk.said[-1].rstrip("?") == "suicidal_thoughts" else wish["no"])
    assert talk.value("suicidal_intent") is False
    talk.say("I want to kill myself" if wish["suffix"] else "我想自杀")
    assert running(talk) == "crisis_support"
    asked = []
    while talk.request.kind == "message" and talk.at != "support":
        asked.append(talk.at)
        talk.say(wish["no"])
    assert asked[:3] == ["intent", "plan", "hurt"], "what was denied in the talk answers nothing of now"


def test_a_yes_without_words_of_the_person_is_taken_over_from_nowhere(said: dict[str, str]) -> None:
    talk = begun(said, values={"suicidal_intent": True, "method_thought": True, "means_at_hand": True})
    assert talk.at == "thoughts"
    assert answer(talk, said, thoughts="yes")[:5] == ["thoughts", "intent", "plan", "hurt", "means"]


# what a model is told of it


FACTS = {"zh": ("危险没有排除", "没有人值班"), "en": ("danger is not ruled out", "Nobody is on duty")}
LED = "{type: ai_ask, id: mood, content: x, output: [{get: mood, question: a}, {get: day, question: b}]}"


def led(said: dict[str, str], **given: Any) -> Talk:
    """A session that a model leads, in which the technique was left with danger not ruled out."""
    script = said["script"].replace(said["script"].splitlines()[12].strip().removeprefix("- "), LED)
    talk = Talk(script, {"stretch": {"values": {}, "asks": "mood", "EXIT": "NO", "content": "?"}}, **given)
    talk.say(said["intent"])
    answer(talk, said, means="unclear")
    talk.choose("safe")
    answer(talk, said, means="unclear")
    talk.choose("talk")
    return talk


def test_prompts_say_that_danger_is_open_and_give_the_facts_of_the_place(said: dict[str, str]) -> None:
    open_, nobody = FACTS[said["name"]]
    talk = led(said)
    (task,) = [each for each in talk.asked if each.template == "stretch"][-1:]
    case = task.context.values["case"]
    assert open_ in case
    assert nobody in case
    assert said["number"] in case
    talk = led(said, reaches=["desk"])
    case = [each for each in talk.asked if each.template == "stretch"][-1].context.values["case"]
    assert talk.script.on_duty in case
    assert nobody not in case


def test_without_danger_prompts_say_nothing_of_it(said: dict[str, str]) -> None:
    script = said["script"].replace(said["script"].splitlines()[12].strip().removeprefix("- "), LED)
    talk = Talk(script, {"stretch": {"values": {}, "asks": "mood", "EXIT": "NO", "content": "?"}})
    task = next(each for each in talk.asked if each.template == "stretch")
    assert task.context.values["case"] == ""
