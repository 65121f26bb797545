"""Gets one turn its answers: those that were bought already, else the model's; and shows its words as they come.

Until the first words are shown, further messages of the same answer break the turn off, to be worked out again with
them. From then on the turn is *latched*: its inputs are what they are, and what was shown stands, whatever happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TypeVar

from heartrule.engine.awareness.urgency import cannot_wait
from heartrule.engine.dialogue.fixed_wording import before_question
from heartrule.engine.session.io import Input, Rest, Turn, World
from heartrule.engine.session.tasks import PICTURE, Answer, Task
from heartrule.engine.turn import UnderWay
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model, Spoken
from heartrule.llm.pending_calls import PendingCalls
from heartrule.llm.prompt import Prompt, render
from heartrule.llm.streamed_reply import StreamedReply
from heartrule.llm.turn_budget import TurnBudget
from heartrule.prompts.template import TemplateError
from heartrule.sessions.clock import Clock
from heartrule.sessions.conversations import Conversation
from heartrule.sessions.rows import answer_of, attempt_rows, call_row, dropped_row, speaking_row
from heartrule.sessions.subscribers import Watchers
from heartrule.store.records import AttemptRecord, CallRecord, LoadedSession
from heartrule.store.store import Store

Found = TypeVar("Found")


class Joined(Exception):
    """More words of the same answer have arrived: the turn is to be worked out again, with them."""


class _Anew(Exception):
    """The reply that the engine has acted upon will be another one."""


class TurnAnswers:
    """One turn's answers. ``loaded`` is what the turn starts from, held by ``owner``."""

    def __init__(
        self, store: Store, model: Model, clock: Clock, owner: str, watchers: Watchers, conversation: Conversation
    ) -> None:
        self._store, self._model, self._clock, self._owner = store, model, clock, owner
        self._watchers, self._conversation = watchers, conversation
        self._open: dict[str, PendingCalls] = {}
        self._asked: dict[str, Task] = {}
        self._prompts: dict[str, Prompt] = {}
        self._rounds: dict[str, int] = {}
        """Of replies that the engine has acted upon before they were whole: which beginning of them it was."""
        self._unsaved: list[CallRecord] = []
        self._shown: dict[int, int] = {}
        self._waiting: list[str] = []
        self._urgent = False
        """Words have come that cannot wait, or nothing is to be asked any more: this turn ends with what was shown."""
        self.latched = False
        self.rounds = 0
        """How often the turn waited for a model, for all calls of a round at once."""

    async def turn(self, world: World, given: Input, loaded: LoadedSession, waiting: Sequence[str] = ()) -> Turn:
        """Work the turn out. ``waiting``: words that have come and are not among its inputs. Raises ``Joined``, and
        ``Outdated`` when the session is another's by now."""
        self._world, self._given, self._loaded = world, given, loaded
        self._deadline = self._model.deadline() if self._model.configured else None
        self._budget = await self._paid(self._model.turn_budget(world.script))
        self._answers: dict[str, Answer] = {}
        self.latched = loaded.session.latched is not None
        self._heed(waiting)
        with self._conversation.stoppable(self._stop):
            try:
                while True:
                    try:
                        return await self._through()
                    except _Anew:
                        continue
            finally:
                if self._open:
                    await asyncio.shield(self._close())
                if self._budget is not None:
                    self._conversation.spent = (self._turn, self._budget.spent)

    async def _paid(self, turn_budget: TurnBudget | None) -> TurnBudget | None:
        """The turn's budget without what was spent before it was begun again: here, or in a process that has died, as
        far as it was told what its calls cost."""
        if turn_budget is not None and turn_budget.budget.max_cost is not None:
            turn, spent = self._conversation.spent
            made = [*await self._store.attempts(self._loaded.session.id, self._turn), *self._conversation.unsaved]
            costs = [each.cost or 0 for each in made if each.currency == turn_budget.budget.currency]
            turn_budget.spent = max(sum(costs), spent if turn == self._turn else 0)
        return turn_budget

    async def _through(self) -> Turn:
        under_way = UnderWay(self._world, self._given)
        while True:
            needs = under_way.go_on(self._answers)
            if isinstance(needs, Turn):
                await self._close()
                await self._save()
                return needs
            if needs.rest is not None:
                await self._rest(under_way, needs.rest)
            else:
                await self._ask(under_way, needs.tasks)

    def _stop(self, everything: bool) -> None:
        self._urgent = self._urgent or everything
        for asking in self._open.values():
            asking.stop(everything=self._urgent)

    # asking

    async def _ask(self, under_way: UnderWay, tasks: Sequence[Task]) -> None:
        """Ask what was not bought before, and wait until the engine can go on."""
        await self._close([task.instead for task in tasks if task.instead in self._open])
        await self._save()
        if self.latched:
            self._show_whole(under_way)
        bought = {self._mark(call.key, call.prompt_hash): call for call in self._loaded.calls}
        spoken: dict[str, Spoken] = {}
        asked: list[Task] = []
        self._prompts |= _rendered(tasks, self._world.script)
        for task in tasks:
            prompt = self._prompts.get(task.key)
            known = bought.get(self._mark(task.key, prompt.hash)) if prompt else None
            if known is not None and (known.status == "answered" or (self.latched and known.status != "speaking")):
                self._answers[task.key] = answer_of(known)
                continue
            if known is not None and known.status == "speaking" and known.data is not None:
                spoken[task.key] = (known.data["head"], known.data["shown"])
            asked.append(task)
        if not self._model.configured:
            self._end_spoken(asked, spoken)
            return
        if not asked:
            return
        self.rounds += self._model.configured
        if drawing := [task for task in asked if task.template == PICTURE]:
            await self._unless_joined(self._draw(drawing))
            asked = [task for task in asked if task.template != PICTURE]
        if not asked:
            return
        script, stay = self._world.script, self._loaded.session.id
        aloud, turn_budget = self._watchers.looked_at(stay), self._budget
        asking = self._model.ask(
            asked, self._deadline, script, self._prompts, spoken, aloud=aloud, stay=stay, turn_budget=turn_budget
        )
        self._open |= dict.fromkeys((task.key for task in asked), asking)
        self._asked |= {task.key: task for task in asked}
        if self._conversation.stopping or self._urgent:
            asking.stop(everything=self._urgent)
        ready = await self._unless_joined(asking.ready())
        self._answers |= ready
        self._rounds |= {
            key: asking.streamed(key).round for key, answer in ready.items() if answer.status == "speaking"
        }
        self._note([key for key, answer in ready.items() if answer.status != "speaking"])
        if not self._open:
            await self._save()

    async def _draw(self, tasks: Sequence[Task]) -> None:
        """Pictures are made side by side, within what is left of the turn."""
        until = self._deadline or self._model.deadline()
        made = [self._model.draw(task, self._prompts.get(task.key), until) for task in tasks]
        for task, answer in zip(tasks, await asyncio.gather(*made), strict=True):
            self._answers[task.key] = answer
            at = self._clock.now()
            self._unsaved.append(call_row(self._turn, task.template, answer, self._hash(task.key), at))
            self._conversation.unsaved += attempt_rows(self._turn, task, answer.attempts, at)
        await self._save()

    def _end_spoken(self, asked: Sequence[Task], spoken: Mapping[str, Spoken]) -> None:
        """Words were shown, and now there is no model any more: they stand."""
        at = self._clock.now()
        for task in asked:
            begun = spoken.get(task.key)
            data = {**begun[0], "content": begun[1]} if begun is not None else None
            answer = Answer(task.key, "absent" if data is None else "answered", data)
            self._answers[task.key] = answer
            self._unsaved.append(call_row(self._turn, task.template, answer, self._hash(task.key), at))

    def _mark(self, key: str, prompt_hash: str) -> object:
        """What an answer is known by. Of a latched turn every answer stands, were a prompt reworded since."""
        return key if self.latched else (key, prompt_hash)

    async def _unless_joined(self, coming: Awaitable[Found]) -> Found:
        """``coming``, unless words of the same answer arrive before anything was shown."""
        call = asyncio.ensure_future(coming)
        seen = self._loaded.pending[-1].number
        try:
            while not call.done():
                arrival = asyncio.ensure_future(self._conversation.arrived.wait())
                try:
                    await asyncio.wait((call, arrival), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    arrival.cancel()
                if self._conversation.arrived.is_set():
                    after = self._given.after if self._given.kind == "message" else None
                    news = self._conversation.news(seen)
                    if after is not None and not self.latched and any(told.after == after for told in news):
                        raise Joined
                    if any(told.first for told in news):
                        self._give_way()
                    self._heed([told.text for told in news if not told.first])
        finally:
            if not call.done():
                call.cancel()
                await asyncio.gather(call, return_exceptions=True)
        return call.result()

    def _give_way(self) -> None:
        """A human takes over: the reply ends where it is, or, while nothing of it was shown, was never begun."""
        if not self.latched:
            raise Joined
        self._conversation.stop()

    def _heed(self, words: Sequence[str]) -> None:
        """Words that would be the next turn's. Explicit intent among them, as far as rules can tell, does not wait for
        a model: it is answered together with what this turn is to answer. Where that can no longer be, the reply ends
        where it is, nothing more is asked, and the next turn opens at once."""
        self._waiting += words
        if not words or self._urgent or not cannot_wait(self._world, "\n".join(self._waiting)):
            return
        self._urgent = True
        if self._given.kind == "message" and not self.latched:
            self._conversation.urgent = True
            raise Joined
        for asking in self._open.values():
            asking.stop(everything=True)

    # showing

    async def _rest(self, under_way: UnderWay, rest: Rest) -> None:
        """Wait for the rest of a reply, and show its sentences as they come where that may be."""
        acted = self._answers[rest.key].data or {}
        if rest.key not in self._open:
            self._answers[rest.key] = Answer(rest.key, "answered", {**acted, "content": ""})
            return
        asking = self._open[rest.key]
        streamed = asking.streamed(rest.key)
        begun = self._rounds[rest.key]
        if streamed.latched and rest.message is not None:
            self._show_whole(under_way)
            self._tell(rest.message, streamed.released)
        while not asking.done(rest.key):
            if streamed.round != begun and not streamed.latched:
                break
            if rest.message is not None and (size := _showable(streamed, rest)):
                await self._show(under_way, rest, streamed, size)
            else:
                await self._unless_joined(asking.progress(rest.key))
        if streamed.round != begun and not streamed.latched:
            await self._unless_joined(asking.ready())
            self._answers[rest.key] = asking.now(rest.key)
            self._rounds[rest.key] = streamed.round
            if asking.done(rest.key):
                self._note([rest.key])
            raise _Anew
        self._answers[rest.key] = answer = asking.result(rest.key)
        self._note([rest.key])
        data = answer.data or {}
        if not streamed.latched and (answer.data is None or any(data.get(name) != acted[name] for name in acted)):
            raise _Anew

    async def _show(self, under_way: UnderWay, rest: Rest, streamed: StreamedReply, size: int) -> None:
        """Save the words, then show them. They stand from the moment on in which they are about to be saved: whatever
        becomes of the call meanwhile goes on from them."""
        assert rest.message is not None
        streamed.release(size)
        task, head = self._asked[rest.key], streamed.head or {}
        row = speaking_row(self._turn, task, self._hash(rest.key), head, streamed.released, self._clock.now())
        await self._save(row)
        self.latched = True
        self._show_whole(under_way)
        self._tell(rest.message, streamed.released)

    def _show_whole(self, under_way: UnderWay) -> None:
        """What the turn has said before, and nothing can change any more."""
        for message in under_way.said:
            if message.sender == "ai":
                self._tell(message.number, message.text)

    def _tell(self, number: int, text: str) -> None:
        offset = self._shown.get(number, 0)
        if len(text) > offset:
            self._shown[number] = len(text)
            self._watchers.released(self._loaded.session.id, self._turn, number, offset, text[offset:])

    # writing down

    @property
    def _turn(self) -> int:
        return self._loaded.session.seq + 1

    def _hash(self, key: str) -> str:
        prompt = self._prompts.get(key)
        return prompt.hash if prompt else ""

    def _note(self, keys: Sequence[str]) -> None:
        """Answers that are there, to be written down."""
        at = self._clock.now()
        for key in keys:
            task, answer = self._asked.pop(key), self._answers[key]
            self._open.pop(key)
            self._unsaved.append(call_row(self._turn, task.template, answer, self._hash(key), at))
            self._conversation.unsaved += attempt_rows(self._turn, task, answer.attempts, at)

    async def _save(self, speaking: CallRecord | None = None) -> None:
        """In one transaction: the answers that are there, and the words that are about to be shown."""
        attempts: list[AttemptRecord] = self._conversation.unsaved
        calls = [*self._unsaved, *([speaking] if speaking else [])]
        if not calls and not attempts:
            return
        latched = self._loaded.pending[-1].number if speaking and not self.latched else None
        session, epoch, shown = self._loaded.session.id, self._loaded.epoch, self.latched or speaking is not None
        await self._store.save_calls(session, self._owner, epoch, calls, list(attempts), latched, shown=shown)
        self._unsaved.clear()
        attempts.clear()

    async def _close(self, keys: Sequence[str] | None = None) -> None:
        """Break off what nobody waits for (None: everything); what was tried of it is written down with what is asked
        next."""
        at = self._clock.now()
        for key in list(self._open) if keys is None else keys:
            asking, task = self._open.pop(key), self._asked.pop(key)
            await asking.drop(key)
            self._conversation.unsaved += attempt_rows(self._turn, task, asking.attempts(key), at)
            given = self._answers.get(key)
            if given is not None and given.status == "speaking":
                self._unsaved.append(dropped_row(self._turn, task, self._hash(key), given.data or {}, at))


def _showable(streamed: StreamedReply, rest: Rest) -> int:
    """How many characters of what is ready may be shown now."""
    if not rest.statement:
        return len(streamed.ready)
    whole = streamed.released + streamed.ready
    return max(0, len(before_question(whole)) - len(streamed.released))


def _rendered(tasks: Sequence[Task], script: Script) -> dict[str, Prompt]:
    """Each task's prompt; a task whose template is broken has none, and the model layer says so."""
    found: dict[str, Prompt] = {}
    for task in tasks:
        try:
            found[task.key] = render(task, script)
        except TemplateError:
            continue
    return found
