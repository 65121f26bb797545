"""What people say when they are in danger is never read away: as a no, as a wish to stop, as a harmless number."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import match_choice, parse_value, repair
from heartrule.parsing.yes_no import read_yes_no

SENTENCES = Path(__file__).parent.parent / "safety" / "risk_sentences.yaml"
NOW = datetime(2024, 3, 6, 12, 0)


def leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    else:
        for each in node.values() if isinstance(node, dict) else node:
            yield from leaves(each)


ALL = sorted({each for each in leaves(yaml.safe_load(SENTENCES.read_text(encoding="utf-8"))) if each.strip()})

ASKED = "最近有没有想过伤害自己或者结束生命？"
"""The question that these answers were written for."""

ANSWERS = r"""
没有，就是想睡着不醒来|没有想过死，只是不想醒来|没有计划|没有计划，只有想法|没有想过怎么做|没想过今天死
没想过要告诉别人|没有勇气|没胆子|没那么容易死|没死成|没成功|不敢|不敢想|不敢死|不想死，也不想活
不想死，就是不想活着|不是想死，是不想活|不是不想死，是不敢|不会马上死|不会让你们知道的|不会太久了|不用管我
不用你管|不要救我|不要告诉我妈|不重要了|不需要了|不需要活着|不配活着|不值得|不如死了|不如算了|不知道还能撑多久
不知道明天还在不在|不想连累别人|不想拖累家里|不了，我已经决定了|没必要活|没必要说了|没救了|没意思了|没有意义了
没有以后了|没有明天了|没有办法了|没有别的路了|没有人会在意|没有谁会记得我|没有药了，吃完了|没有再割了
没有再想，昨天想过|没有，上周有|没有，除了晚上|没有，才怪|没有，你信吗|没有，哈哈，骗你的|没有，不过快了
没有吧大概|没有，暂时|没，还没到那一步|没，快了|没，想多了吧你|否，但是有|无，偶尔有|no, not until tonight
no, but I wish I was dead|no, I just want to sleep forever|no plan, just thoughts|not a plan
never mind, it's over|no more|no way out|no use|not worth it|no one would notice|no, I'm too scared to
I don't want to be here|I don't want to wake up|I can't do this anymore|I won't be here tomorrow
I'm not going to make it|not for long|not anymore soon|nothing left|never again will I see you
no, except at night|no. Only sometimes.|no. I lied.|no, you wouldn't understand|not yet|not today
no, unless he leaves|no, if you say so
"""


def cells(table: str) -> list[str]:
    return sorted({cell for line in table.strip("\n").split("\n") for cell in line.split("|")})


@tabled("text", cells(ANSWERS))
def test_an_answer_that_begins_with_no_is_not_yet_a_no(text: str) -> None:
    assert read_yes_no(text) is not False
    assert repair(text) is None


@tabled("text", cells(ANSWERS))
def test_such_an_answer_picks_no_harmless_choice(text: str) -> None:
    choices = [("yes", "有"), ("no", "没有"), ("unsure", "说不清")]
    assert match_choice(text, choices) != "no"


def test_the_sentences_are_there() -> None:
    assert len(ALL) > 300


@tabled("text", ALL)
def test_no_sentence_about_death_is_a_plain_yes_or_no(text: str) -> None:
    assert read_yes_no(text) is None


@tabled("text", ALL)
def test_no_sentence_about_death_is_a_repair(text: str) -> None:
    assert repair(text) is None


@given(
    st.sampled_from(ALL),
    st.sampled_from(["没有", "不是", "没有。", "no", "No, never", "不会的", "从来没有"]),
    st.booleans(),
)
def test_none_is_hidden_behind_a_no(sentence: str, no: str, first: bool) -> None:
    if len(sentence) < 4:
        return
    said = f"{no}，{sentence}" if first else f"{sentence}，{no}"
    assert read_yes_no(said) is None or read_yes_no(said) is True
    assert repair(said) is None


@given(st.sampled_from(ALL))
def test_a_text_variable_keeps_every_word(sentence: str) -> None:
    found = parse_value(Variable(var="近况", type="text"), sentence, now=NOW)
    assert found is not None
    assert found.value == sentence.strip()


@given(
    st.sampled_from(ALL),
    st.sampled_from(["，", "。", "\n", " "]),
    st.sampled_from(["跳过", "什么意思", "不知道", "再见", "skip"]),
)
def test_a_repair_phrase_takes_no_sentence_with_it(sentence: str, separator: str, phrase: str) -> None:
    assert repair(sentence + separator + phrase) is None
    assert repair(phrase + separator + sentence) is None


@given(st.sampled_from(ALL))
def test_a_keyword_that_is_denied_or_feared_is_not_a_value(sentence: str) -> None:
    rules = Variable.model_validate(
        {"var": "安全", "type": "boolean", "rules": [{"keywords": {"false": ["没事", "安全", "safe"]}}]}
    )
    found = parse_value(rules, sentence, now=NOW)
    assert found is None or found.value is not False or any(word in sentence for word in ("没事", "安全", "safe"))


@pytest.mark.parametrize("words", ["没事", "我没事", "很安全", "I'm safe", "我在家很安全"])
def test_an_author_may_still_say_what_counts(words: str) -> None:
    rules = Variable.model_validate(
        {"var": "安全", "type": "boolean", "rules": [{"keywords": {"true": ["没事", "安全", "safe"]}}]}
    )
    found = parse_value(rules, words)
    assert found is not None
    assert found.value is True


@pytest.mark.parametrize(
    "words",
    ["不安全", "没有安全感", "我不觉得安全", "安全吗", "如果安全的话", "not safe", "I don't feel safe", "safe?"],
)
def test_and_a_denial_of_it_does_not_count(words: str) -> None:
    rules = Variable.model_validate(
        {"var": "安全", "type": "boolean", "rules": [{"keywords": {"true": ["安全", "safe"]}}]}
    )
    assert parse_value(rules, words) is None
