"""The language server in a socket, as a page's editor speaks to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, run
from tests.server.test_workbench import LIN, NURSE, WEI, Author, token
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

FIRST = """\
sessions:
  - session: 第一次
    id: first
    declare:
      - {var: 心情, type: integer, range: [0, 10], define: 现在的心情}
    phases:
      - phase: 开始
        id: begin
        steps:
          - topic: 问候
            id: hello
            actions:
              - {type: ask, id: mood, content: "🙂 心情几分？", output: [{get: 心情}]}
              - {type: say, id: told, content: "🙂🙂 你说是 {心情} 分。"}
"""


class Socket:
    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._number = connection, 0
        self.findings: dict[str, list[Any]] = {}
        self._answers: dict[Any, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self._connection:
            message = json.loads(frame)
            if message.get("method") == "textDocument/publishDiagnostics":
                self.findings[message["params"]["uri"]] = message["params"]["diagnostics"]
                self._news.set()
            elif (waiting := self._answers.pop(message.get("id"), None)) is not None:
                waiting.set_result(message)

    async def tell(self, method: str, params: Any = None) -> None:
        await self._connection.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def send(self, method: str, params: Any = None) -> tuple[int, asyncio.Future[Any]]:
        self._number += 1
        waiting = self._answers[self._number] = asyncio.get_running_loop().create_future()
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        await self._connection.send(json.dumps(message))
        return self._number, waiting

    async def ask(self, method: str, params: Any = None) -> Any:
        _, waiting = await self.send(method, params)
        done, _ = await asyncio.wait({waiting, self._reading}, timeout=20, return_when=asyncio.FIRST_COMPLETED)
        if waiting not in done:
            await self._connection.recv()  # raises with the code of the close
        answer = waiting.result()
        if "error" in answer:
            raise LookupError(answer["error"]["message"])
        return answer["result"]

    async def until(self, uri: str, codes: set[str]) -> list[Any]:
        async with asyncio.timeout(20):
            while {each["code"] for each in self.findings.get(uri, [{"code": "?"}])} != codes:
                self._news.clear()
                await self._news.wait()
        return self.findings[uri]

    async def raw(self, text: str | bytes) -> None:
        await self._connection.send(text)

    async def open(self, path: str, text: str) -> str:
        uri = f"heartrule:///{path}"
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        await self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    async def type(self, uri: str, version: int, text: str) -> None:
        await self.tell(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
        )

    def end(self) -> None:
        self._reading.cancel()


@asynccontextmanager
async def opened(api: Asked, project: str, key: str, **more: Any) -> AsyncIterator[Socket]:
    address = str(api.client.base_url).replace("http", "ws", 1)
    path = f"{address}/api/v1/workbench/projects/{project}/lsp?lang=en"
    async with connect(path, subprotocols=["heartrule.lsp", f"bearer.{key}"], max_size=None, **more) as connection:
        socket = Socket(connection)
        try:
            await socket.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            await socket.tell("initialized", {})
            yield socket
        finally:
            socket.end()


async def _project(api: Asked, files: dict[str, str]) -> tuple[Author, str]:
    lin = Author(api)
    made = await lin.made("empty", "zh-CN")
    changes = {"session.yaml": None, **files}
    await lin.post(f"/projects/{made['id']}/versions", {"base": 1, "changes": changes}, 201)
    return lin, made["id"]


def test_findings_completion_and_our_own_questions_of_what_is_typed(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {"第一次.yaml": FIRST})
            async with opened(api, project, lin.token) as socket:
                uri = await socket.open("%E7%AC%AC%E4%B8%80%E6%AC%A1.yaml", FIRST)
                await socket.until(uri, set())
                await socket.type(uri, 2, FIRST.replace("{心情} 分", "{心清} 分"))
                assert await _codes(socket, uri)
                found = socket.findings[uri][0]
                assert found["source"] == "heartrule"
                line = FIRST.split("\n").index(next(each for each in FIRST.split("\n") if "🙂🙂" in each))
                character = len(FIRST.split("\n")[line].split("{心")[0].encode("utf-16-le")) // 2 + 1
                at = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
                offered = await socket.ask("textDocument/completion", at)
                assert "心情" in {each["label"] for each in offered}
                shown = await socket.ask("heartrule/map", {"file": "第一次.yaml"})
                assert sum(each["errors"] + each["warnings"] for each in shown["nodes"]) >= 1
                made = await socket.ask(
                    "heartrule/operations",
                    {
                        "file": "第一次.yaml",
                        "operation": {
                            "kind": "set",
                            "path": [0, "sessions", 0, "phases", 0, "steps", 0, "topic"],
                            "value": "招呼",
                        },
                    },
                )
                assert made["edit"]["changes"]["第一次.yaml"][0]["newText"] == "招呼"
                with pytest.raises(LookupError, match="no such item"):
                    await socket.ask(
                        "heartrule/operations",
                        {"file": "第一次.yaml", "operation": {"kind": "delete", "path": [0, "sessions", 7]}},
                    )

    run(work())


async def _codes(socket: Socket, uri: str) -> set[str]:
    async with asyncio.timeout(20):
        while not socket.findings.get(uri):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return {each["code"] for each in socket.findings[uri]}


def test_a_variable_is_renamed_over_twelve_files(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            shared = "global:\n  - {var: 心情, type: integer, define: 心情}\n"
            scripts = {
                f"s{number}.yaml": FIRST.replace("id: first", f"id: s{number}")
                .replace("session: 第一次", f"session: 第{number}次")
                .replace("    declare:\n      - {var: 心情, type: integer, range: [0, 10], define: 现在的心情}\n", "")
                for number in range(11)
            }
            lin, project = await _project(api, {"shared.yaml": shared, **scripts})
            async with opened(api, project, lin.token) as socket:
                uri = await socket.open("shared.yaml", shared)
                at = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 11}, "newName": "情绪"}
                edit = await socket.ask("textDocument/rename", at)
                assert len(edit["changes"]) == 12
                told = edit["changes"]["heartrule:///s3.yaml"]
                line = scripts["s3.yaml"].split("\n")[told[-1]["range"]["start"]["line"]]
                units = line.encode("utf-16-le")
                start, end = (told[-1]["range"][each]["character"] * 2 for each in ("start", "end"))
                assert units[start:end].decode("utf-16-le") == "心情"

    run(work())


def test_cancelled_broken_and_closing_messages_end_nothing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {"a.yaml": FIRST})
            async with opened(api, project, lin.token) as socket:
                uri = await socket.open("a.yaml", FIRST)
                waiting = [await socket.send("heartrule/map", {}) for _ in range(6)]
                for number, _ in waiting[2:]:
                    await socket.tell("$/cancelRequest", {"id": number})
                answers = [await asyncio.wait_for(each, 20) for _, each in waiting]
                assert "result" in answers[0]
                assert any(each.get("error", {}).get("code") == -32800 for each in answers[2:])
                for broken in (
                    "{",
                    "[]",
                    '"x"',
                    '{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 3}',
                    "5",
                ):
                    await socket.raw(broken)
                await socket.tell("exit")
                await socket.ask("shutdown")
                symbols = await socket.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
                assert symbols[0]["name"] == "第一次"
                with pytest.raises(LookupError):
                    await socket.ask("heartrule/fields", {"file": "nowhere.yaml", "path": [0]})
                outside = {"textDocument": {"uri": "file:///etc/passwd"}, "position": {"line": 0, "character": 0}}
                assert await socket.ask("textDocument/hover", outside) is None
            answer = await api.get("/healthz")
            assert answer.status_code == 200

    run(work())


def test_what_another_tab_saved_is_seen(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {"a.yaml": FIRST})
            async with opened(api, project, lin.token) as socket:
                typed = FIRST.replace(
                    '{type: say, id: told, content: "🙂🙂 你说是 {心情} 分。"}', "{type: show_form, form: mood}"
                )
                uri = await socket.open("a.yaml", typed)
                assert await _codes(socket, uri)
                form = (
                    "forms:\n  - form: 心情\n    id: mood\n    fields:\n      - {id: q, label: 好吗, type: boolean}\n"
                )
                await lin.post(f"/projects/{project}/versions", {"base": 2, "changes": {"form.yaml": form}}, 201)
                await socket.tell("heartrule/saved")
                await socket.until(uri, set())

    run(work())


def test_nobody_else_comes_in(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            _, project = await _project(api, {"a.yaml": FIRST})
            for key, where, code in (
                ("", project, 4401),
                ("wrong", project, 4401),
                (token(api, NURSE), project, 4403),
                (token(api, WEI), project, 4404),
                (token(api, LIN), "none", 4404),
            ):
                with pytest.raises(ConnectionClosed) as closed:
                    async with opened(api, where, key):
                        pass
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code
            with pytest.raises(ConnectionClosed) as closed:
                async with opened(api, project, token(api, LIN), origin="https://elsewhere.example"):
                    pass
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403

    run(work())


def test_what_no_editor_sends_is_told_or_ends_its_socket_and_nothing_else(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            lin, project = await _project(api, {"a.yaml": FIRST})
            async with opened(api, project, lin.token) as socket:
                uri = await socket.open("a.yaml", FIRST)
                before = {"textDocument": {"uri": uri}, "position": {"line": -1, "character": -1}}
                with pytest.raises(LookupError, match="cannot be read"):
                    await socket.ask("textDocument/completion", before)
                await socket.raw("[" * 100_000)
                assert await socket.ask("heartrule/map", {"file": "a.yaml"})
                await socket.raw(b"\xff\xfe")
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.ask("heartrule/map", {"file": "a.yaml"})
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1003

    run(work())
