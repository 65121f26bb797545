"""``heartrule mutate``: as it is called, what it prints, and how it exits."""

from __future__ import annotations

import json

import pytest
from tests.cli.command import Command
from tests.script_tests.counting import HIGH, LOW, SCRIPT, WIDE, ZERO, laid

GOOD = LOW.replace("said_contains: 再见", "said_contains: 再见。")
REASON = "mutants:\n  - mutant: choice demo/hello:opening/choose/pick 2\n    reason: 说的是一回事。\n"


@pytest.fixture
def project(heartrule: Command) -> Command:
    laid(heartrule.folder / "demo", LOW, HIGH, ZERO)
    return heartrule


def test_what_no_test_notices_is_listed(project: Command) -> None:
    ran = project("mutate", "demo", "--lang", "en")
    assert ran.returncode == 1, ran.stderr
    assert "demo/hello.yaml:39: without this choice  [choice demo/hello:opening/choose/pick 2]" in ran.stdout
    assert "13 mutants: 10 noticed by tests, 0 explained, 3 neither (76.9%)." in ran.stdout
    assert ran.stderr == ""
    assert "变异体 13 个：测试发现 10 个" in project("mutate", "demo", "--lang", "zh").stdout


def test_explained_and_noticed_is_all(project: Command) -> None:
    laid(project.folder / "demo", GOOD, HIGH, ZERO, WIDE, files={"tests/mutants.yaml": REASON})
    ran = project("mutate", "demo", "--lang", "en", "--explained")
    assert ran.returncode == 0, ran.stderr
    assert "13 mutants: 12 noticed by tests, 1 explained, 0 neither (100%)." in ran.stdout
    assert "reason: 说的是一回事。" in ran.stdout


def test_fewer_than_are_asked_for_fail(project: Command) -> None:
    ran = project("mutate", "demo", "--min", "90", "--lang", "en")
    assert ran.returncode == 1
    assert "76.9% noticed or explained, less than the 90% that are asked for." in ran.stderr


def test_some_may_live_unexplained_where_that_is_asked_for(project: Command) -> None:
    ran = project("mutate", "demo", "--min", "70", "--lang", "en")
    assert ran.returncode == 0
    assert ran.stderr == ""


def test_an_explanation_that_has_outlived_its_reason_fails(project: Command) -> None:
    stale = REASON + "  - {mutant: action demo/breathe/in, reason: 客套。}\n"
    laid(project.folder / "demo", LOW, HIGH, ZERO, files={"tests/mutants.yaml": stale})
    ran = project("mutate", "demo", "--lang", "en")
    assert ran.returncode == 1
    assert "demo/tests/mutants.yaml:4:5: error E721" in ran.stderr


def test_some_of_them(project: Command) -> None:
    told = json.loads(project("mutate", "demo", "--kind", "choice", "--kind", "range", "--format", "json").stdout)
    assert [each["id"] for each in told["tried"]] == [
        "choice demo/hello:opening/choose/pick 1",
        "choice demo/hello:opening/choose/pick 2",
        "range demo/分",
    ]
    told = json.loads(project("mutate", "demo", "--only", "breathe", "--format", "json").stdout)
    assert [each["id"] for each in told["tried"]] == ["action demo/breathe/in"]


def test_every_so_manyth_the_same_ones_each_time(project: Command) -> None:
    def tried(*more: str) -> list[str]:
        told = json.loads(project("mutate", "demo", "--format", "json", *more).stdout)
        return [each["id"] for each in told["tried"]]

    assert tried("--every", "5") == tried()[::5]
    assert len(tried("--every", "5")) == 3


def test_an_explanation_is_judged_by_what_was_tried(project: Command) -> None:
    laid(project.folder / "demo", LOW, HIGH, ZERO, files={"tests/mutants.yaml": REASON})
    ran = project("mutate", "demo", "--kind", "awareness", "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "1 mutants: 1 noticed" in ran.stdout


def test_a_kind_that_there_is_not(project: Command) -> None:
    ran = project("mutate", "demo", "--kind", "verb", "--lang", "en")
    assert ran.returncode == 2
    assert "There are no mutants “verb”; there are: awareness, directive" in ran.stderr


def test_tests_that_fail_as_things_are_come_first(project: Command) -> None:
    laid(project.folder / "demo", LOW.replace("分: 3", "分: 4"), HIGH)
    ran = project("mutate", "demo", "--lang", "en")
    assert ran.returncode == 1
    assert "1 test(s) fail as things are" in ran.stderr
    assert "demo/tests/hello.yaml:2 三分" in ran.stderr
    assert ran.stdout == ""


def test_where_there_is_nothing_to_be_held(project: Command) -> None:
    (project.folder / "empty").mkdir()
    assert project("mutate", "empty").returncode == 2
    laid(project.folder / "demo", LOW.replace("script:", "skript:"))
    assert project("mutate", "demo").returncode == 1


def test_tests_with_a_recorded_model_are_left_out(project: Command) -> None:
    recorded = HIGH.replace("script: hello\n", "script: hello\n    model: recorded\n")
    laid(project.folder / "demo", LOW, recorded)
    ran = project("mutate", "demo", "--lang", "en", "--only", "low", "--min", "30")
    assert ran.returncode == 0
    assert "1 test(s) with a recorded or live model were left out." in ran.stderr
    laid(project.folder / "demo", recorded)
    assert project("mutate", "demo").returncode == 2


def test_a_script_that_cannot_be_compiled(project: Command) -> None:
    other = SCRIPT[SCRIPT.index("sessions:") :].replace("hello", "other").replace("[very_low]", "[nowhere]")
    (project.folder / "demo" / "broken.yaml").write_text(other, encoding="utf-8")
    ran = project("mutate", "demo")
    assert ran.returncode == 1
    assert "broken.yaml" in ran.stderr


def test_a_choice_of_nothing_is_no_success(project: Command) -> None:
    ran = project("mutate", "demo", "--only", "typoo", "--min", "100", "--lang", "en")
    assert ran.returncode == 2
    assert "No mutant is as --kind and --only say" in ran.stderr
