"""The matcher itself, on rules of the test's own."""

from __future__ import annotations

import os
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import re2  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.safety.shipped import every_rules, matcher, rules
from tests.table import tabled

from heartrule.engine.awareness.risk_rules import NONE, Risk, RiskMatcher, matcher_for
from heartrule.language.nodes import RiskPattern, RiskRules
from heartrule.language.patterns import joined


def one(pattern: str, unless: str | None = None, level: str = "explicit") -> RiskMatcher:
    return RiskMatcher(RiskRules.model_validate({level: [{"pattern": pattern, "reason": "r", "unless": unless}]}))


# levels


def test_nothing_is_found_in_nothing() -> None:
    assert RiskMatcher(RiskRules()).match("我不想活了") == NONE == Risk(None, "", "", 0, 0)
    assert matcher().match("") == NONE


def test_explicit_goes_before_watch_wherever_it_stands() -> None:
    found = RiskMatcher(
        RiskRules(watch=[RiskPattern(pattern="累", reason="w")], explicit=[RiskPattern(pattern="死", reason="e")])
    ).match("好累，好累，想死")
    assert (found.level, found.reason, found.evidence, found.start) == ("explicit", "e", "死", 7)


def test_the_first_rule_that_speaks_gives_the_reason() -> None:
    twice = RiskRules(explicit=[RiskPattern(pattern="b", reason="first"), RiskPattern(pattern="a", reason="second")])
    assert RiskMatcher(twice).match("a b").reason == "first"


def test_watch_only() -> None:
    assert one("绝望", level="watch").match("我好绝望").level == "watch"


def test_a_pattern_that_matches_nothing_at_all_is_no_hit() -> None:
    assert one("x*").match("abc") == NONE


# unless


def test_unless_takes_back_what_it_overlaps() -> None:
    denied = one("自杀", "没有想过自杀")
    assert denied.match("我没有想过自杀") == NONE
    assert denied.match("自杀").level == "explicit"


@pytest.mark.parametrize(
    "text",
    [
        "我没有想过自杀，我在准备自杀",
        "我没有想过自杀自杀自杀",
        "我没有想过自杀但我会自杀",
        "自杀，没有想过自杀",
        "没有想过自杀\n自杀",
    ],
)
def test_a_denial_does_not_reach_the_next_mention(text: str) -> None:
    assert one("自杀", "没有想过自杀").match(text).level == "explicit"


@pytest.mark.parametrize(
    "end", ["。", "！", "？", "!", "?", "；", ";", "，", ",", "\n", "但是", "可是", "不过", " but "]
)
def test_unless_stays_within_its_clause(end: str) -> None:
    rule = one("die", "never.*die")
    assert rule.match("never die") == NONE
    assert rule.match(f"never{end}die").level == "explicit"


def test_unless_beside_the_match_does_not_count() -> None:
    assert one("想死", "你好").match("你好想死").evidence == "想死"
    assert one("想死", "好想死你了").match("好想死你了") == NONE


def test_the_clause_is_looked_at_from_its_beginning() -> None:
    rule = one("想死", "^不想死$")
    assert rule.match("真的，不想死，谢谢") == NONE
    assert rule.match("真的不想死").level == "explicit"


def test_who_denies_without_end_is_heard() -> None:
    assert matcher().match("我不会自杀。" * 20).level is None
    assert matcher().match("我不会自杀。" * 500).level is not None


# words, and whom the words are about


def test_words_stand_for_any_of_them_and_may_hold_others() -> None:
    named = RiskRules.model_validate(
        {
            "words": {"end": ["die", "<leave>"], "leave": ["go away"]},
            "watch": [{"reason": "r", "pattern": ["want to <end>", "<end> soon"], "unless": ["not <end> soon"]}],
        }
    )
    matcher = RiskMatcher(named)
    assert matcher.match("i want to go away").evidence == "want to go away"
    assert matcher.match("die soon").evidence == "die soon"
    assert matcher.match("i will not die soon") == NONE


@pytest.mark.parametrize("words", [{}, {"end": ["<end>"]}, {"end": ["<out>"], "out": ["<end>"]}])
def test_a_name_without_words_is_refused(words: dict[str, list[str]]) -> None:
    with pytest.raises(KeyError):
        joined("<end>", words)


OTHERS = RiskRules(
    others=[RiskPattern(pattern="she[^.]* die", unless="she said i.*die", reason="somebody else")],
    explicit=[RiskPattern(pattern="want(?:s|ed)? to die", reason="own")],
    watch=[RiskPattern(pattern="die", reason="named"), RiskPattern(pattern="no hope", reason="hope")],
)


