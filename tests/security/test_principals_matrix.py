"""Every operation on projects and releases, every one of the desk and of the staff, asked for by those who have a role
in one project alone and by programs with one scope or another; of what is theirs and of what is not. What is in the
OpenAPI document is asked for; what should be answered stands here, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.security.test_authors_matrix import BENCH, body_of, filled
from tests.security.test_staff_matrix import ask, is_let_in
from tests.security.test_staff_matrix import body_of as staff_body
from tests.security.test_staff_matrix import filled as staff_filled
from tests.security.test_staff_matrix import grounds as grounds
from tests.server.material import API, Asked, Grounds, headers, run
from tests.server.signing import account, page

from heartrule.identity.principal import ProjectRole, Role
from heartrule.identity.rights import SCOPES

ANY_PATH = re.compile(r"\{path[^}]*\}")
Deed = Literal["read", "write", "remove", "look", "make", "review", "publish", "rule"]
Answer = Literal["in", "no", "gone"]
OF_RELEASES: dict[str, Deed] = {
    "POST /projects/{project}/releases": "make",
    "PUT /projects/{project}/releases/rules": "rule",
    "POST /projects/{project}/releases/share": "publish",
    "POST /projects/{project}/releases/back": "publish",
    "POST /projects/{project}/releases/halt": "publish",
    "PUT /releases/{release_id}/notes": "make",
    "POST /releases/{release_id}/review": "review",
    "POST /releases/{release_id}/publish": "publish",
}


def deed_of(method: str, path: str) -> Deed:
    short = path.removeprefix(BENCH)
    if "/releases" in short:
        return OF_RELEASES.get(f"{method} {short}", "look")
    if (method, short) == ("DELETE", "/projects/{project}"):
        return "remove"
    return "read" if method == "GET" else "write"


DEEDS: tuple[Deed, ...] = ("read", "write", "remove", "look", "make", "review", "publish", "rule")


def answers(*told: Answer) -> dict[Deed, Answer]:
    return dict(zip(DEEDS, told, strict=True))


NO = answers(*["no"] * 8)
GONE = answers(*["gone"] * 8)
TABLE: dict[str, dict[Deed, Answer]] = {
    # ............................... read, write, remove, look, make, review, publish, rule
    "developer of the project": answers("in", "in", "no", "in", "in", "no", "no", "no"),
    "reviewer of the project": answers("no", "no", "no", "in", "no", "in", "in", "in"),
    "both, of the project": answers("in", "in", "no", "in", "in", "in", "in", "in"),
    "developer of another one": GONE,
    "reviewer of another one": answers("no", "no", "no", *["gone"] * 5),
    "another developer": GONE,
    "another developer's program": GONE,
    "counsellor": NO,
    "its owner's program, scripts.read": answers("in", "no", "no", *["no"] * 5),
    "its owner's program, scripts.write": NO,
    "its owner's program, scripts.read scripts.write": answers("in", "in", "in", *["no"] * 5),
    "its owner's program, releases.read": answers("no", "no", "no", "in", *["no"] * 4),
    "its owner's program, releases.read releases.write": answers("no", "no", "no", "in", "in", "no", "no", "no"),
    "its owner's program, debug": NO,
    "program of the project's reviewer, releases.read": answers("no", "no", "no", "in", *["no"] * 4),
    "program of the project's reviewer, releases.read releases.write": answers(
        "no", "no", "no", "in", "no", "in", "in", "in"
    ),
    "its owner": answers("in", "in", "in", "in", "in", "no", "no", "no"),
}


def operations(api: Asked) -> Iterator[tuple[str, str]]:
    document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
    for path, item in document["paths"].items():
        if path.startswith(f"{BENCH}/") and ("{project}" in path or "{release_id}" in path):
            yield from ((method.upper(), path) for method in item)


class Cast:
    """Everybody who asks, by their tokens."""

    def __init__(self, api: Asked) -> None:
        self._api = api

    async def member(self, name: str, roles: Sequence[Role] = (), granted: Sequence[ProjectRole] = ()) -> str:
        made, _ = await self._api.context.accounts.invite("test", name, roles, ("*",), granted=granted)
        return made.id

    async def program(self, account: str, scopes: Sequence[str] | None = None) -> str:
        """``scopes``: None for all that they may have."""
        services = self._api.context.services
        if scopes is None:
            from heartrule.identity.accounts import principal_of
            from heartrule.identity.rights import scopes_of

            scopes = scopes_of(principal_of(await self._api.context.accounts.find(account), None))
        return (await services.make("test", account, "program", scopes, 1)).token


async def ground(api: Asked, cast: Cast) -> tuple[str, dict[str, str]]:
    """A project of Lin's with a release of it; whose it is, and where."""
    lin = await cast.member("lin", ("developer",))
    token = await cast.program(lin)
    made = await api.post(f"{BENCH}/projects", {"name": "p", "template": "empty"}, token)
    assert made.status_code == 201, made.text
    project = made.json()["id"]
    saved = {"base": 1, "changes": {"notes.yaml": "# notes"}}
    assert (await api.post(f"{BENCH}/projects/{project}/versions", saved, token)).status_code == 201
    released = await api.post(f"{BENCH}/projects/{project}/releases", None, token)
    assert released.status_code == 201, released.text
    return lin, {"project": project, "release_id": released.json()["id"]}


