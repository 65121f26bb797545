"""What is only to be run waits for no rule that could not keep it from running."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule.engine.installed_types import field_models
from heartrule.language.findings import Refused
from heartrule.language.linting import rules
from heartrule.language.projects.library import Library

FOLDER = Path(rules.__file__).parent
WARNED = "            actions:\n              - {type: say, content: 你好。, timeout: 10m}\n"
HEAD = "sessions:\n  - session: 甲\n    id: a\n    locale: zh-CN\n    phases:\n      - phase: 一\n        steps:\n          - topic: 乙\n"


def test_the_rules_that_are_left_out_give_warnings_only() -> None:
    stopping = {path.stem for path in FOLDER.glob("[a-z]*.py") if re.search(r"\bE\d{3}\b", path.read_text("utf-8"))}
    everything = {path.stem for path in FOLDER.glob("[a-z]*.py")}
    assert rules.WARN_ONLY == everything - stopping


def test_who_is_refused_is_told_the_warnings_too(tmp_path: Path) -> None:
    script = tmp_path / "a.yaml"
    script.write_text(HEAD + WARNED, encoding="utf-8")
    library = Library([], field_models())
    assert library.script(str(script)).session.session == "甲"
    script.write_text(HEAD + WARNED + "              - {type: use_skill, skill: nowhere}\n", encoding="utf-8")
    with pytest.raises(Refused) as refused:
        library.script(str(script))
    codes = [found.code for found in refused.value.findings]
    assert "W442" in codes
    assert any(code.startswith("E") for code in codes)
