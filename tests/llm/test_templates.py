"""The template language: front matter, sections, blocks, partials; and the files we ship in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.table import tabled

import heartrule.prompts
from heartrule.prompts.library import LOCALES, find, nearest_locale, template
from heartrule.prompts.template import Simplify, TemplateError, included, parse_template

DEFAULT = Path(heartrule.prompts.__file__).parent / "default"
TASKS = (
    "ai_ask",
    "ai_ask_open",
    "ask",
    "ai_say_open",
    "ai_say",
    "ai_say_ack",
    "ai_think",
    "choice",
    "extract",
    "judge",
    "perceive",
    "reading",
    "review",
    "risk",
    "topic_orchestrator",
    "verify",
)
PARTIALS = ("rules", "script", "phase", "values")
FILES = sorted(path for path in DEFAULT.glob("*/*.md"))


def shown(text: str, *present: str) -> str:
    """The user section of a template when exactly the named values are there."""
    return dict(parse_template("t", text).resolved(lambda name: name in present))["user"]


def test_without_sections_all_is_the_users() -> None:
    assert parse_template("t", "你是{%who%}。").resolved(bool) == [("user", "你是{%who%}。")]


def test_sections() -> None:
    read = parse_template("t", "# system\n你是咨询师。\n\n# user\n你好\n")
    assert read.resolved(bool) == [("system", "你是咨询师。"), ("user", "你好")]


def test_only_these_headings_are_sections() -> None:
    assert parse_template("t", "# 规则\n## system\n# systems\n1").resolved(bool)[0][0] == "user"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("前言\n# system\n一", "before the first section"),
        ("# user\n一\n# user\n二", "twice"),
        ("{%?a%}一", "never closed"),
        ("{%?a%}一{%/b%}", "closes nothing"),
        ("一{%/a%}", "closes nothing"),
        ("{%?a%}{%?b%}{%/a%}{%/b%}", "closes nothing"),
        ("---\n- a\n---\n一", "must be a mapping"),
        ("---\na: [\n---\n一", "not YAML"),
        ("---\ninputs: who\n---\n一", "list of names"),
        ("---\nsimplify: [a]\n---\n一", "`simplify` must be a mapping"),
        ("---\nsimplify: {history: 0}\n---\n一", "`simplify.history`"),
        ("---\nsimplify: {history: all}\n---\n一", "`simplify.history`"),
        ("---\n" + "a: 1\n" * 3000 + "---\n一", "front matter longer"),
        ("一" * 70_000, "longer than"),
    ],
)
def test_faults_name_the_template_and_what_is_wrong(text: str, fault: str) -> None:
    with pytest.raises(TemplateError, match="t: ") as caught:
        parse_template("t", text)
    assert fault in str(caught.value)


def test_front_matter() -> None:
    head = (
        "---\nid: x\nversion: 3\nlocale: en\ninputs: [who, user]\nsimplify: {drop: [a], keys: [b], history: 4}\n---\n"
    )
    read = parse_template("t", f"\ufeff{head}# user\n一")
    assert (read.version, read.locale, read.inputs) == ("3", "en", ("who", "user"))
    assert read.simplify == Simplify(("a",), ("b",), 4)
    assert read.resolved(bool) == [("user", "一")]


def test_a_rule_in_the_text_is_no_front_matter() -> None:
    assert shown("一\n---\n二\n---\n三") == "一\n---\n二\n---\n三"


def test_windows_line_ends() -> None:
    text = "---\r\nid: x\r\n---\r\n# user\r\n{%?a%}\r\n一\r\n{%/a%}\r\n二"
    assert shown(text, "a") == "一\n二"
    assert shown(text) == "二"


def test_a_block_is_shown_when_its_value_is_there() -> None:
    assert shown("甲{%?a%}乙{%/a%}丙") == "甲丙"
    assert shown("甲{%?a%}乙{%/a%}丙", "a") == "甲乙丙"


def test_a_block_may_name_several_values() -> None:
    text = "{%?a|b%}有{%/a|b%}{%!a|b%}无{%/a|b%}"
    assert [shown(text), shown(text, "a"), shown(text, "b"), shown(text, "a", "b")] == ["无", "有", "有", "有"]


def test_blocks_nest() -> None:
    text = "{%?a%}甲{%?b%}乙{%/b%}{%!b%}丙{%/b%}{%/a%}"
    assert [shown(text), shown(text, "a"), shown(text, "a", "b"), shown(text, "b")] == ["", "甲丙", "甲乙", ""]


def test_a_tag_alone_on_its_line_takes_the_line_with_it() -> None:
    text = "一\n  {%?a%}  \n二\n{%/a%}\n三"
    assert shown(text, "a") == "一\n二\n三"
    assert shown(text) == "一\n三"


def test_a_line_that_is_one_placeholder_without_value_vanishes() -> None:
    text = "一\n{%a%}\n二\n说：{%a%}\n{%a%}"
    assert shown(text) == "一\n二\n说：{%a%}"
    assert shown(text, "a") == text


def test_gaps_close() -> None:
    text = "一\n\n{%?a%}\n二\n{%/a%}\n\n{%b%}\n\n三"
    assert shown(text) == "一\n\n三"


def test_json_and_script_variables_are_no_tags() -> None:
    text = '{"a": {"b": 1}} {名字} {{名字}} ${名字} { % } {%} {%%}'
    assert shown(text) == text


def test_names_lists_every_system_variable() -> None:
    read = parse_template("t", "{%?a|b%}{%c%}{%/a|b%}{%!d%}{% e %}{%/d%}{f}")
    assert read.names() == {"a", "b", "c", "d", "e"}


def test_partials() -> None:
    text = "{%>rules%}\n任务\n{%> rules %}"
    assert included(text) == ("rules",)
    assert dict(parse_template("t", text, {"rules": "---\nid: r\n---\n守则\n"}).resolved(bool)) == {
        "user": "守则\n任务\n守则"
    }
    assert dict(parse_template("t", text).resolved(bool)) == {"user": "任务"}


def test_a_partial_includes_no_other() -> None:
    read = parse_template("t", "{%>a%}", {"a": "{%>b%}", "b": "乙"})
    assert "乙" not in dict(read.resolved(bool))["user"]


@pytest.mark.parametrize(
    ("locale", "nearest"),
    [("zh-CN", "zh-CN"), ("zh", "zh-CN"), ("zh-TW", "zh-CN"), ("zh_Hans", "zh-CN"), ("en-US", "en"), ("fr", "en")],
)
def test_the_nearest_locale(locale: str, nearest: str) -> None:
    assert nearest_locale(locale) == nearest


OWN = {
    "cbt/ai_ask.zh-CN.md": "专用",
    "cbt/ask.md": "各语言通用",
    "cbt/rules.zh-CN.md": "专用守则",
    "default/risk.zh-CN.md": "项目自己的默认",
}


@pytest.mark.parametrize(
    ("name", "locale", "scheme", "path"),
    [
        ("ai_ask", "zh-CN", "cbt", "cbt/ai_ask.zh-CN.md"),
        ("ai_ask", "zh-TW", "cbt", "cbt/ai_ask.zh-CN.md"),
        ("ai_ask", "en", "cbt", "default/en/ai_ask.md"),
        ("ai_ask", "zh-CN", None, "default/zh-CN/ai_ask.md"),
        ("ai_ask", "zh-CN", "other", "default/zh-CN/ai_ask.md"),
        ("ask", "en", "cbt", "cbt/ask.md"),
        ("risk", "zh-CN", "cbt", "default/risk.zh-CN.md"),
        ("risk", "en", "cbt", "default/en/risk.md"),
    ],
)
def test_a_projects_scheme_comes_before_ours(name: str, locale: str, scheme: str | None, path: str) -> None:
    assert find(name, "md", locale, scheme, OWN)[0] == path


def test_a_scheme_may_replace_the_rules_alone() -> None:
    read = template("ai_ask", "zh-CN", "cbt", {"cbt/rules.zh-CN.md": "专用守则"})
    assert "专用守则" in read.text
    assert "progress_suggestion" in read.text


def test_nothing_by_that_name() -> None:
    for name in ("nothing", "../spoken", "en/ask"):
        with pytest.raises(TemplateError, match="there is no template"):
            template(name, "zh-CN")


def test_both_locales_have_the_same_files() -> None:
    names = [{path.name for path in (DEFAULT / locale).iterdir()} for locale in LOCALES]
    assert names[0] == names[1]
    assert {path.name for path in DEFAULT.iterdir() if path.is_dir()} == set(LOCALES)
    assert {f"{name}.md" for name in (*TASKS, *PARTIALS, "mend")} <= names[0]


@tabled("path", FILES)
def test_a_shipped_file_says_who_it_is(path: Path) -> None:
    front = yaml.safe_load(path.read_text(encoding="utf-8").split("---")[1])
    assert front["id"] == path.stem
    assert front["locale"] == path.parent.name
    assert isinstance(front["version"], int)


@tabled("name", [*TASKS, "mend"])
@tabled("locale", LOCALES)
def test_a_shipped_file_declares_what_it_reads_and_reads_what_it_declares(name: str, locale: str) -> None:
    read = template(name, locale)
    assert read.names() == set(read.inputs)
    assert set(read.simplify.drop) <= set(read.inputs)


@pytest.mark.parametrize("name", PARTIALS)
@pytest.mark.parametrize("locale", LOCALES)
def test_a_partial_declares_what_it_reads(name: str, locale: str) -> None:
    read = template(name, locale)
    assert read.names() == set(read.inputs)


@tabled("name", [*TASKS, *PARTIALS, "mend"])
def test_both_locales_read_the_same(name: str) -> None:
    chinese, english = (template(name, locale) for locale in LOCALES)
    assert set(chinese.inputs) == set(english.inputs)
    assert chinese.simplify == english.simplify
    assert [part for part, _ in chinese.sections] == [part for part, _ in english.sections]
