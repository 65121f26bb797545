"""A folder, or the same tree from elsewhere, becomes a project."""

from __future__ import annotations

import time
from pathlib import Path

from tests.language.material import ACTIONS, awareness, codes, only, project, session, skill, write

from heartrule.engine.installed_types import field_models
from heartrule.language.projects.contacts import for_locale, read_contacts
from heartrule.language.projects.loader import load
from heartrule.language.projects.project import load_texts, read_texts
from heartrule.language.shape import MOST

HEAD = "id: demo\nname: 演示\nlocale: zh-CN\n"


def test_what_belongs_to_a_project(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "project.yaml": HEAD,
            "a.yaml": session(),
            "below/b.yml": skill(),
            "below/deeper/c.yaml": awareness(),
            "README.md": "no",
            "notes.txt": "no",
            "tests/t.yaml": "anything: goes",
            "below/b.test.yaml": "anything: goes",
            ".hidden/x.yaml": "no",
            ".x.yaml": "no",
            "prompts/warm/ai_say.zh-CN.md": "你好",
            "prompts/warm/spoken.en.yaml": "hello: hi",
            "other/project.yaml": "id: other\n",
            "other/d.yaml": "no",
            "below/tests/e.yaml": "global: [{var: a}]",
        },
    )
    texts, found = read_texts(tmp_path)
    assert found == []
    assert sorted(texts) == [
        *("a.yaml", "below/b.yml", "below/deeper/c.yaml", "below/tests/e.yaml", "project.yaml"),
        *("prompts/warm/ai_say.zh-CN.md", "prompts/warm/spoken.en.yaml"),
    ]
    loaded = load_texts(texts, ACTIONS)
    assert loaded.findings == []
    assert loaded.id == "demo"
    assert loaded.templates == {"warm/ai_say.zh-CN.md": "你好", "warm/spoken.en.yaml": "hello: hi"}
    assert [each.session for each in loaded.sessions] == ["初次会谈"]
    assert [each.skill for each in loaded.skills] == ["呼吸练习"]
    assert [each.awareness for each in loaded.awareness] == ["抗拒"]
    assert [each.var for each in loaded.variables] == ["a"]


def test_sources_carry_the_text_and_its_hash() -> None:
    loaded = project({"project.yaml": HEAD, "a.yaml": session().encode()})
    source = loaded.sources["a.yaml"]
    assert (source.project, source.path) == ("demo", "a.yaml")
    assert source.text == session()
    assert len(source.sha256) == 64
    assert project({"project.yaml": HEAD, "a.yaml": session()}).sources["a.yaml"] == source


def test_without_a_head_it_is_ad_hoc() -> None:
    loaded = load_texts({"a.yaml": session()}, ACTIONS, "folder")
    assert loaded.id == "folder"
    assert loaded.node.locale == "zh-CN"


def test_a_head_that_cannot_be_read() -> None:
    for text in ("id: [", "- a", "name: a", "id: a\nnonsense: b", "", "你好"):
        loaded = project({"project.yaml": text, "a.yaml": session()})
        assert loaded.findings
        assert not loaded.whole
        assert {each.file for each in loaded.findings} == {"project.yaml"}


def test_roles_come_from_head_and_files() -> None:
    loaded = project(
        {
            "project.yaml": HEAD + "roles: [{role: ai, name: 小禾}]\n",
            "a.yaml": "roles: [{role: person, name: 来访者}, {role: ai, name: 另一个}]\n",
        }
    )
    assert [each.name for each in loaded.roles] == ["小禾", "来访者", "另一个"]


def test_prompts_must_be_readable() -> None:
    loaded = project({"project.yaml": HEAD, "prompts/warm/a.zh-CN.md": b"\xff"})
    found = only(loaded.findings)
    assert (found.code, found.file) == ("E003", "prompts/warm/a.zh-CN.md")


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    write(tmp_path, {"project.yaml": HEAD})
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")
    _, found = read_texts(tmp_path)
    assert (only(found).code, only(found).file) == ("E017", "gone.yaml")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    write(tmp_path, {"project.yaml": HEAD})
    (tmp_path / "a.yaml").write_bytes(b"#" * 3_000_000)
    texts, _ = read_texts(tmp_path)
    assert len(texts["a.yaml"]) == 1_000_001
    assert codes(load_texts(texts, ACTIONS).findings) == ["E002"]


def test_an_empty_or_missing_folder(tmp_path: Path) -> None:
    assert read_texts(tmp_path) == ({}, [])
    assert read_texts(tmp_path / "nowhere") == ({}, [])


class TestContacts:
    TEXT = """
updated: 2026-01-01
contacts:
  zh-CN:
    - {name: 急救, number: 120, note: 24 小时}
    - {name: 热线, number: "12356"}
  en:
    - {name: Emergency, number: "911"}
"""

    def test_by_language(self) -> None:
        contacts, _, found = read_contacts(self.TEXT, "contacts.yaml")
        assert found == []
        assert [each.number for each in for_locale(contacts, "zh-CN")] == ["120", "12356"]
        assert [each.name for each in for_locale(contacts, "zh-TW")] == ["急救", "热线"]
        assert [each.name for each in for_locale(contacts, "en-GB")] == ["Emergency"]
        assert [each.name for each in for_locale(contacts, "fr")] == ["急救", "热线"]
        assert for_locale({}, "en") == ()

    def test_they_belong_to_safety_only(self) -> None:
        safety = project({"project.yaml": "id: safety\n", "contacts.yaml": self.TEXT})
        assert safety.findings == []
        assert set(safety.contacts) == {"zh-CN", "en"}
        other = project({"project.yaml": "id: other\n", "contacts.yaml": self.TEXT})
        assert set(codes(other.findings)) == {"E101"}

    def test_what_is_wrong_with_them_is_told(self) -> None:
        bad = self.TEXT.replace("note: 24 小时", "note: call, now")
        contacts, _, found = read_contacts(bad, "contacts.yaml")
        assert contacts == {}
        assert (only(found).code, only(found).line) == ("E026", 5)
        assert codes(read_contacts("- a", "contacts.yaml")[-1]) == ["E015"]
        assert codes(read_contacts("contacts: {}", "contacts.yaml")[-1]) == ["E102"]
        assert codes(read_contacts("updated: x\ncontacts: {en: [{name: a}]}", "contacts.yaml")[-1]) == ["E102"]


def test_findings_of_a_file_are_bounded_and_the_last_says_how_many_more() -> None:
    """20,000 keys that are not known took ten seconds, in which nobody else was answered."""
    for text in ("", "sessions:\n  - session: a\n"):
        inner = "    " if text else ""
        text += "".join(f"{inner}a{number}: 1\n" for number in range(20_000))
        begun = time.process_time()
        found = load(text, "session.yaml", field_models()).findings
        assert time.process_time() - begun < 4
        assert len(found) == MOST + 1
        more = 20_000 - MOST + text.startswith("sessions")  # phases are missing, too
        assert (found[-1].code, found[-1].line) == ("E018", found[-2].line)
        assert found[-1].message.en == f"There are {more} more findings in this file that are not listed"
