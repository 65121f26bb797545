"""One editor's debugging of one script. Lines and columns count as the client says; the debug console is the
conversation, and evaluates expressions that begin with ``=``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from pydantic import ValidationError

from heartrule.debugger import calls, inspection, lineage
from heartrule.debugger.answers import AnswerPolicy
from heartrule.debugger.breakpoints import Breakpoint, placed
from heartrule.debugger.dap import filters
from heartrule.debugger.dap.projects import OpenedProject, Unopened, opened
from heartrule.debugger.dap.wordings import WORDS, reason
from heartrule.debugger.service import Debugger, NoSuchDebugSession
from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.snapshots import snapshots
from heartrule.debugger.state_transfer import NotCarried
from heartrule.debugger.stepping import Go
from heartrule.debugger.texts import Spot
from heartrule.engine.session.io import Input, Message, Words
from heartrule.language.expressions import ExpressionError
from heartrule.language.findings import Refused
from heartrule.language.projects.library import library_root

THREAD = 1
KEPT = 4_000
"""Numbers that a client may ask variables by."""
CAPABILITIES: dict[str, Any] = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsDataBreakpoints": True,
    "supportsFunctionBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSetVariable": True,
    "supportsRestartRequest": True,
    "supportsGotoTargetsRequest": True,
    "supportsTerminateRequest": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsExceptionFilterOptions": True,
    "supportsExceptionInfoRequest": True,
    "exceptionBreakpointFilters": filters.shown(),
}
Send = Callable[[dict[str, Any]], None]
Answer = Mapping[str, Any] | None


class Failed(Exception):
    """A request that cannot be done; the text is for the author."""


@dataclass(slots=True)
class Reference:
    """What a number stands for that a client asks variables by: a scope, or a value with parts."""

    kind: str
    scope: str = ""
    key: str = ""
    value: Any = field(default=None, repr=False)


class Adapter:
    def __init__(self, debugger: Debugger, who: str, send: Send) -> None:
        self._debugger, self._who, self._send = debugger, who, send
        self._session: DebugSession | None = None
        self._opened: OpenedProject | None = None
        self._references: dict[int, Reference] = {}
        self._referred = 0
        self._points: dict[str, list[Breakpoint]] = {}
        self._filters: list[Breakpoint] = []
        self._data: list[Breakpoint] = []
        self._named: list[Breakpoint] = []
        self._seq = 0
        self._shown: tuple[str, int] = ("", 0)
        self._logged = 0
        self._arguments: Mapping[str, Any] = {}
        self._line, self._column = 1, 1
        self._begin = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.over = asyncio.Event()

    async def take(self, message: Mapping[str, Any]) -> None:
        """One request of the client's; its answer, and whatever events follow."""
        if message.get("type") != "request":
            return
        command, arguments = str(message.get("command", "")), message.get("arguments") or {}
        then: Callable[[], Awaitable[None]] | None = None
        try:
            do = _REQUESTS.get(command)
            if do is None:
                raise Failed(f"unknown request {command}")
            found = await do(self, arguments)
            body, then = found if isinstance(found, tuple) else (found, None)
        except (Failed, NotPossible, ExpressionError, Unopened) as error:
            self._respond(message, success=False, message=str(error))
            return
        except Refused as refused:
            lines = [f"{each.file}:{each.line}: {each.code} {each.message}" for each in refused.findings]
            self._respond(message, success=False, message="\n".join(lines))
            return
        self._respond(message, body=body or {})
        if then is not None:
            task = asyncio.ensure_future(self._after(then))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _respond(self, request: Mapping[str, Any], *, success: bool = True, **more: Any) -> None:
        self._seq += 1
        head = {"seq": self._seq, "type": "response", "request_seq": request.get("seq", 0)}
        self._send({**head, "success": success, "command": request.get("command", ""), **more})

    def _event(self, event: str, **body: Any) -> None:
        self._seq += 1
        self._send({"seq": self._seq, "type": "event", "event": event, "body": body})

    async def _after(self, then: Callable[[], Awaitable[None]]) -> None:
        try:
            await then()
        except NotPossible as error:
            self._event("output", category="stderr", output=f"{reason(error.code)}\n")
            self._stopped()

    # beginning and ending

    async def initialize(self, arguments: Mapping[str, Any]) -> Any:
        self._line = 1 if arguments.get("linesStartAt1", True) else 0
        self._column = 1 if arguments.get("columnsStartAt1", True) else 0
        return dict(CAPABILITIES)

    async def launch(self, arguments: Mapping[str, Any]) -> Any:
        program = arguments.get("program")
        if not isinstance(program, str) or not program:
            raise Failed(WORDS["program"])
        self._opened = opened(Path(program.partition("#")[0]))
        wanted = program.partition("#")[2] or str(arguments.get("script", ""))
        text = self._debugger.text(self._opened.texts, wanted or self._opened.only(program), arguments.get("locale"))
        by = arguments.get("answers", "none")
        table = arguments.get("table") or {}
        answering = AnswerPolicy.model_validate({"by": by, "table": table})
        values = arguments.get("variables") or {}
        go: Go = "into" if arguments.get("stopOnEntry") else "run"
        self._session = await self._debugger.create(text, self._who, values=values, answering=answering, go=go)
        self._arguments = arguments
        return {}, self._started

    async def attach(self, arguments: Mapping[str, Any]) -> Any:
        """To a debug session of the same data folder, by its id: as it stands."""
        try:
            self._session = await self._debugger.session(str(arguments.get("session", "")), self._who)
        except NoSuchDebugSession:
            raise Failed(WORDS["no_session"]) from None
        program = arguments.get("program")
        self._opened = (
            opened(Path(str(program).partition("#")[0])) if program else OpenedProject.nowhere(self._session.text)
        )
        return {}, self._started

    async def _started(self) -> None:
        """Only when the client has said all its breakpoints, which it can once the text is known."""
        self._event("initialized")
        await self._begin.wait()
        session = self._held
        session.head.breakpoints = self._all()
        async with session.lock:
            if session.branch.leaf is None and session.open is None:
                await session.start()
        self._stopped(entry=True)

    async def configuration_done(self, arguments: Mapping[str, Any]) -> Answer:
        self._begin.set()
        return {}

    async def restart(self, arguments: Mapping[str, Any]) -> Any:
        """From the beginning, with the text as it is on disk now."""
        session = self._held

        async def again() -> None:
            async with session.lock:
                if self._opened is not None and self._opened.file is not None:
                    self._opened = opened(self._opened.file)
                    text = self._debugger.text(self._opened.texts, session.head.script)
                    await self._debugger.keep_text(text)
                    session.texts[text.hash] = text
                    session.head.text = text.hash
                await session.back(None, because="restart")
                await session.start()
            self._stopped()

        return {}, again

    async def reload(self, arguments: Mapping[str, Any]) -> Any:
        """Edit and go on: the session moves to the text as it is on disk now. (A request of our own.)"""
        session = self._held
        if self._opened is None or self._opened.file is None:
            raise Failed(WORDS["program"])
        self._opened = opened(self._opened.file)
        text = self._debugger.text(self._opened.texts, session.head.script)
        try:
            async with session.lock:
                await self._debugger.keep_text(text)
                report = await session.edit(text)
        except NotCarried as error:
            raise Failed(f"{reason('debug-not-carried')}: {error}") from None

        async def told() -> None:
            self._stopped()

        return {"report": [each.plain() for each in report]}, told

    async def which(self, arguments: Mapping[str, Any]) -> Answer:
        """The id by which the session can be attached to later. (A request of our own.)"""
        return {"id": self._held.head.id}

    async def disconnect(self, arguments: Mapping[str, Any]) -> Any:
        async def gone() -> None:
            self._event("terminated")
            self.over.set()

        if self._session is not None and arguments.get("terminateDebuggee", True):
            await self._debugger.close(self._session)
        return {}, gone

    # breakpoints

    def _all(self) -> list[Breakpoint]:
        own = [each for points in self._points.values() for each in points]
        return [*own, *self._filters, *self._data, *self._named]

    def _apply(self) -> None:
        if self._session is not None:
            self._session.head.breakpoints = self._all()

    async def set_breakpoints(self, arguments: Mapping[str, Any]) -> Answer:
        path = str((arguments.get("source") or {}).get("path", ""))
        found, told = [], []
        for number, each in enumerate(arguments.get("breakpoints") or ()):
            line = int(each["line"]) + (1 - self._line)
            made = self._point(path, number, line, each)
            found.append(made)
            spot = placed(made, self._session.text) if self._session is not None else None
            at, verified = (spot.line, spot.verified) if spot is not None else (line, True)
            told.append(self._placed(made, at or line, verified))
        self._points[path] = found
        self._apply()
        return {"breakpoints": told}

    def _point(self, path: str, number: int, line: int, given: Mapping[str, Any]) -> Breakpoint:
        project, file = self._inside(path)
        hits = str(given.get("hitCondition") or "").strip().removeprefix(">=").strip()
        try:
            return Breakpoint(
                id=f"line-{crc32(path.encode())}-{number}",
                on="line",
                file=file,
                project=project,
                line=line,
                condition=str(given.get("condition") or ""),
                hits=int(hits) if hits.isdigit() else 0,
                log=str(given.get("logMessage") or ""),
            )
        except ValueError as error:
            raise Failed(str(error)) from None

    def _inside(self, path: str) -> tuple[str, str]:
        """The project (empty: the session's own) and the file in it that a path on disk is."""
        given, folder = Path(path).resolve(), self._opened.folder if self._opened is not None else None
        if folder is not None and given.is_relative_to(folder):
            return "", given.relative_to(folder).as_posix()
        shipped = library_root().resolve()
        if given.is_relative_to(shipped) and len(parts := given.relative_to(shipped).parts) > 1:
            return parts[0], "/".join(parts[1:])
        return "", given.name

    def _placed(self, each: Breakpoint, line: int, verified: bool) -> dict[str, Any]:
        shown = {"id": crc32(each.id.encode()) >> 1, "verified": verified}
        if line:
            shown["line"] = line - (1 - self._line)
        if not verified:
            return {**shown, "message": WORDS["no_action"]}
        return shown

    async def set_exception_breakpoints(self, arguments: Mapping[str, Any]) -> Answer:
        """What can be no breakpoint is told as one that is not verified, and why."""
        self._filters, told = [], []
        for number, (name, condition) in enumerate(filters.wanted(arguments)):
            try:
                made = filters.point(number, name, condition)
            except ValueError as error:
                told.append({"verified": False, "message": _why(error)})
                continue
            self._filters.append(made)
            told.append(self._placed(made, 0, True))
        self._apply()
        return {"breakpoints": told}

    async def set_function_breakpoints(self, arguments: Mapping[str, Any]) -> Answer:
        """By name: of an action, topic, phase or technique."""
        self._named, told = [], []
        for number, each in enumerate(arguments.get("breakpoints") or ()):
            name = str(each.get("name", ""))
            spots = self._session.text.spots if self._session is not None else ()
            kind = next((spot.kind for spot in spots if name in (spot.id, spot.name) and spot.kind in _KINDS), "action")
            made = Breakpoint(
                id=f"name-{number}", on=kind, name=name, condition=str(each.get("condition") or "")
            )  # fmt: skip
            self._named.append(made)
            told.append(self._placed(made, 0, True))
        self._apply()
        return {"breakpoints": told}

    async def data_breakpoint_info(self, arguments: Mapping[str, Any]) -> Answer:
        name = str(arguments.get("name", ""))
        return {"dataId": name, "description": f"{name} ←", "accessTypes": ["write"], "canPersist": True}

    async def set_data_breakpoints(self, arguments: Mapping[str, Any]) -> Answer:
        self._data = [
            Breakpoint(
                id=f"data-{number}",
                on="variable",
                name=str(each["dataId"]),
                condition=str(each.get("condition") or ""),
                hits=int(each["hitCondition"]) if str(each.get("hitCondition") or "").isdigit() else 0,
            )
            for number, each in enumerate(arguments.get("breakpoints") or ())
        ]
        self._apply()
        return {"breakpoints": [self._placed(each, 0, True) for each in self._data]}

    async def breakpoint_locations(self, arguments: Mapping[str, Any]) -> Answer:
        project, file = self._inside(str((arguments.get("source") or {}).get("path", "")))
        first = int(arguments.get("line", 1)) + (1 - self._line)
        last = int(arguments.get("endLine", arguments.get("line", 1))) + (1 - self._line)
        spots = self._held.text.spots
        own = project or self._held.text.home.id
        lines = {s.line for s in spots if s.kind == "action" and (s.project, s.file) == (own, file)}
        return {"breakpoints": [{"line": line - (1 - self._line)} for line in sorted(lines) if first <= line <= last]}

    # where it stands

    @property
    def _held(self) -> DebugSession:
        if self._session is None:
            raise Failed(WORDS["not_begun"])
        return self._session

    async def threads(self, arguments: Mapping[str, Any]) -> Answer:
        name = self._session.head.name if self._session is not None else "HeartRule"
        return {"threads": [{"id": THREAD, "name": name}]}

    async def stack_trace(self, arguments: Mapping[str, Any]) -> Answer:
        session = self._held
        found = []
        for number, each in enumerate(inspection.frames(session.text, session.here().work)):
            name = f"{each.kind}: {each.id}"
            if each.round is not None and each.kind == "action" and each.round:
                name += f" · {each.round}{f'/{each.max_rounds}' if each.max_rounds else ''}"
            shown: dict[str, Any] = {"id": number + 1, "name": name, "line": 0, "column": 0}
            if each.spot is not None:
                shown |= self._source(each.spot)
            found.append(shown)
        first = int(arguments.get("startFrame") or 0)
        count = int(arguments.get("levels") or 0) or len(found)
        return {"stackFrames": found[first : first + count], "totalFrames": len(found)}

    def _source(self, spot: Spot) -> dict[str, Any]:
        folder = self._opened.folder if self._opened is not None else None
        if spot.project != self._held.text.home.id:
            folder = library_root() / spot.project
        path = str(folder / spot.file) if folder is not None else spot.file
        source = {"name": Path(spot.file).name, "path": path}
        return {"source": source, "line": spot.line - (1 - self._line), "column": spot.column - (1 - self._column)}

    async def scopes(self, arguments: Mapping[str, Any]) -> Answer:
        work = self._held.here().work
        found = []
        for where in work.chain():
            reference = self._refer(Reference("scope", where[0], where[1]))
            found.append(
                {"name": f"{where[0]} {where[1]}".strip(), "variablesReference": reference, "expensive": False}
            )
        return {"scopes": found}

    def _refer(self, reference: Reference) -> int:
        """A number that stands for nothing else afterwards; the oldest are forgotten."""
        self._referred += 1
        self._references[self._referred] = reference
        self._references.pop(self._referred - KEPT, None)
        return self._referred

    def _reference(self, number: Any) -> Reference:
        found = self._references.get(number) if isinstance(number, int) else None
        if found is None:
            raise Failed(WORDS["gone"])
        return found

    async def variables(self, arguments: Mapping[str, Any]) -> Answer:
        of = self._reference(arguments.get("variablesReference"))
        if of.kind == "value":
            parts = of.value.items() if isinstance(of.value, dict) else enumerate(of.value)
            return {"variables": [self._variable(str(name), part) for name, part in parts]}
        cell = self._held.here().work.variables.cells.get((of.scope, of.key), {})
        return {"variables": [self._variable(name, value.value, value.type) for name, value in sorted(cell.items())]}

    def _variable(self, name: str, value: Any, type_: str = "") -> dict[str, Any]:
        reference = self._refer(Reference("value", value=value)) if isinstance(value, dict | list) and value else 0
        return {
            "name": name,
            "value": _said(value),
            "type": type_,
            "variablesReference": reference,
            "evaluateName": name,
        }

    async def set_variable(self, arguments: Mapping[str, Any]) -> Answer:
        of = self._reference(arguments.get("variablesReference"))
        if of.kind != "scope":
            raise Failed(WORDS["whole"])
        name, value = str(arguments.get("name", "")), _meant(str(arguments.get("value", "")))
        async with self._held.lock:
            if not await self._held.set(f"{of.scope}.{name}", value):
                raise Failed(WORDS["refused"])
        return {"value": _said(value), "variablesReference": 0}

    async def evaluate(self, arguments: Mapping[str, Any]) -> Any:
        """In the console: what the visitor says, or behind ``=`` an expression. Elsewhere: an expression."""
        session, text = self._held, str(arguments.get("expression", ""))
        if arguments.get("context") == "repl" and not text.startswith("="):
            return await self._say(session, text)
        value = inspection.evaluate(session.here().work, text.removeprefix("=").strip())
        shown = inspection.shown(value)
        reference = self._refer(Reference("value", value=shown)) if isinstance(shown, dict | list) and shown else 0
        return {"result": _said(shown), "variablesReference": reference}

    async def _say(self, session: DebugSession, text: str) -> Any:
        last = session.last
        if session.open is not None:
            raise Failed(WORDS["held"])
        seen = last.state.messages if last is not None else 0
        choices = last.request.choices if last is not None else ()
        chosen = next((each.value for each in choices if text.strip() in (each.value, each.label)), None)
        given = Input("message", (Words(text, seen),), after=seen)
        if chosen is not None:
            given = Input("choice", choice=chosen, after=seen)
        self._event("continued", threadId=THREAD, allThreadsContinued=True)

        async def sent() -> None:
            async with session.lock:
                await session.send(given)
            self._stopped()

        return {"result": "", "variablesReference": 0}, sent

    # going

    def _going(self, go: Go) -> Callable[[Mapping[str, Any]], Awaitable[Any]]:
        async def request(arguments: Mapping[str, Any]) -> Any:
            session = self._held

            async def gone() -> None:
                async with session.lock:
                    await session.go(go)
                self._stopped(step=go != "run")

            return {"allThreadsContinued": True}, gone

        return request

    async def continue_(self, arguments: Mapping[str, Any]) -> Any:
        return await self._going("run")(arguments)

    async def next(self, arguments: Mapping[str, Any]) -> Any:
        return await self._going("over")(arguments)

    async def step_in(self, arguments: Mapping[str, Any]) -> Any:
        return await self._going("into")(arguments)

    async def step_out(self, arguments: Mapping[str, Any]) -> Any:
        return await self._going("out")(arguments)

    async def pause(self, arguments: Mapping[str, Any]) -> Answer:
        self._held.halt()
        return {}

    async def step_back(self, arguments: Mapping[str, Any]) -> Any:
        """To the snapshot before this place, on a branch of its own."""
        session = self._held

        async def back() -> None:
            async with session.lock:
                open_, passed = session.open, session.branch.passed
                known = [
                    each
                    for each in snapshots(session)
                    if each.kind == "before" and (open_ is None or each.move != open_.number or each.passed < passed)
                ]
                if known:
                    await session.back(known[-1].move, known[-1].passed)
                else:
                    await session.back(None)
            self._stopped(step=True)

        return {}, back

    async def reverse_continue(self, arguments: Mapping[str, Any]) -> Any:
        """To the beginning of the last turn."""
        session = self._held

        async def back() -> None:
            async with session.lock:
                leaf = session.branch.leaf
                await session.back(session.moves[leaf].parent if leaf is not None and session.open is None else leaf)
            self._stopped(step=True)

        return {}, back

    async def goto_targets(self, arguments: Mapping[str, Any]) -> Answer:
        project, file = self._inside(str((arguments.get("source") or {}).get("path", "")))
        line = int(arguments.get("line", 1)) + (1 - self._line)
        spot = self._held.text.at(file, line, project)
        if spot is None:
            return {"targets": []}
        return {"targets": [{"id": spot.line, "label": f"{spot.id}", "line": spot.line - (1 - self._line)}]}

    async def goto(self, arguments: Mapping[str, Any]) -> Any:
        """Run to here."""
        session, line = self._held, int(arguments.get("targetId", 0))
        spot = next((each for each in session.text.spots if each.kind == "action" and each.line == line), None)
        if spot is None:
            raise Failed(WORDS["no_action"])

        async def gone() -> None:
            async with session.lock:
                await session.to_here(spot.file, spot.line, spot.project)
            self._stopped(step=True)

        return {}, gone

    async def exception_info(self, arguments: Mapping[str, Any]) -> Answer:
        """What it is held at: the event, or the templates of the prompts that are about to be asked."""
        why, here = self._held.branch.why, self._held.here()
        event = next((e for n, e in here.heard if n == self._held.branch.passed), None)
        told = event.model_dump(mode="json") if event is not None else {}
        if why.get("kind") == "call":
            told = {"kind": "prompt", "templates": [each.template for each in here.tasks]}
        return {"exceptionId": str(why.get("on", "")), "breakMode": "always", "description": _said(told)}

    # requests of our own

    async def prompts(self, arguments: Mapping[str, Any]) -> Answer:
        """The calls of the open or the last turn, with their prompts."""
        session = self._held
        moves = calls.moves_of(session)
        found = calls.calls(session, moves[-1]) if moves else ()
        return {
            "calls": [
                {
                    "key": each.task.key,
                    "template": each.task.template,
                    "layers": [{"role": layer.role, "text": layer.text} for layer in each.layers],
                    "answer": each.given.answer.data if each.given is not None else None,
                }
                for each in found
            ]
        }

    async def lineage(self, arguments: Mapping[str, Any]) -> Answer:
        """What has read a variable."""
        found = lineage.readers(self._held, str(arguments.get("name", "")))
        return {"readers": [{"kind": each.kind, "turn": each.turn, "what": each.what} for each in found]}

    # telling

    def _stopped(self, *, entry: bool = False, step: bool = False) -> None:
        """What was said since is told in the console, and where it stands now."""
        session = self._held
        self._tell(session.messages())
        log = session.head.log
        for each in log[self._logged :] if len(log) >= self._logged else log:
            self._event("output", category="console", output=f"{each['text']}\n")
        self._logged = len(log)
        last = session.last
        if session.open is None and last is not None and last.state.ended:
            self._event("terminated")
            return
        if session.open is None:
            self._event("stopped", reason="pause", description=WORDS["waits"], threadId=THREAD, allThreadsStopped=True)
            return
        why = session.branch.why
        found = self._reason(why) if why.get("kind") == "breakpoint" else "step"
        if why.get("kind") == "call":
            found = "exception" if why.get("on") else "step"
        if entry and found == "step":
            found = "entry"
        self._event(
            "stopped", reason=found, description=str(why.get("event", "")), threadId=THREAD, allThreadsStopped=True
        )

    def _reason(self, why: Mapping[str, Any]) -> str:
        """As clients call it: by whichever of its own lists the breakpoint came from."""
        met = {str(each) for each in why.get("breakpoints", ())}
        if not met.isdisjoint(each.id for each in self._filters):
            return "exception"
        return "data breakpoint" if not met.isdisjoint(each.id for each in self._data) else "breakpoint"

    def _tell(self, messages: list[Message]) -> None:
        branch, told = self._shown
        present = self._held.head.branch
        known = told if branch == present else min(told, len(messages))
        for each in messages[known:]:
            if each.sender != "person":
                self._event("output", category="stdout", output=f"{each.text}\n")
        self._shown = (present, len(messages))


