"""A counsellor takes the program's place, speaks, and hands back: nothing is lost, nothing runs, nobody is stuck."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.scripts import CALM, ask, check, phase, roundtrip, say, script, topic

from heartrule.engine.session.events import DirectiveApplied, Escalated, HumanChanged, LateWords, Noticed
from heartrule.engine.session.io import Input, Message, Who, Words
from heartrule.engine.session.state import State
from heartrule.engine.takeover import ANSWER, REST
from heartrule.engine.work import SAFETY
from heartrule.llm.prompt import transcript
from heartrule.prompts.fixed_sentences import sentence
from heartrule.testing.talk import Talk, shipped

WANG, LI = Who("c-1", "王老师"), Who("c-2", "李老师")


def spoken(key: str, name: str, locale: str = "zh-CN") -> str:
    return sentence(key, 0, locale, None, {}).replace("{name}", name)


def held(**more: Any) -> Talk:
    return Talk(
        script(phase("A", topic("甲", ask("你叫什么？", "名字"), ask("今天怎么样？", "近况"), say("好。"))), **more)
    )


def take_over(talk: Talk, who: Who = WANG) -> None:
    talk.move(Input("takeover", who=who))


def speak(talk: Talk, text: str, who: Who = WANG) -> None:
    talk.move(Input("human", (Words(text),), who=who))


def hand_back(talk: Talk, who: Who = WANG) -> None:
    talk.move(Input("hand_back", who=who))


def told(talk: Talk) -> list[tuple[str, str]]:
    return [(message.sender, message.text) for message in talk.turn.messages]


def changes(talk: Talk) -> list[tuple[str, str, str]]:
    return [(each.change, each.who, each.refused) for each in talk.events if isinstance(each, HumanChanged)]


def test_who_takes_over_is_named_and_nothing_is_asked() -> None:
    talk = held()
    take_over(talk)
    assert told(talk) == [("system", spoken("human_joins", "王老师"))]
    assert talk.state.human is not None
    assert (talk.state.human.id, talk.state.human.name, talk.state.human.since) == ("c-1", "王老师", talk.now)
    assert (talk.request.kind, talk.request.choices) == ("message", ())
    assert changes(talk) == [("taken_over", "c-1", "")]
    roundtrip(talk)


def test_words_are_kept_under_the_name_of_who_said_them_and_answer_nothing() -> None:
    talk = held()
    take_over(talk)
    speak(talk, "你好，我是真人。")
    (message,) = talk.turn.messages
    assert (message.sender, message.name, message.text) == ("human", "王老师", "你好，我是真人。")
    talk.say("我叫小林", "想和人说话")
    assert told(talk) == [("person", "我叫小林"), ("person", "想和人说话")]
    assert all(message.withheld for message in talk.turn.messages)
    assert not any(cell for cell in talk.variables.cells.values() if "名字" in cell)
    hand_back(talk)
    assert told(talk) == [
        ("system", spoken("human_leaves", "王老师")),
        ("ai", f"{spoken('program_again', '王老师')}\n你叫什么？"),
    ]
    assert talk.state.human is None
    talk.say("小林")
    assert talk.said[-1].endswith("今天怎么样？")
    assert any(cell["名字"].value == "小林" for cell in talk.variables.cells.values() if "名字" in cell)
    check(talk)


def test_with_a_model_nothing_is_asked_of_it_until_the_program_is_back() -> None:
    talk = Talk(
        script(phase("A", topic("甲", ask("你叫什么？", "名字"), ask("今天怎么样？", "近况")))),
        {"risk": CALM, "ask": {"understood": True, "values": {"名字": {"value": "小林", "evidence": "小林"}}}},
    )
    talk.asked.clear()
    take_over(talk)
    speak(talk, "先和我说说。")
    talk.say("我叫小林，心里很乱")
    hand_back(talk)
    assert talk.asked == []
    talk.say("小林")
    shown = transcript(talk.asked[0].context)
    assert "真人咨询师：先和我说说。" in shown
    assert "来访者：我叫小林，心里很乱" in shown


def test_what_was_told_the_human_is_no_proof_for_a_later_answer() -> None:
    """The model may know a text from earlier words; those that were said to somebody else are not the program's."""
    answer = {"understood": True, "values": {"名字": {"value": "阿宁", "evidence": "阿宁"}}}
    talk = Talk(script(phase("A", topic("甲", ask("你叫什么？", "名字"), say("好。")))), {"risk": CALM, "ask": answer})
    take_over(talk)
    talk.say("别人都叫我阿宁")
    hand_back(talk)
    talk.say("嗯那个")
    found = [cell["名字"].value for cell in talk.variables.cells.values() if "名字" in cell]
    assert "阿宁" not in found


