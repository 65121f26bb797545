"""The shape in which a model gives verdicts on numbered questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_BESIDE: Mapping[str, Mapping[str, str]] = {"confidence": {"type": "number"}, "evidence": {"type": "string"}}


def verdicts_schema(
    verdict: Mapping[str, Any], *required: str, beside: Mapping[str, Mapping[str, str]] = _BESIDE
) -> dict[str, Any]:
    """JSON schema of ``{"verdicts": [{"id": …, "verdict": …}]}``. ``verdict``: the schema of one. ``beside``: what may
    stand with it, of which ``required`` has to."""
    return {
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "integer"}, "verdict": verdict, **beside},
                    "required": ["id", "verdict", *required],
                },
            }
        },
        "required": ["verdicts"],
    }
