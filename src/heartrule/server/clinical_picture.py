"""From the record to the clinical picture: read, put in order, and nothing made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from heartrule.engine.work import SAFETY, identity
from heartrule.identity.principal import Principal
from heartrule.language.compiling.script import Script
from heartrule.language.forms.results import on_answer
from heartrule.language.labels import called
from heartrule.language.nodes import Variable
from heartrule.language.nodes.forms import Form
from heartrule.reporting import report_data
from heartrule.server import person_view, rendering
from heartrule.server import picture_shapes as shapes
from heartrule.server.context import AppContext
from heartrule.sessions import CannotRestore, View
from heartrule.sessions.forms import Result, results
from heartrule.sessions.session_status import life_of
from heartrule.store.recalls import RECALLED
from heartrule.store.records import EventRecord, MessageRecord, SessionRecord, VariableRecord

EARLIER = 20
KINDS = ("awareness", "form_submitted", "corrected", "human")
LEVELS: Mapping[str, shapes.Level] = {"P0": "urgent", "P1": "attention", "P2": "attention"}
NOTICED = ("yes", "unknown", "watch")
FOR_HELP = ("CALL_TECHNIQUE", "ESCALATE")
MEMORY = "memory"
LONGEST_ASKS = 600


@dataclass(frozen=True, slots=True)
class HeldSession:
    """A session with what happened in it, as far as a picture needs it."""

    record: SessionRecord
    script: Script | None
    events: Sequence[EventRecord]

    @property
    def forms(self) -> list[tuple[Result, Form | None]]:
        found = results(self.events)
        return [(each, self.script.forms.get(each.form) if self.script else None) for each in found]


async def picture(context: AppContext, who: Principal, record: SessionRecord) -> shapes.Picture:
    sessions = context.sessions
    here = await _held(context, record)
    held = [await _held(context, each) for each in await person_view.others(context, who, record, EARLIER)]
    try:
        view: View | None = await sessions.view(record.id)
    except CannotRestore:
        view = None
    messages = view.messages if view else await sessions.store.messages(record.id, limit=10_000)
    variables = await sessions.store.variables(record.id)
    notes = await sessions.store.notes.counts([each.record.id for each in held])
    handed_in = sorted(
        ((one, result, form) for one in (here, *held) for result, form in one.forms), key=lambda each: each[1].at
    )
    told = await _values(context, here, variables, messages)
    script = here.script
    return shapes.Picture(
        triggers=[*_triggers(here, messages), *_told_in_forms(here)],
        scores=_courses(handed_in),
        forms=[_form(one.record.id, result, form) for one, result, form in reversed(handed_in)],
        filling=_filling(view),
        next=_next(view, script) if view and script else None,
        summary=[shapes.PictureLine(label=label, words=words) for label, words in report_data.mine(script, variables)]
        if script
        else [],
        values=told.values,
        corrections=told.corrections,
        earlier=[_earlier(each, notes.get(each.record.id, 0), sessions.clock.now()) for each in held],
    )


async def values(context: AppContext, record: SessionRecord) -> shapes.Values:
    here = await _held(context, record)
    messages = await context.sessions.store.messages(record.id, limit=10_000)
    return await _values(context, here, await context.sessions.store.variables(record.id), messages)


async def _held(context: AppContext, record: SessionRecord) -> HeldSession:
    try:
        script: Script | None = await context.sessions.script_of(record)
    except CannotRestore:
        script = None
    return HeldSession(record, script, await context.sessions.store.events(record.id, KINDS))


# what was heard


def _triggers(held: HeldSession, messages: Sequence[MessageRecord]) -> Iterable[shapes.Trigger]:
    """Once for each words in a turn, whichever script noticed them first; the latest last."""
    said: dict[int, list[MessageRecord]] = {}
    for message in messages:
        if message.sender == "person" and not message.metadata.get(RECALLED):
            said.setdefault(message.turn, []).append(message)
    seen: set[tuple[int, str]] = set()
    for event in held.events:
        data = event.data
        if event.kind != "awareness" or data["verdict"] not in NOTICED:
            continue
        words = str(data.get("evidence") or "")
        if (event.turn, words) in seen or not (words or data["verdict"] == "yes"):
            continue
        seen.add((event.turn, words))
        where = _where(words, said.get(event.turn, ()))
        number, start = where if where else (None, None)
        node = held.script.awareness.get(str(data["awareness"])) if held.script else None
        level = "watch" if data["verdict"] == "watch" else LEVELS.get(str(data.get("priority")), "attention")
        yield shapes.Trigger(
            message=number,
            start=start,
            end=start + len(words) if start is not None else None,
            words=words,
            awareness=str(data["awareness"]),
            name=node.awareness if node is not None else str(data["awareness"]),
            verdict=data["verdict"],
            source=data["source"],
            level=level,
            turn=event.turn,
            at=_at(event.turn, messages) or held.record.last_active_at,
        )


def _told_in_forms(held: HeldSession) -> Iterable[shapes.Trigger]:
    """Answers at which a form calls for help: nothing was said that could have been noticed."""
    for result, form in held.forms:
        for answer in _form(held.record.id, result, form).answers:
            if answer.alarm:
                yield shapes.Trigger(
                    message=None,
                    start=None,
                    end=None,
                    words=f"{answer.label} – {answer.words}",
                    awareness=result.form,
                    name=result.name,
                    verdict="yes",
                    source="rules",
                    level="urgent",
                    turn=result.turn,
                    at=result.at,
                )


def _where(words: str, said: Sequence[MessageRecord]) -> tuple[int, int] | None:
    for message in said:
        start = message.text.find(words) if words else -1
        if start >= 0:
            return message.number, start
    return None


def _at(turn: int, messages: Sequence[MessageRecord]) -> datetime | None:
    return next((each.at for each in messages if each.turn == turn), None)


# forms


def _form(session: str, result: Result, form: Form | None) -> shapes.FormPicture:
    told = report_data.filled(result, form)
    alarms = {rule.field for rule in on_answer(form, result.values) if rule.directive in FOR_HELP} if form else set()
    return shapes.FormPicture(
        session=session,
        form=result.form,
        name=result.name,
        at=result.at,
        by="counsellor" if result.by else "person",
        source=told.source,
        scores=[
            shapes.ScoreShape(
                name=name,
                label=score.label,
                value=score.value,
                band=score.band,
                limits=list(score.limits) if score.limits else None,
                ranges=[shapes.BandShape(label=each.label, low=each.low, high=each.high) for each in score.ranges],
            )
            for name, score in zip(result.scores, told.scores, strict=True)
        ],
        answers=[
            shapes.AnswerShape(
                field=name, label=answer.label, words=answer.words, value=value, own=answer.own, alarm=name in alarms
            )
            for (name, value), answer in zip(result.values.items(), told.answers, strict=True)
        ],
    )


def _courses(handed_in: Sequence[tuple[HeldSession, Result, Form | None]]) -> list[shapes.ScoreCourse]:
    """As the person's own page has them, with the session that each point is of."""
    of = {result.at: held.record.id for held, result, _ in handed_in}
    limits: dict[str, list[shapes.Number] | None] = {}
    for _, result, form in handed_in:
        for score in report_data.filled(result, form).scores:
            limits[score.label or result.name] = list(score.limits) if score.limits else None
    return [
        shapes.ScoreCourse(
            name=course.name,
            points=[
                shapes.PointShape(at=each.at, value=each.value, band=each.band, session=of[each.at])
                for each in course.points
            ],
            ranges=[shapes.BandShape(label=each.label, low=each.low, high=each.high) for each in course.ranges],
            limits=limits.get(course.name),
        )
        for course in report_data.courses([(result, form) for _, result, form in handed_in])
    ]


