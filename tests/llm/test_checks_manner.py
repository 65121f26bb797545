"""The manner of a whole reply: length, one question at a time, no lists, few emoji, the right language."""

from __future__ import annotations

import pytest
from tests.safety.outputs import checks
from tests.table import tabled

from heartrule.checks.reply_shape import length, questions


def code(text: str, lang: str = "zh", heard: str = "") -> str:
    objection = checks(lang).whole(text, heard)
    return objection.code if objection is not None else ""


@tabled(
    ("text", "count"),
    [
        ("你几岁？", 1),
        ("你几岁？你住哪里？", 2),
        ("你几岁？\n\n你住哪里？", 2),
        ("你问我是谁？我是小禾。你想谈什么？", 1),
        ("是工作，还是家里？", 1),
        ("是工作上的事？还是家里的事？", 1),
        ("你最在意的是他没回消息。对吗？", 0),
        ("你最在意的是什么？对吗？", 1),
        ("那句“你怎么不早说？”让你难受。你当时想到什么？", 1),
        ("你几岁？你住哪里？我记下了。", 0),
        ("How old are you? Where do you live?", 2),
        ("Is it work? Or is it home?", 1),
        ("So it was the silence. Right?", 0),
        ("你几岁？！你住哪里？？", 2),
        ("嗯。", 0),
        ("", 0),
    ],
)
def test_questions_put_at_once(text: str, count: int) -> None:
    assert len(questions(text)) == count
    assert code(text, "zh" if not text.isascii() else "en") == ("questions" if count > 1 else "")


@pytest.mark.parametrize(
    ("text", "units"), [("你好", 2), ("你好 world", 3), ("it's a well-known thing", 4), ("3.5分", 3), ("……", 0)]
)
def test_length_counts_characters_and_words(text: str, units: int) -> None:
    assert length(text) == units


def test_a_reply_that_is_too_long() -> None:
    assert code("慢慢来。" * 130) == ""
    assert code("慢慢来。" * 140) == "length"
    assert code("take your time. " * 80, "en") == ""
    assert code("take your time. " * 90, "en") == "length"


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("# 总结\n今天谈了睡眠。", True),
        ("```\n代码\n```", True),
        ("| 情境 | 想法 |\n| 甲 | 乙 |", True),
        ("1. 吸气\n2. 停\n3. 呼气", False),
        ("1. 吸气\n2. 停\n3. 呼气\n4. 再来", True),
        ("- 甲\n- 乙\n- 丙\n- 丁", True),
        ("**睡眠**要紧。", False),
        ("**睡眠**、**吃饭**、**散步**、**晒太阳**", True),
        ("3.5分，比上周低。", False),
        ("A 是事情，B 是想法。", False),
        ("你说 #累 的时候在哪里", False),
    ],
)
def test_markup(text: str, stopped: bool) -> None:
    assert (code(text) == "markup") == stopped


def test_emoji() -> None:
    assert code("慢慢来🙂🌱") == ""
    assert code("慢慢来🙂🌱💪") == "emoji"


class TestLocale:
    CHINESE = "听起来这一周你过得很不容易，能再多说一点吗？"
    ENGLISH = "It sounds like you have had a really hard week."

    def test_the_wrong_language(self) -> None:
        assert code(self.ENGLISH) == "locale"
        assert code(self.CHINESE, "en") == "locale"

    def test_the_person_s_own(self) -> None:
        assert code(self.ENGLISH, heard="I am tired of everything") == ""
        assert code(self.ENGLISH, heard="我累了，什么都不想做") == "locale"

    def test_too_little_to_tell(self) -> None:
        assert code("OK.") == ""

    def test_reasons_are_in_the_language_of_the_script(self) -> None:
        for lang, word in (("zh", "中文"), ("en", "English")):
            objection = checks(lang).whole(
                self.ENGLISH if lang == "zh" else "听起来这一周你过得很不容易，能再多说一点吗？"
            )
            assert objection is not None
            assert word in objection.reason


def test_the_beginning_of_a_reply_is_judged_like_the_whole() -> None:
    """What is wrong with the manner of a beginning stays wrong, however it goes on; but for questions."""
    whole = "1. 甲\n2. 乙\n3. 丙\n4. 丁\n还有。"
    assert code(whole) == code(whole[: whole.index("还有")]) == "markup"
