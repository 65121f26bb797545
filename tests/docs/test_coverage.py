"""The page on coverage and mutants: its commands run in this order on its files and print what it says."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.house.tree import ROOT

from heartrule.script_tests.coverage import KINDS, WAYS
from heartrule.script_tests.mutant_explanations import DIAGNOSTICS, FILE
from heartrule.script_tests.mutation import WHATS

PAGES = (ROOT / "docs" / "coverage.md", ROOT / "docs" / "zh" / "coverage.md")
IDS = ("en", "zh")


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_its_commands_print_what_it_says(page: Path, heartrule: Command) -> None:
    demo = heartrule.folder / "demo"
    (demo / "tests").mkdir(parents=True)
    (demo / "project.yaml").write_text("id: demo\n", encoding="utf-8")
    lang = "zh" if page.parent.name == "zh" else "en"
    printed, done = "", []
    for block in blocks(page):
        if block.mark == "file":
            (heartrule.folder / block.rest).write_text(block.text, encoding="utf-8")
        elif block.mark == "prints":
            assert block.text in printed, block
            done.append("prints")
        elif block.mark == "run":
            for line in block.text.splitlines():
                program, *arguments = shlex.split(line)
                assert program == "heartrule"
                ran = heartrule(*arguments, "--lang", lang)
                assert ran.returncode == 0, (line, ran.stdout, ran.stderr)
                printed = ran.stdout
            done.append("run")
    assert done == ["run", "prints", "run", "run", "prints", "run"]
    assert (heartrule.folder / "coverage.html").is_file()
    assert (heartrule.folder / "sessions.html").is_file()


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_everything_has_a_name(page: Path, heartrule: Command) -> None:
    text = page.read_text(encoding="utf-8")
    codes = [path.name.partition("-")[0] for path in DIAGNOSTICS.glob("*.md")]
    for name in (*KINDS, *WAYS, *WHATS, FILE):
        assert f"`{name}`" in text, name
    for name in codes:
        assert name in text, name
    shown = heartrule("mutate", "--help").stdout + heartrule("coverage", "--help").stdout
    options = {word.rstrip(",") for word in shown.replace("│", " ").split() if word.startswith("--") and len(word) > 3}
    assert len(options) > 8
    for option in options - {"--help", "--project", "--lang", "--data"}:
        assert option in text, option
