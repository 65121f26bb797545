"""What the model is told of the script's next words and of what it has told already; the way back from a crisis."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import ai_ask, ai_say, get, out, tasks
from tests.engine.scripts import CALM, Node, ask, only, phase, put, say, script, skill, topic, use

from heartrule.engine.tasks.prompt_context import SHOWN_AHEAD
from heartrule.testing.talk import Talk

ASKED = {"understood": False, "values": {}, "content": "你多大了？", "progress_suggestion": "continue_needed"}


def told(*after: Node, **more: Any) -> str:
    """What the first question's model is told to come next."""
    talk = Talk(only(ask("怎么称呼你？", "称呼"), *after, **more), {"risk": CALM, "ask": ASKED})
    talk.say("嗯嗯那个")
    (task,) = tasks(talk, "ask")
    return task.values["next"]


@pytest.mark.parametrize(
    ("after", "shown"),
    [
        (ask("今天心情怎么样？", "x"), "今天心情怎么样？"),
        (say("谢谢。\n我们往下走。"), "谢谢。 我们往下走。"),
        (ai_ask("了解睡眠", get("x"), question="睡得好吗？"), "睡得好吗？"),
        (ai_ask("了解睡眠", get("x"), fallback="睡得好吗？"), "了解睡眠"),
        (ai_say("讲讲 ABC"), "讲讲 ABC"),
        (ask("想" * 200, "x"), "想" * SHOWN_AHEAD + "…"),
    ],
    ids=["ask", "say", "question", "brief", "ai_say", "long"],
)
def test_the_next_words_of_the_script(after: Node, shown: str) -> None:
    assert told(after) == shown


def test_what_says_nothing_and_what_may_not_come_is_passed_over() -> None:
    assert told(put("y", 1), say("也许", condition="y == 2"), ask("今天怎么样？", "x")) == "今天怎么样？"


def test_at_the_end_of_a_topic_nothing_is_told() -> None:
    """What the next one is called are not words that the script says."""
    two = script(phase("P", topic("认识", ask("怎么称呼你？", "称呼")), topic("睡眠", ask("睡得好吗？", "x"))))
    talk = Talk(two, {"risk": CALM, "ask": ASKED})
    talk.say("嗯嗯那个")
    assert tasks(talk, "ask")[0].values["next"] == ""


def test_where_it_is_not_known_nothing_is_said() -> None:
    assert told() == ""
    jump = [{"to": "end", "condition": "称呼 == null"}]
    two = script(phase("P", topic("甲", ask("怎么称呼你？", "称呼"), transitions=jump), topic("乙")))
    talk = Talk(two, {"risk": CALM, "ask": ASKED})
    talk.say("嗯嗯那个")
    assert tasks(talk, "ask")[0].values["next"] == ""


def test_a_technique_does_not_know_its_caller_s_words() -> None:
    made = only(use("技"), ask("然后呢？", "y"), skills=[skill("技", ask("怎么称呼你？", "称呼"))])
    talk = Talk(made, {"risk": CALM, "ask": ASKED})
    talk.say("嗯嗯那个")
    assert tasks(talk, "ask")[0].values["next"] == ""


def explaining(covered: Any) -> Talk:
    def mind(task: Any) -> Any:
        if task.template == "risk":
            return CALM
        assessment = {
            "understanding_level": 30,
            "has_questions": True,
            "expressed_understanding": False,
            "reasoning": "",
        }
        return {
            "assessment": assessment,
            "should_exit": False,
            "content": "再看一个例子，你怎么想？",
            "covered": covered,
        }

    talk = Talk(only(ai_say("讲 ABC", max_rounds=5)), mind)
    talk.say("不太懂")
    talk.say("还是不太懂")
    return talk


def test_what_was_covered_is_shown_in_the_next_round() -> None:
    first, second = tasks(explaining(["三样东西", " 想法\n影响心情 ", "三样东西", "", 5]), "ai_say")
    assert first.values["covered"] == ""
    assert second.values["covered"] == "三样东西; 想法 影响心情"


@pytest.mark.parametrize("covered", [None, "三样", {}, [], [None]])
def test_what_cannot_be_read_counts_as_nothing(covered: Any) -> None:
    assert [task.values["covered"] for task in tasks(explaining(covered), "ai_say")] == ["", ""]


def test_it_cannot_grow_without_end() -> None:
    shown = tasks(explaining([f"{n}" * 100 for n in range(100, 200)]), "ai_say")[1].values["covered"]
    assert len(shown) < 20 * 64


@pytest.mark.parametrize(("locale", "safe"), [("zh-CN", "不急着往下走"), ("en", "There is no rush")])
def test_the_way_back_from_a_crisis_is_gentle(locale: str, safe: str) -> None:
    intent, no = ("我不想活了", "没有") if locale == "zh-CN" else ("I want to die", "no")
    talk = Talk(only(ask("睡得好吗？", "x"), locale=locale))
    talk.say(intent)
    for _ in ("thoughts", "hurt", "means"):
        talk.say(no)
    out(talk)
    assert talk.said[-1].startswith(safe)
    assert talk.said[-1].splitlines()[-1] == "睡得好吗？"


def test_any_other_interruption_comes_back_as_before() -> None:
    calls = {
        "awareness": "换",
        "id": "change",
        "priority": "P0",
        "always": True,
        "condition": {"rules": {"explicit": [{"pattern": "换一个", "reason": "想换"}]}, "judge": "是否想换"},
        "then": [{"directive": "CALL_TECHNIQUE", "technique": "技"}],
    }
    talk = Talk(only(ask("睡得好吗？", "x"), awareness=[calls], skills=[skill("技", say("好。"))]))
    talk.say("换一个")
    assert talk.said[-1] == "我们接着刚才的话说。\n睡得好吗？"
