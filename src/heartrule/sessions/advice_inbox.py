"""Advice that was given beside a conversation, as its inbox keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from heartrule.engine.session.io import Advice

UNREADABLE = "unreadable"
"""Key and template of what is no advice: its turn records that nobody takes it, and nothing waits for ever."""
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def encode(advice: Sequence[Advice]) -> str:
    return json.dumps([asdict(each) for each in advice], ensure_ascii=False, separators=(",", ":"))


def decode(text: str | None) -> tuple[Advice, ...]:
    """Each piece; what cannot be read is one that says so."""
    try:
        given = json.loads(text or "[]")
    except (ValueError, RecursionError):
        given = None
    return tuple(_read(each) for each in given) if isinstance(given, list) else (_read(given),)


def _read(given: Any) -> Advice:
    if not isinstance(given, dict) or given.keys() != {"key", "template", "data"}:
        return Advice(UNREADABLE, UNREADABLE, {})
    key, template, data = given["key"], given["template"], given["data"]
    if not isinstance(key, str) or not isinstance(template, str) or not isinstance(data, dict):
        return Advice(UNREADABLE, UNREADABLE, {})
    return Advice(key.translate(_SURROGATES), template.translate(_SURROGATES), data)
