"""Rules about ids, names and what they refer to. Good scripts give nothing; each mistake gives one finding."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, at, awareness, checked, codes, linted, only, project, session, skill


class TestDuplicates:
    def test_sessions(self) -> None:
        two = session(head="id: a") + "---\n" + session(head="id: a", name="第二次")
        found = only(linted(two))
        assert (found.code, found.line) == ("E201", 13)

    def test_across_files_of_a_project(self) -> None:
        files = {"project.yaml": "id: p\n", "a.yaml": session(head="id: x"), "b.yaml": session(head="id: x", name="b")}
        found = only(checked(files))
        assert (found.code, found.file) == ("E201", "b.yaml")
        assert "a.yaml" in found.message.en

    def test_without_ids_names_count(self) -> None:
        assert codes(linted(session() + "---\n" + session())) == ["E201"]

    @pytest.mark.parametrize(
        "text",
        [
            session(f"{SAY[:-1]}, id: a}}\n{SAY[:-1]}, id: a}}"),
            session(head="declare: [{var: a}, {var: a}]"),
            session(phase="declare: [{var: a}, {var: a}]"),
            session(topic="declare: [{var: a}, {var: a}]"),
            skill("- {type: say, content: '{a}'}", head="parameters: [{name: a}, {name: a}]"),
            "global: [{var: a}, {var: a}]\n",
            skill() + "  - skill: 呼吸练习\n    actions: []\n",
        ],
    )
    def test_in_one_place(self, text: str) -> None:
        assert codes(linted(text)) == ["E201"]

    def test_phases_and_topics(self) -> None:
        text = """
sessions:
  - session: a
    phases:
      - phase: b
        steps:
          - {topic: c, actions: []}
          - {topic: c, actions: []}
      - phase: b
        steps:
          - {topic: c, actions: []}
