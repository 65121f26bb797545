"""What the debugger answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from heartrule.debugger.breakpoints import Breakpoint, PlacedBreakpoint
from heartrule.server.shapes import Message, RequestShape, Shape

Json = Any


class At(Shape):
    """Where something is written. ``project`` is the session's own unless it says another."""

    project: str
    file: str
    line: int
    column: int
    last: int


class StackFrame(Shape):
    """One level, the innermost first. ``scope``: of its variables, with ``scope_key``."""

    kind: str
    id: str
    name: str
    at: At | None
    scope: str
    scope_key: str
    round: int | None = None
    max_rounds: int | None = None
    because: str = ""


class BranchShape(Shape):
    """``turns`` that stand; ``held``: one is under way. ``came_from``, behind how many turns, and ``because``: back,
    message, edit, play."""

    name: str
    turns: int
    held: bool
    came_from: str
    because: str


class HeldShape(Shape):
    """Why it is held: ``kind`` input (before the turn), step, breakpoint, call (before a model is asked), typed, back,
    edit, misfit. ``tasks``: the calls that wait."""

    kind: str
    event: str = ""
    on: str = ""
    action: str = ""
    breakpoints: list[str] = []
    tasks: list[str] = []
    snapshot: str = ""


class WatchShape(Shape):
    expression: str
    value: Json = None
    problem: str = ""


class ChatShape(Shape):
    """For ``<heart-chat base session token>``."""

    base: str
    session: str
    token: Annotated[str, Field(repr=False)]


class LogShape(Shape):
    text: Annotated[str, Field(repr=False)]
    action: str | None
    move: int | None


class DebugState(Shape):
    """``status``: waiting (for the visitor), held, asking (a model), ended, closed. ``turn``: the number of the turn it
    is in, or behind. ``due``: when a timer strikes next, on the session's own clock (``now``). ``project``: of the
    workbench, of which its texts are and can be saved as a version; empty where they are of none."""

    id: str
    version: int
    name: str
    script: str
    locale: str
    text: str
    status: str
    branch: str
    branches: list[BranchShape]
    turn: int
    held: HeldShape | None
    stack: list[StackFrame]
    request: RequestShape
    now: datetime
    due: datetime | None
    breakpoints: list[Breakpoint]
    placed: list[PlacedBreakpoint]
    watches: list[WatchShape]
    answering: str
    models: list[str]
    queued: int
    pending: list[str]
    log: list[LogShape]
    named: list[str]
    chat: ChatShape
    asking: int
    project: str


class DebugItem(Shape):
    id: str
    script: str
    updated_at: datetime
    closed: bool


class DebugList(Shape):
    sessions: list[DebugItem]


class DebugProject(Shape):
    """``scripts``: ids and names of its sessions."""

    id: str
    name: str
    scripts: list[tuple[str, str, str]]


class DebugProjects(Shape):
    projects: list[DebugProject]


class DebugTexts(Shape):
    texts: dict[str, str]


class NodeShape(Shape):
    """A node of the script for the outline. ``index``: of an action, where it stands."""

    kind: str
    id: str
    name: str
    type: str
    phase: str
    ref: str
    index: int
    at: At


class Outline(Shape):
    nodes: list[NodeShape]


class WrittenShape(Shape):
    turn: int
    value: Json
    source: str
    strategy: str
    evidence: Annotated[str | None, Field(repr=False)]
    at: datetime
    outcome: str
    reason: str


class VariableShape(Shape):
    name: str
    scope: str
    scope_key: str
    type: str
    value: Json
    source: str
    strategy: str
    evidence: Annotated[str | None, Field(repr=False)]
    updated_at: datetime
    seen: bool
    changed: bool
    history: list[WrittenShape]


class VariableList(Shape):
    variables: list[VariableShape]


class Evaluation(Shape):
    """``unknown``: it has no value here."""

    value: Json
    unknown: bool


class SetShape(Shape):
    """``written`` false: its type or rules refuse it."""

    written: bool


class InsertedShape(Shape):
    name: str
    scope: str
    source: str
    offset: int
    length: int


class LayerShape(Shape):
    role: str
    text: Annotated[str, Field(repr=False)]
    inserted: list[InsertedShape]


class CallShape(Shape):
    """``origin``: who answered; empty: it waits. ``fits``: the answer was given to this very prompt. ``editable``: the
    texts of its action that can be written back; ``template_file`` and its words likewise."""

    move: int
    turn: int
    key: str
    template: str
    kind: str
    role: str
    origin: str
    status: str
    misfit: bool
    fits: bool
    model: str
    seconds: float
    tokens_in: int | None
    tokens_out: int | None
    layers: list[LayerShape]
    answer: Json
    raw: Annotated[str, Field(repr=False)]
    problem: str
    variables: list[str]
    messages: list[int]


class CallList(Shape):
    calls: list[CallShape]


class OpenedCall(Shape):
    call: CallShape
    action: str
    at: At | None
    fields: dict[str, str]
    template_file: str
    template_text: Annotated[str, Field(repr=False)]


class RunShape(Shape):
    model: str
    number: int
    status: str
    data: Json
    raw: Annotated[str, Field(repr=False)]
    problem: str
    seconds: float
    tokens_in: int | None
    tokens_out: int | None
    cost: int | None
    currency: str | None


class RunList(Shape):
    layers: list[LayerShape]
    runs: list[RunShape]


class SpliceShape(Shape):
    start: int
    end: int
    text: Annotated[str, Field(repr=False)]


class AcceptedShape(Shape):
    """What the file becomes, and the splices that make it so."""

    file: str
    text: Annotated[str, Field(repr=False)]
    splices: list[SpliceShape]


