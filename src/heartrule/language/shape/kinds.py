"""What kind of value something is, in words."""

from __future__ import annotations

from typing import Any

from heartrule.language.bilingual import Said
from heartrule.language.findings import clip

_TEXT = Said("一段文字", "a text")
_WHOLE = Said("一个整数", "a whole number")
_NUMBER = Said("一个数字", "a number")
_TRUTH = Said("true 或 false", "true or false")
_LIST = Said("一个列表（每项以 - 开头）", "a list (each item begins with -)")
_MAPPING = Said("一组“字段: 值”", "a group of “key: value” lines")

WANTED: dict[str, Said] = {
    "string_type": _TEXT,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "list_type": _LIST,
    "tuple_type": Said("两个值的列表，如 [1, 10]", "a list of two values, such as [1, 10]"),
    "dict_type": _MAPPING,
    "mapping_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "is_instance_of": Said("一个表达式", "an expression"),
}
"""By the validator's own name for the error: what was wanted."""


def describe(value: Any) -> Said:
    """A value as it may be shown in a message: short ones as they are, composite ones by their kind."""
    if isinstance(value, dict):
        return Said("一组字段", "a mapping")
    if isinstance(value, list):
        return Said("一个列表", "a list")
    if value is None:
        return Said("空", "nothing")
    if isinstance(value, bool):
        return Said(str(value).lower(), str(value).lower())
    return Said(clip(value, 30), clip(value, 30))
