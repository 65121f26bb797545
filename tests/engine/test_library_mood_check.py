"""The mood check that we ship: filled to its end, left, and in danger, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import check, faults

from heartrule.engine.session.io import FormAnswers, Input
from heartrule.testing.talk import Talk, shipped

SESSIONS = {"zh": "cbt/mood_check", "en": "cbt/mood_check_en"}
ITEMS = [f"q{number}" for number in range(1, 10)]


def send(talk: Talk, kind: str, **values: Any) -> None:
    assert talk.request.form is not None
    talk.move(Input(f"form_{kind}", form=FormAnswers(talk.request.form.key, values)))  # type: ignore[arg-type]


def begun(locale: str) -> Talk:
    """At the PHQ-9."""
    talk = Talk(shipped(SESSIONS[locale]))
    assert talk.request.form is not None
    send(talk, "submit", mood=2, feelings=[])
    talk.choose("查")
    assert talk.at == "check_phq9"
    return talk


def told(talk: Talk) -> str:
    return "\n".join(message.text for message in talk.history if message.sender == "ai")


@pytest.mark.parametrize("locale", SESSIONS)
@pytest.mark.parametrize(
    ("answers", "total", "actions"),
    [
        ([0] * 9, 0, {"check_low"}),
        ([1, 1, 1, 1, 1, 0, 0, 0, 0], 5, {"check_some"}),
        ([2, 2, 2, 2, 2, 0, 0, 0, 0], 10, {"check_seek"}),
        ([3, 3, 3, 3, 3, 3, 2, 0, 0], 20, {"check_seek", "check_now"}),
    ],
    ids=["none", "mild", "moderate", "severe"],
)
def test_the_score_is_told_as_it_is(locale: str, answers: list[int], total: int, actions: set[str]) -> None:
    talk = begun(locale)
    for item, value in zip(ITEMS, answers, strict=True):
        send(talk, "draft", **{item: value})
        assert talk.said == []
    send(talk, "submit")
    assert talk.at == "check_pick"
    said = {event.action for event in talk.happened("marker") if event.edge == "after"}
    assert said & {"check_low", "check_some", "check_seek", "check_now", "check_daily"} == actions
    assert f" {total}" in told(talk)
    assert "{" not in told(talk)
    assert talk.value("PHQ9总分") == total
    talk.choose("够了")
    assert talk.at == "check_feedback"
    send(talk, "submit", heard=5, mine=4, way=4, took=5)
    assert talk.value("会谈反馈") == 18
    assert talk.ended
    assert not faults(talk)
    check(talk)


@pytest.mark.parametrize("locale", SESSIONS)
def test_who_does_not_rate_it_has_come_to_its_end_all_the_same(locale: str) -> None:
    talk = begun(locale)
    send(talk, "submit", **dict.fromkeys(ITEMS, 0))
    talk.choose("够了")
    talk.wait(minutes=31)
    assert [event.reason for event in talk.happened("ended")] == ["completed"]


@pytest.mark.parametrize("locale", SESSIONS)
def test_what_makes_the_day_hard_is_heard(locale: str) -> None:
    talk = begun(locale)
    send(talk, "submit", **dict.fromkeys(ITEMS[:8], 1), q9=0, difficulty=2)
    assert "check_daily" in {event.action for event in talk.happened("marker")}


@pytest.mark.parametrize("locale", SESSIONS)
@pytest.mark.parametrize("kind", ["draft", "submit", "cancel"])
def test_item_nine_leads_to_crisis_support_in_the_same_turn(locale: str, kind: str) -> None:
    talk = begun(locale)
    send(talk, kind, q9=1)
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert talk.said


@pytest.mark.parametrize("locale", SESSIONS)
def test_who_would_rather_not_is_let_go_kindly(locale: str) -> None:
    talk = Talk(shipped(SESSIONS[locale]))
    send(talk, "cancel")
    assert "check_thanks" not in {event.action for event in talk.happened("marker")}
    talk.choose("查")
    send(talk, "cancel", q1=3)
    assert talk.ended
    assert talk.value("PHQ9总分") is None
    declined = Talk(shipped(SESSIONS[locale]))
    send(declined, "submit", mood=4)
    declined.choose("不查")
    assert declined.ended


@pytest.mark.parametrize("locale", SESSIONS)
def test_a_report_is_shown_and_an_exercise_follows(locale: str) -> None:
    talk = begun(locale)
    send(talk, "submit", **dict.fromkeys(ITEMS, 0))
    assert any("PHQ-9 0" in text for text in talk.said)
    talk.choose("呼吸")
    assert talk.state.running is not None
    assert talk.state.running.ref.startswith("cbt/slow_breathing")
