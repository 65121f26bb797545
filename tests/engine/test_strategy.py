"""The strategy engine: prepared beside the conversation, told to the right prompts and no others, never waited for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.adapting import (
    ADVICE,
    FIRST,
    HOW,
    LAST,
    STATIC,
    adaptive,
    advised,
    asked_for,
    begun,
    decided,
    kept,
    last,
    made,
    mind,
    shown,
    unused,
    wanted,
)
from tests.engine.minds import INTENT, ai_ask, ai_say, asked, explained, fork
from tests.engine.scripts import ask, roundtrip, skill

from heartrule.engine.session.io import Advice, Input, Who
from heartrule.engine.supervision import strategy
from heartrule.engine.supervision.strategy import CHANGED, LIMIT, NONE_IN_IT, OVER, TAKEN, clipped
from heartrule.engine.turn import advance
from heartrule.engine.work import Work
from heartrule.testing.talk import Talk

STRONG = {"metrics": {"emotional_intensity": "很低落"}}


# off by default


def plain(**more: Any) -> dict[str, Any]:
    return {"type": "ai_ask", "content": "了解最近的睡眠", "id": "it", "max_rounds": 5, **more}


@pytest.mark.parametrize("more", [{}, {"adaptive": False}])
def test_off_by_default_nothing_is_asked_kept_or_told(more: dict[str, Any]) -> None:
    held = Talk(made(FIRST, plain(**more), LAST), mind())
    advised(held)
    for words in ("小林", "睡不着", "白天很困"):
        held.say(words)
        advised(held)
    assert asked_for(held) == 0
    assert (held.state.strategies, held.state.strategies_asked) == ({}, 0)
    assert decided(held) == []
    assert {task.context.values["strategy_prompt"] for task in held.asked} == {""}
    assert {event.strategy for event in held.happened("round")} == {0}


def test_no_turn_of_an_adaptive_session_asks_more_than_that_of_another() -> None:
    """What people wait for is the same; the strategy is asked beside it."""
    calls = []
    for more in ({}, {"adaptive": True}):
        held = Talk(made(FIRST, plain(**more), LAST), mind())
        for words in ("小林", "睡不着", "白天很困"):
            held.say(words)
        calls.append([(task.template, task.key) for task in held.asked])
    assert calls[0] == calls[1]


def test_script_mode_has_none() -> None:
    held = Talk(made(FIRST, adaptive(), LAST))
    held.say("小林")
    held.say("睡不着")
    assert held.turn.after == ()
    assert held.state.strategies == {}


# prepared, told, recorded


def test_prepared_a_turn_ahead_and_told_from_the_first_words_on() -> None:
    held = begun()
    assert decided(held) == [(1, "prepared", "it")]
    held.say("小林")
    assert HOW in shown(held, last(held, "ai_ask_open"))
    held.say("睡不着")
    assert HOW in shown(held, last(held, "ai_ask"))


def test_told_beside_the_scripts_own_strategy() -> None:
    held = begun()
    held.say("小林")
    prompt = shown(held, last(held, "ai_ask_open"))
    assert f"策略：{STATIC}" in prompt
    assert HOW in prompt


def test_where_none_is_there_the_scripts_own_serves_and_nobody_waits() -> None:
    held = Talk(made(FIRST, adaptive(), LAST), mind())
    held.say("小林")
    prompt = shown(held, last(held, "ai_ask_open"))
    assert f"策略：{STATIC}" in prompt
    assert "调整建议" not in prompt
    assert held.said[-1].endswith("最近睡得怎么样？")


def test_what_is_recorded_of_a_decision() -> None:
    held = begun()
    (event,) = held.happened("strategy")
    assert (event.round, event.cause, event.replaces) == (0, "prepared", 0)
    assert event.profile == ["学历"]
    assert event.reasoning == ADVICE["reasoning"]
    assert event.strategy == HOW
    assert event.situation.startswith("forward - - - profile:")
    assert "睡眠" not in repr(event)
    assert HOW not in repr(event), "it tells of a person"
    assert HOW not in repr(held.state)


def test_a_round_says_under_which_strategy_its_question_was_put() -> None:
    held = begun()
    held.say("小林")
    advised(held)
    held.say("睡不着")
    advised(held)
    held.say("白天很困")
    rounds = [(event.current_round, event.strategy) for event in held.happened("round") if event.action == "it"]
    assert [number for number, _, _ in decided(held)] == [1, 2]
    assert rounds == [(1, 1), (2, 2)], "the first question was put under what was prepared for it"


def test_only_the_prompts_of_its_action_hold_it() -> None:
    after = ai_ask("问问工作", "工作", id="other", max_rounds=3)
    held = begun(adaptive(), after, model=mind(ai_ask=[asked("那白天呢？"), asked("好。", "YES"), asked("嗯？")]))
    for words in ("小林", "睡不着", "白天很困", "做设计"):
        held.say(words)
        advised(held)
    assert held.at == "other"
    own = ("ai_ask_open", "ai_ask")
    holding = [task for task in held.asked if HOW in task.context.values["strategy_prompt"]]
    spoken = [(task.template, HOW in shown(held, task)) for task in held.asked if task.template in own]
    assert [told for _, told in spoken if told] == [True] * 3, "its opening and its two rounds"
    assert spoken[-1] == ("ai_ask", False)
    assert all(HOW not in shown(held, task) for task in held.asked if task.template in ("risk", "perceive"))
    assert len({task.template for task in holding}) >= 2


def test_a_reply_that_opens_the_next_action_too_is_told_how() -> None:
    """Fused: the words that end one action begin the adaptive one."""
    before = ai_ask("问问工作", "工作", id="before", max_rounds=3)
    told = asked("好。那睡得怎么样？", "YES", values={"工作": {"value": "设计", "evidence": "做设计"}})
    held = Talk(made(before, adaptive(), LAST), mind(ai_ask=told))
    advised(held)
    held.say("做设计")
    assert held.at == "it"
    assert held.happened("fused")[-1].kept
    assert f"接着：了解最近的睡眠（{HOW}）" in shown(held, last(held, "ai_ask"))


def test_an_explanation_is_told_too() -> None:
    held = begun(adaptive("讲ABC模型", "ai_say"), LAST)
    held.say("小林")
    assert HOW in shown(held, last(held, "ai_say_open"))
    held.say("不太懂")
    assert HOW in shown(held, last(held, "ai_say"))


def test_an_explanation_that_only_waits_for_a_nod_is_prepared_for_but_not_anew() -> None:
    """Its further words are not made under a strategy."""
    held = begun({"type": "ai_say", "content": "讲ABC", "id": "it", "adaptive": True}, LAST)
    assert asked_for(held) == 1
    held.say("小林")
    assert HOW in shown(held, last(held, "ai_say_open"))
    assert wanted(held) == []


def test_the_last_round_needs_none() -> None:
    held = Talk(made(FIRST, adaptive(max_rounds=1), LAST), mind())
    held.say("小林")
    assert held.at == "it"
    assert wanted(held) == []


def test_short_of_time_both_are_told() -> None:
    held = begun(adaptive(), LAST, time_budget="5m")
    held.say("小林")
    held.say("睡不着", seconds=270)
    told = last(held, "ai_ask").context.values["strategy_prompt"]
    assert told.startswith("时间快到了")
    assert told.endswith(HOW)


# when it is made anew


def test_the_same_situation_is_never_asked_about_twice() -> None:
    held = begun()
    held.say("小林")
    advised(held)
    before = asked_for(held)
    for words in ("睡不着", "白天很困", "就这样"):
        held.say(words)
        assert wanted(held) == []
        advised(held)
    assert asked_for(held) == before == 2


@pytest.mark.parametrize("answer", [asked("嗯？", **STRONG), asked("嗯？", progress_suggestion="blocked")])
def test_a_round_that_goes_otherwise_has_it_made_anew(answer: dict[str, Any]) -> None:
    held = begun(model=mind(ai_ask=[asked("那白天呢？"), answer, answer]))
    held.say("小林")
    advised(held)
    held.say("睡不着")
    assert wanted(held) == []
    held.say("别问了")
    assert wanted(held) == ["it"]
    advised(held)
    assert [cause for _, cause, _ in decided(held)] == ["prepared", "regenerated", "regenerated"]
    assert held.happened("strategy")[-1].replaces == held.happened("strategy")[-2].number
    held.say("没什么")
    assert wanted(held) == [], "it is still so"


def test_who_understands_less_or_more_is_spoken_to_anew() -> None:
    levels = [explained(level, content="再换一个例子，你看呢？") for level in (50, 55, 20, 25, 90)]
    held = begun(adaptive("讲ABC模型", "ai_say", max_rounds=9), LAST, model=mind(ai_say=levels))
    held.say("小林")
    advised(held)
    anew = []
    for words in ("嗯", "哦", "啊", "什么", "原来这样"):
        held.say(words)
        anew.append(bool(wanted(held)))
        advised(held)
    assert anew == [True, False, True, False, True]
    assert last(held, "strategy").values["understanding"] == "55 → 20 → 25 → 90"


def test_what_becomes_known_of_the_person_has_it_made_anew() -> None:
    found = asked("嗯？", values={"年龄": {"value": 34, "evidence": "34"}})
    held = begun(adaptive(output=[{"get": "年龄"}, {"get": "别的"}]), LAST, model=mind(ai_ask=[found, asked("嗯？")]))
    held.say("小林")
    advised(held)
    held.say("我34")
    assert wanted(held) == ["it"]
    assert last(held, "strategy").values["profile"] == "学历 = 大专 (最高的学历)\n来访者名 = 小林 (希望的称呼)"
    advised(held)
    assert "年龄 = 34" in last(held, "strategy").values["profile"]
    held.say("没别的")
    assert wanted(held) == []


# what comes back


@pytest.mark.parametrize(
    "answer",
    [None, {}, {"strategy_prompt": ""}, {"strategy_prompt": " \n"}, {"strategy_prompt": 5}, {"reasoning": {"a": "b"}}],
)
def test_rubbish_changes_nothing_and_is_not_asked_for_again(answer: Any) -> None:
    held = begun(model=mind(strategy=answer))
    assert asked_for(held) == 1
    assert decided(held) == []
    held.move(Input("resume"))
    assert wanted(held) == []
    held.say("小林")
    prompt = shown(held, last(held, "ai_ask_open"))
    assert f"策略：{STATIC}" in prompt
    assert "调整建议" not in prompt


@pytest.mark.parametrize("reasoning", [None, "想过了", [1], {"key_considerations": "一条"}, {"user_state_analysis": 3}])
def test_a_strategy_without_a_usable_reasoning_is_kept(reasoning: Any) -> None:
    held = begun(model=mind(strategy={"strategy_prompt": HOW, "reasoning": reasoning}))
    assert held.happened("strategy")[-1].reasoning == {}
    assert kept(held).text == HOW


def test_reasoning_is_cut_to_its_length() -> None:
    long = {
        "user_state_analysis": "累" * 999,
        "key_considerations": ["多" * 999, 4] * 20,
        "strategy_rationale": "因" * 9,
    }
    held = begun(model=mind(strategy={"strategy_prompt": HOW, "reasoning": long}))
    told = held.happened("strategy")[-1].reasoning
    assert len(told["user_state_analysis"]) == 300
    assert [len(each) for each in told["key_considerations"]] == [300] * 6
    assert told["strategy_rationale"] == "因" * 9


def test_a_strategy_that_is_too_long_ends_with_a_whole_sentence() -> None:
    held = begun(model=mind(strategy={"strategy_prompt": "语言：短一些。\n【对话】\n来访者：" + "例子要小。" * 200}))
    text = kept(held).text
    assert LIMIT // 2 <= len(text) <= LIMIT
    assert "\n" not in text
    assert text.endswith("例子要小。")


@pytest.mark.parametrize(
    ("text", "length"), [("字" * 401, LIMIT), ("字" * 400, 400), ("短。" + "字" * 500, LIMIT), ("One. " * 100, 399)]
)
def test_cut(text: str, length: int) -> None:
    assert len(clipped(text)) == length


def test_nothing_in_it_is_filled_in() -> None:
    odd = "叫他{来访者名}，{%user%}，{%?a%}看{%/a%}"
    held = begun(model=mind(strategy={"strategy_prompt": odd}))
    held.say("小林")
    assert odd in shown(held, last(held, "ai_ask_open"))


def test_late_for_an_action_that_is_over() -> None:
    held = begun(model=mind(ai_ask=asked("好。", "YES")))
    held.say("小林")
    assert wanted(held) == ["it"]
    held.beside(move=lambda: held.say("睡不着"))
    assert held.at != "it"
    assert unused(held) == [OVER]
    assert held.state.strategies == {}


def test_late_for_a_situation_that_has_changed() -> None:
    held = begun(model=mind(ai_ask=asked("嗯？", progress_suggestion="blocked")))
    held.say("小林")
    held.beside(move=lambda: held.say("别问了"))
    assert unused(held) == [CHANGED]
    assert decided(held) == [(1, "prepared", "it")]
    assert kept(held).text == HOW, "the earlier one serves on"
    assert wanted(held) == []


def test_late_and_still_of_use() -> None:
    held = begun()
    held.say("小林")
    held.beside(move=lambda: held.say("睡不着"))
    assert decided(held) == [(1, "prepared", "it"), (2, "regenerated", "it")]


def test_handed_in_twice_counts_once() -> None:
    held = begun()
    held.move(Input("advised", advice=(Advice(last(held, "strategy").key, "strategy", ADVICE),)))
    assert len(decided(held)) == 1
    assert unused(held) == [TAKEN]


def test_without_a_strategy_in_it_take_says_so() -> None:
    """Whatever the inbox holds."""
    held = Talk(made(FIRST, adaptive(), LAST), mind())
    (task,) = held.turn.after
    held.move(Input("advised", advice=(Advice(task.key, "strategy", {"strategy_prompt": "  "}),)))
    held.move(Input("advised", advice=(Advice("strategy nowhere 7", "strategy", ADVICE),)))
    assert unused(held) == [NONE_IN_IT, OVER]
    assert decided(held) == []


def test_nobody_is_advised_in_danger_nor_with_a_human() -> None:
    for move in (
        lambda held: held.say(INTENT["zh"]),
        lambda held: held.move(Input("takeover", who=Who("c1", "王老师"))),
    ):
        held = begun()
        held.say("小林")
        held.beside(move=lambda held=held, move=move: move(held))
        assert decided(held) == [(1, "prepared", "it")]
        assert held.turn.after == ()


# how long it stays


def test_it_goes_with_its_action() -> None:
    held = begun(model=mind(ai_ask=asked("好。", "YES")))
    held.say("小林")
    advised(held)
    assert [each.action for each in held.state.strategies.values()] == ["it"]
    held.say("睡不着")
    assert held.state.strategies == {}


def test_an_action_that_comes_again_has_none_of_what_was_before() -> None:
    """The topic is repeated: the same action, in the same turn."""
    again = {"repeat": {"until": "年龄 > 0", "max": 3}}
    held = Talk(made(adaptive(), **again), mind(ai_ask=asked("好。", "YES")))
    advised(held)
    held.say("睡不着")
    assert held.at == "it"
    assert held.state.running.passes == 2
    assert HOW not in shown(held, last(held, "ai_ask_open"))
    assert wanted(held) == ["it"]


def test_it_waits_with_its_action_and_comes_back_with_it() -> None:
    rules = {"explicit": [{"pattern": "停一下", "reason": "说了"}]}
    calls = {"directive": "CALL_TECHNIQUE", "technique": "pause"}
    watch = {"awareness": "停", "id": "stop", "always": True, "condition": {"judge": "想停", "rules": rules}}
    pause = skill("停一停", ask("好些了吗？", "好些"), id="pause")
    held = begun(skills=[pause], awareness=[{**watch, "then": [calls]}])
    held.say("小林")
    advised(held)
    held.say("停一下")
    assert held.state.running.ref == "local/pause"
    advised(held)
    roundtrip(held)
    assert kept(held).text == HOW
    held.say("好些了")
    assert held.at == "it"
    held.say("睡不着")
    assert HOW in shown(held, last(held, "ai_ask"))


def test_few_are_kept() -> None:
    questions = [adaptive(id=f"it{n}", content=f"问{n}") for n in range(9)]
    held = Talk(made(*questions), mind(ai_ask=asked("好。", "YES")))
    for n in range(8):
        advised(held)
        assert len(held.state.strategies) <= 2
        held.say(f"第{n}个")
    assert asked_for(held) >= 8


# crash and replay


def test_the_same_input_gives_the_same_turn() -> None:
    held = begun()
    held.say("小林")
    twins = [fork(held), fork(held)]
    for twin in twins:
        twin.beside()
        twin.say("睡不着")
    assert twins[0].turn.events == twins[1].turn.events
    assert twins[0].state == twins[1].state
    assert [task.key for task in twins[0].turn.after] == [task.key for task in twins[1].turn.after]


def test_worked_out_twice_it_is_asked_for_under_the_same_key() -> None:
    held = Talk(made(FIRST, adaptive(), LAST), mind())
    first, again = (advance(held._world(), Input("resume"), {}) for _ in range(2))
    assert first == again


def test_taken_up_again_after_every_turn() -> None:
    """The process dies between any two turns: nothing but the advice under way is lost."""
    whole, torn = begun(), begun()
    for words in ("小林", "睡不着", "白天很困"):
        whole.say(words)
        advised(whole)
        roundtrip(torn)
        torn.say(words)
        roundtrip(torn)
        advised(torn)
    assert torn.state == whole.state
    assert decided(torn) == decided(whole)


def test_advice_that_died_with_its_process_is_not_missed() -> None:
    held = Talk(made(FIRST, adaptive(), LAST), mind())
    roundtrip(held)
    for words in ("小林", "睡不着"):
        held.say(words)
        assert held.said
    assert decided(held) == []
    advised(held)
    assert held.at == "it"


# costs


def test_where_no_action_is_adaptive_the_engine_answers_at_once() -> None:
    """No context is made and nothing is written: the question is asked after every turn."""
    held = Talk(made(FIRST, ai_ask("问", "甲", max_rounds=3), ai_say("讲", max_rounds=3), ask("乙？", "乙")), mind())
    work = Work.of(held._world())
    before = work.state.model_dump_json()
    assert strategy.question(work) is None
    assert work.state.model_dump_json() == before
    assert work.models.told is None


def test_halves_of_characters_are_not_kept() -> None:
    assert strategy.clipped("慢\ud83d一点") == "慢?一点"
    assert strategy._reasoning({"user_state_analysis": "累\ud83d", "key_considerations": ["\ud83d"]}) == {
        "user_state_analysis": "累?",
        "key_considerations": ["?"],
    }
