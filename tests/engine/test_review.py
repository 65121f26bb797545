"""``review: true``: a draft is seen by a second reader first; and what was held back is written down."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, ai_ask, ai_say, asked, replied
from tests.engine.scripts import ask, only

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.testing.talk import Talk

DRAFT, BETTER = "你这就是抑郁症。怎么了？", "听着不容易。怎么了？"
GOOD, BAD = {"ok": True, "reason": ""}, {"ok": False, "reason": "不下诊断"}
OWN = "再多说一点好吗？"


def talk_of(*reviews: Any, **answers: Any) -> Talk:
    model = {"risk": CALM, "ai_ask": [asked(DRAFT), asked(BETTER)], "review": list(reviews), **answers}
    action = ai_ask("了解近况", "近况", question="最近怎样？", fallback=OWN, review=True, max_rounds=4)
    talk = Talk(only(action), model)
    talk.say("很累")
    return talk


def reviews(talk: Talk) -> list[Task]:
    return [task for task in talk.asked if task.template == "review"]


def blocked(talk: Talk) -> list[tuple[str, str]]:
    return [(event.check, event.reason) for event in talk.happened("blocked")]


def test_a_draft_that_passes_is_shown() -> None:
    talk = talk_of(GOOD)
    assert talk.said == [DRAFT]
    assert blocked(talk) == []
    (task,) = reviews(talk)
    assert task.values["draft"] == DRAFT
    assert "了解近况" in task.values["instructions"]


def test_a_draft_that_does_not_is_written_once_more_with_the_reason() -> None:
    talk = talk_of(BAD, GOOD)
    assert talk.said == [BETTER]
    assert blocked(talk) == [("review", "不下诊断")]
    again = [task for task in talk.asked if task.template == "ai_ask"][1]
    assert again.values["monitor_feedback"] == "不下诊断"


def test_after_two_bad_drafts_the_script_speaks_itself() -> None:
    talk = talk_of(BAD, BAD)
    assert DRAFT not in talk.said[0]
    assert BETTER not in talk.said[0]
    assert talk.said[0].endswith("？")
    assert len(reviews(talk)) == 2


def test_a_draft_that_nobody_could_review_is_not_shown() -> None:
    talk = talk_of(None)
    assert DRAFT not in talk.said[0]
    assert blocked(talk) == [("review", "unanswered")]
    assert len([task for task in talk.asked if task.template == "ai_ask"]) == 1


def test_what_the_first_answer_decided_stands() -> None:
    values = {"近况": {"value": "很累", "evidence": "很累"}}
    first = asked("你有病。", "YES", values=values)
    talk = talk_of(BAD, GOOD, ai_ask=[first, asked("好，我听到了。")])
    assert talk.ended
    assert talk.said == ["好，我听到了。"]


@pytest.mark.parametrize(
    ("action", "answers"),
    [
        (ask("几点睡？", {"get": "几点", "type": "integer"}, review=True), {"ask": replied(False, "怎么会。几点睡？")}),
        (ai_say("讲讲睡眠", max_rounds=3, review=True), {"ai_say_open": {"content": "睡眠像充电。"}}),
        (ai_ask("了解近况", "近况", review=True), {"ai_ask_open": {"content": "最近怎样？"}}),
    ],
)
def test_every_action_that_speaks_is_reviewed(action: dict[str, Any], answers: dict[str, Any]) -> None:
    talk = Talk(only(action), {"risk": CALM, "review": GOOD, **answers})
    if not reviews(talk):
        talk.say("嗯")
    assert len(reviews(talk)) == 1
    assert not any(task.speaks for task in talk.asked if task.template in answers)


def test_what_the_output_checks_held_back_is_written_down() -> None:
    attempt = Attempt(1, "rejected", "不下诊断", code="check:diagnosis")

    class Held(Talk):
        def _answer(self, task: Task) -> Answer:
            answer = super()._answer(task)
            return Answer(answer.key, answer.status, answer.data, (attempt,)) if task.template == "ai_ask" else answer

    talk = Held(only(ai_ask("了解近况", "近况", question="最近怎样？")), {"risk": CALM, "ai_ask": asked("")})
    talk.say("很累")
    assert blocked(talk) == [("diagnosis", "不下诊断")]
