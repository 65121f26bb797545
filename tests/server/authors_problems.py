"""Problems that those who write scripts can meet."""

from __future__ import annotations

import asyncio
from unittest.mock import patch

import httpx2
from tests.releases.material import FILES, KIM, LIN, WEI, Member
from tests.server.material import API, Asked, Grounds
from tests.server.reaching import reaching
from tests.server.required import shelved

from heartrule.server.tokens import Staff
from heartrule.sessions.release_choice import Trust

BENCH = f"{API}/workbench"


def _token(api: Asked) -> str:
    return api.context.tokens.of_staff(Staff("a", "A", "developer", ("*",))).token


async def _made(api: Asked) -> str:
    answer = await api.post(f"{BENCH}/projects", {"name": "p", "template": "empty"}, _token(api))
    return f"{BENCH}/projects/{answer.json()['id']}"


@reaching("read-only")
async def read_only(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.post(
        f"{BENCH}/projects/folder.tests/versions", {"base": 0, "changes": {"a.yaml": ""}}, _token(api)
    )


@reaching("bad-path")
async def bad_path(api: Asked, _: Grounds) -> httpx2.Response:
    changes = {"../a.yaml": "x: 1\n"}
    return await api.post(f"{await _made(api)}/versions", {"base": 1, "changes": changes}, _token(api))


@reaching("version-conflict")
async def version_conflict(api: Asked, _: Grounds) -> httpx2.Response:
    path = await _made(api)
    for text in ("a: 1\n", "a: 2\n"):
        answer = await api.post(f"{path}/versions", {"base": 1, "changes": {"session.yaml": text}}, _token(api))
    return answer


@reaching("text-moved")
async def text_moved(api: Asked, _: Grounds) -> httpx2.Response:
    operation = {"kind": "delete", "path": [0, "sessions", 0]}
    body = {"file": "session.yaml", "base": "0" * 16, "operation": operation}
    return await api.post(f"{await _made(api)}/operations", body, _token(api))


@reaching("cannot-edit")
async def cannot_edit(api: Asked, _: Grounds) -> httpx2.Response:
    body = {"file": "session.yaml", "operation": {"kind": "delete", "path": [0, "sessions", 9]}}
    return await api.post(f"{await _made(api)}/operations", body, _token(api))


@reaching("release-not-open")
async def not_open(api: Asked, _: Grounds) -> httpx2.Response:
    lin = Member(api, LIN, "")
    return await Member(api, WEI, "").send("POST", f"/releases/{await lin.make(await lin.project())}/publish")


@reaching("release-taken")
async def taken(api: Asked, _: Grounds) -> httpx2.Response:
    lin, wei = Member(api, LIN, ""), Member(api, WEI, "")
    await wei.post(f"/releases/{await lin.ready(await lin.project())}/publish")
    return await wei.send("POST", f"/releases/{await lin.ready(await lin.project())}/publish")


@reaching("release-nothing")
async def nothing_to_go_back_to(api: Asked, _: Grounds) -> httpx2.Response:
    project = await Member(api, LIN, "").project()
    return await Member(api, WEI, "").send("POST", f"/projects/{project}/releases/back")


@reaching("release-overtaken")
async def overtaken(api: Asked, _: Grounds) -> httpx2.Response:
    """Two publish at the same moment."""
    lin, wei, kim = Member(api, LIN, ""), Member(api, WEI, ""), Member(api, KIM, "")
    made = await lin.ready(await lin.project())
    answers = await asyncio.gather(*(each.send("POST", f"/releases/{made}/publish") for each in (wei, kim)))
    return max(answers, key=lambda each: each.status_code)


@reaching("release-not-trusted")
async def not_trusted(api: Asked, _: Grounds) -> httpx2.Response:
    lin = Member(api, LIN, "")
    made = await lin.make(await lin.project())
    api.context.sessions.release_choice.trust = Trust(True, ())
    return await lin.send("POST", f"/releases/{made}/impact")


@reaching("release-no-project")
async def no_project(api: Asked, _: Grounds) -> httpx2.Response:
    lin = Member(api, LIN, "")
    project = await lin.project()
    await lin.save(project, dict.fromkeys(FILES, None) | {"talk.yaml": FILES["talk.yaml"]})
    return await lin.send("POST", f"/projects/{project}/releases")


@reaching("no-node")
async def no_node(api: Asked, _: Grounds) -> httpx2.Response:
    project = (await api.post(f"{BENCH}/projects", {"name": "p", "template": "empty"}, _token(api))).json()["id"]
    said = {"file": "nothing.yaml", "path": [], "text": "x"}
    return await api.post(f"{BENCH}/projects/{project}/threads", said, _token(api))


@reaching("comments-full")
async def comments_full(api: Asked, _: Grounds) -> httpx2.Response:
    project = (await api.post(f"{BENCH}/projects", {"name": "p", "template": "empty"}, _token(api))).json()["id"]
    path, said = f"{BENCH}/projects/{project}/threads", {"file": "project.yaml", "path": [], "text": "x"}
    with patch("heartrule.store.comments.MOST_THREADS", 0):
        return await api.post(path, said, _token(api))


@reaching("package-unread")
async def package_unread(api: Asked, _: Grounds) -> httpx2.Response:
    object.__setattr__(api.context.settings, "packages", "/nowhere/at/all")
    return await api.get(f"{BENCH}/packages", _token(api))


async def _required(api: Asked, grounds: Grounds) -> tuple[str, str]:
    """A project of the gallery that requires packages, and who has it."""
    object.__setattr__(api.context.settings, "packages", str(shelved(grounds.folder / "shelf").index))
    token = _token(api)
    made = await api.post(f"{BENCH}/packages/course/1.0.0", {}, token)
    return f"{BENCH}/projects/{made.json()['id']}", token


@reaching("package-used")
async def package_used(api: Asked, grounds: Grounds) -> httpx2.Response:
    project, token = await _required(api, grounds)
    return await api.client.delete(f"{project}/requires/warmth", headers={"Authorization": f"Bearer {token}"})


@reaching("package-text")
async def package_text(api: Asked, grounds: Grounds) -> httpx2.Response:
    project, token = await _required(api, grounds)
    changes = {"packages/warmth/skills.yaml": ""}
    return await api.post(f"{project}/versions", {"base": 1, "changes": changes}, token)


@reaching("package-moved")
async def package_moved(api: Asked, grounds: Grounds) -> httpx2.Response:
    await _required(api, grounds)
    return await api.post(f"{BENCH}/packages/course/1.0.0", {"digests": {"course": "0" * 64}}, _token(api))
