"""What lies on the disk. An adversary who has the data folder without its key, and knows of half of 200 sessions what
was answered in them, tells it of the other half no better than by guessing.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from heartrule.llm.model import Model
from heartrule.sessions import Settings, open_sessions
from heartrule.store.records import Entry

SESSIONS = 200
SCRIPT = """
sessions:
  - session: 安全
    id: safe
    declare:
      - {var: 有自杀念头, type: boolean, define: 有没有不想活的念头}
      - {var: 心情, define: 今天的心情}
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 问
            id: asks
            actions:
              - {type: ask, content: 今天心情怎么样？, output: [{get: 心情}]}
              - type: ask
                content: 最近有没有不想活的念头？
                output: [{get: 有自杀念头}]
              - {type: ask, content: 谢谢你说出来。还有什么想说的吗？, output: [{get: 心情}]}
              - {type: say, content: 今天先到这里。}
"""
WORDS = ("safety", "crisis", "suicide", "有自杀念头", "心情", "takeover", "awareness")
Features = Mapping[str, float]


def folder_of(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir(parents=True)
    (made / "project.yaml").write_text("id: spy\n", encoding="utf-8")
    (made / "safe.yaml").write_text(SCRIPT, encoding="utf-8")
    return made


async def held(data: Path, project_: Path, secret: Mapping[int, str]) -> list[str]:
    """The ids of sessions in which ``secret`` was answered; everything else is the same."""
    settings = Settings(data=data, projects=[project_], model=Model(), synchronous="OFF")
    ids = []
    async with open_sessions(settings) as sessions:
        for number in sorted(secret):
            record = await sessions.create("spy/safe", None, {}, None, {})
            ids.append(record.id)
            said = ["还可以", secret[number], "没有了"]
            outcome = await sessions.take(record.id, Entry("start", "start"))
            for at, words in enumerate(said):
                last = outcome.messages[-1].number
                outcome = await sessions.take(record.id, Entry(f"{at}", "message", text=words, after=last))
    return ids


def seen(database: Path, ids: list[str]) -> list[dict[str, float]]:
    """All that can be told of each session's rows without the key: how many of which, how long each value is, and what
    stands in clear."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found: dict[str, dict[str, float]] = {each: {} for each in ids}
    known = [row for row in connection.execute("SELECT id, person FROM sessions") if row["id"] in found]
    persons = {row["person"]: row["id"] for row in known}
    for table in tables:
        rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
        for row in rows:
            whose = _whose(row, found, persons)
            if whose is not None:
                for name, value in _told(table, row, found[whose].get(f"{table} rows", 0)):
                    found[whose][name] = found[whose].get(name, 0) + value
                found[whose][f"{table} rows"] = found[whose].get(f"{table} rows", 0) + 1
    connection.close()
    return [found[each] for each in ids]


def _whose(row: sqlite3.Row, known: Mapping[str, Any], persons: Mapping[str, str]) -> str | None:
    for name in ("session", "owner", "id", "person"):
        value = row[name] if name in row.keys() else None  # noqa: SIM118
        if isinstance(value, str):
            whose = value if value in known else persons.get(value.partition("/")[0])
            if whose is not None:
                return whose
    return None


def _told(table: str, row: sqlite3.Row, number: float) -> Iterator[tuple[str, float]]:
    for name in row.keys():  # noqa: SIM118
        value = row[name]
        if isinstance(value, bytes):
            yield f"{table}.{name} {number:.0f} long", len(value)
        elif isinstance(value, str) and not value.startswith("20"):
            yield f"{table}.{name} {number:.0f} is {value[:24]}", 1
        elif isinstance(value, int):
            yield f"{table}.{name} {number:.0f} is", value


def guessed(known: list[tuple[Features, bool]], unknown: list[Features]) -> list[bool]:
    """Naive Bayes on what differs between the known ones of both kinds: everything that is seen counts, and what is
    seen in one kind alone counts most."""
    names = sorted({name for each, _ in known for name in each})
    weights = []
    for name in names:
        kinds = [sorted(each.get(name, 0.0) for each, kind in known if kind is which) for which in (False, True)]
        middles = [sum(each) / len(each) for each in kinds]
        both = list(zip(kinds, middles, strict=True))
        spread = max((sum((value - middle) ** 2 for value in each) / len(each)) ** 0.5 for each, middle in both)
        if middles[0] != middles[1]:
            weights.append((name, sum(middles) / 2, (middles[1] - middles[0]) / (spread**2 + 1e-9)))
    return [sum(weight * (each.get(name, 0.0) - middle) for name, middle, weight in weights) > 0 for each in unknown]


