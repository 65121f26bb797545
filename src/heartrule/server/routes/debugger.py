"""The debugger: debug sessions made, held, gone on with, gone back in, edited, compared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from heartrule.authoring.splices import CannotEdit
from heartrule.debugger import branch_diff, branch_to_test, lineage, prompt_trials, snapshots, trials, visitor_source
from heartrule.debugger import calls as of_calls
from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.state_transfer import NotCarried, TransferredPart
from heartrule.debugger.texts import Text
from heartrule.engine.session.io import FormAnswers, Input, Words
from heartrule.language.expressions import ExpressionError
from heartrule.language.findings import Refused
from heartrule.language.projects.requirements import parted
from heartrule.llm.model import Model
from heartrule.server import rendering, token_issuers
from heartrule.server.access import Address, TheContext
from heartrule.server.context import AppContext
from heartrule.server.debugger import bodies, shapes, view
from heartrule.server.debugger.access import Alone, Debugged, Developer
from heartrule.server.masking import veiled
from heartrule.server.problems import Problem
from heartrule.server.rendering import well_formed
from heartrule.server.routes.answers import problems
from heartrule.server.staff_access import Read, Reader, while_signed_in
from heartrule.server.streams import EVENT_STREAM, EventStream
from heartrule.server.workbench.projects import conflict
from heartrule.store.audit import AuditRecord
from heartrule.store.projects import Moved, NoSuchProject
from heartrule.store.records import EVERYTHING
from heartrule.workbench.workbench import NotYours, Packaged, ReadOnly, Writer

router = APIRouter(prefix="/debug", tags=["debugger"])

READ = problems(401, 403, 404)
DONE = problems(400, 401, 403, 404, 408, 409, 413, 415)
ONE = "/sessions/{debug}"
QUIET = 15.0


def state_of(context: AppContext, author: Writer, session: DebugSession) -> shapes.DebugState:
    """The token of its chat ends with what they ask by: the sign-in, the program, the role."""
    token = context.tokens.of_session(session.head.id, token_issuers.given(author.principal, "script.debug")).token
    return view.state(session, token, context.debugger.model.providers)


def _refused(refused: Refused) -> Problem:
    found = [
        {"file": f.file, "line": f.line, "column": f.column, "code": f.code, "message": str(f.message)}
        for f in refused.findings
    ]
    return Problem("debug-text-refused", findings=found)


async def _text(context: AppContext, saved: Mapping[str, str], over: Mapping[str, str | None], script: str) -> Text:
    files = {**saved, **{path: words for path, words in over.items() if words is not None}}
    files = {path: words for path, words in files.items() if over.get(path, "") is not None}
    try:
        return await context.debugger.read(files, script)
    except Refused as refused:
        raise _refused(refused) from None


async def _saved(context: AppContext, project: str, author: Writer) -> tuple[int, dict[str, str]]:
    """The files as they are saved, with the number of their version; 0 where they are kept in no project of the
    workbench."""
    if not project:
        return 0, {}
    try:
        await context.workbench.record(project, author)
        version, texts = await context.workbench.texts(project)
        return version.number if version is not None else 0, texts
    except NoSuchProject:
        raise Problem("not-found") from None


# projects


@router.get("/projects", responses=READ)
async def projects(author: Developer, context: TheContext) -> shapes.DebugProjects:
    """The projects that can be debugged as they are saved: one's own, and those in folders."""
    found = [
        shapes.DebugProject(
            id=each.id,
            name=each.name,
            scripts=[(f"{each.slug}/{s.id}", s.name, s.locale) for s in each.scripts],
        )
        for each in await context.workbench.all(author)
        if each.scripts
    ]
    return shapes.DebugProjects(projects=found)


@router.get("/projects/{project}/texts", responses=READ)
async def saved(project: str, author: Developer, context: TheContext) -> shapes.DebugTexts:
    """The texts of a project as they are saved."""
    return shapes.DebugTexts(texts=parted((await _saved(context, project, author))[1])[0])


# sessions


@router.post("/sessions", status_code=201, responses=DONE)
async def make(new: bodies.NewDebugSession, author: Developer, context: TheContext) -> shapes.DebugState:
    """A debug session of the present text, saved or not, and its first turn up to the first stop."""
    base, files = await _saved(context, new.project, author)
    text = await _text(context, files, new.texts, new.script)
    session = await context.debugger.create(
        text,
        author.id,
        name=new.name,
        values=new.variables,
        answering=new.answering,
        breakpoints=new.breakpoints,
        go=new.go,
        project=new.project,
        base=base,
    )
    if new.begin:
        async with session.lock:
            await session.start()
    return state_of(context, author, session)


