"""Placeholders: what is one, what is left alone, and that what is inserted is never read again."""

from __future__ import annotations

import time
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.placeholders import (
    MAX_INSERTED,
    Placeholder,
    fill,
    format_value,
    names,
    parse_text,
    sole_name,
)

any_text = st.text(st.characters(exclude_categories=()), max_size=80)
bracey = st.lists(
    st.sampled_from(["{", "}", "{{", "}}", "$", "%", "a", "名", ".", " ", "1", '"', "\\", "\n"]), max_size=40
)


def filled(text: str, locale: str = "zh-CN", **values: Any) -> str:
    return fill(text, values.get, {"time": "10:00", "who": "小暖"}.get, lambda each: each.source, locale)


@tabled(
    ("text", "found"),
    [
        ("你好，{用户名}！", [("script", "用户名", "{用户名}", 3)]),
        ("{mood}", [("script", "mood", "{mood}", 0)]),
        ("{{mood}}", [("script", "mood", "{{mood}}", 0)]),
        ("${mood}", [("script", "mood", "${mood}", 0)]),
        ("${session.mood}", [("script", "session.mood", "${session.mood}", 0)]),
        ("{session.mood}", [("script", "session.mood", "{session.mood}", 0)]),
        (
            "{成员.称呼}的{成员.年龄}",
            [("script", "成员.称呼", "{成员.称呼}", 0), ("script", "成员.年龄", "{成员.年龄}", 8)],
        ),
        ("{ mood }", [("script", "mood", "{ mood }", 0)]),
        ("{\u3000mood\t}", [("script", "mood", "{\u3000mood\t}", 0)]),
        ("{%time%}", [("system", "time", "{%time%}", 0)]),
        ("{% time %}", [("system", "time", "{% time %}", 0)]),
        ("{%chat_history%}\n{x}", [("system", "chat_history", "{%chat_history%}", 0), ("script", "x", "{x}", 17)]),
        ("{{{x}}}", [("script", "x", "{{x}}", 1)]),
        ("{{x}", [("script", "x", "{x}", 1)]),
        ("{x}}", [("script", "x", "{x}", 0)]),
        ("{{x} }", [("script", "x", "{x}", 1)]),
        ("$${x}", [("script", "x", "${x}", 1)]),
        ("${{x}}", [("script", "x", "${{x}}", 0)]),
        ("${%time%}", [("system", "time", "{%time%}", 1)]),
        ("{x}${y}", [("script", "x", "{x}", 0), ("script", "y", "${y}", 3)]),
        ("{x}$", [("script", "x", "{x}", 0)]),
        ('{"name": "{用户名}"}', [("script", "用户名", "{用户名}", 10)]),
        ("{7天情绪}", [("script", "7天情绪", "{7天情绪}", 0)]),
        ("{_x}", [("script", "_x", "{_x}", 0)]),
        ("{हिन्दी}", [("script", "हिन्दी", "{हिन्दी}", 0)]),
        ("{true}", [("script", "true", "{true}", 0)]),
    ],
)
def test_what_is_a_placeholder(text: str, found: list[tuple[str, str, str, int]]) -> None:
    assert [(each.kind, each.name, each.source, each.offset) for each in names(text)] == found


@tabled(
    "text",
    [
        "",
        "{",
        "}",
        "{}",
        "{ }",
        "{{}}",
        "{%%}",
        "${}",
        "$",
        '{"a": 1}',
        '{"a": {"b": [1, 2]}}',
        "{1}",
        "{1,2}",
        "{1.5}",
        r"\d{3}",
        "a{2,}",
        "{a, b}",
        "{a: 1}",
        "{a b}",
        "{a-b}",
        "{a.}",
        "{.a}",
        "{a..b}",
        "{a\n}",
        "{\na}",
        "{'a'}",
        "{a()}",
        "{a[0]}",
        "{%if a%}",
        "{%a}",
        "{a%}",
        "{ % a % }",
        "function() { return 1 }",
        "p {color: red}",
        "{😀}",
        "{\ud800}",
        "{a\u200b}",
        "{" + "a" * 201 + "}",
        "{" + " " * 300 + "a}",
        "｛名｝",
    ],
)
def test_what_is_left_alone(text: str) -> None:
    assert names(text) == []
    assert filled(text) == text
    assert sole_name(text) is None


def test_filling() -> None:
    assert filled("{a}-{{a}}-${a}-{%time%}-{b}", a="甲") == "甲-甲-甲-10:00-{b}"
    assert filled('{"mood": {mood}, "who": "{%who%}"}', mood=7) == '{"mood": 7, "who": "小暖"}'
    assert filled("{session.x}", **{"session.x": 1}) == "1"


def test_the_two_kinds_do_not_mix() -> None:
    assert filled("{time}{%a%}", a=1) == "{time}{%a%}"


def test_missing_values_are_the_callers_business() -> None:
    asked: list[Placeholder] = []

    def missing(each: Placeholder) -> str:
        asked.append(each)
        return "〔" + each.name + "〕"

    assert fill("{a}，{%b%}", {}.get, {}.get, missing) == "〔a〕，〔b〕"
    assert asked == [Placeholder("script", "a", 0, "{a}"), Placeholder("system", "b", 4, "{%b%}")]


