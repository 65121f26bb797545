"""Rules about the ways through a session and the values on them. Good scripts give nothing."""

from __future__ import annotations

import pytest
from tests.language.material import awareness, codes, linted_whole, only, project, session, skill

from heartrule.language.findings import Finding
from heartrule.language.linting.rules import check
from heartrule.language.linting.rules.system_names import KNOWN
from heartrule.language.projects.project import LoadedProject

ASK = "- {type: ask, content: 几分？, output: [{get: 情绪, type: integer}]}"


def flow(*topics: str, head: str = "", phase: str = "", more: str = "") -> str:
    """A session of one phase; each topic as a mapping in one line."""
    text = (
        f"sessions:\n  - session: 会谈\n{head}    phases:\n      - phase: 一\n        id: one\n{phase}        steps:\n"
    )
    return text + "".join(f"          - {{{topic}}}\n" for topic in topics) + more


SAY = "actions: [{type: say, content: 好}]"
PICK = "actions: [{type: user_option, var: 选, choices: [{value: a, label: 甲}, {value: b, label: 乙}]}]"
SECOND = f"      - phase: 二\n        id: two\n        steps: [{{topic: c, {SAY}}}]\n"


def whole(text: str) -> list[Finding]:
    return [found for found in linted_whole(text) if found.code not in ("W233", "W249")]


class TestUnreachable:
    def test_behind_a_jump_that_is_always_made(self) -> None:
        found = only(whole(flow(f"topic: a, {SAY}, transitions: [{{to: end}}]", f"topic: b, {SAY}")))
        assert (found.code, found.line) == ("W245", 8)
        assert "topic “b”" in found.message.en

    def test_a_whole_phase_is_told_once(self) -> None:
        text = flow(f"topic: a, {SAY}", f"topic: b, {SAY}", phase="        transitions: [{to: end}]\n", more=SECOND)
        found = only(whole(text))
        assert (found.code, found.line) == ("W245", 10)
        assert "阶段" in found.message.zh

    @pytest.mark.parametrize(
        "first",
        [
            f"topic: a, {PICK}, transitions: [{{to: end, condition: 选 == 'a'}}]",
            f"topic: a, {SAY}, condition: 1 == 1, transitions: [{{to: end}}]",
            f"topic: a, {SAY}, transitions: [{{to: b}}]",
        ],
    )
    def test_a_way_leads_there(self, first: str) -> None:
        assert "W245" not in codes(whole(flow(first, f"topic: b, {SAY}", more=SECOND)))

    def test_a_way_leads_back_there(self) -> None:
        last = f"topic: c, {PICK}, transitions: [{{to: one, condition: 选 == 'a'}}]"
        back = f"      - phase: 二\n        id: two\n        steps: [{{{last}}}]\n"
        text = flow(
            f"topic: a, {PICK}, transitions: [{{to: two, condition: 选 == 'a'}}]", f"topic: b, {SAY}", more=back
        )
        assert whole(text) == []

    def test_what_a_script_inserts_is_come_to(self) -> None:
        text = flow(f"topic: a, {SAY}, transitions: [{{to: end}}]", f"topic: b, {SAY}")
        assert whole(text + awareness("- {directive: INSERT_TOPIC, topic: b}")) == []

    def test_a_transition_behind_one_that_is_always_taken(self) -> None:
        text = flow(
            f"topic: a, {PICK}, transitions: [{{to: b}}, {{to: end, condition: 选 == 'a'}}]", f"topic: b, {SAY}"
        )
        assert codes(whole(text)) == ["W246"]

    @pytest.mark.parametrize(
        ("before", "after", "never"),
        [
            ("度 > 3", "度 > 5", True),
            ("度 > 5", "度 > 3", False),
            ("度 > 3", "度 > 3", True),
            ("度 > 5", "度 == 7", True),
            ("度 > 5 and 选 == 'a'", "度 > 6", False),
            ("度 > 5", "度 > 6 and 选 == 'a'", True),
            ("选 == 'a'", "选 == 'b'", False),
            ("度 + 1 > 5", "度 + 1 > 6", False),
        ],
    )
    def test_a_transition_behind_one_that_holds_whenever_it_does(self, before: str, after: str, never: bool) -> None:
        head = "    declare: [{var: 度, type: integer, range: [0, 10], value: 5}]\n"
        moves = f'transitions: [{{to: c, condition: "{before}"}}, {{to: end, condition: "{after}"}}]'
        text = flow(f"topic: a, {PICK}, {moves}", f"topic: b, {SAY}", f"topic: c, {SAY}", head=head)
        assert codes(whole(text)) == (["W246"] if never else [])

    def test_transitions_that_hold_whenever_it_does_together(self) -> None:
        head = "    declare: [{var: 度, type: integer, range: [0, 10], value: 5}]\n"
        moves = "{to: b, condition: 度 < 5}, {to: c, condition: 度 >= 5}, {to: end, condition: 度 == 8}"
        text = flow(f"topic: a, {PICK}, transitions: [{moves}]", f"topic: b, {SAY}", f"topic: c, {SAY}", head=head)
        assert codes(whole(text)) == ["W246"]

    def test_true_is_no_condition(self) -> None:
        text = flow(f"topic: a, {SAY}, transitions: [{{to: end, condition: true}}]", f"topic: b, {SAY}")
        assert codes(whole(text)) == ["W245"]

    def test_phases_that_are_skipped_or_empty_are_gone_past(self) -> None:
        text = flow(f"topic: a, {SAY}", more="      - {phase: 空, steps: []}\n" + SECOND)
        assert whole(text) == []
        assert whole(text.replace("id: two", "id: two\n        condition: session.elapsed > 1")) == []


