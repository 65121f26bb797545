"""Rules about variables: their names, scopes, types and values."""

from __future__ import annotations

import pytest
from tests.language.material import at, awareness, checked, codes, linted, only, session, skill
from tests.table import tabled


def said(text: str, **parts: str) -> str:
    return session(f"- {{type: say, content: {text}}}", **parts)


def when(condition: str, **parts: str) -> str:
    return session(f"- type: say\n  content: 你好\n  condition: {condition}", **parts)


class TestUnknownNames:
    @pytest.mark.parametrize(
        "parts",
        [
            {"head": "declare: [{var: 称呼}]"},
            {"phase": "declare: [{var: 称呼}]"},
            {"topic": "declare: [{var: 称呼}]"},
            {"after": "global: [{var: 称呼}]"},
            {"topic": "for_each: {in: 家人, as: 称呼}", "head": "declare: [{var: 家人}]"},
        ],
    )
    def test_declared_ones(self, parts: dict[str, str]) -> None:
        assert linted(said('"{称呼}好"', **parts)) == []
        assert linted(when("称呼 == '小明'", **parts)) == []

    @pytest.mark.parametrize(
        "action",
        [
            "{type: set_var, var: 称呼, value: 小明}",
            "{type: ask, content: 贵姓, output: [{get: 称呼}]}",
            "{type: ask, content: 贵姓, output: [{set: 称呼, value: 小明}]}",
            "{type: user_option, var: 称呼, choices: [{value: a, label: a}]}",
            "{type: ai_think, content: 想, decide: {var: 称呼, options: [a], default: a}}",
            "{type: ai_ask, content: 问, question: 问, tolist: 称呼}",
            "{type: use_skill, skill: 起名, output: [{get: 名, set: 称呼}]}",
        ],
    )
    def test_written_ones(self, action: str) -> None:
        text = session(f'- {action}\n- {{type: say, content: "{{称呼}}好"}}')
        name = skill("- {type: set_var, var: 名, value: 小明}", name="起名", head="returns: [名]")
        assert linted(text + name) == []

    def test_in_a_text(self) -> None:
        found = only(linted(said('"你好，{称乎}"', head="declare: [{var: 称呼}]")))
        assert (found.code, found.line, found.column) == ("W211", 9, 42)
        assert "`称呼`" in found.hint.zh

    def test_in_a_condition(self) -> None:
        found = only(linted(when("心情 > 3")))
        assert (found.code, found.line, found.column) == ("W210", 10, 28)

    def test_in_a_list_to_go_through(self) -> None:
        assert at(linted(session(topic="for_each: {in: 家人, as: 成员}"))) == [("W230", 7)]

    @pytest.mark.parametrize(
        "text",
        [
            said("'{%time%} {%topic_goal%}'"),
            said("'{\"a\": 1}'"),
            said("'{1+1}'"),
            said("'{ }'"),
            when("topic.attempts > 1"),
            when("action.round > 1 and session.elapsed < 60 and phase.elapsed > 1"),
            said("'{topic_content}'"),
        ],
    )
    def test_what_is_no_variable_of_the_script(self, text: str) -> None:
        assert linted(text) == []

    @pytest.mark.parametrize("name", ["session.称呼", "topic.称呼", "称呼.姓", "global.称呼.姓"])
    def test_dotted_names_are_known_by_their_variable(self, name: str) -> None:
        assert linted(said(f"'{{{name}}}'", head="declare: [{var: 称呼}]")) == []
        assert codes(linted(said(f"'{{{name}}}'"))) == ["W211"]

    def test_a_field_of_an_item(self) -> None:
        text = session(
            "- type: ask\n  content: '{成员.称呼}做什么工作？'\n  output: [{get: 成员.职业}]",
            head="declare: [{var: 家人, type: list}]",
            topic="for_each: {in: 家人, as: 成员}",
        )
        assert linted(text) == []

    def test_everywhere_a_name_can_stand(self) -> None:
        text = session(
            """
            - type: ai_ask
              content: '{a1}'
              question: '{a2}'
              fallback: '{a3}'
              exit: '{a4}'
              tone: '{a5}'
              follow_up: '{a6}'
              output: [{set: b, value: '{a7}'}, {get: c, validate: a8 > c}]
              exit_criteria: {custom_conditions: [{variable: a9, operator: '>', value: 1}]}
            - {type: ai_think, content: x, input: [a10]}
            - {type: set_var, var: d, value: {e: ['{a11}']}}
            - {type: user_option, var: f, choices: [{value: 1, label: '{a12}'}]}
            - {type: say, content: x, condition: {all: [{judge: '{a13}'}, {not: a14}]}}
            """,
            head="goal: '{a15}'\ninstructions: '{a16}'",
            phase="goal: '{a17}'\nmilestone: '{a18}'\ncondition: a19",
            topic="goal: '{a20}'\nstrategy: '{a21}'\ndone_when: a22\nrepeat: {until: a23, max: 3}",
        )
        found = linted(text)
        assert {each.code for each in found} == {"W210", "W211"}
        assert len(found) == 23
        for number in range(1, 24):
            assert any(f"“a{number}”" in each.message.en for each in found), number

    def test_skills_see_parameters_and_what_sessions_declare(self) -> None:
        text = skill(
            "- {type: say, content: '{次数} {称呼} {自己}'}\n- {type: set_var, var: 自己, value: 1}",
            head="parameters: [{name: 次数}]",
        )
        assert codes(linted(text)) == ["W211"]
        assert linted(session(head="declare: [{var: 称呼}]") + text) == []

    def test_what_awareness_writes_is_known(self) -> None:
        assert linted(when("警觉 == true") + awareness("- {directive: SET_VAR, var: 警觉, value: true}")) == []

    def test_nothing_is_said_while_files_cannot_be_read(self) -> None:
        files = {"a.yaml": said("'{称呼}'"), "b.yaml": "global:\n  - {var: 称呼, tpye: text}\n"}
        assert codes(checked(files)) == ["E101"]


