"""Texts that other spellings move elsewhere: each means what it meant, to the last blank, and keeps its comments."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.material import ACTIONS, codes, linted, loaded

from heartrule.language.formatting import formatted
from heartrule.language.yaml import parse

HEAD = "sessions:\n- session: 会谈\n  phases:\n  - phase: 开场\n    steps:\n    - topic: 问候\n      actions:\n"


def session(text: str) -> str:
    """With these actions, each line as it is."""
    return HEAD + "".join(f"      {line}\n" if line else "\n" for line in text.split("\n"))


def rewritten(text: str) -> str:
    """In our spelling, which a second run leaves alone."""
    after, errors = formatted(text.encode(), "a", ACTIONS)
    assert errors == [], text
    assert formatted(after, "a", ACTIONS)[0] == after
    return after.decode()


def actions(text: str) -> list[dict[str, Any]]:
    after = rewritten(session(text))
    parsed = parse(after, "a")
    assert parsed.findings == [], after
    found = parsed.documents[0]["sessions"][0]["phases"][0]["steps"][0]["actions"]
    assert isinstance(found, list)
    return found


def labels(text: str) -> list[str]:
    return [each["label"] for action in actions(text) for each in action.get("choices", ())]


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("|\n    # 一级标题", "# 一级标题\n"),
        ("|\n    再想想\n    再说", "再想想\n再说\n"),
        ("|2\n      缩进\n    第二行", "  缩进\n第二行\n"),
        ("|+2\n       好\n\n", "   好\n\n\n\n"),
        (">-\n    好\n    的", "好 的"),
        ("&x 甲", "甲"),
    ],
)
@pytest.mark.parametrize("key", ["A", "A ", "'A'"])
def test_a_choice_s_label_moves_with_its_key(key: str, label: str, meant: str) -> None:
    held = f"{key}: {label}\n".replace("\n", "\n  ").rstrip(" ")
    if "+" not in label:
        assert labels(f"- type: user_option\n  var: 选了\n  choices:\n    {held}") == [meant]
        assert labels(f"- user_option:\n    {held}") == [meant]
    assert labels(f"- type: user_option\n  var: 选了\n  choices:\n  - {held}") == [meant]


def test_a_block_that_a_call_gives_is_moved_out_with_all_its_lines() -> None:
    given = "- set: 甲\n      value: |2\n            深\n        浅\n       # 说明\n    - {set: 乙, value: 二}"
    text = f"- call: 技能\n  input:\n    {given}"
    (made,) = actions(text)
    assert made["input"] == {"甲": "    深\n浅\n", "乙": "二"}
    assert "# 说明" in rewritten(session(text))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("content: |\n      一\n    \n      二", "一\n\n二\n"),
        ("content: |\n      一\n          \n      二", "一\n    \n二\n"),
        ("content: |-\n      一\n      二  ", "一\n二  "),
        ("content: |+\n      一\n\n\n", "一\n\n\n\n"),
        ("content: '一\n\n      二'", "一\n二"),
    ],
)
def test_blank_lines_and_blanks_of_a_moved_text_are_what_they_were(written: str, meant: str) -> None:
    (made, *_) = actions(f"- action_type: say\n  config:\n    {written}\n- say: 再见")
    assert made["content"] == meant


@pytest.mark.parametrize(
    ("prompt", "meant"),
    [
        ("|-\n    只留名字", "只留名字"),
        ("|\n    只留名字\n    别的不要  ", "只留名字\n别的不要  \n"),
        ("|+\n    只留名字\n\n", "只留名字\n\n\n"),
        ("'只留\n    名字'", "只留 名字"),
    ],
)
@pytest.mark.parametrize("between", ["", "\n", "      # 深的说明\n", "# 浅的说明\n"])
@pytest.mark.parametrize("first", [True, False])
def test_an_extraction_prompt_moves_to_its_variable(prompt: str, meant: str, between: str, first: bool) -> None:
    both = [f"extraction_prompt: {prompt}\n", f"extract_to: 名字\n{between}"]
    text = "- ask: 叫什么\n  " + "  ".join(both if first else both[::-1]) + "- say: 好"
    asked, said = actions(text)
    assert asked["output"] == [{"get": "名字", "define": meant}]
    assert said["content"] == "好"
    assert rewritten(session(text)).count("说明") == between.count("说明")


@pytest.mark.parametrize(
    ("rest", "comments"),
    [
        ('prompt_template: "第一行\\n\\\n    第二行\\n"\n      # 这是评论', 1),
        ("prompt_template: |  # 提示\n    第一行\n    第二行", 1),
        ("prompt_template: |+\n    第一行\n    第二行\n", 0),
        ('prompt_template: "第一行\\n第二行\\n"  # 行末', 1),
    ],
)
def test_what_is_thought_about_becomes_the_first_line(rest: str, comments: int) -> None:
    text = f"- type: think\n  think_goal: |  # 目标\n    找出情绪\n  {rest}\n  output: [{{get: 情绪}}]"
    (made,) = actions(text)
    assert made["content"].rstrip("\n") == "找出情绪\n第一行\n第二行"
    assert rewritten(session(text)).count("#") == session(text).count("#") == comments + 1


def test_a_text_that_others_call_is_written_where_the_first_of_them_does() -> None:
    first, second, third = actions(
        "- think_goal: 找情绪\n  prompt_template: &p |\n    看上文\n  type: think\n  output: [{get: 情绪}]\n"
        "- {type: ai_say, content: *p}\n- say: *p"
    )
    assert first["content"] == "找情绪\n看上文\n"
    assert second["content"] == third["content"] == "看上文\n"


@pytest.mark.parametrize("key", ["say", "ai_say", "think", "user_say", "ask", "ai_ask"])
def test_an_alias_is_a_value(key: str) -> None:
    rest = "output: [{get: b}]" if key in ("think", "ask", "ai_ask") else "id: b"
    _, made = actions(f"- {{type: say, content: &a 你好}}\n- {key}: *a\n  {rest}")
    assert made["content"] == "你好"


@pytest.mark.parametrize(
    ("option", "column"),
    [
        ("- content: 选哪个\n  type: user_option", 2),
        ("- type: user_option\n  content: 选哪个", 2),
        ("- user_option: |-\n    选哪个", 2),
        ("-   user_option: 选哪个", 4),
        ("-\n    user_option: |-\n      选哪个", 4),
        ("-\n    content: 选哪个\n    type: user_option", 4),
        ("- id: x\n  user_option: 选哪个", 2),
    ],
)
def test_words_beside_choices_are_said_before_them(option: str, column: int) -> None:
    indent = "\n" + " " * column
    choices = f"{indent}var: 选了{indent}choices: [{{value: A, label: 甲}}, {{value: B, label: 乙}}]"
    made = actions(option + choices)
    assert [each["type"] for each in made] == ["say", "user_option"]
    assert made[0]["content"] == "选哪个"
    assert made[1]["var"] == "选了"
    assert [each["content"] for each in actions("- say: 好\n" + option + choices)[:2]] == ["好", "选哪个"]


@pytest.mark.parametrize(
    "text",
    [
        "- { say: 好,  # 一\n    remark: 以后再说 }",
        "- { remark: 以后再说,  # 一\n    say: 好 }",
        "- { config: {content: 好},  # 一\n    action_type: say }",
        "- { action_type: say, config: {content: 好,  # 一\n    remark: 再说} }",
        "- scene: |  # 一\n    林边小屋\n- say: 好",
        "- call: 技能  # 一\n  fromlist: |-  # 二\n    成员 in 家人",
        "- call: 技能\n  output:\n    - set: 我的\n      value: |-  # 一\n        {他的}",
        "- call: 技能\n  input: [{ set: 甲,  # 一\n      value: 乙 }]",
        "- call: 技能\n  input:\n  -  # 一\n    set: 甲  # 二\n    value: |-  # 三\n      乙",
    ],
)
def test_comments_stay_as_often_as_they_stand_there(text: str) -> None:
    after = rewritten(session(text))
    for number in "一二三":
        assert after.count(f"# {number}") == text.count(f"# {number}"), after


def test_a_label_that_is_taken_from_the_value_takes_no_comment() -> None:
    options = "options:\n    - value: >-  # 一\n        好\n"
    field = f"forms:\n- form: 表\n  id: f\n  fields:\n  - id: q\n    label: 选\n    type: radio\n    {options}"
    after = rewritten(field)
    assert after.count("# 一") == 1
    assert parse(after, "a").documents[0]["forms"][0]["fields"][0]["options"] == [{"value": "好", "label": "好"}]


@pytest.mark.parametrize("key", ["var", "variable", "variable_name", "name"])
@pytest.mark.parametrize(
    ("limit", "meant"), [("range: {max: 10}", "分数 <= 10"), ("validation: {minimum: 2}", "分数 >= 2")]
)
def test_a_limit_on_one_side_is_about_the_variable(key: str, limit: str, meant: str) -> None:
    after = rewritten(f"global:\n- {key}: 分数\n  type: integer\n  {limit}\n")
    assert parse(after, "a").documents[0]["global"][0]["validate"] == meant
    after = rewritten(
        f"global:\n- {{{key}: 分数, type: integer, {limit.replace(': {', ': {  # 一' + chr(10) + '    ')}}}\n"
    )
    assert parse(after, "a").documents[0]["global"][0]["validate"] == meant
    assert after.count("# 一") == 1


@pytest.mark.parametrize(
    "head", ["- ai_say: 讲一讲", "- type: ai_say\n  content: 讲一讲", "- action_type: ai_say\n  content: 讲一讲"]
)
def test_when_it_is_understood_is_no_note(head: str) -> None:
    (made,) = actions(f"{head}\n  understanding_threshold: 70\n  max_rounds: 3")
    assert made["exit_criteria"] == {"understanding_threshold": 70}


def test_the_variable_among_the_outputs_in_one_line() -> None:
    (made, *_) = actions("- user_option: 多强\n  choices: [{A: 轻}, {B: 重}]\n  output: [{get: 强度}]")
    assert made["type"] == "user_option" or made["type"] == "say"
    assert [
        each["var"] for each in actions("- type: user_option\n  choices: [{A: 轻}, {B: 重}]\n  output: [{get: 强度}]")
    ] == ["强度"]


def test_one_place_that_cannot_be_read_leaves_the_rest_to_be_read() -> None:
    """A key that is called in quotes and with a line break of its own is read by nobody; the other spellings are."""
    text = session("- say: [你好]\n- ask: 叫什么\n  extract_to: 名字\n- call: 技能")
    found = [each for each in loaded(text).findings if each.stops]
    assert codes(found) == ["E191"]
    assert found[0].line == next(n for n, line in enumerate(text.splitlines(), 1) if "你好" in line)
    assert "E001" not in codes(linted(text))
