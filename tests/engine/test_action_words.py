"""What each action says: the script's words, the model's, or what stands in for them; and that every answer is
acknowledged once, and nothing asks where nobody listens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.minds import (
    CALM,
    Data,
    Node,
    acknowledgements,
    ai_ask,
    ai_say,
    asked,
    explained,
    get,
    last,
    leaves_a_question,
    option,
    out,
    press,
    replied,
    spoken,
    tasks,
    think,
    values,
    written,
)
from tests.engine.scripts import ask, check, faults, only, put, say
from tests.table import tabled

from heartrule.testing.talk import Talk

QUESTION = "最近怎么样？"


def hold(*actions: Node, model: Any = None, words: tuple[str, ...] = (), **session: Any) -> Talk:
    talk = Talk(only(*actions, **session), model if model is None else {"risk": CALM} | model)
    for text in words:
        talk.say(text)
        check(talk)
        assert leaves_a_question(talk), talk.said
    return talk


# say


@pytest.mark.parametrize("model", [None, {}], ids=["no model", "failed model"])
def test_say_says_its_text_and_asks_no_model(model: Any) -> None:
    talk = hold(put("名", "小禾"), say("你好，{名}。{没有这个}"), say("{名}{"), model=model)
    assert talk.said == ["你好，小禾。这方面", "小禾{"]
    assert talk.asked == []


# what is asked without a model


DEFINED = get("睡眠", define="最近两周的睡眠")
SAYINGS: list[tuple[Node, str]] = [
    ({"question": QUESTION, "fallback": "凭感觉说就好。"}, QUESTION),
    ({"question": QUESTION}, QUESTION),
    ({"fallback": "睡得好不好？"}, "睡得好不好？"),
    ({}, "可以和我说说最近两周的睡眠吗？"),
]


@pytest.mark.parametrize(("fields", "said"), SAYINGS, ids=["both", "question", "fallback", "define"])
@pytest.mark.parametrize("model", [None, {}], ids=["no model", "failed model"])
def test_the_first_question(fields: Node, said: str, model: Any) -> None:
    """``content`` is written to the model and is never read out."""
    talk = hold(ai_ask("【了解】睡眠，一次只问一个", DEFINED, **fields), model=model)
    assert talk.said == [said]


def test_a_literal_question_needs_no_call() -> None:
    talk = hold(ai_ask("了解", DEFINED, question=QUESTION), model={"ai_ask_open": {"content": "模型的话"}})
    assert talk.said == [QUESTION]
    assert talk.asked == []


def test_without_one_the_model_opens() -> None:
    talk = hold(ai_ask("了解", DEFINED), model={"ai_ask_open": {"content": "睡得怎么样呀？"}})
    assert talk.said == ["睡得怎么样呀？"]
    (task,) = talk.asked
    assert (task.template, task.kind) == ("ai_ask_open", "generate")
    assert "最近两周的睡眠" in task.values["outputs"]


def test_the_second_time_the_fallback_is_said() -> None:
    rules = get("分", "integer")
    talk = hold(ai_ask("问分", rules, question="几分？", fallback="凭感觉给个数。"), words=("这个嘛",))
    assert talk.said[-1].split("\n")[-1] == "凭感觉给个数。"


# ai_say


@pytest.mark.parametrize("model", [None, {}], ids=["no model", "failed model"])
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": "先说明。\n\n【注意】不要念。", "fallback": "照这样说。"}, "照这样说。"),
        ({"content": "先说明。\n\n【注意】不要念。"}, "先说明。"),
        ({"content": "先说明。{名}"}, "先说明。小禾"),
    ],
    ids=["fallback", "without notes", "placeholders"],
)
def test_what_an_ai_say_says_without_a_model(fields: Node, said: str, model: Any) -> None:
    talk = hold(put("名", "小禾"), {"type": "ai_say", **fields}, model=model)
    assert talk.said == [said]


def test_said_and_gone_on_where_no_word_is_wanted() -> None:
    talk = hold(ai_say("讲一句。", require_acknowledgment=False), say("完"))
    assert talk.said == ["讲一句。", "完"]


@pytest.mark.parametrize("model", [None, {}, {"ai_say_open": {"content": "讲。"}, "ai_say_ack": {"content": "嗯。"}}])
def test_said_waited_for_acknowledged_and_ended(model: Any) -> None:
    talk = hold(ai_say("讲。"), ask("下一个？"), model=model)
    assert talk.said == ["讲。"]
    assert talk.request.kind == "message"
    talk.say("好的")
    assert talk.said[-1].endswith("下一个？")
    assert acknowledgements(talk) + talk.said.count("嗯。") == 1


@pytest.mark.parametrize("words", ["再说一遍", "什么意思"])
def test_whoever_asks_hears_it_again_and_not_for_ever(words: str) -> None:
    talk = hold(ai_say("讲一句。"), say("完"))
    heard = 0
    while not talk.ended:
        talk.say(words)
        heard += any("讲一句。" in text for text in talk.said)
    assert heard == 2


def test_explaining_without_a_model_is_content_with_any_reply() -> None:
    talk = hold(ai_say("讲。", max_rounds=4), say("完"), words=("明白了",))
    assert talk.ended


def test_in_explaining_mode_the_wish_for_an_answer_has_no_effect() -> None:
    talk = hold(ai_say("讲。", max_rounds=2, require_acknowledgment=False), say("完"))
    assert talk.request.kind == "message"


def test_explaining_is_shown_what_it_needs() -> None:
    action = ai_say("讲{名}。", goal="懂", max_rounds=4, exit_criteria={"understanding_threshold": 65})
    talk = hold(put("名", "ABC"), action, model={"ai_say": explained()}, words=("嗯",))
    (task,) = tasks(talk, "ai_say")
    shown = {key: task.values[key] for key in ("understanding_threshold", "current_round", "max_rounds", "rounds_left")}
    assert shown == {"understanding_threshold": "65", "current_round": "1", "max_rounds": "4", "rounds_left": "3"}
    assert task.values["topic_content"] == "讲ABC。"


def test_the_words_of_an_answer_are_spoken() -> None:
    """Its other spelling (seed 003) has become this one before the engine sees it: ``llm/shape.py``."""
    shape: Data = {"content": "模型的话。"}
    bare = {key: value for key, value in explained().items() if key != "content"}
    talk = hold(ai_say("讲。", max_rounds=3), model={"ai_say": bare | shape, "ai_say_open": shape}, words=("嗯",))
    assert talk.said == ["模型的话。"]
    other = {key: value for key, value in asked().items() if key != "content"}
    guided = hold(ai_ask("问", question=QUESTION), model={"ai_ask": other | {"EXIT": "YES"} | shape}, words=("嗯",))
    assert guided.said == ["模型的话。"]


# nothing asks where nobody listens


CLOSINGS = ["那之后呢？", "好的。你觉得呢？", "是吗?", "嗯，然后呢？😊", "要不要再说说？～", "“真的吗？”", "怎么样？！"]


@pytest.mark.parametrize("words", CLOSINGS)
def test_a_last_word_that_asks_is_not_said(words: str) -> None:
    for action, answers in (
        (ai_ask("问", question=QUESTION), {"ai_ask": asked(words, "YES")}),
        (ai_ask("问", question=QUESTION, max_rounds=1), {"ai_ask": asked(words)}),
        (ask(QUESTION), {"ask": replied(content=words)}),
        (ai_say("讲。", max_rounds=1), {"ai_say": explained(content=words)}),
        (ai_say("讲。"), {"ai_say_ack": {"content": words}}),
    ):
        talk = hold(action, model=answers)
        talk.say("嗯，还行")
        assert talk.ended
        assert not any("？" in said or "?" in said for said in talk.said[1:])
        assert ("好的。" in talk.said) == words.startswith("好的。")
        assert acknowledgements(talk) == (0 if "好的。" in talk.said else 1)


@pytest.mark.parametrize(
    ("words", "said"), [("动了一点。你觉得呢？", "动了一点。"), ("你觉得呢？", "照这样说。"), ("好！对吗？", "好！")]
)
def test_what_is_said_without_waiting_asks_nothing(words: str, said: str) -> None:
    action = ai_say("讲", require_acknowledgment=False, fallback="照这样说。")
    talk = hold(action, say("完"), model={"ai_say_open": {"content": words}})
    assert talk.said == [said, "完"]


def test_a_question_that_is_waited_for_is_said() -> None:
    talk = hold(ai_say("讲"), model={"ai_say_open": {"content": "讲完了。听得懂吗？"}})
    assert talk.said == ["讲完了。听得懂吗？"]


# acknowledgement: once, never swallowed, never doubled


FOLLOWING: list[tuple[str, list[Node], int]] = [
    ("a question", [ask("二？", "b")], 1),
    ("a guided question", [ai_ask("问", "b", question="二？")], 1),
    ("the script's own words", [say("说一句。"), ask("二？", "b")], 0),
    ("an explanation", [ai_say("讲。")], 0),
    ("a choice", [option("b", "好", "坏")], 1),
    ("a suggested line", [press("好")], 1),
    ("something silent and a question", [put("c", 1), think("想", "d"), ask("二？", "b")], 1),
    ("a silent end", [put("c", 1)], 1),
    ("the end", [], 1),
]
BEFORE = pytest.mark.parametrize(
    ("following", "count"), [(each, count) for _, each, count in FOLLOWING], ids=[name for name, *_ in FOLLOWING]
)


@tabled(("following", "count"), [(f, n) for _, f, n in FOLLOWING])
@tabled("first", [ask(QUESTION, "a"), ai_ask("问", "a", question=QUESTION)])
def test_an_answer_is_acknowledged_once(first: Node, following: list[Node], count: int) -> None:
    talk = hold(first, *following, words=("挺好的",))
    assert talk.said
    assert acknowledgements(talk) == count
    assert all(text.strip() for text in talk.said)


@pytest.mark.parametrize(
    ("following", "count"), [(f, n) for _, f, n in FOLLOWING], ids=[name for name, *_ in FOLLOWING]
)
def test_where_the_model_took_it_up_nothing_is_added(following: list[Node], count: int) -> None:
    answers = {
        "ai_ask": asked("听起来还不错。", "YES", values=values(a=("挺好的", "挺好的"))),
        "ai_say_open": {"content": "讲。"},
    }
    talk = hold(ai_ask("问", "a", question=QUESTION), *following, model=answers, words=("挺好的",))
    assert talk.said[0] == "听起来还不错。"
    assert acknowledgements(talk) == 0


def test_a_model_that_opens_the_next_question_takes_the_last_answer_up_itself() -> None:
    answers = {"ask": replied(content="是吗？"), "ai_ask_open": {"content": "原来是这样。那睡眠呢？"}}
    talk = hold(ask(QUESTION), ai_ask("问睡眠", "b"), model=answers, words=("挺好的",))
    assert talk.said == ["原来是这样。那睡眠呢？"]


def test_words_typed_in_place_of_a_press_are_acknowledged() -> None:
    for words, count in (("我有点紧张", 1), (None, 0)):
        talk = hold(say("准备好了吗？"), press("好了"), ask("二？"))
        talk.say(words) if words else talk.choose("go_on")
        assert acknowledgements(talk) == count


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(["ask", "ai_ask", "say", "ai_say", "told", "option", "press", "put"]), min_size=1, max_size=6
    ),
    st.lists(st.sampled_from(["挺好的", "不知道", "什么意思", "跳过", "8", "停"]), min_size=12, max_size=12),
)
def test_in_any_order_nothing_is_swallowed_doubled_or_asked_into_the_void(kinds: list[str], words: list[str]) -> None:
    make: dict[str, Any] = {
        "ask": lambda n: ask(f"第{n}问？", f"a{n}"),
        "ai_ask": lambda n: ai_ask("问", f"a{n}", question=f"第{n}问？"),
        "say": lambda n: say(f"第{n}句。"),
        "ai_say": lambda n: ai_say(f"第{n}讲。"),
        "told": lambda n: ai_say(f"第{n}讲。", require_acknowledgment=False),
        "option": lambda n: option(f"a{n}", "这样", "那样"),
        "press": lambda n: press("好"),
        "put": lambda n: put(f"a{n}", n),
    }
    talk = hold(*[make[kind](n) for n, kind in enumerate(kinds)])
    for text in words:
        if talk.ended:
            break
        if talk.request.kind == "message":
            talk.say(text)
        else:
            talk.choose(talk.request.choices[0].value)
        check(talk)
        assert leaves_a_question(talk), talk.said
        assert acknowledgements(talk) <= 1
        if talk.request.kind == "message":
            assert talk.said
    assert faults(talk) == []


# ai_think


@pytest.mark.parametrize("model", [None, {}, {"ai_think": {"decision": "别的"}}], ids=["none", "failed", "illegal"])
def test_thinking_that_came_to_nothing_takes_the_default(model: Any) -> None:
    rules = get("结论", on_failure={"do": "default", "default": "不清楚"})
    decide = {"var": "方向", "options": ["倾听", "办法"], "default": "倾听"}
    talk = hold(think("想一想", rules, decide=decide), ask("？"), model=model)
    assert talk.said == ["？"]
    assert written(talk, "结论") == [("不清楚", "fallback", None)]
    assert written(talk, "方向") == [("倾听", "fallback", None)]


def test_thinking_writes_what_it_found_with_its_strategy() -> None:
    decide = {"var": "方向", "options": ["倾听", "办法"], "default": "倾听"}
    outputs = [get("结论"), get("分", "integer", range=[0, 10]), {"set": "想过", "value": True}]
    found = {"values": {"结论": "累了", "分": {"value": "7", "evidence": ""}}, "decision": " 办法 "}
    action = think("想想{名}", output=outputs, input=["名"], decide=decide)
    talk = hold(put("名", "小禾"), action, ask("？"), model={"ai_think": found})
    assert (last(talk, "结论"), last(talk, "分"), last(talk, "想过")) == ("累了", 7, True)
    assert [how for _, how, _ in written(talk, "方向")] == ["llm"]
    assert last(talk, "方向") == "办法"
    (task,) = talk.asked
    assert (task.kind, task.values["inputs"], task.values["content"]) == ("analyse", "- 名: 小禾", "想想小禾")
    assert talk.said == ["？"], "nothing of it is shown"


def test_thinking_never_writes_a_wrong_type() -> None:
    found = {"values": {"分": "很多", "是否": "大概"}}
    talk = hold(think("想", get("分", "integer"), get("是否", "boolean")), ask("？"), model={"ai_think": found})
    assert written(talk, "分") == written(talk, "是否") == []


# set_var


@pytest.mark.parametrize(
    ("kind", "value", "held"),
    [
        ("integer", "7", 7),
        ("integer", "七个", None),
        ("integer", 7.5, None),
        ("boolean", "很多", None),
        ("boolean", True, True),
        ("date", "2026-13-01", None),
        ("enum", "丙", None),
        ("enum", "甲", "甲"),
        ("text", "话", "话"),
        (None, {"a": [1]}, {"a": [1]}),
    ],
)
def test_set_var_writes_only_what_the_type_allows(kind: str | None, value: Any, held: Any) -> None:
    options = {"options": ["甲", "乙"]} if kind == "enum" else {}
    declared = [{"var": "x", **({"type": kind} if kind else {}), **options}]
    talk = hold(put("原来的", value), put("x", "{原来的}", id="typed"), ask("？"), declare=declared)
    assert last(talk, "x") == held
    assert bool(faults(talk)) == (held is None)
    assert talk.said == ["？"]
    (ended,) = [event for event in talk.happened("marker") if event.edge == "after" and event.action == "typed"]
    assert ended.outcome == ("completed" if held is not None else "refused")


def test_an_expression_of_the_unknown_is_nothing() -> None:
    talk = hold(put("x", expr="y + 1"), put("z", expr="1 + 1"), ask("？"), declare=[{"var": "y", "type": "integer"}])
    assert (last(talk, "x"), last(talk, "z")) == (None, 2)


# user_option


@pytest.mark.parametrize("words", ["有几天", "有几天吧", "B", "第二个", "2"])
def test_words_that_match_a_label_pick_it(words: str) -> None:
    talk = hold(say("多少？"), option("x", "完全没有", "有几天", "几乎每天"), say("完"), words=(words,))
    assert last(talk, "x") == "b"
    assert talk.said == ["完"]


@pytest.mark.parametrize("fallback", [None, "点上面的一个。"])
def test_other_words_have_the_choice_offered_again(fallback: str | None) -> None:
    more = {"fallback": fallback} if fallback else {}
    talk = hold(say("多少？"), option("x", "完全没有", "有一点", **more), words=("今天天气不错",))
    assert written(talk, "x") == []
    assert [choice.label for choice in talk.request.choices] == ["完全没有", "有一点"]
    (said,) = talk.said
    assert said == fallback or said in spoken(talk, "choose_again")
    assert talk.history[-1].content_type == "choice"


def test_an_option_keeps_its_own_type() -> None:
    choices = [{"value": 0, "label": "完全没有"}, {"value": True, "label": "有"}, {"value": "x", "label": "{名}"}]
    for picked, value in (("0", 0), ("True", True), ("x", "x")):
        talk = hold(put("名", "小禾"), option("甲", choices=choices))
        assert [choice.label for choice in talk.request.choices] == ["完全没有", "有", "小禾"]
        talk.choose(picked)
        assert last(talk, "甲") == value
        assert type(last(talk, "甲")) is type(value)


# with a model: values and rounds


def test_values_come_with_a_quote_or_not_at_all() -> None:
    found = values(甲=("累", "累死了"), 乙=("烦", "我很烦"), 丙=(8, "八分"), 丁=(3,), 戊=(True,))
    outputs = [get("甲"), get("乙"), get("丙", "integer"), get("丁", "integer"), get("戊", "boolean")]
    talk = hold(
        ai_ask("问", *outputs, question=QUESTION, literal=True),
        model={"ai_ask": asked("？", values=found)},
        words=("累死了，3分吧",),
    )
    assert written(talk, "甲") == [("累", "json", "累死了")]
    assert written(talk, "乙") == written(talk, "丙") == written(talk, "戊") == []
    assert written(talk, "丁") == [(3, "json", "3")]


def test_a_quote_from_an_earlier_round_counts_and_from_the_ai_does_not() -> None:
    second = asked("好。", "YES", values=values(甲=("累", "累死了"), 乙=("睡眠", "睡眠呢")))
    talk = hold(
        ai_ask("问", get("甲"), get("乙"), question=QUESTION, required=False, literal=True),
        model={"ai_ask": [asked("睡眠呢？"), second]},
        words=("累死了", "还行"),
    )
    assert written(talk, "甲") == [("累", "json", "累死了")]
    assert written(talk, "乙") == []


def test_what_an_earlier_round_found_is_not_lost_when_the_model_fails() -> None:
    answers = [asked("睡眠呢？", values=values(甲=(8, "8分"))), None]
    outputs = [get("甲", "integer"), get("乙")]
    talk = hold(
        ai_ask("问", *outputs, question=QUESTION, literal=True), model={"ai_ask": answers}, words=("8分", "睡不好")
    )
    assert last(talk, "甲") == 8
    assert [how for _, how, _ in written(talk, "甲")] == ["json", "history"]
    assert last(talk, "乙") == "睡不好", "it was the only thing left to ask about"


def test_words_are_nobodys_when_the_model_had_asked_about_it_knows_what() -> None:
    """Three things are wanted, the model worded the question, and then it failed: nothing is guessed."""
    outputs = [get("甲"), get("乙"), get("丙")]
    talk = hold(
        ai_ask("问", *outputs, question=QUESTION, literal=True, max_rounds=6),
        model={"ai_ask": [asked("那家里呢？"), None]},
        words=("嗯", "和妈妈住"),
    )
    assert written(talk, "甲") == written(talk, "乙") == written(talk, "丙") == []
    talk.say("就是甲")
    assert last(talk, "甲") == "就是甲"


def test_a_reply_that_asks_nothing_is_followed_by_the_question() -> None:
    talk = hold(
        ai_ask("问", get("分", "integer"), question="几分？"),
        model={"ai_ask": asked("没关系，慢慢来。")},
        words=("嗯",),
    )
    assert talk.said == ["没关系，慢慢来。\n几分？"]


def test_the_model_is_told_where_it_stands() -> None:
    talk = hold(
        ai_ask("问{名}", get("甲", define="第一件"), question=QUESTION, exit="说清了", max_rounds=4),
        model={"ai_ask": asked("然后呢？")},
        words=("嗯", "还有"),
        declare=[{"var": "名", "value": "小禾"}],
    )
    first, second = tasks(talk, "ai_ask")
    assert (first.values["current_round"], second.values["current_round"]) == ("1", "2")
    assert (first.values["rounds_left"], first.values["question"]) == ("3", "")
    assert second.values["question"] == QUESTION
    assert (first.values["content"], first.values["exit"]) == ("问小禾", "说清了")
    assert second.context.history[-1].text == "还有"


# nobody is spoken of as somebody else


THIRD = {
    "zh-CN": [
        "来访者希望被怎样称呼",
        "让他难受的那个想法",
        "对方此刻的感受",
        "患者的睡眠",
        "咨询者自己的看法",
        "用来访者的词，那一刻的情绪；没有则写明没有",
    ],
    "en": ["what the client wants to be called", "the thought that hurts, in their words", "how the person feels"],
}
OF_THEM = [(locale, define) for locale, defines in THIRD.items() for define in defines]


def _says_of_them(text: str) -> bool:
    return any(word in text for word in ("来访者", "他", "对方", "患者", "咨询者", "client", "their", "the person"))


@tabled(("locale", "define"), OF_THEM)
@tabled("kind", ["ask", "ai_ask", "ai_ask with a fallback only"])
def test_a_further_output_is_not_asked_for_in_the_third_person(locale: str, define: str, kind: str) -> None:
    wanted = [get("一"), get("二", define=define)]
    actions = {
        "ask": ask("多久了，怎么开始的？", *wanted),
        "ai_ask": ai_ask("了解多久、怎么开始", *wanted, question="多久了，怎么开始的？"),
        "ai_ask with a fallback only": ai_ask("了解多久、怎么开始", *wanted, fallback="多久了，怎么开始的？"),
    }
    talk = hold(actions[kind], words=("两年了",), locale=locale)
    assert not [message.text for message in talk.history if message.sender == "ai" and _says_of_them(message.text)]
    assert talk.said[-1].split("\n")[-1] == "多久了，怎么开始的？"
    assert len(talk.said[-1].split("\n")) == 3, "acknowledged, and said why it is asked once more"
    talk.say("搬家以后")
    assert [event.value for event in talk.happened("variable") if event.name == "二"] == ["搬家以后"]


@pytest.mark.parametrize(("locale", "define"), OF_THEM)
def test_nor_is_the_first(locale: str, define: str) -> None:
    talk = hold(ai_ask("了解", get("一", define=define)), locale=locale)
    assert not _says_of_them(talk.said[0])
    assert talk.said[0].endswith(("？", "?"))


def test_notes_behind_a_define_are_not_said() -> None:
    talk = hold(ai_ask("了解", get("一", define="最近两周的睡眠；没有则写明没有")))
    assert talk.said == ["可以和我说说最近两周的睡眠吗？"]


@pytest.mark.parametrize("define", ["和其他人的关系", "练吉他的时间", "家里的一个人", "你和这个人的关系"])
def test_other_people_may_be_spoken_of(define: str) -> None:
    talk = hold(ai_ask("了解", get("一", define=define)))
    assert talk.said == [f"可以和我说说{define}吗？"]


def test_a_role_s_own_name_counts_as_the_third_person() -> None:
    text = """
roles:
  - {role: person, name: 学员}
sessions:
  - session: 谈话
    phases:
      - phase: P
        steps:
          - topic: T
            actions:
              - {type: ai_ask, content: 问目标, output: [{get: 目标, define: 学员这学期的目标}]}
"""
    assert "学员" not in Talk(text).said[0]


def test_after_a_crisis_the_closed_question_is_not_put_in_place_of_a_define() -> None:
    risk = get("念头", "boolean", risk=True)
    talk = hold(ask("有没有想过结束生命？睡得怎么样？", risk, get("睡眠", define="来访者的睡眠")), words=("有",))
    talk.say("没有")
    talk.say("没有")
    while talk.state.running is not None and talk.state.running.project == "safety":
        talk.say("没有") if talk.request.kind == "message" else out(talk)
    assert "结束生命" not in talk.said[-1]
    assert "来访者" not in talk.said[-1]
