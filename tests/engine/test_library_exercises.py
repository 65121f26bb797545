"""The exercises that are shipped: each done to its end and stopped half-way, in both languages, with and without a
model, and called from a session that listens for who wants to leave."""

from __future__ import annotations

import pytest
from tests.engine.adapting import NO_DANGER

from heartrule.engine.session.io import FormAnswers, Input
from heartrule.testing.talk import Talk, compile_text, shipped

LANGUAGES = ("cbt/exercises", "cbt/exercises_en")
CHOICES = {
    "cbt/exercises": ["呼吸", "此刻", "放松", "实验", "结束"],
    "cbt/exercises_en": ["breathing", "senses", "relaxing", "trying", "end"],
}
NOW = {"cbt/exercises": ("现在", "改天"), "cbt/exercises_en": ("now", "later")}
STOP = {"cbt/exercises": "停下来吧", "cbt/exercises_en": "stop please"}
DANGER = {"cbt/exercises": "我不想活了，想自杀", "cbt/exercises_en": "I want to kill myself"}
SAID = {"cbt/exercises": "肩膀这里松了", "cbt/exercises_en": "my shoulders are looser"}
STEPS = 80


def offered(held: Talk) -> list[str]:
    return [choice.value for choice in held.request.choices]


def do(held: Talk, language: str, *, numbers: str = "5", later: bool = False) -> None:
    """Go on with whatever waits, as somebody who does the exercise, until the choice is there again."""
    for _ in range(STEPS):
        choices = offered(held)
        if held.ended or choices == CHOICES[language]:
            return
        if held.turn.wake_at is not None:
            held.wait(seconds=(held.turn.wake_at - held.now).total_seconds())
        elif "done" in choices:
            held.choose("done")
        elif choices == list(NOW[language]):
            held.choose(NOW[language][later])
        else:
            held.say(numbers if "0" in held.said[-1] and "10" in held.said[-1] else SAID[language])
    raise AssertionError("the exercise does not come to its end")


@pytest.mark.parametrize("model", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exercise_is_done_to_its_end(language: str, model: bool) -> None:
    held = Talk(shipped(language), {"risk": NO_DANGER} if model else None)
    assert offered(held) == CHOICES[language]
    for choice in CHOICES[language][:-1]:
        held.choose(choice)
        do(held, language)
        assert offered(held) == CHOICES[language]
    held.choose(CHOICES[language][-1])
    assert held.at == "ex_feedback"
    assert held.request.form is not None
    held.move(Input("form_cancel", form=FormAnswers(held.request.form.key, {})))
    assert held.ended
    guides = [event for event in held.happened("marker") if (event.type, event.edge) == ("ai_guide", "after")]
    assert [event.outcome for event in guides] == ["completed"] * 4
    kinds = {media.kind for message in held.history for media in message.media}
    assert {"pacer", "chart"} <= kinds
    assert not held.happened("fault")
    assert not [event for event in held.happened("topic") if event.unfinished]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_experiment_for_another_day_is_noted_down(language: str) -> None:
    held = Talk(shipped(language))
    held.choose(CHOICES[language][3])
    do(held, language, later=True)
    (card,) = [media for message in held.history for media in message.media]
    assert card.kind == "card"
    assert len(card.data["items"]) == 4
    assert any(SAID[language] in item for item in card.data["items"])


@pytest.mark.parametrize("by_word", [False, True])
@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exercise_stops_at_its_second_step_and_the_session_goes_on(language: str, at: int, by_word: bool) -> None:
    held = Talk(shipped(language))
    held.choose(CHOICES[language][at])
    for _ in range(STEPS):
        if "stop" in offered(held):
            break
        choices = offered(held)
        held.choose(NOW[language][0]) if choices else held.say("5" if "10" in held.said[-1] else SAID[language])
    held.choose("done")
    before = len(held.history)
    held.say(STOP[language]) if by_word else held.choose("stop")
    assert len(held.history) > before
    do(held, language)
    guides = [event for event in held.happened("marker") if (event.type, event.edge) == ("ai_guide", "after")]
    assert [event.outcome for event in guides] == ["stopped"]
    assert offered(held) == CHOICES[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_danger_in_the_middle_of_a_breath_comes_first(language: str) -> None:
    held = Talk(shipped(language))
    held.choose(CHOICES[language][0])
    held.say("7")
    held.choose("done")
    held.say(DANGER[language])
    assert held.state.running is not None
    assert held.state.running.project == "safety"


CALLED = """
sessions:
  - session: 谈
    awareness: [cbt/wants_to_stop, cbt/fatigue, cbt/resistance]
    phases:
      - phase: 一
        steps:
          - topic: 练习
            actions:
              - {type: use_skill, skill: cbt/grounding}
              - {type: ask, id: after, content: 现在怎么样？}
"""


@pytest.mark.parametrize("words", ["停", "停下练习", "我不想做了", "不做了", "够了"])
def test_to_stop_an_exercise_is_not_to_leave_the_session(words: str) -> None:
    held = Talk(compile_text(CALLED))
    held.choose("done")
    said = held.say(words)
    assert said[0] == "好，停在这里。你在这儿，我也在这儿。"
    assert held.at == "after"
