"""Who asks for a diagnosis or about medicine: a model answers where there is one, else fixed words do."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM

from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: {locale}
    id: talk
    locale: {locale}
    phases:
      - phase: one
        id: one
        steps:
          - topic: sleep
            id: sleep
            actions:
              - {{type: ask, id: mood, content: "1?", output: [{{get: mood, type: text}}]}}
              - {{type: ask, id: rest, content: "2?", output: [{{get: rest, type: text}}]}}
"""
ASKED = {"zh-CN": "四点就醒，这样算不算抑郁症啊？", "en": "I wake at four, do I have depression?"}
FIXED = {"zh-CN": "我不能说", "en": "I cannot say"}
ANSWER = "………… such changes have several causes"


@pytest.mark.parametrize("answers", [True, False], ids=["a model", "a model that fails"])
@pytest.mark.parametrize("locale", ASKED)
def test_the_question_is_answered_and_the_talk_goes_on(locale: str, answers: bool) -> None:
    def mind(task: Task) -> Any:
        if task.template == "risk":
            return CALM
        return {"content": ANSWER} if answers and task.template == "ai_say_open" else None

    talk = Talk(SCRIPT.format(locale=locale), mind)
    talk.say(ASKED[locale])
    said = "\n".join(talk.said)
    assert (ANSWER in said, FIXED[locale] in said) == (answers, not answers)
    assert talk.said[-1].endswith(("1?", "2?"))
