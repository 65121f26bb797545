"""A script walked by a visitor, to see what its states ask a language model: each prompt, with the action it is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from heartrule.cli.options import picked
from heartrule.engine.session.events import Marker
from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Action
from heartrule.llm.prompt import Prompt, render
from heartrule.llm.provider import Request
from heartrule.testing.counsellor import counsel
from heartrule.testing.talk import Talk
from heartrule.testing.visitor import Visitor

TURNS = 300
"""A walk goes on for so many turns at most."""
_OPENS = {"ai_say_open": "ai_say", "ai_ask_open": "ai_ask", "ai_think": "ai_think"}
"""Templates that an action asks with when it is entered, by its type."""


@dataclass(frozen=True, slots=True)
class AskedStep:
    """``turn`` counts what the person said, the start being 0; ``action`` is empty where nobody can tell."""

    turn: int
    action: str
    task: Task
    prompt: Prompt = field(repr=False)
    answer: Mapping[str, Any] = field(repr=False)


def walk(
    script: Script,
    answers: Iterable[str] = (),
    *,
    visitor: Visitor | None = None,
    speakers: tuple[str, ...] = (),
) -> Iterator[AskedStep]:
    """What is asked, turn by turn. ``answers`` are said first (or chosen: an option's value, label or number), then the
    visitor goes on. The model is the one of load tests: it reads values and understands nothing."""
    pending: list[tuple[Task, Prompt, Mapping[str, Any]]] = []

    def model(task: Task) -> Mapping[str, Any]:
        prompt = render(task, script)
        answer = counsel(Request(prompt.messages, prompt.schema, task.temperature, None, 1.0), speakers)
        pending.append((task, prompt, answer))
        return answer

    talk = Talk(script, model)
    who, given, waiting = visitor or _willing(script), iter(answers), ""
    for turn in range(TURNS):
        entered = [(e.type, e.action or "") for e in talk.turn.events if isinstance(e, Marker) and e.edge == "before"]
        for task, prompt, answer in pending:
            yield AskedStep(turn, _action(script, task, waiting, entered), task, prompt, answer)
        pending.clear()
        if talk.ended:
            return
        waiting = talk.at or ""
        said = next(given, None)
        how, words = who.reply(talk.state, talk.request) if said is None else _meant(talk, said)
        talk.choose(words) if how == "choice" else talk.say(words)


def _willing(script: Script) -> Visitor:
    """Somebody who picks what stands first, and is safe."""
    first = [str(each.value) for action in _actions(script) for each in (action.peek("choices") or ())[:1]]
    return Visitor(script, prefer=("safe", *first))


def _meant(talk: Talk, said: str) -> tuple[str, str]:
    choice = picked(said, talk.request.choices) if talk.request.choices else None
    return ("choice", choice.value) if choice else ("message", said)


def _action(script: Script, task: Task, waiting: str, entered: list[tuple[str, str]]) -> str:
    """The action that waited, or the next of those entered in this turn that opens with such a prompt."""
    kind = _OPENS.get(task.template)
    if kind is None:
        return waiting
    literal = {action.id for action in _actions(script) if action.peek("question")}
    for number, (type_, action) in enumerate(entered):
        if type_ == kind and not (kind == "ai_ask" and action in literal):
            return entered.pop(number)[1]
    return ""


def _actions(script: Script) -> Iterator[Action]:
    for phase in script.session.phases:
        for topic in phase.steps:
            yield from topic.actions
    for skill in script.skills.values():
        yield from skill.actions
