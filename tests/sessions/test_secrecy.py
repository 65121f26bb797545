"""A hundred planted sentences, in everything that people and models say: in no file, log, error or representation."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.sessions.material import Gate, Place, change, reseal_state, run, say, seen

from heartrule.llm.model import Model
from heartrule.llm.provider import Cut, Request, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Sessions, Settings
from heartrule.store.records import Entry

COUNT = 100
PLANTED = [f"秘密{number:03d}：我从没跟人说过 secret-{number:03d}" for number in range(COUNT)]


def spellings(sentence: str) -> Iterable[bytes]:
    yield sentence.encode()
    yield sentence.encode("utf-16-le")
    yield sentence.encode("utf-16-be")
    yield json.dumps(sentence)[1:-1].encode()
    yield sentence.encode("unicode-escape")
    yield base64.b64encode(sentence.encode())[:-4]
    yield sentence.encode().hex().encode()
    yield sentence[:5].encode()
    yield sentence[-10:].encode()


def found_in(data: bytes) -> list[str]:
    return [sentence for sentence in PLANTED if any(spelling in data for spelling in spellings(sentence))]


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


class Talker:
    """A model that says planted sentences itself, in every field that it may fill, and fails now and then."""

    def __init__(self, own: Iterator[str]) -> None:
        self._own, self._calls = own, 0

    def __call__(self, request: Request) -> Any:
        self._calls += 1
        if self._calls % 7 == 3:
            return ServerError("500")
        if self._calls % 7 == 5:
            return Cut()
        properties = (request.schema or {}).get("properties", {})
        secret = next(self._own, PLANTED[-1])
        if self._calls % 7 == 6:
            return f"这不是 JSON：{secret}"
        if "verdicts" in properties:
            return {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": secret}]}
        return {
            "understood": True,
            "values": {"心情": {"value": secret, "evidence": secret}},
            "content": secret,
            "EXIT": "NO",
            "exit_reason": secret,
            "BRIEF": secret,
            "progress_suggestion": "continue_needed",
        }


async def whole_life(place: Place, told: list[str]) -> str:
    """A session through everything that may go wrong. ``told`` collects what errors and representations say."""
    spoken, own = iter(PLANTED[:60]), iter(PLANTED[60:90])
    start = dict(zip(("心情", "备注", "睡了"), PLANTED[90:93], strict=True))
    model = Model([ScriptedProvider(Talker(own))], random=lambda: 0.5, clock=Quick())
    async with place.open(model) as sessions:
        session, outcome = await place.begun(sessions, variables=start)
        for number, words in enumerate(spoken):
            if outcome.execution_status == "completed":
                session, outcome = await place.begun(sessions, variables=start)
            entry = say(f"{PLANTED[93]} {number}", words, seen(outcome) or None)
            if outcome.request.kind == "choice":
                entry = Entry(entry.key, "choice", choice="谈")
                await sessions.take(session, say(f"{number}", words))
            outcome = await sessions.take(session, entry)
            told += [repr(outcome), repr(entry)]
        session, outcome = await place.begun(sessions, variables=start)
        await sessions.take(session, say(f"{PLANTED[93]} 1", "在", seen(outcome)))
        await complaints(sessions, session, told)
        told += [repr(await sessions.view(session)), repr(await sessions.why(session))]
        told += [repr(await sessions.store.load(session, 100)), repr(await sessions.store.messages(session))]
        told += [repr(await sessions.store.events(session)), repr(await sessions.store.calls(session))]
        told += [repr(await sessions.store.inbox(session)), repr(await sessions.recent())]
        told += [repr(await sessions.store.snapshot(session, 100)), repr(await sessions.store.variables(session))]
    return session


class Quick:
    """A clock on which waiting takes no time."""

    def now(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)

    def within(self, seconds: float) -> Any:
        return asyncio.timeout(5)


async def complaints(sessions: Sessions, session: str, told: list[str]) -> None:
    """Everything that can be refused, by words that must not come back."""
    other = PLANTED[94]

    async def broken(*_: object) -> None:
        raise RuntimeError("broken")

    wrong: list[Any] = [
        sessions.take(session, say(f"{PLANTED[93]} 1", other)),
        sessions.take("none", say("k", other)),
        sessions.create("cbt/none", variables={"心情": other}),
        sessions.create("cbt/abc_intro", variables={"心情": {other}}),
        sessions.take(session, Entry("k", "message", text=b"bytes")),  # type: ignore[arg-type]
    ]
    for work in wrong:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is, it is quiet
            await work
        told += complaint(caught.value)
    change(sessions, "CREATE TRIGGER broken BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END")
    await refused(sessions.take(session, say("trigger", PLANTED[95])), told)
    change(sessions, "DROP TRIGGER broken")
    await reseal_state(sessions, session, lambda state: {**state, "mood": PLANTED[96]})
    await refused(sessions.take(session, say("state", PLANTED[97])), told)
    await reseal_state(sessions, session, lambda state: {k: v for k, v in state.items() if k != "mood"})
    save = sessions.store.save_calls
    sessions.store.save_calls = broken  # type: ignore[method-assign,assignment]
    await refused(sessions.take(session, say("calls", PLANTED[98])), told)
    sessions.store.save_calls = save  # type: ignore[method-assign]
    await sessions.take(session, say("last", PLANTED[99]))


async def refused(work: Any, told: list[str]) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is, it is quiet
        await work
    told += complaint(caught.value)


def complaint(error: BaseException) -> list[str]:
    return [str(error), repr(error), "".join(traceback.format_exception(error))]


def test_a_session_leaves_no_word_anywhere(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    with caplog.at_level(logging.DEBUG):
        for name in ("sqlalchemy.engine", "sqlalchemy.pool", "asyncio", "heartrule", "alembic"):
            caplog.set_level(logging.DEBUG, logger=name)
        run(whole_life(place, told))
    in_no_file(place)
    assert "INSERT INTO messages" in caplog.text  # the database's own log was on
    assert found_in(caplog.text.encode()) == []
    assert {text[:300] for text in told if found_in(text.encode("utf-8", "surrogatepass"))} == set()
    all_were_there(place)


def in_no_file(place: Place) -> None:
    written = {path: path.read_bytes() for path in files(place.folder / "data")}
    assert any(b"talk" in data for data in written.values())  # the position is there in clear: we look where things are
    assert {path.name: found for path, data in written.items() if (found := found_in(data))} == {}


def all_were_there(place: Place) -> None:
    """Else their absence would mean nothing."""

    async def everything() -> str:
        async with place.open() as sessions:
            return str([await sessions.store.dump(record.id) for record in await sessions.recent()])

    whole = run(everything())
    absent = [sentence for sentence in PLANTED if sentence not in whole]
    assert set(absent) <= {PLANTED[94], PLANTED[96]}  # what was refused was not kept


def test_while_a_turn_is_under_way_no_file_holds_its_words(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            taking = asyncio.create_task(sessions.take(session, say("k", PLANTED[0], seen(outcome))))
            await gate.asked.wait()
            assert [path.name for path in files(place.folder / "data") if found_in(path.read_bytes())] == []
            gate.opened.set()
            await taking

    run(work())


def test_settings_do_not_show_passwords(tmp_path: Path) -> None:
    settings = Settings(tmp_path, database="postgresql://me:geheim@host/db", keys="postgresql://me:geheim@host/keys")
    assert "geheim" not in repr(settings) + str(settings)


def test_files_are_for_their_owner_only(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            await place.begun(sessions)
            modes = {path.name: path.stat().st_mode & 0o077 for path in files(place.folder / "data")}
            assert set(modes.values()) == {0}, modes
            assert (place.folder / "data").stat().st_mode & 0o077 == 0

    run(work())
