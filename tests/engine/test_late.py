"""Words and choices that were sent before their sender had seen the present question."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    INTENT,
    Node,
    ai_ask,
    asked,
    get,
    last,
    option,
    out,
    press,
    replied,
    running,
    tasks,
    values,
    written,
)
from tests.engine.scripts import ask, check, only, phase, roundtrip, say, script, topic

from heartrule.engine.repair.late_words import LONGEST
from heartrule.engine.session.io import Input
from heartrule.testing.talk import Talk

MOOD, SLEEP = "今天怎么样？", "睡得好吗？"


def pair(*gets: Node, model: Any = None, **session: Any) -> Talk:
    """Two questions; the first is answered with 很难受, the second waits. Its number is 3, that of the first 1."""
    talk = Talk(only(ask(MOOD, *(gets or ("心情",))), ask(SLEEP, "睡眠"), **session), model)
    talk.say("很难受")
    assert talk.said[-1].endswith(SLEEP)
    return talk


def late(talk: Talk) -> list[str]:
    return [event.outcome for event in talk.happened("late")]


# whose words they are


def test_late_words_join_the_answer_they_belong_to() -> None:
    talk = pair()
    assert talk.say("头也疼", after=1) == []
    assert last(talk, "心情") == "很难受\n头也疼"
    assert written(talk, "睡眠") == []
    assert talk.at == "T#2"
    assert late(talk) == ["appended"]
    assert talk.say("不好") != []
    assert last(talk, "睡眠") == "不好"
    check(talk)


def test_what_the_sender_had_seen_decides() -> None:
    """The same words, once with the second question on the screen and once without it."""
    talk = pair()
    talk.say("一直这样", after=3)
    assert (last(talk, "心情"), last(talk, "睡眠")) == ("很难受", "一直这样")
    assert late(talk) == []


def test_words_of_unknown_age_answer_the_present_question() -> None:
    talk = pair()
    talk.move(Input("message", (), after=None))
    talk.say("不好", after=None)
    assert last(talk, "睡眠") == "不好"


def test_several_late_messages_go_on_joining() -> None:
    talk = pair()
    for text in ("头也疼", "什么都不想做", "饭也吃不下"):
        talk.say(text, after=1)
        roundtrip(talk)
    assert last(talk, "心情") == "很难受\n头也疼\n什么都不想做\n饭也吃不下"
    assert talk.at == "T#2"


def test_however_many_there_are_none_makes_way() -> None:
    talk = pair()
    more = [f"第 {n} 句" for n in range(12)]
    for text in more:
        talk.say(text, after=1)
    assert last(talk, "心情") == "\n".join(["很难受", *more])
    worries = Talk(only(ask("有哪些烦恼？", get("烦恼", "list")), ask(SLEEP, "睡眠")))
    worries.say("钱")
    for n in range(12):
        worries.say(f"烦恼{n}", after=1)
    assert last(worries, "烦恼") == ["钱", *(f"烦恼{n}" for n in range(12))]


def test_an_answer_that_has_become_as_long_as_it_may_be_takes_no_more_and_loses_nothing() -> None:
    talk = pair()
    for n in range(8):
        talk.say(f"{n}" + "啊" * 3000, after=1)
    assert late(talk) == ["appended"] * 6 + ["kept"] * 2
    assert last(talk, "心情").startswith("很难受\n0啊")
    assert len(last(talk, "心情")) <= LONGEST


def test_what_takes_back_what_is_closed_is_told_so() -> None:
    """The topic's own variable has gone with it."""
    talk = Talk(
        script(
            phase(
                "P", topic("甲", ask("做什么的？", "职业"), declare=[{"var": "职业"}]), topic("乙", ask(SLEEP, "睡眠"))
            )
        )
    )
    talk.say("木匠")
    (said,) = talk.say("说错了，是铁匠", after=1)
    assert said.startswith("你说的这句我留着了。")
    assert said.endswith(SLEEP)
    assert late(talk) == ["kept"]
    assert talk.say("也种地", after=1) == []


def test_late_words_never_advance_even_twice_late() -> None:
    talk = Talk(only(ask("一？", "a"), ask("二？", "b"), ask("三？", "c")))
    talk.say("甲")
    talk.say("乙")
    talk.say("甲的后半句", after=1)
    talk.say("乙的后半句", after=3)
    assert (last(talk, "a"), last(talk, "b"), last(talk, "c")) == ("甲\n甲的后半句", "乙\n乙的后半句", None)
    assert talk.at == "T#3"


