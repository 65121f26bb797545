"""The engine's state: where a session stands. Small, serialisable, and not growing with the conversation.

Values of variables are not in here (see ``variables.py``), nor is the transcript.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from heartrule.engine.session.action_state import FrameState
from heartrule.language.nodes.memory import MemoryPolicy

FORMAT = 2
"""Version of this shape. ``LOWEST`` is the oldest that can still be loaded."""
LOWEST = 2


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, defer_build=True)


class Choice(Part):
    value: str
    label: str


class Scale(Part):
    """Whole numbers from ``low`` to ``high``, one of which answers a question. ``ends``: the words at its two ends."""

    low: int
    high: int
    ends: tuple[str, str] | None = None


class Wait(Part):
    """What the session waits for. ``press`` is a suggested line (``user_say``) to be pressed or said. ``offers`` and
    ``scale``: words and numbers that may be tapped instead of typed, and are said as if they had been."""

    kind: Literal["message", "choice", "press", "form"]
    since: datetime
    choices: list[Choice] = []
    offers: list[str] = []
    scale: Scale | None = None
    due: datetime | None = None


class ActionFrame(Part):
    """The running action. ``asked`` is the number of the message that asked last; ``offered``, of the one under which
    the choices with the values ``choices`` stood first: put again, they are the same. ``question``: as it is put again
    after an interruption; ``asking``: the output that it is about, empty where that is several, None where nobody has
    said. ``item``: the key of the item that it is at, of those it runs for. ``kept``: what else lasts, by whoever keeps
    it."""

    index: int
    id: str
    type: str
    entered_at: datetime
    round: int = 0
    max_rounds: int | None = None
    asked: int = 0
    offered: int = 0
    choices: list[str] = []
    wait: Wait | None = None
    question: str = Field(default="", repr=False)
    asking: str | None = None
    item: str | None = Field(default=None, repr=False)
    settled: bool = False
    """What it asks has been answered by words that called the crisis technique; ``risk_closed``: and it asks for what
    else it is to find out, since that has come back."""
    risk_closed: bool = False
    timed_out: bool = False
    waited: bool = False
    """It has waited for the person at least once."""
    planned: bool = False
    """A plan has taken rounds away from it since it began."""
    kept: FrameState = FrameState()


class Return(Part):
    theirs: str
    ours: str


class Cause(Part, frozen=True):
    """Why a topic was planned, runs or waits. ``ref``: the awareness script (full id), variable, form (and field) or
    action that it was; ``words``: the author's own for it. As text it is what events, scripts and prompts are told."""

    kind: Literal[
        "script",
        "awareness",
        "risk variable of",
        "answer in form",
        "no answer of a model to",
        "use_skill",
        "may_use",
        "put off by the person",
    ]
    ref: str = ""
    words: str = ""

    def __str__(self) -> str:
        return self.words or f"{self.kind} {self.ref}".rstrip()


SCRIPT = Cause(kind="script")


class PlannedTopic(Part):
    """An entry of the topic queue that has not started."""

    key: str
    kind: Literal["topic", "skill"]
    ref: str
    name: str
    priority: str = "medium"
    item: str | None = Field(default=None, repr=False)
    params: dict[str, Any] = Field(default_factory=dict, repr=False)
    returns: list[Return] = []
    resume: Literal["after", "skip"] = "after"
    awareness: str | None = None
    cause: Cause = SCRIPT
    timing: Literal["before_topic", "after_topic", "after_phase"] | None = None
    """When a technique that was deferred is to run; ``to`` is the topic that it stands before."""
    to: str | None = None
    urgent: bool = False
    """It comes before what was put aside comes back."""
    over: str | None = None
    """The key of the topic that was put aside for it."""


class PlannedAction(Part):
    """One place in the plan of a topic as it is really gone through: the script's action at ``written`` with
    ``changes`` to its fields, or, where that is None, one that was put in under ``id``, whose fields they all are. What
    a model has worded is data, and is never read for placeholders."""

    written: int | None = None
    id: str = ""
    changes: dict[str, Any] = Field(default_factory=dict, repr=False)


