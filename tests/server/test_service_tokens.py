"""Tokens of programs: made, listed, used, called back; and what stands of them in the database."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import httpx2
import pytest
from tests.server.material import API, Grounds, problem, run, seen
from tests.server.signing import PASSWORD, Page, account, administrator, page

from heartrule.identity import passwords

BODY = {"name": "nightly report", "scopes": ["figures", "desk.read"], "days": 2}


def test_a_token_is_told_once_used_and_called_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as li, page(api) as root:
            await administrator(api, root)
            await account(api, wang, "wang")
            await account(api, li, "li")
            made = await wang.done("POST", "/staff/service-tokens", BODY, 201)
            token, service = made["token"], made["service"]
            assert token.startswith("hrs_")
            assert service["scopes"] == ["desk.read", "figures"]
            assert service["used_at"] is None
            assert (await api.get(f"{API}/desk/sessions", token)).status_code == 200
            listed = await wang.done("GET", "/staff/service-tokens")
            assert token not in str(listed)
            assert [each["used_at"] is not None for each in listed["services"]] == [True]
            assert "scripts.read" not in listed["scopes"]
            assert (await li.done("GET", "/staff/service-tokens"))["services"] == []
            every = (await root.done("GET", "/staff/service-tokens/all"))["services"]
            assert [(each["name"], each["owner"]) for each in every] == [("nightly report", "wang")]
            problem(await li.ask("DELETE", f"/staff/service-tokens/{service['id']}"), "not-found", 404)
            await root.done("DELETE", f"/staff/service-tokens/{service['id']}", status=204)
            problem(await api.get(f"{API}/desk/sessions", token), "unauthorized", 401)
            again = (await wang.done("POST", "/staff/service-tokens", BODY, 201))["token"]
            grounds.clock.pass_(days=2)  # type: ignore[attr-defined]
            problem(await api.get(f"{API}/desk/sessions", again), "unauthorized", 401)
            deeds = [each.what for each in await api.context.sessions.store.audit.newest()]
            assert deeds.count("service") == 3

    run(work())


def test_a_token_stands_nowhere_but_with_its_program(grounds: Grounds, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> str:
        async with grounds.asgi() as api, page(api) as wang:
            await account(api, wang, "wang")
            made = await wang.done("POST", "/staff/service-tokens", BODY, 201)
            assert (await api.get(f"{API}/desk/sessions", made["token"])).status_code == 200
            found: str = made["token"]
            return found

    caplog.set_level(logging.DEBUG)
    token = run(work())
    for path in grounds.data.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert token.encode() not in content
            assert b"nightly report" not in content
    assert token not in caplog.text


def test_a_program_has_seen_no_call_and_is_not_there(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api, httpx2.AsyncClient(base_url=api.client.base_url) as client:
            wang = await account(api, Page(client), "wang")
            scopes = ["desk.read", "desk.write"]
            token = (await wang.done("POST", "/staff/service-tokens", {**BODY, "scopes": scopes}, 201))["token"]
            visit, begun = await api.begun()
            await api.turn(visit, text="我不想活了，今晚就去跳楼", after=seen(begun))
            at, store = f"{API}/desk/sessions/{visit.id}", api.context.sessions.store
            (call,) = await store.escalations.of_session(visit.id)
            known = await store.presences.seen_since(datetime.min.replace(tzinfo=UTC))

            problem(await api.post(f"{at}/seen", {"message": 99}, token), "not-allowed", 403)
            acknowledge = f"{at}/escalations/{call.id.partition('/')[2]}/acknowledge"
            problem(await api.post(acknowledge, None, token), "not-allowed", 403)
            assert (await api.get(at, token)).status_code == 200
            sent = {"Authorization": f"Bearer {token}"}
            async with api.client.stream("GET", f"{API}/desk/events", headers=sent) as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data:"):
                        break
            assert await store.presences.seen_since(datetime.min.replace(tzinfo=UTC)) == known

            (waiting,) = (await wang.done("GET", "/desk/sessions"))["sessions"]
            assert (waiting["unread"] > 0, waiting["seen"], waiting["escalations"]) == (True, [], 1)
            await wang.done("POST", f"/desk/sessions/{visit.id}/seen", {"message": 99}, 204)
            assert (await wang.ask("POST", acknowledge.removeprefix(API))).status_code == 200

    run(work())


def test_a_socket_of_an_editor_is_opened_by_scope(grounds: Grounds) -> None:
    """A cookie goes with every request of a browser; a program's token goes among the protocols that it offers."""
    from starlette.testclient import TestClient
    from starlette.websockets import WebSocketDisconnect

    async def made() -> tuple[str, str, str]:
        async with grounds.asgi() as api:
            lin, _ = await api.context.accounts.invite("test", "lin", ["developer"])
            tokens = [
                (await api.context.services.make("test", lin.id, "p", scopes, 1)).token
                for scopes in (["scripts.read", "scripts.write"], ["debug"])
            ]
            body = {"name": "p", "template": "empty"}
            project = (await api.post(f"{API}/workbench/projects", body, tokens[0])).json()["id"]
            return tokens[0], tokens[1], project

    reads, debugs, project = run(made())
    from heartrule.server.app import build
    from heartrule.server.settings import ServerSettings

    with TestClient(build(grounds.settings(), ServerSettings())) as client:
        path = f"{API}/workbench/projects/{project}/lsp"
        with client.websocket_connect(path, subprotocols=["heartrule.lsp", f"bearer.{reads}"]) as socket:
            socket.send_text('{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}')
            assert '"id":' in socket.receive_text().replace(" ", "")
        with (
            pytest.raises(WebSocketDisconnect) as shut,
            client.websocket_connect(path, subprotocols=["heartrule.lsp", f"bearer.{debugs}"]) as socket,
        ):
            socket.receive_text()
        assert shut.value.code == 4403


def test_somebody_is_signed_out_everywhere(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as root, page(api) as wang, page(api) as phone:
            await administrator(api, root)
            await account(api, wang, "wang")
            assert (await phone.sign_in("wang")).status_code == 200
            own = wang.principal["id"]
            await root.done("DELETE", f"/staff/accounts/{own}/sign-ins", status=204)
            for browser in (wang, phone):
                problem(await browser.ask("GET", "/staff/me"), "unauthorized", 401)
            assert (await phone.sign_in("wang")).status_code == 200
            problem(await root.ask("DELETE", "/staff/accounts/00000001/sign-ins"), "not-found", 404)

    run(work())


def test_how_somebody_signed_in_or_failed_to_is_on_record(grounds: Grounds, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang:
            await account(api, wang, "wang")
            assert (await wang.sign_in("wang")).status_code == 200
            assert (await wang.sign_in("wang", "not this one")).status_code == 401
            await api.client.post(f"{API}/staff/sign-in/passkey", json={"credential": {}})
            signed = [each.detail for each in await api.context.sessions.store.audit.newest() if each.what == "sign_in"]
            assert signed == ["password", "link"]

    caplog.set_level(logging.INFO, logger="heartrule")
    run(work())
    lines = [record.getMessage() for record in caplog.records]
    failed = [line for line in lines if "sign-in failed" in line]
    assert len(failed) == 2
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize("word", ["heartrule1", "密码是1234567", "Counsel2024", "qwertyuiop"])
def test_what_whoever_guesses_begins_with_is_no_password(word: str) -> None:
    with pytest.raises(passwords.Refused):
        passwords.check(word, "wang")
    passwords.check(f"{word} and a walk along the river", "wang")