class TestTextWithoutQuotes:
    @pytest.mark.parametrize(
        ("condition", "mended"),
        [
            ("性别 == 女", "性别 == '女'"),
            ("性别 != 女", "性别 != '女'"),
            ("年龄 > 3 and 性别 == 女", "年龄 > 3 and 性别 == '女'"),
            ("性别 in [女, 1]", "性别 in ['女', 1]"),
            ("not (性别 == 女)", "not (性别 == '女')"),
        ],
    )
    def test_suggests_quotes(self, condition: str, mended: str) -> None:
        found = only(linted(when(f'"{condition}"', head="declare: [{var: 性别}, {var: 年龄}]")))
        assert (found.code, found.line) == ("E209", 11)
        assert mended in found.hint.zh
        assert mended in found.hint.en

    @pytest.mark.parametrize(
        "condition", ["性别 == 年龄", "性别 == '女'", "性别 in ['女', 年龄]", "性别 == “女”", "性别 == null"]
    )
    def test_known_names_and_texts_are_fine(self, condition: str) -> None:
        assert linted(when(f'"{condition}"', head="declare: [{var: 性别}, {var: 年龄}]")) == []

    def test_braces_say_that_a_name_is_meant(self) -> None:
        assert codes(linted(when('"性别 == {女}"', head="declare: [{var: 性别}]"))) == ["W210"]

    def test_inside_of_a_combination(self) -> None:
        text = when("{any: [{all: [性别 == 女]}]}", head="declare: [{var: 性别}]")
        assert codes(linted(text)) == ["E209"]


class TestScopes:
    @pytest.mark.parametrize(
        ("parts", "scope", "good"),
        [
            ({"head": "declare: [{var: a}]"}, "session", True),
            ({"head": "declare: [{var: a}]"}, "topic", False),
            ({"phase": "declare: [{var: a}]"}, "phase", True),
            ({"phase": "declare: [{var: a}]"}, "session", False),
            ({"topic": "declare: [{var: a}]"}, "topic", True),
            ({"topic": "declare: [{var: a, scope: session}]"}, "session", True),
            ({"after": "global: [{var: a}]"}, "global", True),
            ({"after": "global: [{var: a, scope: session}]"}, "session", True),
            ({"after": "global: [{var: a, scope: session}]"}, "global", False),
            ({}, "session", True),
        ],
    )
    def test_of_the_declaration(self, parts: dict[str, str], scope: str, good: bool) -> None:
        for action in (
            f"- {{type: set_var, var: a, value: 1, scope: {scope}}}",
            f"- {{type: ask, content: 问, output: [{{get: a, scope: {scope}}}]}}",
        ):
            assert codes(linted(session(action, **parts))) == ([] if good else ["E212"])

    def test_the_inner_declaration_counts(self) -> None:
        text = session(
            "- {type: set_var, var: a, value: 1, scope: topic}",
            head="declare: [{var: a}]",
            topic="declare: [{var: a}]",
        )
        assert linted(text) == []