def test_timers_rest_and_begin_anew() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", ask("你叫什么？", "名字", timeout="3m", on_timeout="continue"), ask("乙？", "乙")))
        )
    )
    assert talk.turn.wake_at == talk.now + timedelta(minutes=3)
    take_over(talk)
    assert talk.turn.wake_at is None
    talk.now += timedelta(minutes=30)
    talk.move(Input("timer"))
    assert told(talk) == []
    assert talk.state.human is not None
    hand_back(talk)
    assert talk.turn.wake_at == talk.now + timedelta(minutes=3)
    talk.wait(minutes=3)
    assert talk.said[-1].endswith("乙？")


def test_explicit_words_are_recorded_as_handled_and_call_no_technique() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    take_over(talk)
    before = len(talk.events)
    talk.say("我不想活了，今晚就去跳楼")
    seen = [each for each in talk.events[before:] if isinstance(each, Noticed)]
    assert {each.rest for each in seen if each.handled} == {REST}
    assert [(each.verdict, each.handled) for each in seen if each.awareness == "safety/suicide_risk"] == [("yes", True)]
    assert talk.state.suspended == []
    assert told(talk) == [("person", "我不想活了，今晚就去跳楼")]


def test_a_crisis_goes_on_where_it_was() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.say("我不想活了，今晚就去跳楼")
    assert talk.state.running is not None
    technique, question = talk.state.running.ref, talk.said[-1].splitlines()[-1]
    take_over(talk)
    speak(talk, "我在。你现在安全吗？")
    talk.say("嗯，不会做什么")
    hand_back(talk)
    assert talk.state.running is not None
    assert talk.state.running.ref == technique
    assert talk.said[-1].splitlines()[-1] == question
    assert talk.said[-1].startswith(spoken("program_again", "王老师"))


# danger told to a human

DANGER = "我不想活了，今晚就去跳楼"


def alarms(talk: Talk) -> list[tuple[str, str]]:
    return [(each.to, each.cause) for each in talk.events if isinstance(each, Escalated)]


def silent(talk: Talk) -> bool:
    """Whether the numbers were shown in this turn because no human wrote."""
    return any(
        each.sender == "system" and spoken("human_silent", "") in each.text and "12356" in each.text
        for each in talk.turn.messages
    )


def test_those_on_duty_are_told_of_danger_once_until_a_human_has_written() -> None:
    talk = held()
    take_over(talk)
    talk.say("心里乱")
    assert alarms(talk) == []
    talk.say(DANGER)
    talk.say("我真的不想活了")
    cause = ("desk", "awareness safety/suicide_risk yes")
    assert alarms(talk) == [cause]
    (first,) = [each for each in talk.events if isinstance(each, Escalated)]
    assert (first.id, first.note) == ("4-1", spoken("human_alarm", ""))
    assert talk.state.human is not None
    assert talk.state.human.danger == ["safety/suicide_risk"]
    roundtrip(talk)
    speak(talk, "我在，你现在在哪儿？")
    talk.say(DANGER)
    assert alarms(talk) == [cause, cause]
    assert talk.state.human.danger == ["safety/suicide_risk"]


def test_danger_in_pieces_is_heard_while_a_human_holds_it() -> None:
    """An attack: 我想自 – 杀 told a counsellor's session reached nobody else on duty."""
    talk = held()
    take_over(talk)
    talk.say("我想自")
    talk.say("杀")
    assert alarms(talk) == [("desk", "awareness safety/suicide_risk yes")]


def test_after_danger_the_program_does_not_go_on_as_if_nothing_had_been_said() -> None:
    talk = held()
    take_over(talk)
    talk.say(DANGER)
    speak(talk, "我先去叫同事。")
    hand_back(talk)
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert ("ai", spoken("program_again", "王老师")) in told(talk)
    assert not any("你叫什么" in text for text in talk.said)
    ordered = [each for each in talk.events if isinstance(each, DirectiveApplied)]
    assert [(each.directive, each.cause, each.refused) for each in ordered[:1]] == [
        ("CALL_TECHNIQUE", "safety/suicide_risk yes", "")
    ]
    roundtrip(talk)


