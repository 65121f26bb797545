"""A case: a conversation as it is written in a test file, and what is expected of it.

The models are the format: a key that is not here is a finding with its place.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, PrivateAttr, Tag

from heartrule.language.nodes import DirectiveName
from heartrule.language.nodes.node import Json, Node, Place
from heartrule.script_tests.situations import Group

By = Literal["none", "scripted", "recorded", "live"]
Texts = str | list[str]
Verb = Literal["start", "say", "choose", "wait", "reconnect", "fill", "pause", "resume", "end"]
VERBS: tuple[Verb, ...] = ("start", "say", "choose", "wait", "reconnect", "fill", "pause", "resume", "end")
HANDING = ("submit", "cancel")
"""What is done with a form; without ``fill`` it is handed in, or put away, as it is."""
BARE = frozenset({"start", "reconnect", "pause", "resume", "end"})
"""Moves that may stand alone, as a word."""


class WantedDirective(Node):
    """A directive with what it must be about; what is not written may be anything. ``refused``: it was not carried out,
    for a reason with these words, or for any."""

    directive: DirectiveName
    technique: str | None = None
    topic: str | None = None
    topics: Texts = []
    awareness: str | None = None
    var: str | None = None
    refused: bool | str = False


Ending = Literal[
    "completed",
    "known",
    "settled",
    "not_due",
    "unfinished",
    "timeout",
    "cancelled",
    "refused",
    "stopped",
    "deferred",
    "fallback",
    "danger",
    "left to the counsellor",
    "go_on",
    "later",
    "skip",
    "exit_criteria_met",
    "max_rounds_reached",
    "user_blocked",
    "off_topic",
    "left",
    "lost",
]


class WantedExit(Node):
    """How an action came to end. ``class`` and ``source`` are those of the recorded decision, where there is one;
    ``outcome`` is what every action ends with."""

    class_: Annotated[
        Literal["max_rounds_reached", "exit_criteria_met", "user_blocked", "off_topic"] | None, Field(alias="class")
    ] = None
    source: Literal["max_rounds", "exit_flag", "exit_criteria", "llm_suggestion", "plan", "none"] | None = None
    outcome: Ending | None = None
    action: str | None = None


def _shape(value: Any) -> str:
    """How something is written that may be written in several ways; findings pass the tags over."""
    return "<many>" if isinstance(value, list) else "<word>" if isinstance(value, str) else "<one>"


OneDirective = Annotated[
    Annotated[DirectiveName, Tag("<word>")] | Annotated[WantedDirective, Tag("<one>")], Discriminator(_shape)
]
Directives = Annotated[
    Annotated[DirectiveName, Tag("<word>")]
    | Annotated[WantedDirective, Tag("<one>")]
    | Annotated[list[OneDirective], Tag("<many>")],
    Discriminator(_shape),
]


class WantedForm(Node):
    """A form that was handed in, with some of its scores and the labels of their bands."""

    form: str
    scores: dict[str, int | float | None] = {}
    bands: dict[str, str] = {}


Forms = Annotated[Annotated[str, Tag("<word>")] | Annotated[WantedForm, Tag("<one>")], Discriminator(_shape)]


Problems = Annotated[
    Annotated[dict[str, str], Tag("<one>")] | Annotated[str, Tag("<word>")] | Annotated[list[str], Tag("<many>")],
    Discriminator(_shape),
]


class Expect(Node):
    """What must hold of one turn, or, at the end of a case, of the whole conversation. ``not``: none of it may."""

    said_contains: Texts = []
    never_says: Texts = []
    entered: Texts = []
    completed: Texts = []
    skipped: Texts = []
    suspended: Texts = []
    unfinished: Texts = []
    at: str | None = None
    set: dict[str, Json] = {}
    unset: Texts = []
    not_asked: Texts = []
    directive: Directives | None = None
    verdict: dict[str, Literal["yes", "no", "unknown", "watch"]] = {}
    exit: WantedExit | None = None
    escalated: Literal["desk", "contact"] | None = None
    milestone: Texts = []
    request: Literal["message", "choice", "press", "form", "none"] | None = None
    choices: Texts = []
    form: str | None = None
    submitted: Forms | None = None
    problems: Problems = []
    calls: int | None = Field(default=None, ge=0)
    ended: bool | None = None
    not_: Annotated[Expect | None, Field(alias="not")] = None

    _parts: dict[tuple[str | int, ...], Place] = PrivateAttr(default_factory=dict)

    def mark(self, parts: dict[tuple[str | int, ...], Place]) -> None:
        """Where its keys, and what stands under them, begin. Set by the loader, once."""
        self._parts = parts

    def where(self, *keys: str | int) -> Place:
        """Where what stands under ``keys`` begins, or what is nearest to it."""
        while keys and keys not in self._parts:
            keys = keys[:-1]
        return self._parts.get(keys, self.place)

    @property
    def wanted(self) -> dict[str, Any]:
        """What is written of it, by key, in the order of the keys above."""
        fields = type(self).model_fields
        return {fields[name].alias or name: getattr(self, name) for name in fields if name in self.model_fields_set}


def _one_or_many(value: Any) -> str:
    return "<many>" if isinstance(value, list) else "<one>"


Expected = Annotated[
    Annotated[Expect, Tag("<one>")] | Annotated[list[Expect], Tag("<many>")], Discriminator(_one_or_many)
]
"""One mapping, or a list of them."""


class Start(Expect):
    """``start: {…}``: expectations on the first turn, at once or under ``expect``."""

    expect: Expected | None = None


class Step(Node):
    """One move of the person, or of the time, and what is expected of the turn that it leads to."""

    start: Start | None = None
    say: Texts = []
    choose: str = ""
    wait: str = ""
    reconnect: bool | None = None
    fill: dict[str, Json] = {}
    submit: bool | None = None
    cancel: bool | None = None
    pause: bool | None = None
    resume: bool | None = None
    end: bool | None = None
    expect: Expected | None = None

    @property
    def verbs(self) -> list[Verb]:
        own = [verb for verb in VERBS if verb in self.model_fields_set]
        return own or (["fill"] if self.model_fields_set & set(HANDING) else [])

    @property
    def verb(self) -> Verb:
        return self.verbs[0]

    @property
    def expected(self) -> list[Expect]:
        own = listed(self.expect)
        if self.start is None:
            return own
        return [*([self.start] if self.start.model_fields_set - {"expect"} else []), *listed(self.start.expect), *own]


class InitialState(Node):
    """How things stand when the conversation begins. ``at``: topic/action (or a topic: its first action) that it begins
    at. ``reaches``: who can be told that the person needs help. ``human``: a counsellor has taken the session over
    before, and handed it back."""

    variables: dict[str, Json] = {}
    at: str | None = None
    clock: str | None = None
    reaches: list[Literal["desk", "contact"]] = []
    human: bool = False


class Live(Node):
    """How often a case is run with a live model, and how often it must pass: every time, unless said otherwise."""

    runs: int = Field(default=1, ge=1, le=50)
    pass_: Annotated[int | None, Field(alias="pass", ge=1, le=50)] = None

    @property
    def wanted(self) -> int:
        return self.pass_ or self.runs


class Case(Node):
    test: str
    script: str | None = None
    locale: str | None = None
    group: Group = "happy"
    model: By | None = None
    given: InitialState = InitialState()
    answers: dict[str, Json] = {}
    live: Live = Live()
    turns: list[Step]
    expect: Expected | None = None

    @property
    def name(self) -> str:
        return self.test

    @property
    def by(self) -> By:
        """Who answers."""
        return self.model or ("scripted" if self.answers else "none")

    @property
    def steps(self) -> list[Step]:
        """The moves, the start first whether or not it is written."""
        begun = bool(self.turns) and self.turns[0].verb == "start"
        return self.turns if begun else [Step(start=None), *self.turns]

    @property
    def expected(self) -> list[Expect]:
        return listed(self.expect)

    @property
    def all_expected(self) -> list[Expect]:
        """Of every turn, and of the whole."""
        return [*(each for step in self.turns for each in step.expected), *self.expected]


class TestFile(Node):
    """``script`` is that of all cases that name none."""

    __test__ = False

    script: str | None = None
    tests: list[Case]


def listed(expect: Expect | list[Expect] | None) -> list[Expect]:
    return [] if expect is None else expect if isinstance(expect, list) else [expect]


def texts(value: Texts) -> list[str]:
    return [value] if isinstance(value, str) else value
