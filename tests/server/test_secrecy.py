"""Nothing that is said over HTTP stands in a log, a count, an error of somebody else's, or a file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from sqlalchemy.exc import OperationalError
from tests.server.material import API, SCRIPT, Asked, Grounds, Visit, run, seen
from tests.sessions.test_secrecy import PLANTED, Quick, Talker, files, found_in

from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.server.bodies import LARGEST_BODY

JSON = {"Content-Type": "application/json"}


async def said_in_every_way(api: Asked, visit: Visit, secrets: Iterator[str]) -> None:
    turn = await api.turn(visit, type="start")
    for number in range(12):
        turn = await api.turn(visit, text=next(secrets), after=seen(turn) or None)
        if number % 3 == 0:
            body = {"key": f"aloud-{number:04}", "input": {"type": "message", "text": next(secrets)}}
            async with api.aloud(visit, **body) as stream:
                async for _ in stream:
                    pass
    await api.turn(visit, type="choice", choice=next(secrets))
    await asyncio.gather(*(api.turn(visit, text=next(secrets), after=seen(turn)) for _ in range(3)))
    async with api.events(visit, 0) as events:
        await anext(events)


async def refused_in_every_way(api: Asked, visit: Visit, secrets: Iterator[str]) -> list[httpx2.Response]:
    """What was answered; only a sender's own made-up names may come back, to that sender."""
    turns, token = f"{visit.path}/turns", visit.token

    def wrong(**given: Any) -> dict[str, Any]:
        return {"key": "a-wrong-key", "input": {"type": "message", "text": next(secrets)}, **given}

    answers = [
        await api.post(turns, wrong(input={"type": "message", "text": [next(secrets)]}), token),
        await api.post(turns, wrong(input={"type": "start", "text": next(secrets)}), token),
        await api.post(turns, wrong(key=next(secrets)), token),
        await api.post(turns, wrong(after=next(secrets)), token),
        await api.post(turns, wrong(), None),
        await api.post(turns, wrong(), "nonsense"),
        await api.post(turns, wrong(input={"type": "message", "text": next(secrets) * 2000}), token),
        await api.post(f"{API}/sessions/nothing/turns", wrong(), token),
        await api.post(turns, wrong(), token, headers={"Accept": "image/png"}),
        await api.client.post(turns, content=f'{{"text": "{next(secrets)}', headers={**JSON, **bearer(token)}),
        await api.client.post(turns, content=next(secrets), headers={"Content-Type": "text/plain", **bearer(token)}),
        await api.client.post(turns, content=next(secrets) * (LARGEST_BODY // 20), headers={**JSON, **bearer(token)}),
        await api.post(f"{API}/sessions", {"script": SCRIPT, "variables": {"睡了": next(secrets)}}),
        await api.post(f"{API}/sessions", {"script": SCRIPT, "options": {"memory": next(secrets)}}),
    ]
    store = api.context.sessions.store
    for method in ("accept_and_load", "commit"):
        kept = getattr(store, method)
        for fault in (RuntimeError, ValueError, OSError):
            setattr(store, method, failing(fault(next(secrets))))
            answers.append(await api.post(turns, wrong(key=f"key-{method}-{fault.__name__}"), token))
            setattr(store, method, failing(OperationalError(next(secrets), {"text": next(secrets)}, Exception())))
            aloud = {"Accept": "text/event-stream"}
            answers.append(await api.post(turns, wrong(key=f"db-{method}-{fault.__name__}"), token, headers=aloud))
        setattr(store, method, kept)
    kept, store.load = store.load, failing(OperationalError(next(secrets), {"text": next(secrets)}, Exception()))
    answers.append(await api.get(visit.path, token))
    store.load = kept
    return answers


def failing(error: Exception) -> Any:
    async def work(*_: object, **__: object) -> None:
        raise error

    return work


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def endless() -> Iterator[str]:
    while True:
        yield from PLANTED[:60]


def test_nothing_that_was_said_stands_anywhere(
    grounds: Grounds, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model = Model([ScriptedProvider(Talker(iter(PLANTED[60:90])))], random=lambda: 0.5, clock=Quick())
    secrets = endless()
    variables = {"心情": PLANTED[90]}

    async def work() -> tuple[list[httpx2.Response], str]:
        async with grounds.served(store={"model": model}, debug="full") as api:
            visit = await api.visit(variables=variables)
            await said_in_every_way(api, visit, secrets)
            answers = await refused_in_every_way(api, visit, secrets)
            counts = (await api.get("/metrics")).text
            gone = api.client.post(f"{visit.path}/turns", json={"key": "gone-00001", "input": {"type": "resume"}})
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(gone, 0)
        return answers, counts

    answers, counts = run(work(), 60)
    assert {answer.status_code for answer in answers} >= {400, 401, 404, 406, 413, 415, 422, 500, 503}
    for answer in answers:
        assert found_in(answer.content) == []
        assert found_in(repr(answer.headers).encode()) == []
    assert found_in(counts.encode()) == []
    out, err = capfd.readouterr()
    assert found_in((out + err).encode()) == []
    told = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
    assert found_in(told.encode()) == []
    kept = {path.name: found_in(path.read_bytes()) for path in files(grounds.data)}
    assert "fault reference=" in told
    assert not any(kept.values()), kept
    assert "heartrule_faults_total 0.0" not in counts
