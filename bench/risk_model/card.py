"""Writes the figures into the model card, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {DOCS / "risk-model.md": False, DOCS / "zh" / "risk-model.md": True}
"""The pages, and whether they are Chinese."""
_PLACE = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)
_CHINESE: Mapping[str, str] = {
    "| group | language | sentences | rules alone | classifier alone | both | interrupted |": (
        "| 哪些 | 语言 | 句数 | 只用规则 | 只用分类器 | 两层一起 | 打断 |"
    ),
    "own danger, direct": "自己的危险，直说",
    "own danger, oblique": "自己的危险，绕着说",
    "own danger with others in it": "自己的危险，句子里有别人",
    "own danger taken for somebody else's": "自己的危险当成别人的",
    "harmless, near to danger": "没有危险，听着像",
    "harmless, ordinary": "没有危险，平常的",
    "harmless, all": "没有危险，合计",
    "everyday sessions, a fourth left out": "会谈里的平常话，留出四分之一",
    "posts on self-harm, a fourth left out": "自杀自伤的帖子，留出四分之一",
    "posts labelled none, a fourth left out": "标为 none 的帖子，留出四分之一",
    "authors, ": "位作者，",
    " sentences of theirs; thresholds ": " 句；门槛 ",
    " weights, ": " 个权重，",
    " kB": " kB",
}


def write(lines: Iterable[str]) -> None:
    text = "\n".join(lines)
    for page, chinese in PAGES.items():
        told = _in_chinese(text) if chinese else text
        whole = page.read_text(encoding="utf-8")
        page.write_text(_PLACE.sub(lambda _, told=told: f"\n{told}\n\n", whole), encoding="utf-8")  # type: ignore[misc]


def _in_chinese(text: str) -> str:
    for english, chinese in _CHINESE.items():
        text = text.replace(english, chinese)
    return text
