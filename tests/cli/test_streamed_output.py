"""Replies that are shown while they are written, with a session and a front that stand in for the real ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.cli.stand_ins import MESSAGE, NONE, Front, Held, message, outcome

from heartrule.cli import conversation
from heartrule.cli.conversation import Conversation, Result
from heartrule.cli.plain import Plain
from heartrule.cli.terminal import Terminal
from heartrule.cli.words import Words
from heartrule.store.records import MessageRecord

WORDS = Words("zh")
FIRST, SECOND = "听起来很不容易。", "后来呢？"
GREETING = message(1, "你好")


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "PAUSES_BEFORE_TRYING_AGAIN", (0.0, 0.0))


def shown(
    parts: list[tuple[int, int, str] | None],
    *messages: MessageRecord,
    folder: Path,
    past: tuple[MessageRecord, ...] = (),
) -> list[str]:
    """What a front is given of a second turn whose reply is heard in these ``parts``."""
    session = Held([outcome(MESSAGE, GREETING), outcome(NONE, *messages)], aloud=[[], parts], past=past)
    front = Front(["难受"])
    assert Conversation(session, front, WORDS).hold() is Result.COMPLETED
    assert front.shown[0] == "ai 你好"
    assert front.shown[-1] == f"note {WORDS('completed')}"
    return front.shown[1:-1]


def test_sentences_are_shown_as_they_come_and_then_the_rest(tmp_path: Path) -> None:
    own, reply = message(2, "难受", "person"), message(3, FIRST + SECOND + "我在。")
    told = shown([(3, 0, FIRST), (3, len(FIRST), SECOND)], own, reply, message(4, "再见。"), folder=tmp_path)
    assert told == [f"write {FIRST}", f"write {SECOND}", "written 我在。", "ai 再见。"]


def test_what_is_told_again_is_not_shown_again(tmp_path: Path) -> None:
    parts: list[tuple[int, int, str] | None] = [(2, 0, FIRST), (2, 0, FIRST), (2, 0, FIRST + SECOND), (2, 3, FIRST[3:])]
    assert shown(parts, message(2, FIRST + SECOND), folder=tmp_path) == [
        f"write {FIRST}",
        f"write {SECOND}",
        "written ",
    ]


def test_a_part_that_does_not_follow_waits_for_its_message(tmp_path: Path) -> None:
    told = shown([(2, 5, "没有开头。"), (2, 0, FIRST), (2, 40, "隔着")], message(2, FIRST + SECOND), folder=tmp_path)
    assert told == [f"write {FIRST}", f"written {SECOND}"]


def test_two_messages_of_a_turn_one_after_the_other(tmp_path: Path) -> None:
    told = shown([(2, 0, FIRST), (3, 0, SECOND)], message(2, FIRST), message(3, SECOND), folder=tmp_path)
    assert told == [f"write {FIRST}", "written ", f"write {SECOND}", "written "]


def test_nothing_is_lost_where_they_come_in_another_order(tmp_path: Path) -> None:
    """The second is heard first, and the first only when it stands."""
    told = shown([(3, 0, SECOND)], message(2, FIRST), message(3, SECOND + "我在。"), folder=tmp_path)
    assert told == [f"write {SECOND}", "written ", f"ai {FIRST}", "ai 我在。"]


def test_a_message_that_does_not_begin_with_what_was_heard_is_shown_whole(tmp_path: Path) -> None:
    assert shown([(2, 0, FIRST)], message(2, SECOND), folder=tmp_path) == [
        f"write {FIRST}",
        "written ",
        f"ai {SECOND}",
    ]


def test_ctrl_c_before_the_first_word_is_answered_in_words_and_after_it_by_the_end_of_them(tmp_path: Path) -> None:
    told = shown([None, (2, 0, FIRST), None], message(2, FIRST), folder=tmp_path)
    assert told == [f"note {WORDS('stopping')}", f"write {FIRST}", "written "]


def test_what_was_said_elsewhere_comes_after_what_has_begun(tmp_path: Path) -> None:
    past = (
        GREETING,
        message(2, "别处", "person"),
        message(3, "听到了。"),
        message(4, "难受", "person"),
        message(5, FIRST),
    )
    told = shown([(5, 0, FIRST)], *past[3:], folder=tmp_path, past=past)
    assert told[:2] == [f"write {FIRST}", "written "]
    assert told[2:] == [f"note {WORDS('said_elsewhere')}", "person 别处", "ai 听到了。"]


def test_a_reply_that_breaks_off_is_gone_on_with_when_it_is_tried_again(tmp_path: Path) -> None:
    session = Held(
        [outcome(MESSAGE, GREETING), OSError("away"), outcome(NONE, message(2, FIRST + SECOND))],
        aloud=[[], [(2, 0, FIRST)], [(2, 0, FIRST), (2, len(FIRST), SECOND)]],
    )
    front = Front(["难受"], patient=False)
    assert Conversation(session, front, WORDS).hold() is Result.COMPLETED
    assert front.shown[1:-1] == [f"write {FIRST}", "written ", f"write {SECOND}", "written "]


class TestPlain:
    @pytest.mark.parametrize("cut", range(len(FIRST + SECOND) + 1))
    def test_the_lines_are_the_same_as_of_a_reply_that_comes_whole(self, cut: int) -> None:
        text = FIRST + "\n" + SECOND
        target = io.StringIO()
        plain = Plain(WORDS, "小禾", io.StringIO(), target)
        if cut:
            plain.write(text[:cut])
            plain.written(text[cut:])
        else:
            plain.say([message(1, text)])
        plain.note("完")
        assert target.getvalue() == f"小禾: {FIRST}\n{SECOND}\n完\n"

    def test_each_part_is_there_at_once(self) -> None:
        target = io.StringIO()
        plain = Plain(WORDS, "小禾", io.StringIO(), target)
        plain.write("\x1b[2J一。")
        assert target.getvalue() == "小禾: [2J一。"
        plain.write("二。")
        assert target.getvalue() == "小禾: [2J一。二。"


class TestTerminal:
    LONG = "听起来这几天很不容易，睡不着的时候脑子里一直停不下来。" * 3 + "What was it that kept you awake? " * 3

    def screen(self, width: int = 40) -> tuple[Terminal, io.StringIO]:
        target = io.StringIO()
        return Terminal(WORDS, "小禾", Console(file=target, width=width, highlight=False)), target

    def lines(self, target: io.StringIO) -> list[str]:
        return [line.rstrip() for line in target.getvalue().rstrip().split("\n")]

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 27, 60])
    @pytest.mark.parametrize("width", [12, 40, 200])
    def test_it_stands_as_a_reply_does_that_comes_whole(self, size: int, width: int) -> None:
        whole, wanted = self.screen(width)
        whole.say([message(1, self.LONG)])
        terminal, target = self.screen(width)
        for at in range(0, len(self.LONG), size):
            terminal.write(self.LONG[at : at + size])
        terminal.written("")
        assert "".join(self.lines(target)).replace(" ", "") == "".join(self.lines(wanted)).replace(" ", "")
        if size == 27:  # whole sentences of the first half
            assert self.lines(target)[:4] == self.lines(wanted)[:4]
        assert max(cell_len(line) for line in self.lines(target)) <= width

    def test_the_name_is_said_once(self) -> None:
        terminal, target = self.screen()
        with terminal.thinking():
            terminal.write("一。")
            terminal.written("二。")
            terminal.say([message(2, "三。")])
        terminal.note("完")
        terminal.say([message(3, "四。")])
        assert self.lines(target) == ["小禾", "  一。二。", "", "  三。", "", "完", "小禾", "  四。"]
