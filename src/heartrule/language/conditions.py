"""Conditions: an expression in the script's own small language, a question for the model, or a combination."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

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


class _Combination(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Judge(_Combination):
    """A yes-or-no question for the model; ``default`` is the verdict when nobody can answer."""

    judge: str
    default: bool = False
    threshold: float = Field(default=0.6, ge=0, le=1)


class All(_Combination):
    all: list[Condition] = Field(min_length=1)


class Any_(_Combination):
    any: list[Condition] = Field(min_length=1)


class Not(_Combination):
    not_: Annotated[Condition, Field(alias="not")]


Condition = Expr | Judge | All | Any_ | Not
for _model in (All, Any_, Not):
    _model.model_rebuild()
