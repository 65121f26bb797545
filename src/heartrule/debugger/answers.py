"""Who answers in a debug session: nobody, the server's model, a test's table, the record, or somebody by hand. What is
typed or tabled goes the whole way of a model's words: parsed, held against the schema, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from heartrule.debugger.tape import Origin, TapedAnswer
from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prompt import Prompt, render
from heartrule.llm.provider import Provider
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.prompts.template import TemplateError
from heartrule.script_tests.clock import SkippingClock
from heartrule.script_tests.provider import Table, scripted

By = Literal["none", "model", "test", "typed"]


class AnswerPolicy(BaseModel):
    """``by``: who answers what the record does not. ``table``: a test's answers by template. ``misfit``: what is done
    where a recorded answer was given to another prompt: it is asked anew, it is used all the same, or the session is
    held there."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    by: By = "none"
    table: Annotated[dict[str, Any], Field(repr=False)] = {}
    misfit: Literal["ask", "use", "hold"] = "ask"


def prompt_of(task: Task, script: Script) -> Prompt | None:
    """None where its template is broken."""
    try:
        return render(task, script)
    except TemplateError:
        return None


def hash_of(task: Task, script: Script) -> str:
    prompt = prompt_of(task, script)
    return prompt.hash if prompt is not None else ""


async def by_model(model: Model, tasks: Sequence[Task], script: Script) -> dict[str, TapedAnswer]:
    """All side by side."""
    answers = await model.answer(tasks, script=script)
    return {task.key: _given(task, answers[task.key], "model", script) for task in tasks}


async def by_table(
    table: Mapping[str, Any], tasks: Sequence[Task], script: Script, used: Mapping[str, int]
) -> dict[str, TapedAnswer]:
    """``used``: how many of each template's answers have been used up before."""
    known = Table(table)
    for template, times in used.items():
        for _ in range(times):
            known.pick(template, "")
    found = {}
    for task in tasks:
        prompt = prompt_of(task, script)
        words = "\n".join(each.text for each in prompt.messages) if prompt is not None else ""
        found[task.key] = _given(task, await _asked(scripted(known)(task, words), task, script), "test", script)
    return found


async def typed(words: str, task: Task, script: Script) -> TapedAnswer:
    """As if a model had said ``words``, once."""
    return _given(task, await _asked(ScriptedProvider(lambda request: words), task, script), "typed", script)


def absent(task: Task, script: Script) -> TapedAnswer:
    return _given(task, Answer(task.key, "absent"), "none", script)


async def _asked(provider: Provider, task: Task, script: Script) -> Answer:
    model = Model([provider], Policy(), clock=SkippingClock(), random=lambda: 0.5)
    try:
        return (await model.answer([task], script=script))[task.key]
    finally:
        await model.aclose()


def _given(task: Task, answer: Answer, origin: Origin, script: Script) -> TapedAnswer:
    asked = answer if answer.prompt_hash else _hashed(answer, hash_of(task, script))
    return TapedAnswer(asked, origin, task.template)


def _hashed(answer: Answer, prompt_hash: str) -> Answer:
    return Answer(answer.key, answer.status, answer.data, answer.attempts, prompt_hash)
