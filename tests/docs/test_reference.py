"""The action reference is generated, complete, and its examples lint."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import textwrap
from types import ModuleType
from typing import Any

import pytest
import yaml
from tests.house.tree import ROOT

from heartrule.engine.installed_types import field_models
from heartrule.language.linting.lint import lint_text
from heartrule.language.nodes import Action

TEXTS: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "actions.yaml").read_text(encoding="utf-8"))
OUTSIDE = {"W210", "W211", "W230", "W233", "W249", "W440", "W441"}
"""Findings that an action by itself must give: what it reads is written elsewhere, and the other way round."""


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("action_reference", ROOT / "tools" / "action_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_up_to_date() -> None:
    ran = subprocess.run(
        [sys.executable, "tools/action_reference.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_type_and_field_has_a_text_and_no_text_is_left_over() -> None:
    reference = tool()
    built_in = {name: model for name, model in field_models().items() if model.__module__.startswith("heartrule.")}
    assert set(TEXTS["types"]) == set(built_in)
    for name, model in built_in.items():
        own = {info.alias or key for key, info in model.model_fields.items() if key not in Action.model_fields}
        assert set(TEXTS["types"][name]["fields"]) <= own
        assert own <= set(TEXTS["types"][name]["fields"]) | set(TEXTS["fields"])
    parts = {part.__name__: part for part in reference.parts(built_in)}
    assert set(TEXTS["models"]) == set(parts)
    for name, part in parts.items():
        fields = {info.alias or key for key, info in part.model_fields.items()}
        assert set(TEXTS["models"][name]["fields"]) <= fields


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", sorted(TEXTS["types"]))
def test_examples_are_actions_as_they_stand(name: str, language: str) -> None:
    example = TEXTS["types"][name]["example"][language]
    (action,) = yaml.safe_load(example)
    assert action["type"] == name
    text = (
        "sessions:\n  - session: Frame\n    phases:\n      - phase: Frame\n        steps:\n          - topic: Frame\n"
        "            actions:\n" + textwrap.indent(example, " " * 14) + "\n" + SKILL
    )
    codes = {found.code for found in lint_text(text, field_models())}
    assert codes <= OUTSIDE, codes


SKILL = """
forms:
  - form: PHQ-9
    id: phq9
    fields: [{id: q1, label: 兴趣, type: integer, range: [0, 3]}]
skills:
  - skill: 苏格拉底式提问
    id: socratic
    parameters: [{name: 目标信念}, {name: belief}]
    returns: [替代想法, alternative]
    actions:
      - type: ask
        content: 有什么证据？
        output: [{get: 替代想法}, {get: alternative}]
"""
