"""A visitor played by a model: the persona's part in a prompt, its own move in the answer. What the model does not give
in time, or cannot be made out, is done by the rules instead, and counted. Forms are filled by the rules as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heartrule.engine.session.tasks import Answer, Context, Line, Task
from heartrule.language.compiling.script import Script
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.open_question import OpenQuestion
from heartrule.script_tests.simulation.visitor import Move, RuledVisitor

TEMPLATE = "visitor"
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "do": {"enum": ["say", "choose", "silent", "leave"]},
        "text": {"type": "string"},
        "danger": {"type": "boolean"},
    },
    "required": ["do", "text", "danger"],
}
_LONGEST = 2_000
"""Characters of what a visitor may say at once."""
WARM = 0.9
Answers = Callable[[Sequence[Task]], Mapping[str, Answer]]


class PlayedVisitor:
    """``ruled`` has the persona, the moment at which danger is spoken of, and stands in. ``stood_in`` counts how often
    it had to; ``spent`` is what playing took, which is no cost of the script's."""

    def __init__(self, script: Script, ruled: RuledVisitor, answers: Answers) -> None:
        self._script, self._ruled, self._answers = script, ruled, answers
        self._lines: list[Line] = []
        self._turns = 0
        self.stood_in = 0
        self.spent = ModelSpend()

    def move(self, asked: OpenQuestion, said: Sequence[str]) -> Move:
        self._lines += [Line("ai", text) for text in said]
        self._turns += 1
        fallback = self._ruled.move(asked, said)
        if asked.kind in ("none", "form"):
            return fallback
        task = self._task(asked, now=fallback.deed == "danger")
        answer = self._answers((task,))[task.key]
        self.spent.add((answer,))
        move = self._made(answer, asked, fallback)
        if move is None:
            self.stood_in += 1
            move = fallback
        if move.kind in ("message", "choice"):
            label = next((c.label for c in asked.choices if c.value == move.words), move.words)
            self._lines.append(Line("person", label))
        return move

    def _task(self, asked: OpenQuestion, *, now: bool) -> Task:
        persona, session = self._ruled.persona, self._script.session
        values = {
            "play": persona.play[self._ruled.language],
            "asked": asked.question,
            "options": "\n".join(f"{choice.value}: {choice.label}" for choice in asked.choices),
            "moment": "yes" if now else "",
            "grave": "yes" if self._ruled.is_grave else "",
        }
        context = Context(
            scheme=session.template_scheme or self._script.project.template_scheme,
            locale=self._script.locale,
            values={},
            variables={},
            history=tuple(self._lines),
        )
        return Task(
            key=f"visitor/{self._turns}",
            kind="generate",
            role="generate",
            template=TEMPLATE,
            context=context,
            values=values,
            schema=_SCHEMA,
            required=("do", "text"),
            temperature=WARM,
        )

    def _made(self, answer: Answer, asked: OpenQuestion, fallback: Move) -> Move | None:
        """The answer as a move; None where there is none, or it says nothing that could be done here."""
        data = answer.data if answer.status == "answered" else None
        if not data:
            return None
        text = str(data.get("text") or "").strip()[:_LONGEST]
        danger = data.get("danger") is True
        seconds = fallback.seconds if fallback.kind in ("message", "choice") else 20
        match data.get("do"):
            case "silent":
                return Move("wait", "silent", "", 60 * 10)
            case "leave" if text:
                return Move("message", "leave", text, seconds, danger=danger, parts=True, played=True)
            case "leave":
                return Move("gone", "leave")
            case "choose":
                meant = next((each.value for each in asked.choices if text in (each.value, each.label)), None)
                if meant is None:
                    return None
                return Move("choice", "answer", meant, seconds, parts=self._ruled.ends(meant, asked))
            case "say" if text:
                doubtful = asked.safety and asked.rules.type == "boolean" and not danger
                return Move("message", "answer", text, seconds, danger=danger, doubtful=doubtful, played=True)
        return None