class TestValues:
    @tabled(
        ("rules", "code"),
        [
            ("type: enum", "E223"),
            ("type: enum, options: []", "E223"),
            ("type: integer, range: [5, 1]", "E224"),
            ("type: text, range: [1, 5]", "E224"),
            ("type: boolean, range: [0, 1]", "E224"),
            ("type: integer, value: 多", "E225"),
            ("type: integer, value: 1.5", "E225"),
            ("type: integer, range: [1, 5], value: 6", "E225"),
            ("type: integer, range: [1, 5], on_failure: {do: default, default: 0}", "E225"),
            ("type: enum, options: [男, 女], value: 其他", "E225"),
            ("type: enum, options: [男, 女], on_failure: {do: default, default: 无}", "E225"),
            ("type: boolean, value: 也许", "E225"),
            ("type: date, value: 昨天", "E225"),
            ("type: list, value: 3", "E225"),
            ("type: integer, range: [1, 5], rules: [{pattern: 很多, value: 9}]", "E225"),
            ("type: enum, options: [甲], rules: [{keywords: {乙: [二]}}]", "E225"),
            ("rules: [{pattern: '(a'}]", "E222"),
            ("pattern: '[a'", "E222"),
            ("pattern: '(?=a)'", "E222"),
            ("pattern: ''", "E222"),
            ("type: text, risk: true", "E227"),
            ("type: enum, options: [a], risk: true", "E227"),
            ("risk: true", "E227"),
        ],
    )
    def test_contradictions(self, rules: str, code: str) -> None:
        for text in (
            f"global:\n  - {{var: a, {rules}}}\n",
            session(head=f"declare: [{{var: a, {rules}}}]"),
            skill(head=f"declare: [{{var: a, {rules}}}]"),
            session(f"- {{type: ask, content: 问, output: [{{get: a, {rules}}}]}}"),
        ):
            assert codes(linted(text)) == [code]

    @tabled(
        "rules",
        [
            "type: enum, options: [男, 女], value: 女",
            "type: enum, options: [1, 2], value: 1",
            "type: enum, options: [甲, 乙], rules: [{keywords: {甲: [一], 乙: [二]}}]",
            "type: integer, range: [0, 10], value: 0",
            "type: integer, range: [3, 3]",
            "type: number, range: [0.5, 1.5], value: 1",
            "range: [1, 2]",
            "type: boolean, value: false, risk: true",
            "type: integer, risk: true",
            "type: number, risk: true, range: [0, 1]",
            "type: date, value: 2024-05-01",
            "type: list, value: [a, b]",
            "type: list, update: append, value: [a]",
            "type: object, value: {a: 1}",
            "type: object, fields: [{name: a, type: integer}], value: {a: 1}",
            "type: text, value: '3'",
            "value: 本科",
            "type: text, pattern: '\\d{11}'",
            "type: text, min_length: 2",
            "type: integer, rules: [{pattern: '(\\d+)\\s*分'}, {keywords: {10: [崩溃]}}]",
            "type: text, rules: [{pattern: '(?i)don.t mind', value: friend}]",
            "type: integer, validate: a <= 10, value: 5",
        ],
    )
    def test_good_ones(self, rules: str) -> None:
        assert linted(f"global:\n  - {{var: a, {rules}}}\n") == []
        assert linted(session(f"- {{type: ask, content: 问, output: [{{get: a, {rules}}}]}}")) == []

    def test_an_output_of_a_declared_variable_takes_its_type(self) -> None:
        head = "declare: [{var: a, type: integer, range: [1, 5]}]"
        ask = "- {type: ask, content: 问, output: [{get: a, %s}]}"
        assert linted(session(ask % "risk: true", head=head)) == []
        assert linted(session(ask % "on_failure: {do: default, default: 3}", head=head)) == []
        assert codes(linted(session(ask % "on_failure: {do: default, default: 9}", head=head))) == ["E225"]

    @pytest.mark.parametrize(
        ("action", "expected"),
        [
            ("{type: set_var, var: a, value: 3}", []),
            ("{type: set_var, var: a, value: 9}", ["E225"]),
            ("{type: set_var, var: a, value: 多}", ["E225"]),
            ("{type: set_var, var: a, value: '{a}'}", []),
            ("{type: set_var, var: a, expr: 9}", ["W420"]),
            ("{type: set_var, var: a, expr: a > 2}", ["W420"]),
            ("{type: set_var, var: a, expr: a + 2}", []),
            ("{type: set_var, var: a, value: null}", []),
            ("{type: user_option, var: a, choices: [{value: 1, label: 一}, {value: 9, label: 九}]}", ["E225"]),
            ("{type: user_option, var: a, choices: [{value: 1, label: 一}, {value: 5, label: 五}]}", []),
            ("{type: ai_think, content: 想, decide: {var: a, options: [1, 2], default: 1}}", []),
            ("{type: ai_think, content: 想, decide: {var: a, options: [1, 9], default: 1}}", ["E225"]),
            ("{type: ai_think, content: 想, decide: {var: b, options: [x, y], default: z}}", ["E225"]),
        ],
    )
    def test_what_actions_write(self, action: str, expected: list[str]) -> None:
        text = session(f"- {action}", head="declare: [{var: a, type: integer, range: [1, 5]}]")
        assert codes(linted(text)) == expected

    def test_a_choice_twice(self) -> None:
        text = session("- {type: user_option, var: a, choices: [{value: 1, label: 一}, {value: '1', label: 二}]}")
        assert codes(linted(text)) == ["E226"]


