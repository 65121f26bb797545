"""Beginnings, refusals and typed choices are read by their keys; what is wrong in one is located and never quoted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.evals.beginnings import HOME, HOURS, NAME, beginning, choosing, items, refusal, written

from heartrule.evals import listening_items
from heartrule.evals.labelled_files import BadFile
from heartrule.evals.listening_items import ChoiceItem, ListeningItem, Refusal

TOLD = {"称呼": True, "睡几小时": "part", "同住": False}
BEGINS = beginning("问怎么称呼？", "答阿宁，没睡好", told=TOLD, tags_of={"同住": ["similar"]}, tags=["similar"])


def test_each_is_known_by_its_keys(tmp_path: Path) -> None:
    rows = (BEGINS, refusal("跟谁住？", "不说", declines=True, covers=["同住"]), choosing("好的", "开始"))
    first, second, third = items(tmp_path, *rows)
    assert isinstance(first, ListeningItem)
    assert (first.told, first.tags_of, first.line) == (TOLD, {"同住": ("similar",)}, 1)
    assert isinstance(second, Refusal)
    assert (second.asked, second.declines, second.covers, second.boundary) == ("同住", True, {"同住"}, None)
    assert [each.text for each in second.dialogue] == ["我在听。", "嗯", "跟谁住？", "不说"]
    assert isinstance(third, ChoiceItem)
    assert (third.choices[1], third.gold) == (("改天", "今天先不聊了"), "开始")


def test_several_files_are_one_measurement(tmp_path: Path) -> None:
    one = written(tmp_path, BEGINS)
    two = tmp_path / "more.jsonl"
    two.write_text(written(tmp_path, {**BEGINS, "id": "two"}).read_text(encoding="utf-8"), encoding="utf-8")
    one = written(tmp_path, BEGINS)
    assert [each.id for each in listening_items.load_items([one, two])] == ["one", "two"]
    with pytest.raises(BadFile) as caught:
        listening_items.load_items([one, one])
    assert (caught.value.why, caught.value.values) == ("bad_item", {"key": "id"})


@pytest.mark.parametrize(
    ("row", "key"),
    [
        (BEGINS | {"id": "a b"}, "id"),
        (BEGINS | {"lang": "de"}, "lang"),
        (BEGINS | {"note": "x"}, "note"),
        (BEGINS | {"dialogue": []}, "dialogue"),
        (BEGINS | {"dialogue": [{"speaker": "ai", "text": "在吗"}]}, "dialogue"),
        (BEGINS | {"dialogue": [{"speaker": "cat", "text": "秘密"}]}, "dialogue"),
        (BEGINS | {"wanted": [NAME]}, "wanted"),
        (BEGINS | {"wanted": [NAME, NAME, HOME]}, "wanted"),
        (BEGINS | {"wanted": "秘密"}, "wanted"),
        (BEGINS | {"told": {"称呼": True}}, "told"),
        (BEGINS | {"told": TOLD | {"同住": "maybe"}}, "told"),
        (BEGINS | {"tags_of": {"谁": []}}, "tags_of"),
        (BEGINS | {"tags_of": {"同住": "near"}}, "tags_of"),
        (refusal("跟谁住？", "不说", declines=True, covers=["谁"]), "gold"),
        (refusal("跟谁住？", "不说", declines=True, boundary=""), "gold"),
        (refusal("跟谁住？", "不说", declines=True) | {"gold": {}}, "gold"),
        (refusal("跟谁住？", "不说", declines=True) | {"question": "别的？"}, "question"),
        (refusal("跟谁住？", " ", declines=True), "text"),
        (refusal("跟谁住？", "不说", declines=True, wanted=[HOURS]), "wanted"),
        (refusal("跟谁住？", "不说", declines=True) | {"dialogue": []}, "dialogue"),
        (choosing("好的", "别的"), "gold"),
        (choosing("", None), "text"),
        (choosing("好的", None, choices=[]), "choices"),
        (choosing("好的", None, choices=[{"value": "开始"}]), "choices"),
        (choosing("好的", None, said_before=None), "said_before"),
    ],
)
def test_what_is_wrong_is_located(tmp_path: Path, row: dict[str, Any], key: str) -> None:
    with pytest.raises(BadFile) as caught:
        items(tmp_path, {**BEGINS, "id": "before"}, row)
    assert (caught.value.why, caught.value.line, caught.value.values) == ("bad_item", 2, {"key": key})
    assert "秘密" not in str(caught.value)


@pytest.mark.parametrize(("text", "why"), [("{", "not_json"), ("[]", "not_json"), ("\n", "empty")])
def test_what_is_no_file_of_items(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        listening_items.load_items([path])
    assert caught.value.why == why
    with pytest.raises(BadFile) as caught:
        listening_items.load_items([tmp_path / "none"])
    assert caught.value.why == "unread"


def test_what_was_said_stays_out_of_names(tmp_path: Path) -> None:
    rows = (BEGINS, refusal("秘密？", "秘密", declines=True, boundary="秘密"), choosing("秘密", None))
    assert "秘密" not in repr(items(tmp_path, *rows))