def test_a_burst_is_one_answer() -> None:
    talk = Talk(only(ask(MOOD, "心情"), ask(SLEEP, "睡眠")))
    talk.say("我", "今天很难受", "睡不着")
    assert last(talk, "心情") == "我\n今天很难受\n睡不着"
    assert talk.at == "T#2"
    assert [message.sender for message in talk.history] == ["ai", "person", "person", "person", "ai"]


def test_late_words_do_not_crowd_out_older_questions() -> None:
    """Three answered questions are remembered, however much comes late to one of them."""
    talk = Talk(only(*[ask(f"第{n}问？", f"v{n}") for n in range(4)]))
    for n in range(3):
        talk.say(f"答{n}")
    for _ in range(4):
        talk.say("补充", after=5, seconds=1)
    talk.say("最早的补充", after=1, seconds=1)
    assert last(talk, "v0") == "答0\n最早的补充"
    assert (last(talk, "v1"), last(talk, "v3")) == ("答1", None)


def test_a_late_burst_is_one_addition() -> None:
    talk = pair()
    talk.say("头也疼", "脚也疼", after=1)
    assert last(talk, "心情") == "很难受\n头也疼\n脚也疼"
    (event,) = talk.happened("late")
    assert event.messages == [4, 5]


# repair phrases are no part of an answer


def test_what_was_said_for_clarification_is_no_part_of_the_answer() -> None:
    talk = Talk(only(ask(MOOD, "心情")))
    talk.say("什么意思")
    talk.say("挺好的", after=1)
    assert last(talk, "心情") == "挺好的"
    assert talk.at == "T#1"


def test_a_late_repair_phrase_is_kept_in_the_transcript_only() -> None:
    talk = pair()
    talk.say("你刚才说什么", after=1)
    talk.say("什么意思", after=1)
    assert last(talk, "心情") == "很难受"
    assert late(talk) == ["kept", "kept"]
    assert [message.text for message in talk.history[-2:]] == ["你刚才说什么", "什么意思"]


# what is written


def test_appending_adds_only_what_is_new() -> None:
    whole = get("心情", "text", update="append")
    talk = pair(whole)
    talk.say("头也疼", after=1)
    talk.say("心也慌", after=1)
    assert last(talk, "心情") == "很难受\n头也疼\n心也慌"


def test_a_list_grows_by_what_is_new() -> None:
    people = get("人", "list", update="append")
    talk = Talk(only(ask("可以找谁？", people), ask(SLEEP, "睡眠")))
    talk.say("妈妈、老同学")
    talk.say("还有爸爸", after=1)
    assert last(talk, "人") == ["妈妈", "老同学", "爸爸"]


def test_another_number_puts_the_first_one_right() -> None:
    talk = Talk(only(ask("几分？", get("分", "integer")), ask(SLEEP, "睡眠")))
    talk.say("5")
    talk.say("7", after=1)
    assert last(talk, "分") == 7


def test_late_words_find_what_the_answer_lacked() -> None:
    """The action had ended unfinished."""
    talk = Talk(only(ask("几分？", get("分", "integer", on_failure={"do": "skip"})), ask(SLEEP, "睡眠")))
    talk.say("难说")
    assert last(talk, "分") is None
    talk.say("7分吧", after=1)
    assert last(talk, "分") == 7


def test_the_write_names_the_action_that_had_asked() -> None:
    talk = pair()
    talk.say("头也疼", after=1)
    assert [event.source for event in talk.happened("variable") if event.name == "心情"] == ["T#1", "T#1"]


def test_a_model_reads_the_whole_answer_again() -> None:
    spell = values(心情=("难受", "很难受"))
    replies = [replied(values=spell), replied(values=values(心情=("难受、头疼", "头也疼")))]
    talk = pair(model={"risk": CALM, "ask": replies})
    asked_before = len(tasks(talk, "ask"))
    talk.say("头也疼", after=1)
    assert written(talk, "心情") == [("难受", "json", "很难受"), ("难受、头疼", "json", "头也疼")]
    (task,) = tasks(talk, "ask")[asked_before:]
    assert task.kind == "extract"
    assert talk.said == []