class TopicFrame(Part):
    """A topic that has started. ``key`` also names its topic scope. ``ref`` is a topic's id in the phase or a skill's
    full id; ``item`` is the key of the ``for_each`` item it stands for."""

    key: str
    kind: Literal["topic", "skill"]
    ref: str
    name: str
    project: str
    priority: str = "medium"
    item: str | None = Field(default=None, repr=False)
    attempts: int = 1
    passes: int = 1
    next: int = 0
    action: ActionFrame | None = None
    returns: list[Return] = []
    resume: Literal["after", "skip"] = "after"
    awareness: str | None = None
    cause: Cause = SCRIPT
    suspended: Cause | None = None
    started_at: datetime
    unfinished: list[str] = []
    gives_way: bool = False
    """Put aside (``SUSPEND_CURRENT``) so that the next planned topic may come first."""
    left: bool = False
    """A technique has taken its place (``resume: skip``): what is left of it does not run."""
    left_for: str = ""
    """That technique, where something was left of it."""
    over: str | None = None
    """The key of the topic that was put aside for it."""
    because: Cause | None = None
    """Why it had been put aside, the last time, now that it is back."""
    spent: float = 0
    """Seconds that it has been running."""
    plan: list[PlannedAction] | None = None
    """Its actions as they are gone through in this pass; None: as written."""
    plan_changes: int = 0
    """Changes that were made to its plan, in all passes; ``declined``: answers that did not; ``inserted``: actions put
    in."""
    declined: int = 0
    inserted: int = 0
    exit: str = ""
    """The class of the last exit of an action of its."""


CaseKind = Literal[
    "refusal", "boundary", "off_record", "theme", "question", "promise", "agenda", "thought", "risk", "protective",
    "distress",
]  # fmt: skip


class CaseRecord(Part):
    """One record of the session's case file. ``text`` says it, ``quote`` is the person's words (empty for a promise of
    ours) in the message ``message``. ``about``: the variables that fall under a refusal or a boundary. ``before`` and
    ``after``: how far a thought was believed. ``done``: the message by which a question was answered, a promise kept,
    a thought let go; ``superseded``: the record that took its place."""

    number: int
    kind: CaseKind
    text: str = Field(repr=False)
    quote: str = Field(default="", repr=False)
    message: int
    by: Literal["person", "ai"] = "person"
    about: list[str] = []
    before: str = Field(default="", repr=False)
    after: str = Field(default="", repr=False)
    done: int = 0
    superseded: int = 0


class FinishedTopic(Part):
    key: str
    ref: str
    name: str
    state: Literal["completed", "skipped"]
    unfinished: bool = False
    cause: str = ""


class PhaseFrame(Part):
    """The current phase. ``key`` names its phase scope."""

    key: str
    index: int
    id: str
    entered_at: datetime
    queue: list[PlannedTopic] = []
    finished: list[FinishedTopic] = []
    """What became of each topic (and instance, and technique), the last time it ran."""
    announced: dict[str, str] = {}
    """What the person chose of each topic and technique that was announced as hard to talk about, by kind and ref."""
    seen: dict[str, list[str]] = Field(default_factory=dict, repr=False)
    """For each ``for_each`` topic that has begun: the keys of the items it has met."""
    then: str | None = None
    """Where a topic has jumped to, as soon as the techniques deferred to its end have run."""
    spent: float = 0
    """Seconds that it has taken."""


class PastQuestion(Part):
    """A question that no longer waits, kept for words that were sent before their sender saw what came next. ``found``:
    what its answer gave, by name; ``asking``: the output it was about, as in ``extraction.Source``. ``open``: it was
    interrupted and will be put again."""

    message: int
    phase: str = ""
    stage: int = 0
    """Index of the phase whose frame ``phase`` is the key of."""
    topic: str
    kind: Literal["topic", "skill"]
    ref: str
    item: str | None = Field(default=None, repr=False)
    index: int
    action: str
    texts: list[str] = Field(repr=False)
    asking: str | None = None
    found: dict[str, Any] = Field(default_factory=dict, repr=False)
    open: bool = False
    plan: list[PlannedAction] | None = None
    """The plan of its topic then, which ``index`` counts in."""


class PlanRequest(Part):
    """A monitor has asked for a change of plan in a topic (its key): for which action's sake, with what suggestion, and
    why. It stands until a plan has been taken or declined."""

    topic: str
    action: str
    suggestion: str = ""
    reason: str = Field(default="", repr=False)


