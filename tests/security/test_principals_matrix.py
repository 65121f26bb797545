"""Every operation on projects and releases, every one of the desk and of the staff, asked for by those who have a role
in one project alone and by programs with one scope or another; of what is theirs and of what is not. What is in the
OpenAPI document is asked for; what should be answered stands here, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from tests.security.test_authors_matrix import BENCH, body_of, filled
from tests.security.test_staff_matrix import _nothing, ask, is_let_in
from tests.security.test_staff_matrix import body_of as staff_body
from tests.security.test_staff_matrix import filled as staff_filled
from tests.security.test_staff_matrix import grounds as grounds
from tests.server.material import API, Asked, Grounds, headers, run
from tests.server.required import BREATHE, Shelf
from tests.server.signing import account, page

from heartrule.identity.accounts import principal_of
from heartrule.identity.principal import ProjectRole, Role
from heartrule.identity.rights import SCOPES, scopes_of
from heartrule.server.problems import Problem

ANY_PATH = re.compile(r"\{path[^}]*\}")
Deed = Literal[
    # to a project: ``type`` is to send in what is not saved; ``own`` to rename it and to take it away
    "read",
    "type",
    "comment",
    "write",
    "own",
    "share",
    # to its releases
    "look",
    "make",
    "review",
    "publish",
    "rule",
    # to nothing that is there already: ``try`` is as ``type``; ``begin`` to make a project;
    # ``mailed`` to say where one is; ``group`` to make one, ``regroup`` to change it
    "list",
    "shelf",
    "try",
    "begin",
    "mailed",
    "group",
    "regroup",
]
DEEDS: tuple[Deed, ...] = get_args(Deed)
Answer = Literal["in", "no", "gone"]
OF: dict[str, Deed] = {
    "POST /projects/{project}/{name}": "type",
    "POST /projects/{project}/scores": "type",
    "POST /projects/{project}/tests": "type",
    "POST /projects/{project}/try": "type",
    "POST /projects/{project}/threads/places": "type",
    "PUT /projects/{project}/drafts/{tab}": "type",
    "DELETE /projects/{project}/drafts/{tab}": "type",
    "PUT /projects/{project}/here/{tab}": "type",
    "POST /projects/{project}/threads": "comment",
    "POST /projects/{project}/threads/{thread}/comments": "comment",
    "PUT /projects/{project}/threads/{thread}/resolved": "comment",
    "POST /projects/{project}/versions": "write",
    "POST /projects/{project}/versions/{number}/restore": "write",
    "POST /projects/{project}/merge": "write",
    "PUT /projects/{project}/layout": "write",
    "PUT /projects/{project}/requires/{name}": "write",
    "DELETE /projects/{project}/requires/{name}": "write",
    "PATCH /projects/{project}": "own",
    "DELETE /projects/{project}": "own",
    "PUT /projects/{project}/sharing": "share",
    "POST /projects/{project}/releases": "make",
    "PUT /projects/{project}/releases/rules": "rule",
    "POST /projects/{project}/releases/share": "publish",
    "POST /projects/{project}/releases/back": "publish",
    "POST /projects/{project}/releases/halt": "publish",
    "PUT /releases/{release_id}/notes": "make",
    "POST /releases/{release_id}/check": "look",
    "POST /releases/{release_id}/impact": "look",
    "POST /releases/{release_id}/review": "review",
    "POST /releases/{release_id}/publish": "publish",
    "GET /releases": "shelf",
    "POST /condition": "try",
    "POST /fhir": "try",
    "POST /projects": "begin",
    "POST /packages/{name}/{version}": "begin",
    "POST /groups": "group",
    "GET /comments/mail": "mailed",
    "PUT /comments/mail": "mailed",
    "PUT /groups/{group}": "regroup",
    "DELETE /groups/{group}": "regroup",
}
ONCE = ("DELETE /projects/{project}", "DELETE /groups/{group}")
"""Asked for at the end by those who may: there is nothing any more afterwards."""


def deed_of(method: str, path: str) -> Deed:
    short = path.removeprefix(BENCH)
    operation = f"{method} {short}"
    if method != "GET" or operation in OF:
        return OF[operation]  # what changes something stands there, or this fails
    if "/releases" in short:
        return "look"
    return "read" if "{project}" in short else "list"


def row(told: str) -> dict[Deed, Answer]:
    """``+``: in; ``-``: no; ``0``: it does not exist for them."""
    signs: dict[str, Answer] = {"+": "in", "-": "no", "0": "gone"}
    return dict(zip(DEEDS, (signs[each] for each in told if each in signs), strict=True))


TABLE: dict[str, dict[Deed, Answer]] = {
    # the signs stand in the order of the deeds: to the project, to its releases, to nothing that is there already
    "its owner": row("++++++ ++--- +++++++"),
    "shared to be written": row("++++-- ++--- ++++++-"),
    "shared to be read": row("+++--- 00000 ++++++-"),
    "of a group that writes": row("++++-- ++--- ++++++-"),
    "developer of the project": row("++++-- ++--- +++-+--"),
    "reviewer of the project": row("------ +-+++ -+-----"),
    "both, of the project": row("++++-- +++++ +++-+--"),
    "developer of another one": row("000000 00000 +++-+--"),
    "reviewer of another one": row("------ 00000 -+-----"),
    "another developer": row("000000 00000 ++++++-"),
    "another developer's program": row("000000 00000 ++++---"),
    "counsellor": row("------ ----- -------"),
    "its owner's program, scripts.read": row("+----- ----- +------"),
    "its owner's program, scripts.write": row("------ ----- ---+---"),
    "its owner's program, scripts.read scripts.write": row("+++++- ----- +-++---"),
    "its owner's program, releases.read": row("------ +---- -+-----"),
    "its owner's program, releases.read releases.write": row("------ ++--- -+-----"),
    "its owner's program, debug": row("------ ----- -------"),
    "its reader's program, scripts.read scripts.write": row("+++--- ----- +-++---"),
    "its developer's program, scripts.read scripts.write": row("++++-- ----- +-+----"),
    "its reviewer's program, releases.read": row("------ +---- -+-----"),
    "its reviewer's program, releases.read releases.write": row("------ +-+++ -+-----"),
}
PROGRAMS = {
    "another developer's program": "another developer",
    "its owner's program": "its owner",
    "its reader's program": "shared to be read",
    "its developer's program": "developer of the project",
    "its reviewer's program": "reviewer of the project",
}
"""Whose they are."""


def operations(api: Asked) -> Iterator[tuple[str, str]]:
    document = api.client._transport.app.openapi()  # type: ignore[attr-defined]
    for path, item in document["paths"].items():
        if path.startswith(f"{BENCH}/"):
            yield from ((method.upper(), path) for method in item)


Sent = dict[str, str]
"""The headers by which somebody is known."""


class Cast:
    """Everybody who asks."""

    def __init__(self, api: Asked) -> None:
        self._api = api
        self.ids: dict[str, str] = {}

    async def member(self, name: str, roles: Sequence[Role] = ()) -> str:
        made, _ = await self._api.context.accounts.invite("test", name, roles, ("*",))
        return made.id

    async def signed_in(self, name: str, roles: Sequence[Role] = (), granted: Sequence[ProjectRole] = ()) -> Sent:
        accounts = self._api.context.accounts
        made, link = await accounts.invite("test", name.replace(",", ""), roles, ("*",), granted=granted)
        self.ids[name] = made.id
        async with page(self._api) as browser:
            assert (await browser.use_link(link.token)).status_code == 200
            kept = "; ".join(f"{each}={value}" for each, value in browser.client.cookies.items())
            return {"Cookie": kept, "X-CSRF-Token": browser.csrf or ""}

    async def program(self, account: str, scopes: Sequence[str] = ()) -> str:
        """``scopes``: none for all that they may have."""
        services = self._api.context.services
        all_ = scopes_of(principal_of(await self._api.context.accounts.find(account), None))
        return (await services.make("test", account, "program", scopes or all_, 1)).token


async def ground(api: Asked, cast: Cast) -> tuple[dict[str, Sent], dict[str, str]]:
    """A project of Lin's, shared, with a release, a group and something that was said; who asks, and where."""
    developer: tuple[Role] = ("developer",)
    named = ("its owner", "shared to be written", "shared to be read", "of a group that writes", "another developer")
    asking = {name: await cast.signed_in(name, developer) for name in named}

    async def done(method: str, path: str, body: Any = None) -> Any:
        answer = await api.client.request(method, f"{BENCH}{path}", json=body, headers=asking["its owner"])
        assert answer.is_success, answer.text
        return answer.json()

    project = (await done("POST", "/packages/seed/1.0.0"))["id"]
    at, member = f"/projects/{project}", cast.ids["of a group that writes"]
    await done("POST", f"{at}/versions", {"base": 1, "changes": {"notes.yaml": "# notes"}})
    thread = (await done("POST", f"{at}/threads", {"file": "notes.yaml", "path": [], "text": "x"}))["id"]
    release = (await done("POST", f"{at}/releases"))["id"]
    group = (await done("POST", "/groups", {"name": "g", "members": [member]}))["id"]
    shares = {f"group:{group}": "write"}
    shares |= {cast.ids[f"shared to be {word}"]: level for word, level in (("written", "write"), ("read", "read"))}
    for who, level in shares.items():
        await done("PUT", f"{at}/sharing", {"who": who, "level": level})
    there = {"project": project, "release_id": release, "thread": thread, "group": group, "version": "1.0.0"}
    return asking, {**there, "member": member}


