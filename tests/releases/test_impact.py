"""What is said of sessions that are not over is what happens when they go on: stored sessions in random states, moved
to scripts that were changed at random, again and again. What happens is read off the sessions and the YAML, not off
what carries them over.

``HEARTRULE_IMPACT=500x40`` (``make impact``) for the long form: sessions and edits of each."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.debugger.straight import SAID, SHIPPED, text
from tests.debugger.test_state_transfer import _edited, _raw, _written

from heartrule.debugger.texts import Text
from heartrule.engine.installed_types import field_models
from heartrule.engine.session.state import State
from heartrule.language.projects import project
from heartrule.language.projects.loader import load
from heartrule.llm.model import Model
from heartrule.releases.impact import Rule
from heartrule.releases.session_moves import Bundle, _landing, looked_at, move
from heartrule.sessions import Sessions, Settings, View, open_sessions
from heartrule.sessions.rows import state_of
from heartrule.sessions.session_status import RETURN
from heartrule.store.records import Entry
from heartrule.testing.hold import MovedClock

SESSIONS, EDITS = (int(each) for each in os.environ.get("HEARTRULE_IMPACT", "12x4").split("x"))
TOGETHER = 10 if SESSIONS > 100 else 4
"""How many sessions of one script are stored beside each other: what is published is published for all of them."""
ALL = Rule("rule", frozenset({"begins_again", "gone", "dropped"}))
READ = lru_cache(maxsize=512)(partial(load, registry=field_models()))


@pytest.fixture(autouse=True)
def files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit changes one file of the project; the others need not be read again, here as little as in an editor."""
    monkeypatch.setattr(project, "load", lambda raw, path, _: READ(raw, path))


