"""The engine's own guards against scripts that go round and round: a session that runs into one is stuck, however
politely the engine gets out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heartrule.engine.flow import JUMPS
from heartrule.engine.session.events import Ended, Event, Fault, Marker
from heartrule.engine.session.state import State
from heartrule.language.compiling.script import Script
from heartrule.script_tests.script_names import KnownScript
from heartrule.script_tests.simulation.simulated_session import Place


def struck(script: Script, state: State, events: Sequence[Event]) -> tuple[str, Place] | None:
    """Why a session is stuck by a guard, and at which action it struck: ``loop``, it would not stop talking; ``jumps``,
    the same jump too often. None when none has. ``events``: all of the session's."""
    if state.end_reason == "loop":
        return "loop", _at(script, events, lambda each: isinstance(each, Ended))
    too_often = [f"jumped to {target} " for target, count in state.jumps.items() if count > JUMPS]
    if too_often:
        return "jumps", _at(script, events, lambda each: isinstance(each, Fault) and each.what.startswith(too_often[0]))
    return None


def _at(script: Script, events: Sequence[Event], here: Callable[[Event], bool]) -> Place:
    """The last action that was come to before."""
    last: Marker | None = None
    for each in events:
        if isinstance(each, Marker):
            last = each
        elif here(each):
            break
    return Place() if last is None else Place(last.phase, last.topic, _action(script, last))


def _action(script: Script, marker: Marker) -> str:
    spots = (spot for spot in KnownScript(script).spots if spot.topic == marker.topic and spot.index == marker.index)
    return next((spot.action for spot in spots), "")
