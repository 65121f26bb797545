"""Calls under way: what one checkpoint asked, side by side, as far as it has been answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.llm.clock import Clock
from heartrule.llm.run import Run
from heartrule.llm.streamed_reply import StreamedReply

Listener = Callable[[Task, Attempt], None]
"""Is told of every attempt when its task is done with. It must neither raise nor wait."""


class PendingCalls:
    """Begins when it is made and must be closed; closing breaks off what is still under way."""

    def __init__(self, runs: Sequence[Run], clock: Clock, time_scale: float, listeners: Iterable[Listener]) -> None:
        self._clock, self._scale, self._listeners = clock, time_scale, tuple(listeners)
        self._calls = {run: asyncio.ensure_future(self._answered(run)) for run in runs}
        self._runs = {run.task.key: run for run in runs}
        self._given_up: dict[str, Answer] = {}

    async def _answered(self, run: Run) -> Answer:
        try:
            return await run.answer()
        finally:
            for listener in self._listeners:
                for attempt in run.attempts:
                    listener(run.task, attempt)

    def streamed(self, key: str) -> StreamedReply:
        """The reply of a task that speaks."""
        streamed = self._runs[key].streamed
        assert streamed is not None
        return streamed

    def done(self, key: str) -> bool:
        return self._calls[self._runs[key]].done()

    def result(self, key: str) -> Answer:
        """What came of a task that is done. Raises what must be seen (``NeverDegrade``)."""
        given_up = self._given_up.get(key)
        return given_up if given_up is not None else self._calls[self._runs[key]].result()

    async def ready(self) -> dict[str, Answer]:
        """The answers as soon as a turn can go on with them: whole, or with all that a reply decides before it
        speaks. A task with ``seconds`` is waited for only that long once the others are there."""
        patient = [run for run in self._calls if run.task.seconds is None]
        while True:
            for run in patient:  # they are under way side by side, in whatever order they are looked at
                await self._begun(run)
            for run in self._calls:
                if run.task.seconds is not None:
                    await self._held(run, run.task.seconds * self._scale)
            if all(self._is_begun(run) for run in patient):  # else one has begun anew meanwhile
                break
        return {key: self.now(key) for key in self._runs}

    def now(self, key: str) -> Answer:
        if key in self._given_up or self.done(key):
            return self.result(key)
        streamed = self.streamed(key)
        return Answer(key, "speaking", streamed.head, (), self._runs[key].prompt_hash)

    def _is_begun(self, run: Run) -> bool:
        return self._calls[run].done() or (run.streamed is not None and run.streamed.head is not None)

    async def _begun(self, run: Run) -> None:
        """Until the answer is there, or the part of it that comes before its words."""
        call, streamed = self._calls[run], run.streamed
        while not self._is_begun(run):
            if streamed is None:
                await asyncio.wait((call,))
            else:
                await self.progress(run.task.key)
        if call.done():
            call.result()

    async def progress(self, key: str) -> None:
        """Until a speaking task has something new to say, or is done."""
        run = self._runs[key]
        streamed = self.streamed(key)
        call = self._calls[run]
        if call.done():
            return
        said = asyncio.ensure_future(streamed.changed.wait())
        try:
            await asyncio.wait((call, said), return_when=asyncio.FIRST_COMPLETED)
        finally:
            said.cancel()
        streamed.changed.clear()

    async def _held(self, run: Run, seconds: float) -> None:
        """Wait for an answer as long as its task says now that the others are there."""
        call = self._calls[run]
        if call.done():
            return
        try:
            async with self._clock.within(seconds):
                await asyncio.shield(call)
        except TimeoutError:
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            self._given_up[run.task.key] = run.given_up()

    async def all(self) -> dict[str, Answer]:
        """Every answer, whole."""
        await self.ready()
        await asyncio.gather(*(self._calls[run] for run in self._calls if run.task.key not in self._given_up))
        return {key: self.result(key) for key in self._runs}

    def stop(self, *, everything: bool = False) -> None:
        """The person does not want to hear the replies that are being written or looked through. ``everything``: nor is
        anything else waited for that was asked."""
        for run in self._runs.values():
            if everything or run.words:
                run.stop()

    def attempts(self, key: str) -> tuple[Attempt, ...]:
        return self._runs[key].attempts

    async def drop(self, key: str) -> None:
        """Nobody waits for this answer any longer."""
        run = self._runs[key]
        call = self._calls[run]
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)

    async def aclose(self) -> None:
        """Break off what is still under way."""
        for key in self._runs:
            await self.drop(key)
