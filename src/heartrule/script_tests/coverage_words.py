"""What reports of coverage say, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from math import floor
from typing import Any, Literal

from heartrule.language.texts.plain import packaged_yaml
from heartrule.script_tests.coverage import Item
from heartrule.script_tests.tally import Count

Language = Literal["zh", "en"]
_WAY = re.compile(r"(?P<of>[a-z_]+)(?: (?P<number>\d+))?(?: (?P<came>held|did not hold))?")


@cache
def _texts() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_yaml("heartrule.script_tests", "coverage_texts.yaml")
    return loaded


class CoverageWords:
    """``words("title")``; ``words.named(item)`` is what a missed item is called."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = _texts()[language]

    def __call__(self, key: str, **values: object) -> str:
        return str(self._texts[key]).format_map(values)

    def kind(self, kind: str) -> str:
        return str(self._texts["kinds"][kind])

    def way(self, way: str) -> str:
        """A branch's way: ``transition 2 did not hold``."""
        found = _WAY.fullmatch(way)
        ways = self._texts["ways"]
        if way.startswith("output "):
            return str(ways["output"]).format(name=way.removeprefix("output "))
        if found is None or found["of"] not in ways:
            return way
        told = str(ways[found["of"]]).format(number=found["number"])
        return str(ways[found["came"]]).format(of=told) if found["came"] else told

    def named(self, item: Item) -> str:
        """Short, for where its place is told beside it."""
        if item.kind == "branch":
            return self.way(item.id.rpartition(": ")[2])
        return self.kind(item.kind)

    def counted(self, count: Count) -> str:
        return self("reached", reached=count.reached, total=count.total, share=percent(count.share))


def percent(share: float) -> str:
    """Rounded down, so that only all is 100."""
    return f"{floor(share * 10) / 10:.1f}".removesuffix(".0") + "%"
