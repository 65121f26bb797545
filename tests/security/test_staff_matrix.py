"""Every operation of the staff, asked for by every role, of objects that are theirs to see and of others: what the
OpenAPI document has, and nothing that is not in the table below. A cell that answers otherwise than the table says is
wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.server.material import API, Asked, Grounds, Visit, run
from tests.server.signing import Page, account, administrator, page

from heartrule.identity.passwords import Passwords

C, D, R, A = "counsellor", "developer", "reviewer", "administrator"
ROLES = (C, D, R, A)
OPEN = "everybody"
OWN = frozenset(ROLES)
TABLE: dict[str, frozenset[str] | str] = {
    # the staff's own
    "POST /staff/sign-in": OPEN,
    "POST /staff/sign-in/passkey/begin": OPEN,
    "POST /staff/sign-in/passkey": OPEN,
    "GET /staff/ways": OPEN,
    "POST /staff/sign-in/provider/begin": OPEN,
    "POST /staff/sign-in/provider": OPEN,
    "POST /staff/links/{token}/passkey/begin": OPEN,
    "POST /staff/links/{token}/passkey": OPEN,
    "GET /staff/passkeys": OWN,
    "POST /staff/passkeys/begin": OWN,
    "POST /staff/passkeys": OWN,
    "DELETE /staff/passkeys/{passkey}": OWN,
    "GET /staff/service-tokens": OWN,
    "POST /staff/service-tokens": OWN,
    "GET /staff/service-tokens/all": frozenset({A}),
    "DELETE /staff/service-tokens/{service}": OWN,
    "GET /staff/links/{token}": OPEN,
    "POST /staff/links/{token}": OPEN,
    "GET /staff/me": OWN,
    "PATCH /staff/me": OWN,
    "POST /staff/sign-out": OWN,
    "GET /staff/sign-ins": OWN,
    "DELETE /staff/sign-ins/{sign_in}": OWN,
    "GET /staff/security": OWN,
    "POST /staff/password": OWN,
    "POST /staff/totp": OWN,
    "PUT /staff/totp": OWN,
    "DELETE /staff/totp": OWN,
    "GET /staff/accounts": frozenset({A}),
    "POST /staff/accounts": frozenset({A}),
    "PATCH /staff/accounts/{account}": frozenset({A}),
    "POST /staff/accounts/{account}/link": frozenset({A}),
    "DELETE /staff/accounts/{account}/totp": frozenset({A}),
    "DELETE /staff/accounts/{account}/sign-ins": frozenset({A}),
    "GET /staff/projects": frozenset({A}),
    "GET /staff/audit": frozenset({A}),
    # the desk
    # releases: what is not there is not there for whoever looks at any; the matrix of principals asks of real ones
    "GET /workbench/releases": frozenset({D, R, A}),
    "GET /workbench/projects/{project}/releases": frozenset({D, R, A}),
    "POST /workbench/projects/{project}/releases": frozenset({D, R, A}),
    "PUT /workbench/projects/{project}/releases/rules": frozenset({D, R, A}),
    "GET /workbench/projects/{project}/releases/figures": frozenset({D, R, A}),
    "GET /workbench/projects/{project}/releases/log": frozenset({D, R, A}),
    "POST /workbench/projects/{project}/releases/share": frozenset({D, R, A}),
    "POST /workbench/projects/{project}/releases/back": frozenset({D, R, A}),
    "POST /workbench/projects/{project}/releases/halt": frozenset({D, R, A}),
    "GET /workbench/releases/{release_id}": frozenset({D, R, A}),
    "PUT /workbench/releases/{release_id}/notes": frozenset({D, R, A}),
    "GET /workbench/releases/{release_id}/changes": frozenset({D, R, A}),
    "POST /workbench/releases/{release_id}/check": frozenset({D, R, A}),
    "POST /workbench/releases/{release_id}/review": frozenset({D, R, A}),
    "POST /workbench/releases/{release_id}/impact": frozenset({D, R, A}),
    "POST /workbench/releases/{release_id}/publish": frozenset({D, R, A}),
    # figures and replies
    "GET /desk/figures": frozenset({C, R, A}),
    "GET /desk/reviews": frozenset({C, R}),
    "GET /desk/sessions/{session}/reviews/{message}": frozenset({C, R}),
    "PUT /desk/sessions/{session}/reviews/{message}": frozenset({C, R}),
}
DESK = frozenset({C})
"""All else of the desk."""


def wanted(operation: str) -> frozenset[str] | str:
    return TABLE.get(operation, DESK)


def operations(api: Asked) -> Iterator[tuple[str, str]]:
    document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
    for path, item in document["paths"].items():
        if path.startswith((f"{API}/desk/", f"{API}/staff/")) or "/releases" in path:
            yield from ((method.upper(), path.removeprefix(API)) for method in item)


BODIES: dict[str, Any] = {
    "/takeover": {"key": "key-of-matrix"},
    "/messages": {"key": "key-of-matrix", "text": "hello"},
    "/hand-back": {"key": "key-of-matrix"},
    "/seen": {"message": 1},
    "/notes": {"text": "n"},
    "/tags": {"tags": ["t"]},
    "/assignment": {"to": None},
    "/handover": {"note": None},
    "/here": {"here": False},
    "/canned": {"title": "t", "text": "t"},
    "/rota": {"days": [0], "start": "09:00", "end": "12:00", "zone": "UTC"},
    "/values": {"key": "key-of-matrix", "scope": "session", "name": "n", "value": 1, "reason": "r"},
    "/sign-in": {"name": "n", "password": "p"},
    "/sign-in/passkey": {"credential": {}},
    "/sign-in/provider": {"code": "c", "state": "s"},
    "/staff/passkeys": {"credential": {}, "title": "t"},
    "/service-tokens": {"name": "p", "scopes": ["figures"]},
    "/password": {"old": "wrong", "new": "wrong"},
    "/totp": {"password": "wrong"},
    "/accounts": {"name": "new one", "roles": []},
    "/submit": {"values": {}},
    "/me": {},
    "/rules": {"coverage": 0, "reviewers": 0},
    "/share": {"share": 0.5},
    "/review": {"verdict": "approve"},
}


def body_of(method: str, path: str) -> Any:
    if method in ("GET", "DELETE") and not path.endswith("/staff/totp") and "/staff/passkeys/" not in path:
        return None
    if (method, path) == ("PUT", "/staff/totp"):
        return {"code": "000000"}
    if "/reviews/" in path:
        return {"verdict": "fitting"}
    if "/links/" in path and path.endswith("/passkey"):
        return {"credential": {}, "title": "t"}
    if "/links/" in path and not path.endswith("/begin"):
        return {"password": "x"}
    if "/notes/" in path:
        return {"text": "n"}
    if "/releases/" in path and path.endswith("/notes"):
        return {"notes": "n"}
    if "/canned/" in path:
        return {"title": "t", "text": "t"}
    return next((body for end, body in BODIES.items() if path.endswith(end)), {})


def filled(path: str, session: str) -> str:
    return re.sub(r"\{\w+\}", "00000001", path.replace("{session}", session).replace("{message}", "1"))


async def ask(who: Page, method: str, path: str, session: str) -> tuple[int, str]:
    async with who.client.stream(
        method,
        f"{API}{filled(path, session)}",
        json=body_of(method, path),
        headers={"X-CSRF-Token": who.csrf or ""},
    ) as answer:
        if answer.status_code == 200 and answer.headers["content-type"].startswith("text/event-stream"):
            return 200, ""
        await answer.aread()
        return answer.status_code, answer.json().get("code", "") if answer.status_code >= 400 else ""


@pytest.fixture
def grounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Grounds:
    cheap = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
    monkeypatch.setattr("heartrule.server.app.Passwords", lambda: Passwords(cheap))
    # A stream that is asked for over ASGI would not end by itself.
    monkeypatch.setattr("heartrule.server.routes.desk_shift._told", _nothing)
    monkeypatch.setattr("heartrule.server.routes.events._told", _nothing)
    return Grounds(tmp_path)


async def _nothing(*_: Any) -> Any:
    yield b": \n\n"


def is_let_in(told: tuple[int, str]) -> bool:
    """Whatever else is wrong with it, the role was no hindrance."""
    return told[1] not in ("not-allowed", "unauthorized", "not-staff")


async def wrong_cells(api: Asked, who: Page | None, role: str, visit: Visit, hidden: bool) -> list[str]:
    wrong = []
    async with page(api) as nobody:
        asked = who or nobody
        for method, path in operations(api):
            if path == "/staff/sign-out":
                continue  # asked for last: there is nobody any more afterwards
            operation, told = f"{method} {path}", await ask(asked, method, path, visit.id)
            lets_in = wanted(operation) == OPEN or role in wanted(operation)
            if is_let_in(told) != lets_in:
                wrong.append(f"{role}: {operation}: {told}")
            elif hidden and lets_in and "{session}" in path and told != (404, "not-found"):
                wrong.append(f"{role}: {operation}: {told} of a session that is not theirs")
    return wrong


@pytest.mark.parametrize("role", [*ROLES, "nobody", "no role"])
def test_role_by_endpoint_by_object(grounds: Grounds, role: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as root, page(api) as own, page(api) as other:
            await administrator(api, root)
            visit, _ = await api.begun()
            roles = [role] if role in ROLES else []
            signed = role != "nobody"
            if signed:
                await account(api, own, "own", roles)
                await account(api, other, "other", roles, projects=("elsewhere",))
            before = await api.context.sessions.store.dump(visit.id)
            wrong = await wrong_cells(api, other if signed else None, role, visit, hidden=True)
            assert await api.context.sessions.store.dump(visit.id) == before
            wrong += await wrong_cells(api, own if signed else None, role, visit, hidden=False)
            assert wrong == []
            if role not in (C, "nobody"):
                assert await api.context.sessions.store.dump(visit.id) == before

    run(work())


def test_the_table_names_no_operation_that_is_not_there(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            there = {f"{method} {path}" for method, path in operations(api)}
            assert set(TABLE) <= there
            assert len(there) > 50

    run(work())


def test_a_token_administers_nothing(grounds: Grounds) -> None:
    from heartrule.server.tokens import Staff

    async def work() -> None:
        async with grounds.asgi() as api:
            staff = Staff("c-1", "Wang", "counsellor", ("*",))
            sent = {"Authorization": f"Bearer {api.context.tokens.of_staff(staff).token}"}
            for method, path in operations(api):
                if path.startswith("/staff/") and wanted(f"{method} {path}") != OPEN:
                    answer = await api.client.request(
                        method, f"{API}{filled(path, '1')}", json=body_of(method, path), headers=sent
                    )
                    assert answer.status_code == 403, (method, path, answer.text)

    run(work())
