"""Authors who have one project open: who is there and where, told over a stream that ends with the sign-in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from tests.server.material import Asked, Grounds, headers, problem, run
from tests.server.signing import Page, account
from tests.server.test_workbench import BENCH

from heartrule.identity.principal import ProjectRole
from heartrule.server.tokens import Staff

PLACE = {"file": "session.yaml", "path": [0, "sessions", 0], "editing": True}


class Stream:
    """What comes over a stream, by name."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def until(self, name: str, **wanted: Any) -> Any:
        """The next event of the name whose data has this in it."""
        async with asyncio.timeout(30):
            event = ""
            async for line in self._lines:
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: ") and event == name:
                    data = json.loads(line.removeprefix("data: "))
                    if all(data.get(key) == value for key, value in wanted.items()):
                        return data
        raise AssertionError(f"no {name}")

    async def over(self) -> None:
        async with asyncio.timeout(30):
            async for _ in self._lines:
                pass


@asynccontextmanager
async def following(client: httpx2.AsyncClient, project: str, tab: str, token: str = "") -> AsyncIterator[Stream]:
    path = f"{BENCH}/projects/{project}/events?tab={tab}"
    async with client.stream("GET", path, timeout=40, headers=headers(token, {})) as answer:
        assert answer.status_code == 200
        yield Stream(answer.aiter_lines())


@asynccontextmanager
async def browser(api: Asked, name: str) -> AsyncIterator[Page]:
    async with httpx2.AsyncClient(base_url=api.client.base_url) as client:
        yield await account(api, Page(client), name, ["developer"])


async def shared(lin: Page, wei: Page) -> str:
    made = await lin.done("POST", "/workbench/projects", {"name": "p", "template": "first_assessment"}, 201)
    body = {"who": wei.principal["id"], "level": "write"}
    await lin.done("PUT", f"/workbench/projects/{made['id']}/sharing", body)
    return str(made["id"])


def test_others_see_who_is_there_and_at_which_node_until_they_leave(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api, browser(api, "lin") as lin, browser(api, "wei") as wei:
            project = await shared(lin, wei)
            at = f"/workbench/projects/{project}"
            async with following(lin.client, project, "l1") as stream:
                assert (await stream.until("here"))["here"] == []
                async with following(wei.client, project, "w1") as other:
                    (come,) = (await stream.until("here"))["here"]
                    assert (come["name"], come["me"], come["file"]) == ("wei", False, None)
                    await other.until("hello")
                    await wei.done("PUT", f"{at}/here/w1", PLACE, 204)
                    (there,) = (await stream.until("here"))["here"]
                    assert {key: there[key] for key in PLACE} == PLACE
                    said = {"file": "session.yaml", "path": PLACE["path"], "text": "嗯"}
                    before = await other.until("news")
                    await lin.done("POST", f"{at}/threads", said, 201)
                    assert (await other.until("news"))["comments"] != before["comments"]
                    await lin.done("POST", f"{at}/versions", {"base": 1, "changes": {"n.md": "x"}}, 201)
                    assert (await other.until("news", version=2))["version"] == 2
                assert (await stream.until("here"))["here"] == []
                problem(await wei.ask("PUT", f"{at}/here/w1", PLACE), "not-found", 404)

    run(work(), 60)


def test_it_ends_with_the_sign_in_and_with_the_sharing(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.staff_access.LOOK", 0.0)
    monkeypatch.setattr("heartrule.server.workbench.presence.QUIET", 0.1)
    monkeypatch.setattr("heartrule.server.workbench.presence.SIGN", 0.0)

    async def work() -> None:
        async with grounds.served() as api, browser(api, "lin") as lin, browser(api, "wei") as wei:
            project = await shared(lin, wei)
            async with following(lin.client, project, "l1") as stream:
                await stream.until("here")
                async with following(wei.client, project, "w1") as other:
                    assert (await stream.until("here"))["here"]
                    body = {"who": wei.principal["id"], "level": None}
                    await lin.done("PUT", f"/workbench/projects/{project}/sharing", body)
                    await other.over()
                assert (await stream.until("here"))["here"] == []
                await lin.done("POST", "/staff/sign-out")
                await stream.over()
            await api.context.presence.left()
            found = await api.context.sessions.store.project_presences.here([project], grounds.clock.now())
            assert found == {}

    run(work(), 60)


@pytest.mark.parametrize("what", ["role", "role in the project", "group", "program", "program's role", "signed token"])
def test_it_ends_with_whatever_let_somebody_in(grounds: Grounds, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr("heartrule.server.staff_access.LOOK", 0.0)
    monkeypatch.setattr("heartrule.server.workbench.presence.QUIET", 0.1)
    monkeypatch.setattr("heartrule.server.workbench.presence.SIGN", 0.0)

    async def work() -> None:
        async with grounds.served() as api, browser(api, "lin") as lin, browser(api, "wei") as wei:
            project, accounts, services = await shared(lin, wei), api.context.accounts, api.context.services
            own, token, at = wei.principal["id"], "", f"/workbench/projects/{project}/sharing"
            group = await lin.done("POST", "/workbench/groups", {"name": "g", "members": [own]}, 201)
            if what == "group":
                await lin.done("PUT", at, {"who": f"group:{group['id']}", "level": "read"})
            if what in ("group", "role in the project"):
                await lin.done("PUT", at, {"who": own, "level": None})
            if what == "role in the project":
                await accounts.change("test", own, roles=[], granted=[ProjectRole("developer", project)])
            if what.startswith("program"):
                made = await services.make("test", own, "p", ["scripts.read"], 1)
                token = made.token
            if what == "signed token":  # which is no account's, whatever it calls itself
                await lin.done("PUT", at, {"who": f"token:{own}", "level": "read"})
                token = api.context.tokens.of_staff(Staff(own, "Wei", "developer", ("*",))).token
            async with following(wei.client, project, "w1", token) as stream:
                await stream.until("here")
                if what in ("role", "program's role"):
                    await accounts.change("test", own, roles=["reviewer"])
                elif what == "role in the project":
                    await accounts.change("test", own, granted=[])
                elif what == "group":
                    await lin.done("PUT", f"/workbench/groups/{group['id']}", {"name": "g", "members": []})
                elif what == "program":
                    await services.revoke("test", made.record.id)
                else:
                    grounds.clock.pass_(hours=13)  # type: ignore[attr-defined]
                await stream.over()

    run(work(), 60)
