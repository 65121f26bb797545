"""``output.<locale>.yaml`` of the safety project, ``checks`` of any project, what a compiled script holds of both."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.language.material import ACTIONS, SAY, checked, codes, only, project, session

from heartrule.checks.rules import Own
from heartrule.language.compiling.compiler import compile_session
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import OutputChecks
from heartrule.language.projects.library import library_root
from heartrule.language.projects.output_rules import read_output_rules
from heartrule.language.projects.project import LoadedProject, load_texts, read_texts

NAME = "output.zh-CN.yaml"
FILE = """
locale: zh-CN
words:
  ill: '(?:病|症)'
guards: {clause: '[,。]', denied: 不是, undenied: 不是吗, told: 说, untold: 我说, supposed: 如果, asked: 是否}
checks:
  - code: diagnosis
    reason: {zh: 不下诊断, en: no diagnosis}
    rules:
      - id: zh-diagnosis-x
        pattern: '你有<ill>'
        unless: '你有病人'
        even: [quoted]
        match: [你有病]
        pass: [你有病人]
style:
  length: {limit: 30, reason: {zh: 太长, en: too long}}
"""


def test_what_is_read() -> None:
    rules, found = read_output_rules(FILE, NAME)
    assert found == []
    assert rules is not None
    (rule,) = rules.rules
    assert rules.locale == "zh-CN"
    assert (rule.id, rule.code, rule.pattern) == ("zh-diagnosis-x", "diagnosis", "你有(?:病|症)")
    assert (rule.even, rule.match, rule.let_pass) == (frozenset({"quoted"}), ("你有病",), ("你有病人",))
    assert rule.reason.within("zh-TW") == "不下诊断"
    assert (rules.styles[0].code, rules.styles[0].limit) == ("length", 30)
    assert hash(rules) == hash(read_output_rules(FILE, NAME)[0])


def test_a_rule_may_have_a_reason_of_its_own() -> None:
    rules, _ = read_output_rules(FILE.replace("        even:", "        reason: {zh: 别, en: no}\n        even:"), NAME)
    assert rules is not None
    assert rules.rules[0].reason.within("en") == "no"


WRONG: list[tuple[str, Callable[[str], str], int]] = [
    ("E222", lambda text: text.replace("你有<ill>", "你有(<ill>"), 11),
    ("E222", lambda text: text.replace("你有病人'", "(?=你)'"), 12),
    ("E222", lambda text: text.replace("'(?:病|症)'", "'(?:病|症'"), 4),
    ("E222", lambda text: text.replace("denied: 不是", "denied: 不是("), 5),
    ("E222", lambda text: text.replace("你有<ill>", "你" * 9_000), 11),
    ("E104", lambda text: text.replace("code: diagnosis", "code: gossip"), 7),
    ("E104", lambda text: text.replace("[quoted]", "[whispered]"), 13),
    ("E101", lambda text: text.replace("unless:", "except:"), 12),
    ("E102", lambda text: text.replace("        match: [你有病]\n", ""), 10),
    ("E105", lambda text: text.replace("[你有病人]", "[]"), 15),
    ("E102", lambda text: text.replace("locale: zh-CN\n", ""), 2),
    ("E105", lambda text: text.replace("limit: 30", "limit: -1"), 17),
]


@pytest.mark.parametrize(("code", "change", "line"), WRONG, ids=[f"{c} {n}" for n, (c, _, _) in enumerate(WRONG)])
def test_what_is_wrong_with_it_is_told(code: str, change: Callable[[str], str], line: int) -> None:
    rules, found = read_output_rules(change(FILE), NAME)
    assert rules is None
    assert code in codes(found)
    assert next(each.line for each in found if each.code == code) == line


@pytest.mark.parametrize("text", ["", "- a", "你好", "locale: ["])
def test_a_file_that_is_none(text: str) -> None:
    rules, found = read_output_rules(text, NAME)
    assert rules is None
    assert any(each.stops for each in found)


def test_they_belong_to_safety_only() -> None:
    safety = project({"project.yaml": "id: safety\n", NAME: FILE})
    assert safety.findings == []
    assert list(safety.outputs) == ["zh-CN"]
    other = project({"project.yaml": "id: other\n", NAME: FILE})
    assert other.outputs == {}
    assert set(codes(other.findings)) == {"E101"}


# what a project adds


def compiled(head: str, *, locale: str = "zh-CN", safety: LoadedProject | None = None) -> Script:
    home = project({"project.yaml": f"id: a\nlocale: {locale}\n{head}", "s.yaml": session(SAY)})
    assert not [found for found in home.findings if found.stops], [str(found) for found in home.findings]
    known = {"a": home}
    return compile_session(next(home.sessions), home, known.get, safety or shipped())[0]


def shipped() -> LoadedProject:
    texts, _ = read_texts(library_root() / "safety")
    return load_texts(texts, ACTIONS)


def test_a_script_holds_its_checks() -> None:
    script = compiled("checks: {sensitive: [股票代码], allow: [你得了抑郁症怎么办], length: 20, off: [questions]}\n")
    assert script.checks.objection("你得了抑郁症。") is not None
    assert script.checks.objection("《你得了抑郁症怎么办》") is None
    assert script.checks.objection("股票代码") is not None
    assert script.checks.whole("你几岁？你在哪？") is None
    assert script.checks.whole("今天先到这里，" * 5) is not None


def test_they_are_compiled_once_for_the_same_content() -> None:
    safety = shipped()
    assert compiled("", safety=safety).checks is compiled("", safety=shipped()).checks
    assert compiled("", safety=safety).checks is not compiled("checks: {off: [emoji]}\n", safety=safety).checks
    assert compiled("", safety=safety).checks is not compiled("", locale="en", safety=safety).checks


def test_a_script_in_another_language_is_told_in_it() -> None:
    for locale, word in (("en", "diagnosis"), ("en-GB", "diagnosis"), ("zh-TW", "诊断"), ("fr", "diagnosis")):
        objection = compiled("", locale=locale).checks.objection("You have depression.")
        assert objection is not None
        assert word in objection.reason.replace("Diagnosis", "diagnosis")


def test_a_safety_project_without_rules_checks_nothing() -> None:
    bare = project({"project.yaml": "id: safety\n"})
    script = compiled("checks: {sensitive: [股票]}\n", safety=bare)
    assert script.checks.objection("你得了抑郁症。") is None
    assert script.checks.objection("股票") is not None


@pytest.mark.parametrize(
    ("given", "locale", "own"),
    [
        ({}, "zh-CN", Own()),
        ({"sensitive": ["甲乙"]}, "en", Own(("甲乙",))),
        ({"sensitive": {"zh-CN": ["甲乙"], "en": ["ab"]}}, "zh-TW", Own(("甲乙",))),
        ({"sensitive": {"zh-CN": ["甲乙"]}}, "en", Own()),
        ({"allow": {"en": ["ab"]}}, "en-GB", Own((), ("ab",))),
        ({"length": 50}, "en", Own(length=50)),
        ({"length": {"en": 60, "zh-CN": 90}}, "zh", Own(length=90)),
        ({"off": ["emoji", "diagnosis"]}, "zh", Own(off=frozenset({"emoji"}))),
    ],
)
def test_what_holds_in_a_locale(given: dict[str, object], locale: str, own: Own) -> None:
    assert OutputChecks.model_validate(given).within(locale) == own


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("off: [diagnosis]", "E240"),
        ("off: [method]", "E240"),
        ("off: [gossip]", "E104"),
        ("sensitive: [死]", "W242"),
        ("sensitive: {zh-CN: [死]}", "W242"),
        ("length: 3", "E105"),
        ("lenght: 30", "E101"),
        ("sensitive: 股票", "E103"),
    ],
)
def test_what_lint_says(written: str, code: str) -> None:
    found = checked({"project.yaml": f"id: a\nchecks:\n  {written}\n", "s.yaml": session(SAY)})
    assert code in codes(found)
    assert {each.line for each in found if each.code == code} == {3}


def test_what_may_be_switched_off_is_named() -> None:
    found = only(checked({"project.yaml": "id: a\nchecks: {off: [blame]}\n", "s.yaml": session(SAY)}))
    assert "questions" in found.hint.en
    assert "“blame”" in found.message.zh