class SnapshotShape(Shape):
    id: str
    turn: int
    action: str
    kind: str
    topic: str
    phase: str
    type: str
    round: int
    outcome: str
    at: datetime


class SnapshotList(Shape):
    snapshots: list[SnapshotShape]


class OpenedSnapshot(Shape):
    """As seed 000 §11.1.4 has it."""

    snapshot_id: str
    session_id: str
    action_id: str
    snapshot_type: str
    parameters: dict[str, Any]
    variables: dict[str, dict[str, Json]]
    messages: list[Message]
    llm_calls: list[dict[str, Json]]
    timestamp: datetime


class CarriedShape(Shape):
    """What became of a part: ``fate`` same, moved, begins_again, next, gone, dropped."""

    what: str
    name: str
    fate: str
    now: str


class EditOutcome(Shape):
    report: list[CarriedShape]
    state: DebugState


class BackShape(Shape):
    """``words``: what the person had said where it was gone back to, to be said again or otherwise."""

    state: DebugState
    words: Annotated[list[str], Field(repr=False)]
    report: list[CarriedShape]


class SideShape(Shape):
    turn: int
    kind: str
    said: Annotated[list[tuple[str, str]], Field(repr=False)]
    path: list[str]
    wrote: dict[str, Json]
    calls: list[str]


class PairShape(Shape):
    one: SideShape | None
    other: SideShape | None
    differs: list[str]
    misfits: list[str]


class ComparisonShape(Shape):
    one: str
    other: str
    shared: int
    same: bool
    pairs: list[PairShape]
    variables: dict[str, tuple[Json, Json]]


class OriginShape(Shape):
    name: str
    scope: str
    value: Json
    turn: int
    source: str
    strategy: str
    evidence: Annotated[str | None, Field(repr=False)]
    message: int | None


class ThroughShape(Shape):
    turn: int
    key: str
    template: str
    variables: list[OriginShape]


class DescentShape(Shape):
    message: Message
    turn: int
    action: str | None
    at: At | None
    through: list[ThroughShape]
    written: list[OriginShape]


class ReaderShape(Shape):
    kind: str
    turn: int
    what: str
    key: str
    at: At | None


class ReaderList(Shape):
    readers: list[ReaderShape]


class EventShape(Shape):
    """Something that happened. ``number`` counts within its turn."""

    turn: int
    move: int
    number: int
    kind: str
    action: str | None
    data: Annotated[dict[str, Any], Field(repr=False)]


class EventList(Shape):
    events: list[EventShape]


class FoundShape(Shape):
    awareness: str
    priority: str
    verdict: str
    source: str
    reason: str
    evidence: str | None
    confidence: float | None
    acted: bool
    rest: str


class TrialShape(Shape):
    words: Annotated[str, Field(repr=False)]
    found: list[FoundShape]
    directives: list[dict[str, Any]]
    unasked: dict[str, list[str]]
    said: list[str]


class TrialList(Shape):
    trials: list[TrialShape]


class RiskFileShape(Shape):
    """A file of labelled sentences: of the ``project`` or of the ``server``."""

    of: Literal["project", "server"]
    name: str


class RiskFileList(Shape):
    files: list[RiskFileShape]


class SentenceShape(Shape):
    """A sentence and what it got. ``reason`` and ``evidence``: of what decided, also where it was taken back
    (``doubted``: what stands around it makes it hardly the person's own and present). ``about``: whom it is told of.
    ``score``: the classifier's estimate, from 0 to 1, where the script names one."""

    id: str
    text: Annotated[str, Field(repr=False)]
    labels: list[str]
    level: Literal["explicit", "watch", "none"]
    source: str
    reason: Annotated[str, Field(repr=False)]
    evidence: Annotated[str, Field(repr=False)]
    about: str
    doubted: bool
    score: float | None


class CountedShape(Shape):
    """How many sentences of a label got what."""

    label: str
    explicit: int
    watch: int
    none: int


class ListenedShape(Shape):
    """An awareness script and a part of a file. ``by_model``: it has neither rules nor a classifier, so that nothing
    was put before it. ``wanted``: the labels that it is to hear; ``missed``: sentences of those that it did not;
    ``wrong``: those without danger and without such a label that it did."""

    awareness: str
    name: str
    priority: str
    by_model: bool
    wanted: list[str]
    counts: list[CountedShape]
    missed: list[SentenceShape]
    wrong: list[SentenceShape]


class RiskHeardShape(Shape):
    """``done`` of ``all`` sentences, with this part. ``labels``: how many of all have each."""

    all: int
    done: int
    labels: dict[str, int]
    scripts: list[ListenedShape]


class WatchingShape(Shape):
    """An awareness script where the session stands. ``because``: what decides whether it is on. On: ``always``,
    ``session``, ``phase``, ``topic``, ``directive``; off: ``off-here``, ``directive``, ``elsewhere`` (switched on in
    ``where``), ``safety``, ``nowhere``. ``rest``: why one that is on does not look now."""

    awareness: str
    name: str
    priority: str
    on: bool
    because: str
    rest: str
    hook_points: list[str]
    where: list[str]
    times: int
    turn: int
    at: datetime | None


class WatchingList(Shape):
    scripts: list[WatchingShape]


class SavedShape(Shape):
    """``version``: of the project, that the session's texts are now; ``files``: what was changed in it."""

    version: int
    files: list[str]


class ExportedShape(Shape):
    yaml: Annotated[str, Field(repr=False)]
    passes: bool
    problems: list[str]
    left_out: list[str]


class VisitedShape(Shape):
    """How many moves were made."""

    moves: int
    state: DebugState


class RecordedSession(Shape):
    """A session of a real person, masked, to be read and nothing else."""

    session: str
    script: str
    messages: list[Message]
    variables: list[str]
    path: list[str]
