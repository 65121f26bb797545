"""``set_var``: writes one variable."""

from __future__ import annotations

from typing import Literal

from heartrule.engine.actions.base import ActionType, Moves, Step
from heartrule.engine.extraction import literal
from heartrule.engine.scopes import lookup, write
from heartrule.engine.work import Work
from heartrule.language.conditions import Expr
from heartrule.language.expressions import UNKNOWN
from heartrule.language.nodes import Action, Json, Scope


class Fields(Action):
    type: Literal["set_var"]
    var: str
    value: Json = None
    expr: Expr | None = None
    scope: Scope | None = None


class SetVar(ActionType):
    name = "set_var"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        if action.expr is not None:
            value = action.expr.evaluate(lambda name: lookup(work, name), work.world.now)
            value = None if value is UNKNOWN else value
        else:
            value = literal(work, action.value)
        written = write(work, action.var, value, strategy="set")
        return Step(done=True, outcome="completed" if written else "refused")
        yield ()


SET_VAR = SetVar()
