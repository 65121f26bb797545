"""Which files hold tests, and which scripts those are about."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.script_tests.material import SCRIPT, write

from heartrule.script_tests.suite import Shelf, Suite, collect, files_at

CASE = "  - test: {name}\n    script: {script}\n    turns:\n      - start: {{said_contains: 你好}}\n"


def one(name: str = "a", script: str = "hello") -> str:
    return "tests:\n" + CASE.format(name=name, script=script)


def files(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in files_at(folder)]


def suite(*paths: Path) -> Suite:
    return collect(paths, Shelf())


def test_files_are_found_by_their_names_and_in_the_folder_for_tests(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "b.test.yaml": one(),
            "a.test.yml": one(),
            "tests/plain.yaml": one(),
            "tests/deeper/more.yaml": one(),
            "tests/notes.yaml": "words: []\n",
            "tests/notes.md": "tests:\n",
            "tests/cassettes/old.test.yaml": one(),
            "below/other.yaml": one(),
            "below/tests/not_a_projects.yaml": one(),
            ".hidden/x.test.yaml": one(),
            "node_modules/y.test.yaml": one(),
            "second/project.yaml": "id: second\n",
            "second/tests/theirs.yaml": one(),
        },
    )
    assert files(tmp_path) == [
        "a.test.yml",
        "b.test.yaml",
        "second/tests/theirs.yaml",
        "tests/plain.yaml",
        "tests/deeper/more.yaml",
    ]
    assert list(files_at(tmp_path / "below" / "other.yaml")) == [tmp_path / "below" / "other.yaml"]
    assert list(files_at(tmp_path / "nowhere")) == []


def test_each_file_is_taken_once(tmp_path: Path) -> None:
    write(tmp_path, {"tests/a.test.yaml": one()})
    found = suite(tmp_path, tmp_path / "tests", tmp_path / "tests" / "a.test.yaml")
    assert len(found.jobs) == len(found.files) == 1


def test_a_job_says_where_its_case_stands(tmp_path: Path) -> None:
    others = CASE.format(name="b", script="local/nobody") + CASE.format(name="c", script="见面")
    write(tmp_path, {"tests/a.test.yaml": one("a") + others})
    found = suite(tmp_path)
    assert [(job.index, job.reference, job.case.test) for job in found.jobs] == [
        (0, "greeting/hello", "a"),
        (2, "greeting/见面", "c"),
    ]
    assert [(each.code, each.line) for each in found.findings] == [("E303", 7)]
    assert found.refused


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, {})
    (tmp_path / "a.test.yaml").mkdir()
    (tmp_path / "b.test.yaml").symlink_to(tmp_path / "gone.yaml")
    found = suite(tmp_path)
    assert [each.code for each in found.findings] == ["E017"]
    assert found.findings[0].file.endswith("b.test.yaml")
    assert found.jobs == []


def test_a_sibling_in_another_language(tmp_path: Path) -> None:
    english = SCRIPT.replace("id: hello", "id: hello_en\n    locale: en\n    translation_of: hello", 1)
    own = english[: english.index("skills:")].replace("    awareness: [tired]\n", "").replace("你好，我是助手", "Hello")
    write(tmp_path, {"hello_en.yaml": own})
    text = one().replace("script: hello", "script: hello\n    locale: LOCALE")
    (tmp_path / "en.test.yaml").write_text(text.replace("LOCALE", "en"), encoding="utf-8")
    (tmp_path / "fr.test.yaml").write_text(text.replace("LOCALE", "fr"), encoding="utf-8")
    found = suite(tmp_path)
    assert [(each.code, each.line) for each in found.findings] == [("E305", 3)]
    (job,) = found.jobs
    assert Shelf().script(Path(job.file), job.reference, job.case.locale).session.id == "hello_en"


@pytest.mark.parametrize("name", ["hello.test.yaml", "hello.test.yml"])
def test_the_script_beside_is_meant_where_none_is_named(tmp_path: Path, name: str) -> None:
    text = one().replace("    script: hello\n", "")
    (tmp_path / "hello.yaml").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "other.test.yaml").write_text(text, encoding="utf-8")
    found = suite(tmp_path)
    assert [Path(job.file).name for job in found.jobs] == [name]
    assert [(each.code, Path(each.file).name) for each in found.findings] == [("E711", "other.test.yaml")]


def test_a_script_with_errors_is_told_with_the_first(tmp_path: Path) -> None:
    write(tmp_path, {"hello.yaml": SCRIPT.replace("type: ask\n", "type: aks\n", 1), "tests/a.test.yaml": one()})
    (found,) = suite(tmp_path).findings
    assert (found.code, found.line) == ("E710", 3)
    told = found.localized("en")
    assert "hello.yaml:" in told.message
    assert "aks" in told.message
    assert found.localized("zh").path == "测试 a"


def test_tests_beside_scripts_are_no_scripts(tmp_path: Path) -> None:
    write(tmp_path, {"hello.test.yaml": one()})
    found = suite(tmp_path)
    assert not found.findings
    assert len(found.jobs) == 1
