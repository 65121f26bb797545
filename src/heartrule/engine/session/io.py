"""What goes into a turn and what comes out of it. Nothing in here touches the outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.classifier import Classifier
from heartrule.engine.session.events import Event
from heartrule.engine.session.media import Media
from heartrule.engine.session.state import Choice, Scale, State
from heartrule.engine.session.tasks import Task
from heartrule.engine.session.variables import Variables
from heartrule.language.compiling.script import Script
from heartrule.memory.plain import PLAIN
from heartrule.memory.protocol import Memory

Helper = Literal["desk", "contact"]
Then = Literal["", "wait", "fit", "end"]
"""The program goes on at once, or says nothing until the person does, or whichever fits (it waits behind danger), or
the session ends here."""
Sender = Literal["person", "ai", "system", "human"]
"""``human``: a counsellor of flesh and blood, who has taken the session over."""


@dataclass(frozen=True, slots=True)
class Message:
    """An utterance. ``number`` counts from 1 within the session and orders the transcript. ``withheld``: not read for
    extraction and not shown to prompts as an answer (it interrupted for safety)."""

    number: int
    sender: Sender
    text: str = field(repr=False)
    at: datetime
    content_type: Literal["text", "choice", "card", "form"] = "text"
    action: str | None = None
    withheld: bool = False
    name: str = field(default="", repr=False)
    """The shown name of the human who said it."""
    media: tuple[Media, ...] = field(default=(), repr=False)
    """What is shown or heard beside the words."""


@dataclass(frozen=True, slots=True)
class Who:
    """A counsellor: ``id`` is theirs alone, ``name`` is shown. ``instead``: the id of the one whose place they take.
    ``closed``: who hands back has cleared the danger; not empty where they have. ``vanished``: they have not handed
    back, but given no sign of life; not empty where that is so. ``then``: a ``Then``, what comes once they
    have handed back."""

    id: str
    name: str = field(repr=False)
    instead: str = ""
    closed: str = ""
    vanished: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """One message of a person as it arrived. ``after``: the number of the last message its sender had seen."""

    text: str = field(repr=False)
    after: int | None = None


@dataclass(frozen=True, slots=True)
class PeriodicFinding:
    """What a look back over the conversation came to, for one awareness script. ``since``: the turn in which it had
    been judged before; what rests on an older one counts for nothing."""

    awareness: str
    since: int
    verdict: Literal["yes", "no", "unknown", "watch"]
    source: Literal["rules", "model", "default"]
    reason: str = field(default="", repr=False)
    evidence: str | None = field(default=None, repr=False)
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer to a question that was asked beside the conversation. ``key`` says what it is about: the topic, the
    action, the round; ``template``, who takes it."""

    key: str
    template: str
    data: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class FormAnswers:
    """What was filled in of the form ``key`` (as its request names it; empty: whichever waits), by field. Other answers
    stay as they were; ``None`` takes one back."""

    key: str
    values: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CounsellorsForm:
    """A form that was left to the counsellor, whole: ``key`` of its showing, its full id, the name of the variable that
    holds it, and its answers by field."""

    key: str
    form: str
    name: str
    values: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a counsellor sets right of what was taken from the person's words: the variable, in its scope, and the value
    that it has. ``reason``: why."""

    scope: str
    scope_key: str
    name: str
    value: Any = field(repr=False)
    reason: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Input:
    """One turn's input. ``message`` holds one or more ``words`` that form one answer (sent with the same ``after``)."""

    kind: Literal[
        "start",
        "message",
        "choice",
        "timer",
        "resume",
        "pause",
        "end",
        "takeover",
        "human",
        "hand_back",
        "noticed",
        "advised",
        "form_draft",
        "form_submit",
        "form_cancel",
        "counsel_form",
        "correct",
        "recalled",
    ]
    words: tuple[Words, ...] = ()
    choice: str | None = field(default=None, repr=False)
    after: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Variables that whoever starts a session brings along (``start`` only)."""
    who: Who | None = None
    """The counsellor who takes over, speaks, hands back or fills a form."""
    filled: CounsellorsForm | None = None
    """What a counsellor handed in."""
    correction: Correction | None = None
    found: tuple[PeriodicFinding, ...] = ()
    """What was noticed beside the conversation."""
    advice: tuple[Advice, ...] = ()
    """What came of questions that were asked beside it."""
    form: FormAnswers | None = None
    danger: bool = False
    """What the person has taken back (``recalled``) told of danger."""


HISTORY = 240
"""Messages of a session that a turn is given at most; prompts show fewer, or all of them (``tasks/prompt_context``)."""


@dataclass(frozen=True, slots=True)
class World:
    """Everything a turn may read. ``history`` is the window of recent messages, oldest first. ``now`` is when the
    input was accepted, so that working the turn out again gives the same. ``model``: a provider is configured.
    ``memories``: what is remembered, where the script uses it; ``session``: the name that items of this one carry."""

    script: Script
    state: State = field(repr=False)
    variables: Variables = field(repr=False)
    history: tuple[Message, ...]
    now: datetime
    model: bool
    spoken: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The scheme's sentences that are said without a model, by key, each with its variants."""
    marked: Callable[[str, str], str] | None = field(default=None, repr=False)
    """Puts marks round a variable's value where it goes into a prompt, for whoever wants to know where it stands."""
    grouping: BatchLimits = field(default_factory=BatchLimits)
    """How many things one call is asked at most."""
    reaches: frozenset[Helper] = frozenset()
    """Who can be told that the person needs help: those on duty, whom the person has named."""
    memories: Variables = field(default_factory=Variables, repr=False)
    session: str = ""
    memory: Memory = PLAIN
    """What keeps and recalls."""
    classifiers: Mapping[str, Classifier] = field(default_factory=dict, repr=False)
    """Learned readers of single messages, by what they hear: `own_danger`. They only raise."""
    observer: Callable[[Any, Event], None] | None = field(default=None, repr=False)
    """Is told of each event in its moment, with the turn's working copy. What it raises breaks the turn off there."""


