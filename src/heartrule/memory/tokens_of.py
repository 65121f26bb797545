"""What a text costs in a prompt, roughly and never too little."""

from __future__ import annotations

import re

_HAN = re.compile("[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")
LETTERS = 4
"""Of a Latin text to a token."""


def tokens_of(text: str) -> int:
    wide = len(_HAN.findall(text))
    return wide + -(-(len(text) - wide) // LETTERS)