async def everybody(api: Asked, cast: Cast, asking: dict[str, Sent], project: str) -> dict[str, Sent]:
    both: tuple[Role, Role] = ("developer", "reviewer")
    found = dict(asking)
    for role in both:
        for name, where in (("the project", project), ("another one", "elsewhere")):
            found[f"{role} of {name}"] = await cast.signed_in(f"{role} of {name}", (), [ProjectRole(role, where)])
    granted = [ProjectRole(role, project) for role in both]
    found["both, of the project"] = await cast.signed_in("both, of the project", (), granted)
    found["counsellor"] = await cast.signed_in("counsellor", ("counsellor",))
    for name in TABLE:
        who, _, scopes = name.partition(", ")
        if who in PROGRAMS:
            found[name] = headers(await cast.program(cast.ids[PROGRAMS[who]], scopes.split()), {})
    return found


async def wrong_cells(api: Asked, name: str, sent: Sent, there: dict[str, str], missing: set[str]) -> list[str]:
    wrong = []
    for method, path in operations(api):
        operation, wanted = f"{method} {path.removeprefix(BENCH)}", TABLE[name][deed_of(method, path)]
        if operation in ONCE and wanted == "in":
            continue
        body = {"name": "g", "members": [there["member"]]} if path.endswith("/{group}") else body_of(path)
        where = filled(ANY_PATH.sub("project.yaml", path), there)
        answer = await api.client.request(method, where, json=body, headers=sent)
        status = answer.status_code
        if name == "its owner" and status == 404:
            missing.add(operation)
        told = "no" if status in (401, 403) else "gone" if status == 404 and operation not in missing else "in"
        if told != wanted and not (wanted == "gone" and operation in missing and status == 404):
            wrong.append(f"{name}: {operation}: {status} {answer.text[:120]} where it should be {wanted}")
    return wrong


