"""``heartrule coverage`` and ``heartrule test --coverage``: as they are called, what they print, how they exit."""

from __future__ import annotations

import json

import pytest
from tests.cli.command import Command
from tests.script_tests.counting import HIGH, LOW, SCRIPT, ZERO, laid

from heartrule.store.crypto import Box


@pytest.fixture
def project(heartrule: Command) -> Command:
    laid(heartrule.folder / "demo", LOW, HIGH, ZERO)
    return heartrule


def test_tests_tell_what_they_reach(project: Command) -> None:
    ran = project("test", "demo", "--coverage", "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "3 passed" in ran.stdout
    assert "Script coverage: 16 of 17 reached (94.1%)" in ran.stdout
    line = SCRIPT[: SCRIPT.index("value: B")].count("\n") + 1
    assert f"  demo/hello.yaml:{line}: choice 2 demo/hello:opening/choose/pick" in ran.stdout
    assert "Script coverage" not in project("test", "demo", "--lang", "en").stdout


def test_less_than_is_asked_for_fails(project: Command) -> None:
    enough, too_little = project("test", "demo", "--min", "94"), project("test", "demo", "--min", "95", "--lang", "en")
    assert enough.returncode == 0, enough.stderr
    assert too_little.returncode == 1
    assert "94.1% reached, less than the 95% that are asked for." in too_little.stderr
    assert project("coverage", "demo", "--min", "95").returncode == 1
    assert project("test", "demo", "--min", "101").returncode == 2


def test_a_failed_test_still_tells_what_was_reached(project: Command) -> None:
    laid(project.folder / "demo", LOW.replace("分: 3", "分: 4"))
    ran = project("test", "demo", "--coverage", "--min", "1", "--lang", "en")
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout
    assert "Script coverage" in ran.stdout


def test_the_page_is_written_in_the_language_that_is_spoken(project: Command) -> None:
    for command in ("test", "coverage"):
        for lang, said in (("zh", "没有走到：第 2 个选项"), ("en", "Not reached: choice 2")):
            ran = project(command, "demo", "--html", "page.html", "--lang", lang)
            assert ran.returncode == 0, ran.stderr
            assert said in (project.folder / "page.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written(project: Command) -> None:
    ran = project("coverage", "demo", "--html", "nowhere/page.html")
    assert ran.returncode == 2
    assert "nowhere/page.html" in ran.stderr


def test_programs_are_told_in_json(project: Command) -> None:
    told = json.loads(project("coverage", "demo", "--format", "json").stdout)
    assert (told["reached"], told["total"], told["tests"]) == (16, 17, 3)
    ran = project("test", "demo", "--coverage", "--format", "json")
    assert len(json.loads(ran.stdout)) == 3


def test_where_there_are_no_tests(project: Command) -> None:
    (project.folder / "empty").mkdir()
    assert project("coverage", "empty").returncode == 2


def test_tests_that_cannot_be_read(project: Command) -> None:
    laid(project.folder / "demo", LOW.replace("script:", "skript:"))
    ran = project("coverage", "demo")
    assert ran.returncode == 1
    assert ran.stdout == ""


def test_a_script_that_cannot_be_compiled(project: Command) -> None:
    other = SCRIPT[SCRIPT.index("sessions:") :].replace("hello", "other").replace("[very_low]", "[nowhere]")
    (project.folder / "demo" / "broken.yaml").write_text(other, encoding="utf-8")
    for command in (("coverage", "demo"), ("test", "demo", "--coverage")):
        ran = project(*command)
        assert ran.returncode == 1
        assert "broken.yaml" in ran.stderr
        assert "nowhere" in ran.stderr


# sessions that were held


@pytest.fixture
def visited(project: Command) -> Command:
    for lines in (["三分", "B"], ["九分"]):
        ran = project("chat", "demo/hello.yaml", lines=lines)
        assert ran.returncode == 0, ran.stderr
    project("chat", "demo/hello.yaml", lines=["五分"])
    return project


def test_sessions_that_are_over_count_without_being_read(visited: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bytes] = []
    whole = Box.open

    def open_(box: Box, sealed: bytes, at: bytes) -> bytes:
        opened.append(whole(box, sealed, at))
        return opened[-1]

    monkeypatch.setattr(Box, "open", open_)
    ran = visited("coverage", "--sessions", "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "Script coverage: 12 of 17 reached (70.5%)" in ran.stdout
    assert "Finished sessions: 2; only where they went was looked at" in ran.stdout
    assert opened
    assert not any(word.encode() in text for text in opened for word in ("三分", "九分", "不了", "辛苦"))


def test_sessions_beside_tests(visited: Command) -> None:
    told = json.loads(visited("coverage", "demo", "--sessions", "--format", "json").stdout)
    assert (told["reached"], told["tests"], told["sessions"]) == (17, 3, 2)
    script = visited.folder / "demo" / "hello.yaml"
    script.write_text(SCRIPT.replace("辛苦了。", "辛苦啦。"), encoding="utf-8")
    told = json.loads(visited("coverage", "demo", "--sessions", "--format", "json").stdout)
    assert (told["reached"], told["sessions"], told["other_versions"]) == (16, 0, 2)


def test_where_nobody_has_spoken_yet(project: Command) -> None:
    ran = project("coverage", "--sessions", "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "0 of 0" in ran.stdout


def test_a_stored_script_that_can_no_longer_be_read_is_left_out(
    visited: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heartrule.language.compiling import compiler
    from heartrule.language.findings import Refused

    def refuse(*given: object) -> None:
        raise Refused([])

    monkeypatch.setattr(compiler, "compile_sources", refuse)
    ran = visited("coverage", "--sessions", "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "2 more were of other versions" in ran.stdout
