"""What the API answers with. These models are the contract: OpenAPI document and client types come from them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from heartrule.memory.item import Item, Layer

Count = Annotated[int, Field(ge=0)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ScriptShape(Shape):
    """A session that can be held. ``id`` is ``project/session``; ``duration`` as the script words it; ``audience`` whom
    it is for and ``project`` what its project is called, each empty where the script does not say;
    ``translation_of`` the id of the one that it says in another language, empty where it is none."""

    model_config = ConfigDict(title="Script")

    id: str
    name: str
    goal: str
    duration: str | None
    locale: str
    audience: str
    project: str
    translation_of: str


class Contact(Shape):
    """Whom to call. ``note`` says when, or what for; it may be empty."""

    name: str
    number: str
    note: str


class ModelShape(Shape):
    """The language model that words are sent to, and the hosts they go to."""

    model_config = ConfigDict(title="Model")

    name: str
    hosts: list[str]


class OperatorShape(Shape):
    """Who runs this, and how to reach them."""

    model_config = ConfigDict(title="Operator")

    name: str
    contact: str


class About(Shape):
    """``mode`` is ``script`` when no language model is configured. ``contacts`` are those of the language asked for
    and of where somebody is; ``numbers`` all that may be said in that language, so that they can be touched.
    ``debug``: how much sessions may ask to see of themselves. ``recall_seconds``: so long after it was said the last
    thing said can be taken back with all that came of it. ``persistence``: the longest that a device may keep what
    opens sessions: until it is removed, as long as the tab, not at all. ``exit_page``: where somebody is taken who
    leaves at once; null: wherever the page takes them. ``pdf``: summaries can be had as PDF. ``operator``: who runs
    this; null: they have not said. ``keep_days``: so many days after something last happened in it a session is
    removed; 0: when somebody deletes it. ``wait_seconds``: the longest that a turn may wait for a model; 0: none."""

    version: str
    mode: Literal["script", "model"]
    model: ModelShape | None
    contacts: list[Contact]
    numbers: list[str]
    debug: Literal["full", "summary", "none"]
    recall_seconds: float
    persistence: Literal["device", "session", "none"]
    exit_page: str | None
    pdf: bool
    operator: OperatorShape | None
    keep_days: Count
    wait_seconds: float


class Place(Shape):
    """A phase, topic or action of the script: its number from 0, and its id."""

    index: Count
    id: str


class Position(Shape):
    phase: Place | None
    topic: Place | None
    action: Place | None
    action_type: str | None = None
    current_round: Count | None = None
    max_rounds: Count | None = None


class Choice(Shape):
    value: str
    label: str


class FormOption(Shape):
    value: str | bool | int | float
    label: str


class FormField(Shape):
    """A question of a form, or a ``note`` to be read. ``within``: the field that it stands under. ``least``, ``most``
    and ``step`` are of numbers; ``ends`` are the words at the two ends of a slider."""

    id: str
    type: Literal[
        "single",
        "multiple",
        "text",
        "longtext",
        "integer",
        "number",
        "boolean",
        "slider",
        "mood",
        "date",
        "time",
        "datetime",
        "note",
    ]
    label: str
    help: str = ""
    prefix: str = ""
    within: str | None = None
    required: bool = False
    options: list[FormOption] = []
    least: float | None = None
    most: float | None = None
    step: float | None = None
    ends: list[str] = []
    unit: str = ""
    max_length: int | None = None


class FormProblem(Shape):
    """What is wrong with an answer; ``field`` is empty where it is about several."""

    field: str
    code: str
    message: str


class FormShape(Shape):
    """A form to be filled. ``id`` is the form's, ``key`` that of this showing of it, which answers to it name.
    ``values``: what has been answered so far; ``hidden``: fields that these answers leave out; ``problems``: what is
    wrong with the answers, and after a submission, which was not taken, what is missing as well."""

    model_config = ConfigDict(title="Form")

    id: str
    key: str
    name: str
    required: bool
    description: str = ""
    source: str = ""
    licence: str = ""
    fields: list[FormField]
    values: dict[str, FormValue]
    hidden: list[str]
    problems: list[FormProblem]


FormValue = str | bool | int | float | list[str | bool | int | float]


class FormResult(Shape):
    """A form as it was handed in: the answers of the fields that were shown; by score, its value (null: an answer was
    missing), what it is called, and the label of the band that it falls in."""

    turn: Count
    form: str
    name: str
    values: dict[str, FormValue]
    scores: dict[str, int | float | None]
    labels: dict[str, str]
    bands: dict[str, str]
    at: datetime


class FormResults(Shape):
    """Oldest first."""

    forms: list[FormResult]


class BandShape(Shape):
    """What a score from ``low`` to ``high``, both counted in, is called."""

    model_config = ConfigDict(title="Band")

    label: str
    low: int | float
    high: int | float


class FormScore(Shape):
    """What a form came to, without its answers. ``ranges``: the bands of each score that has some, as they are now;
    ``better``: which end of a score is, where its form says so; ``limits``: the least and the most it can come to."""

    session: str
    form: str
    name: str
    scores: dict[str, int | float | None]
    labels: dict[str, str]
    bands: dict[str, str]
    ranges: dict[str, list[BandShape]]
    better: dict[str, Literal["high", "low"]]
    limits: dict[str, list[int | float]]
    at: datetime


class KnownShape(Shape):
    """Something that is known of a person in all sessions of ``project``. ``label``: what it is called for people, in
    the language asked for. ``evidence``: the words it rests on."""

    model_config = ConfigDict(title="Known")

    project: str
    name: str
    label: str
    value: Any
    evidence: str | None
    updated_at: datetime


class RememberedShape(Shape):
    """Something that was told or explained and may come up again: for how long, says ``type`` (``short``: its topic,
    ``mid``: the session, ``long`` and ``structured``: every session of ``project``). ``quote``: the words it rests on;
    ``taken``: how an explanation was taken."""

    model_config = ConfigDict(title="Remembered")

    id: str
    session: str
    project: str
    kind: Literal["answer", "explanation"]
    type: Literal["short", "mid", "long", "structured"]
    topic: str
    content: str
    quote: str | None
    taken: list[Literal["understood", "acknowledged", "asked", "unclear", "refused"]]
    at: datetime


class MemoryShape(Shape):
    """Something that is remembered beside the turns: ``layer`` says for how long and how, ``kind`` what it is. It comes
    from ``message`` of ``session``, where ``quote`` stands. ``old``: something newer has taken its place; ``by`` is
    ``ai`` for what was observed or supposed, and not said."""

    model_config = ConfigDict(title="Memory")

    id: str
    session: str
    project: str
    layer: Layer
    kind: Literal[
        "passage",
        "summary",
        "event",
        "profile",
        "pattern",
        "goal",
        "homework",
        "preference",
        "entity",
        "relation",
        "note",
        "score",
    ]
    topic: str
    content: str
    quote: str | None
    message: int
    at: datetime
    old: bool
    by: Literal["person", "ai"]

    @classmethod
    def of(cls, project: str, item: Item) -> MemoryShape:
        names = ("id", "session", "kind", "topic", "content", "message", "at", "old", "by")
        told = {name: getattr(item, name) for name in names}
        return cls(**told, project=project, layer=cast("Layer", item.type), quote=item.quote or None)


class MemoryList(Shape):
    memories: list[MemoryShape]


class RememberingShape(Shape):
    """Whether conversations may know of earlier ones (null: not answered), and since when that is so."""

    model_config = ConfigDict(title="Remembering")

    on: bool | None
    at: datetime | None


class CurvePoint(Shape):
    at: datetime
    value: float
    band: str


class CurveShape(Shape):
    model_config = ConfigDict(title="Curve")

    name: str
    points: list[CurvePoint]


class TimelineShape(Shape):
    model_config = ConfigDict(title="Timeline")

    events: list[MemoryShape]
    milestones: list[MemoryShape]
    curves: list[CurveShape]


class ConsentShape(Shape):
    """What a person agreed to before a session: the notice of that version, and where their words would go. ``at``:
    when; ``withdrawn_at``: when they took it back; ``open``: the session has not ended, so that it still can be."""

    model_config = ConfigDict(title="Consent")

    session: str
    script: str
    notice: str
    mode: Literal["script", "model"]
    model: str | None
    hosts: list[str]
    at: datetime
    withdrawn_at: datetime | None
    open: bool


class Space(Shape):
    """What is kept of a person. ``consents``, ``remembered``: oldest first. ``contact``: somebody may be told when they
    need help."""

    since: datetime
    sessions: Count
    consents: list[ConsentShape]
    known: list[KnownShape]
    remembered: list[RememberedShape]
    forms: list[FormScore]
    contact: bool


class ScaleShape(Shape):
    """Whole numbers from ``low`` to ``high``. ``ends``: the words at its two ends."""

    model_config = ConfigDict(title="Scale")

    low: int
    high: int
    ends: tuple[str, str] | None = Field(default=None, exclude_if=lambda ends: ends is None)


class RequestShape(Shape):
    """What is awaited. A ``choice`` and a ``form`` may be answered in own words as well; ``none``: the session is
    over. ``offers`` and ``scale``: of a ``message``, words and numbers that may be offered to be tapped; what is tapped
    is sent as a message."""

    model_config = ConfigDict(title="Request")

    type: Literal["message", "choice", "form", "none"]
    choices: list[Choice] = []
    offers: list[str] | None = Field(default=None, exclude_if=lambda offers: offers is None)
    scale: ScaleShape | None = Field(default=None, exclude_if=lambda scale: scale is None)
    form: FormShape | None = Field(default=None, exclude_if=lambda form: form is None)


class Phase(Shape):
    id: str
    name: str
    done: bool
    current: bool
    counted: bool | None = Field(default=None, exclude_if=lambda counted: counted is None)


class Progress(Shape):
    """``counted``: the phase is one of those of which there are always as many; one that comes only sometimes is not.
    ``minutes_left``: about so many, where the script says how long it takes."""

    phases: list[Phase]
    milestones: list[str]
    minutes_left: int | None = None


class Media(Shape):
    """What is shown or heard beside a message. ``src``: an address on this server that begins with ``/``, or an https
    one on a host that the script's project allows. ``alt`` says what a picture shows, ``transcript`` all that is said
    in a recording. ``data``: a card's ``title``, ``text``, ``items``; a chart's ``title``, ``kind`` (``course``,
    ``compare``), ``points`` of ``label`` and ``value``, ``range``; a pacer's seconds ``in``, ``hold``, ``out``,
    ``rest``, and ``seconds`` in all, when it ends by itself."""

    kind: Literal["picture", "audio", "card", "chart", "pacer"]
    src: str | None = None
    alt: str = ""
    caption: str = ""
    transcript: str = ""
    data: dict[str, Any] = {}


class Message(Shape):
    """``seq`` counts from 1 within the session and orders the transcript. ``human``: a counsellor of flesh and blood,
    whose shown name is ``name``; ``system``: a remark about the session itself. ``recalled``: it was taken back, and
    ``content`` is empty."""

    id: str
    seq: Annotated[int, Field(ge=1)]
    turn: Count
    sender: Literal["person", "ai", "system", "human"]
    name: str | None = None
    content: str
    content_type: str
    action_id: str | None
    at: datetime
    media: list[Media] = []
    recalled: bool = False


class Exit(Shape):
    """Why the last action was left (or not). ``class`` is the exit policy's."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    reason: str
    class_: Annotated[str | None, Field(alias="class")]
    decision_source: str


