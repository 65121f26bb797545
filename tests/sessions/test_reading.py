"""What is read back: the turns after one that is known, and a person's sessions page by page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.sessions.material import Place, answer, run, say, seen, texts

from heartrule.sessions import NoSuchSession
from heartrule.store.records import Entry


def test_turns_are_read_as_they_were_answered(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            place.clock.pass_(seconds=20)
            outcomes = [first]
            outcomes.append(await sessions.take(session, say("a", "难受", seen(first))))
            outcomes.append(await sessions.take(session, Entry("r", "resume")))
            outcomes.append(await answer(sessions, session, outcomes[1], first=1))
            stored = await sessions.turns(session)
            assert [outcome.turn for outcome in stored] == [1, 2, 3, 4, 5, 6]
            assert list(stored[:3]) == outcomes[:3]
            assert stored[-1] == outcomes[-1]
            assert stored[2].messages == ()
            assert texts([message for outcome in stored for message in outcome.messages]) == [
                *("难受", "5 个小时", "接着谈", "没有了")
            ]
            assert stored[1].at == place.clock.now()
        async with place.open() as again:
            assert list(await again.turns(session)) == list(stored)

    run(work())


@pytest.mark.parametrize(
    ("after", "limit", "numbers"),
    [(0, 2, [1, 2]), (2, 2, [3, 4]), (4, 100, [5]), (5, 100, []), (99, 100, []), (0, 0, []), (-5, 1, [1])],
)
def test_turns_come_in_pages(place: Place, after: int, limit: int, numbers: list[int]) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            found = await sessions.turns(session, after=after, limit=limit)
            assert [one.turn for one in found] == numbers
            assert [m.turn for one in found for m in one.messages] == [
                m.turn for m in (await sessions.view(session)).messages if m.turn in numbers
            ]

    run(work())


def test_messages_that_were_taken_over_belong_to_no_turn(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("a", "难受", seen(outcome)))
            anew = await sessions.start_over(session)
            first = await sessions.start(anew.id)
            assert list(await sessions.turns(anew.id)) == [first]
            assert "难受" not in texts(first.messages)

    run(work())


def test_there_are_no_turns_of_no_session(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            record = await sessions.create(place.script)
            assert await sessions.turns(record.id) == []
            with pytest.raises(NoSuchSession):
                await sessions.turns("nobody's")

    run(work())


def test_a_persons_sessions_come_in_pages(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            person = await sessions.store.new_person("wx:1")
            made = []
            for number in range(7):
                made.append((await sessions.create(place.script, person=person)).id)
                if number % 3:  # some are made at the very same moment
                    place.clock.pass_(seconds=1)
            other = await sessions.create(place.script)
            pages: list[list[str]] = []
            before = None
            while page := await sessions.of_person(person, limit=3, before=before):
                pages.append([record.id for record in page])
                before = page[-1].id
            assert [len(page) for page in pages] == [3, 3, 1]
            assert sorted(id_ for page in pages for id_ in page) == sorted(made)
            everything = await sessions.of_person(person)
            assert [record.id for record in everything] == [id_ for page in pages for id_ in page]
            times = [record.created_at for record in everything]
            assert times == sorted(times, reverse=True)
            assert await sessions.of_person(person, before=other.id) == ()
            assert await sessions.of_person("nobody") == ()
            assert sessions.life(everything[0]) == "created"

    run(work())


def test_a_view_shows_as_many_messages_as_are_asked_for(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            whole = await sessions.view(session)
            assert [message.number for message in whole.messages] == list(range(1, whole.last_message + 1))
            for count in (0, 3, 1000):
                part = await sessions.view(session, messages=count)
                assert part.messages == (whole.messages[-count:] if count else ())
                assert replace(part, messages=whole.messages) == whole
            first = whole.messages[-3].number
            assert await sessions.store.last_messages(session, before=first) == whole.messages[:-3]

    run(work())


def test_why_reads_the_latest_decisions_only(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            whole = await sessions.why(session)
            assert len(whole) >= 3
            assert list(await sessions.why(session, limit=2)) == list(whole[-2:])
            assert not await sessions.why(session, limit=0)
            with pytest.raises(NoSuchSession):
                await sessions.why("nobody's")

    run(work())
