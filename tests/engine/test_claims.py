"""Whose words they are: a table whose rows are tried from above."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.engine.minds import INTENT, ai_ask, judged, option, press
from tests.engine.scripts import ask, only, say

from heartrule.engine import pipeline
from heartrule.engine.session.io import Input, Who, Words
from heartrule.engine.steps.case import Case, Row
from heartrule.engine.steps.case import Words as Claimed
from heartrule.engine.steps.claims import CLAIMS, claimed
from heartrule.engine.steps.outcomes import act
from heartrule.engine.work import Work
from heartrule.testing.talk import Talk

NAME = {"var": "称呼", "type": "text"}
AGE = {"var": "年龄", "type": "integer", "range": [1, 120]}


def talk(*actions: Any, model: Any = None) -> Talk:
    more = [ask("怎么称呼你？", "称呼"), ask("几岁？", "年龄"), *actions, say("完")]
    return Talk(only(*more, declare=[NAME, AGE]), model)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the rows that have claimed, turn by turn."""
    found: list[str] = []

    def noted(case: Case) -> Any:
        assert case.claim is not None
        found.append(case.claim.name)
        return act(case)

    monkeypatch.setattr(pipeline, "act", noted)
    return found


def test_every_row_has_a_name_of_its_own_and_says_why() -> None:
    assert len({row.name for row in CLAIMS}) == len(CLAIMS)
    assert all(row.why.endswith(".") and len(row.why.split()) > 5 for row in CLAIMS)
    assert [row.name for row in CLAIMS if row.name in ORDER] == ORDER


ORDER = [
    *("a human speaks", "danger", "danger, judged", "confirmation"),
    *("asks for a human, or for what a script listens for", "late", "command or refusal", "choice", "answer"),
]
"""Of the rows that everybody asks about: nobody comes between a person and what stands above."""


def test_the_last_row_takes_whatever_is_left() -> None:
    held = talk()
    held.say("小林")
    case = Case(Work.of(held._world()), words("三十"))
    assert CLAIMS[-1].holds(case)
    assert CLAIMS[-1].leaves is None


def words(text: str) -> Claimed:
    return Claimed(text, text)


@pytest.mark.parametrize(
    ("said", "row"),
    [
        (INTENT["zh"], "danger"),
        ("跳过", "command or refusal"),
        ("再说一遍", "command or refusal"),
        ("为什么要问我这个问题呢？", "command or refusal"),
        ("说错了，是小琳", "correction"),
        ("我回来了", "remark"),
        ("31", "answer"),
        ("我也说不好，三十多吧", "answer"),
    ],
)
def test_words_at_a_question(rows: list[str], said: str, row: str) -> None:
    held = talk()
    held.say("小林")
    held.say(said)
    assert rows == ["answer", row]


def test_words_whose_sender_had_not_seen_the_question_are_late_but_danger_never_is(rows: list[str]) -> None:
    held = talk(ask("还有呢？", "称呼"))
    seen = held.state.messages
    held.say("小林")
    held.say("林子", after=seen)
    held.say(INTENT["zh"], after=seen)
    assert rows == ["answer", "late", "danger"]


def test_at_a_choice(rows: list[str]) -> None:
    held = talk(option("称呼", "先说睡眠", "先说工作"))
    for said in ("小林", "31", "等一下", "先说工作"):
        held.say(said)
    assert rows[2:] == ["remark", "choice"]


def test_a_button_is_a_choice(rows: list[str]) -> None:
    held = talk(press("我准备好了"))
    held.say("小林")
    held.say("31")
    held.choose(held.request.choices[0].value)
    assert rows[2:] == ["choice"]


def test_what_a_model_judges_comes_first_too(rows: list[str]) -> None:
    held = talk(model={"risk": judged("yes", evidence="撑不下去")})
    held.say("撑不下去")
    assert rows == ["danger, judged"]


def test_while_a_human_holds_the_session_all_words_are_theirs(rows: list[str]) -> None:
    held = talk()
    held.move(Input("takeover", who=Who("c1", "林老师")))
    held.move(Input("message", (Words("小林"), Words(INTENT["zh"]))))
    assert rows == ["a human speaks"]
    assert [each.withheld for each in held.turn.messages if each.sender == "person"] == [True, True]


def test_a_claim_that_stands_is_overtaken_only_from_above() -> None:
    held = talk(ai_ask("问", "称呼"))
    case = Case(Work.of(held._world()), words("小林"))

    def row(name: str, known: Any) -> Row:
        return Row(name, known, lambda case: True, CLAIMS[-1].becomes, "")

    above, here, below = row("above", "answered"), row("here", "screened"), row("below", "answered")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heartrule.engine.steps.claims.CLAIMS", (here, below))
        standing = claimed(case, "screened")
        assert standing.claim is here
        assert claimed(standing, "answered").claim is here
        patch.setattr("heartrule.engine.steps.claims.CLAIMS", (above, here))
        assert claimed(standing, "answered").claim is above
    assert replace(standing, claim=None).asks == "nothing"
