"""Words that fit what was asked, and are read as what they say."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product
from random import Random

import pytest
from tests.script_tests.simulation.material import choice, persona, question

from heartrule import parsing
from heartrule.engine.session.state import Choice
from heartrule.script_tests.simulation import fitting_words
from heartrule.script_tests.simulation.fitting_words import FittingAnswer, answer, both, taken_back
from heartrule.script_tests.simulation.persona import Language

NOW = datetime(2026, 11, 20, tzinfo=UTC)
LANGUAGES: tuple[Language, ...] = ("zh", "en")
QUESTIONS = {
    "zh": ["这些天，会比平时更想哭吗？", "你有过吗？", "那是最近三个月里的事吗？", "做过检查没有？"],
    "en": ["Have you ever felt this way?", "Do you sleep badly?", "Anything else like that?"],
}


def many(
    language: Language, asked: fitting_words.OpenQuestion, seeds: int = 40, **changes: object
) -> list[FittingAnswer]:
    return [answer(asked, persona(**changes), language, Random(seed)) for seed in range(seeds)]


@pytest.mark.parametrize(("language", "manner"), list(product(LANGUAGES, ("short", "plain", "long"))))
def test_numbers_are_read_as_the_number_they_say(language: Language, manner: str) -> None:
    words = "心情几分？" if language == "zh" else "How strong was it, 0 to 10?"
    asked = question(words, type="integer", range=(0, 10))
    told = many(language, asked, manner=manner)
    assert {each.value for each in told} == set(range(11))
    read = [(each.words, parsing.parse_value(asked.rules, each.words, "zh-CN", NOW), each.value) for each in told]
    assert [row for row in read if row[1] is None or row[1].value != row[2]] == []


def test_scores_come_from_the_part_of_the_scale_that_is_the_personas() -> None:
    asked = question("几分？", type="integer", range=(0, 100))
    assert {each.value for each in many("zh", asked, 200, numbers=(0.2, 0.3))} == set(range(20, 31))


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("睡了几个小时？", "个小时"),
        ("心情打几分？", "分"),
        ("持续了几天？", "天"),
        ("一周几次？", "次"),
        ("几个？", ""),
    ],
)
def test_a_number_has_the_unit_of_the_question(words: str, unit: str) -> None:
    asked = question(words, type="integer", range=(3, 3))
    said = {each.words for each in many("zh", asked)}
    assert f"3{unit}" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plain_yes_or_no_about_safety_is_read_as_what_it_says(language: Language) -> None:
    misread = []
    for words, yes, seed in product(QUESTIONS[language], (True, False), range(12)):
        asked = question(words, type="boolean", safety=True)
        told = answer(asked, persona(), language, Random(seed), agree=yes)
        read = parsing.parse_value(asked.rules, told.words, "zh-CN", NOW)
        assert told.of == ("agreed" if yes else "denied")
        if read is None or read.value is not yes:
            misread.append((words, told.words))
    assert misread == []


def test_a_yes_takes_up_the_questions_own_words() -> None:
    said = {each.words for each in many("zh", question("会更想哭吗？", type="boolean"), agrees=1)}
    assert said >= {"会", "会的"}
    assert not any("有过" in each for each in said)
    assert {each.words for each in many("zh", question("以前有过吗？", type="boolean"), agrees=0)} >= {"没有", "没有过"}


def test_only_the_last_sentence_decides_how_a_yes_is_put() -> None:
    asked = question("有过念头，和真的要去做，是两回事。你现在有打算真的去做吗？", type="boolean", safety=True)
    assert not any("过" in each.words for each in many("zh", asked, agrees=1))


def test_options_are_said_by_their_labels() -> None:
    asked = question("睡得怎样？", type="enum", options=["好", {"value": "bad", "label": "睡不好"}])
    assert {each.words for each in many("zh", asked)} == {"好", "睡不好", "好吧", "睡不好吧"}
    bare = question("睡得怎样？", type="enum")
    assert many("zh", bare, 1)[0].words


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_and_lists_are_read(language: Language) -> None:
    date = question("哪一天？", type="date")
    read = [parsing.parse_value(date.rules, each.words, "zh-CN", NOW) for each in many(language, date)]
    assert all(read)
    listed = question("有谁？", type="list")
    assert any(
        len(found.value) > 1
        for each in many(language, listed)
        if (found := parsing.parse_value(listed.rules, each.words))
    )


@pytest.mark.parametrize(
    ("words", "define", "among"),
    [
        ("那我怎么称呼你？", "", ["叫我小林就好", "阿文", "小周吧"]),
        ("那一刻，心里是什么滋味？", "", ["很委屈，还有点慌", "空空的，提不起劲", "难过"]),
        ("再说说？", "这种情况持续了多久", ["大概两个月了", "从九月换部门开始", "有半年了"]),
        ("What shall I call you?", "", ["Lin is fine", "you can call me Sam"]),
    ],
)
def test_texts_are_about_what_was_asked(words: str, define: str, among: list[str]) -> None:
    language: Language = "en" if words.isascii() else "zh"
    assert {each.words for each in many(language, question(words, define=define))} == set(among)


def test_who_was_asked_nothing_takes_note() -> None:
    said = {each.words for each in many("zh", question("今天就说到这里。", name=""))}
    assert said == set(fitting_words.table("zh")["acks"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_taking_back_names_what_was_and_what_is(language: Language) -> None:
    random = Random(1)
    number = taken_back(FittingAnswer("7分", "number", 7), language, random, "3")
    assert number is not None
    assert "7" in number
    assert "3" in number
    assert taken_back(FittingAnswer("7分", "number", 7), language, random, "7") is None
    assert taken_back(FittingAnswer("还行"), language, random, "还行") is None
    for of in ("agreed", "denied"):
        assert taken_back(FittingAnswer("有", of), language, random, "有")
    text = taken_back(FittingAnswer("还行"), language, random, "不好") or ""
    assert "还行" in text
    assert "不好" in text
    assert {"甲", "乙"} <= set(both("甲", "乙", language, random))


@pytest.mark.parametrize(
    ("label", "ends", "back", "language"),
    [
        ("今天先不聊了", True, False, "zh"),
        ("我还没满十八岁", False, False, "zh"),
        ("我想先问个问题", False, True, "zh"),
        ("嗯，是这样", False, False, "zh"),
        ("Another day", True, False, "en"),
        ("Not quite, let me say it again", False, True, "en"),
        ("Yes, that is it", False, False, "en"),
    ],
)
def test_what_ends_and_what_goes_back(label: str, ends: bool, back: bool, language: Language) -> None:
    offered = Choice(value="x", label=label)
    assert fitting_words.ends(offered, language) is ends
    assert fitting_words.goes_back(offered, language) is back


def test_a_question_whose_yes_says_that_all_is_well() -> None:
    assert fitting_words.means_safe(question("你现在是安全的吗？"), "zh")
    assert fitting_words.means_safe(question("Are you safe right now?"), "en")
    assert not fitting_words.means_safe(question("你有受伤吗？"), "zh")
    assert not fitting_words.means_safe(choice("选一个。", "a"), "zh")


def test_both_languages_have_the_same_words() -> None:
    zh, en = (fitting_words.table(language) for language in LANGUAGES)
    assert set(zh) == set(en)
    for rows in ("yes_no", "units", "texts"):
        assert (zh[rows][-1]["asks"], en[rows][-1]["asks"]) == ("", "")
