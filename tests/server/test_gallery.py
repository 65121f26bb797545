"""Packages in the workbench: found in the server's index, looked at whole, and made projects of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.test_packages import SCRIPT, TEST
from tests.server.material import Grounds, problem, run
from tests.server.test_workbench import Author

from heartrule.engine.installed_types import field_models
from heartrule.packages.builder import make
from heartrule.packages.index import add
from heartrule.signing import new_key


def shelf(place: Path, words: str = "Hello", expected: str = "Hello", more: str = "") -> Path:
    """An index with one package in it."""
    folder = place / "greeting"
    (folder / "tests").mkdir(parents=True)
    (folder / "project.yaml").write_text("id: greeting\nlocale: en\n", encoding="utf-8")
    about = f"name: greeting\nversion: 1.0.0\nlicence: MIT\ndescription: {{en: Says hello}}\nsources: [A book]\n{more}"
    (folder / "package.yaml").write_text(about, encoding="utf-8")
    (folder / "talk.yaml").write_text(SCRIPT.format(name="Talk", words=words), encoding="utf-8")
    test = TEST.format(project="greeting", words=expected)
    (folder / "tests" / "talk.test.yaml").write_text(test, encoding="utf-8")
    _, raw = make(folder, field_models(), new_key(place / "key.pem"))
    add(place / "index", raw)
    return place / "index"


def test_a_package_is_looked_at_before_it_becomes_a_project(grounds: Grounds, tmp_path: Path) -> None:
    index = shelf(tmp_path / "shelf")

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Author(api)
            assert [each["name"] for each in (await lin.get("/packages?q=HELLO"))["packages"]] == ["greeting"]
            assert (await lin.get("/packages?q=sleep"))["packages"] == []
            seen = await lin.get("/packages/greeting/1.0.0")
            assert (seen["licence"], seen["sources"], seen["may"]["sessions"]) == ("MIT", ["A book"], ["talk"])
            assert (seen["passed"], seen["failed"], seen["keeps_memory"]) == (1, [], False)
            assert [each for each in seen["findings"] if each["severity"] == "error"] == []
            made = await lin.post("/packages/greeting/1.0.0", {}, 201)
            assert (made["slug"], made["mine"], made["scripts"][0]["id"]) == ("greeting", True, "talk")
            problem(await lin.send("GET", "/packages/greeting/2.0.0"), "not-found", 404)

    run(work(), 60)


def test_what_fails_is_shown_and_what_was_tampered_with_is_refused(grounds: Grounds, tmp_path: Path) -> None:
    index = shelf(tmp_path / "shelf", expected="Goodbye")

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Author(api)
            seen = await lin.get("/packages/greeting/1.0.0")
            assert (seen["passed"], [each["name"] for each in seen["failed"]]) == (0, ["it says hello"])
            (file,) = index.glob("*.heartrule")
            raw = file.read_bytes()
            file.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
            problem(await lin.send("GET", "/packages/greeting/1.0.0"), "package-unread", 502)
            problem(await lin.send("POST", "/packages/greeting/1.0.0", {}), "package-unread", 502)
            assert all(each["origin"] != "store" for each in (await lin.get("/projects"))["projects"])

    run(work(), 60)


def test_what_requires_something_that_is_not_in_the_index_becomes_no_project(grounds: Grounds, tmp_path: Path) -> None:
    index = shelf(tmp_path / "shelf", more="requires: {breathing: '>=1.2'}\n")

    async def work() -> None:
        async with grounds.asgi(packages=str(index)) as api:
            lin = Author(api)
            for verb, *body in (("GET",), ("POST", {})):
                refused = await lin.send(verb, "/packages/greeting/1.0.0", *body)
                problem(refused, "package-unread", 502)
                assert "breathing>=1.2" in refused.text
            assert all(each["origin"] != "store" for each in (await lin.get("/projects"))["projects"])

    run(work(), 60)


def test_where_an_index_lies_that_cannot_be_read_is_not_told(grounds: Grounds, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text("[", encoding="utf-8")

    async def work() -> None:
        async with grounds.asgi(packages=str(tmp_path)) as api:
            lin = Author(api)
            refused = problem(await lin.send("GET", "/packages"), "package-unread", 502)
            assert "index.json" in refused["title"]
            assert str(tmp_path) not in refused["title"]

    run(work())


@pytest.mark.parametrize("index", ["", "/nowhere/at/all"])
def test_without_an_index_there_is_nothing(grounds: Grounds, index: str) -> None:
    async def work() -> None:
        async with grounds.asgi(packages=index) as api:
            lin = Author(api)
            if index:
                refused = problem(await lin.send("GET", "/packages"), "package-unread", 502)
                assert index not in refused["title"]
            else:
                assert await lin.get("/packages") == {"on": False, "packages": []}
                problem(await lin.send("GET", "/packages/greeting/1.0.0"), "not-found", 404)

    run(work())
