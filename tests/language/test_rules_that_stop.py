"""What is only to be run waits for no rule that could not keep it from running."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.safety.shipped import every_rules as shipped_rules

from heartrule.checks.patterns import compiled, is_sound
from heartrule.engine.installed_types import field_models
from heartrule.language.findings import Refused
from heartrule.language.linting import rules
from heartrule.language.projects.library import Library

FOLDER = Path(rules.__file__).parent
WARNED = "            actions:\n              - {type: say, content: 你好。, timeout: 10m}\n"
HEAD = """
sessions:
  - session: 甲
    id: a
    locale: zh-CN
    phases:
      - phase: 一
        steps:
          - topic: 乙
"""


def test_the_rules_that_are_left_out_give_warnings_only() -> None:
    stopping = {path.stem for path in FOLDER.glob("[a-z]*.py") if re.search(r"\bE\d{3}\b", path.read_text("utf-8"))}
    everything = {path.stem for path in FOLDER.glob("[a-z]*.py")}
    assert everything - stopping == rules.WARN_ONLY


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


LOADED = """
import sys
from heartrule.engine.installed_types import field_models
from heartrule.language.linting.rules import WARN_ONLY
from heartrule.language.projects.library import Library
Library([], field_models()).script(sys.argv[1])
print(*(name for name in WARN_ONLY if f"heartrule.language.linting.rules.{name}" in sys.modules))
"""


def test_a_fresh_process_reads_a_script_without_them(tmp_path: Path) -> None:
    script = tmp_path / "a.yaml"
    script.write_text(HEAD + WARNED, encoding="utf-8")
    ran = subprocess.run([sys.executable, "-c", LOADED, str(script)], capture_output=True, text=True, check=True)
    assert set(ran.stdout.split()) <= {"unspoken", "never_holds", "wide_commas"}  # others use what is in them


@pytest.mark.parametrize("pattern", ["a)(b", "(?=a)", "(", "\ud800", "(?:a{1000}){1000}", r"\p{Han}"])
def test_what_reading_a_pattern_cannot_tell_is_left_to_compiling_it(pattern: str) -> None:
    assert not is_sound(pattern)


def test_what_is_sound_can_be_compiled() -> None:
    kept = [rule for script in shipped_rules().values() for rule in script.all()]
    texts = [each for rule in kept for each in ([rule.pattern] if isinstance(rule.pattern, str) else rule.pattern)]
    sound = [text for text in texts if "<" not in text and is_sound(text)]
    assert len(sound) > 100
    for text in sound:
        compiled(text)
