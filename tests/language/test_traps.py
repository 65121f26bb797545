"""Where YAML bites: the mistake is recognised in its own line, told in words, and the rest is still checked."""

from __future__ import annotations

import pytest
from tests.language.material import SAY, at, codes, linted, loaded, only, session
from tests.table import tabled

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import applied


def told(text: str) -> list[Finding]:
    return loaded(text).findings


@pytest.mark.parametrize(("escape", "word"), [("\\ud83d", "character itself"), ("\\q", "backslash")])
def test_what_is_in_quotes_does_not_need_them(escape: str, word: str) -> None:
    found = only([each for each in told(session(f'- type: say\n  content: "{escape}"')) if each.stops])
    assert (found.code, found.line) == ("E001", 9)
    assert word in found.message.en


@tabled(
    ("line", "mended"),
    [
        ("content: {用户名}，你好", 'content: "{用户名}，你好"'),
        ("content: {用户名}", None),
        ("content: [提示] 你好", 'content: "[提示] 你好"'),
        ('content: "你好" 他说', "content: '\"你好\" 他说'"),
        ("content: '你好' 他说", "content: \"'你好' 他说\""),
        ("content: @小明", 'content: "@小明"'),
        ("content: `你好`", 'content: "`你好`"'),
        ("content: %5 的人", 'content: "%5 的人"'),
        ("content: *重要* 请看", 'content: "*重要* 请看"'),
        ("content: &提示& 请看", 'content: "&提示& 请看"'),
        ("content: > 你好", 'content: "> 你好"'),
        ("content: | 你好", 'content: "| 你好"'),
        ("content: {{用户名}}，你好", 'content: "{{用户名}}，你好"'),
        ("content: {用户名}：你好", 'content: "{用户名}：你好"'),
        ("content: {用户名}，你好  # 问候", 'content: "{用户名}，你好"'),
    ],
)
def test_values_that_need_quotes(line: str, mended: str | None) -> None:
    found = only([each for each in told(session(f"- type: say\n  {line}")) if each.stops])
    assert (found.line, found.column) == (9, 26)
    if mended is None:
        assert found.code == "E023"
    else:
        assert found.code == "E020"
        assert mended in found.hint.zh
        assert mended in found.hint.en


@pytest.mark.parametrize(
    "line",
    [
        "condition: {风险} >= 3",
        "condition: {风险} >= 3 and {年龄} < 18",
        "condition: >= 3",
        "condition: {风险} == '高'",
    ],
)
def test_conditions_with_braces(line: str) -> None:
    found = only(told(session(f"- type: say\n  {line}\n  content: 你好")))
    assert (found.code, found.line) == ("E020", 9)


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("content: 问题: 你好吗", 'content: "问题: 你好吗"'),
        ("content: 他说:", 'content: "他说:"'),
        ('content: 他说: "你好"', "content: '他说: \"你好\"'"),
        ("content: 你好: 再见: 请坐  # 注", 'content: "你好: 再见: 请坐"'),
    ],
)
def test_a_colon_inside_of_a_text(line: str, mended: str) -> None:
    found = only(told(session(f"- type: say\n  {line}")))
    assert (found.code, found.line) == ("E021", 9)
    assert mended in found.hint.zh


def test_one_key_actions_with_a_colon() -> None:
    assert at(told(session("- say: 问题: 你好吗"))) == [("W194", 8), ("E021", 8)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (session("- type: say\n  content：你好\n  id: hello"), 9),
        (session("- type: say\n  id: hello\n  content：你好"), 10),
        (session("- type：say\n  content: 你好"), 8),
        ("sessions：\n  - session: 初次会谈\n    phases: []\n", 1),
        (session(SAY, phase="goal：开场\nid: opening"), 5),
    ],
)
def test_a_full_width_colon_after_a_key(text: str, line: int) -> None:
    found = only([each for each in told(text) if each.stops])
    assert (found.code, found.line) == ("E022", line)


def test_a_full_width_colon_in_a_text_is_text() -> None:
    assert linted(session("- {type: say, content: 提示：你好}")) == []
    assert linted(session("- type: say\n  content: |\n    提示：你好\n    content：不是字段")) == []


