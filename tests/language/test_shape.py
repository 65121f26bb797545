"""What the models refuse is told in words, at its place, with what to do about it."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, at, awareness, codes, loaded, only, session, skill
from tests.table import tabled

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import applied


def told(text: str) -> list[Finding]:
    return loaded(text).findings


class TestKeys:
    @pytest.mark.parametrize(
        ("text", "line", "near"),
        [
            (session("- {type: say, contnt: 你好, content: 你好}"), 8, "content"),
            (session(SAY, head="goals: 认识"), 3, "goal"),
            (session(SAY, phase="milestones: 认识"), 5, "milestone"),
            (session(SAY, topic="done_whem: 'a'"), 7, "done_when"),
            (session(SAY, topic="repeat: {untill: 'a', until: b}"), 7, "until"),
            (session("- {type: ai_ask, content: 问, max_round: 3}"), 8, "max_rounds"),
            (session("- {type: ai_ask, content: 问, output: [{get: a, defin: x}]}"), 8, "define"),
            (session(SAY, topic="transitions: [{to: end, condtion: a}]"), 7, "condition"),
            (skill(SAY, head="parametrs: []"), 3, "parameters"),
            (awareness(head="alway: true"), 3, "always"),
            (session(SAY, topic="condition: {judge: 愿意吗, treshold: 0.5}"), 7, "threshold"),
            ("global:\n  - var: a\n    typ: text\n", 3, "type"),
            ("sesions: []\n", 1, "sessions"),
        ],
    )
    def test_a_misspelt_key_suggests_the_near_one(self, text: str, line: int, near: str) -> None:
        found = only(told(text))
        assert (found.code, found.line) == ("E101", line)
        assert f"`{near}`" in found.hint.zh
        assert f"`{near}`" in found.hint.en

    def test_without_a_near_one_all_are_named(self) -> None:
        found = only(told(session(SAY, topic="transitions: [{to: end, xyz: 1}]")))
        assert "to" in found.hint.zh
        assert "condition" in found.hint.zh

    def test_the_place_is_that_of_the_key(self) -> None:
        found = only(told(session("- type: say\n  content: 你好\n  contents: 再见")))
        assert (found.line, found.column) == (10, 17)

    def test_a_key_that_is_missing(self) -> None:
        assert at(told(session("- {type: say}"))) == [("E102", 8)]
        assert at(told("sessions:\n  - session: a\n")) == [("E102", 2)]
        assert at(told("skills:\n  - id: a\n    actions: []\n")) == [("E102", 2)]
        assert at(told(session("- content: 你好"))) == [("E102", 8)]

    def test_several_are_told_at_once(self) -> None:
        text = session(
            """
            - type: say
            - type: ai_ask
              content: 问
              max_rounds: 0
              stile: open
            - type: nothing
            """,
            head="gaol: 认识",
        )
        assert at(told(text)) == [("E101", 3), ("E102", 9), ("E105", 12), ("E101", 13), ("E107", 14)]

    @pytest.mark.parametrize(
        ("action", "key", "others"),
        [
            ("{type: say, content: 你好, max_rounds: 2}", "max_rounds", "ai_say"),
            ("{type: say, content: 你好, output: []}", "output", "ask"),
            ("{type: ask, content: 你好, question: 几岁}", "question", "ai_ask"),
            ("{type: ai_say, content: 你好, var: a}", "var", "set_var"),
            ("{type: set_var, var: a, skill: b}", "skill", "use_skill"),
            ("{type: ai_ask, content: 你好, require_acknowledgment: true}", "require_acknowledgment", "ai_say"),
        ],
    )
    def test_a_key_of_another_action(self, action: str, key: str, others: str) -> None:
        found = only(told(session(f"- {action}")))
        assert found.code == "E108"
        assert key in found.message.zh
        assert others in found.message.en

    @pytest.mark.parametrize("kind", ["say", "ask", "user_say"])
    def test_exit_criteria_on_one_round(self, kind: str) -> None:
        found = only(told(session(f"- {{type: {kind}, content: 你好, exit_criteria: {{min_rounds: 1}}}}")))
        assert found.code == "E113"
        assert kind in found.message.zh

    @pytest.mark.parametrize("key", ["understanding_threshold: 80", "has_questions: true"])
    def test_criteria_of_another_action(self, key: str) -> None:
        found = only(told(session(f"- {{type: ai_ask, content: 问, exit_criteria: {{{key}}}}}")))
        assert found.code == "E108"
        assert "ai_say" in found.message.en
        assert "ai_ask" in found.message.en


class TestValues:
    @tabled(
        ("action", "code"),
        [
            ("{type: ai_ask, content: 问, max_rounds: 很多}", "E103"),
            ("{type: ai_ask, content: 问, max_rounds: 2.5}", "E103"),
            ("{type: ai_ask, content: 问, max_rounds: 0}", "E105"),
            ("{type: ai_ask, content: 问, max_rounds: 51}", "E105"),
            ("{type: ai_ask, content: 问, max_rounds: }", "E106"),
            ("{type: ai_ask, content: 问, required: 也许}", "E103"),
            ("{type: ai_ask, content: 问, style: wide}", "E104"),
            ("{type: ai_ask, content: 问, output: 年龄}", "E103"),
            ("{type: ai_ask, content: 问, output: {get: 年龄}}", "E103"),
            ("{type: ai_ask, content: 问, output: [3]}", "E103"),
            ("{type: ai_ask, content: [{a: b}]}", "E103"),
            ("{type: ai_ask, content: {a: b}}", "E103"),
            ("{type: ai_ask, content: true}", "E103"),
            ("{type: ai_say, content: 讲, exit_criteria: {understanding_threshold: 101}}", "E105"),
            ("{type: user_option, var: a, choices: []}", "E105"),
            ("{type: ai_ask, content: 问, output: [{get: a, range: [1, 2, 3]}]}", "E105"),
            ("{type: ai_ask, content: 问, output: [{get: a, range: [1, 高]}]}", "E103"),
            ("{type: ai_ask, content: 问, output: [{get: a, type: whole}]}", "E104"),
            ("{type: ai_ask, content: 问, on_timeout: wait}", "E104"),
            ("{type: ai_ask, content: 问, exit_sources: [llm]}", "E104"),
            (
                "{type: ai_ask, content: 问, exit_criteria: {custom_conditions: [{variable: a, operator: 大于}]}}",
                "E104",
            ),
        ],
    )
    def test_one_value(self, action: str, code: str) -> None:
        found = only(told(session(f"- {action}")))
        assert (found.code, found.line) == (code, 8)
        assert (
            found.path.zh == "会谈 初次会谈 › 阶段 开场 › 话题 问候 › 第 1 个动作"
            or "输出" in found.path.zh
            or ("条件" in found.path.zh)
        )

    @pytest.mark.parametrize(
        ("written", "value"),
        [("no", False), ("yes", True), ("off", False), ("'true'", True), ("FALSE", False), ("0", False)],
    )
    def test_words_for_truth(self, written: str, value: bool) -> None:
        file = loaded(session(f"- {{type: ai_ask, content: 问, required: {written}}}"))
        assert file.findings == []
        assert file.sessions[0].phases[0].steps[0].actions[0].peek("required") is value

    @pytest.mark.parametrize(("written", "text"), [("12356", "12356"), ("007", "007"), ("1.5", "1.5"), ("no", "no")])
    def test_texts_that_look_like_something_else(self, written: str, text: str) -> None:
        file = loaded(session(f"- {{type: say, content: {written}}}"))
        assert file.findings == []
        assert file.sessions[0].phases[0].steps[0].actions[0].peek("content") == text

    def test_an_item_of_a_list_is_counted(self) -> None:
        found = only(told("global:\n  - {var: a, range: [1, 高]}\n"))
        assert "range 第 2 项" in found.message.zh
        assert "range, item 2" in found.message.en

    def test_a_near_choice_is_suggested(self) -> None:
        found = only(told(session("- {type: ai_ask, content: 问, style: opne}")))
        assert "`open`" in found.hint.zh
        assert "choice" in found.hint.en

    def test_values_are_never_shown_at_length(self) -> None:
        long = "很" * 500
        for action in (f"{{type: ai_ask, content: 问, max_rounds: {long}}}", f"{{type: {long}}}", f"{{{long}: 1}}"):
            for found in told(session(f"- {action}")):
                assert len(found.message.zh) < 200
                assert long not in found.message.en + found.hint.en + found.path.en

    def test_what_holds_other_things_is_not_shown_at_all(self) -> None:
        found = only(told(session("- {type: say, content: {secret: 1}}")))
        assert "secret" not in found.message.en


class TestOutputs:
    def test_neither_get_nor_set(self) -> None:
        found = only(told(session("- type: ask\n  content: 几岁\n  output:\n    - define: 年龄")))
        assert (found.code, found.line) == ("E112", 11)

    @pytest.mark.parametrize("item", ["{get: a, valu: 1}", "{set: a, valu: 1}"])
    def test_only_what_is_wrong_with_the_shape_that_was_meant(self, item: str) -> None:
        found = only(told(session(f"- {{type: ask, content: 几岁, output: [{item}]}}")))
        assert found.code == "E101"
        assert "`value`" in found.hint.zh

    def test_a_wrong_value_within(self) -> None:
        assert codes(told(session("- {type: ask, content: 几岁, output: [{get: a, scope: all}]}"))) == ["E104"]


class TestConditions:
    @pytest.mark.parametrize(
        "condition",
        [
            "a > 3",
            "'a > 3 and b'",
            "true",
            "1",
            "{judge: 愿意吗}",
            "{judge: 愿意吗, default: true, threshold: 0.7}",
            "{all: [a > 3, {judge: 愿意吗}]}",
            "{any: [a, {not: b}]}",
            "{not: {all: [{any: [a]}, b]}}",
        ],
    )
    def test_good_ones(self, condition: str) -> None:
        assert told(session(f"- {{type: say, content: 你好, condition: {condition}}}")) == []

    @pytest.mark.parametrize(
        ("condition", "code"),
        [
            ("{ask: 愿意吗}", "E111"),
            ("[a, b]", "E020"),
            ("[1, 2]", "E111"),
            ("{not: }", "E106"),
            ("{all: []}", "E105"),
            ("{all: a}", "E103"),
            ("{any: [{ask: b}]}", "E111"),
            ("{judge: 愿意吗, threshold: 2}", "E105"),
            ("{judge: 愿意吗, defalt: true}", "E101"),
            ("{judge: [a]}", "E020"),
            ("{not: {x: 1}}", "E111"),
            ("a >", "E110"),
            ("'a > '", "E110"),
            ("{all: [a, 'b >']}", "E110"),
        ],
    )
    def test_bad_ones(self, condition: str, code: str) -> None:
        found = only(told(session(f"- type: say\n  content: 你好\n  condition: {condition}")))
        assert (found.code, found.line) == (code, 10)

    @pytest.mark.parametrize(
        ("written", "line", "column"),
        [
            ("a > 3 and (b", 10, None),
            ("'a > 3 and (b'", 10, None),
            ("|\n    a > 3\n    and (b", 12, None),
        ],
    )
    def test_an_expression_is_located_in_its_own_line(self, written: str, line: int, column: int | None) -> None:
        found = only(told(session(f"- type: say\n  content: 你好\n  condition: {written}")))
        assert (found.code, found.line) == ("E110", line)
        assert found.column > 20

    def test_the_column_is_that_of_the_character(self) -> None:
        plain = only(told(session("- type: say\n  content: 你好\n  condition: a ) b")))
        quoted = only(told(session("- type: say\n  content: 你好\n  condition: 'a ) b'")))
        assert plain.column == 17 + len("condition: a ")
        assert quoted.column == plain.column + 1

    def test_expressions_elsewhere(self) -> None:
        assert at(told(session("- {type: set_var, var: a, expr: b +}"))) == [("E110", 8)]
        assert at(told("global:\n  - {var: a, validate: a >}\n")) == [("E110", 2)]


class TestActions:
    def test_an_unknown_type_names_the_near_one(self) -> None:
        found = only(told(session("- {type: ai_sya, content: 你好}")))
        assert found.code == "E107"
        assert "`ai_say`" in found.hint.zh
        assert "user_option" in found.hint.zh

    @pytest.mark.parametrize("kind", ["3", "[say]", "{say: 1}", "true"])
    def test_a_type_that_is_no_word(self, kind: str) -> None:
        assert codes(told(session(f"- {{type: {kind}}}"))) == ["E107"]

    @pytest.mark.parametrize("item", ["你好", "3", "[a]", "null"])
    def test_what_is_no_action_at_all(self, item: str) -> None:
        found = told(session(f"- {item}"))
        assert len(found) == 1
        assert found[0].line == 8

    def test_actions_that_are_no_list(self) -> None:
        text = session().replace("            actions:\n              " + SAY, "            actions: 你好")
        assert codes(told(text)) == ["E103"]

    def test_without_any_type_known(self) -> None:
        from heartrule.language.projects.loader import load

        assert codes(load(session(), "a.yaml", {}).findings) == ["E107"]


class TestTopLevel:
    @pytest.mark.parametrize("text", ["- a\n", "你好\n", "3\n", "[a]\n"])
    def test_what_is_no_mapping(self, text: str) -> None:
        assert codes(told(text)) == ["E015"]

    def test_lists_that_are_none(self) -> None:
        assert at(told("global: {}\nsessions: 你好\nskills: {skill: a}\n")) == [("E016", 1), ("E016", 2), ("E016", 3)]

    def test_empty_lists_are_fine(self) -> None:
        assert told("sessions:\nskills: []\n") == []

    def test_several_documents_are_one_file(self) -> None:
        file = loaded(session() + "---\n" + skill() + "---\nglobal: [{var: 年龄}]\n")
        assert file.findings == []
        assert len(file.sessions) == len(file.skills) == len(file.variables) == 1

    def test_a_bad_item_does_not_spoil_the_others(self) -> None:
        file = loaded("global:\n  - {var: a}\n  - {vra: b}\n  - {var: c}\n")
        assert [variable.var for variable in file.variables] == ["a", "c"]
        assert not file.whole
        assert {each.line for each in file.findings} == {3}


class TestWords:
    def test_every_node_knows_where_it_stands(self) -> None:
        file = loaded(session(f"{SAY}\n- {{type: ask, content: 几岁, output: [{{get: 年龄}}]}}"), "folder/a.yaml")
        topic = file.sessions[0].phases[0].steps[0]
        asked = topic.actions[1]
        assert asked.place.file == "folder/a.yaml"
        assert (asked.place.line, asked.place.column) == (9, 17)
        assert asked.place.words == "会谈 初次会谈 › 阶段 开场 › 话题 问候 › 第 2 个动作"
        assert asked.place.words_en == "session 初次会谈 › phase 开场 › topic 问候 › action 2"
        output = next(child for _, child in asked.children())
        assert output.place.words.endswith("第 2 个动作 › 第 1 个输出")
        assert output.place.path == (0, "sessions", 0, "phases", 0, "steps", 0, "actions", 1, "output", 0)

    def test_without_a_name_it_is_counted(self) -> None:
        found = told("sessions:\n  - phases: [{steps: [{topic: 问候}]}]\n")
        assert "第 1 个会谈" in found[0].path.zh
        assert any("第 1 个阶段" in each.path.zh for each in found)

    def test_findings_inside_carry_the_path(self) -> None:
        found = only(told(session("- {type: ask, content: 几岁, output: [{get: a, typ: text}]}")))
        assert found.path.zh == "会谈 初次会谈 › 阶段 开场 › 话题 问候 › 第 1 个动作 › 第 1 个输出"
        assert found.path.en == "session 初次会谈 › phase 开场 › topic 问候 › action 1 › output 1"

    def test_long_names_are_cut(self) -> None:
        found = only(told(session("- {type: say}", name="很" * 200)))
        assert len(found.path.zh) < 100


@pytest.mark.parametrize(
    ("text", "code", "hint", "mended"),
    [
        (session("- {action_typ: say, content: 好}"), "E101", "`type`", "{type: say, content: 好}"),
        (session("- {typ: say, content: 好}"), "E101", "`type`", "{type: say, content: 好}"),
        (session(head="declare: [{var: 名, max_length: 5}]"), "E101", "len(名) <= 5", "validate: len(名) <= 5}"),
        (session(phase="awareness: [抗拒]") + awareness(), "E103", "{enable: […]}", "awareness: {enable: [抗拒]}"),
        (session() + awareness(head="always: true\nlocale: en"), "E101", "any language", None),
        (session("- {type: ask, content: 好吗, required: 也许吧}"), "E108", "", None),
        (session("- {type: ai_ask, content: 好, question: 好吗, required: 也许吧}"), "E103", "true or false.", None),
        (session("- {type: say, content: 好, done_when: 名 == 1}", topic="done_when: 1 == 1"), "E101", "a topic", None),
        (session("- {type: say, content: 好, show_when: 名 == 1}"), "E101", "a field of a form", None),
        (session(topic="cooldown: 5m"), "E101", "an awareness script", None),
    ],
)
def test_what_was_meant_by_what_cannot_stand_there(text: str, code: str, hint: str, mended: str | None) -> None:
    found = next(each for each in told(text) if each.code == code)
    assert hint in found.localized("en").hint
    assert "quotes" not in found.localized("en").hint
    if mended is not None:
        assert found.mend is not None
        assert mended in applied(text, found.mend.edits)
