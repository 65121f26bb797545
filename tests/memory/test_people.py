"""Whom a pronoun means, and which words are none."""

from __future__ import annotations

import pytest
from tests.store.worlds import recollection

from heartrule.memory.item import Item
from heartrule.memory.people import has_pronoun, known, meant


@pytest.mark.parametrize(
    "text",
    ["他又打电话来了", "他妈打电话来了", "因为他妈妈", "他人很好", "她走了", "He rang", "I told him", "it was hers"],
)
def test_words_for_somebody(text: str) -> None:
    assert has_pronoun(text)


@pytest.mark.parametrize(
    "text",
    ["其他的事", "我在学吉他", "真他妈烦", "他妈的", "吃维他命", "他们都走了", "她们", "The history", "shed", "there"],
)
def test_words_for_nobody(text: str) -> None:
    assert not has_pronoun(text)


def told(name: str, **fields: str) -> Item:
    return recollection("s1", name, kind="entity", entity=name, fields=fields)


def test_who_was_read_with_a_name_is_known_by_the_word_for_them_too() -> None:
    people = known([told("前男友", key="ex_boyfriend", gender="male"), told("小李", relation="前男友", gender="男")])
    assert [(each.key, each.name) for each in people] == [("ex_boyfriend", "小李")]
    found = meant("他真讨厌", ["小李昨天来了"], [*people, *known([told("父亲", key="father")])])
    assert found is not None
    assert found.keys == ("ex_boyfriend",)


def test_only_who_is_told_to_be_a_man_may_be_meant_of_those_with_a_name_alone() -> None:
    people = known([told("小王", gender="男"), told("小张", gender="女"), told("公司")])
    found = meant("他真讨厌", [], people)
    assert found is not None
    assert found.keys == ("小王",)
