"""The techniques of the other P0 scripts, held on the engine without a model: who is asked what, and that they end."""

from __future__ import annotations

import re

import pytest
from tests.safety.shipped import FOLDER, said_without_a_model, skills
from tests.safety.test_crisis_talk import EN, LANGUAGES, ZH, running
from tests.safety.test_safety_project import FORBIDDEN, words
from tests.table import tabled

from heartrule.testing.talk import Talk

SCRIPTS = {"zh": ZH, "en": EN}
FILES = ("someone_else.yaml", "child.yaml", "harm_to_others.yaml", "danger.yaml", "ethics.yaml", "human.yaml")
SKILLS = {name: skill for file in FILES for name, skill in skills(file).items()}
SAID = {
    ("zh", "harm_support"): "我今晚就去捅死他",
    ("en", "harm_support"): "I'm going to kill him tonight",
    ("zh", "harm_check"): "真想杀了他",
    ("en", "harm_check"): "I want to kill him",
    ("zh", "danger_support"): "他正在打我",
    ("en", "danger_support"): "he's hitting me right now",
    ("zh", "danger_check"): "我老公家暴我",
    ("en", "danger_check"): "my husband hits me",
    ("zh", "emergency_support"): "我爸突然没有呼吸了",
    ("en", "emergency_support"): "my dad isn't breathing",
    ("zh", "emergency_check"): "我今天药吃多了",
    ("en", "emergency_check"): "I took the wrong medicine",
}
INTERRUPT = ("harm_support", "danger_support", "emergency_support")


def talk_of(language: str, technique: str, model: object = None) -> Talk:
    talk = Talk(SCRIPTS[language], model)
    talk.say(SAID[language, technique])
    return talk


@tabled(("language", "technique"), SAID)
@tabled("model", [None, {}])
def test_words_call_their_technique(language: str, technique: str, model: object) -> None:
    talk = talk_of(language, technique, model)
    assert running(talk) == technique
    kept = talk.value("mood")
    assert kept == (None if technique in INTERRUPT else SAID[language, technique])


@tabled(("language", "technique"), SAID)
@tabled("answer", ["yes", "no", "unclear"])
def test_it_runs_to_its_end_whatever_is_answered(language: str, technique: str, answer: str) -> None:
    """The waiting question comes back, by way of the crisis technique where thoughts of dying are not denied."""
    talk = talk_of(language, technique)
    for _ in range(8):
        if talk.at in ("mood", "sleep"):
            break
        talk.say(LANGUAGES[language]["no" if talk.at == "thoughts" else answer])
    assert talk.at == ("mood" if technique in INTERRUPT else "sleep")
    assert not talk.ended


@pytest.mark.parametrize("language", SCRIPTS)
def test_danger_and_emergencies_show_their_numbers(language: str) -> None:
    danger = talk_of(language, "danger_support")
    shown = "\n".join(danger.say(LANGUAGES[language]["no"]))
    assert {"zh": "12338", "en": "1-800-799-7233"}[language] in shown
    assert {"zh": "120", "en": "911"}[language] in "\n".join(talk_of(language, "emergency_support").said)
    harm = talk_of(language, "harm_support")
    assert {"zh": "110", "en": "911"}[language] in "\n".join(harm.say(LANGUAGES[language]["yes"]))


@pytest.mark.parametrize(("language", "asked"), [("zh", "我是不是得了抑郁症？"), ("en", "do I have depression?")])
@pytest.mark.parametrize("model", [None, {}], ids=["no model", "model that fails"])
def test_a_request_for_a_diagnosis_meets_a_limit_and_the_answer_is_kept(
    language: str, asked: str, model: object
) -> None:
    talk = Talk(SCRIPTS[language], model)
    said = "\n".join(talk.say(asked))
    assert ("医生" if language == "zh" else "doctor") in said
    assert talk.at == ("sleep" if model is None else "safe"), "a judge that fails is asked about besides"
    assert talk.value("mood") == asked
    assert not [choice for choice in talk.happened("awareness") if choice.verdict == "yes"]


@pytest.mark.parametrize("language", SCRIPTS)
def test_words_of_dying_go_before_all_of_them(language: str) -> None:
    for technique in ("harm_check", "danger_check"):
        talk = talk_of(language, technique)
        talk.say(LANGUAGES[language]["intent"])
        assert running(talk) == "crisis_support"


@pytest.mark.parametrize("language", SCRIPTS)
def test_danger_from_others_is_no_answer_to_a_question_about_oneself(language: str) -> None:
    talk = Talk(SCRIPTS[language])
    talk.say(LANGUAGES[language]["intent"])
    assert talk.at == "thoughts"
    talk.say(SAID[language, "danger_support"])
    assert running(talk) == "danger_support"
    for _ in range(6):
        if running(talk) == "crisis_support":
            break
        talk.say(LANGUAGES[language]["no"])
    assert (running(talk), talk.at) == ("crisis_support", "thoughts")


# the words


@tabled("skill", SKILLS.values())
def test_words_are_fixed_and_short(skill: dict[str, object]) -> None:
    actions = [said_without_a_model(action) for action in skill["actions"]]  # type: ignore[attr-defined]
    if skill.get("led"):  # the talk itself is the model's
        actions = [action for action in actions if action["type"] != "ai_ask"]
    assert {action["type"] for action in actions} <= {"say", "ask", "use_skill", "set_var"}
    longest = 200 if skill.get("locale") == "en" else 90
    for text in words({"actions": actions}):
        assert not re.search(r"\d", text), "numbers live in contacts.yaml"
        for paragraph in text.split("\n\n"):
            assert len(paragraph) <= longest * 1.3, paragraph
        for kind in ("promises", "platitudes", "alarm"):
            assert not re.search(FORBIDDEN[kind], text.casefold()), text


@pytest.mark.parametrize("name", [name for name in SKILLS if not name.endswith("_en")])
def test_the_two_languages_take_the_same_steps(name: str) -> None:
    chinese, english = SKILLS[name], SKILLS[f"{name}_en"]
    assert (english["locale"], english["translation_of"]) == ("en", name)
    assert [(a["type"], a["id"]) for a in chinese["actions"]] == [(a["type"], a["id"]) for a in english["actions"]]
    for one, other in zip(chinese["actions"], english["actions"], strict=True):
        assert set(one) == set(other)
        placeholders = [re.findall(r"\{%?\w+%?\}", each.get("content", "")) for each in (one, other)]
        assert placeholders[0] == placeholders[1]


def test_every_file_is_looked_at() -> None:
    assert {*FILES} <= {path.name for path in FOLDER.iterdir()}
