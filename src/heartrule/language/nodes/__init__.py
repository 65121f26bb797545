"""The script model: what a counsellor may write, as typed and immutable nodes.

Loader, linter, JSON Schema and runtime all read these classes and nothing else. A key that is not here is an
error (``extra="forbid"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import Discriminator, Field, Tag, model_validator

from heartrule.checks.rules import STYLE, ContentCode, Own, StyleCode
from heartrule.language.nodes.conditions import All, Any_, Condition, Expr, Not
from heartrule.language.nodes.conditions import kind as condition_kind
from heartrule.language.nodes.media import Audio, Card, Chart
from heartrule.language.nodes.memory import MemoryRules
from heartrule.language.nodes.node import NOWHERE as NOWHERE
from heartrule.language.nodes.node import Json as Json
from heartrule.language.nodes.node import Node as Node
from heartrule.language.nodes.node import Place as Place
from heartrule.language.nodes.node import Template as Template
from heartrule.language.nodes.node import Text as Text
from heartrule.language.nodes.strategy import ExitClass as ExitClass
from heartrule.language.nodes.strategy import Strategies as Strategies
from heartrule.language.nodes.strategy import Strategy as Strategy
from heartrule.language.nodes.strategy import TopicStrategy as TopicStrategy
from heartrule.language.nodes.traits import Traits
from heartrule.language.nodes.written_names import Writes

Scope = Literal["global", "session", "phase", "topic"]
ValueType = Literal["text", "integer", "number", "boolean", "enum", "date", "list", "object"]
Priority = Literal["high", "medium", "low"]


class Pattern(Node):
    """One rule of a variable that reads its value from a person's words without a model."""

    pattern: str | None = None
    beside: str | None = None
    value: Json = None
    keywords: dict[str | int, list[str]] | None = None


class OnFailure(Node):
    do: Literal["reask", "default", "skip"] = "reask"
    max: int = Field(default=2, ge=0, le=20)
    default: Json = None


class FieldOf(Node):
    """A field of a list's items or of an object. What its own rules refuse is left out alone."""

    name: str
    type: ValueType = "text"
    define: str = ""
    range: tuple[float, float] | None = None
    options: list[Json] | None = None
    pattern: str | None = None


class Depends(Node):
    """What a variable depends on: ``var`` is known, and the condition holds, before it is looked for. Without ``var``
    the condition alone decides, also where nothing is known yet."""

    var: str | None = None
    condition: Expr | None = None


class Listen(Node):
    """``listen``: ``passive`` takes the variable down whenever a person tells it, whatever they were asked, as long as
    its declaration can be seen; ``on_demand`` only where it is asked for. ``scope`` narrows that to the phases or the
    topics that ask for it."""

    scope: Scope | None = None
    mode: Literal["on_demand", "passive"] = "passive"


class VariableRules(Node):
    """What a variable's values must be and how they are found; shared by declarations and outputs. ``ends``: the words
    at the two ends of its range. ``offer``: answers that a question for it offers to be tapped; each is said as words
    of the person's own."""

    type: ValueType | None = None
    scope: Scope | None = None
    define: str = ""
    range: tuple[float, float] | None = None
    ends: tuple[str, str] | None = None
    offer: Annotated[list[str] | None, Field(min_length=2, max_length=6)] = None
    options: list[Json] | None = None
    pattern: str | None = None
    min_length: int | None = Field(default=None, ge=0)
    validate_: Annotated[Expr | None, Field(alias="validate")] = None
    value: Json = None
    on_failure: OnFailure | None = None
    update: Literal["overwrite", "append", "merge_unique", "versioned"] = "overwrite"
    key: str | None = None
    confirm_change: bool = False
    depends_on: list[Depends] | None = None
    risk: bool = False
    fields: list[FieldOf] | None = None
    rules: list[Pattern] | None = None


class Variable(VariableRules):
    """A declared variable: an item of ``global`` or of a ``declare`` list. ``label``: what persons are shown as its
    name, in one language or by language."""

    var: str
    label: str | dict[str, str] | None = None
    listen: Listen | None = None


