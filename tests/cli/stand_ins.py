"""A session and a front that do what a test tells them, and remember what was done to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from heartrule.cli.conversation_ui import Due, Line
from heartrule.cli.terminal_session import TurnListener
from heartrule.engine.session.io import Request
from heartrule.engine.session.state import Choice
from heartrule.sessions import Outcome, View, Why
from heartrule.store.records import Entry, MessageRecord, SessionRecord, VariableRecord

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
YES_NO = Request("choice", (Choice(value="A", label="是"), Choice(value="B", label="不是")))
PRESS = Request("press", (Choice(value="go_on", label="准备好了"),))
MESSAGE = Request("message")
NONE = Request("none")


def message(number: int, text: str, sender: Literal["ai", "person", "system", "human"] = "ai") -> MessageRecord:
    return MessageRecord(number, 1, sender, text, "text", None, NOON)


def outcome(request: Request, *messages: MessageRecord) -> Outcome:
    done = request.kind == "none"
    return Outcome(
        turn=1,
        status="ended" if done else "active",
        messages=messages,
        execution_status="completed" if done else "waiting_input",
        position={},
        exit={},
        request=request,
        progress={},
    )


@dataclass
class Held:
    """Gives its ``outcomes`` one by one; an exception among them is raised."""

    outcomes: list[Outcome | Exception]
    id: str = "0123456789abcdef"
    taken: list[Entry] = field(default_factory=list)
    starts: int = 0
    alarms: list[tuple[datetime, float] | None] = field(default_factory=list)
    reasons: Sequence[Why] = ()
    position: dict[str, Any] = field(default_factory=dict)
    progress: dict[str, Any] = field(default_factory=dict)
    variables: tuple[VariableRecord, ...] = ()
    past: tuple[MessageRecord, ...] = ()
    aloud: list[list[tuple[int, int, str] | None]] = field(default_factory=list)
    """What each of the ``outcomes`` lets be heard before it comes, part by part; None is Ctrl-C."""

    def _next(self, hearing: TurnListener | None = None) -> Outcome:
        for part in self.aloud.pop(0) if self.aloud else ():
            assert hearing is not None
            if part is None:
                hearing.stopping()
            else:
                hearing.more(*part)
        given = self.outcomes.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    def start(self, hearing: TurnListener) -> Outcome:
        self.starts += 1
        return self._next(hearing)

    def take(self, entry: Entry, hearing: TurnListener | None = None) -> Outcome:
        self.taken.append(entry)
        return self._next(hearing)

    def view(self) -> View:
        record = SessionRecord(
            id=self.id,
            person="p",
            project="cbt",
            script="cbt/one",
            bundle="b",
            locale="zh-CN",
            status="active",
            seq=1,
            position=self.position,
            created_at=NOON,
            last_active_at=NOON,
            ended_at=None,
            wake_at=None,
            metadata={},
        )
        return View(
            session=record,
            life="active",
            messages=self.past,
            last_message=self.past[-1].number if self.past else 0,
            request=MESSAGE,
            position=self.position,
            progress=self.progress,
            variables=self.variables,
            model=False,
        )

    def why(self) -> Sequence[Why]:
        return self.reasons

    def due(self) -> tuple[datetime, float] | None:
        return self.alarms.pop(0) if self.alarms else None


class Front:
    def __init__(self, lines: Iterable[str | Line | type[Due]], *, patient: bool = True) -> None:
        self.patient = patient
        self._lines = iter(lines)
        self._read = 0
        self.shown: list[str] = []
        self.waited: list[float | None] = []
        self.thoughts = 0

    def notice(self, paragraphs: Sequence[str]) -> None:
        self.shown += [f"notice {paragraph}" for paragraph in paragraphs]

    def say(self, messages: Sequence[MessageRecord]) -> None:
        self.shown += [f"{one.sender} {one.text}" for one in messages]

    def write(self, text: str) -> None:
        self.shown.append(f"write {text}")

    def written(self, text: str) -> None:
        self.shown.append(f"written {text}")

    def offer(self, request: Request) -> None:
        self.shown += [f"offer {choice.label}" for choice in request.choices]

    def read(self, request: Request, seconds: float | None) -> Line | None:
        self.waited.append(seconds)
        given = next(self._lines, None)
        if given is None or isinstance(given, Line):
            return given
        if not isinstance(given, str):
            raise given
        self._read += 1
        return Line(given, self._read)

    def note(self, text: str) -> None:
        self.shown.append(f"note {text}")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.shown += ["table " + " | ".join(row) for row in [columns, *rows]]

    def thinking(self) -> AbstractContextManager[object]:
        return self._think()

    @contextmanager
    def _think(self) -> Iterator[None]:
        self.thoughts += 1
        yield
