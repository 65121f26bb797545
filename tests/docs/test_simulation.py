"""The page on simulated visitors: its commands run, and what it says of personas is so, in both languages."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.house.tree import ROOT
from tests.script_tests.simulation.material import SMALL

from heartrule.script_tests.simulation.persona import SHIPPED, Persona
from heartrule.script_tests.simulation.session_run import PATIENCE, TURNS

PAGES = (ROOT / "docs" / "simulation.md", ROOT / "docs" / "zh" / "simulation.md")
COMMANDS = [line for block in blocks(PAGES[0]) if block.mark == "simulate" for line in block.text.splitlines()]


def test_both_pages_have_the_same_commands_and_examples() -> None:
    one, other = ([(block.kind, block.mark, block.text) for block in blocks(page)] for page in PAGES)
    assert one == other
    assert len(COMMANDS) == 4


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line[-30:])
def test_a_command_runs(line: str, heartrule: Command) -> None:
    (heartrule.folder / "myscript.yaml").write_text(SMALL, encoding="utf-8")
    program, *arguments = shlex.split(line)
    short = ("--persona", "terse", "--sessions", "1", "--parallel", "1")
    ran = heartrule(*arguments, *short)
    assert program == "heartrule"
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    if "--html" in arguments:
        assert (heartrule.folder / "report.html").exists()


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_the_personas_are_those_that_are_shipped(page: object) -> None:
    text = PAGES[0].read_text(encoding="utf-8") if page == PAGES[0] else PAGES[1].read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == SHIPPED
    assert f"({PATIENCE})" in text or f"（{PATIENCE}）" in text
    assert f"({TURNS})" in text or f"（{TURNS}）" in text


def test_the_example_is_a_persona() -> None:
    (block,) = [block for block in blocks(PAGES[0]) if block.kind == "yaml"]
    assert Persona.model_validate(yaml.safe_load(block.text)).id == "mine"
