"""Every model call fails, or there is no model: danger is heard all the same, and the technique runs to its end."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table import tabled

from heartrule.engine.session.events import Noticed
from heartrule.testing.talk import Talk, shipped

DEAD: dict[str, Any] = {}
"""Answers no template: every call fails."""
DENIALS = (
    *("没有", "没", "不是", "没想过", "我没有这种想法", "没有啊，随口说的"),
    *("不想死", "我说着玩的", "没事，别多想", "哪有，就是气话"),
)
SESSIONS = ("cbt/abc_intro", "cbt/first_assessment")


def _danger(model: Any, session: str = "cbt/abc_intro") -> Talk:
    talk = Talk(shipped(session), model)
    talk.say("我想自杀")
    assert _ref(talk) == "safety/crisis_support"
    assert sum("12356（" in words for words in talk.said) == 1
    return talk


def _ref(talk: Talk) -> str | None:
    return talk.state.running.ref if talk.state.running else None


@tabled("model", [None, DEAD])
@tabled("denial", DENIALS)
def test_to_deny_once_does_not_close_it(model: Any, denial: str) -> None:
    talk = _danger(model)
    talk.say(denial)
    assert not talk.ended
    assert _ref(talk) == "safety/crisis_support"


@pytest.mark.parametrize("model", [None, DEAD], ids=["no model", "dead model"])
@pytest.mark.parametrize("session", SESSIONS)
def test_the_technique_runs_to_its_end_and_the_session_goes_on(model: Any, session: str) -> None:
    at = Talk(shipped(session), model).at
    talk = _danger(model, session)
    for _ in range(12):
        if talk.request.kind == "choice":
            break
        talk.say("没有")
    talk.choose("safe")
    talk.choose("go_on")
    assert talk.at == at
    assert talk.state.handled.times == 1


@pytest.mark.parametrize("said", ["今天有点累", "我想聊聊工作", "不知道怎么说", "还行吧"])
def test_no_verdict_becomes_a_no_by_default(said: str) -> None:
    """Rules may say no only where they are the judge; where a model should have been asked, nobody could judge."""
    talk = Talk(shipped("cbt/first_assessment"), DEAD)
    talk.say(said)
    found = [event for event in talk.events if isinstance(event, Noticed) and event.source == "default"]
    assert found
    assert all(event.verdict == "unknown" for event in found)
    told = {e.awareness: e.verdict for e in talk.events if isinstance(e, Noticed) and e.priority == "P0"}
    assert told
    assert set(told.values()) == {"unknown"}


def test_an_answer_without_the_question_that_must_be_answered_is_no_answer_to_it() -> None:
    talk = Talk(shipped("cbt/first_assessment"), {"risk": {"verdicts": [{"id": 2, "verdict": "no"}]}})
    talk.say("今天有点累")
    told = {e.awareness: e.verdict for e in talk.events if isinstance(e, Noticed) and e.priority == "P0"}
    assert told["safety/suicide_risk"] == "unknown"


def test_an_empty_answer_is_no_answer_to_any_question() -> None:
    talk = Talk(shipped("cbt/first_assessment"), {"risk": {"verdicts": []}})
    talk.say("今天有点累")
    told = {e.awareness: e.verdict for e in talk.events if isinstance(e, Noticed) and e.priority == "P0"}
    assert set(told.values()) == {"unknown"}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_wish_said_straight_to_a_dead_model_has_numbers_and_its_questions_asked_by_rote(name: str) -> None:
    talk = Talk(shipped(name), DEAD)
    talk.say("我不想活了")
    assert "12356" in "\n".join(talk.said)
    for _ in range(12):
        if _ref(talk) != "safety/explore_wishes":
            break
        talk.say("有")
    assert _ref(talk) == "safety/crisis_support", "a yes to what is near turns to the technique where no model leads"
