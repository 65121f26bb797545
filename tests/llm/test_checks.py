"""What a model wrote is checked before anybody sees it: what is objected to, what takes it back, what projects add."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.safety.outputs import checks, rules
from tests.table import tabled

from heartrule.checks.checks import Checks, Objection, checks_for
from heartrule.checks.normalization import fold
from heartrule.checks.rules import Own

BOTH = (rules("zh"), rules("en"))


def own(**fields: object) -> Checks:
    return Checks(BOTH, Own(**fields), "zh-CN")  # type: ignore[arg-type]


def found(sentence: str, before: str = "", lang: str = "zh") -> Objection:
    objection = checks(lang).objection(sentence, before)
    assert objection is not None, sentence
    return objection


class TestObjection:
    def test_it_says_what_why_and_where(self) -> None:
        objection = found("嗯，你得了抑郁症。")
        assert (objection.code, objection.rule) == ("diagnosis", "zh-diagnosis-you")
        assert objection.evidence == "你得了抑郁症"
        assert "不下诊断" in objection.reason

    def test_the_reason_is_in_the_language_of_the_script(self) -> None:
        """Rules of every language are searched: a model may answer in another than it was asked in."""
        assert found("You have depression.", lang="zh").reason == found("你得了抑郁症。", lang="zh").reason
        assert found("你得了抑郁症。", lang="en").reason.startswith("No diagnosis")

    def test_evidence_is_as_it_was_written(self) -> None:
        assert found("YOU HAVE DEPRESSION!").evidence == "YOU HAVE DEPRESSION"
        assert found("你得了抑鬱症。").evidence == "你得了抑鬱症"
        assert found("ＹＯＵ ＨＡＶＥ DEPRESSION").evidence == "ＹＯＵ ＨＡＶＥ DEPRESSION"

    def test_nothing_to_object_to(self) -> None:
        for text in ("", " ", "嗯。", "\n", "……", "听起来你很累。"):
            assert checks("zh").objection(text) is None

    def test_it_does_not_show_what_was_said_in_logs(self) -> None:
        assert "抑郁" not in repr(found("你得了抑郁症。")).replace(found("你得了抑郁症。").reason, "")


class TestBefore:
    def test_what_began_before_is_found(self) -> None:
        assert checks("zh").objection("抑郁症。") is None
        assert found("抑郁症。", "你得了").evidence == "你得了抑郁症"

    def test_what_was_said_before_is_not_objected_to_again(self) -> None:
        assert checks("zh").objection("我们接着谈。", "你得了抑郁症。") is None

    def test_a_quotation_that_began_before_goes_on(self) -> None:
        assert checks("zh").objection("都是你的错。”", "那个声音常说：“你不行。") is None
        assert found("都是你的错。", "那个声音常说：“你不行。”").code == "blame"

    def test_only_the_end_of_it_counts(self) -> None:
        assert checks("zh").objection("抑郁症。", "你得了" + "很" * 300) is None


class TestMeantOtherwise:
    """Each form takes a place back, in its own clause and nowhere else."""

    @tabled(
        ("text", "taken_back"),
        [
            ("“都是你的错”，这句话你听过很多遍。", True),
            ("“你好”，都是你的错。", False),
            ('"都是你的错"，这句话你听过很多遍。', True),
            ("这不是你的错。", True),
            ("这不是小事，都是你的错。", False),
            ("不用怀疑，都是你的错。", False),
            ("他说都是你的错。", True),
            ("他常对你说，都是你的错。", True),
            ("他说他累了，都是你的错。", False),
            ("我说都是你的错。", False),
            ("我觉得都是你的错。", False),
            ("你觉得都是你的错吗？", True),
            ("是不是都是你的错？", True),
            ("都是你的错，你想想？", False),
            ("如果都是你的错，那又会怎样。", True),
            ("如果是这样，都是你的错。", False),
        ],
    )
    def test_blame(self, text: str, taken_back: bool) -> None:
        assert (checks("zh").objection(text) is None) == taken_back

    @pytest.mark.parametrize(
        ("text", "taken_back"),
        [
            ("This is not your fault.", True),
            ("It's not late, it's your fault.", False),
            ("He says it's your fault.", True),
            ("I think it's your fault.", False),
            ("Is it your fault?", True),
            ("If it was your fault, what then.", True),
            ("The voice says “it's your fault”.", True),
            ("There is no doubt it's your fault.", False),
        ],
    )
    def test_blame_in_english(self, text: str, taken_back: bool) -> None:
        assert (checks("en").objection(text) is None) == taken_back

    def test_a_method_is_none_the_better_for_being_quoted(self) -> None:
        assert found("有人说“致死剂量是某某片”吗？").code == "method"

    def test_taking_back_one_place_does_not_hide_another(self) -> None:
        assert found("他说都是你的错，可是我看，你得了抑郁症。").code == "diagnosis"
        assert found("这不是你的错。但都是你自己造成的。").code == "blame"

    def test_nobody_hides_something_behind_a_hundred_denials(self) -> None:
        assert found("这不是你的错，" * 60).code == "blame"


class TestProject:
    def test_words_of_its_own(self) -> None:
        mine = own(sensitive=("股票代码", "ABC Corp", " "))
        objection = mine.objection("去看看股票代码吧。")
        assert objection == Objection("sensitive", objection.reason if objection else "", "股票代码", "project")
        assert mine.objection("ask abc corp!") is not None
        assert mine.objection("ask ABC Corporate") is None
        assert checks("zh").objection("去看看股票代码吧。") is None

    def test_its_words_are_never_shown_however_they_are_meant(self) -> None:
        mine = own(sensitive=("股票",))
        for text in ("他说“股票”？", "不谈股票。", "是不是股票？"):
            assert mine.objection(text) is not None

    def test_signs_in_words_mean_themselves(self) -> None:
        mine = own(sensitive=("a.c", "(x)", "[甲]"))
        assert mine.objection("abc") is None
        assert mine.objection("see (x) and [甲]") is not None

    def test_what_it_allows(self) -> None:
        mine = own(allow=("你得了抑郁症怎么办",))
        assert mine.objection("这一课叫《你得了抑郁症怎么办》。") is None
        assert mine.objection("你得了抑郁症。") is not None

    def test_a_method_cannot_be_allowed(self) -> None:
        assert own(allow=("致死剂量",)).objection("致死剂量是某某片。") is not None

    def test_what_is_allowed_is_not_stopped_by_its_own_words(self) -> None:
        assert own(sensitive=("股票",), allow=("股票焦虑",)).objection("股票焦虑") is None

    def test_its_length(self) -> None:
        text = "今天先到这里。" * 6
        assert own().whole(text) is None
        objection = own(length=20).whole(text)
        assert objection is not None
        assert objection.code == "length"

    def test_styles_it_does_without(self) -> None:
        text = "你几岁？你住哪里？"
        assert own().whole(text) is not None
        assert own(off=frozenset({"questions"})).whole(text) is None

    def test_compiled_once_for_the_same_content(self) -> None:
        assert checks_for(BOTH, Own(("甲乙",)), "zh-CN") is checks_for(BOTH, Own(("甲乙",)), "zh-CN")
        assert checks_for(BOTH, Own(("甲乙",)), "zh-CN") is not checks_for(BOTH, Own(("甲丙",)), "zh-CN")
        assert checks_for(BOTH, Own(), "zh-CN") is not checks_for(BOTH, Own(), "en")

    def test_without_rules_there_is_nothing_to_say(self) -> None:
        nothing = Checks()
        assert nothing.objection("你得了抑郁症。") is None
        assert nothing.whole("# 标题\n" + "长" * 5_000) is None
        assert Checks((replace(rules("zh"), rules=()),)).objection("你得了抑郁症。") is None

    def test_its_words_without_rules(self) -> None:
        objection = Checks((), Own(("股票",)), "en").objection("谈谈股票")
        assert objection is not None
        assert objection.reason.startswith("This word")


@given(st.text(max_size=300), st.text(max_size=60))
def test_any_text_is_judged_and_never_breaks(text: str, before: str) -> None:
    assert len(fold(text)) == len(text)
    for lang in ("zh", "en"):
        objection = checks(lang).objection(text, before)
        assert objection is None or objection.evidence in before + text
        checks(lang).whole(text, before)


@pytest.mark.parametrize("text", ["你得了抑郁症\ud800", "\x00你得了抑郁症", "你得了抑郁症" * 500])
def test_broken_and_endless_text(text: str) -> None:
    assert found(text).code == "diagnosis"
