"""The sessions' one door: create, take an input, look, end, wake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from heartrule.engine.session.io import HISTORY, Helper
from heartrule.engine.session.state import State
from heartrule.engine.turn import request_of
from heartrule.language.compiling.script import Contact, Script
from heartrule.language.findings import Refused
from heartrule.language.projects.library import Library, ListedSession
from heartrule.language.projects.media_files import MediaFile
from heartrule.llm.model import Model
from heartrule.sessions.background_calls import BackgroundCalls
from heartrule.sessions.clock import Clock
from heartrule.sessions.conversations import Conversation, Conversations
from heartrule.sessions.forms import SUBMITTED, Result, results
from heartrule.sessions.owners import Owner
from heartrule.sessions.periodic import Periodic, timeout_of
from heartrule.sessions.person_memory import SessionMemory
from heartrule.sessions.preparsing import read_ahead
from heartrule.sessions.release_choice import ANY, Chosen, ReleaseChoice, Trust
from heartrule.sessions.replay import ReplayedTurn, replay
from heartrule.sessions.rows import GIVEN, POLICY, VARIABLES, place_of, policy_of, state_of
from heartrule.sessions.runner import Runner
from heartrule.sessions.scripts import Scripts
from heartrule.sessions.session_status import RETURN, Life, life_of, read_only
from heartrule.sessions.subscribers import Watch, Watchers
from heartrule.sessions.turn_answers import Joined
from heartrule.sessions.turn_record import ExplainedTurn, debugged
from heartrule.sessions.undo import KIND, NothingToRecall, Wish, encode, own_words
from heartrule.sessions.views import (
    CannotRestore,
    Closed,
    NoSuchSession,
    Outcome,
    View,
    Why,
    outcome_of,
    position_of,
    progress_of,
)
from heartrule.store.bundles import NoSuchBundle
from heartrule.store.crypto import Unreadable
from heartrule.store.recalls import RECALLED
from heartrule.store.records import (
    EVERYTHING,
    Entry,
    Full,
    Gone,
    KeyReused,
    LoadedSession,
    MessageRecord,
    NewSession,
    Outdated,
    SessionRecord,
)
from heartrule.store.store import Store

START = Entry(key="start", kind="start")
DECISIONS = ("exit", "awareness", "directive", "judged", "late", "fault")
"""Kinds of events that say why a session went as it did."""
TRIES = 50
"""How often a turn is worked out again because the session moved on meanwhile."""
HELD_ELSEWHERE = 0.05
"""Seconds between looks at a session that another process holds."""
ADVISED = 10
"""How often advice is handed in while somebody else is at work on the session."""
LASTING = (CannotRestore, Unreadable, LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""Faults that the next try would meet again, unlike a database or a model that is away."""


class Busy(Exception):
    """Somebody else is at work on the session."""


