"""Rules about stretches of talk: how long they are, what is only theirs, and who asks where no model can."""

from __future__ import annotations

import pytest
from tests.language.material import at, codes, linted, session, skill

ITEMS = "[{get: 主诉, question: 今天想聊什么？}, {get: 起病, question: 从什么时候开始的？}]"


def stretch(*lines: str, output: str = ITEMS) -> str:
    written = "".join(f"\n  {line}" for line in lines)
    return session(f"- type: ai_ask\n  content: 弄清难处{written}\n  output: {output}")


def single(*lines: str, output: str = "[{get: 睡眠}]") -> str:
    return stretch("question: 睡得怎么样？", *lines, output=output)


@pytest.mark.parametrize("rounds", ["6-14", "6", "6～14", "{about: 6, most: 14}"])
def test_good_lengths(rounds: str) -> None:
    assert linted(stretch(f"rounds: {rounds}")) == []


@pytest.mark.parametrize("rounds", ["14-6", "{about: 14, most: 6}"])
def test_about_more_than_at_most(rounds: str) -> None:
    assert codes(linted(stretch(f"rounds: {rounds}"))) == ["E434"]


@pytest.mark.parametrize("rounds", ["六到八", "0-3", "-4", "yes", "[6, 14]"])
def test_what_is_no_length(rounds: str) -> None:
    assert {code[0] for code in codes(linted(stretch(f"rounds: {rounds}")))} == {"E"}


def test_max_rounds_beside_it() -> None:
    assert codes(linted(stretch("rounds: 6-14", "max_rounds: 8"))) == ["W435"]
    assert codes(linted(stretch("max_rounds: 8"))) == ["W442"]


@pytest.mark.parametrize("line", ["rounds: 2-4", "follow: 念头", "may_use: [呼吸练习]", "literal: true"])
def test_what_is_only_for_a_stretch(line: str) -> None:
    assert codes(linted(single(line) + skill())) == ["W436"]
    assert linted(stretch(line) + skill()) == []


@pytest.mark.parametrize("item", ["question: 睡得怎么样？", "sensitive: true"])
def test_what_is_only_for_an_item_of_one(item: str) -> None:
    assert codes(linted(single(output=f"[{{get: 睡眠, {item}}}]"))) == ["W436"]
    asked = session(f"- type: ask\n  content: 睡得怎么样？\n  output: [{{get: 睡眠, {item}}}]")
    assert codes(linted(asked)) == ["W436"]


@pytest.mark.parametrize("written", ["[呼吸练习, 呼吸联系]", "[呼吸练习, {skill: 呼吸联系}]"])
def test_a_technique_that_does_not_exist(written: str) -> None:
    (found,) = linted(stretch(f"may_use: {written}") + skill())
    assert found.code == "E203"
    assert "呼吸联系" in found.message.zh


def test_what_is_asked_without_a_model() -> None:
    bare = "[{get: 主诉}, {get: 起病}]"
    assert codes(linted(stretch(output=bare))) == ["W221"]
    assert linted(stretch("question: 怎么了？", output=bare)) == []
    assert linted(stretch()) == [], "each item asks for itself"
    some = "[{get: 主诉, question: 今天想聊什么？}, {get: 起病}]"
    assert at(linted(stretch("question: 怎么了？", output=some))) == [("W221", 11)]
    assert linted(stretch(output=some.replace("起病", "起病, required: false"))) == []
    assert linted(stretch("required: false", output=some)) == []
    assert codes(linted(stretch("required: false", output=some.replace("起病", "起病, required: true")))) == ["W221"]


def test_needed_and_sensitive() -> None:
    hard = ITEMS.replace("开始的？", "开始的？, sensitive: true")
    assert codes(linted(stretch(output=hard))) == ["W437"]
    assert linted(stretch("required: false", output=hard)) == []
    assert linted(stretch(output=hard.replace("sensitive: true", "sensitive: true, required: false"))) == []