"""
        assert at(linted(text)) == [("E201", 8), ("E201", 9)]

    @pytest.mark.parametrize(
        "text",
        [
            session(f"{SAY[:-1]}, id: a}}") + skill(f"{SAY[:-1]}, id: a}}"),
            session(head="declare: [{var: a}]", topic="declare: [{var: a}]"),
            session(head="id: a") + skill(head="id: a"),
            session(head="id: a\nlocale: zh-CN")
            + "---\n"
            + session(head="id: a_en\ntranslation_of: a\nlocale: en", name="Hello"),
        ],
    )
    def test_the_same_in_other_places_is_fine(self, text: str) -> None:
        assert linted(text) == []


class TestSameNames:
    def test_of_two_ids(self) -> None:
        text = skill(head="id: a") + "  - skill: 呼吸练习\n    id: b\n    actions: []\n"
        found = only(linted(text))
        assert (found.code, found.line) == ("W231", 6)

    def test_translations_may_share_a_name(self) -> None:
        more = "  - {skill: 呼吸练习, id: b, locale: en, translation_of: a, actions: []}\n"
        assert linted(skill(head="id: a") + more) == []


class TestSlugs:
    @pytest.mark.parametrize("name", ["a", "first_assessment", "phq-9", "PHQ9", "2nd", "a" * 80])
    def test_good_ones(self, name: str) -> None:
        assert linted(session(head=f"id: '{name}'")) == []

    @pytest.mark.parametrize("name", ["初次", "a b", "a/b", "_a", "-a", "a.b", "", "a" * 81, "é"])
    def test_bad_ones(self, name: str) -> None:
        assert at(linted(session(head=f"id: '{name}'"))) == [("E202", 3)]

    @pytest.mark.parametrize(
        "text",
        [
            session(phase="id: 开场"),
            session(topic="id: 问候"),
            session("- {type: say, content: 你好, id: 问好}"),
            skill(head="id: 呼吸"),
            awareness(head="always: true\nid: 抗拒"),
        ],
    )
    def test_everywhere(self, text: str) -> None:
        assert codes(linted(text)) == ["E202"]

    def test_of_a_project(self) -> None:
        found = only(checked({"project.yaml": "name: 甲\nid: 甲\n"}))
        assert (found.code, found.file, found.line) == ("E202", "project.yaml", 2)


class TestUnknownSkills:
    CALL = "- {type: use_skill, skill: %s}"

    @pytest.mark.parametrize("reference", ["呼吸练习", "breath"])
    def test_by_name_and_id(self, reference: str) -> None:
        assert linted(session(self.CALL % reference) + skill(head="id: breath")) == []

    def test_unknown(self) -> None:
        found = only(linted(session(self.CALL % "breadth") + skill(head="id: breath")))
        assert (found.code, found.line) == ("E203", 8)
        assert "`breath`" in found.hint.zh

    def test_from_awareness(self) -> None:
        text = awareness("- {directive: CALL_TECHNIQUE, technique: 呼吸}")
        assert at(linted(text)) == [("E203", 6)]

    def test_of_another_project(self) -> None:
        other = project({"project.yaml": "id: other\n", "a.yaml": skill(head="id: breath")})
        here = {"project.yaml": "id: here\n", "a.yaml": session(self.CALL % "other/breath")}
        assert checked(here, other=other) == []
        assert codes(checked(here)) == ["E203"]
        here["a.yaml"] = session(self.CALL % "other/breadth")
        assert codes(checked(here, other=other)) == ["E203"]

    def test_nothing_is_said_while_files_cannot_be_read(self) -> None:
        files = {"a.yaml": session(self.CALL % "breath"), "b.yaml": skill(head="id: breath\nnonsense: 1")}
        assert codes(checked(files)) == ["E101"]

    def test_a_name_that_two_have_is_nobodys(self) -> None:
        two = skill(head="id: a") + "  - skill: 呼吸练习\n    id: b\n    actions: []\n"
        assert codes(linted(session(self.CALL % "呼吸练习") + two)) == ["E203", "W231"]


class TestUnknownAwareness:
    @pytest.mark.parametrize(
        "text",
        [
            session(head="awareness: [抗拒]"),
            session(phase="awareness: {enable: [resistance], disable: [抗拒]}"),
        ],
    )
    def test_known(self, text: str) -> None:
        assert linted(text + awareness(head="always: true\nid: resistance")) == []

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            (session(head="awareness: [nobody]"), 3),
            (session(phase="awareness: {enable: [nobody]}"), 5),
            (session(phase="awareness: {disable: [nobody]}"), 5),
            (session(head="awareness: [safety/nobody]"), 3),
        ],
    )
    def test_unknown(self, text: str, line: int) -> None:
        assert at(linted(text + awareness())) == [("E204", line)]

    def test_those_of_the_safety_project_can_be_named(self) -> None:
        assert linted(session(head="awareness: [safety/suicide_risk]")) == []
        assert linted(session(head="awareness: [suicide_risk]")) == []

    def test_what_is_near_one_of_the_safety_project_is_none(self) -> None:
        found = only(linted(session(head="awareness: [suicide_risks]")), "E204")
        assert "`suicide_risk`" in found.localized("en").hint
        assert found.mend is not None
        assert found.mend.edits[0].text == "suicide_risk"

    def test_one_that_is_never_on(self) -> None:
        found = only(linted(session() + awareness(head="id: a")))
        assert (found.code, found.line) == ("W236", 10)
        assert linted(awareness(head="id: a")) == []
        assert linted(session(head="awareness: [a]") + awareness(head="id: a")) == []


class TestTargets:
    @pytest.mark.parametrize("to", ["end", "问候", "hello", "开场", "opening"])
    def test_of_topics(self, to: str) -> None:
        text = session(phase="id: opening", topic=f"id: hello\ntransitions: [{{to: {to}}}]")
        assert "E205" not in codes(linted(text))

    @pytest.mark.parametrize("to", ["end", "开场", "opening", "问候"])
    def test_of_phases(self, to: str) -> None:
        assert "E205" not in codes(linted(session(phase=f"id: opening\ntransitions: [{{to: {to}}}]")))

    @pytest.mark.parametrize("where", ["phase", "topic"])
    def test_unknown(self, where: str) -> None:
        part = "id: opening\ntransitions:\n  - {to: openning}"
        text = (
            session(phase=part)
            if where == "phase"
            else session(phase="id: opening", topic=part[len("id: opening\n") :])
        )
        found = only(linted(text))
        assert found.code == "E205"
        assert "`opening`" in found.hint.en

    def test_topics_of_other_phases_cannot_be_reached(self) -> None:
        text = """