class TestEndless:
    @pytest.mark.parametrize(
        "last",
        [
            f"topic: b, {SAY}, transitions: [{{to: a}}]",
            f"topic: b, {SAY}, transitions: [{{to: one}}]",
            f"topic: b, {SAY}, transitions: [{{to: b}}]",
            f"topic: b, {SAY}, transitions: [{{to: a, condition: 选 == 'a'}}]",
            f"topic: b, {SAY}, transitions: [{{to: a, condition: {{not: 选 == 'a'}}}}]",
            f"topic: b, {SAY}, condition: 选 == 'a', transitions: [{{to: a}}]",
        ],
    )
    def test_nothing_on_the_way_changes(self, last: str) -> None:
        text = flow(f"topic: first, {PICK}", f"topic: a, {SAY}", last).replace("to: one", "to: a")
        assert codes(whole(text)) == ["W247"]

    def test_of_a_phase(self) -> None:
        text = flow(f"topic: a, {SAY}", more=SECOND.replace("steps", "transitions: [{to: one}]\n        steps"))
        assert codes(whole(text)) == ["W247"]

    def test_that_its_own_condition_may_fail_is_no_way_out_of_a_phase(self) -> None:
        back = "condition: 选 == 'a'\n        transitions: [{to: one}]\n        steps"
        third = (
            "      - phase: 三\n        id: three\n        steps: [{topic: e, actions: [{type: say, content: 好}]}]\n"
        )
        text = flow(f"topic: a, {PICK}", more=SECOND.replace("steps", back) + third)
        assert codes(whole(text)) == ["W247"]
        assert whole(text.replace("{to: one}", "{to: one, condition: phase.elapsed < 600}")) == []

    @pytest.mark.parametrize(
        "last",
        [
            f"topic: b, {PICK}, transitions: [{{to: a, condition: 选 == 'a'}}]",
            f"topic: b, {PICK}, transitions: [{{to: end, condition: 选 == 'a'}}, {{to: a}}]",
            f"topic: b, {SAY}, transitions: [{{to: a, condition: topic.attempts < 3}}]",
            f"topic: b, {SAY}, transitions: [{{to: a, condition: {{judge: 是否愿意}}}}]",
            f"topic: b, {SAY}, transitions: [{{to: end}}]",
            f"topic: b, {SAY.replace('好', '好, timeout: 5m, on_timeout: end')}, transitions: [{{to: a}}]",
            f"topic: b, {SAY}, transitions: [{{to: c}}]",
        ],
    )
    def test_there_is_a_way_out(self, last: str) -> None:
        text = flow(f"topic: first, {PICK}", f"topic: a, {SAY}", last, f"topic: c, {SAY}")
        assert "W247" not in codes(whole(text))

    def test_what_is_listened_for_may_change(self) -> None:
        head = "    declare: [{var: 够了, type: boolean, define: 是否够了, listen: {mode: passive}}]\n"
        last = f"topic: b, {SAY}, transitions: [{{to: a, condition: 够了 != true}}]"
        assert whole(flow(f"topic: a, {SAY}", last, head=head)) == []

    def test_repeating_without_a_limit(self) -> None:
        text = session(topic="repeat: {until: 情绪 > 5}", head="declare: [{var: 情绪, type: integer, value: 1}]")
        assert codes(whole(text)) == ["W247"]
        assert whole(text.replace("> 5", "> 5, max: 3")) == []
        assert whole(text.replace("- {type: say, content: 你好}", ASK)) == []