def test_what_is_told_of_somebody_else_is_a_watch_of_its_own() -> None:
    found = RiskMatcher(OTHERS).match("she, my old friend, wants to die")
    assert (found.level, found.about, found.reason) == ("watch", "other", "somebody else")
    assert found.evidence == "wants to die"


@pytest.mark.parametrize(
    "text", ["she wants to die. i want to die", "i want to die, she too", "she wants to die but i want to die"]
)
def test_it_hides_nothing_that_is_said_of_oneself(text: str) -> None:
    found = RiskMatcher(OTHERS).match(text)
    assert (found.level, found.about) == ("explicit", "self")


def test_a_quiet_sign_of_oneself_goes_before_it() -> None:
    found = RiskMatcher(OTHERS).match("she wants to die. i have no hope")
    assert (found.level, found.about, found.reason) == ("watch", "self", "hope")


def test_what_takes_it_back_makes_it_ones_own_again() -> None:
    assert RiskMatcher(OTHERS).match("she said i want to die").about == "self"


def test_it_is_found_by_itself() -> None:
    only = RiskRules(others=OTHERS.others)
    assert RiskMatcher(only).match("she would die").about == "other"
    assert RiskMatcher(only).match("i would die") == NONE


# what is searched, and where it stood


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("唉，我  想 死。", "想 死"),
        ("ＫＩＬＬ ＭＹＳＥＬＦ", "ＫＩＬＬ ＭＹＳＥＬＦ"),
        ("我想自\u200b殺", "想自\u200b殺"),
        ("今天\n我想\n死\n了", "想\n死"),
        ("😭😭我想死", "想死"),
        ("\u0301\u0301我想死", "想死"),
        ("ﬁne. kill myself", "kill myself"),
        ("x\ud800y 想\ud800死", "想\ud800死"),
    ],
)
def test_evidence_is_quoted_as_it_was_written(text: str, evidence: str) -> None:
    found = one("想死|想自杀|kill myself").match(text)
    assert found.evidence == evidence
    assert text[found.start : found.end] == evidence


def test_latin_words_keep_their_blanks() -> None:
    assert one(r"\bto die\b").match("want\nto die").evidence == "to die"
    assert one(r"\bwantto\b").match("want\nto die") == NONE


def test_bursts_are_read_as_one() -> None:
    rule = one("我不想活了")
    for cut in range(1, 5):
        text = "我不想活了"
        assert rule.match(text[:cut] + "\n" + text[cut:]).level == "explicit"
    assert rule.match("\n".join("我不想活了")).level == "explicit"


# shipped rules as a whole


SHIPPED = [(script, rule) for script, each in every_rules().items() for rule in each.all()]
NAMES = [f"{script}: {rule.reason}" for script, rule in SHIPPED]


def patterns(script: str, rule: RiskPattern) -> list[str]:
    """With their words put in."""
    return [joined(written, every_rules()[script].words) for written in (rule.pattern, rule.unless) if written]


@tabled(("script", "rule"), SHIPPED)
def test_every_shipped_pattern_compiles_alone_and_is_of_moderate_size(script: str, rule: RiskPattern) -> None:
    assert rule.reason
    for pattern in patterns(script, rule):
        assert len(pattern) <= 2_400
        assert re2.compile(pattern).search("") is None


@tabled(("script", "rule"), SHIPPED)
def test_patterns_are_written_for_the_folded_text(script: str, rule: RiskPattern) -> None:
    """Simplified, half width and lower case: anything else could never match."""
    for pattern in patterns(script, rule):
        bare = pattern.replace("\\S", "").replace("\\W", "")
        assert not set(bare) & set("，！？；：（）ＡＢＣ殺遺書藥樓沒")
        letters = [c for c in bare if c.isalpha() and c.isascii()]
        assert all(c.islower() for c in letters)


@pytest.mark.parametrize("script", every_rules())
def test_every_word_is_used(script: str) -> None:
    rules = every_rules()[script]
    written = [*rules.words.values(), *(each for rule in rules.all() for each in (rule.pattern, rule.unless or []))]
    texts = [each if isinstance(each, str) else "|".join(each) for each in written]
    assert {name for text in texts for name in re.findall(r"<(\w+)>", text)} == set(rules.words)


