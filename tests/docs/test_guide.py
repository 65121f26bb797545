"""Every example of the script guide does what the guide says: complete ones are clean and are held to their end."""

from __future__ import annotations

import textwrap

import pytest
from tests.cli.command import Command
from tests.docs.blocks import Block, blocks
from tests.house.tree import ROOT

from heartrule.engine.installed_types import field_models
from heartrule.language.linting.lint import lint_text

GUIDES = (ROOT / "docs" / "script-guide.md", ROOT / "docs" / "zh" / "script-guide.md")
EXAMPLES = list(blocks(*GUIDES))
FRAME = """\
sessions:
  - session: Frame
    declare:
{names}
    phases:
      - phase: Frame
        steps:
          - topic: Frame
            actions:
{actions}
"""


def marked(mark: str) -> list[Block]:
    return [block for block in EXAMPLES if block.mark == mark]


def told(text: str) -> list[str]:
    return [f"{found.line} {found.code} {found.message.en}" for found in lint_text(text, field_models())]


@pytest.mark.parametrize("block", marked("complete"), ids=str)
def test_complete_examples_are_clean_and_reach_their_end(block: Block, heartrule: Command) -> None:
    assert told(block.text) == []
    (heartrule.folder / "example.yaml").write_text(block.text, encoding="utf-8")
    lines = [line.strip() for line in block.rest.split("|")] if block.rest else []
    ran = heartrule("chat", "example.yaml", lines=lines)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("\n> ") == len(lines), f"not every line was needed:\n{ran.stdout}"
    assert "{" not in ran.stdout.partition("\n\n")[2], "a placeholder was said"


@pytest.mark.parametrize("block", marked("gives"), ids=str)
def test_wrong_examples_give_the_finding(block: Block) -> None:
    found = told(block.text)
    assert [line.split()[1] for line in found] == [block.rest]


@pytest.mark.parametrize("block", marked("part"), ids=str)
def test_parts_are_actions_as_they_stand(block: Block) -> None:
    text = FRAME.format(actions=textwrap.indent(block.text, " " * 14), names="      - {var: unused}")
    assert [line for line in told(text) if line.split()[1].startswith("E")] == []


def test_every_example_is_checked() -> None:
    free = [str(block) for block in EXAMPLES if block.kind == "yaml" and not block.mark]
    assert len(free) == len(GUIDES), f"only the project.yaml of each guide stands alone: {free}"


def test_both_languages_teach_the_same() -> None:
    english, chinese = ([block.mark for block in blocks(guide) if block.kind == "yaml"] for guide in GUIDES)
    assert english == chinese
    wrong = [[block.rest for block in blocks(guide) if block.mark == "gives"] for guide in GUIDES]
    assert wrong[0] == wrong[1]