class Get(VariableRules):
    """``{get: name, define: …}``: extract a value. ``name`` may be ``alias.field`` inside ``for_each``. Of a stretch of
    talk: ``question`` asks for it literally, ``required`` says whether the stretch may end without it (None: as the
    action does), ``sensitive`` that it is asked late, and refused once for good."""

    get: str
    listen: Listen | None = None
    question: Template | None = None
    required: bool | None = None
    sensitive: bool = False


class Set(Node):
    """``{set: name, value: …}``: assign. In ``use_skill.output`` it stands beside ``get``."""

    set: str
    value: Json = None


class Transition(Node):
    to: str
    condition: Condition | None = None


class ExitCondition(Node):
    variable: str
    operator: Literal["==", "!=", ">", "<", ">=", "<=", "contains"]
    value: Json = None


class AskExitCriteria(Node):
    min_rounds: int | None = Field(default=None, ge=1)
    custom_conditions: list[ExitCondition] = []


class SayExitCriteria(AskExitCriteria):
    understanding_threshold: int = Field(default=80, ge=0, le=100)
    has_questions: bool = False


ExitSource = Literal["max_rounds", "exit_flag", "exit_criteria", "llm_suggestion"]
Tier = Literal["fast", "balanced", "quality"]
"""Which of the configured models an action asks for."""


class Action(Node):
    """What every action has; each type adds its fields in ``engine/actions/<type>.py``. ``review``: what a model writes
    for it is checked against its instructions by a second call before anybody sees it. ``card``, ``chart`` and
    ``audio`` stand beside the first words that it says."""

    type: str
    id: str | None = None
    condition: Condition | None = None
    timeout: str | None = None
    on_timeout: Literal["continue", "retry", "skip", "end"] | None = None
    fallback: Template | None = None
    model: Tier | None = None
    review: bool = False
    memory: MemoryRules | None = None
    card: Card | None = None
    chart: Chart | None = None
    audio: Audio | None = None

    traits: ClassVar[Traits] = Traits()

    def may_wait(self) -> bool:
        """Whether it may wait for the person."""
        return self.traits.waits


class Repeat(Node):
    """Run the topic again until the condition holds; ``max`` passes at most (none: until it holds)."""

    until: Condition
    max: int | None = Field(default=None, ge=1)


class ForEach(Node):
    in_: Annotated[str, Field(alias="in")]
    as_: Annotated[str, Field(alias="as")]
    key: str | None = None
    max: int = Field(default=20, ge=1, le=200)


class Declares:
    """What has variables of its own."""

    if TYPE_CHECKING:  # a field of each node that is one, in its own place
        declare: list[Variable]

    @cached_property
    def declared(self) -> Mapping[str, Sequence[Variable]]:
        """Its declarations by name, in the script's order."""
        found: dict[str, list[Variable]] = {}
        for variable in self.declare:
            found.setdefault(variable.var, []).append(variable)
        return found


class Steps(Declares, Writes, Node):
    """What a topic and a skill share. ``sensitive``: it may be hard to talk about, and is announced with a choice."""

    id: str | None = None
    goal: Template = ""
    strategy: Strategy = ""
    priority: Priority = "medium"
    sensitive: bool = False
    time_budget: str | None = None
    repeat: Repeat | None = None
    done_when: Condition | None = None
    memory: MemoryRules | None = None
    declare: list[Variable] = []
    actions: list[Action]

    @cached_property
    def listening(self) -> Sequence[Get]:
        """The outputs that are listened for, in the script's order."""
        outputs = (item for action in self.actions for item in action.peek("output") or ())
        return [each for each in outputs if isinstance(each, Get) and each.listen and each.listen.mode == "passive"]

    @cached_property
    def asked_for(self) -> frozenset[str]:
        """The names that its actions have outputs for."""
        outputs = (item for action in self.actions for item in action.peek("output") or ())
        return frozenset(each.get for each in outputs if isinstance(each, Get))


class AwarenessSwitch(Node):
    enable: list[str] = []
    disable: list[str] = []


