"""Sessions with adaptive actions, and what is read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.engine.minds import CALM, asked, explained
from tests.engine.scripts import ask, phase, script, topic

from heartrule.engine.session.state import Strategy
from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk

Node = dict[str, Any]
HOW = "语言：短句、口语；例子：取他说过的加班；共鸣：轻轻说出累；引导：给两个选项。"
ADVICE: Node = {
    "reasoning": {
        "user_state_analysis": "累，话很短",
        "key_considerations": ["回答只有几个字→问得小一点"],
        "strategy_rationale": "先让他好开口",
    },
    "strategy_prompt": HOW,
}
NO_DANGER = {"verdicts": [{**CALM["verdicts"][0], "id": number} for number in range(1, 10)]}
STATIC = "慢一点，先问情绪"
FIRST = ask("怎么称呼你？", "来访者名")
LAST = ask("今天就到这里，好吗？", "再见")


def adaptive(what: str = "了解最近的睡眠", kind: str = "ai_ask", **more: Any) -> Node:
    """An adaptive action that goes on for some rounds, called ``it``."""
    return {"type": kind, "content": what, "id": "it", "max_rounds": 5, "adaptive": True, **more}


def made(*actions: Node, topics: tuple[Node, ...] = (), **more: Any) -> Script:
    """One topic with a strategy of its own, then ``topics``. The name is a session variable, the age a project's."""
    own = {key: more.pop(key) for key in ("repeat", "transitions", "time_budget") if key in more}
    first = topic("近况", *actions, id="first", strategy=STATIC, goal="了解近况", **own)
    declared = [
        {"var": "来访者名", "define": "希望的称呼", "scope": "session"},
        {"var": "年龄", "type": "integer", "scope": "session"},
    ]
    more.setdefault("variables", [{"var": "学历", "define": "最高的学历", "value": "大专"}])
    return script(phase("P", first, *topics, goal="建立关系"), declare=declared, **more)


def mind(**table: Any) -> Callable[[Task], Any]:
    """Calm, going on with every question, and with a strategy whenever one is asked for. ``ask`` is left to rules."""
    known: Mapping[str, Any] = {
        "risk": NO_DANGER,
        "ai_ask_open": {"content": "最近睡得怎么样？"},
        "ai_ask": asked("那白天呢？"),
        "ai_say_open": {"content": "同一件事，每个人想法不同。你怎么看？"},
        "ai_say": explained(50, content="再换一个例子，你看呢？"),
        "strategy": ADVICE,
        **table,
    }
    used: dict[str, int] = {}

    def model(task: Task) -> Any:
        data = known.get(task.template)
        if isinstance(data, list):
            number = used[task.template] = used.get(task.template, -1) + 1
            data = data[min(number, len(data) - 1)]
        return data(task) if callable(data) else data

    return model


def begun(*actions: Node, model: Callable[[Task], Any] | None = None, **more: Any) -> Talk:
    """The first question put, and the strategy prepared for what comes after it."""
    held = Talk(made(FIRST, *(actions or (adaptive(), LAST)), **more), model or mind())
    advised(held)
    return held


def advised(held: Talk) -> Talk:
    """All that is asked beside the conversation has been, and has been handed in."""
    while held.beside():
        pass
    return held


def wanted(held: Talk) -> list[str]:
    """The actions that a strategy is to be asked for, after the last turn."""
    return [task.key.split()[-2] for task in held.turn.after if task.template == "strategy"]


def asked_for(held: Talk) -> int:
    """How often a strategy was asked for so far."""
    return sum(task.template == "strategy" for task in held.asked)


def decided(held: Talk) -> list[tuple[int, str, str | None]]:
    return [(event.number, event.cause, event.action) for event in held.happened("strategy")]


def kept(held: Talk) -> Strategy:
    """What is kept for the action ``it``."""
    return next(each for each in held.state.strategies.values() if each.action == "it")


def unused(held: Talk) -> list[str]:
    return [event.why for event in held.happened("advice_unused") if event.template == "strategy"]


def last(held: Talk, template: str) -> Task:
    return [task for task in held.asked if task.template == template][-1]


def shown(held: Talk, task: Task, *, simplified: bool = False) -> str:
    """A prompt as one text."""
    prompt = render(task, held.script, simplified=simplified)
    return "\n".join(message.text for message in prompt.messages)
