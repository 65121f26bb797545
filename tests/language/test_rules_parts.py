"""Parts of names, what is put where, and what is read before it can be there."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, at, awareness, codes, linted, only, session

from heartrule.language.findings.mends import applied

FORM = """forms:
  - form: 睡眠
    id: nights
    fields:
      - {id: bad, label: 几晚, type: integer, required: true, range: [0, 7]}
      - {id: why, label: 为什么, type: multiple, options: [吵, 疼, 别的]}
      - {id: tired, label: 累吗, type: single, options: [{value: 0, label: 不累}, {value: 4, label: 累}]}
      - {id: hint, label: 最后一题, type: note}
      - {id: more, label: 还有什么, type: text, show_when: %(show)s}
    validate: [{check: %(check)s, message: 再看看}]
    scores:
      - {id: total, sum: [bad, tired], bands: [{from: 0, to: 5, label: 轻}, {from: 6, to: 11, label: 重}]}
    on_submit: [%(submit)s]
"""
GIVEN = {"show": "why contains '别的'", "check": "bad <= 6", "submit": '{set: 分, value: "{total}"}'}
SCORE = "global: [{var: 分, type: integer, scope: session, value: 0}]\n"
SHOWN = "- {type: show_form, form: nights}\n"


def form(**written: str) -> str:
    return FORM % {**GIVEN, **written}


def shown(actions: str, **written: str) -> str:
    return session(SHOWN + actions) + form(**written) + SCORE


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nights.total", None),
        ("nights.total.band", None),
        ("nights.bad", None),
        ("nights.total.bands", "total.bands"),
        ("nights.totl", "totl"),
        ("nights.bad.label", "bad.label"),
        ("nights.hint", "hint"),
        ("分.band", "band"),
        ("session.分.band", "band"),
        ("session.分", None),
    ],
)
def test_a_part_that_a_name_has_not(name: str, told: str | None) -> None:
    found = linted(shown(f'- {{type: say, content: "你的结果：{{{name}}}"}}'))
    assert codes(found) == (["W419"] if told else [])
    if told:
        assert f"“{told}”" in found[0].localized("zh").message


def test_a_part_of_an_object_is_one_of_its_fields_or_one_that_is_written() -> None:
    head = "declare: [{var: 人, type: object, fields: [{name: 称呼}], value: {称呼: 你}}]"
    for name, told in (("人.称呼", []), ("人.称乎", ["W419"])):
        assert codes(linted(session(f'- {{type: say, content: "{{{name}}}"}}', head=head))) == told
    wrote = "- {type: ask, content: 多大？, output: [{get: 人.年龄}]}\n- {type: say, content: '{人.年龄}'}"
    assert codes(linted(session(wrote, head=head))) == []


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("nights.bad > 7", "W253"),
        ("nights.bad > 6", None),
        ("nights.why contains '痛'", "W235"),
        ("nights.why contains '疼'", None),
        ("nights.why == '疼'", "W253"),
        ("nights.total > 11", "W253"),
        ("nights.total.band == '中'", "W235"),
        ("nights.total.band == '重'", None),
        ("nights.tired == 2", "W235"),
        ("nights.bad >= 0", "W415"),
    ],
)
def test_a_condition_on_what_a_form_left(condition: str, code: str | None) -> None:
    found = linted(shown(f'- {{type: say, content: 好, condition: "{condition}"}}'))
    assert codes(found) == ([code] if code else [])


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"check": "bad > 7"}, [("W253", 10)]),
        ({"check": "bad <= 7"}, []),
        ({"check": "bad > 3 and bad < 2"}, [("W415", 10)]),
        ({"check": "why contains '痛'"}, [("W235", 10)]),
        ({"check": "tired <= 4 or bad > 9"}, [("W253", 10)]),
        ({"show": "why contains '其他'"}, [("W292", 9)]),
        ({"show": "why == '别的'"}, [("W292", 9)]),
        ({"show": "bad >= 0"}, [("W415", 9)]),
        ({"show": "len(why) >= 3"}, []),
        ({"show": "len(why) > 3"}, [("W292", 9)]),
        ({"show": "hint"}, [("W292", 9)]),
    ],
)
def test_what_a_form_asks_of_its_answers(written: dict[str, str], told: list[tuple[str, int]]) -> None:
    assert at(linted(form(**written) + SCORE)) == told


def test_the_option_that_was_meant() -> None:
    found = only(linted(form(show="why contains '别'") + SCORE), "W292")
    assert found.mend is not None
    assert found.mend.edits[0].text == "'别的'"


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        ("integer", "{total}", False),
        ("integer", "{total.band}", True),
        ("text", "{total.band}", False),
        ("enum, options: [轻, 重]", "{total.band}", False),
        ("enum, options: [轻, 中]", "{total.band}", True),
        ("integer, range: [0, 10]", "{total}", True),
        ("integer, range: [0, 11]", "{total}", False),
        ("list", "{why}", False),
        ("integer", "{why}", True),
        ("integer", "{tired.label}", True),
        ("integer", "共{total}分", False),
        ("boolean", "好", True),
    ],
)
def test_what_a_form_sets_is_kept(kind: str, value: str, told: bool) -> None:
    text = form(submit=f'{{set: 分, value: "{value}"}}') + f"global: [{{var: 分, type: {kind}, scope: session}}]\n"
    assert codes(linted(text)) == (["W420"] if told else [])


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ("bad: 3", None),
        ("bad: 9", "W420"),
        ("bat: 3", "W419"),
        ("why: [吵]", None),
        ("why: [闹]", "W420"),
        ("tired: 4", None),
        ("tired: 累", "W420"),
        ('more: "{分}"', None),
        ('why: "{分}"', "W420"),
    ],
)
def test_what_is_filled_in_already(values: str, code: str | None) -> None:
    action = f"- {{type: show_form, form: nights, mode: view, values: {{{values}}}}}"
    assert codes(linted(session(action) + form() + SCORE)) == ([code] if code else [])


LATER = """skills:
  - skill: 换个说法
    id: other_words
    returns: [说法]
    actions:
      - {type: ask, content: 还可以怎么说？, output: [{get: 说法, type: text, define: 说法}]}
