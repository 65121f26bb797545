"""Being woken: a browser of a counsellor asks that a push service calls it when somebody is needed."""

from __future__ import annotations

from fastapi import APIRouter

from heartrule.identity.principal import Principal
from heartrule.server.access import TheContext
from heartrule.server.bodies import Endpoint
from heartrule.server.context import AppContext
from heartrule.server.desk_shapes import WakeSettings
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Shift
from heartrule.store.push_subscriptions import PushSubscription

router = APIRouter(prefix="/desk/me/waking", tags=["desk"])
READ = problems(401, 403)


@router.get("", responses=READ)
async def waking(context: TheContext, staff: Shift) -> WakeSettings:
    """Whether this sign-in's browser is woken, and what it subscribes with."""
    return await _shown(context, staff)


@router.put("", responses=problems(400, 401, 403, 409, 413, 415))
async def wake(body: Endpoint, context: TheContext, staff: Shift) -> WakeSettings:
    """Call this browser there from now on, until it asks to be let be or the sign-in ends. What is sent has no content:
    whoever runs the push service learns that a call was made, and nothing else."""
    from heartrule.jobs.outbound_post import may_be_called

    push = context.jobs.push
    open_ = push is not None and push.allow_private
    if staff.sign_in is None or push is None or not (open_ or body.endpoint.startswith("https://")):
        raise Problem("no-waking")
    if not may_be_called(body.endpoint, allow_private=open_):
        raise Problem("invalid-request", what="endpoint: must be the address of a push service in the public network")
    kept = context.sessions.store.push_subscriptions
    await kept.put(PushSubscription(staff.sign_in, staff.id, body.endpoint))
    return await _shown(context, staff)


@router.delete("", responses=READ)
async def let_be(context: TheContext, staff: Shift) -> WakeSettings:
    """Wake this browser no more."""
    if staff.sign_in is not None:
        await context.sessions.store.push_subscriptions.drop(staff.sign_in)
    return await _shown(context, staff)


async def _shown(context: AppContext, staff: Principal) -> WakeSettings:
    if staff.sign_in is None or context.jobs.push is None:
        return WakeSettings(key=None, on=False)
    from heartrule.jobs.push import PushKey

    kept = context.sessions.store.push_subscriptions
    return WakeSettings(key=PushKey(await kept.seed()).public, on=await kept.has(staff.sign_in))
