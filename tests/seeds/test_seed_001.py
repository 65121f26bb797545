"""Seed 001, section 6, by its lines.

What the seed names after its first program is named here as it is today: ``variableStore`` is ``Variables``,
``evaluateExitCondition`` is ``exit_policy.decide``, ``executionState.metadata`` is the history of events, and
``LLMDebugInfo`` the debug view of a turn. Two lines hold otherwise than written. The strategy engine is not called *in*
the first round, where a person would wait for it, but a turn ahead of it, and the first prompt has what came of it.
Whether a strategy makes a conversation better is for people to judge; that is made possible, and tested as far as that.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from tests.engine.adapting import ADVICE, FIRST, HOW, LAST, adaptive, advised, begun, last, made, mind, shown, wanted
from tests.engine.minds import ai_ask, ai_say, asked, explained, get
from tests.engine.scripts import ask, cells, only, operations, phase, put, say, script, topic
from tests.sessions.material import Place, run, script_file, seen
from tests.sessions.material import say as said
from tests.sessions.test_strategies import SCRIPT, model

from heartrule.engine.dialogue.exit_policy import ORDER, Signals, decide
from heartrule.engine.scheduling import next_action
from heartrule.engine.scheduling.next_action import next_adaptive
from heartrule.engine.session.variables import SESSION, Value, Variables
from heartrule.engine.supervision import situation, strategy
from heartrule.engine.work import Work
from heartrule.prompts.library import LOCALES, find
from heartrule.sessions import Outcome, Sessions
from heartrule.sessions.turn_record import ExplainedTurn
from heartrule.testing.talk import Talk


@pytest.fixture
def place(tmp_path: Any) -> Place:
    made = Place(tmp_path)
    made.script = str(script_file(tmp_path, SCRIPT))
    return made


async def held(place: Place, sessions: Sessions, *texts: str) -> tuple[str, Outcome]:
    session, outcome = await place.begun(sessions)
    for number, text in enumerate(texts):
        await sessions.settled()
        outcome = await sessions.take(session, said(f"k{number}", text, seen(outcome)))
    await sessions.settled()
    return session, outcome


async def view(sessions: Sessions, session: str, turn: int) -> ExplainedTurn:
    found = await sessions.debugged(session, turn)
    assert found is not None
    return found


# 6.1 高级变量管理机制


def test_6_1_variable_store_is_strongly_typed() -> None:
    """variableStore 结构固定为强类型，无 any 使用"""
    assert [field.name for field in dataclasses.fields(Value)] == [
        "value",
        "type",
        "updated_at",
        "source",
        "scope",
        "strategy",
        "evidence",
    ]
    held = Talk(only(ask("几分？", get("分", "integer")), LAST))
    held.say("8")
    (value,) = [cell["分"] for cell in held.variables.cells.values() if "分" in cell]
    assert (value.value, value.type, value.scope, value.source) == (8, "number", "topic", "T#1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.value = 9  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Variables().other = {}  # type: ignore[attr-defined]


def test_6_1_outputs_are_registered_in_the_topic_scope() -> None:
    """ai_ask 输出变量自动注册到 topic 作用域"""
    found = asked("嗯？", values={"没声明的": {"value": "加班", "evidence": "加班"}})
    held = Talk(only(ai_ask("问", "没声明的", "别的", max_rounds=5)), mind(stretch=found))
    held.say("最近总加班")
    assert cells(held, "topic")["没声明的"] == "加班"
    assert "没声明的" not in cells(held, "session")


def test_6_1_an_output_that_is_declared_is_written_where_it_was_declared() -> None:
    """（2.2.2 场景2）ai_ask 引用已声明的 session 级别变量，正确写入 session"""
    found = asked("嗯？", values={"来访者名": {"value": "小林", "evidence": "小林"}})
    held = Talk(made(ai_ask("问", "来访者名", "别的", max_rounds=5)), mind(stretch=found))
    held.say("叫我小林")
    assert cells(held, "session")["来访者名"] == "小林"


def test_6_1_scopes_are_cleaned_when_phase_and_topic_change() -> None:
    """作用域生命周期管理正确（phase/topic 切换时清理）"""
    one = topic(
        "甲", put("话题量", 1), put("阶段量", 2, scope="phase"), put("会谈量", 3, scope="session"), ask("一？", "a")
    )
    held = Talk(script(phase("A", one, topic("乙", ask("二？", "b"))), phase("B", topic("丙", ask("三？", "c")))))
    held.say("一")
    assert "话题量" not in cells(held, "topic")
    assert cells(held, "phase")["阶段量"] == 2
    held.say("二")
    assert "阶段量" not in cells(held, "phase")
    assert cells(held, "session")["会谈量"] == 3
    cleaned = [(event.scope, name) for event in held.happened("scope_cleaned") for name in event.variables]
    assert {("topic", "话题量"), ("phase", "阶段量")} <= set(cleaned)
    snapshots = [event.variables for event in held.happened("scope_snapshot")]
    assert any(each.get("话题量") == 1 for each in snapshots), "as they were when they were cleaned"


def test_6_1_operations_are_recorded() -> None:
    """变量操作记录到 metadata.variableOperations"""
    held = Talk(only(put("a", 1), put("a", 2), ask("一？", "b")))
    assert [(each.operation, each.old, each.value, each.source) for each in operations(held, "a")] == [
        ("extract", None, 1, "T#1"),
        ("update", 1, 2, "T#2"),
    ]
    assert all(each.at == held.now and each.scope == "topic" for each in operations(held, "a"))


def test_6_1_values_without_a_scope_come_into_the_session() -> None:
    """通过所有现有变量测试（提取：tests/engine/test_variables.py；迁移：扁平的 variables 归入 session）"""
    held = Talk(made(FIRST), values={"来访者名": "小林"})
    found = held.variables.find("来访者名", [SESSION])
    assert found is not None
    assert (found[1].value, found[1].strategy) == ("小林", "set")


CBT = [
    ("抑郁评分", get("抑郁评分", "integer", range=[0, 10]), {"value": 7, "evidence": "七分吧"}, "大概七分吧", 7),
    (
        "情绪记录",
        get("情绪", "list"),
        {"value": ["委屈", "生气"], "evidence": "又委屈又生气"},
        "又委屈又生气",
        ["委屈", "生气"],
    ),
    (
        "关系评估",
        get("关系", "enum", options=["亲近", "一般", "疏远"]),
        {"value": "疏远", "evidence": "很疏远"},
        "跟我妈很疏远",
        "疏远",
    ),
]


@pytest.mark.parametrize(("what", "output", "told", "words", "value"), CBT, ids=[each[0] for each in CBT])
def test_6_1_cbt_end_to_end(what: str, output: Any, told: Any, words: str, value: Any) -> None:
    """新增 E2E 测试覆盖 CBT 场景（抑郁评分、情绪记录、关系评估）"""
    answer = asked("嗯，我记下了。", "YES", values={output["get"]: told})
    held = Talk(only(ai_ask(f"了解{what}", output), ask("还有吗？", "余下")), mind(ai_ask=answer))
    held.say(words)
    assert held.value(output["get"]) == value
    (written,) = operations(held, output["get"])
    assert (written.strategy, written.scope, written.evidence) == ("json", "topic", told["evidence"])
    held.say("没有了")
    assert held.ended


def test_6_1_bubbles_show_name_value_scope_and_source(place: Place) -> None:
    """前端变量气泡正确显示变量名/值/作用域/来源（页面本身：tests/browser/test_debug.py）"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, _ = await held(place, sessions, "小林")
            (bubble,) = [each for each in (await view(sessions, session, 3)).variables if each.name == "名字"]
            assert (bubble.value, bubble.scope, bubble.source) == ("小林", "session", "name")
            assert [(each.operation, each.value) for each in bubble.history] == [("extract", "小林")]

    run(work())