def test_danger_of_another_kind_calls_its_own_technique_and_dying_comes_first() -> None:
    talk = held()
    take_over(talk)
    talk.say("他现在正拿着刀在打我")
    assert talk.state.human is not None
    assert talk.state.human.danger == ["safety/under_threat"]
    talk.say(DANGER)
    hand_back(talk)
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert [frame.ref for frame in talk.state.suspended][-1] == "safety/danger_support"


def test_danger_is_kept_when_a_colleague_relieves_who_heard_of_it() -> None:
    talk = held()
    take_over(talk)
    talk.say(DANGER)
    due = talk.turn.wake_at
    take_over(talk, Who("c-2", "李老师", instead="c-1"))
    assert talk.turn.wake_at == due
    hand_back(talk, LI)
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"


def test_a_crisis_that_runs_takes_danger_as_told_and_puts_its_question_again() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.say(DANGER)
    question = talk.said[-1].splitlines()[-1]
    take_over(talk)
    talk.say(DANGER)
    hand_back(talk)
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert "safety/crisis_support" not in [frame.ref for frame in talk.state.suspended]
    assert talk.said[-1].splitlines()[-1] == question
    risks = [each.var for each in talk.script.skills["safety/crisis_support"].declare if each.risk]
    assert risks
    assert [talk.value(name) for name in risks] == [True] * len(risks)


CLEARED = Who("c-1", "王老师", closed="yes")


@pytest.mark.parametrize("danger", [(), (DANGER,), ("他现在正拿着刀在打我", DANGER)], ids=["none", "dying", "both"])
@pytest.mark.parametrize("before", ["", DANGER, "活着没意思"], ids=["at rest", "in crisis", "gently asked"])
def test_who_has_cleared_the_danger_closes_it(before: str, danger: tuple[str, ...]) -> None:
    talk = held()
    if before:
        talk.say(before)
    take_over(talk)
    for words in danger:
        talk.say(words)
    hand_back(talk, CLEARED)
    assert talk.state.running is not None
    assert (talk.state.running.ref, talk.state.suspended) == ("甲", [])
    assert talk.said[0].startswith(spoken("program_again", "王老师"))
    assert talk.said[-1].endswith("你叫什么？"), "what was talked about before comes back"
    assert [each.closed for each in talk.events if isinstance(each, HumanChanged)] == [False, True]
    assert talk.happened("fault") == []
    roundtrip(talk)
    talk.say("小林")
    talk.say("还行")
    assert talk.ended, "nothing of it comes again"


def test_after_it_was_cleared_new_words_of_danger_are_heard_as_ever() -> None:
    talk = held()
    talk.say(DANGER)
    take_over(talk)
    hand_back(talk, CLEARED)
    talk.say(DANGER)
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"


def test_only_the_one_who_holds_it_clears_it() -> None:
    talk = held()
    talk.say(DANGER)
    take_over(talk)
    hand_back(talk, Who("c-2", "李老师", closed="yes"))
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert talk.state.human is not None


def test_the_numbers_are_shown_once_where_no_human_writes() -> None:
    talk = held()
    take_over(talk)
    talk.say(DANGER)
    told_at = talk.now
    assert talk.turn.wake_at == told_at + ANSWER
    talk.now = told_at + ANSWER - timedelta(seconds=1)
    talk.move(Input("timer"))
    assert told(talk) == []
    talk.say("你在吗")
    assert talk.turn.wake_at == told_at + ANSWER
    talk.now = told_at + ANSWER
    talk.move(Input("timer"))
    assert silent(talk)
    assert talk.turn.wake_at is None
    talk.now += ANSWER
    talk.move(Input("timer"))
    assert told(talk) == []
    assert talk.state.human is not None


def test_nothing_is_shown_where_a_human_has_written() -> None:
    talk = held()
    take_over(talk)
    talk.say(DANGER)
    speak(talk, "我在。")
    assert talk.turn.wake_at is None
    talk.now += ANSWER
    talk.move(Input("timer"))
    assert told(talk) == []


