"""A conversation line by line, with a session and a front that stand in for the real ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.command import SCRIPT
from tests.cli.stand_ins import MESSAGE, NONE, NOON, PRESS, YES_NO, Front, Held, message, outcome

from heartrule.cli import conversation
from heartrule.cli.conversation import Conversation, Result
from heartrule.cli.conversation_ui import Due, Line
from heartrule.cli.door import opened
from heartrule.cli.terminal_session import Session
from heartrule.cli.words import Words
from heartrule.sessions import CannotRestore, Closed, NoSuchSession, Settings, View
from heartrule.store.records import Entry

WORDS = Words("zh")


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "PAUSES_BEFORE_TRYING_AGAIN", (0.0, 0.0))


def held(session: Held, front: Front, logs: Path, *, resumed: bool = False) -> Result:
    return Conversation(session, front, WORDS).hold(resumed=resumed)


def said(entry: Entry) -> tuple[str, str | None, str | None, int | None]:
    return entry.kind, entry.text, entry.choice, entry.after


def test_from_the_first_word_to_the_last(tmp_path: Path) -> None:
    session = Held(
        [
            outcome(MESSAGE, message(1, "你好"), message(2, "今天怎么样？")),
            outcome(NONE, message(3, "不太好", "person"), message(4, "谢谢你告诉我。")),
        ]
    )
    front = Front(["不太好"])
    assert held(session, front, tmp_path) is Result.COMPLETED
    assert session.starts == 1
    assert [said(entry) for entry in session.taken] == [("message", "不太好", None, 2)]
    assert front.shown == ["ai 你好", "ai 今天怎么样？", "ai 谢谢你告诉我。", f"note {WORDS('completed')}"]
    assert front.thoughts == 2


def test_options_are_shown_and_picked(tmp_path: Path) -> None:
    session = Held([outcome(YES_NO, message(1, "是吗？")), outcome(NONE, message(2, "好"))])
    front = Front(["b"])
    assert held(session, front, tmp_path) is Result.COMPLETED
    assert [said(entry) for entry in session.taken] == [("choice", None, "B", 1)]
    assert front.shown[1:3] == ["offer 是", "offer 不是"]


def test_own_words_instead_of_an_option_are_words(tmp_path: Path) -> None:
    session = Held([outcome(YES_NO, message(1, "是吗？")), outcome(NONE)])
    held(session, Front(["说不清楚"]), tmp_path)
    assert [said(entry) for entry in session.taken] == [("message", "说不清楚", None, 1)]


@pytest.mark.parametrize("line", ["", "  ", "准备好了", "1"])
def test_what_is_to_be_pressed_is_pressed(line: str, tmp_path: Path) -> None:
    session = Held([outcome(PRESS, message(1, "好了说一声")), outcome(NONE)])
    held(session, Front([line]), tmp_path)
    assert [said(entry) for entry in session.taken] == [("choice", None, "go_on", 1)]


def test_blank_lines_say_nothing_where_words_are_awaited(tmp_path: Path) -> None:
    session = Held([outcome(MESSAGE, message(1, "请说")), outcome(NONE)])
    held(session, Front(["", "   ", "嗯"]), tmp_path)
    assert [entry.text for entry in session.taken] == ["嗯"]


def test_ones_own_words_have_been_seen_too(tmp_path: Path) -> None:
    session = Held([outcome(YES_NO, message(1, "是吗？")), outcome(PRESS, message(2, "是", "person")), outcome(NONE)])
    held(session, Front(["A", ""]), tmp_path)
    assert [entry.after for entry in session.taken] == [1, 2]


def test_every_line_has_a_key_of_its_own(tmp_path: Path) -> None:
    session = Held([outcome(MESSAGE), outcome(MESSAGE), outcome(MESSAGE), outcome(NONE)])
    held(session, Front(["嗯", "嗯", "嗯"]), tmp_path)
    assert len({entry.key for entry in session.taken}) == 3


def test_what_was_typed_too_early_goes_with_what_its_sender_had_seen(tmp_path: Path) -> None:
    session = Held(
        [
            outcome(MESSAGE, message(1, "你好")),
            outcome(YES_NO, message(2, "我睡不着", "person"), message(3, "你愿意吗？")),
            outcome(NONE),
        ]
    )
    held(session, Front(["我睡不着", Line("A", 2, early=True)]), tmp_path)
    assert [said(entry) for entry in session.taken] == [
        ("message", "我睡不着", None, 1),
        ("message", "A", None, 1),
    ]


class TestLeaving:
    def test_a_terminal_that_closes(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE, message(1, "你好"))])
        front = Front([])
        assert held(session, front, tmp_path) is Result.UNFINISHED
        assert front.shown == ["ai 你好"]

    def test_input_that_runs_out_is_said(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE, message(1, "你好"))])
        front = Front([], patient=False)
        assert held(session, front, tmp_path) is Result.UNFINISHED
        assert front.shown[-1] == f"note {WORDS('input_ended')}"

    @pytest.mark.parametrize("command", ["/quit", "/pause", "/exit", "/quit "])
    def test_commands_leave(self, command: str, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE)])
        assert held(session, Front([command]), tmp_path) is Result.UNFINISHED
        assert session.taken == []

    def test_ending_for_good_is_asked_twice(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), outcome(NONE, message(2, "再见"))])
        front = Front(["/end", "/end"])
        assert held(session, front, tmp_path) is Result.COMPLETED
        assert [entry.kind for entry in session.taken] == ["end"]
        assert f"note {WORDS('end_again')}" in front.shown

    def test_words_in_between_take_the_first_back(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), outcome(MESSAGE)])
        front = Front(["/end", "等一下", "/end"])
        assert held(session, front, tmp_path) is Result.UNFINISHED
        assert [entry.kind for entry in session.taken] == ["message"]

    def test_a_pipe_is_not_asked(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), outcome(NONE)])
        assert held(session, Front(["/end"], patient=False), tmp_path) is Result.COMPLETED


class TestCommands:
    def test_an_unknown_one_is_not_said_by_mistake(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE)])
        front = Front(["/quti now"])
        held(session, front, tmp_path)
        assert session.taken == []
        assert front.shown[-1] == f"note {WORDS('unknown_command', command='/quti')}"

    def test_with_a_space_before_it_is_words(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), outcome(MESSAGE)])
        held(session, Front([" /quit"]), tmp_path)
        assert [entry.text for entry in session.taken] == [" /quit"]

    def test_from_a_pipe_what_is_no_command_is_words(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), outcome(MESSAGE)])
        held(session, Front(["/etc"], patient=False), tmp_path)
        assert [entry.text for entry in session.taken] == ["/etc"]


class TestTroubles:
    def test_a_line_waits_for_enter_and_keeps_its_key(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        session = Held([outcome(MESSAGE, message(1, "你好")), OSError("disk"), outcome(NONE, message(3, "好"))])
        front = Front(["睡不着", ""])
        assert held(session, front, tmp_path) is Result.COMPLETED
        first, second = session.taken
        assert first == second
        told = next(line for line in front.shown if "没有处理成功" in line)
        reference = told.partition("编号 ")[2][:8]
        assert f"fault reference={reference} " in caplog.text

    def test_other_words_are_sent_after_it(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), OSError(), outcome(MESSAGE), outcome(NONE)])
        held(session, Front(["第一句", "第二句"]), tmp_path)
        assert [entry.text for entry in session.taken] == ["第一句", "第一句", "第二句"]
        assert session.taken[0].key == session.taken[1].key != session.taken[2].key

    def test_other_words_wait_too_while_it_still_fails(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), OSError(), OSError()])
        front = Front(["第一句", "第二句", "/quit"])
        assert held(session, front, tmp_path) is Result.UNFINISHED
        assert [entry.text for entry in session.taken] == ["第一句", "第一句"]

    def test_one_can_look_and_leave_meanwhile(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), OSError()])
        assert held(session, Front(["第一句", "/help", "/quit"]), tmp_path) is Result.UNFINISHED
        assert len(session.taken) == 1

    def test_a_first_turn_that_fails_is_tried_again(self, tmp_path: Path) -> None:
        session = Held([OSError(), outcome(NONE, message(1, "你好"))])
        assert held(session, Front([""]), tmp_path) is Result.COMPLETED
        assert session.starts == 2

    def test_a_pipe_tries_again_by_itself(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), OSError(), OSError(), outcome(NONE)])
        assert held(session, Front(["嗯"], patient=False), tmp_path) is Result.COMPLETED
        assert len({entry.key for entry in session.taken}) == 1
        assert len(session.taken) == 3

    def test_and_stops_with_a_number(self, tmp_path: Path) -> None:
        session = Held([outcome(MESSAGE), outcome(MESSAGE), OSError(), OSError(), OSError()])
        front = Front(["嗯", "睡不着", "不会读到"], patient=False)
        assert held(session, front, tmp_path) is Result.FAILED
        assert "第 2 行" in front.shown[-1]
        assert [entry.text for entry in session.taken] == ["嗯", *["睡不着"] * 3]

    @pytest.mark.parametrize("refused", [CannotRestore("old"), Closed("x"), NoSuchSession("x")])
    @pytest.mark.parametrize("patient", [True, False])
    def test_what_trying_again_does_not_help_is_not_tried(
        self, refused: Exception, patient: bool, tmp_path: Path
    ) -> None:
        session = Held([outcome(MESSAGE), refused])
        with pytest.raises(type(refused)):
            held(session, Front(["嗯"], patient=patient), tmp_path)
        assert len(session.taken) == 1


class TestTimers:
    def test_the_session_gets_its_turn_when_nobody_speaks(self, tmp_path: Path) -> None:
        session = Held(
            [outcome(MESSAGE, message(1, "你好")), outcome(MESSAGE, message(2, "还在吗？")), outcome(NONE)],
            alarms=[(NOON, 30.0), None],
        )
        front = Front([Due, "在"])
        assert held(session, front, tmp_path) is Result.COMPLETED
        assert [entry.kind for entry in session.taken] == ["timer", "message"]
        assert session.taken[0].key == f"timer {NOON.isoformat()}"
        assert front.waited == [30.0, None]
        assert session.taken[1].after == 2


class TestTwoTerminals:
    def test_what_was_said_elsewhere_is_shown_before_it_counts_as_seen(self, tmp_path: Path) -> None:
        elsewhere = (message(2, "小林", "person"), message(3, "你现在安全吗？"))
        session = Held(
            [
                outcome(MESSAGE, message(1, "怎么称呼你？")),
                outcome(YES_NO, message(4, "是我", "person"), message(5, "愿意谈谈吗？")),
                outcome(NONE),
            ],
            past=(message(1, "怎么称呼你？"), *elsewhere, message(4, "是我", "person"), message(5, "愿意谈谈吗？")),
        )
        front = Front(["是我", "A"])
        assert held(session, front, tmp_path) is Result.COMPLETED
        assert front.shown[1:5] == [
            f"note {WORDS('said_elsewhere')}",
            "person 小林",
            "ai 你现在安全吗？",
            "ai 愿意谈谈吗？",
        ]
        assert [entry.after for entry in session.taken] == [1, 5]

    def test_a_turn_in_which_nothing_is_said_shows_it_too(self, tmp_path: Path) -> None:
        past = (message(1, "你好"), message(2, "在", "person"), message(3, "还好吗？"))
        session = Held(
            [outcome(MESSAGE, message(1, "你好")), outcome(YES_NO), outcome(NONE)],
            alarms=[(NOON, 1.0)],
            past=past,
        )
        front = Front([Due, "A"])
        held(session, front, tmp_path)
        assert front.shown[2:4] == ["person 在", "ai 还好吗？"]
        assert session.taken[1].after == 3

    def test_later_turns_are_left_for_later(self, tmp_path: Path) -> None:
        past = (message(1, "你好"), message(2, "甲", "person"), replace(message(3, "以后的话"), turn=9))
        session = Held([outcome(MESSAGE, message(1, "你好")), outcome(MESSAGE), outcome(NONE)], past=past)
        front = Front(["嗯", "好"])
        held(session, front, tmp_path)
        assert "ai 以后的话" not in front.shown
        assert [entry.after for entry in session.taken] == [1, 2]

    def test_what_an_older_session_held_is_not_said_again(self, tmp_path: Path) -> None:
        old = tuple(replace(message(number, "从前的话"), turn=0) for number in (1, 2))
        front = Front([])
        held(Held([outcome(MESSAGE, message(3, "你好"))], past=(*old, message(3, "你好"))), front, tmp_path)
        assert front.shown == ["ai 你好"]

    def test_what_cannot_be_fetched_is_tried_again_with_the_line(self, tmp_path: Path) -> None:
        class Away(Held):
            def view(self) -> View:
                if len(self.taken) == 1:
                    raise OSError("away")
                return super().view()

        done = outcome(MESSAGE, message(3, "好"))
        past = (message(1, "你好"), message(2, "别处的话"), message(3, "好"))
        session = Away([outcome(MESSAGE, message(1, "你好")), done, done, outcome(NONE)], past=past)
        front = Front(["嗯", "", "再见"])
        assert held(session, front, tmp_path) is Result.COMPLETED
        assert session.taken[0] == session.taken[1]
        assert front.shown.index("ai 别处的话") < front.shown.index("ai 好")
        assert session.taken[2].after == 3

    def test_two_doors_on_one_folder(self, tmp_path: Path) -> None:
        """Both have the question for a name before them; the second answers, and the first's line meets options that
        it has not seen."""
        folder = Settings(data=tmp_path / "data")
        (tmp_path / "hello.yaml").write_text(SCRIPT, encoding="utf-8")
        with opened(folder) as one, opened(folder) as two:
            record = one.call(one.sessions.create, str(tmp_path / "hello.yaml"))
            mine, other = Session(one, record.id), Session(two, record.id)

            def lines() -> Iterator[str]:
                other.take(Entry(key="other", kind="message", text="小林", after=2))
                yield "B"
                yield "/quit"

            front = Front(lines())
            held(mine, front, tmp_path)
            view = mine.view()
        shown = [line.partition(" ")[2] for line in front.shown if line.startswith(("ai ", "person "))]
        spoken = [each.text for each in view.messages if each.sender == "ai"]
        assert [text for text in shown if text in spoken] == spoken
        assert "person 小林" in front.shown
        assert all(each.name != "频率" for each in view.variables), "an answer to the name is no answer to the options"


class TestComingBack:
    def test_the_last_words_are_shown_again(self, tmp_path: Path) -> None:
        past = tuple(message(number, f"第{number}句", "ai" if number % 2 else "person") for number in range(1, 10))
        session = Held([outcome(MESSAGE, message(9, "第9句")), outcome(NONE)], past=past)
        front = Front(["回来了"])
        assert held(session, front, tmp_path, resumed=True) is Result.COMPLETED
        assert session.starts == 0
        assert [entry.kind for entry in session.taken] == ["resume", "message"]
        assert front.shown[:7] == [
            f"note {WORDS('resumed')}",
            *("person 第4句", "ai 第5句", "person 第6句", "ai 第7句", "person 第8句", "ai 第9句"),
        ]
        assert front.shown.count("ai 第9句") == 1
        assert session.taken[1].after == 9
