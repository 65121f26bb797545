"""A reply that is acted upon while it is still being written comes to the same turn as one that came whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.minds import CALM, INTENT, ai_ask, ai_say, asked, explained, replied, sensible
from tests.engine.scripts import ask, only, say

from heartrule.engine.dialogue.fixed_wording import before_question
from heartrule.engine.session.io import Input, Needs, Turn, Words, World
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.turn import UnderWay
from heartrule.language.sentences import Sentences
from heartrule.testing.talk import Talk, shipped


class Spoken(Talk):
    """Hands the engine the head of each reply first; ``released`` is what a person would have seen on the way, by
    message number."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.released: dict[int, str] = {}
        super().__init__(*args, **more)

    def move(self, given: Input) -> Turn:
        world = World(
            script=self.script,
            state=self.state,
            variables=self.variables,
            history=tuple(self.history[-60:]),
            now=self.now,
            model=self.model is not None,
            spoken=self._spoken,
        )
        under_way, answers, whole = UnderWay(world, given), dict[str, Answer](), dict[str, Answer]()
        while isinstance(result := under_way.go_on(answers), Needs):
            if result.rest is not None:
                answer = whole[result.rest.key]
                content = str((answer.data or {}).get("content", ""))
                if result.rest.message is not None:
                    shown = before_question(content) if result.rest.statement else content.strip()
                    self.released[result.rest.message] = shown
                answers[result.rest.key] = answer
                continue
            self.asked += result.tasks
            for task in result.tasks:
                answer = self._answer(task)
                whole[task.key] = answer
                speaks = task.speaks and answer.data is not None and "content" in answer.data
                answers[task.key] = _head(task, answer.data) if speaks and answer.data else answer
        self.turn, self.state, self.variables = result, result.state, result.variables.copy()
        self.history += result.messages
        self.events += result.events
        self.said = [message.text for message in result.messages if message.sender == "ai"]
        return result


def _head(task: Task, data: Mapping[str, Any]) -> Answer:
    """What stands before the words in an answer that keeps to the schema's order."""
    before = list(task.schema["properties"])
    before = before[: before.index("content")]
    return Answer(task.key, "speaking", {name: data[name] for name in before if name in data})


def both(script: Any, model: Any, words: list[str]) -> Spoken:
    """The same talk both ways; what differs is an error."""
    whole, spoken = Talk(script, model), Spoken(script, model)
    for text in words:
        if whole.ended:
            break
        if whole.request.kind == "choice":
            whole.choose(whole.request.choices[0].value)
            spoken.choose(spoken.request.choices[0].value)
        else:
            whole.say(text)
            spoken.say(text)
        assert spoken.state.model_dump_json() == whole.state.model_dump_json()
        assert spoken.history == whole.history
        assert spoken.events == whole.events
        assert spoken.variables.cells == whole.variables.cells
    said = {message.number: message.text for message in spoken.history}
    for number, shown in spoken.released.items():
        assert said.get(number, "").startswith(shown), (number, shown, said.get(number))
    return spoken


CONTENTS = ["嗯，听着很累。", "嗯。那是从什么时候开始的？", "什么时候？嗯。", "", "好。\n慢慢说。", "是吗？是吗？"]
ACTIONS = [
    ai_ask("了解近况", "近况", question="最近怎样？"),
    ai_ask("了解睡眠", "睡眠", fallback="睡得怎样？"),
    ask("几点睡？", {"get": "几点", "type": "integer"}),
    ai_say("讲讲睡眠", max_rounds=3),
    ai_say("讲完了。"),
    ai_say("再说一句。", require_acknowledgment=False),
    say("好。"),
]


@settings(deadline=None)
@given(st.data())
def test_what_comes_in_parts_comes_to_the_same(data: st.DataObject) -> None:
    actions = data.draw(st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=5))
    told = data.draw(
        st.lists(st.tuples(st.sampled_from(CONTENTS), st.sampled_from(["YES", "NO"])), min_size=3, max_size=8)
    )
    values = {"近况": {"value": "很累", "evidence": "很累"}, "几点": {"value": 2, "evidence": "2"}}

    def model(task: Task) -> Any:
        content, wish = told[len(task.context.history) % len(told)]
        match task.template:
            case "risk":
                return CALM
            case "ai_ask":
                return asked(content, wish, values=values)
            case "ask":
                return replied(wish == "YES", content, values=values)
            case "ai_say":
                return explained(90, False, True, wish == "YES", content=content)
            case _:
                return {"content": content}

    words = data.draw(st.lists(st.sampled_from(["很累", "2点", "跳过", "不知道", INTENT["zh"], "嗯"]), max_size=6))
    both(only(*actions), model, words)


@pytest.mark.parametrize("script", ["cbt/first_assessment", "cbt/abc_intro"])
def test_the_shipped_scripts_too(script: str) -> None:
    talk = both(shipped(script), sensible, ["就是心情不好，睡不着", "两周了", "5", "有", "没有", "还好", "嗯"] * 8)
    assert talk.released


@given(st.lists(st.text(alphabet='好嗯a。！？!?.…；,， \n”）"b', max_size=12), max_size=8))
def test_of_the_beginning_it_is_the_beginning(parts: list[str]) -> None:
    sentences, shown, so_far = Sentences(), "", ""
    for part in parts:
        for sentence in sentences.feed(part):
            so_far += sentence
            now = before_question(so_far.rstrip())
            assert now.startswith(shown)
            shown = now
    assert before_question("".join(parts)).startswith(shown)


def test_words_are_asked_for_with_the_number_they_will_have() -> None:
    talk = Spoken(
        only(ai_ask("了解近况", "近况", question="最近怎样？")), {"risk": CALM, "ai_ask": asked("嗯，再说说？")}
    )
    talk.say("很累")
    assert talk.released == {3: "嗯，再说说？"}
    assert talk.history[2].text == "嗯，再说说？"
    assert Words("很累").text == "很累"
