"""One debug session: it takes what comes in, is held, goes on, goes back. What it shows is worked out of its moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from heartrule.debugger import answers, breakpoints
from heartrule.debugger.breakpoints import Breakpoint, Hits
from heartrule.debugger.head import Head, NamedSnapshot
from heartrule.debugger.move_run import BY_HAND, MoveProgress
from heartrule.debugger.session_view import MoveCache
from heartrule.debugger.state_transfer import NotCarried, TransferredPart, carry
from heartrule.debugger.stepping import Go, StepLimit
from heartrule.debugger.tape import Branch, Change, Move, TapedAnswer, decode_input, encode_input
from heartrule.debugger.texts import Text
from heartrule.engine.awareness import periodic
from heartrule.engine.session.events import Event
from heartrule.engine.session.io import Input, Turn
from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import background
from heartrule.engine.work import Work
from heartrule.llm.model import Model
from heartrule.sessions.clock import Clock

TIMERS = 100
"""Timers that may strike in one stretch of time; more is a script that times out for ever."""
LOGGED = 500
Save = Callable[[Head, Sequence[Move]], Awaitable[None]]


class NotPossible(Exception):
    """What was asked for cannot be done where the session stands: ``code`` says why."""

    def __init__(self, code: str, about: str = "") -> None:
        self.code, self.about = code, about
        super().__init__(f"{code} {about}".strip())


class DebugSession(MoveCache):
    """``texts`` by their hashes. ``save`` keeps the head and the moves that have changed; what it has kept is all that
    a crash leaves, and enough."""

    def __init__(
        self, head: Head, texts: dict[str, Text], moves: dict[int, Move], model: Model, clock: Clock, save: Save
    ) -> None:
        super().__init__(head, texts, moves, clock)
        self.model, self._save = model, save
        self.lock = asyncio.Lock()
        self.listeners: list[Callable[[], None]] = []
        """Are told whenever something has changed. They must neither raise nor wait."""
        self._halting = False
        self._unsaved: dict[int, Move] | None = None
        self._fresh: int | None = None
        """The move that has just come to stand, and of which nobody has asked what it leaves to be asked."""
        self.asking = 0
        """Questions that a model is being asked now."""

    # what comes in

    def takes(self) -> None:
        """Raises ``NotPossible`` where the session is closed: it takes nothing more."""
        if self.head.closed:
            raise NotPossible("debug-closed")

    async def start(self) -> None:
        await self.send(Input("start", values=self.head.values))

    async def send(self, given: Input, at: datetime | None = None, key: str = "") -> None:
        """One input, and everything that comes of it, up to the next stop. Raises ``NotPossible``."""
        self.takes()
        if self.open is not None:
            raise NotPossible("debug-held")
        last = self.last
        if last is not None and last.state.ended and given.kind != "message":
            raise NotPossible("debug-ended")
        await self._strike(at or self.now())
        when = at.isoformat() if at is not None else None
        self.head.queue.append({"given": encode_input(given), "at": when, "origin": None, "key": key})
        await self._run()

    @property
    def last(self) -> Turn | None:
        """The turn behind which the session waits."""
        leaf = self.branch.leaf
        return None if leaf is None else self.turn(leaf)

    async def _put(self, given: Input, at: datetime | None = None, origin: Move | None = None, key: str = "") -> None:
        """The next move, which nothing has been worked out of."""
        head, leaf = self.head, self.branch.leaf
        moment = at or self.now()
        move = Move(
            number=head.next,
            parent=leaf,
            text=head.text,
            given=given,
            at=moment if leaf is None else max(moment, self.moves[leaf].at),
            model=head.answering.by != "none" if origin is None else origin.model,
            changes=tuple(replace(each, at=0) for each in head.pending) if origin is None else origin.changes,
            origin=origin.number if origin is not None else None,
            key=key,
            offers=origin.answers if origin is not None else {},
        )
        head.next += 1
        head.pending = []
        self.moves[move.number] = move
        self._set(replace(self.branch, open=move.number, passed=0, why={"kind": "input"}))
        self._clocked(move.at)
        await self.keep(move)

    async def forward(self, span: timedelta) -> None:
        """Time passes, and every timer that comes due meanwhile strikes in its moment."""
        self.takes()
        if self.open is not None:
            raise NotPossible("debug-held")
        until = self.now() + span
        await self._strike(until)
        if self.open is None:
            self._clocked(until)
            await self._look_back()
            await self.keep()

    async def _strike(self, until: datetime) -> None:
        """Timers that are due by then, as far as they are not held."""
        for _ in range(TIMERS):
            last = self.last
            due = last.wake_at if last is not None and not last.state.clock.paused else None
            if due is None or due > until or self.open is not None:
                return
            await self._put(Input("timer"), due)
            await self._work_open()
            if self.open is None:
                await self._look_back()
            if self.open is None and self.last is not None and self.last.wake_at == due:
                return

    async def _look_back(self) -> None:
        """What is judged now and then over the conversation, where it is due."""
        if self.open is not None or self.branch.leaf is None:
            return
        work = self._waiting(None)
        due = periodic.due(work)
        if not due:
            return
        task = periodic.question(work, due)
        given = await self._answered((task,), self.text) if task is not None else {}
        answer = given[task.key].answer if task is not None else None
        await self._put(Input("noticed", found=periodic.findings(work, due, answer)))
        await self._work_open()

    # going on

    async def go(self, go: Go) -> None:
        """Go on from where it is held; where it waits, the next input will be gone through so."""
        self.takes()
        self.head.stepping = StepLimit.begun(go, self.here().work if self.open is not None else None)
        await self._run(resumed=True)
        await self.keep()

    async def to_here(self, file: str, line: int, project: str = "") -> None:
        """Run until an action is come to, once."""
        self.takes()
        if self.text.at(file, line, project) is None:
            raise NotPossible("debug-no-action", f"{file}:{line}")
        once = Breakpoint(id=f"to:{line}", on="line", file=file, line=line, project=project, once=True)
        self.head.breakpoints = [*(each for each in self.head.breakpoints if not each.once), once]
        await self.go("run")

    def halt(self) -> None:
        """Hold at whatever comes next."""
        self._halting = True

    async def _run(self, *, resumed: bool = False) -> None:
        """The open move, then what comes by itself, and what is queued, until it is held or waits."""
        await self._work_open(resumed=resumed)
        while self.open is None and not self._halting and await self._next():
            await self._work_open()
        self._halting = False
        self._tell()

    async def _work_open(self, *, resumed: bool = False) -> None:
        """Work the open move out until it is held, or stands."""
        passing = set(self.branch.why.get("tasks", ())) if resumed else set()
        while (move := self.open) is not None:
            reached = self.reach(move, self.branch.passed, self._stop)
            if reached.turn is not None:
                await self._stand(move, reached)
                return
            why: Mapping[str, object] | None = reached.why or None
            if why is None and not {task.key for task in reached.tasks} <= passing:
                why = self._before_call(reached)
            if why is None:
                why = await self._answer(move, reached, passing)
                self._set(replace(self.branch, passed=max(self.branch.passed, reached.seen)))
            if why is not None:
                await self._hold(reached.seen, why)
                return

    async def _hold(self, passed: int, why: Mapping[str, object]) -> None:
        self._halting = False
        self.head.breakpoints = [each for each in self.head.breakpoints if not each.once]
        self._set(replace(self.branch, passed=passed, why=dict(why)))
        await self.keep()

    async def _stand(self, move: Move, reached: MoveProgress) -> None:
        """The move is over. What it was offered and did not need is let go."""
        move = replace(move, offers={})
        self.moves[move.number] = move
        self._take(move, reached)
        self._set(replace(self.branch, leaf=move.number, open=None, passed=0, why={}))
        self._clocked(move.at)
        self._fresh = move.number
        await self.keep(move)

    async def _next(self) -> bool:
        """Put the next move, if something comes by itself, or the visitor's part is played. What a recording holds is
        not asked for anew."""
        queue = self.head.queue
        if not (queue and queue[0].get("origin") is not None) and await self._advise():
            return True
        last = self.last
        if not queue or (last is not None and last.state.ended and queue[0]["given"]["kind"] != "message"):
            self.head.queue = []
            return False
        item = queue[0]
        if item.get("wait"):
            queue[0] = {**item, "wait": None}
            until = self.now() + timedelta(seconds=item["wait"])
            await self._strike(until)
            if self.open is not None:
                return False
            self._clocked(until)
        queue.pop(0)
        origin = self.moves.get(item["origin"]) if item.get("origin") is not None else None
        at = datetime.fromisoformat(item["at"]) if item.get("at") else None
        await self._put(decode_input(item["given"]), at, origin, item.get("key", ""))
        return True

    async def _advise(self) -> bool:
        """What the last turn leaves to be asked beside the conversation, once."""
        leaf, fresh = self.branch.leaf, self._fresh
        self._fresh = None
        if leaf is None or fresh != leaf or not self.moves[leaf].model:
            return False
        tasks = self.turn(leaf).after
        if not tasks:
            return False
        given = await self._answered(tasks, self.text)
        found = (background.advice_of(task, given[task.key].answer) for task in tasks)
        advice = tuple(each for each in found if each is not None)
        if advice:
            await self._put(Input("advised", advice=advice))
        return bool(advice)

    # holding

    def _stop(self, work: Work, event: Event, number: int) -> Mapping[str, object] | None:
        hits = Hits(self.head.hits)
        met = []
        for each in self.head.breakpoints:
            if not each.enabled or not breakpoints.meets(each, self.text, work, event):
                continue
            if not breakpoints.holds(each, work) or not hits.counts(each):
                continue
            if each.log:
                self._log(breakpoints.said(each, work), event, number)
            else:
                met.append(each)
        self.head.hits = hits.counted
        if met:
            return breakpoints.why(met, event)
        if self._halting or self.head.stepping.ends(work, event):
            return {"kind": "step", "event": event.kind}
        return None

    def _log(self, text: str, event: Event, number: int) -> None:
        place = {"text": text, "move": self.branch.open, "event": number, "action": event.action}
        self.head.log = [*self.head.log, place][-LOGGED:]

    def _before_call(self, reached: MoveProgress) -> Mapping[str, object] | None:
        """Whether to hold before a model is asked, and why."""
        head, keys = self.head, [task.key for task in reached.tasks]
        met = [b for b in breakpoints.prompts(head.breakpoints, reached.tasks) if breakpoints.holds(b, reached.work)]
        hits = Hits(head.hits)
        met = [each for each in met if hits.counts(each)]
        head.hits = hits.counted
        for each in met:
            if each.log:
                self._log(breakpoints.said(each, reached.work), reached.heard[-1][1], reached.seen)
        met = [each for each in met if not each.log]
        if met:
            return {"kind": "call", "tasks": keys, "breakpoints": [each.id for each in met], "on": "prompt"}
        unknown = [key for key in keys if self.open is not None and key not in self.open.offers]
        typed = head.answering.by == "typed" and bool(unknown)
        if head.stepping.calls or self._halting or typed:
            return {"kind": "call", "tasks": keys}
        return None

    # answering

    async def _answer(self, move: Move, reached: MoveProgress, anew: set[str]) -> Mapping[str, object] | None:
        """Give the open move what it waits for: from the record where that fits, else from whoever answers. Returns why
        it is to be held instead. ``anew``: somebody has said to go on with these all the same."""
        script, policy = self.texts[move.text].script, self.head.answering.misfit
        found: dict[str, TapedAnswer] = {}
        misfits: set[str] = set()
        for task in reached.tasks:
            offered = move.offers.get(task.key)
            if offered is None:
                continue
            fits = offered.origin == "typed" or offered.answer.prompt_hash == answers.hash_of(task, script)
            if fits or policy == "use":
                origin = offered.origin if offered.origin == "typed" else "record"
                found[task.key] = replace(offered, origin=origin, misfit=not fits)
            else:
                misfits.add(task.key)
        if misfits - anew and policy == "hold":
            return {"kind": "misfit", "tasks": sorted(misfits)}
        left = [task for task in reached.tasks if task.key not in found]
        asked = await self._answered(left, self.texts[move.text]) if left else {}
        for key, given in {**found, **asked}.items():
            move = move.answered(key, replace(given, misfit=True) if key in misfits else given)
        self.moves[move.number] = move
        await self.keep(move)
        return None

    async def answered(self, tasks: Sequence[Task]) -> dict[str, TapedAnswer]:
        """What whoever answers says to these, with the present text."""
        return await self._answered(tasks, self.text)

    async def _answered(self, tasks: Sequence[Task], text: Text) -> dict[str, TapedAnswer]:
        answering, script = self.head.answering, text.script
        self.asking = len(tasks)
        self._tell()
        try:
            if answering.by == "test":
                return await answers.by_table(answering.table, tasks, script, self._used())
            if answering.by in ("model", "typed") and self.model.configured:
                return await answers.by_model(self.model, tasks, script)
            return {task.key: answers.absent(task, script) for task in tasks}
        finally:
            self.asking = 0

    def _used(self) -> dict[str, int]:
        """How many answers of a test's table were used on this branch, by template."""
        used: dict[str, int] = {}
        moves = [*self.chain(self.branch.leaf), *([self.open] if self.open is not None else [])]
        for given in (each for move in moves for each in move.answers.values()):
            if given.origin == "test":
                used[given.template] = used.get(given.template, 0) + 1
        return used

    async def type(self, key: str, words: str) -> None:
        """What if the model had said this: the answer to a question that the open move waits with, or has asked; then
        it is held behind it and what was asked later is asked again."""
        self.takes()
        move = self.open
        if move is None:
            raise NotPossible("debug-not-held")
        whole = self.reach(move)
        task = next((each for each in whole.asked if each.key == key), None)
        if task is None:
            raise NotPossible("debug-no-call", key)
        given = await answers.typed(words, task, self.texts[move.text].script)
        later = {each for each, when in whole.when.items() if when > whole.when[key]}
        kept = {each: known for each, known in move.answers.items() if each not in later}
        self.moves[move.number] = changed = replace(move, answers={**kept, key: given})
        left = {each.key for each in self.reach(changed).tasks if whole.when.get(each.key) == whole.when[key]}
        passed = whole.when[key]
        why: dict[str, Any] = (
            {"kind": "call", "tasks": sorted(left)} if left else {"kind": "typed" if passed else "input"}
        )
        self._set(replace(self.branch, passed=passed, why=why))
        await self.keep(changed)

    # changing by hand

    async def set(self, name: str, value: Any) -> bool:
        """Write a variable where the session is held, or before its next move. Whether it was written."""
        self.takes()
        move = self.open
        if move is None:
            self.head.pending = [each for each in self.head.pending if each.name != name] + [Change(0, name, value)]
            await self.keep()
            return True
        self.moves[move.number] = changed = move.changed(Change(self.branch.passed, name, value))
        told = [event for _, event in self.here().heard if getattr(event, "source", "") == BY_HAND]
        if not told or told[-1].kind != "variable":
            self.moves[move.number] = move
            return False
        await self.keep(changed)
        return True

    # going back

    async def back(self, move: int | None, passed: int | None = None, because: str = "back") -> Branch:
        """Another branch that stands behind ``move`` (None: before everything), or is held in it behind ``passed`` of
        its events. The present one stays."""
        self.takes()
        was, present = self.branch, self.head.text
        if move is not None and move not in self.moves:
            raise NotPossible("debug-no-place", str(move))
        held = move is not None and passed is not None
        leaf = self.moves[move].parent if held and move is not None else move
        self.session_state(leaf, present)  # can it be carried?
        name = str(1 + max(int(each) for each in self.head.branches))
        made = Branch(name, leaf=move, came_from=was.name, at=move, because=because)
        if move is not None and passed is not None:
            made = self._held_in(self.moves[move], passed, name, because)
        self.head.branches[name] = made
        self.head.branch, self.head.queue, self.head.pending = name, [], []
        self.head.stepping = StepLimit()
        self._clocked(self.moves[move].at if move is not None else self.head.created_at)
        copy = self.open
        await self.keep(*([copy] if copy is not None else []))
        if copy is not None and copy.text != present:
            await self._again(copy, self._mark_of_place())
        return self.branch

    def _held_in(self, move: Move, passed: int, name: str, because: str) -> Branch:
        """The open copy of a move, held in the middle. Answers of what had been asked by then stay; later ones are on
        offer."""
        whole = self.reach(move)
        if not 0 <= passed <= whole.seen:
            raise NotPossible("debug-no-place", f"{move.number}.{passed}")
        early = {key for key, when in whole.when.items() if when < passed}
        copy = replace(
            move,
            number=self.head.next,
            text=move.text,
            answers={key: each for key, each in move.answers.items() if key in early},
            offers={key: each for key, each in move.answers.items() if key not in early},
            changes=tuple(each for each in move.changes if each.at <= passed),
            origin=move.number,
        )
        self.head.next += 1
        self.moves[copy.number] = copy
        event = next((event.kind for number, event in whole.heard if number == passed), "")
        why = {"kind": "back", "event": event} if passed else {"kind": "input"}
        came = {"came_from": self.branch.name, "at": move.number, "because": because}
        return Branch(name, leaf=move.parent, open=copy.number, passed=passed, why=why, **came)  # type: ignore[arg-type]

    async def before_message(self, number: int) -> tuple[Branch, Input | None]:
        """Another branch: before a message of the person's was said, with what they said then; or behind the turn of
        one that was said to them."""
        for move in self.chain(self.branch.leaf):
            said = next((each for each in self.turn(move.number).messages if each.number == number), None)
            if said is not None:
                if said.sender in ("person", "human"):
                    return await self.back(move.parent, because="message"), move.given
                return await self.back(move.number, because="message"), None
        raise NotPossible("debug-no-place", str(number))

    async def name(self, name: str) -> None:
        """Give the place where it stands a name."""
        self.takes()
        branch, move = self.branch, self.open
        place, passed = (move.number, branch.passed) if move is not None else (branch.leaf, None)
        made = NamedSnapshot(name, place, passed, self.head.text, self._clock.now())
        self.head.named = [*(each for each in self.head.named if each.name != name), made]
        if move is not None:
            self.moves[move.number] = move
        await self.keep()

    async def restore(self, named: NamedSnapshot) -> tuple[TransferredPart, ...]:
        """Back to a place with a name, with the present text: what carries over and what does not. Raises
        ``NotCarried``."""
        move = self.moves[named.move] if named.move is not None else None
        base = move.parent if move is not None and named.passed is not None else named.move
        told = self._report(base, self.text)
        await self.back(named.move, named.passed, because="named")
        return told

    async def switch(self, name: str) -> None:
        """To another branch, as it stands."""
        self.takes()
        if name not in self.head.branches:
            raise NotPossible("debug-no-branch", name)
        self.head.branch, self.head.queue, self.head.pending = name, [], []
        place = self.branch.open or self.branch.leaf
        text = self.moves[place].text if place is not None else self.head.text
        self.head.text = text
        self._clocked(self.moves[place].at if place is not None else self.head.created_at)
        await self.keep()

    # another text

    def report(self, text: Text) -> tuple[TransferredPart, ...]:
        """What would become of the session in another text. Raises ``NotCarried``."""
        return self._report(self.branch.leaf, text)

    def _report(self, leaf: int | None, text: Text) -> tuple[TransferredPart, ...]:
        if leaf is None:
            return ()
        self.done(leaf)
        state, was = self._after[leaf].state, self.texts[self.moves[leaf].text]
        return carry(state, was.script, text.script)[1]

    async def edit(self, text: Text) -> tuple[TransferredPart, ...]:
        """Move the session to another text, on a branch of its own; a turn under way is worked out again with it, up to
        the place where it was held or the first that differs. Raises ``NotCarried``, and nothing has changed then."""
        self.takes()
        told = self.report(text)
        move, held = self.open, self._mark_of_place()
        leaf = self.branch.leaf
        begins_again = any(each.what == "action" and each.fate in ("begins_again", "gone") for each in told)
        self.texts[text.hash] = text
        async with self._at_once():
            await self.back(leaf, because="edit")
            self.head.text = text.hash
            if begins_again:
                await self._put(Input("resume"))
                await self._run()
            elif move is not None:
                await self._again(move, held)
        return told

    def _mark_of_place(self) -> tuple[str, str | None, int] | None:
        """What the session is held at, in a way that another text may have too: the kind of event, its action, and the
        how-manieth of these in the turn it is."""
        if self.open is None or not self.branch.passed:
            return None
        heard = self.here().heard
        own = next(((n, e) for n, e in heard if n == self.branch.passed), None)
        if own is None:
            return None
        same = sum(e.kind == own[1].kind and e.action == own[1].action for n, e in heard if n <= own[0])
        return own[1].kind, own[1].action, same

    async def _again(self, move: Move, held: tuple[str, str | None, int] | None) -> None:
        copy = replace(
            move, number=self.head.next, parent=self.branch.leaf, text=self.head.text, answers={}, origin=move.number,
            offers={**move.offers, **move.answers},
        )  # fmt: skip
        self.head.next += 1
        self.moves[copy.number] = copy
        self._set(replace(self.branch, open=copy.number, passed=0, why={"kind": "input"}))
        await self.keep(copy)
        counted = 0

        def there(work: Work, event: Event, number: int) -> Mapping[str, object] | None:
            nonlocal counted
            if held is not None and (event.kind, event.action) == held[:2]:
                counted += 1
                if counted == held[2]:
                    return {"kind": "edit", "event": event.kind}
            return None

        if held is None:
            return
        while True:
            counted = 0
            reached = self.reach(self.moves[copy.number], 0, there)
            if reached.why:
                await self._hold(reached.seen, reached.why)
                return
            if reached.turn is not None:
                last = reached.seen
                await self._hold(last, {"kind": "edit", "event": "end"})
                return
            why = await self._answer(self.moves[copy.number], reached, set())
            if why is not None:
                await self._hold(reached.seen, why)
                return

    # a recording

    async def play(self, leaf: int | None, text: Text | None = None, start: int | None = None) -> None:
        """The inputs up to ``leaf`` again, from the beginning (or behind ``start``), on a branch of their own: with the
        present text, or another."""
        moves = self.chain(leaf)
        if start is not None:
            at = next((index for index, each in enumerate(moves) if each.number == start), None)
            if at is None:
                raise NotPossible("debug-no-place", str(start))
            moves = moves[at + 1 :]
        if text is not None:
            self.texts[text.hash] = text
        await self.back(start, because="play")
        if text is not None:
            self.head.text = text.hash
        self.head.queue = [
            {"given": encode_input(each.given), "at": each.at.isoformat(), "origin": each.number} for each in moves
        ]
        await self.keep()
        await self.go("run")

    # keeping

    async def keep(self, *moves: Move) -> None:
        self.head.version += 1
        if self._unsaved is not None:
            self._unsaved |= {move.number: move for move in moves}
            return
        await self._save(self.head, moves)
        self._tell()

    @asynccontextmanager
    async def _at_once(self) -> AsyncIterator[None]:
        """What is kept within is kept in one: a crash leaves all of it or nothing."""
        self._unsaved = {}
        try:
            yield
        finally:
            moves, self._unsaved = self._unsaved or {}, None
            await self.keep(*moves.values())

    def _set(self, branch: Branch) -> None:
        self.head.branches[branch.name] = branch

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener()


__all__ = ["DebugSession", "NotCarried", "NotPossible"]