class Round(Part):
    """A round of ``ai_ask`` or ``ai_say`` as those see it who think it over. ``topic`` is the key of its topic,
    ``heard`` counts the person's turns. ``over``: whether its action ended with it, having come to what it was for."""

    topic: str
    action: str
    index: int
    type: str
    number: int
    max_rounds: int | None = None
    heard: int
    metrics: dict[str, str] = Field(default_factory=dict, repr=False)
    suggestion: str = ""
    exit_class: str = ""
    over: Literal["", "met", "unmet"] = ""


class CrisisProgress(Part):
    """The crisis technique, as far as this session has gone through it: how often, up to which message, and the ids of
    the questions it has put. ``explored``: the message up to which wishes to be dead were talked about, without its
    coming to that. ``open``: it was left with danger not ruled out, and nothing has ruled it out since. ``called``:
    when those on duty were last told of anything."""

    called: datetime | None = None
    times: int = 0
    message: int = 0
    explored: int = 0
    asked: list[str] = []
    open: bool = False


class Contradiction(Part):
    """Something new about a variable with ``confirm_change`` that differs from what it holds: ``part`` of it, by
    ``key`` where it is about items of a list. ``before`` and ``now``: the two in the words of the question. ``asked``:
    the number of the message that put it; ``settled``: the turn in which it was decided, and ``part`` is what lost."""

    name: str
    scope: str
    scope_key: str
    path: str = ""
    part: Any = Field(default=None, repr=False)
    key: str | None = None
    strategy: str
    evidence: str | None = Field(default=None, repr=False)
    source: str
    before: str = Field(default="", repr=False)
    now: str = Field(default="", repr=False)
    asked: int = 0
    settled: int = 0


class Alert(Part):
    """What an awareness script below P0 has come to in this session. ``turn`` and ``at``: its last hit; ``times``: how
    many there were; ``message``: the last message that the hit was about. ``message`` moves on once what it called has
    been gone through (``handled``: how often). ``since``: when it was switched on by a directive; ``expired``: why it
    watches no more. ``owed``: the hook points that were come to unforeseen and are judged in the next turn. ``place``:
    the hook point in the script at which it acted last; ``holds``: a condition that code decides held when it was
    looked at last."""

    turn: int = 0
    at: datetime | None = None
    times: int = 0
    message: int = 0
    handled: int = 0
    since: datetime | None = None
    expired: str = ""
    owed: list[str] = []
    place: str = ""
    holds: bool = False


class Human(Part):
    """The counsellor who holds the session in the program's place, since the turn ``turn``. ``danger``: the P0 scripts
    whose explicit words the person has said to a human meanwhile. ``unanswered``: since when such words have stood
    without a word of a human's."""

    id: str
    name: str = Field(repr=False)
    since: datetime
    turn: int
    danger: list[str] = []
    unanswered: datetime | None = None


class Quiet(Part):
    """A counsellor, ``name``, has handed back, and the program says nothing until the person does. ``danger``: as of
    ``Human``, where nobody has cleared it. ``known``: they have said good-bye since, and know who is here."""

    name: str = Field(repr=False)
    danger: list[str] = []
    known: bool = False


class Clock(Part):
    """When the last turn was, and whether the person has paused since: what time is counted from."""

    at: datetime | None = None
    paused: bool = False


class LastJudgement(Part):
    """When a P2 script was judged last, or came on: the turn, and how many of the person's turns (``heard``) and
    messages there were then."""

    turn: int
    at: datetime
    heard: int = 0
    message: int = 0


class PendingDirective(Part):
    """What was noticed beside the conversation and waits for the next hook point. ``turn`` recorded it, when the person
    had taken ``heard`` turns in the phase ``phase``."""

    awareness: str
    verdict: Literal["yes", "no", "unknown", "watch"]
    source: Literal["rules", "model", "default"]
    turn: int
    heard: int
    phase: str = ""


class Strategy(Part):
    """How the ``adaptive`` action ``action`` is to speak. ``asked`` is the number of the last question for it, put in
    the situation ``of``; ``number`` that of the one whose answer ``text`` is (0: none yet)."""

    action: str
    asked: int
    of: str
    number: int = 0
    text: str = Field(default="", repr=False)


