"""Packages that a project requires: shown before they are taken along, used, looked at, changed, left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.releases.material import LIN, WEI, Member, to_the_end
from tests.server.material import Asked, Grounds, Visit, problem, run, seen
from tests.server.required import COURSE, TESTS, Shelf, shelved
from tests.server.test_workbench import Author

from heartrule.store.projects import Author as Whose

OWN = {"project.yaml": "id: mine\nlocale: en\n", "talk.yaml": COURSE, "tests/talk.test.yaml": TESTS}


async def course(lin: Member) -> str:
    """The course from the gallery, as it was shown."""
    shown = await lin.get("/packages/course/1.0.0")
    digests = {each["name"]: each["digest"] for each in (shown, *shown["brings"])}
    return str((await lin.post("/packages/course/1.0.0", {"digests": digests}, 201))["id"])


async def require(lin: Member, project: str, name: str, version: str) -> Any:
    plan = await lin.get(f"/projects/{project}/requires/{name}/{version}")
    digests = {each["name"]: each["digest"] for each in plan["brings"]}
    return await lin.done("PUT", f"/projects/{project}/requires/{name}", {"version": version, "digests": digests})


def versions(found: Any) -> dict[str, str]:
    return {each["name"]: each["version"] for each in found["required"]}


async def saved(api: Asked, project: str) -> dict[str, str]:
    """All that is kept of it."""
    return (await api.context.workbench.texts(project))[1]


async def breaks(api: Asked, project: str, changes: dict[str, str | None]) -> None:
    """What no route does: somebody at the store, or an import from elsewhere."""
    store, found = api.context.workbench.projects, await api.context.workbench.projects.find(project)
    assert found is not None
    await store.save(project, found.version, changes, Whose("x", "x"), "", api.context.sessions.clock.now())


async def findings(api: Asked, project: str) -> list[tuple[str, str, int]]:
    kept = await api.context.workbench.open(project)
    return [(each.code, each.file, each.line) for each in kept.workspace.now.findings if each.stops]


def test_what_is_required_is_shown_taken_along_tried_and_published(grounds: Grounds, tmp_path: Path) -> None:
    index = shelved(tmp_path / "shelf").index

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            shown = await lin.get("/packages/course/1.0.0")
            assert (shown["passed"], shown["failed"]) == (1, [])
            brings = {each["name"]: each for each in shown["brings"]}
            assert {name: each["version"] for name, each in brings.items()} == {"breathing": "1.0.0", "warmth": "1.0.0"}
            assert brings["breathing"]["licence"] == "MIT"
            assert (brings["breathing"]["may"]["skills"], brings["breathing"]["may"]["forms"]) == (
                ["breathe"],
                ["calm"],
            )
            assert brings["breathing"]["newly"]["may"]["skills"] == ["breathe"]
            told = [each for one in (shown, *shown["brings"]) for each in one["findings"]]
            assert [each for each in told if each["severity"] == "error"] == []

            project = await course(lin)
            at = f"/projects/{project}"
            assert versions(await lin.get(f"{at}/requires")) == {"breathing": "1.0.0", "warmth": "1.0.0"}
            assert all(not path.startswith("packages/") for path in (await lin.get(f"{at}/texts"))["texts"])
            assert "breathe_in" in (await lin.get(f"{at}/requires/breathing/texts"))["texts"]["skills.yaml"]
            assert await findings(api, project) == []

            # tested, tried and debugged
            ran = await lin.post(f"{at}/tests", {})
            assert [each["passed"] for each in ran["cases"]] == [True]
            tried = await lin.post(f"{at}/try", {"script": "calm_down"}, 201)
            turn = await to_the_end(api, Visit(tried["session"], tried["token"]), ())
            assert json.dumps(turn).count("In, and out.") == 2

            # released whole: the server has none of these packages
            release = str((await lin.post(f"{at}/releases", {"notes": "First."}, 201))["id"])
            standing = await lin.post(f"/releases/{release}/check")
            assert [each["name"] for each in standing["gates"] if not each["open"]] == [], standing["gates"]
            await wei.post(f"/releases/{release}/publish", {})
            said = await to_the_end(api, await api.visit("course/calm_down", locale="en"), ())
            assert json.dumps(said).count("In, and out.") == 2

    run(work(), 120)


def test_a_published_session_goes_on_when_everything_else_is_gone(grounds: Grounds, tmp_path: Path) -> None:
    """What it was begun with is whole in itself: neither project, index nor memory of the server are needed."""
    shelf = Shelf(tmp_path / "shelf")
    asking = 'skills:\n  - skill: Ask\n    id: ask\n    actions:\n      - {type: ask, id: how, content: "Calm now?"}\n'
    shelf.put("breathing", "1.0.0", {"skills.yaml": asking})
    talk = COURSE.replace("{type: use_skill, id: warm_up, skill: warmth/warm}", "{type: say, id: hi, content: Hello.}")
    talk = talk.replace("breathing/breathe", "breathing/ask")

    async def work() -> None:
        async with grounds.asgi(packages=str(shelf.index)) as api:
            lin = Member(api, LIN)
            project = await lin.project({"project.yaml": "id: mine\nlocale: en\n", "talk.yaml": talk})
            await require(lin, project, "breathing", "1.0.0")
            tried = await lin.post(f"/projects/{project}/try", {"script": "calm_down"}, 201)
            visit = Visit(tried["session"], tried["token"])
            turn = await api.turn(visit, type="start")
            assert "Calm now?" in json.dumps(turn)
            assert (await lin.send("DELETE", f"/projects/{project}")).status_code == 204
            api.context.sessions._scripts.forget()
            assert "See you." in json.dumps(await api.turn(visit, text="Very calm", after=seen(turn)))

    run(work(), 60)


def test_a_newer_version_is_shown_with_what_changes_and_taken_when_asked(grounds: Grounds, tmp_path: Path) -> None:
    shelf = shelved(tmp_path / "shelf")

    async def work() -> None:
        async with grounds.asgi(packages=str(shelf.index)) as api:
            lin = Member(api, LIN)
            project = await course(lin)
            at = f"/projects/{project}/requires"
            before = await saved(api, project)
            link = (
                SKILL.replace("Hi", "Read").replace("id: hi", "id: read").replace("In, and out.", "https://example.org")
            )
            shelf.breathing("1.1.0", "In, and slowly out.", **{"links.yaml": link})
            shelf.breathing("2.0.0", "Out of the range that others require.")
            told = {each["name"]: each["newer"] for each in (await lin.get(at))["required"]}
            assert told == {"breathing": "1.1.0", "warmth": ""}

            plan = await lin.get(f"{at}/breathing/1.1.0")
            (change,) = plan["brings"]
            assert (change["former"], change["version"], change["new_key"]) == ("1.0.0", "1.1.0", False)
            assert change["newly"]["may"]["hosts"] == ["example.org"]
            assert (change["newly"]["may"]["skills"], change["newly"]["may"]["forms"]) == (["read"], [])
            assert any("slowly" in each["says"]["en"] for each in change["changes"])
            assert await saved(api, project) == before

            problem(await lin.send("PUT", f"{at}/breathing", {"version": "1.1.0", "digests": {}}), "package-moved", 409)
            refused = await lin.send("GET", f"{at}/breathing/2.0.0")
            problem(refused, "package-unread", 502)
            assert "warmth" in refused.text
            assert await saved(api, project) == before

            assert versions(await require(lin, project, "breathing", "1.1.0")) == {
                "breathing": "1.1.0",
                "warmth": "1.0.0",
            }
            assert await findings(api, project) == []
            compared = await lin.get(f"/projects/{project}/versions/1/compare/2")
            said = [each["says"]["en"] for each in compared["changes"]]
            assert "the required package breathing: 1.0.0 → 1.1.0" in said
            assert any("slowly" in each for each in said)
            await lin.post(f"/projects/{project}/versions/1/restore", {}, 201)
            assert versions(await lin.get(at)) == {"breathing": "1.0.0", "warmth": "1.0.0"}

    run(work(), 60)


def test_what_is_used_is_not_left_out_and_what_only_it_required_goes_too(grounds: Grounds, tmp_path: Path) -> None:
    index = shelved(tmp_path / "shelf").index

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Member(api, LIN)
            project = await lin.project({**OWN, "package.yaml": "# Ours.\nname: mine\n"})
            at = f"/projects/{project}/requires"
            await require(lin, project, "warmth", "1.0.0")
            texts = (await lin.get(f"/projects/{project}/texts"))["texts"]
            assert texts["package.yaml"] == '# Ours.\nname: mine\nrequires:\n  warmth: ">=1.0.0,<2"\n'
            refused = await lin.send("DELETE", f"{at}/warmth")
            problem(refused, "package-used", 409)
            assert [(each["file"], each["line"]) for each in refused.json()["findings"]] == [
                ("talk.yaml", 12),
                ("talk.yaml", 13),
            ]
            required = await lin.send("DELETE", f"{at}/breathing")
            problem(required, "package-used", 409)
            assert "warmth" in required.json()["title"]
            talk = COURSE.replace("warmth/warm", "hi").replace("breathing/breathe", "hi")
            await lin.save(project, {"talk.yaml": talk + SKILL})
            assert (await lin.done("DELETE", f"{at}/warmth"))["required"] == []
            assert [each for each in await saved(api, project) if each.startswith("packages/")] == []
            assert (await lin.get(f"/projects/{project}/texts"))["texts"]["package.yaml"] == "# Ours.\nname: mine\n"
            problem(await lin.send("DELETE", f"{at}/warmth"), "not-found", 404)

    run(work(), 60)


SKILL = "skills:\n  - skill: Hi\n    id: hi\n    actions:\n      - {type: say, id: say_hi, content: 'In, and out.'}\n"


def test_texts_of_packages_are_looked_at_and_not_written(grounds: Grounds, tmp_path: Path) -> None:
    index = shelved(tmp_path / "shelf").index

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Member(api, LIN)
            project = await course(lin)
            before = await saved(api, project)
            for path in (
                "packages/breathing/skills.yaml",
                "packages/breathing/more.yaml",
                "packages/packages.lock.json",
            ):
                for text in ("skills: []", None):
                    body = {"base": 1, "changes": {path: text}}
                    problem(await lin.send("POST", f"/projects/{project}/versions", body), "package-text", 409)
            moved = {"base": 1, "renames": {"packages/breathing/skills.yaml": "mine.yaml"}}
            problem(await lin.send("POST", f"/projects/{project}/versions", moved), "package-text", 409)
            new = {"base": 2, "changes": {"packages/packages.lock.json": "{}"}}
            other = await lin.project(OWN)
            problem(await lin.send("POST", f"/projects/{other}/versions", new), "package-text", 409)
            assert await saved(api, project) == before
            # what is typed into one counts for nothing either
            typed = {"script": "calm_down", "texts": {"packages/breathing/skills.yaml": "skills: []"}}
            assert (await lin.send("POST", f"/projects/{project}/try", typed)).status_code == 201
            copied = await lin.post("/projects", {"name": "Copy", "copy": project}, 201)
            assert await saved(api, copied["id"]) == before

    run(work(), 60)


LOCK = "packages/packages.lock.json"


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ({"packages/breathing/skills.yaml": "skills: []\n"}, ("E311", "package.yaml", 1)),
        ({"packages/breathing/more.yaml": "skills: []\n"}, ("E311", "package.yaml", 1)),
        ({"packages/breathing/forms.yaml": None}, ("E311", "package.yaml", 1)),
        ({LOCK: "{"}, ("E017", LOCK, 1)),
        ({LOCK: None}, ("E308", "package.yaml", 1)),
        (
            {"package.yaml": "name: course\nrequires:\n  warmth: '>=1'\n  breathing: '>=1.2'\n"},
            ("E309", "package.yaml", 4),
        ),
        ({"package.yaml": "requires:\n  egg: '>=1'\n"}, ("E308", "package.yaml", 2)),
        ({"package.yaml": "requires:\n  egg: new\n"}, ("E114", "package.yaml", 2)),
    ],
)
def test_what_is_not_as_the_lock_says_is_told_where_it_is_required(
    grounds: Grounds, tmp_path: Path, broken: dict[str, str | None], expected: tuple[str, str, int]
) -> None:
    index = shelved(tmp_path / "shelf").index

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Member(api, LIN)
            project = await course(lin)
            await breaks(api, project, broken)
            assert expected in await findings(api, project)
            release = str((await lin.post(f"/projects/{project}/releases", {"notes": "n"}, 201))["id"])
            gates = (await lin.get(f"/releases/{release}"))["gates"]
            assert [each["open"] for each in gates if each["name"] == "lint"] == [False]

    run(work(), 60)


def test_a_package_that_was_changed_is_taken_along_anew(grounds: Grounds, tmp_path: Path) -> None:
    index = shelved(tmp_path / "shelf").index

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Member(api, LIN)
            project = await course(lin)
            before = await saved(api, project)
            await breaks(api, project, {"packages/breathing/skills.yaml": "skills: []\n"})
            problem(await lin.send("POST", f"/projects/{project}/try", {"script": "calm_down"}), "script-refused", 422)
            await require(lin, project, "breathing", "1.0.0")
            assert await saved(api, project) == before

    run(work(), 60)


def test_packages_in_a_circle_and_one_in_the_place_of_ours_are_not_taken(grounds: Grounds, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf")
    skill = {"skills.yaml": SKILL}
    shelf.put("hen", "1.0.0", skill, {"egg": ">=1"})
    shelf.put("egg", "1.0.0", skill, {"hen": ">=1"})
    shelf.put("cbt", "1.0.0", skill)
    shelf.put("mine", "1.0.0", skill)

    async def work() -> None:
        async with grounds.asgi(packages=str(shelf.index)) as api:
            lin = Member(api, LIN)
            project = await lin.project(OWN)
            for name, why in (("hen", "circle"), ("cbt", "our own"), ("mine", "one project id")):
                refused = await lin.send("GET", f"/projects/{project}/requires/{name}/1.0.0")
                problem(refused, "package-unread", 502)
                assert why in refused.json()["title"]
            problem(await lin.send("GET", f"/projects/{project}/requires/goose/1.0.0"), "not-found", 404)

    run(work(), 60)


def test_who_may_only_read_sees_what_is_required_and_changes_nothing(grounds: Grounds, tmp_path: Path) -> None:
    index = shelved(tmp_path / "shelf").index

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Member(api, LIN)
            project = await course(lin)
            stranger = Author(api, WEI)
            for asked in ("GET ", "GET /breathing/texts", "GET /breathing/1.0.0", "DELETE /breathing"):
                verb, path = asked.split(" ")
                answer = await stranger.send(verb, f"/projects/{project}/requires{path}")
                assert answer.status_code in (403, 404), answer.text
            object.__setattr__(api.context.settings, "packages", "")
            told = await lin.get(f"/projects/{project}/requires")
            assert (told["on"], versions(told)) == (False, {"breathing": "1.0.0", "warmth": "1.0.0"})
            object.__setattr__(api.context.settings, "packages", "/nowhere/at/all")
            assert (await lin.get(f"/projects/{project}/requires"))["unread"]["en"]

    run(work(), 60)
