"""Lengths of time, in short and in words."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.language.material import at, awareness, linted, only, session

from heartrule.language.findings.mends import applied
from heartrule.language.lengths import length, short


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30s", 30),
        ("5m", 300),
        ("2h", 7_200),
        ("1h30m", 5_400),
        ("1h 5m 3s", 3_903),
        (" 5 m ", 300),
        ("40分钟", 2_400),
        ("40 分钟", 2_400),
        ("４０分钟", 2_400),
        ("1小时", 3_600),
        ("两小时", 7_200),
        ("1.5 小时", 5_400),
        ("1小时30分", 5_400),
        ("一个半小时", 5_400),
        ("半小时", 1_800),
        ("半个小时", 1_800),
        ("二十五分钟", 1_500),
        ("一刻钟", 900),
        ("30秒", 30),
        ("40 minutes", 2_400),
        ("1 hour and 30 minutes", 5_400),
        ("half an hour", 1_800),
        ("an hour", 3_600),
        ("90 min", 5_400),
        ("30", None),
        ("", None),
        ("m", None),
        ("5x", None),
        ("5m5m", None),
        ("30m1h", None),
        ("3 days", None),
        ("3 turns", None),
        ("分钟", None),
        ("-5m", None),
        ("很久", None),
    ],
)
def test_read(text: str, seconds: int | None) -> None:
    assert length(text) == (timedelta(seconds=seconds) if seconds is not None else None)
    assert length(text) == length(text)


@pytest.mark.parametrize("text", ["30s", "5m", "1h30m", "2h", "1h5m3s", "0s"])
def test_short(text: str) -> None:
    span = length(text)
    assert span is not None
    assert short(span) == text


@pytest.mark.parametrize(
    ("place", "line"),
    [("head", 3), ("phase", 5), ("topic", 7)],
)
def test_wherever_one_is_written_in_words(place: str, line: int) -> None:
    key = "duration" if place == "head" else "time_budget"
    text = session(**{place: f"{key}: 40 分钟"})
    found = only(linted(text))
    assert (found.code, found.line) == ("W425", line)
    assert found.mend is not None
    assert linted(applied(text, found.mend.edits)) == []


def test_of_awareness() -> None:
    head = "always: true\npriority: P2\nevery: 两分钟\ncooldown: 3 turns\nexpires: {after: 1 hour}"
    assert at(linted(awareness("- {directive: FEEDBACK, text: 慢}", head=head))) == [("W425", 5), ("W425", 7)]
