"""A round of ``ai_ask`` as a session holds it: a script made of an item, the session put where its dialogue is, and the
turn that the person's answer makes. What is asked and what is written are the engine's own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Literal

import yaml

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.classifier import Classifier
from heartrule.engine.session.events import VariableOperation
from heartrule.engine.session.io import Input, Message, Turn, Words, World
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Variables
from heartrule.engine.turn import UnderWay
from heartrule.evals.extraction_items import LabelledDialogue
from heartrule.evals.labelled_files import BadFile
from heartrule.language.compiling.compiler import compile_session
from heartrule.language.compiling.script import Script
from heartrule.language.linting.rules import check
from heartrule.language.projects.project import LoadedProject, load_texts
from heartrule.locales import is_chinese
from heartrule.prompts.fixed_sentences import spoken_table

ASKED = "ai_ask"
"""The template of the call that is measured."""
_TOPIC = {True: "谈话", False: "Talk"}
_DOMAIN = {True: "认知行为疗法（CBT）", False: "cognitive behavioural therapy (CBT)"}
_ROUNDS = 5
_APART = timedelta(seconds=40)

Strategy = Literal["json", "history", "llm", "rules", "fallback", "other"]
STRATEGIES: tuple[Strategy, ...] = ("json", "history", "llm", "rules", "fallback", "other")
_HOW: Mapping[str, Strategy] = {name: name for name in STRATEGIES}
Answering = Callable[[Script, Sequence[Task]], Awaitable[Mapping[str, Answer]]]
"""Answers every task of a script, by key."""


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A value that the turn wrote, and how it was come by."""

    value: Any = field(repr=False)
    strategy: Strategy


@dataclass(frozen=True, slots=True)
class Round:
    """An item as a session that waits for its answer. ``world`` is the one with a model."""

    item: LabelledDialogue
    script: Script
    world: World

    @classmethod
    def of(cls, item: LabelledDialogue) -> Round:
        """Raises ``BadFile`` where the item's variables make no script."""
        script = _script(item)
        return cls(item, script, world_of(item, script))

    def prompted(self) -> Task | None:
        """The call that the answer makes; None where the engine makes none."""
        needs = UnderWay(self.world, self._given()).go_on({})
        tasks = () if isinstance(needs, Turn) else needs.tasks
        return next((task for task in tasks if task.template == ASKED), None)

    async def held(self, answering: Answering) -> dict[str, WrittenValue]:
        """What the turn writes when ``answering`` answers what it asks."""
        under, answers = UnderWay(self.world, self._given()), dict[str, Answer]()
        result = under.go_on(answers)
        while not isinstance(result, Turn):
            answers |= await answering(self.script, result.tasks)
            result = under.go_on(answers)
        return _written(result)

    def without_model(self) -> dict[str, WrittenValue]:
        """What it writes where no model is configured."""
        world = world_of(self.item, self.script, model=False)
        result = UnderWay(world, self._given()).go_on({})
        return _written(result) if isinstance(result, Turn) else {}

    def _given(self) -> Input:
        seen = self.world.state.messages
        return Input("message", tuple(Words(text, seen) for text in self.item.answer), after=seen)


def _written(turn: Turn) -> dict[str, WrittenValue]:
    """The last write of each name."""
    found: dict[str, WrittenValue] = {}
    for event in turn.events:
        if isinstance(event, VariableOperation) and event.value is not None:
            found[event.name] = WrittenValue(event.value, _HOW.get(event.strategy, "other"))
    return found


def _script(item: LabelledDialogue) -> Script:
    question = item.dialogue[item.begins].text
    # What is measured is what is taken from an answer, not who leads.
    asks = {
        "max_rounds": _ROUNDS,
        "literal": True,
        **item.action,
        "type": "ai_ask",
        "id": "asked",
        "content": item.brief,
    }
    asks |= {"question": literal(question), "output": [{"get": each["get"]} for each in item.output]}
    declared = [{"var": each["get"], **{k: v for k, v in each.items() if k != "get"}} for each in item.output]
    return compiled([asks], declared, item.locale, item.line)