def right(features: list[dict[str, float]], truth: list[bool]) -> float:
    half = len(truth) // 2
    told = guessed(list(zip(features[:half], truth[:half], strict=True)), [*features[half:]])
    return sum(guess == fact for guess, fact in zip(told, truth[half:], strict=True)) / (len(truth) - half)


@pytest.mark.parametrize("answers", [("没有", "有过"), ("从来没有过", "有")])
def test_two_hundred_sessions_tell_no_answer(tmp_path: Path, answers: tuple[str, str]) -> None:
    """Not when one answer is longer than the other, either."""
    chance = random.Random(11)
    truth = [chance.random() < 0.5 for _ in range(SESSIONS)]
    words = {number: answers[yes] for number, yes in enumerate(truth)}
    ids = asyncio.run(held(tmp_path / "data", folder_of(tmp_path), words))
    features = seen(tmp_path / "data" / "heartrule.db", ids)
    share = right(features, truth)
    print(f"right: {share:.2f} of {SESSIONS // 2}")  # noqa: T201
    assert 0.33 <= share <= 0.67


def test_nothing_that_is_counted_in_clear_tells_one_answer(tmp_path: Path) -> None:
    """What stands ahead of the database, or in two copies of it, holds each value that a count has had."""
    grown: dict[str, set[tuple[tuple[str, int], ...]]] = {}

    database = tmp_path / "data" / "heartrule.db"

    async def work() -> None:
        settings = Settings(data=tmp_path / "data", projects=[folder_of(tmp_path)], model=Model(), synchronous="OFF")
        async with open_sessions(settings) as sessions:
            for number in range(20):
                id_ = (await sessions.create("spy/safe", None, {}, None, {})).id
                last = (await sessions.take(id_, Entry("start", "start"))).messages[-1].number
                last = (await sessions.take(id_, Entry("0", "message", "还可以", after=last))).messages[-1].number
                said, before = ("没有", "有")[number % 2], counted(database, id_)
                await sessions.take(id_, Entry("1", "message", said, after=last))
                more = {(name, value - before.get(name, 0)) for name, value in counted(database, id_).items()}
                grown.setdefault(said, set()).add(tuple(sorted(more)))

    asyncio.run(work())
    assert grown["没有"] == grown["有"]


def counted(database: Path, session: str) -> dict[str, int]:
    """Every whole number in clear of a session's rows."""
    (found,) = seen(database, [session])
    return {name: int(value) for name, value in found.items() if name.endswith(" is")}


def test_no_name_and_no_word_of_danger_stands_in_clear(tmp_path: Path) -> None:
    words = {number: "我不想活了，想自杀" if number % 2 else "没有" for number in range(6)}
    asyncio.run(held(tmp_path / "data", folder_of(tmp_path), words))
    connection = sqlite3.connect(tmp_path / "data" / "heartrule.db")
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if table in ("sources", "bundle_sources"):
            continue
        for row in connection.execute(f'SELECT * FROM "{table}"'):
            for word in WORDS:
                assert not any(word in str(value) for value in row if not isinstance(value, bytes)), (table, word)
    connection.close()


def test_an_escalation_leads_to_no_session(tmp_path: Path) -> None:
    words = {0: "我不想活了，想自杀"}
    ids = asyncio.run(held(tmp_path / "data", folder_of(tmp_path), words))
    connection = sqlite3.connect(tmp_path / "data" / "heartrule.db")
    moments = {row[0] for row in connection.execute("SELECT at FROM turns")}
    for table in ("escalations", "outbox", "audit"):
        for row in connection.execute(f"SELECT * FROM {table}"):
            assert not any(ids[0] in str(value) for value in row), table
            assert not moments & {value for value in row if isinstance(value, str)}, table
    connection.close()