@tabled(("script", "rule"), SHIPPED)
def test_every_rule_shows_what_it_finds_and_what_it_lets_pass(script: str, rule: RiskPattern) -> None:
    alone = RiskMatcher(RiskRules(words=every_rules()[script].words, watch=[rule]))
    assert rule.match
    assert rule.pass_ or not rule.unless
    assert [text for text in rule.match if alone.match(text).level is None] == []
    assert [text for text in rule.pass_ if alone.match(text).level is not None] == []


def test_compiled_once_for_the_same_rules() -> None:
    assert matcher_for(rules()) is matcher_for(RiskRules.model_validate(rules().model_dump(by_alias=True)))


def test_shared_between_threads() -> None:
    texts = ["我不想活了", "你好", "活着没意思", "I want to die"] * 50
    with ThreadPoolExecutor(8) as pool:
        levels = [risk.level for risk in pool.map(matcher().match, texts)]
    assert levels == ["explicit", None, "watch", "explicit"] * 50


# time and hostile input

HOSTILE = {
    "letters": "a" * 1_000_000,
    "one sign": "想" * 330_000,
    "blanks between": "我 " * 500_000,
    "points between": "a." * 500_000,
    "line breaks": "\n" * 1_000_000,
    "denials": "我不会自杀" * 66_000,
    "denials in clauses": "我不会自杀，" * 55_000,
    "English denials": "i would never kill myself " * 38_000,
    "half a rule": "i want to " * 100_000,
    "third person": "他想" * 160_000,
    "struck through": "想\u0336" * 250_000,
    "surrogates": "\ud800" * 1_000_000,
    "right to left": "\u202e想" * 300_000,
    "nuls": "\x00" * 1_000_000,
    "beyond the first plane": "\U00020000." * 200_000,
    "noise": "".join(map(chr, random.Random(7).choices(range(32, 0xFFFF), k=400_000))),
}


SHARE = 1 if "HEARTRULE_HOSTILE" in os.environ else 5
"""A fifth of a megabyte at a time; all of it in the long form (`make attack`)."""


@tabled("name", HOSTILE)
def test_a_megabyte_takes_seconds_at_most(name: str) -> None:
    begun = time.process_time()
    matcher().match(HOSTILE[name][: len(HOSTILE[name]) // SHARE])
    assert time.process_time() - begun < 12 / SHARE


@pytest.mark.parametrize("piece", ["我不会自杀，", "想 死", "never kill myself ", "我.想.", "他说要"])
def test_twice_the_text_takes_about_twice_the_time(piece: str) -> None:
    def seconds(times: int) -> float:
        text = piece * times
        best = 1e9
        for _ in range(3):
            begun = time.perf_counter()
            matcher().match(text)
            best = min(best, time.perf_counter() - begun)
        return best

    assert seconds(32_000) < 12 * seconds(8_000) + 0.2


def test_intent_is_found_in_the_middle_of_a_megabyte() -> None:
    long = "今天我们聊了很多别的事情。" * 30_000
    found = matcher().match(long + "我想自杀" + long)
    assert found.level == "explicit"
    assert found.start >= len(long)


words = st.sampled_from(
    [
        "我",
        "不",
        "想",
        "活",
        "了",
        "死",
        "自",
        "杀",
        "没有",
        "他",
        "，",
        "。",
        "但是",
        "\n",
        " ",
        "\u200b",
        "\ud800",
        "\x00",
        "kill",
        "myself",
        "never",
        "i ",
        "want",
        " to ",
        "die",
        ".",
        "💀",
        "殺",
        "Ｉ",
        "\u0336",
        "\u202e",
        "吗",
        "?",
        "的",
        "割腕",
        "遗书",
        "ﬁ",
        "ß",
        "İ",
        "㍿",
        "Å",
    ]
)


@given(st.one_of(st.text(max_size=300), st.lists(words, max_size=60).map("".join)))
@settings(max_examples=400, deadline=None)
def test_any_text_gives_a_finding_that_stands_in_it(text: str) -> None:
    found = matcher().match(text)
    assert 0 <= found.start <= found.end <= len(text)
    assert text[found.start : found.end] == found.evidence
    assert (found.level is None) == (found == NONE)


@given(st.lists(words, max_size=40).map("".join))
@settings(max_examples=200, deadline=None)
def test_rules_only_raise(text: str) -> None:
    """A sentence with plain intent, set apart, is heard whatever stands before or after."""
    assert matcher().match(f"{text}。\n我想自杀。\n{text}").level == "explicit"


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_the_same_words_always_get_the_same_finding(text: str) -> None:
    assert matcher().match(text) == matcher().match(text)
