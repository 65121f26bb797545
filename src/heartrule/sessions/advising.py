"""Advice that was given beside a conversation, as its inbox keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from heartrule.engine.io import Advice


def written(advice: Sequence[Advice]) -> str:
    return json.dumps([asdict(each) for each in advice], ensure_ascii=False, separators=(",", ":"))


def read(text: str | None) -> tuple[Advice, ...]:
    """``ValueError`` or ``TypeError`` for what is none."""
    return tuple(Advice(**each) for each in json.loads(text or "[]"))