@dataclass(frozen=True, slots=True)
class FormRequest:
    """A form to be filled, with what has been answered so far (``values``). ``id`` is the form's full id, ``key`` that
    of this showing of it. ``shown``: its definition, texts filled. ``hidden``: fields that these answers leave out.
    ``problems``: what is wrong with them, and behind a submission what is missing: field (empty: several), code,
    message."""

    id: str
    key: str
    mode: Literal["fill", "view", "counselor"]
    required: bool
    name: str
    shown: Mapping[str, Any] = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)
    hidden: tuple[str, ...] = ()
    problems: tuple[tuple[str, str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """What the session awaits. None of it when it has ended."""

    kind: Literal["message", "choice", "press", "form", "none"]
    choices: tuple[Choice, ...] = ()
    form: FormRequest | None = None
    offers: tuple[str, ...] = ()
    scale: Scale | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest of an answer that is still being written (its status is ``speaking``). ``message``: the number of the
    message that its ``content`` begins, which may be shown sentence by sentence; None: it is not to be shown before the
    turn is over. ``statement``: only the sentences before the first that asks something."""

    key: str
    message: int | None = None
    statement: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """The turn cannot go on without these answers, or without the rest of one."""

    tasks: tuple[Task, ...] = ()
    rest: Rest | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished turn: the new state and everything that is to be written down, in one transaction."""

    state: State
    variables: Variables
    messages: tuple[Message, ...]
    events: tuple[Event, ...]
    request: Request
    wake_at: datetime | None
    status: Literal["waiting_input", "completed", "error"]
    exit: Mapping[str, str] = field(default_factory=dict)
    memories: Variables = field(default_factory=Variables, repr=False)
    after: tuple[Task, ...] = field(default=(), repr=False)
    """What may be asked beside the conversation once the turn is committed. Nobody waits for it."""