# words for what has gone


TWO = (
    phase(
        "A", topic("甲", ask("一？", "局部", {"get": "全程", "scope": "session"})), topic("乙", ask("二？", "另一个"))
    ),
)


def test_words_for_a_topic_that_has_ended_reach_what_outlives_it() -> None:
    talk = Talk(script(*TWO, declare=[{"var": "全程", "type": "text"}]))
    talk.say("第一句")
    talk.say("没有了")
    assert talk.at == "乙#1"
    talk.say("第二句", after=1)
    assert last(talk, "局部") == "第一句", "its scope has gone"
    assert talk.at == "乙#1"


def test_words_for_a_topic_whose_scope_has_gone_stay_in_the_transcript() -> None:
    talk = Talk(script(phase("A", topic("甲", ask("一？", "a")), topic("乙", ask("二？", "b")))))
    talk.say("甲的话")
    talk.say("还有半句", after=1)
    assert late(talk) == ["kept"]
    assert written(talk, "b") == []
    assert last(talk, "a") == "甲的话"
    assert talk.history[-1].text == "还有半句"


def test_an_outer_variable_of_the_same_name_is_not_written() -> None:
    """What was declared within the topic has gone with it; the session's variable of that name is another one."""
    inner = topic("甲", ask("一？", "事"), declare=[{"var": "事", "type": "text"}])
    talk = Talk(script(phase("A", inner, topic("乙", ask("二？", "b"))), declare=[{"var": "事", "value": "会谈的"}]))
    talk.say("话题的")
    talk.say("后半句", after=1)
    assert talk.value("事") == "会谈的"
    assert late(talk) == ["kept"]


def test_a_phase_that_has_gone_takes_its_variables_with_it() -> None:
    first = phase("A", topic("甲", ask("一？", "事")), declare=[{"var": "事", "type": "text"}])
    second = phase("B", topic("乙", ask("二？", "b")), declare=[{"var": "事", "type": "text"}])
    talk = Talk(script(first, second))
    talk.say("前一个阶段的")
    talk.say("后半句", after=1)
    assert talk.value("事") is None
    assert late(talk) == ["kept"]


def test_the_same_phase_keeps_them() -> None:
    both = phase("A", topic("甲", ask("一？", "事")), topic("乙", ask("二？", "b")), declare=[{"var": "事"}])
    talk = Talk(script(both))
    talk.say("前半句")
    talk.say("后半句", after=1)
    assert talk.value("事") == "前半句\n后半句"


# questions that were interrupted, or whose time was up


def test_words_for_an_interrupted_question_are_not_taken_for_an_earlier_answer() -> None:
    talk = pair(declare=[{"var": "心情", "type": "text"}])
    seen = talk.state.messages
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    talk.say("真的好累啊", after=seen)
    assert last(talk, "心情") == "很难受"
    assert (last(talk, "睡眠"), late(talk)) == (None, ["kept"])
    assert talk.at == "thoughts", "and they are no answer to the technique's question either"
    for answer in ("没有",) * 3:
        talk.say(answer)
    out(talk)
    assert talk.at == "T#2"
    talk.say("不好")
    assert last(talk, "睡眠") == "不好"


def test_words_for_a_question_whose_time_was_up_are_its_answer() -> None:
    talk = Talk(only(ask(MOOD, "心情", timeout="30s"), ask(SLEEP, "睡眠")))
    talk.wait(seconds=31)
    assert talk.said == [SLEEP]
    talk.say("很难受", after=1)
    assert last(talk, "心情") == "很难受"
    assert talk.at == "T#2"


def test_words_for_a_topic_that_waits_behind_a_gentle_question() -> None:
    """The answer that had the watch word was kept; what still comes belongs to it, in its own scope."""
    talk = Talk(only(ask(MOOD, "心情"), ask(SLEEP, "睡眠")))
    talk.say("活着没意思")
    assert running(talk) == "safety_check"
    talk.say("天天都这样", after=1)
    assert last(talk, "心情") == "活着没意思\n天天都这样"
    assert running(talk) == "safety_check"


# danger


