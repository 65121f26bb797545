"""A session held on the bare engine: no store, no clock but the test's own, a model answered from a table or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from heartrule.classifiers import Classifiers
from heartrule.engine.awareness import periodic
from heartrule.engine.installed_types import field_models
from heartrule.engine.session.io import Advice, Helper, Input, PeriodicFinding, Request, Turn, Words
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Variables
from heartrule.engine.supervision import background
from heartrule.engine.work import Work
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library, library_root
from heartrule.script_tests.driven import Driven

START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
Table = Mapping[str, Any]
"""By template: an answer's data, a list used up in order (its last one stays), or a function of the task. None, and a
template that is not in the table, fail."""


def compile_text(text: str, session: str | None = None, files: Mapping[str, str] | None = None) -> Script:
    """Compile a script from its text. ``files`` are further files of its project, by path. The same texts are compiled
    once."""
    return _compiled(text, session, tuple((files or {}).items()))


@lru_cache(256)
def _compiled(text: str, session: str | None, files: tuple[tuple[str, str], ...]) -> Script:
    with TemporaryDirectory() as folder:
        for path, content in {"project.yaml": "id: local\n", **dict(files), "script.yaml": text}.items():
            place = Path(folder) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")
        reference = str(Path(folder) / "script.yaml") + (f"#{session}" if session else "")
        return _library(Path(folder)).script(reference)


def shipped(script: str) -> Script:
    """A script of the library we ship."""
    return _library().script(script)


_SHARED: list[Library] = []


def _library(*folders: Path) -> Library:
    """These projects and the shipped ones, which are read once: a script of a test is small, they are not."""
    if not _SHARED:
        _SHARED.append(Library([], field_models()))
    _SHARED[0].roots = (*folders, library_root())
    return _SHARED[0]


class Talk(Driven):
    """``model=None`` is script mode; no classifier reads along but one that is given. After every move ``said`` holds
    what the AI said in it, and ``turn`` the turn."""

    def __init__(
        self,
        script: Script | str,
        model: Table | Callable[[Task], Any] | None = None,
        values: Mapping[str, Any] | None = None,
        reaches: Iterable[Helper] = (),
        *,
        session: str = "",
        memories: Variables | None = None,
        classifiers: Classifiers | None = None,
    ) -> None:
        compiled = compile_text(script) if isinstance(script, str) else script
        super().__init__(compiled, START, reaches, session=session, memories=memories, classifiers=classifiers or {})
        self.model = model
        self.asked: list[Task] = []
        self.said: list[str] = []
        self._used: dict[str, int] = {}
        self.move(Input("start", values=values or {}))

    # moving

    def say(self, *texts: str, after: int | None = None, seconds: float = 20) -> list[str]:
        """One answer, in one message or a burst. ``after``: what the person had seen (by default everything)."""
        self.now += timedelta(seconds=seconds)
        seen = self.state.messages if after is None else after
        self.move(Input("message", tuple(Words(text, seen) for text in texts), after=seen))
        return self.said

    def choose(self, value: str, after: int | None = None, seconds: float = 20) -> list[str]:
        self.now += timedelta(seconds=seconds)
        self.move(Input("choice", choice=value, after=self.state.messages if after is None else after))
        return self.said

    def wait(self, **time: float) -> list[str]:
        """Let time pass (``minutes=3``); a timeout that has come due strikes."""
        self.now += timedelta(**time)
        if self.turn.wake_at is not None and self.turn.wake_at <= self.now:
            self.move(Input("timer"))
        else:
            self.said = []
        return self.said

    def move(self, given: Input) -> Turn:
        """Any input."""
        result = super().move(given)
        self.said = [message.text for message in result.messages if message.sender == "ai"]
        return result

    def look(self, **time: float) -> tuple[PeriodicFinding, ...]:
        """Let time pass, and whoever sweeps look back over the session: what is due by then is asked and handed in."""
        self.now += timedelta(**time)
        work = Work.of(self._world())
        scripts = periodic.due(work)
        if not scripts:
            return ()
        task = periodic.question(work, scripts)
        self.asked += [task] if task is not None else []
        found = periodic.findings(work, scripts, self._answer(task) if task is not None else None)
        self.move(Input("noticed", found=found))
        return found

    def beside(self, *, move: Callable[[], object] | None = None) -> tuple[Advice, ...]:
        """Ask what the last turn left to be asked beside the conversation, and hand in what holds anything. ``move``
        happens between the asking and the handing in: the advice comes late."""
        asked = self.turn.after
        self.asked += asked
        found = (background.advice_of(task, self._answer(task)) for task in asked)
        advice = tuple(each for each in found if each is not None)
        if move is not None:
            move()
        if advice:
            self.move(Input("advised", advice=advice))
        return advice

    @property
    def has_model(self) -> bool:
        return self.model is not None

    def answered(self, tasks: Sequence[Task]) -> dict[str, Answer]:
        self.asked += tasks
        return {task.key: self._answer(task) for task in tasks}

    def _answer(self, task: Task) -> Answer:
        data = self.model(task) if callable(self.model) else (self.model or {}).get(task.template)
        if isinstance(data, list):
            used = self._used.get(task.template, 0)
            self._used[task.template] = used + 1
            data = data[min(used, len(data) - 1)]
        if callable(data):
            data = data(task)
        return Answer(task.key, "failed" if data is None else "answered", data)

    # looking

    @property
    def request(self) -> Request:
        return self.turn.request

    @property
    def ended(self) -> bool:
        return self.state.ended

    @property
    def at(self) -> str | None:
        """The id of the action that waits."""
        running = self.state.running
        return running.action.id if running and running.action else None

    def value(self, name: str) -> Any:
        """A variable's present value in whatever scope holds it, the newest scope first; None when there is none."""
        for cell in reversed(self.variables.cells.values()):
            if name in cell:
                return cell[name].value
        return None

    def happened(self, kind: str) -> list[Any]:
        return [event for event in self.events if event.kind == kind]

    def play(self, answers: Iterable[str]) -> None:
        """Say or choose one answer after another, until they are used up or the session has ended."""
        for answer in answers:
            if self.ended:
                return
            values = {choice.value for choice in self.request.choices}
            if answer in values:
                self.choose(answer)
            else:
                self.say(answer)
