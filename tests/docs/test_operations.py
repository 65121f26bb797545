"""The page on operations: its commands run, its prices are read, and its metrics are those there are."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from tests.cli.command import Command
from tests.docs.blocks import Block, blocks
from tests.house.tree import ROOT
from tests.llm.material import task

from heartrule.engine.session.tasks import Attempt
from heartrule.llm.config import load_settings
from heartrule.llm.prices import table
from heartrule.server.metrics import Metrics
from heartrule.store.schema import attempts

PAGES = (ROOT / "docs" / "operations.md", ROOT / "docs" / "zh" / "operations.md")
BLOCKS = list(blocks(*PAGES))
COMMANDS = sorted({line for block in BLOCKS if block.mark == "run" for line in block.text.splitlines()})


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run(line: str, heartrule: Command) -> None:
    program, *arguments = shlex.split(line)
    assert program == "heartrule"
    ran = heartrule(*arguments)
    assert ran.returncode == 0, ran.stderr
    if "json" in arguments:
        assert json.loads(ran.stdout)["groups"] == []
    else:
        assert "没有问过语言模型" in ran.stdout


def test_both_pages_have_commands_and_prices() -> None:
    for page in PAGES:
        assert {block.mark for block in BLOCKS if block.page == page} >= {"run", "prices"}


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.mark == "prices"], ids=str)
def test_prices_are_read_as_they_stand(block: Block, heartrule: Command) -> None:
    file = heartrule.folder / "heartrule.toml"
    file.write_text(block.text, encoding="utf-8")
    settings = load_settings(file, {})
    assert "deepseek-flash" in settings.prices
    assert not any(host == "api.deepseek.com" for host, _ in table()), "the page says we have none of theirs"


def test_the_metrics_on_the_page_are_those_there_are() -> None:
    metrics = Metrics()
    asked = Attempt(1, "ok", provider="h/m", tokens_in=1, cost=1, currency="CNY")
    blocked = Attempt(2, "ok", provider="h/m", code="cut:promise", fallback=True, first_token=0.1)
    for attempt in (asked, blocked, Attempt(1, "error", provider="h/m", code="cut")):
        metrics.attempt(task(), attempt)
    there = set(re.findall(r"^# TYPE (heartrule_model_\w+?)(?:_total)? ", metrics.text().decode(), re.MULTILINE))
    there = {name for name in there if not name.endswith("_created")}
    page = PAGES[0].read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(heartrule_model_\w+?)(?:_total)?`", page, re.MULTILINE))
    assert told == there


def test_the_data_model_names_every_column_of_the_ledger() -> None:
    page = (ROOT / "docs" / "data-model.md").read_text(encoding="utf-8")
    paragraph = page.partition("What was tried for a call is kept twice")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", paragraph))
    assert {column.name for column in attempts.columns} - {"session"} <= named
