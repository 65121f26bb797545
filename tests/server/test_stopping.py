"""Stopping: what runs comes to its end, streams say goodbye, and what does not end in time is answered by the next."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path

import httpx2
import pytest
from tests.browser.served import Served
from tests.server.material import Asked, Grounds, problem, project, rest, run, said, seen, until
from tests.sessions.material import Gate

from heartrule.testing.openai_server import OpenAIServer


async def stop(api: Asked) -> None:
    assert api.server is not None
    api.server.should_exit = True
    await asyncio.wait_for(api.context.running.stopping.wait(), 20)


def test_while_it_serves_the_collector_leaves_alone_what_was_loaded(grounds: Grounds) -> None:
    async def work() -> None:
        before = gc.get_threshold()
        assert gc.get_freeze_count() == 0
        async with grounds.served():
            assert gc.get_freeze_count() > 10_000
            assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() == 0
        assert gc.get_threshold() == before

    run(work())


def test_a_stop_lets_turns_finish_and_streams_end(grounds: Grounds) -> None:
    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}) as api:
            visit, first = await api.begun()
            idle = await api.visit()
            gate.close()
            async with api.events(visit) as stream, api.events(idle) as quiet:
                saying = asyncio.create_task(api.turn(visit, text="睡不着", after=seen(first)))
                await asyncio.wait_for(gate.asked.wait(), 20)
                await stop(api)
                for _ in range(10):
                    await asyncio.sleep(0.01)
                assert not saying.done()
                gate.opened.set()
                turn = await saying
                assert said(turn) == ["睡不着"]
                told = await rest(stream)
                assert told[-1].name == "turn.completed"
                assert [event.data for event in told if event.name == "message.completed"] == turn["messages"]
                assert await rest(quiet) == []

    run(work())


def test_a_turn_that_takes_too_long_is_put_down_and_answered_by_the_next(grounds: Grounds) -> None:
    async def work() -> None:
        gate = Gate()
        began = 0.0
        async with grounds.served(store={"model": gate.model()}, stop_seconds=0.2) as api:
            visit, first = await api.begun()
            gate.close()
            async with api.events(visit) as stream:
                saying = asyncio.create_task(api.send(visit, text="睡不着", after=seen(first), key="late-00001"))
                await asyncio.wait_for(gate.asked.wait(), 20)
                began = time.monotonic()
                await stop(api)
                answer = await saying
                problem(answer, "put-down", 503)
                assert answer.headers["retry-after"]
                told = await rest(stream)
                assert [event.name for event in told] == ["turn.started", "error"]
                assert told[-1].data["code"] == "put-down"
            assert b"heartrule_turns_put_down_total 1.0" in api.context.metrics.text()
        assert time.monotonic() - began < 4
        gate.opened.set()
        model = gate.model()
        async with grounds.served(store={"model": model}, sweep_seconds=0.02) as api, api.events(visit, 0) as stream:
            heard = [*await until(stream), *await until(stream)]
            assert heard[-1].data["turn"]["seq"] == 2
            assert said(await api.turn(visit, text="睡不着", after=seen(first), key="late-00001")) == ["睡不着"]

    run(work())


def test_a_turn_told_aloud_that_takes_too_long_says_so(grounds: Grounds) -> None:
    async def work() -> None:
        gate = Gate()
        async with grounds.served(store={"model": gate.model()}, stop_seconds=0.2) as api:
            visit, first = await api.begun()
            gate.close()
            body = {"key": "late-00001", "after": seen(first), "input": {"type": "message", "text": "睡不着"}}
            async with api.aloud(visit, **body) as stream:
                await asyncio.wait_for(gate.asked.wait(), 20)
                await stop(api)
                told = await rest(stream)
                assert [event.name for event in told] == ["turn.started", "error"]
                assert told[-1].data["code"] == "put-down"

    run(work())


def test_a_stop_without_work_takes_no_time(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit = await api.visit()
            async with api.events(visit) as stream:
                began = time.monotonic()
                await stop(api)
                assert await rest(stream) == []
        assert time.monotonic() - began < 2

    run(work())


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_process_that_ends_in_the_middle_of_a_turn_loses_nothing(tmp_path: Path, how: str) -> None:
    """The real command, with a model that does not answer; stopped, or killed, and started again without it."""

    def model(url: str) -> dict[str, str]:
        return {"HEARTRULE_LLM_BASE_URL": url, "HEARTRULE_LLM_MODEL": "stub", "HEARTRULE_LLM_API_KEY": "x"}

    with OpenAIServer("{}", latency=60) as slow:
        served = Served(tmp_path, projects=[project(tmp_path)], environment=model(slow.url))
        served.data.mkdir(parents=True)
        (served.data / "heartrule.toml").write_text("[server]\nstop_seconds = 0.3\nsweep_seconds = 0.1\n")
        with served:
            made = served.call("POST", "/sessions", {"script": "tests/small"})
            session, token = made["session"]["id"], made["token"]
            path = f"/sessions/{session}/turns"
            served.call("POST", path, {"key": "start-0001", "input": {"type": "start"}}, token)
            run(leave(served, slow, session, token))
            assert (served.stop() == 0) if how == "stop" else served.kill()
        again = Served(tmp_path, projects=[project(tmp_path)])
        with again:
            deadline = time.monotonic() + 20
            while again.session(session, token)["turn"] < 2:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            spoken = [m["content"] for m in again.messages(session, token) if m["sender"] == "person"]
            assert spoken == ["睡不着"]
    assert "Traceback" not in served.log.read_text(encoding="utf-8")


async def leave(served: Served, model: OpenAIServer, session: str, token: str) -> None:
    """Say something, and go as soon as the model is asked about it."""
    async with httpx2.AsyncClient(base_url=served.url, timeout=30) as client:
        body = {"key": "said-00001", "after": 2, "input": {"type": "message", "text": "睡不着"}}
        headers = {"Authorization": f"Bearer {token}"}
        sent = asyncio.create_task(client.post(f"/api/v1/sessions/{session}/turns", json=body, headers=headers))
        while not model.bodies:
            await asyncio.sleep(0.02)
            assert not sent.done(), sent.result().text
        sent.cancel()
        await asyncio.gather(sent, return_exceptions=True)
