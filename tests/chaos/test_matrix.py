"""The fault matrix in a short form, and whether it would notice what must not be; ``make faults`` is its long form."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.chaos import matrix
from tests.chaos.matrix import answer, run
from tests.chaos.table import ENOUGH, STALLED, markdown, shortfalls
from tests.chaos.tally import Cell, Tally
from tests.chaos.vendor import HARMLESS, KINDS, RETRY_AFTER, Vendor
from tests.chaos.virtual import STUCK, Server, VirtualLoop

from heartrule.llm import provider as p
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.store.records import CallRecord
from heartrule.testing.hold import START

SCHEMA = {"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]}
REQUEST = p.Request((p.PromptMessage("user", "来访者：还好"),), SCHEMA, timeout=10.0)
RAISED: dict[str, type[p.ProviderError]] = {
    **dict.fromkeys(("refused", "dns", "tls"), p.Refused),
    "400": p.BadRequest,
    **dict.fromkeys(("401", "403"), p.Unauthorised),
    "429": p.RateLimited,
    **dict.fromkeys(("408", "500", "502", "503", "529"), p.ServerError),
    **dict.fromkeys(("stall_before", "stall_after"), p.TimedOut),
    **dict.fromkeys(("cut", "reset"), p.Cut),
    "empty": p.Empty,
    "filter": p.Filtered,
}

HALF_HEARD = ("stall_after", "cut")
"""What was said of an answer before it broke off is said, and counts."""


def called(kind: str, rate: float = 1.0, stream: bool = False) -> tuple[p.Reply | p.ProviderError, float]:
    """What one call comes to, and how many virtual seconds it took."""

    async def one() -> tuple[p.Reply | p.ProviderError, float]:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.servers = {1: Vendor(answer, kind, rate, 1)}
        wire = OpenAIWire("http://127.0.0.1:1/v1", "m", "key")
        pieces: list[str] = []
        try:
            reply = await wire.complete(REQUEST, pieces.append if stream else None)
            assert not pieces or "".join(pieces) == reply.text
            return reply, loop.time()
        except p.ProviderError as error:
            return error, loop.time()
        finally:
            await wire.aclose()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(one())


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("kind", RAISED)
def test_a_fault_of_the_wire_is_the_fault_it_says(kind: str, stream: bool) -> None:
    came, seconds = called(kind, stream=stream)
    assert type(came) is RAISED[kind]
    assert seconds == pytest.approx(10.0) if kind.startswith("stall") else seconds < 5
    if isinstance(came, p.RateLimited):
        assert came.retry_after == RETRY_AFTER


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in RAISED])
def test_a_fault_of_the_model_is_a_reply_all_the_same(kind: str, stream: bool) -> None:
    good, _ = called(kind, 0.0, stream)
    came, _ = called(kind, stream=stream)
    assert isinstance(good, p.Reply)
    assert isinstance(came, p.Reply)
    assert json.loads(good.text)["content"]
    assert good.finish == "stop"
    assert came.finish == ("length" if kind == "length" else "stop")
    if kind != "duplicate_chunk":
        assert came.text != good.text


def test_every_kind_of_the_issue_is_there() -> None:
    assert len(KINDS) == len(set(KINDS)) == 24
    assert set(RAISED) < set(KINDS)


def short(kind: str, rate: float, providers: int, sessions: int = 1, over: float = 0.0) -> Tally:
    """``over``: seconds by which the slowest turn may outlast its budget."""
    tally = run(Cell(kind, rate, providers), sessions)
    told = shortfalls({Cell(kind, rate, providers): tally})
    if over and tally.slowest <= tally.budget + over:
        told = [each for each in told if "took longer than" not in each]
    assert not told
    return tally


STALL = 10.0
"""Seconds that a stalled call takes. A technique that a model opens is a second call in its turn, whose own wait may
begin when the first one's is nearly over."""


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_waits_for_ever_or_in_vain_when_everything_fails(kind: str) -> None:
    tally = short(kind, 1.0, 2)
    assert tally.turns > 5
    assert tally.asking > 3
    assert tally.faults == tally.calls > 0
    if kind in RAISED and kind not in HALF_HEARD:
        assert tally.answered == 0


@pytest.mark.parametrize("kind", ["429", "stall_after", "reset", "wrong_schema"])
def test_two_providers_carry_a_fifth_of_faults(kind: str) -> None:
    tally = short(
        kind, 0.2, 2, 4, STALL if kind.startswith("stall") else 0.0
    )  # of one session's fourteen turns a single one would decide
    assert 0 < tally.faults < tally.calls
    assert tally.share >= (STALLED if kind.startswith("stall") else ENOUGH)


def test_without_faults_everything_is_answered_and_nothing_repeated() -> None:
    tally = short("500", 0.0, 1)
    assert tally.share == 1.0
    assert tally.retries == tally.faults == 0
    assert tally.most == 1
    assert tally.opened is None


def test_a_breaker_opens_and_then_nobody_waits() -> None:
    tally = short("500", 1.0, 1)
    assert tally.opened == 1
    assert tally.while_open < 0.5


def test_what_is_harmless_is_answered_at_any_rate() -> None:
    for kind in HARMLESS:
        assert short(kind, 1.0, 1).share == 1.0