class Topic(Steps):
    """``awareness``: over what its phase switches, while it runs."""

    topic: str
    condition: Condition | None = None
    awareness: AwarenessSwitch | None = None
    for_each: ForEach | None = None
    transitions: list[Transition] = []

    @property
    def name(self) -> str:
        return self.topic


class Parameter(Node):
    name: str
    required: bool = False
    default: Json = None
    define: str = ""


class Skill(Steps):
    """A technique. ``translation_of`` names the skill that this one stands in for when a session speaks ``locale``.
    ``led``: one of the project ``safety`` in which a model may speak all the same; the others speak fixed words."""

    skill: str
    led: bool = False
    locale: str | None = None
    translation_of: str | None = None
    parameters: list[Parameter] = []
    returns: list[str] = []

    @property
    def name(self) -> str:
        return self.skill


class Phase(Declares, Node):
    phase: str
    id: str | None = None
    goal: Template = ""
    time_budget: str | None = None
    milestone: Template | None = None
    instructions: Template = ""
    condition: Condition | None = None
    awareness: AwarenessSwitch | None = None
    memory: MemoryRules | None = None
    declare: list[Variable] = []
    transitions: list[Transition] = []
    steps: list[Topic]

    @property
    def name(self) -> str:
        return self.phase

    @cached_property
    def listening(self) -> Sequence[Get]:
        """The outputs of its topics that are listened for."""
        return [each for topic in self.steps for each in topic.listening]

    @property
    def switches(self) -> list[AwarenessSwitch]:
        """What it and its topics switch."""
        return [switch for switch in (self.awareness, *(topic.awareness for topic in self.steps)) if switch is not None]

    @cached_property
    def topics(self) -> Mapping[str, Topic]:
        """By id, or by name while there is none; of equal ones the first."""
        return {topic.id or topic.topic: topic for topic in reversed(self.steps)}


class AskRule(Node):
    """How tasks of a kind are asked of a model. What is not written stays as the server has it; nothing may take
    longer, be tried more often or say more than the server lets it."""

    tier: Tier | None = None
    deadline: Annotated[float, Field(ge=1, le=60)] | None = None
    retries: Annotated[int, Field(ge=0, le=3)] | None = None
    temperature: Annotated[float, Field(ge=0, le=1.5)] | None = None
    max_tokens: Annotated[int, Field(ge=64, le=8_000)] | None = None


class PerceiveRule(AskRule):
    """``group``: how many judgements one call is asked at most."""

    group: Annotated[int, Field(ge=1, le=20)] | None = None


class AskRules(Node):
    """By kind. Whether somebody is in danger is asked as the server has it."""

    generate: AskRule | None = None
    perceive: PerceiveRule | None = None
    extract: AskRule | None = None
    judge: AskRule | None = None
    review: AskRule | None = None
    analyse: AskRule | None = None


GiveUp = Literal["analyse", "perceive", "review", "quality", "reply"]


class TurnBudget(Node):
    """What a turn may take: seconds, and money in ``currency``; never more than the server lets it. ``give_up``: what
    is given up first when that is not enough."""

    max_latency: Annotated[float, Field(ge=1, le=120)] | None = None
    max_cost: Annotated[float, Field(gt=0, le=1_000)] | None = None
    currency: Annotated[str, Field(min_length=3, max_length=3)] | None = None
    give_up: list[GiveUp] | None = None


class Llm(Node):
    """``llm`` of a project or a session."""

    policy: AskRules = AskRules()
    budget: TurnBudget = TurnBudget()


Level = Literal["none", "summary", "full"]
"""How much of a session may be seen while a script is worked on."""


class Takeaway(Node):
    """What of a session is the person's, for its summary: the variable ``var`` under ``label`` (else its own label).
    ``then``: the same asked later, so that both stand as a change."""

    var: str
    then: str | None = None
    label: str | dict[str, str] | None = None


