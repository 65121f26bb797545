"""Seed 002, section 8.2, by its lines.

Names are those of today, as in ``test_seed_001.py``.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.adapting import LAST, NO_DANGER, adaptive, begun, made, mind
from tests.engine.minds import ai_ask, ai_say, asked, explained, get
from tests.engine.scripts import ask, cells, operations
from tests.sessions.material import Place, run, script_file, seen
from tests.sessions.material import say as said

from heartrule.sessions import Outcome, Sessions
from heartrule.testing.models import ScriptedModel
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare: [{var: 分数, type: integer, scope: session, define: 难受几分}]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - type: ai_ask
                id: it
                content: 了解难受的程度和起因
                max_rounds: 4
                output: [{get: 分数}, {get: 起因, define: 因为什么}]
              - {type: say, id: bye, content: 再见。}
"""
ANSWERS = (
    asked("从什么时候开始的？", values={"分数": {"value": 7, "evidence": "七分"}}),
    asked("还有呢？"),
    asked("嗯。", "YES", values={"起因": {"value": "吵架", "evidence": "吵架"}}, exit_reason="都清楚了"),
)
WORDS = ("大概七分", "不好说", "因为跟他吵架")


@pytest.fixture
def place(tmp_path: Any) -> Place:
    made = Place(tmp_path)
    made.script = str(script_file(tmp_path, SCRIPT))
    return made


def model() -> ScriptedModel:
    left = iter(ANSWERS)
    table: dict[str, Any] = {
        "risk": NO_DANGER,
        "stretch": lambda task: {"content": "有多难受？"} if task.values.get("opening") else next(left),
    }
    return ScriptedModel(lambda _: None, **table)


async def held(place: Place, sessions: Sessions, *texts: str) -> tuple[str, list[Outcome]]:
    session, outcome = await place.begun(sessions)
    outcomes = [outcome]
    for number, text in enumerate(texts):
        await sessions.settled()
        outcomes.append(await sessions.take(session, said(f"k{number}", text, seen(outcomes[-1]))))
    await sessions.settled()
    return session, outcomes


# 单元测试：AiAskAction / AiSayAction


def test_rounds_and_strategies_of_ai_ask() -> None:
    """验证 metadata 中轮次与策略字段（ai_ask）"""
    talk = begun()
    talk.say("小林")
    talk.say("睡不着")
    (event,) = [each for each in talk.happened("round") if each.action == "it"]
    assert (event.current_round, event.max_rounds, event.type, event.strategy) == (1, 5, "ai_ask", 1)
    assert event.progress_suggestion == "continue_needed"


def test_rounds_and_strategies_of_ai_say() -> None:
    """验证 metadata 中轮次与策略字段（ai_say，讲解与只等回应两种）"""
    talk = begun(adaptive("讲ABC模型", "ai_say"), ai_say("好吗？", id="nod"), LAST)
    talk.say("小林")
    talk.say("不太懂")
    (event,) = [each for each in talk.happened("round") if each.action == "it"]
    assert (event.current_round, event.max_rounds, event.type, event.strategy) == (1, 5, "ai_say", 1)
    plain = Talk(made(ai_say("好吗？", id="nod"), LAST), mind())
    plain.say("好")
    assert [(each.current_round, each.max_rounds, each.strategy) for each in plain.happened("round")] == [(1, 3, 0)]


def test_variables_are_defined_and_written() -> None:
    """验证变量定义与写入行为（variableStore + variables）"""
    found = {"年龄": {"value": 34, "evidence": "34"}, "工作": {"value": "设计", "evidence": "设计"}}
    talk = Talk(
        made(ai_ask("问", "年龄", "工作", "别的", id="it", max_rounds=5)), mind(stretch=asked("嗯？", values=found))
    )
    talk.say("34，做设计")
    assert (cells(talk, "session")["年龄"], cells(talk, "topic")["工作"]) == (34, "设计")
    assert {each.name: each.source for each in talk.happened("variable") if each.strategy == "json"} == {
        "年龄": "it",
        "工作": "it",
    }
    assert (talk.value("年龄"), talk.value("工作")) == (34, "设计"), "read by their names alone"


