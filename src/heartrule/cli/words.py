"""The command line's own texts, in the reader's language."""

from __future__ import annotations

import locale
import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from heartrule.locales import is_chinese

Language = Literal["zh", "en"]


def language(tag: str | None) -> Language | None:
    """``zh-CN``, ``zh_CN.UTF-8`` and the like are Chinese, every other named language is answered in English."""
    if not tag or tag in {"C", "POSIX"} or tag.startswith("C."):
        return None
    return "zh" if is_chinese(tag) else "en"


def spoken_here(asked: str | None = None, script: str | None = None) -> Language:
    """``--lang`` first, then the locale of the script, then that of the environment."""
    for tag in (asked, script, *(os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))):
        if known := language(tag):
            return known
    return language(locale.getlocale()[0]) or "en"


def said(zh: str, en: str) -> str:
    """One of two texts by the environment's language: for help, which is put together before anything is read."""
    return zh if spoken_here() == "zh" else en


@cache
def _texts(spoken: Language) -> Mapping[str, Any]:
    from heartrule.language.texts.plain import packaged_yaml

    loaded: Mapping[str, Any] = packaged_yaml("heartrule.cli", "texts", f"{spoken}.yaml")
    return loaded


class Words:
    """``words("input_ended")``; ``words.of("scopes", "topic")`` looks a word up in a list and gives it back as it is
    when it is not there."""

    def __init__(self, spoken: Language) -> None:
        self.language: Language = spoken
        self._texts = _texts(spoken)

    def __call__(self, key: str, **values: object) -> str:
        text: str = self._texts[key]
        return text.format_map(values) if values else text

    def of(self, key: str, word: str) -> str:
        return str(self._texts[key].get(word, word))
