"""The models that tests use: by list, function, table; by template; and time that only passes when all wait."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from tests.llm.material import GOOD, task

from heartrule.llm import provider as p
from heartrule.llm.providers.scripted import OutOfScript, ScriptedProvider, Stall
from heartrule.testing.models import ScriptedModel, in_virtual_time

REQUEST = p.Request((p.PromptMessage("user", "你好"),), timeout=5.0)
OTHER = p.Request((p.PromptMessage("user", "再见"),), timeout=5.0)


def say(provider: ScriptedProvider, request: p.Request = REQUEST) -> p.Reply:
    return in_virtual_time(provider.complete(request))


def test_a_list_is_used_up_in_order() -> None:
    provider = ScriptedProvider(["一", {"content": "二"}, p.Reply("三", model="m")])
    assert [say(provider).text for _ in range(3)] == ["一", '{"content": "二"}', "三"]
    with pytest.raises(OutOfScript):
        say(provider)
    assert len(provider.requests) == 4


def test_a_function_sees_the_request() -> None:
    assert say(ScriptedProvider(lambda request: request.messages[0].text)).text == "你好"


def test_a_function_may_be_asynchronous() -> None:
    async def answer(request: p.Request) -> str:
        await asyncio.sleep(3)
        return "好"

    assert say(ScriptedProvider(answer)).text == "好"


def test_a_table_by_prompt_hash() -> None:
    provider = ScriptedProvider({REQUEST.hash: "好"})
    assert say(provider).text == "好"
    assert say(provider).text == "好"
    with pytest.raises(OutOfScript, match=OTHER.hash[:12]):
        say(provider, OTHER)


def test_faults_are_raised() -> None:
    with pytest.raises(p.RateLimited) as caught:
        say(ScriptedProvider([p.RateLimited(retry_after=3)]))
    assert caught.value.retry_after == 3


@pytest.mark.parametrize(("seconds", "times_out"), [(4.9, False), (5.0, True), (3600.0, True)])
def test_a_silence_is_as_long_as_it_says(seconds: float, times_out: bool) -> None:
    provider = ScriptedProvider([Stall(seconds, {"content": "好"})])
    if times_out:
        with pytest.raises(p.TimedOut):
            say(provider)
    else:
        assert say(provider).text == '{"content": "好"}'


def answers(model: ScriptedModel, *templates: str) -> list[tuple[str, Any]]:
    tasks = [task(template, key=f"{template}{number}") for number, template in enumerate(templates)]
    found = in_virtual_time(model.answer(tasks))
    assert list(found) == [each.key for each in tasks]
    return [(answer.status, answer.data) for answer in found.values()]


def test_a_model_by_template() -> None:
    model = ScriptedModel(ai_ask=[GOOD, None], risk={"verdicts": []}, judge=lambda asked: {"key": asked.key})
    assert model.configured
    assert answers(model, "ai_ask", "risk") == [("answered", GOOD), ("answered", {"verdicts": []})]
    assert answers(model, "ai_ask", "risk", "judge") == [
        ("failed", None),
        ("answered", {"verdicts": []}),
        ("answered", {"key": "judge2"}),
    ]
    assert [asked.template for asked in model.asked] == ["ai_ask", "risk", "ai_ask", "risk", "judge"]


def test_what_was_not_foreseen_is_an_error() -> None:
    with pytest.raises(OutOfScript, match="ask"):
        answers(ScriptedModel(ask=[]), "ask")
    with pytest.raises(OutOfScript, match="ai_say"):
        answers(ScriptedModel(ask=[]), "ai_say")


def test_the_rest_may_be_answered_by_one() -> None:
    assert answers(ScriptedModel({"content": "好"}), "ai_say", "ask") == [("answered", {"content": "好"})] * 2
    assert answers(ScriptedModel(ai_say=None), "ai_say") == [("failed", None)]


def test_an_hour_passes_in_no_time() -> None:
    async def run() -> float:
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time()

    began = time.monotonic()
    assert in_virtual_time(run()) == pytest.approx(3600)
    assert time.monotonic() - began < 2


def test_sleepers_wake_in_their_order() -> None:
    woke: list[tuple[int, float]] = []

    async def sleeper(number: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        woke.append((number, asyncio.get_running_loop().time()))

    async def run() -> None:
        await asyncio.gather(sleeper(1, 30), sleeper(2, 10), sleeper(3, 20), sleeper(4, 0))

    in_virtual_time(run())
    assert [number for number, _ in woke] == [4, 2, 3, 1]
    assert [at for _, at in woke] == pytest.approx([0, 10, 20, 30])


def test_timeouts_are_virtual_too() -> None:
    async def run() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(15):
                await asyncio.sleep(16)
        return asyncio.get_running_loop().time()

    assert in_virtual_time(run()) == pytest.approx(15)


def test_work_done_by_threads_is_waited_for() -> None:
    async def run() -> str:
        return await asyncio.to_thread(lambda: "fertig")

    assert in_virtual_time(run()) == "fertig"
