"""Who answers a case: its own table, a cassette beside its file, or a live model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.language.nodes.node import Json
from heartrule.llm.clock import LoopClock
from heartrule.llm.config import build_model, build_offers, settings_of_machine
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Heard, Provider, Reply, Request
from heartrule.llm.providers.cassettes import RecordedProvider
from heartrule.llm.settings import LlmSettings
from heartrule.llm.upstream import Offer
from heartrule.script_tests.case import Case
from heartrule.script_tests.provider import AnsweringModels, ScriptedAnswers, Table, scripted
from heartrule.script_tests.tape import cassette, sharing


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """``record``: what is not on a case's cassette is asked of the machine's model, or answered from ``answers``, and
    kept. ``live``: cases that want a live model have one. ``data``: the folder whose settings say which model."""

    record: bool = False
    live: bool = False
    answers: Mapping[str, Json] | None = field(default=None, repr=False)
    data: Path | None = None

    @property
    def settings(self) -> LlmSettings:
        """Raises ``ConfigError``."""
        return settings_of_machine(self.data or Path())


class Answers(Protocol):
    """Answers a conversation's questions; closed when that is over."""

    def __call__(self, tasks: Sequence[Task]) -> Mapping[str, Answer]: ...

    def close(self) -> None: ...


class Answerers:
    """Those of one run of tests; cassettes are read once, and written by this process only."""

    def __init__(self, means: AnswerOptions) -> None:
        self._means = means
        self._tapes: dict[Path, RecordedProvider] = {}
        self._current = _Current()
        self.uncertain: set[Path] = set()
        """Cassettes of which nobody can tell what is still asked for: a call failed, or a case was not gone through to
        its end."""

    def of(self, file: str, case: Case, script: Script) -> Answers | None:
        """Whoever answers a case of a test file. None: nobody, it is held in script mode."""
        match case.by:
            case "none":
                return None
            case "scripted":
                return ScriptedAnswers(script, case.answers)
            case "live":
                return Live(script, self._means.settings)
        path = cassette(file)
        tape = self._tape(path)
        if not self._means.record:
            return AnsweringModels(script, lambda task, prompt: tape)
        return RecordingSource(script, self._current, tape, self._means, lambda: self.uncertain.add(path))

    def broke_off(self, file: str) -> None:
        """A case of a test file was not gone through to its end."""
        self.uncertain.add(cassette(file))

    def forget(self, files: Collection[str]) -> int:
        """Take off the cassettes what no question asked for, where that is certain: all their ``files`` were among
        those that were held. Returns how many answers that were."""
        held = {Path(file).resolve() for file in files}
        self.uncertain |= {path for path in self._tapes if not {each.resolve() for each in sharing(path)} <= held}
        return sum(tape.forget() for path, tape in self._tapes.items() if path not in self.uncertain)

    def _tape(self, path: Path) -> RecordedProvider:
        if path not in self._tapes:
            self._tapes[path] = RecordedProvider(path, self._current if self._means.record else None)
        return self._tapes[path]


class _Current:
    """The provider that a cassette records from, which is another for each question."""

    def __init__(self) -> None:
        self.provider: Provider | None = None

    @property
    def name(self) -> str:
        return "recorded"

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        assert self.provider is not None
        return await self.provider.complete(request, heard)

    async def aclose(self) -> None:
        return


class RecordingSource(AnsweringModels):
    """Asks the machine's model, or the table, whatever is not on the tape."""

    def __init__(
        self,
        script: Script,
        current: _Current,
        tape: RecordedProvider,
        means: AnswerOptions,
        failed: Callable[[], object],
    ) -> None:
        self._offers: list[Offer] = []
        policy = None
        if means.answers is not None:
            answering = scripted(Table(means.answers))
        else:
            settings = means.settings
            self._offers, policy = build_offers(settings), build_model(settings).policy
            answering = self._offered

        def source(task: Task, prompt: str) -> Provider:
            return _TapedSource(current, tape, failed, lambda: answering(task, prompt))

        super().__init__(script, source, clock=None if means.answers is not None else LoopClock(), policy=policy)

    def _offered(self, task: Task, prompt: str) -> Provider:
        tier = (self._policy or Policy()).tier(task)
        return _Within(next((offer for offer in self._offers if tier in offer.tiers), self._offers[0]))

    def close(self) -> None:
        for offer in self._offers:
            self._runner.run(offer.aclose())
        super().close()


class _TapedSource:
    """A tape for one question. Who would answer is found when it is asked for; ``failed`` is told that nobody did."""

    def __init__(
        self,
        current: _Current,
        tape: RecordedProvider,
        failed: Callable[[], object],
        source: Callable[[], Provider],
    ) -> None:
        self._current, self._tape, self._failed, self._source = current, tape, failed, source
        self._own: Provider | None = None

    @property
    def name(self) -> str:
        return self._tape.name

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        self._own = self._own or self._source()
        self._current.provider = self._own
        try:
            return await self._tape.complete(request, heard)
        except Exception:
            self._failed()
            raise

    async def aclose(self) -> None:
        return


class _Within:
    """A model within its limits, whatever the prompt is known by."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer

    @property
    def name(self) -> str:
        return self._offer.name

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        warmth, tokens = self._offer.warmth(request.temperature), self._offer.tokens(request.max_tokens)
        return await self._offer.complete(replace(request, temperature=warmth, max_tokens=tokens), heard)

    async def aclose(self) -> None:
        return


class Live:
    """The machine's model, asked as a session asks it."""

    def __init__(self, script: Script, settings: LlmSettings) -> None:
        self._script, self._model = script, build_model(settings, measured=True)
        self._runner = asyncio.Runner()

    def __call__(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return self._runner.run(self._model.answer(tasks, script=self._script, stay="test"))

    def close(self) -> None:
        self._runner.run(self._model.aclose())
        self._runner.close()
