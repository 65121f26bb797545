"""Those on duty are told once of what is going on, may have looked, and gone: whoever says it again is told of again.

An attack: one click on "seen", and an overdose told two minutes later reached nobody who was not looking at the list.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from heartrule.engine.session.io import Input, Who
from heartrule.testing.talk import Talk, shipped

WANG = Who("c-1", "王老师")
SAID = {
    "cbt/first_assessment": ("我想自杀", ("我吃了一整瓶安眠药", "我现在就去死", "我割腕了，血止不住")),
    "cbt/first_assessment_en": (
        "I want to kill myself",
        ("I have taken all the pills", "I am going to kill myself now"),
    ),
}


def calls(talk: Talk) -> int:
    """So far."""
    return sum(event.to == "desk" for event in talk.happened("escalated"))


@pytest.mark.parametrize("name", SAID)
def test_explicit_words_after_a_minute_call_again(name: str) -> None:
    first, later = SAID[name]
    talk = Talk(shipped(name), reaches=("desk",))
    talk.say(first)
    assert calls(talk) == 1
    for number, words in enumerate(later, 2):
        talk.now += timedelta(minutes=2)
        talk.say(words)
        assert calls(talk) == number, words


@pytest.mark.parametrize("name", SAID)
def test_within_a_minute_nobody_is_told_twice(name: str) -> None:
    first, later = SAID[name]
    talk = Talk(shipped(name), reaches=("desk",))
    talk.say(first)
    talk.now += timedelta(seconds=20)
    talk.say(later[0])
    assert calls(talk) == 1


@pytest.mark.parametrize("cleared", [False, True])
def test_behind_a_hand_back_too(cleared: bool) -> None:
    first, later = SAID["cbt/first_assessment"]
    talk = Talk(shipped("cbt/first_assessment"), reaches=("desk",))
    talk.say(first)
    talk.move(Input("takeover", who=WANG))
    talk.now += timedelta(minutes=5)
    talk.move(Input("hand_back", who=Who("c-1", "王老师", closed=cleared)))
    talk.now += timedelta(minutes=2)
    talk.say(later[0])
    assert calls(talk) == 2


def test_what_is_answered_calmly_calls_nobody_again() -> None:
    talk = Talk(shipped("cbt/first_assessment"), reaches=("desk",))
    talk.say("我想自杀")
    for _ in range(6):
        talk.now += timedelta(minutes=2)
        talk.say("没有")
        assert calls(talk) == 1
