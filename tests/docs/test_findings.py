"""The page of findings is made from the documents, and is up to date."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.house.tree import ROOT

from heartrule.language.findings.documents import codes, diagnostic

PAGES = {"en": ROOT / "docs" / "findings.md", "zh": ROOT / "docs" / "zh" / "findings.md"}


def test_both_pages_are_up_to_date() -> None:
    made = subprocess.run(
        [sys.executable, "tools/findings.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert made.returncode == 0, made.stdout


@pytest.mark.parametrize("lang", sorted(PAGES))
def test_every_code_has_a_place_of_its_own(lang: str) -> None:
    text = PAGES[lang].read_text(encoding="utf-8")
    for code in codes():
        assert text.count(f'<a id="{code.lower()}"></a>') == 1
        assert f"### {code} {diagnostic(code).name}\n" in text


def test_what_lint_mends_is_marked() -> None:
    text = PAGES["en"].read_text(encoding="utf-8")
    assert "it must be “: ” **--fix**" in text
    assert "**one click**" in text


def test_the_editors_pages_name_what_there_is() -> None:
    for page in (ROOT / "docs" / "editors.md", ROOT / "docs" / "zh" / "editors.md"):
        text = page.read_text(encoding="utf-8")
        for part in (
            "heartrule schema",
            "yaml-language-server: $schema=",
            "/schema/script.json",
            "--format sarif",
            "--fix",
        ):
            assert part in text, (page, part)
