"""What was taken from the person's words and is not so: a counsellor sets it right, on record. Nothing is said, nothing
moves; what reads the value reads the right one from then on."""

from __future__ import annotations

from heartrule.engine.session.events import Corrected, Fault
from heartrule.engine.session.io import Input
from heartrule.engine.variables import scopes
from heartrule.engine.work import Work

DESK = "desk:correction"
"""The source of such values; no action has such an id."""


def take(work: Work, given: Input) -> None:
    wanted = given.correction
    if wanted is None:
        work.emit(Fault(what="nothing to set right"))
        return
    where = (wanted.scope, wanted.scope_key)
    held = work.variables.find(wanted.name, [where])
    refused = scopes.put_right(work, where, wanted.name, wanted.value, DESK)
    work.emit(
        Corrected(
            who=given.who.id if given.who is not None else "",
            name=wanted.name,
            scope=wanted.scope,
            scope_key=wanted.scope_key,
            reason=wanted.reason,
            number=0 if refused else work.state.writes,
            refused=refused,
            old=held[1].value if held is not None else None,
            value=None if refused else wanted.value,
            at=work.world.now,
        )
    )
