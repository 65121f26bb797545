"""Values of variables, by scope. Contract; reading, writing and checking follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Place = tuple[str, str]
"""(scope, scope key): ``("topic", "t7")``, ``("phase", "p2")``, ``("session", "")``, ``("global", "")``."""


@dataclass(frozen=True, slots=True)
class Value:
    """One variable's present value, as seed 001 §2.2.1 asks."""

    value: Any
    type: str
    updated_at: datetime
    source: str
    scope: str
    strategy: str
    evidence: str | None = None


@dataclass(slots=True)
class Variables:
    """``cells[(scope, scope key)][name]`` is the value. ``changed`` and ``removed`` say what a turn did to them."""

    cells: dict[Place, dict[str, Value]] = field(default_factory=dict)
    changed: set[tuple[Place, str]] = field(default_factory=set)
    removed: set[Place] = field(default_factory=set)
