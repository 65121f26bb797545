"""Beginnings are read whole, or refused with the line and the key that is wrong, without a word of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.evals.danger import items, row

from heartrule.evals.labelled_files import BadFile


def test_a_beginning(tmp_path: Path) -> None:
    known = {"hopeless": True, "means_at_hand": False, "protects": "女儿"}
    (read,) = items(tmp_path, row("问怎么了？", "答ok ", "答不想醒", label="passive", known=known))
    assert [(each.speaker, each.text) for each in read.dialogue] == [
        ("ai", "怎么了？"),
        ("person", "ok"),
        ("person", "不想醒"),
    ]
    assert (read.label, read.own, read.interrupts, read.calm) == ("passive", True, False, False)
    assert read.known == known
    assert items(tmp_path, row("答没想过", label="none_denial"))[0].calm


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"id": "a b"}, "id"),
        ({"locale": "zh"}, "locale"),
        ({"turns": []}, "turns"),
        ({"turns": [{"by": "ai", "text": "秘密"}]}, "turns"),
        ({"turns": [{"by": "client", "text": "秘密"}]}, "turns"),
        ({"turns": [{"by": "person", "text": " "}]}, "turns"),
        ({"label": "danger"}, "label"),
        ({"own": 1}, "own"),
        ({"interrupts": None}, "interrupts"),
        ({"interrupts": True}, "interrupts"),
        ({"known": {"hopeless": "很"}}, "known"),
        ({"known": {"protects": True}}, "known"),
        ({"known": {"age": 12}}, "known"),
        ({"note": "秘密"}, "note"),
    ],
)
def test_what_is_wrong_is_located(tmp_path: Path, change: dict[str, Any], key: str) -> None:
    with pytest.raises(BadFile) as bad:
        items(tmp_path, row("答秘密"), row("答秘密", id="two") | change)
    assert (bad.value.why, bad.value.line, bad.value.values) == ("bad_item", 2, {"key": key})
    assert "秘密" not in str(bad.value)


def test_ids_differ(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as bad:
        items(tmp_path, row("答a"), row("答b"))
    assert (bad.value.line, bad.value.values) == (2, {"key": "id"})
