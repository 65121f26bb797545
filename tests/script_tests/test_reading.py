"""What is wrong in a test file is found at its place, and told with a mend; nothing that can never hold passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.script_tests.material import case_of, cases, codes, file_of, hello

from heartrule.language.findings.documents import Example, diagnostic
from heartrule.script_tests import case_files
from heartrule.script_tests.case import VERBS, Case, Expect
from heartrule.script_tests.plausibility import senseless
from heartrule.script_tests.script_names import KnownScript

SLOT = re.compile(r"\{\w+\}")
DOCUMENTS = sorted(path.name.partition("-")[0] for path in case_files.DIAGNOSTICS.glob("*.md"))
ON_DISK = ("E710", "E711", "E713")
"""These need files; they have tests of their own."""


def text_of(example: Example) -> str:
    return example.files[0][1]


@pytest.mark.parametrize("code", [code for code in DOCUMENTS if code not in ON_DISK])
def test_the_failing_example_fails_where_it_says(code: str) -> None:
    text = text_of(diagnostic(code).failing)
    marked = [number for number, line in enumerate(text.split("\n"), 1) if f"# ← {code}" in line]
    assert marked
    assert codes(text) == [(code, line) for line in marked]


@pytest.mark.parametrize("code", DOCUMENTS)
def test_the_mended_example_is_clean(code: str) -> None:
    assert codes(text_of(diagnostic(code).mended)) == []


@pytest.mark.parametrize("code", DOCUMENTS)
def test_both_languages_are_there(code: str) -> None:
    kind = diagnostic(code)
    for said in (kind.message, kind.mend):
        assert said.zh.strip()
        assert not re.search("[\u4e00-\u9fff]", said.en)
        assert set(SLOT.findall(said.zh)) == set(SLOT.findall(said.en))
    assert kind.severity == ("error" if code.startswith("E") else "warning")


def test_every_code_that_is_used_has_a_document_and_the_other_way_round() -> None:
    used: set[str] = set()
    for path in Path(case_files.__file__).parent.glob("*.py"):
        used |= set(re.findall(r'"([EW]7[01]\d)"', path.read_text(encoding="utf-8")))
    assert used == set(DOCUMENTS)


@pytest.mark.parametrize(
    ("turns", "code", "line", "hint"),
    [
        ("- start:\n    said_contain: 你好", "E101", 6, "said_contains"),
        ("- say: 好\n  expects: {ended: true}", "E101", 6, "expect"),
        ("- recconect", "E702", 5, "reconnect"),
        ("- 5", "E702", 5, "say"),
        ("- [say]", "E702", 5, "say"),
        ("- say: 好\n  expect: {request: coice}", "E104", 6, "choice"),
        ("- say: 好\n  expect: {directive: CALL_TECHNIK}", "E104", 6, "CALL_TECHNIQUE"),
        ("- say: 好\n  expect: {directive: [{directive: CALL}]}", "E104", 6, "CALL_TECHNIQUE"),
        ("- say: 好\n  expect: {exit: {class: over}}", "E104", 6, "off_topic"),
        ("- say: 好\n  expect: {verdict: {tired: maybe}}", "E104", 6, "unknown"),
        ("- say: 好\n  expect: {calls: -1}", "E105", 6, "0"),
        ("- say: 好\n  expect: {calls: many}", "E103", 6, ""),
        ("- say: 好\n  expect: [{ended: true}, {endet: true}]", "E101", 6, "ended"),
        ("- say:", "E106", 5, ""),
        ("- say: 好\n  expect: {not: {sayd: x}}", "E101", 6, ""),
        ("- say: {a: b}", "E103", 5, ""),
    ],
)
def test_a_wrong_key_or_value(turns: str, code: str, line: int, hint: str) -> None:
    found = [each for each in cases(file_of(turns)).findings if each.code == code]
    assert [each.line for each in found] == [line], cases(file_of(turns)).findings
    told = found[0].localized("en")
    assert hint in f"{told.message} {told.hint}"


@pytest.mark.parametrize(
    ("expect", "known"),
    [
        ("{entered: modd}", "mood"),
        ("{completed: ask_nam}", "ask_name"),
        ("{skipped: nevr}", "never"),
        ("{suspended: scor}", "score"),
        ("{unfinished: scor}", "score"),
        ("{at: name/ask_nme}", ""),
        ("{at: opening}", ""),
        ("{set: {强: 3}}", "强度"),
        ("{unset: [称]}", "称呼"),
        ("{verdict: {tird: yes}}", ""),
        ("{directive: {directive: CALL_TECHNIQUE, technique: rst}}", ""),
        ("{directive: {directive: INSERT_TOPIC, topic: scor}}", "score"),
        ("{directive: {directive: ENABLE, awareness: tird}}", ""),
        ("{directive: {directive: SET_VAR, var: 强}}", "强度"),
        ("{exit: {action: ask_scor}}", "ask_score"),
        ("{not: {entered: modd}}", "mood"),
    ],
)
def test_what_can_never_come_to_pass_is_a_finding(expect: str, known: str) -> None:
    text = file_of(f"- say: 好\n  expect: {expect}")
    assert codes(text) == [("E703", 6)]
    assert codes(file_of("- say: 好", expect=expect)) == [("E703", 6)]


@pytest.mark.parametrize("head", ["given: {variables: {强: 3}}", "given: {at: modd}", "answers: {ai_aks: {}}"])
def test_what_is_given_must_be_there_too(head: str) -> None:
    assert codes(file_of("- start: {ended: false}", head)) == [("E703", 4)]


@pytest.mark.parametrize(
    "answer",
    ["[]", "''", "3", "{tries: []}", "{tries: {}}", "{tries: [3]}", "{then: {}}", "[{}, {when_prompt_contains: a}]"],
)
def test_an_answer_that_is_none(answer: str) -> None:
    assert codes(file_of("- start: {ended: false}", f"answers: {{ai_ask: {answer}}}")) == [("E712", 4)]


@pytest.mark.parametrize(
    "expect",
    [
        "{said_contains: ''}",
        "{said_contains: []}",
        "{never_says: [a, '']}",
        "{set: {}}",
        "{exit: {}}",
        "{directive: []}",
        "{verdict: {}}",
        "{not: {}}",
        "{not: {entered: []}}",
        "{at: ''}",
        "{ended: }",
    ],
)
def test_what_holds_whatever_happens_is_a_finding(expect: str) -> None:
    assert ("E106", 6) in codes(file_of(f"- say: 好\n  expect: {expect}"))


def test_names_may_say_more_than_an_id() -> None:
    text = file_of(
        "- start:\n    entered: [称呼, 开场, name/ask_name]\n    set: {session.称呼: x, 家人: [{称呼: y}]}\n"
        "    verdict: {local/tired: no}\n    directive: {directive: CALL_TECHNIQUE, technique: safety/crisis_support}"
    )
    assert codes(text) == []


@pytest.mark.parametrize("text", ["", "tests: []", "# nothing"])
def test_an_empty_file_has_no_cases(text: str) -> None:
    assert cases(text).cases == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "E015"),
        ("tests: {}", "E016"),
        ("script: hello", "E102"),
        ("test: []", "E101"),
        ("tests: [a]", "E103"),
        ("tests:\n  - test: a", "E102"),
        ("tests:\n\t- test: a", "E006"),
        ("tests: [", "E0"),
        (b"\xff", "E003"),
    ],
)
def test_a_file_of_another_shape(text: str | bytes, code: str) -> None:
    found = case_files.parse_cases(text, "a.test.yaml").findings
    assert any(each.code.startswith(code) for each in found)
    assert all(each.file == "a.test.yaml" and each.line for each in found)


def test_a_case_that_is_wrong_leaves_the_others() -> None:
    good = "  - {test: a, script: hello, turns: [start: {ended: false}]}\n"
    text = f"tests:\n{good}  - test: b\n    turns:\n      - sya: 好\n{good.replace('test: a', 'test: c')}"
    read = cases(text)
    assert [each.test for each in read.runnable] == ["a", "c"]


def test_a_finding_says_in_words_where_it_is() -> None:
    found = next(each for each in cases(file_of("- start\n- wait: 一会儿\n  expect: {ended: false}")).findings)
    assert found.localized("zh").path == "测试 一次 › 第 2 步"
    assert found.localized("en").path == "test 一次 › step 2"
    assert "40m" in found.localized("en").hint


def test_numbers_are_said_as_they_are_written() -> None:
    assert case_of("- say: 3\n  expect: {ended: false}").turns[0].say == "3"


def test_moves_that_stand_alone() -> None:
    turns = "- start\n- reconnect\n- pause\n- resume\n- end\n  expect: {ended: true}"
    assert [step.verb for step in case_of(turns).steps] == ["start", "reconnect", "pause", "resume", "end"]


def test_a_case_begins_whether_or_not_it_says_so() -> None:
    assert [step.verb for step in case_of("- say: 好\n  expect: {ended: false}").steps] == ["start", "say"]


KEYS = sorted({*VERBS, *Case.model_fields, *Expect.model_fields, "not", "x"})
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "start", "say", "三分", "expect", "fail"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(sorted({*VERBS, *Case.model_fields, *Expect.model_fields, "not", "x"})), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(JUNK)
def test_whatever_stands_there_is_read_or_refused_at_a_place(junk: object) -> None:
    for data in (junk, {"tests": junk}, {"tests": [junk]}, {"tests": [{"test": "a", "turns": junk}]}):
        text = yaml.safe_dump(data, allow_unicode=True)
        known = cases(text)
        lines = text.count("\n") + 1
        assert all(1 <= each.line <= lines for each in known.findings)
        for case in known.runnable:
            senseless(known, case, KNOWN)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 400), st.binary(max_size=3))
def test_a_damaged_file_is_no_crash(at: int, damage: bytes) -> None:
    raw = file_of("- say: 好\n  expect: {set: {强度: {value: 3}}, not: {entered: mood}}").encode()
    found = cases(raw[:at] + damage + raw[at + len(damage) :])
    for case in found.runnable:
        senseless(found, case, KNOWN)


KNOWN = KnownScript(hello())


def _named(name: str, expect: str = "{ended: false}") -> str:
    return f"  - test: {name}\n    script: hello\n    turns:\n      - start: {expect}\n"


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_what_is_wrong_with_one_test_keeps_no_other_from_being_run(wrong: int) -> None:
    names = ["一", "二", "三"]
    whole = "".join(_named(name, "{endde: true}" if at == wrong else "{ended: false}") for at, name in enumerate(names))
    found = case_files.parse_cases(f"tests:\n{whole}", "a.test.yaml")
    assert [each.test for each in found.runnable] == [name for name in names if name != names[wrong]]
    assert [found.at(each.line).name for each in found.findings if (found.at(each.line))] == [names[wrong]]


def test_what_is_wrong_with_the_file_is_no_tests_fault() -> None:
    found = case_files.parse_cases(f"tests:\n{_named('一')}{_named('二')}scrpt: hello\n", "a.test.yaml")
    assert [(each.line, found.at(each.line)) for each in found.findings] == [(10, None)]
    assert [each.test for each in found.runnable] == ["一", "二"]


def test_what_is_no_test_at_all_keeps_no_other_from_being_run() -> None:
    found = case_files.parse_cases(f"tests:\n{_named('一')}  - 二\n{_named('三')}", "a.test.yaml")
    assert [each.line for each in found.findings] == [6]
    assert [each.test for each in found.runnable] == ["一", "三"]


@pytest.mark.parametrize(
    ("expect", "code"),
    [
        ("{set: {强度: 40}}", "E714"),
        ("{set: {session.强度: 40}}", "E714"),
        ("{not: {set: {强度: 40}}}", "E714"),
        ("{set: {强度: {value: 40, strategy: rules}}}", "E714"),
        ("{set: {强度: {valeu: 5}}}", "E101"),
        ("{set: {强度: {value: 5, strategi: rules}}}", "E101"),
    ],
)
def test_values_that_can_never_be(expect: str, code: str) -> None:
    assert codes(file_of(f"- say: 好\n  expect: {expect}")) == [(code, 6)]


@pytest.mark.parametrize("expect", ["{set: {强度: 10}}", "{set: {强度: {value: 0}}}", "{not: {set: {强度: 4}}}"])
def test_values_that_can_be(expect: str) -> None:
    assert codes(file_of(f"- say: 好\n  expect: {expect}")) == []


def test_a_value_that_the_script_would_not_take_is_not_given() -> None:
    assert codes(file_of("- start: {ended: false}", "given: {variables: {强度: 50}}")) == [("E714", 4)]


@pytest.mark.parametrize("move", ["pause", "resume", "end", "reconnect", "cancel"])
def test_a_move_that_is_not_to_be_made_is_left_out(move: str) -> None:
    assert codes(file_of(f"- start: {{ended: false}}\n- {move}: false")) == [("E715", 6)]


def test_a_form_is_handed_in_or_put_away() -> None:
    for fill in ("", "fill: {q1: 1}\n  "):
        assert codes(file_of(f"- start: {{ended: false}}\n- {fill}submit: true\n  cancel: true")) == [("E701", 6)]
    assert codes(file_of("- start: {ended: false}\n- fill: {q1: 1}\n  submit: false\n- submit: true")) == []


@pytest.mark.parametrize(
    ("head", "wrong"),
    [
        ("live: {runs: 5}", [("E706", 4)]),
        ("model: none\nlive: {runs: 5}", [("E706", 5)]),
        ("model: live\nlive: {runs: 5}", []),
        ("model: live\nlive: {runs: 3, pass: 4}", [("E707", 5)]),
    ],
)
def test_runs_are_those_of_a_live_model(head: str, wrong: list[tuple[str, int]]) -> None:
    assert codes(file_of("- start: {ended: false}", head)) == wrong
