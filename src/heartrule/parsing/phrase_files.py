"""Phrases that are read as a whole: files of patterns, by language and kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypedDict

from heartrule.language.patterns import MAX_PATTERN, compiled, joined
from heartrule.language.texts.plain import packaged_yaml

Language = Literal["zh", "en"]


class _PhraseRow(TypedDict):
    """``before`` and ``behind``: what may stand round a phrase without making it another."""

    words: Mapping[str, Sequence[str]]
    before: str
    behind: str
    kinds: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Phrases:
    """One file of ``parsing/phrases``: by kind and language, the patterns of a whole message; read when needed."""

    name: str

    @property
    def kinds(self) -> Mapping[str, Mapping[Language, tuple[str, ...]]]:
        return _kinds(self.name)

    def is_one(self, kind: str, language: Language, text: str) -> bool:
        """Whether ``text``, made comparable as the language's patterns are written, is nothing but such a phrase."""
        return any(each.fullmatch(text) is not None for each in _compiled(self.name, kind, language))


def phrases(name: str) -> Phrases:
    return Phrases(name)


@cache
def _compiled(name: str, kind: str, language: Language) -> tuple[Any, ...]:
    return tuple(compiled(pattern) for pattern in _kinds(name)[kind][language])


@cache
def _kinds(name: str) -> Mapping[str, Mapping[Language, tuple[str, ...]]]:
    written: Mapping[Language, _PhraseRow] = packaged_yaml("heartrule.parsing.phrases", f"{name}.yaml")
    kinds = dict.fromkeys(kind for each in written.values() for kind in each["kinds"])
    return {kind: {language: _whole(each, kind) for language, each in written.items()} for kind in kinds}


def _whole(written: _PhraseRow, kind: str) -> tuple[str, ...]:
    """As few patterns as their length allows."""
    before, behind = (joined(written[part], written["words"]) for part in ("before", "behind"))
    room = MAX_PATTERN - len(before) - len(behind) - len("(?:)")
    groups: list[str] = []
    for phrase in written["kinds"][kind]:
        said = joined(phrase, written["words"])
        if groups and len(groups[-1]) + len(said) < room:
            groups[-1] += f"|{said}"
        else:
            groups.append(said)
    return tuple(f"{before}(?:{said}){behind}" for said in groups)
