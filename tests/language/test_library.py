"""Finding scripts by what a person types."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.language.material import ACTIONS, SAY, codes, session, skill, write

from heartrule.language.findings import Refused
from heartrule.language.projects.library import Library, library_root

ENGLISH = session(SAY, head="id: first_en\nlocale: en\ntranslation_of: first", name="First session")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(
        tmp_path / "library",
        {
            "demo/project.yaml": "id: demo\nlocale: zh-CN\n",
            "demo/first.yaml": session(SAY, head="id: first\ngoal: 认识\nduration: 30m"),
            "demo/first_en.yaml": ENGLISH,
            "demo/second.yaml": session("- {type: use_skill, skill: 呼吸练习}", head="id: second", name="第二次"),
            "demo/skills.yaml": skill(),
            "other/project.yaml": "id: other\nlocale: en\n",
            "other/a.yaml": session(SAY, name="Talk"),
            "no_project/a.yaml": session(),
        },
    )


@pytest.fixture
def library(root: Path) -> Library:
    return Library([root], ACTIONS)


def refused(library: Library, reference: str, locale: str | None = None) -> list[str]:
    with pytest.raises(Refused) as caught:
        library.script(reference, locale)
    assert str(caught.value)
    return codes(list(caught.value.findings))


class TestListing:
    def test_scripts(self, library: Library) -> None:
        own = [each for each in library.scripts() if not each.id.startswith("safety/")]
        assert [(each.id, each.name, each.locale) for each in own] == [
            ("demo/first", "初次会谈", "zh-CN"),
            ("demo/first_en", "First session", "en"),
            ("demo/second", "第二次", "zh-CN"),
            ("other/Talk", "Talk", "en"),
        ]
        assert (own[0].goal, own[0].duration) == ("认识", "30m")

    def test_projects(self, library: Library) -> None:
        assert [each.id for each in library.projects()] == ["demo", "other", "safety"]
        assert library.project("nobody") is None

    def test_a_root_may_be_a_project(self, root: Path) -> None:
        assert [each.id for each in Library([root / "other"], ACTIONS).projects()] == ["other", "safety"]

    def test_the_first_of_two_projects_counts(self, root: Path, tmp_path: Path) -> None:
        write(tmp_path / "mine", {"demo/project.yaml": "id: demo\n", "demo/a.yaml": session(name="我的")})
        found = Library([tmp_path / "mine", root], ACTIONS).scripts()
        assert [each.id for each in found if each.id.startswith("demo/")] == ["demo/我的"]

    def test_roots_that_are_not_there(self, tmp_path: Path) -> None:
        assert [each.id for each in Library([tmp_path / "nowhere"], ACTIONS).projects()] == ["safety"]

    def test_a_file_that_cannot_be_read_hides_nothing_else(self, root: Path, library: Library) -> None:
        write(root, {"demo/broken.yaml": "sessions: ["})
        assert "demo/first" in [each.id for each in library.scripts()]

    def test_what_we_ship_is_found(self) -> None:
        assert (library_root() / "safety" / "project.yaml").is_file()


class TestScripts:
    @pytest.mark.parametrize("reference", ["demo/first", "demo/初次会谈"])
    def test_by_id_and_name(self, library: Library, reference: str) -> None:
        script = library.script(reference)
        assert script.id == "demo/first"
        assert script.project.id == "demo"
        assert script.locale == "zh-CN"

    @pytest.mark.parametrize(
        ("locale", "found"),
        [("en", "demo/first_en"), ("en-US", "demo/first_en"), ("zh", "demo/first"), ("zh-CN", "demo/first")],
    )
    def test_in_a_language(self, library: Library, locale: str, found: str) -> None:
        assert library.script("demo/first", locale).id == found
        assert library.script("demo/first_en", locale).id == found

    def test_in_a_language_that_it_does_not_speak(self, library: Library) -> None:
        assert refused(library, "demo/second", "en") == ["E305"]
        assert refused(library, "demo/first", "fr") == ["E305"]

    @pytest.mark.parametrize("reference", ["demo/nobody", "demo/", "demo//first"])
    def test_unknown_sessions(self, library: Library, reference: str) -> None:
        assert refused(library, reference)[0] in ("E301", "E302")

    @pytest.mark.parametrize("reference", ["nobody/first", "demo", "", "/", "#", "a b/c"])
    def test_unknown_projects(self, library: Library, reference: str) -> None:
        assert refused(library, reference) == ["E303"]

    def test_safety_is_in_every_script(self, library: Library) -> None:
        script = library.script("other/Talk")
        assert "safety/suicide_risk" in script.awareness
        assert "safety/crisis_support" in script.skills
        assert [contact.number for contact in script.helplines][:1] == ["112"]
        assert {source.project for source in script.sources} == {"other"}

    def test_a_safety_project_of_ones_own(self, root: Path) -> None:
        write(root, {"safety/project.yaml": "id: safety\n", "safety/a.yaml": skill(name="陪伴")})
        script = Library([root], ACTIONS).script("demo/first")
        assert [key for key in script.skills if key.startswith("safety/")] == ["safety/陪伴"]
        assert script.awareness == {}


class TestFiles:
    def test_alone(self, tmp_path: Path, library: Library) -> None:
        write(tmp_path, {"My Talks/hello.yaml": session(head="id: hi")})
        script = library.script(str(tmp_path / "My Talks" / "hello.yaml"))
        assert script.id == "my_talks/hi"
        assert [source.path for source in script.sources] == ["hello.yaml"]

    def test_in_a_folder_whose_name_has_no_letters(self, tmp_path: Path, library: Library) -> None:
        write(tmp_path, {"会谈/hello.yml": session()})
        assert library.script(str(tmp_path / "会谈" / "hello.yml")).id == "local/初次会谈"

    def test_one_session_of_several(self, tmp_path: Path, library: Library) -> None:
        two = session(head="id: a") + "---\n" + session(head="id: b", name="第二次")
        path = write(tmp_path, {"two.yaml": two}) / "two.yaml"
        assert library.script(f"{path}#b").session.id == "b"
        assert library.script(f"{path}#初次会谈").session.id == "a"
        assert refused(library, str(path)) == ["E302"]
        assert refused(library, f"{path}#c") == ["E301"]

    def test_siblings_are_not_several(self, tmp_path: Path, library: Library) -> None:
        two = session(head="id: first\nlocale: zh-CN") + "---\n" + ENGLISH
        path = write(tmp_path, {"two.yaml": two}) / "two.yaml"
        assert library.script(str(path)).session.id == "first"
        assert library.script(str(path), "en").session.id == "first_en"

    def test_of_a_project_it_is_read_with_the_project(self, root: Path, library: Library) -> None:
        script = library.script(str(root / "demo" / "second.yaml"))
        assert script.id == "demo/second"
        assert "demo/呼吸练习" in script.skills

    def test_from_where_one_stands(self, root: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(root / "demo")
        assert library.script("second.yaml").id == "demo/second"
        assert library.script("./second.yaml#second").id == "demo/second"

    def test_not_there(self, library: Library, tmp_path: Path) -> None:
        assert refused(library, "nowhere.yaml") == ["E304"]
        assert refused(library, f"{tmp_path}/nowhere.yaml#a") == ["E304"]
        assert refused(library, "\x00.yaml") == ["E304"]

    def test_without_sessions(self, tmp_path: Path, library: Library) -> None:
        write(tmp_path, {"a.yaml": skill(), "b.yaml": "", "c.yaml": "sessions: ["})
        assert refused(library, str(tmp_path / "a.yaml")) == ["E301"]
        assert refused(library, str(tmp_path / "b.yaml")) == ["E301"]
        assert refused(library, str(tmp_path / "c.yaml")) == ["E020"]


class TestRefusing:
    def test_what_is_wrong_is_told_with_the_warnings(self, tmp_path: Path, library: Library) -> None:
        text = session("- {type: ai_say, content: 讲}\n- {type: use_skill, skill: nobody}")
        path = write(tmp_path, {"a.yaml": text}) / "a.yaml"
        assert refused(library, str(path)) == ["W220", "E203"]

    def test_warnings_alone_do_not_stop(self, tmp_path: Path, library: Library) -> None:
        path = write(tmp_path, {"a.yaml": session("- {type: ai_say, content: 讲}")}) / "a.yaml"
        assert library.script(str(path)).session.session == "初次会谈"

    def test_files_that_a_script_does_not_reach_do_not_stop_it(self, root: Path, library: Library) -> None:
        write(root, {"demo/draft.yaml": session("- {type: says}", name="草稿")})
        assert library.script("demo/first").id == "demo/first"
        assert library.script("demo/second").id == "demo/second"

    def test_unless_what_it_needs_may_be_in_them(self, root: Path, library: Library) -> None:
        write(root, {"demo/skills.yaml": skill("- {type: says}")})
        assert library.script("demo/first").id == "demo/first"
        assert refused(library, "demo/second") == ["E107"]

    def test_a_session_that_cannot_be_read_is_told_so(self, root: Path, library: Library) -> None:
        write(root, {"demo/second.yaml": session("- {type: says}", head="id: second", name="第二次")})
        assert refused(library, "demo/second") == ["E107"]


class TestChanges:
    def test_a_script_is_kept(self, library: Library) -> None:
        assert library.script("demo/first") is library.script("demo/first")

    def test_and_read_again_when_a_file_changes(self, root: Path, library: Library) -> None:
        before = library.script("demo/first")
        path = root / "demo" / "first.yaml"
        path.write_text(session(SAY, head="id: first\ngoal: 别的"), encoding="utf-8")
        os.utime(path, ns=(1, 1))
        after = library.script("demo/first")
        assert after.session.goal == "别的"
        assert after.bundle != before.bundle

    def test_when_one_is_added_or_goes(self, root: Path, library: Library) -> None:
        library.scripts()
        write(root, {"demo/third.yaml": session(head="id: third", name="第三次")})
        assert "demo/third" in [each.id for each in library.scripts()]
        (root / "demo" / "third.yaml").unlink()
        assert "demo/third" not in [each.id for each in library.scripts()]

    def test_when_the_safety_project_changes(self, root: Path, library: Library) -> None:
        before = library.script("demo/first")
        write(root, {"safety/project.yaml": "id: safety\n", "safety/a.yaml": skill(name="陪伴")})
        after = library.script("demo/first")
        assert after.skills.keys() != before.skills.keys()
        assert after.bundle == before.bundle
