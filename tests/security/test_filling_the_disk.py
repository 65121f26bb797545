"""Somebody who sends as much as is permitted: what a form does not have is not kept, a draft weighs what is kept of its
turn, and what one session, person and address may have kept is bounded. Short words are heard all the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update
from tests.server.material import Asked, Grounds, Visit, problem, run
from tests.server.test_forms import SCRIPT, begun, form, send

from heartrule.store.inbox import DRAFT, OF_A_SESSION
from heartrule.store.schema import leases

MANY = 40


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    made = Grounds(tmp_path)
    (made.project / "filling.yaml").write_text(SCRIPT, encoding="utf-8")
    return made


def kept(grounds: Grounds) -> int:
    """Bytes of the database, once what was written ahead is in it."""
    path = grounds.data / "heartrule.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


async def drafted(api: Asked, visit: Visit, key: str, number: int, **more: str) -> None:
    await form(api, visit, "draft", key, f"draft-{number:08}", note=f"{number} " + "词" * 150, **more)


def test_what_the_form_does_not_have_is_not_kept(grounds: Grounds) -> None:
    junk = {f"field-{number}": "垃圾" * 250 for number in range(60)}
    grown = []

    async def work(many: int, **more: str) -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            for number in range(many):
                await drafted(api, visit, turn["request"]["form"]["key"], number, **more)
            answer = await send(api, visit, "draft", {"key": turn["request"]["form"]["key"], "values": {"zz": "x"}})
            assert answer.status_code == 200, "and it is no mistake"

    run(work(0))
    for more in ({}, junk):
        before = kept(grounds)
        run(work(MANY, **more))
        grown.append((kept(grounds) - before) // MANY)
    plain, filled = grown
    print(f"bytes a draft: {plain}, and {filled} with 90 kB of fields that the form does not have")  # noqa: T201
    assert filled <= plain + 1024
    assert plain <= DRAFT * 1.5, "what a draft is taken to weigh"


def test_drafts_end_before_words_do(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            key = turn["request"]["form"]["key"]
            await api.context.sessions.store._db.write(
                lambda tx: tx.conn.execute(update(leases).values(bytes=OF_A_SESSION - DRAFT))
            )
            problem(await send(api, visit, "draft", {"key": key, "values": {"q1": 1}}), "full", 413)
            assert (await send(api, visit, "submit", {"key": key, "values": {"q1": 1, "q9": 1}})).status_code == 200
            assert (await api.session(visit))["in_crisis"]

    run(work())


def test_one_address_may_send_so_much_an_hour_and_is_heard(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(rates={"token": 0, "sessions": 0, "turns": 0, "pages": 0, "address": 100_000}) as api:
            visit, _ = await api.begun()
            filling, turn = await begun(api)
            for _ in range(64):
                api.context.limits.weigh("127.0.0.1", 1024 * 1024)
            problem(await api.send(visit, text="长" * 3_000), "too-many-requests", 429)
            given = {"key": turn["request"]["form"]["key"], "values": {"q1": 1}}
            problem(await send(api, filling, "draft", given), "too-many-requests", 429)
            assert (await api.send(visit, text="救救我，我不想活了")).status_code == 200
            assert (await api.session(visit))["in_crisis"]

    run(work())
