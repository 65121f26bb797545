"""What proves a model's value: a quote that stands whole in the words, the same number, something of what was said."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, ai_ask, asked, get, last, values, written
from tests.engine.scripts import ask, only, say

from heartrule.engine.extraction import proof
from heartrule.language.nodes import Variable
from heartrule.testing.talk import Talk

MOOD = get("分", "integer", define="心情", range=[0, 10])
WELL = get("好", "boolean", define="睡得好不好")
LATELY = get("近况", define="近况")
WORRIES = get("烦恼", "list", define="烦恼")
DEBT = get("欠款", "number", define="一共欠多少钱，单位是万元")
HOURS = get("小时", "number", define="睡了几个小时", range=[0, 24])


def told(output: Any, words: str, value: Any, quote: str, question: str = "说说看？", kind: Any = ask) -> Talk:
    name = output["get"]
    own = {"understood": True, **asked("好。", values=values(**{name: (value, quote)}))}
    more = {"question": question, "max_rounds": 6} if kind is ai_ask else {}
    talk = Talk(only(kind(question, output, **more), say("完。")), {kind.__name__: own, "risk": CALM})
    talk.say(words)
    return talk


@pytest.mark.parametrize(
    ("output", "words", "value", "quote"),
    [
        (MOOD, "三十", 3, "三"),
        (MOOD, "不是8", 8, "8"),
        (MOOD, "说不好，13分制的", 3, "3分"),
        (WELL, "不是，根本睡不着", True, "是"),
        (WELL, "睡得不好", True, "好"),
        (WELL, "说不上好", True, "好"),
        (LATELY, "我还行", "想杀了老板", "我"),
        (LATELY, "不知道", "很好", "不知道"),
        (WORRIES, "没有", ["老婆出轨"], "没有"),
    ],
)
@pytest.mark.parametrize("kind", [ask, ai_ask])
def test_what_proves_nothing_is_not_taken(kind: Any, output: Any, words: str, value: Any, quote: str) -> None:
    talk = told(output, words, value, quote, kind=kind)
    assert value not in [each for each, *_ in written(talk, output["get"])]
    assert talk.happened("unwritten")[0].reason == "no proof"


@pytest.mark.parametrize(
    ("output", "words", "value", "quote"),
    [
        (MOOD, "3分吧", 3, "3分"),
        (MOOD, "七八分吧", 7, "七八分"),
        (MOOD, "比昨天好，三分", 3, "三分"),
        (HOURS, "一般十一点睡着，早上六点就起", 7, "十一点睡着，早上六点就起"),
        (HOURS, "睡了90分钟", 1.5, "90分钟"),
        (DEBT, "准确说二十八万六", 28.6, "二十八万六"),
        (WELL, "睡得挺好", True, "睡得挺好"),
        (WELL, "不好", False, "好"),
        (LATELY, "我还行", "还行", "还行"),
        (LATELY, "在跟我爸冷战，一个月没说话了", "与父亲冷战", "跟我爸冷战"),
        (LATELY, "不想上班", "不想上班", "想上班"),
        (WORRIES, "论文和钱", ["论文", "钱"], "论文和钱"),
    ],
)
def test_what_proves_it_is(output: Any, words: str, value: Any, quote: str) -> None:
    assert last(told(output, words, value, quote), output["get"]) == value


def test_another_number_than_the_quoted_one_gives_way_to_what_was_said() -> None:
    assert written(told(MOOD, "3分吧", 9, "3分"), "分") == [(3, "rules", "3分吧")]


def test_of_a_list_the_items_that_nobody_spoke_of_are_left_out() -> None:
    talk = told(WORRIES, "论文和钱", ["论文", "钱", "老婆出轨"], "论文和钱")
    assert last(talk, "烦恼") == ["论文", "钱"]
    assert [event.reason for event in talk.happened("unwritten")] == ["no proof"]


def test_a_yes_may_have_the_words_of_its_question() -> None:
    assert last(told(LATELY, "嗯", "工作压力大", "嗯", question="是因为工作吗？"), "近况") == "工作压力大"


def test_of_danger_a_yes_needs_no_more_than_a_quote_but_a_no_does() -> None:
    danger = get("想死", "boolean", define="是否想死", risk=True)
    assert last(told(danger, "不是不想死", True, "想死"), "想死") is True
    assert False not in [value for value, *_ in written(told(danger, "也不是没有", False, "没有"), "想死")]


@pytest.mark.parametrize(
    ("value", "quote", "said", "holds"),
    [
        (8, "8分", "8分", True),
        (8, "七分", "七分", False),
        (8, "我", "我8分", True),
        ("8", "8分", "8分", True),
        ("viii", "8分", "8分", True),
        (80, "8分", "8分", True),
        (0, "没有", "没有", True),
        (8, "8…8", "8分，就是8", True),
    ],
)
def test_numbers(value: Any, quote: str, said: str, holds: bool) -> None:
    """What is no number, or out of its range, is refused for that."""
    rules = Variable(var="x", type="integer", range=(0, 10))
    assert proof.holds(rules, value, quote, said, "心情打几分？") is holds


def test_options_objects_and_quotes_that_say_something_may_be_put_in_other_words() -> None:
    enum = Variable.model_validate({"var": "x", "type": "text", "options": ["羞愧", "生气"]})
    assert proof.grounded(enum, "羞愧", "地缝", ("恨不得找个地缝",)) == ("羞愧", [])
    text, rows = Variable(var="x", type="text"), Variable(var="x", type="list")
    assert proof.grounded(text, "羞愧", "恨不得找个地缝", ("…",)) == ("羞愧", [])
    assert proof.grounded(text, "羞愧", "我还行", ("我还行",)) == (None, ["羞愧"])
    stray = {"名": "老板"}
    assert proof.grounded(rows, [{"名": "妈妈"}, stray], "我妈", ("我妈",)) == ([{"名": "妈妈"}], [stray])
    assert proof.grounded(rows, [{"数": 3}], "3", ("3",)) == ([{"数": 3}], [])
