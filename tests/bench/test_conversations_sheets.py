"""The visitors' sheets: all there, sealed, and each with what whoever plays it must know."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest
from bench.conversations import sheet as sheets
from bench.conversations.plain import prompt
from bench.conversations.sheet import FOLDER, SHEETS, Unsealed, names, seal, sheet, sums

PARTS = {
    "zh-CN": ("打字", "为什么来", "更正", "不许再问", "自己的问题", "危险", "总结里必须有", "什么会让你走"),
    "en": (
        "types",
        "Why",
        "orrect",
        "Boundary|be asked",
        "own questions",
        "Danger",
        "summary must",
        "What makes",
    ),
}
MANNERS = {
    "first": {
        *("talkative", "terse", "avoidant", "contradicting", "at-risk", "hostile", "in-tears", "own-question"),
    },
    "abc": {"literal", "terse", "doubting", "rambling"},
}


def test_every_set_has_a_visitor_of_every_manner() -> None:
    for series in ("a", "b", "c"):
        own = [sheet(name) for name in names() if name.startswith(f"{series}-")]
        for kind, manners in MANNERS.items():
            assert Counter(each.manner for each in own if each.kind == kind) == Counter(manners)
        assert Counter((each.kind, each.locale) for each in own) == {
            ("first", "zh-CN"): 6,
            ("first", "en"): 2,
            ("abc", "zh-CN"): 3,
            ("abc", "en"): 1,
        }


@pytest.mark.parametrize("name", names())
def test_a_sheet_says_all_that_must_be_known(name: str) -> None:
    found = sheet(name)
    assert name.endswith(f"-{found.kind}-{'-'.join(found.manner.split())}")
    missing = [part for part in PARTS[found.locale] if not any(each in found.text for each in part.split("|"))]
    if found.manner == "contradicting" and "**The contradictions" in found.text:
        missing = [part for part in missing if part != "orrect"]
    assert not missing
    assert len(found.text) > (900 if found.locale == "zh-CN" else 2400)
    assert prompt(found.prompt)
    assert found.playing.startswith("# ")


def test_nothing_of_a_round_has_changed_since_it_was_sealed() -> None:
    now = {
        str(path.relative_to(FOLDER)): hashlib.sha256(path.read_bytes()).hexdigest()
        for pattern in ("sheets/*.md", "playing/*.md", "plain/*.txt", "judging/*.md")
        for path in FOLDER.glob(pattern)
    }
    assert sums() == now


def test_a_sheet_that_was_changed_is_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "sheets"
    folder.mkdir()
    file = folder / "a-first-terse.md"
    file.write_bytes((SHEETS / file.name).read_bytes())
    monkeypatch.setattr(sheets, "FOLDER", tmp_path)
    monkeypatch.setattr(sheets, "SHEETS", folder)
    monkeypatch.setattr(sheets, "SUMS", folder / "SHA256SUMS")
    assert len(seal()) == 64
    assert sheet("a-first-terse").manner == "terse"
    file.write_text(file.read_text(encoding="utf-8") + "more\n", encoding="utf-8")
    with pytest.raises(Unsealed):
        sheet("a-first-terse")
    with pytest.raises(FileNotFoundError):
        sheet("nobody")