def compiled(
    actions: Sequence[Mapping[str, Any]],
    declared: Sequence[Mapping[str, Any]],
    locale: str,
    line: int,
    safety: LoadedProject | None = None,
) -> Script:
    """A session of these actions and variables, with the scripts of ``safety`` where that is given. Raises ``BadFile``,
    about that line, where they make no script."""
    name = _TOPIC[is_chinese(locale)]
    phase = {"phase": name, "steps": [{"topic": name, "actions": list(actions)}]}
    session = {"session": name, "id": "item", "locale": locale, "declare": list(declared), "phases": [phase]}
    text = yaml.safe_dump({"sessions": [session]}, allow_unicode=True, sort_keys=False)
    home = load_texts(
        {
            "project.yaml": f"id: item\nlocale: {locale}\ndomain: {_DOMAIN[is_chinese(locale)]}\n",
            "item.yaml": text,
        },
        field_models(),
    )
    projects = {home.id: home}.get
    stopping = [found.code for found in (*home.findings, *check(home, projects)) if found.stops]
    if stopping:
        raise BadFile("bad_script", line, codes=", ".join(dict.fromkeys(stopping)))
    return compile_session(next(iter(home.sessions)), home, projects, safety)[0]


def literal(text: str) -> str:
    """What was said is no template: braces in it are words."""
    return text.replace("{", "｛").replace("}", "｝")


def world_of(
    item: LabelledDialogue, script: Script, *, model: bool = True, classifiers: Mapping[str, Classifier] | None = None
) -> World:
    """The session where the answer is waited for: begun as every session is, then everything that has been said since
    put in its place. ``classifiers`` read along; without any, none does."""
    spoken = spoken_table(script)
    began = item.at - _APART * len(item.dialogue)
    empty = World(script, State(), Variables(), (), began, model, spoken)
    turn = UnderWay(empty, Input("start", values=item.before)).go_on({})
    assert isinstance(turn, Turn)
    history = tuple(
        Message(number, line.speaker, line.text, began + _APART * number)
        for number, line in enumerate(item.dialogue[: item.asked + 1], 1)
        if line.speaker in ("ai", "person")
    )
    state = turn.state
    _put(item, state, history)
    reading = classifiers or {}
    return World(script, state, _told(item, turn.variables), history, item.at, model, spoken, classifiers=reading)


def _told(item: LabelledDialogue, variables: Variables) -> Variables:
    """What stands before the answer came from the person, and is no presumption of a script."""
    variables = variables.copy()
    for cell in variables.cells.values():
        cell |= {name: replace(cell[name], strategy="json") for name in item.before if name in cell}
    return variables


def _put(item: LabelledDialogue, state: State, history: Sequence[Message]) -> None:
    """As the rounds before left it: what was asked last, what was answered, and what it gave."""
    running = state.running
    assert running is not None
    frame = running.action
    assert frame is not None
    rounds = _answers(item)
    state.messages, frame.asked = len(history), len(history)
    state.heard, state.seq = len(rounds), state.seq + len(rounds)
    frame.round = len(rounds) + 1
    frame.question = item.dialogue[item.asked].text
    if rounds:
        frame.asking = item.output[0]["get"] if len(item.output) == 1 else ""
        kept, names = QuestionState.of(frame), {each["get"] for each in item.output}
        earlier = {name: value for name, value in item.before.items() if name in names}
        kept.texts = rounds[-8:]
        kept.found = {name: {"value": value, "evidence": None} for name, value in earlier.items()}


def _answers(item: LabelledDialogue) -> list[str]:
    """The person's earlier answers within the action, each of one message or a burst."""
    found: list[list[str]] = []
    before = "ai"
    for line in item.dialogue[item.begins : item.asked + 1]:
        if line.speaker == "person":
            if before == "ai":
                found.append([])
            found[-1].append(line.text)
        before = line.speaker
    return ["\n".join(each) for each in found]
