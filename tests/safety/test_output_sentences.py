"""How often the rules for what a model writes are right: on sentences that a counsellor would stand by, and on ones
that must not be shown. Half of both was held back while the rules were written."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from tests.safety.outputs import alone, bad, checks, good, half, rules, shipped_words
from tests.table import tabled

from heartrule.checks.rules import Rule

FALSE_ALARMS = 0.01
HITS = 0.90
HALVES = ("open", "held")
EVERY = [(lang, rule) for lang in ("zh", "en") for rule in rules(lang).rules]


@pytest.mark.parametrize("part", HALVES)
def test_good_sentences_are_let_through(part: str) -> None:
    mine = [(lang, text) for lang, text in good() if half(text) == part]
    stopped = [text for lang, text in mine if checks(lang).objection(text) is not None]
    assert len(mine) >= 140
    assert len(stopped) <= FALSE_ALARMS * len(mine), stopped


def test_the_words_of_the_shipped_scripts_would_be_let_through() -> None:
    words = shipped_words()
    stopped = [(text, found.rule) for lang, text in words if (found := checks(lang).objection(text)) is not None]
    assert len(words) >= 300
    assert len(stopped) <= FALSE_ALARMS * len(words), stopped


@pytest.mark.parametrize("part", HALVES)
def test_bad_sentences_are_stopped(part: str) -> None:
    mine = [(code, lang, text) for code, lang, text in bad() if half(text) == part]
    missed = [text for _, lang, text in mine if checks(lang).objection(text) is None]
    assert len(mine) >= 100
    assert len(mine) - len(missed) >= HITS * len(mine), missed


@pytest.mark.parametrize("code", sorted({code for code, _, _ in bad()}))
def test_every_kind_is_stopped_as_what_it_is(code: str) -> None:
    mine = [(lang, text) for kind, lang, text in bad() if kind == code]
    found = Counter(objection.code for lang, text in mine if (objection := checks(lang).objection(text)) is not None)
    assert found[code] >= 0.85 * len(mine), found


@tabled(("code", "lang", "text"), bad())
def test_the_evidence_stands_in_the_sentence(code: str, lang: str, text: str) -> None:
    found = checks(lang).objection(text)
    if found is not None:
        assert found.evidence.strip()
        assert found.evidence in text
        assert found.reason


def test_the_sets_are_broad() -> None:
    assert len({text for _, text in good()}) == len(good()) >= 300
    assert len({text for _, _, text in bad()}) == len(bad()) >= 200
    for sentences in (good(), [(lang, text) for _, lang, text in bad()]):
        langs = Counter(lang for lang, _ in sentences)
        assert min(langs.values()) >= 100
    for _, lang, text in [("", *each) for each in good()] + bad():
        assert text.isascii() or lang == "zh", text


# every rule's own examples


@tabled(("lang", "rule"), EVERY)
def test_a_rule_finds_its_examples_by_itself(lang: str, rule: Rule) -> None:
    for text in rule.match:
        found = alone(lang, rule).objection(text)
        assert found is not None, text
        assert (found.code, found.rule) == (rule.code, rule.id)
        assert checks(lang).objection(text) is not None


@tabled(("lang", "rule"), EVERY)
def test_what_a_rule_lets_pass_is_let_through_by_all(lang: str, rule: Rule) -> None:
    for text in rule.let_pass:
        found = checks(lang).objection(text)
        assert found is None, (text, found and found.rule, found and found.evidence)


def test_rules_have_ids_of_their_own_and_reasons_in_both_languages() -> None:
    ids = [rule.id for _, rule in EVERY]
    assert len(set(ids)) == len(ids)
    for lang, rule in EVERY:
        assert rule.id.startswith(f"{lang}-{rule.code}")
        assert rule.reason.within("zh-CN") != rule.reason.within("en")
        assert not any("\u4e00" <= sign <= "\u9fff" for sign in rule.reason.within("en"))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_both_languages_forbid_the_same_kinds(lang: str) -> None:
    assert {rule.code for rule in rules(lang).rules} == {code for code, _, _ in bad()}
    assert {style.code for style in rules(lang).styles} == {"length", "questions", "markup", "emoji", "locale"}


# time


def milliseconds(lang: str, text: str, times: int = 300) -> float:
    checks(lang).objection(text)
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        for _ in range(times):
            checks(lang).objection(text)
        best = min(best, (time.process_time() - begun) * 1_000 / times)
    return best


SIXTY = (
    "你一个人扛了这么久，真的很累，我听到的是，你很在乎这段关系，"
    "也很怕再一次被丢下，今天愿意说出来，已经很不容易，慢慢来。"
)


def test_a_sentence_costs_next_to_nothing() -> None:
    assert 58 <= len(SIXTY) <= 64
    assert milliseconds("zh", SIXTY) <= 0.3


def test_a_sentence_full_of_what_is_taken_back_costs_little() -> None:
    text = "我不能判断你是不是抑郁症，你妈妈说你太懒了，你听到以后一直觉得都是你自己的错，这些话一定让你很难受。"
    assert checks("zh").objection(text) is None
    assert milliseconds("zh", text, 100) <= 1.5


@pytest.mark.parametrize("piece", ["你", "抑郁症", "你是不是抑郁症", "不", "“", '"{', "you have ", "a, ", "，", "说你"])
def test_time_is_linear_in_the_length(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    begun = time.process_time()
    checks("zh").objection(text)
    checks("en").whole(text)
    assert time.process_time() - begun < 4
