"""A conversation in the terminal is looked back over beside it, though nobody sweeps; who types is not disturbed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.sessions.looking import Looker, noticed, prepared
from tests.sessions.material import Place, say, seen

from heartrule.cli import door as door_module
from heartrule.cli.door import Door, opened
from heartrule.cli.terminal_session import Session
from heartrule.sessions import Outcome


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return prepared(Place(tmp_path))


@pytest.fixture
def door(place: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    monkeypatch.setattr(door_module, "LOOK_SECONDS", 0.02)
    with opened(place.settings(model=Looker().model())) as made:
        yield made


def begun(door: Door, place: Place) -> tuple[Session, Outcome]:
    session, outcome = door.call(place.begun, door.sessions)
    held = Session(door, session)
    place.clock.pass_(seconds=20)
    return held, held.take(say("a", "还行", seen(outcome)))


def looks(door: Door, session: str, least: int) -> int:
    until = time.monotonic() + 5
    while time.monotonic() < until:
        if (found := len(door.call(noticed, door.sessions, session))) >= least:
            return found
        time.sleep(0.02)
    return -1


def test_a_look_is_made_at_its_time_and_wants_no_turn_of_the_terminal(door: Door, place: Place) -> None:
    held, outcome = begun(door, place)
    assert held.due() is None
    assert looks(door, held.id, 0) == 0
    place.clock.pass_(minutes=5)
    assert held.due() is None
    assert looks(door, held.id, 1) == 1
    assert [entry.entry.kind for entry in door.call(door.sessions.store.inbox, held.id)] == [
        "start",
        "message",
        "noticed",
    ]
    outcome = held.take(say("b", "不太好", seen(outcome)))
    assert outcome.position["action"]["id"] == "calm_ask"


def test_the_time_of_a_question_is_told_and_that_of_a_look_is_not(door: Door, place: Place) -> None:
    held, outcome = begun(door, place)
    held.take(say("b", "不太好", seen(outcome)))
    now = place.clock.now()
    assert held.due() == (now + timedelta(minutes=2), 120.0)
    place.clock.pass_(seconds=30)
    assert held.due() == (now + timedelta(minutes=2), 90.0)


def test_a_paused_session_has_none(door: Door, place: Place) -> None:
    held, outcome = begun(door, place)
    held.take(say("b", "不太好", seen(outcome)))
    door.call(door.sessions.pause, held.id)
    assert held.due() is None


def test_closing_waits_for_no_look(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_module, "LOOK_SECONDS", 0.02)
    looker = Looker()
    with opened(place.settings(model=looker.model())) as door:
        held, _ = begun(door, place)
        looker.opened.clear()
        place.clock.pass_(minutes=5)
        until = time.monotonic() + 5
        while not looker.looks and time.monotonic() < until:
            time.sleep(0.02)
        assert looker.looks
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert held.id
