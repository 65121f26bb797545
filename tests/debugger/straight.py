"""Debug sessions without a server, for tests that hold very many of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

from heartrule.debugger.answers import AnswerPolicy
from heartrule.debugger.head import Head
from heartrule.debugger.session import DebugSession
from heartrule.debugger.stepping import StepLimit
from heartrule.debugger.tape import Move
from heartrule.debugger.texts import Text, compile_files
from heartrule.engine.installed_types import field_models
from heartrule.engine.session.io import FormAnswers, Input, Words
from heartrule.language.projects.library import Library, library_root
from heartrule.language.projects.project import read_texts
from heartrule.llm.model import Model

BEGUN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
SHIPPED = ("abc_intro", "abc_intro_en", "mood_check", "first_assessment", "exercises")
SAID = (
    *("小林", "4", "7 分", "还好", "没有了", "跳过", "不知道", "工作压力很大，睡不好", "他不回我消息，我觉得他讨厌我"),
    *("可以", "不要", "你是谁？", "I slept badly", "yes", "我不想活了", "刚才说错了，是 5"),
)


class Still:
    """A clock that stands."""

    def now(self) -> datetime:
        return BEGUN


@cache
def library() -> Library:
    return Library([library_root()], field_models())


@cache
def shipped_files() -> dict[str, str]:
    return {path: raw.decode() for path, raw in read_texts(library_root() / "cbt")[0].items()}


@cache
def text(script: str, files: tuple[tuple[str, str], ...] = ()) -> Text:
    return compile_files(dict(files) or shipped_files(), script, library())


def session(of: Text, model: Model | None = None, **more: Any) -> DebugSession:
    """One whose moves are kept as the store would keep them, and read again."""
    kept: dict[int, Any] = {}

    async def save(head: Head, moves: Sequence[Move]) -> None:
        Head.of(head.plain())
        for move in moves:
            kept[move.number] = move.plain()
            Move.of(kept[move.number])

    head = Head(
        id="debugged",
        who="lin",
        script=of.script.id,
        name="",
        text=of.hash,
        created_at=BEGUN,
        virtual=BEGUN,
        real=BEGUN,
        answering=AnswerPolicy(by="model" if model is not None else "none"),
        **more,
    )
    return DebugSession(head, {of.hash: of}, {}, model or Model(), Still(), save)


def next_input(of: DebugSession, random: Random) -> Input | None:
    """What somebody might do where it waits; None when it is over."""
    last = of.last
    if last is None:
        return Input("start")
    if last.state.ended:
        return None
    seen, request = last.state.messages, last.request
    if request.form is not None and random.random() < 0.9:
        values = {each["id"]: _filled(each, random) for each in request.form.shown["fields"]}
        kind = random.choice(("form_submit", "form_submit", "form_draft", "form_cancel"))
        return Input(kind, form=FormAnswers(request.form.key, values), after=seen)  # type: ignore[arg-type]
    if request.choices and random.random() < 0.8:
        return Input("choice", choice=random.choice(request.choices).value, after=seen)
    if random.random() < 0.05:
        return Input(random.choice(("pause", "resume")))  # type: ignore[arg-type]
    return Input("message", (Words(random.choice(SAID), seen),), after=seen)


def _filled(field: dict[str, Any], random: Random) -> Any:
    options = field.get("options") or ()
    if options:
        return random.choice(options)["value"]
    return random.choice((1, 3, "一些话", None))


def told(of: DebugSession) -> list[Any]:
    """All that a session has come to: messages, events, states, variables and calls of each turn, as plain data."""
    return [turn_told(of, move) for move in of.chain(of.branch.leaf)]


def turn_told(of: DebugSession, move: Move) -> Any:
    turn = of.turn(move.number)
    cells = {
        f"{scope} {key} {name}": [value.value, value.source, value.strategy, value.evidence]
        for (scope, key), cell in sorted(turn.variables.cells.items())
        for name, value in sorted(cell.items())
    }
    return {
        "messages": [[m.number, m.sender, m.text, m.action, m.at.isoformat()] for m in turn.messages],
        "events": [each.model_dump(mode="json") for each in turn.events],
        "state": turn.state.model_dump(mode="json"),
        "variables": cells,
        "calls": {key: [each.answer.data, each.answer.prompt_hash] for key, each in sorted(move.answers.items())},
    }


async def straight(of: DebugSession, random: Random, moves: int) -> list[tuple[Input, datetime]]:
    """Held without a stop; what was done, and when."""
    done = []
    for number in range(moves):
        given = next_input(of, random)
        if given is None:
            break
        at = BEGUN.replace(minute=number % 60, hour=9 + number // 60)
        of.head.stepping = StepLimit()
        await of.send(given, at)
        done.append((given, at))
    return done