def test_who_ends_it_after_danger_is_told_whom_to_call() -> None:
    talk = held()
    take_over(talk)
    talk.say(DANGER)
    talk.move(Input("end"))
    assert any("12356" in text for text in talk.said)
    assert talk.ended


def test_only_one_holds_it_and_only_they_hand_back() -> None:
    talk = held()
    take_over(talk)
    take_over(talk)
    take_over(talk, LI)
    hand_back(talk, LI)
    assert talk.state.human is not None
    assert talk.state.human.id == "c-1"
    assert changes(talk) == [
        ("taken_over", "c-1", ""),
        ("taken_over", "c-2", "another holds the session"),
        ("handed_back", "c-2", "not the one who holds the session"),
    ]
    take_over(talk, Who("c-2", "李老师", instead="c-1"))
    assert talk.state.human.id == "c-2"
    assert told(talk) == [("system", spoken("human_joins", "李老师"))]
    hand_back(talk, LI)
    assert talk.state.human is None
    hand_back(talk, LI)
    assert told(talk) == []


def test_words_of_a_human_are_kept_even_where_they_came_too_late() -> None:
    talk = held()
    take_over(talk)
    hand_back(talk)
    speak(talk, "还有一句。")
    assert told(talk) == [("human", "还有一句。")]
    talk.move(Input("end"))
    speak(talk, "再见。")
    assert told(talk) == [("human", "再见。")]
    assert talk.request.kind == "none"


def test_the_person_may_end_it_and_then_nobody_holds_it() -> None:
    talk = held()
    take_over(talk)
    talk.move(Input("end"))
    assert talk.state.ended
    assert talk.state.human is None
    take_over(talk)
    assert told(talk) == []


def test_a_choice_pressed_meanwhile_is_kept_and_answers_nothing() -> None:
    choices = [{"label": "好", "value": "good"}, {"label": "不好", "value": "bad"}]
    pick = {"type": "user_option", "var": "心情", "choices": choices}
    talk = Talk(script(phase("A", topic("甲", pick, say("好。")))))
    take_over(talk)
    assert talk.request.choices == ()
    talk.choose("bad", after=1)
    assert told(talk) == [("person", "不好")]
    talk.choose("none of these")
    assert any(isinstance(each, LateWords) for each in talk.turn.events)
    hand_back(talk)
    assert [choice.value for choice in talk.request.choices] == ["good", "bad"]
    talk.choose("good")
    assert talk.said[-1].endswith("好。")


def test_words_sent_before_the_hand_back_was_seen_answer_nothing() -> None:
    talk = held()
    take_over(talk)
    seen = talk.state.messages
    hand_back(talk)
    talk.say("还有件事", after=seen)
    assert "名字" not in {name for cell in talk.variables.cells.values() for name in cell}
    assert any(isinstance(each, LateWords) for each in talk.turn.events)
    talk.say("小林")
    assert talk.said[-1].endswith("今天怎么样？")


def test_braces_in_a_name_mean_nothing() -> None:
    talk = held()
    who = Who("c-9", "{%time%}{名字}")
    take_over(talk, who)
    assert "{%time%}{名字}来了" in talk.turn.messages[0].text
    hand_back(talk, who)
    assert "{%time%}{名字}" in talk.said[0]


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_the_visitor_is_told_that_it_is_a_person_and_when_it_is_a_program(locale: str) -> None:
    person, program = ("真人", "程序") if locale == "zh-CN" else ("human", "program")
    for key, word in (("human_joins", person), ("human_leaves", program), ("program_again", program)):
        assert word in spoken(key, "N", locale)
        assert "N" in spoken(key, "N", locale)


def test_a_state_of_an_older_version_has_no_human() -> None:
    data = State().model_dump(mode="json")
    del data["human"]
    assert State.model_validate(data).human is None


# what comes behind a human


LATER, END = Who("c-1", "王老师", then="wait"), Who("c-1", "王老师", then="end")
CLEARED_LATER = Who("c-1", "王老师", closed="yes", then="wait")


def leave(talk: Talk, who: Who, *words: str) -> None:
    talk.move(Input("hand_back", tuple(Words(each) for each in words), who=who))


