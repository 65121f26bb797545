"""What happened in a turn: an append-only history, one event a row. The seeds' histories are read off these."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Event(BaseModel):
    """``kind`` is fixed per class. ``action`` is the id of the action it belongs to, where there is one."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True)

    kind: str
    action: str | None = None


class VariableOperation(Event):
    kind: Literal["variable"] = "variable"
    operation: Literal["extract", "update", "delete"]
    name: str
    scope: str
    scope_key: str
    type: str
    old: Any = Field(default=None, repr=False)
    value: Any = Field(default=None, repr=False)
    source: str
    strategy: Literal["json", "history", "llm", "rules", "fallback", "form", "set", "passive", "correction"]
    evidence: str | None = Field(default=None, repr=False)
    number: int
    at: datetime


class Unwritten(Event):
    """A value that was offered to a variable and is not in it. ``refused``: it cannot be one, ``reason`` says by which
    rule; ``kept``: the value that is there stays; ``unconfirmed``: the person is asked which of the two counts;
    ``skipped``: what it depends on does not hold."""

    kind: Literal["unwritten"] = "unwritten"
    outcome: Literal["refused", "kept", "unconfirmed", "skipped"]
    reason: str = ""
    name: str
    path: str = ""
    scope: str
    scope_key: str
    old: Any = Field(default=None, repr=False)
    value: Any = Field(default=None, repr=False)
    source: str
    strategy: str
    evidence: str | None = Field(default=None, repr=False)
    at: datetime


class CaseNoted(Event):
    """A record of the case file was made, or changed: answered, kept, let go, superseded."""

    kind: Literal["case"] = "case"
    number: int
    noted: str
    text: str = Field(repr=False)
    quote: str = Field(default="", repr=False)
    message: int
    by: str = "person"
    about: list[str] = []
    before: str = Field(default="", repr=False)
    after: str = Field(default="", repr=False)
    done: int = 0
    superseded: int = 0


class AskedFor(Event):
    """A question was put that goes for these variables, as far as one can say."""

    kind: Literal["asked_for"] = "asked_for"
    names: list[str]


class ScopeOpened(Event):
    kind: Literal["scope_opened"] = "scope_opened"
    scope: str
    scope_key: str


class ScopeSnapshot(Event):
    """Taken when a scope is about to be cleaned."""

    kind: Literal["scope_snapshot"] = "scope_snapshot"
    scope: str
    scope_key: str
    name: str
    variables: dict[str, Any] = Field(repr=False)


class ScopeCleaned(Event):
    kind: Literal["scope_cleaned"] = "scope_cleaned"
    scope: str
    scope_key: str
    variables: list[str]


class Marker(Event):
    """An action's boundary: enough to say what had been said and written by then."""

    kind: Literal["marker"] = "marker"
    edge: Literal["before", "after"]
    phase: str
    topic: str
    topic_key: str
    index: int
    type: str
    round: int
    message: int
    write: int
    outcome: str = ""


class RoundInfo(Event):
    """One round of an interactive action: what the model (or nobody) made of the person's words."""

    kind: Literal["round"] = "round"
    type: str
    current_round: int
    max_rounds: int | None
    metrics: dict[str, str] = Field(default_factory=dict, repr=False)
    progress_suggestion: str = "continue_needed"
    brief: str = Field(default="", repr=False)
    parse_error: bool = False
    degraded: bool = False
    missing: dict[str, str] = {}
    """Why what was asked for could not be had in this round, by name (``engine/variables/missing_reasons.py``)."""
    strategy: int = 0
    """The number of the strategy under which the words were made that the person's were an answer to; 0: of none."""


class ExitDecided(Event):
    kind: Literal["exit"] = "exit"
    round: int
    should_exit: bool
    reason: str = Field(repr=False)
    decision_source: Literal["max_rounds", "exit_flag", "exit_criteria", "llm_suggestion", "plan", "none"]
    exit_class: Literal["max_rounds_reached", "exit_criteria_met", "user_blocked", "off_topic"] | None = None
    vetoed: list[str] = []
    at: datetime


