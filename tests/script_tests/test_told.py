"""Reports say what failed, where, and what was said, in both languages; whatever was said, they can be read."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from tests.script_tests.material import SCREENED, SCRIPT, case_of, cases, file_of, hello, ran, screened

from heartrule.language.compiling.script import Script
from heartrule.script_tests.case_run import run
from heartrule.script_tests.junit import junit
from heartrule.script_tests.observations import shown_as
from heartrule.script_tests.parallel_runs import CaseResult
from heartrule.script_tests.report_text import ReportTexts, _texts
from heartrule.script_tests.results import plain
from heartrule.script_tests.suite import Job
from heartrule.testing.talk import compile_text

CHECK = "validate: [{check: q1 == 0 or q9 > 0, message: 请再看一眼。}]"


def held(turns: str, head: str = "", expect: str = "", script: Script | None = None) -> CaseResult:
    case = case_of(turns, head, expect)
    return CaseResult(Job("a.test.yaml", 0, "local/hello", case), (run(case, script or hello()),), 0.25)


ALL = """\
- say: [我叫, 小林]
- wait: 5m
- reconnect
- pause
- resume
- say: 三分
- choose: B
- end:
  expect: {ended: false}
"""


def test_every_move_is_in_the_transcript() -> None:
    told = ReportTexts("en").result(held(ALL))
    said = [line.strip() for line in told.splitlines()]
    wanted = ["(begins)", "> 我叫", "> 小林", "(5m pass)", "(reconnects)", "(pauses)", "(goes on)", "> 三分"]
    assert [line for line in said if line in wanted] == wanted
    assert said[-1] == "(ends the session)"
    assert "[A 几乎没有 | B 大多数日子]" in said
    assert "step 8 end – 13: ended: wanted false, got true" in said[1]


@pytest.mark.parametrize(
    ("turns", "head", "zh", "en"),
    [
        ("- choose: A", "", "没有这个选项：A (–)", "not offered: A"),
        ("- fill: {a: 1}", "", "没有表单可以填", "no form is there"),
        (
            "- start:",
            "given: {variables: {强度: 99}}",
            "脚本不收这个初始值：强度 = 99",
            "does not take this value: 强度 = 99",
        ),
    ],
)
def test_a_case_that_was_not_gone_through(turns: str, head: str, zh: str, en: str) -> None:
    found = held(turns, head)
    assert not found.passed
    assert zh in ReportTexts("zh-CN").result(found)
    assert en in ReportTexts("en").result(found)


def test_a_field_that_is_not_there_is_told() -> None:
    assert "the form has no such field: x (q1, q9)" in ReportTexts("en").result(
        held("- fill: {x: 1}", script=screened())
    )


def test_what_is_not_wanted_and_what_is_of_the_whole() -> None:
    found = held("- start:\n  expect: {not: {at: ask_name}}", expect="{never_says: 你好}")
    told = ReportTexts("zh").result(found)
    assert "第 0 步 start – 6: not at：不该有 ask_name，实际 name/ask_name" in told
    assert "整场谈话 – 7: never_says：不该有 你好，实际 你好，我是助手。" in told


def test_what_was_got_is_shown_in_short() -> None:
    told = ReportTexts("en").result(held("- start: {said_contains: 再见}"))
    assert all(len(line) < 260 for line in told.splitlines())


def test_a_test_that_passed_is_one_line() -> None:
    assert ReportTexts("zh").result(held("- start: {said_contains: 你好}")) == "✓ a.test.yaml:2 一次 (顺利)"


def test_the_summary_counts_by_situation() -> None:
    good, bad = held("- start: {said_contains: 你好}"), held("- start: {said_contains: 再见}", "group: refusal")
    assert ReportTexts("en").summary([good, bad, good], 1.26).splitlines() == [
        "happy path 2/2 · refusal 0/1",
        "3 test(s): 2 passed, 1 failed (1.3 s)",
    ]


LATE = """\
- say: 小林
  expect:
    at: choose
    set:
      称呼: 小林
      强度: 3
    said_contains:
      - 心情
      - 再见
"""


def test_a_failure_is_told_with_the_line_it_is_written_in() -> None:
    told = ReportTexts("en").result(held(LATE))
    assert re.findall(r"– (\d+): (\w+)", told) == [("7", "at"), ("10", "set"), ("13", "said_contains")]


def test_failures_come_in_the_order_of_the_conversation() -> None:
    told = ReportTexts("en").result(held("- start: {said_contains: 再见}\n- choose: A"))
    assert told.index("said_contains") < told.index("not offered")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (3, "3"),
        ("3", '"3"'),
        ("true", '"true"'),
        (True, "true"),
        ("", '""'),
        ("null", '"null"'),
        (None, "null"),
        ("2026-11-20", "2026-11-20"),
        ("三分", "三分"),
        ({"a": "1.5", "b": [1, "1"]}, '{a: "1.5", b: [1, "1"]}'),
    ],
)
def test_a_text_is_told_from_a_number(value: object, shown: str) -> None:
    assert shown_as(value) == shown


FILLED = """\
- fill: {q1: 1}
  submit: false
- fill: {q9: 0}
- cancel: true
  expect: {ended: true}
