"""What we ship is read and checked once in a process, and never longer than it stays as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.language.material import ACTIONS, codes, session, skill, write

from heartrule.language.findings import Refused
from heartrule.language.linting.lint import lint_text
from heartrule.language.projects import library as module
from heartrule.language.projects.library import Library
from heartrule.testing.talk import compile_text

CALLING = session("- {type: use_skill, skill: theirs/呼吸练习}", head="id: first")


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for what is shipped, with a project that refers to another one."""
    made = write(
        tmp_path / "shipped",
        {
            "safety/project.yaml": "id: safety\n",
            "safety/a.yaml": skill(name="陪伴"),
            "demo/project.yaml": "id: demo\n",
            "demo/a.yaml": CALLING,
        },
    )
    monkeypatch.setattr(module, "library_root", lambda: made)
    return made


def theirs(folder: Path, name: str = "呼吸练习") -> Path:
    return write(folder, {"theirs/project.yaml": "id: theirs\n", "theirs/a.yaml": skill(name=name)})


def refused(library: Library) -> list[str]:
    with pytest.raises(Refused) as caught:
        library.script("demo/first")
    return codes(list(caught.value.findings))


def test_two_libraries_share_it_and_nothing_else(tmp_path: Path) -> None:
    root = theirs(tmp_path)
    one, other = Library([root], ACTIONS), Library([root], ACTIONS)
    assert one.safety is not None
    assert one.safety is other.safety
    assert one.project("theirs") is not other.project("theirs")


def test_it_is_read_again_when_a_file_of_it_changes(ours: Path) -> None:
    before = Library([], ACTIONS).safety
    assert before is not None
    write(ours, {"safety/a.yaml": skill(name="倾听")})
    os.utime(ours / "safety" / "a.yaml", ns=(1, 1))
    after = Library([], ACTIONS).safety
    assert after is not None
    assert [each.skill for each in before.skills] == ["陪伴"]
    assert [each.skill for each in after.skills] == ["倾听"]


def test_it_is_read_again_for_other_actions(ours: Path) -> None:
    other = {name: fields for name, fields in ACTIONS.items() if name != "say"}
    assert codes(getattr(Library([], ACTIONS).safety, "findings", [])) == []
    assert codes(getattr(Library([], other).safety, "findings", [])) == ["E107"]
    assert codes(getattr(Library([], ACTIONS).safety, "findings", [])) == []


def test_it_is_checked_again_when_what_it_refers_to_is_another(ours: Path, tmp_path: Path) -> None:
    good, bad = theirs(tmp_path / "good"), theirs(tmp_path / "bad", "散步")
    for _ in range(2):
        assert Library([ours, good], ACTIONS).script("demo/first").id == "demo/first"
        assert "E203" in refused(Library([ours, bad], ACTIONS))
        assert refused(Library([ours], ACTIONS))


def test_what_is_found_in_it_is_told_every_time(ours: Path) -> None:
    write(ours, {"demo/b.yaml": session("- {type: ai_say, content: 讲}", head="id: second", name="第二次")})
    write(ours, {"demo/a.yaml": session("- {type: use_skill, skill: nobody}", head="id: first")})
    assert [refused(Library([ours], ACTIONS)) for _ in range(2)] == [["E203"], ["E203"]]


def test_lint_of_a_text_reads_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lint_text(session(), ACTIONS) == []
    read: list[Path] = []
    monkeypatch.setattr(module, "read_texts", lambda folder: read.append(folder) or ({}, []))
    assert lint_text(session(), ACTIONS) == []
    assert read == []


def test_the_same_texts_are_compiled_once_and_another_file_makes_them_others() -> None:
    calling = session("- {type: use_skill, skill: 呼吸练习}")
    one, two = (
        {"skills.yaml": skill(content)} for content in ("- {type: say, content: 一}", "- {type: say, content: 二}")
    )
    assert compile_text(calling, files=one) is compile_text(calling, files=dict(one))
    assert compile_text(calling, files=one).bundle != compile_text(calling, files=two).bundle