class TestTooEarly:
    def read(self, text: str) -> str:
        return f"- {{type: say, content: '{text}'}}"

    def test_before_it_is_asked_for(self) -> None:
        found = only(whole(session(self.read("{情绪} 分") + "\n" + ASK)))
        assert (found.code, found.line) == ("W248", 8)
        assert "line 9" in found.message.en

    def test_in_a_condition(self) -> None:
        text = session("- {type: say, content: 好, condition: 情绪 > 5}\n" + ASK)
        assert codes(whole(text)) == ["W248"]

    @pytest.mark.parametrize(
        "text",
        [
            session(ASK + "\n- {type: say, content: '{情绪}'}"),
            session("- {type: say, content: 好, condition: 情绪 == null}\n" + ASK),
            session("- {type: say, content: 好, condition: not exists(情绪)}\n" + ASK),
            session("- {type: say, content: '{情绪}'}\n" + ASK, topic="repeat: {until: 情绪 > 3, max: 2}"),
            session("- {type: say, content: '{情绪}'}\n" + ASK, head="declare: [{var: 情绪, value: 1}]"),
            session("- {type: say, content: '{情绪}'}") + "global: [{var: 情绪}]\n",
            session("- {type: say, content: '{情绪}'}\n" + ASK)
            + awareness("- {directive: SET_VAR, var: 情绪, value: 1}"),
            flow(
                f"topic: a, {SAY}, goal: '{{选}}', transitions: [{{to: b}}]",
                f"topic: b, {PICK}, transitions: [{{to: a, condition: 选 == 'a'}}]",
            ),
            session("- {type: ai_ask, content: '问 {情绪}', question: 几分？, output: [{get: 情绪}]}"),
        ],
    )
    def test_it_may_have_a_value(self, text: str) -> None:
        assert not {"W248", "W258"} & set(codes(whole(text)))

    def test_a_condition_of_the_topic_is_read_before_its_actions(self) -> None:
        head = "declare: [{var: 情绪}]"
        assert codes(whole(session(ASK, topic="condition: 情绪 > 3", head=head))) == ["W248"]
        assert whole(session(ASK, topic="done_when: 情绪 > 3", head=head)) == []

    def test_a_condition_of_a_phase_is_read_before_its_topics(self) -> None:
        ask = "actions: [{type: ask, content: 几分？, output: [{get: 情绪, type: integer}]}]"
        second = f"      - phase: 二\n        condition: 情绪 > 3\n        steps: [{{topic: b, {ask}}}]\n"
        found = only(whole(flow(f"topic: a, {SAY}", more=second)))
        assert (found.code, found.line) == ("W248", 9)
        assert whole(flow(f"topic: a, {ask}", more=second)) == []
        back = second.replace("condition", "transitions: [{to: one, condition: 情绪 < 2}]\n        condition")
        assert codes(whole(flow(f"topic: a, {ask}", more=back))) == []

    def test_nothing_ever_sets_it(self) -> None:
        assert codes(whole(session(self.read("{称呼}"), head="declare: [{var: 称呼}]"))) == ["W258"]
        listened = "declare: [{var: 称呼, define: 名字, listen: {mode: passive}}]"
        assert whole(session(self.read("{称呼}"), head=listened)) == []