class Sessions:
    """All sessions of one data folder, as one process drives them."""

    def __init__(
        self, store: Store, scripts: Scripts, model: Model, clock: Clock, owner: Owner, trust: Trust = ANY
    ) -> None:
        self.store, self.model, self.clock = store, model, clock
        self._scripts = scripts
        self.release_choice = ReleaseChoice(store, scripts, trust)
        self.owner = owner
        self._watchers = Watchers(store.seqs)
        self._runner = Runner(store, scripts, model, clock, owner.id, self._watchers)
        self.duty = self._runner.duty
        self.turn_listeners = self._runner.listeners
        self._periodic = Periodic(store, model, clock, self._runner, self.script_of, self._notice)
        self._beside = BackgroundCalls(store, model, clock, self._advise)
        self._runner.aside = self._beside.begin
        self._conversations = Conversations()
        self._lease = timedelta(seconds=30 + 2 * model.policy.budget)

    def reach(self, helpers: Collection[Helper]) -> None:
        """Who can be told, from now on, that a person needs help; ``contact``: whom the person has named."""
        self._runner.reaches = frozenset(helpers)

    # making and finding

    @property
    def library(self) -> Library:
        """The projects that sessions are held from."""
        return self._scripts.library

    def scripts(self) -> Sequence[ListedSession]:
        """The sessions that can be held."""
        return self._scripts.listed()

    async def create(
        self,
        script: str,
        person: str | None = None,
        variables: Mapping[str, Any] | None = None,
        locale: str | None = None,
        notes: Mapping[str, Any] | None = None,
        chosen: Chosen | None = None,
        place: str = "",
    ) -> SessionRecord:
        """A new session of ``script`` (``project/id``, or a file with ``#session``), not yet started: its first turn is
        worked out by the first input. ``person`` is an id of the store; none makes an anonymous person. ``variables``
        are written when it starts. ``notes`` are kept beside the session for whoever made it. Where the project has a
        published release, it begins with that one, and stays with it; ``chosen``: which, if ``choose`` was asked
        already. ``place``: language and country (``en-AU``) of the numbers to call that it names. Raises ``Refused``
        with findings when the script does not load."""
        begun = chosen or await self.choose(script, person, locale)
        who = begun.person or await self.store.new_person()
        return await self._create(begun.script, who, variables or {}, notes=notes, release=begun.release, place=place)

    async def choose(self, script: str, person: str | None = None, locale: str | None = None) -> Chosen:
        """What a new session of this person's begins with. Raises ``Refused`` with findings."""
        return await self.release_choice.choose(script, person, locale)

    async def attempt(
        self, script: Script, trial: str, variables: Mapping[str, Any], notes: Mapping[str, Any]
    ) -> SessionRecord:
        """A session of a script that its author tries out, for nobody in particular: it stands in no list of
        production, and nobody is called. ``trial``: the project of the workbench."""
        return await self._create(script, await self.store.new_person(), variables, notes=notes, trial=trial)

    async def _create(
        self,
        script: Script,
        person: str,
        variables: Mapping[str, Any],
        parent: str | None = None,
        notes: Mapping[str, Any] | None = None,
        trial: str | None = None,
        release: str | None = None,
        place: str = "",
    ) -> SessionRecord:
        await self.store.save_bundle(script.bundle, script.sources)
        session = uuid4().hex
        direction = script.project.strategies.drawn(session)
        await self.store.create_session(
            NewSession(
                id=session,
                person=person,
                project=script.project.id,
                script=script.id,
                bundle=script.bundle,
                locale=script.locale,
                state=State(memory=policy_of(notes or {}), direction=direction, place=place).model_dump(mode="json"),
                created_at=self.clock.now(),
                metadata={**(notes or {}), **({VARIABLES: dict(variables)} if variables else {})},
                parent=parent,
                trial=trial,
                release=release,
                direction=direction if script.project.strategies.compare else None,
            )
        )
        return await self.session(session)

    def script(self, script: str, locale: str | None = None) -> Script:
        """The library's present version. Raises ``Refused`` with findings."""
        return self._scripts.compile(script, locale)

    def label(self, project: str, name: str, locale: str) -> str:
        """What a variable of a project is called for people; its own name where no script says so."""
        return self._scripts.label(project, name, locale) or name

    def contacts(self, locale: str) -> Sequence[Contact]:
        """Whom to call in an emergency, for who speaks this language."""
        return self._scripts.contacts(locale)

    def numbers(self, locale: str) -> Sequence[str]:
        """Every number that may be said in this language."""
        return self._scripts.numbers(locale)

    def media(self, project: str, path: str) -> MediaFile | None:
        """A picture or recording in a project's folder that may be shown."""
        return self._scripts.media(project, path)

    def media_hosts(self) -> Sequence[str]:
        """Where else scripts may show pictures from."""
        return self._scripts.media_hosts()

    # remembering

    async def memory(self, record: SessionRecord) -> SessionMemory:
        """The layers of memory as this session sees them."""
        choice = await self.store.recollections.choice(record.person)
        return SessionMemory(
            self.store,
            record,
            self.clock,
            across=choice is not None and choice.yes is True,
            embedder=self.model.embedder,
            script=await self.script_of(record) if record.seq else None,
            label=self.label,
            model=self.model,
        )

    async def remember(self, session: str) -> bool:
        """Make anew what is remembered of a session. False where it has moved on meanwhile. ``Gone``."""
        record = await self.store.session(session)
        if record is None:
            raise Gone("no such session")
        return await (await self.memory(record)).remember(seq=record.seq) is not None

    async def embed(self, session: str) -> bool:
        """Make the vectors of meaning that are missing, of whatever the session's person is remembered by in its
        project. False where they could not be had. ``Gone``."""
        record, embedder = await self.store.session(session), self.model.embedder
        if record is None or embedder is None:
            return True
        kept = self.store.recollections
        for name, number, version, texts in await kept.unembedded(record.person, record.project, embedder.name):
            vectors = await embedder.vectors(texts)
            if vectors is None:
                return False
            await kept.embed(record.person, (name, number, version), vectors, embedder.name)
        return True

    async def session(self, session: str) -> SessionRecord:
        record = await self.store.session(session)
        if record is None:
            raise NoSuchSession(session)
        return record

    async def recent(self, person: str | None = None) -> Sequence[SessionRecord]:
        """A person's sessions, or everybody's on this machine, the newest first."""
        found = await self.store.sessions_of(person) if person else await self.store.newest_sessions(100)
        return sorted(found, key=lambda record: record.last_active_at, reverse=True)

    async def of_person(self, person: str, limit: int = 50, before: str | None = None) -> Sequence[SessionRecord]:
        """A person's sessions, made last first; ``before``: only those made before this one of theirs."""
        return await self.store.newest_of_person(person, limit, before)

    def asks(self, record: SessionRecord) -> bool:
        """Whether a model is asked for a session."""
        return self._runner.asks(record)

    def life(self, record: SessionRecord) -> Life:
        """Where a session is in its life now."""
        return life_of(record, self.clock.now())

    # turns

    async def start(self, session: str) -> Outcome:
        """The first turn; asked for again, the same turn."""
        return await self.take(session, START)

    async def take(self, session: str, entry: Entry) -> Outcome:
        """Accept an input and work its turn out. The same key again gives the same turn again.

        Messages of one answer (the same ``after``) that arrive while their turn is being worked out join it, and all
        their senders get it. Raises ``Closed``, ``NoSuchSession``, ``KeyReused``, ``CannotRestore``.
        """
        return await self._enter(session, entry)

    async def _enter(self, session: str, entry: Entry, *, wait: bool = True) -> Outcome:
        """Without ``wait``, ``Busy`` when somebody is at work on the session, here or in another process that lives."""
        async with self._conversations.of(session) as conversation:
            try:
                if conversation.lock.locked():
                    if not wait:
                        raise Busy
                    now = self.clock.now()
                    accepted = await self.store.accept(session, entry, now, self._open_for(entry, now))
                    if accepted.turn is not None:
                        return await self._outcome(session, accepted.turn)
                    if entry.kind == "message":
                        conversation.tell(accepted.number, entry.after, entry.text or "")
                    elif entry.kind == "takeover":
                        conversation.tell(accepted.number, first=True)
                async with conversation.lock:
                    try:
                        return await self._take(session, entry, conversation, wait)
                    finally:
                        self._watchers.rested(session)
            except Gone:
                raise NoSuchSession(session) from None

    def _open_for(self, entry: Entry, now: datetime) -> Callable[[SessionRecord], None] | None:
        """When the session is over, what was said can be taken back, and counsellors hand their forms in."""
        return None if entry.kind in (KIND, "counsel_form", "correct") else self._open_at(now)

    def _open_at(self, now: datetime) -> Callable[[SessionRecord], None]:
        """A session that is over takes nothing new; what it took before is still answered."""

        def check(record: SessionRecord) -> None:
            if read_only(life_of(record, now)):
                raise Closed(record.id)

        return check

    async def _take(self, session: str, entry: Entry, conversation: Conversation, wait: bool) -> Outcome:
        await read_ahead(entry.text)
        for _ in range(int(self._lease / timedelta(seconds=HELD_ELSEWHERE)) + TRIES):
            now, loaded = self.clock.now(), None
            try:
                mark, conversation.session_state = self._runner.state_cache.take(session) or (None, None)
                accepted, loaded = await self.store.accept_and_load(
                    session, entry, now, self.owner.id, now + self._lease, HISTORY, self._open_for(entry, now), mark
                )
                outcome = await self._run(session, loaded, conversation, accepted.number) if loaded else None
            except (Closed, KeyReused, Full, Gone):
                raise
            except BaseException as error:
                await asyncio.shield(self._put_down(session, loaded.epoch if loaded else None, error))
                raise
            if outcome is not None:
                return outcome
            if loaded is None and mark is not None and conversation.session_state is not None:
                self._runner.state_cache.keep(session, mark, conversation.session_state, now)
            if accepted.turn is not None:
                return await self._outcome(session, accepted.turn)
            if loaded is None:
                await self._outlive(session, wait)
        raise Outdated("the session would not come to rest")

    async def _put_down(self, session: str, epoch: int | None, error: BaseException) -> None:
        """A turn was broken off: let others take it up, and mark a session that nobody can go on with."""
        with suppress(Exception):
            await self.store.put_down(session, self.owner.id, epoch, interrupted=isinstance(error, LASTING))

    async def _outlive(self, session: str, wait: bool) -> None:
        """Another process holds the session: wait for it, or leave it alone, unless it has died."""
        holder = await self.store.holder(session)
        if holder is not None and await asyncio.to_thread(self.owner.is_dead, holder[0]):
            await self.store.release(session, *holder)
        elif not wait:
            raise Busy
        else:
            await asyncio.sleep(HELD_ELSEWHERE)

    async def _run(self, session: str, loaded: LoadedSession, conversation: Conversation, upto: int) -> Outcome | None:
        """Work turns out until the entry ``upto`` has been consumed, and give that turn; None when the session has
        moved on under us."""
        current: LoadedSession | None = await self._started(loaded)
        while current is not None and any(item.number == upto for item in current.pending):
            script = await self.script_of(current.session)
            try:
                inherited = await self._inherited(current)
                done = await self._runner.turn(script, current, conversation, inherited)
            except (Joined, Outdated):
                current = await self._load_again(session)
                continue
            if upto in done.consumed:
                if done.waiting:
                    await self.store.release(session, self.owner.id, current.epoch)
                return done.outcome
            current = await self._load_again(session)
        return None

    async def _started(self, loaded: LoadedSession) -> LoadedSession | None:
        """Whatever comes first, a session begins with its start."""
        if loaded.session.seq > 0 or any(item.entry.kind == "start" for item in loaded.pending):
            return loaded
        await self.store.accept(loaded.session.id, START, self.clock.now())
        return await self._load_again(loaded.session.id)

    async def _load_again(self, session: str) -> LoadedSession | None:
        now = self.clock.now()
        return await self.store.claim_and_load(session, self.owner.id, now, now + self._lease, HISTORY)

    async def _inherited(self, loaded: LoadedSession) -> Sequence[MessageRecord]:
        """What was said in the session that this one takes the place of; also what no turn has taken there."""
        parent = loaded.session.parent
        if parent is None or loaded.session.seq > 0:
            return ()
        old = [
            MessageRecord(0, 0, each.sender, each.text, each.content_type, each.action, each.at, withheld=True)
            for each in await self.store.messages(parent, limit=EVERYTHING)
            if not each.metadata.get(RECALLED)
        ]
        unheard = [
            MessageRecord(0, 0, "person", item.entry.text, "text", None, item.received_at, withheld=True)
            for item in await self.store.inbox(parent, waiting=True)
            if item.entry.kind == "message" and item.entry.text is not None
        ]
        return [replace(record, number=number) for number, record in enumerate([*old, *unheard], 1)]

    async def script_of(self, record: SessionRecord) -> Script:
        """The compiled script that a session is pinned to. ``CannotRestore`` when it is missing, or cannot be read by
        this version."""
        known = self._scripts.known(record.bundle, record.script)
        if known is not None:
            return known
        try:
            return self._scripts.restore(record.script, await self.store.bundle(record.bundle))
        except (NoSuchBundle, Refused):
            raise CannotRestore("the script that the session was started with cannot be read") from None

    async def _outcome(self, session: str, seq: int) -> Outcome:
        record = await self.store.turn(session, seq)
        if record is None:
            raise NoSuchSession(session)
        return outcome_of(record)

    async def stop(self, session: str, *, everything: bool = False) -> bool:
        """The person has heard enough: the reply that is being written ends where it is, and what they said is kept.
        Before words of it were shown it is given up, and the script's own words answer. ``everything``: the turn asks
        no model anything more. False: none is under way."""
        await self.session(session)
        return self._conversations.stop(session, everything=everything)

    async def recall(self, session: str, message: int, key: str, within: timedelta) -> Outcome:
        """Take back something that the person has said: with all that came of it where it is the last thing they said
        and was said less than ``within`` ago, else its words alone, which can be done when the session is over too.
        Raises ``NothingToRecall``."""
        return await self._enter(session, await self.recall_entry(session, message, key, within))

    async def recall_entry(self, session: str, message: int, key: str, within: timedelta) -> Entry:
        """The input that takes it back, for ``take``."""
        await self.session(session)
        if await self.store.input(session, key) is None:
            found = await self.store.messages(session, message - 1, 1)
            if own_words(found, message) is None:
                raise NothingToRecall("there is nothing to take back")
        return Entry(key=key, kind=KIND, text=encode(Wish(message, within.total_seconds())))

    # looking

    async def view(self, session: str, messages: int | None = None) -> View:
        """Everything about a session as it stands, with its last ``messages`` (all when None; ``store.last_messages``
        has earlier ones). ``CannotRestore`` when its state cannot be loaded."""
        loaded = await self._load(session, EVERYTHING if messages is None else messages)
        script = await self.script_of(loaded.session)
        state = state_of(loaded.state)
        return View(
            session=loaded.session,
            life=life_of(loaded.session, self.clock.now()),
            messages=loaded.messages,
            last_message=state.messages,
            request=request_of(state, script),
            position=position_of(state),
            progress=progress_of(script, state),
            variables=loaded.variables,
            model=self.model.configured,
        )

    async def _load(self, session: str, messages: int = 0) -> LoadedSession:
        try:
            return await self.store.load(session, messages)
        except Gone:
            raise NoSuchSession(session) from None

    async def turns(self, session: str, after: int = 0, limit: int = 100) -> Sequence[Outcome]:
        """Committed turns with a higher number than ``after``, oldest first, as they were answered."""
        try:
            return [outcome_of(record) for record in await self.store.turns(session, after, limit)]
        except Gone:
            raise NoSuchSession(session) from None

    async def forms(self, session: str, *, staff: bool = False) -> Sequence[Result]:
        """The forms that were handed in, oldest first; those that only counsellors may see for ``staff`` alone."""
        try:
            found = results(await self.store.events(session, (SUBMITTED,)))
            return [each for each in found if staff or not each.is_private]
        except Gone:
            raise NoSuchSession(session) from None

    def watch(self, session: str) -> AbstractAsyncContextManager[Watch]:
        """News of a session's turns, whoever works them out, for as long as the context lasts. Raises
        ``NoSuchSession`` when it is entered."""
        return self._watchers.of(session)

    def typing(self, session: str, name: str) -> None:
        """Let those who look on here know that the human who holds the session is writing."""
        self._watchers.typing(session, name)

    def close(self) -> None:
        """Whoever watches is told that nothing more will come."""
        self._watchers.close()

    def replay(self, session: str, first: int = 1, last: int | None = None) -> AsyncIterator[ReplayedTurn]:
        """Turns that stand, worked out again from their records; see ``replay``."""
        return replay(self.store, self._scripts, session, first, last)

    async def debugged(self, session: str, turn: int | None = None) -> ExplainedTurn | None:
        """Everything about a turn (the last without ``turn``), for whoever works on its script; None for no turn."""
        return await debugged(self.store, self._scripts, self.model.policy, session, turn)

    async def why(self, session: str, limit: int = 40) -> Sequence[Why]:
        """The latest exit decisions, awareness verdicts, directives, judged conditions and faults, newest last."""
        try:
            events = await self.store.events(session, DECISIONS, limit=limit)
        except Gone:
            raise NoSuchSession(session) from None
        return [Why(event.turn, event.kind, event.action, event.data) for event in events]

    # ending and waking

    async def end(self, session: str, key: str = "end") -> Outcome:
        """End a session at the person's wish."""
        return await self.take(session, Entry(key=key, kind="end"))

    async def pause(self, session: str, key: str | None = None) -> Outcome:
        """Lay a session aside at the person's wish, until their next message, choice or ``resume``. It is suspended at
        once, and its timers stand still. ``key`` is the pause's idempotency key."""
        return await self.take(session, Entry(key=key or f"pause {uuid4().hex}", kind="pause"))

    async def start_over(self, session: str, script: str | None = None) -> SessionRecord:
        """A new session that keeps the messages and the session's variables of one that cannot be restored (or should
        not go on): of ``script``, else of the same script as the library has it now, else as it was pinned."""
        loaded = await self._load(session)
        release = None
        try:
            wanted = script or loaded.session.script
            chosen = await self.choose(wanted, loaded.session.person, loaded.session.locale)
            compiled, release = chosen.script, chosen.release
        except Refused:
            if script is not None:
                raise
            compiled = await self.script_of(loaded.session)
        kept = {v.name: v.value for v in loaded.variables if v.scope == "session"}
        trial = loaded.session.trial
        notes = {name: given for name, given in loaded.session.metadata.items() if name in (POLICY, GIVEN)}
        return await self._create(
            compiled,
            loaded.session.person,
            kept,
            parent=session,
            notes=notes,
            trial=trial,
            release=release,
            place=place_of(loaded.state),
        )

    async def sweep(self, limit: int = 100) -> int:
        """Wake what is due: timeouts that have come, and inputs that a crash left waiting. How many were woken; one
        that cannot be does not keep the others from it, and one that somebody is at work on is not waited for. Looks
        back over sessions are begun, and go on by themselves (``settled``)."""
        now = self.clock.now()
        await self._bury(now)
        await self.duty.look()
        woken = 0
        for session in await self.store.due(now, limit, now - RETURN):
            with suppress(Exception):
                woken += await self._wake(session, now)
        for session in await self.store.unanswered(now, limit):
            with suppress(Exception):
                woken += await self._answer(session)
        return woken

    async def let_go(self, days: int, limit: int = 20) -> int:
        """Remove for good what nobody has come back to for so many days; 0: nothing. How many were removed."""
        if days == 0:
            return 0
        before = self.clock.now() - timedelta(days=days)
        gone = await self.store.unused_sessions(before, limit)
        for session in gone:
            with suppress(Gone):
                await self.store.belongings.remove_session(session)
        return len(gone)

    async def _bury(self, now: datetime) -> None:
        """What processes held when they died is free at once, not when their leases run out."""
        for owner in await self.store.owners(now):
            if await asyncio.to_thread(self.owner.is_dead, owner):
                await self.store.release_all(owner)

    async def _wake(self, session: str, now: datetime) -> int:
        due = await self._due(session, now)
        if due is None:
            return 0
        await self._enter(session, timer(due), wait=False)
        return 1

    async def _due(self, session: str, now: datetime) -> datetime | None:
        """When a question's time was up, if it is; else, if it is time to, a look back is begun and goes on by itself.
        A state that cannot be read counts as a question: its turn finds that out, and marks the session."""
        loaded = await self._load(session)
        due = loaded.session.wake_at
        if due is None or due > now:
            return None
        with suppress(CannotRestore):
            timeout = timeout_of(state_of(loaded.state))
            if timeout is None or timeout > now:
                self._periodic.begin(loaded.session, timeout)
                return None
            return timeout
        return due

    async def timeout(self, session: str) -> datetime | None:
        """When the time of the question that waits is up: then the session wants a turn of its own (``timer``)."""
        loaded = await self._load(session)
        return None if loaded.session.wake_at is None else timeout_of(state_of(loaded.state))

    async def look_back(self, session: str) -> None:
        """Begin the look back over one session that is due, if one is: for a process that sweeps no others."""
        await self._due(session, self.clock.now())

    async def _notice(self, session: str, entry: Entry) -> None:
        """Take in what was noticed, once; whoever is at work on the session goes first."""
        now = self.clock.now()
        with suppress(Busy, KeyReused, Closed, Gone):
            await self.store.accept(session, entry, now, self._open_at(now))
            await self._enter(session, entry, wait=False)

    async def _advise(self, session: str, entry: Entry) -> None:
        """As ``_notice``; tried again for a moment, since two that come together get in each other's way. What a longer
        turn keeps waiting is too late, and is taken when the session is next come to."""
        now = self.clock.now()
        with suppress(KeyReused, Closed, Gone):
            await self.store.accept(session, entry, now, self._open_at(now))
            for _ in range(ADVISED):
                with suppress(Busy):
                    await self._enter(session, entry, wait=False)
                    return
                await asyncio.sleep(HELD_ELSEWHERE)

    async def settled(self) -> None:
        """Until nothing is done any more beside the sessions' turns."""
        await self._periodic.settled()
        await self._beside.settled()

    async def stop_looking(self) -> None:
        """Break off what is done beside the sessions' turns. A later sweep looks back again; advice is not asked for
        again."""
        await self._periodic.stop()
        await self._beside.stop()

    async def _answer(self, session: str) -> int:
        waiting = await self.store.inbox(session, waiting=True)
        for item in waiting:
            await self._enter(session, item.entry, wait=False)
        return len(waiting[:1])


def timer(due: datetime) -> Entry:
    """What a moment that a session waited for comes in as: the same one whoever notices it."""
    return Entry(key=f"timer {due.isoformat()}", kind="timer")
