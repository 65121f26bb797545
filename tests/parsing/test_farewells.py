"""Who goes, and who only thanks."""

from __future__ import annotations

import time

import pytest

from heartrule.parsing.farewells import is_leaving, takes_leave


@pytest.mark.parametrize(
    ("text", "leaving"),
    [
        ("嗯 我坐这等他 先不说了", True),
        ("行，这法子我回去试试。就到这吧，走了", True),
        ("先这样吧 走了 拜", True),
        ("行了今天先到这儿吧，说得有点多了。走了啊", True),
        ("that's the third time I've been asked, so I'm going.", True),
        ("ok im gonna text her. gotta go. bye", True),
        ("差不多吧", False),
        ("计划不想写", False),
        ("他走了", False),
        ("我想去死了", False),
        ("睡不着", False),
        ("I'm going to lose my job", False),
    ],
)
def test_who_goes(text: str, leaving: bool) -> None:
    assert is_leaving(text) is leaving


@pytest.mark.parametrize("text", ["a，" * 10_000, "谢谢，" * 7_000, "thanks " * 3_000, "嗯" * 20_000])
def test_long_words_take_little_time(text: str) -> None:
    began = time.process_time()
    takes_leave(text)
    is_leaving(text)
    assert time.process_time() - began < 0.08


@pytest.mark.parametrize(
    ("text", "leave"),
    [
        ("谢谢老师，明天见", True),
        ("嗯嗯谢谢你", True),
        ("thanks so much, bye", True),
        ("谢谢，我还是想死", False),
        ("谢谢，那明天几点？", False),
        ("没有", False),
        ("小林", False),
    ],
)
def test_who_only_thanks_and_goes(text: str, leave: bool) -> None:
    assert takes_leave(text) is leave
