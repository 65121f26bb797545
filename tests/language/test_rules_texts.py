"""What is written and comes to nothing: empty texts, names in braces, fields that items do not have, rules without
effect, declarations without use."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, at, awareness, linted, linted_whole, only, project, session, skill
from tests.table import tabled

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import applied
from heartrule.language.linting.rules import check

FAMILY = """global:
  - var: 家人
    type: list
    scope: session
    update: merge_unique
    key: 称呼
    fields:
      - {name: 称呼}
      - {name: 关系, type: enum, options: [亲近, 疏远]}
      - {name: 年龄, type: integer}
"""


def found(text: str, code: str) -> list[Finding]:
    """Those of a code; a mend of one makes it go and brings nothing."""
    told = linted_whole(text)
    chosen = [each for each in told if each.code == code]
    for each in chosen:
        if each.mend is not None:
            after = linted_whole(applied(text, each.mend.edits))
            assert len(after) < len(told), [str(one) for one in after]
    return chosen


def looped(action: str, each: str = "{in: 家人, as: 成员, key: 称呼}") -> str:
    """A topic for each of the family, behind one that asks who they are."""
    text = session(f"- {{type: ask, content: 家里有谁？, output: [{{get: 家人}}]}}\n{SAY}")
    after = f"          - topic: 家人\n            for_each: {each}\n            actions:\n              {action}\n"
    return FAMILY + text + after


@tabled(
    ("action", "line"),
    [
        ('- {type: say, content: ""}', 8),
        ('- {type: say, content: "  "}', 8),
        ('- {type: ai_ask, content: 问, question: 好吗？, follow_up: ""}', 8),
        ("- type: say\n  content: 你好\n  condition:", 10),
        ("- type: say\n  id:\n  content: 你好", 9),
        ("- type: user_option\n  var: 选\n  choices:\n    - {value: a, label: ''}", 11),
        ("- {type: set_var, var: 甲, value: null}", None),
        ("- {type: say, content: 你好}", None),
    ],
)
def test_nothing_behind_a_key(action: str, line: int | None) -> None:
    assert [each.line for each in found(session(action), "W401")] == ([] if line is None else [line])


@pytest.mark.parametrize(("actions", "told"), [("[]", 1), ("[{type: say, content: 好}]", 0)])
def test_no_actions(actions: str, told: int) -> None:
    text = session().replace("            actions:\n              - {type: say, content: 你好}\n", "")
    assert len(found(f"{text}            actions: {actions}\n", "W402")) == told
    assert len(found(f"skills:\n  - skill: 呼吸\n    actions: {actions}\n", "W402")) == told


@tabled(
    ("action", "name"),
    [
        ('- {type: say, content: "说说{成员.称呼}吧"}', None),
        ('- {type: say, content: "说说{成员}吧"}', None),
        ('- {type: say, content: "说说{成员.称乎}吧"}', "称乎"),
        ("- {type: say, content: 好, condition: 成员.职位 == 1}", "职位"),
        ("- {type: ask, content: 好吗？, output: [{get: 成员.关糸}]}", "关糸"),
        ("- {type: ask, content: 做什么？, output: [{get: 成员.职业}]}", "职业"),
    ],
)
def test_fields_of_items(action: str, name: str | None) -> None:
    told = found(looped(action), "W403")
    assert [each.localized("zh").message.split("“")[1][:2] for each in told] == ([] if name is None else [name])
    assert all(each.line == 23 for each in told)


def test_a_field_that_an_answer_adds_may_be_read() -> None:
    asked = "- {type: ask, content: 做什么？, output: [{get: 成员.职业}]}"
    told = '- {type: say, content: "{成员.职业}"}'
    assert found(looped(f"{asked}\n              {told}"), "W403") == []


@tabled(
    ("text", "line"),
    [
        (looped(SAY, "{in: 家人, as: 成员, key: 名字}"), 21),
        (FAMILY.replace("key: 称呼", "key: 姓名") + session(), 6),
        (looped("- {type: use_skill, skill: 呼吸, for_each: {in: 家人, as: 人, key: 名}}"), 23),
        (looped(SAY), None),
    ],
)
def test_keys_of_items(text: str, line: int | None) -> None:
    assert [each.line for each in found(text, "W403")] == ([] if line is None else [line])


@tabled(
    ("condition", "code"),
    [
        ("成员.关系 == '疏远'", None),
        ("成员.关系 == '很疏远'", "W235"),
        ("成员.年龄 == '老'", "W253"),
        ("成员.年龄 > 60", None),
        ("成员.称呼 == '妈妈'", None),
    ],
)
def test_what_a_field_may_be(condition: str, code: str | None) -> None:
    told = linted(looped(f'- {{type: say, content: 好, condition: "{condition}"}}'))
    assert [each.code for each in told] == ([code] if code else [])


@pytest.mark.parametrize(("kind", "told"), [("text", 1), ("integer", 1), ("list", 0), ("text, update: append", 0)])
def test_what_is_gone_through_is_a_list(kind: str, told: int) -> None:
    asked = "- {type: ask, content: 说说, output: [{get: 甲}]}"
    text = f"global:\n  - {{var: 甲, type: {kind}, scope: session}}\n" + session(
        asked + "\n- {type: use_skill, skill: 呼吸练习, for_each: {in: 甲, as: 乙}}"
    )
    assert len(found(text + skill(), "W404")) == told


@tabled(
    ("rules", "told"),
    [
        ("type: integer, update: merge_unique", True),
        ("type: enum, options: [a], update: append", True),
        ("type: list, update: merge_unique, fields: [{name: 称呼}]", True),
        ("type: list, update: merge_unique, key: 称呼, fields: [{name: 称呼}]", False),
        ("type: list, update: merge_unique", False),
        ("type: text, update: append", False),
        ("type: object, update: merge_unique, fields: [{name: 称呼}]", False),
    ],
)
def test_how_values_are_put_together(rules: str, told: bool) -> None:
    text = session(f"- {{type: ask, content: 说说, output: [{{get: 甲, {rules}}}]}}")
    assert [each.line for each in found(text, "W405")] == ([8] if told else [])


@tabled(
    ("head", "actions", "told"),
    [
        ("returns: [感受]", "- {type: ask, content: 怎么样？, output: [{get: 感受}]}", 0),
        ("returns: [感受]", "- {type: ask, content: 怎么样？, output: [{get: 感觉}]}", 1),
        ("returns: [感受, 心跳]", "- {type: set_var, var: 感受, value: 好}", 1),
        ("returns: [次数]\nparameters: [{name: 次数}]", SAY, 0),
        ("returns: [好]\ndeclare: [{var: 好, value: 1}]", SAY, 0),
        ("returns: [好]", "- {type: parallel_actions, actions: [{type: set_var, var: 好, value: 1}]}", 0),
    ],
)
def test_what_a_skill_returns(head: str, actions: str, told: int) -> None:
    assert len(found(skill(actions, head=head), "W406")) == told


@tabled(
    ("rules", "key"),
    [
        ("type: boolean, min_length: 2", "min_length"),
        ("type: integer, pattern: a", "pattern"),
        ("type: text, fields: [{name: a}]", "fields"),
        ("type: boolean, options: [也许, 从不]", "options"),
        ("type: integer, options: [1, 2]", None),
        ("type: text, min_length: 2, pattern: a", None),
        ("type: list, min_length: 2", None),
        ("min_length: 2", None),
    ],
)
def test_rules_without_effect(rules: str, key: str | None) -> None:
    text = session(f"- {{type: ask, content: 说说, output: [{{get: 甲, {rules}}}]}}")
    told = found(text, "W407")
    assert [key in each.message.en for each in told if key] == ([True] if key else [])
    assert bool(told) == (key is not None)


@tabled(
    ("action", "mended"),
    [
        ('- {type: ask, content: 好？, output: [{get: "{甲}"}]}', 'get: "甲"}'),
        ('- {type: set_var, var: "{{甲}}", value: 1}', 'var: "甲",'),
        ("- {type: set_var, var: 甲, value: 1}", None),
    ],
)
def test_names_in_braces(action: str, mended: str | None) -> None:
    text = session(action)
    told = found(text, "E408")
    assert len(told) == (mended is not None)
    for each in told:
        assert each.mend is not None
        assert str(mended) in applied(text, each.mend.edits)


@tabled(
    ("locale", "mended"),
    [
        ("zh-CN", None),
        ("en", None),
        ("zh-Hant-TW", None),
        ("yue", None),
        ("chinese", "zh-CN"),
        ("en_us", "en-US"),
        ("zh_CN", "zh-CN"),
        ("cn", "zh-CN"),
        ("zh_hans_cn", "zh-Hans-CN"),
        ("chinesse", ""),
    ],
)
def test_locales(locale: str, mended: str | None) -> None:
    text = session(head=f"locale: {locale}")
    told = found(text, "W409")
    assert len(told) == (mended is not None)
    for each in told:
        assert (each.mend is None) == (mended == "")
        if each.mend is not None:
            assert f"locale: {mended}\n" in applied(text, each.mend.edits)


def test_the_locale_of_a_project() -> None:
    own = project({"project.yaml": "id: p\nlocale: english\n", "a.yaml": session()})
    assert [each.line for each in check(own, {"p": own}.get) if each.code == "W409"] == [2]


@tabled(
    ("get", "more", "told"),
    [
        ("强渡", "", True),
        ("强度", "", False),
        ("天气", "", False),
        ("强渡", '- {type: say, content: "{强渡}"}', False),
        ("强渡", "- {type: ask, content: 再问, output: [{get: 强度}]}", False),
    ],
)
def test_a_slip_in_what_is_got(get: str, more: str, told: bool) -> None:
    text = "global:\n  - {var: 强度, type: integer, scope: session}\n" + session(
        f"- {{type: ask, content: 多强？, output: [{{get: {get}}}]}}\n{more}"
    )
    assert len(found(text, "W410")) == told


@tabled(
    ("content", "mended"),
    [
        ("你好，｛称呼｝。", "你好，{称呼}。"),
        ("你好，{称呼｝。", "你好，{称呼}。"),
        ("｛称呼｝，你好", None),
        ("你好，{称呼}。", ""),
    ],
)
def test_full_width_braces(content: str, mended: str | None) -> None:
    text = session(f"- {{type: ask, content: 怎么称呼？, output: [{{get: 称呼}}]}}\n- type: say\n  content: {content}")
    told = [each for each in linted(text) if each.code == "W411"]
    assert len(told) == (mended != "")
    for each in told:
        assert (each.mend is None) == (mended is None)
        if each.mend is not None:
            assert f"content: {mended}" in applied(text, each.mend.edits)


@tabled(
    ("variable", "actions", "told"),
    [
        ("{var: 备注}", SAY, 1),
        ("{var: 备注, value: 好}", SAY, 0),
        ("{var: 备注, listen: {mode: passive}}", SAY, 0),
        ("{var: 备注}", "- {type: ask, content: 说, output: [{get: 备注}]}", 0),
        ("{var: 备注}", '- {type: say, content: "{备注}"}', 0),
    ],
)
def test_declared_and_not_used(variable: str, actions: str, told: int) -> None:
    assert len(found(session(actions, head=f"declare: [{variable}]"), "W412")) == told
    assert found(f"global:\n  - {variable}\n", "W412") == []


@tabled(
    ("content", "rest"),
    [
        ("你是 #1 的客人", "#1 的客人"),
        ("你是  # 注释", None),
        ("你是 # 注释", None),
        ("你是#1", None),
        ("你是 #（以后再写）", None),
        ('"你是 #1"', None),
    ],
)
def test_a_text_that_is_cut_off(content: str, rest: str | None) -> None:
    text = session(f"- type: say\n  content: {content}")
    told = found(text, "W035")
    assert len(told) == (rest is not None)
    for each in told:
        assert each.mend is not None
        assert f'content: "{content}"' in applied(text, each.mend.edits)


def test_validate_of_a_shared_variable() -> None:
    text = "global:\n  - {var: 强度, type: integer, scope: session, validate: 情绪 <= 10, value: 1}\n" + session()
    assert at(linted(text)) == [("W210", 2)]
    assert linted(text.replace("情绪 <=", "强度 <=")) == []


@pytest.mark.parametrize(
    ("condition", "mended"),
    [("求助 == '想请人'", "求助 == 'want'"), ("焦虑 == '否'", "焦虑 == false"), ("焦虑 == '也许'", None)],
)
def test_labels_and_words_for_truths(condition: str, mended: str | None) -> None:
    text = session(
        "- {type: user_option, var: 求助, choices: [{value: want, label: 想请人}, {value: no_one, label: 不用}]}\n"
        "- {type: ask, content: 焦虑吗？, output: [{get: 焦虑}]}\n"
        f"- {{type: say, content: 好, condition: \"{condition}\"}}",
        head="declare: [{var: 焦虑, type: boolean}]",
    )  # fmt: skip
    told = only(linted(text))
    assert (told.mend is None) == (mended is None)
    if told.mend is not None:
        assert f'condition: "{mended}"' in applied(text, told.mend.edits)


def test_a_sum_that_leaves_out_a_question_of_its_bands() -> None:
    options = "[{value: 0, label: 无}, {value: 3, label: 有}]"
    form = (
        "forms:\n  - form: 量表\n    id: f\n    fields:\n"
        f"      - {{id: a, label: 甲, type: single, options: {options}}}\n"
        f"      - {{id: b, label: 乙, type: single, options: {options}}}\n"
        "    scores:\n      - {id: t, sum: [a], bands: [{from: 0, to: 6, label: 轻}]}\n"
    )
    assert at(linted(form)) == [("W284", 8), ("W288", 8)]
    assert linted(form.replace("sum: [a]", "sum: [a, b]")) == []
    assert linted(form.replace("to: 6", "to: 3")) == []


@tabled(
    ("action", "code"),
    [
        ("{type: set_var, var: 甲}", "W274"),
        ("{type: set_var, var: 甲, value: null}", None),
        ("{type: set_var, var: 甲, value: 1, expr: 1 + 1}", "W413"),
        ("{type: set_var, var: 甲, expr: 1 + 1}", None),
    ],
)
def test_what_a_name_is_set_to(action: str, code: str | None) -> None:
    told = linted(session(f"- {action}"))
    assert [each.code for each in told] == ([code] if code else [])


@pytest.mark.parametrize(("value", "told"), [("", 1), (", value: null", 0), (", value: 3", 0)])
def test_what_awareness_sets_it_to(value: str, told: int) -> None:
    text = session() + awareness(f"- {{directive: SET_VAR, var: 甲{value}}}")
    assert len(found(text, "W274")) == told


@pytest.mark.parametrize(("named", "mended"), [("first", None), ("frist", "first"), ("别的", "")])
def test_translations_of_nothing(named: str, mended: str | None) -> None:
    other = session(head=f"id: second\nlocale: en\ntranslation_of: {named}", name="First").replace("sessions:\n", "")
    text = session(head="id: first") + other
    told = found(text, "W414")
    assert len(told) == (mended is not None)
    for each in told:
        assert (each.mend is None) == (mended == "")
        if each.mend is not None:
            assert f"translation_of: {mended}" in applied(text, each.mend.edits)


def test_an_option_with_a_backslash_is_offered_as_it_is() -> None:
    head = "declare: [{var: 甲, type: enum, options: ['a\\Bcde']}]"
    text = session(
        "- {type: ask, content: 哪个？, output: [{get: 甲}]}\n- {type: say, content: 好, condition: \"甲 == 'aBcde'\"}",
        head=head,
    )
    found = only(linted(text), "W235")
    assert found.mend is not None
    assert "甲 == 'a\\Bcde'" in applied(text, found.mend.edits)


def test_a_type_that_is_a_list_is_no_type() -> None:
    assert [each.code for each in linted("global:\n  - {var: 甲, type: [text]}\n")] == ["E104"]