class QueueChanged(Event):
    """What is planned, next first, or what was put aside, the innermost last, has changed. ``running``: the topic that
    ran then, None between two."""

    kind: Literal["queue"] = "queue"
    cause: str
    before: list[str]
    after: list[str]
    running_before: str | None = None
    running_after: str | None = None
    suspended_before: list[str] = []
    suspended_after: list[str] = []


class InstancesChanged(Event):
    """What became of the instances of a ``for_each`` topic: the keys of the items it has met, ``before`` and ``after``.
    ``added`` have an instance now, in the order in which they come; ``coming`` will have one once the running one has
    ended; ``again`` were told more of and have theirs; ``vanished`` are no longer in the list; for those ``beyond``
    there is no room."""

    kind: Literal["instances"] = "instances"
    topic: str
    cause: str
    before: list[str] = Field(repr=False)
    after: list[str] = Field(repr=False)
    added: list[str] = Field(default=[], repr=False)
    coming: list[str] = Field(default=[], repr=False)
    again: list[str] = Field(default=[], repr=False)
    vanished: list[str] = Field(default=[], repr=False)
    beyond: list[str] = Field(default=[], repr=False)


class PlanChanged(Event):
    """What a topic's actions are, by id in the order in which they are gone through: as ``written``, and ``before`` and
    ``after`` a change (``plan``: what it was to do). ``refused``: why it was not done, and the plan stayed."""

    kind: Literal["plan"] = "plan"
    topic: str
    topic_key: str
    cause: str = Field(repr=False)
    plan: dict[str, Any] = Field(default_factory=dict, repr=False)
    written: list[str]
    before: list[str]
    after: list[str]
    refused: str = ""


class Shortened(Event):
    """An action may take fewer rounds than it says, because time runs out. ``left``: seconds that are left of what
    (``of``) is nearest to its end; less than 0 when it is past it."""

    kind: Literal["shortened"] = "shortened"
    of: Literal["topic", "phase"]
    left: float
    was: int
    max_rounds: int


class TopicChanged(Event):
    kind: Literal["topic"] = "topic"
    key: str
    ref: str
    state: Literal["planned", "running", "completed", "suspended", "skipped"]
    cause: str = ""
    unfinished: list[str] = []


class Announced(Event):
    """A topic that may be hard to talk about was announced, with the choices ``offered``; or one of them was made
    (``choice``), by a press or by words."""

    kind: Literal["announced"] = "announced"
    topic: str
    topic_key: str
    offered: list[str]
    choice: Literal["", "go_on", "later", "skip"] = ""
    by_words: bool = False


class PhaseChanged(Event):
    kind: Literal["phase"] = "phase"
    id: str
    state: Literal["entered", "left", "skipped"]
    cause: str = ""


class Noticed(Event):
    """An awareness script's verdict, hit or not, with what it rests on. ``hook_point``: where it was judged for.
    ``acted``: its directives were carried out; ``rest``: why they were not. A P1 script that no hook point of a turn
    asked for has no row of its own: it is named in the turn's ``Unasked``."""

    kind: Literal["awareness"] = "awareness"
    awareness: str
    verdict: Literal["yes", "no", "unknown", "watch"]
    source: Literal["rules", "classifier", "model", "default"]
    confidence: float | None = None
    evidence: str | None = Field(default=None, repr=False)
    reason: str = Field(default="", repr=False)
    handled: bool = False
    priority: Literal["P0", "P1", "P2"] = "P0"
    hook_point: str = ""
    acted: bool = False
    rest: str = ""


class Unasked(Event):
    """The scripts that are on and were not judged in this turn, by the cause: one row a turn."""

    kind: Literal["unasked"] = "unasked"
    awareness: dict[str, list[str]]


class DirectiveApplied(Event):
    kind: Literal["directive"] = "directive"
    directive: str
    cause: str
    detail: dict[str, Any] = Field(default_factory=dict, repr=False)
    refused: str = ""


class Recalled(Event):
    """The person has taken ``messages`` back. ``rewound``: with all that came of them, which ``turns`` were; else the
    words alone."""

    kind: Literal["recalled"] = "recalled"
    messages: list[int]
    turns: list[int] = []
    rewound: bool = False


