"""Raw values to typed ones. Strict: a person's words never pass for a number, a date or a yes.

What comes out is plain JSON of bounded size: finite numbers, storable text, ISO dates.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from heartrule.language.expressions.values import plain_number
from heartrule.language.nodes import FieldOf, VariableRules
from heartrule.language.patterns import compiled, storable

MAX_TEXT = 20_000
MAX_ITEMS = 500
MAX_KEY = 200
MAX_DEPTH = 6
MAX_NUMBER = 10**15
MAX_WRITTEN = 10**40
"""What a number may be where a text is wanted: those of cards and documents are longer than those to reckon with."""
TypeName = Literal["string", "number", "boolean", "array", "object", "null"]
_PLAIN = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_DATE = re.compile(r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?")


@dataclass(frozen=True, slots=True)
class Ok:
    """``left_out``: the parts of a composite that were refused alone."""

    value: Any
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Bad:
    """Why a value is refused: a stable code, and the cause in words for authors and logs."""

    code: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item or a field that was refused. ``path``: where it stood (``2.年龄``), items counted from 1."""

    path: str
    raw: Any = field(repr=False)
    bad: Bad


class Refused(Exception):
    """Carries a ``Bad`` up from inside a composite."""

    def __init__(self, code: str, zh: str, en: str) -> None:
        super().__init__(code)
        self.bad = Bad(code, zh, en)


def typed(rules: VariableRules | FieldOf, raw: Any, depth: int = 0, left: list[LeftOut] | None = None) -> Any:
    """``raw`` as a value of the declared type; any JSON value where none is declared. Raises Refused. ``left`` takes
    the items of a list and the fields of an object that are refused while others are not."""
    if raw is None:
        raise Refused("missing", "没有值", "There is no value")
    options = rules.options
    match rules.type:
        case "text":
            return text(raw)
        case "integer":
            return integer(raw)
        case "number":
            return number(raw)
        case "boolean":
            return boolean(raw)
        case "enum":
            return option(options, raw) if options else text(raw)
        case "date":
            return day(raw)
        case "list":
            return _list(_fields(rules), raw, depth, [] if left is None else left)
        case "object":
            return _object(_fields(rules), raw, depth, [] if left is None else left)
        case None:
            return plain(raw, depth)


def _fields(rules: VariableRules | FieldOf) -> list[FieldOf]:
    return (rules.fields or []) if isinstance(rules, VariableRules) else []


def text(raw: Any) -> str:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) < math.inf:
        if abs(raw) >= MAX_WRITTEN:
            raise Refused("too_large", "数字太大", "The number is too large")
        raw = plain_number(raw)
    if not isinstance(raw, str):
        raise Refused("not_text", "应当是一段文字", "Must be a text")
    return _bounded(raw).strip()


def _bounded(words: str) -> str:
    if len(words) > MAX_TEXT:
        raise Refused("too_long", f"文字超过 {MAX_TEXT} 个字符", f"The text has more than {MAX_TEXT} characters")
    return storable(words)


def integer(raw: Any) -> int:
    value = number(raw)
    if not isinstance(value, int):
        raise Refused("not_integer", "应当是整数", "Must be a whole number")
    return value


def number(raw: Any) -> int | float:
    """A finite number; a whole one comes out as int, so 7, 7.0, "7" and "７" are one value."""
    value = _numeric(raw)
    if value is None:
        raise Refused("not_number", "应当是数字", "Must be a number")
    if abs(value) > MAX_NUMBER:
        raise Refused("too_large", "数字太大", "The number is too large")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _numeric(raw: Any) -> int | float | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    if isinstance(raw, float):
        return raw if math.isfinite(raw) else None
    if not isinstance(raw, str) or len(raw) > 80:
        return None
    written = unicodedata.normalize("NFKC", raw).strip()
    if not _PLAIN.fullmatch(written):
        return None
    return float(written) if "." in written else int(written)


def boolean(raw: Any) -> bool:
    value = {"true": True, "false": False}.get(raw.strip().lower()) if isinstance(raw, str) and len(raw) < 20 else raw
    if not isinstance(value, bool):
        raise Refused("not_boolean", "应当是 true 或 false", "Must be true or false")
    return value


def day(raw: Any) -> str:
    """An ISO date; a moment gives its day. Also read: 2024/3/5, 2024年3月5日."""
    if isinstance(raw, datetime):
        return raw.date().isoformat()
    if isinstance(raw, date):
        return raw.isoformat()
    if isinstance(raw, str) and len(raw) < 80:
        written = unicodedata.normalize("NFKC", raw).strip()
        found = _DATE.fullmatch(written)
        try:
            if found:
                return date(int(found[1]), int(found[2]), int(found[3])).isoformat()
            return datetime.fromisoformat(written).date().isoformat()
        except ValueError:
            pass
    raise Refused("not_date", "应当是日期，如 2024-03-05", "Must be a date such as 2024-03-05")


def option(options: Sequence[Any], raw: Any) -> Any:
    """The option that ``raw`` names, as the script wrote it; case, width and spaces do not matter."""
    if not isinstance(raw, str | int | float) or (isinstance(raw, str) and len(raw) > MAX_TEXT):
        raise _no_option()
    wanted = loose(raw)
    for each in options:
        value, label = option_pair(each)
        if wanted in (loose(value), loose(label)):
            return value
    raise _no_option()


def option_pair(each: Any) -> tuple[Any, str]:
    """An option's value and label; a plain option is its own label."""
    value = each.get("value", each.get("label")) if isinstance(each, Mapping) else each
    label = each.get("label", value) if isinstance(each, Mapping) else each
    return value, loose_text(label)