async def put_off(*_: Any, **__: Any) -> Any:
    """In place of what takes long: who comes so far was let in."""
    raise Problem("stopping")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No stream that does not end, and nothing that runs scripts."""
    monkeypatch.setattr("heartrule.server.workbench.presence._told", _nothing)
    for long in (
        "workbench.workbench.Workbench.ask",
        "workbench.workbench.Workbench.work",
        "releases.release_checks.ReleaseChecks.run",
    ):
        monkeypatch.setattr(f"heartrule.{long}", put_off)

    async def moved(*_: Any) -> bool:
        return True

    monkeypatch.setattr("heartrule.server.presence.PresenceHub.move", moved)


@pytest.mark.usefixtures("at_once")
def test_project_by_endpoint_by_principal(grounds: Grounds, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf")
    shelf.put("map", "1.0.0", {"skills.yaml": BREATHE.format(words="In, and out.")})
    shelf.put("seed", "1.0.0", {}, {"map": ">=1"})
    index = shelf.index

    async def work() -> None:
        async with grounds.asgi() as api:
            object.__setattr__(api.context.settings, "packages", str(index))
            cast = Cast(api)
            asking, there = await ground(api, cast)
            asking = await everybody(api, cast, asking, there["project"])
            assert set(asking) == set(TABLE)
            missing: set[str] = set()
            wrong: list[str] = []
            for name in TABLE:  # the owner first, who tells what is not there for anybody
                wrong += await wrong_cells(api, name, asking[name], there, missing)
            assert wrong == [], "\n".join(wrong)
            assert len(missing) < 4, missing
            assert set(OF) <= {f"{method} {path.removeprefix(BENCH)}" for method, path in operations(api)}
            assert sum(1 for _ in operations(api)) * len(asking) > 1_300
            writes = asking["its owner's program, scripts.read scripts.write"]
            path = f"{BENCH}/projects/{there['project']}"
            assert (await api.client.delete(path, headers=writes)).status_code == 204
            path = f"{BENCH}/groups/{there['group']}"
            assert (await api.client.delete(path, headers=asking["its owner"])).status_code == 204

    run(work(), 300)


# the desk and the staff

ODD: dict[str, str] = {
    "GET /desk/figures": "figures",
    "GET /desk/canned": "desk.write",
    "POST /desk/sessions/{session}/seen": "",
    "POST /desk/sessions/{session}/escalations/{escalation}/acknowledge": "",
    "GET /desk/shift": "",
    "PUT /desk/me/here": "",
    "GET /desk/me/waking": "",
    "PUT /desk/me/waking": "",
    "DELETE /desk/me/waking": "",
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
        and path.name not in ("desk.py", "staff_sign_in.py")  # which tell them, in their order
    ]
    assert found == []
