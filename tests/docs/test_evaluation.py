"""The page on evaluation: its commands run, on the file we ship and on one of one's own."""

from __future__ import annotations

import shlex
import shutil

import pytest
from tests.cli.command import Command
from tests.docs.blocks import blocks
from tests.evals.minds import mind
from tests.house.tree import ROOT

from heartrule.testing.openai_server import OpenAIServer

PAGES = (ROOT / "docs" / "evaluation.md", ROOT / "docs" / "zh" / "evaluation.md")
COMMANDS = [
    (page, line) for page in PAGES for block in blocks(page) if block.mark == "eval" for line in block.text.splitlines()
]


def test_both_pages_have_commands() -> None:
    assert [page for page, _ in COMMANDS] == [PAGES[0]] * 2 + [PAGES[1]] * 2


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=lambda value: str(value)[-40:])
def test_commands_run(page: object, line: str, heartrule: Command) -> None:
    shutil.copytree(ROOT / "bench" / "batch", heartrule.folder / "bench" / "batch")
    (heartrule.folder / "yours.csv").write_text("text,label\n都怪我,1\n还好,0\n", encoding="utf-8")
    with OpenAIServer(
        lambda body: mind(lambda words, question: False)(body) if "来访者：" in str(body) else '{"holds": []}'
    ) as server:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": server.url, "HEARTRULE_LLM_MODEL": "stub"}
        program, *arguments = shlex.split(line)
        ran = heartrule(*arguments, "--limit", "2", "--sizes", "2")
        assert server.bodies
    assert program == "heartrule"
    assert ran.returncode == 0, ran.stderr
    assert "[" in ran.stdout