sessions:
  - session: a
    phases:
      - phase: b
        steps:
          - {topic: c, actions: [], transitions: [{to: e}]}
      - phase: d
        steps:
          - {topic: e, actions: []}
"""
        assert at(linted(text)) == [("E205", 7)]


class TestTopics:
    CALL = "- {type: use_skill, skill: 呼吸练习, timing: before_topic%s}"

    def test_known(self) -> None:
        assert linted(session(self.CALL % ", to: 问候") + skill()) == []

    def test_missing_and_unknown(self) -> None:
        assert codes(linted(session(self.CALL % "") + skill())) == ["E207"]
        assert codes(linted(session(self.CALL % ", to: 再见") + skill())) == ["E206"]

    def test_a_skill_cannot_know_its_callers_topics(self) -> None:
        text = skill("- {type: use_skill, skill: 放松, timing: before_topic, to: 再见, condition: a == 1}")
        more = "  - {skill: 放松, declare: [{var: a}], actions: []}\n"
        assert "E206" not in codes(linted(text + more))

    @pytest.mark.parametrize(
        ("then", "expected"),
        [
            ("- {directive: INSERT_TOPIC, topic: 问候}", []),
            ("- {directive: INSERT_TOPIC, topic: 再见}", ["E206"]),
            ("- {directive: SKIP_TOPICS, topics: [问候, 再见]}", ["E206"]),
            ("- {directive: REORDER_TOPICS, priority_map: {问候: high, 再见: 3}}", ["E206"]),
            ("- {directive: SUSPEND_CURRENT, reason: 休息}", []),
            ("- {directive: SET_VAR, var: a, value: 1}", []),
            ("- {directive: END_SESSION}", []),
            ("- {directive: FEEDBACK, text: 慢一点}", []),
            ("- {directive: ENABLE, awareness: 抗拒}", []),
            ("- {directive: DISABLE, awareness: 抗据}", ["E204"]),
            ("- {directive: ESCALATE, to: desk, note: 有人需要帮助}", []),
            ("- {directive: ESCALATE, to: contact, note: 有人需要帮助}", ["E267"]),
        ],
    )
    def test_in_directives(self, then: str, expected: list[str]) -> None:
        assert codes(linted(session() + awareness(then))) == expected

    @pytest.mark.parametrize(
        "kind",
        [
            "INSERT_TOPIC",
            "SKIP_TOPICS",
            "REORDER_TOPICS",
            "CALL_TECHNIQUE",
            "SET_VAR",
            "FEEDBACK",
            "ENABLE",
            "DISABLE",
            "ESCALATE",
        ],
    )
    def test_directives_need_their_part(self, kind: str) -> None:
        assert at(linted(awareness(f"- {{directive: {kind}}}"))) == [("E208", 6)]


class TestSchemes:
    def test_unknown(self) -> None:
        files = {"project.yaml": "id: a\ntemplate_scheme: warm\n", "a.yaml": session(head="template_scheme: cold")}
        assert sorted((each.code, each.file, each.line) for each in checked(files)) == [
            ("E234", "a.yaml", 3),
            ("E234", "project.yaml", 2),
        ]

    def test_known(self) -> None:
        files = {
            "project.yaml": "id: a\ntemplate_scheme: warm\n",
            "a.yaml": session(head="template_scheme: default"),
            "prompts/warm/ai_say.zh-CN.md": "你好",
        }
        assert checked(files) == []
