"""A learned reader beside the rules: it may raise what they did not hear to a gentle question, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from tests.engine.minds import CALM, INTENT, WATCH, judged, replied, running
from tests.engine.scripts import ask, only

from heartrule.engine.session.classifier import Estimate
from heartrule.testing.talk import Talk

QUIET = "这礼拜过完就都清净了"
"""Words in which no rule hears anything."""
DOUBTED = "我十六岁的时候割过手"
OTHERS, OVER = "我女儿说她不想活了", "舅舅是烧炭走的，已经五年了"


@dataclass(frozen=True, slots=True)
class Hears:
    """Hears every message as given."""

    estimate_: Estimate
    name: str = "test-1"

    def estimate(self, text: str) -> Estimate:
        return self.estimate_


SURE = Estimate(1.0, raised=True, likely=True, evidence="清净")
LIKELY = Estimate(0.3, likely=True)
NOTHING = Estimate(0.0)


def hold(estimate: Estimate | None, model: Any = None) -> Talk:
    classifiers = {"own_danger": Hears(estimate)} if estimate is not None else {}
    asked = [ask(f"第{n}问？", f"v{n}") for n in range(4)]
    return Talk(only(*asked), model, classifiers=classifiers)


def came(talk: Talk) -> tuple[Any, ...]:
    event = [each for each in talk.happened("awareness") if each.awareness == "safety/suicide_risk"][-1]
    return event.verdict, event.source


def test_it_asks_once_gently_and_says_that_it_was_the_one() -> None:
    talk = hold(SURE)
    talk.say(QUIET)
    assert running(talk) == "safety_check"
    (event,) = [each for each in talk.happened("awareness") if each.awareness == "safety/suicide_risk"]
    assert (event.verdict, event.source, event.reason) == ("watch", "classifier", "test-1")
    assert (event.confidence, event.evidence) == (1.0, "清净")
    talk.say("没有")
    assert running(talk) == "T", "a plain no leads back at once"
    talk.say(QUIET)
    assert running(talk) == "T", "it rests as a watch word does"


def test_it_never_interrupts_however_sure_it_is() -> None:
    for words in (QUIET, DOUBTED, WATCH):
        talk = hold(SURE)
        talk.say(words)
        assert running(talk) == "safety_check"
        assert came(talk)[0] != "yes"


@pytest.mark.parametrize("estimate", [SURE, LIKELY, NOTHING, None])
def test_it_lowers_nothing_that_rules_hear(estimate: Estimate | None) -> None:
    talk = hold(estimate)
    talk.say(INTENT["zh"])
    assert (running(talk), came(talk)) == ("crisis_support", ("yes", "rules"))
    talk = hold(estimate)
    talk.say(WATCH)
    assert (running(talk), came(talk)) == ("safety_check", ("watch", "rules"))


@pytest.mark.parametrize(
    ("estimate", "runs", "verdict"),
    [
        (None, "safety_check", ("watch", "rules")),
        (NOTHING, "T", ("no", "rules")),
        (LIKELY, "safety_check", ("watch", "rules")),
        (SURE, "safety_check", ("watch", "classifier")),
    ],
    ids=["nobody reads along", "nothing", "likely", "sure"],
)
def test_of_what_rules_doubt_it_decides(estimate: Estimate | None, runs: str, verdict: tuple[str, str]) -> None:
    talk = hold(estimate)
    talk.say(DOUBTED)
    assert (running(talk), came(talk)) == (runs, verdict)


@pytest.mark.parametrize(("words", "sure"), [(OTHERS, "someone_else"), (OVER, "safety_check")])
def test_somebody_elses_keeps_its_way_unless_it_is_over(words: str, sure: str) -> None:
    talk = hold(NOTHING)
    talk.say(words)
    assert running(talk) == ("someone_else" if words == OTHERS else "T")
    talk = hold(SURE)
    talk.say(words)
    assert running(talk) == sure


@pytest.mark.parametrize("told", ["yes", "no"])
def test_a_model_may_raise_it_and_a_sure_no_settles_it(told: str) -> None:
    table = {"ask": replied(values={}), "risk": [judged(told, 0.99)]}
    talk = hold(SURE, table)
    talk.say(QUIET)
    assert running(talk) == {"yes": "crisis_support", "no": "T"}.get(told, "explore_wishes")


def test_a_no_that_is_not_sure_settles_nothing() -> None:
    talk = hold(SURE, {"ask": replied(values={}), "risk": [judged("no", 0.3)]})
    talk.say(QUIET)
    assert running(talk) == "explore_wishes"


def test_what_nobody_raises_is_no_ones_business() -> None:
    talk = hold(NOTHING, {"ask": replied(values={}), "risk": [CALM]})
    talk.say(QUIET)
    assert running(talk) == "T"
    assert came(talk) == ("no", "model")