async def tokens(api: Asked, cast: Cast, lin: str, project: str) -> dict[str, str]:
    """A program with every scope stands for somebody as they are: what they sign in by is asked of elsewhere."""
    both: tuple[Role, Role] = ("developer", "reviewer")
    of = [await cast.member(f"of {role}", (), [ProjectRole(role, project)]) for role in both]
    found = {
        "developer of the project": await cast.program(of[0]),
        "reviewer of the project": await cast.program(of[1]),
        "both, of the project": await cast.program(
            await cast.member("both", (), [ProjectRole(role, project) for role in both])
        ),
        "counsellor": await cast.program(await cast.member("counsellor", ("counsellor",))),
    }
    for role in both:
        other = await cast.member(f"{role} elsewhere", (), [ProjectRole(role, "elsewhere")])
        found[f"{role} of another one"] = await cast.program(other)
    wei = await cast.member("wei", ("developer",))
    found["another developer's program"] = await cast.program(wei)
    for name in TABLE:
        who, _, scopes = name.partition(", ")
        if who == "its owner's program":
            found[name] = await cast.program(lin, scopes.split())
        if who == "program of the project's reviewer":
            found[name] = await cast.program(of[1], scopes.split())
    return found | {"another developer": await cast.program(wei), "its owner": await cast.program(lin)}


async def wrong_cells(api: Asked, name: str, token: str, there: dict[str, str], missing: set[str]) -> list[str]:
    wrong = []
    for method, path in operations(api):
        deed = deed_of(method, path)
        wanted = TABLE[name][deed]
        if deed == "remove" and wanted == "in":
            continue  # asked for at the end: there is nothing any more afterwards
        answer = await api.client.request(
            method, filled(ANY_PATH.sub("project.yaml", path), there), json=body_of(path), headers=headers(token, {})
        )
        operation, status = f"{method} {path}", answer.status_code
        if name == "its owner" and status == 404:
            missing.add(operation)
        told = "no" if status in (401, 403) else "gone" if status == 404 and operation not in missing else "in"
        if told != wanted and not (wanted == "gone" and operation in missing and status == 404):
            wrong.append(f"{name}: {operation}: {status} {answer.text[:120]} where it should be {wanted}")
    return wrong