# 6.2 多轮对话智能终止判断

BRANCHES = [
    (5, {}, (), "max_rounds", True),
    (5, {"exit_flag": "EXIT"}, ("缺少 a",), "max_rounds", True),
    (2, {"exit_flag": "EXIT", "exit_criteria": "x", "llm_suggestion": "y"}, (), "exit_flag", True),
    (2, {"exit_criteria": "x", "llm_suggestion": "y"}, (), "exit_criteria", True),
    (2, {"llm_suggestion": "y"}, (), "llm_suggestion", True),
    (2, {"exit_flag": "EXIT", "llm_suggestion": "y"}, ("缺少 a",), "none", False),
    (2, {}, (), "none", False),
]


@pytest.mark.parametrize(("number", "holding", "vetoes", "source", "leaves"), BRANCHES)
def test_6_2_four_levels(number: int, holding: Any, vetoes: Any, source: str, leaves: bool) -> None:
    """BaseAction.evaluateExitCondition 实现四级终止判定；单元测试覆盖 evaluateExitCondition 各分支逻辑"""
    decision = decide(Signals(round=number, max_rounds=5, holding=holding, vetoes=vetoes))
    assert (decision.source, decision.should_exit) == (source, leaves)
    assert ORDER == ("max_rounds", "exit_flag", "exit_criteria", "llm_suggestion")


