"""A text in the two languages that everything is said in."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    """The same text in Chinese and in English."""

    zh: str
    en: str

    def localized(self, lang: str) -> str:
        """Chinese for any ``zh…`` tag, English for any other."""
        return self.zh if lang.lower().startswith("zh") else self.en