class Session(Declares, Node):
    """``knowledge``: texts of the project's folder that prompts are told from, behind the project's own. ``summary``:
    what the person is given of it at the end, in this order."""

    session: str
    id: str | None = None
    goal: Template = ""
    audience: str = ""
    duration: str | None = None
    locale: str | None = None
    translation_of: str | None = None
    template_scheme: str | None = None
    llm: Llm | None = None
    instructions: Template = ""
    knowledge: list[str] = Field(default=[], max_length=20)
    monitors: bool | None = None
    memory: MemoryRules | None = None
    awareness: list[str] = []
    declare: list[Variable] = []
    summary: Annotated[list[Takeaway], Field(max_length=20)] = []
    phases: list[Phase]

    @cached_property
    def led(self) -> bool:
        """Whether a model leads some stretch of it: an ``ai_ask`` with several outputs that is not kept to its
        wording."""
        actions = (action for phase in self.phases for topic in phase.steps for action in topic.actions)
        led = (action for action in actions if action.traits.asks == "model" and not action.peek("literal"))
        outputs = (action.peek("output") or () for action in led)
        return any(sum(isinstance(item, Get) for item in output) > 1 for output in outputs)

    @cached_property
    def wanted(self) -> Sequence[Get]:
        """All that it wants to find out in conversation, each name once, in the script's order."""
        found: dict[str, Get] = {}
        for phase in self.phases:
            for topic in phase.steps:
                for action in topic.actions:
                    for item in action.peek("output") or () if action.traits.asks else ():
                        if isinstance(item, Get):
                            found.setdefault(item.get, item)
        return list(found.values())

    @cached_property
    def listening(self) -> Sequence[Get]:
        """The outputs of its phases that are listened for."""
        return [each for phase in self.phases for each in phase.listening]

    @property
    def name(self) -> str:
        return self.session


class RiskPattern(Node):
    """A P0 rule: patterns (RE2 syntax, searched in the folded text; of several, any), why they count, and what takes
    them back. ``match`` and ``pass`` are examples: the words that this very rule finds, and such as it lets pass."""

    reason: str
    pattern: str | list[str]
    unless: str | list[str] | None = None
    match: list[str] = []
    pass_: Annotated[list[str], Field(alias="pass")] = []


class RiskRules(Node):
    """``<name>`` in a pattern stands for any of the ``words`` of that name. ``others``: what is found within their
    matches is told of somebody else. ``doubtful``: what is found within theirs is hardly the person's own and present
    (asked, denied, long past, a figure of speech), and ``mentions`` only name it: neither ever interrupts, and a
    classifier decides whether it is raised.
    ``over`` is doubtful in the same way of what is told of somebody else, who has died or is well again.
    ``wishes`` are as explicit - wishes, thoughts, intent, preparation, past attempts - and nothing is under way.
    ``graver`` is searched only once the technique that a hit calls has been gone through: what is more than was told
    then."""

    words: dict[str, list[str]] = {}
    others: list[RiskPattern] = []
    doubtful: list[RiskPattern] = []
    over: list[RiskPattern] = []
    explicit: list[RiskPattern] = []
    wishes: list[RiskPattern] = []
    watch: list[RiskPattern] = []
    mentions: list[RiskPattern] = []
    graver: list[RiskPattern] = []

    def all(self) -> Iterator[RiskPattern]:
        yield from (*self.others, *self.doubtful, *self.over, *self.explicit, *self.wishes, *self.watch)
        yield from (*self.mentions, *self.graver)


class Examples(Node):
    hit: list[str] = []
    miss: list[str] = []


class AwarenessTrigger(Node):
    """When an awareness script acts: a question for the model, rules in code, or both. ``judge_in``: the same question
    for sessions in other languages. ``classifier``: the learned reader that may raise what rules did not hear to a
    watch word."""

    judge: Template
    judge_in: dict[str, Template] = {}
    threshold: float = Field(default=0.5, ge=0, le=1)
    examples: Examples = Examples()
    rules: RiskRules | None = None
    classifier: Literal["own_danger"] | None = None
    if_unanswered: Literal["rules", "hit", "miss", "unknown"] = "rules"
    default: bool | None = None
    """As a ``judge`` has it elsewhere: ``true`` for ``if_unanswered: hit``, ``false`` for ``miss``."""

    @model_validator(mode="after")
    def _unanswered(self) -> Self:
        if self.default is not None and "if_unanswered" not in self.model_fields_set:
            self.__dict__["if_unanswered"] = "hit" if self.default else "miss"
        return self

    def asked_in(self, locale: str) -> str:
        """The question for a session in this locale, or in its language."""
        return _by_locale(self.judge_in, locale) or self.judge