def _filling(view: View | None) -> shapes.FormInProgress | None:
    form = view.request.form if view is not None else None
    if form is None:
        return None
    shown = rendering.form(form)
    fields = [each.id for each in shown.fields if each.type != "note" and each.id not in shown.hidden]
    return shapes.FormInProgress(form=shown, answered=sum(1 for each in fields if each in shown.values), of=len(fields))


# what the script wants


def _next(view: View, script: Script) -> shapes.NextStep | None:
    position = view.position
    topic, action = position.get("topic"), position.get("action")
    if not topic or not action:
        return None
    node = report_data.steps(script, str(topic["id"]))
    found = report_data.action(node, int(action["index"]), str(action["id"]))
    phase = str((position.get("phase") or {}).get("id", ""))
    named = next((each.phase for each in script.session.phases if identity(each) == phase), phase)
    asks = next((text for name in ("question", "content", "goal") if (text := getattr(found, name, None))), "")
    return shapes.NextStep(
        phase=named,
        topic=node.name if node is not None else str(topic["id"]),
        action=str(action["id"]),
        type=str(position.get("action_type", "")),
        asks=str(asks).strip()[:LONGEST_ASKS],
        waiting=view.request.kind != "none",
    )


# what was taken from the words


async def _values(
    context: AppContext, held: HeldSession, variables: Sequence[VariableRecord], messages: Sequence[MessageRecord]
) -> shapes.Values:
    record, script = held.record, held.script
    known = declared(script) if script else {}

    def label(name: str) -> str:
        own = known[name].label if name in known else None
        return called(own, record.locale) or context.sessions.label(record.project, name, record.locale)

    shown = [each for each in variables if each.scope != MEMORY and each.value is not None]
    return shapes.Values(
        values=[
            shapes.ValueShape(
                scope=each.scope,
                scope_key=each.scope_key,
                name=each.name,
                label=label(each.name),
                value=each.value,
                type=each.type,
                evidence=each.evidence,
                message=_message_of(each.evidence, messages),
                strategy=each.strategy,
                options=list(known[each.name].options or ()) or None if each.name in known else None,
                corrected=each.strategy == "correction",
                updated_at=each.updated_at,
            )
            for each in sorted(shown, key=lambda one: one.updated_at, reverse=True)
        ],
        corrections=[
            shapes.CorrectionShape(
                name=event.data["name"],
                label=label(event.data["name"]),
                old=event.data.get("old"),
                value=event.data.get("value"),
                by=await _name(context, event.data["who"]),
                at=datetime.fromisoformat(event.data["at"]),
                reason=event.data.get("reason", ""),
            )
            for event in held.events
            if event.kind == "corrected" and not event.data.get("refused")
        ],
    )


