"""Seed 003's examples: its scripts (§3.1, §10.3), its template and its answer (§4.2), its substitutions (§4.3, §8.2,
§10.1), its decisions (§10.1) and its talks (§10.2, §10.3). What the scripts do besides: tests/engine/test_seed_scripts.

What differs, by decision: a template stands in ``prompts/<scheme>`` under the name of its task, not in
``config/prompts/ai-say`` (0042), and the words that open an explanation are asked for by a template of their own,
``ai_say_open``; both layers of variables are put in at one time, so that a value is never read as a placeholder (0042);
the time is written as people write it, with the day of the week, not as ISO 8601 in UTC; an author's notes stay with
the model and are not spoken.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.engine.scripts import CALM
from tests.engine.test_seed_scripts import ABC, E2E, assessed, exits, with_model
from tests.sessions.looking import QUICK
from tests.sessions.material import Place, run
from tests.sessions.monitored import told

from heartrule.llm.model import Model
from heartrule.llm.prompt import render
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome
from heartrule.testing.counsellor import counsel
from heartrule.testing.talk import Talk, compile_text

TEMPLATE = """现时间 {%time%}，你是 {%who%}。请延续对话，生成给 {%user%} 的回应。

【讲解主题】
{topic_content}

【当前对话历史】
{%chat_history%}

【用户基础信息】
- 教育背景：{教育背景}
- 心理学知识：{心理学知识}
- 学习风格：{学习风格}

【你的任务】

1. **理解度评估**：
   - 基于用户最近的回复，评估用户对讲解内容的理解度（0-100分）
   - 判断用户是否有疑问（has_questions: true/false）
   - 判断用户是否明确表达理解（expressed_understanding: true/false）

2. **生成回复**：
   - 根据【讲解主题】的要求，生成你的回复
   - 根据【用户基础信息】调整语言风格和难度
   - 确保回复自然、温暖、专业

3. **判断是否退出**：
   - 退出条件：理解度 >= {%understanding_threshold%} 且无疑问
   - 或：理解度 >= 70 且用户明确表达理解

【输出格式】
严格按照以下 JSON 格式输出：
{
  "assessment": {
    "understanding_level": 0-100,
    "has_questions": true|false,
    "expressed_understanding": true|false,
    "reasoning": "评估理由..."
  },
  "response": {
    "咨询师": "你的回复内容..."
  },
  "should_exit": true|false,
  "exit_reason": "退出或继续的原因..."
}
"""
"""§4.2, word for word."""
SCHEME = "id: local\ntemplate_scheme: own\n"


def answer(level: int, words: str, *, wants: bool, why: str) -> str:
    """As §4.2 asks for it."""
    assessment = {"understanding_level": level, "has_questions": not wants, "expressed_understanding": wants}
    data = {"assessment": {**assessment, "reasoning": "评估理由"}, "response": {"咨询师": words}}
    return json.dumps({**data, "should_exit": wants, "exit_reason": why}, ensure_ascii=False)


def spoken(outcome: Outcome) -> list[str]:
    return [each.text for each in outcome.messages if each.sender == "ai"]


class Papers:
    """Answers the paper's template as it asks to be answered. ``asked`` are its prompts."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def model(self) -> Model:
        return Model([ScriptedProvider(self._answer)], QUICK)

    async def _answer(self, request: Request) -> Any:
        text = request.messages[-1].text
        if not text.startswith("现时间"):
            return counsel(request)
        self.asked.append(text)
        return self.answers.pop(0)


