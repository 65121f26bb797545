"""Somebody else's danger: a check-in of its own, which keeps the answer and does not forget the one who tells it."""

from __future__ import annotations

import pytest
from tests.safety.shipped import matcher
from tests.safety.test_crisis_talk import EN, LANGUAGES, ZH, running

from heartrule.testing.talk import Talk

TOLD = {
    "zh": "我朋友说她想自杀，我很担心",
    "en": "my friend says she wants to die and I'm worried",
}
SCRIPTS = {"zh": ZH, "en": EN}


@pytest.fixture(params=SCRIPTS)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def told(language: str, model: object = None) -> Talk:
    talk = Talk(SCRIPTS[language], model)
    talk.say(TOLD[language])
    return talk


def test_it_is_marked_as_told_of_somebody_else(language: str) -> None:
    found = matcher().match(TOLD[language])
    assert (found.level, found.about) == ("watch", "other")


def test_it_has_a_check_in_of_its_own(language: str) -> None:
    talk = told(language)
    assert (running(talk), talk.at) == ("someone_else", "now")


def test_the_waiting_question_keeps_its_answer(language: str) -> None:
    assert told(language).value("mood") == TOLD[language]


@pytest.mark.parametrize("answer", ["yes", "unclear"])
def test_danger_or_doubt_shows_the_numbers(language: str, answer: str) -> None:
    talk = told(language)
    said = "\n".join(talk.say(LANGUAGES[language][answer]))
    assert LANGUAGES[language]["number"] in said
    assert {"zh": "120", "en": "911"}[language] in said


def test_no_danger_names_the_numbers_in_one_line_only(language: str) -> None:
    talk = told(language)
    said = "\n".join(talk.say(LANGUAGES[language]["no"]))
    assert said.count(LANGUAGES[language]["number"]) == 1


@pytest.mark.parametrize("model", [None, {}], ids=["no model", "model that fails"])
def test_it_asks_about_the_one_who_tells_and_goes_back(language: str, model: object) -> None:
    talk = told(language, model)
    talk.say(LANGUAGES[language]["no"])
    assert (running(talk), talk.at) == ("safety_check", "thoughts")
    talk.say(LANGUAGES[language]["no"])
    assert (talk.at, talk.ended) == ("sleep", False)


def test_a_yes_of_their_own_leads_to_the_crisis_technique(language: str) -> None:
    talk = told(language)
    talk.say(LANGUAGES[language]["no"])
    talk.say(LANGUAGES[language]["yes"])
    assert talk.at == "intent"


def test_their_own_explicit_words_go_before_it(language: str) -> None:
    talk = told(language)
    talk.say(LANGUAGES[language]["intent"])
    assert running(talk) == "crisis_support"


def test_who_has_been_through_the_crisis_technique_is_not_asked_whether_it_has_become_heavier() -> None:
    talk = Talk(ZH)
    for words in (LANGUAGES["zh"]["intent"], "没有", "没有", "没有"):
        talk.say(words)
    talk.choose("safe")
    talk.choose("go_on")
    talk.say(TOLD["zh"])
    assert running(talk) == "someone_else"
