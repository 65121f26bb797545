"""The page on packages: its manifest is one, and its commands run in their order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.house.tree import ROOT

PAGES = (ROOT / "docs" / "packages.md", ROOT / "docs" / "zh" / "packages.md")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_run_in_their_order(page: Path, heartrule: Command) -> None:
    text = page.read_text(encoding="utf-8")
    manifest = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0]
    alone = re.sub(r"^requires: .*\n", "", manifest, flags=re.MULTILINE)
    assert alone != manifest
    for line in re.findall(r"^\$ heartrule (.*)$", text, re.MULTILINE):
        if line.startswith("pack "):
            (heartrule.folder / "sleep_basics" / "package.yaml").write_text(alone, encoding="utf-8")
        ran = heartrule(*shlex.split(line))
        assert ran.returncode == 0, (line, ran.stderr)
    assert (heartrule.folder / "packages" / "sleep_basics" / "project.yaml").exists()


def test_both_pages_have_the_same_commands() -> None:
    told = [re.findall(r"^\$ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE) for page in PAGES]
    assert [line.replace("--locale en", "--locale zh-CN") for line in told[0]] == told[1]
