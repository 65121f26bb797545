"""The prompts that the scripts we ship really ask, in every state a visitor comes to: nothing unfilled, nothing empty,
bounded, and the same from the beginning for as long as possible."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import pytest

from heartrule.engine.session.tasks import Task
from heartrule.engine.variables.evidence import gets
from heartrule.llm.parsing import parse
from heartrule.testing.talk import shipped
from heartrule.testing.visitor import Visitor
from heartrule.testing.walk import AskedStep, walk

SCRIPTS = ("cbt/first_assessment", "cbt/abc_intro", "cbt/abc_intro_en")
TURNS = 120
RAW = re.compile(r"\{%|%\}|\$\{|\{[^\W\d]\w*\}")
"""A placeholder of any kind that nobody filled."""
EMPTY = re.compile(r"^[^\n「」]{1,20}[:：] *$(?!\n\S)", re.MULTILINE)
"""A label with nothing behind it, on its line or the next."""
DOUBLED = re.compile(r"[，、；：,;]{2}|[，、；]。|。。(?!。)|（）|\(\)|「[，、；]|「」|“”|\bNone\b|\bnull\b")
"""What is left where a value was missing."""
LIMIT = 10_000
"""Characters of a prompt, besides the longest material of a script."""


@dataclass(frozen=True, slots=True)
class Said:
    """A prompt as one text. ``history`` is what stands in it of the conversation."""

    asked: AskedStep
    text: str
    history: str

    @classmethod
    def of(cls, asked: AskedStep) -> Said:
        text = "\n".join(message.text for message in asked.prompt.messages)
        found = re.search(r"\n(?:【对话】|\[Conversation\])\n(.*?)(?:\n\n|\Z)", f"\n{text}", re.DOTALL)
        return cls(asked, text, found[1] if found else "")

    @property
    def task(self) -> Task:
        return self.asked.task

    @property
    def ours(self) -> str:
        """Without what people said in the conversation."""
        return self.text.replace(self.history, "")


@cache
def walked(name: str, seed: int) -> tuple[Said, ...]:
    script = shipped(name)
    visitor = Visitor(script, seed=seed, yes=0.5, prefer=("开始", "start", "接着", "对", "safe"))
    return tuple(Said.of(asked) for asked in walk(script, visitor=visitor) if asked.turn <= TURNS)


EVERY = [(name, seed) for name in SCRIPTS for seed in (1, 2, 3)]


@pytest.mark.parametrize(("name", "seed"), EVERY)
def test_nothing_is_unfilled_empty_or_doubled(name: str, seed: int) -> None:
    asked = walked(name, seed)
    assert len(asked) >= 10
    for each in asked:
        for what in (RAW, EMPTY, DOUBLED):
            found = what.search(each.ours)
            around = each.ours[max(0, found.start() - 40) : found.end() + 40] if found else ""
            assert found is None, (each.task.template, what.pattern, around)


@pytest.mark.parametrize(("name", "seed"), EVERY)
def test_every_prompt_is_bounded(name: str, seed: int) -> None:
    for each in walked(name, seed):
        assert len(each.text) - len(each.history) < LIMIT, each.task.template
        assert len(each.task.values.get("facts", "")) < 1_200
        assert len(each.task.values.get("later", "")) < 700


@pytest.mark.parametrize(("name", "seed"), EVERY)
def test_what_is_written_in_the_shape_of_a_prompt_is_read(name: str, seed: int) -> None:
    for each in walked(name, seed):
        said = parse(json.dumps(each.asked.answer, ensure_ascii=False), each.task.schema, each.task.required)
        assert said.data is not None, (each.task.template, said.problem)
        assert said.dropped == (), each.task.template


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_long_session_repeats_itself(seed: int) -> None:
    """Of all that is asked after the first call of a kind, nearly three quarters stand at the beginning of the call of
    its kind before. The firsts are a tenth of a session of fifteen turns, and have nothing to repeat."""
    sent = repeated = 0
    before: dict[str, str] = {}
    for each in walked("cbt/first_assessment", seed):
        if each.task.template in before:
            sent += len(each.text)
            repeated += _common(before[each.task.template], each.text)
        before[each.task.template] = each.text
    assert repeated / sent >= 0.74


def test_one_question_and_the_next_share_all_that_was_said() -> None:
    """And what the stretch is about, as long as it goes on; but for the turns in which old messages were dropped."""
    asked = [each for each in walked("cbt/first_assessment", 1) if each.task.template == "stretch"]
    here = [
        (one, other) for one, other in pairwise(asked) if one.task.values["content"] == other.task.values["content"]
    ]
    pairs = [(one, other) for one, other in here if other.history.startswith(one.history)]
    assert len(pairs) > len(here) * 0.7
    assert len({each.task.context.values["phase_name"] for each, _ in pairs}) > 3
    for one, other in pairs:
        assert other.text.startswith(one.text[: one.text.index(one.history) + len(one.history)])


def _common(one: str, other: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_english_session_is_asked_in_english(seed: int) -> None:
    """The script and its project. A technique's names are the same in every language."""
    names: set[str] = set()
    for skill in shipped("cbt/abc_intro_en").skills.values():
        names |= {one.var for one in skill.declare} | {one.name for one in skill.parameters}
        names |= {one.get for action in skill.actions for one in gets(action.peek("output") or [])}
    for each in walked("cbt/abc_intro_en", seed):
        if each.task.template != "risk":
            assert set(re.findall(r"[\u4e00-\u9fff]+", each.ours)) <= names, each.task.template
