"""What a visitor sees and does: pages, forms, and the text of an answer."""

from __future__ import annotations

from typing import Any

import pytest
from bench.conversations.acts import Act, NotUnderstood, acts
from bench.conversations.form import Form
from bench.conversations.pace import TalkClock
from bench.conversations.page import Page


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("嗯", [Act("message", "嗯")]),
        ("一\n二\n---\n三", [Act("message", "一\n二"), Act("message", "三")]),
        ("好\n---\n[pick] 可以", [Act("message", "好"), Act("pick", "可以")]),
        ("[form]\n1: 2\n几天：三 \n", [Act("form", answers=[("1", "2"), ("几天", "三")])]),
        ("[wait]", [Act("wait")]),
        ("再见\n---\n[end]", [Act("message", "再见"), Act("end")]),
        ("再见\n[end]", [Act("message", "再见"), Act("end")]),
        ("[close]", [Act("close")]),
        ("我 [pick] 了", [Act("message", "我 [pick] 了")]),
        ("a - b\n--\nc", [Act("message", "a - b\n--\nc")]),
    ],
)
def test_an_answer_is_read(said: str, expected: list[Act]) -> None:
    assert acts(said, "zh-CN") == expected


@pytest.mark.parametrize("said", ["", "---\n---", "[end]\n---\n再说"])
def test_an_answer_that_says_nothing_or_goes_on_behind_its_end_is_not_understood(said: str) -> None:
    with pytest.raises(NotUnderstood):
        acts(said, "en")


def field(name: str, kind: str, **more: Any) -> dict[str, Any]:
    known = {"label": name.upper(), "help": "", "prefix": "", "required": False, "options": [], "ends": []}
    return {"id": name, "type": kind, "least": None, "most": None, **known, **more}


OPTIONS = [{"value": 0, "label": "Not at all"}, {"value": 1, "label": "Several days"}, {"value": 2, "label": "Several"}]
SHAPE: dict[str, Any] = {
    "key": "k1",
    "name": "Scale",
    "description": "Two weeks.",
    "fields": [
        field("intro", "note", label="Read this."),
        field("a", "single", options=OPTIONS, required=True),
        field("b", "multiple", options=OPTIONS),
        field("c", "boolean"),
        field("d", "slider", least=0, most=10, ends=["low", "high"]),
        field("e", "text", help="a word"),
        field("f", "text"),
        field("g", "number"),
    ],
    "values": {"e": "before"},
    "hidden": ["f"],
    "problems": [{"field": "a", "code": "missing", "message": "is missing"}],
}


def test_a_form_is_read_as_it_stands() -> None:
    text = "\n".join(Form(SHAPE, "en").shown())
    assert text.startswith("A form to fill in: Scale\nTwo weeks.\nRead this.\n1. A(required)\n")
    assert "   Not at all | Several days | Several\n" in text
    assert "3. C\n   Yes | No\n4. D\n   0–10 (low – high)\n5. E a word\n   (filled in: before)\n6. G\n" in text
    assert "! A: is missing" in text


def test_a_form_is_filled_in_by_numbers_ids_labels_and_the_beginning_of_an_option() -> None:
    form = Form(SHAPE, "en")
    answers = [("1", "Several days"), ("b", "Not at all; 1"), ("C", "no"), ("4", "7"), ("e", "x"), ("6", "1.5")]
    values = form.values(answers)
    assert values == {"a": 1, "b": [0, 1], "c": False, "d": 7, "e": "x", "g": 1.5}
    assert form.filled(values)[1:4] == [("B", "Not at all, Several days"), ("C", "No"), ("D", "7")]
    assert form.values([("a", "Not")]) == {"a": 0}


@pytest.mark.parametrize("answer", [("1", "Sever"), ("1", "x"), ("9", "x"), ("3", "perhaps"), ("4", "much")])
def test_an_answer_that_a_form_does_not_take_is_told(answer: tuple[str, str]) -> None:
    with pytest.raises(NotUnderstood):
        Form(SHAPE, "en").values([answer])


def message(content: str, sender: str = "ai", **more: Any) -> dict[str, Any]:
    return {"sender": sender, "name": "Xiaohe", "content": content, "media": [], **more}


def test_a_page_shows_messages_media_whom_to_call_and_what_can_be_picked() -> None:
    media = [
        {"kind": "card", "data": {"title": "T", "items": ["one"]}},
        {"kind": "picture", "alt": "a tree"},
        {"kind": "audio", "transcript": "breathe"},
        {"kind": "chart", "data": {"title": "C", "points": [{"label": "Monday", "value": 3}]}},
    ]
    request = {"type": "choice", "choices": [{"value": "go", "label": "Go on"}, {"value": "stop", "label": "Stop"}]}
    page = Page("en", [message("Hello.", media=media), message("Hi.", "human")], request, ["988 (line)"])
    text = page.shown()
    assert text.startswith("Xiaohe: Hello.\nT\none\n[picture: a tree]\n[recording: breathe]\nC\nMonday: 3\n\n")
    assert "Xiaohe(a person): Hi." in text
    assert "page: 988 (line)" in text
    assert text.endswith("- Go on\n- Stop")
    assert [page.choice(label) for label in ("Go on", "2", "go", "St")] == ["go", "stop", "go", "stop"]
    assert page.label("stop") == "Stop"
    with pytest.raises(NotUnderstood):
        page.choice("x")


def test_a_conversation_takes_as_long_as_reading_and_typing_would() -> None:
    clock = TalkClock()
    began = clock.now()
    clock.read("字" * 80)
    assert (clock.now() - began).total_seconds() == 10
    clock.typed("x" * 40)
    assert (clock.now() - began).total_seconds() == 22
