"""The page on testing: its commands run in this order, its tests pass, and it names everything that can be written."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.house.tree import ROOT

from heartrule.script_tests.case import VERBS, Case, Expect, InitialState, TestFile
from heartrule.script_tests.case_files import parse_cases
from heartrule.script_tests.provider import FAIL, THEN, TIMEOUT, TRIES, WHEN
from heartrule.script_tests.situations import GROUPS

PAGES = (ROOT / "docs" / "testing.md", ROOT / "docs" / "zh" / "testing.md")
EXAMPLE = Path("examples", "testing")


@pytest.fixture
def example(heartrule: Command) -> Command:
    shutil.copytree(ROOT / EXAMPLE, heartrule.folder / EXAMPLE)
    return heartrule


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_commands_run_on_the_files_of_the_page(page: Path, example: Command) -> None:
    found = [block for block in blocks(page) if block.mark in ("test", "file")]
    assert [block.mark for block in found] == ["test", "file", "file", "test"]
    for block in found:
        if block.mark == "file":
            (example.folder / block.rest).write_text(block.text, encoding="utf-8")
            continue
        for line in block.text.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "heartrule"
            ran = example(*arguments)
            assert ran.returncode == 0, (line, ran.stdout, ran.stderr)
            assert ".yaml:" not in ran.stderr, ran.stderr
    assert (example.folder / "report.xml").is_file()


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_the_tests_of_the_page_pass(page: Path, example: Command) -> None:
    shutil.rmtree(example.folder / EXAMPLE / "tests")
    own = [block for block in blocks(page) if block.mark == "tests"]
    assert len(own) == 3
    for number, block in enumerate(own):
        (example.folder / EXAMPLE / f"{number}.test.yaml").write_text(block.text, encoding="utf-8")
    ran = example("test", str(EXAMPLE))
    assert ran.returncode == 0, (ran.stdout, ran.stderr)


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_what_needs_a_model_is_written_well(page: Path) -> None:
    found = [parse_cases(block.text, "live.test.yaml") for block in blocks(page) if block.mark == "live"]
    assert [[case.live.runs for case in each.cases] for each in found] == [[5]]
    assert not found[0].findings


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_everything_that_can_be_written_is_named(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    fields = [
        field.alias or name
        for model in (TestFile, Case, InitialState, Expect)
        for name, field in model.model_fields.items()
        if name not in ("tests", "live")
    ]
    for name in (*fields, *VERBS, *GROUPS, FAIL, TIMEOUT, WHEN, THEN, TRIES):
        assert f"`{name}" in text or f"{name}: " in text, name


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_every_option_is_named(page: Path, heartrule: Command) -> None:
    text = page.read_text(encoding="utf-8")
    shown = heartrule("test", "--help").stdout
    options = {word for word in shown.replace("│", " ").split() if word.startswith("--") and len(word) > 3} - {"--help"}
    assert len(options) > 10
    for option in options:
        assert option.rstrip(",") in text, option


def test_the_example_has_a_test_for_each_situation() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / EXAMPLE / "tests").glob("*.yaml"))]
    groups = {case.group for text in texts for case in parse_cases(text, "a.test.yaml").cases}
    assert groups == set(GROUPS)
