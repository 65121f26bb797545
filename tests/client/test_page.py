"""What the pages about the client show runs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.browser.served import Served
from tests.docs.blocks import Block, blocks
from tests.house.tree import ROOT

PAGES = (ROOT / "docs" / "client.md", ROOT / "docs" / "zh" / "client.md")
RUN = [each for each in blocks(*PAGES) if each.mark == "run"]


def test_both_pages_show_the_same() -> None:
    assert [each.page.parent.name for each in RUN] == ["docs"] * 3 + ["zh"] * 3


@pytest.mark.parametrize("block", RUN, ids=str)
def test_what_the_page_shows_runs(block: Block, served: Served) -> None:
    text = block.text.replace("http://127.0.0.1:8000", served.url)
    assert served.url in text
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "Lin" in ran.stdout or "小林" in ran.stdout
