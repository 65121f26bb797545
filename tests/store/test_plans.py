"""The queries of every turn and every sweep find their rows through an index, however much is stored."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, Select, event
from tests.store import worlds

from heartrule.store import (
    Store,
    audit,
    belongings,
    bundles,
    escalations,
    history,
    inbox,
    keys,
    ledger,
    memories,
    outbox,
    persons,
    reviews,
    sessions,
    snapshots,
    turns,
    variables,
    watchlist,
)

VALUES: dict[str, Any] = {
    "after": 0,
    "before": "s0",
    "bundle": "b",
    "digest": b"d",
    "globals": "p/demo",
    "day": datetime(2025, 1, 1, tzinfo=UTC),
    "key_digest": b"k",
    "limit": 10,
    "no": False,
    "now": datetime(2025, 1, 1, tzinfo=UTC),
    "person": "p",
    "seen": 0,
    "seq": 1,
    "session": "s1",
    "since": datetime(2024, 1, 1, tzinfo=UTC),
    "turn": 1,
    "upto": 1,
}
HOT: dict[str, Select[Any]] = {
    "session": sessions._one,
    "standing": sessions._standing,
    "owners": sessions._owners,
    "sessions of a person": sessions._of_person,
    "newest sessions of a person": sessions._newest_of_person,
    "older sessions of a person": sessions._older_of_person,
    "due": sessions._due,
    "unanswered": sessions._unanswered,
    "holder": sessions._holder,
    "known input": inbox._known,
    "ends of an inbox": inbox._ends,
    "waiting inputs": inbox._waiting,
    "messages after": history._after,
    "newest messages": history._newest,
    "newest messages before": history._newest_before,
    "events": history._events,
    "latest events": history._latest_events,
    "calls of a turn": history._calls_of_turn,
    "highest attempt of a turn": ledger._highest,
    "attempts of a turn": ledger._of_turn,
    "visible variables": variables._visible,
    "variables of an owner": variables._of_owner,
    "what is remembered": memories._seen,
    "what is remembered of a session": memories._own,
    "turn": turns._one,
    "turns after": turns._after,
    "last message": turns._last_message,
    "snapshot": snapshots._last,
    "person by subject": persons._by_digest,
    "bundle": bundles._sources,
    "next work": outbox._next,
    "deeds in a session": audit._of_session,
    "calls in a session": escalations._of_session,
    "how sessions stand": watchlist._standing,
    "where to draw a sample from": reviews._latest,
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store.open(tmp_path_factory.mktemp("plans"), synchronous="OFF")

    async def run() -> None:
        for number in range(3):
            await worlds.session(store, f"s{number}")
            await worlds.talk(store, f"s{number}", 1, "在")

    asyncio.run(run())
    return store


def plan(store: Store, statement: Executable) -> list[str]:
    """How SQLite goes about it, step by step."""
    with store._db.engines.reader.begin() as connection:
        compiled = statement.compile(connection.engine)  # type: ignore[attr-defined]
        names = compiled.positiontup or []
        given = {**VALUES, "session": b"d"} if "session_digest" in str(compiled) else VALUES
        processors = compiled._bind_processors
        values = [given.get(name, compiled.params.get(name)) for name in names]
        ready = [
            processors[name](value) if name in processors else value for name, value in zip(names, values, strict=True)
        ]
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", tuple(ready)).all()
    return [row[-1] for row in rows]


@pytest.mark.parametrize("name", HOT)
def test_no_query_of_a_turn_reads_a_whole_table(filled: Store, name: str) -> None:
    steps = plan(filled, HOT[name])
    assert steps
    # The index of waiting inputs holds nothing else and is read whole on purpose.
    assert not [
        step
        for step in steps
        if step.startswith("SCAN") and "ix_inbox_waiting" not in step and "CONSTANT ROW" not in step
    ], steps


@pytest.mark.parametrize(
    "name",
    [
        *("waiting inputs", "messages after", "newest messages", "newest messages before", "events", "latest events"),
        *("turn", "turns after", "snapshot"),
    ],
)
def test_nothing_is_sorted_that_is_kept_in_order(filled: Store, name: str) -> None:
    assert not [step for step in plan(filled, HOT[name]) if "TEMP B-TREE" in step]


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        (sessions._newest, "ix_sessions_last_active_at"),
        (escalations._unacknowledged, "ix_escalations_waiting"),
        (escalations._days, "ix_escalations_day"),
        (escalations._days_waiting, "ix_escalations_waiting"),
        (escalations._first_day, "ix_escalations_waiting"),
        (escalations._of_day, "ix_escalations_waiting"),
        (belongings._notes, "ix_escalations_session"),
    ],
)
def test_what_is_looked_at_all_day_is_found_by_its_index(filled: Store, statement: Executable, index: str) -> None:
    in_order(plan(filled, statement), index)


@pytest.mark.parametrize(
    "which",
    ["taken", "help", "all"],
)
def test_a_counsellors_list_is_found_by_its_indexes(filled: Store, which: watchlist.Which) -> None:
    """However much has gone before: it is asked for every few seconds."""
    asked: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *more: Any) -> None:
        asked.append((statement, parameters))

    engine = filled._db.engines.reader
    event.listen(engine, "before_cursor_execute", note)
    try:
        asyncio.run(filled.watchlist.sessions(which, VALUES["since"], ["s1"], ["demo"]))
    finally:
        event.remove(engine, "before_cursor_execute", note)
    with engine.begin() as connection:
        plans = [
            [row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            for statement, parameters in asked
        ]
    in_order(plans[0], "ix_sessions_last_active_at")
    for steps in plans:
        assert not [step for step in steps if step.startswith("SCAN sessions") and "USING INDEX" not in step], steps


def in_order(steps: list[str], index: str) -> None:
    assert any(index in step for step in steps), steps
    assert not [step for step in steps if step.startswith("SCAN") and "INDEX" not in step], steps


def test_due_sessions_are_found_by_their_time(filled: Store) -> None:
    assert any("ix_sessions_wake_at" in step for step in plan(filled, HOT["due"]))


def test_unanswered_sessions_are_found_by_what_waits(filled: Store) -> None:
    assert any("ix_inbox_waiting" in step for step in plan(filled, HOT["unanswered"]))


def test_a_persons_key_is_found_by_index(filled: Store, tmp_path: Path) -> None:
    with filled._key_engines.reader.begin() as connection:
        compiled = keys._key_of.compile(connection.engine)
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", ("p",)).all()
    assert all(row[-1].startswith("SEARCH") for row in rows)