@pytest.mark.parametrize(
    ("criteria", "level", "questions", "leaves"),
    [
        ({"understanding_threshold": 90}, 85, False, False),
        ({"understanding_threshold": 90}, 92, False, True),
        ({"understanding_threshold": 60}, 65, True, False),
        ({"understanding_threshold": 60, "has_questions": True}, 65, True, True),
        ({"custom_conditions": [{"variable": "学历", "operator": "==", "value": "大专"}]}, 95, False, True),
        ({"custom_conditions": [{"variable": "学历", "operator": "==", "value": "博士"}]}, 95, False, False),
        ({"min_rounds": 2}, 95, False, False),
    ],
)
def test_6_2_exit_criteria(criteria: Any, level: int, questions: bool, leaves: bool) -> None:
    """exit_criteria 配置标准化，支持 understanding_threshold / has_questions / custom_conditions"""
    answer = explained(level, questions, wish=True, content="好。")
    held = Talk(made(ai_say("讲ABC", id="it", exit_criteria=criteria), LAST), mind(ai_say=answer))
    held.say("明白")
    assert (held.at != "it") is leaves


def test_6_2_rounds_and_exits_are_recorded() -> None:
    """executionState.metadata 记录 lastActionRoundInfo 和 exitHistory"""
    answers = [asked("再说说？"), asked("嗯？"), asked("好。", "YES")]
    held = Talk(made(ai_ask("问", id="it", max_rounds=5), LAST), mind(ai_ask=answers))
    for words in ("一", "二", "三"):
        held.say(words)
    rounds = [(each.action, each.current_round, each.max_rounds) for each in held.happened("round")]
    assert rounds == [("it", 1, 5), ("it", 2, 5), ("it", 3, 5)]
    assert [(each.round, each.should_exit) for each in held.happened("exit")] == [(1, False), (2, False), (3, True)]
    assert [(each.action, each.number) for each in held.state.rounds] == [("it", 1), ("it", 2), ("it", 3)]


def test_6_2_actions_that_nobody_answers_have_no_exits() -> None:
    """（3.2.4）ai_think / set_var 等无 exit_criteria 仍可正常执行且不写入 exitHistory"""
    held = Talk(
        only(put("a", 1), {"type": "ai_think", "content": "想想", "output": [{"get": "b"}]}, say("好。"), LAST), mind()
    )
    assert held.happened("exit") == []
    assert held.happened("round") == []


def test_6_2_reason_and_source_are_given_back(place: Place) -> None:
    """SessionExecutionResponse 暴露 exitReason 和 exitDecisionSource；集成测试验证 ScriptExecutor 终止决策整合"""

    async def work() -> None:
        answers = iter([asked("那白天呢？"), asked("好。", "YES", exit_reason="都说清了")])
        async with place.open(model(ai_ask=lambda _: next(answers))) as sessions:
            session, outcome = await held(place, sessions, "小林", "睡不着")
            assert (outcome.position["action"]["id"], outcome.exit) == ("it", {})
            assert outcome.position["current_round"] == 2
            outcome = await sessions.take(session, said("end", "白天困", seen(outcome)))
            assert outcome.exit["reason"] == "都说清了"
            assert outcome.exit["decision_source"] == "exit_flag"
            assert outcome.execution_status == "completed"

    run(work())


def test_6_2_the_debug_panel_shows_every_rounds_decision(place: Place) -> None:
    """前端调试面板显示每轮的终止判定结果"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, _ = await held(place, sessions, "小林", "睡不着", "白天困")
            turns = range(1, (await sessions.session(session)).seq + 1)
            shown = [each for turn in turns for each in (await view(sessions, session, turn)).decisions]
            exits = [each.data for each in shown if each.kind == "exit" and each.action == "it"]
            assert [(each["round"], each["should_exit"]) for each in exits] == [(1, False), (2, False)]
            assert all(each["decision_source"] for each in exits)

    run(work())


# 6.3 智能策略决策引擎


def test_6_3_the_engine_makes_strategies() -> None:
    """StrategyDecisionEngine 实现策略生成；单元测试验证 StrategyDecisionEngine 端到端流程"""
    talk = begun()
    assert [(each.action, each.strategy) for each in talk.happened("strategy")] == [("it", HOW)]
    talk.say("小林")
    assert HOW in shown(talk, last(talk, "ai_ask_open"))


def test_6_3_the_context_holds_profile_and_history() -> None:
    """StrategyContext 正确提取用户画像变量和对话历史"""
    talk = begun(adaptive(max_rounds=50), LAST)
    for number in range(20):
        talk.say(f"第{number}句")
    talk.say("最后")
    work = Work.of(talk._world())
    told = situation.context(work, next_action.here(work))  # type: ignore[arg-type]
    assert {trait.name: trait.value for trait in told.profile} == {"学历": "大专", "来访者名": "第0句"}
    assert len(told.history) == 20
    assert [line.text for line in told.history if line.speaker == "person"][-1] == "最后"
    assert (told.topic, told.phase, told.action, told.max_rounds) == ("近况", "P", "ai_ask", 50)


def test_6_3_a_recommendation_has_a_strategy_and_its_reasoning() -> None:
    """StrategyRecommendation 包含 strategyPrompt 和 reasoning"""
    (event,) = begun().happened("strategy")
    assert event.strategy == HOW
    assert event.reasoning == ADVICE["reasoning"]
    assert set(strategy.SCHEMA["properties"]) == {"reasoning", "strategy_prompt"}


PAPERS = """
【沟通策略建议】
1. 语言风格：半正式、中等复杂度、委婉
   理由：用户本科学历，但当前情绪低落，需要温和表达

