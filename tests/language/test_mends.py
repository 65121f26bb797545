"""Mends: each edits what was written and nothing else, and its finding goes away."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.material import ACTIONS, awareness, codes, linted, only, session, skill, write

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import Mend, TextEdit, applied, between, near
from heartrule.language.linting.fixes import mend_paths, mended

CALL = "- {type: use_skill, skill: breath, input: {次数: 3}}"
BREATH = skill(head="id: breath\nparameters: [{name: 次数}]")
ASK = "- {type: ask, content: 几分？, output: [{get: 情绪}]}\n"

ONE_WAY = [
    # code, what is written, what is written instead
    ("E101", session("- {type: say, contnet: 你好}  # 先问好"), "contnet", "content"),
    ("E101", session('- "type": say\n  "contnet": 你好'), '"contnet"', '"content"'),
    (
        "E103",
        session("- {type: ai_ask, content: 几分, question: 几分？, required: 是, output: [{get: 甲}]}"),
        "required: 是",
        "required: true",
    ),
    ("E103", session("- {type: ai_ask, content: 几分, question: 几分？, max_rounds: 3轮}"), "3轮", "3"),
    (
        "E103",
        session(head="awareness: 抗拒") + awareness(head="always: true"),
        "awareness: 抗拒\n    p",
        "awareness: [抗拒]\n    p",
    ),
    ("E104", session(topic="priority: hihg"), "hihg", "high"),
    ("E107", session("- type: ai_sya\n  content: 你好\n  fallback: 你好"), "ai_sya", "ai_say"),
    ("E110", session(ASK + "- {type: say, content: 好, condition: 情绪 = 3}"), "情绪 = 3", "情绪 == 3"),
    ("E110", session(ASK + "- {type: say, content: 好, condition: 情绪 => 3}"), "=> 3", ">= 3"),
    ("E110", session(ASK + "- {type: say, content: 好, condition: 情绪 > 3 & 情绪 < 5}"), "3 & ", "3 and "),
    (
        "E020",
        session("- type: say\n  content: {名}，你好  # 问好\n- {type: set_var, var: 名, value: 小林}"),
        "{名}，你好",
        '"{名}，你好"',
    ),
    ("E021", session("- type: say\n  content: 问题: 你好吗  # 问好"), "问题: 你好吗", '"问题: 你好吗"'),
    ("E022", session("- type: say\n  content：你好  # 问好"), "content：你好", "content: 你好"),
    ("E024", session("- type: say\n  content:你好  # 问好\n  id: hi"), "content:你好", "content: 你好"),
    (
        "E023",
        session("- {type: say, content: 好}", topic="repeat: {until: {信息完整}, max: 3}")
        + "global: [{var: 信息完整, type: boolean}]\n",
        "{信息完整}",
        '"{信息完整}"',
    ),
    ("E006", session("- type: say\n\tcontent: 你好"), "\tcontent", "  content"),
    ("E203", session("- {type: use_skill, skill: braeth}") + BREATH, "braeth", "breath"),
    ("E204", session(head="awareness: [suicide_rsk]"), "", ""),
    ("E205", session(phase="transitions: [{to: edn}]"), "", ""),
    ("E209", session(ASK + "- {type: say, content: 好, condition: 情绪 == 高}"), "== 高", "== '高'"),
    ("E209", session(ASK + "- {type: say, content: 好, condition: '情绪 == 高'}"), "'情绪 == 高'", "'情绪 == \"高\"'"),
    ("E215", session(CALL.replace("次数", "次书吧")) + BREATH, "", ""),
    ("E224", session(head="declare: [{var: 情绪, type: integer, range: [10, 1]}]"), "[10, 1]", "[1, 10]"),
    (
        "E225",
        session(head="declare: [{var: 选, type: enum, options: [继续走, 停下来], value: 继续吧}]"),
        "value: 继续吧",
        "value: 继续走",
    ),
    ("W425", session("- {type: ask, content: 好吗, output: [{get: 好}], timeout: 5分钟}"), "5分钟", "5m"),
    ("W425", session("- {type: ask, content: 好吗, output: [{get: 好}], timeout: 2 hours}"), "2 hours", "2h"),
    ("W425", session(topic="time_budget: 10 min"), "10 min", "10m"),
    ("W425", awareness(head="always: true\ncooldown: 30分钟"), "30分钟", "30m"),
    (
        "W210",
        session(ASK.replace("情绪", "情绪强度") + "- {type: say, content: 好, condition: 情绪强读 > 3}"),
        "情绪强读",
        "情绪强度",
    ),
    (
        "W211",
        session(ASK.replace("情绪", "情绪强度") + "- {type: say, content: '好，{{情绪强读}}'}"),
        "情绪强读",
        "情绪强度",
    ),
    (
        "W235",
        session(
            "- {type: say, content: 好, condition: 选 == '停下'}",
            head="declare: [{var: 选, type: enum, options: [继续走, 停下来]}]",
        ),
        "'停下'",
        "'停下来'",
    ),
    (
        "W238",
        session(
            "- type: ai_say\n  content: 好\n  fallback: 好\n  require_acknowledgment: false  # 不等\n  max_rounds: 3"
        ),
        "require_acknowledgment: false  # 不等",
        "# 不等",
    ),
    ("W241", session("- {type: say, content: 好, review: true}"), ", review: true", ""),
    ("W263", awareness(head="always: true\nstrict: true"), "    strict: true\n", ""),
]


def code_of(found: list[Finding], code: str) -> list[Finding]:
    return [each for each in found if each.code == code]


OF_NAMES = frozenset({"E203", "W210", "W211"})
"""The author's own names: what is like one may mean another, so that a person decides."""