async def _name(context: AppContext, who: str) -> str:
    account = await context.sessions.store.accounts.find(who)
    return account.shown_name if account is not None else who


def declared(script: Script) -> dict[str, Variable]:
    found = {**script.variables, **{each.var: each for each in script.session.declare}}
    for phase in script.session.phases:
        found |= {each.var: each for each in phase.declare}
        for step in phase.steps:
            found |= {each.var: each for each in step.declare}
    return found


def _message_of(evidence: str | None, messages: Sequence[MessageRecord]) -> int | None:
    said = [each for each in messages if each.sender == "person" and not each.metadata.get(RECALLED)]
    return next((each.number for each in reversed(said) if evidence and evidence in each.text), None)


# what was before


def _earlier(held: HeldSession, notes: int, now: datetime) -> shapes.Earlier:
    record = held.record
    topic = str((record.position.get("topic") or {}).get("id", ""))
    noticed = any(
        each.kind == "awareness" and each.data["verdict"] == "yes" and each.data.get("priority") == "P0"
        for each in held.events
    )
    return shapes.Earlier(
        session=record.id,
        name=held.script.session.session if held.script else record.script,
        status=life_of(record, now),
        created_at=record.created_at,
        last_active_at=record.last_active_at,
        ended_at=record.ended_at,
        crisis=noticed or topic.startswith(f"{SAFETY}/"),
        taken_over=any(each.kind == "human" and not each.data.get("refused") for each in held.events),
        forms=[
            shapes.EarlierScore(name=result.name, score=value, band=result.bands.get(name, ""))
            for result, _ in held.forms
            for name, value in list(result.scores.items())[:1]
        ],
        notes=notes,
    )