def test_no_space_after_the_colon() -> None:
    found = only(told(session("- type: say\n  content:你好\n  id: hello")))
    assert (found.code, found.line) == ("E024", 9)
    assert "content: 你好" in found.hint.en


@pytest.mark.parametrize("name", ["信息完整", "done", "a.b"])
def test_braces_that_became_a_mapping(name: str) -> None:
    text = session(SAY, topic=f"repeat:\n  until: {{{name}}}\n  max: 3")
    found = only(told(text))
    assert (found.code, found.line) == ("E023", 8)
    assert f'"{{{name}}}"' in found.message.zh or f"{{{name}}}" in found.message.zh


@pytest.mark.parametrize("where", ["condition: {信息完整}", "done_when: {信息完整}"])
def test_conditions_that_became_mappings(where: str) -> None:
    assert codes(told(session(SAY, topic=where))) == ["E023"]


def test_double_braces_without_quotes() -> None:
    found = only(told(session("- type: say\n  content: {{用户名}}")))
    assert (found.code, found.line) == ("E023", 9)


def test_tabs() -> None:
    found = only(told(session("- type: say\n\tcontent: 你好")))
    assert (found.code, found.line) == ("E006", 9)
    assert codes(told("sessions:\n\t- session: 初次会谈\n\t  phases: []\n")) == ["E006"]


def test_a_tab_inside_of_a_text_is_text() -> None:
    assert linted(session('- {type: say, content: "你\t好"}')) == []
    assert linted(session("- type: say\n  content: |\n    甲\t乙\n    \t丙")) == []


def test_anchors_with_chinese_names() -> None:
    text = """
global:
  - {var: 甲, type: boolean, rules: [&是 {pattern: 对, value: true}]}
  - {var: 乙, type: boolean, rules: [*是]}
"""
    assert at(told(text)) == [("E025", 3)]
    assert told(text.replace("&是", "&yes").replace("*是", "*yes")) == []


def test_a_comma_within_braces() -> None:
    found = only(told(session("- {type: say, content: 你好, 请坐}")))
    assert (found.code, found.line, found.column) == ("E026", 8, 42)
    assert "请坐" in found.message.zh


@pytest.mark.parametrize(
    "line",
    [
        "- {to: end, condition: a in [1, 2]}",
        "- {to: end, condition: 'a' == 'b'}",
    ],
)
def test_a_text_within_braces_that_needs_quotes(line: str) -> None:
    found = only(told(session(SAY, topic=f"transitions:\n  {line}")))
    assert (found.code, found.line) == ("E027", 8)


def test_several_traps_are_told_at_once() -> None:
    text = session(
        """
        - type: say
          content: {用户名}，你好
        - type: say
          content: 问题: 你好吗
        - type: say
          content：再见
          id: bye
        - type: says
          content: 走了
        """
    )
    assert at(told(text)) == [("E020", 9), ("E021", 11), ("E022", 13), ("E107", 15)]


def test_what_follows_from_a_trap_is_not_told() -> None:
    text = session("- type: say\n  content: {用户名}，你好\n  contnet: 再见")
    assert at(told(text)) == [("E020", 9), ("E101", 10)]


@pytest.mark.parametrize(
    "line",
    [
        'content: "{用户名}，你好"',
        "content: '[提示] 你好'",
        "content: 你好，{用户名}",
        "content: 比例 1:2",
        "content: 见 https://example.org/a:b",
        "content: 三 > 二",
        "content: a*b*c",
        "content: 他说“你好”",
        "content: 5% 的人",
        "content: 我#你",
        "content: 你好  # 注释",
    ],
)
def test_good_lines_are_left_alone(line: str) -> None:
    text = session(f"- type: say\n  {line}", head="declare: [{var: 用户名, value: 小明}]")
    assert linted(text) == []


def test_a_list_where_a_text_is_wanted() -> None:
    found = only(told(session("- {type: say, content: [提示]}")))
    assert found.code == "E020"
    assert '"[提示]"' in found.hint.zh


