"""Files that a project or a session names as ``knowledge``: those of the project's folder and no others, read with it,
part of what a session is pinned to, and what is wrong with them said where they are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.language.material import ACTIONS, SAY, linted, only, session, write

from heartrule.language.compiling.compiler import compile_sources
from heartrule.language.findings import Finding, Refused
from heartrule.language.linting.lint import lint
from heartrule.language.projects import knowledge_files
from heartrule.language.projects.knowledge_files import LARGEST, place_of, problem_of, room
from heartrule.language.projects.library import Library, library_root

ABC = "# ABC\n\nA 是事情。\n"


def folder(tmp_path: Path, paths: str = "[docs/abc.md]", own: str = "", **files: str) -> Path:
    texts = {"project.yaml": f"id: own\n{own}", "s.yaml": session(SAY, head=f"knowledge: {paths}"), "docs/abc.md": ABC}
    return write(tmp_path / "own", texts | files)


def found(place: Path) -> list[Finding]:
    return lint([place], ACTIONS)


def library(place: Path) -> Library:
    return Library([place, library_root()], ACTIONS)


def script_of(place: Path) -> str:
    return f"{place / 's.yaml'}"


def test_a_file_of_the_folder_is_read_with_the_script(tmp_path: Path) -> None:
    place = folder(
        tmp_path, own="knowledge: [house.txt, docs/abc.md]\n", **{"house.txt": "六次。\n", "other.md": "不用\n"}
    )
    assert found(place) == []
    script = library(place).script(script_of(place))
    assert [(each.path, each.text) for each in script.knowledge] == [("house.txt", "六次。\n"), ("docs/abc.md", ABC)]
    kept = [source.path for source in script.sources]
    assert {"house.txt", "docs/abc.md"} <= set(kept)
    assert "other.md" not in kept


def test_a_session_is_pinned_to_what_they_said_when_it_began(tmp_path: Path) -> None:
    place = folder(tmp_path)
    before = library(place).script(script_of(place))
    (place / "docs" / "abc.md").write_text("改了。\n", encoding="utf-8")
    after = library(place).script(script_of(place))
    assert before.bundle != after.bundle
    assert after.knowledge[0].text == "改了。\n"
    again = compile_sources(before.sources, before.id, ACTIONS, library(place).safety)
    assert again.knowledge == before.knowledge
    assert again.bundle == before.bundle


def test_a_file_that_changes_is_read_again_by_the_same_library(tmp_path: Path) -> None:
    place = folder(tmp_path)
    one = library(place)
    assert one.script(script_of(place)).knowledge[0].text == ABC
    (place / "docs" / "abc.md").write_text("改了，长了。\n", encoding="utf-8")
    assert one.script(script_of(place)).knowledge[0].text == "改了，长了。\n"


WRONG = [
    ("docs/none.md", "missing"),
    ("docs/abc.pdf", "type"),
    ("docs", "type"),
    ("../outside.md", "path"),
    ("/etc/hosts.md", "path"),
    ("docs\\abc.md", "path"),
    (".hidden/a.md", "path"),
    ("prompts/a.md", "path"),
    ("tests/a.md", "path"),
    ("docs//abc.md", "path"),
    ("inner/a.md", "missing"),
    ("docs/link.md", "missing"),
    ("linked/a.md", "missing"),
    ("large.md", "size"),
]


@pytest.mark.parametrize(("path", "problem"), WRONG, ids=[path for path, _ in WRONG])
def test_what_cannot_be_used_is_said_where_it_is_named(tmp_path: Path, path: str, problem: str) -> None:
    place = folder(tmp_path, f"[docs/abc.md, '{path}']", **{"inner/project.yaml": "id: inner\n", "inner/a.md": "x"})
    outside = write(tmp_path / "outside", {"a.md": "secret"})
    (place / "docs" / "link.md").symlink_to(outside / "a.md")
    (place / "linked").symlink_to(outside, target_is_directory=True)
    (place / "large.md").write_text("x" * (LARGEST + 1), encoding="utf-8")
    wrong = only(found(place), "E306")
    assert (wrong.file.endswith("s.yaml"), wrong.line) == (True, 3)
    said = {"missing": "没有这个文件", "type": ".md 或 .txt", "path": "项目的文件夹写起", "size": "200 kB"}
    assert said[problem] in wrong.message.zh
    with pytest.raises(Refused):
        library(place).script(script_of(place))


def test_the_project_s_own_are_looked_at_too(tmp_path: Path) -> None:
    place = folder(tmp_path, own="knowledge: [none.md]\n")
    wrong = only(found(place), "E306")
    assert (wrong.file.endswith("project.yaml"), wrong.line) == (True, 2)


def test_a_file_that_is_no_text_is_an_error_of_its_own(tmp_path: Path) -> None:
    place = folder(tmp_path)
    (place / "docs" / "abc.md").write_bytes(b"A \xff")
    wrong = only(found(place))
    assert (wrong.code, wrong.file.endswith("docs/abc.md"), wrong.line) == ("E003", True, 1)
    with pytest.raises(Refused):
        library(place).script(script_of(place))


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(tmp_path)
    opened = os.open

    def broken(path: str, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith("abc.md"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", broken)
    assert {each.code for each in found(place)} == {"E017", "E306"}


def test_where_nobody_looked_into_a_folder_it_may_be_there() -> None:
    assert linted(session(SAY, head="knowledge: [docs/abc.md]")) == []
    assert only(linted(session(SAY, head="knowledge: [docs/abc.doc]"))).code == "E306"


def test_a_script_without_a_project_has_none(tmp_path: Path) -> None:
    alone = write(tmp_path, {"s.yaml": session(SAY, head="knowledge: [abc.md]"), "abc.md": ABC}) / "s.yaml"
    assert only(lint([alone], ACTIONS)).code == "E306"


def test_more_than_a_prompt_holds_is_told_once_for_a_session(tmp_path: Path) -> None:
    place = folder(tmp_path, **{"docs/abc.md": "长" * (room("zh-CN") + 1)})
    told = only(found(place))
    assert (told.code, told.severity, told.line) == ("W307", "warning", 3)
    assert f"{room('zh-CN') + 1:,}".replace(",", "") in told.message.zh.replace(",", "")
    assert library(place).script(script_of(place)).knowledge
    english = folder(tmp_path / "en", own="locale: en\n", **{"docs/abc.md": "x" * (room("zh-CN") + 1)})
    assert found(english) == []
    projects = folder(
        tmp_path / "all", "[]", "knowledge: [docs/abc.md]\n", **{"docs/abc.md": "长" * (room("zh-CN") + 1)}
    )
    assert only(found(projects)).file.endswith("project.yaml")


def test_paths_are_judged_without_any_folder(tmp_path: Path) -> None:
    assert problem_of("资料/甲.TXT") == ""
    assert problem_of("a/../b.md") == "path"
    assert problem_of("") == "path"
    assert place_of(tmp_path, "none.md") is None
    assert place_of(tmp_path, "a\0b.md") is None


def test_what_cannot_be_looked_at_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(tmp_path)

    def broken(_: Path) -> bool:
        raise OSError("gone")

    monkeypatch.setattr(knowledge_files.Path, "is_symlink", broken)
    assert place_of(place, "docs/abc.md") is None
