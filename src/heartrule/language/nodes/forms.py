"""A form as a counsellor writes it: fields, what is shown when, what answers must be, scores, and what follows.

``show_when``, ``validate``, ``check`` and ``if`` read the answers by the ids of their fields, in the one expression
language. What a form holds and FHIR names otherwise is worked out in ``language/fhir``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag

from heartrule.language.expressions import Expression
from heartrule.language.nodes import Directive, Json, Node, Set, Template
from heartrule.language.nodes.conditions import Expr
from heartrule.language.values.types import loose_text

FieldType = Literal[
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
"""``single`` and ``multiple`` choose among ``options``; ``slider`` and ``mood`` are numbers in ``range``; ``date``,
``time`` and ``datetime`` are ISO texts (``2026-05-01``, ``08:30``, ``2026-05-01T08:30``); ``note`` is shown and not
asked."""
Audience = Literal["client", "counselor", "report"]
LOINC = "http://loinc.org"
MAX_FIELDS = 300
_MOST = 10**12
Finite = Annotated[float, Field(ge=-_MOST, le=_MOST, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=-_MOST, le=_MOST)]
Plain = str | bool | Whole | Finite
"""What an option may stand for."""


class Code(Node):
    """What a form, a field or an option is called in a terminology."""

    system: str = LOINC
    code: str
    display: str | None = None


def _coded(value: Any) -> Any:
    return {"code": value} if isinstance(value, str | int) and not isinstance(value, bool) else value


Coded = Annotated[Code, BeforeValidator(_coded, json_schema_input_type=str | Code)]
"""``44250-9`` alone is a LOINC code."""


def _plain_option(value: Any) -> Any:
    return {"value": value, "label": loose_text(value)} if isinstance(value, str | int | float) else value


class Option(Node):
    """``score``: what it counts in a sum; left out, its ``value`` where that is a number."""

    value: Plain
    label: Template
    score: Finite | None = None
    prefix: str = ""
    code: Coded | None = None
    fhir: dict[str, Json] | None = None

    @property
    def counts(self) -> float | None:
        """What it adds to a score; None when it is no number."""
        if self.score is not None:
            return self.score
        return None if isinstance(self.value, str) else self.value


AnyOption = Annotated[Option, BeforeValidator(_plain_option, json_schema_input_type=Plain | Option)]


class FormField(Node):
    """One question of a form, or a ``note``. ``within`` names the field above that it belongs to: it is shown only
    where that one is. ``ends`` are the words at the two ends of a slider. ``fhir`` is what came with it in FHIR and has
    no place here."""

    id: str
    label: Template
    type: FieldType
    required: bool = False
    help: Template = ""
    prefix: str = ""
    within: str | None = None
    options: list[AnyOption] = []
    range: tuple[Finite, Finite] | None = None
    step: Annotated[float, Field(gt=0, le=_MOST)] | None = None
    ends: tuple[Template, Template] | None = None
    unit: str = ""
    max_length: int | None = Field(default=None, ge=1, le=20_000)
    show_when: Expr | None = None
    validate_: Annotated[Expr | None, Field(alias="validate")] = None
    message: Template = ""
    value: Json = None
    code: Coded | None = None
    fhir: dict[str, Json] | None = None

    @property
    def asked(self) -> bool:
        """Whether it takes an answer."""
        return self.type != "note"

    @property
    def depends(self) -> tuple[str, ...]:
        """The fields that decide whether it is shown."""
        names = sorted(self.show_when.names) if self.show_when is not None else []
        return (*([self.within] if self.within else ()), *names)

    @property
    def limits(self) -> tuple[float, float] | None:
        """The least and the greatest number it takes: as written, else 0–10 for a slider and 1–5 for a mood."""
        return self.range or {"slider": (0.0, 10.0), "mood": (1.0, 5.0)}.get(self.type)


class Check(Node):
    """What must hold of the answers together, and what is said when it does not."""

    check: Expr
    message: Template


class Band(Node):
    """What a score from ``from`` to ``to``, both counted in, is called."""

    from_: Annotated[Finite, Field(alias="from")]
    to: Finite
    label: Template


class Score(Node):
    """The sum of what the answers of the fields count: ``score`` of an option, else its number; 1 and 0 for a yes and a
    no. It has a value once each of the fields that is shown has been answered. ``better``: which of its ends is; charts
    say it, so that nobody takes a curve for its opposite."""

    id: str
    label: Template = ""
    sum: list[str] = Field(min_length=1)
    bands: list[Band] = []
    better: Literal["high", "low"] | None = None
    unit: str = ""
    code: Coded | None = None
    fhir: dict[str, Json] | None = None


class OnAnswer(Directive):
    """What happens as soon as a field is answered and ``if`` holds: in a draft and in a form that is then cancelled
    too."""

    field: str
    if_: Annotated[Expr | None, Field(alias="if")] = None


class SetOnSubmit(Set):
    """``value`` may hold ``{field}``, ``{field.label}``, ``{score}`` and ``{score.band}``; such a placeholder alone
    means the value itself."""

    if_: Annotated[Expr | None, Field(alias="if")] = None


class OrderOnSubmit(Directive):
    """A directive once the form has been submitted."""

    if_: Annotated[Expr | None, Field(alias="if")] = None


def _follows(value: Any) -> str:
    ordered = isinstance(value, Directive) or (isinstance(value, dict) and "directive" in value)
    return "<directive>" if ordered else "<set>"


OnSubmit = Annotated[
    Annotated[SetOnSubmit, Tag("<set>")] | Annotated[OrderOnSubmit, Tag("<directive>")],
    Discriminator(_follows),
]


_Known = TypeVar("_Known", FormField, Score)


def _by_id(nodes: Iterable[_Known]) -> dict[str, _Known]:
    found: dict[str, _Known] = {}
    for node in nodes:
        found.setdefault(node.id, node)
    return found


class Form(Node):
    """``audience``: who fills or reads it. ``source`` and ``licence`` say where its words come from and what allows
    them to be used. ``translation_of`` names the form that this one stands in for when a session speaks ``locale``."""

    form: str
    id: str | None = None
    locale: str | None = None
    translation_of: str | None = None
    audience: Audience = "client"
    description: Template = ""
    source: str = ""
    licence: str = ""
    code: Coded | None = None
    fields: list[FormField] = Field(max_length=MAX_FIELDS)
    validate_: Annotated[list[Check], Field(alias="validate")] = []
    scores: list[Score] = []
    on_answer: list[OnAnswer] = []
    on_submit: list[OnSubmit] = []
    fhir: dict[str, Json] | None = None

    @property
    def name(self) -> str:
        return self.form

    @cached_property
    def by_id(self) -> Mapping[str, FormField]:
        """Its fields by id; of equal ones the first."""
        return _by_id(self.fields)

    @cached_property
    def score_by_id(self) -> Mapping[str, Score]:
        """Its scores by id; of equal ones the first."""
        return _by_id(self.scores)

    @cached_property
    def by_showing(self) -> tuple[FormField, ...]:
        """Its fields, each behind those that decide whether it is shown, otherwise in the form's order."""
        ordered: dict[str, FormField] = {}
        for start in self.by_id.values():
            opened: dict[str, Iterator[str]] = {start.id: iter(start.depends)}
            while opened:
                name, below = next(reversed(opened.items()))
                deeper = next((each for each in below if each not in ordered and each not in opened), None)
                if deeper is None:
                    opened.pop(name)
                    ordered.setdefault(name, self.by_id[name])
                elif deeper in self.by_id:
                    opened[deeper] = iter(self.by_id[deeper].depends)
        return tuple(ordered.values())

    def asks(self) -> Iterator[tuple[Node, str, Expression]]:
        """What it asks of its answers: the node that does, the key, and the expression."""
        for node, key in (
            *((field, key) for field in self.fields for key in ("show_when", "validate")),
            *((rule, "check") for rule in self.validate_),
            *((order, "if") for order in (*self.on_answer, *self.on_submit)),
        ):
            expression = node.peek({"validate": "validate_", "if": "if_"}.get(key, key))
            if expression is not None:
                yield node, key, expression

    def orders(self) -> tuple[Directive, ...]:
        """Every directive that it may issue."""
        return (*self.on_answer, *(each for each in self.on_submit if isinstance(each, Directive)))