class HumanShape(Shape):
    """The counsellor who speaks in the program's place."""

    model_config = ConfigDict(title="Human")

    name: str
    since: datetime


class HumanTyping(Shape):
    """The data of ``human.typing``: the counsellor is writing. It holds for a few seconds."""

    name: str


class TurnHead(Shape):
    id: str
    seq: Annotated[int, Field(ge=1)]
    status: Literal["completed"] = "completed"


class TurnStart(Shape):
    id: str
    seq: Annotated[int, Field(ge=1)]


class TurnStarted(Shape):
    """The data of ``turn.started``."""

    turn: TurnStart


class MessageDelta(Shape):
    """The data of ``message.delta``: more of a message of a turn that does not stand yet. ``number`` is the ``seq``
    that the message will have, ``turn`` the one of its turn; ``offset`` counts the characters (Unicode code points) of
    it that came before ``text``."""

    turn: Annotated[int, Field(ge=1)]
    number: Annotated[int, Field(ge=1)]
    offset: Count
    text: str


class TurnEnd(Shape):
    """A finished turn without its messages: the data of ``turn.completed``. ``recalled``: the numbers of the messages
    that it took back, whose words are gone; ``rewound``: and all that had come of them. ``quiet``: a human has left,
    and the program says nothing until the person does."""

    turn: TurnHead
    execution_status: Literal["completed", "waiting_input", "error"]
    position: Position
    exit: Exit | None
    request: RequestShape
    progress: Progress
    in_crisis: bool
    human: HumanShape | None = None
    quiet: bool = False
    recalled: list[int] = []
    rewound: bool = False


