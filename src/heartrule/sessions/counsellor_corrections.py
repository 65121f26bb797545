"""What a counsellor sets right, on its way in: what the inbox keeps of it."""

from __future__ import annotations

import json
from dataclasses import asdict

from heartrule.engine.session.io import Correction


def encode(correction: Correction) -> str:
    return json.dumps(asdict(correction), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def decode(text: str | None) -> Correction:
    """``ValueError`` or ``TypeError`` for what is none."""
    return Correction(**json.loads(text or "{}"))
