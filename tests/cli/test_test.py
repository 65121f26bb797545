"""``heartrule test``: as it is called, what it prints, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.command import Command
from tests.script_tests.material import write

from heartrule.script_tests.suite import named

GOOD = """\
tests:
  - test: 说了名字
    script: hello
    turns:
      - say: 小林
        expect: {set: {称呼: 小林}, at: ask_score}
  - test: 说累了
    script: hello
    group: crisis
    turns:
      - say: 我太累了
        expect: {entered: rest}
"""
BAD = """\
tests:
  - test: 说错了
    script: hello
    turns:
      - say: 小林
      - say: 三分
        expect: {set: {强度: 4}, never_says: 再见}
"""


@pytest.fixture
def project(heartrule: Command) -> Command:
    write(heartrule.folder, {"tests/good.test.yaml": GOOD})
    return heartrule


def test_all_pass(project: Command) -> None:
    ran = project("test", "--lang", "zh")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[:2] == [
        "✓ tests/good.test.yaml:2 说了名字 (顺利)",
        "✓ tests/good.test.yaml:7 说累了 (危机)",
    ]
    assert "顺利 1/1 · 危机 1/1" in ran.stdout
    assert "2 个测试：2 个通过，0 个没通过" in ran.stdout


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("zh", ["第 2 步 say: 三分 – 7: set：要 强度 = 4，实际 3", "谈话：", "> 三分", "1 个没通过"]),
        ("en", ["step 2 say: 三分 – 7: set: wanted 强度 = 4, got 3", "The conversation:", "> 三分", "1 failed"]),
    ],
)
def test_a_failure_is_told_with_the_conversation(project: Command, lang: str, said: list[str]) -> None:
    write(project.folder, {"bad.test.yaml": BAD})
    ran = project("test", "bad.test.yaml", "--lang", lang)
    assert ran.returncode == 1
    for each in said:
        assert each in ran.stdout
    assert "never_says" not in ran.stdout


def test_only_some(project: Command) -> None:
    write(project.folder, {"bad.test.yaml": BAD})
    assert "说累了" not in project("test", "-k", "名字").stdout
    only = project("test", "--group", "crisis", "--lang", "en")
    assert "1 test(s): 1 passed" in only.stdout
    assert only.returncode == 0
    assert project("test", "tests").returncode == 0
    assert project("test").returncode == 1


def test_nothing_to_run_is_no_success(project: Command) -> None:
    assert project("test", "-k", "没有这个").returncode == 2
    (project.folder / "empty").mkdir()
    ran = project("test", "empty", "--lang", "en")
    assert ran.returncode == 2
    assert "no tests here" in ran.stderr
    assert project("test", "--group", "happyy").returncode == 2


def test_what_is_wrong_is_a_failure_and_the_rest_is_run(project: Command) -> None:
    write(project.folder, {"bad.test.yaml": GOOD.replace("at: ask_score", "at: ask_scor")})
    ran = project("test", "bad.test.yaml", "--lang", "en")
    assert ran.returncode == 1
    assert "bad.test.yaml:6:" in ran.stderr
    assert "error E703" in ran.stderr
    assert "`ask_score`" in ran.stderr
    assert "✓" in ran.stdout
    assert "说了名字" not in ran.stdout


def test_a_test_that_expects_nothing_is_a_warning(project: Command) -> None:
    write(project.folder, {"bare.test.yaml": "tests: [{test: 空, script: hello, turns: [start]}]"})
    ran = project("test", "bare.test.yaml", "--lang", "en")
    assert ran.returncode == 0
    assert "warning W709" in ran.stderr


def test_json(project: Command) -> None:
    write(project.folder, {"bad.test.yaml": BAD})
    ran = project("test", "--format", "json")
    found = json.loads(ran.stdout)
    assert [(each["test"], each["passed"]) for each in found] == [
        ("说错了", False),
        ("说了名字", True),
        ("说累了", True),
    ]
    assert found[0]["failed"] == [{"kind": "set", "wanted": "强度 = 4", "got": "3", "turn": 2, "line": 7, "run": 1}]
    assert found[0]["transcript"][-1]["sender"] == "ai"
    assert found[2]["group"] == "crisis"


def test_json_lists_what_was_not_held_too_and_why(project: Command) -> None:
    broken = GOOD.replace("at: ask_score", "att: ask_score")
    live = "tests:\n  - test: 真模型\n    script: hello\n    model: live\n    turns:\n      - start: {ended: false}\n"
    write(project.folder, {"a.test.yaml": broken, "b.test.yaml": "tests: [", "c.test.yaml": live})
    found = json.loads(project("test", "--format", "json", "--lang", "en").stdout)
    assert {frozenset(each) for each in found} == {frozenset(found[0])}
    told = [(each["file"], each["test"], each["passed"], (each["skipped"] or {}).get("code")) for each in found]
    assert sorted(told, key=str) == [
        ("a.test.yaml", "说了名字", None, "E101"),
        ("a.test.yaml", "说累了", True, None),
        ("b.test.yaml", None, None, "E020"),
        ("c.test.yaml", "真模型", None, "live"),
        ("tests/good.test.yaml", "说了名字", True, None),
        ("tests/good.test.yaml", "说累了", True, None),
    ]
    reasons = {each["file"]: each["skipped"]["reason"] for each in found if each["skipped"]}
    assert reasons["c.test.yaml"] == "wants a live model (--live runs it)"
    assert "att" in reasons["a.test.yaml"]
    lines = [each["line"] for each in found if each["file"] == "a.test.yaml"]
    assert lines == sorted(lines)


def test_junit_tells_of_tests_that_want_a_model(project: Command) -> None:
    live = "tests:\n  - test: 真模型\n    script: hello\n    model: live\n    turns:\n      - start: {ended: false}\n"
    write(project.folder, {"c.test.yaml": live})
    assert project("test", "--junit", "report.xml", "--lang", "en").returncode == 0
    root = ElementTree.parse(project.folder / "report.xml").getroot()
    assert (root.attrib["tests"], root.attrib["skipped"]) == ("3", "1")
    skipped = root.find("testsuite/testcase[@name='真模型']/skipped")
    assert skipped is not None
    assert skipped.attrib["message"] == "wants a live model (--live runs it)"


def test_junit(project: Command) -> None:
    write(
        project.folder,
        {
            "bad.test.yaml": BAD
            + "  - test: 停住\n    script: hello\n    turns:\n      - choose: A\n        expect: {ended: true}\n"
        },
    )
    project("test", "--junit", "report.xml", "--lang", "en")
    root = ElementTree.parse(project.folder / "report.xml").getroot()
    assert root.attrib["tests"] == "4"
    assert (root.attrib["failures"], root.attrib["errors"]) == ("1", "1")
    assert [suite.attrib["name"] for suite in root] == ["bad.test.yaml", "tests/good.test.yaml"]
    failure = root.find("testsuite/testcase[@name='说错了']/failure")
    assert failure is not None
    assert "强度 = 4" in failure.attrib["message"]
    assert failure.text is not None
    assert "> 三分" in failure.text
    assert root.find("testsuite/testcase[@name='停住']/error") is not None


def test_junit_knows_of_what_could_not_be_run(project: Command) -> None:
    """A build server would take it for gone."""
    broken = GOOD.replace("at: ask_score", "att: ask_score")
    write(project.folder, {"a.test.yaml": broken, "b.test.yaml": "tests: [", "c.test.yaml": "tests: 3\n"})
    (project.folder / "d.test.yaml").symlink_to("nowhere.yaml")
    ran = project("test", "--junit", "report.xml", "--lang", "en")
    assert ran.returncode == 1
    root = ElementTree.parse(project.folder / "report.xml").getroot()
    assert {key: root.attrib[key] for key in ("tests", "failures", "errors")} == {
        "tests": "7",
        "failures": "0",
        "errors": "4",
    }
    refused = root.find("testsuite[@name='a.test.yaml']/testcase[@name='说了名字']/error")
    assert refused is not None
    assert "att" in refused.attrib["message"]
    assert refused.text is not None
    assert "a.test.yaml:6:" in refused.text
    assert root.find("testsuite[@name='a.test.yaml']/testcase[@name='说累了']/error") is None
    for name in ("b.test.yaml", "c.test.yaml", "d.test.yaml"):
        assert root.find(f"testsuite[@name='{name}']/testcase[@name='{name}']/error") is not None


def test_junit_of_the_chosen_ones_only(project: Command) -> None:
    write(project.folder, {"a.test.yaml": GOOD.replace("at: ask_score", "att: ask_score")})
    project("test", "--junit", "report.xml", "--group", "crisis")
    names = [each.attrib["name"] for each in ElementTree.parse(project.folder / "report.xml").iter("testcase")]
    assert names == ["说累了", "说累了"]


def test_in_several_processes_it_comes_to_the_same(project: Command) -> None:
    write(project.folder, {"bad.test.yaml": BAD})

    def results(out: str) -> list[dict[str, object]]:
        return [{**each, "seconds": 0} for each in json.loads(out)]

    alone, several = project("test", "--format", "json"), project("test", "--format", "json", "--parallel", "2")
    assert results(several.stdout) == results(alone.stdout)
    assert several.returncode == 1


def test_a_project_of_the_library_by_its_name(
    heartrule: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "shipped" / "greeting", {"tests/good.test.yaml": GOOD})
    monkeypatch.setattr("heartrule.script_tests.suite.library_root", lambda: tmp_path / "shipped")
    assert named(Path("greeting")) == tmp_path / "shipped" / "greeting"
    assert named(Path("nobody")) == Path("nobody")
    monkeypatch.chdir(tmp_path)
    assert named(Path("greeting")) == Path("shipped", "greeting")
    (heartrule.folder / "greeting").mkdir()
    monkeypatch.chdir(heartrule.folder)
    assert named(Path("greeting")) == Path("greeting")


def test_a_script_of_another_project(heartrule: Command) -> None:
    text = "tests:\n  - test: 问候\n    script: cbt/abc_intro\n    turns:\n      - start: {said_contains: AI}\n"
    (heartrule.folder / "mine.test.yaml").write_text(text, encoding="utf-8")
    assert heartrule("test").returncode == 0


def test_a_script_in_a_file(heartrule: Command) -> None:
    """Beside the test file without being named, by its path, and with the session's id."""
    turns = "    turns:\n      - start: {said_contains: 你好}\n"
    (heartrule.folder / "hello.test.yaml").write_text(f"tests:\n  - test: a\n{turns}", encoding="utf-8")
    named = f"script: hello.yaml\ntests:\n  - test: a\n{turns}  - test: b\n    script: hello.yaml#hello\n{turns}"
    (heartrule.folder / "named.test.yaml").write_text(named, encoding="utf-8")
    ran = heartrule("test", "--lang", "en")
    assert ran.returncode == 0, ran.stderr
    assert "3 test(s): 3 passed" in ran.stdout