def test_the_same_matrix_comes_out_twice() -> None:
    cell = Cell("503", 0.5, 2)
    assert run(cell, 1).figures() == run(cell, 1).figures()


BAD: dict[str, Any] = {
    "stuck": ("stuck", 1, "did not end"),
    "garbled": ("garbled", 1, "lost or doubled"),
    "silent": ("silent", 2, "without an answer"),
    "late": ("late", 1, "longer than 20 s"),
    "most": ("most", 5, "5 calls for one task"),
    "hidden": ("calls", 11, "11 calls were made and 10 are on record"),
    "open": ("while_open", 1.2, "while nobody was fit"),
    "torn": ("doubled", 1, "1 answers are torn"),
    "share": ("answered", 9, "only 90.0%"),
}


@pytest.mark.parametrize("what", BAD)
def test_whatever_must_not_be_is_told(what: str) -> None:
    good = Tally(budget=20.0, sessions=1, turns=12, asking=10, answered=10, calls=10, recorded=10, most=4)
    cell = Cell("cut", 0.2, 2)
    assert not shortfalls({cell: good})
    name, value, said = BAD[what]
    wrong = shortfalls({cell: replace(good, **{name: value})})
    assert len(wrong) == 1
    assert wrong[0].startswith("cut, 20%, 2 provider(s): ")
    assert said in wrong[0]


def test_a_piece_that_is_sent_twice_is_told_of_and_fails_nothing() -> None:
    """Whoever reads the wire cannot tell it from a word that was meant twice."""
    cell, tally = Cell("duplicate_chunk", 1.0, 1), Tally(budget=20.0, turns=1)
    good = CallRecord(
        1, "1 ai_ask", "ai_ask", "", "answered", {"content": "我听到了（0a1b2c）。"}, [{"outcome": "ok"}], START
    )
    twice = replace(good, data={"content": "我听到了（0a1b（0a1b2c）。"})
    tally.asked([good, twice, replace(twice, attempts=[{"outcome": "error"}, {"outcome": "ok"}])], [])
    assert tally.doubled == 1
    assert not shortfalls({cell: tally})
    assert "of which 1 where" in markdown({cell: tally})


def test_one_provider_may_fail_a_fifth_of_its_turns() -> None:
    half = Tally(budget=20.0, sessions=1, turns=10, asking=10, answered=5)
    assert not shortfalls({Cell("cut", 0.2, 1): half, Cell("cut", 0.5, 2): half})


def test_the_table_has_a_row_a_kind_and_sums(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    matrix.main(["--kinds", "fenced", "--sessions", "1", "--out", str(tmp_path)])
    said = capsys.readouterr().out
    assert said.strip() == (tmp_path / "faults.md").read_text(encoding="utf-8").strip()
    rows = [line for line in said.splitlines() if line.startswith("| fenced")]
    assert len(rows) == 1
    assert rows[0].count("%") == 8
    assert "Stuck: 0." in said
    cells = json.loads((tmp_path / "faults.json").read_text(encoding="utf-8"))
    assert {(each["rate"], each["providers"]) for each in cells} == {
        (rate, count) for rate in (0.05, 0.2, 0.5, 1.0) for count in (1, 2)
    }


def test_a_shortfall_fails_the_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(matrix, "run", lambda *_: Tally(budget=20.0, turns=1, silent=1))
    with pytest.raises(SystemExit, match="without an answer"):
        matrix.main(["--kinds", "cut"])
    assert "| cut |" in capsys.readouterr().out


def test_a_table_knows_what_never_opened() -> None:
    found = {Cell("cut", rate, count): Tally(budget=20.0, turns=1) for rate in (0.05, 1.0) for count in (1, 2)}
    assert markdown(found).splitlines()[2].endswith("| – | – |")


# the loop


def test_a_wait_costs_nothing() -> None:
    async def wait() -> float:
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time()

    began = time.monotonic()
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(wait()) == pytest.approx(3600)
    assert time.monotonic() - began < 600


def test_no_time_passes_while_a_thread_is_at_work() -> None:
    async def work() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        timer = asyncio.ensure_future(asyncio.sleep(10))
        await loop.outside(asyncio.to_thread)(time.sleep, 0.2)
        now = loop.time()
        timer.cancel()
        return now

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(work()) == 0.0


def test_who_waits_for_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.chaos.virtual.STUCK", 0.05)
    loop = VirtualLoop()
    try:
        with pytest.raises(RuntimeError, match="nothing is left"):
            loop.run_until_complete(loop.create_future())
    finally:
        loop.close()
    assert STUCK == 20.0


def test_nobody_listens_elsewhere() -> None:
    async def connect() -> None:
        await asyncio.get_running_loop().create_connection(asyncio.Protocol, "127.0.0.1", 9)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner, pytest.raises(ConnectionRefusedError):
        runner.run(connect())


def test_a_server_that_speaks_no_tls_is_refused() -> None:
    """The handshake itself is the real one."""

    async def one() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.servers = {1: Server()}
        wire = OpenAIWire("https://127.0.0.1:1/v1", "m", "key")
        with pytest.raises(p.Refused):
            await wire.complete(REQUEST)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(one())
