"""What is wrong with settings, in plain words: where it stands, what it is, and what to write instead. No values, which
may be secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError


def complaints(error: ValidationError, settings: type[BaseModel], variables: Mapping[str, str]) -> list[str]:
    """A line for each fault. ``variables``: the names of fields that the environment may give."""
    lines = []
    for each in error.errors(include_input=False, include_url=False, include_context=False):
        parts = each["loc"]
        variable = next((name for name, field in variables.items() if parts == (field,)), "")
        message = each["msg"].removeprefix("Value error, ")
        if each["type"] == "extra_forbidden":
            message = f"there is no such setting; {_near(str(parts[-1]), _fields(settings, parts[:-1]))}"
        lines.append(f"{place(parts)}{f' ({variable})' if variable else ''}: {message}")
    return lines


def place(parts: Iterable[int | str]) -> str:
    """``llm.models[2].weight``: items are counted from 1, as people do."""
    return "llm" + "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in parts)


def _near(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, 1, 0.6)
    return f"did you mean {close[0]!r}?" if close else f"here one can say {', '.join(known)}"


def _fields(settings: type[BaseModel], parts: Sequence[int | str]) -> list[str]:
    """What may be said where ``parts`` lead."""
    where: Any = settings
    for part in parts:
        if isinstance(where, type) and issubclass(where, BaseModel) and part in where.model_fields:
            where = where.model_fields[str(part)].annotation
        where = next((found for found in (where, *_inside(where)) if _is_model(found)), where)
    return list(where.model_fields) if _is_model(where) else []


def _inside(annotation: Any) -> list[Any]:
    """The types that a list, a table or an optional one is made of."""
    found: list[Any] = []
    for each in get_args(annotation):
        found += [each, *_inside(each)]
    return found


def _is_model(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, BaseModel)
