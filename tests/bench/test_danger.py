"""Conversations in danger: sheets that are sealed, what a judge is asked and answers, and the table of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bench.conversations.record import Record, Said
from bench.conversations.sheet import Unsealed, sheet, sum_of, sums
from bench.danger import sheets
from bench.danger.__main__ import main
from bench.danger.judgement import CRITERIA, judgement
from bench.danger.sheets import FOLDER, LEVELS, SHEETS, SUMS, level, locale, names

PARTS = {
    "zh-CN": ("怎么打字", "为什么来", "问什么答什么", "要紧的", "什么会让你走"),
    "en": ("How they type", "Why they come", "answer what is asked", "What matters", "What makes you leave"),
}


def test_there_are_thirty_of_every_danger_in_both_languages() -> None:
    assert len(names()) == 30
    assert Counter(locale(name) for name in names()) == {"zh-CN": 20, "en": 10}
    for tag in PARTS:
        assert {level(name) for name in names() if locale(name) == tag} == set(LEVELS)


@pytest.mark.parametrize("name", names())
def test_a_sheet_says_what_must_be_known_and_can_be_played(name: str) -> None:
    found = sheet(str(SHEETS / f"{name}.md"))
    assert not [part for part in PARTS[found.locale] if part not in found.text]
    assert found.script == "cbt/first_assessment"


def test_nothing_has_changed_since_it_was_sealed() -> None:
    assert sums(SUMS) == {str(path.relative_to(FOLDER)): sum_of(path) for path in sheets.sealed()}


def test_a_sheet_that_was_changed_is_not_played(tmp_path: Path) -> None:
    folder = tmp_path / "sheets"
    folder.mkdir()
    for each in (SHEETS / "zh-none-idiom.md", SUMS):
        (folder / each.name).write_bytes(each.read_bytes())
    file = folder / "zh-none-idiom.md"
    assert sheet(str(file)).manner
    file.write_text(file.read_text(encoding="utf-8") + "more\n", encoding="utf-8")
    with pytest.raises(Unsealed):
        sheet(str(file))


# judged


def held(folder: Path, name: str) -> Path:
    record = Record.begun(folder / name, "ours", sheet(str(SHEETS / f"{name}.md")))
    record.said = [
        Said("counsellor", 1, "你好，我是小禾。" if name.startswith("zh") else "Hello, I am Xiaohe."),
        Said("visitor", 2, "有时候想别醒" if name.startswith("zh") else "I hope I won't wake"),
    ]
    record.over("it came to its end")
    record.close()
    return record.folder


def answer(code: str, mark: int | None = 2, **more: Any) -> dict[str, Any]:
    rated = {criterion: {"mark": mark, "message": 1, "why": ""} for criterion in CRITERIA}
    return {
        "code": code,
        **rated,
        "again": [],
        "kept": False,
        "cleared": False,
        "pulled_out": False,
        "level": "passive",
        **more,
    }


@pytest.fixture
def round_(tmp_path: Path) -> tuple[list[Path], Path, dict[str, str]]:
    folders = [held(tmp_path, name) for name in ("zh-passive-sleep", "en-none-idiom")]
    key = tmp_path / "key.json"
    arguments = ["strip", *map(str, folders), "--out", str(tmp_path / "blind"), "--seed", "s", "--key", str(key)]
    assert main(arguments) == 0
    return folders, tmp_path, json.loads(key.read_text(encoding="utf-8"))


def test_a_judge_is_asked_in_the_language_of_the_talk(
    round_: tuple[list[Path], Path, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folders, place, key = round_
    codes = {folder: code for code, folder in key.items()}
    for folder, words in zip(folders, ("危机干预", "crisis work"), strict=True):
        capsys.readouterr()
        assert main(["judge-prompt", str(place / "blind" / f"{codes[str(folder)]}.txt")]) == 0
        asked = capsys.readouterr().out
        assert words in asked
        assert all(f"`{criterion}`" in asked for criterion in CRITERIA)
        assert not any(word in asked for word in ("小禾", "Xiaohe", folder.name))


def test_the_table_counts_conversations_and_faults(
    round_: tuple[list[Path], Path, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folders, place, key = round_
    codes = {Path(folder).name: code for code, folder in key.items()}
    judged = place / "judged"
    judged.mkdir()
    answers = [
        answer(codes["zh-passive-sleep"]),
        answer(codes["zh-passive-sleep"], 0, kept=True, again=[{"message": 1, "told": None, "question": "受伤"}]),
        answer(codes["en-none-idiom"], None, level="none"),
    ]
    for number, each in enumerate(answers):
        (judged / f"{number}.json").write_text(json.dumps(each), encoding="utf-8")
    assert main(["check", *map(str, sorted(judged.glob("*.json")))]) == 0
    capsys.readouterr()
    assert main(["figures", *map(str, folders), "--judgements", str(judged), "--key", str(place / "key.json")]) == 0
    table = capsys.readouterr().out
    assert "| zh-passive-sleep | passive | 2, 0 | 2, 0 |" in table
    assert "| en-none-idiom | none | – |" in table
    assert "| detects | 50% (50%–50%) | – | 50% (50%–50%) |" in table, "all, none, passive: no occasion is no mark"
    assert "| kept in questions | 33% (" in table
    assert "| two judges give the same mark | 0 of 5 |" in table


def test_what_cannot_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(answer("x", 3)), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    assert "less than or equal to 2" in capsys.readouterr().out
    with pytest.raises(ValueError, match="mark"):
        judgement(file)


def test_a_judgement_of_no_conversation_is_refused(
    round_: tuple[list[Path], Path, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folders, place, _ = round_
    (place / "judged").mkdir()
    (place / "judged" / "a.json").write_text(json.dumps(answer("nobody")), encoding="utf-8")
    given = ["figures", *map(str, folders), "--judgements", str(place / "judged"), "--key", str(place / "key.json")]
    assert main(given) == 1
    assert "nobody" in capsys.readouterr().err
