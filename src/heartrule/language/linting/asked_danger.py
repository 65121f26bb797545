"""Whether a question asks if somebody is in danger from themself, read off its words (``asked_danger.yaml``)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from heartrule.language.patterns import compiled
from heartrule.language.texts.plain import read_yaml

_FILE = Path(__file__).with_name("asked_danger.yaml")


def asks_about_danger(text: str) -> bool:
    """Whether a clear yes to these words would say that somebody thinks of suicide or of hurting themself now."""
    asks, past = _words()
    return asks.search(text) is not None and past.search(text) is None


@cache
def _words() -> tuple[Any, Any]:
    written = read_yaml(_FILE.read_text(encoding="utf-8"))
    asks, past = (compiled("|".join(f"(?:{each})" for each in written[kind])) for kind in ("asks", "past"))
    return asks, past
