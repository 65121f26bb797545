"""What is said of sessions that are not over is what happens when they go on: stored sessions in random states, moved
to scripts that were changed at random, again and again. What happens is read off the sessions and the YAML, not off
what carries them over.

``HEARTRULE_IMPACT=500x40`` (``make impact``) for the long form: sessions and edits of each."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.debugger.straight import SAID, SHIPPED, text
from tests.debugger.test_carrying import _edited, _raw, _written

from heartrule.debugger.texts import Text
from heartrule.engine.installed_types import field_models
from heartrule.engine.session.state import State
from heartrule.language.projects import project
from heartrule.language.projects.loader import load
from heartrule.llm.model import Model
from heartrule.releases.impact import Rule
from heartrule.releases.moving import Bundle, _landing, looked_at, move
from heartrule.sessions import Sessions, Settings, View, open_sessions
from heartrule.sessions.rows import state_of
from heartrule.store.records import Entry
from heartrule.testing.hold import MovedClock

SESSIONS, EDITS = (int(each) for each in os.environ.get("HEARTRULE_IMPACT", "3x6").split("x"))
ALL = Rule("rule", frozenset({"begins_again", "gone", "dropped"}))
TOLD: Counter[str] = Counter()
READ = lru_cache(maxsize=512)(partial(load, registry=field_models()))


@pytest.fixture(autouse=True)
def files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit changes one file of the project; the others need not be read again, here as little as in an editor."""
    monkeypatch.setattr(project, "load", lambda raw, path, _: READ(raw, path))


@pytest.mark.parametrize("number", range(SESSIONS))
def test_what_is_said_is_what_happens(tmp_path: Path, number: int) -> None:
    async def work() -> None:
        settings = Settings(data=tmp_path, model=Model(), clock=MovedClock(), synchronous="OFF")
        async with open_sessions(settings) as sessions:
            walk = Walk(sessions, Random(number), SHIPPED[number % len(SHIPPED)])
            for _ in range(EDITS):
                await walk.edited()
            await walk.replayed()

    asyncio.run(work())
    if number == SESSIONS - 1:
        sys.stdout.write(f"\n{TOLD.total()} moves, each as it was said: {dict(TOLD)}\n")


class Walk:
    """One session after another, each gone on with in texts that change under it."""

    def __init__(self, sessions: Sessions, random: Random, script: str) -> None:
        self.sessions, self.random, self.script = sessions, random, f"cbt/{script}"
        self.session, self.keys = "", 0
        self.text: Text = text(self.script)

    async def begin(self) -> None:
        if self.session:
            await self.replayed()
        self.text = text(self.script)
        self.session = (await self.sessions.create(self.script)).id
        await self.sessions.start(self.session)
        for _ in range(self.random.randrange(0, 9)):
            await self.go_on()

    async def state(self) -> State:
        return state_of((await self.sessions.store.load(self.session, 0)).state)

    async def go_on(self) -> int:
        """One input; how many faults it met."""
        if (await self.state()).ended:
            return 0
        view = await self.sessions.view(self.session)
        self.keys += 1
        choices = view.request.choices
        choice = self.random.choice(choices).value if choices and self.random.random() < 0.8 else None
        words = None if choice is not None else self.random.choice(SAID)
        kind = "choice" if choice is not None else "message"
        done = await self.sessions.take(
            self.session,
            Entry(f"key {self.keys}", kind, text=words, choice=choice, after=view.last_message),  # type: ignore[arg-type]
        )
        return len(await self.sessions.store.events(self.session, ("fault",), turn=done.turn))

    async def replayed(self) -> None:
        """Worked out again from its records, over all the texts that it was held in."""
        async for _ in self.sessions.replay(self.session):
            pass

    async def edited(self) -> None:
        if not self.session or (await self.state()).ended or self.random.random() < 0.1:
            await self.begin()
        before, asked = await self.state(), await self.sessions.view(self.session)
        if before.ended:
            return
        near = before.running.ref if before.running is not None else ""
        new = _edited(self.text, self.random, near)
        if new is None:
            return
        bundle = Bundle(self.sessions, new.home)
        told = await looked_at(self.sessions, "cbt", bundle)
        (kind,) = await self._kinds(bundle)
        assert told.counts[kind] >= 1
        TOLD[kind] += 1
        old = self.text
        outcome = await move(self.sessions, self.session, bundle, None, ALL)
        after = await self.state()
        if kind in ("stuck", "held"):
            assert (outcome, after) == ("stayed", before)
            self._cannot_stand(kind, old, new, before)
        else:
            assert outcome == "moved"
            self.text = new
            await self._stands(kind, before, after, asked, old, new)
        rest = after.running.action.wait if after.running is not None and after.running.action is not None else None
        messages = (await self.sessions.view(self.session)).last_message
        assert await self.go_on() == 0, "it could not go on as written"
        if kind == "lost" and rest is None and not (await self.state()).ended:
            assert (await self.sessions.view(self.session)).last_message > messages, "nothing was said"

    async def _kinds(self, bundle: Bundle) -> list[str]:
        there = await _landing(self.sessions, await self.sessions.store.load(self.session, 0), bundle)
        assert there is not None
        return [there.kind]

    def _cannot_stand(self, kind: str, old: Text, new: Text, before: State) -> None:
        """It is refused only where a part of where it stands is there no more."""
        if kind == "held":
            frames = [*before.suspended, *([before.running] if before.running else [])]
            assert before.human is not None or any(each.project == "safety" for each in frames)
            return
        phases = {key[0] for key in _raw(new)}
        places = {(before.phase.id, each.ref) for each in _standing(before)} if before.phase else set()
        lost_phase = before.phase is not None and before.phase.id not in phases
        planned = any(each.course is not None for each in _standing(before))
        assert lost_phase or any(each not in _raw(new) for each in places) or planned

    async def _stands(self, kind: str, before: State, after: State, asked: View, old: Text, new: Text) -> None:
        """Where it goes on is where it was said to."""
        was, now = before.running, after.running
        then = _question(old, before)
        here = _question(new, after)
        view = await self.sessions.view(self.session)
        if kind in ("as_is", "safe"):
            assert view.request == asked.request, "another thing is asked for"
            if was is not None and was.kind == "topic" and was.course is None and was.action is not None:
                assert then is not None
                assert here is not None
                assert _written(then) == _written(here), "an answer would come under another question"
        if kind == "as_is" and was is not None and now is not None:
            assert (was.key, was.ref, was.next) == (now.key, now.ref, now.next)
        if kind == "lost" and now is not None and now.action is not None and now.action.wait is not None:
            assert then is None or here is None or _written(then) == _written(here)


def _standing(state: State) -> list[Any]:
    return [*state.suspended, *([state.running] if state.running is not None else [])]


def _question(of: Text, state: State) -> dict[str, Any] | None:
    """The action that waits, as it is written."""
    running, phase = state.running, state.phase
    if running is None or running.action is None or phase is None or running.kind != "topic":
        return None
    actions = _raw(of).get((phase.id, running.ref), [])
    return actions[running.action.index] if running.action.index < len(actions) else None
