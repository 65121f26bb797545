"""Pictures, recordings, cards, charts and a pacer in words, for who reads lines."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console
from tests.cli.stand_ins import message

from heartrule.cli.media_text import message_text
from heartrule.cli.plain import Plain
from heartrule.cli.words import Language, Words
from heartrule.engine.session.media import Media
from heartrule.sessions.rows import MEDIA
from heartrule.store.records import MessageRecord


def with_media(text: str, *media: Media) -> MessageRecord:
    return replace(message(1, text), metadata={MEDIA: [each.dump() for each in media]})


POINTS: dict[str, Any] = {"title": "紧张", "kind": "compare", "points": [{"label": "前", "value": 8}]}
CARD: dict[str, Any] = {"title": "记住", "text": "一句\n两句", "items": ["一"]}
KINDS: list[tuple[Media, Language, list[str]]] = [
    (Media("picture", "a/b.png", "三个方框", "看这里"), "zh", ["[图片：三个方框]", "看这里"]),
    (Media("picture", "a/b.png", "three boxes"), "en", ["[Picture: three boxes]"]),
    (Media("audio", "a/b.mp3", transcript="静下来。"), "zh", ["[录音：—]", "文字稿：静下来。"]),
    (
        Media("card", data={"title": "记住", "text": "一句\n两句", "items": ["一"]}),
        "zh",
        ["┌ 记住", "│ 一句", "│ 两句", "│ - 一"],
    ),
    (Media("chart", data=POINTS), "zh", ["[图：紧张]", "  前  8"]),
    (Media("pacer", data={"in": 4, "hold": 0, "out": 6, "rest": 0}), "en", ["breathe in 4 s · breathe out 6 s"]),
]


@pytest.mark.parametrize(("media", "language", "lines"), KINDS)
def test_everything_is_said_in_words(media: Media, language: Language, lines: list[str]) -> None:
    assert message_text(with_media("看", media), Words(language)).splitlines() == ["看", *lines]


def test_what_the_words_say_already_is_not_said_twice() -> None:
    assert message_text(with_media("三个方框", Media("picture", "a", "三个方框")), Words("zh")) == "三个方框"
    assert (
        message_text(with_media("看这里", Media("picture", "a", "图", "看这里")), Words("zh")) == "看这里\n[图片：图]"
    )
    assert message_text(message(1, "好"), Words("zh")) == "好"


def test_lines_and_terminal_show_it_and_nothing_in_it_reaches_the_screen_raw() -> None:
    from heartrule.cli.terminal import Terminal

    said = with_media("看", Media("picture", "a", "\x1b[31m红"))
    target = io.StringIO()
    Plain(Words("zh"), "小禾", io.StringIO(), target).say([said])
    assert target.getvalue() == "小禾: 看\n[图片：[31m红]\n"
    screen = io.StringIO()
    terminal = Terminal(Words("zh"), "小禾", Console(file=screen, width=60))
    terminal.say([said])
    assert "[图片：[31m红]" in screen.getvalue()