def test_an_empty_text_is_a_value() -> None:
    assert fill("[{a}]", {"a": ""}.get, {}.get, lambda _: "missing") == "[]"


@pytest.mark.parametrize(
    "said",
    [
        "{b}",
        "{{b}}",
        "${b}",
        "{%time%}",
        "$&",
        r"\1",
        r"\g<0>",
        "$1",
        "%s",
        "{0}",
        "\\",
        "\x00\x1b[31m",
        "\ud800",
        "{a}",
    ],
)
def test_what_is_inserted_is_never_read_again(said: str) -> None:
    assert filled("<{a}>{a}", a=said, b="secret") == f"<{said}>{said}"
    assert fill("{x}{%y%}", {}.get, {}.get, lambda _: said) == said * 2


@tabled(
    ("value", "chinese", "english"),
    [
        ("字", "字", "字"),
        ("", "", ""),
        (True, "是", "yes"),
        (False, "否", "no"),
        (7, "7", "7"),
        (-7, "-7", "-7"),
        (7.0, "7", "7"),
        (7.5, "7.5", "7.5"),
        (0.1 + 0.2, "0.3", "0.3"),
        (1e20, "1e+20", "1e+20"),
        (float("nan"), "nan", "nan"),
        (["焦虑", "失眠"], "焦虑、失眠", "焦虑, 失眠"),
        (["一"], "一", "一"),
        ([], "", ""),
        ([1, True, None, 2.0], "1、是、2", "1, yes, 2"),
        (("a", "b"), "a、b", "a, b"),
        ({"称呼": "妈妈", "年龄": 52}, "称呼：妈妈，年龄：52", "称呼: 妈妈, 年龄: 52"),
        ({"a": None, "b": 1}, "b：1", "b: 1"),
        ({}, "", ""),
        ([{"a": 1}, {"a": 2}], "a：1；a：2", "a: 1; a: 2"),
        ({"a": [1, 2]}, "a：1、2", "a: 1, 2"),
        (date(2024, 3, 5), "2024-03-05", "2024-03-05"),
        (datetime(2024, 3, 5, 10, 0), "2024-03-05T10:00:00", "2024-03-05T10:00:00"),
        (None, "", ""),
        ([[[[[[[1]]]]]]], "…", "…"),
    ],
)
def test_values_in_words(value: Any, chinese: str, english: str) -> None:
    assert format_value(value, "zh-CN") == chinese
    assert format_value(value) == chinese
    assert format_value(value, "en") == english
    assert format_value(value, "en-GB") == english


def test_a_number_too_long_to_write_does_not_break_the_text() -> None:
    assert format_value(10**5000) == "…"


def test_a_value_that_holds_itself_ends() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    assert "…" in format_value(endless)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{x}", "x"),
        ("  {x}\n", "x"),
        ("${session.x}", "session.x"),
        ("{{x}}", "x"),
        ("{%x%}", None),
        ("{x}{y}", None),
        ("a{x}", None),
        ("{x}。", None),
        ("x", None),
        ("", None),
    ],
)
def test_a_text_that_is_one_placeholder(text: str, name: str | None) -> None:
    assert sole_name(text) == name


def test_templates_are_cut_once() -> None:
    assert parse_text("a{b}c") is parse_text("a{b}c")
    assert parse_text("a{b}c").parts == ("a", Placeholder("script", "b", 1, "{b}"), "c")
    assert parse_text("").parts == ()
    assert parse_text("x" * 30_000).parts == ("x" * 30_000,)


def test_what_values_add_is_bounded() -> None:
    words = fill("{a}" * 100, {"a": "字" * 20_000}.get, {}.get, lambda _: "")
    assert len(words) <= MAX_INSERTED + 100
    assert words.endswith("…")


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        "}" * 1_000_000,
        "{ " * 500_000,
        "{a" * 500_000,
        "{%" * 500_000,
        "${" * 500_000,
        "{x}" * 333_000,
        ("{" + " " * 300) * 3_300,
        ("{" + "a" * 199) * 5_000,
        "{" + "a" * 1_000_000,
        "{" + "a." * 500_000,
        "\ud800{x}\udfff" * 200_000,
    ],
    ids=range(12),
)
def test_a_megabyte_takes_linear_time(text: str) -> None:
    started = time.process_time()
    words = filled(text, x="1")
    assert time.process_time() - started < 10
    assert len(words) >= len(text) // 3


@given(any_text | bracey.map("".join))
def test_nothing_is_lost_without_placeholders_and_sources_rebuild_the_text(text: str) -> None:
    assert filled(text) == text.replace("{%time%}", "10:00").replace("{%who%}", "小暖")
    rebuilt = "".join(part if isinstance(part, str) else part.source for part in parse_text(text).parts)
    assert rebuilt == text
    for each in names(text):
        assert text.startswith(each.source, each.offset)


@given(bracey.map("".join), any_text)
def test_one_pass(text: str, said: str) -> None:
    expected = "".join(part if isinstance(part, str) else said for part in parse_text(text).parts)
    assert fill(text, lambda _: said, lambda _: said, lambda each: each.source) == expected


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | any_text,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
        max_leaves=12,
    ),
    st.sampled_from(["zh-CN", "en", "", "fr"]),
)
def test_any_value_has_words(value: Any, locale: str) -> None:
    assert isinstance(format_value(value, locale), str)
