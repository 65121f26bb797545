"""Time limits of actions: what strikes when, what does not, and what is left behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.engine.scripts import ask, check, faults, only, phase, say, script, skill, spoken, topic, topics, use

from heartrule.engine.session.io import Input
from heartrule.testing.talk import START, Talk, compile_text


def timed(how: str | None = None, limit: str = "3m", **more: Any) -> dict[str, Any]:
    return ask("在吗？", "x", timeout=limit, id="q", **({"on_timeout": how} if how else {}), **more)


def outcomes(talk: Talk) -> list[str]:
    return [event.outcome for event in talk.happened("marker") if event.edge == "after"]


@pytest.mark.parametrize(
    ("limit", "length"),
    [("30s", timedelta(seconds=30)), ("3m", timedelta(minutes=3)), ("2h", timedelta(hours=2))],
)
def test_a_limit_counts_from_display(limit: str, length: timedelta) -> None:
    talk = Talk(only(timed(limit=limit)))
    assert talk.turn.wake_at == START + length


def test_without_a_limit_nobody_is_woken() -> None:
    assert Talk(only(ask("在吗？", "x"))).turn.wake_at is None


@pytest.mark.parametrize("how", [None, "continue"])
def test_continue_goes_to_the_next_action_and_leaves_this_one_unfinished(how: str | None) -> None:
    talk = Talk(script(phase("P", topic("甲", timed(how), ask("那下一个？", "y")), topic("乙", ask("完？", "z")))))
    talk.wait(minutes=3)
    assert talk.said == ["那下一个？"]
    assert outcomes(talk) == ["timeout"]
    check(talk)
    talk.say("好")
    completed = next(event for event in talk.happened("topic") if event.state == "completed")
    assert completed.unfinished == ["q"]


def test_retry_says_it_once_more_and_then_waits() -> None:
    talk = Talk(only(timed("retry"), say("完")))
    talk.wait(minutes=3)
    assert talk.said == ["在吗？"]
    assert talk.turn.wake_at is None
    check(talk)
    assert talk.wait(hours=5) == []
    talk.move(Input("timer"))
    assert talk.said == []
    talk.say("在")
    assert talk.said[-1] == "完"
    assert talk.value("x") is None or talk.value("x") == "在"
    assert outcomes(talk)[0] == "completed"


def test_retry_offers_the_choices_again() -> None:
    action = {
        "type": "user_option",
        "var": "x",
        "choices": [{"value": "A", "label": "甲"}],
        "timeout": "1m",
        "on_timeout": "retry",
    }
    talk = Talk(only(action))
    talk.wait(minutes=1)
    assert [choice.value for choice in talk.request.choices] == ["A"]
    talk.choose("A")
    assert talk.ended


def test_skip_leaves_the_topic() -> None:
    talk = Talk(script(phase("P", topic("甲", timed("skip"), say("后")), topic("乙", ask("乙？", "y")))))
    talk.wait(minutes=4)
    assert talk.said == ["乙？"]
    assert topics(talk, "skipped") == ["甲"]
    assert "后" not in spoken(talk)
    check(talk)


def test_skip_of_a_technique_goes_back_to_its_caller() -> None:
    talk = Talk(only(use("技"), say("后"), ask("？", "z"), skills=[skill("技", timed("skip"), say("技后"))]))
    talk.wait(minutes=4)
    assert "后" in talk.said
    assert "技后" not in talk.said
    check(talk)


def test_skip_of_an_instance_goes_on_with_items_that_appeared() -> None:
    each = {"in": "家人", "as": "成员", "key": "称呼"}
    grown = {"type": "set_var", "var": "家人", "value": [{"称呼": "妈妈"}, {"称呼": "爸爸"}]}
    talk = Talk(
        script(
            phase("P", topic("每人", grown, ask("{成员.称呼}？", "x", timeout="1m", on_timeout="skip"), for_each=each)),
            declare=[{"var": "家人", "value": [{"称呼": "妈妈"}]}],
        )
    )
    talk.wait(minutes=1)
    assert talk.said == ["爸爸？"]


def test_end_ends_the_session() -> None:
    talk = Talk(script(phase("P", topic("甲", timed("end"), say("后")), topic("乙"))))
    talk.wait(minutes=4)
    assert talk.ended
    assert talk.state.end_reason == "timeout"
    assert len(talk.said) == 1, "nobody is left without a word"
    assert talk.turn.wake_at is None
    check(talk)


@pytest.mark.parametrize(("locale", "word"), [("zh-CN", "照顾好自己"), ("en", "Take care of yourself")])
@pytest.mark.parametrize("model", [None, {}], ids=["no model", "a model that fails"])
def test_end_says_goodbye_in_the_language_of_the_session(locale: str, word: str, model: Any) -> None:
    talk = Talk(only(timed("end"), locale=locale), model)
    (goodbye,) = talk.wait(minutes=4)
    assert word in goodbye
    assert not goodbye.endswith(("?", "？"))


def test_end_says_goodbye_in_the_scheme_s_words() -> None:
    own = {"prompts/own/spoken.yaml": "timed_out: 下次见。\n"}
    text = """
