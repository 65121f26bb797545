"""When an interactive action ends (seed 001 §3, seed 003 §5.2, seed 004): four sources in their order, what vetoes
them, and the record of every decision."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    Node,
    ai_ask,
    ai_say,
    asked,
    exits,
    explained,
    get,
    last,
    option,
    press,
    spoken,
    think,
    values,
)
from tests.engine.scripts import ask, check, only, put, say, script, skill, topic, use
from tests.engine.scripts import phase as phase_of
from tests.table import tabled

from heartrule.engine.dialogue import exit_reasons
from heartrule.engine.session.events import RoundInfo
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Refused
from heartrule.testing.talk import Talk

QUESTION = "最近怎么样？"


def hold(action: Node, *answers: Any, before: tuple[Node, ...] = (), words: str = "嗯，还行") -> Talk:
    """The action with these answers of the model to one reply after another."""
    talk = Talk(only(*before, action, say("完")), {"risk": CALM, "ai_ask": list(answers), "ai_say": list(answers)})
    for _ in answers:
        if talk.ended:
            break
        talk.say(words)
        check(talk)
    return talk


def guided(*gets: Node, **more: Any) -> Node:
    return ai_ask("了解近况", *gets, question=QUESTION, id="guided", **more)


def explaining(**more: Any) -> Node:
    return ai_say("ABC 模型包括……", id="explaining", **({"max_rounds": 5} | more))


def rounds(talk: Talk) -> list[RoundInfo]:
    return [event for event in talk.events if isinstance(event, RoundInfo)]


# ai_ask: the four sources


def test_at_max_rounds_it_ends_whatever_the_model_says() -> None:
    talk = hold(guided(max_rounds=2), asked("还有呢？"), asked("还有呢？"))
    assert exits(talk) == [(False, "none", None), (True, "max_rounds", "max_rounds_reached")]
    assert talk.ended
    assert "还有呢？" not in talk.said, "nobody would hear the answer"


@pytest.mark.parametrize("flag", ["YES", "yes", " Yes ", "true", "TRUE", True])
def test_the_exit_flag_ends_it(flag: Any) -> None:
    talk = hold(guided(), asked(exit=flag))
    assert exits(talk) == [(True, "exit_flag", "exit_criteria_met")]
    assert talk.happened("exit")[0].reason == "理由"


@pytest.mark.parametrize("flag", ["NO", "no", "false", False, "", None, "MAYBE", 1, [], {}])
def test_anything_else_is_no_flag(flag: Any) -> None:
    assert exits(hold(guided(), asked(exit=flag))) == [(False, "none", None)]


def test_the_reason_may_be_the_brief() -> None:
    talk = hold(guided(), asked(exit="YES", exit_reason=""))
    assert talk.happened("exit")[0].reason == "一句概括"


def test_written_criteria_end_it() -> None:
    criteria = {"custom_conditions": [{"variable": "分", "operator": ">=", "value": 8}]}
    found = asked("还有呢？", values=values(分=(8, "还行")))
    talk = hold(guided(get("分", "integer"), exit_criteria=criteria), found)
    assert exits(talk) == [(True, "exit_criteria", "exit_criteria_met")]
    assert talk.happened("exit")[0].reason == "满足退出条件：分 >= 8"


def test_the_models_suggestion_is_the_last_source() -> None:
    talk = hold(guided(), asked(progress_suggestion="completed"))
    assert exits(talk) == [(True, "llm_suggestion", "exit_criteria_met")]


def test_the_first_source_that_holds_is_named() -> None:
    criteria = {"min_rounds": 1}
    everything = asked(exit="YES", progress_suggestion="completed")
    assert exits(hold(guided(max_rounds=1, exit_criteria=criteria), everything))[-1][1] == "max_rounds"
    assert exits(hold(guided(exit_criteria=criteria), everything))[-1][1] == "exit_flag"
    suggested = asked(progress_suggestion="completed")
    assert exits(hold(guided(exit_criteria=criteria), suggested))[-1][1] == "exit_criteria"


# vetoes


@pytest.mark.parametrize("over", [{"exit": "YES"}, {"progress_suggestion": "completed"}])
def test_a_missing_value_vetoes_every_source_but_max_rounds(over: Node) -> None:
    talk = hold(guided(get("分", "integer"), max_rounds=2), asked("还有呢？", **over), asked(**over))
    first, second = talk.happened("exit")
    assert (first.should_exit, len(first.vetoed)) == (False, 1)
    assert "缺少 分" in first.vetoed[0]
    assert (second.should_exit, second.decision_source) == (True, "max_rounds")
    assert talk.said[0] in spoken(talk, "unfinished")


def test_an_optional_value_vetoes_nothing() -> None:
    talk = hold(guided(get("分", "integer"), required=False), asked(exit="YES"))
    assert exits(talk) == [(True, "exit_flag", "exit_criteria_met")]


@pytest.mark.parametrize("how", [{"min_rounds": 3}, {"exit_criteria": {"min_rounds": 3}}], ids=str)
def test_min_rounds_veto_until_then(how: Node) -> None:
    talk = hold(guided(max_rounds=6, **how), *[asked("还有呢？", exit="YES")] * 3)
    assert [event.should_exit for event in talk.happened("exit")] == [False, False, True]
    assert "3" in talk.happened("exit")[0].vetoed[0]


def test_min_rounds_do_not_outlast_max_rounds() -> None:
    talk = hold(guided(max_rounds=2, min_rounds=2), asked("嗯？", exit="YES"), asked("嗯？"))
    assert exits(talk)[-1] == (True, "max_rounds", "max_rounds_reached")


# exit_sources


@pytest.mark.parametrize(
    ("sources", "answer", "ends"),
    [
        (["max_rounds"], asked("嗯？", exit="YES", progress_suggestion="completed"), False),
        (["exit_flag"], asked("嗯？", progress_suggestion="completed"), False),
        (["exit_flag"], asked("嗯？", exit="YES"), True),
        (["llm_suggestion"], asked("嗯？", exit="YES"), False),
        (["llm_suggestion"], asked("嗯？", progress_suggestion="completed"), True),
    ],
)
def test_exit_sources_narrow(sources: list[str], answer: Node, ends: bool) -> None:
    talk = hold(guided(exit_sources=sources, max_rounds=4), answer)
    assert talk.happened("exit")[-1].should_exit == ends


def test_max_rounds_cannot_be_taken_away() -> None:
    talk = hold(guided(exit_sources=["exit_flag"], max_rounds=2), asked("嗯？"), asked("嗯？"))
    assert exits(talk)[-1][:2] == (True, "max_rounds")


@pytest.mark.parametrize("sources", [["exit_flag"], ["llm_suggestion"], ["max_rounds", "exit_flag"]])
def test_without_a_model_an_answer_stands_in_for_its_sources(sources: list[str]) -> None:
    """Nobody could raise a flag; whoever has answered is not asked the same again."""
    talk = Talk(only(guided(get("x"), exit_sources=sources), say("完")))
    talk.say("挺好的")
    assert talk.ended
    assert last(talk, "x") == "挺好的"


def test_unless_only_the_rounds_may_end_it() -> None:
    talk = Talk(only(guided(get("x"), exit_sources=["max_rounds"], max_rounds=2), say("完")))
    talk.say("挺好的")
    assert not talk.ended
    talk.say("嗯")
    assert talk.ended


# blocked and off topic


@pytest.mark.parametrize(("progress", "kind"), [("blocked", "user_blocked"), ("off_topic", "off_topic")])
def test_blocked_and_off_topic_alone_never_end_anything(progress: str, kind: str) -> None:
    talk = hold(guided(max_rounds=3), *[asked("嗯？", progress_suggestion=progress)] * 2)
    assert exits(talk) == [(False, "none", kind)] * 2
    told = hold(explaining(), explained(progress_suggestion=progress))
    assert exits(told) == [(False, "none", kind)]


# custom conditions


@tabled(
    ("value", "operator", "wanted", "holds"),
    [
        (5, "==", 5, True),
        ("5", "==", 5, True),
        (5.0, "==", 5, True),
        ("五", "==", "五", True),
        (5, "==", 6, False),
        (True, "==", True, True),
        (None, "==", 5, False),
        (5, "!=", 6, True),
        (5, "!=", 5, False),
        (None, "!=", 5, True),
        (5, ">", 4, True),
        (5, ">", 5, False),
        (5, "<", 6, True),
        (5, ">=", 5, True),
        (5, "<=", 4, False),
        ("七", ">", 4, False),
        (None, ">=", 0, False),
        (None, "<", 9, False),
        ("很难受", "contains", "难", True),
        ("很难受", "contains", "好", False),
        (["妈妈", "朋友"], "contains", "朋友", True),
        (["妈妈"], "contains", "朋友", False),
        (5, "contains", 5, False),
        (None, "contains", "x", False),
    ],
)
def test_every_operator(value: Any, operator: str, wanted: Any, holds: bool) -> None:
    condition = {"variable": "值", "operator": operator, "value": wanted}
    action = guided(exit_criteria={"custom_conditions": [condition]})
    talk = hold(action, asked("嗯？"), before=(put("值", value),) if value is not None else ())
    assert talk.happened("exit")[0].should_exit == holds


def test_all_conditions_and_the_rounds_must_hold() -> None:
    conditions = [{"variable": "甲", "operator": "==", "value": 1}, {"variable": "乙", "operator": "==", "value": 2}]
    criteria = {"min_rounds": 2, "custom_conditions": conditions}
    for second, ends in ((2, True), (3, False)):
        action = guided(exit_criteria=criteria, max_rounds=5)
        talk = hold(action, asked("嗯？"), asked("嗯？"), before=(put("甲", 1), put("乙", second)))
        assert [event.should_exit for event in talk.happened("exit")] == [False, ends]


def test_empty_criteria_end_nothing() -> None:
    assert exits(hold(guided(exit_criteria={}), asked("嗯？"))) == [(False, "none", None)]


# ai_say: a wish that understanding must bear out (seed 003, decideExit)


def test_at_max_rounds_should_exit() -> None:
    """达到max_rounds时应强制退出"""
    talk = hold(explaining(max_rounds=2), *[explained(10, True, False)] * 2)
    assert exits(talk)[-1] == (True, "max_rounds", "max_rounds_reached")
    assert talk.happened("exit")[-1].reason == "达到最大轮次限制（2）"


def test_understood_without_questions_should_exit() -> None:
    """理解度达标且无疑问时应退出"""
    talk = hold(explaining(exit_criteria={"understanding_threshold": 80}), explained(85, False, False, True))
    assert exits(talk) == [(True, "exit_criteria", "exit_criteria_met")]
    assert talk.happened("exit")[0].reason == "理解度85达到80且无疑问"


def test_seventy_and_said_so_should_exit() -> None:
    """理解度70+且明确表达理解时应退出"""
    talk = hold(explaining(), explained(75, True, True, True))
    assert exits(talk)[0][0] is True
    assert "75" in talk.happened("exit")[0].reason


@pytest.mark.parametrize(
    ("level", "questions", "expressed", "wish", "ends"),
    [
        (80, False, False, True, True),
        (79, False, False, True, False),
        (100, True, False, True, False),
        (70, True, True, True, True),
        (69, False, True, True, False),
        (100, False, True, False, False),
        (100, False, True, "yes", False),
        ("90", False, True, True, False),
        (None, False, True, True, False),
        (100, None, False, True, False),
        (100, "no", False, True, False),
    ],
)
def test_the_rules_of_understanding(level: Any, questions: Any, expressed: Any, wish: Any, ends: bool) -> None:
    """Criteria alone end nothing; what is missing or illegal counts as not understood."""
    assert exits(hold(explaining(), explained(level, questions, expressed, wish)))[0][0] == ends


@pytest.mark.parametrize(("threshold", "ends"), [(60, True), (90, False)])
def test_the_threshold_is_the_scripts(threshold: int, ends: bool) -> None:
    action = explaining(exit_criteria={"understanding_threshold": threshold})
    assert exits(hold(action, explained(65, False, False, True)))[0][0] == ends


@pytest.mark.parametrize(("allowed", "ends"), [(True, True), (False, False)])
def test_open_questions_may_be_allowed(allowed: bool, ends: bool) -> None:
    action = explaining(exit_criteria={"has_questions": allowed})
    assert exits(hold(action, explained(90, True, False, True)))[0][0] == ends


def test_completed_is_a_wish_too() -> None:
    answer = explained(90, False, False, False, progress_suggestion="completed")
    assert exits(hold(explaining(), answer))[0][0] is True


def test_explaining_has_min_rounds_and_conditions() -> None:
    wish = explained(90, False, True, True)
    talk = hold(explaining(exit_criteria={"min_rounds": 2}), wish, wish)
    assert [event.should_exit for event in talk.happened("exit")] == [False, True]
    conditions = [{"variable": "准备好", "operator": "==", "value": True}]
    held = hold(explaining(exit_criteria={"custom_conditions": conditions}), wish, before=(put("准备好", False),))
    assert held.happened("exit")[0].should_exit is False
    assert held.happened("exit")[0].vetoed


@pytest.mark.parametrize("source", ["llm_suggestion", "exit_criteria"])
def test_a_wish_that_is_borne_out_is_a_suggestion_and_meets_the_criteria(source: str) -> None:
    action = explaining(exit_criteria={"understanding_threshold": 80}, exit_sources=[source])
    assert exits(hold(action, explained(85, False, True, True)))[0][:2] == (True, source)


def test_five_rounds_and_eighty_unless_the_script_says_otherwise() -> None:
    talk = hold(ai_say("讲", exit_criteria={}), *[explained(79, False, False, True)] * 5)
    assert [event.should_exit for event in talk.happened("exit")] == [False] * 4 + [True]
    assert talk.happened("exit")[-1].decision_source == "max_rounds"


# the record


def test_every_decision_is_in_the_history_and_the_last_is_the_turns() -> None:
    talk = hold(guided(max_rounds=3), asked("嗯？"), asked(exit="YES"))
    first, second = talk.happened("exit")
    assert (first.action, first.round, second.round) == ("guided", 1, 2)
    assert second.at > first.at
    assert talk.turn.exit == {
        "action": "guided",
        "reason": "理由",
        "decision_source": "exit_flag",
        "class": "exit_criteria_met",
    }


def test_a_turn_in_which_nothing_ended_has_no_exit() -> None:
    assert hold(guided(max_rounds=3), asked("嗯？")).turn.exit == {}


@pytest.mark.parametrize(
    "action",
    [say("好"), think("想", "x"), put("x", 1), option("x", "好"), press("好"), ask("？", "x"), use("s"), ai_say("讲")],
    ids=lambda action: action["type"],
)
def test_actions_of_one_round_take_no_exit_criteria(action: Node) -> None:
    for field in ("exit_criteria", "exit_sources"):
        if action["type"] == "ai_say":
            continue
        with pytest.raises(Refused):
            only({**action, field: {} if field == "exit_criteria" else ["max_rounds"]})


def test_and_leave_no_exit_history() -> None:
    """无 exit_criteria 仍可正常执行且不写入 exitHistory"""
    actions = [say("好"), think("想", "x"), put("y", 1), use("s"), press("好"), option("z", "好")]
    talk = Talk(script(phase_of("P", topic("T", *actions)), skills=[skill("s", say("技术"))]))
    talk.choose("go_on")
    talk.choose("a")
    assert talk.ended
    assert exits(talk) == []
    assert talk.turn.exit == {}


# seed 004, by number


METRICS = {
    "information_completeness": "信息基本完整",
    "user_engagement": "愿意说",
    "emotional_intensity": "平稳",
    "reply_relevance": "切题",
}


def test_seed_004_case_1_complete_metrics() -> None:
    """ai_ask返回完整metrics"""
    (event,) = rounds(hold(guided(), asked(metrics=METRICS)))
    assert event.metrics == METRICS
    assert all(isinstance(value, str) for value in event.metrics.values())
    assert (event.current_round, event.max_rounds, event.progress_suggestion) == (1, 3, "continue_needed")


@pytest.mark.parametrize("absent", ["metrics", "progress_suggestion", "BRIEF", "exit_reason", "values"])
def test_seed_004_case_4_missing_fields(absent: str) -> None:
    """LLM输出缺失必需字段容错"""
    whole = asked("还有呢？", metrics=METRICS)
    talk = hold(guided(), {key: value for key, value in whole.items() if key != absent})
    (event,) = rounds(talk)
    assert event.progress_suggestion == "continue_needed"
    assert set(event.metrics) == set(METRICS)
    if absent == "metrics":
        assert set(event.metrics.values()) == {"信息不可用"}
    assert talk.said == ["还有呢？"]


@pytest.mark.parametrize("progress", ["done", "", None, 5, ["completed"], {"completed": True}, True])
def test_seed_004_case_5_illegal_progress(progress: Any) -> None:
    """progress_suggestion枚举值校验"""
    talk = hold(guided(), asked("还有呢？", progress_suggestion=progress))
    assert rounds(talk)[0].progress_suggestion == "continue_needed"
    assert exits(talk) == [(False, "none", None)]


def test_seed_004_case_6_classes() -> None:
    """exit_reason分类正确"""
    at_the_limit = hold(guided(max_rounds=5), *[asked("嗯？")] * 5)
    assert at_the_limit.turn.exit["class"] == "max_rounds_reached"
    assert hold(guided(), asked(exit="YES")).turn.exit["class"] == "exit_criteria_met"
    assert exits(hold(guided(), asked("嗯？", progress_suggestion="blocked")))[0][2] == "user_blocked"


def test_seed_004_scenario_1_metrics_change_from_round_to_round() -> None:
    short, whole = {**METRICS, "information_completeness": "信息不足，回答简短"}, METRICS
    talk = hold(guided(), asked("还有呢？", metrics=short), asked(exit="YES", metrics=whole))
    assert [event.metrics["information_completeness"] for event in rounds(talk)] == [
        "信息不足，回答简短",
        "信息基本完整",
    ]


def test_seed_004_scenario_2_a_failed_round_is_lived_through() -> None:
    """The first answer never came; the action goes on and the second round is an ordinary one."""
    talk = hold(guided(get("分", "integer")), None, asked(exit="YES", values=values(分=(7, "嗯，还行"))))
    first, second = rounds(talk)
    assert first.degraded
    assert not second.degraded
    assert set(first.metrics.values()) == {"LLM输出解析失败，无法评估"}
    assert first.progress_suggestion == "continue_needed"
    assert talk.ended
    assert last(talk, "分") == 7


def test_seed_004_three_failures_in_a_row_do_not_stop_anything() -> None:
    talk = hold(guided(get("分", "integer"), max_rounds=3), None, None, None)
    assert [event.degraded for event in rounds(talk)] == [True] * 3
    assert talk.ended
    assert exits(talk)[-1][1] == "max_rounds"


def test_seed_003_three_rounds_of_explaining() -> None:
    """应完成完整的多轮对话流程"""
    answers = [explained(20, True), explained(60, True), explained(85, False, False, True)]
    talk = Talk(only(explaining(max_rounds=4), say("完")), {"risk": CALM, "ai_say": answers})
    for number, words in enumerate(["请告诉我什么是ABC模型", "我有点明白了", "我完全理解了"], 1):
        assert not talk.ended
        talk.say(words)
        assert rounds(talk)[-1].current_round == number
    assert talk.ended


@pytest.mark.parametrize("reason", [each for each in vars(exit_reasons).values() if isinstance(each, Bilingual)])
def test_reasons_have_as_many_places_in_both_languages(reason: Bilingual) -> None:
    assert reason.zh.count("{}") == reason.en.count("{}")


def test_an_english_session_is_left_for_english_reasons() -> None:
    action = explaining(exit_criteria={"understanding_threshold": 80})
    english = only(action, say("Done."), locale="en")
    talk = Talk(english, {"risk": CALM, "ai_say": [explained(85, False, False, True)]})
    talk.say("I see")
    assert talk.happened("exit")[0].reason == "understanding 85 reaches 80 and nothing is open"
