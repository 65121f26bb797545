"""The model calls of a move, open or over: their prompts in layers, with the places that variables filled, and what
came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heartrule.debugger.answers import prompt_of
from heartrule.debugger.move_run import MoveProgress, applying, world_of
from heartrule.debugger.session import DebugSession
from heartrule.debugger.tape import Move, TapedAnswer
from heartrule.engine.session.io import Request, Turn
from heartrule.engine.session.tasks import Task
from heartrule.engine.turn import request_of
from heartrule.llm.prompt import Prompt
from heartrule.sessions.replay import ReplayedCall, ReplayedTurn
from heartrule.sessions.rows import call_row, event_rows, message_rows
from heartrule.sessions.turn_calls import CallEffects, changed_by
from heartrule.sessions.turn_prompts import Layer, layers


@dataclass(frozen=True, slots=True)
class Call:
    """``at``: how many events had happened when it was asked. ``given`` None: it waits for its answer. ``fits``: the
    answer was given to this very prompt."""

    move: int
    turn: int
    at: int
    task: Task = field(repr=False)
    prompt: Prompt | None = field(repr=False)
    layers: tuple[Layer, ...] = field(repr=False)
    given: TapedAnswer | None = field(repr=False)
    changed: CallEffects

    @property
    def fits(self) -> bool:
        known = self.prompt.hash if self.prompt is not None else ""
        return self.given is None or self.given.answer.prompt_hash == known


def calls(session: DebugSession, move: Move) -> tuple[Call, ...]:
    """Of a move, in the order in which they were asked; of the open one, those before the place where it is held."""
    open_ = session.open is not None and move.number == session.open.number
    reached = session.here() if open_ else session.reach(move)
    text = session.texts[move.text]
    turn = reached.turn or _so_far(reached)
    given = {key: each for key, each in move.answers.items() if key in reached.when}
    prompts = {task.key: prompt_of(task, text.script) for task in reached.asked}
    rows = {
        key: call_row(turn.state.seq, each.template, each.answer, each.answer.prompt_hash, move.at)
        for key, each in given.items()
    }
    asked = tuple(
        ReplayedCall(task, prompts[task.key], rows[task.key], exact=True) for task in reached.asked if task.key in rows
    )
    world = world_of(text, session.session_state(move.parent, move.text), move, session.head.id, session.classifiers)
    replayed = ReplayedTurn(
        turn=turn.state.seq,
        world=replace(world, observer=applying(move.changes)),
        given=move.given,
        asked=asked,
        answers={key: each.answer for key, each in given.items()},
        result=turn,
        kept=None,  # type: ignore[arg-type]
        seconds=0.0,
    )
    marked = layers(replayed)
    events, messages = event_rows(turn), message_rows(turn, ())
    return tuple(
        Call(
            move=move.number,
            turn=turn.state.seq,
            at=reached.when[task.key],
            task=task,
            prompt=prompts[task.key],
            layers=marked.get(task.key) or _plain(prompts[task.key]),
            given=given.get(task.key),
            changed=changed_by(_data(given.get(task.key)), events, messages),
        )
        for task in reached.asked
    )


def _data(given: TapedAnswer | None) -> Mapping[str, Any]:
    return (given.answer.data or {}) if given is not None else {}


def _plain(prompt: Prompt | None) -> tuple[Layer, ...]:
    return () if prompt is None else tuple(Layer(each.role, each.text) for each in prompt.messages)


def _so_far(reached: MoveProgress) -> Turn:
    """The turn under way as if it were over."""
    work = reached.work
    return Turn(
        state=work.state,
        variables=work.variables,
        messages=tuple(work.messages),
        events=tuple(work.events),
        request=Request("none") if work.state.phase is None else request_of(work.state, work.world.script),
        wake_at=None,
        status="waiting_input",
        memories=work.memories,
    )


def call(session: DebugSession, move: Move, key: str) -> Call | None:
    return next((each for each in calls(session, move) if each.task.key == key), None)


def moves_of(session: DebugSession) -> Sequence[Move]:
    """The branch's moves, the open one too."""
    open_ = session.open
    return [*session.chain(session.branch.leaf), *([open_] if open_ is not None else [])]