def test_the_program_says_nothing_until_the_person_writes() -> None:
    talk = held()
    take_over(talk)
    leave(talk, LATER, "我去开会，明天见。")
    assert told(talk) == [("human", "我去开会，明天见。"), ("system", spoken("human_leaves_quiet", "王老师"))]
    assert talk.turn.messages[0].name == "王老师"
    assert (talk.request.kind, talk.request.choices, talk.turn.wake_at) == ("message", (), None)
    assert talk.state.human is None
    assert [each.waits for each in talk.events if isinstance(each, HumanChanged)] == [False, True]
    roundtrip(talk)
    for kind in ("timer", "resume", "start"):
        talk.move(Input(kind))
        assert told(talk) == [], "nothing is asked of who was left in peace"


def test_the_first_words_behind_a_human_are_no_answer_to_what_was_asked_before() -> None:
    talk = held()
    take_over(talk)
    leave(talk, LATER)
    talk.say("没人在乎我")
    assert told(talk) == [
        ("person", "没人在乎我"),
        ("ai", spoken("program_here", "王老师")),
        ("ai", f"{spoken('behind_human', '')}\n你叫什么？"),
    ]
    assert talk.turn.messages[0].withheld
    assert talk.value("名字") is None
    talk.say("小林")
    assert talk.value("名字") == "小林"
    assert not any("AI 程序" in text for text in talk.said), "who speaks is said once"
    check(talk)


@pytest.mark.parametrize(
    "words", ["谢谢老师，明天见", "好的，谢谢，再见", "我先去睡了", "晚安", "嗯嗯谢谢你", "thanks, bye"]
)
def test_a_good_bye_to_the_human_opens_no_question(words: str) -> None:
    """A played shift: "thank you, see you tomorrow" was met with the question of before."""
    talk = held()
    take_over(talk)
    leave(talk, LATER)
    talk.say(words)
    assert talk.said[0] == spoken("program_here", "王老师")
    assert talk.said[-1] == spoken("behind_human_bye", "")
    assert not any("你叫什么" in text for text in talk.said)
    roundtrip(talk)
    talk.say("我又来了")
    assert talk.said == [f"{spoken('behind_human', '')}\n你叫什么？"], (
        "who speaks is said once, and nothing is an answer"
    )
    talk.say("小林")
    assert talk.value("名字") == "小林"
    check(talk)


def test_a_good_bye_in_danger_is_met_with_the_question_that_waits() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.say(DANGER)
    question = talk.said[-1].splitlines()[-1]
    take_over(talk)
    leave(talk, LATER)
    talk.say("谢谢老师，再见")
    assert talk.said[-1].splitlines()[-1] == question


def test_words_of_danger_are_heard_first_and_who_speaks_is_said_before() -> None:
    talk = held()
    take_over(talk)
    leave(talk, LATER)
    talk.say(DANGER)
    assert talk.said[0] == spoken("program_here", "王老师")
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert talk.value("名字") is None


def test_danger_told_to_a_human_waits_for_the_person_and_is_not_lost() -> None:
    talk = held()
    take_over(talk)
    talk.say("他现在正拿着刀在打我")
    talk.say(DANGER)
    leave(talk, LATER)
    assert "12356" in talk.turn.messages[-1].text, "whom to call until they write"
    assert told(talk)[-1][0] == "system"
    roundtrip(talk)
    talk.say("你好")
    assert talk.said[0] == spoken("program_here", "王老师")
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert [frame.ref for frame in talk.state.suspended][-1] == "safety/danger_support"


def test_a_colleague_who_takes_over_meanwhile_knows_of_the_danger() -> None:
    talk = held()
    take_over(talk)
    talk.say(DANGER)
    leave(talk, LATER)
    take_over(talk, LI)
    assert talk.state.human is not None
    assert talk.state.human.danger == ["safety/suicide_risk"]
    assert talk.state.quiet is None


@pytest.mark.parametrize("words", ["好的，谢谢", "嗯", "没有", "安全"])
def test_a_word_to_a_human_s_good_bye_clears_no_danger(words: str) -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.say(DANGER)
    question = talk.said[-1].splitlines()[-1]
    take_over(talk)
    talk.say(DANGER)
    leave(talk, LATER)
    talk.say(words)
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert talk.said[-1].splitlines()[-1] == question
    risks = [each.var for each in talk.script.skills["safety/crisis_support"].declare if each.risk]
    assert [talk.value(name) for name in risks] == [True] * len(risks), "what was told stands"


