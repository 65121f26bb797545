"""Phrases that are read as a whole: files of patterns, by language and kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal, TypedDict

import yaml

from heartrule.language.patterns import compiled, joined

Language = Literal["zh", "en"]


class _Written(TypedDict):
    """``before`` and ``behind``: what may stand round a phrase without making it another."""

    words: Mapping[str, Sequence[str]]
    before: str
    behind: str
    kinds: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Phrases:
    """One file of ``language/phrases``: by kind and language, the pattern of a whole message."""

    kinds: Mapping[str, Mapping[Language, str]]

    def is_one(self, kind: str, language: Language, text: str) -> bool:
        """Whether ``text``, made comparable as the language's patterns are written, is nothing but such a phrase."""
        made: Any = compiled(self.kinds[kind][language])
        return made.fullmatch(text) is not None


def phrases(name: str) -> Phrases:
    text = resources.files("heartrule.language.phrases").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    written: Mapping[Language, _Written] = yaml.load(text, yaml.CSafeLoader)
    kinds = dict.fromkeys(kind for each in written.values() for kind in each["kinds"])
    return Phrases({kind: {language: _whole(each, kind) for language, each in written.items()} for kind in kinds})


def _whole(written: _Written, kind: str) -> str:
    said = joined(written["kinds"][kind], written["words"])
    return f"{written['before']}(?:{said}){written['behind']}"
