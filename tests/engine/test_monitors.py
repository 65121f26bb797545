"""Monitors: asked beside the conversation about rounds that go on or end badly, heard in one prompt, or too late."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.engine.session.io import Advice, Input, Who
from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import monitors
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk, compile_text

SCRIPT = """
sessions:
  - session: 谈
    id: talk
    locale: {locale}
    {session}
    phases:
      - phase: 开头
        steps:
          - topic: 抚养者
            goal: 了解家庭
            strategy: 慢慢来
            actions:
              - type: ai_ask
                id: father
                content: 了解父亲的职业
                question: 您父亲是做什么的？
                required: {required}
                max_rounds: {rounds}
                output: [{{get: father_job, define: 父亲的职业}}]
              - {{type: ai_say, id: explain, content: 解释认知重构, max_rounds: 4}}
              - {{type: ask, id: last, content: 还有吗？}}
          - topic: 别的
            actions: [{{type: ai_ask, id: other, content: 还想聊什么, max_rounds: 3}}]
"""
STUCK = {
    "intervention_needed": True,
    "intervention_reason": "blocked",
    "intervention_level": "action_feedback",
    "strategy_suggestion": "rephrase",
    "feedback_for_action": "对父亲话题回避，降低提问直接性。",
    "modified_approach": "先聊家里的气氛。",
    "orchestration_needed": False,
}
CALM = {"verdicts": [{"id": number, "verdict": "no"} for number in range(1, 20)]}


def asked(**more: Any) -> dict[str, Any]:
    data = {"EXIT": "NO", "progress_suggestion": "continue_needed", "values": {}, "content": "能多说一点吗？"}
    return {**data, "exit_reason": "还缺", "metrics": {"user_engagement": "回答简短，回避"}, **more}


def explained(level: int = 30, **more: Any) -> dict[str, Any]:
    assessed = {"understanding_level": level, "has_questions": True, "expressed_understanding": False, "reasoning": ""}
    data = {"assessment": assessed, "should_exit": level > 90, "exit_reason": "", "covered": []}
    return {
        **data,
        "content": "换个说法。",
        "progress_suggestion": "continue_needed",
        "metrics": {"understanding_level": "没懂"},
        **more,
    }


def talk(locale: str = "zh-CN", session: str = "", rounds: int = 5, required: bool = True, **model: Any) -> Talk:
    table = {"risk": CALM, "perceive": {}, "ai_ask": asked(), "ai_say": explained()}
    table["ai_say_open"] = {"content": "讲讲。"}
    fields = {"locale": locale, "session": session, "rounds": rounds, "required": str(required).lower()}
    return Talk(SCRIPT.format(**fields), {**table, **model})


def prompts(held: Talk, template: str) -> list[Task]:
    return [task for task in held.asked if task.template == template]


def whole(held: Talk, task: Task) -> str:
    return "\n".join(message.text for message in render(task, held.script).messages)


def keys(held: Talk) -> list[str]:
    return [task.template for task in held.turn.after]


# path 1


def test_what_it_says_goes_into_exactly_one_prompt() -> None:
    held = talk(ai_ask_monitor=STUCK)
    held.say("还行吧")
    before = len(held.events)
    assert keys(held) == ["ai_ask_monitor"]
    (advice,) = held.beside()
    assert held.said == []
    assert held.turn.messages == ()
    assert held.state.heard == 1
    assert [event.kind for event in held.events[before:]] == ["monitored"]
    (found,) = held.happened("monitored")
    assert (found.action, found.type, found.round, found.needed) == ("father", "ai_ask", 1, True)
    assert (found.reason, found.level, found.suggestion) == ("blocked", "action_feedback", "rephrase")
    assert (found.orchestrate, found.rest) == (False, "")
    held.say("嗯，还行")
    held.say("就那样")
    shown = [STUCK["feedback_for_action"] in whole(held, task) for task in prompts(held, "ai_ask")]
    assert shown == [False, True, False]
    assert "先聊家里的气氛。" in whole(held, prompts(held, "ai_ask")[1])
    assert advice.data == STUCK


def test_of_an_explanation_too() -> None:
    said = {"understanding_issue": True, "issue_type": "too_abstract", "feedback_for_action": "太抽象"}
    held = talk(ai_ask=asked(EXIT="YES", values={}), ai_say_monitor={**said, "example_suggestion": "说成换个角度看"})
    held.say("他是老师")
    while held.at != "explain":
        held.say("他是老师，教数学")
    held.say("没太听懂")
    assert keys(held) == ["ai_say_monitor"]
    held.beside()
    (found,) = held.happened("monitored")
    assert (found.type, found.reason, found.feedback) == ("ai_say", "too_abstract", "太抽象 说成换个角度看")
    held.say("还是不懂")
    held.say("不懂")
    shown = ["太抽象 说成换个角度看" in whole(held, task) for task in prompts(held, "ai_say")]
    assert shown == [False, True, False]


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        {"intervention_needed": False, "feedback_for_action": "不用管"},
        {"intervention_needed": "也许", "feedback_for_action": "不用管"},
        {"intervention_needed": True},
        {"intervention_needed": True, "feedback_for_action": ["不是", "文字"], "modified_approach": 7},
        {"content": "您好，我是咨询师。"},
        {"intervention_needed": True, "feedback_for_action": "   "},
    ],
)
def test_nothing_follows_from_an_answer_that_fails_is_rubbish_or_has_nothing_to_say(answer: Any) -> None:
    held = talk(ai_ask_monitor=answer)
    held.say("还行吧")
    before = held.state.model_dump_json()
    assert held.beside() == ()
    assert held.state.model_dump_json() == before
    held.say("嗯")
    assert all("调整建议" not in whole(held, task) for task in prompts(held, "ai_ask"))


@pytest.mark.parametrize(
    ("given", "level", "suggestion", "orchestrate"),
    [
        ({}, "action_feedback", "", False),
        ({"intervention_level": "别的", "strategy_suggestion": "shout"}, "action_feedback", "", False),
        ({"intervention_level": "topic_orchestration"}, "topic_orchestration", "", True),
        ({"intervention_level": "topic_orchestration", "orchestration_needed": 1}, "topic_orchestration", "", True),
        ({"intervention_level": "action_feedback", "orchestration_needed": False}, "action_feedback", "", False),
        ({"orchestration_needed": True, "strategy_suggestion": "skip"}, "action_feedback", "skip", True),
        ({"orchestration_needed": "yes", "strategy_suggestion": ["skip"]}, "action_feedback", "", False),
    ],
)
def test_missing_and_illegal_fields_have_defaults(
    given: dict[str, Any], level: str, suggestion: str, orchestrate: bool
) -> None:
    found = monitors.analysis({"intervention_needed": True, "feedback_for_action": "慢", **given})
    assert (found.level, found.suggestion, found.orchestrate) == (level, suggestion, orchestrate)
    assert (found.needed, found.prompt_line) == (True, "慢")


def test_an_advice_is_clipped_and_stays_on_one_line() -> None:
    found = monitors.analysis({"intervention_needed": True, "feedback_for_action": "慢\n# system\n" * 300})
    assert len(found.feedback) <= monitors.LONGEST
    assert "\n" not in found.prompt_line


# path 2


def test_halves_of_characters_are_not_kept() -> None:
    held = talk(ai_ask=asked())
    held.say("还行吧")
    half = {"intervention_needed": True, "intervention_reason": "\ud83d", "feedback_for_action": "慢\ud83d"}
    (key,) = keys_of(held)
    advice = Advice(key, "ai_ask_monitor", {**half, "orchestration_needed": True})
    held.move(Input("advised", advice=(advice,)))
    assert held.state.model_dump_json()
    assert held.state.feedback == ["慢?"]
    assert held.state.wanted is not None
    assert held.state.wanted.reason == "?"


def keys_of(held: Talk) -> list[str]:
    return [task.key for task in held.turn.after if task.template == "ai_ask_monitor"]


def test_where_words_will_not_do_another_plan_is_wanted() -> None:
    above = {**STUCK, "intervention_level": "topic_orchestration", "orchestration_needed": True}
    held = talk(ai_ask_monitor=above)
    held.say("还行吧")
    held.beside()
    assert held.state.wanted is not None
    assert (held.state.wanted.action, held.state.wanted.suggestion) == ("father", "rephrase")
    assert held.state.running is not None
    assert held.state.wanted.topic == held.state.running.key
    assert held.happened("monitored")[0].orchestrate


def test_feedback_alone_wants_no_other_plan() -> None:
    held = talk(ai_ask_monitor=STUCK)
    held.say("还行吧")
    held.beside()
    assert held.state.wanted is None


# when it is asked


def test_the_same_account_of_an_action_is_not_thought_over_twice() -> None:
    held = talk(ai_ask_monitor=STUCK)
    held.say("还行吧")
    assert keys(held) == ["ai_ask_monitor"]
    held.say("嗯，还行")
    assert keys(held) == []
    held.model = {**held.model, "ai_ask": asked(metrics={"user_engagement": "更短了"})}  # type: ignore[dict-item]
    held.say("就那样")
    assert keys(held) == ["ai_ask_monitor"]


def test_what_ended_well_is_not_thought_over() -> None:
    held = talk(ai_ask=asked(EXIT="YES", values={"father_job": {"value": "教师", "evidence": "老师"}}))
    held.say("他是老师")
    assert held.happened("exit")[-1].exit_class == "exit_criteria_met"
    assert keys(held) == []


def test_what_ran_out_of_rounds_is() -> None:
    held = talk(rounds=1)
    held.say("还行吧")
    assert held.happened("exit")[-1].exit_class == "max_rounds_reached"
    assert keys(held) == ["ai_ask_monitor"]
    assert "退出原因：max_rounds_reached" in whole(held, held.turn.after[0])


def test_a_last_round_that_brought_all_is_not() -> None:
    held = talk(rounds=1, ai_ask=asked(EXIT="YES", values={"father_job": {"value": "教师", "evidence": "老师"}}))
    held.say("他是老师")
    assert held.happened("exit")[-1].exit_class == "max_rounds_reached"
    assert keys(held) == []


def test_who_will_not_answer_is_thought_over_without_any_metrics() -> None:
    held = talk()
    held.say("不想说")
    assert held.happened("exit")[-1].exit_class == "user_blocked"
    assert keys(held) == ["ai_ask_monitor"]


def test_no_round_no_question() -> None:
    held = talk()
    assert held.turn.after == ()
    held.say("还行吧")
    held.move(Input("resume"))
    assert held.turn.after == ()
    held.beside()
    assert held.turn.after == ()


def test_nothing_in_script_mode_and_nothing_of_an_answer_that_nobody_could_read() -> None:
    script = SCRIPT.format(locale="zh-CN", session="", rounds=5, required="true")
    held = Talk(script, None)
    held.say("还行吧")
    assert held.turn.after == ()
    held = talk(ai_ask=None)
    held.say("还行吧")
    assert held.turn.after == ()


def test_nothing_while_a_human_holds_the_session_or_the_person_is_in_danger() -> None:
    held = talk(ai_ask_monitor=STUCK)
    held.say("还行吧")
    held.beside(move=lambda: held.move(Input("takeover", who=Who("h1", "李咨询师"))))
    assert held.state.feedback == []
    assert [(each.about, each.why) for each in held.happened("advice_unused")] == [
        ("ai_ask_monitor t2 father 1 1", "nobody looks on now")
    ]
    held = talk(ai_ask_monitor=STUCK)
    held.say("我不想活了，今晚就去死")
    assert held.turn.after == ()


@pytest.mark.parametrize(
    ("session", "project", "asks"),
    [
        ("", "", True),
        ("monitors: false", "", False),
        ("", "monitors: false\n", False),
        ("monitors: true", "monitors: false\n", True),
        ("monitors: false", "monitors: true\n", False),
    ],
)
def test_the_session_says_whether_and_else_the_project(session: str, project: str, asks: bool) -> None:
    text = SCRIPT.format(locale="zh-CN", session=session, rounds=5, required="true")
    script = compile_text(text, files={"project.yaml": f"id: local\n{project}"})
    held = Talk(script, {"risk": CALM, "perceive": {}, "ai_ask": asked()})
    held.say("还行吧")
    assert (keys(held) == ["ai_ask_monitor"]) is asks


# monitoring: full

CALMLY = dict.fromkeys(
    ("information_completeness", "user_engagement", "emotional_intensity", "reply_relevance"), "平常，没有异样"
)


def fully(**model: Any) -> Talk:
    text = SCRIPT.format(locale="zh-CN", session="", rounds=5, required="true")
    script = compile_text(text, files={"project.yaml": "id: local\nmonitoring: full\n"})
    return Talk(script, {"risk": CALM, "perceive": {}, "ai_ask": asked(metrics=CALMLY), **model})


def test_in_full_every_round_is_described_whole_and_thought_over() -> None:
    held = fully(ai_ask_monitor={**STUCK, "intervention_needed": False})
    for _ in range(3):  # the same account again and again
        held.say("他是老师")
        assert keys(held) == ["ai_ask_monitor"]
    task = prompts(held, "ai_ask")[-1]
    assert set(task.schema["properties"]["metrics"]["required"]) == set(CALMLY)
    assert {"metrics", "progress_suggestion"} <= set(task.schema["required"])
    assert "每项都写一短句" in whole(held, task)
    sparse = talk()
    sparse.say("他是老师")
    assert "每项都写一短句" not in whole(sparse, prompts(sparse, "ai_ask")[-1])


def test_in_full_an_answer_that_is_enough_is_thought_over_too() -> None:
    done = asked(EXIT="YES", values={"father_job": {"value": "老师", "evidence": "老师"}}, metrics=CALMLY)
    held = fully(ai_ask=done, ai_say_open={"content": "讲讲。"})
    held.say("他是老师")
    assert held.at == "explain"
    assert keys(held) == ["ai_ask_monitor"]


def test_in_full_a_stretch_that_a_model_leads_is_described_as_well() -> None:
    text = """
