"""The fenced examples of a page, with what the comment above each says about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(
    r"(?:^<!-- (?P<mark>[a-z]+)(?:: (?P<rest>.*?))? -->\n)?^```(?P<kind>[a-z]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """``mark``: complete, gives, part, transcript, or nothing. ``line`` is where the block begins."""

    page: Path
    line: int
    kind: str
    mark: str
    rest: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(*pages: Path) -> Iterator[Block]:
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for match in _FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Block(page, line, match["kind"], match["mark"] or "", match["rest"] or "", match["text"])
