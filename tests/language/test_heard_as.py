"""What is said to whoever asks, and is no answer, is heard for what it is without a model. Answers that hold the same
words stay answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from tests.engine.scripts import ask, only

from heartrule.engine.awareness.risk_rules import RiskMatcher, matcher_for
from heartrule.engine.steps.receive import repair_in
from heartrule.parsing.remarks import remark
from heartrule.testing.talk import Talk, shipped

TABLE: dict[str, dict[str, str]] = yaml.safe_load((Path(__file__).parent / "heard_as.yaml").read_text("utf-8"))
SESSIONS = {"zh": "cbt/first_assessment", "en": "cbt/abc_intro_en"}
WATCHERS = {"wants_to_stop": "stop", "asks_for_human": "human", "overload": "overload"}
KINDS = {"stop": {"stop", "rest"}}


@cache
def watchers(language: str) -> list[tuple[str, RiskMatcher]]:
    """The shipped scripts that take the floor at such words."""
    found = []
    for ref, node in shipped(SESSIONS[language]).awareness.items():
        name = ref.removeprefix("cbt/").removesuffix("_en")
        if ref.startswith("cbt/") and name in WATCHERS and node.noticing and node.noticing.rules:
            found.append((WATCHERS[name], matcher_for(node.noticing.rules)))
    return found


def heard_as(text: str, language: str) -> set[str]:
    kinds = {kind for kind, matcher in watchers(language) if matcher.match(text).level == "explicit"}
    locale = "zh-CN" if language == "zh" else "en"
    return kinds | {str(each) for each in (repair_in(text, locale), remark(text)) if each}


def rows(*, answers: bool) -> Iterator[tuple[str, str, str]]:
    for language, kinds in TABLE.items():
        for kind, phrases in kinds.items():
            if (kind == "answers") == answers:
                yield from ((language, kind, phrase) for phrase in phrases.split("|"))


def misheard() -> list[tuple[str, str, str, set[str]]]:
    """Phrases that are not heard for what they are."""
    found = ((*row, heard_as(row[2], row[0])) for row in rows(answers=False))
    return [each for each in found if not each[3] & KINDS.get(each[1], {each[1]})]


def taken() -> list[tuple[str, str, str, set[str]]]:
    """Answers that are heard as something else."""
    return [(*row, kinds) for row in rows(answers=True) if (kinds := heard_as(row[2], row[0]))]


@pytest.mark.parametrize("language", TABLE)
def test_there_are_a_hundred_and_fifty_of_each(language: str) -> None:
    phrases = [row for row in rows(answers=False) if row[0] == language]
    answers = [row for row in rows(answers=True) if row[0] == language]
    assert len(set(phrases)) == len(phrases) >= 150
    assert len(set(answers)) == len(answers) >= 150


def test_each_is_heard_for_what_it_is() -> None:
    assert misheard() == []


def test_answers_stay_answers() -> None:
    assert taken() == []


AMBIGUOUS = ["结束吧", "我想结束了", "我要走了", "I'm done", "I don't want to go on", "end it please"]


@pytest.mark.parametrize("words", AMBIGUOUS)
def test_what_may_be_said_of_one_s_life_is_asked_about_and_no_repair(words: str) -> None:
    """In the crisis technique a repair would be passed over; here the line names the other meaning."""
    assert repair_in(words, "zh-CN") is None
    assert remark(words) == "stop"
    locale = "en" if words.isascii() else "zh-CN"
    question = "怎么样？" if locale == "zh-CN" else "How is it?"
    talk = Talk(only(ask(question, "事情"), locale=locale))
    said = talk.say(words)[0]
    if talk.state.running is not None and talk.state.running.project == "safety":
        return
    assert ("不想活" if locale == "zh-CN" else "don't want to live") in said
    assert said.endswith(question)
    assert talk.happened("variable") == []


def test_in_danger_they_answer_what_is_asked() -> None:
    talk = Talk(only(ask("有没有想过结束生命？", {"get": "念头", "type": "boolean", "risk": True}), ask("二？", "b")))
    talk.say("我想结束了")
    assert talk.at != "T#2"
    talk.say("我想结束了")
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
