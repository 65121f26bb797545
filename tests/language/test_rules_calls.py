"""Rules about calling skills, about what is said without a model, and about timing and rounds."""

from __future__ import annotations

import pytest
from tests.language.material import at, awareness, checked, codes, linted, only, project, session, skill

BREATH = skill(
    "- {type: set_var, var: 感受, value: 好}",
    head="id: breath\nparameters: [{name: 次数, required: true}, {name: 时长, default: 3}]\nreturns: [感受]",
)


class TestParameters:
    @pytest.mark.parametrize("given", ["{次数: 3}", "{次数: 3, 时长: 5}", '{次数: "{轮数}"}'])
    def test_good_calls(self, given: str) -> None:
        text = session(f"- {{type: use_skill, skill: breath, input: {given}}}", head="declare: [{var: 轮数, value: 2}]")
        assert linted(text + BREATH) == []

    @pytest.mark.parametrize(
        ("rest", "expected"),
        [
            ("", ["E214"]),
            (", input: {时长: 3}", ["E214"]),
            (", input: {次数: 3, 快慢: 慢}", ["E215"]),
            (", input: {次: 3}", ["E214", "E215"]),
            (", input: {次数: 3}, output: [{get: 心跳, set: 心跳}]", ["E217"]),
        ],
    )
    def test_bad_calls(self, rest: str, expected: list[str]) -> None:
        assert codes(linted(session(f"- {{type: use_skill, skill: breath{rest}}}") + BREATH)) == expected

    def test_a_required_parameter_with_a_default_may_be_left_out(self) -> None:
        text = skill(head="parameters: [{name: 次数, required: true, default: 3}]")
        assert codes(linted(session("- {type: use_skill, skill: 呼吸练习}") + text)) == ["W442"]

    def test_from_awareness(self) -> None:
        bad = awareness("- {directive: CALL_TECHNIQUE, technique: breath, params: {快慢: 慢}}")
        assert codes(linted(bad + BREATH)) == ["E214", "E215"]
        good = awareness("- {directive: CALL_TECHNIQUE, technique: breath, params: {次数: 1}}")
        assert linted(good + BREATH) == []

    def test_the_translation_that_will_run_is_the_one_that_counts(self) -> None:
        english = """
          - skill: Breathing
            id: breath_en
            locale: en
            translation_of: breath
            parameters: [{name: times, required: true}]
            actions: []
        """
        files = {
            "project.yaml": "id: a\nlocale: zh-CN\n",
            "skills.yaml": BREATH,
            "english.yaml": "skills:\n" + english.replace("        ", "", 1).replace("\n        ", "\n"),
            "session.yaml": session("- {type: use_skill, skill: breath, input: {times: 3}}", head="locale: en"),
        }
        assert checked(files) == []
        files["session.yaml"] = session("- {type: use_skill, skill: breath, input: {times: 3}}")
        assert codes(checked(files)) == ["E214", "E215"]

    def test_in_another_project(self) -> None:
        other = project({"project.yaml": "id: other\n", "a.yaml": BREATH})
        here = {"project.yaml": "id: here\n", "a.yaml": session("- {type: use_skill, skill: other/breath}")}
        assert codes(checked(here, other=other)) == ["E214"]


class TestRecursion:
    @staticmethod
    def skills(*calls: tuple[str, str, str]) -> str:
        text = "skills:\n"
        for name, called, rest in calls:
            text += f"  - skill: {name}\n    declare: [{{var: 再来, type: boolean}}]\n    actions:\n"
            text += f"      - {{type: use_skill, skill: {called}{rest}}}\n"
        return text

    def test_a_skill_that_calls_itself(self) -> None:
        assert codes(linted(self.skills(("甲", "甲", "")))) == ["E216"]
        assert codes(linted(self.skills(("甲", "甲", ", condition: 再来")))) == ["W218"]

    def test_in_a_circle(self) -> None:
        assert codes(linted(self.skills(("甲", "乙", ""), ("乙", "丙", ""), ("丙", "甲", "")))) == ["E216"] * 3
        found = linted(self.skills(("甲", "乙", ""), ("乙", "甲", ", condition: 再来")))
        assert codes(found) == ["W218", "W218"]

    def test_calls_that_end_are_fine(self) -> None:
        text = self.skills(("甲", "乙", ""), ("乙", "丙", "")) + "  - {skill: 丙, actions: []}\n"
        assert linted(text) == []

    def test_those_who_call_into_a_circle_are_not_in_it(self) -> None:
        text = self.skills(("甲", "乙", ""), ("乙", "乙", ""))
        assert at(linted(text)) == [("E216", 9)]


