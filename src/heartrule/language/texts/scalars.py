"""What a plain scalar means: the YAML 1.2 core schema, so that ``no``, ``on`` and dates are text.

Two differences: a number with leading zeros is text, so that telephone numbers and codes keep them; and there are no
infinities, since every value must survive being written as JSON.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FIRST = frozenset("0123456789+-.")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,18})\Z")
_OCTAL = re.compile(r"0o[0-7]{1,21}\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,16}\Z")
_FLOAT = re.compile(r"[-+]?(?:(?:\.[0-9]+|(?:0|[1-9][0-9]*)\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[1-9][0-9]*[eE][-+]?[0-9]+)\Z")
_LONGEST = 64


def resolve(text: str) -> Scalar:
    """The value of a plain (unquoted) scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _FIRST or len(text) > _LONGEST:
        return text
    if _DECIMAL.match(text):
        return int(text)
    if _OCTAL.match(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.match(text):
        return int(text[2:], 16)
    if _FLOAT.match(text) and math.isfinite(number := float(text)):
        return number
    return text
