"""Several messages that are one answer, messages on their way when the question changed, senders who go away."""

from __future__ import annotations

import asyncio

import pytest
from tests.sessions.material import ANSWERS, Gate, Place, answer, run, say, seen, texts, value

from heartrule.sessions import Closed
from heartrule.store.records import Entry

BURST = ("我", "今天很难受", "睡不着")


def test_a_burst_while_the_model_is_asked_is_one_turn(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            takes = []
            for number, words in enumerate(BURST):
                takes.append(asyncio.create_task(sessions.take(session, say(f"b{number}", words, seen(outcome)))))
                await gate.asked.wait()
                gate.asked.clear()
                await asyncio.sleep(0.02)
            gate.opened.set()
            turns = await asyncio.gather(*takes)
            assert turns[0] == turns[1] == turns[2]
            assert turns[0].turn == 2
            assert texts(turns[0].messages) == list(BURST)
            assert turns[0].position["action"]["id"] == "hours"
            assert await value(sessions, session, "心情") == " ".join(BURST)
            assert [item.turn for item in await sessions.store.inbox(session)] == [1, 2, 2, 2]

    run(work())


def test_a_burst_asks_again_once_for_each_arrival_and_no_more(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            takes = []
            for number, words in enumerate(BURST):
                takes.append(asyncio.create_task(sessions.take(session, say(f"b{number}", words, seen(outcome)))))
                while len(gate.requests) < 2 * (number + 1):  # whether they are in danger, and the answer
                    await gate.asked.wait()
                    gate.asked.clear()
            gate.opened.set()
            await asyncio.gather(*takes)
            assert len(gate.requests) == 2 * len(BURST)
            calls = [call for call in await sessions.store.calls(session) if call.turn == 2]
            assert len(gate.answered) == len(calls) == 2  # the judgement of risk and the answer itself, once each

    run(work())


def test_at_once_without_a_model(place: Place) -> None:
    """However they fall, no word is lost, doubled or taken for an answer to what was not asked yet."""

    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            turns = await asyncio.gather(
                *(sessions.take(session, say(f"b{n}", words, seen(outcome))) for n, words in enumerate(BURST))
            )
            assert sorted({turn.turn for turn in turns}) == list(range(2, 2 + len({turn.turn for turn in turns})))
            view = await sessions.view(session)
            assert texts(view.messages) == list(BURST)
            assert view.position["action"]["id"] == "hours"
            assert await value(sessions, session, "心情") == "\n".join(BURST)

    run(work())


def test_the_same_message_sent_many_times_at_once(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            turns = await asyncio.gather(*(sessions.take(session, say("k", "累", seen(outcome))) for _ in range(8)))
            assert all(turn == turns[0] for turn in turns)
            assert texts((await sessions.view(session)).messages) == ["累"]
            assert len(gate.answered) == len(set(gate.answered))

    run(work())


def test_starting_many_times_at_once(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            turns = await asyncio.gather(*(sessions.start(record.id) for _ in range(5)))
            assert all(turn == turns[0] for turn in turns)

    run(work())


def test_words_that_have_seen_more_are_another_turn(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            first = asyncio.create_task(sessions.take(session, say("a", "难受", seen(outcome))))
            await gate.asked.wait()
            stale = asyncio.create_task(sessions.take(session, say("b", "你好", 1)))
            await asyncio.sleep(0.05)
            asked = len(gate.requests)
            assert asked == 2  # other words break nothing off
            gate.opened.set()
            one, other = await asyncio.gather(first, stale)
            assert (one.turn, other.turn) == (2, 3)
            assert texts((await sessions.view(session)).messages) == ["难受", "你好"]

    run(work())


def test_what_was_sent_before_a_question_was_seen_never_answers_it(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            before = seen(outcome)
            asked = await sessions.take(session, say("a", "还行", before))
            assert asked.position["action"]["id"] == "hours"
            late = await sessions.take(session, say("b", "8", before))
            assert late.position["action"]["id"] == "hours"
            assert await value(sessions, session, "睡了") is None
            assert await value(sessions, session, "心情") == "还行\n8"
            assert [w.data["outcome"] for w in await sessions.why(session) if w.kind == "late"] == ["appended"]
            done = await sessions.take(session, say("c", "6", seen(late) or seen(asked)))
            assert await value(sessions, session, "睡了") == 6
            assert done.position["action"]["id"] == "go"
            assert await value(sessions, session, "心情") == "还行\n8"

    run(work())


def test_a_choice_that_was_made_before_its_question_was_seen_is_none(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await sessions.take(session, say("a", "还行", seen(outcome)))
            outcome = await sessions.take(session, say("b", "6", seen(outcome)))
            stale = await sessions.take(session, Entry("c", "choice", choice="停", after=1))
            assert stale.request.kind == "choice"
            unknown = await sessions.take(session, Entry("d", "choice", choice="别的", after=seen(outcome)))
            assert unknown.request.kind == "choice"
            done = await sessions.take(session, Entry("e", "choice", choice="停", after=seen(outcome)))
            assert done.position["action"]["id"] == "last"

    run(work())


def test_without_after_everything_was_seen(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            await sessions.take(session, say("a", "还行"))
            await sessions.take(session, say("b", "7"))
            assert await value(sessions, session, "睡了") == 7

    run(work())


# senders who go away


@pytest.mark.parametrize("sender", ["repeats", "sweep", "another"])
def test_a_client_that_goes_away_loses_nothing(place: Place, sender: str) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            entry = say("k", "睡不着", seen(outcome))
            taking = asyncio.create_task(sessions.take(session, entry))
            await gate.asked.wait()
            taking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await taking
            assert await sessions.store.holder(session) is None
            assert (await sessions.session(session)).status == "active"
            gate.opened.set()
            if sender == "repeats":
                await sessions.take(session, entry)
            elif sender == "sweep":
                assert await sessions.sweep() == 1
                assert await sessions.sweep() == 0
            else:
                await sessions.take(session, say("l", "很久了", seen(outcome)))
            view = await sessions.view(session)
            assert texts(view.messages) == ["睡不着", "很久了"][: 2 if sender == "another" else 1]
            assert (await sessions.take(session, entry)).turn == 2

    run(work())


@pytest.mark.parametrize("after", [0, 0.001, 0.003, 0.006, 0.01, 0.02])
def test_a_client_that_goes_away_at_any_moment(place: Place, after: float) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            entry = say("k", "累", seen(outcome))
            taking = asyncio.create_task(sessions.take(session, entry))
            await asyncio.sleep(after)
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
            done = await sessions.take(session, entry)
            assert texts(done.messages) == ["累"]
            assert (await answer(sessions, session, done, first=1)).execution_status == "completed"

    run(work())


def test_one_of_a_burst_goes_away(place: Place) -> None:
    """Whoever worked the turn out has gone; the others' words, and those of the one who left, are still one answer."""

    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            first = asyncio.create_task(sessions.take(session, say("a", "我", seen(outcome))))
            await gate.asked.wait()
            second = asyncio.create_task(sessions.take(session, say("b", "很累", seen(outcome))))
            await asyncio.sleep(0.03)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            gate.opened.set()
            assert texts((await second).messages) == ["我", "很累"]

    run(work())


def test_words_still_waiting_when_the_session_ends_stay_in_the_transcript(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            for number, (kind, words) in enumerate(ANSWERS[:3]):
                entry = Entry(f"{number}", kind, after=seen(outcome))  # type: ignore[arg-type]
                entry = Entry(
                    entry.key,
                    entry.kind,
                    text=words if kind == "message" else None,
                    choice=words if kind == "choice" else None,
                    after=seen(outcome),
                )
                outcome = await sessions.take(session, entry)
            gate.close()
            last = asyncio.create_task(sessions.take(session, say("last", "没有了", seen(outcome))))
            await gate.asked.wait()
            more = asyncio.create_task(sessions.take(session, say("more", "等等，还有一句", 1)))
            await asyncio.sleep(0.03)
            gate.opened.set()
            assert (await last).execution_status == "completed"
            assert texts((await more).messages) == ["等等，还有一句"]
            assert texts((await sessions.view(session)).messages)[-2:] == ["没有了", "等等，还有一句"]
            await sessions.store.accept(session, say("d", "我不想活了", 1), place.clock.now())
            assert "12356" in texts((await sessions.take(session, say("d", "我不想活了", 1))).messages, "ai")[0]
            with pytest.raises(Closed):
                await sessions.take(session, say("new", "再来"))

    run(work())