def test_4_2_the_template_and_its_answer_hold_a_session(place: Place) -> None:
    for name, text in {"project.yaml": SCHEME, "small.yaml": ABC, "prompts/own/ai_say.md": TEMPLATE}.items():
        path = place.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    papers = Papers(
        answer(40, "比如朋友没有回消息，你怎么想，就怎么难过。", wants=False, why="还没懂"),
        answer(85, "说得很好。", wants=True, why="懂了"),
    )

    async def work() -> None:
        async with place.open(papers.model()) as sessions:
            session, outcome = await place.begun(sessions)
            outcome = await told(place, sessions, session, outcome, "不太懂")
            assert spoken(outcome) == ["比如朋友没有回消息，你怎么想，就怎么难过。"]
            outcome = await told(place, sessions, session, outcome, "哦，是想法让我难过的")
            assert spoken(outcome)[0] == "说得很好。"
            assert outcome.status == "ended"
            found = [each.data for each in await sessions.store.events(session, ("exit",))]
            assert [(each["should_exit"], each["decision_source"]) for each in found] == [
                (False, "none"),
                (True, "exit_criteria"),
            ]

    run(work())
    first, second = papers.asked
    assert re.match(r"现时间 \d{4}-\d\d-\d\d \d\d:\d\d 星期.，你是 李医生。请延续对话，生成给 小明 的回应。\n", first)
    assert "- 教育背景：本科\n- 心理学知识：无\n- 学习风格：视觉型，喜欢具体例子\n" in first
    assert "3. 强调B是关键，不是A直接导致C" in first
    assert "理解度 >= 80 且无疑问" in first
    assert TEMPLATE[TEMPLATE.index("【输出格式】") :].strip() in first
    assert "不太懂" in first
    assert "比如朋友没有回消息" in second
    assert not re.search(r"\{%?[\w\u4e00-\u9fff]+%?\}", first + second), "nothing was left open"


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        (
            "你是 {%who%}，用户的教育背景是{教育背景}。\n理解度阈值：{%understanding_threshold%}",
            "你是 李医生，用户的教育背景是本科。\n理解度阈值：80",
        ),
        ("用户的教育背景是{教育背景}", "用户的教育背景是本科"),
        ("当前时间是{%time%}", r"当前时间是\d{4}-\d\d-\d\d \d\d:\d\d.*"),
        ("{用户名}，现在是{%time%}", r"小明，现在是\d{4}-\d\d-\d\d \d\d:\d\d.*"),
        ("第 {%current_round%} 轮，最多 {%max_rounds%} 轮", "第 1 轮，最多 5 轮"),
    ],
)
def test_4_3_and_10_1_both_layers_are_put_in(template: str, shown: str) -> None:
    script = compile_text(ABC, files={"project.yaml": SCHEME, "prompts/own/ai_say.md": template})
    talk = Talk(script, {"risk": CALM, "ai_say_open": {"content": "先讲ABC。"}, "ai_say": assessed(10, "再讲讲。")})
    talk.say("不懂")
    (task,) = [each for each in talk.asked if each.template == "ai_say"]
    assert re.fullmatch(shown, render(task, script).messages[-1].text)


@pytest.mark.parametrize(
    ("answered", "source"),
    [
        (assessed(85, "好。", wants=True), "exit_criteria"),
        (assessed(75, "好。", wants=True, questions=True, expressed=True), "exit_criteria"),
        (assessed(85, "好。"), "none"),
    ],
)
def test_10_1_decisions_in_the_second_round_of_five(answered: dict[str, Any], source: str) -> None:
    talk = with_model(ABC, assessed(20, "再讲讲。", questions=True), answered)
    talk.say("什么意思？")
    talk.say("嗯，这样啊")
    assert exits(talk) == [(False, "none"), (source != "none", source)]


def test_10_1_the_fifth_round_of_five_is_the_last() -> None:
    talk = with_model(ABC, assessed(20, "再讲讲。", questions=True))
    for number in range(5):
        talk.say(f"还是不懂{number}")
    assert exits(talk)[-1] == (True, "max_rounds")


@pytest.mark.parametrize(
    "words",
    [
        ("请告诉我什么是ABC模型", "我有点明白了", "我完全理解了"),
        ("什么是ABC模型？", "我有点理解了", "我完全明白了"),
    ],
)
def test_10_2_and_10_3_the_talks_of_three_rounds(words: tuple[str, ...]) -> None:
    """The third round of three ends whatever is understood: by the paper's first rule its source is ``max_rounds``.
    It counts as done, as what was understood would have ended it."""
    talk = with_model(
        E2E,
        assessed(20, "ABC模型包括诱发事件、信念和结果。", questions=True),
        assessed(60, "我再举个例子。"),
        assessed(85, "太好了。", wants=True),
    )
    said = []
    for number, text in enumerate(words, 1):
        assert not talk.ended
        said += talk.say(text)
        assert talk.happened("round")[-1].current_round == number
    assert said[:2] == ["ABC模型包括诱发事件、信念和结果。", "我再举个例子。"]
    assert talk.ended
    assert exits(talk) == [(False, "none"), (False, "none"), (True, "max_rounds")]


def test_10_3_with_a_round_to_spare_what_was_understood_ends_it() -> None:
    talk = with_model(
        E2E.replace("max_rounds: 3", "max_rounds: 4"),
        assessed(20, "ABC模型包括诱发事件、信念和结果。", questions=True),
        assessed(60, "我再举个例子。"),
        assessed(85, "太好了。", wants=True),
    )
    for text in ("什么是ABC模型？", "我有点理解了", "我完全明白了"):
        talk.say(text)
    assert talk.ended
    assert exits(talk)[-1] == (True, "exit_criteria")
