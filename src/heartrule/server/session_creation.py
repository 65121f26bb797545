"""Creating sessions, and looking at them as the API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.language.nodes import Level
from heartrule.language.nodes.memory import MemoryPolicy
from heartrule.language.values import Bad
from heartrule.server import consent, events, rendering, shapes
from heartrule.server.bodies import NewSession
from heartrule.server.context import AppContext
from heartrule.server.debug_view import DEBUG, level_of
from heartrule.server.problems import Both, Problem
from heartrule.server.settings import LEVELS
from heartrule.server.whereabouts import placed
from heartrule.sessions import CannotRestore, View
from heartrule.sessions.initial_variables import NotTaken, taken
from heartrule.sessions.rows import GIVEN, POLICY
from heartrule.store.records import SessionRecord


async def create(context: AppContext, wanted: NewSession, person: str | None) -> SessionRecord:
    """A new session of a script that is offered. Raises problems."""
    level: Level = wanted.options.debug_level
    if LEVELS.index(level) > LEVELS.index(context.settings.debug):
        raise Problem("debug-off")
    await context.sessions.release_choice.look()
    if wanted.script not in {listed.id for listed in context.sessions.scripts()}:
        raise Problem("no-such-script", script=wanted.script)
    debug = level != "none"
    notes = consent.given(context, wanted.notice)
    sessions = context.sessions
    try:
        chosen = await sessions.choose(wanted.script, person, wanted.locale)
        script = chosen.script
        if "debug_level" not in wanted.options.model_fields_set:
            level = min(script.project.debugged, context.settings.debug, key=LEVELS.index)
        notes |= {} if level == "none" else {DEBUG: level}
        notes |= {GIVEN: wanted.metadata} if wanted.metadata else {}
        if isinstance(policy := wanted.options.memory, MemoryPolicy):
            notes |= {POLICY: policy.model_dump(mode="json", exclude_none=True)}
        values = taken(wanted.variables, script, sessions.clock.now())
        place = placed(wanted.locale or script.locale, wanted.zone)
        return await sessions.create(wanted.script, person, values, wanted.locale, notes, chosen, place)
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


async def shown(context: AppContext, record: SessionRecord) -> shapes.SessionShape:
    """The session as it stands. One whose progress cannot be loaded is shown without it."""
    sessions = context.sessions
    view: View | None
    try:
        view = await sessions.view(record.id, messages=0)
        record = view.session
        script: Script | None = await sessions.script_of(record)
    except CannotRestore:
        view, script = None, None
    if record.seq:
        context.metrics.restored.labels("ok" if view else "failed").inc()
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
        mode="model" if sessions.asks(record) else "script",
        speaker=voice.name if voice else None,
        picture=rendering.face(script, face) if script and face else None,
        in_crisis=rendering.in_crisis(position),
        human=rendering.human(record.human),
        quiet=rendering.quiet(position),
        restorable=view is not None,
        metadata=rendering.notes(record),
        position=rendering.position(position),
        request=rendering.request(view.request) if view else shapes.RequestShape(type="none"),
        progress=rendering.progress(view.progress) if view else shapes.Progress(phases=[], milestones=[]),
        debug=level_of(record, context.settings),
    )
