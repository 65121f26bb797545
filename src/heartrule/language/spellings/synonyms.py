"""What people write in place of our words (``synonyms.yaml``): Chinese names of keys, other tools' words."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path

from heartrule.language.texts.plain import read_yaml

_FILE = Path(__file__).with_name("synonyms.yaml")


def key(written: str, known: Collection[str]) -> str | None:
    """The key that was meant, among those that may stand there."""
    return _first("keys", written, known)


def value(written: str, known: Collection[str]) -> str | None:
    """The choice that was meant."""
    return _first("values", written, known)


def _first(kind: str, written: str, known: Collection[str]) -> str | None:
    ours = _words()[kind].get(written.strip().casefold(), ())
    return next((each for each in ours if each in known), None)


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = read_yaml(_FILE.read_text(encoding="utf-8"))
    return found