@pytest.mark.parametrize("before", [False, True], ids=["at rest", "in crisis"])
def test_cleared_and_left_in_peace_goes_on_where_it_was_once_they_write(before: bool) -> None:
    talk = held()
    if before:
        talk.say(DANGER)
    take_over(talk)
    talk.say(DANGER)
    leave(talk, CLEARED_LATER)
    assert told(talk) == [("system", spoken("human_leaves_quiet", "王老师"))]
    assert talk.state.running is not None
    assert (talk.state.running.ref, talk.state.suspended) == ("甲", [])
    roundtrip(talk)
    talk.say("没人在乎我")
    assert talk.said == [spoken("program_here", "王老师"), f"{spoken('behind_human', '')}\n你叫什么？"]
    talk.say("小林")
    talk.say("还行")
    assert talk.ended
    assert talk.happened("fault") == []


def test_a_choice_that_is_pressed_is_an_answer_and_one_that_is_only_named_is_none() -> None:
    choices = [{"label": "好", "value": "good"}, {"label": "不好", "value": "bad"}]
    for pressed in (True, False):
        pick = {"type": "user_option", "var": "心情", "choices": choices}
        talk = Talk(script(phase("A", topic("甲", pick, ask("还有吗？", "余下")))))
        take_over(talk)
        leave(talk, LATER)
        talk.choose("good") if pressed else talk.say("好")
        assert talk.said[0] == spoken("program_here", "王老师")
        assert talk.said[-1].endswith("还有吗？") == pressed
        assert talk.value("心情") == ("good" if pressed else None)


def test_what_mends_the_conversation_means_the_program() -> None:
    talk = held()
    take_over(talk)
    leave(talk, LATER)
    talk.say("跳过")
    assert talk.said[0] == spoken("program_here", "王老师")
    assert not any(spoken("behind_human", "") in text for text in talk.said)


def _answers(found: str | None) -> dict[str, Any]:
    value = None if found is None else {"value": found, "evidence": found}
    return {"risk": CALM, "ask": {"understood": True, "values": {"名字": value}}}


@pytest.mark.parametrize("found", [None, "小林"])
def test_with_a_model_words_answer_where_it_finds_what_was_asked(found: str | None) -> None:
    talk = Talk(
        script(phase("A", topic("甲", ask("你叫什么？", "名字"), ask("今天怎么样？", "近况")))), _answers(found)
    )
    take_over(talk)
    speak(talk, "先和我说说。")
    leave(talk, CLEARED_LATER)
    talk.say("我叫小林" if found else "没人在乎我")
    assert talk.said[0] == spoken("program_here", "王老师")
    assert talk.value("名字") == found
    assert talk.said[-1].endswith("今天怎么样？" if found else "你叫什么？")


def test_the_next_prompt_is_told_that_a_human_has_talked_with_them() -> None:
    lead = {"type": "ai_ask", "content": "问问近况", "output": [{"get": "近况"}]}
    reply = {"EXIT": "NO", "values": {}, "content": "我在听。", "BRIEF": "", "exit_reason": ""}
    talk = Talk(script(phase("A", topic("甲", lead))), {"risk": CALM, "ai_ask": reply})
    for who, key in ((LATER, "after_human"), (CLEARED_LATER, "after_human_cleared")):
        take_over(talk)
        speak(talk, "药你给了妈妈，做得对。")
        leave(talk, who)
        talk.asked.clear()
        talk.say("嗯")
        prompts = [each for each in talk.asked if each.template == "ai_ask"]
        assert prompts
        assert any(spoken(key, "王老师") in repr(each.values) + repr(each.context.values) for each in prompts)
        assert "真人咨询师：药你给了妈妈，做得对。" in transcript(prompts[0].context)


def test_a_counsellor_may_end_it_with_words_of_their_own() -> None:
    talk = held()
    take_over(talk)
    leave(talk, END, "今天先到这里，下周三见。")
    assert told(talk) == [("human", "今天先到这里，下周三见。"), ("system", spoken("human_ends", "王老师"))]
    assert (talk.state.ended, talk.state.end_reason) == (True, "ended by the counsellor")
    assert (talk.state.human, talk.state.quiet, talk.request.kind) == (None, None, "none")
    assert changes(talk)[-1] == ("ended", "c-1", "")
    roundtrip(talk)


