"""What a visitor sees: the messages that are new, and what can be picked or filled in below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.conversations.acts import NotUnderstood
from bench.conversations.form import Form
from bench.conversations.wording import words

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """``messages`` are the API's, the visitor's own left out; ``request`` is what is awaited, as the API tells it;
    ``numbers``: whom to call, while the session stands in a crisis."""

    locale: str
    messages: Sequence[Message]
    request: Mapping[str, Any] = field(default_factory=lambda: {"type": "message"})
    numbers: Sequence[str] = ()
    remark: str = ""

    @property
    def is_last(self) -> bool:
        return bool(self.request["type"] == "none")

    @property
    def choices(self) -> Sequence[str]:
        return [choice["label"] for choice in self.request.get("choices", ())]

    @property
    def form(self) -> Form | None:
        shape = self.request.get("form")
        return None if shape is None else Form(shape, self.locale)

    def choice(self, label: str) -> str:
        """The value of what is picked by its label, its number, or how it begins. Raises ``NotUnderstood``."""
        offered = self.request.get("choices", ())
        for number, each in enumerate(offered, 1):
            if label in (each["label"], each["value"], str(number)):
                return str(each["value"])
        near = [each["value"] for each in offered if each["label"].startswith(label) and label]
        if len(near) == 1:
            return str(near[0])
        raise NotUnderstood(words(self.locale, "no_choice", label=label))

    def label(self, value: str) -> str:
        return next((each["label"] for each in self.request.get("choices", ()) if each["value"] == value), value)

    def shown(self) -> str:
        return "\n\n".join(self._parts())

    def text(self, message: Message) -> str:
        """A message's words, and those of what is shown beside it."""
        return "\n".join([message["content"], *(self._medium(each) for each in message.get("media", ()))]).strip()

    def _parts(self) -> Iterator[str]:
        if self.remark:
            yield self.remark
        for message in self.messages:
            name = message.get("name") or ""
            human = words(self.locale, "human") if message["sender"] == "human" else ""
            yield f"{name}{human}{': ' if name else ''}{self.text(message)}"
        if not self.messages and not self.remark and not self.is_last:
            yield words(self.locale, "nothing")
        if self.numbers:
            yield words(self.locale, "crisis", numbers=", ".join(self.numbers))
        if self.choices:
            yield "\n".join([words(self.locale, "choices"), *(f"- {label}" for label in self.choices)])
        if form := self.form:
            yield "\n".join(form.shown())
        if self.is_last:
            yield words(self.locale, "ended")

    def _medium(self, medium: Mapping[str, Any]) -> str:
        data = medium.get("data", {})
        if medium["kind"] in ("card", "chart"):
            points = [f"{each['label']}: {each['value']}" for each in data.get("points", ())]
            items = [str(each) for each in data.get("items", ())]
            return "\n".join(filter(None, [data.get("title", ""), data.get("text", ""), *items, *points]))
        told = medium.get("transcript") or medium.get("alt") or medium.get("caption") or ""
        return words(self.locale, "sound" if medium["kind"] == "audio" else "picture", text=told)
