"""W442 in ``project.yaml``: what a project asks for that nothing in it can use."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.engine.installed_types import field_models
from heartrule.language.linting.lint import lint

SCRIPT = """
sessions:
  - session: 甲
    id: a
    locale: zh-CN
    declare: [{{var: 学历, define: 学历, value: 大专}}]
    phases:
      - phase: 一
        steps:
          - topic: 乙
            actions: [{{type: ai_ask, id: it, content: 聊聊, max_rounds: 3, fallback: 聊聊？{more}}}]
"""


@pytest.mark.parametrize(
    ("project", "more", "keys"),
    [
        ("monitoring: full", "", []),
        ("monitoring: full\nmonitors: false", "", ["monitoring"]),
        ("strategies: {first_words: true}", "", ["strategies"]),
        ("strategies: {first_words: true}", ", adaptive: true", []),
        ("strategies: {profile: {education_level: 学历, age: 岁数}}", ", adaptive: true", ["age"]),
    ],
)
def test_what_nothing_can_use_is_told(tmp_path: Path, project: str, more: str, keys: list[str]) -> None:
    (tmp_path / "project.yaml").write_text(f"id: mine\nlocale: zh-CN\n{project}\n", encoding="utf-8")
    (tmp_path / "a.yaml").write_text(SCRIPT.format(more=more), encoding="utf-8")
    found = [each for each in lint([tmp_path], field_models()) if each.code == "W442"]
    assert [each.message.en.partition("`")[2].partition("`")[0] for each in found] == keys
    assert {Path(each.file).name for each in found} <= {"project.yaml"}