class Turn(TurnEnd):
    """A finished turn, with all that was said in it, the person's own words included. ``debug``: what ``/debug`` tells
    of it, where that was asked for."""

    messages: list[Message]
    debug: dict[str, Any] | None = None


class SessionShape(Shape):
    """A session as it stands. ``turn``, ``last_message`` and ``last_event_id`` are 0 before its first turn.
    ``restorable`` is false when its progress cannot be loaded: it can then be started over. ``human``: who speaks in
    the program's place; ``quiet``: they have left, and the program says nothing until the person does."""

    model_config = ConfigDict(title="Session")

    id: str
    script: str
    name: str
    locale: str
    status: Literal["created", "active", "away", "suspended", "interrupted", "ended", "archived"]
    paused: bool
    created_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    turn: Count
    last_message: Count
    last_event_id: Count
    mode: Literal["script", "model"]
    speaker: str | None
    picture: str | None = None
    in_crisis: bool
    human: HumanShape | None = None
    quiet: bool = False
    restorable: bool
    position: Position
    request: RequestShape
    progress: Progress
    debug: Literal["full", "summary", "none"]
    metadata: dict[str, Any] = {}


class SessionItem(Shape):
    """A session in a list. ``name`` is the script's as the library has it now, else its id."""

    id: str
    script: str
    name: str
    locale: str
    status: Literal["created", "active", "away", "suspended", "interrupted", "ended", "archived"]
    created_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    turn: Count


class SessionList(Shape):
    sessions: list[SessionItem]
    next: str | None


class CreatedSession(Shape):
    """``person_token`` only when an anonymous person was made."""

    session: SessionShape
    token: str
    person_token: str | None = None


class Recovery(Shape):
    token: str
    expires_at: datetime


class MessageList(Shape):
    """Oldest first. ``more``: there are others further on in the direction that was asked for."""

    messages: list[Message]
    more: bool


class ReportShape(Shape):
    """A reply that the person has reported. ``message``: its ``seq``. ``new`` is false when it had been reported
    before; the first report stands."""

    model_config = ConfigDict(title="Report")

    message: Annotated[int, Field(ge=1)]
    reason: Literal["not_heard", "hurtful", "wrong", "unsafe", "other"]
    text: str | None
    at: datetime
    new: bool = False


class ReportList(Shape):
    """In the order of the replies."""

    reports: list[ReportShape]


class StopOutcome(Shape):
    """``stopping`` is false when no reply was under way."""

    stopping: bool


class Health(Shape):
    status: Literal["ok", "stopping", "unavailable"]
