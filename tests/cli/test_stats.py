"""``heartrule stats``: what stands in the ledger, in both languages and as JSON; what is unknown is said to be."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.cli.command import LINES, Command
from tests.store import worlds
from tests.store.worlds import attempt, later, say

from heartrule.store import Store
from heartrule.store.records import AttemptRecord
from heartrule.testing.counsellor import counsel
from heartrule.testing.openai_server import OpenAIServer

MADE = [
    attempt(
        1, tokens_in=1000, cached=600, tokens_out=100, reasoning=40, cost=1_500_000_000, currency="CNY", seconds=1.0
    ),
    attempt(1, outcome="rejected", cause="missing", retry=0, tokens_in=10, tokens_out=5, seconds=2.0),
    attempt(1, retry=1, fallback=True, provider="other/n", model="n-7", cost=2_500_000, currency="USD", seconds=3.0),
    attempt(1, outcome="timeout", cause="timeout", model=None, template="risk", at=later(60), seconds=8.0),
    attempt(1, outcome="timeout", cause="budget", provider=None, model=None, retry=3),
]


def fill(command: Command, made: Sequence[AttemptRecord], name: str = "s1", turns: int = 1) -> None:
    async def run(store: Store) -> None:
        await worlds.session(store, name)
        loaded = await worlds.start(store, name, say("k"))
        await store.save_calls(name, "one", loaded.epoch, [], made)
        for seq in range(1, turns + 1):
            await store.commit(worlds.turn(name, seq, loaded.epoch))

    with Store.open(command.data, synchronous="OFF") as store:
        asyncio.run(run(store))


def told(command: Command, *arguments: str) -> str:
    ran = command("stats", *arguments)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def read(command: Command, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told(command, "--format", "json", *arguments))
    return found


def test_an_empty_ledger_is_said_to_be_empty(heartrule: Command) -> None:
    assert told(heartrule) == "还没有问过语言模型。\n"
    assert told(heartrule, "--lang", "en", "--by", "model") == "No language model has been asked yet.\n"
    assert "2025-03-01 00:00 UTC 以来没有" in told(heartrule, "--since", "2025-03-01")
    assert read(heartrule) == {"since": None, "by": None, "groups": [], "replies": []}


def test_turns_that_asked_nobody_are_said_to_have_asked_nobody(heartrule: Command) -> None:
    fill(heartrule, [], turns=3)
    assert told(heartrule) == "3 轮，都没有问过语言模型。\n会谈  开始 1 场，谈到脚本结尾 0 场（0.0%）\n"
    assert told(heartrule, "--by", "model") == "还没有问过语言模型。\n"
    (group,) = read(heartrule)["groups"]
    assert (group["calls"], group["turns"], group["calls_per_turn"], group["ok_rate"]) == (0, 3, 0, None)


def test_the_whole_ledger_in_chinese(heartrule: Command) -> None:
    fill(heartrule, MADE, turns=2)
    assert told(heartrule).splitlines() == [
        "2 轮里调用 4 次（每轮 2.00 次），2025-03-01 09:30 至 2025-03-01 09:31 UTC",
        "回答的是 m, n-7",
        "用量  输入 1,010（其中缓存 600），输出 105（其中思考 40）；2 次没有报全",
        "费用  CNY 1.5000, USD 0.0025；另有 1 次回答、1 次失败的费用未知（占全部调用的 50.0%）",
        "秒数  P50 2.00，P95 8.00，P99 8.00",
        "会谈  开始 1 场，谈到脚本结尾 0 场（0.0%）",
        (
            "结果  成功 50.0%，不合格 25.0%，失败 0.0%，超时 25.0%，作废 0.0%；"
            "其中重试 25.0%，换用后备 25.0%，话被拦下 0.0%"
        ),
        "另有 1 次还没问出去就放弃了",
    ]


def test_the_whole_ledger_in_english(heartrule: Command) -> None:
    fill(heartrule, MADE, turns=2)
    assert told(heartrule, "--lang", "en").splitlines() == [
        "4 calls in 2 turns (2.00 a turn), 2025-03-01 09:30 to 2025-03-01 09:31 UTC",
        "answered by m, n-7",
        "tokens   input 1,010 (of it cached 600), output 105 (of it reasoning 40); 2 calls did not tell all of theirs",
        "cost     CNY 1.5000, USD 0.0025; unknown for 1 answers and 1 failed calls (50.0% of all calls)",
        "seconds  P50 2.00, P95 8.00, P99 8.00",
        "sessions 1 started, 0 came to the end of their script (0.0%)",
        (
            "of calls 50.0% succeeded, 25.0% rejected, 0.0% failed, 25.0% timed out, 0.0% cancelled;"
            " 25.0% were retries, 25.0% went to a stand-in, 0.0% held words that were not shown"
        ),
        "1 more tries were given up before anybody was asked",
    ]


def test_what_no_turn_waited_for_is_counted_apart(heartrule: Command) -> None:
    monitor = [attempt(turn, template="ai_ask_monitor", key="ai_ask_monitor t1 a 1 1") for turn in (1, 2)]
    fill(heartrule, [*(attempt(turn) for turn in (1, 1, 2, 2)), *monitor], turns=2)
    lines = told(heartrule).splitlines()
    assert lines[0].startswith("2 轮里调用 6 次（每轮 2.00 次）")
    assert lines[1] == "其中 2 次在谈话之外问（没有哪一轮等它），不算在每轮次数里"
    assert "of these, 2 beside the conversation" in told(heartrule, "--lang", "en")
    (group,) = read(heartrule)["groups"]
    assert (group["calls"], group["beside"], group["calls_per_turn"]) == (6, 2, 2.0)
    assert "谈话之外" not in told(heartrule, "--by", "purpose")


def test_an_unknown_cost_is_never_shown_as_nought(heartrule: Command) -> None:
    fill(heartrule, [attempt(1, tokens_in=9, tokens_out=9)])
    line = next(line for line in told(heartrule, "--lang", "en").splitlines() if line.startswith("cost"))
    assert line == "cost     nothing known; unknown for 1 answers and 0 failed calls (100.0% of all calls)"
    (group,) = read(heartrule)["groups"]
    assert (group["costs"], group["unpriced"], group["calls_of_unknown_cost"]) == ({}, 1, 1)


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (0, "CNY 0.0000"),
        (1, "CNY 0.000000001"),
        (2_500_000, "CNY 0.0025"),
        (10_000_000, "CNY 0.0100"),
        (1_234_567_891_000, "CNY 1,234.5679"),
    ],
)
def test_amounts_are_shown_with_what_matters(heartrule: Command, cost: int, shown: str) -> None:
    fill(heartrule, [attempt(1, cost=cost, currency="CNY")])
    assert f"费用  {shown}\n" in told(heartrule)


def test_models_are_compared_under_the_name_they_were_asked_by(heartrule: Command) -> None:
    fill(heartrule, MADE, turns=2)
    lines = told(heartrule, "--by", "model").splitlines()
    assert [line for line in lines if not line.startswith(" ")] == ["host/m", "other/n"]
    assert "  用到它的 1 轮里调用 3 次（每轮 3.00 次），2025-03-01 09:30 至 2025-03-01 09:31 UTC" in lines
    groups = {group["key"][0]: group for group in read(heartrule, "--by", "model")["groups"]}
    assert groups["host/m"]["timed_out_rate"] == pytest.approx(1 / 3)
    assert groups["host/m"]["costs"] == {"CNY": "1.5"}
    assert (groups["other/n"]["fallbacks_rate"], groups["other/n"]["models"]) == (1.0, ["n-7"])


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("purpose", [["ai_ask"], ["risk"]]),
        ("script", [["demo/main"]]),
        ("project", [["demo"]]),
        ("session", [["s1"]]),
        ("turn", [["s1", "1"]]),
    ],
)
def test_groups(heartrule: Command, by: str, keys: list[list[str]]) -> None:
    fill(heartrule, MADE)
    found = read(heartrule, "--by", by)
    assert (found["by"], [group["key"] for group in found["groups"]]) == (by, keys)
    first = "s1 第 1 轮" if by == "turn" else keys[0][0]
    assert told(heartrule, "--by", by).splitlines()[0] == first


def test_what_is_more_than_fits_is_counted(heartrule: Command) -> None:
    fill(heartrule, [attempt(turn) for turn in range(1, 8)])
    lines = told(heartrule, "--by", "turn", "--limit", "2").splitlines()
    assert [line for line in lines if line.startswith("s1")] == ["s1 第 7 轮", "s1 第 6 轮"]
    assert lines[-1] == "还有 5 项，用 --limit 看。"
    assert len(read(heartrule, "--by", "turn", "--limit", "2")["groups"]) == 7, "a program gets all of them"


def test_since(heartrule: Command) -> None:
    now = datetime.now(UTC)
    fill(heartrule, [attempt(1, at=now - timedelta(days=8)), attempt(1, at=now - timedelta(hours=2))])

    def calls(since: str) -> int:
        return sum(group["calls"] for group in read(heartrule, "--since", since)["groups"])

    assert [calls(since) for since in ("1h", "3h", "7d", "2w", " 3H ")] == [0, 1, 1, 2, 1]
    assert calls(f"{now - timedelta(days=1):%Y-%m-%d}") == 1
    assert calls((now - timedelta(hours=3)).isoformat()) == 1
    assert calls((now - timedelta(hours=3)).astimezone().isoformat()) == 1


@pytest.mark.parametrize("since", ["yesterday", "7", "7m", "-1d", "2025-13-01", "", " "])
def test_a_since_that_is_none_is_refused(heartrule: Command, since: str) -> None:
    ran = heartrule("stats", "--since", since)
    if not since:
        assert ran.returncode == 0, "an empty one is none"
        return
    assert ran.returncode == 2
    assert "--since" in ran.stderr


def test_names_cannot_play_with_the_terminal(heartrule: Command) -> None:
    fill(heartrule, [attempt(1, provider="host/\x1b[31mred", model="\x1b]0;title\x07")])
    assert "\x1b" not in told(heartrule, "--by", "model")


def test_a_session_held_with_a_model_is_in_it(heartrule: Command) -> None:
    with OpenAIServer(lambda body: json.dumps(counsel_of(body), ensure_ascii=False)) as server:
        heartrule.environment = {"HEARTRULE_LLM_BASE_URL": server.url, "HEARTRULE_LLM_MODEL": "stub"}
        (heartrule.folder / "heartrule.toml").write_text(
            '[llm.prices.stub]\ncurrency = "CNY"\ninput = 2\ncached = 0.2\noutput = 8\n', encoding="utf-8"
        )
        assert heartrule("chat", "hello.yaml", lines=LINES).returncode == 0
        asked = len(server.bodies)
    assert asked
    (group,) = read(heartrule)["groups"]
    assert (group["calls"], group["untold"], group["unpriced"]) == (asked, 0, 0)
    assert group["costs"] == {"CNY": f"{asked * (36 * 2 + 64 * 0.2 + 20 * 8) / 1_000_000:.7f}".rstrip("0")}
    (by_model,) = read(heartrule, "--by", "model")["groups"]
    assert by_model["key"][0].endswith("/stub")


def counsel_of(body: Any) -> dict[str, Any]:
    from heartrule.llm.provider import PromptMessage, Request

    form = body.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema")
    return counsel(Request(tuple(PromptMessage(m["role"], m["content"]) for m in body["messages"]), schema))