# 单元测试：ScriptExecutor


@pytest.mark.parametrize("scope", ["global", "session", "phase", "topic"])
def test_extracted_variables_are_written_in_the_right_scope(scope: str) -> None:
    """验证 extractedVariables 写入 variableStore 的作用域正确"""
    answer = asked("嗯？", values={"工作": {"value": "设计", "evidence": "设计"}})
    talk = Talk(made(ai_ask("问", get("工作", scope=scope), "别的", max_rounds=5)), mind(stretch=answer))
    talk.say("做设计")
    assert cells(talk, scope)["工作"] == "设计"
    others = {"global", "session", "phase", "topic"} - {scope}
    assert all("工作" not in cells(talk, other) for other in others)


def test_calls_and_rounds_are_kept_and_shown(place: Place) -> None:
    """验证 lastLLMDebugInfo 与 lastActionRoundInfo 的保存与透出"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, outcomes = await held(place, sessions, *WORDS[:1])
            view = await sessions.debugged(session, outcomes[-1].turn)
            assert view is not None
            (call,) = [each for each in view.calls if each.purpose == "stretch"]
            assert (call.used, call.exact, call.answer) == (True, True, ANSWERS[0])
            assert "了解难受的程度和起因" in call.prompt[-1].text
            (event,) = [each for each in view.decisions if each.kind == "round"]
            assert (event.data["current_round"], event.data["max_rounds"]) == (1, 4)

    run(work())


# 单元测试：SessionApplicationService


def test_the_position_holds_round_and_action(place: Place) -> None:
    """验证 ExtendedExecutionPosition 中轮次与 ActionId 映射"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            _, outcomes = await held(place, sessions, *WORDS[:2])
            positions = [outcome.position for outcome in outcomes]
            assert [(each["action"]["id"], each["current_round"], each["max_rounds"]) for each in positions] == [
                ("it", 1, 4),
                ("it", 2, 4),
                ("it", 3, 4),
            ]
            assert {each["phase"]["id"] for each in positions} == {"talk"}
            assert {each["topic"]["id"] for each in positions} == {"lately"}

    run(work())


