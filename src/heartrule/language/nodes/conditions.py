"""Conditions: an expression in the script's own small language, a question for the model, or a combination."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    Tag,
    WithJsonSchema,
)

from heartrule.language.expressions import Expression, parse


def _expression(value: Any) -> Any:
    if isinstance(value, bool | int | float):
        value = str(value).lower()
    return parse(value) if isinstance(value, str) else value


Expr = Annotated[
    Expression,
    BeforeValidator(_expression),
    PlainSerializer(lambda e: e.source, return_type=str),
    WithJsonSchema({"type": "string", "description": "expression"}),
]

KINDS = ("judge", "all", "any", "not")
"""The keys that tell the kinds of a condition written as a mapping. Tags begin with a sign that no key begins with, so
that they can be told from keys in the places of errors."""


class _Combination(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Judge(_Combination):
    """A yes-or-no question for the model; ``default`` is the verdict when nobody can answer."""

    judge: str
    default: bool = False
    threshold: float = Field(default=0.6, ge=0, le=1)


class All(_Combination):
    all: list[Condition] = Field(min_length=1)


class Any_(_Combination):  # noqa: N801
    any: list[Condition] = Field(min_length=1)


class Not(_Combination):
    not_: Annotated[Condition, Field(alias="not")]


def kind(value: Any) -> str | None:
    """The tag of the kind of condition that a value would be; None for none."""
    if isinstance(value, dict):
        return next((f"<{key}>" for key in KINDS if key in value), None)
    for key, model in (("judge", Judge), ("all", All), ("any", Any_), ("not", Not)):
        if isinstance(value, model):
            return f"<{key}>"
    return None if isinstance(value, list) or value is None else "<expression>"


Condition = Annotated[
    Annotated[Expr, Tag("<expression>")]
    | Annotated[Judge, Tag("<judge>")]
    | Annotated[All, Tag("<all>")]
    | Annotated[Any_, Tag("<any>")]
    | Annotated[Not, Tag("<not>")],
    Discriminator(kind, custom_error_type="condition", custom_error_message="no condition"),
]
for _model in (All, Any_, Not):
    _model.model_rebuild()


def expressions(condition: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Expression]]:
    """The expressions in a condition, each with its path (as written in YAML) from the condition."""
    for where, part in _parts(condition, path):
        if isinstance(part, Expression):
            yield where, part


def judges(condition: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Judge]]:
    """The questions for the model in a condition, each with its path from the condition."""
    for where, part in _parts(condition, path):
        if isinstance(part, Judge):
            yield where, part


def _parts(condition: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Expression | Judge]]:
    if isinstance(condition, Expression | Judge):
        yield path, condition
    elif isinstance(condition, Not):
        yield from _parts(condition.not_, (*path, "not"))
    elif isinstance(condition, All):
        for index, part in enumerate(condition.all):
            yield from _parts(part, (*path, "all", index))
    elif isinstance(condition, Any_):
        for index, part in enumerate(condition.any):
            yield from _parts(part, (*path, "any", index))
