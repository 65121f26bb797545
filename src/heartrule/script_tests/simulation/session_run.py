"""Hold one session with a visitor, until it ends, they leave, or it is stuck."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from heartrule.engine.session.events import (
    DirectiveApplied,
    Event,
    Fault,
    Marker,
    PhaseChanged,
    RoundInfo,
    TopicChanged,
    VariableOperation,
)
from heartrule.engine.session.io import FormAnswers, Input
from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.script_tests.conversation import Conversation
from heartrule.script_tests.simulation.guards import struck
from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.open_question import SAFETY, OpenQuestion, asked
from heartrule.script_tests.simulation.simulated_session import (
    Exchange,
    Misread,
    NoticedInTurn,
    Outcome,
    Place,
    SimulatedSession,
)
from heartrule.script_tests.simulation.visitor import Move, Visitor

BEGINS = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TURNS = 250
"""Moves after which a session counts as stuck."""
PATIENCE = 12
"""Moves in a row in which no action ends, nothing is taken down and no new round or step is come to, after which it
does."""
QUIET = 3
"""Waits in a row after which a visitor does not come back."""
Answers = Callable[[Sequence[Task]], Mapping[str, Answer]]


class SessionSettings:
    """``answers`` None is script mode. ``turns`` and ``patience``: when a session counts as stuck."""

    def __init__(
        self,
        script: Script,
        visitor: Visitor,
        answers: Answers | None = None,
        *,
        turns: int = TURNS,
        patience: int = PATIENCE,
    ) -> None:
        self._script, self._visitor = script, visitor
        self._answers, self._spent = answers, ModelSpend()
        self._turns, self._patience = turns, patience
        self._talk = Conversation(script, None if answers is None else self._ask, BEGINS)
        self._exchanges: list[Exchange] = []
        self._idle = self._quiet = 0
        self._parts = False
        self._seen: set[tuple[str, int, int, int]] = set()

    def run(self, persona: str, number: int, values: Mapping[str, Any] | None = None) -> SimulatedSession:
        self._moved(None, Place(), lambda: self._talk.move(Input("start", values=values or {})))
        outcome, why = self._goes_on()
        at = Place()
        if guard := self._struck():
            outcome, (why, at) = "stuck", guard
        entered = self._entered()
        return SimulatedSession(
            script=self._script.id,
            persona=persona,
            number=number,
            outcome=outcome,
            why=why,
            seconds=(self._talk.now - BEGINS).total_seconds(),
            exchanges=tuple(self._exchanges),
            phases=tuple(name for node in self._script.session.phases if (name := node.id or node.phase) in entered),
            stuck_at=at,
        )

    def _goes_on(self) -> tuple[Outcome, str]:
        """Move after move."""
        while not self._talk.state.ended and not self._struck():
            if len(self._exchanges) > self._turns:
                return "stuck", "too_long"
            if self._idle >= self._patience:
                return "stuck", "no_progress"
            if self._talk.turn.request.kind == "none" and self._talk.turn.wake_at is None:
                return "stuck", "waits_for_nothing"
            question = self._question()
            move = self._visitor.move(question, self._said())
            self._parts = self._parts or move.parts
            self._quiet = self._quiet + 1 if move.deed == "silent" else 0
            if move.kind == "gone" or self._quiet > QUIET:
                self._exchanges.append(self._exchange(move, self._place(), [], []))
                return "left", "gone"
            self._make(move)
        return self._ended()

    def _struck(self) -> tuple[str, Place] | None:
        return struck(self._script, self._talk.state, self._talk.events)

    def _ended(self) -> tuple[Outcome, str]:
        match self._talk.state.end_reason:
            case "completed":
                return ("parted", "chose_to_stop") if self._parts and self._skipped() else ("completed", "")
            case "timeout":
                return "timed_out", "timeout"
            case "ended by the person":
                return "left", "ended"
            case reason:
                return "parted", reason

    def _skipped(self) -> bool:
        """Whether the session has left out a phase that has no condition."""
        always = {node.id or node.phase for node in self._script.session.phases if node.condition is None}
        return not always <= self._entered()

    def _entered(self) -> set[str]:
        events = self._talk.events
        return {each.id for each in events if isinstance(each, PhaseChanged) and each.state == "entered"}

    def _make(self, move: Move) -> None:
        before = self._place()
        self._talk.now += timedelta(seconds=0 if move.kind == "wait" else move.seconds)
        match move.kind:
            case "message":
                self._moved(move, before, lambda: self._talk.say([move.words]))
            case "choice":
                self._moved(move, before, lambda: self._talk.choose(move.words))
            case "form":
                self._moved(move, before, lambda: self._fill(move))
            case "end":
                self._moved(move, before, lambda: self._talk.move(Input("end")))
            case _:
                self._moved(move, before, lambda: self._wait(timedelta(seconds=move.seconds)))

    def _fill(self, move: Move) -> None:
        assert move.filled is not None
        answers = FormAnswers(move.filled.key, move.filled.values)
        kind: Literal["form_submit", "form_draft", "form_cancel"] = f"form_{move.filled.how}"  # type: ignore[assignment]
        self._talk.move(Input(kind, form=answers, after=self._talk.state.messages))

    def _wait(self, span: timedelta) -> None:
        """Time passes; what comes due meanwhile strikes, or is looked back for, until nothing new does."""
        until = self._talk.now + span
        while (due := self._talk.turn.wake_at) is not None and due <= until and not self._talk.state.ended:
            self._talk.now = max(self._talk.now, due)
            self._talk.move(Input("timer"))
            self._talk.settle()
            if self._talk.turn.wake_at == due:
                break
        self._talk.now = until

    def _moved(self, move: Move | None, before: Place, act: Callable[[], object]) -> None:
        messages, events = len(self._talk.history), len(self._talk.events)
        self._spent = ModelSpend()
        act()
        self._talk.settle()
        said = [each.text for each in self._talk.history[messages:] if each.sender == "ai"]
        exchange = self._exchange(move, before, said, self._talk.events[events:])
        self._exchanges.append(exchange)
        if self._is_new() or exchange.noticed.progress:
            self._idle = 0
        elif move is not None and move.kind in ("message", "choice", "form"):
            self._idle += 1

    def _is_new(self) -> bool:
        """Whether this step of this action has not been come to before: a further round of a question, a further step
        of an exercise."""
        running = self._talk.state.running
        action = running.action if running else None
        if running is None or action is None:
            return False
        here = (running.key, running.passes, action.index, action.round)
        new = here not in self._seen
        self._seen.add(here)
        return new

    def _exchange(self, move: Move | None, before: Place, said: list[str], events: list[Event]) -> Exchange:
        at = (self._talk.now - BEGINS).total_seconds()
        after = self._place()
        return Exchange(at, before, after, move, tuple(said), _noticed(events, move, after), self._spent)

    def _question(self) -> OpenQuestion:
        return asked(self._script, self._talk.state, self._talk.turn.request, self._said(), self._talk.now)

    def _said(self) -> Sequence[str]:
        """What was said since the visitor's last words."""
        said: list[str] = []
        for message in reversed(self._talk.history):
            if message.sender == "person":
                break
            said.append(message.text)
        return said[::-1]

    def _place(self) -> Place:
        state = self._talk.state
        running = state.running
        if state.ended or state.phase is None:
            return Place()
        action = running.action.id if running and running.action else ""
        return Place(state.phase.id, running.ref if running else "", action)

    def _ask(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        assert self._answers is not None
        answers = self._answers(tasks)
        self._spent.add(answers.values())
        return answers


def _noticed(events: Sequence[Event], move: Move | None, after: Place) -> NoticedInTurn:
    topics = [e for e in events if isinstance(e, TopicChanged) and e.state == "running" and e.cause != "resumed"]
    crisis = next((each.cause for each in topics if _is_crisis(each.ref)), "")
    markers = [event for event in events if isinstance(event, Marker)]
    written = any(isinstance(event, VariableOperation) for event in events)
    answered = move is not None and move.deed == "answer" and move.kind == "message"
    return NoticedInTurn(
        crisis=crisis,
        met=bool(crisis) or _is_crisis(after.topic),
        faults=tuple(_faults(events)),
        misread=tuple(_misread(events)) if answered else (),
        unfinished=tuple(name for e in events if isinstance(e, TopicChanged) for name in e.unfinished),
        progress=written or any(marker.edge == "after" for marker in markers),
    )


def _is_crisis(ref: str) -> bool:
    """Whether a technique of the safety project asks about danger, rather than meets a wish to stop or for a human."""
    project, _, technique = ref.partition("/")
    return project == SAFETY and technique.removesuffix("_en") in CRISIS


CRISIS = ("crisis_support", "safety_follow_up", "safety_check", "safety_unsure")
"""Techniques that answer danger of suicide or self-harm: with all it takes, after that, gently, and in doubt."""


def _faults(events: Sequence[Event]) -> list[str]:
    told = [event.what for event in events if isinstance(event, Fault)]
    refused = [f"{e.directive}: {e.refused}" for e in events if isinstance(e, DirectiveApplied) and e.refused]
    return [*told, *refused]


def _misread(events: Sequence[Event]) -> list[Misread]:
    rounds = [event for event in events if isinstance(event, RoundInfo)]
    return [Misread(name, why) for each in rounds for name, why in each.missing.items() if why != "not_mentioned"]
