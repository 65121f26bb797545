"""Whether words meant for a person are in the language of the conversation."""

from __future__ import annotations

import pytest
from tests.llm.material import context
from tests.table import tabled

from heartrule.engine.session.tasks import Line
from heartrule.llm.reply_language import in_tongue

ENGLISH = "It sounds like you have had a really hard week."
CHINESE = "听起来这一周你过得很不容易，能再多说一点吗？"


@tabled(
    ("content", "locale", "fits"),
    [
        (CHINESE, "zh-CN", True),
        (ENGLISH, "zh-CN", False),
        (ENGLISH, "en", True),
        (CHINESE, "en", False),
        (CHINESE, "zh", True),
        (ENGLISH, "en-GB", True),
        ("OK，我们继续。", "zh-CN", True),
        ("PHQ-9", "zh-CN", True),
        ("用 cognitive restructuring 的话说，就是换个角度看同一件事。", "zh-CN", True),
        ("", "zh-CN", True),
        ("……", "zh-CN", True),
        ("7/10", "en", True),
        ("We could call it 灾难化 thinking, if that helps you.", "en", True),
        ("何でも話してください、聞いていますから。", "ja", True),
        (None, "zh-CN", True),
        (7, "zh-CN", True),
    ],
)
def test_by_writing_system(content: object, locale: str, fits: bool) -> None:
    assert in_tongue(content, context((), locale=locale)) is fits


@pytest.mark.parametrize(
    ("said", "content", "locale", "fits"),
    [
        ("I cannot sleep at all", ENGLISH, "zh-CN", True),
        ("我睡不着", ENGLISH, "zh-CN", False),
        ("我睡不着，整夜整夜地想事情", CHINESE, "en", True),
        ("OK", ENGLISH, "zh-CN", False),
        ("7", ENGLISH, "zh-CN", False),
        ("", ENGLISH, "zh-CN", False),
    ],
)
def test_the_persons_own_language_is_never_wrong(said: str, content: str, locale: str, fits: bool) -> None:
    history = (Line("person", "早些的话"), Line("person", said), Line("ai", "嗯"))
    assert in_tongue(content, context(history, locale=locale)) is fits
