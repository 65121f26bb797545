"""Parts to drop into a script: an item of a list, in either language."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from heartrule.language.bilingual import Bilingual
from heartrule.language.references import speaks
from heartrule.language.texts.plain import packaged_yaml

Accepts = Literal["action", "topic", "phase", "technique", "form", "awareness", "session", "variable"]


@dataclass(frozen=True, slots=True)
class Block:
    """``accepts``: of what kind of list it is an item."""

    id: str
    name: Bilingual
    about: Bilingual
    accepts: Accepts
    zh: str = field(repr=False)
    en: str = field(repr=False)

    def item(self, locale: str) -> str:
        """YAML of the item, without a dash."""
        return self.zh if speaks("zh", locale) else self.en


@cache
def blocks() -> tuple[Block, ...]:
    return tuple(
        Block(each["id"], Bilingual(*each["name"]), Bilingual(*each["about"]), each["accepts"], each["zh"], each["en"])
        for each in packaged_yaml("heartrule.workbench", "blocks.yaml")
    )