class Escalated(Event):
    """Somebody is to be told that a person needs help. ``id`` is one of its kind in the session, and the same however
    often the turn is worked out."""

    kind: Literal["escalated"] = "escalated"
    id: str
    to: str
    note: str = Field(default="", repr=False)
    cause: str


class Perceived(Event):
    """What was looked for in an answer beside what its question asked, in ``calls`` calls. ``again``: items asked about
    once more, of which ``refused`` stayed unusable; ``unanswered``: items that nobody answered."""

    kind: Literal["perceived"] = "perceived"
    calls: int
    asked: int
    found: int
    again: int = 0
    refused: int = 0
    unanswered: int = 0


class Replied(Event):
    """The call for an action's reply to what was said. ``speculative``: made before it was known what else the words
    say; ``redone``: made once more because of what turned out, ``why`` being the names of what reads otherwise."""

    kind: Literal["replied"] = "replied"
    task: str
    speculative: bool
    redone: bool = False
    why: list[str] = []


class Blocked(Event):
    """Words that a model wrote and nobody was shown. ``check``: the kind of rule that held them back, or ``review``."""

    kind: Literal["blocked"] = "blocked"
    check: str
    reason: str = Field(default="", repr=False)


class Verified(Event):
    """What a model has taken from the person's words was held against them once more. ``dropped``: what did not hold,
    by name, ``contradicted``, ``unproved`` or a no that is no plain denial; ``unanswered``: what nobody has said
    anything about: it stands, unless it is a no to what is about danger."""

    kind: Literal["verified"] = "verified"
    asked: list[str]
    dropped: dict[str, str] = {}
    unanswered: list[str] = []


class Fused(Event):
    """An action ended whose prompt held what the next one is about. ``kept``: the reply that ended it opened the next
    one too; else that is opened by a call of its own."""

    kind: Literal["fused"] = "fused"
    kept: bool


class Judged(Event):
    """A condition's question, where it was come to. ``foreseen``: it had been perceived beside the reply."""

    kind: Literal["judged"] = "judged"
    question: str = Field(repr=False)
    verdict: bool
    source: Literal["model", "default"]
    confidence: float | None = None
    evidence: str | None = Field(default=None, repr=False)
    where: str = ""
    foreseen: bool = False


class Monitored(Event):
    """What a monitor made of a round, and what of it goes into the next prompt (``feedback``). ``orchestrate``: it asks
    for a change of plan in the topic. ``rest``: why it is not followed."""

    kind: Literal["monitored"] = "monitored"
    type: str
    round: int
    needed: bool
    reason: str = Field(default="", repr=False)
    level: Literal["action_feedback", "topic_orchestration"] = "action_feedback"
    suggestion: str = ""
    feedback: str = Field(default="", repr=False)
    orchestrate: bool = False
    rest: str = ""


class AdviceUnused(Event):
    """Advice that was asked for beside the conversation and came to nothing; ``about`` is the key of its question."""

    kind: Literal["advice_unused"] = "advice_unused"
    template: str
    about: str
    why: str


class StrategyDecided(Event):
    """How an adaptive action is to speak from now on. ``round``: of the action, 0 where it is yet to come. ``replaces``
    is the number of the strategy that was ``regenerated``. ``situation`` is its signature, made in code; ``profile``
    names the variables that were told of the person, ``direction`` what the session follows where several are compared.
    ``first_words``: the action waited for it before it began to speak."""

    kind: Literal["strategy"] = "strategy"
    number: int
    round: int
    cause: Literal["prepared", "first_words", "regenerated"]
    replaces: int = 0
    direction: str = ""
    situation: str
    profile: list[str] = []
    reasoning: dict[str, str | list[str]] = Field(default_factory=dict, repr=False)
    strategy: str = Field(default="", repr=False)


class BranchesTaken(Event):
    """The ways that a turn took where the script has several: whether conditions held, which transition was made, which
    choice picked, what an awareness script ordered. One row a turn; ``engine/branches.py`` says how they are named."""

    kind: Literal["branches"] = "branches"
    taken: list[str]