@tabled(
    ("written", "code", "mended"),
    [
        (
            "{type: say, id: hi, content: 你好，{称乎}，我是。}",
            "E027",
            '{type: say, id: hi, content: "你好，{称乎}，我是。"}',
        ),
        ("{type: say, content: 选[A]或[B], id: hi}", "E027", '{type: say, content: "选[A]或[B]", id: hi}'),
        ("{type: say, content: {名}再见。}", "E027", '{type: say, content: "{名}再见。"}'),
        ("{type: say, content: 时间: 3点, 好吗}", "E027", '{type: say, content: "时间: 3点, 好吗"}'),
        ("{type: say, content: *好的}", "E027", '{type: say, content: "*好的"}'),
        ("{type: say, content: '好' 他说}", "E027", "{type: say, content: \"'好' 他说\"}"),
        (
            '{type: say, id: hi, content: "说" 你[好]}  # 注',
            "E027",
            "{type: say, id: hi, content: '\"说\" 你[好]'}  # 注",
        ),
        ("{type: say， id: hi, content: 好}", "E029", "{type: say, id: hi, content: 好}"),
        ("{type: say, id: hi， content: 好，坐}", "E029", "{type: say, id: hi, content: 好，坐}"),
        ("{type: say, id: hi, content:}", None, None),
        ("{type: say, content: 注: 好, 提示: 坐[下]}", "E027", None),
    ],
)
def test_within_braces_only_the_one_value_is_mended(written: str, code: str | None, mended: str | None) -> None:
    text = session(f"- {written}")
    found = next(each for each in linted(text) if each.stops)
    assert found.line == 8
    assert code in (None, found.code)
    if mended is None:
        assert found.mend is None
    else:
        assert found.mend is not None
        assert applied(text, found.mend.edits) == session(f"- {mended}")


def test_within_braces_within_brackets() -> None:
    text = session("- {type: ask, content: 几分？, output: [{get: 分, define: 分[1]}]}")
    found = only(told(text), "E027")
    assert found.mend is not None
    assert applied(text, found.mend.edits) == text.replace("分[1]", '"分[1]"')


@pytest.mark.parametrize("spaces", ["\u3000" * 8, "\u00a0" * 16, " " * 14 + "\u3000", "\u3000" * 16])
def test_indentation_by_other_spaces(spaces: str) -> None:
    good = session("- type: say\n  id: hi\n  content: 你好")
    text = good.replace("                id: hi", f"{spaces}id: hi")
    found = only(told(text))
    assert (found.code, found.line) == ("E030", 9)
    assert found.mend is not None
    assert applied(text, found.mend.edits) == good


def test_indentation_that_is_in_line_with_nothing_is_not_mended() -> None:
    text = session("- type: say\n  id: hi\n  content: 你好").replace("                id: hi", "\u3000id: hi")
    assert only(told(text), "E030").mend is None


def test_other_spaces_in_a_text_are_text() -> None:
    assert linted(session("- type: say\n  content: |\n    \u3000\u3000第一段\n    \u3000\u3000note: 第二段")) == []


@pytest.mark.parametrize("dash", ["－ ", "－", "— ", "–\u3000"])
def test_another_dash(dash: str) -> None:
    good = session(f"{SAY}\n- {{type: say, content: 请坐}}")
    text = good.replace("- {type: say, content: 请坐}", f"{dash}{{type: say, content: 请坐}}")
    found = only(told(text))
    assert (found.code, found.line) == ("E031", 9)
    assert found.mend is not None
    assert applied(text, found.mend.edits) == good


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (session("- type: say\n  id\n  content: 你好"), 9),
        (session(SAY).replace("- phase: 开场\n", "- phase\n        id: opening\n"), 4),
        (session("- type: say\n  content: 你好\n  ]"), 10),
        (session("- say\n  content: 你好"), 8),
    ],
)
def test_what_cannot_be_read_is_told_where_it_is(text: str, line: int) -> None:
    found = only([each for each in told(text) if each.stops])
    assert found.line == line
    assert (found.code, found.mend) == ("E001", None)


