"""Debug sessions as the API shows them."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.debugger import breakpoints as marks
from heartrule.debugger import inspection, lineage
from heartrule.debugger.awareness_view import watching as of_watching
from heartrule.debugger.branch_diff import Comparison, Side
from heartrule.debugger.calls import Call
from heartrule.debugger.move_run import MoveProgress
from heartrule.debugger.session import DebugSession
from heartrule.debugger.snapshots import OpenedSnapshot, Snapshot
from heartrule.debugger.state_transfer import TransferredPart
from heartrule.debugger.texts import Spot
from heartrule.engine.session.io import Message, Turn
from heartrule.engine.turn import request_of
from heartrule.engine.work import Work
from heartrule.language.expressions import UNKNOWN, ExpressionError
from heartrule.server import rendering, shapes
from heartrule.server.debugger import shapes as told
from heartrule.sessions.turn_prompts import Layer

CHAT = "/api/v1/debug/sessions/{id}/chat"


def state(session: DebugSession, token: str, models: Iterable[str]) -> told.DebugState:
    head, here = session.head, session.here()
    last, held = session.last, session.open is not None
    work = here.work
    ended = not held and last is not None and last.state.ended
    return told.DebugState(
        id=head.id,
        version=head.version,
        name=head.name,
        script=head.script,
        locale=session.text.script.locale,
        text=head.text,
        status=_status(session, ended),
        branch=head.branch,
        branches=[
            told.BranchShape(
                name=each.name,
                turns=len(session.chain(each.leaf)),
                held=each.open is not None,
                came_from=each.came_from,
                because=each.because,
            )
            for each in head.branches.values()
        ],
        turn=work.state.seq,
        held=_held(session, here) if held else None,
        stack=[frame(each) for each in inspection.frames(session.text, work)],
        request=_request(session, last, here, held),
        now=session.now(),
        due=last.wake_at if last is not None and not held else None,
        breakpoints=head.breakpoints,
        placed=[marks.placed(each, session.text) for each in head.breakpoints],
        watches=[watch(work, each) for each in head.watches],
        answering=head.answering.by,
        models=list(models),
        queued=len(head.queue),
        pending=[each.name for each in head.pending],
        log=[told.LogShape(text=each["text"], action=each["action"], move=each["move"]) for each in head.log[-100:]],
        named=[each.name for each in head.named],
        chat=told.ChatShape(base=CHAT.format(id=head.id), session=f"{head.id}.{head.branch}", token=token),
        asking=session.asking,
        project=head.project if head.base else "",
    )


def _status(session: DebugSession, ended: bool) -> str:
    if session.head.closed:
        return "closed"
    if session.asking:
        return "asking"
    if session.open is not None:
        return "held"
    return "ended" if ended else "waiting"


def _held(session: DebugSession, here: MoveProgress) -> told.HeldShape:
    why, branch = session.branch.why, session.branch
    event = next((e for n, e in here.heard if n == branch.passed), None)
    return told.HeldShape(
        kind=str(why.get("kind", "")),
        event=str(why.get("event", "") or (event.kind if event is not None else "")),
        on=str(why.get("on", "")),
        action=(event.action or "") if event is not None else "",
        breakpoints=[str(each) for each in why.get("breakpoints", ())],
        tasks=[str(each) for each in why.get("tasks", ())],
        snapshot=f"{branch.open}.{branch.passed}",
    )


def _request(session: DebugSession, last: Turn | None, here: MoveProgress, held: bool) -> shapes.RequestShape:
    if held or last is None:
        return shapes.RequestShape(type="none")
    return rendering.request(request_of(here.work.state, session.text.script))


def frame(each: inspection.Frame) -> told.StackFrame:
    scope = each.scope or ("", "")
    return told.StackFrame(
        kind=each.kind,
        id=each.id,
        name=each.name,
        at=at(each.spot),
        scope=scope[0],
        scope_key=scope[1],
        round=each.round,
        max_rounds=each.max_rounds,
        because=each.because,
    )


def at(spot: Spot | None) -> told.At | None:
    if spot is None:
        return None
    return told.At(project=spot.project, file=spot.file, line=spot.line, column=spot.column, last=spot.last)


def watch(work: Work, expression: str) -> told.WatchShape:
    try:
        value = inspection.evaluate(work, expression)
    except ExpressionError as error:
        return told.WatchShape(expression=expression, problem=str(error))
    return told.WatchShape(expression=expression, value=inspection.shown(value))


def evaluated(session: DebugSession, expression: str) -> told.Evaluation:
    value = inspection.evaluate(session.here().work, expression)
    return told.Evaluation(value=inspection.shown(value), unknown=value is UNKNOWN)


def variables(session: DebugSession) -> told.VariableList:
    return told.VariableList(
        variables=[
            told.VariableShape(
                **{name: getattr(each, name) for name in told.VariableShape.model_fields if name != "history"},
                history=[
                    told.WrittenShape(**{name: getattr(one, name) for name in told.WrittenShape.model_fields})
                    for one in each.history[-20:]
                ],
            )
            for each in lineage.variables(session)
        ]
    )


def outline(session: DebugSession) -> told.Outline:
    nodes = []
    for spot in session.text.spots:
        where = at(spot)
        if where is not None:
            names = ("kind", "id", "name", "type", "phase", "ref", "index")
            nodes.append(told.NodeShape(**{name: getattr(spot, name) for name in names}, at=where))
    return told.Outline(nodes=nodes)


def watching(session: DebugSession) -> told.WatchingList:
    fields = told.WatchingShape.model_fields
    found = of_watching(session)
    return told.WatchingList(
        scripts=[
            told.WatchingShape.model_validate(
                {name: list(value) if isinstance(value := getattr(each, name), tuple) else value for name in fields}
            )
            for each in found
        ]
    )


def layers(found: Iterable[Layer]) -> list[told.LayerShape]:
    return [
        told.LayerShape(
            role=each.role,
            text=each.text,
            inserted=[
                told.InsertedShape(name=i.name, scope=i.scope, source=i.source, offset=i.offset, length=i.length)
                for i in each.inserted
            ],
        )
        for each in found
    ]


def call(each: Call) -> told.CallShape:
    given = each.given
    attempts = given.answer.attempts if given is not None else ()
    last = attempts[-1] if attempts else None
    return told.CallShape(
        move=each.move,
        turn=each.turn,
        key=each.task.key,
        template=each.task.template,
        kind=each.task.kind,
        role=each.task.role,
        origin=given.origin if given is not None else "",
        status=given.answer.status if given is not None else "waiting",
        misfit=given.misfit if given is not None else False,
        fits=each.fits,
        model=last.model if last is not None else "",
        seconds=sum(one.seconds for one in attempts),
        tokens_in=last.tokens_in if last is not None else None,
        tokens_out=last.tokens_out if last is not None else None,
        layers=layers(each.layers),
        answer=given.answer.data if given is not None else None,
        raw=last.raw if last is not None else "",
        problem=last.cause if last is not None else "",
        variables=list(each.changed.variables),
        messages=list(each.changed.messages),
    )


def message(session: str, turn: int, said: Message) -> shapes.Message:
    return shapes.Message(
        id=f"{session}.{said.number}",
        seq=said.number,
        turn=turn,
        sender=said.sender,
        name=said.name or None,
        content=said.text,
        content_type=said.content_type,
        action_id=said.action,
        at=said.at,
        recalled=False,
        media=[rendering.media(each.dump()) for each in said.media],
    )


def snapshot(each: Snapshot) -> told.SnapshotShape:
    names = told.SnapshotShape.model_fields
    return told.SnapshotShape(**{name: getattr(each, name) for name in names})


def opened(found: OpenedSnapshot) -> told.OpenedSnapshot:
    each = found.snapshot
    return told.OpenedSnapshot(
        snapshot_id=each.id,
        session_id=found.session,
        action_id=each.action,
        snapshot_type=each.kind,
        parameters=dict(found.parameters),
        variables={scope: dict(held) for scope, held in found.variables.items()},
        messages=[message(found.session, each.turn, one) for one in found.messages],
        llm_calls=[dict(one) for one in found.calls],
        timestamp=each.at,
    )


def report(carried: Iterable[TransferredPart]) -> list[told.CarriedShape]:
    return [told.CarriedShape(what=c.what, name=c.name, fate=c.fate, now=c.now) for c in carried]


def comparison(found: Comparison) -> told.ComparisonShape:
    return told.ComparisonShape(
        one=found.one,
        other=found.other,
        shared=found.shared,
        same=found.same,
        pairs=[
            told.PairShape(
                one=_side(each.one), other=_side(each.other), differs=list(each.differs), misfits=list(each.misfits)
            )
            for each in found.pairs
        ],
        variables=found.variables,
    )


def _side(each: Side | None) -> told.SideShape | None:
    if each is None:
        return None
    return told.SideShape(
        turn=each.turn,
        kind=each.kind,
        said=list(each.said),
        path=list(each.path),
        wrote=each.wrote,
        calls=[
            f"{template} {origin}{' misfit' if misfit else ''}" for template, _, origin, misfit in each.calls.values()
        ],
    )


def _origin(each: lineage.Origin) -> told.OriginShape:
    return told.OriginShape(**{name: getattr(each, name) for name in told.OriginShape.model_fields})


def descent(session: DebugSession, found: lineage.Descent) -> told.DescentShape:
    return told.DescentShape(
        message=message(session.head.id, found.turn, found.message),
        turn=found.turn,
        action=found.action,
        at=at(found.spot),
        through=[
            told.ThroughShape(
                turn=t.turn, key=t.key, template=t.template, variables=[_origin(one) for one in t.variables]
            )
            for t in found.through
        ],
        written=[_origin(one) for one in found.written],
    )


def readers(found: Iterable[lineage.Reader]) -> told.ReaderList:
    return told.ReaderList(
        readers=[told.ReaderShape(kind=r.kind, turn=r.turn, what=r.what, key=r.key, at=at(r.spot)) for r in found]
    )


def messages(session: DebugSession) -> list[shapes.Message]:
    """Of the turns that stand on the present branch."""
    found = []
    for move in session.chain(session.branch.leaf):
        turn = session.turn(move.number)
        found += [message(session.head.id, turn.state.seq, each) for each in turn.messages]
    return found
