"""Half a character (a lone surrogate) can be written in JSON and is no text: what holds one is refused, wherever it
stands, and nothing comes of it. What was kept before that is read without a fault."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi.routing import APIRoute
from tests.server.material import API, Asked, Grounds, problem, run

from heartrule.server import routes
from heartrule.server.bodies import Body
from heartrule.server.tokens import Staff
from heartrule.sessions.rows import GIVEN

HALF = "a\ud800"
DEEP: Any = [{"b": [1, {"c": HALF}]}]
KEYED: Any = {"b": {HALF: 1}}


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


async def refused(api: Asked, method: str, path: str, body: object, token: str | None = None) -> None:
    sent = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    answer = await api.client.request(method, f"{API}{path}", content=json.dumps(body), headers=sent)
    problem(answer, "invalid-request", 422)


@pytest.mark.parametrize("given", [HALF, DEEP, KEYED])
def test_no_session_comes_of_it(grounds: Grounds, given: object) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            await refused(
                api, "POST", "/sessions", {"script": "tests/small", "metadata": {"a": given}}, visit.person_token
            )
            await refused(
                api, "POST", "/sessions", {"script": "tests/typed", "variables": {"随便": given}}, visit.person_token
            )
            mine = (await api.get(f"{API}/sessions", visit.person_token)).json()["sessions"]
            assert [each["id"] for each in mine] == [visit.id]

    run(work())


@pytest.mark.parametrize("given", [HALF, DEEP, KEYED])
def test_authors_are_refused_likewise(grounds: Grounds, given: Any) -> None:
    async def work() -> None:
        async with grounds.asgi(debug="full") as api:
            lin = api.context.tokens.of_staff(Staff("a", "A", "developer", ("*",))).token
            made = (await api.post(f"{API}/workbench/projects", {"name": "p", "template": "empty"}, lin)).json()
            at = f"/workbench/projects/{made['id']}"
            await refused(api, "POST", "/workbench/condition", {"text": given}, lin)
            await refused(api, "POST", "/workbench/condition", {"condition": given}, lin)
            await refused(api, "POST", "/debug/import", {"file": {"head": given}}, lin)
            await refused(api, "PUT", f"{at}/layout", {"layout": {"x": given}}, lin)
            await refused(api, "POST", f"{at}/findings", {"texts": {}, "more": given}, lin)
            await refused(api, "POST", f"{at}/try", {"script": "x", "variables": {"v": given}}, lin)
            await refused(api, "POST", "/workbench/projects", {"name": HALF, "template": "empty"}, lin)
            await refused(api, "PUT", f"{at}/drafts/tab-1", {"base": 1, "texts": {"a.yaml": HALF}}, lin)

    run(work())


def test_all_that_comes_in_is_read_in_that_one_way() -> None:
    bodies = {(route.path, given.field_info.annotation) for route in served() for given in route.dependant.body_params}
    assert len(bodies) > 50
    for path, kind in bodies:
        for each in get_args(kind) or (kind,):
            assert each is type(None) or issubclass(each, Body), (path, kind)


def served() -> Iterator[APIRoute]:
    for each in pkgutil.iter_modules(routes.__path__):
        router = getattr(importlib.import_module(f"{routes.__name__}.{each.name}"), "router", None)
        yield from (route for route in (router.routes if router else ()) if isinstance(route, APIRoute))


def test_one_that_was_kept_opens_and_is_taken_along(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            created = await api.get(f"{API}/sessions/{visit.id}", visit.token)
            person = (await api.context.sessions.store.session(visit.id)).person
            old = await api.context.sessions.create("tests/small", person, {}, None, {GIVEN: {"a": [HALF]}})
            counsellor = api.context.tokens.of_staff(Staff("c", "C", "counsellor", ("*",))).token
            for path, token in (
                (f"/sessions/{old.id}", visit.person_token),
                ("/sessions", visit.person_token),
                (f"/desk/sessions/{old.id}", counsellor),
            ):
                answer = await api.get(f"{API}{path}", token)
                assert answer.status_code == 200, (path, answer.text)
            assert created.status_code == 200
            assert (await api.post(f"{API}/sessions/{old.id}/pause", None, visit.person_token)).status_code < 500
            told = (await api.get(f"{API}/persons/me/export", visit.person_token)).json()
            assert {"a": ["a?"]} in [each["metadata"] for each in told["sessions"]]

    run(work())
