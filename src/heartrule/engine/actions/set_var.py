"""``set_var``: writes one variable."""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.extraction.extraction import literal
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.variables import scopes
from heartrule.engine.variables.scopes import definition, lookup, write
from heartrule.engine.work import Work
from heartrule.language.expressions import UNKNOWN
from heartrule.language.nodes import Action, Json, Scope
from heartrule.language.nodes.conditions import Expr
from heartrule.language.nodes.traits import Plan, Traits


class Fields(Action):
    traits: ClassVar[Traits] = Traits(sets=True, silent=True, model="", plan=Plan(moved=True))

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
        before = lookup(work, action.var)
        written = write(work, action.var, value, strategy="set")
        risk = scopes.rings(work, action.var, definition(work, action.var)[1], before)
        return Step(done=True, outcome="completed" if written else "refused", risk=risk)
        yield ()


SET_VAR = SetVar()
