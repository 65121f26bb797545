"""``<<: *name``: the keys of a mapping that stands elsewhere are taken over, as YAML 1.1 has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MERGE = "<<"


def taken_over(mapping: Mapping[Any, Any]) -> dict[Any, Any] | None:
    """What a mapping takes over from those that it names under ``<<``, one or a list of them: the keys that it has not
    itself, each from the first that has it. None where it names something else."""
    named = mapping[MERGE]
    sources = named if isinstance(named, list) else [named]
    if not all(isinstance(source, dict) for source in sources):
        return None
    taken: dict[Any, Any] = {}
    for source in sources:
        taken |= {key: value for key, value in source.items() if key not in taken and key not in mapping}
    return taken