@pytest.mark.parametrize("who", [END, Who("c-1", "王老师", closed="yes", then="end")])
@pytest.mark.parametrize("in_crisis", [False, True])
def test_who_was_in_danger_is_shown_whom_to_call_at_the_end(who: Who, in_crisis: bool) -> None:
    talk = held()
    if in_crisis:
        talk.say(DANGER)
    take_over(talk)
    talk.say(DANGER)
    leave(talk, who, "再见。")
    assert talk.ended
    assert "12356" in talk.turn.messages[-1].text
    assert not talk.said, "nothing of the script's"


def test_only_who_holds_it_ends_it() -> None:
    talk = held()
    take_over(talk)
    leave(talk, Who("c-2", "李老师", then="end"), "再见。")
    assert not talk.ended
    assert told(talk) == []


WORDS = st.sampled_from(["我叫小林", "跳过", "不想活了", "没听懂", "好", "再见"])
WHO = st.sampled_from([WANG, LI, Who("c-2", "李老师", instead="c-1"), Who("c-1", "王老师", instead="c-2")])
MOVES = st.one_of(
    st.builds(lambda who: Input("takeover", who=who), WHO),
    st.builds(lambda who, then: Input("hand_back", who=replace(who, then=then)), WHO, st.sampled_from(["", "wait"])),
    st.builds(lambda text, who: Input("human", (Words(text),), who=who), WORDS, WHO),
    st.builds(lambda text, after: Input("message", (Words(text, after),), after=after), WORDS, st.integers(0, 12)),
    st.builds(lambda value: Input("choice", choice=value), st.sampled_from(["good", "bad", "none"])),
    st.sampled_from([Input("timer"), Input("resume"), Input("pause"), Input("start")]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(MOVES, max_size=25))
def test_whatever_comes_no_words_are_lost_and_the_session_goes_on(moves: list[Input]) -> None:
    choices = [{"label": "好", "value": "good"}, {"label": "不好", "value": "bad"}]
    pick = {"type": "user_option", "var": "心情", "choices": choices}
    talk = Talk(
        script(
            phase("A", topic("甲", ask("你叫什么？", "名字", timeout="1m"), pick)),
            phase("B", topic("乙", ask("还有吗？", "余下"), ask("最后呢？", "最后"))),
        )
    )
    for move in moves:
        before = talk.state.model_dump_json()
        talk.now += timedelta(seconds=20)
        talk.move(move)
        _check_move(talk, move, State.model_validate_json(before))
    roundtrip(talk)
    if talk.state.human is not None:
        hand_back(talk, Who(talk.state.human.id, talk.state.human.name))
    frames = [*talk.state.suspended, *([talk.state.running] if talk.state.running else [])]
    told_before = talk.state.quiet is not None and talk.state.quiet.danger
    if told_before or any(frame.project == SAFETY for frame in frames):  # which is not to be hurried through
        talk.move(Input("end"))
    for _ in range(60):
        if talk.state.ended:
            break
        offered = talk.request.choices
        talk.choose(offered[0].value) if offered else talk.say("跳过")
    assert talk.state.ended


def _check_move(talk: Talk, move: Input, before: State) -> None:
    messages: list[Message] = list(talk.turn.messages)
    assert [message.number for message in messages] == list(range(before.messages + 1, talk.state.messages + 1))
    own = [message.text for message in messages if message.sender in ("person", "human")]
    assert own[: len(move.words)] == [words.text for words in move.words]
    held_by = talk.state.human
    assert held_by is None or talk.turn.wake_at == (held_by.unanswered and held_by.unanswered + ANSWER)
    if held_by is not None and any("不想活了" in words.text for words in move.words) and move.kind == "message":
        assert held_by.danger == ["safety/suicide_risk"]
    if before.human is not None and before.human.danger and held_by is None and not talk.state.ended:
        frames = [*talk.state.suspended, *([talk.state.running] if talk.state.running else [])]
        quiet = talk.state.quiet
        assert (quiet is not None and quiet.danger == before.human.danger) or any(
            frame.ref == "safety/crisis_support" for frame in frames
        )
    if before.human is not None and move.kind != "hand_back":
        assert not [message for message in messages if message.sender == "ai"]
        assert talk.state.running is not None
        assert before.running is not None
        assert talk.state.running.action == before.running.action
    assert talk.state.ended or talk.request.kind != "none"
