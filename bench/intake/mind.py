"""A model that has understood the conversation, reads a prompt as any model would, and answers in the shape asked for.

Nothing in here knows our templates. What has been said it finds in the prompt; what is asked it takes from the numbered
questions and the names that stand there; how to answer, from the JSON Schema that came along. It is sparse: what it was
not asked for, or did not hear, it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bench.intake.conversation import Conversation, Held, Judgement

Schema = Mapping[str, Any]
_NUMBERED = re.compile(r"^\s*(\d{1,3})[.、)：:]\s*(.+)$", re.MULTILINE)
SURE = 0.9


class Mind:
    """Answers the body of a request of the chat completions wire."""

    def __init__(self, conversation: Conversation) -> None:
        self._talk = conversation

    def answer(self, body: Mapping[str, Any]) -> Any:
        """Data in the shape of ``response_format``; without one, what is said to the person, as text."""
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        reading = Reading(self._talk, prompt)
        form = (body.get("response_format") or {}).get("json_schema") or {}
        return reading.filled(form["schema"]) if "schema" in form else reading.said()


class Reading:
    """One prompt, read. ``at`` is the number of the person's last answer that stands in it, 0 when there is none."""

    def __init__(self, talk: Conversation, prompt: str) -> None:
        self._talk, self._prompt = talk, prompt
        self.at = max((n for n, each in enumerate(talk.answers, 1) if each.says in prompt), default=0)
        self._now = talk.answers[self.at - 1] if self.at else None
        self._questions = [(int(number), text.strip()) for number, text in _NUMBERED.findall(prompt)]

    def said(self) -> str:
        """The answer taken up, and the question that the prompt wants put after it, if it wants one."""
        if self._now is None:
            return ""
        opens = self._now.words if self._now.brief and self._now.brief in self._prompt else ""
        return f"{self._now.reply}{opens}"

    def filled(self, schema: Schema) -> dict[str, Any]:
        found = {}
        for name, shape in schema.get("properties", {}).items():
            if "enum" in shape and name not in schema.get("required", ()):
                continue  # a choice that is only to be written where something is out of the ordinary
            value = self._field(name, shape)
            if value is not None or name in schema.get("required", ()):
                found[name] = value
        return found

    def _field(self, name: str, shape: Schema) -> Any:
        if shape.get("type") == "array":
            return self._listed(shape.get("items", {}))
        if shape.get("type") == "object" or "properties" in shape:
            return self._named(shape.get("properties", {}))
        if name in ("content", "reply"):
            return self.said()
        if name == "verdict":
            return self._verdict(shape, self._judged(self._prompt))
        if name in ("value", "evidence"):
            held = self._wanted()
            return getattr(held, name) if held else None
        return self._scalar(name, shape)

    def _scalar(self, name: str, shape: Schema) -> Any:
        """Of a choice the one that says that all is well: every answer of this conversation is a good one."""
        match shape:
            case {"enum": [*options]}:
                good = ("YES", "completed", "yes", True)
                return next((option for option in good if option in options), options[0])
            case {"type": "boolean"}:
                return True
            case {"type": "number" | "integer"}:
                return SURE
            case _:
                return "已说清"

    # values

    def _named(self, properties: Mapping[str, Schema]) -> dict[str, Any]:
        """An object whose keys are names of values; of any other kind nothing stands out."""
        known = self._talk.known(self.at)
        found = {}
        for name, shape in properties.items():
            if name in known:
                proved = "value" in shape.get("properties", {})
                found[name] = _proof(known[name]) if proved else known[name].value
        return found

    def _listed(self, item: Schema) -> list[dict[str, Any]]:
        fields = item.get("properties", {})
        if "verdict" in fields:
            return self._verdicts(fields, item.get("required", tuple(fields)))
        if "value" in fields:
            return self._found(fields)
        if "id" in fields:
            return self._holding(fields)
        return []

    def _found(self, fields: Mapping[str, Schema]) -> list[dict[str, Any]]:
        """Values told in the last answer, by name or by the number they have in the prompt."""
        if self._now is None:
            return []
        if "name" in fields:
            allowed = fields["name"].get("enum", ())
            return [{"name": name} | _proof(held) for name, held in self._now.holds.items() if name in allowed]
        return [
            {"id": number} | _proof(held)
            for number, text in self._questions
            for name, held in self._now.holds.items()
            if text.startswith(name)
        ]

    def _wanted(self) -> Held | None:
        """The one value that a prompt asks for by name: the last name in it, since instructions come last."""
        known, names = self._talk.known(self.at), self._talk.names()
        last = max(names, key=lambda name: self._prompt.rfind(f"「{name}」"))
        return known.get(last) if f"「{last}」" in self._prompt else None

    # verdicts

    def _verdicts(self, fields: Mapping[str, Schema], required: Sequence[str]) -> list[dict[str, Any]]:
        """One of each numbered question; what none of the conversation's judgements is about is denied, and of what is
        denied no more is written than must be."""
        found = []
        for number, text in self._questions:
            judged = self._judged(text)
            holds = judged is not None and judged.after(self.at)
            known = {
                "id": number,
                "verdict": self._verdict(fields["verdict"], judged),
                "confidence": SURE,
                "evidence": judged.evidence if judged is not None and holds else "",
            }
            told = fields if holds else [name for name in fields if name in required]
            found.append({name: known[name] for name in told if name in known})
        return found

    def _holding(self, fields: Mapping[str, Schema]) -> list[dict[str, Any]]:
        """Where no verdict is asked for, only the numbered questions that hold are written down."""
        found = []
        for number, text in self._questions:
            judged = self._judged(text)
            if judged is not None and judged.after(self.at):
                known = {"id": number, "confidence": SURE, "evidence": judged.evidence}
                found.append({name: known[name] for name in fields if name in known})
        return found

    def _judged(self, text: str) -> Judgement | None:
        return next((each for each in self._talk.judgements if each.question in text), None)

    def _verdict(self, shape: Schema, judged: Judgement | None) -> Any:
        holds = judged is not None and judged.after(self.at)
        options: Sequence[Any] = shape.get("enum", (True, False))
        return next(option for option in options if option in (("yes", True) if holds else ("no", False)))


def _proof(held: Held) -> dict[str, Any]:
    return {"value": held.value, "evidence": held.evidence}