@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "model"])
def test_late_words_are_heard_for_danger_first(model: Any) -> None:
    talk = pair(model=model)
    talk.state.asked and talk.say(INTENT["zh"], after=1)
    assert running(talk) == "crisis_support"
    assert last(talk, "心情") in ("很难受", None)
    assert [message.withheld for message in talk.history if message.text == INTENT["zh"]] == [True]


def test_a_watch_word_that_comes_late_is_asked_about_too() -> None:
    talk = pair()
    talk.say("活着没意思", after=1)
    assert running(talk) == "safety_check"
    assert last(talk, "心情") == "很难受\n活着没意思"
    talk.say("没有")
    assert talk.at == "T#2"


def test_a_yes_that_comes_late_calls_the_crisis_technique() -> None:
    harm = get("念头", "boolean", risk=True)
    talk = Talk(
        only(ask("有没有伤害自己的念头？", harm), ask(SLEEP, "睡眠"), declare=[{"var": "念头", "type": "boolean"}])
    )
    talk.say("没有")
    assert talk.at == "T#2"
    talk.model = {"risk": CALM, "ask": replied(values=values(念头=(True, "其实有过")))}
    talk.say("其实有过", after=1)
    assert running(talk) == "crisis_support"


# choices


def test_a_stale_choice_changes_nothing() -> None:
    talk = Talk(only(say("一"), option("甲", "好", "坏"), say("二"), option("乙", "好", "坏")))
    talk.choose("a")
    assert talk.at == "T#4"
    before = talk.state.messages
    assert talk.choose("b", after=1) == []
    assert talk.at == "T#4"
    assert (last(talk, "甲"), written(talk, "乙")) == ("a", [])
    assert talk.state.messages == before
    assert late(talk) == ["kept"]
    talk.choose("b")
    assert last(talk, "乙") == "b"


@pytest.mark.parametrize("second", [option("乙", "好", "坏"), press("好")])
def test_a_double_click_picks_once(second: Node) -> None:
    """Even where nothing is said between one choice and the next."""
    talk = Talk(only(say("一"), option("甲", "好", "坏"), second, ask("完？")))
    seen = talk.state.messages
    talk.choose("a")
    talk.choose("a", after=seen)
    assert talk.at == "T#3"
    check(talk)


def test_a_choice_that_was_never_offered_changes_nothing() -> None:
    talk = Talk(only(say("一"), option("甲", "好", "坏")))
    talk.choose("z")
    assert talk.at == "T#2"
    assert written(talk, "甲") == []


def test_a_press_right_behind_words_counts_where_the_choice_was_put_again() -> None:
    """Who types a word and presses at once had these choices before them."""
    talk = Talk(only(say("一"), option("甲", "好", "坏"), ask("完？")))
    seen = talk.state.messages
    talk.say("没敲四十分钟")
    assert (talk.at, talk.request.kind) == ("T#2", "choice")
    talk.choose("b", after=seen)
    assert (last(talk, "甲"), talk.at) == ("b", "T#3")
    assert late(talk) == []


def test_a_choice_where_words_are_awaited_changes_nothing() -> None:
    talk = Talk(only(ask(MOOD, "心情")))
    talk.choose("a")
    assert (talk.at, written(talk, "心情")) == ("T#1", [])


def test_words_that_come_late_to_a_choice_stay_in_the_transcript() -> None:
    talk = Talk(only(say("一"), option("甲", "好", "坏"), ask(MOOD, "心情")))
    talk.choose("a")
    talk.say("坏", after=1)
    assert (last(talk, "甲"), written(talk, "心情"), late(talk)) == ("a", [], ["kept"])


def test_late_words_within_one_action_go_to_the_round_they_answer() -> None:
    """The model had asked on; what comes late is read with the first answer and the follow-up still waits."""
    model = {
        "risk": CALM,
        "ai_ask": asked("那睡眠呢？", values=values(心情=("难受", "很难受"))),
        "ask": replied(values=values(心情=("难受又慌", "也慌"))),
    }
    talk = Talk(only(ai_ask("问", get("心情"), get("睡眠"), question=MOOD, literal=True)), model)
    talk.say("很难受")
    assert talk.said == ["那睡眠呢？"]
    talk.say("也慌", after=1)
    assert talk.said == []
    assert last(talk, "心情") == "难受又慌"
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert talk.state.running.action.round == 2