def test_debug_info_and_variables_are_shown(place: Place) -> None:
    """验证 debugInfo 与 variableStore 的透出"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, outcomes = await held(place, sessions, *WORDS[:1])
            view = await sessions.debugged(session, outcomes[-1].turn)
            assert view is not None
            (bubble,) = [each for each in view.variables if each.name == "分数"]
            assert (bubble.value, bubble.scope, bubble.strategy, bubble.evidence) == (7, "session", "json", "七分")
            assert bubble.changed
            assert view.position["action"]["id"] == "it"

    run(work())


# 集成测试


def test_every_round_of_ai_ask_has_its_calls_and_its_strategy(place: Place) -> None:
    """多轮 ai_ask：验证每轮 debugInfo 更新、变量提取策略执行正确"""

    async def work() -> None:
        async with place.open(model()) as sessions:
            session, outcomes = await held(place, sessions, *WORDS)
            for outcome, answer in zip(outcomes[1:], ANSWERS, strict=True):
                view = await sessions.debugged(session, outcome.turn)
                assert view is not None
                assert [call.answer for call in view.calls if call.purpose == "stretch"] == [answer]
            events = await sessions.store.events(session, ("variable",))
            told = [(each.data["name"], each.data["value"], each.data["strategy"]) for each in events]
            assert told == [("分数", 7, "json"), ("分数", 7, "history"), ("起因", "吵架", "json")]

    run(work())


STRATEGIES = [
    (asked("好。", "YES", values={"分": {"value": 8, "evidence": "八分"}}), "integer", "八分", 8, "json"),
    (asked("好。", "YES"), "integer", "8", 8, "rules"),
    (None, "text", "跟同事吵架", "跟同事吵架", "fallback"),
]


@pytest.mark.parametrize(("answer", "kind", "words", "value", "strategy"), STRATEGIES)
def test_the_strategy_that_found_a_value_is_recorded(
    answer: Any, kind: str, words: str, value: Any, strategy: str
) -> None:
    """（6.4.1）变量提取策略矩阵：JSON → 历史 → 规则 → 输入兜底，采用的策略有记录"""
    talk = Talk(made(ai_ask("问", get("分", kind), max_rounds=3), LAST), mind(ai_ask=answer))
    talk.say(words)
    (event,) = operations(talk, "分")
    assert (event.value, event.strategy) == (value, strategy)


def test_what_an_earlier_round_found_counts_in_a_later_one() -> None:
    """（6.4.1）历史：同一动作里早先找到的"""
    opening = {"content": "有多难受？"}
    answers = [opening, asked("还有呢？", values={"分": {"value": 8, "evidence": "八分"}}), asked("好。", "YES")]
    output = (get("分", "integer"), get("起因"))
    talk = Talk(made(ai_ask("问", *output, id="it", rounds=2), LAST), mind(stretch=answers))
    talk.say("八分")
    talk.say("因为吵架")
    assert talk.at != "it"
    assert next((each.value, each.source) for each in operations(talk, "分")) == (8, "it")


@pytest.mark.parametrize(
    ("answer", "rounds", "source", "exit_class"),
    [
        (asked("好。", "YES"), 1, "exit_flag", "exit_criteria_met"),
        (asked("再说说？"), 3, "max_rounds", "max_rounds_reached"),
        (asked("好。", progress_suggestion="completed"), 1, "llm_suggestion", "exit_criteria_met"),
    ],
)
def test_exit_conditions_and_max_rounds(answer: Any, rounds: int, source: str, exit_class: str) -> None:
    """多轮 ai_ask：验证退出条件与 max_rounds 行为"""
    talk = Talk(made(ai_ask("问", id="it", max_rounds=3), LAST), mind(ai_ask=answer))
    for number in range(rounds):
        assert talk.at == "it"
        talk.say(f"第{number}句")
    assert talk.at != "it"
    left = talk.happened("exit")[-1]
    assert (left.round, left.decision_source, left.exit_class) == (rounds, source, exit_class)


def test_ai_say_weighs_understanding_and_leaves() -> None:
    """ai_say 多轮讲解：验证理解度评估与退出决策"""
    answers = [
        explained(40, True, wish=True, content="换个例子，你看呢？"),
        explained(75, True, wish=True, content="再看这一点？"),
        explained(75, False, expressed=True, wish=True, content="就是这样。"),
    ]
    talk = Talk(made(ai_say("讲ABC", id="it", max_rounds=6), LAST), mind(ai_say=answers))
    for words in ("不懂", "有点懂，那为什么？", "原来是想法在中间，明白了"):
        assert talk.at == "it"
        talk.say(words)
    assert talk.at != "it"
    exits = [(each.round, each.should_exit, each.decision_source) for each in talk.happened("exit")]
    assert exits == [(1, False, "none"), (2, False, "none"), (3, True, "llm_suggestion")]
    assert "70" in talk.happened("exit")[-1].reason


def test_memory_is_written_and_comes_back() -> None:
    """记忆集成：默认关闭，写了就在动作结束时记下、在下一次会谈的动作开口前检索并注入系统变量"""
    asks = ask("最近睡几个小时？", get("睡眠", "number", define="睡几个小时"), id="sleep")
    first = Talk(made({**asks, "memory": {"write": {"enabled": True, "type": "long"}}}, LAST), session="s1")
    first.say("五个小时")
    assert [(each.of, each.type) for each in first.happened("memory_written")] == [("answer", "long")]
    talk = Talk(
        made({**ai_ask("问问睡眠"), "memory": {"read": {"enabled": True}}}),
        mind(),
        session="s2",
        memories=first.memories,
    )
    assert [each.types for each in talk.happened("memory_read")] == [["long"]]
    (task,) = (task for task in talk.asked if task.template == "ai_ask_open")
    assert "睡几个小时：5" in task.context.values["memory"]
    silent = Talk(made(ai_ask("问问睡眠")), mind(), session="s2", memories=first.memories)
    assert [*silent.happened("memory_read"), *silent.happened("memory_written")] == []
