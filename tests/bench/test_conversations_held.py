"""Whole conversations of the bench, with the product and with a plain prompt, by programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.conversations import ours, plain
from bench.conversations.effort import effort
from bench.conversations.record import Record
from bench.conversations.spool import of_model
from bench.conversations.strip import transcript
from tests.bench.playing import own_sheet, played, project


def order(folder: Path, most: int = ours.MOST) -> ours.Order:
    return ours.Order(
        own_sheet(folder), folder / "talk", "tests/small", "zh-CN", most=most, projects=(project(folder),)
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str], Record]:
    """A conversation with everything that a visitor can do, to its own end."""
    folder = tmp_path_factory.mktemp("ours")
    answers = [
        "睡不好\n---\n两三点才睡着",
        "[pick] 没有这个",
        "[pick] 好，填",
        "[form]\n1: 很多\n2: 有时",
        "[form]\n1: 4\n会醒得太早吗？: 有时\n3: 没有",
    ]
    reason, pages = played(ours.held(order(folder)), folder / "talk", answers)
    return reason, pages, Record.read(folder / "talk")


def test_a_conversation_with_the_product_comes_to_its_end(whole: tuple[str, list[str], Record]) -> None:
    reason, pages, record = whole
    assert reason == "the conversation came to its end"
    assert record.about["over"] == reason
    assert (record.folder / "over.txt").read_text(encoding="utf-8").strip() == reason
    assert pages[-1].endswith("（会谈结束了。）")
    assert "今天就到这里。" in pages[-1]
    assert record.messages == 4


def test_the_visitor_sees_the_page_and_nothing_else(whole: tuple[str, list[str], Record]) -> None:
    _, pages, _ = whole
    assert pages[0].endswith("最近怎么样？")
    assert "- 好，填一下\n- 先不填" in pages[1]
    assert not any(word in page for page in pages for word in ("ai_ask", "tests/small", "睡不好", "sleep"))


def test_what_cannot_be_done_is_said_and_sent_nowhere(whole: tuple[str, list[str], Record]) -> None:
    _, pages, record = whole
    assert pages[2].startswith("（没有送出去：没有“没有这个”这个选项）")
    assert "- 好，填一下" in pages[2]
    assert "第 1 题没有“很多”这个答案，能填：0–7" in pages[4]
    assert "没有这个" not in str(record.said)


def test_a_form_is_shown_with_its_options_and_filled_in_by_number_or_name(
    whole: tuple[str, list[str], Record],
) -> None:
    _, pages, record = whole
    assert "要填的表：睡眠小问卷" in pages[3]
    assert "1. 几个晚上没睡好？（必填）\n   0–7" in pages[3]
    assert "2. 会醒得太早吗？（必填）\n   不会 | 有时" in pages[3]
    filled = next(each.filled for each in record.said if each.filled)
    assert filled == [("几个晚上没睡好？", "4"), ("会醒得太早吗？", "有时"), ("吃药吗？", "否")]


def test_words_that_follow_each_other_are_sent_without_waiting(whole: tuple[str, list[str], Record]) -> None:
    _, _, record = whole
    burst = [each for each in record.said if each.who == "visitor"][:2]
    assert [each.text for each in burst] == ["睡不好", "两三点才睡着"]
    assert burst[0].turn == burst[1].turn == 2


def test_every_call_is_kept_with_what_it_was_for(whole: tuple[str, list[str], Record]) -> None:
    _, _, record = whole
    assert record.calls
    assert len(record.calls) == len(of_model(record.folder).numbers())
    assert all(call.kind for call in record.calls if call.answered)
    assert any(call.speaks for call in record.calls)
    asked = json.loads(of_model(record.folder).question(1))
    assert asked["turn"] == record.calls[0].turn
    found = effort(record)
    assert found.turns == len(record.spans) - 1 == 3
    assert found.calls > 0
    assert 0 < found.discounted <= found.prompt


def test_nobody_plays_over_what_was_played(whole: tuple[str, list[str], Record], tmp_path: Path) -> None:
    _, _, record = whole
    with pytest.raises(FileExistsError):
        Record.begun(record.folder, "ours", own_sheet(tmp_path))


def test_a_visitor_may_be_silent_and_may_leave(tmp_path: Path) -> None:
    made = order(tmp_path)
    reason, pages = played(ours.held(made), made.folder, ["[wait]", "睡不好", "[end]"])
    assert reason == "the visitor left"
    assert pages[1] == "（没有新的话。）"
    assert pages[-1].endswith("（会谈结束了。）")


def test_a_conversation_without_end_is_broken_off(tmp_path: Path) -> None:
    made = order(tmp_path, most=1)
    reason, _ = played(ours.held(made), made.folder, ["睡不好"])
    assert reason == "broken off after 1 messages"


def test_who_types_the_last_answer_and_presses_it_too_still_reads_the_end(tmp_path: Path) -> None:
    made = order(tmp_path)
    reason, pages = played(ours.held(made), made.folder, ["睡不好", "先不填\n---\n[pick] 先不填"])
    assert reason == "the conversation came to its end"
    assert "今天就到这里。" in pages[-1]


def test_what_the_product_does_not_take_ends_the_conversation_with_its_reason(tmp_path: Path) -> None:
    made = ours.Order(own_sheet(tmp_path), tmp_path / "talk", "tests/none", "zh-CN")
    reason, _ = played(ours.held(made), made.folder, [])
    assert reason.startswith("the product refused: ")


def test_a_plain_prompt_is_held_by_the_same_two_doors(tmp_path: Path) -> None:
    made = plain.Order(own_sheet(tmp_path), tmp_path / "talk", "zh_assessment", 10)
    answers = ["睡不好\n---\n真的", "[pick] 好", "[wait]", "谢谢\n---\n[end]"]
    reason, pages = played(plain.held(made), made.folder, answers)
    assert reason == "the visitor left"
    assert pages[0] == "小禾: 嗯，第 1 句。"
    assert pages[1] == "小禾: 嗯，第 2 句。"
    assert pages[2].startswith("（没有送出去：")
    assert pages[3] == "（没有新的话。）"
    record = Record.read(made.folder)
    asked = json.loads(of_model(made.folder).question(2))
    assert [each["role"] for each in asked["messages"]] == ["system", "assistant", "user"]
    assert asked["messages"][2]["content"] == "睡不好\n真的"
    assert asked["messages"][0]["content"] == plain.prompt("zh_assessment")
    assert [call.turn for call in record.calls] == [1, 2]
    assert effort(record).within == 1.0
    assert (
        transcript(record)
        == "#1 咨询师: 嗯，第 1 句。\n\n#2 来访者: 睡不好\n真的\n\n#3 咨询师: 嗯，第 2 句。\n\n#4 来访者: 谢谢\n"
    )


def test_both_sides_look_alike_when_stripped(whole: tuple[str, list[str], Record]) -> None:
    _, _, record = whole
    text = transcript(record)
    assert text.startswith(
        "#1 咨询师: 你好，我是〔咨询师〕。\n最近怎么样？\n\n#2 来访者: 睡不好\n两三点才睡着\n\n#3 咨询师: "
    )
    assert "好，填一下\n先不填\n\n#4 来访者: 好，填一下\n" in text
    assert "好，填一下\n（填了一份问卷：几个晚上没睡好？ 4；会醒得太早吗？ 有时；吃药吗？ 否）" in text
    assert not any(word in text for word in ("小禾", "[pick]", "[form]", "**", "- "))
