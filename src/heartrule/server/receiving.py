"""Creating sessions, and looking at them as the API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.nodes import Level
from heartrule.language.values import Bad
from heartrule.server import consent, events, rendering, shapes
from heartrule.server.bodies import NewSession
from heartrule.server.debugged import DEBUG, level_of
from heartrule.server.house import House
from heartrule.server.problems import Both, Problem
from heartrule.server.settings import LEVELS
from heartrule.sessions import CannotRestore, View
from heartrule.sessions.given import NotTaken, taken
from heartrule.store.records import SessionRecord


async def create(house: House, wanted: NewSession, person: str | None) -> SessionRecord:
    """A new session of a script that is offered. Raises problems."""
    level: Level = wanted.options.debug_level
    if LEVELS.index(level) > LEVELS.index(house.settings.debug):
        raise Problem("debug-off")
    if wanted.script not in {listed.id for listed in house.sessions.scripts()}:
        raise Problem("no-such-script", script=wanted.script)
    debug = level != "none"
    notes = consent.given(house, wanted.notice)
    sessions = house.sessions
    try:
        script = sessions.script(wanted.script, wanted.locale)
        if "debug_level" not in wanted.options.model_fields_set:
            level = min(script.project.debugged, house.settings.debug, key=LEVELS.index)
        notes |= {} if level == "none" else {DEBUG: level}
        values = taken(wanted.variables, script, sessions.clock.now())
        return await sessions.create(wanted.script, person, values, wanted.locale, notes)
    except Refused as refused:
        raise Problem("script-refused", findings=_told(refused) if debug else ()) from None
    except NotTaken as refused:
        raise Problem("variable-refused", name=refused.name, why=_why(refused)) from None


def _told(refused: Refused) -> list[dict[str, Any]]:
    return [
        {"file": each.file, "line": each.line, "column": each.column, "code": each.code, "message": str(each.message)}
        for each in refused.findings
    ]


def _why(refused: NotTaken) -> Both:
    if isinstance(refused.why, Bad):
        return Both(refused.why.zh, refused.why.en)
    return Both("脚本没有声明它", "the script does not declare it")


async def shown(house: House, record: SessionRecord) -> shapes.SessionShape:
    """The session as it stands. One whose progress cannot be loaded is shown without it."""
    sessions = house.sessions
    view: View | None
    try:
        view = await sessions.view(record.id, messages=0)
        record = view.session
        script: Script | None = await sessions.script_of(record)
    except CannotRestore:
        view, script = None, None
    position: Mapping[str, Any] = view.position if view else {}
    voice = script.roles.get("ai") if script else None
    face = voice.picture if voice else None
    return shapes.SessionShape(
        id=record.id,
        script=record.script,
        name=script.session.session if script else record.script,
        locale=record.locale,
        status=sessions.life(record),
        paused=record.status == "paused",
        created_at=record.created_at,
        last_active_at=record.last_active_at,
        ended_at=record.ended_at,
        turn=record.seq,
        last_message=view.last_message if view else 0,
        last_event_id=events.last_of(record.seq),
        mode="model" if sessions.model.configured else "script",
        speaker=voice.name if voice else None,
        picture=rendering.face(script, face) if script and face else None,
        in_crisis=rendering.in_crisis(position),
        human=rendering.human(record.human),
        restorable=view is not None,
        position=rendering.position(position),
        request=rendering.request(view.request) if view else shapes.RequestShape(type="none"),
        progress=rendering.progress(view.progress) if view else shapes.Progress(phases=[], milestones=[]),
        debug=level_of(record, house.settings),
    )