"""


def test_forms_are_in_the_transcript() -> None:
    script = compile_text(SCREENED.replace("    scores:\n", f"    {CHECK}\n    scores:\n"))
    found = held(FILLED, expect="{said_contains: 再见}", script=script)
    said = [line.strip() for line in ReportTexts("en").result(found).splitlines()]
    assert "> {q1: 1} (draft)" in said
    assert "> {q9: 0} (submit)" in said
    assert "> {} (cancel)" in said
    assert "[local/feel]" in said
    assert "[local/feel | *: 请再看一眼。]" in said
    turns = [(each["turn"], each["text"]) for each in plain(found)["transcript"] if each["sender"] == "form"]
    assert turns == [(0, "local/feel"), (1, "local/feel"), (2, "local/feel | *: 请再看一眼。")]


def test_a_time_that_was_up_before_a_move_is_told() -> None:
    script = compile_text(SCRIPT.replace("timeout: 30m", "timeout: 10s"))
    found = held("- say: 小林\n- say: 三分\n  expect: {set: {强度: 3}}", script=script)
    lines = [line.strip() for line in ReportTexts("en").result(found).splitlines()]
    assert lines.index("(a question's time is up)") < lines.index("> 三分")
    assert "（有一问到点了）" in ReportTexts("zh").result(found)
    assert "time is up" not in ReportTexts("en").result(held("- say: 小林\n- choose: A"))


def test_a_refused_directive_is_shown_with_why_and_can_be_expected() -> None:
    order = "{directive: CALL_TECHNIQUE, technique: rest}"
    script = compile_text(SCRIPT.replace(order, "{directive: SKIP_TOPICS, topics: [name]}"))
    done = "{directive: SKIP_TOPICS, topics: name}"
    found = held(f"- say: 我太累了\n  expect: {{directive: {done}}}", script=script)
    assert "SKIP_TOPICS {topics: [name]} ✗ no such topic is planned" in ReportTexts("en").result(found)
    for refused in ("true", "no such topic"):
        kept = done.replace("}", f", refused: {refused}}}")
        assert held(f"- say: 我太累了\n  expect: {{directive: {kept}}}", script=script).passed
    for otherwise in (done.replace("}", ", refused: budget}"), done.replace("}", ", refused: false}")):
        assert not held(f"- say: 我太累了\n  expect: {{directive: {otherwise}}}", script=script).passed


def test_every_run_that_failed_is_told() -> None:
    case = cases(file_of("- start: {said_contains: 你好}", "model: live\nlive: {runs: 3}")).cases[0]
    good, bad = ran("- start: {said_contains: 你好}"), ran("- start: {said_contains: 再见}")
    worse = ran("- start: {said_contains: 晚安}")
    found = CaseResult(Job("a.test.yaml", 0, "local/hello", case), (good, bad, worse))
    told = ReportTexts("en").result(found)
    assert "passed 1 times of 3, 3 wanted" in told
    assert "wanted 再见" in told
    assert "run 3: step 0 start" in told
    assert "wanted 晚安" in told
    assert [each["run"] for each in plain(found)["failed"]] == [2, 3]


def test_what_may_explain_a_failure_is_told_in_both_languages() -> None:
    found = held("- say: 小林\n  expect: {at: choose}", "answers: {ai_say: {content: x}}")
    assert "nobody asks for ai_say of the answers" in ReportTexts("en").result(found)
    assert "answers 里的 ai_say 没有人问" in ReportTexts("zh").result(found)
    assert {"code": "never_asked", "about": "ai_say"} in plain(found)["notes"]


def test_both_languages_say_the_same_things() -> None:
    texts = _texts()
    assert set(texts["zh"]) == set(texts["en"])
    assert set(texts["zh"]["groups"]) == set(texts["en"]["groups"])


def test_a_report_of_anything_can_be_read_by_machines() -> None:
    found = held('- say: "坏\\x07字符 <b> & ]]>"\n  expect: {at: pick}')
    root = ElementTree.fromstring(junit([found], ReportTexts("zh")))
    text = root.find("testsuite/testcase/failure")
    assert text is not None
    assert "<b> & ]]>" in str(text.text)
    assert root.find("testsuite/testcase").attrib["time"] == "0.250"  # type: ignore[union-attr]


def test_for_programs() -> None:
    data = plain(held("- choose: A"))
    assert data["fault"] == {"code": "not_offered", "about": "A (–)"}
    assert (data["file"], data["line"], data["script"], data["group"]) == ("a.test.yaml", 2, "local/hello", "happy")
    assert data["calls"] == 0


def test_the_worst_of_several_runs_is_shown() -> None:
    case = cases(file_of("- start: {said_contains: 你好}", "model: live\nlive: {runs: 3, pass: 2}")).cases[0]
    good, bad = ran("- start: {said_contains: 你好}"), ran("- start: {said_contains: 再见}")
    job = Job("a.test.yaml", 0, "local/hello", case)
    assert CaseResult(job, (good, bad, good)).passed
    assert CaseResult(job, (good, bad, good)).shown is bad
    assert not CaseResult(job, (bad, bad, good)).passed
    assert "passed 1 times of 3, 2 wanted" in ReportTexts("en").result(CaseResult(job, (bad, bad, good)))
