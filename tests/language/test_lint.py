"""Lint over files and folders, and its findings as text, JSON and SARIF."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.language.material import ACTIONS, at, codes, linted, only, session, skill, write

from heartrule.language.bilingual import reading
from heartrule.language.findings import Refused, clip, finding, in_order
from heartrule.language.findings.report import report
from heartrule.language.linting.lint import lint, lint_paths
from heartrule.language.nodes import Place

BAD = session("- {type: say, content: 你好, contnet: 再见}", name="坏的")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(
        tmp_path,
        {
            "lib/a/project.yaml": "id: a\n",
            "lib/a/good.yaml": session(),
            "lib/a/below/bad.yaml": BAD,
            "lib/b/project.yaml": "id: b\n",
            "lib/b/calls.yaml": session("- {type: use_skill, skill: c/breath}"),
            "lib/c/project.yaml": "id: c\n",
            "lib/c/skills.yaml": skill(head="id: breath"),
            "loose/one.yaml": session("- {type: use_skill, skill: 呼吸练习}"),
            "loose/two.yaml": skill(),
            "alone.yaml": BAD,
        },
    )


class TestPaths:
    @pytest.mark.parametrize(
        ("path", "found"),
        [
            ("lib", [("lib/a/below/bad.yaml", "E101")]),
            ("lib/a", [("lib/a/below/bad.yaml", "E101")]),
            ("lib/a/good.yaml", []),
            ("lib/a/below/bad.yaml", [("lib/a/below/bad.yaml", "E101")]),
            ("./lib/c", []),
            ("loose", []),
            ("loose/one.yaml", [("loose/one.yaml", "E203")]),
            ("alone.yaml", [("alone.yaml", "E101")]),
            ("nowhere.yaml", [("nowhere.yaml", "E017")]),
            ("nowhere", [("nowhere", "E017")]),
        ],
    )
    def test_one(self, root: Path, path: str, found: list[tuple[str, str]]) -> None:
        assert [(each.file, each.code) for each in lint([path], ACTIONS)] == found

    def test_several(self, root: Path) -> None:
        found = lint(["alone.yaml", "lib/a", "lib/c"], ACTIONS)
        assert [each.file for each in found] == ["alone.yaml", "lib/a/below/bad.yaml"]

    def test_projects_beside_each_other_know_each_other(self, root: Path) -> None:
        assert [each for each in lint(["lib"], ACTIONS) if each.code == "E203"] == []
        assert codes(lint(["lib/b"], ACTIONS)) == ["E203"]

    def test_absolute_paths_stay_absolute(self, root: Path) -> None:
        found = only(lint([root / "lib" / "a"], ACTIONS))
        assert found.file == (root / "lib" / "a" / "below" / "bad.yaml").as_posix()

    def test_from_inside_of_a_project(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(root / "lib" / "a" / "below")
        assert only(lint(["bad.yaml"], ACTIONS)).file == "../below/bad.yaml"

    def test_files_are_counted(self, root: Path) -> None:
        looked = lint_paths(["lib/a", "alone.yaml"], ACTIONS)
        assert sorted(looked.files) == [
            *("alone.yaml", "lib/a/below/bad.yaml", "lib/a/good.yaml", "lib/a/project.yaml"),
        ]
        assert (looked.errors, looked.warnings) == (2, 0)

    def test_of_one_file_the_others_of_its_project_are_not_told(self, root: Path) -> None:
        looked = lint_paths(["lib/a/good.yaml"], ACTIONS)
        assert looked.files == ("lib/a/good.yaml",)
        assert looked.findings == ()

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        assert lint_paths([tmp_path / "empty"], ACTIONS).files == ()


class TestForms:
    FOUND = linted(BAD + "global: [{var: a, range: [2, 1]}]\n")

    def test_text(self) -> None:
        text = report(self.FOUND, "text", "zh-CN")
        first, where, mend, *_ = text.split("\n")
        assert first == "script.yaml:8:42: 错误 E101: 这里没有“contnet”这个字段"
        assert where == "    会谈 坏的 › 阶段 开场 › 话题 问候 › 第 1 个动作"
        assert mend == "    → 是不是想写 `content`？"

    def test_text_in_english(self) -> None:
        text = report(self.FOUND, "text", "en")
        assert text.startswith("script.yaml:8:42: error E101: ")
        assert "There is no key “contnet” here" in text
        assert "session 坏的 › phase 开场 › topic 问候 › action 1" in text
        assert "Did you mean `content`?" in text

    @pytest.mark.parametrize("lang", ["zh", "en"])
    def test_json(self, lang: str) -> None:
        read = json.loads(report(self.FOUND, "json", lang))
        assert [set(each) for each in read] == [
            {"file", "line", "column", "code", "severity", "path", "message", "hint", "mend"}
        ] * len(self.FOUND)
        assert (read[0]["line"], read[0]["code"], read[0]["severity"]) == (8, "E101", "error")

    def test_sarif(self) -> None:
        read = json.loads(report(self.FOUND, "sarif", "en"))
        assert read["version"] == "2.1.0"
        (run,) = read["runs"]
        rules = run["tool"]["driver"]["rules"]
        assert len(run["results"]) == len(self.FOUND)
        for found, result in zip(self.FOUND, run["results"], strict=True):
            assert result["ruleId"] == found.code == rules[result["ruleIndex"]]["id"]
            region = result["locations"][0]["physicalLocation"]["region"]
            assert (region["startLine"], region["startColumn"]) == (found.line, found.column)
            assert found.message.en in result["message"]["text"]
            assert result["level"] == found.severity

    def test_sarif_names_the_program_s_version_when_it_is_given(self) -> None:
        driver = json.loads(report([], "sarif", "en", "1.2"))["runs"][0]["tool"]["driver"]
        assert (driver["name"], driver["version"]) == ("heartrule", "1.2")
        assert "version" not in json.loads(report([], "sarif"))["runs"][0]["tool"]["driver"]

    def test_nothing(self) -> None:
        assert report([], "text") == ""
        assert json.loads(report([], "json")) == []
        assert json.loads(report([], "sarif"))["runs"][0]["results"] == []


class TestFindings:
    def test_languages(self) -> None:
        found = finding("E102", Place("a.yaml", 1, 1, "会谈 甲", "session 甲"), key="type")
        assert found.localized("zh-CN").message == found.localized("zh").message == "缺少字段“type”"
        assert found.localized("en").message == found.localized("fr").message == "The key “type” is missing"
        assert found.localized("en").path == "session 甲"
        with reading("zh-CN"):
            assert str(found) == "a.yaml:1:1: E102 缺少字段“type”"
            assert str(Refused([found])) == str(found)
        with reading("en"):
            assert str(found) == "a.yaml:1:1: E102 The key “type” is missing"
        assert found.stops

    def test_order_and_repetition(self) -> None:
        here = [
            finding("E102", Place(file, line, 1), key="a") for file, line in (("b", 1), ("a", 9), ("a", 2), ("a", 9))
        ]
        assert [(each.file, each.line) for each in in_order(here)] == [("a", 2), ("a", 9), ("b", 1)]

    @pytest.mark.parametrize(
        ("value", "shown"), [("a", "a"), ("a\n  b", "a b"), ("很" * 50, "很" * 39 + "…"), (3, "3"), (None, "None")]
    )
    def test_values_are_cut(self, value: object, shown: str) -> None:
        assert clip(value) == shown

    def test_lines_are_in_order(self) -> None:
        found = linted(session("- {type: say}\n- {type: says}", head="gaol: a"))
        assert at(found) == sorted(at(found), key=lambda each: each[1])


class TestSeverities:
    """``lint`` of a project."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        text = session("- {type: say, content: 好, review: true}\n- {type: say, contnet: 好}")
        return write(tmp_path, {"project.yaml": "id: p\n", "a.yaml": text})

    @pytest.mark.parametrize(
        ("head", "found", "errors"),
        [
            ("", [("E101", "error"), ("W241", "warning")], 1),
            ("lint: {W241: off}\n", [("E101", "error")], 1),
            ("lint: {W241: error}\n", [("E101", "error"), ("W241", "error")], 2),
            ("lint: {W231: error}\n", [("E101", "error"), ("W241", "warning")], 1),
        ],
    )
    def test_of_warnings(self, folder: Path, head: str, found: list[tuple[str, str]], errors: int) -> None:
        (folder / "project.yaml").write_text(f"id: p\n{head}", encoding="utf-8")
        looked = lint_paths([folder], ACTIONS)
        assert sorted((each.code, each.severity) for each in looked.findings) == found
        assert looked.errors == errors

    def test_what_stops_loading_cannot_be_less(self, folder: Path) -> None:
        (folder / "project.yaml").write_text("id: p\nlint: {E101: off, w241: off}\n", encoding="utf-8")
        looked = lint_paths([folder / "project.yaml", folder / "a.yaml"], ACTIONS)
        assert sorted(each.code for each in looked.findings) == ["E101", "E272", "E273", "W241"]

    def test_a_raised_warning_stops_nothing(self, folder: Path) -> None:
        (folder / "project.yaml").write_text("id: p\nlint: {W241: error}\n", encoding="utf-8")
        raised = [each for each in lint_paths([folder], ACTIONS).findings if each.code == "W241"]
        assert not only(raised).stops