@pytest.mark.parametrize(("code", "text", "old", "new"), [case for case in ONE_WAY if case[2]])
def test_one_way_to_mean_it(code: str, text: str, old: str, new: str) -> None:
    found = only(linted(text), code)
    assert found.mend is not None
    assert found.mend.safe == (code not in OF_NAMES)
    assert text.count(old) == 1
    after = applied(text, found.mend.edits)
    assert after == text.replace(old, new)
    assert linted(after) == []


TO_ASK = [
    (
        "E105",
        session("- {type: say, content: 好, condition: {judge: 难过吗, threshold: 70}}"),
        "threshold: 70",
        "threshold: 0.7",
    ),
    ("E108", session("- {type: say, content: 好, tone: 温和}"), ", tone: 温和", ""),
    (
        "E201",
        session("- {type: say, id: hi, content: 好}\n- {type: say, id: hi, content: 坐}"),
        "id: hi, content: 坐",
        "id: hi_2, content: 坐",
    ),
    ("E204", session(head="awareness: [抗据]") + awareness(head="always: true"), "抗据", "抗拒"),
    (
        "E237",
        session("- {type: ai_ask, content: 几分, question: 几分？, min_rounds: 4, max_rounds: 2}"),
        "min_rounds: 4",
        "min_rounds: 2",
    ),
]


@pytest.mark.parametrize(("code", "text", "old", "new"), TO_ASK)
def test_what_a_person_decides(code: str, text: str, old: str, new: str) -> None:
    found = only(linted(text), code)
    assert found.mend is not None
    assert not found.mend.safe
    after = applied(text, found.mend.edits)
    assert after == text.replace(old, new)
    assert linted(after) == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("E101", session("- {type: say, contents: 你好, content: 请坐}")),
        ("E101", session("- {type: say, content: 好, zzzz: 1}")),
        ("E203", session("- {type: use_skill, skill: 别的}") + BREATH),
        ("E201", session(head="declare: [{var: a}, {var: a}]")),
    ],
)
def test_no_plain_way(code: str, text: str) -> None:
    assert only(linted(text), code).mend is None


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("E205", session(topic="id: opening\ntransitions:\n  - {to: openin, condition: true}")),
        ("E260", awareness(head="always: true\npriority: P1\nat: [topic_begin]")),
        ("E215", session("- {type: use_skill, skill: breath, input: {次书: 3}}") + BREATH),
    ],
)
def test_a_name_that_is_like_another_is_for_a_person(code: str, text: str) -> None:
    found = only(linted(text), code)
    assert found.mend is not None
    assert not found.mend.safe
    assert mended(text.encode(), [found]) == (text.encode(), [])


def test_of_several_near_names_none_is_offered_and_both_are_told() -> None:
    both = "declare: [{var: 爸爸年纪, value: 1}, {var: 妈妈年纪, value: 1}]"
    found = only(linted(session("- {type: say, content: 好, condition: 爸妈年纪 > 3}", head=both)), "W210")
    assert found.mend is None
    assert "`爸爸年纪`" in found.hint.zh
    assert "`妈妈年纪`" in found.hint.zh


def test_where_a_dash_is_missing_nothing_is_to_be_deleted() -> None:
    text = session("- type: say\n  content: 好\n  type: user_option\n  var: 选\n  choices: [{value: A, label: 好}]")
    found = linted(text)
    assert {"E007", "E108"} <= {each.code for each in found}
    first, *others = [each for each in found if each.mend is not None]
    assert (first.code, others) == ("E007", [])
    assert first.mend is not None
    assert not first.mend.safe
    assert codes(linted(applied(text, first.mend.edits))) == []


def test_what_differs_in_capital_letters_is_near() -> None:
    text = awareness("- {directive: feedback, text: 慢}", head="always: true\npriority: P1\nat: [topic_end]")
    found = only(linted(text), "E104")
    assert found.mend is not None
    assert found.mend.safe
    assert linted(applied(text, found.mend.edits)) == []


