"""The shortest way through: a task in, an answer out."""

import asyncio

from heartrule.engine.session.tasks import Context, Line, Task
from heartrule.llm.model import Model
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.prompts.fixed_sentences import spoken

CONTEXT = Context(None, "zh-CN", {"who": "小林", "user": "小明"}, {}, (Line("person", "我睡不好"),))
TASK = Task("reply", "generate", "generate", "ai_say_ack", CONTEXT, {}, {"type": "object"}, ("content",))


def test_a_scripted_model_answers_a_task() -> None:
    model = Model([ScriptedProvider([{"content": "听起来这几天很累。"}])])
    answer = asyncio.run(model.answer([TASK]))["reply"]
    assert (answer.status, answer.data) == ("answered", {"content": "听起来这几天很累。"})
    assert [attempt.outcome for attempt in answer.attempts] == ["ok"]


def test_without_a_provider_every_answer_is_absent() -> None:
    assert asyncio.run(Model().answer([TASK]))["reply"].status == "absent"


def test_there_is_something_to_say_without_a_model() -> None:
    assert spoken(None, "acknowledge", 0) != spoken(None, "acknowledge", 1)