class TestNeverRead:
    @pytest.mark.parametrize(
        "action",
        [
            "- {type: set_var, var: 问过, value: true}",
            "- {type: ask, content: 好吗, output: [{get: 好}, {set: 问过, value: true}]}",
            "- {type: ai_think, content: 想, decide: {var: 问过, options: [a, b], default: a}}",
        ],
    )
    def test_set_and_never_read(self, action: str) -> None:
        assert [each for each in codes(linted_whole(session(action))) if each not in {"W233", "W440"}] == ["W249"]

    @pytest.mark.parametrize(
        "text",
        [
            session("- {type: set_var, var: 问过, value: true}\n- {type: say, content: 好, condition: 问过}"),
            session("- {type: set_var, var: 全局问过, value: true}"),
            session("- {type: set_var, var: 问过, value: true, scope: global}"),
            session("- {type: set_var, var: 问过, value: true}", head="declare: [{var: 问过, define: 是否问过}]"),
            session(ASK),
            skill("- {type: set_var, var: 感受, value: 好}", head="returns: [感受]"),
            session("- {type: set_var, var: 问过, value: true}") + "global: [{var: 问过, type: boolean}]\n",
        ],
    )
    def test_somebody_may_read_it(self, text: str) -> None:
        assert "W249" not in codes(linted_whole(text))


class TestNeverHolds:
    @pytest.mark.parametrize(
        ("rules", "condition"),
        [
            ("type: integer, range: [1, 10]", "情绪 > 10"),
            ("type: integer, range: [1, 10]", "情绪 == 0"),
            ("type: integer, range: [1, 10]", "情绪 in [0, 11]"),
            ("type: integer, range: [1, 10]", "0 >= 情绪"),
            ("type: integer", "情绪 == '高'"),
            ("type: integer", "情绪 == 2.5"),
            ("type: boolean", "情绪 == '是'"),
            ("type: boolean", "情绪 > 1"),
        ],
    )
    def test_no_value_meets_it(self, rules: str, condition: str) -> None:
        text = session(
            f'- {{type: say, content: 好, condition: "{condition}"}}',
            head=f"declare: [{{var: 情绪, {rules}, value: 1}}]",
        )
        found = [each for each in whole(text) if each.code != "E225"]
        assert codes(found) == ["W253"]

    @pytest.mark.parametrize(
        ("rules", "condition"),
        [
            ("type: integer, range: [1, 10]", "情绪 >= 10"),
            ("type: integer, range: [1, 10]", "情绪 == '3'"),
            ("type: integer, range: [1, 10]", "情绪 != 0"),
            ("type: number, range: [0, 1]", "情绪 > 0.9"),
            ("type: number", "情绪 == 2.5"),
            ("type: boolean, value: true", "情绪 == true"),
            ("type: text", "情绪 > 3"),
            ("type: list", "情绪 contains 3"),
        ],
    )
    def test_some_value_does(self, rules: str, condition: str) -> None:
        text = session(
            f'- {{type: say, content: 好, condition: "{condition}"}}', head=f"declare: [{{var: 情绪, {rules}}}]"
        )
        assert "W253" not in codes(whole(text))

    def test_choices_are_options(self) -> None:
        text = flow(f"topic: a, {PICK}", f"topic: b, {SAY}, condition: 选 == '甲'")
        found = only(whole(text))
        assert (found.code, found.line) == ("W235", 8)
        assert whole(text.replace("'甲'", "'a'")) == []

    def test_of_exit_criteria(self) -> None:
        criteria = "exit_criteria: {custom_conditions: [{variable: 情绪, operator: '>', value: 11}]}"
        ask = f"- {{type: ai_ask, content: 问, question: 几分？, {criteria}, output: [{{get: 情绪}}]}}"
        text = session(ask, head="declare: [{var: 情绪, type: integer, range: [0, 10]}]")
        assert codes(whole(text)) == ["W253"]

    @pytest.mark.parametrize(
        ("condition", "found"),
        [
            ("情绪 > 5 and 情绪 < 3", ["W254"]),
            ("情绪 == 'a' and 情绪 == 'b'", ["W254"]),
            ("5 < 情绪 < 3", ["W254"]),
            ("情绪 > 3 and 情绪 < 4", []),
            ("情绪 > 5 or 情绪 < 3", []),
            ("not (情绪 > 5 and 情绪 < 3)", []),
            ("情绪 >= 3 and 情绪 <= 3", []),
            ("情绪 != 3 and 情绪 > 3", []),
        ],
    )
    def test_together(self, condition: str, found: list[str]) -> None:
        text = session(
            f'- {{type: say, content: 好, condition: "{condition}"}}', head="declare: [{var: 情绪, value: 1}]"
        )
        assert codes(whole(text)) == found

    def test_together_in_all(self) -> None:
        parts = "condition: {all: [情绪 > 5, 情绪 < 3]}"
        text = session(f"- {{type: say, content: 好, {parts}}}", head="declare: [{var: 情绪, value: 1}]")
        assert codes(whole(text)) == ["W254"]
        assert whole(text.replace("情绪 < 3", "{any: [情绪 < 3, 情绪 > 6]}")) == []