@pytest.mark.parametrize(
    ("script", "code"),
    [("script: nobody", "E301"), ("script: nowhere/hello", "E303"), ("", "E711"), ("script: broken.yaml", "E710")],
)
def test_a_script_that_is_not_there(project: Command, script: str, code: str) -> None:
    head = f"    {script}\n" if script else ""
    if code == "E710":
        write(project.folder, {"broken.yaml": "sessions:\n  - sesion: a\n"})
    text = f"tests:\n  - test: a\n{head}    turns:\n      - start: {{ended: false}}\n"
    (project.folder / "tests" / "other.test.yaml").write_text(text, encoding="utf-8")
    ran = project("test", "tests/other.test.yaml", "--lang", "en")
    assert ran.returncode == 1
    assert f"tests/other.test.yaml:{3 if script else 2}:" in ran.stderr
    assert code in ran.stderr


def test_it_runs_again_when_a_file_changes(project: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure, then what mends it; whoever watches ends it."""
    write(project.folder, {"bad.test.yaml": BAD})
    mends = iter([BAD.replace("强度: 4", "强度: 3"), "tests: ["])

    def pause(seconds: float) -> None:
        assert seconds <= 1
        for text in mends:
            write(project.folder, {"bad.test.yaml": text})
            return
        raise KeyboardInterrupt

    monkeypatch.setattr("heartrule.cli.test.time.sleep", pause)
    ran = project("test", "bad.test.yaml", "--watch", "--lang", "en")
    assert ran.returncode == 0
    assert [line for line in ran.stdout.splitlines() if "test(s)" in line] == [
        line for line in ran.stdout.splitlines() if "passed," in line
    ]
    assert ran.stdout.index("0 passed, 1 failed") < ran.stdout.index("1 passed, 0 failed")
    assert ran.stderr.count("Ctrl-C") == 3


def test_a_report_that_cannot_be_written(project: Command) -> None:
    ran = project("test", "--junit", "nowhere/report.xml")
    assert ran.returncode == 2
    assert "nowhere/report.xml" in ran.stderr


def test_a_folder_of_projects_beside(project: Command) -> None:
    write(project.folder / "others" / "second", {"project.yaml": "id: second\n"})
    text = "tests:\n  - test: a\n    script: second/hello\n    turns:\n      - start: {said_contains: 你好}\n"
    (project.folder / "tests" / "other.test.yaml").write_text(text, encoding="utf-8")
    assert project("test", "tests/other.test.yaml").returncode == 1
    assert project("test", "tests/other.test.yaml", "--project", "others").returncode == 0


@pytest.mark.parametrize(("form", "told"), [("json", ["1/2 tests", "2/2 tests"]), ("text", [])])
def test_what_takes_its_time_says_how_far_it_is(
    project: Command, monkeypatch: pytest.MonkeyPatch, form: str, told: list[str]
) -> None:
    monkeypatch.setattr("heartrule.cli.suites.PATIENCE", 3600.0)
    assert project("test", "--format", form).stderr == ""
    monkeypatch.setattr("heartrule.cli.suites.PATIENCE", 0.0)
    assert project("test", "--format", form, "--lang", "en").stderr.splitlines() == told
