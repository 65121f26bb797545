"""``heartrule scripts``, ``lint`` and ``schema``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from tests.cli.command import Command

from heartrule.engine.installed_types import field_models
from heartrule.language.findings.report import report
from heartrule.language.linting.lint import lint_paths

WRONG = """\
sessions:
  - session: 见面
    phases:
      - phase: 开场
        steps:
          - topic: 称呼
            actions:
              - {type: say, contnt: 你好。}
              - {type: aks, content: 怎么称呼你？}
"""
FIELDS = {"file", "line", "column", "code", "severity", "path", "message", "hint", "mend"}


@pytest.fixture
def wrong(heartrule: Command) -> Path:
    path = heartrule.folder / "wrong.yaml"
    path.write_text(WRONG, encoding="utf-8")
    return path


class TestScripts:
    def test_the_library_is_listed(self, heartrule: Command) -> None:
        ran = heartrule("scripts")
        assert ran.returncode == 0
        assert "cbt/first_assessment" in ran.stdout
        assert "首次评估" in ran.stdout

    def test_for_programs(self, heartrule: Command) -> None:
        found = json.loads(heartrule("scripts", "--format", "json").stdout)
        assert {"id", "name", "goal", "duration", "locale", "audience", "project", "translation_of"} == set(found[0])
        assert "cbt/first_assessment" in {each["id"] for each in found}

    def test_ones_own_projects_too(self, heartrule: Command) -> None:
        mine = heartrule.folder / "mine"
        mine.mkdir()
        (mine / "project.yaml").write_text("id: mine\n", encoding="utf-8")
        (mine / "hello.yaml").write_text((heartrule.folder / "hello.yaml").read_text("utf-8"), encoding="utf-8")
        assert "mine/hello" in heartrule("scripts", "--project", "mine").stdout
        assert heartrule("chat", "mine/hello", "--project", "mine", lines=["小林", "A", ""]).returncode == 0


STEERING = "\\e]0;PWN\\a\\e[2J\\u009b31m\\u202e"
"""As YAML writes it: an escape, a bell, a CSI of one sign, an override of direction."""
HOSTILE = f"""\
sessions:
  - session: "见面{STEERING}"
    id: hostile
    duration: "一会儿{STEERING}"
    phases:
      - phase: "开场{STEERING}"
        id: opening
        steps:
          - topic: "称呼{STEERING}"
            id: name
            actions:
              - {{type: say, id: hello, content: "你好。{STEERING}"}}
              - {{type: say, "cont{STEERING}ent": 你好。}}
