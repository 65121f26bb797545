"""Asks beside the sessions' turns what a turn that stands has left to be asked, and hands the advice in as an input.

Nothing here holds a session or is waited for by a turn. What fails, or comes to nothing, is forgotten; so is what was
under way when the process stops or dies. A person's message goes first: advice that has come too late changes nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from hashlib import sha256

from heartrule.engine.session.io import Advice
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.supervision import background
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model
from heartrule.llm.pending_calls import PendingCalls
from heartrule.llm.prompt import Prompt, render
from heartrule.prompts.template import TemplateError
from heartrule.sessions.advice_inbox import encode
from heartrule.sessions.clock import Clock
from heartrule.sessions.rows import attempt_rows, call_row
from heartrule.store.records import Entry
from heartrule.store.store import Store

AT_ONCE = 8
"""Turns about which a model is asked at the same time, in one process."""
IN_HAND = 200
"""Turns that are being asked about or wait for it; about those beyond them nothing is asked."""
REMEMBERED = 2_000
"""Questions that are known to have been asked."""

Post = Callable[[str, Entry], Awaitable[None]]
"""Hands an input in, once under its key, and has its turn worked out unless somebody is at work on the session."""


class BackgroundCalls:
    """The advice of one process."""

    def __init__(self, store: Store, model: Model, clock: Clock, post: Post) -> None:
        self._store, self._model, self._clock, self._post = store, model, clock, post
        self._under_way: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._asked: OrderedDict[tuple[str, str, str], None] = OrderedDict()
        self._newest: dict[str, int] = {}

    def begin(self, session: str, turn: int, script: Script, tasks: Sequence[Task]) -> None:
        """Ask about a turn that has been committed, without being waited for. The same is never asked twice."""
        if len(self._under_way) >= IN_HAND:
            return
        prompts = self._new(session, tasks, script)
        if not prompts:
            return
        self._newest[session] = turn
        asked = [task for task in tasks if task.key in prompts]
        going = asyncio.create_task(self._quietly(session, turn, script, asked, prompts))
        self._under_way.add(going)
        going.add_done_callback(lambda done: self._ended(done, session, turn))

    def _ended(self, done: asyncio.Task[None], session: str, turn: int) -> None:
        self._under_way.discard(done)
        if self._newest.get(session) == turn:
            del self._newest[session]

    def _new(self, session: str, tasks: Sequence[Task], script: Script) -> dict[str, Prompt]:
        """The prompts of those that have not been asked; a task whose template is broken has none and is not asked."""
        found: dict[str, Prompt] = {}
        for task in tasks:
            with suppress(TemplateError):
                prompt = render(task, script)
                mark = (session, task.key, prompt.hash)
                if mark not in self._asked:
                    self._asked[mark] = None
                    found[task.key] = prompt
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
        return found

    async def settled(self) -> None:
        """Until nothing is under way."""
        while self._under_way:
            await asyncio.gather(*self._under_way, return_exceptions=True)

    async def stop(self) -> None:
        """Break off what is under way; it is not taken up again."""
        for task in self._under_way:
            task.cancel()
        await self.settled()

    async def _quietly(
        self, session: str, turn: int, script: Script, tasks: Sequence[Task], prompts: dict[str, Prompt]
    ) -> None:
        with suppress(Exception):  # the store is away, or the session is gone: nobody misses advice
            await self._advise(session, turn, script, tasks, prompts)

    async def _advise(
        self, session: str, turn: int, script: Script, tasks: Sequence[Task], prompts: dict[str, Prompt]
    ) -> None:
        async with self._slots:
            if self._newest.get(session) != turn:
                return  # the session has gone on while this waited
            answers = await self._answers(session, turn, script, tasks, prompts)
        found = [background.advice_of(task, answers[task.key]) for task in tasks if task.key in answers]
        advice = [each for each in found if each is not None]
        if advice:
            await self._post(session, Entry(_key(turn, advice), "advised", text=encode(advice)))

    async def _answers(
        self, session: str, turn: int, script: Script, tasks: Sequence[Task], prompts: dict[str, Prompt]
    ) -> dict[str, Answer]:
        """All in one go, each written down under its own template, with the turn that it is about; none where the
        person has taken that turn back."""
        asking = self._model.ask(tasks, script=script, prompts=prompts, stay=session)
        try:
            answers = await asking.all()
        except asyncio.CancelledError:
            await asyncio.shield(self._break_off(session, turn, tasks, asking))
            raise
        at = self._clock.now()
        rows = [call_row(turn, task.template, answers[task.key], answers[task.key].prompt_hash, at) for task in tasks]
        tried = [row for task in tasks for row in attempt_rows(turn, task, answers[task.key].attempts, at)]
        return answers if await self._store.save_aside(session, rows, tried) else {}

    async def _break_off(self, session: str, turn: int, tasks: Sequence[Task], asking: PendingCalls) -> None:
        await asking.aclose()
        at = self._clock.now()
        tried = [row for task in tasks for row in attempt_rows(turn, task, asking.attempts(task.key), at)]
        await self._store.save_aside(session, (), tried)


def _key(turn: int, advice: Sequence[Advice]) -> str:
    about = sha256("\n".join(each.key for each in advice).encode()).hexdigest()[:16]
    return f"advised {turn} {about}"
