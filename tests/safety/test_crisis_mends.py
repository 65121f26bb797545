"""The crisis technique: grave words while a choice is awaited; who is told, when, and what is said of that."""

from __future__ import annotations

from typing import Any

import pytest
from tests.safety.test_crisis_talk import LANGUAGES, answer, running

from heartrule.engine.session.events import Escalated
from heartrule.testing.talk import Talk

GRAVE = {
    "zh": ["我站在楼顶了，马上就跳", "我刚吃了一整瓶药"],
    "en": ["I'm going to jump off the roof now", "I just took a whole bottle of pills"],
}
TOLD = {"zh": "给负责这里的人发了提醒", "en": "I have also alerted"}
LATER = {
    "zh": ["告诉我的联系人", "还是请你联系我的联系人吧"],
    "en": ["please tell my contact", "Okay, call my emergency contact."],
}
MORE = LANGUAGES["zh"] | {"name": "zh"}, LANGUAGES["en"] | {"name": "en"}


@pytest.fixture(params=MORE, ids=["zh", "en"])
def said(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


def begun(said: dict[str, str], *, how: str = "intent", **given: Any) -> Talk:
    talk = Talk(said["script"], **given)
    talk.say(said[how])
    return talk


def told(talk: Talk) -> list[str]:
    return [event.to for event in talk.events if isinstance(event, Escalated)]


def times_said(talk: Talk, said: dict[str, str]) -> int:
    return sum(TOLD[said["name"]] in message.text for message in talk.history if message.sender == "ai")


# grave words while a choice is awaited


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("at", ["choice", "landing", "ask_contact"])
@pytest.mark.parametrize("entry", ["intent", "watch"])
def test_grave_words_at_a_choice_end_it_and_name_the_numbers_at_once(
    said: dict[str, str], at: str, which: int, entry: str
) -> None:
    talk = begun(said, how=entry, reaches=["desk", "contact"])
    if entry == "watch":
        talk.say(said["yes"])
    answer(talk, said, **({"thoughts": "yes", "intent": "yes"} if at == "ask_contact" else {}))
    if at == "landing":
        talk.choose("safe")
    assert talk.at == at
    talk.say(GRAVE[said["name"]][which])
    words = "\n".join(talk.said)
    assert not talk.ended
    assert talk.request.kind == "message", "no way out stays open"
    assert (running(talk), talk.at) == ("crisis_support", "hurt_again")
    assert said["number"] in words
    assert "{" not in words
    assert set(told(talk)) == {"desk"}, "and once more, a minute after the first"
    assert times_said(talk, said) == 1
    assert talk.happened("fault") == []


def test_after_grave_words_at_the_landing_it_takes_plain_noes_again_to_leave(said: dict[str, str]) -> None:
    talk = begun(said)
    answer(talk, said)
    talk.choose("safe")
    talk.say(GRAVE[said["name"]][0])
    answer(talk, said)
    talk.choose("safe")
    assert talk.at == "thoughts_again", "what was said is not taken back by pressing"
    answer(talk, said)
    talk.choose("safe")
    assert talk.at == "landing"
    talk.choose("stop")
    assert talk.ended


def test_grave_words_at_a_choice_of_any_other_project_leave_it_open() -> None:
    script = LANGUAGES["zh"]["script"].replace(
        '{type: ask, id: mood, content: "今天心情怎么样？", output: [{get: mood, type: text}]}',
        "{type: user_option, id: mood, var: mood, choices: [{value: a, label: 好}, {value: b, label: 不好}]}",
    )
    talk = Talk(script)
    talk.say("我不想活了")
    assert running(talk) == "crisis_support"
    answer(talk, LANGUAGES["zh"])
    talk.choose("safe")
    talk.choose("go_on")
    assert [choice.value for choice in talk.request.choices] == ["a", "b"]


# those on duty


def test_explicit_words_tell_those_on_duty_at_once_and_once(said: dict[str, str]) -> None:
    talk = begun(said, reaches=["desk"])
    assert (told(talk), times_said(talk, said)) == (["desk"], 1)
    answer(talk, said, thoughts="yes", intent="yes", plan="yes", danger="yes")
    for _ in range(8):
        talk.choose("company")
        answer(talk, said, thoughts="yes", intent="yes", plan="yes", danger="yes")
    assert told(talk) == ["desk"], "what is answered to the technique's questions is no news"
    for _ in range(8):
        talk.say(GRAVE[said["name"]][0])
        answer(talk, said, danger="yes")
    assert set(told(talk)) == {"desk"}
    assert times_said(talk, said) == 1, "they are told again, and the person once that they were"


def test_a_yes_to_thoughts_is_told_as_plain_words_are(said: dict[str, str]) -> None:
    talk = begun(said, how="watch", reaches=["desk"])
    assert told(talk) == []
    talk.say(said["yes"])
    assert (told(talk), times_said(talk, said)) == (["desk"], 1)
    assert any(said["number"] in text for text in talk.said), "the same danger, the same numbers"


@pytest.mark.parametrize("first", ["intent", "plan", "hurt", "means"])
def test_from_a_gentle_question_a_yes_tells_them_as_soon_as_it_is_given(said: dict[str, str], first: str) -> None:
    talk = begun(said, how="watch", reaches=["desk"])
    talk.say(said["unclear"])
    assert told(talk) == []
    while talk.at != first:
        assert told(talk) == []
        talk.say(said["no"])
    talk.say(said["yes"])
    assert told(talk) == ["desk"]
    answer(talk, said)
    assert (told(talk), times_said(talk, said)) == (["desk"], 1)


@pytest.mark.parametrize("unclear", ["intent", "plan", "hurt", "means"])
def test_what_is_unclear_at_the_end_of_a_pass_is_not_ruled_out(said: dict[str, str], unclear: str) -> None:
    talk = begun(said, how="watch", reaches=["desk"])
    talk.say(said["yes"])
    answer(talk, said, **{unclear: "unclear"})
    assert (talk.at, told(talk), times_said(talk, said)) == ("choice", ["desk"], 1)


def test_what_is_ruled_out_tells_nobody_and_says_nothing_of_it(said: dict[str, str]) -> None:
    talk = begun(said, how="watch", reaches=["desk", "contact"])
    talk.say(said["unclear"])
    answer(talk, said)
    assert (talk.at, told(talk), times_said(talk, said)) == ("choice", [], 0)


def test_what_becomes_urgent_in_a_later_pass_is_told_and_said_there(said: dict[str, str]) -> None:
    talk = begun(said, how="watch", reaches=["desk", "contact"])
    talk.say(said["unclear"])
    answer(talk, said)
    talk.choose("company")
    answer(talk, said)
    assert told(talk) == []
    talk.say(GRAVE[said["name"]][1])
    answer(talk, said, danger="yes")
    assert (told(talk), times_said(talk, said)) == (["desk"], 1)
    assert talk.at == "ask_contact", "asked in the first urgent pass, whichever it is"


def test_a_second_run_tells_them_again_and_says_so_again(said: dict[str, str]) -> None:
    talk = begun(said, reaches=["desk"])
    answer(talk, said)
    talk.choose("safe")
    talk.choose("go_on")
    talk.say(said["intent"])
    assert (told(talk), times_said(talk, said)) == (["desk", "desk"], 2)


def test_where_nobody_can_be_told_it_is_on_record_and_nothing_is_said(said: dict[str, str]) -> None:
    talk = begun(said)
    answer(talk, said, intent="yes")
    assert (told(talk), times_said(talk, said)) == (["desk"], 0)


def test_a_session_with_names_like_ours_tells_nobody() -> None:
    ours = [
        "heard, type: text, value: rules",
        "intent, type: boolean, value: true",
        "tell_contact, type: text, value: agreed",
    ]
    declared = "".join(f"      - {{var: {each}}}\n" for each in ours)
    script = LANGUAGES["en"]["script"].replace("    phases:", f"    declare:\n{declared}    phases:")
    talk = Talk(script, reaches=["desk", "contact"])
    talk.say("fine")
    assert told(talk) == []


# their contact


def urgent(said: dict[str, str]) -> Talk:
    talk = begun(said, reaches=["desk", "contact"])
    answer(talk, said, thoughts="yes", intent="yes", danger="yes")
    assert talk.at == "ask_contact"
    return talk


def test_one_consent_makes_one_message(said: dict[str, str]) -> None:
    talk = urgent(said)
    talk.choose("agreed")
    assert told(talk) == ["desk", "contact"]
    assert sum("就打急救或报警电话" in text or "emergency services if they" in text for text in talk.said) == 1
    for _ in range(16):
        talk.choose("company")
        answer(talk, said, thoughts="yes", intent="yes", danger="yes")
        assert talk.at in ("choice", "stand")
    assert told(talk) == ["desk", "contact"]


@pytest.mark.parametrize("which", [0, 1])
def test_who_declined_may_say_so_later(said: dict[str, str], which: int) -> None:
    talk = urgent(said)
    talk.choose("declined")
    assert told(talk) == ["desk"]
    talk.say(LATER[said["name"]][which])
    answer(talk, said)
    assert talk.at == "ask_contact", "the question is put again, and nobody is told without the answer"
    assert told(talk) == ["desk"]
    talk.choose("agreed")
    assert told(talk) == ["desk", "contact"]
    talk.say(LATER[said["name"]][which])
    assert talk.at in ("choice", "stand")
    assert told(talk) == ["desk", "contact"]


def test_a_second_run_asks_for_consent_of_its_own(said: dict[str, str]) -> None:
    talk = urgent(said)
    talk.choose("agreed")
    while talk.at != "landing":
        talk.choose("safe")
        answer(talk, said)
    talk.choose("go_on")
    talk.say(said["intent"])
    answer(talk, said, thoughts="yes", intent="yes")
    assert talk.at == "ask_contact"
    assert told(talk) == ["desk", "contact", "desk"]
    talk.choose("declined")
    assert told(talk) == ["desk", "contact", "desk"]
