"""The parts of a block of actions: each runs as if it stood alone, on what was known before the block."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from heartrule.engine.action_types import ActionType, registry
from heartrule.engine.memory import memory_writes, retrieval
from heartrule.engine.session.io import Rest
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.session.state import ActionFrame
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.variables import deferred_writes
from heartrule.engine.variables.deferred_writes import Written
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

Wanted = tuple[Task, ...] | Rest
Round = Generator[Wanted, Mapping[str, Answer], None]


@dataclass(slots=True)
class Part:
    """An action of a block with a frame of its own. ``noted``: what it has written so far, put off until the end."""

    action: Action
    frame: ActionFrame
    noted: list[Written] = field(default_factory=list, repr=False)
    step: Step | None = None
    _moves: Moves | None = field(default=None, repr=False)

    @property
    def kind(self) -> ActionType:
        return registry()[self.action.type]

    @contextmanager
    def standing(self, work: Work) -> Iterator[None]:
        """The part stands where the block stands, and sees what it has written itself."""
        block = work.running.action
        work.running.action = self.frame
        try:
            with deferred_writes.recording(work, self.action, self.noted) as noted:
                yield
            self.noted += noted
        finally:
            work.running.action = block

    def begin(self, work: Work, moves: Callable[[], Moves]) -> Wanted | None:
        """Begin a move: what it needs, None when it has come to its step."""
        with self.standing(work):
            self._moves = moves()
            return self._on(next)

    def resume(self, work: Work, answers: Mapping[str, Answer]) -> Wanted | None:
        with self.standing(work):
            return self._on(lambda made: made.send(answers))

    def _on(self, move: Callable[[Moves], Wanted]) -> Wanted | None:
        assert self._moves is not None
        try:
            return move(self._moves)
        except StopIteration as end:
            self.step = end.value
            return None


def together(work: Work, parts: list[Part]) -> Round:
    """Enter all of them. What they ask the model is asked side by side; words that are still being written are waited
    for unseen, because others come before them."""
    open_ = [(part, part.begin(work, partial(_entered, work, part))) for part in parts]
    while any(wanted is not None for _, wanted in open_):
        asked = {id(part): wanted for part, wanted in open_ if isinstance(wanted, tuple)}
        rests = [wanted for _, wanted in open_ if isinstance(wanted, Rest)]
        tasks = tuple(task for wanted in asked.values() for task in wanted)
        answers: dict[str, Answer] = dict((yield tasks)) if tasks else {}
        for rest in rests:
            answers |= yield replace(rest, message=None)
        open_ = [(part, None if wanted is None else part.resume(work, _own(wanted, answers))) for part, wanted in open_]


def _entered(work: Work, part: Part) -> Moves:
    retrieval.entered(work, part.action)
    return part.kind.enter(work, part.action)


def kept(work: Work, action: Action, frame: ActionFrame) -> None:
    """What a part leaves to be remembered, once what it wrote is written."""
    block = work.running.action
    work.running.action = frame
    memory_writes.ended(work, action)
    work.running.action = block


def alone(work: Work, part: Part, moves: Callable[[], Moves]) -> Round:
    """One move of the part that waits."""
    wanted = part.begin(work, moves)
    while wanted is not None:
        wanted = part.resume(work, (yield wanted))


def _own(wanted: Wanted, answers: Mapping[str, Answer]) -> dict[str, Answer]:
    keys = [wanted.key] if isinstance(wanted, Rest) else [task.key for task in wanted]
    return {key: answers[key] for key in keys}
