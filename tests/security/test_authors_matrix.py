"""Every operation of the workbench and the debugger that the OpenAPI document has, asked for by everybody who may not:
other roles, visitors, nobody, and authors to whom the project or the debug session does not belong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.debugger.material import DEBUG, FILES, LIN
from tests.server.material import API, Asked, Grounds, headers, run
from tests.server.signing import account, page

from heartrule.server.tokens import Staff

BENCH = f"{API}/workbench"
CANARY = "金丝雀-4c19d2"
PEOPLE = f"{DEBUG}/recorded/{{session}}"
OPEN = f"{DEBUG}/sessions/{{debug}}/chat/api/v1/about"
"""Tells nothing of anybody."""
BODIES: dict[str, Any] = {
    "/versions": {"base": 1, "changes": {"a.yaml": "x: 1"}},
    "/releases/rules": {"coverage": 0, "reviewers": 0},
    "/releases/share": {"share": 0.5},
    "/releases/{release_id}/review": {"verdict": "approve"},
    "/releases/{release_id}/notes": {"notes": "n"},
    "/try": {"script": "first"},
    "/drafts/{tab}": {"base": 1, "texts": {"a.yaml": "x: 1"}},
    "/layout": {"layout": {"a": 1}},
    "/sharing": {"who": "wei", "level": "write"},
    "/threads": {"file": "notes.yaml", "path": [], "text": "x"},
    "/comments": {"text": "x"},
    "/resolved": {"resolved": True},
    "/merge": {"base": 1, "changes": {"a.yaml": "x: 1"}},
    "/requires/{name}": {"version": "1.0.0", "digests": {}},
    "/here/{tab}": {"file": "notes.yaml"},
    "/projects/{project}": {"name": "mine now"},
    "/sessions/{debug}/text": {"texts": FILES},
}


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


def operations(api: Asked) -> Iterator[tuple[str, str]]:
    document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
    for path, item in document["paths"].items():
        if path.startswith((f"{BENCH}/", f"{DEBUG}/")) and path != OPEN:
            yield from ((method.upper(), path) for method in item)


async def theirs(api: Asked) -> dict[str, str]:
    """A project and a debug session of Lin's, with something in them that nobody else is to read."""
    lin = api.context.tokens.of_staff(LIN).token
    project = (await api.post(f"{BENCH}/projects", {"name": CANARY, "template": "empty"}, lin)).json()["id"]
    saved = {"base": 1, "changes": {"notes.yaml": f"# {CANARY}"}}
    assert (await api.post(f"{BENCH}/projects/{project}/versions", saved, lin)).status_code == 201
    made = (await api.post(f"{DEBUG}/sessions", {"texts": FILES, "script": "sleep", "name": CANARY}, lin)).json()
    return {"project": project, "debug": made["id"], "session": made["chat"]["session"]}


def filled(path: str, there: dict[str, str]) -> str:
    values = {"version": "1.0.0", **there, "name": "map", "key": "x", "tab": "t", "path": "notes.yaml"}
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: values.get(found[1], "1"), path)


def body_of(path: str) -> Any:
    return next((body for end, body in BODIES.items() if path.endswith(end)), {})


async def kept(api: Asked, there: dict[str, str]) -> Any:
    lin = api.context.tokens.of_staff(LIN).token
    found = [
        (await api.get(f"{BENCH}/projects/{there['project']}{each}", lin)).json()
        for each in ("", "/texts", "/versions", "/drafts", "/layout", "/coverage", "/sharing", "/threads")
    ]
    return [*found, (await api.get(f"{DEBUG}/sessions/{there['debug']}/file", lin)).json()]


@pytest.mark.parametrize("role", ["nobody", "visitor", "person", "counsellor", "reviewer", "administrator"])
def test_who_is_no_author_is_let_in_nowhere(grounds: Grounds, role: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as browser:
            there = await theirs(api)
            visit, _ = await api.begun()
            if role == "administrator":
                await account(api, browser, "root", [role])
            tokens = {"nobody": None, "visitor": visit.token, "person": visit.person_token, "administrator": None}
            if role not in tokens:
                tokens[role] = api.context.tokens.of_staff(Staff("x", "X", role, ("*",))).token  # type: ignore[arg-type]
            before = await kept(api, there)
            wrong = []
            for method, path in operations(api):
                if path == PEOPLE and role == "counsellor":
                    continue
                if "/releases" in path and role in ("reviewer", "administrator"):
                    continue  # theirs to review and to publish; the matrix of the staff holds each cell
                sent = headers(tokens[role], {})
                sent |= {"X-CSRF-Token": browser.csrf} if browser.csrf else {}
                client = browser.client if browser.csrf else api.client
                answer = await client.request(method, filled(path, there), json=body_of(path), headers=sent)
                if answer.status_code not in (401, 403, 404) or CANARY in answer.text:
                    wrong.append((method, path, answer.status_code))
            assert wrong == []
            assert await kept(api, there) == before

    run(work(), 120)


def test_another_author_finds_nothing_that_is_not_theirs(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            there = await theirs(api)
            sent = headers(api.context.tokens.of_staff(Staff("wei", "Wei", "developer", ("*",))).token, {})
            before = await kept(api, there)
            wrong, asked = [], 0
            for method, path in operations(api):
                answer = await api.client.request(method, filled(path, there), json=body_of(path), headers=sent)
                owned = "{project}" in path or "{debug}" in path
                asked += owned
                if CANARY in answer.text or (owned and answer.status_code != 404):
                    wrong.append((method, path, answer.status_code, answer.text[:80]))
            assert asked > 60
            assert wrong == []
            assert await kept(api, there) == before

    run(work(), 120)


def test_authors_read_nothing_of_real_people(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            assert (await api.send(visit, text=CANARY)).status_code == 200
            lin = headers(api.context.tokens.of_staff(LIN).token, {})
            for path in (visit.path, f"{visit.path}/messages", PEOPLE.format(session=visit.id)):
                answer = await api.client.get(path, headers=lin)
                assert answer.status_code in (401, 403, 404), path
                assert CANARY not in answer.text

    run(work(), 120)