def test_project_by_endpoint_by_principal(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            cast = Cast(api)
            lin, there = await ground(api, cast)
            asking = await tokens(api, cast, lin, there["project"])
            assert set(asking) == set(TABLE)
            missing: set[str] = set()
            wrong = await wrong_cells(api, "its owner", asking["its owner"], there, missing)
            assert len(missing) < 12, missing
            for name, token in asking.items():
                if name != "its owner":
                    wrong += await wrong_cells(api, name, token, there, missing)
            assert wrong == [], "\n".join(wrong)
            count = sum(1 for _ in operations(api)) * len(asking)
            assert count > 550, count
            path = f"{BENCH}/projects/{there['project']}"
            writes = asking["its owner's program, scripts.read scripts.write"]
            assert (await api.client.delete(path, headers=headers(writes, {}))).status_code == 204

    run(work(), 600)


# the desk and the staff

ODD: dict[str, str] = {
    "GET /desk/figures": "figures",
    "GET /desk/canned": "desk.write",
    "POST /desk/sessions/{session}/seen": "desk.read",
    "GET /desk/shift": "",
    "PUT /desk/me/here": "",
}
"""Operations whose scope their method and path do not tell; empty: no program's. A program is nobody who is there."""


def scope_of(method: str, path: str) -> str:
    if "/reviews" in path and not path.endswith("/test"):
        return "replies"
    return ODD.get(f"{method} {path}", "desk.read" if method == "GET" else "desk.write")


def desk(api: Asked) -> Iterator[tuple[str, str]]:
    document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
    for path, item in document["paths"].items():
        if path.startswith(f"{API}/desk/"):
            yield from ((method.upper(), path.removeprefix(API)) for method in item)


@pytest.mark.parametrize("scope", ["desk.read", "desk.write", "replies", "figures", "scripts.read"])
def test_a_program_may_what_its_scope_opens_and_no_more(grounds: Grounds, scope: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as asking:
            cast = Cast(api)
            visit, _ = await api.begun()
            everything = await cast.member("all", ("counsellor", "reviewer", "developer", "administrator"))
            asking.client.headers["Authorization"] = f"Bearer {await cast.program(everything, [scope])}"
            wrong = []
            for method, path in desk(api):
                told = await ask(asking, method, path, visit.id)
                if is_let_in(told) != (scope_of(method, path) == scope):
                    wrong.append((method, path, told))
            assert wrong == [], wrong
            document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
            for path, item in document["paths"].items():
                short = path.removeprefix(API)
                if short.startswith("/staff/") and not re.match(r"/staff/(sign-in|links|ways)", short):
                    for method in item:
                        sent = staff_body(method.upper(), short)
                        answer = await asking.client.request(method, f"{API}{staff_filled(short, '1')}", json=sent)
                        assert answer.status_code == 403, (method, path, answer.text)
            assert (
                await api.context.sessions.duty.seen_since(datetime.min.replace(tzinfo=UTC)) == ()
            )  # for whom a program asks is not there themselves

    run(work(), 300)


def test_a_program_may_never_more_than_whom_it_acts_for(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang:
            await account(api, wang, "wang", ["counsellor"], ("elsewhere",))
            visit, _ = await api.begun()
            made = await wang.done("POST", "/staff/service-tokens", {"name": "p", "scopes": ["desk.read"]}, 201)
            refused = await wang.ask("POST", "/staff/service-tokens", {"name": "p", "scopes": ["scripts.read"]})
            assert (refused.status_code, refused.json()["code"]) == (422, "scope-refused")
            sent = headers(made["token"], {})
            assert (await api.client.get(f"{API}/desk/sessions/{visit.id}", headers=sent)).status_code == 404
            assert (await api.client.get(f"{API}/desk/sessions", headers=sent)).json()["sessions"] == []
            # What is taken from them is taken from it, at once.
            await api.context.accounts.change("test", wang.principal["id"], roles=["reviewer"])
            assert (await api.client.get(f"{API}/desk/sessions", headers=sent)).status_code == 403
            await api.context.accounts.change("test", wang.principal["id"], disabled=True)
            assert (await api.client.get(f"{API}/desk/sessions", headers=sent)).status_code == 401

    run(work())


def test_a_program_opens_nothing_of_visitors(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            cast = Cast(api)
            visit, _ = await api.begun()
            token = await cast.program(await cast.member("all", ("counsellor", "reviewer", "developer")))
            for path in (visit.path, f"{visit.path}/messages", f"{API}/space", f"{API}/sessions"):
                answer = await api.client.get(path, headers=headers(token, {}))
                assert answer.status_code in (401, 403, 404), (path, answer.text)

    run(work())


def test_every_scope_opens_something_and_all_of_it_is_asked_for() -> None:
    assert all(SCOPES.values())
    asked = {scope for name in TABLE for scope in name.partition(", ")[2].split()} - {"of", "the", "project"}
    assert set(SCOPES) == asked | {"desk.read", "desk.write", "replies", "figures"}


def test_the_source_compares_no_roles_elsewhere() -> None:
    """Who may what is decided in one place."""
    source = Path(__file__).parents[2] / "src" / "heartrule"
    rooms = [source / name for name in ("server", "workbench", "releases", "debugger", "sessions")]
    found: list[Any] = [
        path
        for room in rooms
        for path in room.rglob("*.py")
        if re.search(
            r"if [^\n]*\bin (who|staff|principal|author)\.roles\b|\.roles\s*[&|]", path.read_text(encoding="utf-8")
        )
        and path.name not in ("desk.py", "signing.py")  # which tell them, in their order
    ]
    assert found == []
