"""A text in the two languages that everything is said in."""

from __future__ import annotations

import locale
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from heartrule.locales import is_chinese

_reader: ContextVar[str] = ContextVar("heartrule_reader", default="")


class Bilingual(NamedTuple):
    """The same text in Chinese and in English."""

    zh: str
    en: str

    def localized(self, lang: str) -> str:
        """Chinese for any ``zh…`` tag, English for any other."""
        return self.zh if is_chinese(lang) else self.en

    def __str__(self) -> str:
        return self.localized(reader())


class SaidError(Exception):
    """What is wrong, in the two languages; printed, it is in the reader's."""

    def __init__(self, told: Bilingual) -> None:
        self.told = told
        super().__init__(told)

    def __str__(self) -> str:
        return str(self.told)


def reader() -> str:
    """The language of whoever reads what is printed here: as it was set, else as the machine's locale says."""
    return _reader.get() or locale.getlocale()[0] or "en"


@contextmanager
def reading(lang: str) -> Iterator[None]:
    """Print what is said in the language ``lang`` until the end."""
    token = _reader.set(lang)
    try:
        yield
    finally:
        _reader.reset(token)
