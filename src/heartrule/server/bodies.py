"""What requests carry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from math import isfinite
from typing import Annotated, Any, Literal, Self
from zoneinfo import available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from heartrule.identity.principal import LONGEST_ID
from heartrule.language.nodes.forms import MAX_FIELDS
from heartrule.language.nodes.memory import MemoryPolicy

LONGEST_MESSAGE = 20_000
"""Characters; the same bound that the SDK tells people of before they reach it."""
LARGEST_BODY = 256 * 1024
"""Bytes. 20,000 characters of any script fit, escaped or not."""


def speakable(text: str) -> str:
    """Lone surrogates are no text; they can be written in JSON all the same."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("must be text without lone surrogates") from None
    return text


def _plain_throughout(given: object) -> None:
    """However deep it lies, in a key or a value: text that can be said again, and numbers that JSON has."""
    left = [given]
    while left:
        one = left.pop()
        if isinstance(one, str):
            speakable(one)
        elif isinstance(one, float) and not isfinite(one):
            raise ValueError("must hold finite numbers only")
        elif isinstance(one, Mapping):
            left += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            left += one


class Body(BaseModel):
    """What is no text is refused here, wherever in a body it stands, and so is what is no number (``NaN``, ``1e999``):
    a field of any type would let it in, to where it can be kept and cannot be said again."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, strict=True)

    @model_validator(mode="wrap")
    @classmethod
    def _is_plain(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        made = handler(given)  # first: where a field knows it, it is told by its place
        for field, value in given.items() if isinstance(given, Mapping) else ():
            try:
                _plain_throughout(value)
            except ValueError as error:
                told = InitErrorDetails(type=PydanticCustomError("value_error", str(error)), loc=(field,), input=None)
                raise ValidationError.from_exception_data(cls.__name__, [told]) from None
        return made


Key = Annotated[
    str,
    Field(min_length=8, max_length=128, pattern=r"^[\x21-\x7e]+$", description="One for each thing said."),
]
Locale = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$")]


class Options(Body):
    """``memory`` false: nothing known of the person from earlier sessions is used, and nothing is kept for later ones;
    rules of memory, as scripts write them: they hold over what the script says, ``actions`` for one type of action.
    ``debug_level``: how much of the session may be seen at ``/debug``; no more than the server allows."""

    memory: bool | MemoryPolicy = True
    debug_level: Literal["full", "summary", "none"] = "none"


def known_day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def known_zone(text: str) -> str:
    if text not in available_timezones():
        raise ValueError("no such time zone")
    return text


LONGEST_METADATA = 4_096


def small(given: dict[str, Any]) -> dict[str, Any]:
    """As JSON it has bounds."""
    if len(json.dumps(given, ensure_ascii=False).encode(errors="replace")) > LONGEST_METADATA:
        raise ValueError(f"must be at most {LONGEST_METADATA} bytes of JSON")
    return given


Name = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=200)]


Notice = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,40}$")]


class NewSession(Body):
    """``notice``: the version of the notice that the person has read and agreed to; it is kept with the session.
    ``metadata``: notes of whoever makes it, for themselves: kept encrypted, given back with the session, and erased
    with it. No prompt and no script sees them. ``zone``: the browser's time zone (IANA); the numbers
    that the conversation names are those of its country."""

    script: Name
    variables: Annotated[dict[Name, Any], Field(max_length=100, repr=False)] = {}
    locale: Locale | None = None
    options: Options = Options()
    metadata: Annotated[dict[Name, Any], Field(max_length=20, repr=False), AfterValidator(small)] = {}
    notice: Notice | None = None
    zone: Annotated[str, Field(max_length=64)] = ""


class MemoryConsent(Body):
    """Whether conversations may know of earlier ones."""

    on: bool


class Correction(Body):
    """What something that is remembered says from now on."""

    text: Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=400, repr=False)]


Text = Annotated[str, AfterValidator(speakable), Field(min_length=1, json_schema_extra={"maxLength": LONGEST_MESSAGE})]
Written = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=8000)]
Remark = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=2000)]
Value = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=1000)]


Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
Fraction = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]
Answer = (
    Annotated[str, AfterValidator(speakable), Field(max_length=LONGEST_MESSAGE)]
    | bool
    | Whole
    | Fraction
    | Annotated[list[Value | bool | Whole | Fraction], Field(max_length=200)]
    | None
)
FORM_KINDS = ("form_draft", "form_submit", "form_cancel")


class FormInput(Body):
    """What was filled in of the form ``key`` (as the request names it), by the ids of its fields. Other answers stay as
    they were; ``null`` takes one back."""

    key: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+$")]
    values: Annotated[dict[Name, Answer], Field(max_length=MAX_FIELDS, repr=False)] = {}


class Input(Body):
    """``text`` belongs to a message, ``choice`` (a value of the choices offered) to a choice, ``form`` to a form."""

    type: Literal["start", "message", "choice", "resume", "form_draft", "form_submit", "form_cancel"]
    text: Annotated[Text | None, Field(repr=False)] = None
    choice: Annotated[Value | None, Field(repr=False)] = None
    form: Annotated[FormInput | None, Field(repr=False)] = None

    @model_validator(mode="after")
    def _fits(self) -> Input:
        if (self.text is not None) != (self.type == "message"):
            raise ValueError("text goes with type message, and only with it")
        if (self.choice is not None) != (self.type == "choice"):
            raise ValueError("choice goes with type choice, and only with it")
        if (self.form is not None) != (self.type in FORM_KINDS):
            raise ValueError("form goes with the types form_…, and only with them")
        return self


class NewTurn(Body):
    """``after``: the ``seq`` of the last message the sender had seen; absent: everything there is. ``follows``: the key
    of what the sender said just before this, when that may still be on its way: this is not taken before it, unless
    that does not come within a few seconds of the first try.
    ``debug``: the answer holds what ``/debug`` tells of the turn; only of a session that is debugged."""

    key: Annotated[Key, Field(repr=False)]
    after: Annotated[int, Field(ge=0, le=2**53)] | None = None
    follows: Annotated[Key | None, Field(repr=False)] = None
    input: Input
    debug: bool = False


class CounsellorMessage(Body):
    """What a counsellor says."""

    key: Annotated[Key, Field(repr=False)]
    text: Annotated[Text, Field(repr=False)]


class Here(Body):
    """``here``: whether the counsellor is there."""

    here: bool


class Endpoint(Body):
    """``endpoint``: where the browser's push service takes calls for it."""

    endpoint: Annotated[str, AfterValidator(speakable), Field(min_length=12, max_length=800, pattern=r"^https?://\S+$")]


