from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.cli.safe_text import shown


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("你好\n第二行\t后面", "你好\n第二行\t后面"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x1b[2J\x1b[31m红", "[2J[31m红"),
        ("\x07\x08\x00ok\x7f\x9b", "ok"),
        ("abc\u202etxt.exe", "abctxt.exe"),
        ("半个\ud800字", "半个字"),
        ("👩‍👧 é", "👩‍👧 é"),
        ("", ""),
    ],
)
def test_harmless(text: str, safe: str) -> None:
    assert shown(text) == safe


@given(st.text(alphabet=st.characters(codec=None), max_size=200))
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    safe = shown(text)
    assert all(c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs"} for c in safe)
    safe.encode("utf-8")
    assert shown(safe) == safe
