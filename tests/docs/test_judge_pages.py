"""The page on evaluation, on the judge: its commands run, one after another, on the beginning of the set we ship."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.evals.danger import SHIPPED, verdict
from tests.house.tree import ROOT

from heartrule.evals.judge_items import FACTS, LABELS, WORDED

PAGES = (ROOT / "docs" / "evaluation.md", ROOT / "docs" / "zh" / "evaluation.md")
READMES = (SHIPPED / "README.md", SHIPPED / "README.zh-CN.md")


def commands(page: Path) -> list[list[str]]:
    lines = [line for block in blocks(page) if block.mark == "judge" for line in block.text.splitlines()]
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_commands_run_in_their_order(page: Path, heartrule: Command) -> None:
    folder = heartrule.folder / "bench" / "judge"
    folder.mkdir(parents=True)
    rows = (SHIPPED / "beginnings.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    (folder / "beginnings.jsonl").write_text("\n".join(rows), encoding="utf-8")
    answers = heartrule.folder / "answers"
    answers.mkdir()
    (answers / "zh-002.risk.json").write_text(verdict("unknown"), encoding="utf-8")
    rows_of_page = commands(page)
    assert [row[:3] for row in rows_of_page] == [["heartrule", "eval", "judge"]] * 4
    for row in rows_of_page:
        ran = heartrule(*row[1:])
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip()
    assert "zh-002.risk.txt" in {path.name for path in (heartrule.folder / "prompts").iterdir()}
    kept = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(kept) == 1


def test_both_pages_have_the_same_commands() -> None:
    assert commands(PAGES[0]) == commands(PAGES[1])


@pytest.mark.parametrize("page", READMES, ids=lambda page: page.name)
def test_every_label_and_every_fact_is_explained(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in (*LABELS, *FACTS, *WORDED):
        assert f"`{name}`" in text, name
