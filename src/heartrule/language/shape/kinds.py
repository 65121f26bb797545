"""What kind of value something is, in words."""

from __future__ import annotations

from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import clip

_TEXT = Bilingual("一段文字", "a text")
_WHOLE = Bilingual("一个整数", "a whole number")
_NUMBER = Bilingual("一个数字", "a number")
_TRUTH = Bilingual("true 或 false", "true or false")
_LIST = Bilingual("一个列表（每项以 - 开头）", "a list (each item begins with -)")
_MAPPING = Bilingual("一组“字段: 值”", "a group of “key: value” lines")

WANTED: dict[str, Bilingual] = {
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
    "tuple_type": Bilingual("两个值的列表，如 [1, 10]", "a list of two values, such as [1, 10]"),
    "dict_type": _MAPPING,
    "mapping_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "is_instance_of": Bilingual("一个表达式", "an expression"),
}
"""By the validator's own name for the error: what was wanted."""


def describe(value: Any) -> Bilingual:
    """A value as it may be shown in a message: short ones as they are, composite ones by their kind."""
    if isinstance(value, dict):
        return Bilingual("一组字段", "a mapping")
    if isinstance(value, list):
        return Bilingual("一个列表", "a list")
    if value is None:
        return Bilingual("空", "nothing")
    if isinstance(value, bool):
        return Bilingual(str(value).lower(), str(value).lower())
    return Bilingual(clip(value, 30), clip(value, 30))
