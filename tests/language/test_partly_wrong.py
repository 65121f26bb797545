"""What is wrong in one place leaves the rest of a script, a file, a project as useful as can be."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.material import ACTIONS, SAY, checked, codes, linted, loaded, only, session, skill, write

from heartrule.language.findings import Refused
from heartrule.language.projects.library import Library
from heartrule.language.yaml import _PROBLEMS, parse


class TestActions:
    TEXT = session(f"- {{type: says}}\n{SAY}\n- {{type: say}}\n- 你好", head="id: 甲\ndeclare: [{var: a}, {var: a}]")

    def test_the_rest_is_still_looked_at(self) -> None:
        assert sorted(codes(linted(self.TEXT))) == ["E102", "E103", "E107", "E201", "E202"]

    def test_the_session_is_listed_and_refused(self, tmp_path: Path) -> None:
        root = write(tmp_path, {"p/project.yaml": "id: p\n", "p/a.yaml": session("- {type: says}", head="id: a")})
        library = Library([root], ACTIONS)
        assert "p/a" in [each.id for each in library.scripts()]
        with pytest.raises(Refused) as caught:
            library.script("p/a")
        assert codes(list(caught.value.findings)) == ["E107"]

    def test_stand_ins_are_no_ones_place(self) -> None:
        file = loaded(session("- {type: says}\n- {type: saying}"))
        first, second = file.sessions[0].phases[0].steps[0].actions
        assert (first.place.line, second.place.line) == (8, 9)
        assert not file.whole

    def test_names_are_left_alone_meanwhile(self) -> None:
        assert codes(linted(session("- {type: asks, output: [{get: a}]}\n- {type: say, content: '{a}'}"))) == ["E107"]


class TestFiles:
    def test_one_bad_file_of_three(self) -> None:
        files = {"a.yaml": session(), "b.yaml": "skills: [", "c.yaml": skill(head="id: 甲")}
        found = checked(files)
        assert sorted((each.file, each.code) for each in found) == [("b.yaml", "E020"), ("c.yaml", "E202")]

    def test_one_bad_document_of_two(self) -> None:
        file = loaded("- a\n---\n" + session())
        assert codes(file.findings) == ["E015"]
        assert len(file.sessions) == 1


class TestSafety:
    CONTACTS = "updated: today\ncontacts:\n  en: [{name: Help, number: 1, note: call, now}]\n"

    def test_contacts_that_cannot_be_read_stop_every_script(self, tmp_path: Path) -> None:
        root = write(
            tmp_path,
            {
                "p/project.yaml": "id: p\n",
                "p/a.yaml": session(head="id: a"),
                "safety/project.yaml": "id: safety\n",
                "safety/contacts.yaml": self.CONTACTS,
            },
        )
        with pytest.raises(Refused) as caught:
            Library([root], ACTIONS).script("p/a")
        found = only(list(caught.value.findings))
        assert (found.code, found.file, found.line) == ("E026", "contacts.yaml", 3)


class TestSyntax:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("a:\n  b: 1\n c: 2\n", 3),
            ("- a\nb: 1\n", 2),
            ("a: b\n c: d\n", 2),
            ("a: - b\n", 1),
            ("]\n", 1),
            ('a: "\\q"\n', 1),
            ("a: {b: c,\nd\n", 3),
        ],
    )
    def test_in_both_languages(self, text: str, line: int) -> None:
        found = only(parse(text, "a.yaml").findings)
        assert found.code in ("E001", "E020", "E032")
        assert found.line <= line
        assert any("\u4e00" <= sign <= "\u9fff" for sign in found.message.zh)
        assert found.message.en.isascii() or "“" in found.message.en or found.code == "E020"

    def test_translations_are_chinese(self) -> None:
        assert all(any("\u4e00" <= sign <= "\u9fff" for sign in said.zh) for said in _PROBLEMS.values())
        assert all(sign < "\u4e00" for said in _PROBLEMS.values() for sign in said.en)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- {type: user_option, var: a, choices: []}", "0 项"),
        ("- {type: ai_ask, content: 问, question: 问, max_rounds: 99}", "99"),
    ],
)
def test_bounds_say_what_was_measured(text: str, shown: str) -> None:
    assert shown in only(linted(session(text))).message.zh


def test_a_broken_head_stops_its_scripts(tmp_path: Path) -> None:
    root = write(tmp_path, {"p/project.yaml": "id: p\nnonsense: 1\n", "p/a.yaml": session(head="id: a")})
    with pytest.raises(Refused) as caught:
        Library([root], ACTIONS).script(str(root / "p" / "a.yaml"))
    assert codes(list(caught.value.findings)) == ["E101"]
