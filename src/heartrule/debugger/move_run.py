"""One move worked out, to its end or to the place at which it is to be held. Pure: the same move comes to the same,
however often it is worked out and wherever it was held before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from heartrule.classifiers import Classifiers
from heartrule.debugger.tape import Change, Move
from heartrule.debugger.texts import Text
from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.events import Event, Marker
from heartrule.engine.session.io import HISTORY, Helper, Message, Turn, World
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Variables
from heartrule.engine.turn import UnderWay
from heartrule.engine.variables import scopes
from heartrule.engine.variables.elapsed_time import stood_still
from heartrule.engine.work import Work

BY_HAND = "debugger"
"""The source of what somebody has set by hand."""
BY_ITSELF = ("timer", "noticed", "advised")


@dataclass(frozen=True, slots=True)
class MoveStart:
    """What a move starts from. ``last``: the turn before it, if there was one."""

    state: State = field(default_factory=State, repr=False)
    variables: Variables = field(default_factory=Variables, repr=False)
    memories: Variables = field(default_factory=Variables, repr=False)
    window: tuple[Message, ...] = field(default=(), repr=False)
    last: Turn | None = field(default=None, repr=False)

    def after(self, turn: Turn) -> MoveStart:
        window = (*self.window, *turn.messages)[-HISTORY:]
        return MoveStart(turn.state, turn.variables.copy(), turn.memories.copy(), window, turn)


class Halted(BaseException):
    """The move is held here. Derived so that nothing in between takes it for a fault."""

    def __init__(self, at: int, why: Mapping[str, object]) -> None:
        self.at, self.why = at, why
        super().__init__("held")


Stop = Callable[[Work, Event, int], Mapping[str, object] | None]
"""Whether to hold at an event, and why. Is asked about events behind the place where the move was held last."""


@dataclass(frozen=True, slots=True)
class MoveProgress:
    """How far a move has come. ``seen``: events that have happened; ``heard``: each with its number. ``turn`` where it
    is over, ``tasks`` where it waits for answers, else it is held, and ``why``. ``asked``: all tasks so far."""

    seen: int
    work: Work = field(repr=False)
    heard: tuple[tuple[int, Event], ...] = field(repr=False)
    asked: tuple[Task, ...] = field(default=(), repr=False)
    turn: Turn | None = field(default=None, repr=False)
    tasks: tuple[Task, ...] = field(default=(), repr=False)
    why: Mapping[str, object] = field(default_factory=dict)
    when: Mapping[str, int] = field(default_factory=dict, repr=False)
    """By the key of each task, how many events had happened when it was asked."""

    @property
    def markers(self) -> list[tuple[int, Marker]]:
        return [(number, event) for number, event in self.heard if isinstance(event, Marker)]


def world_of(
    text: Text,
    session_state: MoveStart,
    move: Move,
    session: str = "",
    classifiers: Classifiers | None = None,
    reaches: frozenset[Helper] = frozenset(),
) -> World:
    """What the engine is given."""
    return World(
        script=text.script,
        grouping=BatchLimits.of(text.script),
        state=_rested(session_state.state, move.given.kind, move.at),
        variables=session_state.variables,
        memories=session_state.memories,
        session=session,
        history=session_state.window,
        now=move.at,
        model=move.model,
        spoken=text.spoken,
        reaches=reaches,
        classifiers=classifiers or {},
    )


def _rested(state: State, kind: str, now: datetime) -> State:
    clock = state.clock
    if clock.paused and clock.at is not None and kind not in BY_ITSELF:
        return stood_still(state, now - clock.at)
    return state


def never(work: Work, event: Event, number: int) -> None:
    return None


def work_out(world: World, move: Move, passed: int = 0, stop: Stop = never) -> MoveProgress:
    """Work ``move`` out in ``world``, and hold it where ``stop`` says so behind the first ``passed`` events."""
    watch = _Watch(move.changes, passed, stop)
    under_way = UnderWay(replace(world, observer=watch.observe), move.given)
    watch.work = under_way.work
    watch.change(0)
    answers: dict[str, Answer] = {}
    asked: list[Task] = []
    when: dict[str, int] = {}
    try:
        while True:
            needs = under_way.go_on(answers)
            if isinstance(needs, Turn):
                return _reached(watch, asked, when, turn=needs)
            known = {task.key: move.answers[task.key].answer for task in needs.tasks if task.key in move.answers}
            new = [task for task in needs.tasks if task.key not in when]
            asked += new
            when |= {task.key: watch.seen for task in new}
            answers |= known
            if not known:
                return _reached(watch, asked, when, tasks=needs.tasks)
    except Halted as halted:
        return replace(_reached(watch, asked, when, why=halted.why), seen=halted.at)


def applying(changes: Sequence[Change]) -> Callable[[Work, Event], None]:
    """What makes these changes in a turn that is worked out only to be looked at."""
    return _Watch(changes, 0, never).observe


def _reached(
    watch: _Watch,
    asked: Sequence[Task],
    when: Mapping[str, int],
    *,
    turn: Turn | None = None,
    tasks: tuple[Task, ...] = (),
    why: Mapping[str, object] | None = None,
) -> MoveProgress:
    assert watch.work is not None
    return MoveProgress(watch.seen, watch.work, tuple(watch.heard), tuple(asked), turn, tasks, why or {}, when)


class _Watch:
    """Counts events, makes the changes that were made by hand in their moment, and holds."""

    def __init__(self, changes: Sequence[Change], passed: int, stop: Stop) -> None:
        self._changes, self._passed, self._stop = changes, passed, stop
        self.seen = 0
        self.heard: list[tuple[int, Event]] = []
        self.work: Work | None = None
        self._by_hand = False

    def observe(self, work: Work, event: Event) -> None:
        if work.recorded is not None:  # it will be done again, for good, or never
            return
        self.seen += 1
        number = self.seen
        self.heard.append((number, event))
        self.work = work
        if self._by_hand:
            return
        self.change(number)
        if number > self._passed and (why := self._stop(work, event, number)) is not None:
            raise Halted(number, why)

    def change(self, number: int) -> None:
        self._by_hand = True
        for each in self._changes:
            if each.at == number and self.work is not None:
                scopes.write(self.work, each.name, each.value, strategy="set", source=BY_HAND)
        self._by_hand = False