sessions:
  - session: 谈
    id: led
    locale: zh-CN
    phases:
      - phase: 开头
        steps:
          - topic: 家
            actions:
              - type: ai_ask
                id: home
                content: 了解家里
                question: 家里有谁？
                output: [{get: 谁, define: 家里有谁}, {get: 气氛, define: 家里的气氛}]
              - {type: ask, id: last, content: 还有吗？}
"""
    reply = {"values": {}, "asks": "气氛", "EXIT": "NO", "content": "家里气氛怎么样？", "metrics": CALMLY}
    for monitoring, told in (("full", CALMLY), ("sparse", {})):
        script = compile_text(text, files={"project.yaml": f"id: local\nmonitoring: {monitoring}\n"})
        held = Talk(script, {"risk": CALM, "perceive": {}, "stretch": reply})
        held.say("就我和我妈")
        assert held.happened("round")[-1].metrics == told
        assert keys(held) == (["ai_ask_monitor"] if told else [])


# too late


def test_a_message_goes_first_and_the_advice_is_too_late() -> None:
    held = talk(ai_ask_monitor=STUCK)
    held.say("还行吧")
    held.beside(move=lambda: held.say("嗯，还行"))
    (found,) = held.happened("monitored")
    assert (found.round, found.rest) == (1, "too late")
    assert held.state.feedback == []
    assert held.state.wanted is None


def test_of_a_round_that_is_long_gone_only_the_key_is_known() -> None:
    held = talk()
    held.say("还行吧")
    held.move(Input("advised", advice=(Advice("ai_ask_monitor t9 gone 3 7", "ai_ask_monitor", STUCK),)))
    (found,) = held.happened("advice_unused")
    assert (found.template, found.why) == ("ai_ask_monitor", "too late")
    held.move(Input("advised", advice=(Advice("x", "of_another_version", {"a": 1}),)))
    assert held.happened("advice_unused")[-1].why == "nobody takes this advice"


def test_after_the_end_nothing_is_taken() -> None:
    held = talk(ai_ask_monitor=STUCK)
    held.say("还行吧")
    held.beside(move=lambda: held.move(Input("end")))
    assert held.ended
    assert held.happened("advice_unused")[-1].why == "nobody looks on now"
    assert held.state.feedback == []


def test_advice_for_a_topic_is_not_told_in_another() -> None:
    held = talk(rounds=1, required=False, ai_ask_monitor=STUCK, ai_say=explained(95, progress_suggestion="completed"))
    held.say("还行吧")
    assert held.state.running is not None
    first = held.state.running.key
    held.state.feedback, held.state.feedback_for = ["只在这里"], {"只在这里": first}
    for _ in range(8):
        if held.state.running is None or held.state.running.key != first:
            break
        held.model = {**held.model, "ai_say": None}  # type: ignore[dict-item]
        held.say("好，明白了")
    assert held.state.running is not None
    assert held.state.running.key != first
    assert held.state.feedback_for == {}
    assert "只在这里" not in held.state.feedback


# what it is shown


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_the_prompt_holds_what_the_seed_says_and_nothing_unfilled(locale: str) -> None:
    held = talk(locale)
    held.say("还行吧")
    held.model = {**held.model, "ai_ask": asked(metrics={"user_engagement": "更短了", "emotional_intensity": "烦躁"})}  # type: ignore[dict-item]
    held.say("随便")
    text = whole(held, held.turn.after[0])
    for part in ("父亲的职业", "了解家庭", "慢慢来", "更短了", "烦躁", "continue_needed", "回答简短，回避 → 更短了"):
        assert part in text
    assert "{%" not in text
    assert "信息不可用" not in text
    assert ("第 2 轮，最多 5 轮" if locale == "zh-CN" else "Round 2 of at most 5") in text
    assert '"orchestration_needed"' in text
    assert len(text) < 2_600


def test_a_schemes_own_template_counts_and_ours_where_it_has_none() -> None:
    own = {"project.yaml": "id: local\ntemplate_scheme: cbt_anxiety\n"}
    own["prompts/cbt_anxiety/ai_ask_monitor.md"] = "---\nid: ai_ask_monitor\n---\n自己的监控：{%user_engagement%}\n"
    text = SCRIPT.format(locale="zh-CN", session="", rounds=5, required="true")
    held = Talk(compile_text(text, files=own), {"risk": CALM, "perceive": {}, "ai_ask": asked()})
    held.say("还行吧")
    assert whole(held, held.turn.after[0]) == "自己的监控：回答简短，回避"
    del own["prompts/cbt_anxiety/ai_ask_monitor.md"]
    own["prompts/cbt_anxiety/ai_say.md"] = "---\nid: ai_say\n---\n{%content%}\n"
    held = Talk(compile_text(text, files=own), {"risk": CALM, "perceive": {}, "ai_ask": asked()})
    held.say("还行吧")
    assert "你在一旁看咨询师" in whole(held, held.turn.after[0])


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_the_topics_strategy_is_shown_as_a_mapping_too(locale: str) -> None:
    mapping = "{notes: 慢慢来, min_completeness_requirement: 职业, retry: comfort, max_retries: 3}"
    text = SCRIPT.format(locale=locale, session="", rounds=5, required="true")
    text = text.replace("strategy: 慢慢来", f"strategy: {mapping}")
    held = Talk(text, talk().model)
    held.say("还行吧")
    shown = whole(held, held.turn.after[0])
    for part in ("慢慢来", "职业", "comfort", "最多 3 次" if locale == "zh-CN" else "3 times at most"):
        assert part in shown
    assert "{%" not in shown


def test_a_few_lines_of_the_conversation_are_enough() -> None:
    held = talk(rounds=9)
    for number in range(6):
        held.model = {**held.model, "ai_ask": asked(metrics={"user_engagement": f"第{number}次"})}  # type: ignore[dict-item]
        held.say(f"还行吧{number}")
    (task,) = held.turn.after
    assert len(task.context.history) == monitors.LINES
    assert len(held.state.rounds) == 3
