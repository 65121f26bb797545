"""The page on evaluation, on listening: its commands run, one after another, on the beginning of the set we ship."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.house.tree import ROOT

from heartrule.evals.listening_figures import LEAST, MOST

PAGES = (ROOT / "docs" / "evaluation.md", ROOT / "docs" / "zh" / "evaluation.md")
SET = ROOT / "bench" / "listening"


def commands(page: Path) -> list[list[str]]:
    lines = [line for block in blocks(page) if block.mark == "listening" for line in block.text.splitlines()]
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_commands_run_in_their_order(page: Path, heartrule: Command) -> None:
    folder = heartrule.folder / "bench" / "listening"
    folder.mkdir(parents=True)
    for name in ("beginnings.jsonl", "refusals.jsonl"):
        rows = (SET / name).read_text(encoding="utf-8").splitlines()[:3]
        (folder / name).write_text("\n".join(rows), encoding="utf-8")
    answers = heartrule.folder / "answers"
    answers.mkdir()
    said = {"values": {}, "declined": [], "asks": "", "EXIT": "NO", "content": "嗯。"}
    (answers / "zh-intake-01.stretch.json").write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    rows_of_page = commands(page)
    assert [row[:3] for row in rows_of_page] == [["heartrule", "eval", "listening"]] * 4
    for row in rows_of_page:
        ran = heartrule(*row[1:])
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip()
    assert "zh-intake-03.stretch.txt" in {path.name for path in (heartrule.folder / "prompts").iterdir()}
    assert len((heartrule.folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_thresholds_are_those_of_the_verdict(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace(" %", "%")
    for share in (*LEAST.values(), *MOST.values()):
        assert f"{share:.0%}" in text


def test_both_pages_have_the_same_commands() -> None:
    assert commands(PAGES[0]) == commands(PAGES[1])