"""


class TestSteeringTheTerminal:
    """What a script got from others says reaches the screen of who looks at it, and nothing that steers it."""

    @pytest.mark.parametrize(
        "command",
        [
            ["lint", "got"],
            ["lint", "got", "--format", "json"],
            ["lint", "got", "--format", "sarif"],
            ["scripts", "--project", "got"],
            ["scripts", "--project", "got", "--format", "json"],
            ["fmt", "got"],
            ["test", "got"],
            ["test", "got", "--coverage"],
            ["prompts", "got/hostile.yaml"],
            ["forms", "list", "--project", "got"],
            ["chat", "got/hostile.yaml"],
            ["chat", "got/fine.yaml"],
        ],
        ids=" ".join,
    )
    def test_nothing_of_it_gets_out(self, heartrule: Command, command: list[str]) -> None:
        got = heartrule.folder / "got"
        (got / "tests").mkdir(parents=True)
        (got / "project.yaml").write_text(f'id: got\nname: "项目{STEERING}"\n', encoding="utf-8")
        (got / "hostile.yaml").write_text(HOSTILE, encoding="utf-8")
        fine = HOSTILE.replace("id: hostile", "id: fine").rsplit("\n", 2)[0] + "\n"
        (got / "fine.yaml").write_text(fine, encoding="utf-8")
        case = f'script: fine\ntests:\n  - test: "试{STEERING}"\n    turns: [{{start: {{said: "{STEERING}"}}}}]\n'
        (got / "tests" / "fine.test.yaml").write_text(case, encoding="utf-8")
        ran = heartrule(*command)
        assert ran.stdout + ran.stderr, "and something is said"
        for each in "\x1b\x07\x9b\u202e":
            assert each not in ran.stdout + ran.stderr, (each, ran.stdout, ran.stderr)
        if "json" in command:
            json.loads(ran.stdout)


class TestFixing:
    def test_what_can_be_meant_in_one_way_is_mended_and_told(self, heartrule: Command, wrong: Path) -> None:
        wrong.write_text(WRONG.replace("contnt: 你好。}", "contnt: 你好。}  # 先问好"), encoding="utf-8")
        ran = heartrule("lint", "--fix", "wrong.yaml", "--lang", "zh")
        assert "已改好：wrong.yaml:8 E101" in ran.stdout
        assert "改好 2 处。" in ran.stdout
        assert "{type: say, content: 你好。}  # 先问好" in wrong.read_text(encoding="utf-8")
        again = heartrule("lint", "--fix", "wrong.yaml", "--lang", "en")
        assert "0 mended." in again.stdout

    def test_for_programs_the_report_stays_alone(self, heartrule: Command, wrong: Path) -> None:
        ran = heartrule("lint", "--fix", "wrong.yaml", "--format", "json", "--lang", "en")
        assert "2 mended." in ran.stderr
        assert all(set(each) == FIELDS for each in json.loads(ran.stdout))

    def test_the_report_carries_the_edits(self, heartrule: Command, wrong: Path) -> None:
        found = json.loads(heartrule("lint", "wrong.yaml", "--format", "json").stdout)
        edit = {"line": 8, "column": 29, "end_line": 8, "end_column": 35, "text": "content"}
        assert [each["mend"] for each in found if each["code"] == "E101"] == [{"safe": True, "edits": [edit]}]
        run = json.loads(heartrule("lint", "wrong.yaml", "--format", "sarif").stdout)["runs"][0]
        fixes = [fix for each in run["results"] if each["ruleId"] == "E101" for fix in each["fixes"]]
        (change,) = fixes[0]["artifactChanges"]
        (one,) = change["replacements"]
        assert change["artifactLocation"]["uri"] == "wrong.yaml"
        assert one["insertedContent"]["text"] == "content"
        assert one["deletedRegion"] == {"startLine": 8, "startColumn": 29, "endLine": 8, "endColumn": 35}


class TestLint:
    def test_nothing_wrong(self, heartrule: Command) -> None:
        ran = heartrule("lint", "hello.yaml")
        assert ran.returncode == 0, ran.stdout
        assert ran.stdout.strip() == "1 个文件，没有问题。"

    def test_every_finding_says_where_what_and_how_to_mend_it(self, heartrule: Command, wrong: Path) -> None:
        ran = heartrule("lint", wrong.name)
        assert ran.returncode == 1
        assert "wrong.yaml:8:" in ran.stdout
        assert "wrong.yaml:9:" in ran.stdout
        assert "content" in ran.stdout
        assert "错误" in ran.stdout.splitlines()[-1]

    def test_in_english(self, heartrule: Command, wrong: Path) -> None:
        ran = heartrule("lint", wrong.name, "--lang", "en")
        assert "error(s)" in ran.stdout
        assert not any("\u4e00" <= letter <= "\u9fff" for letter in ran.stdout.splitlines()[0].partition(": ")[0])

    def test_for_programs(self, heartrule: Command, wrong: Path) -> None:
        ran = heartrule("lint", wrong.name, "--format", "json")
        assert ran.returncode == 1
        found: list[dict[str, Any]] = json.loads(ran.stdout)
        assert {each["line"] for each in found} >= {8, 9}
        for each in found:
            assert set(each) == FIELDS
            assert each["file"] == "wrong.yaml"
            assert each["severity"] in {"error", "warning"}
            assert each["code"][0] == each["severity"][0].upper()
        assert json.loads(heartrule("lint", "hello.yaml", "--format", "json").stdout) == []

    def test_for_code_hosts(self, heartrule: Command, wrong: Path) -> None:
        sarif = json.loads(heartrule("lint", wrong.name, "--format", "sarif").stdout)
        assert sarif["version"] == "2.1.0"
        (run,) = sarif["runs"]
        rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        assert {result["ruleId"] for result in run["results"]} == rules
        place = run["results"][0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "wrong.yaml"
        assert place["region"]["startLine"] >= 1
        assert place["region"]["startColumn"] >= 1
        assert run["columnKind"] == "unicodeCodePoints"
        assert run["tool"]["driver"]["version"]
        for result in run["results"]:
            assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]

    def test_a_name_that_is_no_address_is_made_one(self, heartrule: Command) -> None:
        (heartrule.folder / "我的 脚本.yaml").write_text(WRONG, encoding="utf-8")
        (run,) = json.loads(heartrule("lint", "我的 脚本.yaml", "--format", "sarif").stdout)["runs"]
        uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote(uri) == "我的 脚本.yaml"
        assert uri.isascii()
        assert " " not in uri

    def test_the_command_says_what_the_linter_says(self, heartrule: Command, wrong: Path) -> None:
        findings = lint_paths([wrong], field_models()).findings
        ran = heartrule("lint", str(wrong), "--lang", "zh")
        assert ran.stdout.startswith(report(findings, "text", "zh") + "\n")
        assert json.loads(heartrule("lint", str(wrong), "--format", "json", "--lang", "en").stdout) == json.loads(
            report(findings, "json", "en")
        )

    def test_several_paths_and_folders(self, heartrule: Command, wrong: Path) -> None:
        assert heartrule("lint", "hello.yaml", wrong.name).returncode == 1
        assert heartrule("lint", ".").returncode == 1

    def test_what_is_not_there(self, heartrule: Command) -> None:
        (heartrule.folder / "empty").mkdir()
        assert heartrule("lint", "nowhere.yaml").returncode == 1
        assert heartrule("lint", "empty").returncode == 1
        assert heartrule("lint").returncode == 2

    def test_what_we_ship_is_clean(self, heartrule: Command) -> None:
        from heartrule.language.projects.library import library_root

        ran = heartrule("lint", str(library_root()), "--lang", "en")
        assert ran.returncode == 0, ran.stdout


class TestSchema:
    def test_it_is_a_schema_of_script_files(self, heartrule: Command) -> None:
        schema = json.loads(heartrule("schema").stdout)
        assert {"sessions", "skills", "awareness", "global", "roles"} <= set(schema["properties"])
        assert "ai_ask" in json.dumps(schema)

    def test_of_a_project_in_one_language_at_an_address(self, heartrule: Command) -> None:
        ran = heartrule("schema", "project", "--lang", "en", "--url", "https://a.example/project.json")
        made = json.loads(ran.stdout)
        assert made["$id"] == "https://a.example/project.json"
        assert made["properties"]["domain"]["description"] == "The field that it is for."


class TestTestsAreLooked:
    """Conversations held as tests are linted with the scripts beside them, and alone."""

    TESTS = (
        "script: hello\ntests:\n  - test: 好好的\n    turns: [{say: 小林, expect: {said_contains: 小林}}]\n"
        "  - test: 写错了\n    turns: [{say: 小林, expect: {at: nowhere}}]\n"
    )

    @pytest.fixture
    def mine(self, heartrule: Command) -> Path:
        mine = heartrule.folder / "mine"
        (mine / "tests").mkdir(parents=True)
        (mine / "project.yaml").write_text("id: mine\n", encoding="utf-8")
        (mine / "hello.yaml").write_text((heartrule.folder / "hello.yaml").read_text("utf-8"), encoding="utf-8")
        (mine / "tests" / "talk.test.yaml").write_text(self.TESTS, encoding="utf-8")
        return mine

    @pytest.mark.parametrize("path", ["mine", "mine/tests/talk.test.yaml"])
    def test_what_they_look_for_and_is_not_there(self, heartrule: Command, mine: Path, path: str) -> None:
        ran = heartrule("lint", path, "--format", "json")
        assert ran.returncode == 1
        assert [(Path(each["file"]).name, each["line"], each["code"]) for each in json.loads(ran.stdout)] == [
            ("talk.test.yaml", 6, "E703")
        ]

    def test_good_ones_count_as_files(self, heartrule: Command, mine: Path) -> None:
        tests = mine / "tests" / "talk.test.yaml"
        tests.write_text(self.TESTS.partition("  - test: 写错了")[0], encoding="utf-8")
        ran = heartrule("lint", "mine", "--lang", "en")
        assert ran.returncode == 0
        assert "3 file(s)" in ran.stdout

    def test_a_script_that_cannot_be_loaded_is_told_once(self, heartrule: Command, mine: Path) -> None:
        (mine / "hello.yaml").write_text(
            WRONG.replace("session: 见面", "session: 见面\n    id: hello"), encoding="utf-8"
        )
        found = json.loads(heartrule("lint", "mine", "--format", "json").stdout)
        assert {Path(each["file"]).name for each in found} == {"hello.yaml"}


@pytest.mark.parametrize("named", ["the pipe", "its folder"])
def test_a_named_pipe_is_not_waited_for(heartrule: Command, named: str) -> None:
    mine = heartrule.folder / "piped"
    mine.mkdir()
    (mine / "project.yaml").write_text("id: piped\n", encoding="utf-8")
    os.mkfifo(mine / "pipe.yaml")
    ran = heartrule("lint", "piped/pipe.yaml" if named == "the pipe" else "piped")
    assert ran.returncode == 1
    assert "pipe.yaml" in ran.stdout