class KnownForm(Part):
    """A form that was shown in this session, for what is still sent of it once nobody waits for it. ``form``: its full
    id; ``acted`` and ``noticed``: as in ``FormProgress``. ``left``: the whole of it, where its time was up before it
    was handed in or put away."""

    form: str
    acted: dict[str, Any] = Field(default_factory=dict, repr=False)
    noticed: list[str] = Field(default_factory=list, repr=False)
    left: dict[str, Any] = Field(default_factory=dict, repr=False)


class State(Part):
    """All that a session remembers beside its messages and variables."""

    format: int = FORMAT
    memory: MemoryPolicy | None = None
    """What whoever began the session wants of its memory."""
    seq: int = 0
    started_at: datetime | None = None
    messages: int = 0
    writes: int = 0
    keys: int = 0
    phase: PhaseFrame | None = None
    running: TopicFrame | None = None
    suspended: list[TopicFrame] = []
    """What waits until it comes back, the last that was put aside at the end."""
    asked: list[PastQuestion] = []
    jumps: dict[str, int] = {}
    milestones: list[str] = []
    left: list[str] = []
    """Ids of the phases that were entered and left, each once."""
    watched: dict[str, int] = {}
    """By awareness script: the turn in which a watch word last led to its gentle question."""
    unsure: dict[str, int] = {}
    """By awareness script: the turn from which on nobody could judge and the person was asked, once."""
    handled: CrisisProgress = CrisisProgress()
    clock: Clock = Clock()
    attempts: dict[str, int] = Field(default_factory=dict, repr=False)
    """How often each topic (and instance, and technique) has been begun, passes of ``repeat`` included."""
    human: Human | None = None
    takeovers: int = 0
    """How often a counsellor has taken the session over."""
    quiet: Quiet | None = None
    alerts: dict[str, Alert] = {}
    """By awareness script below P0."""
    switched: dict[str, bool] = {}
    """Awareness scripts that a directive has switched on or off, over what the session and its phases say."""
    feedback: list[str] = Field(default_factory=list, repr=False)
    """What awareness scripts and monitors have to say to the next prompt, which takes it."""
    feedback_for: dict[str, str] = Field(default_factory=dict, repr=False)
    """Of that, what is for one topic only, whose key stands behind it."""
    hints: list[str] = Field(default_factory=list, repr=False)
    """Of that, what code has said of how a round ended: it gives way to what a monitor says of the same topic."""
    rounds: list[Round] = []
    """The last rounds of the action that had one last."""
    ordered: int = 0
    """Directives below P0 that were carried out."""
    heard: int = 0
    """Turns in which the person said or chose something."""
    periodic: dict[str, LastJudgement] = {}
    """By P2 script that is on."""
    pending: list[PendingDirective] = []
    wanted: PlanRequest | None = None
    inserted: int = 0
    """Actions that plans have put into topics."""
    strategies: dict[str, Strategy] = {}
    """By the adaptive action that runs, waits or comes next, as long as it does."""
    place: str = ""
    """Language and country where the person's browser is (``en-AU``), as far as it told: whose numbers are named."""
    direction: str = ""
    """Which of the compared ways of working its strategies follow; drawn when the session is begun."""
    strategies_asked: int = 0
    contradictions: list[Contradiction] = []
    """What the person is, or was, asked about before it is written."""
    unheard: list[str] = []
    """Variables that would be listened for if what they depend on held, as told last."""
    versions: dict[str, list[Any]] = Field(default_factory=dict, repr=False)
    """Earlier values of variables with ``update: versioned``, oldest first, by scope, its key and name."""
    forms: dict[str, KnownForm] = {}
    """By the key of their showing, the last ones, the one that was shown or answered last at the end."""
    case: list[CaseRecord] = Field(default_factory=list, repr=False)
    """The case file, oldest first: what no variable holds and the rest of the session must keep to."""
    ended: bool = False
    ended_in: str = ""
    """The technique of the project ``safety`` that the person ended the session in, if they did."""
    end_reason: str = ""

    @property
    def frames(self) -> list[TopicFrame]:
        """The topics that have begun and not ended, from what waits longest to what runs."""
        return [*self.suspended, *([self.running] if self.running is not None else [])]

    def is_in(self, project: str) -> bool:
        """Whether a topic of the project has begun and not ended."""
        return any(frame.project == project for frame in self.frames)
