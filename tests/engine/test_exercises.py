"""``ai_guide``: step by step to its end, stopped at any moment, with its own time, behind whatever is more urgent."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.engine.adapting import NO_DANGER

from heartrule.engine.session.io import Input, Who, Words
from heartrule.engine.session.state import State
from heartrule.parsing.exercises import meant
from heartrule.testing.talk import Talk

STEPS = """
                  - {say: 坐好。}
                  - {say: 跟着呼吸。, wait: 30s, pacer: {in: 4, hold: 2, out: 6}}
                  - {say: 看到了什么？, wait: reply}
                  - {say: 再呼吸一次。, wait: 20s}
"""
SCRIPT = f"""
sessions:
  - session: 练习
    phases:
      - phase: 一
        steps:
          - topic: 呼吸
            actions:
              - type: ai_guide
                id: breath
                exercise: 呼吸
                exercise_steps: {STEPS}
                on_stop: 好，停在这里。
              - {{type: ask, id: after, content: 现在怎么样？}}
"""
HEARD = "我听到了。我们接着做，不急；想停，说“停”就可以。", "嗯，我听到了。接着来，随时可以停。"


def at(step: int) -> Talk:
    held = Talk(SCRIPT)
    if step > 0:
        held.choose("done")
    if step > 1:
        held.wait(seconds=30)
    if step > 2:
        held.say("桌子")
    return held


def test_it_goes_from_step_to_step_to_its_end() -> None:
    held = Talk(SCRIPT)
    assert held.said == ["坐好。"]
    assert held.request.kind == "press"
    assert [choice.value for choice in held.request.choices] == ["done", "stop"]
    assert held.choose("done") == ["跟着呼吸。"]
    assert held.turn.wake_at == held.now + timedelta(seconds=30)
    assert [choice.value for choice in held.request.choices] == ["stop"]
    (pacer,) = held.history[-1].media
    assert (pacer.kind, pacer.data) == ("pacer", {"in": 4, "hold": 2, "out": 6, "rest": 0, "seconds": 30.0})
    assert held.wait(seconds=29) == []
    assert held.wait(seconds=1) == ["看到了什么？"]
    assert held.turn.wake_at is None
    assert "再呼吸一次。" in held.say("桌子")[0]
    assert held.said[0] != "再呼吸一次。"
    assert held.wait(seconds=20) == ["现在怎么样？"]
    ended = [event for event in held.happened("marker") if (event.edge, event.action) == ("after", "breath")]
    assert [event.outcome for event in ended] == ["completed"]
    assert not held.happened("fault")


STOPS = [
    "停",
    "停下来吧",
    "我不想做了",
    "不做了",
    "够了",
    "先停一下",
    "嗯……停止",
    "stop",
    "I want to stop please",
    "Enough.",
]


@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize("words", [None, *STOPS[:3], "stop"])
def test_it_stops_at_any_moment_by_button_or_word(step: int, words: str | None) -> None:
    held = at(step)
    said = held.choose("stop") if words is None else held.say(words)
    assert said == ["好，停在这里。", "现在怎么样？"]
    assert held.at == "after"
    assert held.turn.wake_at is None
    assert [event.outcome for event in held.happened("marker") if event.edge == "after"] == ["stopped"]


@pytest.mark.parametrize("words", STOPS)
def test_words_that_stop(words: str) -> None:
    assert meant(words) == "stop"


@pytest.mark.parametrize("words", ["好了", "做完了", "下一步", "继续", "ok", "done", "I'm ready"])
def test_words_that_go_on(words: str) -> None:
    assert meant(words) == "ready"
    assert at(0).say(words) == ["跟着呼吸。"]
    assert at(1).say(words) == ["看到了什么？"]


@pytest.mark.parametrize(
    "words",
    [
        "我停不下来",
        "我不想上班了",
        "他让我停下",
        "我做完了作业就去睡",
        "停电了",
        "I can't stop crying",
        "不知道",
        "我想停药",
        "x" * 60_000,
    ],
)
def test_words_that_mean_something_else(words: str) -> None:
    assert meant(words) is None
    held = at(3 if words == "不知道" else 2)
    assert "好，停在这里。" not in held.say(words)


def test_without_words_for_it_the_scheme_says_that_it_stops() -> None:
    held = Talk(SCRIPT.replace("                on_stop: 好，停在这里。\n", ""))
    assert held.choose("stop")[0].startswith("好，就停在这里")
    english = Talk(
        SCRIPT.replace("session: 练习", "session: 练习\n    locale: en").replace("on_stop: 好，停在这里。", "")
    )
    assert english.request.choices[1].label == "Stop the exercise"
    assert english.say("stop")[0].startswith("All right, we stop here")


@pytest.mark.parametrize("step", [0, 1, 3])
def test_words_that_nothing_asked_for_are_heard_and_the_step_waits_as_before(step: int) -> None:
    held = at(step)
    before, due = held.request, held.turn.wake_at
    assert held.say("我有点头晕", seconds=5)[0] in HEARD
    assert held.request == before
    assert held.turn.wake_at == due
    assert (due is None) == (step == 0)
    assert [media.kind for media in held.history[-1].media] == (["pacer"] if step == 1 else [])


def test_who_speaks_on_when_the_time_is_up_goes_on() -> None:
    held = at(1)
    held.say("我有点头晕", seconds=20)
    (pacer,) = held.history[-1].media
    assert pacer.data["seconds"] == 10.0
    assert held.say("好像好一点", seconds=20) == ["看到了什么？"]


def test_asked_again_it_says_the_step_again() -> None:
    held = at(1)
    assert held.say("再说一遍") == ["跟着呼吸。"]
    assert held.say("跳过") == ["看到了什么？"]


def test_time_that_ran_out_before_words_were_sent_does_not_make_them_late() -> None:
    held = at(1)
    seen = held.state.messages
    held.wait(seconds=30)
    assert held.say("停", after=seen) == ["好，停在这里。", "现在怎么样？"]
    held = at(1)
    seen = held.state.messages
    held.wait(seconds=30)
    assert held.choose("stop", after=seen) == ["好，停在这里。", "现在怎么样？"]


def test_who_says_stop_is_never_too_late() -> None:
    held = at(2)
    seen = held.state.messages
    held.say("桌子", after=seen)
    assert held.say("还有椅子", after=seen) == []
    assert held.say("停", after=seen) == ["好，停在这里。", "现在怎么样？"]


def test_a_time_that_comes_twice_or_too_early_moves_nothing() -> None:
    held = at(1)
    held.move(Input("timer"))
    assert held.said == []
    held.wait(seconds=30)
    held.move(Input("timer"))
    assert held.said == []
    assert held.at == "breath"


@pytest.mark.parametrize("step", range(4))
def test_danger_comes_first_and_the_exercise_waits_with_all_of_its_time(step: int) -> None:
    held = at(step)
    held.say("我不想活了，想自杀")
    assert held.state.running is not None
    assert held.state.running.ref.startswith("safety/")
    assert held.turn.wake_at is None or step == 99
    frame = held.state.suspended[0].action
    assert frame is not None
    assert frame.wait is not None
    assert frame.wait.due is None


def test_after_an_interruption_the_step_begins_again() -> None:
    held = at(1)
    held.say("我该不该吃药")
    assert held.at == "breath"
    assert held.said[-1].endswith("跟着呼吸。")
    assert held.turn.wake_at == held.now + timedelta(seconds=30)
    assert [media.kind for media in held.history[-1].media] == ["pacer"]


def test_it_rests_while_a_counsellor_speaks() -> None:
    held = at(1)
    held.move(Input("takeover", who=Who("c1", "林老师")))
    held.wait(seconds=40)
    assert held.said == []
    held.move(Input("hand_back", words=(Words("好"),), who=Who("c1", "林老师")))
    assert held.at == "breath"


def test_its_place_is_kept_in_the_state() -> None:
    held = at(1)
    held.state = State.model_validate_json(held.state.model_dump_json())
    assert held.wait(seconds=30) == ["看到了什么？"]


def test_the_usual_timeout_is_for_the_steps_that_wait_for_the_person() -> None:
    held = Talk(SCRIPT.replace("exercise: 呼吸", "exercise: 呼吸\n                timeout: 5m"))
    assert held.turn.wake_at == held.now + timedelta(minutes=5)
    held.choose("done")
    assert held.turn.wake_at == held.now + timedelta(seconds=30)
    held.wait(seconds=30)
    assert held.turn.wake_at == held.now + timedelta(minutes=5)
    assert held.wait(minutes=5) == ["现在怎么样？"]


def test_it_asks_no_model() -> None:
    held = Talk(SCRIPT, {"risk": NO_DANGER})
    held.choose("done")
    held.wait(seconds=30)
    held.say("桌子")
    assert [task.template for task in held.asked if task.template not in ("risk", "perceive")] == []
    assert held.say("停")[0] == "好，停在这里。"
