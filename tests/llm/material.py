"""Tasks as the engine makes them, and the least script that brings templates of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.engine.dialogue import rounds
from heartrule.engine.extraction import selection
from heartrule.engine.session.tasks import Context, Line, Role, Task
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Phase, Project, Session

TEXT: dict[str, Any] = {"type": "string"}
PROGRESS = {"enum": ["continue_needed", "completed", "blocked", "off_topic"]}
CONTENT = {"type": "object", "properties": {"content": TEXT}, "required": ["content"]}


def value_of(kind: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"value": {"type": kind}, "evidence": TEXT},
        "required": ["value", "evidence"],
    }


def metrics(names: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "default": {}}


VALUES = {"type": "object", "properties": {"睡眠情况": value_of("string"), "睡眠时长": value_of("number")}}
ASK = {
    "type": "object",
    "properties": {
        "EXIT": {"enum": ["YES", "NO"]},
        "exit_reason": TEXT,
        "progress_suggestion": PROGRESS,
        "values": VALUES,
        "content": TEXT,
        "metrics": metrics(rounds.ASK_METRICS),
    },
}
SAY = {
    "type": "object",
    "properties": {
        "assessment": {
            "type": "object",
            "properties": {
                "understanding_level": {"type": "integer", "minimum": 0, "maximum": 100},
                "has_questions": {"type": "boolean"},
                "expressed_understanding": {"type": "boolean"},
                "reasoning": TEXT,
            },
            "required": ["understanding_level", "has_questions", "expressed_understanding", "reasoning"],
        },
        "should_exit": {"type": "boolean"},
        "exit_reason": TEXT,
        "progress_suggestion": PROGRESS,
        "covered": {"type": "array", "items": TEXT},
        "content": TEXT,
        "metrics": metrics(rounds.SAY_METRICS),
    },
}
LITERAL = {
    "type": "object",
    "properties": {
        "understood": {"type": "boolean"},
        "values": VALUES,
        "content": TEXT,
        "progress_suggestion": PROGRESS,
    },
}
VERDICTS = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "verdict": {"enum": ["yes", "no", "unknown"]},
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                    "evidence": TEXT,
                },
                "required": ["id", "verdict", "confidence", "evidence"],
            },
        }
    },
}
THINK = {
    "type": "object",
    "properties": {"reasoning": TEXT, "values": VALUES, "decision": {"enum": ["继续", "转介"]}},
}

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "ai_ask": ASK,
    "ai_ask_open": CONTENT,
    "ask": LITERAL,
    "ai_say_open": CONTENT,
    "ai_say": SAY,
    "ai_say_ack": CONTENT,
    "ai_think": THINK,
    "choice": selection.SCHEMA,
    "judge": VERDICTS,
    "risk": VERDICTS,
}
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "ai_ask": ("EXIT", "content"),
    "ask": ("understood", "content"),
    "ai_say": ("assessment", "content"),
    "ai_think": ("decision",),
    "choice": ("choice", "content"),
    "judge": ("verdicts",),
    "risk": ("verdicts",),
}
SHARED = {
    "who": "小林",
    "user": "小明",
    "tone": "沉稳",
    "project_instructions": "遵守机构的伦理守则。",
    "session_instructions": "本次只做评估。",
    "phase_instructions": "这一阶段多听。",
    "session_name": "初次会谈",
    "session_goal": "了解困扰",
    "phase_name": "评估",
    "phase_goal": "收集基本情况",
    "topic_name": "睡眠",
    "topic_goal": "弄清睡得怎样",
    "strategy": "信息不足时先问感受",
    "time": "2025-01-20 10:30",
    "date": "2025-01-20 星期一",
    "hour": "10",
}
OWN = {
    "content": "了解最近一周的睡眠",
    "question": "最近睡得怎么样？",
    "exit": "知道入睡和时长",
    "outputs": "- 睡眠情况：睡得如何\n- 睡眠时长（数字）：每晚几小时 [0–24]",
    "known": "- 年龄 = 30",
    "unclear": "睡眠时长: 说得含糊",
    "taken": "1. 睡眠时长（每晚几小时）：5",
    "facts": "来意=睡不好；职业",
    "later": "起因（刚开始时的变动）",
    "current_round": "1",
    "max_rounds": "3",
    "rounds_left": "2",
    "style": "mixed",
    "follow_up": "问到具体的一晚",
    "action_tone": "轻松",
    "next": "那白天精神怎么样？",
    "covered": "事情; 想法",
    "monitor_feedback": "对方有些疲惫，放慢些",
    "strategy_prompt": "先肯定再问",
    "topic_content": "ABC 模型说的是：诱发事件、想法、结果。\n【讲解要点】\n1. 用生活例子",
    "extra_content": "可以借用下雨的例子",
    "goal": "让对方看到想法的作用",
    "understanding_threshold": "80",
    "inputs": "- 近况：睡不好",
    "options": "继续 | 转介",
    "press": "1",
    "questions": "1. 是否表达了绝望\n+ 没盼头了\n- 累死了",
}
HISTORY = (
    Line("ai", "最近睡得怎么样？"),
    Line("person", "不太好，总是半夜醒，一晚上大概睡五个小时。"),
)


def context(
    history: tuple[Line, ...] = HISTORY,
    *,
    locale: str = "zh-CN",
    scheme: str | None = None,
    values: Mapping[str, str] = SHARED,
    variables: Mapping[str, str] | None = None,
) -> Context:
    return Context(scheme, locale, values, variables or {}, history)


def task(
    template: str = "ai_ask",
    key: str | None = None,
    *,
    values: Mapping[str, str] = OWN,
    where: Context | None = None,
    role: Role = "generate",
    required: tuple[str, ...] | None = None,
    seconds: float | None = None,
) -> Task:
    return Task(
        key=key or template,
        kind="generate",
        role=role,
        template=template,
        context=where or context(),
        values=values,
        schema=SCHEMAS.get(template, CONTENT),
        required=REQUIRED.get(template, ("content",)) if required is None else required,
        seconds=seconds,
    )


def script(templates: Mapping[str, str] | None = None, *, scheme: str | None = "own", locale: str = "zh-CN") -> Script:
    return Script(
        id="p/s",
        project=Project(id="p", template_scheme=scheme),
        session=Session(session="s", phases=[Phase(phase="one", steps=[])]),
        locale=locale,
        bundle="",
        sources=(),
        skills={},
        awareness={},
        variables={},
        scopes={},
        roles={},
        templates=templates or {},
    )


GOOD: Mapping[str, Any] = {
    "EXIT": "NO",
    "exit_reason": "还不知道多久了",
    "progress_suggestion": "continue_needed",
    "values": {"睡眠时长": {"value": 5, "evidence": "一晚上大概睡五个小时"}},
    "content": "半夜老醒，第二天想必很累。这样有多久了？",
    "metrics": {"user_engagement": "愿意说"},
}