class FormShown(Event):
    """``form`` is its full id, ``key`` that of this showing of it. Of one that is left to the counsellor also what it
    is filled from: ``name``, of the variable that holds it once it is handed in; ``answers`` that stand there already;
    ``texts`` with placeholders, filled, by where they stand."""

    kind: Literal["form_shown"] = "form_shown"
    form: str
    key: str
    mode: Literal["fill", "view", "counselor"]
    name: str = ""
    answers: dict[str, Any] = Field(default_factory=dict, repr=False)
    texts: dict[str, str] = Field(default_factory=dict, repr=False)


class FormAnswered(Event):
    """What came of a form, by field, before anything is made of it. ``unused``: nobody waits for it any more."""

    kind: Literal["form_answered"] = "form_answered"
    form: str
    key: str
    how: Literal["draft", "submit", "cancel"]
    values: dict[str, Any] = Field(default_factory=dict, repr=False)
    unused: bool = False


class FormSubmitted(Event):
    """A form that counts: the answers of the fields that were shown, its scores (None: an answer is missing), what each
    is called (``labels``), and the labels of their bands. ``by``: the id of the counsellor who filled it, empty where
    the person did; then ``audience`` says whether the person may see it. ``points``: how content the person was with
    the session, from 1 to 5, where the form asks that."""

    kind: Literal["form_submitted"] = "form_submitted"
    form: str
    key: str
    name: str
    values: dict[str, Any] = Field(repr=False)
    scores: dict[str, int | float | None] = Field(default_factory=dict, repr=False)
    bands: dict[str, str] = Field(default_factory=dict, repr=False)
    labels: dict[str, str] = {}
    at: datetime
    audience: str = "client"
    by: str = ""
    points: float | None = Field(default=None, repr=False)


class MemoryWritten(Event):
    """An action has left something to be remembered; what it says stands with the item ``item`` alone. ``names``: the
    variables that it came from. ``again``: it says anew what was remembered of the action; ``gone``: items that made
    room for it."""

    kind: Literal["memory_written"] = "memory_written"
    item: str
    of: Literal["answer", "explanation"]
    type: str
    importance: float
    names: list[str] = []
    again: bool = False
    gone: list[str] = []


class MemoryRead(Event):
    """What came back to mind before an action's first words, by item and type, of as many as were looked through."""

    kind: Literal["memory_read"] = "memory_read"
    mode: str
    looked: int
    items: list[str]
    types: list[str]


class Milestone(Event):
    kind: Literal["milestone"] = "milestone"
    name: str


class LateWords(Event):
    """Words that were sent before their sender had seen the present question, and what became of them: they were added
    to their answer, put it right, or are in the transcript only."""

    kind: Literal["late"] = "late"
    messages: list[int]
    outcome: Literal["appended", "corrected", "kept"]


class HumanChanged(Event):
    """A counsellor took the session over or handed it back; ``who`` is their id. ``refused``: why it was not done.
    ``closed``: they have cleared the danger, and what was asked about it is not asked again. ``vanished``: it was taken
    from them, as they gave no sign of life. ``waits``: the program says nothing until the person does."""

    kind: Literal["human"] = "human"
    change: Literal["taken_over", "handed_back", "ended"]
    who: str
    refused: str = ""
    closed: bool = False
    vanished: bool = False
    waits: bool = False


class Corrected(Event):
    """A counsellor (``who``) has set right what was taken from the person's words; the value's own record says what it
    was and is. ``refused``: why it was not done."""

    kind: Literal["corrected"] = "corrected"
    who: str
    name: str
    scope: str
    scope_key: str
    reason: str = Field(default="", repr=False)
    number: int = 0
    refused: str = ""
    old: Any = Field(default=None, repr=False)
    value: Any = Field(default=None, repr=False)
    at: datetime


class Ended(Event):
    kind: Literal["ended"] = "ended"
    reason: str


class Fault(Event):
    """Something could not be done as written and was done otherwise; said in words without content."""

    kind: Literal["fault"] = "fault"
    what: str