DirectiveName = Literal[
    "INSERT_TOPIC",
    "SUSPEND_CURRENT",
    "SKIP_TOPICS",
    "REORDER_TOPICS",
    "CALL_TECHNIQUE",
    "SET_VAR",
    "FEEDBACK",
    "ENABLE",
    "DISABLE",
    "ESCALATE",
    "END_SESSION",
]


class Directive(Node):
    """``text`` is for the next prompt (``FEEDBACK``), ``awareness`` the script that is switched, ``to`` whom somebody
    is told at (``ESCALATE``) and ``note`` what they are told. ``without_model`` is called in place of ``technique``
    where no model answers."""

    directive: DirectiveName
    topic: str | None = None
    position: Literal["HEAD", "NEXT", "TAIL"] = "HEAD"
    reason: str | None = None
    topics: list[str] | None = None
    priority_map: dict[str, Priority | int] | None = None
    technique: str | None = None
    without_model: str | None = None
    params: dict[str, Json] = {}
    var: str | None = None
    value: Json = None
    text: Template | None = None
    awareness: str | None = None
    to: str | None = None
    note: Template | None = None


class Expires(Node):
    """When a script stops watching for good: a condition holds, so long after it was switched on, or after so many
    hits."""

    condition: Condition | None = None
    after: str | None = None
    times: int | None = Field(default=None, ge=1)


def _asks(value: Any) -> str | None:
    """Whether what a script watches for is a question with all that belongs to one, or any other condition."""
    if isinstance(value, AwarenessTrigger) or (isinstance(value, dict) and "judge" in value):
        return "<noticing>"
    return condition_kind(value)


Watched = Annotated[
    Annotated[AwarenessTrigger, Tag("<noticing>")]
    | Annotated[Expr, Tag("<expression>")]
    | Annotated[All, Tag("<all>")]
    | Annotated[Any_, Tag("<any>")]
    | Annotated[Not, Tag("<not>")],
    Discriminator(_asks, custom_error_type="condition", custom_error_message="no condition"),
]


class Awareness(Node):
    """``then`` acts on a hit, ``on_watch`` when only a watch rule spoke, ``on_unknown`` when nobody could judge,
    ``on_other`` when that was told of somebody else, ``on_repeat`` when the technique that a hit calls has been gone
    through and nothing new or graver was said since, ``on_wish`` in place of ``then`` where a model leads and the words
    are among the rules' ``wishes``, or its judge is certain. Without ``then`` a hit is no more than a watch word.

    P0 is judged on every message, P1 at the hook points ``at``, P2 every ``every`` beside the conversation. ``strict``:
    a hook point that was not foreseen is judged there and then, by a call that the turn waits for."""

    awareness: str
    id: str | None = None
    priority: Literal["P0", "P1", "P2"] = "P0"
    always: bool = False
    at: list[str] = []
    strict: bool = False
    every: str | None = None
    cooldown: str | None = None
    expires: Expires | None = None
    condition: Watched
    then: list[Directive]
    on_wish: list[Directive] = []
    on_watch: list[Directive] = []
    on_other: list[Directive] = []
    on_unknown: list[Directive] = []
    on_repeat: list[Directive] = []
    resume: Literal["after", "skip"] = "after"

    @property
    def name(self) -> str:
        return self.awareness

    @property
    def noticing(self) -> AwarenessTrigger | None:
        """The question with its examples and rules; None where code or a combination decides."""
        return self.condition if isinstance(self.condition, AwarenessTrigger) else None

    def directives(self) -> Iterator[Directive]:
        """All that it may order, whatever the verdict."""
        yield from (*self.then, *self.on_wish, *self.on_watch, *self.on_other, *self.on_unknown, *self.on_repeat)


