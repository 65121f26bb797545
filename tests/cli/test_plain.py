"""Plain lines in and out."""

from __future__ import annotations

import contextlib
import io
import os
import threading
import time
from collections.abc import Iterator
from typing import TextIO

import pytest
from tests.cli.stand_ins import MESSAGE, PRESS, YES_NO, message

from heartrule.cli.conversation_ui import Due
from heartrule.cli.line_source import LineSource
from heartrule.cli.plain import Plain
from heartrule.cli.words import Words
from heartrule.engine.session.io import Request
from heartrule.engine.session.state import Choice


def front(text: str = "") -> tuple[Plain, io.StringIO]:
    target = io.StringIO()
    return Plain(Words("zh"), "小禾", io.StringIO(text), target), target


@pytest.fixture
def pipe() -> Iterator[tuple[TextIO, int]]:
    """A stream to read and the descriptor that writes to it."""
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as stream:
        yield stream, writing
        with contextlib.suppress(OSError):
            os.close(writing)


def test_who_speaks_is_seen() -> None:
    plain, target = front()
    plain.say([message(1, "你好"), message(2, "嗯", "person"), message(3, "第一行\n第二行")])
    assert target.getvalue() == "小禾: 你好\n> 嗯\n小禾: 第一行\n第二行\n"


def test_options_stand_under_the_question() -> None:
    plain, target = front()
    plain.offer(YES_NO)
    plain.offer(Request("choice", (Choice(value="listen", label="听"), Choice(value="talk", label="说"))))
    plain.offer(MESSAGE)
    assert target.getvalue() == "  A  是\n  B  不是\n  1  听\n  2  说\n"


def test_notices_come_before_a_blank_line() -> None:
    plain, target = front()
    plain.notice(["一", "二"])
    plain.note("三")
    assert target.getvalue() == "一\n二\n\n三\n"


def test_lines_are_echoed_so_that_the_output_is_a_transcript() -> None:
    plain, target = front("睡不着\n\n  \n还有\r\n没有换行")
    texts = []
    while line := plain.read(MESSAGE, None):
        texts.append((line.text, line.number, line.early))
    assert texts == [("睡不着", 1, False), ("还有", 4, False), ("没有换行", 5, False)]
    assert target.getvalue() == "> 睡不着\n> 还有\n> 没有换行\n"


def test_a_blank_line_presses() -> None:
    plain, _ = front("\n")
    line = plain.read(PRESS, None)
    assert line is not None
    assert line.text == ""


def test_nothing_said_can_steer_the_terminal() -> None:
    plain, target = front("\x1b[2J\n")
    plain.say([message(1, "\x1b[31m红\x07")])
    plain.offer(Request("choice", (Choice(value="\x1b", label="\x1b[0m"),)))
    plain.read(MESSAGE, None)
    plain.table(["a"], [["\x1b[1m"]])
    assert "\x1b" not in target.getvalue()
    assert "\x07" not in target.getvalue()


def test_tables_have_a_line_a_row() -> None:
    plain, target = front()
    plain.table(["名称", "内容"], [["心情", "差\n很差"]])
    assert target.getvalue() == "  名称\t内容\n  心情\t差 很差\n"


class TestLineSource:
    def test_several_lines_that_come_at_once(self, pipe: tuple[TextIO, int]) -> None:
        stream, writing = pipe
        os.write(writing, "一\n二\r\n三".encode())
        os.close(writing)
        source = LineSource(stream)
        assert [source.line(None) for _ in range(4)] == ["一", "二", "三", None]
        assert source.line(0.1) is None

    def test_a_line_that_comes_in_pieces(self, pipe: tuple[TextIO, int]) -> None:
        stream, writing = pipe
        data = "睡不着\n".encode()

        def write() -> None:
            for byte in data:
                os.write(writing, bytes([byte]))
                time.sleep(0.005)

        writer = threading.Thread(target=write)
        writer.start()
        assert LineSource(stream).line(5.0) == "睡不着"
        writer.join()

    def test_waiting_ends_and_nothing_is_lost(self, pipe: tuple[TextIO, int]) -> None:
        stream, writing = pipe
        source = LineSource(stream)
        os.write(writing, "半".encode())
        with pytest.raises(TimeoutError):
            source.line(0.02)
        os.write(writing, "句\n".encode())
        assert source.line(1.0) == "半句"

    def test_bytes_that_are_no_text_are_replaced(self, pipe: tuple[TextIO, int]) -> None:
        stream, writing = pipe
        os.write(writing, b"\xff\xfeok\n")
        assert LineSource(stream).line(1.0) == "\ufffd\ufffdok"

    def test_a_megabyte_on_one_line(self, pipe: tuple[TextIO, int]) -> None:
        stream, writing = pipe
        text = "长" * 350_000

        def write() -> None:
            data = (text + "\n").encode()
            while data:
                data = data[os.write(writing, data) :]

        writer = threading.Thread(target=write)
        writer.start()
        assert LineSource(stream).line(10.0) == text
        writer.join()

    def test_the_front_says_that_it_is_due(self, pipe: tuple[TextIO, int]) -> None:
        stream, _ = pipe
        with pytest.raises(Due):
            Plain(Words("en"), "AI", stream, io.StringIO()).read(MESSAGE, 0.02)
