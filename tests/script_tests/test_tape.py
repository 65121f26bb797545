"""Cassettes that were damaged are told with their line, whatever the damage; whole ones are not."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from heartrule.llm.provider import Reply
from heartrule.script_tests.tape import damage

ENTRY = {
    "messages": [["user", "在吗"]],
    "schema": None,
    "temperature": 0.2,
    "reply": asdict(Reply("在。", tokens_in=3)),
}


def kept(tmp_path: Path, content: bytes | str) -> Path:
    path = tmp_path / "a.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def entry(**changes: object) -> str:
    return json.dumps({"sound": ENTRY, "other": {**ENTRY, **changes}}, ensure_ascii=False, indent=1)


@pytest.mark.parametrize("content", ["{}", entry()])
def test_a_whole_one(tmp_path: Path, content: str) -> None:
    assert damage(kept(tmp_path, content)) is None


def test_none_at_all(tmp_path: Path) -> None:
    assert damage(tmp_path / "none.json") is None


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("null", 1, "no cassette"),
        ("[]", 1, "no cassette"),
        ('"x"', 1, "no cassette"),
        ("NaN", 1, "NaN is no number"),
        ('{\n "NaN": -Infinity}', 2, "-Infinity is no number"),
        ("", 1, "not JSON"),
        ("{", 1, "not JSON"),
        ('{"a": {},\n\n}', 3, "not JSON"),
        ("\0", 1, "not JSON"),
        ('{\n"a\0": 1}', 2, "not JSON"),
        (b"{\n\xff}", 2, "not UTF-8"),
        ("[" * 100_000, 1, "nested too deeply"),
        ('{\n"version": 1}', 2, "`version`"),
        ('{"answers": [1]}', 1, "`answers`"),
        (entry(reply=None), 0, "`other`"),
        (entry(reply={"text": 3}), 0, "`other`"),
        (entry(reply={"text": "在", "more": 1}), 0, "`other`"),
        (entry(messages=["在吗"]), 0, "`other`"),
    ],
)
def test_a_damaged_one(tmp_path: Path, content: bytes | str, line: int, why: str) -> None:
    found = damage(kept(tmp_path, content))
    assert found is not None
    if isinstance(content, str) and '"other"' in content:
        line = content[: content.index('"other"')].count("\n") + 1
    assert found[0] == line
    assert why in found[1].en
    assert found[1].zh


def test_one_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    found = damage(tmp_path / "a.json")
    assert found is not None
    assert found[1].en == "Is a directory"
