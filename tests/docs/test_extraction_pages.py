"""The page on evaluation, on extraction: its commands run, one after another, on the set we ship."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.house.tree import ROOT

PAGES = (ROOT / "docs" / "evaluation.md", ROOT / "docs" / "zh" / "evaluation.md")


def commands(page: Path) -> list[list[str]]:
    lines = [line for block in blocks(page) if block.mark == "extract" for line in block.text.splitlines()]
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_commands_run_in_their_order(page: Path, heartrule: Command) -> None:
    shutil.copytree(ROOT / "bench" / "extract", heartrule.folder / "bench" / "extract")
    answers = heartrule.folder / "answers"
    answers.mkdir()
    said = {"EXIT": "NO", "values": {}, "content": "嗯。", "exit_reason": "还没问完"}
    (answers / "vg-score.json").write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    rows = commands(page)
    assert [row[:3] for row in rows] == [["heartrule", "eval", "extract"]] * 4
    for row in rows:
        ran = heartrule(*row[1:])
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip()
    assert len(list((heartrule.folder / "prompts").iterdir())) == 138
    assert len((heartrule.folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 1


def test_both_pages_have_the_same_commands() -> None:
    assert commands(PAGES[0]) == commands(PAGES[1])
