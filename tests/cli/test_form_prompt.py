"""Forms in the terminal: question by question, back and forth, and out of it at any moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.stand_ins import NONE, Front, Held, message, outcome
from tests.server.test_forms import SCRIPT
from typer.testing import CliRunner

from heartrule.cli.conversation import Conversation, Result
from heartrule.cli.form_prompt import FormDialog
from heartrule.cli.main import app
from heartrule.cli.words import Words
from heartrule.engine.session.io import FormRequest, Request

FIELDS: list[dict[str, Any]] = [
    {"id": "hint", "type": "note", "label": "最近两周"},
    {"id": "q1", "type": "single", "label": "提不起劲", "required": True, "options": [
        {"value": 0, "label": "没有"}, {"value": 1, "label": "有几天"}]},
    {"id": "yes", "type": "boolean", "label": "来过吗"},
    {"id": "what", "type": "multiple", "label": "哪些", "options": [
        {"value": "a", "label": "睡眠"}, {"value": "b", "label": "胃口"}]},
    {"id": "how", "type": "slider", "label": "今天", "least": 0.0, "most": 10.0, "ends": ["差", "好"], "unit": "分"},
    {"id": "note", "type": "longtext", "label": "想说的", "help": "写多少都行", "prefix": "5."},
]  # fmt: skip


def asked(key: str = "f1", hidden: tuple[str, ...] = (), problems: Any = (), **values: Any) -> FormRequest:
    shown = {"description": "请照实填。", "fields": FIELDS}
    return FormRequest("tests/mood", key, "fill", False, "心情表", shown, values, hidden, problems)


def filling(language: Any = "zh", **values: Any) -> FormDialog:
    made = FormDialog(Words(language))
    made.goes_on(asked(**values))
    return made


def test_it_begins_with_what_it_is_called_and_how_to_get_about() -> None:
    made = FormDialog(Words("zh"))
    told = made.goes_on(asked())
    assert told[:2] == ["表：心情表", "请照实填。"]
    assert "/cancel" in told[2]
    text, offered = made.question()
    assert text.splitlines() == ["最近两周", "1/5  提不起劲"]
    assert [choice.value for choice in offered.choices] == ["0", "1"]


def test_answers_become_drafts_and_the_next_question_comes() -> None:
    made = filling()
    values: dict[str, Any] = {}
    for line, name, value in (
        ("有几天", "q1", 1),
        ("是", "yes", True),
        ("睡眠 2", "what", ["a", "b"]),
        ("7", "how", "7"),
        ("都 还行 ", "note", "都 还行 "),
    ):
        sent = made.take(line)
        assert (sent.kind, sent.values) == ("form_draft", {name: value})
        values |= sent.values
        assert made.goes_on(asked(**values)) == []
    text, offered = made.question()
    assert text == "都填好了。现在交吗？"
    assert [choice.value for choice in offered.choices] == ["submit", "back", "cancel"]
    assert made.take("1").kind == "form_submit"
    assert made.take("3").kind == "form_cancel"


def test_going_back_shows_what_was_answered_and_skipping_leaves_it() -> None:
    made = filling(q1=1, yes=False)
    assert made.question()[0].startswith("3/5  哪些\n（可以选几个")
    assert made.take("/back").kind == "note"
    assert made.question()[0].splitlines() == ["2/5  来过吗", "（填过：否；/skip 不改）"]
    assert made.take("/skip").kind == "note"
    assert made.take("/skip").kind == "note"
    assert made.question()[0].splitlines() == ["4/5  今天 (分)", "（0 差 到 10 好）"]
    assert made.take("").kind == "note"
    assert made.question()[0].splitlines() == ["5/5  5. 想说的", "写多少都行"]
    assert made.take("/skip").kind == "note"
    assert made.take("2").kind == "note"
    assert made.question()[0].startswith("5/5")
    for _ in range(9):
        made.take("/back")
    assert made.question()[0].startswith("最近两周\n1/5")


def test_what_is_required_is_not_passed_over() -> None:
    made = filling()
    assert "/cancel" in made.take("/skip").note
    assert made.question()[0].endswith("1/5  提不起劲")
    assert made.take("/cancel").kind == "form_cancel"


@pytest.mark.parametrize("line", ["我不想活了", "9", "0 1"])
def test_what_is_no_answer_is_said_as_words(line: str) -> None:
    assert filling().take(line).kind == "message"
    assert filling(q1=0, yes=True, what=["a"], how=1, note="x").take(line).kind == "message"
    assert filling(q1=0, yes=True).take("睡眠 别的").kind == "message"


def test_what_cannot_be_read_is_asked_again_with_why() -> None:
    made = filling(q1=0, yes=True, what=["a"])
    assert made.take("很多").values == {"how": "很多"}
    assert made.goes_on(asked(problems=(("how", "not_number", "应当是数字"),), how="很多")) == ["应当是数字"]
    assert made.question()[0].startswith("4/5")


def test_a_submission_that_is_refused_goes_to_the_first_thing_that_is_wrong() -> None:
    made = filling(q1=0, yes=True, what=["a"], how=1, note="x")
    assert made.take("交").kind == "form_submit"
    problems = (("what", "x", "少选一个"), ("", "check", "合起来不对"))
    assert made.goes_on(asked(problems=problems)) == ["少选一个"]
    assert made.question()[0].startswith("3/5")
    made = filling(q1=0, yes=True, what=["a"], how=1, note="x")
    assert made.goes_on(asked(problems=problems[1:])) == ["合起来不对"]
    assert made.question()[0] == "都填好了。现在交吗？"


def test_fields_that_the_answers_leave_out_are_not_asked() -> None:
    made = filling(hidden=("yes", "what"), q1=0)
    assert made.question()[0].startswith("2/3  今天")


def test_another_showing_begins_anew() -> None:
    made = filling(q1=0, yes=True)
    assert made.goes_on(asked(key="f2"))[0] == "表：心情表"
    assert made.question()[0].endswith("1/5  提不起劲")


def test_every_text_is_there_in_english_too() -> None:
    made = filling("en", q1=0)
    assert [choice.label for choice in made.question()[1].choices] == ["Yes", "No"]
    made = filling("en", q1=0, yes=True, what=["a"], how=1, note="x")
    assert made.question()[1].choices[0].label == "Hand it in"
    assert "(filled in: 没有; /skip leaves it)" in _first(made)


def _first(made: FormDialog) -> str:
    for _ in range(6):
        made.take("/back")
    return made.question()[0]


def test_a_command_that_there_is_none_of_fills_in_nothing(tmp_path: Path) -> None:
    form = Request("form", form=asked(q1=0, yes=True, what=["a"], how=1))
    held = Held([outcome(form, message(1, "填吧")), outcome(NONE)])
    front = Front(["/foo", "/where", "/cancel"])
    assert Conversation(held, front, Words("zh")).hold() == Result.COMPLETED
    assert [entry.kind for entry in held.taken] == ["form_cancel"]
    assert any("/foo" in told for told in front.shown)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["有", "没有", "7", "2026-11-01", "/skip", "交", "没了"], "1分。还有吗？"),
        (["嗯？", "有", "/back", "没有", "没有", "/skip", "/skip", "1", "没了"], "0分。还有吗？"),
        (["/cancel", "没了"], "这方面分。还有吗？"),
        (["有", "有"], "结束生命"),
        (["我不想活了"], "急救 120"),
    ],
    ids=["whole", "back", "cancelled", "item", "words"],
)
def test_a_form_in_a_session_of_lines(tmp_path: Path, lines: list[str], told: str) -> None:
    (tmp_path / "filling.yaml").write_text(SCRIPT, encoding="utf-8")
    script = f"{tmp_path / 'filling.yaml'}#filling"
    answer = CliRunner().invoke(
        app, ["chat", script, "--data", str(tmp_path / "data"), "--lang", "zh"], input="\n".join(lines) + "\n"
    )
    assert told in answer.output, answer.output
    assert (answer.exit_code == 0) is (lines[-1] == "没了"), answer.output
