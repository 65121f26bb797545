"""``heartrule stats`` of turns: waiting, merging, what was made again; first tokens; and what was blocked."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.cli.command import Command
from tests.store import worlds
from tests.store.worlds import attempt, event, say

from heartrule.store import Store

EVENTS = [
    event(1, 1, "perceived", calls=2, asked=15, found=3, again=0, refused=0, unanswered=0),
    event(1, 2, "replied", task="ask", speculative=True, redone=False, why=[]),
    event(1, 3, "replied", task="ask", speculative=True, redone=True, why=["name"]),
    event(1, 4, "replied", task="ask", speculative=True, redone=False, why=[]),
    event(1, 5, "replied", task="ask", speculative=True, redone=False, why=[]),
    event(1, 6, "fused", kept=True),
    event(1, 7, "fused", kept=False),
]
MADE = [
    attempt(1, first_token=0.4, seconds=1.0),
    attempt(1, first_token=0.6, seconds=1.0, outcome="rejected", cause="check:promise"),
]


def fill(command: Command, **first: Any) -> None:
    async def run(store: Store) -> None:
        await worlds.session(store, "s1")
        loaded = await worlds.start(store, "s1", say("k"))
        await store.save_calls("s1", "one", loaded.epoch, [], MADE)
        await store.commit(worlds.turn("s1", 1, loaded.epoch, **first))
        await store.commit(worlds.turn("s1", 2, loaded.epoch, rounds=2, seconds=2.5))

    with Store.open(command.data, synchronous="OFF") as store:
        asyncio.run(run(store))


def told(command: Command, *arguments: str) -> str:
    ran = command("stats", *arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "zh",
            [
                "首字  P50 0.40，P95 0.60，P99 0.60 秒",
                "等待  2 轮等过模型，其中只等一回的占 50.0%；每轮秒数 P50 1.25，P95 2.50，P99 2.50",
                "合并  2 次调用里问了 15 件听到的事（每次 7.5 件）",
                "重做  提前写的回复 4 条，重写 1 条（25.0%）；连着开场的 2 条，没用上 1 条（50.0%）",
            ],
        ),
        (
            "en",
            [
                "first    token after P50 0.40, P95 0.60, P99 0.60 seconds",
                (
                    "turns    2 waited for a model, 50.0% of them for one round of calls;"
                    " P50 1.25, P95 2.50, P99 2.50 seconds"
                ),
                "merged   15 things asked about what was said, in 2 calls (7.5 a call)",
                ("again    1 of 4 speculative replies made once more (25.0%); 1 of 2 fused openings not kept (50.0%)"),
            ],
        ),
    ],
)
def test_turns_in_words(heartrule: Command, lang: str, lines: list[str]) -> None:
    fill(heartrule, rounds=1, seconds=1.25, events=EVENTS)
    shown = told(heartrule, "--lang", lang).splitlines()
    assert [line for line in shown if line in lines] == lines
    assert ("话被拦下 50.0%" if lang == "zh" else "50.0% held words that were not shown") in shown[-1]


def test_what_was_not_counted_is_not_told(heartrule: Command) -> None:
    fill(heartrule)
    shown = told(heartrule)
    assert "合并" not in shown
    assert "重做" not in shown
    assert "1 轮等过模型，其中只等一回的占 0.0%" in shown


def test_a_model_has_first_tokens_and_no_turns(heartrule: Command) -> None:
    fill(heartrule, rounds=1, seconds=1.25, events=EVENTS)
    shown = told(heartrule, "--by", "model")
    assert "首字" in shown
    assert "等待" not in shown


def test_only_what_happened_has_a_share(heartrule: Command) -> None:
    fill(heartrule, rounds=1, seconds=1.25, events=EVENTS[5:])
    assert "提前写的回复 0 条，重写 0 条（–）；连着开场的 2 条，没用上 1 条（50.0%）" in told(heartrule)


def test_as_json(heartrule: Command) -> None:
    fill(heartrule, rounds=1, seconds=1.25, events=EVENTS)
    (group,) = json.loads(told(heartrule, "--format", "json"))["groups"]
    assert (group["first_p50"], group["blocked"], group["blocked_rate"]) == (0.4, 1, 0.5)
    turns = group["of_turns"]
    assert (turns["counted"], turns["waited"], turns["waited_once"], turns["waited_once_rate"]) == (2, 2, 1, 0.5)
    assert (turns["merge_rate"], turns["redone_rate"], turns["unfused_rate"], turns["p99"]) == (7.5, 0.25, 0.5, 2.5)
    (model,) = json.loads(told(heartrule, "--format", "json", "--by", "model"))["groups"]
    assert model["of_turns"] is None
