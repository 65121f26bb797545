"""The topic orchestrator: what it is asked, which of its plans are carried out, and why the others are not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import INTENT, ai_ask, ai_say, asked, get, option, sensible, tasks
from tests.engine.plotting import hand_in, plan_types, propose, want
from tests.engine.scripts import Node, ask, phase, put, say, script, skill, topic, use
from tests.engine.test_topic_plan import COMFORT, FAMILY, brief, family, held
from tests.table import tabled

from heartrule.engine.session.io import Advice, Input, Who
from heartrule.engine.supervision import orchestration, plans
from heartrule.engine.work import Work
from heartrule.language.compiling.script import Script
from heartrule.llm.parsing import parse
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk, compile_text

RISK: Node = {"get": "危险", "type": "boolean", "risk": True}
WHOLE = (
    ai_ask("聊聊近况", "近况", max_rounds=3),
    ask("几分？", get("强度", "integer")),
    say("你说是 {强度} 分。"),
    ask("有没有想过伤害自己？", RISK),
    option("选择", "是", "否"),
    put("记下", 1),
    use("呼吸"),
    ai_ask("问睡眠", "睡眠", min_rounds=2, max_rounds=3),
    say("难受就打 {%crisis_numbers%}"),
    ai_say("收尾", max_rounds=2),
)


def whole(**more: Any) -> Script:
    return script(phase("P", topic("T", *WHOLE, **more)), skills=[skill("呼吸", ai_say("吸气"))])


def talked(**more: Any) -> Talk:
    return Talk(whole(**more), brief)


# what is asked


def test_nothing_is_asked_while_nobody_wants_it() -> None:
    assert orchestration.question(Work.of(talked()._world())) is None


def test_the_question_names_what_is_ahead_and_what_may_be_done_to_it() -> None:
    task = want(talked(goal="了解近况", strategy="慢一点"))
    assert task is not None
    assert task.values["actions"].splitlines() == [
        "1. ai_ask* [modify, skip] 聊聊近况",
        "2. ask [reorder] 几分？",
        "3. say [modify, skip, reorder] 你说是 （没谈到） 分。",
        "4. ask [-] 有没有想过伤害自己？",
        "5. user_option [-]",
        "6. set_var [reorder]",
        "7. use_skill [-]",
        "8. ai_ask [modify, skip, reorder] 问睡眠",
        "9. say [-] " + task.values["actions"].splitlines()[8].partition("] ")[2],
        "10. ai_say [modify, skip, reorder] 收尾",
    ]
    assert (task.values["insert"], task.values["reason"]) == ("4", "来访者不愿说")
    assert (task.kind, task.role) == ("analyse", "understand")


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_the_prompt_is_complete(locale: str) -> None:
    talk = Talk(script(phase("P", topic("T", *FAMILY, goal="认识家人")), locale=locale), sensible)
    task = want(talk)
    assert task is not None
    prompt = render(task, talk.script)
    text = "\n".join(message.text for message in prompt.messages)
    assert "{%" not in text
    for part in ("认识家人", "来访者不愿说", "1. ai_ask* [modify, skip]", "insert|modify|skip|reorder|none"):
        assert part in text
    assert len(text) < 4_500


def test_an_answer_in_this_shape_is_read_whole() -> None:
    raw = '{"action":"modify","target":2,"modifications":{"tone":"轻","max_rounds":2},"reason":"他累了"}'
    read = parse(raw, orchestration.schema(), ("action",))
    assert read.data is not None
    assert read.data["modifications"] == {"tone": "轻", "max_rounds": 2}
    assert read.dropped == ()


def test_it_is_asked_beside_the_turn_until_it_has_been_taken() -> None:
    plan = {"action": "insert", "target": 1, "new_action": COMFORT, "reason": "先安抚"}
    talk = Talk(family(), lambda task: plan if task.template == orchestration.TEMPLATE else sensible(task))
    want(talk)
    talk.say("就那样")
    assert [task.template for task in talk.turn.after].count(orchestration.TEMPLATE) == 1
    talk.beside()
    assert plan_types(talk)[1] == "ai_say"
    assert talk.state.wanted is None
    assert orchestration.TEMPLATE not in [task.template for task in talk.turn.after]


def test_a_failed_answer_changes_nothing_and_is_asked_for_again() -> None:
    talk = Talk(family(), lambda task: None if task.template == orchestration.TEMPLATE else sensible(task))
    want(talk)
    talk.say("就那样")
    talk.beside()
    assert talk.state.wanted is not None
    assert talk.state.running is not None
    assert talk.state.running.plan is None


def test_the_same_question_has_the_same_key() -> None:
    talk = held()
    first, again = want(talk), want(talk)
    assert first is not None
    assert again is not None
    assert first.key == again.key
    talk.say("就那样")
    later = want(talk)
    assert later is not None
    assert later.key != first.key


def test_never_in_script_mode() -> None:
    talk = Talk(family(), None)
    want(talk)
    talk.say("就那样")
    assert talk.turn.after == ()


def test_never_in_a_topic_of_the_safety_project() -> None:
    talk = held()
    talk.say(INTENT["zh"])
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert want(talk) is None


def test_not_once_its_budget_is_used_up() -> None:
    talk = held()
    for _ in range(plans.PLANS):
        assert propose(talk, action="insert", new_action=COMFORT).refused == ""
    assert want(talk) is None
    assert talk.state.running is not None
    key = f"{orchestration.TEMPLATE} {talk.state.running.key} x 1.{plans.PLANS}"
    assert "more than" in hand_in(talk, key, {"action": "skip", "target": 6}).refused


def test_not_when_enough_came_to_nothing() -> None:
    talk = held()
    for _ in range(plans.PLANS):
        assert propose(talk, action="none", reason="不用改").refused == "no change proposed"
    assert want(talk) is None


# what is refused

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"action": "delete"}, "none of insert"),
    ({"action": ["insert"]}, "none of insert"),
    ({"action": "skip"}, "no action has that number"),
    ({"action": "skip", "target": 0}, "no action has that number"),
    ({"action": "skip", "target": 11}, "no action has that number"),
    ({"action": "skip", "target": True}, "no action has that number"),
    ({"action": "skip", "target": "²"}, "no action has that number"),
    ({"action": "skip", "target": 2}, "needed elsewhere: 强度"),
    ({"action": "skip", "target": 4}, "it asks about a risk"),
    ({"action": "skip", "target": 5}, "no user_option may be left out"),
    ({"action": "skip", "target": 6}, "no set_var may be left out"),
    ({"action": "skip", "target": 7}, "no use_skill may be left out"),
    ({"action": "skip", "target": 9}, "it says whom to call"),
    ({"action": "modify", "target": 2}, "nothing is said of what to change"),
    ({"action": "modify", "target": 2, "modifications": []}, "nothing is said of what to change"),
    ({"action": "modify", "target": 2, "modifications": {"output": []}}, "may not set output"),
    ({"action": "modify", "target": 3, "modifications": {"content": " "}}, "content is no text"),
    ({"action": "modify", "target": 3, "modifications": {"content": "\ud83d"}}, "content is no text"),
    ({"action": "modify", "target": 3, "modifications": {"content": "长" * 601}}, "longer than 600"),
    ({"action": "modify", "target": 3, "modifications": {"content": "长" * 81}}, "has at most 80"),
    ({"action": "modify", "target": 2, "modifications": {"content": "家里几口人？"}}, "means something else"),
    ({"action": "modify", "target": 8, "modifications": {"question": "家里几口人？"}}, "means something else"),
    ({"action": "modify", "target": 8, "modifications": {"content": "问家里几口人"}}, "means something else"),
    ({"action": "modify", "target": 3, "modifications": {"content": "你几岁？"}}, "nobody would hear"),
    ({"action": "modify", "target": 4, "modifications": {"content": "还好吗？"}}, "it asks about a risk"),
    ({"action": "modify", "target": 5, "modifications": {"content": "好"}}, "no user_option may be worded"),
    ({"action": "modify", "target": 8, "modifications": {"max_rounds": 1}}, "max_rounds is not within 2 to 5"),
    ({"action": "modify", "target": 8, "modifications": {"max_rounds": 6}}, "max_rounds is not within 2 to 5"),
    ({"action": "modify", "target": 8, "modifications": {"max_rounds": "3"}}, "max_rounds is not within"),
    ({"action": "modify", "target": 8, "modifications": {"required": True}}, "may only be taken off"),
    (
        {"action": "insert", "new_action": {"type": "ai_ask", "content": "聊聊", "question": "你得的是抑郁症。"}},
        "may not be said: diagnosis",
    ),
    ({"action": "insert"}, "nothing is said of the new action"),
    ({"action": "insert", "new_action": {"type": "ask", "content": "几岁？"}}, "no action of this type"),
    ({"action": "insert", "new_action": {"type": {}, "content": "几岁？"}}, "no action of this type"),
    ({"action": "insert", "new_action": {"type": "say"}}, "has no content"),
    ({"action": "insert", "new_action": {"type": "say", "content": "你几岁？"}}, "nobody would hear"),
    ({"action": "insert", "new_action": {**COMFORT, "output": [{"get": "新"}]}}, "finds nothing out"),
    ({"action": "insert", "new_action": {**COMFORT, "condition": "1 == 1"}}, "may not set condition"),
    ({"action": "insert", "new_action": {**COMFORT, "max_rounds": 4}}, "max_rounds is not within 1 to 3"),
    ({"action": "insert", "new_action": {**COMFORT, "require_acknowledgment": "no"}}, "yes or no"),
    ({"action": "insert", "new_action": {**COMFORT, "content": "你得的是抑郁症。"}}, "may not be said: diagnosis"),
    ({"action": "insert", "target": 99, "new_action": COMFORT}, "no action has that number"),
    ({"action": "reorder"}, "no order is given"),
    ({"action": "reorder", "order": ["2", "3"]}, "no order is given"),
    ({"action": "reorder", "order": [3, 2]}, "does not name each action"),
    ({"action": "reorder", "order": [2, 3, 4, 5, 6, 7, 8, 9, 10]}, "that is the order already"),
    ({"action": "reorder", "order": [3, 2, 4, 5, 6, 7, 8, 9, 10]}, "T#3 rests on T#2"),
    ({"action": "reorder", "order": [2, 4, 3, 5, 6, 7, 8, 9, 10]}, "nothing may change places with the ask T#4"),
    ({"action": "reorder", "order": [2, 3, 4, 5, 7, 6, 8, 9, 10]}, "nothing may change places with the use_skill"),
]


@tabled(("plan", "cause"), REFUSED)
def test_what_may_not_be_is_refused_with_its_cause(plan: dict[str, Any], cause: str) -> None:
    talk = talked()
    event = propose(talk, **plan)
    assert cause in event.refused
    assert event.before == event.after == event.written
    assert talk.state.running is not None
    assert (talk.state.running.plan, talk.state.running.plan_changes, talk.state.running.declined) == (None, 0, 1)
    assert talk.said == []
    talk.say("还行")
    assert talk.at == "T#2", "the topic goes on as written"


def test_what_has_been_gone_through_stays() -> None:
    talk = talked()
    talk.say("还行")
    assert talk.at == "T#2"
    assert (
        propose(talk, action="modify", target=1, modifications={"content": "好"}).refused == "it has been gone through"
    )
    late = propose(talk, action="insert", target=1, new_action=COMFORT)
    assert late.refused == "what comes after that place has begun"
    assert propose(talk, action="insert", new_action=COMFORT).refused == ""
    assert plan_types(talk)[1:3] == ["ask", "ai_say"]


def test_a_change_for_another_plan_is_stale() -> None:
    talk = held()
    task = want(talk)
    assert task is not None
    propose(talk, action="skip", target=5)
    want(talk)
    assert hand_in(talk, task.key, {"action": "skip", "target": 4}).refused == "the plan has changed since"


def test_a_plan_for_a_topic_that_has_ended_is_recorded_and_no_more() -> None:
    talk = Talk(script(phase("P", topic("一", ai_ask("甲")), topic("二", ai_ask("乙")))), brief)
    task = want(talk)
    assert task is not None
    talk.say("好")
    assert talk.state.running is not None
    assert talk.state.running.ref == "二"
    event = hand_in(talk, task.key, {"action": "insert", "new_action": COMFORT})
    assert event.refused == "the topic has ended"
    assert plan_types(talk) == ["ai_ask"]


def test_a_plan_that_comes_while_the_person_is_in_danger_is_not_taken() -> None:
    talk = held()
    task = want(talk)
    assert task is not None
    talk.say(INTENT["zh"])
    talk.move(Input("advised", advice=(Advice(task.key, task.template, {"action": "insert", "new_action": COMFORT}),)))
    assert not talk.happened("plan")
    assert talk.happened("advice_unused")


def test_a_plan_that_comes_while_a_human_speaks_is_not_taken() -> None:
    talk = held()
    task = want(talk)
    assert task is not None
    talk.move(Input("takeover", who=Who("c1", "林老师")))
    talk.move(Input("advised", advice=(Advice(task.key, task.template, {"action": "skip", "target": 4}),)))
    assert not talk.happened("plan")


def test_a_session_has_a_budget_of_its_own() -> None:
    topics = [topic(f"T{n}", ai_ask("聊聊"), say("好。")) for n in range(6)]
    talk, done = Talk(script(phase("P", *topics)), brief), 0
    while not talk.ended:
        while done < plans.IN_SESSION and talk.state.running is not None and want(talk) is not None:
            if propose(talk, action="insert", target=2, new_action={"type": "say", "content": "慢慢来。"}).refused:
                break
            done += 1
        if done == plans.IN_SESSION:
            break
        talk.say("好")
    assert done == plans.IN_SESSION
    talk.state.running.plan_changes = 0  # type: ignore[union-attr]
    event = propose(talk, action="insert", new_action=COMFORT)
    assert "in one session" in event.refused


def test_what_is_proposed_is_not_the_topics_own_word() -> None:
    """Four actions that may be put in are what the topic has room for, whatever the plans."""
    talk = held()
    assert talk.state.running is not None
    for _ in range(plans.INSERTED):
        talk.state.running.plan_changes = 0
        assert propose(talk, action="insert", new_action=COMFORT).refused == ""
    talk.state.running.plan_changes = 0
    assert "put into one topic" in propose(talk, action="insert", new_action=COMFORT).refused


def test_a_plan_makes_no_call_and_says_nothing() -> None:
    talk = held()
    before = len(talk.asked)
    propose(talk, action="insert", new_action=COMFORT)
    assert (len(talk.asked), talk.said) == (before, [])
    assert talk.state.heard == 0


def test_a_reason_is_kept_short_and_can_be_written_down() -> None:
    event = propose(held(), action="none", reason="累 \ud83d\n" + "很" * 500)
    assert event.cause.encode()
    assert len(event.cause) <= orchestration.LONGEST
    assert "\n" not in event.cause


def test_an_action_that_returns_its_values_to_a_caller_is_needed() -> None:
    inner = skill("探索", ai_ask("聊聊"), ask("几分？", "分数"), returns=["分数"])
    talk = Talk(
        script(phase("P", topic("T", use("探索", output=[{"get": "分数", "set": "我的"}]))), skills=[inner]), brief
    )
    assert propose(talk, action="skip", target=2).refused == "what it finds out is needed elsewhere: 分数"


def test_what_is_kept_beyond_the_session_is_needed() -> None:
    own = script(phase("P", topic("T", ai_ask("聊聊"), ask("多大？", {"get": "用户基础年龄"}))))
    assert "needed elsewhere" in propose(Talk(own, brief), action="skip", target=2).refused


def test_a_field_of_something_else_is_not_what_is_needed() -> None:
    own = script(
        phase(
            "P",
            topic(
                "T",
                ai_ask("聊聊{成员.称呼}"),
                ask("做什么？", "成员.职业"),
                for_each={"in": "家人", "as": "成员", "key": "称呼"},
            ),
            declare=[{"var": "家人", "type": "list", "value": [{"称呼": "父亲"}]}],
        )
    )
    talk = Talk(own, brief)
    assert propose(talk, action="skip", target=2).refused == ""


def test_a_monitor_asks_for_it_and_the_next_action_is_the_one_put_in() -> None:
    """Scenario 4 of seed 004, from the round that went badly to the words that comfort."""
    advice = {
        "intervention_needed": True,
        "intervention_reason": "持续抗拒",
        "intervention_level": "topic_orchestration",
        "strategy_suggestion": "comfort",
        "orchestration_needed": True,
    }
    plan = {"action": "insert", "target_position": "after_current", "new_action": COMFORT, "reason": "需要先安抚"}
    answers: dict[str, Any] = {"ai_ask_monitor": advice, orchestration.TEMPLATE: plan}
    refusing = asked("没关系。你愿意说多少都行？", metrics={"user_engagement": "回避", "emotional_intensity": "高"})

    def mind(task: Any) -> Any:
        return answers.get(task.template) or (refusing if task.template == "ai_ask" else sensible(task))

    talk = Talk(family(), mind)
    talk.say("说这个没意思")
    talk.beside()
    assert talk.state.wanted is not None
    talk.beside()
    assert plan_types(talk)[:2] == ["ai_ask", "ai_say"]
    for _ in range(2):
        talk.say("说这个没意思")
    assert talk.at == "家里+1"
    assert any(COMFORT["content"] in task.values.values() for task in tasks(talk, "ai_say_open"))


def test_a_scheme_may_ask_in_its_own_words() -> None:
    own = compile_text(
        "sessions:\n  - session: a\n    template_scheme: cbt\n    phases:\n      - phase: b\n        steps:\n"
        "          - topic: c\n            actions: [{type: ai_ask, content: 聊聊}]\n",
        files={"prompts/cbt/topic_orchestrator.zh-CN.md": "自己的话：{%actions%}"},
    )
    talk = Talk(own, sensible)
    task = want(talk)
    assert task is not None
    assert render(task, own).messages[-1].text.startswith("自己的话：1. ai_ask*")
