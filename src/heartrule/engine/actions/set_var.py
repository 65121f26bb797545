"""``set_var``: writes one variable."""

from __future__ import annotations

from typing import Literal

from heartrule.language.conditions import Expr
from heartrule.language.nodes import Action, Json, Scope


class Fields(Action):
    type: Literal["set_var"]
    var: str
    value: Json = None
    expr: Expr | None = None
    scope: Scope | None = None
