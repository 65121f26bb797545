"""What nodes read and write, whatever kind they are, and the exact place of each name."""

from __future__ import annotations

import pytest
from tests.language.material import awareness, loaded, project, session, skill
from tests.table import tabled

from heartrule.language.names import COUNTERS, Names, NameUse, Write, aliases, conditions
from heartrule.language.nodes import Action, Node


def action(text: str) -> Action:
    file = loaded(session(f"- {text}"))
    assert file.findings == []
    return file.sessions[0].phases[0].steps[0].actions[0]


def reads(node: Node) -> list[str]:
    return [each.name for each in Names().reads(node)]


def writes(node: Node) -> list[str]:
    return [each.name for each in Names().writes(node)]


CRITERION = "{variable: a, operator: '==', value: '{b}'}"


class TestReads:
    @tabled(
        ("text", "names"),
        [
            ("{type: say, content: 你好}", []),
            ("{type: say, content: '{a} 和 {b}，{a}'}", ["a", "b", "a"]),
            ("{type: say, content: '${a} {{b}} {%c%}'}", ["a", "b"]),
            ("{type: say, content: x, condition: a > b}", ["a", "b"]),
            ("{type: say, content: x, condition: '{a} > 1 and not b'}", ["a", "b"]),
            ("{type: say, content: x, condition: {judge: '{a} 好吗'}}", ["a"]),
            ("{type: say, content: x, condition: {all: [a, {any: [b, {not: c}]}]}}", ["a", "b", "c"]),
            ("{type: say, content: x, fallback: '{a}'}", ["a"]),
            ("{type: ai_say, content: '{a}', goal: '{b}', tone: '{c}', topic_content: '{d}'}", ["a", "b", "d", "c"]),
            ("{type: ai_ask, content: x, question: '{a}', exit: '{b}', follow_up: '{c}'}", ["a", "b", "c"]),
            ("{type: ask, content: x, output: [{get: a, validate: a > b}]}", ["a", "b"]),
            ("{type: ask, content: x, output: [{set: a, value: '{b}'}]}", ["b"]),
            ("{type: ask, content: x, output: [{set: a, value: {c: ['{b}', 1, null]}}]}", ["b"]),
            ("{type: ask, content: x, output: [{get: a, define: '{b}', options: ['{c}']}]}", []),
            ("{type: ai_think, content: x, input: [a, b]}", ["a", "b"]),
            ("{type: set_var, var: a, value: '{b}'}", ["b"]),
            ("{type: set_var, var: a, expr: b + c}", ["b", "c"]),
            ("{type: use_skill, skill: s, input: {a: '{b}', c: 3, '{d}': x}}", ["b"]),
            ("{type: use_skill, skill: s, for_each: {in: a, as: b}}", ["a"]),
            ("{type: user_option, var: a, choices: [{value: '{x}', label: '{b}'}]}", ["b"]),
            (f"{{type: ai_ask, content: x, exit_criteria: {{custom_conditions: [{CRITERION}]}}}}", ["a"]),
        ],
    )
    def test_of_actions(self, text: str, names: list[str]) -> None:
        assert sorted(reads(action(text))) == sorted(names)

    def test_of_topics(self) -> None:
        file = loaded(
            session(
                "- {type: say, content: '{inside}'}",
                topic="""
                goal: '{a}'
                strategy: '{b}'
                condition: c
                done_when: d
                repeat: {until: e}
                for_each: {in: f, as: g}
                transitions: [{to: end, condition: h}, {to: end}]
                declare: [{var: i, validate: i > j}]
                """,
            )
        )
        assert sorted(reads(file.sessions[0].phases[0].steps[0])) == ["a", "b", "c", "d", "e", "f", "h", "i", "j"]

    def test_of_phases_and_sessions(self) -> None:
        file = loaded(
            session(
                head="goal: '{a}'\ninstructions: '{b}'\naudience: '{no}'",
                phase="goal: '{c}'\nmilestone: '{d}'\ninstructions: '{e}'\ncondition: f",
                topic="goal: '{inside}'",
            )
        )
        assert sorted(reads(file.sessions[0])) == ["a", "b"]
        assert sorted(reads(file.sessions[0].phases[0])) == ["c", "d", "e", "f"]

    def test_of_skills(self) -> None:
        file = loaded(skill(head="goal: '{a}'\ndone_when: b\nrepeat: {until: c, max: 2}"))
        assert sorted(reads(file.skills[0])) == ["a", "b", "c"]

    def test_of_awareness(self) -> None:
        then = """
        - {directive: SET_VAR, var: a, value: '{b}'}
        - {directive: CALL_TECHNIQUE, technique: t, params: {c: '{d}'}}
        """
        node = loaded(awareness(then)).awareness[0]
        assert sorted(reads(node)) == ["b", "d"]
        assert writes(node) == ["a"]

    @pytest.mark.parametrize(
        ("name", "head", "scope"),
        [
            ("a", "a", None),
            ("a.b", "a", None),
            ("session.a", "a", "session"),
            ("topic.a.b", "a", "topic"),
            ("phase.a", "a", "phase"),
            ("global.a", "a", "global"),
            ("session", "session", None),
            ("成员.称呼", "成员", None),
        ],
    )
    def test_heads_and_scopes(self, name: str, head: str, scope: str | None) -> None:
        (read,) = Names().reads(action(f"{{type: say, content: '{{{name}}}'}}"))
        assert (read.head, read.scope) == (head, scope)

    def test_counters(self) -> None:
        own = {
            "topic.attempts",
            "action.round",
            "phase.elapsed",
            "session.elapsed",
            "phase.left",
            "topic.left",
            "session.model",
            "session.human",
            "session.leaving",
        }
        own |= {"topic.exit", "topic.suspended", "topic.completed", "topic.skipped", "topic.planned", "topic.elapsed"}
        assert (
            own
            | {f"safety.{name}" for name in ("handled", "asked", "wish", "explored", "desk", "contact", "told", "open")}
            == COUNTERS
        )