def loose_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain_number(value) if isinstance(value, int | float) else str(value)


def loose(value: Any) -> str:
    """For comparing labels: width, case and spaces put aside."""
    return "".join(unicodedata.normalize("NFKC", loose_text(value)).casefold().split())


def _no_option() -> Refused:
    return Refused("not_an_option", "不在可选的范围里", "Is not one of the options")


def _list(fields: list[FieldOf], raw: Any, depth: int, left: list[LeftOut]) -> list[Any]:
    if not isinstance(raw, list | tuple):
        raise Refused("not_list", "应当是一个列表", "Must be a list")
    _check_size(raw, depth)
    if not fields:
        return [plain(item, depth + 1) for item in raw]
    return kept(raw, lambda item, own: _object(fields, item, depth + 1, own), left)


def kept(raw: Sequence[Any], made: Callable[[Any, list[LeftOut]], Any], left: list[LeftOut]) -> list[Any]:
    """What is made of each item, without those that are refused: they go into ``left``. Raises Refused where there are
    items and none is kept."""
    found, refused = [], list[LeftOut]()
    for number, item in enumerate(raw, 1):
        own: list[LeftOut] = []
        try:
            found.append(made(item, own))
            refused += (LeftOut(f"{number}.{each.path}", each.raw, each.bad) for each in own)
        except Refused as problem:
            refused.append(LeftOut(str(number), item, problem.bad))
    if refused and not found:
        bad = refused[0].bad
        raise Refused(bad.code, bad.zh, bad.en)
    left += refused
    return found


def _object(fields: list[FieldOf], raw: Any, depth: int, left: list[LeftOut]) -> dict[str, Any]:
    """Declared fields only, each of its type; a field without a value is left out."""
    if not isinstance(raw, Mapping):
        raise Refused("not_object", "应当是一组“名称：值”", "Must be an object of names and values")
    _check_size(raw, depth)
    if not fields:
        return {_key(key): plain(item, depth + 1) for key, item in raw.items()}
    found: dict[str, Any] = {}
    refused: list[LeftOut] = []
    for each in fields:
        if raw.get(each.name) in (None, ""):
            continue
        try:
            found[each.name] = _field(each, raw[each.name], depth + 1)
        except Refused as problem:
            refused.append(LeftOut(each.name, raw[each.name], problem.bad))
    if not found and refused:
        bad = refused[0].bad
        raise Refused(bad.code, bad.zh, bad.en)
    if not found:
        names = [f.name for f in fields]
        raise Refused("no_fields", f"没有 {'、'.join(names)} 中的任何一项", f"Holds none of {', '.join(names)}")
    left += refused
    return found


def _field(field: FieldOf, raw: Any, depth: int) -> Any:
    try:
        value = typed(field, raw, depth)
        value = option(field.options, value) if field.options else value
        in_range(field, value)
        has_form(field, value)
        return value
    except Refused as refused:
        bad = refused.bad
        raise Refused(bad.code, f"{field.name}：{bad.zh}", f"{field.name}: {bad.en}") from None


def in_range(rules: VariableRules | FieldOf, value: Any) -> None:
    """Raises Refused where a number is out of its range."""
    if rules.range is None or rules.type not in (None, "integer", "number"):
        return
    low, high = rules.range
    if not low <= number(value) <= high:
        shown = f"{plain_number(low)}–{plain_number(high)}"
        raise Refused("range", f"应当在 {shown} 之间", f"Must be within {shown}")


def has_form(rules: VariableRules | FieldOf, value: Any) -> None:
    """Raises Refused where a value is not what ``pattern`` says, whole."""
    if rules.pattern is None:
        return
    pattern = compiled(rules.pattern)
    if pattern is None:
        raise Refused("bad_pattern", "脚本里的 pattern 写错了", "The script's pattern is no valid pattern")
    if not isinstance(value, str | int | float) or pattern.fullmatch(loose_text(value)) is None:
        raise Refused("pattern", "不符合规定的格式", "Does not have the required form")


def _key(key: Any) -> str:
    if isinstance(key, bool) or not isinstance(key, str | int | float) or len(loose_text(key)) > MAX_KEY:
        raise Refused("bad_key", "名称应当是短文字", "Names must be short texts")
    return storable(loose_text(key))


def _check_size(raw: Sequence[Any] | Mapping[Any, Any], depth: int) -> None:
    if len(raw) > MAX_ITEMS:
        raise Refused("too_many", f"超过 {MAX_ITEMS} 项", f"More than {MAX_ITEMS} items")
    if depth >= MAX_DEPTH:
        raise Refused("too_deep", f"嵌套超过 {MAX_DEPTH} 层", f"Nested more than {MAX_DEPTH} levels deep")


def plain(raw: Any, depth: int = 0) -> Any:
    """Any JSON value, bounded; dates become ISO text."""
    if raw is None or isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        return _bounded(raw)
    if isinstance(raw, int | float):
        if abs(raw) <= MAX_NUMBER:
            return raw
        raise Refused("too_large", "数字太大或不是数", "The number is too large or is none")
    if isinstance(raw, datetime | date):
        return raw.isoformat()
    if isinstance(raw, list | tuple):
        return _list([], raw, depth, [])
    if isinstance(raw, Mapping):
        return _object([], raw, depth, [])
    raise Refused("not_json", "不是可以保存的值", "Is not a value that can be kept")


def type_name(value: Any) -> TypeName:
    """The kind of a value in the names that records use."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str | date):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"
