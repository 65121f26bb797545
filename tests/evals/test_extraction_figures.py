"""What is counted of held items."""

from __future__ import annotations

from pathlib import Path

from tests.evals.dialogues import Row, items, row

from heartrule.evals.extraction_figures import KindCount, Report, report
from heartrule.evals.extraction_round import WrittenValue
from heartrule.evals.extraction_run import Came, judged

OUTPUT: list[Row] = [
    {"get": "分", "type": "integer", "define": "几分"},
    {"get": "事", "define": "什么事"},
    {"get": "日", "type": "date", "define": "哪天"},
]
GOLD = {"分": 6, "事": "吵架", "日": None}
SIX = WrittenValue(6, "json")
DID: list[tuple[str, Came, dict[str, WrittenValue]]] = [
    ("right", "read", {"分": WrittenValue(6, "json"), "事": WrittenValue("吵架了", "json")}),
    ("wrong", "read", {"分": WrittenValue(7, "rules"), "事": WrittenValue("吵架了", "history")}),
    ("missed", "read", {"事": WrittenValue("吵架了", "json")}),
    (
        "invented",
        "read",
        {"分": WrittenValue(6, "json"), "事": WrittenValue("吵架", "json"), "日": WrittenValue("2026-01-01", "json")},
    ),
    ("late", "unread", {"分": WrittenValue(6, "json"), "事": WrittenValue("吵架", "fallback")}),
    ("old", "stale", {}),
]


def found(folder: Path) -> Report:
    rows = [
        row("问？", f"答{name}", gold=GOLD, output=OUTPUT, missing={"日": "vague"}, id=name, tags=["all", name])
        for name, _, _ in DID
    ]
    held = items(folder, *rows)
    return report([judged(item, came, wrote) for item, (_, came, wrote) in zip(held, DID, strict=True)])


def counts(each: KindCount) -> tuple[int, int, int, int]:
    return each.right, each.wrong, each.missed, each.invented


def test_an_item_is_right_as_a_whole_or_not(tmp_path: Path) -> None:
    told = found(tmp_path)
    assert (told.items, told.successes) == (6, 1)
    assert told.success is not None
    assert (round(told.success.value, 3), round(told.success.low, 3), round(told.success.high, 3)) == (
        0.167,
        0.030,
        0.564,
    )
    assert told.came == {"read": 4, "unread": 1, "stale": 1}
    assert told.stale == ["old"]


def test_values_are_counted_by_type_where_there_is_something_to_take(tmp_path: Path) -> None:
    told = found(tmp_path)
    assert {each.label: counts(each) for each in told.types} == {"integer": (3, 1, 2, 0), "text": (5, 0, 1, 0)}
    assert {each.label: counts(each) for each in told.empty} == {"vague": (5, 0, 0, 1)}
    assert counts(told.values) == (13, 1, 3, 1)
    assert told.values.all == 18
    assert told.values.share is not None
    assert told.values.share.value == 13 / 18


def test_values_are_counted_by_how_they_were_come_by(tmp_path: Path) -> None:
    told = found(tmp_path)
    assert {each.label: counts(each) for each in told.strategies} == {
        "json": (6, 0, 0, 1),
        "history": (1, 0, 0, 0),
        "rules": (0, 1, 0, 0),
        "fallback": (1, 0, 0, 0),
    }
    assert [each.label for each in told.strategies] == ["json", "history", "rules", "fallback"], "in their own order"


def test_what_is_not_right_is_told_one_by_one(tmp_path: Path) -> None:
    told = found(tmp_path)
    assert [(each.id, each.name, each.verdict, each.strategy) for each in told.faults] == [
        ("wrong", "分", "wrong", "rules"),
        ("missed", "分", "missed", ""),
        ("invented", "日", "invented", "json"),
        ("old", "分", "missed", ""),
        ("old", "事", "missed", ""),
    ]
    invented = told.faults[2]
    assert (invented.why, invented.gold, invented.held, invented.type) == ("vague", None, "2026-01-01", "date")
    assert "2026-01-01" not in repr(told)


def test_tags_count_items(tmp_path: Path) -> None:
    told = {each.tag: (each.items, each.success.value) for each in found(tmp_path).tags}
    assert told["all"] == (6, 1 / 6)
    assert told["right"] == (1, 1.0)
    assert told["late"] == (1, 0.0)


def test_of_nothing_nothing_is_said() -> None:
    told = report([])
    assert (told.items, told.success, told.types, told.tags, told.values.share) == (0, None, [], [], None)
