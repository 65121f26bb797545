"""Words that follow what never comes are heard all the same, and words that were only overtaken keep their order."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.material import Grounds, problem, run, seen

from heartrule.server.bodies import LONGEST_MESSAGE
from heartrule.server.message_order import MOST, PATIENCE, MessageOrder

DANGER = "我想自杀"


def test_words_behind_a_refused_message_are_heard(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.message_order.PATIENCE", 0.2)

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun(script="cbt/abc_intro")
            refused = await api.send(visit, text="长" * (LONGEST_MESSAGE + 1), key="said-first")
            problem(refused, "too-long", 413)
            second = {"text": DANGER, "after": seen(begun), "key": "said-second", "follows": "said-first"}
            problem(await api.send(visit, **second), "out-of-order", 425)
            await asyncio.sleep(0.3)
            await api.turn(visit, **second)
            assert (await api.session(visit))["in_crisis"]

    run(work())


def test_each_waits_from_its_own_first_try_and_few_are_remembered() -> None:
    now = 0.0
    overtaking = MessageOrder(lambda: now)
    assert overtaking.waits("one", "said-0001")
    now = PATIENCE / 2
    assert overtaking.waits("other", "said-0001")
    now = PATIENCE
    assert not overtaking.waits("one", "said-0001")
    assert overtaking.waits("other", "said-0001")
    for each in range(MOST):
        overtaking.waits("many", f"said-{each:04}")
    assert overtaking.waits("one", "said-0001")