@tabled(
    ("good", "old", "new", "line"),
    [
        ("- type: say\n  id: hi\n  content: 你好", "  id: hi", " id: hi", 9),
        ("- type: say\n  id: hi\n  content: 你好", "id: hi", "  id: hi", 9),
        ("- type: say\n  content: |\n    你好", "                  你好", "你好", 10),
        (f"{SAY}\n- {{type: say, content: 再见}}", "  - {type: say, content: 再", "- {type: say, content: 再", 9),
    ],
)
def test_a_line_in_the_wrong_column(good: str, old: str, new: str, line: int) -> None:
    right = session(good)
    found = next(each for each in told(right.replace(old, new, 1)) if each.stops)
    assert (found.code, found.line) == ("E032", line)
    assert found.mend is not None
    assert not found.mend.safe
    assert not [each for each in linted(applied(right.replace(old, new, 1), found.mend.edits)) if each.stops]


def test_a_block_in_the_wrong_column() -> None:
    right = session("- {type: say, content: 你好}\n- type: ask\n  content: 怎么称呼？\n  output: [{get: 称呼}]")
    wrong = right.replace("              - type: ask", "                - type: ask")
    wrong = wrong.replace("                content: 怎", "                  content: 怎")
    wrong = wrong.replace("                output", "                  output")
    found = only(told(wrong))
    assert (found.code, found.line) == ("E032", 9)
    assert found.mend is not None
    assert applied(wrong, found.mend.edits) == right


def test_large_files_are_not_tried_again_and_again() -> None:
    text = session("- type: say\n  content: 你好\n id: hi") + "#" * 300_000
    assert codes([each for each in told(text) if each.stops]) == ["E001"]


@pytest.mark.parametrize(("line", "mended"), [("id hi", "id: hi"), ("content 你好，请坐", "content: 你好，请坐")])
def test_a_colon_that_was_forgotten(line: str, mended: str) -> None:
    text = session(f"- type: say\n  {line}\n  goal: 问候")
    found = only(told(text), "E033")
    assert found.line == 9
    assert found.mend is not None
    assert mended in applied(text, found.mend.edits)


def test_a_sign_that_begins_a_comment_within_braces() -> None:
    text = session("- {type: say, content: 你是 #1 的客人}")
    found = only(told(text))
    assert (found.code, found.line) == ("E034", 8)
    assert found.mend is not None
    assert applied(text, found.mend.edits) == session('- {type: say, content: "你是 #1 的客人"}')
    assert codes(told(text.replace("#1 的", "# 一"))) == ["E028"]


@tabled(
    ("written", "code", "mended"),
    [
        ("{type: say, id: hi content: 你好}", "E036", "{type: say, id: hi, content: 你好}"),
        ("{type: ask, content: 好？, output: [{get: 甲； define: 乙}]}", "E029", "{get: 甲, define: 乙}"),
    ],
)
def test_signs_between_keys(written: str, code: str, mended: str) -> None:
    text = session(f"- {written}")
    found = next(each for each in told(text) if each.stops)
    assert (found.code, found.line) == (code, 8)
    assert found.mend is not None
    assert mended in applied(text, found.mend.edits)


@pytest.mark.parametrize("closing", ["'", "”", "＂"])
def test_another_quotation_mark_closes_nothing(closing: str) -> None:
    good = session('- type: say\n  content: "你好，请坐"\n- type: say\n  content: 再见\n- type: say\n  content: "走好"')
    text = good.replace('请坐"', f"请坐{closing}")
    found = only(told(text))
    assert (found.code, found.line) == ("E028", 9)
    assert found.mend is not None
    assert applied(text, found.mend.edits) == good


LIST = """
              - type: say
                id: one
                content: 你好
              - type: ask
                id: two
                content: 怎么称呼？
              - type: say
                content: "再见"
"""


