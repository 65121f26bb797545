"""What of scripted answers came to nothing, and why: templates nobody asks for, conditions no prompt meets, fields no
question has, words the person did not say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heartrule.engine.session.events import Event, RoundInfo, Unwritten
from heartrule.engine.session.tasks import Answer, Task
from heartrule.llm.provider import Request
from heartrule.script_tests.observations import shown_as

Note = tuple[str, str]
"""A code, and what it is about."""
WHEN, THEN, TRIES = "when_prompt_contains", "then", "tries"


class Use:
    """How answers were used. ``asked``: templates; ``met``: conditions, and answers of a list, by their identity."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        self.asked: set[str] = set()
        self.met: set[int] = set()
        self._fields: dict[tuple[str, str], bool] = {}
        self._notes: dict[Note, None] = {}

    def sent(self, template: str, answer: Any, request: Request) -> None:
        """An answer goes to a question, whose schema says which fields it has."""
        if template not in self._answers or not isinstance(answer, Mapping) or request.schema is None:
            return
        for name, known in _known(answer, request.schema):
            self._fields[template, name] = self._fields.get((template, name), False) or known
        words = _plain("\n".join(each.text for each in request.messages))
        for name, quote in _quotes(answer):
            if quote and _plain(quote) not in words:
                self._notes["unsaid", f"{template}: {name}: {quote}"] = None

    def came(self, task: Task, answer: Answer) -> None:
        """Tries that could not be used."""
        if task.template in self._answers:
            for each in answer.attempts:
                if each.outcome == "rejected":
                    self._notes["rejected", f"{task.template}: {each.code or each.cause}"] = None

    def notes(self) -> Iterator[Note]:
        for template, answer in self._answers.items():
            if template not in self.asked:
                yield "never_asked", template
            else:
                yield from self._unmet(template, answer)
        yield from (
            ("no_field", f"{template}: {name}") for (template, name), known in self._fields.items() if not known
        )
        yield from self._notes

    def _unmet(self, template: str, answer: Any) -> Iterator[Note]:
        conditions = [each for each in _listed(answer) if isinstance(each, Mapping) and WHEN in each]
        for each in conditions:
            if id(each) not in self.met:
                yield "never_met", f"{template}: {shown_as(each[WHEN])}"
        plain = [each for each in _listed(answer) if not (isinstance(each, Mapping) and WHEN in each)]
        left = sum(id(each) not in self.met for each in plain)
        if left and isinstance(answer, list):
            yield "left_over", f"{template}: {left}/{len(plain)}"


def of_events(events: Sequence[Event]) -> Iterator[Note]:
    """Values that were offered and not taken, and what a question did not come by, whoever answered."""
    for event in events:
        if isinstance(event, Unwritten):
            yield "not_taken", f"{event.name} = {shown_as(event.value)} ({event.reason or event.outcome})"
        elif isinstance(event, RoundInfo) and event.missing:
            yield "missing", f"{event.action}: " + ", ".join(f"{name} ({why})" for name, why in event.missing.items())


def _known(answer: Mapping[str, Any], schema: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, bool]]:
    """The names of fields, those below others with dots, and whether the schema has them; where it names none, any."""
    fields = schema.get("properties")
    if not isinstance(fields, Mapping):
        return
    for name, value in answer.items():
        own = fields.get(name)
        yield f"{above}{name}", own is not None
        if isinstance(own, Mapping) and isinstance(value, Mapping):
            yield from _known(value, own, f"{above}{name}.")


def _quotes(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is said to prove a value, by its name."""
    values = answer.get("values")
    for name, value in values.items() if isinstance(values, Mapping) else ():
        if isinstance(value, Mapping) and isinstance(value.get("evidence"), str):
            yield f"values.{name}", value["evidence"]


def _plain(text: str) -> str:
    return "".join(text.casefold().split())


def _listed(answer: Any) -> list[Any]:
    return answer if isinstance(answer, list) else [answer]


def as_sent(answer: Any) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
