"""The models that tests use: by list, function, table; by template; and time that only passes when all wait."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from tests.llm.material import GOOD, task

from heartrule.llm import provider as p
from heartrule.llm.providers.scripted import Broken, OutOfScript, Pace, ScriptedProvider, Stall
from heartrule.testing.faults import SteppedClock
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
    assert time.monotonic() - began < 600


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


def overheard(provider: ScriptedProvider, request: p.Request = REQUEST) -> tuple[p.Reply, list[tuple[float, str]]]:
    """The reply, and each piece with the second it came at."""
    pieces: list[tuple[float, str]] = []

    async def run() -> p.Reply:
        now = asyncio.get_running_loop().time
        return await provider.complete(request, lambda piece: pieces.append((now(), piece)))

    return in_virtual_time(run()), pieces


def test_who_listens_hears_it_piece_by_piece_at_its_pace() -> None:
    provider = ScriptedProvider(["一二三四五六七"], pace=Pace((2, 1), first=0.5, between=0.25))
    reply, pieces = overheard(provider)
    assert pieces == [(0.5, "一二"), (0.75, "三"), (1.0, "四五"), (1.25, "六"), (1.5, "七")]
    assert (reply.text, reply.first_token) == ("一二三四五六七", 0.5)
    assert provider.listened == [True]


def test_who_does_not_listen_waits_as_long() -> None:
    provider = ScriptedProvider(["一二三"], pace=Pace((1,), first=1.0, between=1.0))

    async def run() -> tuple[p.Reply, float]:
        return await provider.complete(REQUEST), asyncio.get_running_loop().time()

    reply, seconds = in_virtual_time(run())
    assert (reply.text, reply.first_token, seconds) == ("一二三", None, 3.0)


def test_a_reply_that_names_its_first_token_keeps_it() -> None:
    assert overheard(ScriptedProvider([p.Reply("好", first_token=7.0)]))[0].first_token == 7.0


def test_an_answer_that_is_too_slow_is_heard_in_part() -> None:
    pieces: list[str] = []
    provider = ScriptedProvider(["一二三四五六七"], pace=Pace((1,), between=2.0))
    with pytest.raises(p.TimedOut):
        in_virtual_time(provider.complete(REQUEST, pieces.append))
    assert pieces == ["一", "二", "三"]


def test_a_text_may_break_off() -> None:
    pieces: list[str] = []
    with pytest.raises(p.Cut):
        in_virtual_time(ScriptedProvider([Broken("一半", p.Cut())]).complete(REQUEST, pieces.append))
    assert "".join(pieces) == "一半"


def test_time_may_be_injected() -> None:
    clock = SteppedClock()
    provider = ScriptedProvider([Stall(3.0, "好")], pace=Pace(first=1.0), clock=clock)
    assert asyncio.run(provider.complete(REQUEST)).text == "好"
    assert clock.now() == 4.0
