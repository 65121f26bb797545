"""The situations that tests are grouped by."""

from __future__ import annotations

from typing import Literal

Group = Literal["happy", "correction", "digression", "refusal", "invalid", "crisis", "outage", "silence"]
GROUPS: tuple[Group, ...] = (
    "happy",
    "correction",
    "digression",
    "refusal",
    "invalid",
    "crisis",
    "outage",
    "silence",
)
