"""Which awareness scripts watch where a session stands, which do not, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from heartrule.debugger.session import DebugSession
from heartrule.engine.awareness import alerts, awareness, switches
from heartrule.engine.work import SAFETY, Work, identity
from heartrule.language.nodes import Awareness, AwarenessSwitch
from heartrule.language.references import full


@dataclass(frozen=True, slots=True)
class AwarenessStatus:
    """``because``: what decides whether it is on. On: ``always``, ``session``, ``phase`` or ``topic``, ``directive``;
    off: ``off-here`` (the phase or topic switches it off), ``directive``, ``elsewhere`` (others switch it on, those in
    ``where``), ``safety`` (that project's own, while none of its topics runs) or ``nowhere``. ``rest``: why one that is
    on does not look now. ``where``: the phases and topics of the session that switch it on, by id. ``times``, ``turn``
    and ``at``: how often it has hit, and when last."""

    awareness: str
    name: str
    priority: str
    on: bool
    because: str
    rest: str
    hook_points: tuple[str, ...]
    where: tuple[str, ...]
    times: int
    turn: int
    at: datetime | None


def watching(session: DebugSession) -> list[AwarenessStatus]:
    """All that the session can reach and all of its own project: its own first, of each those that are on."""
    work = session.here().work
    found = [_of(work, ref, node) for ref, node in reachable(session).items()]
    own = f"{session.text.home.id}/"
    return sorted(
        found, key=lambda each: (not each.awareness.startswith(own), not each.on, each.priority, each.awareness)
    )


def reachable(session: DebugSession) -> dict[str, Awareness]:
    """By their full id: the scripts that the session can reach, and all of its own project."""
    text = session.text
    return {**{full(text.home.id, node): node for node in text.home.awareness}, **text.script.awareness}


def _of(work: Work, ref: str, node: Awareness) -> AwarenessStatus:
    on = ref in awareness.enabled(work, node.priority)
    alert = alerts.alert_of(work.state, ref)
    hook_points = tuple(node.at) if node.priority == "P1" else (node.every,) if node.every else ()
    return AwarenessStatus(
        ref,
        node.awareness,
        node.priority,
        on,
        _because(work, ref, node, on),
        alerts.resting(work, ref, node) if on and node.priority != "P0" else "",
        hook_points,
        tuple(_where(work, ref, node)),
        alert.times,
        alert.turn,
        alert.at,
    )


def _because(work: Work, ref: str, node: Awareness, on: bool) -> str:
    if on and node.always and node.priority == "P0":
        return "always"
    if ref in work.state.switched:
        return "directive"
    here = [switch for switch, _ in switches.here(work)]
    if on:
        if node.always:
            return "always"
        named = [switch for switch in here if _names(ref, node) & {*switch.enable}]
        if named:
            return "phase" if named[-1] is work.phase.awareness else "topic"
        return "session"
    if ref.partition("/")[0] == SAFETY:
        return "safety"
    if any(_names(ref, node) & {*switch.disable} for switch in here):
        return "off-here"
    return "elsewhere" if next(_where(work, ref, node), None) else "nowhere"


def _where(work: Work, ref: str, node: Awareness) -> Iterator[str]:
    """The phases and topics that switch it on."""
    for phase in work.world.script.session.phases:
        if _on(phase.awareness, ref, node):
            yield identity(phase)
        for topic in phase.steps:
            if _on(topic.awareness, ref, node):
                yield identity(topic)


def _on(switch: AwarenessSwitch | None, ref: str, node: Awareness) -> bool:
    return switch is not None and bool(_names(ref, node) & {*switch.enable})


def _names(ref: str, node: Awareness) -> set[str]:
    """By which a script may be listed."""
    return {ref, ref.partition("/")[2], node.awareness}