def of(lines: str) -> str:
    text = "sessions:\n  - session: 会谈\n    phases:\n      - phase: 开场\n        steps:\n          - topic: 问候\n"
    return f"{text}            actions:{lines}"


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("content: 你好", 'content: "你好', "E028", 10),  # the next mark stands five lines further
        ("content: 怎么称呼？", 'content: "怎么称呼？', "E028", 13),
        ("- type: say\n                id: one", "-type: say\n                id: one", "E037", 8),
        ("- type: ask", "-type: ask", "E037", 11),
        ("- type: say\n                id: one", "  type: say\n                id: one", "E038", 8),
    ],
)
def test_the_line_is_found_and_mended(old: str, new: str, code: str, line: int) -> None:
    good = of(LIST)
    found = only(told(good.replace(old, new, 1)))
    assert (found.code, found.line) == (code, line)
    assert found.mend is not None
    mended = applied(good.replace(old, new, 1), found.mend.edits)
    assert not told(mended)


def test_a_text_of_two_lines_in_quotes_is_left_alone() -> None:
    assert not told(of(LIST).replace("content: 你好", 'content: "你好，\n                  请坐"'))


@pytest.mark.parametrize(
    ("written", "mended", "safe"),
    [
        ("'Don't you nap?'", '"Don\'t you nap?"', True),
        ('"5" tall"', "'5\" tall'", True),
        ('"甲"和"乙"', '\'"甲"和"乙"\'', False),
        ("'甲'和'乙'", "\"'甲'和'乙'\"", False),
    ],
)
def test_quotation_marks_within_quotes_of_their_own(written: str, mended: str, safe: bool) -> None:
    text = session(f"- {{type: say, content: 一}}\n- type: say\n  content: {written}")
    found = only(told(text), "E020")
    assert found.mend is not None
    assert found.mend.safe is safe
    assert f"content: {mended}\n" in applied(text, found.mend.edits)


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("[{get: 甲}，{get: 乙}]", "[{get: 甲}, {get: 乙}]"),
        ("[{get: 甲}、{get: 乙} ； {get: 丙}]", "[{get: 甲}, {get: 乙}, {get: 丙}]"),
        ("[{get: 甲， define: 称呼}，{get: 乙}]", "[{get: 甲, define: 称呼}, {get: 乙}]"),
    ],
)
def test_a_wide_comma_between_items(written: str, mended: str) -> None:
    text = session(f"- type: ask\n  content: 一\n  output: {written}")
    found = only(told(text), "E029")
    assert found.mend is not None
    assert found.mend.safe
    assert f"output: {mended}\n" in applied(text, found.mend.edits)


@pytest.mark.parametrize(
    ("written", "code", "mended"),
    [
        ("{get：甲}", "E022", "{get: 甲}"),
        ("{get:甲}", "E024", "{get: 甲}"),
        ("{get：甲，define：称呼}", "E022", "{get: 甲, define: 称呼}"),
        ("{get： 甲， define： 称呼}", "E022", "{get: 甲, define: 称呼}"),
    ],
)
def test_a_colon_without_a_space_within_braces(written: str, code: str, mended: str) -> None:
    text = session(f"- {{type: ask, content: 一, output: [{written}]}}")
    found = only(told(text))
    assert found.code == code
    assert found.mend is not None
    assert mended in applied(text, found.mend.edits)


@pytest.mark.parametrize("columns", [8, 9, 11, 12])
def test_an_item_out_of_line_is_put_with_its_kind(columns: int) -> None:
    good = (
        session("- {type: say, content: 一}\n" * 14)
        + "          - topic: 再见\n            actions:\n"
        + ("              - {type: say, content: 再见}\n")
    )
    text = good.replace("          - topic: 再见", f"{' ' * columns}- topic: 再见")
    found = only([each for each in told(text) if each.code != "E007"])
    assert found.code == "E032"
    assert found.mend is not None
    assert applied(text, found.mend.edits) == good


def test_a_mark_that_is_left_open_far_above() -> None:
    good = session(
        "\n".join(f"- {{type: say, content: 第{each}句}}" for each in range(90)) + '\n- {type: say, content: "完"}'
    )
    text = good.replace("- {type: say, content: 第3句}", '- type: say\n                content: "第3句。')
    found = only(told(text))
    assert (found.code, found.line) == ("E028", 12)