def test_of_two_traps_in_a_line_the_second_waits_for_the_first() -> None:
    text = session("- type: say\n  content：{名}，你好\n- {type: set_var, var: 名, value: 小林}")
    first, second = linted(text)
    assert (first.code, second.code) == ("E022", "E020")
    assert second.mend is None
    raw, done = mended(text.encode(), [first, second])
    assert [each.code for each in done] == ["E022"]
    raw, done = mended(raw, linted(raw))
    assert [each.code for each in done] == ["E020"]
    assert linted(raw) == []


class TestApplying:
    def test_lines_and_columns(self) -> None:
        assert applied("a\nbcd\n", [TextEdit(2, 2, 2, 3, "XY"), TextEdit(1, 2, 2, 1, "")]) == "abXYd\n"

    @pytest.mark.parametrize(
        "edits",
        [
            [TextEdit(1, 1, 1, 3, ""), TextEdit(1, 2, 1, 4, "")],
            [TextEdit(9, 1, 9, 1, "")],
            [TextEdit(1, 9, 1, 9, "")],
            [TextEdit(1, 3, 1, 2, "")],
        ],
    )
    def test_what_cannot_be(self, edits: list[TextEdit]) -> None:
        with pytest.raises(ValueError, match="line"):
            applied("abcd", edits)

    def test_a_byte_order_mark_and_line_ends_stay(self) -> None:
        text = session("- {type: say, contnet: 你好}").replace("\n", "\r\n")
        raw, done = mended(b"\xef\xbb\xbf" + text.encode(), linted(text))
        assert len(done) == 1
        assert raw == b"\xef\xbb\xbf" + text.replace("contnet", "content").encode()

    def test_what_is_no_text_stays(self) -> None:
        assert mended(b"\xff\xfe", []) == (b"\xff\xfe", [])

    def test_nothing_between_equal_lines(self) -> None:
        assert between(["a"], ["a"]) is None
        assert between(["aXb"], ["aYb"]) == Mend((TextEdit(1, 2, 1, 3, "Y"),))
        assert between(["ab"], ["abab"]) == Mend((TextEdit(1, 3, 1, 3, "ab"),))

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ("contnet", ("content", True)),
            ("max_round", ("max_rounds", True)),
            ("情旭", ("情绪", False)),
            ("zz", None),
        ],
    )
    def test_near(self, wanted: str, found: object) -> None:
        known = ["content", "max_rounds", "情绪"]
        assert near(wanted, known) == found


class TestPaths:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        files = {
            "project.yaml": "id: p\n",
            "a.yaml": "# 开头\n"
            + session("- {type: sya, contnet: 你好}  # 先问好\n- {type: say, content: 坐, tone: 好}"),
            "b.yaml": session(name="第二次"),
        }
        return write(tmp_path, files)

    @staticmethod
    def write(path: Path, content: bytes) -> str:
        path.write_bytes(content)
        return ""

    def test_all_that_is_safe(self, folder: Path) -> None:
        made = mend_paths([folder], ACTIONS, self.write)
        assert [each.code for each in made.done] == ["E107", "E101"]
        assert [each.code for each in made.left.findings] == ["E108"]
        text = (folder / "a.yaml").read_text(encoding="utf-8")
        assert text.startswith("# 开头\n")
        assert "{type: say, content: 你好}  # 先问好" in text

    def test_a_second_run_changes_nothing(self, folder: Path) -> None:
        mend_paths([folder], ACTIONS, self.write)
        written: list[Path] = []
        made = mend_paths([folder], ACTIONS, lambda path, _: written.append(path) or "")  # type: ignore[func-returns-value]
        assert (made.done, written) == ([], [])

    def test_a_file_that_cannot_be_written(self, folder: Path) -> None:
        made = mend_paths([folder], ACTIONS, lambda path, content: "full")
        assert made.done == []
        assert made.problems == {folder / "a.yaml": "full"}
        assert "E107" in [each.code for each in made.left.findings]

    def test_a_mend_that_breaks_the_file_is_taken_back(self, folder: Path) -> None:
        before = (folder / "a.yaml").read_bytes()
        calls: list[bytes] = []

        def breaking(path: Path, content: bytes) -> str:
            calls.append(content)
            path.write_bytes(content if content == before else content + b"\n: : {")
            return ""

        made = mend_paths([folder], ACTIONS, breaking)
        assert made.done == []
        assert (folder / "a.yaml").read_bytes() == before
        assert calls[-1] == before

    def test_a_mend_that_brings_a_new_error_is_taken_back_and_the_others_stay(self, tmp_path: Path) -> None:
        text = session("- {type: say, contnet: 你好}\n- {type: user_optoin, id: a}\n- {type: say, contnet: 坐}")
        folder = write(tmp_path, {"a.yaml": text})
        made = mend_paths([folder], ACTIONS, self.write)
        assert [each.code for each in made.done] == ["E101", "E101"]
        assert [each.code for each in made.left.findings] == ["E107"]
        assert (folder / "a.yaml").read_text(encoding="utf-8") == text.replace("contnet", "content")
