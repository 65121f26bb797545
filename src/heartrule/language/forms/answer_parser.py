"""One raw answer → a value of its field's type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime
from typing import Any

from heartrule.language.expressions.values import plain_number
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import FormField
from heartrule.language.values.types import MAX_TEXT, Refused, boolean, day, integer, loose_text, number, text

_TIME = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])(?::[0-5][0-9](?:\.[0-9]{1,9})?)?")
_LONGEST = 80


def empty(raw: Json) -> bool:
    """Whether nothing was answered: nothing at all, an empty text, or nothing chosen."""
    return raw is None or raw == [] or (isinstance(raw, str) and not raw.strip())


def value_of(field: FormField, raw: Json) -> Json:
    """``raw`` as what the field's answers are. Raises Refused."""
    return _READERS[field.type](field, raw)


def chosen(field: FormField, raw: Json) -> Json:
    """The option that ``raw`` is the value of, as the form writes it."""
    if isinstance(raw, str | int | float) and len(str(raw)[: MAX_TEXT + 1]) <= MAX_TEXT:
        for option in field.options:
            if isinstance(option.value, bool) is isinstance(raw, bool) and option.value == raw:
                return option.value
        if isinstance(raw, str):
            for option in field.options:
                if loose_text(option.value) == raw.strip():
                    return option.value
    raise Refused("not_an_option", "请在给出的选项里选", "Please choose one of the options")


def _several(field: FormField, raw: Json) -> list[Json]:
    if not isinstance(raw, list | tuple):
        raise Refused("not_a_list", "应当是选中的各项", "Must be a list of what was chosen")
    if len(raw) > 2 * len(field.options) + 10:
        raise Refused("too_many", "选得太多", "Too many were chosen")
    wanted = [chosen(field, each) for each in raw]
    return [option.value for option in field.options if any(_same(option.value, each) for each in wanted)]


def _same(one: Json, other: Json) -> bool:
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def _within(field: FormField, raw: Json) -> int | float:
    whole = field.type in ("integer", "mood")
    value = integer(raw) if whole else number(raw)
    limits = field.limits
    if limits is not None and not limits[0] <= value <= limits[1]:
        shown = f"{plain_number(limits[0])}–{plain_number(limits[1])}"
        raise Refused("range", f"应当在 {shown} 之间", f"Must be within {shown}")
    return value


def _words(field: FormField, raw: Json) -> str:
    if isinstance(raw, bool):
        raise Refused("not_text", "应当是一段文字", "Must be a text")
    return text(raw)


def _truth(field: FormField, raw: Json) -> bool:
    return boolean(raw)


def _day(field: FormField, raw: Json) -> str:
    return day(raw)


def _time(field: FormField, raw: Json) -> str:
    """``8:05`` and ``08:05:00`` are ``08:05``."""
    found = _TIME.fullmatch(_plain(raw))
    if found is None:
        raise Refused("not_time", "应当是时间，如 08:30", "Must be a time such as 08:30")
    return f"{int(found[1]):02}:{found[2]}"


def _moment(field: FormField, raw: Json) -> str:
    """To the minute; a zone stays as it was given."""
    written = _plain(raw)
    try:
        if "T" in written or " " in written:
            return datetime.fromisoformat(written).isoformat(timespec="minutes")
    except ValueError:
        pass
    raise Refused(
        "not_datetime", "应当是日期和时间，如 2026-05-01T08:30", "Must be a date and time such as 2026-05-01T08:30"
    )


def _plain(raw: Json) -> str:
    if not isinstance(raw, str) or len(raw) > _LONGEST:
        return ""
    return unicodedata.normalize("NFKC", raw).strip()


def _nothing(field: FormField, raw: Json) -> Json:
    raise Refused("not_asked", "这里不用填写", "Nothing is asked here")


_READERS: dict[str, Callable[[FormField, Any], Json]] = {
    "single": chosen,
    "multiple": _several,
    "text": _words,
    "longtext": _words,
    "integer": _within,
    "number": _within,
    "boolean": _truth,
    "slider": _within,
    "mood": _within,
    "date": _day,
    "time": _time,
    "datetime": _moment,
    "note": _nothing,
}