class TestDeferred:
    CALL = "- {type: use_skill, skill: breath, input: {次数: 1}, output: [{get: 感受, set: %s}], timing: %s%s}"

    @pytest.mark.parametrize(
        ("timing", "to"), [("before_topic", ", to: 问候"), ("after_topic", ""), ("after_phase", "")]
    )
    def test_into_a_topics_variable(self, timing: str, to: str) -> None:
        call = self.CALL % ("心情", timing, to)
        assert codes(linted(session(call) + BREATH)) == ["E213"]
        assert codes(linted(session(call, topic="declare: [{var: 心情}]") + BREATH)) == ["E213"]
        assert linted(session(call, head="declare: [{var: 心情}]") + BREATH) == []
        assert linted(session(call, phase="declare: [{var: 心情}]") + BREATH) == []
        assert linted(session(call, topic="declare: [{var: 心情, scope: session}]") + BREATH) == []

    def test_a_name_that_says_its_scope(self) -> None:
        assert linted(session(self.CALL % ("会话心情", "after_topic", "")) + BREATH) == []

    def test_now_is_fine(self) -> None:
        assert linted(session(self.CALL % ("心情", "now", "")) + BREATH) == []


class TestWithoutAModel:
    def test_what_an_ai_say_would_say(self) -> None:
        assert at(linted(session("- type: ai_say\n  content: 讲解"))) == [("W220", 9)]
        assert linted(session("- {type: ai_say, content: 讲解, fallback: 慢慢吸气。}")) == []

    def test_what_an_ai_ask_would_ask(self) -> None:
        assert at(linted(session("- type: ai_ask\n  content: 问年龄"))) == [("W221", 9)]
        assert linted(session("- {type: ai_ask, content: 问年龄, question: 几岁？}")) == []
        assert linted(session("- {type: ai_ask, content: 问年龄, fallback: 几岁？}")) == []

    @pytest.mark.parametrize(("second", "found"), [("{get: 乙, question: 乙呢？}", []), ("{get: 乙}", [("W221", 10)])])
    def test_a_stretch_of_talk_has_the_questions_of_its_items(self, second: str, found: list[object]) -> None:
        stretch = f"- type: ai_ask\n  content: 弄清\n  output: [{{get: 甲, question: 甲呢？}}, {second}]"
        assert [each for each in at(linted(session(stretch))) if each[0] == "W221"] == found

    @pytest.mark.parametrize("kind", ["say", "ask", "user_say", "ai_think"])
    def test_others_have_their_words(self, kind: str) -> None:
        assert linted(session(f"- {{type: {kind}, content: 你好}}")) == []

    def test_a_crisis_technique_must_have_them(self) -> None:
        text = awareness("- {directive: CALL_TECHNIQUE, technique: 陪伴}")
        silent = text + skill("- {type: ai_say, content: 陪着}", name="陪伴")
        assert [each.code for each in linted(silent) if each.stops] == ["E229"]
        spoken = text + skill("- {type: ai_say, content: 陪着, fallback: 我在。}", name="陪伴")
        assert linted(spoken) == []
        asked = text + skill("- {type: ai_ask, content: 问, question: 你还好吗？}", name="陪伴")
        assert linted(asked) == []

    def test_its_translations_too(self) -> None:
        text = awareness("- {directive: CALL_TECHNIQUE, technique: stay}") + skill(name="陪伴", head="id: stay")
        text += "  - skill: Stay\n    id: stay_en\n    locale: en\n    translation_of: stay\n"
        text += "    actions: [{type: ai_say, content: stay}]\n"
        assert "E229" in codes(linted(text))