class Takeover(Body):
    """``instead``: the id of the colleague who holds the session and is to be relieved."""

    key: Annotated[Key, Field(repr=False)]
    instead: Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=LONGEST_ID)] | None = None


Cleared = Literal["safe", "misheard", "with_somebody", "emergency", "referred", "other"]


class HandBack(Body):
    """``next``: the program goes on at once (``on``), or says nothing until the person writes (``wait``), or the
    session ends here (``end``); absent: it waits behind danger. ``text``: your last words to the person.
    ``closed``: you have cleared the danger, and the program is not to ask about it again; then ``reason`` says why.
    ``note``: kept as a note of yours."""

    key: Annotated[Key, Field(repr=False)]
    next: Literal["on", "wait", "end"] | None = None
    text: Annotated[Remark | None, Field(repr=False)] = None
    closed: bool = False
    reason: Cleared | None = None
    note: Annotated[Remark | None, Field(repr=False)] = None


class ReadMark(Body):
    """``message``: the ``seq`` of the last message that you have read."""

    message: Annotated[int, Field(ge=0, le=2**53)]


class NoteBody(Body):
    text: Annotated[Written, Field(repr=False)]


Tag = Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=30, pattern=r"^[^\n\r\t]+$")]


class TagsBody(Body):
    tags: Annotated[list[Tag], Field(max_length=12, repr=False)]


class AssignBody(Body):
    """``to``: the id of a colleague, or yours; null: nobody's."""

    to: Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=LONGEST_ID)] | None
    note: Annotated[Remark | None, Field(repr=False)] = None


class HandOverBody(Body):
    """``note``: what the next shift must know; null: it is not left for it any more."""

    note: Annotated[Remark | None, Field(repr=False)]


class CannedBody(Body):
    title: Annotated[str, AfterValidator(speakable), Field(min_length=1, max_length=80)]
    text: Annotated[Remark, Field(repr=False)]
    locale: Literal["zh-CN", "en"] = "zh-CN"
    shared: bool = False


class HoursBody(Body):
    """When you mean to be there: on these ``days`` of every week (0 is Monday), or once, on ``date``; by the clocks of
    ``zone`` (``Asia/Shanghai``). What ends no later than it begins ends a day later."""

    days: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7)] = []
    date: Annotated[str, AfterValidator(known_day), Field(max_length=10)] | None = None
    start: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    end: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    zone: Annotated[str, AfterValidator(known_zone), Field(max_length=60)]

    @model_validator(mode="after")
    def _fits(self) -> HoursBody:
        if bool(self.days) == (self.date is not None):
            raise ValueError("either days or a date")
        return self


class ValueBody(Body):
    """What was taken from the person's words, and the value that it has. ``reason``: what tells you so."""

    key: Annotated[Key, Field(repr=False)]
    scope: Literal["session", "phase", "topic", "global"]
    scope_key: Annotated[str, AfterValidator(speakable), Field(max_length=200)] = ""
    name: Name
    value: Annotated[Any, Field(repr=False)]
    reason: Annotated[Remark, Field(repr=False)]


class TakeBack(Body):
    """``message``: the ``seq`` of the message that is to be taken back."""

    key: Annotated[Key, Field(repr=False)]
    message: Annotated[int, Field(ge=1, le=2**53)]


class ReplyReport(Body):
    """``message``: the ``seq`` of the reply that does not fit. ``text``: what else the person wants to say of it."""

    message: Annotated[int, Field(ge=1, le=2**53)]
    reason: Literal["not_heard", "hurtful", "wrong", "unsafe", "other"]
    text: Annotated[Remark | None, Field(repr=False)] = None


class ReplyVerdict(Body):
    """``category``: what is wrong with the reply, if anything is."""

    verdict: Literal["fitting", "unsuitable", "harmful"]
    category: Literal["not_heard", "hurtful", "wrong", "unsafe", "other"] | None = None
    note: Annotated[Remark | None, Field(repr=False)] = None


class FormAnswers(Body):
    """What a counsellor filled in of a form, by the ids of its fields. Other answers stay as they were; ``null`` takes
    one back."""

    values: Annotated[dict[Name, Answer], Field(max_length=MAX_FIELDS, repr=False)] = {}


class KeyedRequest(Body):
    """``key`` makes a request that is sent twice count once."""

    key: Annotated[Key | None, Field(repr=False)] = None