class Role(Node):
    """``role: ai`` is the voice that speaks, ``role: person`` the one who is spoken with. One with a ``locale`` is for
    sessions in that language; it goes before one without. ``picture``: a picture's ``src``, shown where it speaks."""

    role: Literal["ai", "person"]
    name: str
    tone: str = ""
    picture: str | None = None
    locale: str | None = None


CheckName = Literal[ContentCode, StyleCode]
_T = TypeVar("_T")


class OutputChecks(Node):
    """What a project adds to the checks of what a model writes. ``off`` may name checks of style only."""

    sensitive: list[str] | dict[str, list[str]] = []
    allow: list[str] | dict[str, list[str]] = []
    length: Annotated[int, Field(ge=20, le=5_000)] | dict[str, Annotated[int, Field(ge=20, le=5_000)]] | None = None
    off: list[CheckName] = []

    def within(self, locale: str) -> Own:
        """What holds for a session in this locale."""
        return Own(
            sensitive=tuple(_by_locale(self.sensitive, locale) or ()),
            allow=tuple(_by_locale(self.allow, locale) or ()),
            length=_by_locale(self.length, locale),
            off=frozenset(self.off) & frozenset(STYLE),
        )


def _by_locale(given: _T | dict[str, _T] | None, locale: str) -> _T | None:
    """What was given for this locale: where it is given by locale, the same, else the same language, else none."""
    if not isinstance(given, dict):
        return given
    language = locale.partition("-")[0].lower()
    near = (each for key, each in given.items() if key.partition("-")[0].lower() == language)
    return given.get(locale) or next(near, None)


class Defaults(Node):
    """What holds for sessions that say nothing of it themselves. Both may stand in the project itself."""

    debug: Level | None = None
    memory: MemoryRules | None = None


class Project(Node):
    """``project.yaml``. ``directives``: what awareness scripts below P0 may order in its sessions; left out, everything
    but the end of the session. ``media_hosts``: where pictures and recordings may lie outside of its folder.
    ``debug``: how much may be seen of sessions that say nothing of it themselves; never more than the server allows.
    ``limits``: how long its scripts should at most be: topics of a session, steps of a topic, and levels of steps
    within steps. ``domain``: the field in which its conversations work, told to the model in every one of them.
    ``monitoring``: ``full`` lets every round be described whole and thought over; else only what stands out is."""

    id: str
    name: str = ""
    domain: str | dict[str, str] = ""
    locale: str = "zh-CN"
    template_scheme: str | None = None
    llm: Llm | None = None
    instructions: Template | dict[str, Template] = ""
    knowledge: list[str] = Field(default=[], max_length=20)
    debug: Level | None = None
    memory: MemoryRules | None = None
    defaults: Defaults = Defaults()
    checks: OutputChecks = OutputChecks()
    directives: list[DirectiveName] | None = None
    monitors: bool = True
    monitoring: Literal["sparse", "full"] = "sparse"
    strategies: Strategies = Strategies()
    media_hosts: list[str] = []
    lint: dict[str, Literal["off", "warning", "error"]] = {}
    limits: dict[Literal["topics", "steps", "nesting"], Annotated[int, Field(ge=1, le=1000)]] = {}
    roles: list[Role] = []

    @property
    def debugged(self) -> Level:
        """How much may be seen of its sessions where nothing else is said."""
        return self.debug or self.defaults.debug or "none"

    def may_order(self, directive: DirectiveName) -> bool:
        """Whether awareness scripts below P0 may order this in the project's sessions."""
        return directive != "END_SESSION" if self.directives is None else directive in self.directives

    def domain_in(self, locale: str) -> str:
        """The field in which it works, as prompts name it; where it is given by locale, as the instructions are."""
        return _by_locale(self.domain, locale) or ""

    def instructions_in(self, locale: str) -> str:
        """Those for a session in this locale: where they are given by locale, the same, else the same language, else
        none."""
        return _by_locale(self.instructions, locale) or ""