class TestNeverEqual:
    HEAD = "declare: [{var: 性别, type: enum, options: [男, 女, 3]}]"

    @pytest.mark.parametrize("condition", ["性别 == '女士'", "性别 == 4", "not 性别 == '男的'"])
    def test_impossible(self, condition: str) -> None:
        found = only(linted(when(f'"{condition}"', head=self.HEAD)))
        assert (found.code, found.line) == ("W235", 11)
        assert "男、女" in found.message.zh

    @pytest.mark.parametrize(
        "condition",
        [
            "性别 == '女'",
            "性别 == 3",
            "性别 == '3'",
            "性别 == null",
            "性别 in ['女', '男']",
            "'女' == 性别",
        ],
    )
    def test_possible(self, condition: str) -> None:
        assert linted(when(f'"{condition}"', head=self.HEAD)) == []


class TestRiskPatterns:
    RULES = """
awareness:
  - awareness: 危机
    always: true
    condition:
      judge: 是否有危险
      rules:
        explicit:
          - {pattern: %s, reason: 一}
        watch:
          - {pattern: 难过, reason: 二, unless: %s}
    then: [{directive: END_SESSION}]
"""

    def test_good_ones(self) -> None:
        assert linted(self.RULES % ("'不想活(?:了|下去)'", "'不难过'")) == []

    @pytest.mark.parametrize("pattern", ["'(a'", "'a(?!b)'", r"'(a)\1'", "'*'", "''"])
    def test_bad_ones(self, pattern: str) -> None:
        assert at(linted(self.RULES % (pattern, "'a'"))) == [("E222", 9)]
        assert at(linted(self.RULES % ("'a'", pattern))) == [("E222", 11)]

    def test_words_are_put_in_before_it_is_read(self) -> None:
        named = self.RULES.replace("      rules:\n", "      rules:\n        words: {end: [die, go], bad: ['(a']}\n")
        assert linted(named % ("'want to <end>'", "'<end> later'")) == []
        assert at(linted(named % ("'<bad>'", "'a'"))) == [("E222", 10)]
        assert at(linted(named % ("'a'", "'<nothing>'"))) == [("E222", 12)]
