"""What things are called for people, in their language."""

from __future__ import annotations

from collections.abc import Mapping

Label = str | Mapping[str, str] | None


def called(label: Label, locale: str) -> str:
    """A label in this language, else in any that there is; nothing where there is none."""
    if label is None or isinstance(label, str):
        return label or ""
    own = next((text for tag, text in label.items() if tag[:2].lower() == locale[:2].lower()), None)
    return own or next(iter(label.values()), "")
