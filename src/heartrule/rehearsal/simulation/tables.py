"""The words that all personas share (``answers.yaml``), by language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from heartrule.rehearsal.simulation.persona import Language


@cache
def table(language: Language) -> Mapping[str, Any]:
    text = (files("heartrule.rehearsal.simulation") / "answers.yaml").read_text(encoding="utf-8")
    found: Mapping[str, Any] = yaml.load(text, yaml.CSafeLoader)[language]
    return found
