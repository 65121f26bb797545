"""Where a debug session is to be held: at places of the script, and when something happens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from heartrule.debugger import inspection
from heartrule.debugger.texts import Spot, Text
from heartrule.engine.session.events import (
    DirectiveApplied,
    Event,
    ExitDecided,
    Fault,
    Marker,
    Noticed,
    PhaseChanged,
    RoundInfo,
    TopicChanged,
    VariableOperation,
)
from heartrule.engine.session.tasks import Task
from heartrule.engine.work import Work
from heartrule.language.expressions import ExpressionError, parse
from heartrule.language.expressions.values import truth

On = Literal[
    "line",
    "action",
    "topic",
    "phase",
    "round",
    "technique",
    "return",
    "variable",
    "directive",
    "verdict",
    "fault",
    "exit",
    "prompt",
]
Short = Annotated[str, Field(max_length=400)]
_BRACED = re.compile(r"\{([^{}]+)\}")


class Breakpoint(BaseModel):
    """``on``: what it waits for. Of a line: ``file`` and ``line`` (and ``project``, where it is not the session's own);
    of an action, topic, phase, technique, variable, directive, awareness script (or priority), exit source or
    template: ``name`` (empty: any). ``edge``: before an action or behind it. ``condition``: an expression of the
    script's own language. ``hits``: it holds from that time on. ``log``: instead of holding, this is said;
    ``{expression}`` in it is evaluated. ``once``: it goes when the session is held."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
    on: On
    name: Short = ""
    project: Short = ""
    file: Short = ""
    line: Annotated[int, Field(ge=0, le=10**6)] = 0
    edge: Literal["before", "after"] = "before"
    condition: Short = ""
    hits: Annotated[int, Field(ge=0, le=10**6)] = 0
    log: Short = ""
    enabled: bool = True
    once: bool = False

    @field_validator("condition")
    @classmethod
    def _an_expression(cls, value: str) -> str:
        if value.strip():
            try:
                parse(value)
            except ExpressionError as error:
                raise ValueError(f"not an expression: {error}") from None
        return value.strip()


class PlacedBreakpoint(BaseModel):
    """A breakpoint as it stands in the present text: ``verified``: something is there; ``line``: where it holds."""

    id: str
    verified: bool
    line: int = 0
    message: str = ""


def placed(each: Breakpoint, text: Text) -> PlacedBreakpoint:
    if each.on == "line":
        spot = text.at(each.file, each.line, each.project)
        if spot is None:
            return PlacedBreakpoint(id=each.id, verified=False, message="no action on this line or below it")
        return PlacedBreakpoint(id=each.id, verified=True, line=spot.line)
    if each.on in ("action", "topic", "phase", "technique") and each.name:
        spot = next((s for s in text.spots if s.kind == each.on and each.name in (s.id, s.name)), None)
        if spot is None:
            return PlacedBreakpoint(id=each.id, verified=False, message=f"no {each.on} {each.name}")
        return PlacedBreakpoint(id=each.id, verified=True, line=spot.line)
    return PlacedBreakpoint(id=each.id, verified=True)


def meets(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    """Whether ``event`` is what the breakpoint waits for, its condition apart."""
    known = _MEETS.get(each.on)
    return known is not None and known(each, text, work, event)


def _named(each: Breakpoint, *names: str | None) -> bool:
    return not each.name or each.name in names


def _line(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    if not isinstance(event, Marker) or event.edge != each.edge:
        return False
    wanted, here = text.at(each.file, each.line, each.project), _here(text, work, event)
    return wanted is not None and wanted == here


def _here(text: Text, work: Work, event: Marker) -> Spot | None:
    for frame in work.state.frames:
        if frame.key == event.topic_key and frame.action is not None:
            return inspection.spot_of(text, frame)
    return None


def _action(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    return isinstance(event, Marker) and event.edge == each.edge and _named(each, event.action, event.type)


def _topic(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    if not isinstance(event, TopicChanged) or not _named(each, event.ref):
        return False
    wanted = ("running",) if each.edge == "before" else ("completed", "skipped")
    return event.state in wanted and "/" not in event.ref


def _technique(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    if not isinstance(event, TopicChanged) or event.ref not in work.world.script.skills:
        return False
    return event.state == "running" and _named(each, event.ref)


def _return(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    if not isinstance(event, TopicChanged) or event.ref not in work.world.script.skills:
        return False
    return event.state in ("completed", "skipped") and _named(each, event.ref)


def _phase(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    wanted = "entered" if each.edge == "before" else "left"
    return isinstance(event, PhaseChanged) and event.state == wanted and _named(each, event.id)


def _round(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    return isinstance(event, RoundInfo) and _named(each, event.action, str(event.current_round))


def _variable(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    return isinstance(event, VariableOperation) and _named(each, event.name, f"{event.scope}.{event.name}")


def _directive(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    return isinstance(event, DirectiveApplied) and _named(each, event.directive)


def _verdict(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    if not isinstance(event, Noticed):
        return False
    if each.name in (event.awareness, event.awareness.partition("/")[2]):
        return True
    return each.name in ("", event.priority) and event.verdict != "no"


def _fault(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    return isinstance(event, Fault)


def _exit(each: Breakpoint, text: Text, work: Work, event: Event) -> bool:
    return isinstance(event, ExitDecided) and event.should_exit and _named(each, event.decision_source, event.action)


_MEETS = {
    "line": _line,
    "action": _action,
    "topic": _topic,
    "technique": _technique,
    "return": _return,
    "phase": _phase,
    "round": _round,
    "variable": _variable,
    "directive": _directive,
    "verdict": _verdict,
    "fault": _fault,
    "exit": _exit,
}


def prompts(breakpoints: Sequence[Breakpoint], tasks: Sequence[Task]) -> list[Breakpoint]:
    """Those that wait for a prompt of one of these tasks' templates."""
    return [
        each
        for each in breakpoints
        if each.enabled and each.on == "prompt" and any(_named(each, task.template) for task in tasks)
    ]


def holds(each: Breakpoint, work: Work) -> bool:
    """Whether its condition holds where the session stands now. One that cannot be decided does not."""
    return not each.condition or truth(inspection.evaluate(work, each.condition)) is True


def said(each: Breakpoint, work: Work) -> str:
    """Its log message, with what stands in braces evaluated."""

    def value(found: re.Match[str]) -> str:
        try:
            return str(inspection.shown(inspection.evaluate(work, found[1])))
        except ExpressionError as error:
            return f"<{error}>"

    return _BRACED.sub(value, each.log)


class Hits:
    """How often each breakpoint was met, on the way that is being gone."""

    def __init__(self, known: dict[str, int] | None = None) -> None:
        self.counted = dict(known or {})

    def counts(self, each: Breakpoint) -> bool:
        """Whether this is one of the times that it is for."""
        self.counted[each.id] = self.counted.get(each.id, 0) + 1
        return self.counted[each.id] >= max(each.hits, 1)


def why(met: Sequence[Breakpoint], event: Event) -> dict[str, Any]:
    return {"kind": "breakpoint", "breakpoints": [each.id for each in met], "on": met[0].on, "event": event.kind}