class TestSafety:
    def two(self, first: str, second: str, **more: str) -> str:
        text = session(head=f"id: a\n{first}", **more) + "  - session: 第二次\n    id: b\n"
        text += f"    {second}\n" if second else ""
        text += "    phases: [{phase: 一, steps: [{topic: t, actions: [{type: say, content: 好}]}]}]\n"
        return text + awareness(head="id: harm\npriority: P0")

    def test_on_in_some_sessions_only(self) -> None:
        found = only(whole(self.two("awareness: [harm]", "")))
        assert (found.code, found.line) == ("W255", 15)
        assert "第二次" in found.message.zh
        assert whole(self.two("awareness: [harm]", "awareness: [harm]")) == []

    def test_on_in_a_phase_only(self) -> None:
        assert codes(whole(self.two("goal: x", "awareness: [harm]", phase="awareness: {enable: [harm]}"))) == ["W255"]

    def test_switched_off(self) -> None:
        text = self.two("awareness: [harm]", "awareness: [harm]", phase="awareness: {disable: [harm]}")
        assert codes(whole(text)) == ["W256"]
        assert codes(whole(text.replace("priority: P0", "always: true\n    priority: P0"))) == ["W256"]
        assert whole(text.replace("priority: P0", "always: true")) == []

    def test_by_a_script(self) -> None:
        text = session() + awareness("- {directive: DISABLE, awareness: 抗拒}", head="priority: P0\nalways: true")
        assert codes(whole(text)) == ["W256"]

    def test_what_says_nothing_of_p0_is_let_be(self) -> None:
        assert whole(self.two("awareness: [harm]", "").replace("    priority: P0\n", "")) == []


class TestSystemNames:
    def test_near_ones_are_offered(self) -> None:
        found = only(whole(session("- {type: say, content: '现在 {%tiem%}'}")))
        assert (found.code, found.line, found.column) == ("W257", 8, 42)
        assert found.mend is not None
        assert found.mend.edits[0].text == "{%time%}"

    def test_in_a_list_and_a_mapping(self) -> None:
        text = session(
            "- {type: set_var, var: a, value: {b: ['{%nothing_of_the_sort%}']}}\n- {type: say, content: '{a}'}"
        )
        assert codes(whole(text)) == ["W257"]

    def test_the_engine_knows_them(self) -> None:
        import inspect

        from heartrule.engine.tasks import prompt_context
        from heartrule.engine.variables import topic_context

        source = inspect.getsource(prompt_context) + inspect.getsource(topic_context)
        assert [name for name in sorted(KNOWN) if f'"{name}"' not in source] == []


def test_nothing_is_said_of_values_while_files_cannot_be_read() -> None:
    files = {"a.yaml": session("- {type: set_var, var: a, value: 1}"), "b.yaml": "global:\n  - {var: b, tpye: text}\n"}
    own: LoadedProject = project(files)
    assert codes(check(own, {own.id: own}.get)) == []
