"""What a model may write instead of a plain verdict, and what becomes of words that rules alone understand: neither
must pass danger over, nor put a cry into a field."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import Data, replied, running
from tests.engine.scripts import ask, only

from heartrule.engine import awareness
from heartrule.engine.awareness import Verdict
from heartrule.engine.tasks import Answer
from heartrule.llm.shape import sieve
from heartrule.testing.talk import Talk, shipped

THREAT = "safety/under_threat"
HELD = "他把我堵在屋里不让出去，我好怕"
FIRST = "他昨晚掐我脖子"
MANY = [ask(f"{n}？", f"v{n}") for n in range(12)]
ON = {ref: node for ref, node in sorted(shipped("cbt/abc_intro").awareness.items()) if node.priority == "P0"}
NUMBER = {ref: number for number, ref in enumerate(ON, 1)}
NO: Data = {"id": NUMBER["safety/suicide_risk"], "verdict": "no", "confidence": 0.9}


def found(ref: str, verdict: Any = "yes", confidence: Any = 0.99, **more: Any) -> Data:
    return {"id": NUMBER[ref], "verdict": verdict, "confidence": confidence, **more}


def telling(*rows: Any) -> dict[str, Any]:
    return {"risk": {"verdicts": [NO, *rows]}, "ask": replied(), "perceive": {"holds": [], "values": []}}


# a second yes after the technique was gone through


def gone_through(rows: list[Data] | None = None) -> Talk:
    """The technique for somebody who is threatened, begun by the model and gone through to its end."""
    talk = Talk(only(*MANY), telling(*(rows or [found(THREAT, evidence=FIRST)])))
    talk.say(FIRST)
    assert running(talk) == "danger_support"
    talk.model = telling()
    for _ in range(8):
        if running(talk) == "T":
            return talk
        if talk.request.kind == "choice":
            talk.choose(talk.request.choices[-1].value)
        else:
            talk.say("没有")
    raise AssertionError("no way out")


def of(talk: Talk, ref: str) -> list[Any]:
    return [event for event in talk.happened("awareness") if event.awareness == ref]


@pytest.mark.parametrize(
    "quote",
    [{}, {"evidence": ""}, {"evidence": "被人关起来了"}, {"evidence": None}, {"evidence": "堵在屋里"}],
    ids=["absent", "empty", "paraphrased", "null", "her words"],
)
def test_a_second_yes_acts_though_its_quote_cannot_be_used(quote: Data) -> None:
    talk = gone_through()
    talk.model = telling(found(THREAT, **quote))
    talk.say(HELD)
    assert running(talk) == "danger_support"
    event = of(talk, THREAT)[-1]
    assert (event.verdict, event.source, event.acted) == ("yes", "model", True)


def test_a_quote_that_stands_in_older_words_alone_is_a_repeat() -> None:
    talk = gone_through()
    talk.model = telling(found(THREAT, evidence="掐我脖子"))
    talk.say("今天下雨了")
    assert running(talk) == "T"
    assert of(talk, THREAT)[-1].rest == "nothing new was said"
    talk.say("他又掐我脖子")
    assert running(talk) == "danger_support", "it stands in the new words too"


def test_nothing_said_is_nothing_new() -> None:
    talk = gone_through()
    talk.model = telling(found(THREAT))
    talk.say(" ")
    assert running(talk) == "T"


# answers in an odd shape


def joined(*rows: Any, ruled: dict[str, str] | None = None) -> dict[str, Verdict]:
    """What comes of an answer as it is after the sieve, by script; the rules heard nothing, or what ``ruled`` says."""
    data, _ = sieve({"verdicts": list(rows)}, awareness.VERDICTS)
    heard = [Verdict(ref, node, (ruled or {}).get(ref, "no"), "rules") for ref, node in ON.items()]  # type: ignore[arg-type]
    return {each.ref: each for each in awareness.with_model(heard, Answer("1 risk", "answered", data))}


def verdicts(*rows: Any) -> dict[str, str]:
    return {ref: f"{each.verdict} {each.source}" for ref, each in joined(*rows).items()}


OTHERS = [ref for ref in ON if ref != "safety/suicide_risk"]
LOST, FREE = "unknown default", "no model"


def test_what_is_left_out_of_a_plain_answer_is_a_no() -> None:
    assert verdicts(NO) == dict.fromkeys(ON, FREE)


@pytest.mark.parametrize("odd", ["是", "Yes, likely", "maybe", "", None, 3, ["yes"], {"is": "yes"}])
def test_an_item_that_cannot_be_read_leaves_its_question_unanswered(odd: Any) -> None:
    assert verdicts(NO, found(THREAT, odd)) == dict.fromkeys(ON, FREE) | {THREAT: LOST}


@pytest.mark.parametrize("number", ["#3", "三", None, 3.5, True, [3]])
def test_an_item_whose_number_cannot_be_read_leaves_all_that_were_left_out_unanswered(number: Any) -> None:
    told = verdicts(NO, {"id": number, "verdict": "yes"}, found("safety/urgent_illness", "no"))
    assert told == dict.fromkeys(ON, LOST) | {"safety/suicide_risk": FREE, "safety/urgent_illness": FREE}


def test_rows_of_another_shape_are_unreadable_too() -> None:
    assert set(verdicts(NO, {"question": 3, "answer": "yes"}).values()) == {FREE, LOST}
    raw = [Verdict(ref, node, "no", "rules") for ref, node in ON.items()]
    for row in ("3: yes", None, ["3", "yes"]):
        told = awareness.with_model(raw, Answer("1 risk", "answered", {"verdicts": [NO, row]}))
        assert {each.verdict for each in told} == {"no", "unknown"}


@pytest.mark.parametrize("rows", [["yes", "no"], ["no", "yes"], ["unknown", "yes"], ["是", "yes"], ["yes", "是"]])
def test_of_two_verdicts_on_one_question_the_graver_counts(rows: list[str]) -> None:
    assert verdicts(NO, *(found(THREAT, each) for each in rows))[THREAT] == "yes model"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["unknown", "no"], "watch model"),
        (["no", "unknown"], "watch model"),
        (["no", "是"], LOST),
        (["是", "no"], LOST),
        (["是", "unknown"], "watch model"),
        (["no", "no"], FREE),
    ],
)
def test_doubt_outweighs_a_no(rows: list[str], expected: str) -> None:
    assert verdicts(NO, *(found(THREAT, each) for each in rows))[THREAT] == expected


def test_of_two_times_yes_the_surer_counts() -> None:
    for rows in ([0.2, 0.9], [0.9, 0.2]):
        assert joined(NO, *(found(THREAT, "yes", each) for each in rows))[THREAT].confidence == 0.9


@pytest.mark.parametrize("number", [0, -1, 9])
def test_a_question_that_was_not_put_is_none_that_was_answered(number: int) -> None:
    assert verdicts({"id": number, "verdict": "no"}) == dict.fromkeys(ON, LOST)
    assert verdicts(NO, {"id": number, "verdict": "no"}) == dict.fromkeys(ON, FREE)
    meant = verdicts(NO, {"id": number, "verdict": "yes"})
    assert meant == dict.fromkeys(OTHERS, LOST) | {"safety/suicide_risk": FREE}, "nobody can say which was meant"


def test_without_the_verdict_that_must_be_there_nothing_left_out_is_a_no() -> None:
    told = verdicts(found(THREAT, "no"))
    assert told == dict.fromkeys(ON, LOST) | {THREAT: FREE}
    assert verdicts() == dict.fromkeys(ON, LOST)


@pytest.mark.parametrize("ref", ON)
@pytest.mark.parametrize("confidence", [0.0, 0.49])
def test_a_yes_below_the_threshold_has_the_gentle_question_asked(ref: str, confidence: float) -> None:
    found_ = joined(NO, found(ref, "yes", confidence, evidence="好怕"))[ref]
    assert (found_.verdict, found_.source, found_.reason) == ("watch", "model", "below threshold")
    assert found_.confidence == confidence


def test_no_odd_answer_lowers_what_rules_heard() -> None:
    for rows in ([NO], [found(THREAT, "no")], [found(THREAT, "是")], []):
        told = joined(*rows, ruled={THREAT: "yes", "safety/urgent_illness": "watch"})
        assert (told[THREAT].verdict, told[THREAT].source) == ("yes", "rules")
        assert (told["safety/urgent_illness"].verdict, told["safety/urgent_illness"].source) == ("watch", "rules")


def test_a_doubtful_yes_is_asked_about_in_the_talk() -> None:
    talk = Talk(only(*MANY), telling(found(THREAT, "yes", 0.4)))
    talk.say("他在家")
    assert running(talk) == "danger_check"


def test_an_unreadable_verdict_on_dying_is_asked_about() -> None:
    talk = Talk(
        only(*MANY), {**telling(), "risk": {"verdicts": [found("safety/suicide_risk", "是"), found(THREAT, "no")]}}
    )
    talk.say("还行")
    assert running(talk) == "safety_unsure"


def test_below_p0_a_yes_that_is_not_sure_enough_is_a_no() -> None:
    node = ON[THREAT].model_copy(update={"priority": "P1"})
    answer = Answer("1 risk", "answered", {"verdicts": [{"id": 1, "verdict": "yes", "confidence": 0.4}]})
    (told,) = awareness.with_model([Verdict(THREAT, node, "no", "rules")], answer)
    assert (told.verdict, told.reason) == ("no", "below threshold")
