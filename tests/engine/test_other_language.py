"""Who writes in the other language is told once, in that language, that they may; what they told counts."""

from __future__ import annotations

import pytest
from tests.engine.scripts import ask, check, only
from tests.table import tabled

from heartrule.parsing.text import is_foreign
from heartrule.testing.talk import Talk, shipped

SAID: list[tuple[str, str, bool]] = [
    ("my boss shouted at me", "zh-CN", True),
    ("Tom", "zh-CN", False),
    ("ok", "zh-CN", False),
    ("他说 I do not care at all", "zh-CN", False),
    ("我老板吼了我", "zh-CN", False),
    ("7 out of 10", "zh-CN", False),
    ("我老板吼了我", "en", True),
    ("小林", "en", False),
    ("my boss shouted at me", "en", False),
    ("She said 我不在乎你", "en", False),
    ("", "en", False),
]
WORDS = {
    "zh-CN": ("发生了什么？", "my boss shouted at me", "you may write in English", "it was this very morning"),
    "en": ("What happened?", "我老板今天吼了我", "你用中文或者英文写都可以", "就在今天早上的会上"),
}


@tabled(("text", "locale", "expected"), SAID)
def test_what_is_plainly_the_other_language(text: str, locale: str, expected: bool) -> None:
    assert is_foreign(text, locale) is expected


@pytest.mark.parametrize("locale", WORDS)
def test_it_is_said_once_in_their_language_and_the_answer_counts(locale: str) -> None:
    question, first, line, second = WORDS[locale]
    talk = Talk(only(ask(question, "a"), ask("2?", "b"), ask("3?", "c"), locale=locale))
    talk.say(first)
    assert line in talk.said[0]
    assert talk.said[0].endswith("\n2?")
    assert talk.happened("variable")[-1].value == first
    talk.say(second)
    assert line not in talk.said[0]
    assert talk.happened("variable")[-1].value == second
    check(talk)


def test_it_is_said_where_they_are_asked_again() -> None:
    talk = Talk(only(ask("几分？", {"get": "分", "type": "integer"})))
    talk.say("not so good at all")
    assert talk.said[0].splitlines()[0].startswith("Thank you for telling me")
    assert talk.said[0].endswith("\n几分？")
    assert talk.happened("variable") == []


def test_nothing_of_it_stands_in_the_way_of_danger() -> None:
    talk = Talk(shipped("cbt/abc_intro"))
    talk.say("小林")
    talk.say("I want to kill myself")
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert not [text for text in talk.said if "you may write in English" in text]
