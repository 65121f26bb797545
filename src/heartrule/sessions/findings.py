"""What was noticed beside a conversation, as its inbox keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from heartrule.engine.session.io import PeriodicFinding


def encode(found: Sequence[PeriodicFinding]) -> str:
    return json.dumps([asdict(each) for each in found], ensure_ascii=False, separators=(",", ":"))


def decode(text: str | None) -> tuple[PeriodicFinding, ...]:
    """``ValueError`` or ``TypeError`` for what is none."""
    return tuple(PeriodicFinding(**each) for each in json.loads(text or "[]"))