sessions:
  - session: 初次会谈
    declare: [{var: 新, type: text, define: 新说法}]
    phases:
      - phase: 一
        steps:
          - topic: 甲
            actions:
              - {type: use_skill, skill: other_words, %s output: [{get: 说法, set: 新}]}
              - {type: say, content: "%s"}
          - topic: 乙
            actions: [{type: say, content: "%s"}]
      - phase: 二
        steps:
          - topic: 丙
            actions: [{type: say, content: "%s"}]
"""


@pytest.mark.parametrize(
    ("timing", "where", "told"),
    [
        ("", 0, False),
        ("timing: now,", 0, False),
        ("timing: after_topic,", 0, True),
        ("timing: after_topic,", 1, False),
        ("timing: after_phase,", 0, True),
        ("timing: after_phase,", 1, True),
        ("timing: after_phase,", 2, False),
        ("timing: before_topic, to: 乙,", 0, True),
        ("timing: before_topic, to: 乙,", 1, False),
    ],
)
def test_the_result_of_what_is_put_off(timing: str, where: int, told: bool) -> None:
    said = ["好", "好", "好"]
    said[where] = "{新}"
    assert [each.line for each in linted(LATER % (timing, *said))] == ([(16, 18, 22)[where]] if told else [])


@pytest.mark.parametrize(
    ("hit", "miss", "told"),
    [("随便吧", "随便吧", True), ("随便吧", "随便吧。", True), ("随便吧", "我想想", False)],
)
def test_an_example_of_both(hit: str, miss: str, told: bool) -> None:
    judge = f"不想谈, examples: {{hit: [{hit}], miss: [{miss}]}}"
    assert codes(linted(awareness("- {directive: FEEDBACK, text: 慢}", judge=judge))) == (["W422"] if told else [])


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("explicit: [{reason: 甲, pattern: 疼}]", "watch: [{reason: 乙, pattern: 疼}]", True),
        ("explicit: [{reason: 甲, pattern: [痛, 疼]}]", "watch: [{reason: 乙, pattern: 疼}]", True),
        ("explicit: [{reason: 甲, pattern: 疼}]", "graver: [{reason: 乙, pattern: 疼}]", False),
        ("explicit: [{reason: 甲, pattern: 疼}]", "watch: [{reason: 乙, pattern: 痛}]", False),
        ("explicit: [{reason: 甲, pattern: 疼, unless: 疼}]", "watch: []", True),
        ("explicit: [{reason: 甲, pattern: 疼, match: [很疼], pass: [很疼]}]", "watch: []", True),
    ],
)
def test_a_pattern_of_both(one: str, other: str, told: bool) -> None:
    text = awareness("- {directive: FEEDBACK, text: 慢}", judge=f"很难受, rules: {{{one}, {other}}}")
    assert ("W422" in codes(linted(text))) is told


@pytest.mark.parametrize(("name", "told"), [("家人", True), ("某人", False), ("分", True)])
def test_items_that_are_called_as_their_list(name: str, told: bool) -> None:
    text = session(
        f"- {{type: say, content: '{{{name}.称呼}}'}}",
        topic=f"for_each: {{in: 家人, as: {name}}}",
        head="declare: [{var: 家人, type: list, fields: [{name: 称呼}], value: []}]",
    )
    assert ("W423" in codes(linted(text + SCORE))) is told


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("{set: 称呼}", True),
        ("{set: 称呼, value: 你}", False),
        ("{set: 称呼, value: null}", False),
        ("{get: 称呼, define: 怎么称呼}", False),
    ],
)
def test_nothing_is_set(output: str, told: bool) -> None:
    found = linted(session(f"- {{type: ask, content: 怎么称呼？, output: [{output}]}}"))
    assert codes(found) == (["W274"] if told else [])
    assert not told or (found[0].mend is not None and found[0].mend.edits[0].text == "get")


@pytest.mark.parametrize(
    ("given", "mended"),
    [
        ("input: {句子: 句}", "input: {句子: '{句}'}"),
        ("input: {句子: {句}}", 'input: {句子: "{句}"}'),
        ("input: {句子: 一句话}", None),
        ('input: {句子: "{句}"}', None),
    ],
)
def test_a_name_that_is_given_on_as_a_word(given: str, mended: str | None) -> None:
    called = "skills: [{skill: 看, id: look, parameters: [{name: 句子, required: true}], actions: %s}]\n"
    text = session(f"- {{type: use_skill, skill: look, {given}}}", head="declare: [{var: 句, type: text, value: 好}]")
    text += called % "[{type: say, content: '{句子}'}]"
    found = linted(text)
    assert codes(found) == (["W431"] if mended else [])
    if mended:
        assert found[0].mend is not None
        made = applied(text, found[0].mend.edits)
        assert mended in made or mended.replace("'", '"') in made


@pytest.mark.parametrize(
    ("value", "told"), [("total", True), ("total.band", True), ("七", False), ("'{total}'", False)]
)
def test_a_score_that_is_set_as_a_word(value: str, told: bool) -> None:
    text = form(submit=f"{{set: 分, value: {value}}}") + "global: [{var: 分, type: text, scope: session}]\n"
    assert codes(linted(text)) == (["W431"] if told else [])


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("{称呼}你好", False),
        ("{{称呼}}你好", False),
        ("{{称呼}你好", True),
        ("{称呼}}你好", True),
        ("{某。称呼}", False),
    ],
)
def test_braces_that_do_not_match(written: str, told: bool) -> None:
    text = session(f'- {{type: say, content: "{written}"}}', head="declare: [{var: 称呼, type: text, value: 你}]")
    assert ("W431" in codes(linted(text))) is told


LIST = "declare: [{var: 家人, type: list, fields: [{name: 称呼}, {name: 年龄}], value: []}]"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("某人.年龄", None),
        ("年龄", "W431"),
        ("家人.年龄", "W419"),
        ("那个.年龄", "W419"),
        ("别的", None),
    ],
)
def test_what_is_written_while_a_list_is_gone_through(written: str, code: str | None) -> None:
    action = f"- {{type: ask, content: '{{某人.称呼}}多大？', output: [{{get: {written}, define: 多大}}]}}"
    found = linted(session(action, head=LIST, topic="for_each: {in: 家人, as: 某人}"))
    assert codes(found) == ([code] if code else [])


def test_a_stop_that_is_no_dot() -> None:
    action = '- {type: say, content: "{某人。称呼}你好"}'
    found = only(linted(session(action, head=LIST, topic="for_each: {in: 家人, as: 某人}")))
    assert found.code == "W431"
    assert found.mend is not None
    assert found.mend.edits[0].text == "{某人.称呼}"


@pytest.mark.parametrize(
    ("condition", "told"), [("exists('名')", True), ("exists(名)", False), ("len('名') > 1", True)]
)
def test_a_name_in_quotes_within_a_function(condition: str, told: bool) -> None:
    text = session(
        f'- {{type: say, content: 好, condition: "{condition} and 名 != 5"}}',
        head="declare: [{var: 名, type: text, define: 名}]",
    )
    assert ("W415" in codes(linted(text))) is told


@pytest.mark.parametrize(("name", "told"), [("分", False), ("份", True), ("topic.attempts", False), ("某处", True)])
def test_what_awareness_looks_at(name: str, told: bool) -> None:
    text = session() + SCORE + awareness(head="always: true\npriority: P1\nat: [topic_end]")
    text = text.replace("{judge: 来访者是否在抗拒}", f"{name} >= 9")
    assert ("W210" in codes(linted(text))) is told


@pytest.mark.parametrize(("condition", "told"), [("有 == '是'", True), ("有 == true", False), ("分 > 20", True)])
def test_what_a_variable_waits_for_and_never_is(condition: str, told: bool) -> None:
    text = f"""global:
  - {{var: 有, type: boolean, value: true}}
  - {{var: 分, type: integer, range: [0, 10], value: 3}}
  - {{var: 多久, type: text, define: 多久, depends_on: [{{var: 有, condition: "{condition}"}}]}}
