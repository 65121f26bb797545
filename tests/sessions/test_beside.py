"""What is asked beside the turns: after the commit, never waited for, handed in once, counted apart."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.sessions.looking import kinds, replayed
from tests.sessions.material import Place, run, say, seen
from tests.sessions.monitored import NOTHING, OFF, SCRIPT, Watcher, prepared, told

from heartrule.engine.awareness import periodic
from heartrule.engine.session.io import Advice
from heartrule.engine.supervision import background as features
from heartrule.llm.provider import ServerError
from heartrule.sessions import Sessions, advice_inbox, background_calls
from heartrule.store import ledger
from heartrule.store.store import Store


@pytest.fixture
def held(place: Place) -> Place:
    return prepared(place)


def test_the_ledger_knows_whom_no_turn_waits_for() -> None:
    asked = {template for feature in features.FEATURES for template in feature.templates()}
    assert set(ledger.BESIDE) == {periodic.TEMPLATE, *asked}


async def state_of(sessions: Sessions, session: str) -> Any:
    return (await sessions.store.load(session, 100)).state


async def monitored(sessions: Sessions, session: str) -> list[tuple[int, int, str]]:
    """The turn, the round that it was about, why it was not followed."""
    events = await sessions.store.events(session, ("monitored",))
    return [(event.turn, event.data["round"], event.data["rest"]) for event in events]


def test_advice_is_read_as_it_was_written() -> None:
    advice = (
        Advice("ai_ask_monitor t1 ask 2", "ai_ask_monitor", {"feedback_for_action": "慢一点", "depth": [1, None]}),
        Advice("strategy t1", "strategy", {}),
    )
    assert advice_inbox.decode(advice_inbox.encode(advice)) == advice
    assert advice_inbox.decode(None) == ()


UNREADABLE = (
    "not json",
    '{"a":1}',
    "5",
    "[" * 100_000,
    '[{"key":5,"template":"strategy","data":{}}]',
    '[{"key":"x","template":["x"],"data":{}}]',
    '[{"key":"x","template":"strategy","data":null}]',
    '[{"key":"x","template":"strategy"}]',
)


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_cannot_be_read_is_one_that_says_so(text: str) -> None:
    assert advice_inbox.decode(text) == (Advice(advice_inbox.UNREADABLE, advice_inbox.UNREADABLE, {}),)


def test_of_several_the_readable_are_kept() -> None:
    good = Advice("strategy t1", "strategy", {"a": 1})
    text = f"[5,{advice_inbox.encode((good,))[1:-1]}]"
    assert advice_inbox.decode(text)[1] == good


def test_half_a_character_in_a_key_can_be_written_down() -> None:
    (read,) = advice_inbox.decode('[{"key":"\\ud83d","template":"strategy","data":{}}]')
    assert read.key == "\ufffd"


def test_an_entry_that_cannot_be_read_is_taken_with_a_record_and_waits_no_longer(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher(NOTHING)
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await told(held, sessions, session, outcome, "还行吧")
            await sessions.settled()
            for number, text in enumerate(("not json", '{"a":1}')):
                entry = background_calls.Entry(f"advised {number} x", "advised", text=text)
                await sessions.store.accept(session, entry, held.clock.now())
            await sessions.sweep()
            await told(held, sessions, session, outcome, "嗯嗯")
            assert await sessions.store.inbox(session, waiting=True) == ()
            records = await sessions.store.events(session, ("advice_unused",))
            assert [event.data["template"] for event in records] == [advice_inbox.UNREADABLE] * 2
            assert await replayed(sessions, session) == 5

    run(work())


def test_advice_comes_in_a_turn_of_its_own_and_into_one_prompt(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher()
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await told(held, sessions, session, outcome, "还行吧")
            await sessions.settled()
            record = await sessions.session(session)
            assert record.seq == 3
            assert await kinds(sessions, session) == ["start", "message", "advised"]
            (turn,) = await sessions.turns(session, after=2)
            assert turn.messages == ()
            assert await sessions.store.calls(session, 3) == ()
            assert (await state_of(sessions, session))["feedback"] == ["降低直接性。"]
            for words in ("嗯嗯", "就那样"):
                watcher.answer = NOTHING
                outcome = await told(held, sessions, session, outcome, words)
                await sessions.settled()
            shown = ["降低直接性。" in request.messages[-1].text for request in watcher.asked]
            assert shown == [False, True, False]
            assert (await state_of(sessions, session))["feedback"] == []
            assert len(watcher.watched) == 3
            assert await monitored(sessions, session) == [(3, 1, "")]
            assert await replayed(sessions, session) == 5

    run(work())


@pytest.mark.parametrize(
    "answer",
    [NOTHING, ServerError("away"), "不是 JSON，也没有什么可说的", {"别的": 1}, '{"intervention_needed": [}'],
    ids=["nothing", "fails", "prose", "other fields", "broken"],
)
def test_a_monitor_with_nothing_usable_leaves_everything_as_it_is(place: Place, answer: Any) -> None:
    """The same conversation without monitors comes to the same turns and the same state."""

    async def conversation(script: str, watcher: Watcher) -> tuple[int, Any, list[str]]:
        prepared(place, script)
        async with place.open(watcher.model()) as sessions:
            session, outcome = await place.begun(sessions)
            said: list[str] = []
            for words in ("还行吧", "嗯嗯"):
                outcome = await told(place, sessions, session, outcome, words)
                await sessions.settled()
                said += [message.text for message in outcome.messages]
            state = await state_of(sessions, session)
            assert await monitored(sessions, session) == []
            assert await kinds(sessions, session) == ["start", "message", "message"]
            return (await sessions.session(session)).seq, _timeless(state), said

    async def work() -> None:
        watcher = Watcher(answer)
        watched = await conversation(SCRIPT, watcher)
        assert watcher.watched
        silent = Watcher()
        assert await conversation(OFF, silent) == watched
        assert silent.watched == []

    run(work())


def _timeless(data: Any) -> Any:
    """Without the moments: the second conversation was held later."""
    if isinstance(data, dict):
        timed = ("at", "since", "entered_at", "started_at")
        return {name: _timeless(each) for name, each in data.items() if name not in timed}
    return [_timeless(each) for each in data] if isinstance(data, list) else data


def test_five_seconds_of_thinking_cost_a_turn_nothing(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher(seconds=5.0)
        watcher.opened.clear()  # whatever the machine is busy with, it thinks longer than that
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await told(held, sessions, session, outcome, "还行吧")
            await asyncio.wait_for(watcher.begun.wait(), 5)
            outcome = await told(held, sessions, session, outcome, "嗯嗯")
            assert await kinds(sessions, session) == ["start", "message", "message"]
            assert (await sessions.session(session)).seq == 3

    run(work())


def test_a_message_goes_first_and_the_advice_is_too_late(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher()
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            watcher.opened.clear()
            outcome = await told(held, sessions, session, outcome, "还行吧")
            await asyncio.wait_for(watcher.begun.wait(), 5)
            outcome = await asyncio.wait_for(told(held, sessions, session, outcome, "嗯嗯"), 5)
            watcher.opened.set()
            await sessions.settled()
            assert [words for _, _, words in await monitored(sessions, session)] == ["too late", ""]
            assert await kinds(sessions, session) == ["start", "message", "message", "advised", "advised"]
            assert (await state_of(sessions, session))["feedback"] == ["降低直接性。"]
            assert await replayed(sessions, session) == 5

    run(work())


def test_advice_that_waits_beside_a_message_comes_behind_it(held: Place) -> None:
    """It was accepted just before the message, and nobody had worked it out yet."""

    async def work() -> None:
        watcher = Watcher(NOTHING)
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await told(held, sessions, session, outcome, "还行吧")
            await sessions.settled()
            data = {"intervention_needed": True, "feedback_for_action": "慢"}
            advice = (Advice("ai_ask_monitor t1 father 1 1", "ai_ask_monitor", data),)
            entry = background_calls.Entry("advised 2 x", "advised", text=advice_inbox.encode(advice))
            await sessions.store.accept(session, entry, held.clock.now())
            await sessions.take(session, say("b", "嗯嗯", seen(outcome)))
            await sessions.sweep()
            assert await kinds(sessions, session) == ["start", "message", "message", "advised"]
            assert (await state_of(sessions, session))["feedback"] == []
            assert await replayed(sessions, session) == 4

    run(work())


def test_a_stop_in_the_middle_breaks_it_off_and_it_is_not_taken_up_again(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher()
        watcher.opened.clear()
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await told(held, sessions, session, outcome, "还行吧")
            await asyncio.wait_for(watcher.begun.wait(), 5)
        other = Watcher(NOTHING)
        async with held.open(other.model()) as sessions:
            tried = [one for one in await sessions.store.attempts(session) if one.template == "ai_ask_monitor"]
            assert [(one.turn, one.outcome) for one in tried] == [(2, "cancelled")]
            assert await sessions.sweep() == 0
            await sessions.settled()
            assert other.watched == []
            await told(held, sessions, session, outcome, "嗯嗯")
            await sessions.settled()
            assert len(other.watched) == 1
            assert await monitored(sessions, session) == []
            assert await replayed(sessions, session) == 3

    run(work())


def test_two_processes_come_to_one_advice(held: Place) -> None:
    """The one that worked the turn out asks; by the time it is told, the other has gone on with the session."""

    async def work() -> None:
        one, two = Watcher(), Watcher(NOTHING)
        async with held.open(one.model()) as first, held.open(two.model()) as second:
            session, outcome = await held.begun(first)
            one.opened.clear()
            outcome = await told(held, first, session, outcome, "还行吧")
            await asyncio.wait_for(one.begun.wait(), 5)
            outcome = await told(held, second, session, outcome, "嗯嗯")
            await second.settled()
            assert (len(one.watched), len(two.watched)) == (1, 1)
            one.opened.set()
            await first.settled()
            assert [rest for _, _, rest in await monitored(first, session)] == ["too late"]
            assert (await first.session(session)).seq == 4
            await told(held, second, session, outcome, "就那样")
            assert await replayed(second, session) == 5

    run(work())


def test_what_it_cost_is_counted_apart(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher(NOTHING)
        async with held.open(watcher.model()) as sessions:
            session, outcome = await held.begun(sessions)
            await told(held, sessions, session, outcome, "还行吧")
            await sessions.settled()
            (call,) = [call for call in await sessions.store.calls(session) if call.template == "ai_ask_monitor"]
            assert (call.turn, call.status, call.prompt_hash) == (2, "answered", watcher.watched[0].hash)
            by = {each.key: each for each in await sessions.store.figures("purpose")}
            assert (by[("ai_ask_monitor",)].calls, by[("ai_ask_monitor",)].beside) == (1, 1)
            assert by[("ai_ask",)].beside == 0
            (whole,) = await sessions.store.figures()
            assert whole.beside == 1
            assert whole.calls - whole.beside == sum(
                each.calls for key, each in by.items() if key[0] != "ai_ask_monitor"
            )

    run(work())


def test_an_ordinary_turn_reads_and_writes_no_more_than_without(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in (
        "accept",
        "accept_and_load",
        "claim_and_load",
        "commit",
        "load",
        "save_calls",
        "save_aside",
        "release",
    ):
        _spied(monkeypatch, name, done)

    async def turn(script: str, watcher: Watcher) -> tuple[list[str], list[str]]:
        prepared(place, script)
        async with place.open(watcher.model()) as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.settled()
            done.clear()
            await told(place, sessions, session, outcome, "还行吧")
            within = list(done)
            await sessions.settled()
            return within, done[len(within) :]

    async def work() -> None:
        within, behind = await turn(SCRIPT, Watcher(NOTHING))
        assert (within, []) == await turn(OFF, Watcher())
        assert behind == ["save_aside"]

    run(work())


def _spied(monkeypatch: pytest.MonkeyPatch, name: str, done: list[str]) -> None:
    real = getattr(Store, name)

    async def told_of(self: Store, *args: Any, **more: Any) -> Any:
        done.append(name)
        return await real(self, *args, **more)

    monkeypatch.setattr(Store, name, told_of)


def test_with_too_much_in_hand_nothing_more_is_asked(held: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_calls, "IN_HAND", 1)

    async def work() -> None:
        watcher = Watcher(NOTHING)
        async with held.open(watcher.model()) as sessions:
            one, first = await held.begun(sessions)
            two, second = await held.begun(sessions)
            watcher.opened.clear()
            await told(held, sessions, one, first, "还行吧")
            await asyncio.wait_for(watcher.begun.wait(), 5)
            await told(held, sessions, two, second, "还行吧")
            watcher.opened.set()
            await sessions.settled()
            assert len(watcher.watched) == 1

    run(work())


def test_what_has_waited_until_its_session_went_on_is_not_asked(held: Place) -> None:
    async def work() -> None:
        watcher = Watcher(NOTHING)
        async with held.open(watcher.model()) as sessions:
            sessions._beside._slots = asyncio.Semaphore(1)
            one, first = await held.begun(sessions)
            two, second = await held.begun(sessions)
            watcher.opened.clear()
            await told(held, sessions, one, first, "还行吧")
            await asyncio.wait_for(watcher.begun.wait(), 5)
            second = await told(held, sessions, two, second, "还行吧")
            await told(held, sessions, two, second, "嗯嗯")
            watcher.opened.set()
            await sessions.settled()
            assert len(watcher.watched) == 2
            calls = [call for call in await sessions.store.calls(two) if call.template == "ai_ask_monitor"]
            assert [call.turn for call in calls] == [3]

    run(work())
