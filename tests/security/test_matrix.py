"""Every operation of the API that names a session, by everybody to whom it does not belong: nobody reads or changes
anything, and a canary that was said in it comes back to nobody."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.server.material import API, Asked, Grounds, Visit, headers, run
from tests.server.test_desk import ELSEWHERE, token

CANARY = "金丝雀-7f3a91"
ROLES = ("nobody", "broken", "stranger", "stranger's person", "desk elsewhere")


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


def operations(api: Asked) -> list[tuple[str, str]]:
    document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
    return [
        (method.upper(), path) for path, item in document["paths"].items() for method in item if "{session}" in path
    ]


def opened_with(api: Asked, role: str, stranger: Visit) -> str | None:
    return {
        "nobody": None,
        "broken": f"{stranger.token[:-4]}AAAA",
        "stranger": stranger.token,
        "stranger's person": stranger.person_token,
        "desk elsewhere": token(api, ELSEWHERE),
    }[role]


def filled(path: str, session: str) -> str:
    known = path.replace("{session}", session)
    return re.sub(r"\{\w+\}", "1", known)


BODY: dict[str, Any] = {
    "key": "a-key-of-mine",
    "input": {"type": "message", "text": "我是别人"},
    "text": "我是别人",
    "message": 1,
    "reason": "other",
    "verdict": "fitting",
}


@pytest.mark.parametrize("role", ROLES)
def test_nobody_reads_or_changes_what_is_anothers(grounds: Grounds, role: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            said = {"key": "canary-key", "input": {"type": "message", "text": CANARY}}
            assert (await api.post(f"{visit.path}/turns", said, visit.token)).status_code == 200
            before = await api.context.sessions.store.dump(visit.id)
            stranger = await api.visit()
            sent = headers(opened_with(api, role, stranger), {})
            tried = operations(api)
            assert len(tried) >= 20
            for method, path in tried:
                for body in (None, BODY, {"key": "a-key-of-mine"}):
                    answer = await api.client.request(method, filled(path, visit.id), json=body, headers=sent)
                    assert 400 <= answer.status_code < 500, (method, path, answer.status_code)
                    assert CANARY not in answer.text
            assert await api.context.sessions.store.dump(visit.id) == before
            listed = await api.client.get(f"{API}/sessions", headers=sent)
            assert visit.id not in listed.text

    run(work())


def test_a_takeover_with_null_is_no_fault(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            body = {"key": "takeover-1", "instead": None}
            answer = await api.client.post(
                f"{API}/desk/sessions/{visit.id}/takeover", json=body, headers=headers(token(api), {})
            )
            assert answer.status_code == 200

    run(work())


def test_what_was_signed_ends_what_came_of_it(grounds: Grounds) -> None:
    from tests.server.material import SECRET
    from tests.server.test_tokens import signed

    from heartrule.testing.hold import MovedClock

    assert isinstance(grounds.clock, MovedClock)

    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            soon = int(api.context.sessions.clock.now().timestamp()) + 3
            visit = await api.visit(token=signed(exp=soon))
            assert (await api.get(visit.path, visit.token)).status_code == 200
            link = (await api.post(f"{visit.path}/recovery", None, visit.token)).json()["token"]
            grounds.clock.pass_(seconds=4)
            for late in (visit.token, link):
                assert (await api.get(visit.path, late)).json()["code"] == "token-expired"

    run(work())
