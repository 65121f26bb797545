"""Coverage of a project: by the tests that were held, and by sessions that were really held."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.script_tests.counting import HIGH, LOW, SCRIPT, ZERO, file_of, laid

from heartrule.engine.installed_types import field_models
from heartrule.language.findings import Refused
from heartrule.language.projects.library import Library
from heartrule.script_tests.parallel_runs import hold
from heartrule.script_tests.suite import Shelf, collect
from heartrule.script_tests.survey import Visit, newest, of_sessions, survey
from heartrule.script_tests.tally import Tally
from heartrule.testing.talk import Talk


def surveyed(path: Path, *visits: Visit) -> Tally:
    shelf = Shelf()
    return survey(list(hold(collect([path], shelf).jobs)), shelf, (), visits)


def visit(folder: Path, *said: str, bundle: str | None = None) -> Visit:
    script = Library([folder], field_models()).script("demo/hello")
    talk = Talk(script)
    talk.play(said)
    return Visit(script.id, bundle or script.bundle, tuple(talk.events))


def missed(tally: Tally) -> list[str]:
    return [f"{item.kind} {item.id}" for item in tally.missed]


def test_what_the_tests_of_a_project_reach_together(tmp_path: Path) -> None:
    found = surveyed(laid(tmp_path, LOW, HIGH, ZERO))
    assert missed(found) == ["branch demo/hello:opening/choose/pick: choice 2"]
    assert found.tests == 3
    assert surveyed(laid(tmp_path, LOW)).tests == 1
    assert missed(surveyed(laid(tmp_path, LOW))) == [
        "branch demo/hello:opening/score: transition 1",
        "branch demo/hello:opening/score/low: condition did not hold",
        "branch demo/hello:opening/choose/pick: choice 2",
        "topic demo/breathe",
        "action demo/breathe/in",
        "awareness demo/very_low",
        "branch demo/very_low: then",
    ]


def test_a_session_that_no_test_is_about_counts_as_missed(tmp_path: Path) -> None:
    other = SCRIPT[SCRIPT.index("sessions:") :].replace("hello", "forgotten").replace("very_low", "safety/suicide_risk")
    found = surveyed(laid(tmp_path, LOW, files={"other.yaml": other}))
    assert "phase demo/forgotten:opening" in missed(found)
    assert "phase demo/hello:opening" not in missed(found)


def test_a_project_without_sessions_is_tested_with_the_script_of_another(tmp_path: Path) -> None:
    skill = SCRIPT[SCRIPT.index("skills:") : SCRIPT.index("sessions:")]
    laid(tmp_path / "demo", LOW)
    kit = {"project.yaml": "id: kit\n", "skills.yaml": skill.replace("breathe", "pause")}
    for name, text in kit.items():
        (tmp_path / "kit").mkdir(exist_ok=True)
        (tmp_path / "kit" / name).write_text(text, encoding="utf-8")
    calling = SCRIPT.replace("technique: breathe", "technique: kit/pause")
    (tmp_path / "demo" / "hello.yaml").write_text(calling, encoding="utf-8")
    own = file_of(
        LOW.replace("script: hello", "script: demo/hello"), ZERO.replace("script: hello", "script: demo/hello")
    )
    (tmp_path / "kit" / "tests").mkdir()
    text = own.replace("entered: breathe", "entered: kit/pause")
    (tmp_path / "kit" / "tests" / "skills.yaml").write_text(text, encoding="utf-8")
    shelf = Shelf([tmp_path])
    held = list(hold(collect([tmp_path / "kit"], shelf).jobs, [tmp_path]))
    assert all(each.passed for each in held)
    found = survey(held, shelf, [tmp_path])
    assert sorted(item.id for item in found.items) == ["kit/pause", "kit/pause/in"]
    assert found.enough(100)
    with_home = survey([*held, *hold(collect([tmp_path / "demo"], shelf).jobs, [tmp_path])], shelf, [tmp_path])
    assert {item.project for item in with_home.items} == {"demo", "kit"}


def test_a_script_of_its_own_without_a_project(tmp_path: Path) -> None:
    (tmp_path / "alone.yaml").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "alone.test.yaml").write_text(
        file_of(LOW.replace("script: hello", "script: alone.yaml")), encoding="utf-8"
    )
    found = surveyed(tmp_path)
    assert found.whole.reached == surveyed(laid(tmp_path / "demo", LOW)).whole.reached
    assert {item.place.line for item in found.items if item.kind == "branch"} == {9, 27, 30, 38, 39}
    assert found.sources


def test_a_session_of_the_same_project_that_cannot_be_compiled_stops_the_count(tmp_path: Path) -> None:
    folder = laid(tmp_path, LOW)
    shelf = Shelf()
    held = list(hold(collect([folder], shelf).jobs))
    (folder / "broken.yaml").write_text(
        "sessions:\n  - session: 坏的\n    id: broken\n    phasen: []\n", encoding="utf-8"
    )
    assert survey(held, shelf).tests == 1
    other = SCRIPT[SCRIPT.index("sessions:") :].replace("hello", "other").replace("very_low", "nowhere")
    (folder / "broken.yaml").write_text(other, encoding="utf-8")
    with pytest.raises(Refused):
        survey(held, shelf)


def test_real_sessions_count_beside_the_tests_where_they_were_of_this_version(tmp_path: Path) -> None:
    folder = laid(tmp_path, LOW, HIGH, ZERO)
    same, older = visit(folder, "五分", "B"), visit(folder, "五分", "B", bundle="older")
    assert missed(surveyed(folder, same)) == []
    found = surveyed(folder, older, Visit("demo/gone", "x", older.events))
    assert missed(found) == ["branch demo/hello:opening/choose/pick: choice 2"]
    assert (found.sessions, found.others) == (0, 1)


def test_real_sessions_alone_by_the_version_that_was_held_last(tmp_path: Path) -> None:
    folder = laid(tmp_path, LOW)
    older, last = visit(folder, "九分", bundle="older"), visit(folder, "三分", "A")
    library = Library([folder], field_models())
    visits = [older, last]
    assert newest(visits) == {"demo/hello": last.bundle}
    found = of_sessions([library.script("demo/hello")], visits, library.safety)
    assert found.by_tests == frozenset()
    assert found.whole.reached == surveyed(folder).whole.reached
    assert (found.sessions, found.others) == (1, 1)
    assert ("demo", "hello.yaml") in found.sources
    assert [item.place.line for item in found.items if item.id.endswith("transition 1")] == [27]
