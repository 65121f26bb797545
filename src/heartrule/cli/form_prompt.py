"""A form filled line by line: one question after another, back and forth, handed in at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.cli.options import picked
from heartrule.cli.words import Words
from heartrule.engine.session.io import FormRequest, Request
from heartrule.engine.session.state import Choice
from heartrule.language.expressions.values import plain_number

BACK, SKIP, CANCEL = "/back", "/skip", "/cancel"
COMMANDS = (BACK, SKIP, CANCEL)
_BETWEEN = re.compile(r"[,，、;；\s]+")
_NUMBERS = ("integer", "number", "slider", "mood")


CLOSING = (("submit", "filling_submit"), ("back", "filling_back"), ("cancel", "filling_cancel"))
"""What can be done once everything has been asked, with what it is called."""


@dataclass(frozen=True, slots=True)
class FormInput:
    """What a line comes to: an input with answers, words that are none (``message``), or a remark."""

    kind: Literal["form_draft", "form_submit", "form_cancel", "message", "note"]
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)
    note: str = ""


class FormDialog:
    """Where somebody is in a form. ``_at`` is the number of the question, one beyond the last to hand it in."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._form: FormRequest | None = None
        self._at = 0
        self._answered = ""

    @property
    def key(self) -> str:
        return self._form.key if self._form is not None else ""

    def goes_on(self, form: FormRequest) -> list[str]:
        """The form as it stands now. What is to be told before the next question."""
        known, self._form = self.key, form
        if known != form.key:
            self._answered, self._at = "", self._first_open()
            told = [self._words("filling_title", name=form.name), str(form.shown.get("description", ""))]
            return [*filter(None, told), self._words("filling_hint")]
        wrong = {name: message for name, _, message in form.problems}
        if self._answered and self._answered not in wrong:
            self._at, self._answered = self._number(self._answered) + 1, ""
        elif wrong:
            first = self._answered or next((each["id"] for each in self._asked() if each["id"] in wrong), "")
            self._at, self._answered = self._number(first), ""
            return [wrong[first]] if first else list(wrong.values())
        return []

    def question(self) -> tuple[str, Request]:
        """What is asked now, and what may be picked."""
        asked = self._asked()
        if self._at >= len(asked):
            choices = [(name, self._words(text)) for name, text in CLOSING]
            return self._words("filling_done"), _offered(choices)
        at = asked[self._at]
        lines = [
            *(each["label"] for each in self._read_before(at)),
            self._words("filling_question", number=self._at + 1, count=len(asked), label=_label(at)),
            *filter(None, (at.get("help", ""), self._range(at), self._held(at))),
        ]
        return "\n".join(lines), _offered(self._choices(at))

    def take(self, line: str) -> FormInput:
        """What was typed below the question."""
        said, asked = line.strip(), self._asked()
        if said == CANCEL:
            return FormInput("form_cancel")
        if said == BACK:
            self._at = max(0, min(self._at, len(asked)) - 1)
            return FormInput("note")
        if self._at >= len(asked):
            return self._handed_in(said)
        at = asked[self._at]
        if said in ("", SKIP):
            return self._skipped(at)
        value = self._value(at, line)
        if value is None:
            return FormInput("message")
        self._answered = at["id"]
        return FormInput("form_draft", {at["id"]: value})

    def _handed_in(self, said: str) -> FormInput:
        choice = picked(said, self.question()[1].choices)
        if choice is None:
            return FormInput("message") if said else FormInput("note")
        if choice.value == "back":
            self._at = max(0, len(self._asked()) - 1)
            return FormInput("note")
        return FormInput("form_submit" if choice.value == "submit" else "form_cancel")

    def _skipped(self, at: Mapping[str, Any]) -> FormInput:
        if at.get("required") and at["id"] not in self._values():
            return FormInput("note", note=self._words("filling_required"))
        self._at += 1
        return FormInput("note")

    def _value(self, at: Mapping[str, Any], line: str) -> Any:
        """None for words that are no answer to what is asked."""
        offered = self._choices(at)
        if not offered:
            return line if at["type"] == "longtext" else line.strip()
        choices = _offered(offered).choices
        values = {"true": True, "false": False} if at["type"] == "boolean" else _by_text(at)
        parts = [line] if at["type"] != "multiple" else [part for part in _BETWEEN.split(line) if part]
        found = [picked(part, choices) for part in parts]
        if not found or None in found:
            return None
        chosen = [values[each.value] for each in found if each is not None]
        return chosen if at["type"] == "multiple" else chosen[0]

    def _choices(self, at: Mapping[str, Any]) -> list[tuple[str, str]]:
        if at["type"] == "boolean":
            return [("true", self._words("filling_yes")), ("false", self._words("filling_no"))]
        return [(str(each["value"]), each["label"]) for each in at.get("options", ())]

    def _range(self, at: Mapping[str, Any]) -> str:
        if at["type"] == "multiple":
            return self._words("filling_several")
        if at["type"] not in _NUMBERS or "least" not in at:
            return ""
        least, most = plain_number(at["least"]), plain_number(at["most"])
        ends = at.get("ends") or ("", "")
        return self._words("filling_range", least=f"{least} {ends[0]}".strip(), most=f"{most} {ends[1]}".strip())

    def _held(self, at: Mapping[str, Any]) -> str:
        """What has been answered here already."""
        value = self._values().get(at["id"])
        if value is None:
            return ""
        labels = dict(self._choices(at))
        parts = value if isinstance(value, list) else [value]
        texts = [str(part).lower() if isinstance(part, bool) else str(part) for part in parts]
        return self._words("filling_held", answer="、".join(labels.get(text, text) for text in texts))

    def _values(self) -> Mapping[str, Any]:
        return self._form.values if self._form is not None else {}

    def _shown(self) -> list[Mapping[str, Any]]:
        form = self._form
        return [] if form is None else [each for each in form.shown["fields"] if each["id"] not in form.hidden]

    def _asked(self) -> list[Mapping[str, Any]]:
        return [each for each in self._shown() if each["type"] != "note"]

    def _read_before(self, at: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """The notes that stand right above a question."""
        shown = self._shown()
        index = shown.index(at)
        first = index
        while first and shown[first - 1]["type"] == "note":
            first -= 1
        return shown[first:index]

    def _number(self, name: str) -> int:
        asked = self._asked()
        return next((index for index, each in enumerate(asked) if each["id"] == name), len(asked))

    def _first_open(self) -> int:
        held = self._values()
        asked = self._asked()
        return next((index for index, each in enumerate(asked) if each["id"] not in held), len(asked))


def _label(at: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (at.get("prefix", ""), at["label"], at.get("unit") and f"({at['unit']})")))


def _by_text(at: Mapping[str, Any]) -> dict[str, Any]:
    return {str(each["value"]): each["value"] for each in at.get("options", ())}


def _offered(choices: Sequence[tuple[str, str]]) -> Request:
    offered = tuple(Choice(value=value, label=label) for value, label in choices)
    return Request("choice" if offered else "message", offered)
