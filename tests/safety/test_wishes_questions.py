"""Which questions the talk about wishes puts, and what an answer answers (decision 0184)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.safety.test_wishes import NUMBERS, TEXTS, Mind, answered, hold, running, said, until

from heartrule.engine.session.tasks import Task

__all__ = ["said"]


def test_without_a_way_or_intent_no_plan_is_asked_for_and_who_never_tried_did_not_lately(said: dict[str, str]) -> None:
    """Seven of eight dialogues counted too many questions. What is told of either counts all the same."""
    talk, asked = hold(said, suicidal_thoughts="yes"), []
    while running(talk) == "explore_wishes" and len(asked) < 20:
        asked.append(talk.said[-1].rstrip("?"))
        talk.say(said["yes"] if asked[-1] == "suicidal_thoughts" else said["no"])
    assert {"method_thought", "suicidal_intent", "tried_ever", "means_at_hand", "thoughts_now"} <= set(asked)
    assert not {"suicidal_plan", "harm_lately"} & set(asked)


def test_with_thoughts_told_what_nobody_can_tell_of_this_moment_has_numbers_at_once(said: dict[str, str]) -> None:
    """A played dialogue: "I leave it at that, I won't press you", and two turns later the same question again."""

    class CannotTell(Mind):
        def _stretch(self, task: Task) -> Any:
            asked = self.asking
            made = super()._stretch(task)
            vague = asked == "thoughts_now" and task.context.history[-1].text == said["vague"]
            return made | {"unknown": ["thoughts_now"], "values": {}} if vague else made

    talk = hold(said, CannotTell(TEXTS | {"suicidal_thoughts": "yes"}))
    until(talk, "thoughts_now")
    talk.say(said["vague"])
    words = answered(talk, said)
    assert sum(NUMBERS[said["suffix"]] in each for each in words) == 1
    assert "thoughts_now?" not in words
    assert [event.to for event in talk.happened("escalated")] == ["desk"]
    assert talk.value("thoughts_now") is None, "not ruled out"


@pytest.mark.parametrize("name", ["suicidal_thoughts", "wish_dead", "tried_ever"])
def test_a_mere_no_to_a_way_clears_no_thoughts(said: dict[str, str], name: str) -> None:
    """A played dialogue: thoughts were joked away four times; "no, really not" to a way was taken for a no to them, and
    the report said that there were none."""

    class Eager(Mind):
        def _found(self, name: str, task: Task) -> dict[str, Any]:
            found = super()._found(name, task) if name == "method_thought" else {}
            words = task.context.history[-1].text
            return found | (dict.fromkeys(names, (False, words)) if name == "method_thought" else {})

        def _stretch(self, task: Task) -> Any:
            made = super()._stretch(task)
            if self.asking != "method_thought" and not task.values.get("opening") and not self.asked_for_a_way:
                self.asking, self.asked_for_a_way = "method_thought", True
                return made | {"asks": "method_thought", "content": "method_thought?"}
            return made

        asked_for_a_way = False

    names = [name]
    talk = hold(said, Eager(TEXTS))
    talk.say(said["vague"])
    assert talk.said == ["method_thought?"]
    before = talk.value(name)
    talk.say(said["no"])
    assert talk.value("method_thought") is False
    assert talk.value(name) == before


REST = {"": "今天到这里也行", "_en": "We can leave it here for today"}


@pytest.mark.parametrize("near", [False, True])
def test_behind_danger_near_leaving_is_offered_beside_the_question_of_before(said: dict[str, str], near: bool) -> None:
    """A played dialogue: the opening question again, as if nothing had been said, and he left."""
    talk = hold(said, **({"suicidal_thoughts": "yes", "method_thought": "yes"} if near else {}))
    answered(talk, said, *(("suicidal_thoughts", "method_thought") if near else ()))
    words = "\n".join(talk.said)
    for _ in range(4):
        if running(talk) == "questions":
            break
        talk.say(said["no"])
        words += "\n".join(talk.said)
    assert running(talk) == "questions"
    assert (REST[said["suffix"]] in words) is near
