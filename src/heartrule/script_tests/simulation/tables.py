"""The words that all personas share (``answers.yaml``), by language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from heartrule.language.texts.plain import packaged_yaml
from heartrule.script_tests.simulation.persona import Language


@cache
def table(language: Language) -> Mapping[str, Any]:
    found: Mapping[str, Any] = packaged_yaml("heartrule.script_tests.simulation", "answers.yaml")[language]
    return found