sessions:
  - session: 谈话
    template_scheme: own
    phases:
      - phase: P
        steps:
          - topic: T
            actions: [{type: ask, content: 在吗？, timeout: 3m, on_timeout: end}]
"""
    assert Talk(compile_text(text, files=own)).wait(minutes=4) == ["下次见。"]


def test_end_out_of_a_technique_skips_its_suspended_caller_with_a_cause() -> None:
    talk = Talk(only(use("技"), say("后"), skills=[skill("技", timed("end"))]))
    talk.wait(minutes=4)
    assert talk.ended
    assert set(topics(talk, "skipped")) == {"T", "技"}
    assert all(event.cause for event in talk.happened("topic") if event.state == "skipped")
    check(talk)


def test_an_early_timer_changes_nothing() -> None:
    talk = Talk(only(timed()))
    before = talk.state.model_dump(exclude={"seq"})
    talk.now += timedelta(minutes=2, seconds=59)
    turn = talk.move(Input("timer"))
    assert talk.state.model_dump(exclude={"seq"}) == before
    assert turn.events == ()
    assert turn.messages == ()
    assert turn.wake_at == START + timedelta(minutes=3)


def test_a_late_timer_changes_nothing() -> None:
    talk = Talk(only(timed(), ask("下一个？", "y", timeout="10m"), ask("再下？", "z")))
    talk.say("在", seconds=10)
    before = talk.state.model_dump(exclude={"seq"})
    talk.now = START + timedelta(minutes=3)
    turn = talk.move(Input("timer"))
    assert talk.state.model_dump(exclude={"seq"}) == before
    assert turn.messages == ()
    talk.say("好")
    turn = talk.move(Input("timer"))
    assert turn.messages == ()
    assert turn.wake_at is None


def test_a_timer_after_the_end_changes_nothing() -> None:
    talk = Talk(only(timed()))
    talk.say("在")
    assert talk.ended
    turn = talk.move(Input("timer"))
    assert (turn.messages, turn.events) == ((), ())


def test_two_timers_strike_once() -> None:
    talk = Talk(only(timed(), ask("下一个？", "y")))
    talk.wait(minutes=3)
    assert talk.said == ["下一个？"]
    turn = talk.move(Input("timer"))
    assert turn.messages == ()


def test_asking_again_counts_anew() -> None:
    talk = Talk(only(ask("几分？", {"get": "x", "type": "integer"}, timeout="3m")))
    talk.say("说不好", seconds=100)
    assert talk.turn.wake_at == START + timedelta(seconds=100) + timedelta(minutes=3)


def test_the_limit_rests_while_its_topic_is_suspended() -> None:
    talk = Talk(only(timed("end"), say("后")))
    talk.say("我不想活了", seconds=60)
    assert talk.state.suspended
    assert talk.turn.wake_at is None
    talk.wait(hours=1)
    talk.move(Input("timer"))
    assert not talk.ended
    assert talk.state.suspended
    check(talk)


def test_the_limit_counts_again_when_its_topic_comes_back() -> None:
    talk = Talk(only(timed("continue"), ask("下一个？", "y")))
    talk.say("我不想活了")
    for _ in range(40):
        if not talk.state.suspended:
            break
        values = [choice.value for choice in talk.request.choices]
        if values:
            talk.choose(next(each for each in ("safe", "go_on", values[-1]) if each in values))
        else:
            talk.say("没有")
    assert not talk.state.suspended
    assert not talk.ended
    assert talk.at == "q"
    assert talk.turn.wake_at == talk.now + timedelta(minutes=3)
    talk.wait(minutes=3)
    assert talk.said[-1].endswith("下一个？")
    check(talk)


def test_time_that_passes_does_not_make_a_session_wake_by_itself() -> None:
    talk = Talk(only(ask("在吗？", "x")))
    talk.now += timedelta(days=30)
    turn = talk.move(Input("timer"))
    assert turn.messages == ()
    assert not faults(talk)
    talk.say("在的")
    assert talk.ended
