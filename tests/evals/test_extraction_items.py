"""Labelled rounds are read whole, or refused with the line and the key that is wrong, and nothing quoted."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.evals.dialogues import items, row, written

from heartrule.evals import extraction_items
from heartrule.evals.extraction_items import AT
from heartrule.evals.labelled_files import BadFile

GOOD = row("问怎么了？", "答我有个秘密", gold={"事": "秘密"})


def refused(folder: Path, *rows: dict[str, Any]) -> BadFile:
    with pytest.raises(BadFile) as caught:
        extraction_items.load_items(written(folder, *rows))
    assert "秘密" not in str(caught.value)
    return caught.value


def test_what_is_not_said_has_a_default(tmp_path: Path) -> None:
    (found,) = items(tmp_path, GOOD)
    assert (found.id, found.line, found.locale, found.at) == ("one", 1, "zh-CN", AT)
    assert (found.begins, found.asked, found.answer) == (0, 0, ("我有个秘密",))
    assert (found.action, found.before, found.missing, found.tags) == ({}, {}, {}, ())
    assert "秘密" not in repr(found)


def test_everything_that_may_be_said(tmp_path: Path) -> None:
    whole = row(
        *("问在吗？", "答在", "问几点睡？", "答十点", "问怎么了？", "答嗯", "答我难受"),
        gold={"感受": {"has": ["难受"]}, "时间": None},
        missing={"时间": "vague"},
        begins=2,
        at="2026-03-02T10:00:00+08:00",
        locale="en",
        action={"max_rounds": 9},
        before={"感受": "闷"},
        tags=["a", "b"],
    )
    (found,) = items(tmp_path, whole)
    assert (found.begins, found.asked, found.answer) == (2, 4, ("嗯", "我难受"))
    assert found.at == datetime(2026, 3, 2, 2, 0, tzinfo=UTC)
    assert found.at.utcoffset() == timedelta(hours=8)
    assert (found.locale, found.tags, found.missing) == ("en", ("a", "b"), {"时间": "vague"})


def test_the_action_begins_with_the_last_question_unless_it_is_said(tmp_path: Path) -> None:
    (found,) = items(tmp_path, row("问一", "答二", "问三", "答四", gold={"数": "四"}))
    assert (found.begins, found.asked) == (2, 2)


def test_a_moment_without_a_zone_is_utc(tmp_path: Path) -> None:
    (found,) = items(tmp_path, {**GOOD, "at": "2026-03-02T10:00"})
    assert found.at == datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


def test_empty_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"\n{json.dumps(GOOD)}\n\n{json.dumps({**GOOD, 'id': 'two'})}\n", encoding="utf-8")
    assert [(each.id, each.line) for each in extraction_items.load_items(path)] == [("one", 2), ("two", 4)]


BAD: list[tuple[str, dict[str, Any]]] = [
    ("id", {"id": "../a"}),
    ("id", {"id": ""}),
    ("id", {"id": 3}),
    ("id", {"id": "x" * 61}),
    ("brief", {"brief": " "}),
    ("brief", {"brief": None}),
    ("output", {"output": []}),
    ("output", {"output": [{"var": "事"}]}),
    ("output", {"output": {"get": "事"}}),
    ("gold", {"gold": {}}),
    ("gold", {"gold": {"别的": 1}}),
    ("gold", {"gold": {"事": {}}}),
    ("gold", {"gold": 3}),
    ("missing", {"gold": {"事": None}}),
    ("missing", {"gold": {"事": None}, "missing": {"事": "forgotten"}}),
    ("missing", {"missing": {"事": "vague"}}),
    ("missing", {"missing": []}),
    ("dialogue", {"dialogue": []}),
    ("dialogue", {"dialogue": "我有个秘密"}),
    ("dialogue", {"dialogue": ["我有个秘密"]}),
    ("dialogue", {"dialogue": [{"speaker": "person", "text": "我有个秘密"}]}),
    ("dialogue", {"dialogue": [{"speaker": "ai", "text": "？"}]}),
    ("dialogue", {"dialogue": [{"speaker": "ai", "text": "？"}, {"speaker": "person", "text": " "}]}),
    ("dialogue", {"dialogue": [{"speaker": "cat", "text": "？"}, {"speaker": "person", "text": "x"}]}),
    ("begins", {"begins": 1}),
    ("begins", {"begins": -1}),
    ("begins", {"begins": True}),
    ("at", {"at": "星期五"}),
    ("locale", {"locale": "fr"}),
    ("action", {"action": []}),
    ("before", {"before": 3}),
    ("tags", {"tags": "sleep"}),
    ("golden", {"golden": 3}),
]


@pytest.mark.parametrize(("key", "change"), BAD)
def test_what_is_wrong_is_told_by_line_and_key(tmp_path: Path, key: str, change: dict[str, Any]) -> None:
    found = refused(tmp_path, GOOD, {**GOOD, "id": "two", **change})
    assert (found.why, found.line, found.values) == ("bad_item", 2, {"key": key})


def test_an_id_is_given_once(tmp_path: Path) -> None:
    found = refused(tmp_path, GOOD, GOOD)
    assert (found.why, found.line, found.values) == ("bad_item", 2, {"key": "id"})


@pytest.mark.parametrize("text", ["{", "[]", '"我有个秘密"', "[" * 100_000])
def test_a_line_that_is_no_object(tmp_path: Path, text: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        extraction_items.load_items(path)
    assert (caught.value.why, caught.value.line) == ("not_json", 1)


def test_a_file_that_is_not_there_or_empty_or_no_text(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    whys = []
    for content in (None, b"", b"\xff\xfe\x00"):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(BadFile) as caught:
            extraction_items.load_items(path)
        whys.append(caught.value.why)
    assert whys == ["unread", "empty", "unread"]
