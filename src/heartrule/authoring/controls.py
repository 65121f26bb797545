"""With what a field is edited, read off the model that the engine reads: a text, a choice, a condition, a list."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from heartrule.language.expressions import Expression
from heartrule.language.nodes import Get, Node, Set, Text
from heartrule.language.nodes.conditions import Judge

Control = Literal[
    "line",
    "text",
    "template",
    "number",
    "integer",
    "boolean",
    "plain",
    "choice",
    "duration",
    "condition",
    "expression",
    "reference",
    "variable",
    "names",
    "lines",
    "outputs",
    "items",
    "mapping",
    "yaml",
]
_DURATIONS = frozenset({"time_budget", "timeout", "duration", "every", "cooldown", "after"})
_REFERENCES = {
    "skill": "skill",
    "technique": "skill",
    "without_model": "skill",
    "form": "form",
    "topic": "topic",
    "to": "topic",
    "awareness": "awareness",
}
_NAMED = {
    "awareness": "awareness",
    "enable": "awareness",
    "disable": "awareness",
    "topics": "topic",
    "may_use": "skill",
    "input": "variable",
    "variables": "variable",
}
_VARIABLES = frozenset({"var", "get", "set", "tolist", "rest", "variable", "in", "then"})
_LONG = frozenset({"define", "description", "note", "notes", "goal", "strategy", "content", "audience", "milestone"})
_TITLES = {name.capitalize(): name for name in ("session", "phase", "topic", "skill", "awareness", "form", "role")}


@dataclass(frozen=True, slots=True)
class Kind:
    """``of``: what names mean. ``models``: what mappings in it may be of."""

    control: Control
    options: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    of: str = ""
    models: tuple[type[BaseModel], ...] = ()


def control(model: type[BaseModel], key: str, field: FieldInfo) -> Kind:
    """How the value of a key of a model is edited."""
    annotation = field.rebuild_annotation()
    parts = list(_parts(annotation))
    if key == _TITLES.get(model.__name__):
        return Kind("line")
    if any(isinstance(part, type) and issubclass(part, Expression) for part in parts):
        return Kind("condition" if Judge in parts else "expression")
    outer = _outer(annotation)
    if any(get_origin(each) is list or each is list for each in outer):
        return _listed(key, annotation)
    models = tuple(each for each in outer if isinstance(each, type) and issubclass(each, BaseModel))
    if any(isinstance(part, Text) for part in parts):
        return Kind("template", models=models)
    if models:
        return Kind("mapping", models=models)
    return _single(key, outer, parts)


def _single(key: str, outer: list[Any], parts: list[Any]) -> Kind:
    options = tuple(value for each in outer if get_origin(each) is Literal for value in get_args(each))
    if options:
        return Kind("choice", options)
    if bool in outer:
        return Kind("plain" if str in outer else "boolean")
    low, high = _bounds(parts)
    if int in outer and str not in outer:
        return Kind("integer", minimum=low, maximum=high)
    if float in outer:
        return Kind("number", minimum=low, maximum=high)
    if str in outer:  # where it may also be said by language, a text is what is mostly there
        return _text(key)
    return Kind("yaml")


def _text(key: str) -> Kind:
    if key in _DURATIONS:
        return Kind("duration")
    if key in _REFERENCES:
        return Kind("reference", of=_REFERENCES[key])
    if key in _VARIABLES:
        return Kind("variable", of="variable")
    return Kind("text" if key in _LONG else "line")


def _listed(key: str, annotation: Any) -> Kind:
    inner = [part for each in _outer(annotation) if get_origin(each) is list for part in get_args(each)]
    below = [each for part in inner for each in _outer(part)]
    models = tuple(each for each in below if isinstance(each, type) and issubclass(each, BaseModel))
    if key == "may_use":
        return Kind("names", of="skill", models=models)
    if {Get, Set} & set(models):
        return Kind("outputs", models=models)
    if models:
        return Kind("items", models=models)
    options = tuple(value for each in below if get_origin(each) is Literal for value in get_args(each))
    if options:
        return Kind("names", options)
    if str in below:
        return Kind("names", of=_NAMED[key]) if key in _NAMED else Kind("lines")
    return Kind("yaml")


def _outer(annotation: Any) -> list[Any]:
    """The alternatives of an annotation, without what is inside of lists and mappings."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _outer(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [each for part in get_args(annotation) for each in _outer(part)]
    return [] if annotation is type(None) else [annotation]


def _parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from _parts(part)


def _bounds(parts: list[Any]) -> tuple[float | None, float | None]:
    low = high = None
    for part in parts:
        for mark in (part, *getattr(part, "metadata", ())):
            low = getattr(mark, "ge", None) if getattr(mark, "ge", None) is not None else low
            high = getattr(mark, "le", None) if getattr(mark, "le", None) is not None else high
    return low, high


def keyed(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The fields of a model by key as written in YAML."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def is_node(model: type[BaseModel]) -> bool:
    return issubclass(model, Node)
