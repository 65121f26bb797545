"""When a value is the one that a careful reader takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table import tabled

from heartrule.evals.extraction_gold import MOST, exact, fits, verdict

RIGHT: list[tuple[Any, Any]] = [
    (7, 7),
    (7, 7.0),
    (1.5, 1.5),
    (0, 0),
    (True, True),
    (False, False),
    ("2026-11-11", "2026-11-11"),
    ("早醒", "早醒"),
    ("太阳穴", "两边太阳穴，一跳一跳的"),
    ("太阳穴", "两边 太阳穴"),
    ({"any": [7, 8]}, 8),
    ({"has": ["婆婆|妈妈", "吵"]}, "和婆婆吵架"),
    ({"has": ["婆婆"], "not": ["丈夫"]}, "婆婆"),
    ({"has": ["喘不过气"]}, "“跟你在一起，我喘 不过气来”"),
    (["爸", "妈"], ["妈妈", "爸爸"]),
    (["跑步", {"has": ["喝|酒"]}], ["喝两杯", "跑步"]),
    ([], []),
    ({"items": ["爸"], "maybe": ["猫"]}, ["爸爸"]),
    ({"items": ["爸"], "maybe": ["猫"]}, ["一只猫", "爸爸"]),
    ({"any": [["爸", "妈"], ["爸妈"]]}, ["爸妈"]),
    ({"姓名": "陈默", "电话": None}, {"姓名": "陈默"}),
    ({"姓名": "陈默", "电话": None}, {"姓名": "陈默", "电话": None}),
    ({"可能性": 20}, {"可能性": 20}),
    ([{"名字": "大鹏", "年": 20}, {"名字": "阿哲", "年": 6}], [{"名字": "阿哲", "年": 6}, {"名字": "大鹏", "年": 20}]),
]
WRONG: list[tuple[Any, Any]] = [
    (7, 8),
    (7, "7"),
    (1, True),
    (True, 1),
    (False, 0),
    (False, None),
    ("2026-11-11", "2026-11-04"),
    ("大二", "大三"),
    ("太阳穴", 3),
    ({"any": [7, 8]}, 9),
    ({"has": ["婆婆", "吵"]}, "和婆婆好"),
    ({"has": ["婆婆"], "not": ["丈夫"]}, "婆婆和丈夫"),
    ({"has": ["成都"]}, "成都" + "很远" * MOST),
    ({"has": ["成都"], "most": 4}, "成都的家里"),
    ({"has": ["成都"]}, ["成都"]),
    (["爸", "妈"], ["爸爸"]),
    (["爸", "妈"], ["爸爸", "妈妈", "猫"]),
    (["爸", "妈"], ["爸爸", "爸爸"]),
    (["爸"], "爸爸"),
    ([], ["爸爸"]),
    ({"items": ["爸"], "maybe": ["猫"]}, ["爸爸", "狗"]),
    ({"items": ["爸"]}, "爸爸"),
    ({"姓名": "陈默", "电话": None}, {"姓名": "陈默", "电话": "110"}),
    ({"姓名": "陈默"}, {"姓名": "陈默", "关系": "室友"}),
    ({"姓名": "陈默"}, {"关系": "室友"}),
    ({"姓名": "陈默"}, "陈默"),
    ([{"名字": "大鹏", "年": 20}], [{"名字": "大鹏", "年": 6}]),
]


@tabled(("gold", "held"), RIGHT)
def test_it_is_the_one(gold: Any, held: Any) -> None:
    assert fits(gold, held)
    assert verdict(gold, held) == "right"
    assert exact(gold)


@tabled(("gold", "held"), WRONG)
def test_it_is_another(gold: Any, held: Any) -> None:
    assert not fits(gold, held)
    assert exact(gold)


def test_one_item_does_not_stand_for_two() -> None:
    assert not fits(["妈|爸", "妈"], ["妈妈"])
    assert fits(["妈|爸", "妈"], ["妈妈", "爸爸"]), "the first takes what the second leaves"


def test_nothing_is_right_only_where_nothing_is_to_be_taken() -> None:
    assert verdict(None, None) == "right"
    assert verdict(None, 7) == "invented"
    assert verdict(None, False) == "invented"
    assert verdict(None, []) == "invented"
    assert verdict(7, None) == "missed"
    assert verdict(7, 8) == "wrong"
    assert verdict(0, 0) == "right"


@pytest.mark.parametrize("gold", [{}, {"has": []}, {"has": [""]}, {"has": [3]}, {"has": "婆婆"}, [None], {"any": [{}]}])
def test_what_is_no_gold(gold: Any) -> None:
    assert not exact(gold)
