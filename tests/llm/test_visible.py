"""Control characters and marks of direction do not reach the AI's own words, from wherever they come."""

from __future__ import annotations

import pytest
from tests.table import tabled

from heartrule.language.texts.visible import visible
from heartrule.llm.shape import sieve

ODD = "\x1b]0;x\x07\u202e林\u2066\u2069\x85\x7f"
SCHEMA = {"type": "object", "properties": {"content": {"type": "string"}}}


@tabled(
    ("written", "seen"),
    [(ODD, "]0;x林"), ("一\n二\t三", "一\n二\t三"), ("👩\u200d🚀é", "👩\u200d🚀é"), ("a\r\nb", "a\nb")],
)
def test_what_is_taken_out(written: str, seen: str) -> None:
    assert visible(written) == seen


@pytest.mark.parametrize("field", ["content", "response"])
def test_a_model_s_reply_is_without_them(field: str) -> None:
    assert sieve({field: f"你好，{ODD}。"}, SCHEMA)[0] == {"content": "你好，]0;x林。"}
