"""A yes said with the question's own word."""

from __future__ import annotations

import pytest
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value
from heartrule.parsing.echoes import is_yes_by_echo

ASKED: dict[str, dict[str, bool]] = {
    "清楚了吗？": {"清楚了": True, "不清楚": False, "还不清楚": False, "不太清楚": False, "清楚了吧": False},
    "最近吃药了吗？": {"吃了": True, "没吃": False, "在吃": True, "还没吃": False, "药": False, "吃了但吐了": False},
    "你害怕他吗？": {"害怕": True, "怕": True, "不怕": False, "不害怕": False, "怕死": False, "怕不怕呢": False},
    "最近睡得好吗？": {"好": True, "不好": False, "挺好的": True, "好累": False, "还好": False},
    "你一个人住吗？": {"一个人住": True, "不是一个人": False, "和爸妈住": False, "人": False},
    "你想试试吗？": {"想试试": True, "不想试": False, "试过": False},
    "你愿不愿意说说？": {"愿意说说": True, "不愿意说": False},
    "你不害怕他吗？": {"害怕": False, "不怕": False},
    "你住校还是住家？": {"住家": False},
    "怎么住？": {"住": False},
    "Do you sleep well?": {
        "I sleep well": True,
        "not well": False,
        "not really": False,
        "sometimes": False,
        "I sleep": False,
    },
    "Do you live alone?": {"I live alone": True, "I don't live alone": False, "alone": True, "live with mum": False},
    "Do you live alone or with family?": {"alone": False},
    "": {"有": False},
}


@tabled(("question", "text", "said"), [(q, text, said) for q, each in ASKED.items() for text, said in each.items()])
def test_the_questions_own_word(question: str, text: str, said: bool) -> None:
    assert is_yes_by_echo(text, question) is said


@pytest.mark.parametrize(("text", "value"), [("伤害过", True), ("没伤害过", None), ("不想", False)])
def test_of_danger_it_is_only_ever_a_yes(text: str, value: bool | None) -> None:
    rules = Variable(var="v", type="boolean", risk=True)
    found = parse_value(rules, text, question="你伤害过自己吗？")
    assert (found and found.value) is value


def test_where_nobody_may_be_in_danger_it_is_asked_again() -> None:
    assert parse_value(Variable(var="v", type="boolean"), "吃了", question="吃药了吗？") is None
    found = parse_value(Variable(var="v", type="boolean", risk=True), "吃了", question="吃药了吗？")
    assert found is not None
    assert found.evidence == "吃了"
