"""What a report says around what is in it, in its language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from functools import cache
from typing import Literal

from heartrule.language.texts.plain import packaged_yaml
from heartrule.locales import is_chinese

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip


class ReportWords:
    """``words("when", began=…)``; times as they are in ``zone``."""

    def __init__(self, locale: str, zone: tzinfo) -> None:
        self.language: Literal["zh", "en"] = "zh" if is_chinese(locale) else "en"
        self.zone = zone

    @property
    def tag(self) -> str:
        """As HTML names the language."""
        return "zh-CN" if self.language == "zh" else "en"

    def __call__(self, key: str, **filled: object) -> str:
        return _texts()[key][self.language].format_map({name: str(value) for name, value in filled.items()})

    def day(self, at: datetime) -> str:
        there = at.astimezone(self.zone)
        if self.language == "zh":
            return f"{there.year}年{there.month}月{there.day}日"
        return f"{there.day} {MONTHS[there.month - 1]} {there.year}"

    def moment(self, at: datetime) -> str:
        return f"{self.day(at)} {at.astimezone(self.zone):%H:%M}"


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = packaged_yaml("heartrule.reporting", "texts.yaml")
    return found
