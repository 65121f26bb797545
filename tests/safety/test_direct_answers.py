"""Answers to the direct questions, as the rules read them: no admission, half or irony is ever read as a no."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.safety.shipped import matcher, sentences, skills
from tests.table import tabled

from heartrule import parsing
from heartrule.language.nodes import VariableRules

NAMES = {
    "zh": {
        "thoughts": "有自杀念头",
        "intent": "打算去做",
        "plan": "想好怎么做",
        "hurt": "伤到自己",
        "means": "手边有东西",
    },
    "en": {"thoughts": "thoughts", "intent": "intent", "plan": "plan", "hurt": "hurt", "means": "means"},
}
TABLE = yaml.safe_load(Path(__file__).with_name("direct_answers.yaml").read_text(encoding="utf-8"))


def answers(*kinds: str) -> list[tuple[str, str, str]]:
    return [
        (language, question, str(text))
        for question, languages in TABLE.items()
        for language, table in languages.items()
        for kind in kinds
        for text in table[kind]
    ]


@cache
def rules(language: str, question: str) -> VariableRules:
    found = skills("crisis.yaml" if language == "zh" else "crisis.en.yaml")
    skill: dict[str, Any] = next(each for key, each in found.items() if key.startswith("crisis_support"))
    declared = next(each for each in skill["declare"] if each["var"] == NAMES[language][question])
    return VariableRules.model_validate({"type": "boolean", "rules": declared["rules"]})


def read(language: str, question: str, text: str) -> Any:
    """What the technique makes of an answer: explicit words raise, whatever was read."""
    if matcher().match(text).level == "explicit":
        return True
    found = parsing.parse_value(rules(language, question), text)
    return None if found is None else found.value


def test_there_are_enough() -> None:
    assert len(answers("denial", "open", "other")) >= 120
    assert len(answers("other")) >= 0.45 * len(answers("denial", "open", "other"))


@tabled(("language", "question", "text"), answers("other"))
def test_nothing_else_is_read_as_a_no(language: str, question: str, text: str) -> None:
    assert read(language, question, text) is not False


@tabled(("language", "question", "text"), answers("denial"))
def test_a_denial_is_read(language: str, question: str, text: str) -> None:
    assert read(language, question, text) is False


@pytest.mark.parametrize(("language", "question", "text"), answers("open"))
def test_and_what_is_only_like_one_stays_unclear(language: str, question: str, text: str) -> None:
    assert read(language, question, text) is None


@tabled(("language", "question", "text"), answers("denial"))
@tabled("turn", ["但是有时候会想", "可是我不想活", "不过偶尔会", "but sometimes I do", "骗你的", "才怪"])
def test_a_denial_that_turns_is_none(language: str, question: str, text: str, turn: str) -> None:
    comma = "，" if language == "zh" else ", "
    assert read(language, question, f"{text}{comma}{turn}") is not False


@pytest.mark.parametrize("question", ["intent", "plan", "hurt", "means"])
def test_what_is_no_denial_of_thoughts_is_none_of_the_graver_ones(question: str) -> None:
    """But for thinking only, which denies intent, and for not being hurt, which denies just that."""
    only = {"没有，就是想想而已", "no, just thoughts"} | ({"没受伤", "not hurt"} if question == "hurt" else set())
    for language, _, text in (each for each in answers("other") if each[1] == "thoughts"):
        if text not in only:
            assert read(language, question, text) is not False, (question, text)


@tabled("question", ["thoughts", "intent", "plan", "hurt", "means"])
@tabled("no", ["", "没有，", "都没有。", "no, ", "not at all. "])
def test_no_sentence_about_death_is_a_no_even_behind_one(question: str, no: str) -> None:
    told = sorted({text for _, level, text in sentences() if level == "explicit"})
    assert len(told) > 100
    wrong = [text for text in told for language in NAMES if read(language, question, no + text) is False]
    assert wrong == []
