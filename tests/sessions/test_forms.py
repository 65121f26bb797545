"""Forms through the sessions' own door: nobody waits for a draft, and nothing of one is lost, doubled or taken for
words."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.server.test_forms import SCRIPT
from tests.sessions.material import Place, run, script_file, seen, texts

from heartrule.engine.session.io import FormAnswers
from heartrule.sessions import NoSuchSession, Outcome, Sessions
from heartrule.sessions import forms as sent
from heartrule.store.records import Entry


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    made.script = str(script_file(tmp_path, SCRIPT))
    return made


def entry(outcome: Outcome, kind: Any, name: str, **values: Any) -> Entry:
    assert outcome.request.form is not None
    return Entry(name, kind, text=sent.encode_answers(outcome.request.form.key, values))


def values(outcome: Outcome) -> dict[str, Any]:
    assert outcome.request.form is not None
    return dict(outcome.request.form.values)


async def scores(sessions: Sessions, session: str) -> list[Any]:
    return [each.scores["total"] for each in await sessions.forms(session)]


def test_what_is_sent_is_read_as_it_was_written() -> None:
    given = {"q1": 1, "note": "“引号”\n", "what": ["a", 2], "yes": True, "gone": None}
    assert sent.decode_answers(sent.encode_answers("f1", given)) == FormAnswers("f1", given)
    for broken in (None, "{}", "[1]", '{"key": "f"}'):
        with pytest.raises((TypeError, ValueError)):
            sent.decode_answers(broken)


def test_nobody_is_told_that_a_draft_is_being_worked_on(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            async with sessions.watch(session) as watch:
                await sessions.take(session, entry(first, "form_draft", "a", q1=1))
                await sessions.take(session, entry(first, "form_submit", "b", q9=0))
                news = [await anext(watch) for _ in range(3)]
            assert [(one.kind, one.turn) for one in news] == [("committed", 2), ("begun", 3), ("committed", 3)]

    run(work())


def test_a_draft_that_a_crash_left_waiting_is_kept_by_the_next_process(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            await sessions.store.accept(session, entry(first, "form_draft", "a", note="写到一半"), place.clock.now())
        async with place.open() as other:
            assert await other.sweep() == 1
            assert (await other.view(session)).request.form is not None
            outcome = await other.take(session, entry(first, "form_submit", "b", q1=0, q9=0))
            assert texts(outcome.messages) == ["（填好了“心情表”）"]
            (result,) = await other.forms(session)
            assert (result.values, result.name) == ({"q1": 0, "q9": 0, "note": "写到一半"}, "心情表")

    run(work())


def test_two_who_hand_it_in_at_once_hand_it_in_once(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            both = await asyncio.gather(
                *(sessions.take(session, entry(first, "form_submit", f"tab {at}", q1=at, q9=0)) for at in range(2))
            )
            assert sorted(len(texts(outcome.messages)) for outcome in both) == [0, 1]
            assert len(await scores(sessions, session)) == 1
            again = await sessions.take(session, entry(first, "form_submit", "tab 0", q1=0, q9=0))
            assert again == both[0]

    run(work())


def test_a_form_is_no_words_to_who_begins_anew(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            await sessions.take(session, entry(first, "form_draft", "a", q1=1))
            await sessions.store.accept(session, entry(first, "form_draft", "b", note="写到一半"), place.clock.now())
            over = await sessions.start_over(session, place.script)
            outcome = await sessions.start(over.id)
            assert texts((await sessions.view(over.id)).messages) == []
            assert values(outcome) == {}

    run(work())


def test_what_a_form_says_is_what_the_turn_after_it_finds(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            outcome = await sessions.take(session, entry(first, "form_draft", "a", q1=1, since="2026-11-01"))
            assert values(outcome) == {"q1": 1, "since": "2026-11-01"}
            assert (await sessions.view(session)).request == outcome.request
            assert (await sessions.turns(session))[-1].request == outcome.request
            outcome = await sessions.take(session, entry(first, "form_submit", "b", q9=0))
            assert texts(outcome.messages, "ai")[-1].endswith("1分。还有吗？")
            assert await scores(sessions, session) == [1]
            assert seen(outcome) == 2

    run(work())


def test_results_of_no_session(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            with pytest.raises(NoSuchSession):
                await sessions.forms("none")

    run(work())