"""
    assert codes(linted(text)) == (["W253"] if told else [])


def test_fields_and_summands_that_are_named_twice() -> None:
    assert codes(linted("global: [{var: 家人, type: list, fields: [{name: 称呼}, {name: 称呼}]}]\n")) == ["E201"]
    twice = form().replace("sum: [bad, tired]", "sum: [bad, bad]") + SCORE
    assert "E201" in codes(linted(twice))


@pytest.mark.parametrize(
    ("field", "condition", "told"), [("bad", "bad > 5", False), ("tired", "bad > 5", True), ("bad", "total > 5", False)]
)
def test_what_looks_at_another_answer(field: str, condition: str, told: bool) -> None:
    order = f"    on_answer: [{{field: {field}, if: {condition}, directive: SUSPEND_CURRENT}}]\n"
    assert codes(linted(form() + order + SCORE)) == (["W432"] if told else [])


def test_a_range_of_a_field_the_wrong_way_round_breaks_nothing() -> None:
    assert "E294" in codes(linted(form().replace("[0, 7]", "[7, 0]") + SCORE))


@pytest.mark.parametrize("condition", ["nights.total > 50", "nights.total.band == '中'", "nights.bad >= 9"])
def test_a_phase_that_looks_at_what_a_form_left(condition: str) -> None:
    second = (
        f"      - phase: 二\n        condition: {condition}\n        steps: [{{topic: 乙, actions: [{SAY[2:]}]}}]\n"
    )
    found = codes(linted(session(SHOWN) + second + form() + SCORE))
    assert found in (["W253"], ["W235"])


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("你好<称呼>", True),
        ("你好%称呼%", True),
        ("你好[称呼]", True),
        ("你好$称呼", True),
        ("你好${称呼}", False),
        ("你好[朋友]", False),
        ("你好<b>", False),
        ("占 50%称呼", False),
    ],
)
def test_the_signs_of_other_engines(written: str, told: bool) -> None:
    text = session(f'- {{type: say, content: "{written}"}}', head="declare: [{var: 称呼, type: text, value: 你}]")
    assert codes(linted(text)) == (["W431"] if told else [])


def test_a_field_of_a_list_is_no_value() -> None:
    text = session('- {type: say, content: "{家人.称呼}"}', head=LIST)
    assert codes(linted(text)) == ["W419"]


@pytest.mark.parametrize(("expr", "told"), [("分 - 类", True), ("分 - 分", False), ("分 * 有", True)])
def test_what_cannot_be_calculated_with(expr: str, told: bool) -> None:
    head = "declare: [{var: 类, type: enum, options: [甲, 乙], value: 甲}, {var: 有, type: boolean, value: true}]"
    text = session(f"- {{type: set_var, var: 分, expr: {expr}}}", head=head) + SCORE
    assert codes(linted(text)) == (["W420"] if told else [])


def test_free_text_is_no_number() -> None:
    text = form(submit='{set: 分, value: "{more}"}') + "global: [{var: 分, type: integer, scope: session}]\n"
    assert codes(linted(text)) == ["W420"]


def test_the_texts_of_awareness_hold_names_that_there_are() -> None:
    order = '- {directive: FEEDBACK, text: "接住{%s}。"}'
    head = "always: true\npriority: P1\nat: [topic_end]"
    for name, told in (("分", []), ("份", ["W211"])):
        assert codes(linted(session() + SCORE + awareness(order % name, head=head))) == told


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("options: [甲, 乙]", False),
        ("options: [甲, 乙, 甲]", True),
        ("rules: [{keywords: {1: [少, 不多], 2: [多]}}]", False),
        ("rules: [{keywords: {1: [少, 多], 2: [多]}}]", True),
    ],
)
def test_what_is_written_twice(rules: str, told: bool) -> None:
    text = f"global: [{{var: 类, type: text, define: 哪一类, {rules}}}]\n"
    assert codes(linted(text)) == (["W433"] if told else [])
