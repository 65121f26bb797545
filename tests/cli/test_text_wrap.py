from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from heartrule.cli.text_wrap import wrapped


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("你好，今天怎么样？", 8, ["你好，今", "天怎么", "样？"]),
        ("你好，今天怎么样？", 40, ["你好，今天怎么样？"]),
        ("和 AI 程序谈话", 7, ["和 AI", "程序谈", "话"]),
        ("one two three", 8, ["one two", "three"]),
        ("他说“好的”。", 6, ["他说", "“好", "的”。"]),
        ("第一行\n\n第二行", 20, ["第一行", "", "第二行"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 10, [""]),
    ],
)
def test_lines(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width).split("\n") == lines


@settings(deadline=None)  # a busy machine pauses anywhere
@given(st.text(alphabet="ab 你好，。？“”（）\n", max_size=80), st.integers(4, 30))
def test_nothing_is_lost_and_everything_fits(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join(lines.split()) == "".join(text.split())
    assert all(cell_len(line) <= width for line in lines.split("\n"))


@given(st.text(max_size=200), st.integers(-3, 30))
def test_any_text(text: str, width: int) -> None:
    assert "".join(wrapped(text, width).split()) == "".join(text.split())