class TestAcknowledgment:
    @pytest.mark.parametrize("written", ["max_rounds: 3", "exit_criteria: {understanding_threshold: 70}"])
    @pytest.mark.parametrize("value", ["true", "false"])
    def test_has_no_effect_while_explaining(self, written: str, value: str) -> None:
        text = session(f"- {{type: ai_say, content: 讲, fallback: 讲, require_acknowledgment: {value}, {written}}}")
        assert codes(linted(text)) == ["W238"]

    @pytest.mark.parametrize("value", ["true", "false"])
    def test_has_effect_otherwise(self, value: str) -> None:
        assert linted(session(f"- {{type: ai_say, content: 讲, fallback: 讲, require_acknowledgment: {value}}}")) == []

    def test_unwritten_is_no_matter(self) -> None:
        assert linted(session("- {type: ai_say, content: 讲, fallback: 讲, max_rounds: 3}")) == []


class TestRounds:
    ASK = "- {type: ai_ask, content: 问, question: 几岁？, %s}"

    @pytest.mark.parametrize(
        ("rest", "expected"),
        [
            ("max_rounds: 2, min_rounds: 2", []),
            ("max_rounds: 2, min_rounds: 3", ["E237"]),
            ("min_rounds: 4", ["E237"]),
            ("max_rounds: 2, exit_criteria: {min_rounds: 3}", ["E237"]),
            ("max_rounds: 4, exit_criteria: {min_rounds: 3}", []),
        ],
    )
    def test_of_ai_ask(self, rest: str, expected: list[str]) -> None:
        assert codes(linted(session(self.ASK % rest))) == expected

    def test_of_ai_say(self) -> None:
        say = "- {type: ai_say, content: 讲, fallback: 讲, exit_criteria: {min_rounds: %s}}"
        assert linted(session(say % 5)) == []
        assert codes(linted(session(say % 6))) == ["E237"]


class TestTimeouts:
    @pytest.mark.parametrize("length", ["30s", "5m", "2h", "24h", "1s", "86400s", "1h30m"])
    def test_good_ones(self, length: str) -> None:
        assert linted(session(f"- {{type: ask, content: 你好, timeout: {length}}}")) == []

    @pytest.mark.parametrize("length", ["5", "0s", "25h", "-5m", "3 days", "''", "9999999s"])
    def test_bad_ones(self, length: str) -> None:
        assert codes(linted(session(f"- {{type: ask, content: 你好, timeout: {length}}}"))) == ["E228"]


class TestJudge:
    @pytest.mark.parametrize("written", ["''", "' '", '"\\n"'])
    @pytest.mark.parametrize("condition", ["{judge: %s}", "{not: {judge: %s}}", "{any: [{judge: %s}, {judge: b}]}"])
    def test_empty(self, written: str, condition: str) -> None:
        text = session(f"- {{type: say, content: 你好, condition: {condition % written}}}")
        assert codes(linted(text)) == ["E219"]

    def test_of_awareness(self) -> None:
        text = awareness().replace("来访者是否在抗拒", '" "')
        assert only(linted(text)).code == "E219"

    @pytest.mark.parametrize(("priority", "found"), [("P0", ["E219"]), ("P1", []), ("P2", [])])
    def test_below_p0_rules_do_without_one(self, priority: str, found: list[str]) -> None:
        when = {"P1": "at: [answer]", "P2": "every: 5 turns"}.get(priority, "always: true")
        rules = "'', rules: {explicit: [{reason: r, pattern: 停, match: [停], pass: [走]}]}"
        text = awareness(head=f"priority: {priority}\n{when}", judge=rules)
        assert [code for code in codes(linted(text)) if code == "E219"] == found
