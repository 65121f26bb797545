"""``--set``: names that the script declares, and values of their types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command
from tests.cli.stand_ins import NOON

from heartrule.cli.initial_variables import refusal_text, taken
from heartrule.cli.words import Words
from heartrule.engine.installed_types import field_models
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library, library_root
from heartrule.sessions.initial_variables import NotTaken

SCRIPT = """\
global:
  - {var: 生日, define: 出生的日子, type: date}
  - {var: 来源, define: 谁介绍来的, type: integer}
sessions:
  - session: 见面
    id: hello
    declare:
      - {var: 来源, define: 谁介绍来的, type: text}
      - {var: 次数, define: 来过几次, type: integer, range: [0, 9]}
      - {var: 愿意, define: 是否愿意谈, type: boolean}
      - {var: 心情, define: 现在的心情, type: enum, options: [好, 不好]}
      - {var: 朋友, define: 常来往的人, type: list}
      - {var: 随意, define: 什么都可以}
    phases:
      - phase: 开场
        id: opening
        declare:
          - {var: 以后, define: 开场时才有的}
        steps:
          - topic: 称呼
            id: name
            actions:
              - {type: say, content: 你好。}
"""


@pytest.fixture
def script(tmp_path: Path) -> Script:
    (tmp_path / "given.yaml").write_text(SCRIPT, encoding="utf-8")
    return Library([library_root()], field_models()).script(str(tmp_path / "given.yaml"))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("来源", "同事介绍", "同事介绍"),
        ("来源", "007", "007"),
        ("来源", "1e3", "1e3"),
        ("来源", "true", "true"),
        ("来源", '"引号里的"', "引号里的"),
        ("次数", "2", 2),
        ("次数", '"2"', 2),
        ("愿意", "true", True),
        ("心情", "不好", "不好"),
        ("朋友", '["小王", "小李"]', ["小王", "小李"]),
        ("生日", "1990-02-03", "1990-02-03"),
        ("随意", "3", 3),
        ("随意", "三", "三"),
    ],
)
def test_values(name: str, text: str, value: Any, script: Script) -> None:
    assert taken({name: text}, script, NOON) == {name: value}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("随意", "[" * 100_000),
        ("次数", "两次"),
        ("次数", "12"),
        ("次数", "null"),
        ("次数", ""),
        ("心情", "一般"),
        ("生日", "昨天"),
        ("愿意", "3"),
    ],
)
def test_values_that_are_refused(name: str, text: str, script: Script) -> None:
    with pytest.raises(NotTaken) as caught:
        taken({name: text}, script, NOON)
    for language in ("zh", "en"):
        told = refusal_text(caught.value, Words(language))
        assert name in told
        assert told != Words(language)("set_unknown", name=name, names="")
    assert caught.value.why is not None


@pytest.mark.parametrize("name", ["来历", "以后", "session.来源", "来源.x"])
def test_names_that_are_not_declared(name: str, script: Script) -> None:
    with pytest.raises(NotTaken) as caught:
        taken({name: "x"}, script, NOON)
    told = refusal_text(caught.value, Words("zh"))
    assert name in told
    assert "次数" in told


def test_a_script_that_declares_nothing() -> None:
    assert "it declares none" in refusal_text(NotTaken("a", ()), Words("en"))


def test_the_command_stops_before_anything_is_kept(heartrule: Command) -> None:
    (heartrule.folder / "given.yaml").write_text(SCRIPT, encoding="utf-8")
    for given, named in (("次数=两次", "次数"), ("来历=同事", "来历")):
        ran = heartrule("chat", "given.yaml", "--set", given)
        assert ran.returncode == 2
        assert named in ran.stderr
        assert ran.stdout == ""
    assert heartrule("chat", "--resume").returncode == 1, "no session was made"