@router.get("/sessions", responses=READ)
async def listed(author: Developer, context: TheContext) -> shapes.DebugList:
    """One's own, the last one first."""
    found = await context.debugger.of(author.id)
    items = [shapes.DebugItem(id=s.id, script=s.script, updated_at=s.updated_at, closed=s.closed) for s in found]
    return shapes.DebugList(sessions=items)


@router.post("/import", status_code=201, responses=DONE)
async def taken(body: bodies.SharedFile, author: Developer, context: TheContext) -> shapes.DebugState:
    """A file that another debug session was kept in: it opens to the same state."""
    try:
        session = await context.debugger.take(body.file, author.id)
    except Refused as refused:
        raise _refused(refused) from None
    return state_of(context, author, session)


@router.get(ONE, responses=READ)
async def one(session: Debugged, author: Developer, context: TheContext) -> shapes.DebugState:
    """Where it stands."""
    return state_of(context, author, session)


@router.post(f"{ONE}/close", responses=DONE)
async def close(session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """It takes nothing more; its log stays."""
    await context.debugger.close(session)
    return state_of(context, author, session)


@router.delete(ONE, status_code=204, responses=READ)
async def remove(session: Alone, context: TheContext) -> Response:
    """It goes with all that was kept of it."""
    await context.debugger.remove(session)
    return Response(status_code=204)


@router.get(f"{ONE}/events", response_class=StreamingResponse, responses=READ)
async def follow(
    session: Debugged, request: Request, author: Developer, context: TheContext, address: Address
) -> StreamingResponse:
    """``changed`` with the state, now and after every change."""
    context.live.room(f"debug {author.id}", address)
    parts = _changes(context, author, session, f"debug {author.id}", address)
    return EventStream(while_signed_in(request, context, author.principal, parts, at_the_desk=False))


async def _changes(
    context: AppContext, author: Writer, session: DebugSession, whose: str, address: str
) -> AsyncIterator[bytes]:
    changed = asyncio.Event()
    changed.set()
    session.listeners.append(changed.set)
    told = -1
    try:
        with context.live.counted(whose, address):
            while not context.running.stopping.is_set():
                try:
                    async with asyncio.timeout(QUIET):
                        await changed.wait()
                except TimeoutError:
                    yield b": here\n\n"
                    continue
                changed.clear()
                if (found := state_of(context, author, session)).version != told or found.asking:
                    told = found.version
                    yield b"event: changed\ndata: " + found.model_dump_json().encode() + b"\n\n"
    finally:
        session.listeners.remove(changed.set)


# going


@router.post(f"{ONE}/go", responses=DONE)
async def go(body: bodies.GoRequest, session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """Run on, or step: over the next action, into what comes next, out of the topic, or to the next prompt."""
    await session.go(body.go)
    return state_of(context, author, session)


@router.post(f"{ONE}/to-here", responses=DONE)
async def to_here(body: bodies.ToHere, session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """Run on until this line is come to."""
    await session.to_here(body.file, body.line, body.project)
    return state_of(context, author, session)


@router.post(f"{ONE}/pause", responses=DONE)
async def pause(session: Debugged, author: Developer, context: TheContext) -> shapes.DebugState:
    """Hold at whatever comes next, while a model is being asked."""
    session.halt()
    return state_of(context, author, session)


@router.post(f"{ONE}/restart", responses=DONE)
async def restart(session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """From the beginning, on a branch of its own."""
    await session.back(None, because="restart")
    await session.start()
    return state_of(context, author, session)


@router.post(f"{ONE}/say", responses=DONE)
async def say(body: bodies.VisitorInput, session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """What the visitor does, by hand."""
    await session.send(input_of(session, body))
    return state_of(context, author, session)


def input_of(session: DebugSession, body: bodies.VisitorInput) -> Input:
    seen = session.last.state.messages if session.last is not None else 0
    match body.type:
        case "message":
            return Input("message", (Words(body.text, seen),), after=seen)
        case "choice":
            return Input("choice", choice=body.choice, after=seen)
        case "form_draft" | "form_submit" | "form_cancel":
            form = session.last.request.form if session.last is not None else None
            if form is None:
                raise Problem("debug-no-form")
            return Input(body.type, form=FormAnswers(form.key, body.form), after=seen)
        case _:
            return Input(body.type)


@router.post(f"{ONE}/forward", responses=DONE)
async def forward(body: bodies.Forward, session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """Time passes; timers that come due meanwhile strike."""
    await session.forward(timedelta(seconds=body.seconds))
    return state_of(context, author, session)


@router.post(f"{ONE}/visit", responses=DONE)
async def visit(
    body: bodies.VisitRequest, session: Alone, author: Developer, context: TheContext
) -> shapes.VisitedShape:
    """Let a conversation test, or a simulated visitor, do what the visitor does."""
    before = len(session.chain(session.branch.leaf))
    if body.test:
        cases = visitor_source.cases(body.test)
        if body.case >= len(cases):
            raise NotPossible("debug-no-test", str(body.case))
        await visitor_source.from_test(session, cases[body.case])
    else:
        await visitor_source.simulated(session, body.persona, body.moves, body.seed)
    made = len(session.chain(session.branch.leaf)) - before
    return shapes.VisitedShape(moves=made, state=state_of(context, author, session))


@router.put(f"{ONE}/answering", responses=DONE)
async def answering(
    body: bodies.AnswerSettings, session: Alone, author: Developer, context: TheContext
) -> shapes.DebugState:
    """Who answers from now on."""
    session.takes()
    session.head.answering = body
    await session.keep()
    return state_of(context, author, session)


@router.post(f"{ONE}/answer", responses=DONE)
async def typed(body: bodies.TypedAnswer, session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """What if the model had said this: the answer to a call of the turn under way, by hand."""
    await session.type(body.key, body.words)
    return state_of(context, author, session)


# looking


@router.put(f"{ONE}/breakpoints", responses=DONE)
async def breakpoints(
    body: bodies.Breakpoints, session: Debugged, author: Developer, context: TheContext
) -> shapes.DebugState:
    """All of them; ``placed`` in the state says where each holds."""
    session.head.breakpoints = list(body.breakpoints)
    known = {each.id for each in body.breakpoints}
    session.head.hits = {name: times for name, times in session.head.hits.items() if name in known}
    await session.keep()
    return state_of(context, author, session)


@router.put(f"{ONE}/watches", responses=DONE)
async def watches(
    body: bodies.WatchRequest, session: Debugged, author: Developer, context: TheContext
) -> shapes.DebugState:
    """The expressions that are shown at every stop."""
    session.head.watches = list(dict.fromkeys(body.watches))
    await session.keep()
    return state_of(context, author, session)


@router.get(f"{ONE}/outline", responses=READ)
async def outline(session: Debugged) -> shapes.Outline:
    """The nodes of the script, each with its lines."""
    return view.outline(session)


@router.get(f"{ONE}/awareness", responses=READ)
async def awareness(session: Debugged) -> shapes.WatchingList:
    """Which awareness scripts watch where the session stands, which do not, and why."""
    return view.watching(session)


@router.get(f"{ONE}/texts", responses=READ)
async def texts(session: Debugged) -> shapes.DebugTexts:
    """The files as the session has them now."""
    return shapes.DebugTexts(texts=parted(session.text.files)[0])


@router.get(f"{ONE}/variables", responses=READ)
async def variables(session: Debugged) -> shapes.VariableList:
    """All of them where the session stands: value, type, scope, evidence, and what became of each."""
    return view.variables(session)


@router.put(f"{ONE}/variables", responses=DONE)
async def set_variable(body: bodies.VariableValue, session: Alone) -> shapes.SetShape:
    """Write one by hand, by its own type and rules."""
    return shapes.SetShape(written=await session.set(body.name, body.value))


@router.post(f"{ONE}/evaluate", responses=DONE)
async def evaluate(body: bodies.EvaluateRequest, session: Debugged) -> shapes.Evaluation:
    """An expression of the script's own language, seen from where the session stands."""
    try:
        return view.evaluated(session, body.expression)
    except ExpressionError:
        raise Problem("debug-expression", about=body.expression[:80]) from None


@router.get(f"{ONE}/history", responses=READ)
async def history(session: Debugged, turn: int | None = None) -> shapes.EventList:
    """What happened, in order; of one turn, or all."""
    found = []
    for move in of_calls.moves_of(session):
        open_ = session.open is move
        heard = session.here().heard if open_ else session.done(move.number).heard
        seq = session.here().work.state.seq if open_ else session.turn(move.number).state.seq
        if turn is None or turn == seq:
            found += [
                shapes.EventShape(
                    turn=seq,
                    move=move.number,
                    number=number,
                    kind=event.kind,
                    action=event.action,
                    data=event.model_dump(mode="json", exclude={"kind", "action"}),
                )
                for number, event in heard
            ]
    return shapes.EventList(events=found[-2_000:])


@router.get(f"{ONE}/lineage/message/{{number}}", responses=READ)
async def descent(number: int, session: Debugged) -> shapes.DescentShape:
    """Where a sentence comes from: call, prompt, variables, and the person's words that prove them."""
    return view.descent(session, lineage.descent(session, number))


@router.get(f"{ONE}/lineage/variable/{{name}}", responses=READ)
async def readers(name: str, session: Debugged) -> shapes.ReaderList:
    """All that has read a variable, and what of the script would."""
    return view.readers(lineage.readers(session, name))


# snapshots and branches


@router.get(f"{ONE}/snapshots", responses=READ)
async def snapshot_list(session: Debugged) -> shapes.SnapshotList:
    """Before and behind every action of the present branch."""
    return shapes.SnapshotList(snapshots=[view.snapshot(each) for each in snapshots.snapshots(session)])


@router.get(f"{ONE}/snapshots/{{snapshot}}", responses=READ)
async def snapshot_open(snapshot: str, session: Debugged) -> shapes.OpenedSnapshot:
    """One snapshot, whole."""
    return view.opened(snapshots.opened(session, snapshot))


@router.post(f"{ONE}/named", responses=DONE)
async def name(body: bodies.NameRequest, session: Alone, author: Developer, context: TheContext) -> shapes.DebugState:
    """Give the place where it stands a name, by which it can be gone back to, days later and with another text."""
    await session.name(body.name)
    return state_of(context, author, session)


@router.post(f"{ONE}/back", responses=DONE)
async def back(body: bodies.Back, session: Alone, author: Developer, context: TheContext) -> shapes.BackShape:
    """Another branch that stands at an earlier place; the present one stays."""
    words: list[str] = []
    report: tuple[TransferredPart, ...] = ()
    try:
        if body.snapshot:
            named = next((each for each in session.head.named if each.name == body.snapshot), None)
            if named is not None:
                report = await session.restore(named)
            else:
                move, passed = snapshots.place(body.snapshot)
                await session.back(move, passed)
        elif body.message:
            _, given = await session.before_message(body.message)
            words = [each.text for each in given.words] if given is not None else []
        else:
            await session.back(body.move or None)
    except NotCarried as error:
        raise Problem("debug-not-carried", about=error.about, why=error.code) from None
    return shapes.BackShape(state=state_of(context, author, session), words=words, report=view.report(report))


@router.post(f"{ONE}/branch", responses=DONE)
async def branch(
    body: bodies.BranchRequest, session: Alone, author: Developer, context: TheContext
) -> shapes.DebugState:
    """To another branch, as it stands."""
    await session.switch(body.branch)
    return state_of(context, author, session)


@router.get(f"{ONE}/compare", responses=READ)
async def compare(one: str, other: str, session: Debugged) -> shapes.ComparisonShape:
    """Two branches beside each other."""
    if not {one, other} <= set(session.head.branches):
        raise Problem("debug-no-branch", about=f"{one}, {other}")
    return view.comparison(branch_diff.compare(session, one, other))


# another text


@router.post(f"{ONE}/text", responses=DONE)
async def edit(body: bodies.EditRequest, session: Alone, author: Developer, context: TheContext) -> shapes.EditOutcome:
    """Move the session to a changed text, on a branch of its own, and say what carries over and what does not.
    ``dry``: only say it."""
    text = await _text(context, session.text.files, body.texts, session.head.script)
    try:
        report = session.report(text)
        if not body.dry:
            session.takes()
            await context.debugger.keep_text(text)
            report = await session.edit(text)
    except NotCarried as error:
        raise Problem("debug-not-carried", about=error.about, why=error.code) from None
    return shapes.EditOutcome(report=view.report(report), state=state_of(context, author, session))


@router.post(f"{ONE}/save", responses=DONE)
async def save(body: bodies.SaveRequest, author: Developer, session: Alone, context: TheContext) -> shapes.SavedShape:
    """The texts as the session has them now, as a version of the project that they came from."""
    head, workbench = session.head, context.workbench
    if not head.base:
        raise Problem("read-only")
    try:
        await workbench.record(head.project, author, "script.write")
        changes = session.text.since((await workbench.texts(head.project, head.base))[1])
        found = await workbench.save(head.project, head.base, changes, {}, author, body.note)
    except Moved as moved:
        raise conflict(moved) from None
    except Packaged as packaged:
        raise Problem("package-text", path=str(packaged)) from None
    except (NoSuchProject, ReadOnly):
        raise Problem("not-found") from None
    except NotYours:
        raise Problem("not-allowed") from None
    head.base = found.number
    await session.keep()
    return shapes.SavedShape(version=found.number, files=sorted(changes))


@router.post(f"{ONE}/play", responses=DONE)
async def play(body: bodies.PlayRequest, session: Alone, context: TheContext) -> shapes.ComparisonShape:
    """A branch's inputs again, from the beginning, with the present or a changed text; what differs is told."""
    session.takes()
    was = body.branch or session.head.branch
    if was not in session.head.branches:
        raise Problem("debug-no-branch", about=was)
    text = await _text(context, session.text.files, body.texts, session.head.script)
    await context.debugger.keep_text(text)
    session.head.answering = session.head.answering.model_copy(update={"misfit": body.misfit})
    await session.play(session.head.branches[was].leaf, text)
    return view.comparison(branch_diff.compare(session, was, session.head.branch))


# prompts


@router.get(f"{ONE}/calls", responses=READ)
async def calls(session: Debugged, turn: int | None = None) -> shapes.CallList:
    """The model calls of the branch, or of one turn, with their prompts in layers."""
    found = []
    for move in of_calls.moves_of(session):
        seq = session.here().work.state.seq if session.open is move else session.turn(move.number).state.seq
        if turn in (None, seq):
            found += [view.call(each) for each in of_calls.calls(session, move)]
    return shapes.CallList(calls=found[-300:])


def _call(session: DebugSession, move: int, key: str) -> of_calls.Call:
    found = of_calls.call(session, session.moves[move], key) if move in session.moves else None
    if found is None:
        raise Problem("debug-no-call", about=key)
    return found


def _action_of(session: DebugSession, call: of_calls.Call) -> Any:
    """Where the action that asked is written, as far as the call's own place says it."""
    move = session.moves[call.move]
    reached = session.reach(move) if session.open is not move else session.here()
    before = [event.action for number, event in reached.markers if number <= call.at and event.edge == "before"]
    state = session.session_state(move.parent, move.text).state
    running = state.running.action.id if state.running and state.running.action else ""
    name = before[-1] if before else running
    text = session.texts[move.text]
    return next((s for s in text.spots if s.kind == "action" and s.id == name), None)


@router.get(f"{ONE}/calls/{{move}}/{{key}}", responses=READ)
async def open_call(move: int, key: str, session: Debugged) -> shapes.OpenedCall:
    """One call, with the texts of its action and its template, as they can be edited and written back."""
    found = _call(session, move, key)
    spot = _action_of(session, found)
    text = session.texts[session.moves[move].text]
    own = spot is not None and spot.project == text.home.id and spot.file in text.files
    path, words = prompt_trials.template_file(text, found)
    return shapes.OpenedCall(
        call=view.call(found),
        action=spot.id if spot is not None else "",
        at=view.at(spot),
        fields=prompt_trials.fields(text, spot) if own else {},
        template_file=path,
        template_text=words,
    )


@router.post(f"{ONE}/calls/{{move}}/{{key}}/run", responses=DONE)
async def run_call(
    move: int, key: str, body: bodies.AskRequest, session: Debugged, context: TheContext
) -> shapes.RunList:
    """Ask the call's prompt, as it was or edited, of models beside each other. The session does not change."""
    found = _call(session, move, key)
    text = await _text(context, session.text.files, body.texts, session.head.script) if body.texts else None
    prompt = prompt_trials.edited(found, body.layers, text)
    ran = await prompt_trials.ran(session, found, prompt, _models(context.debugger.model, body.models), body.times)
    runs = [shapes.RunShape(**{name: getattr(each, name) for name in shapes.RunShape.model_fields}) for each in ran]
    layers = [shapes.LayerShape(role=m.role, text=m.text, inserted=[]) for m in prompt.messages]
    return shapes.RunList(layers=layers, runs=runs)


def _models(model: Model, wanted: list[str]) -> dict[str, Model]:
    if not model.configured:
        raise Problem("debug-no-model", about="-")
    unknown = [each for each in wanted if each not in model.providers]
    if unknown:
        raise Problem("debug-no-model", about=unknown[0])
    return {name: model.alone(name) for name in wanted or model.providers[:1]}


@router.post(f"{ONE}/calls/{{move}}/{{key}}/accept", responses=DONE)
async def accept(move: int, key: str, body: bodies.AcceptRequest, session: Debugged) -> shapes.AcceptedShape:
    """What was tried, as a splice of the script or a template of the project. Nothing is written here: edit and go on
    with it, or save it."""
    found = _call(session, move, key)
    try:
        if body.template:
            written = prompt_trials.template_of(session.text, body.template, body.words)
        else:
            spot = _action_of(session, found)
            if spot is None:
                raise NotPossible("debug-not-here", key)
            written = prompt_trials.accepted(session.text, spot, body.field, body.words)
    except CannotEdit as error:
        raise Problem("debug-cannot-edit", zh=error.why.zh, en=error.why.en) from None
    splices = [shapes.SpliceShape(start=s.start, end=s.end, text=s.text) for s in written.splices]
    return shapes.AcceptedShape(file=written.file, text=written.text, splices=splices)


# awareness, and taking away


@router.post(f"{ONE}/try", responses=DONE)
async def try_(body: bodies.TryRequest, session: Alone) -> shapes.TrialList:
    """What awareness would make of sentences said now: verdicts, why, what would be ordered. Nothing changes."""
    found = []
    for words in body.sentences:
        each = await trials.tried(session, words, body.awareness)
        found.append(
            shapes.TrialShape(
                words=each.words,
                found=[
                    shapes.FoundShape(**{n: getattr(f, n) for n in shapes.FoundShape.model_fields}) for f in each.found
                ],
                directives=[dict(one) for one in each.directives],
                unasked={why: list(names) for why, names in each.unasked.items()},
                said=list(each.said),
            )
        )
    return shapes.TrialList(trials=found)


@router.post(f"{ONE}/test", responses=DONE)
async def test(body: bodies.ExportRequest, session: Alone) -> shapes.ExportedShape:
    """The branch as a conversation test, run once to see whether it holds."""
    found = await asyncio.to_thread(branch_to_test.exported, session, body.name)
    return shapes.ExportedShape(
        yaml=found.yaml, passes=found.passes, problems=list(found.problems), left_out=list(found.left_out)
    )


@router.get(f"{ONE}/file", response_class=JSONResponse, responses={200: {"content": {"application/json": {}}}, **READ})
async def file(session: Debugged, context: TheContext) -> JSONResponse:
    """All of it as one file, for ``import`` on another machine."""
    name = f"attachment; filename=debug-{session.head.id[:8]}.json"
    return JSONResponse(well_formed(context.debugger.shared(session)), headers={"Content-Disposition": name})


# real people


@router.get("/recorded/{session}", responses=READ)
async def recorded(record: Read, who: Reader, context: TheContext) -> shapes.RecordedSession:
    """What a real person's session went through, to be read and nothing else: numbers and addresses covered, values not
    shown, and put on record."""
    now = context.sessions.clock.now()
    await context.sessions.store.audit.note(AuditRecord(who.id, who.role, record.id, "read", now))
    store = context.sessions.store
    said = [rendering.message(each) for each in await store.messages(record.id, limit=EVERYTHING)]
    covered = [each.model_copy(update={"content": veiled(each.content), "name": None, "media": []}) for each in said]
    variables = await store.variables(record.id)
    markers = await store.events(record.id, ("marker",), limit=2_000)
    path = [f"{each.turn} {each.data['edge']} {each.data['topic']}/{each.action}" for each in markers]
    names = sorted({f"{each.scope}.{each.name}" for each in variables})
    return shapes.RecordedSession(session=record.id, script=record.script, messages=covered, variables=names, path=path)


__all__ = ["EVENT_STREAM", "router"]