@pytest.mark.parametrize("number", range(-(-SESSIONS // TOGETHER)))
def test_what_is_said_is_what_happens(
    tmp_path: Path, number: int, record_property: Callable[[str, object], None]
) -> None:
    async def work() -> Counter[str]:
        settings = Settings(data=tmp_path, model=Model(), clock=MovedClock(), synchronous="OFF")
        async with open_sessions(settings) as sessions:
            many = min(TOGETHER, SESSIONS - number * TOGETHER)
            walk = Walk(sessions, Random(number), SHIPPED[number % len(SHIPPED)], many)
            edits = 0
            while edits < EDITS:
                edits += await walk.edited()
            for each in walk.held:
                await walk.replayed(each)
            return walk.told

    told = asyncio.run(work())
    assert told.total() == EDITS * min(TOGETHER, SESSIONS - number * TOGETHER)
    record_property("said of sessions", dict(told))


@dataclass
class Held:
    """A session, and the text that it stands in."""

    id: str
    text: Text


class Walk:
    """Sessions that are gone on with in texts that change under them, again and again."""

    def __init__(self, sessions: Sessions, random: Random, script: str, many: int) -> None:
        self.sessions, self.random, self.script = sessions, random, f"cbt/{script}"
        self.keys = 0
        self.text: Text = text(self.script)
        """The newest, which the next edit is made of."""
        self.held: list[Held | None] = [None] * many
        self.told: Counter[str] = Counter()

    async def begin(self) -> Held:
        held = Held((await self.sessions.create(self.script)).id, text(self.script))
        await self.sessions.start(held.id)
        for _ in range(self.random.randrange(0, 9)):
            await self.go_on(held)
        return held

    async def state(self, held: Held) -> State:
        return state_of((await self.sessions.store.load(held.id, 0)).state)

    async def go_on(self, held: Held) -> int:
        """One input; how many faults it met."""
        if (await self.state(held)).ended:
            return 0
        view = await self.sessions.view(held.id)
        self.keys += 1
        choices = view.request.choices
        choice = self.random.choice(choices).value if choices and self.random.random() < 0.8 else None
        words = None if choice is not None else self.random.choice(SAID)
        kind = "choice" if choice is not None else "message"
        done = await self.sessions.take(
            held.id,
            Entry(f"key {self.keys}", kind, text=words, choice=choice, after=view.last_message),  # type: ignore[arg-type]
        )
        return len(await self.sessions.store.events(held.id, ("fault",), turn=done.turn))

    async def replayed(self, held: Held | None) -> None:
        """Worked out again from its records, over all the texts that it was held in."""
        if held is not None:
            async for _ in self.sessions.replay(held.id):
                pass

    async def open(self) -> list[tuple[Held, State]]:
        """As many as there are to be, each somewhere in the middle; now and then another one in the place of one."""
        found = []
        for index, held in enumerate(self.held):
            while held is None or self.random.random() < await self._leave(held):
                await self.replayed(held)
                held = self.held[index] = await self.begin()
            found.append((held, await self.state(held)))
        return found

    async def _leave(self, held: Held) -> float:
        """How likely another one takes its place: those in a crisis stay as they are whatever is published."""
        state = await self.state(held)
        return 1.0 if state.ended else 0.5 if _is_in_crisis(state) else 0.1

    async def edited(self) -> bool:
        """One edit, and what it does to all of them; False where none was found that leaves it a script."""
        there = await self.open()
        if self.random.random() < 0.15:
            self.text = text(self.script)  # back to where all began
        running = self.random.choice(there)[1].running
        new = _edited(self.text, self.random, running.ref if running is not None else "")
        if new is None:
            self.text = text(self.script)
            return False
        self.text = new
        bundle = Bundle(self.sessions, new.home)
        told = await looked_at(self.sessions, "cbt", bundle)
        kinds = [await self._kind(held.id, bundle) for held, _ in there]
        others = [await self._kind(each, bundle) for each in await self._others()]
        assert {kind: many for kind, many in told.counts.items() if many} == Counter([*kinds, *others])
        assert told.unread == 0
        for (held, before), kind in zip(there, kinds, strict=True):
            await self._moved(held, before, kind, bundle, new)
        return True

    async def _others(self) -> list[str]:
        """Those that are open and no longer gone on with."""
        there = await self.sessions.store.moves.open_of("cbt", self.sessions.clock.now() - RETURN)
        return [each for each in there if all(held is None or held.id != each for held in self.held)]

    async def _kind(self, session: str, bundle: Bundle) -> str:
        there = await _landing(self.sessions, await self.sessions.store.load(session, 0), bundle)
        assert there is not None
        return there.kind

    async def _moved(self, held: Held, before: State, kind: str, bundle: Bundle, new: Text) -> None:
        """One session: moved as was said, standing where was said, and gone on with."""
        self.told[kind] += 1
        asked = await self.sessions.view(held.id)
        old = held.text
        outcome = await move(self.sessions, held.id, bundle, None, ALL)
        after = await self.state(held)
        if kind in ("stuck", "held"):
            assert (outcome, after) == ("stayed", before)
            self._cannot_stand(kind, old, new, before)
        else:
            assert outcome == "moved"
            held.text = new
            await self._stands(held, kind, before, after, asked, old)
        rest = after.running.action.wait if after.running is not None and after.running.action is not None else None
        messages = (await self.sessions.view(held.id)).last_message
        assert await self.go_on(held) == 0, "it could not go on as written"
        if kind == "lost" and rest is None and not (await self.state(held)).ended:
            assert (await self.sessions.view(held.id)).last_message > messages, "nothing was said"

    def _cannot_stand(self, kind: str, old: Text, new: Text, before: State) -> None:
        """It is refused only where a part of where it stands is there no more."""
        if kind == "held":
            assert before.human is not None or _is_in_crisis(before)
            return
        phases = {key[0] for key in _raw(new)}
        places = {(before.phase.id, each.ref) for each in _standing(before)} if before.phase else set()
        lost_phase = before.phase is not None and before.phase.id not in phases
        planned = any(each.plan is not None for each in _standing(before))
        assert lost_phase or any(each not in _raw(new) for each in places) or planned

    async def _stands(self, held: Held, kind: str, before: State, after: State, asked: View, old: Text) -> None:
        """Where it goes on is where it was said to."""
        was, now = before.running, after.running
        then = _question(old, before)
        here = _question(held.text, after)
        view = await self.sessions.view(held.id)
        if kind in ("as_is", "safe"):
            assert view.request == asked.request, "another thing is asked for"
            if was is not None and was.kind == "topic" and was.plan is None and was.action is not None:
                assert then is not None
                assert here is not None
                assert _written(then) == _written(here), "an answer would come under another question"
        if kind == "as_is" and was is not None and now is not None:
            assert (was.key, was.ref, was.next) == (now.key, now.ref, now.next)
        if kind == "lost" and now is not None and now.action is not None and now.action.wait is not None:
            assert then is None or here is None or _written(then) == _written(here)


def _standing(state: State) -> list[Any]:
    return [*state.suspended, *([state.running] if state.running is not None else [])]


def _is_in_crisis(state: State) -> bool:
    return any(each.project == "safety" for each in _standing(state))


def _question(of: Text, state: State) -> dict[str, Any] | None:
    """The action that waits, as it is written."""
    running, phase = state.running, state.phase
    if running is None or running.action is None or phase is None or running.kind != "topic":
        return None
    actions = _raw(of).get((phase.id, running.ref), [])
    return actions[running.action.index] if running.action.index < len(actions) else None
