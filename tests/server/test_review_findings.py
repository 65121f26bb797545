"""Where what is not to be seen, kept or waited for would have got through."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest
from tests.server.material import Grounds, problem, run, seen
from tests.server.test_consent import withdrawn
from tests.server.test_desk_forms import GOOD, LEFT, NOTE, begun, key_of, send
from tests.sessions.material import Gate

from heartrule.reporting import paper
from heartrule.sessions import CannotRestore, Sessions
from heartrule.store.quotations import Quotations

SAID = '她说"你走吧，别再回来"，\t然后摔了门'


def test_a_summary_without_its_script_still_keeps_to_itself_what_is_for_counsellors_alone(
    grounds: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    (grounds.project / "left.yaml").write_text(LEFT, encoding="utf-8")

    async def unreadable(*_: object) -> None:
        raise CannotRestore("the script cannot be read")

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            assert (await send(api, visit, await key_of(api, visit), GOOD, submit=True)).json() == {"form": None}
            assert NOTE not in (await api.get(f"{visit.path}/summary", visit.token)).text
            monkeypatch.setattr(Sessions, "script_of", unreadable)
            answer = await api.get(f"{visit.path}/summary", visit.token)
            assert answer.status_code == 200
            assert NOTE not in answer.text

    run(work())


@pytest.mark.parametrize("plain", [True, False])
def test_words_are_found_in_json_that_is_kept_as_a_text(plain: bool) -> None:
    """As forms that were sent are, and what models answered: quotation marks stand there behind a backslash."""
    kept = json.dumps({"note": f"他写道：{SAID}", "rest": "别的"}, ensure_ascii=not plain)
    left = json.loads(Quotations([SAID]).out_of(kept))
    assert left == {"note": "他写道：", "rest": "别的"}


def test_what_somebody_sends_under_a_key_of_that_name_takes_no_consent_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun(notice="1")
            await api.turn(visit, text="睡不着", after=seen(turn), key="consent-withdrawn")
            assert (await withdrawn(api, visit)).status_code == 204  # type: ignore[attr-defined]
            assert (await api.session(visit))["status"] == "ended"

    run(work())


def test_consent_that_is_taken_back_waits_for_no_model(grounds: Grounds) -> None:
    async def work() -> None:
        gate = Gate()
        async with grounds.asgi(store={"model": gate.model()}) as api:
            visit, turn = await api.begun(notice="1")
            gate.close()
            saying = asyncio.create_task(api.send(visit, text="睡不着", after=seen(turn)))
            await asyncio.wait_for(gate.asked.wait(), 20)
            for _ in range(20):  # what is asked at once is asked
                await asyncio.sleep(0)
            asked = len(gate.requests)
            answer = await asyncio.wait_for(withdrawn(api, visit), 5)
            assert answer.status_code == 204  # type: ignore[attr-defined]
            assert (await saying).status_code == 200
            assert (await api.session(visit))["status"] == "ended"
            assert len(gate.requests) == asked
            assert not gate.opened.is_set()

    run(work())


def test_pages_that_wait_to_be_laid_out_hold_up_nothing_else(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    laid, begun_one = threading.Event(), asyncio.Event()

    def slowly(_: str) -> bytes:
        loop[0].call_soon_threadsafe(begun_one.set)
        assert laid.wait(30)
        return b"%PDF-"

    monkeypatch.setattr(paper, "pdf", slowly)
    loop: list[asyncio.AbstractEventLoop] = []

    async def work() -> None:
        loop.append(asyncio.get_running_loop())
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            path = f"{visit.path}/summary?format=pdf"
            waiting = [asyncio.create_task(api.get(path, visit.token)) for _ in range(40)]
            try:
                await asyncio.wait_for(begun_one.wait(), 20)
                problem(await api.get(path), "unauthorized", 401)
                assert (await api.session(visit))["turn"] == 1
                assert await asyncio.wait_for(asyncio.to_thread(int), 5) == 0
            finally:
                laid.set()
            assert {each.status_code for each in await asyncio.gather(*waiting)} == {200}

    run(work())
