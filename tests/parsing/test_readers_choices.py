"""Which of several offered things is meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import match_choice, only_choice, parse_value

WILLING = [("A", "愿意"), ("B", "不愿意"), ("C", "再想想")]
GOING_ON = [("go", "继续聊这个"), ("rest", "先停一停"), ("no", "我不想继续")]
DAYS = [("0", "完全不会"), ("1", "好几天"), ("2", "一半以上的天数"), ("3", "几乎每天")]
FEELINGS = [("sad", "难过"), ("very_sad", "非常难过"), ("angry", "生气"), ("calm", "平静")]
ENGLISH = [("yes", "Yes, let's go on"), ("break", "I need a break"), ("other", "Something else")]
HELP = [("crisis", "我现在有危险"), ("fine", "我没有危险"), ("talk", "想找人说说话")]


@tabled(
    ("text", "choices", "value"),
    [
        ("愿意", WILLING, "A"),
        ("愿意。", WILLING, "A"),
        ("我愿意", WILLING, "A"),
        ("不愿意", WILLING, "B"),
        ("我不愿意", WILLING, "B"),
        ("再想想", WILLING, "C"),
        ("我再想想吧", WILLING, "C"),
        ("想想", WILLING, "C"),
        ("A", WILLING, "A"),
        ("a", WILLING, "A"),
        ("Ａ", WILLING, "A"),
        ("a.", WILLING, "A"),
        ("选A", WILLING, "A"),
        ("我选B", WILLING, "B"),
        ("我选 b 吧", WILLING, "B"),
        ("选项C", WILLING, "C"),
        ("Option B", WILLING, "B"),
        ("option c please", WILLING, "C"),
        ("I choose A", WILLING, "A"),
        ("1", WILLING, "A"),
        ("２", WILLING, "B"),
        ("选3", WILLING, "C"),
        ("第一个", WILLING, "A"),
        ("第1个", WILLING, "A"),
        ("第二个吧", WILLING, "B"),
        ("我选第三项", WILLING, "C"),
        ("第二", WILLING, "B"),
        ("最后一个", WILLING, "C"),
        ("the first one", WILLING, "A"),
        ("second", WILLING, "B"),
        ("the last one", WILLING, "C"),
        ("number 2", WILLING, "B"),
        ("嗯", WILLING, "A"),
        ("好的", WILLING, "A"),
        ("不要", WILLING, "B"),
        ("D", WILLING, None),
        ("4", WILLING, None),
        ("0", WILLING, None),
        ("第四个", WILLING, None),
        ("第零个", WILLING, None),
        ("愿意吗", WILLING, None),
        ("愿意？", WILLING, None),
        ("A?", WILLING, None),
        ("都可以", WILLING, None),
        ("随便", WILLING, None),
        ("愿意还是不愿意呢", WILLING, None),
        ("A和B", WILLING, None),
        ("A或者C", WILLING, None),
        ("不是A", WILLING, None),
        ("我不知道", WILLING, None),
        ("可能吧", WILLING, None),
        ("", WILLING, None),
        ("。", WILLING, None),
        ("继续", GOING_ON, "go"),
        ("继续聊", GOING_ON, "go"),
        ("继续聊这个吧", GOING_ON, "go"),
        ("不想继续", GOING_ON, "no"),
        ("我不想继续了", GOING_ON, "no"),
        ("停一停", GOING_ON, "rest"),
        ("先停一停，我有点累", GOING_ON, "rest"),
        ("2", GOING_ON, "rest"),
        ("B", GOING_ON, "rest"),
        ("rest", GOING_ON, "rest"),
        ("想继续", GOING_ON, None),
        ("不继续聊这个", GOING_ON, None),
        ("停", GOING_ON, None),
        ("嗯", GOING_ON, None),
        ("没有危险", HELP, "fine"),
        ("有危险", HELP, "crisis"),
        ("我没有危险", HELP, "fine"),
        ("我现在有危险", HELP, "crisis"),
        ("想找人说说话", HELP, "talk"),
        ("危险", HELP, "crisis"),
        ("好几天", DAYS, "1"),
        ("大概好几天吧", DAYS, "1"),
        ("几乎每天", DAYS, "3"),
        ("几乎每天都这样", DAYS, "3"),
        ("每天", DAYS, "3"),
        ("一半", DAYS, "2"),
        ("完全不会", DAYS, "0"),
        ("0", DAYS, "0"),
        ("3", DAYS, "3"),
        ("第一个", DAYS, "0"),
        ("A", DAYS, "0"),
        ("7", DAYS, None),
        ("非常难过", FEELINGS, "very_sad"),
        ("我非常难过", FEELINGS, "very_sad"),
        ("难过", FEELINGS, "sad"),
        ("有点难过", FEELINGS, "sad"),
        ("不难过", FEELINGS, None),
        ("我没有生气", FEELINGS, None),
        ("不生气，平静", FEELINGS, "calm"),
        ("难过和生气", FEELINGS, None),
        ("难过还是生气", FEELINGS, None),
        ("怕自己难过", FEELINGS, None),
        ("angry", FEELINGS, "angry"),
        ("a break", ENGLISH, "break"),
        ("I need a break please", ENGLISH, "break"),
        ("something else", ENGLISH, "other"),
        ("SOMETHING ELSE!", ENGLISH, "other"),
        ("yes", ENGLISH, "yes"),
        ("let's go on", ENGLISH, "yes"),
        ("1", ENGLISH, "yes"),
        ("b", ENGLISH, "break"),
        ("not something else", ENGLISH, None),
        ("no", ENGLISH, None),
        ("my mother", ENGLISH, None),
        ("字" * 2_000, WILLING, None),
        ("愿意" + "字" * 300, WILLING, None),
    ],
)
def test_picking(text: str, choices: list[tuple[str, str]], value: str | None) -> None:
    assert match_choice(text, choices) == value


def test_nothing_is_picked_of_nothing() -> None:
    assert match_choice("A", []) is None


def test_values_may_be_of_any_type() -> None:
    assert match_choice("好几天", [(0, "不会"), (1, "好几天")]) == 1
    assert match_choice("0", [(0, "不会"), (1, "好几天")]) == 0
    assert match_choice("是", [(True, "是"), (False, "否")]) is True
    assert match_choice("没有", [(True, "是"), (False, "否")]) is False


def test_equal_labels_decide_nothing() -> None:
    assert match_choice("同", [("a", "同"), ("b", "同")]) is None
    assert match_choice("a", [("a", "同"), ("b", "同")]) == "a"


def test_a_label_may_ask() -> None:
    assert match_choice("为什么问这个？", [("why", "为什么问这个？"), ("go", "继续")]) == "why"


@given(st.sampled_from([WILLING, GOING_ON, DAYS, FEELINGS, ENGLISH, HELP]), st.data())
def test_every_label_and_value_picks_its_choice(choices: list[tuple[str, str]], data: st.DataObject) -> None:
    value, label = data.draw(st.sampled_from(choices))
    for text in (label, value, f" {label}。", label.upper()):
        assert match_choice(text, choices) == value


@given(st.sampled_from([WILLING, GOING_ON, FEELINGS, HELP]), st.data())
def test_a_denied_label_is_not_picked(choices: list[tuple[str, str]], data: st.DataObject) -> None:
    value, label = data.draw(st.sampled_from(choices))
    assert match_choice(f"不是{label}", choices) != value
    assert match_choice(f"{label}吗？", choices) is None


@given(st.text(st.characters(exclude_categories=()), max_size=60), st.lists(st.text(max_size=6), max_size=6))
def test_any_text_and_labels(text: str, labels: list[str]) -> None:
    choices = list(enumerate(labels))
    found = match_choice(text, choices)
    assert found is None or found in range(len(labels))


def option(text: str, options: list[Any], kind: str | None = "enum") -> Any:
    found = parse_value(Variable.model_validate({"var": "x", "type": kind, "options": options}), text)
    return found.value if found else None


KINDS = ["焦虑", "抑郁", "焦虑和抑郁", "高", "其他"]
HAVE = ["有", "没有", "偶尔"]
MARITAL = ["未婚", "已婚", "离异", "丧偶"]
SEX = ["男", "女", "不想说"]


@tabled(
    ("text", "options", "value"),
    [
        ("焦虑", KINDS, "焦虑"),
        ("我很焦虑", KINDS, "焦虑"),
        ("就是焦虑，睡不着", KINDS, "焦虑"),
        ("焦虑和抑郁都有", KINDS, "焦虑和抑郁"),
        ("焦虑而不是抑郁", KINDS, "焦虑"),
        ("不焦虑，抑郁", KINDS, "抑郁"),
        ("不是焦虑", KINDS, None),
        ("不焦虑", KINDS, None),
        ("焦虑还是抑郁", KINDS, None),
        ("焦虑、抑郁", KINDS, None),
        ("焦虑吗？", KINDS, None),
        ("担心焦虑", KINDS, None),
        ("其它", KINDS, None),
        ("高", KINDS, "高"),
        ("比较高", KINDS, "高"),
        ("高兴", KINDS, None),
        ("我很高兴", KINDS, None),
        ("A", KINDS, None),
        ("第一个", KINDS, None),
        ("1", KINDS, None),
        ("有", HAVE, "有"),
        ("有的", HAVE, "有"),
        ("没有", HAVE, "没有"),
        ("没有。", HAVE, "没有"),
        ("没有，谢谢", HAVE, "没有"),
        ("偶尔", HAVE, "偶尔"),
        ("偶尔会有", HAVE, "偶尔"),
        ("没有吧", HAVE, None),
        ("没有想过但有时", HAVE, None),
        ("不是没有", HAVE, None),
        ("有没有", HAVE, None),
        ("有办法", HAVE, None),
        ("未婚", MARITAL, "未婚"),
        ("我还未婚", MARITAL, "未婚"),
        ("已婚，有一个孩子", MARITAL, "已婚"),
        ("离异了", MARITAL, "离异"),
        ("没有离异", MARITAL, None),
        ("男", SEX, "男"),
        ("我是男的", SEX, "男"),
        ("女生", SEX, "女"),
        ("女朋友", SEX, None),
        ("男朋友走了", SEX, None),
        ("不想说", SEX, "不想说"),
        ("2", [1, 2, 3], 2),
        ("二", [1, 2, 3], 2),
        ("选2吧", [1, 2, 3], 2),
        ("4", [1, 2, 3], None),
        ("1到2", [1, 2, 3], None),
        ("好几天", [{"value": 1, "label": "好几天"}, {"value": 0, "label": "从不"}], 1),
        ("从不", [{"value": 1, "label": "好几天"}, {"value": 0, "label": "从不"}], 0),
        ("mild", ["Mild", "Moderate", "Severe"], "Mild"),
        ("pretty severe", ["Mild", "Moderate", "Severe"], "Severe"),
        ("not severe", ["Mild", "Moderate", "Severe"], None),
        ("mildly", ["Mild", "Moderate", "Severe"], None),
        ("is it severe?", ["Mild", "Moderate", "Severe"], None),
    ],
)
def test_options(text: str, options: list[Any], value: Any) -> None:
    assert option(text, options) == value
    assert option(text, options, None) == value
    assert option(text, options, "text") == value


def test_several_options_for_a_list() -> None:
    symptoms = ["失眠", "头痛", "食欲差"]
    assert option("失眠、头痛", symptoms, "list") == ["失眠", "头痛"]
    assert option("失眠，还有食欲差", symptoms, "list") == ["失眠", "食欲差"]
    assert option("失眠，没有头痛", symptoms, "list") is None
    assert option("失眠、脚痛", symptoms, "list") is None


@pytest.mark.parametrize("words", ["no", "No.", "yes", "af", "am i", "need"])
def test_a_piece_of_a_word_is_no_choice(words: str) -> None:
    """``no`` stands in ``safe now``; nobody leaves a crisis by it."""
    offered = [("company", "I need company a little longer"), ("safe", "I am safe now")]
    assert match_choice(words, offered) == ("company" if words == "need" else None)
    assert match_choice("safe now", offered) == "safe"
    assert match_choice("company", offered) == "company"


OFFERED = [("go", "可以，开始吧"), ("ask", "我想先问个问题"), ("no", "今天先不聊了")]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("可以，开始吧", "go"),
        ("嗯嗯，开始吧！", "go"),
        ("2", "ask"),
        ("最后一个", "no"),
        ("先不聊了。先不聊了", "no"),
        ("可以，开始吧，不过我讲得乱", None),
        ("今天先不聊了，我累了", None),
        ("开始吧？", None),
        ("开始吧……", None),
        ("开始吧，先不聊了", None),
        ("", None),
        ("嗯", None),
        ("开始吧" * 100, None),
    ],
)
def test_words_that_are_a_choice_and_no_more(words: str, value: str | None) -> None:
    assert only_choice(words, OFFERED) == value


def test_where_nothing_is_offered_nothing_is_chosen() -> None:
    assert only_choice("最后", []) is None


@pytest.mark.parametrize(
    ("words", "value"), [("yes", True), ("yes please", True), ("no", False), ("yes but leave my brother out", None)]
)
def test_a_yes_with_more_behind_it_is_not_all_they_say(words: str, value: bool | None) -> None:
    assert only_choice(words, [(True, "Yes"), (False, "No")]) == value
