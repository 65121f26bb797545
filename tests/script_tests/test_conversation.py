"""The engine held without people: what is lost is told, and time that goes wrong comes to an end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.script_tests.material import SCRIPT, case_of, hello

from heartrule.engine.session.io import Input
from heartrule.engine.session.variables import SESSION, Value
from heartrule.script_tests.case_run import run
from heartrule.script_tests.conversation import _TIMERS, Conversation, Lost
from heartrule.testing.talk import compile_text

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def begun(text: str = SCRIPT) -> Conversation:
    held = Conversation(compile_text(text), None, NOON)
    held.move(Input("start"))
    return held


@pytest.mark.parametrize("value", [{1, 2}, (1, 2), {1: "a"}, b"a"])
def test_a_value_that_does_not_come_back_is_lost(value: object) -> None:
    held = begun()
    held.variables.put(SESSION, "强度", Value(value, "list", NOON, "test", "session", "set"))
    with pytest.raises(Lost) as caught:
        held.reconnect()
    assert caught.value.what == "强度"


def test_a_state_that_does_not_come_back_is_lost() -> None:
    held = begun()
    assert held.state.running is not None
    assert held.state.running.action is not None
    held.state.running.action.kept.root["own"] = {"kept": (1, 2)}
    with pytest.raises(Lost) as caught:
        held.reconnect()
    assert caught.value.what == "state"


def test_what_is_lost_fails_the_case(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(self: Conversation) -> None:
        raise Lost("强度")

    monkeypatch.setattr(Conversation, "reconnect", lost)
    found = run(case_of("- reconnect\n- say: 小林"), hello())
    assert found.fault == ("lost", "强度")
    assert len(found.took) == 2


def test_a_script_that_times_out_for_ever_comes_to_an_end() -> None:
    timed = "timeout: 1s\n                on_timeout: retry\n                id: ask_name"
    held = begun(SCRIPT.replace("id: ask_name", timed))
    turns = held.state.seq
    held.wait(timedelta(hours=10))
    assert turns < held.state.seq <= turns + _TIMERS
    assert held.now == NOON + timedelta(hours=10)


def test_timers_strike_in_their_moment() -> None:
    held = begun()
    held.say(["小林"])
    held.wait(timedelta(hours=2))
    assert held.state.running is not None
    assert held.state.running.ref == "choose"
    assert held.state.running.action is not None
    assert held.state.running.action.entered_at == NOON + timedelta(minutes=30)


TIMED = SCRIPT.replace(
    "timeout: 30m\n                on_timeout: continue", "timeout: 30s\n                on_timeout: skip"
)


@pytest.mark.parametrize(
    ("turns", "held_there"),
    [
        ("- say: 小林\n- say: 三分", True),
        ("- say: 小林\n- wait: 9s\n- say: 三分", True),
        ("- say: 小林\n- wait: 11s\n- say: 三分", False),
        ("- say: 小林\n- wait: 1s\n- reconnect\n- say: 三分", False),
        ("- say: 小林\n- reconnect\n- reconnect\n- say: 三分", False),
    ],
)
def test_what_comes_due_while_the_person_thinks_strikes_first(turns: str, held_there: bool) -> None:
    expect = "set: {强度: 3}" if held_there else "unset: 强度, at: choose"
    found = run(case_of(f"{turns}\n  expect: {{{expect}}}"), compile_text(TIMED))
    assert found.passed, found.outcomes


@pytest.mark.parametrize(
    ("turns", "at"),
    [
        ("- pause\n- wait: 3h", "score"),
        ("- pause\n- wait: 3h\n- resume", "score"),
        ("- pause\n- wait: 3h\n- reconnect", "score"),
        ("- pause\n- wait: 3h\n- resume\n- wait: 1s", "score"),
        ("- wait: 4s\n- pause\n- wait: 3h\n- resume\n- wait: 5s", "score"),
        ("- wait: 4s\n- pause\n- wait: 3h\n- resume\n- wait: 7s", "choose"),
        ("- pause\n- wait: 3h\n- resume\n- wait: 40s", "choose"),
    ],
)
def test_a_session_that_was_paused_rests(turns: str, at: str) -> None:
    """Of the half minute, 20 seconds pass before the pause."""
    found = run(case_of(f"- say: 小林\n{turns}\n  expect: {{at: {at}}}"), compile_text(TIMED))
    assert found.passed, found.outcomes