2. 例子类型：具体的个人经历例子
   理由：用户学习偏好是具体案例，抽象概念理解较慢

3. 共鸣策略：高强度情绪验证 + 普遍化
   理由：用户表达强烈的孤独感，需要先验证情绪再普遍化
"""
"""§4.2.3, word for word."""


def test_6_3_the_papers_own_strategy_reaches_the_prompt_whole() -> None:
    """（4.2.3 的示例）strategyPrompt 与 reasoning 的三项。Deviation: keys are spelled as all of ours are, and the text
    stands on one line, so that it cannot pass for a heading of the prompt."""
    reasoning = {
        "user_state_analysis": "用户状态综合分析",
        "key_considerations": ["考虑因素1", "考虑因素2"],
        "strategy_rationale": "策略选择理由",
    }
    talk = begun(model=mind(strategy={"reasoning": reasoning, "strategy_prompt": PAPERS}))
    (event,) = talk.happened("strategy")
    assert event.reasoning == reasoning
    talk.say("小林")
    assert " ".join(PAPERS.split()) in shown(talk, last(talk, "ai_ask_open"))


def test_6_3_ai_say_has_one_in_its_first_round() -> None:
    """AiSayAction 在首轮执行时调用策略引擎（提前一轮调用，首轮不等待）"""
    talk = Talk(made(FIRST, adaptive("讲ABC模型", "ai_say"), LAST), mind())
    assert wanted(talk) == ["it"]
    assert next_adaptive(Work.of(talk._world())) is not None
    advised(talk)
    before = len(talk.asked)
    talk.say("小林")
    assert HOW in shown(talk, last(talk, "ai_say_open"))
    assert "strategy" not in [task.template for task in talk.asked[before:]], "nobody waited for it"


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", ["ai_ask", "ai_ask_open", "ai_say", "ai_say_open"])
def test_6_3_the_prompts_have_a_place_for_it(locale: str, name: str) -> None:
    """主线 A 提示词模板注入 {%strategy_prompt%}"""
    _, text = find(name, "md", locale, None, {})
    assert "{%strategy_prompt%}" in text


@pytest.mark.parametrize("answer", [None, {}, {"strategy_prompt": 3}, {"reasoning": {}}, ADVICE])
def test_6_3_with_a_mocked_model(answer: Any) -> None:
    """Mock LLM 响应测试策略生成逻辑（失败时回退到静态提示词模板）"""
    talk = begun(model=mind(strategy=answer))
    talk.say("小林")
    prompt = shown(talk, last(talk, "ai_ask_open"))
    assert (HOW in prompt) is (answer is ADVICE)
    assert "策略：慢一点，先问情绪" in prompt


def test_6_3_what_follows_can_be_compared_with_and_without() -> None:
    """E2E 测试验证策略建议对对话质量的影响（需人工评估）：有无策略的提示词只差策略，每轮记下在哪条之下"""
    prompts, under = [], []
    for more in ({"adaptive": False}, {"adaptive": True}):
        talk = begun(adaptive(**more), LAST)
        talk.say("小林")
        talk.say("睡不着")
        prompts.append(shown(talk, last(talk, "ai_ask")))
        under.append([each.strategy for each in talk.happened("round") if each.action == "it"])
    assert re.sub(rf"^调整建议.*{re.escape(HOW)}\n", "", prompts[1], flags=re.M) == prompts[0]
    assert under == [[0], [1]]


def test_6_3_prompt_and_answer_are_in_the_debug_view(place: Place) -> None:
    """LLMDebugInfo 正确记录策略生成的 prompt 和 response"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, _ = await held(place, sessions)
            (call,) = [each for each in (await view(sessions, session, 1)).calls if each.purpose == "strategy"]
            assert call.answer == ADVICE
            assert "了解睡眠" in call.prompt[-1].text
            assert call.attempts[0].outcome == "ok"

    run(work())
