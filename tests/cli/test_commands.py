"""What may be typed that is no answer."""

from __future__ import annotations

import pytest
from tests.cli.stand_ins import NOON, Front, Held

from heartrule.cli.commands import COMMANDS, Desk, End, Leave, value_text
from heartrule.cli.words import Words
from heartrule.sessions import Why
from heartrule.store.records import VariableRecord


def run(command: str, session: Held, language: str = "zh") -> list[str]:
    front = Front([])
    COMMANDS[command](Desk(session, front, Words("zh" if language == "zh" else "en")))
    return front.shown


def variable(name: str, value: object, scope: str = "session", strategy: str = "rules") -> VariableRecord:
    return VariableRecord(scope, "k", name, value, "text", NOON, "ask", strategy)


def test_variables() -> None:
    session = Held([], variables=(variable("心情", 3), variable("称呼", "小林", "global", "json")))
    assert run("/vars", session) == [
        "table 名称 | 内容 | 范围 | 怎么得来的",
        "table 心情 | 3 | 会谈 | 规则",
        "table 称呼 | 小林 | 个人 | 模型",
    ]
    assert run("/vars", Held([]), "en") == ["note Nothing has been noted yet."]


@pytest.mark.parametrize(
    ("value", "text"),
    [("字", "字"), (True, "true"), (None, "null"), ([1, "二"], '[1, "二"]'), ({"名": 1}, '{"名": 1}')],
)
def test_how_values_are_written(value: object, text: str) -> None:
    assert value_text(value) == text


def test_where() -> None:
    session = Held(
        [],
        position={
            "phase": {"index": 0, "id": "intro"},
            "topic": {"index": 1, "id": "mood", "kind": "topic"},
            "action": {"index": 2, "id": "ask_mood"},
            "current_round": 2,
            "max_rounds": 3,
        },
        progress={
            "phases": [
                {"id": "intro", "name": "开场", "done": False, "current": True},
                {"id": "end", "name": "结束", "done": False, "current": False},
            ],
            "milestones": ["认识了"],
        },
    )
    (shown,) = run("/where", session)
    assert shown.removeprefix("note ").split("\n") == [
        "阶段：开场",
        "话题：mood",
        "动作：ask_mood",
        "第 2 轮，最多 3 轮",
        "已完成：认识了",
    ]
    session.position["max_rounds"] = None
    assert "round 2" in run("/where", session, "en")[0]


def test_where_nothing_runs_any_more() -> None:
    session = Held([], position={"phase": None, "topic": None, "action": None})
    assert run("/where", session) == ["note 会谈已经结束。"]


def test_why() -> None:
    stayed = {
        "should_exit": False,
        "reason": "还缺内容",
        "decision_source": "none",
        "round": 1,
        "vetoed": ["缺少 心情"],
    }
    left = {"should_exit": True, "reason": "已经得到", "decision_source": "exit_criteria", "round": 2, "vetoed": []}
    noticed = {"awareness": "自杀风险", "verdict": "yes", "source": "rules", "reason": "明说"}
    session = Held(
        [],
        reasons=(
            Why(2, "exit", "ask_mood", stayed),
            Why(3, "exit", "ask_mood", left),
            Why(4, "awareness", None, noticed),
            Why(4, "directive", None, {"directive": "CALL_TECHNIQUE"}),
        ),
    )
    (shown,) = run("/why", session)
    assert shown.removeprefix("note ").split("\n") == [
        "留在 ask_mood（第 1 轮）：还缺内容 (无)",
        "  没有采纳：缺少 心情",
        "离开 ask_mood（第 2 轮）：已经得到 (退出条件)",
        "自杀风险：是（规则）明说",
    ]
    assert run("/why", Held([]), "en") == ["note No decision has been made yet."]


def test_help_names_every_command() -> None:
    for language in ("zh", "en"):
        (shown,) = run("/help", Held([]), language)
        for command in COMMANDS.keys() - {"/exit"}:
            assert command in shown


@pytest.mark.parametrize("command", ["/pause", "/quit", "/exit"])
def test_leaving(command: str) -> None:
    with pytest.raises(Leave):
        run(command, Held([]))


def test_ending() -> None:
    with pytest.raises(End):
        run("/end", Held([]))
