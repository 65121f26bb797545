"""What a watching script has come to in a session so far: whether it rests, whether what it called is under way, and
what was said since. One account for all of them, whatever their priority."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from heartrule.engine.awareness import switches
from heartrule.engine.session.state import Alert, State
from heartrule.engine.tasks.conditions import truth_with
from heartrule.engine.work import Work
from heartrule.language.lengths import length, turns
from heartrule.language.nodes import Awareness

AlertStatus = Literal["first", "handling", "handled"]
"""Nothing was noticed yet; what that called is being gone through; it has been."""
EXPIRED, COOLDOWN = "expired", "cooldown"


def stretch(said: str | None) -> timedelta | int | None:
    """A length of time (``10m``), or a number of turns (``3 turns``), as scripts write it; None for neither."""
    return turns(said or "") or length(said or "")


def alert_of(state: State, ref: str) -> Alert:
    return state.alerts.get(ref) or Alert()


def _keep(state: State, ref: str, **changes: object) -> None:
    state.alerts[ref] = alert_of(state, ref).model_copy(update=changes)


def status(state: State, ref: str) -> AlertStatus:
    if any(frame.awareness == ref for frame in state.frames):
        return "handling"
    return "handled" if alert_of(state, ref).times else "first"


def resting(work: Work, ref: str, node: Awareness) -> str:
    """Why it does not watch now, or nothing. What has expired stays so until the script is switched on anew."""
    alert = alert_of(work.state, ref)
    if not alert.expired and _is_over(work, alert, node):
        _keep(work.state, ref, expired=EXPIRED)
        return EXPIRED
    return alert.expired or (COOLDOWN if _cools(work, alert, node) else "")


def _is_over(work: Work, alert: Alert, node: Awareness) -> bool:
    expires = node.expires
    if expires is None:
        return False
    if expires.times is not None and alert.times >= expires.times:
        return True
    begun = alert.since or _on_since(work, node)
    span = length(expires.after) if expires.after else None
    if span is not None and begun is not None and work.world.now >= begun + span:
        return True
    return expires.condition is not None and truth_with(work, expires.condition, {}) is True


def _on_since(work: Work, node: Awareness) -> datetime | None:
    """When the topic or the phase switched it on, else when the session began."""
    names = set[str | None]() if node.always else {node.id, node.awareness}
    begun = [since for switch, since in switches.here(work) if names & {*switch.enable}]
    return begun[-1] if begun else work.state.started_at


def _cools(work: Work, alert: Alert, node: Awareness) -> bool:
    rest = stretch(node.cooldown)
    if rest is None or alert.at is None:
        return False
    if isinstance(rest, int):
        return work.state.seq - alert.turn <= rest
    return work.world.now < alert.at + rest


# what happens to it


def struck(work: Work, ref: str, place: str = "") -> None:
    """It has hit and is acting. ``place``: the hook point in the script that this was at."""
    state, alert = work.state, alert_of(work.state, ref)
    _keep(
        work.state,
        ref,
        turn=state.seq,
        at=work.world.now,
        times=alert.times + 1,
        message=state.messages,
        place=place or alert.place,
        owed=[],
    )


def finished(work: Work) -> None:
    """The running topic ends. Where a script has called it: what the person has told by now has been gone through."""
    ref = work.running.awareness
    if ref is not None:
        _keep(work.state, ref, handled=alert_of(work.state, ref).handled + 1, message=work.state.messages)


def holds(state: State, ref: str, yes: bool) -> None:
    """Whether its condition held when code looked last."""
    if alert_of(state, ref).holds != yes:
        _keep(state, ref, holds=yes)


def owe(state: State, ref: str, hook_point: str) -> None:
    """A hook point was come to that nobody had foreseen: it is judged in the next turn."""
    if hook_point not in (owed := alert_of(state, ref).owed):
        _keep(state, ref, owed=[*owed, hook_point])


def paid(state: State, ref: str) -> None:
    if alert_of(state, ref).owed:
        _keep(state, ref, owed=[])


def since(work: Work, ref: str) -> list[str]:
    """What the person has said since it hit, or since what it called was gone through; as far as it is in reach."""
    last = alert_of(work.state, ref).message
    return [m.text for m in work.transcript() if m.sender == "person" and m.number > last and not m.withheld]