class TestPlaces:
    TEXT = session(
        """
        - type: say
          content: "好，{a}"
          condition: {all: [x, "yy > b"]}
        - type: set_var
          var: d
          value: {k: ['{e}']}
        """
    )

    def places(self) -> dict[str, tuple[int, int]]:
        own = project({"a.yaml": self.TEXT})
        found: dict[str, tuple[int, int]] = {}
        for step in next(iter(own.sessions)).phases[0].steps[0].actions:
            for read in Names().reads(step):
                place = own.within(step, read.offset, *read.keys)
                found[read.name] = (place.line, place.column)
        return found

    def test_each_is_where_it_stands(self) -> None:
        lines = self.TEXT.split("\n")
        for name, (line, column) in self.places().items():
            rest = lines[line - 1][column - 1 :]
            assert rest.startswith((name, "{" + name)), (name, rest)

    def test_all_are_found(self) -> None:
        assert set(self.places()) == {"a", "x", "yy", "b", "e"}

    def test_writes(self) -> None:
        own = project({"a.yaml": self.TEXT})
        step = next(iter(own.sessions)).phases[0].steps[0].actions[1]
        (write,) = Names().writes(step)
        place = own.at(step, *write.keys, value=True)
        assert self.TEXT.split("\n")[place.line - 1][place.column - 1 :] == "d"


class TestWrites:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("{type: say, content: '{a}'}", []),
            ("{type: ask, content: x, output: [{get: a}, {set: b, value: 1}]}", ["a", "b"]),
            ("{type: ai_ask, content: x, output: [{get: a}], tolist: b}", ["b", "a"]),
            (
                "{type: ai_think, content: x, output: [{get: a}], decide: {var: b, options: [1], default: 1}}",
                ["a", "b"],
            ),
            ("{type: set_var, var: a, value: 1}", ["a"]),
            ("{type: user_option, var: a, choices: [{value: 1, label: x}]}", ["a"]),
            ("{type: use_skill, skill: s, input: {a: 1}, output: [{get: b, set: c}]}", ["c"]),
        ],
    )
    def test_of_actions(self, text: str, names: list[str]) -> None:
        assert sorted(writes(action(text))) == sorted(names)

    def test_scopes_and_rules_come_along(self) -> None:
        (output,) = Names().writes(action("{type: ask, content: x, output: [{get: a, scope: phase, type: integer}]}"))
        assert output.scope == "phase"
        assert output.rules is not None
        assert output.rules.type == "integer"
        (assigned,) = Names().writes(action("{type: set_var, var: a, value: 1, scope: session}"))
        assert (assigned.scope, assigned.rules) == ("session", None)

    @pytest.mark.parametrize(("name", "head"), [("a", "a"), ("成员.职业", "成员"), ("session.a", "a")])
    def test_heads(self, name: str, head: str) -> None:
        (write,) = Names().writes(action(f"{{type: set_var, var: {name}, value: 1}}"))
        assert write.head == head

    def test_topics_and_phases_write_nothing(self) -> None:
        file = loaded(session("- {type: set_var, var: a, value: 1}", head="declare: [{var: b, value: 1}]"))
        phase = file.sessions[0].phases[0]
        assert writes(file.sessions[0]) == writes(phase) == writes(phase.steps[0]) == []


def test_aliases() -> None:
    assert list(aliases(action("{type: use_skill, skill: s, for_each: {in: a, as: b}}"))) == ["b"]
    assert list(aliases(action("{type: say, content: x}"))) == []


def test_conditions() -> None:
    topic = loaded(session(topic="condition: a\nrepeat: {until: b}\ntransitions: [{to: end, condition: c}]"))
    keys = [keys for keys, _ in conditions(topic.sessions[0].phases[0].steps[0])]
    assert sorted(keys, key=str) == [("condition",), ("repeat", "until"), ("transitions", 0, "condition")]


def test_each_node_is_worked_out_once() -> None:
    names, node = Names(), action("{type: say, content: '{a}'}")
    assert names.reads(node) is names.reads(node)
    assert names.writes(node) is names.writes(node)
    assert isinstance(names.reads(node)[0], NameUse)
    assert not any(isinstance(each, Write) for each in names.reads(node))
