"""Who may debug, and what. The one place that asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends

from heartrule.debugger.service import NoSuchDebugSession
from heartrule.debugger.session import DebugSession
from heartrule.identity.principal import Principal
from heartrule.server.access import TheContext
from heartrule.server.problems import Problem
from heartrule.server.staff_access import asks
from heartrule.workbench.workbench import Writer


async def _developer(principal: Annotated[Principal, Depends(asks("script.debug"))]) -> Writer:
    return Writer(principal.id, principal.name, principal)


Developer = Annotated[Writer, Depends(_developer)]


async def debug_session(debug: str, author: Developer, context: TheContext) -> DebugSession:
    """The debug session in the path, when it is theirs."""
    try:
        return await context.debugger.session(debug, author.id)
    except NoSuchDebugSession:
        raise Problem("not-found") from None


Debugged = Annotated[DebugSession, Depends(debug_session)]


async def alone(session: Debugged) -> AsyncIterator[DebugSession]:
    """The same, with nobody else at work on it."""
    async with session.lock:
        yield session


Alone = Annotated[DebugSession, Depends(alone)]
