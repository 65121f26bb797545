"""A person with sessions in two projects, and everybody of the desk who may see one of the two: whatever they read,
nothing of the other is in it, not an id and not a word."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import jwt
import pytest
from tests.security.test_staff_matrix import filled, operations
from tests.security.test_staff_matrix import grounds as grounds
from tests.server.material import API, SECRET, Asked, Grounds, Visit, headers, run, seen
from tests.server.signing import Page, account, page
from tests.server.test_desk import WANG, desk, token
from tests.server.test_forms import SCRIPT as FILLED
from tests.server.test_forms import form
from tests.server.test_reports import report

from heartrule.identity.rights import SCOPES
from heartrule.server.tokens import Staff

PROJECTS = ("tests", "other")
FORM = {"q1": 1, "q9": 0, "note": "words of {}"}


@dataclass(frozen=True)
class Kept:
    """A session in which everything that the desk keeps says of which project it is."""

    project: str
    visit: Visit

    @property
    def signs(self) -> tuple[str, ...]:
        return (self.visit.id, *(f"{what} of {self.project}" for what in ("words", "said", "note", "tag", "left")))


async def kept(api: Asked, project: str, person: str | None) -> Kept:
    visit = await api.visit(f"{project}/filling", person)
    turn = await api.turn(visit, type="start")
    values: Any = {**FORM, "note": f"words of {project}"}
    turn = await form(api, visit, "submit", turn["request"]["form"]["key"], **values)
    turn = await api.turn(visit, text=f"said of {project}。我不想活了，今晚就去跳楼", after=seen(turn))
    reply = next(each["seq"] for each in turn["messages"] if each["sender"] == "ai")
    assert (await report(api, visit, message=reply, reason="hurtful", text=f"note of {project}")).status_code == 201
    path = f"/sessions/{visit.id}"
    for method, end, body in (
        ("POST", "notes", {"text": f"note of {project}"}),
        ("PUT", "tags", {"tags": [f"tag of {project}"]}),
        ("PUT", "handover", {"note": f"left of {project}"}),
    ):
        assert (await desk(api, method, f"{path}/{end}", body)).is_success
    return Kept(project, visit)


@asynccontextmanager
async def two(grounds: Grounds) -> AsyncIterator[tuple[Asked, dict[str, Kept]]]:
    other = grounds.folder / "other"
    other.mkdir()
    (other / "project.yaml").write_text("id: other\nlocale: zh-CN\n", encoding="utf-8")
    for folder in (grounds.project, other):
        (folder / "filling.yaml").write_text(FILLED, encoding="utf-8")
    async with grounds.asgi(store={"projects": [grounds.project, other]}, embed_secret=SECRET) as api:
        first = await kept(api, "tests", None)
        second = await kept(api, "other", first.visit.person_token)
        yield api, {each.project: each for each in (first, second)}


Sent = dict[str, str]


async def principals(api: Asked, browser: Page, project: str) -> dict[str, Sent]:
    """Everybody who has this project alone: by a sign-in, by a program, by tokens that we and an embedder have
    signed."""
    await account(api, browser, f"of {project}", ["counsellor", "reviewer"], (project,))
    cookies = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
    scopes = [each for each in SCOPES if each.startswith("desk.") or each == "replies"]
    program = await api.context.services.make("test", browser.principal["id"], "program", scopes, 1)
    ends = int((api.context.sessions.clock.now() + timedelta(hours=1)).timestamp())
    claims = {"aud": "heartrule", "sub": "c-9", "exp": ends, "role": "counsellor", "name": "Li", "projects": [project]}
    return {
        "a sign-in": {"Cookie": cookies, "X-CSRF-Token": browser.csrf or ""},
        "a program": headers(program.token, {}),
        "a token of ours": headers(token(api, Staff("c-8", "Wu", "counsellor", (project,))), {}),
        "a token of an embedder": headers(jwt.encode(claims, SECRET, "HS256"), {}),
    }


def reading(api: Asked) -> list[str]:
    """Every operation of the desk that shows something, and what searches and lists are asked for besides."""
    found = [path for method, path in operations(api) if method == "GET" and path.startswith("/desk/")]
    shows = [f"/desk/sessions?show={each}" for each in ("help", "escalated", "taken", "mine", "all", "ended")]
    return [
        *found,
        *shows,
        "/desk/search?q=of",
        "/desk/escalations?unacknowledged=false",
        "/desk/canned?session={session}",
    ]


@pytest.mark.parametrize("project", PROJECTS)
def test_nothing_of_the_project_that_is_not_theirs_is_in_any_answer(grounds: Grounds, project: str) -> None:
    async def work() -> None:
        async with two(grounds) as (api, sessions), page(api) as browser:
            own = sessions[project]
            foreign = next(each for each in sessions.values() if each is not own)
            told: list[str] = []
            for who, sent in (await principals(api, browser, project)).items():
                whole = ""
                for path in reading(api):
                    answer = await api.client.get(f"{API}{filled(path, own.visit.id)}", headers=sent)
                    whole += answer.text
                    told += [f"{who}: {path}: {sign}" for sign in foreign.signs if sign in answer.text]
                    if "{session}" in path:
                        hidden = await api.client.get(f"{API}{filled(path, foreign.visit.id)}", headers=sent)
                        if hidden.status_code not in (403, 404):
                            told.append(f"{who}: {path}: {hidden.status_code} of a session that is not theirs")
                assert [sign for sign in own.signs if sign not in whole] == [], who
            assert told == []

    run(work())


def test_who_may_see_both_is_shown_both(grounds: Grounds) -> None:
    async def work() -> None:
        async with two(grounds) as (api, sessions):
            own, other = sessions["tests"], sessions["other"]
            notes = (await desk(api, "GET", f"/sessions/{own.visit.id}/notes")).json()
            assert [each["text"] for each in notes["earlier"]] == ["note of other"]
            picture = (await desk(api, "GET", f"/sessions/{own.visit.id}/picture")).json()
            assert [each["session"] for each in picture["earlier"]] == [other.visit.id]
            assert {each["session"] for each in picture["forms"]} == {own.visit.id, other.visit.id}

    run(work())


def test_sessions_that_are_not_theirs_take_nobodys_place(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.clinical_picture.EARLIER", 2)
    monkeypatch.setattr("heartrule.server.person_view.PAGE", 2)

    async def work() -> None:
        async with two(grounds) as (api, sessions):
            first = sessions["tests"].visit
            for _ in range(5):
                await api.visit("other/filling", first.person_token)
            late = await api.visit("tests/filling", first.person_token)
            of_tests = Staff("c-8", "Wu", "counsellor", ("tests",))
            told = (await desk(api, "GET", f"/sessions/{late.id}/picture", staff=of_tests)).json()
            assert [each["session"] for each in told["earlier"]] == [first.id]
            assert len((await desk(api, "GET", f"/sessions/{late.id}/picture", staff=WANG)).json()["earlier"]) == 2

    run(work())


def test_what_they_did_while_a_project_was_theirs_is_told_no_more(grounds: Grounds) -> None:
    async def work() -> None:
        async with two(grounds) as (api, sessions):
            ids = {name: each.visit.id for name, each in sessions.items()}
            for projects, told in ((PROJECTS, set(PROJECTS)), (("tests",), {"tests"})):
                wu = Staff("c-8", "Wu", "counsellor", projects)
                if projects == PROJECTS:
                    for each in ids.values():
                        assert (await desk(api, "POST", f"/sessions/{each}/notes", {"text": "n"}, wu)).is_success
                done = (await desk(api, "GET", "/shift", staff=wu)).json()["done"]
                assert {each["session"] for each in done} == {ids[name] for name in told}

    run(work())
