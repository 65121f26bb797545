"""What stays open for the staff: bounded, closed to foreign names, and over when the sign-in is."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
from tests.debugger.material import Desk
from tests.server.material import Grounds, problem, run
from tests.server.signing import Page, account
from tests.server.test_workbench import WEI, token
from tests.server.test_workbench_editor import _project, opened
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from heartrule.workbench.project_tests import ProjectTestRun


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


def test_streams_of_debug_sessions_are_bounded(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served(streams_an_address=2) as api:
            lin, _ = await _project(api, {})
            desk = Desk(api, lin.token)
            await desk.make()
            sent = {"Authorization": f"Bearer {lin.token}"}
            chat = desk.state["chat"]
            talk = f"{chat['base']}/api/v1/sessions/{chat['session']}/events"
            async with (
                api.client.stream("GET", f"{desk.path}/events", headers=sent) as first,
                api.client.stream("GET", talk, headers={"Authorization": f"Bearer {chat['token']}"}) as second,
            ):
                assert (first.status_code, second.status_code) == (200, 200)
                async with asyncio.timeout(10):
                    while api.context.live.open < 2:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                problem(await api.get(f"{desk.path}/events", lin.token), "too-many-requests", 429)
                problem(await api.get(talk, chat["token"]), "too-many-requests", 429)

    run(work())


def test_a_debug_stream_ends_with_the_sign_in(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.staff_access.LOOK", 0.0)
    monkeypatch.setattr("heartrule.server.routes.debugger.QUIET", 0.1)

    async def work() -> None:
        async with grounds.served() as api:
            lin = await account(api, Page(api.client), "lin", ["developer"])
            made = await lin.done("POST", "/debug/sessions", {"texts": {"a.yaml": SCRIPT}, "script": "s"}, 201)
            async with api.client.stream("GET", f"/api/v1/debug/sessions/{made['id']}/events") as stream:
                parts = stream.aiter_bytes()
                assert b"event: changed" in await anext(parts)
                await lin.done("POST", "/staff/sign-out")
                async with asyncio.timeout(10):
                    async for _ in parts:
                        pass

    run(work())


SCRIPT = """sessions:
  - session: 话
    id: s
    phases: [{phase: 一, id: one, steps: [{topic: 问, id: asks, actions: [{type: ask, id: a, content: 好吗？}]}]}]
"""


HANDSHAKE = """GET {path} HTTP/1.1\r
Host: {host}\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
\r
"""


def test_sockets_are_bounded_and_answer_to_our_names_alone(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served(streams_an_address=1) as api:
            lin, project = await _project(api, {})
            address = str(api.client.base_url).replace("http", "ws", 1)
            path = f"{address}/api/v1/workbench/projects/{project}/lsp"
            offered = ["heartrule.lsp", f"bearer.{lin.token}"]
            for host, told in (("rebound.example", b"403"), ("localhost", b"101")):
                reader, writer = await asyncio.open_connection("127.0.0.1", api.client.base_url.port)
                writer.write(HANDSHAKE.format(path=path.removeprefix(address), host=host).encode())
                assert (await reader.readline()).split()[1] == told, host
                writer.close()
            async with asyncio.timeout(10):
                while api.context.live.open:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            async with opened(api, project, lin.token):
                async with connect(path, subprotocols=offered) as second:  # type: ignore[arg-type]
                    with pytest.raises(ConnectionClosed) as closed:
                        await second.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4429

    run(work())


def test_who_is_let_in_no_more_types_no_more(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.workbench.editor.LOOK", 0.0)

    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {})
            async with opened(api, project, lin.token) as socket:
                grounds.clock.pass_(hours=24)  # type: ignore[attr-defined]
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.ask("heartrule/map", {"file": "x.yaml"})
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4401

    run(work())


def test_an_editor_ends_with_the_sharing(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.workbench.editor.LOOK", 0.0)

    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {})
            teams = api.context.workbench.teams
            await teams.share(project, "token:wei", "read")
            async with opened(api, project, token(api, WEI)) as socket:
                await teams.share(project, "token:wei", None)
                await lin.post(f"/projects/{project}/versions", {"base": 2, "changes": {"n.md": "not Wei's"}}, 201)
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.ask("heartrule/saved")
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4404

    run(work())


@pytest.mark.parametrize("taken", [{"roles": ["reviewer"]}, {"projects": ["elsewhere"]}])
def test_a_stream_of_the_desk_ends_with_the_role(
    grounds: Grounds, monkeypatch: pytest.MonkeyPatch, taken: dict[str, list[str]]
) -> None:
    monkeypatch.setattr("heartrule.server.staff_access.LOOK", 0.0)
    monkeypatch.setattr("heartrule.server.routes.desk_shift.QUIET", 0.1)

    async def work() -> None:
        async with grounds.served() as api:
            wang = await account(api, Page(api.client), "wang", ["counsellor"])
            async with api.client.stream("GET", "/api/v1/desk/events") as stream:
                parts = stream.aiter_bytes()
                assert b"event: hello" in await anext(parts)
                await api.context.accounts.change("test", wang.principal["id"], **taken)  # type: ignore[arg-type]
                async with asyncio.timeout(10):
                    async for _ in parts:
                        pass

    run(work())


def test_authors_who_run_everything_at_once_stall_nobody(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def slowly(*_: object) -> ProjectTestRun:
        done.wait(60)
        return ProjectTestRun((), {}, frozenset(), 0)

    monkeypatch.setattr("heartrule.server.workbench.project_runs.run_project_tests", slowly)

    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {})
            visit, _ = await api.begun()
            path = f"/api/v1/workbench/projects/{project}/tests"
            # One that is typed in holds nothing that another one waits for.
            typed = {"texts": {"session.yaml": SCRIPT}}
            running = [asyncio.create_task(api.post(path, typed, lin.token)) for _ in range(50)]
            await asyncio.sleep(0.5)
            try:
                async with asyncio.timeout(10):
                    assert (await api.send(visit, text="好" * 4_000)).status_code == 200
                    await api.context.accounts.hashes.hashed("a long enough one")
            finally:
                done.set()
            assert {each.status_code for each in await asyncio.gather(*running)} == {200}

    run(work())


def test_the_document_is_made_once_and_beside_the_loop(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def slowly(found: object) -> str:
        made.append(threading.current_thread().name)
        time.sleep(0.3)
        return "page"

    monkeypatch.setattr("heartrule.server.routes.page.reading_page", slowly)

    async def work() -> None:
        async with grounds.asgi() as api:
            asked = [api.client.get(path) for path in ("/openapi.json", "/docs", "/openapi.json", "/docs")]
            assert {each.status_code for each in await asyncio.gather(*asked)} == {200}
            assert len(made) == 1
            assert made[0] != threading.current_thread().name

    run(work(), 60)
