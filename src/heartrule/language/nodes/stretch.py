"""A stretch of talk as a script writes it: how long it is, and which techniques may be begun from it."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from heartrule.language.nodes.node import Json, Node

_SPAN = re.compile(r"\s*(\d{1,2})\s*(?:[-‐‑‒–—―−~～〜到至]|to)+\s*(\d{1,2})\s*", re.IGNORECASE)


class Rounds(Node):
    """About so many exchanges, and at most so many."""

    about: int = Field(ge=1, le=50)
    most: int = Field(ge=1, le=50)


def _span(raw: Any) -> Any:
    """``6-14`` with any dash, or one number for both; what is neither is left for the model to refuse."""
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, int):
        return {"about": raw, "most": raw}
    if isinstance(raw, str):
        plain = unicodedata.normalize("NFKC", raw)
        if found := _SPAN.fullmatch(plain):
            return {"about": int(found[1]), "most": int(found[2])}
        if plain.strip().isdecimal():
            return {"about": int(plain), "most": int(plain)}
    return raw


Span = Annotated[Rounds, BeforeValidator(_span, json_schema_input_type=str | int | Rounds)]


class Use(Node):
    """A technique that may be begun from a stretch, with what it is given."""

    skill: str
    input: dict[str, Json] = {}


def _named(raw: Any) -> Any:
    return {"skill": raw} if isinstance(raw, str) else raw


Usable = Annotated[Use, BeforeValidator(_named, json_schema_input_type=str | Use)]