_KINDS = ("action", "topic", "phase", "technique")
_REQUESTS: Mapping[str, Callable[[Adapter, Mapping[str, Any]], Awaitable[Any]]] = {
    "initialize": Adapter.initialize,
    "launch": Adapter.launch,
    "attach": Adapter.attach,
    "configurationDone": Adapter.configuration_done,
    "restart": Adapter.restart,
    "disconnect": Adapter.disconnect,
    "terminate": Adapter.disconnect,
    "setBreakpoints": Adapter.set_breakpoints,
    "setExceptionBreakpoints": Adapter.set_exception_breakpoints,
    "setFunctionBreakpoints": Adapter.set_function_breakpoints,
    "dataBreakpointInfo": Adapter.data_breakpoint_info,
    "setDataBreakpoints": Adapter.set_data_breakpoints,
    "breakpointLocations": Adapter.breakpoint_locations,
    "threads": Adapter.threads,
    "stackTrace": Adapter.stack_trace,
    "scopes": Adapter.scopes,
    "variables": Adapter.variables,
    "setVariable": Adapter.set_variable,
    "evaluate": Adapter.evaluate,
    "continue": Adapter.continue_,
    "next": Adapter.next,
    "stepIn": Adapter.step_in,
    "stepOut": Adapter.step_out,
    "stepBack": Adapter.step_back,
    "reverseContinue": Adapter.reverse_continue,
    "pause": Adapter.pause,
    "gotoTargets": Adapter.goto_targets,
    "goto": Adapter.goto,
    "exceptionInfo": Adapter.exception_info,
    "heartrule/session": Adapter.which,
    "heartrule/reload": Adapter.reload,
    "heartrule/prompts": Adapter.prompts,
    "heartrule/lineage": Adapter.lineage,
}


def _why(error: ValueError) -> str:
    """The first thing that is wrong, without where it stood in a model of ours."""
    if isinstance(error, ValidationError):
        return str(error.errors()[0]["msg"])
    return str(error)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _meant(text: str) -> Any:
    """What somebody has typed as a value: JSON where it is that, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
