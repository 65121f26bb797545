"""Words are withheld from a question only in the turn in which something else really comes: not while the script rests
that hears them, not where its order is refused, and not for ever where it never rests."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import last, running
from tests.engine.scripts import CALM, ask, check, roundtrip, spoken, topic
from tests.engine.watchers import MEET, NOTE, PLAIN, made, model, noticed, ordered, watcher, words

from heartrule.engine.awareness import directives
from heartrule.testing.talk import Talk, shipped

CRY = "喘不过气"
HEAD = {"directive": "INSERT_TOPIC", "topic": "甲", "position": "HEAD"}
SUSPEND = {"directive": "SUSPEND_CURRENT", "reason": "累"}
END = {"directive": "END_SESSION"}
LIST = "id: local\ndirectives: ["
MODELS = pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])


def crying(*then: Any, model: Any = None, **more: Any) -> Talk:
    project = more.pop("project", "id: local\n")
    script = made(watcher(*(then or (MEET,)), at="answer", rules=words(CRY), **more), actions=PLAIN, project=project)
    return Talk(script, model)


# while the script rests


@MODELS
@pytest.mark.parametrize("rest", [{"cooldown": "30 turns"}, {"expires": {"times": 1}}], ids=["cools", "expired"])
def test_what_a_script_that_rests_would_have_heard_is_an_answer(model: Any, rest: dict[str, Any]) -> None:
    talk = crying(model=model, **rest)
    talk.say("我喘不过气")
    assert running(talk) == "meet"
    talk.say("好些了")
    assert talk.at == "甲#1"
    for number, words_ in enumerate(("一上班就喘不过气", "开会也喘不过气", "就是喘不过气"), 2):
        talk.say(words_)
        assert talk.at != f"甲#{number - 1}"
    assert [last(talk, name) for name in "abc"] == ["一上班就喘不过气", "开会也喘不过气", "就是喘不过气"]
    assert ordered(talk) == [("CALL_TECHNIQUE", "")]
    check(talk)
    roundtrip(talk)


def test_a_script_that_was_switched_off_hears_nothing() -> None:
    off = watcher({"directive": "DISABLE", "awareness": "resists"}, id="off", at="answer", rules=words("别管"))
    talk = Talk(made(watcher(MEET, at="answer", rules=words(CRY)), off))
    talk.say("我妈让我别管")
    talk.say("还是喘不过气")
    assert [last(talk, name) for name in "ab"] == ["我妈让我别管", "还是喘不过气"]


def test_breathlessness_may_be_what_somebody_comes_with() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.choose("开始")
    talk.say("小林")
    for _ in range(12):
        if talk.at == "agenda":
            break
        if talk.request.choices:
            talk.choose(talk.request.choices[0].value)
        else:
            talk.say("我喘不过气")
    assert talk.at == "agenda"
    for words_ in ("一上班就喘不过气", "开会的时候也喘不过气"):
        if talk.at == "agenda":
            talk.say(words_)
        if talk.state.running is not None and talk.state.running.ref == "cbt/settle":
            talk.choose("go_on")
    assert talk.at != "agenda"


# where the order is refused


REFUSED = {
    "end": ((END,), "not allowed", {}),
    "no such topic": (({**HEAD, "topic": "甲"},), "it is running", {}),
    "list": ((MEET,), "not allowed", {"project": f"{LIST}SET_VAR]\n"}),
}


@MODELS
@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_order_withholds_nothing(model: Any, case: str) -> None:
    then, why, more = REFUSED[case]
    talk = crying(*then, model=model, **more)
    talk.say("就是喘不过气")
    assert last(talk, "a") == "就是喘不过气"
    assert talk.at == "甲#2"
    assert ordered(talk) == [(then[0]["directive"], why)]
    assert noticed(talk)[-1][3] == why
    check(talk)


def test_what_was_gone_through_is_not_gone_through_again() -> None:
    """The topic that the words call comes once; afterwards they are answers."""
    topics = [topic("甲", *PLAIN), topic("妈妈", ask("说说她？", "她"), id="mum")]
    head = {"directive": "INSERT_TOPIC", "topic": "mum", "position": "HEAD"}
    talk = Talk(made(watcher(head, at="answer", rules=words("妈妈")), topics=topics))
    talk.say("我妈妈")
    assert running(talk) == "mum"
    talk.say("她挺好")
    assert talk.at == "甲#1"
    for each in ("还是妈妈", "妈妈", "上次和妈妈说话"):
        talk.say(each)
    assert [last(talk, name) for name in "abc"] == ["还是妈妈", "妈妈", "上次和妈妈说话"]


@pytest.mark.parametrize("spent", ["session", "turn"])
def test_beyond_the_budget_the_words_are_an_answer(spent: str) -> None:
    talk = crying(*([NOTE] * directives.TURN if spent == "turn" else []), MEET)
    if spent == "session":
        talk.state.ordered = directives.SESSION
    talk.say("就是喘不过气")
    assert last(talk, "a") == "就是喘不过气"
    assert ordered(talk)[-1] == ("CALL_TECHNIQUE", "budget")


def test_a_refused_order_does_not_silence_the_reply() -> None:
    reply = {"understood": True, "values": {"a": {"value": "喘", "evidence": CRY}}, "content": "嗯，喘不过气。"}
    talk = crying(END, model={"risk": CALM, "perceive": {"holds": [], "values": []}, "ask": reply})
    talk.say("就是喘不过气")
    assert talk.said[0] == "嗯，喘不过气。"


def test_nothing_that_comes_behind_what_nobody_was_told_takes_the_floor() -> None:
    """What goes with somebody's coming does not come without them."""
    talk = crying({"directive": "ESCALATE", "to": "desk", "note": "x"}, MEET, project=f"{LIST}CALL_TECHNIQUE]\n")
    talk.say("就是喘不过气")
    assert last(talk, "a") == "就是喘不过气"
    assert ordered(talk) == [("ESCALATE", "not allowed"), ("CALL_TECHNIQUE", directives.UNTOLD)]


# where the script never rests


@MODELS
def test_the_third_time_it_is_an_answer_as_well(model: Any) -> None:
    talk = crying(model=model)
    for number in (1, 2):
        talk.say(f"喘不过气{number}")
        assert running(talk) == "meet"
        talk.say("好些了")
        assert (talk.at, last(talk, "a")) == ("甲#1", None)
    talk.say("喘不过气3")
    assert last(talk, "a") == "喘不过气3"
    assert running(talk) == "meet"
    talk.say("好些了")
    assert talk.at == "甲#2"
    check(talk)
    roundtrip(talk)


def test_words_that_only_ask_for_somebody_are_never_one() -> None:
    talk = Talk(made(watcher(MEET, at="answer", rules=words("真人"))))
    for _ in range(5):
        talk.say("我要找真人")
        assert running(talk) == "meet"
        talk.say("好些了")
        assert (talk.at, last(talk, "a")) == ("甲#1", None)


def test_forty_answers_get_through() -> None:
    talk = crying(expires={"times": 1})
    for number in range(40):
        if talk.ended:
            break
        talk.say(f"喘不过气 {number}")
    assert talk.ended
    assert len(spoken(talk)) < 20


# of two that would take it the first has it

PAIRS = [
    ((MEET, HEAD | {"topic": "乙"}), "INSERT_TOPIC"),
    ((MEET, SUSPEND), "SUSPEND_CURRENT"),
    ((MEET, MEET), "CALL_TECHNIQUE"),
]


@pytest.mark.parametrize(("then", "second"), PAIRS, ids=[second for _, second in PAIRS])
def test_of_one_script_s_orders_the_first_has_the_floor(then: Any, second: str) -> None:
    talk = crying(*then)
    talk.say("我喘不过气")
    assert ordered(talk) == [("CALL_TECHNIQUE", ""), (second, directives.GAVE_WAY)]
    assert (running(talk), len(talk.state.suspended)) == ("meet", 1)
    assert [e.state for e in talk.happened("topic") if e.ref == "local/meet"] == ["running"]
    talk.say("好些了")
    assert talk.at == "甲#1"
    check(talk)


def test_what_makes_room_goes_with_what_comes_into_it() -> None:
    talk = crying(SUSPEND, MEET, NOTE)
    talk.say("我喘不过气")
    assert ordered(talk) == [("SUSPEND_CURRENT", ""), ("CALL_TECHNIQUE", ""), ("SET_VAR", "")]
    assert running(talk) == "meet"
    talk.say("好些了")
    assert running(talk) == "乙", "what was put aside lets the next topic pass"
    check(talk)


SEES = {"periodic": {"verdicts": [{"id": n, "verdict": "yes", "confidence": 0.9, "evidence": ""} for n in (1, 2)]}}


@pytest.mark.parametrize("second", [MEET, SUSPEND, HEAD | {"topic": "乙"}], ids=lambda each: str(each["directive"]))
def test_of_two_that_watch_beside_the_talk_the_first_has_it(second: Any) -> None:
    both = [
        {
            "awareness": name,
            "id": name,
            "priority": "P2",
            "always": True,
            "every": "1 turns",
            "condition": {"judge": f"{name}？"},
            "then": [then, NOTE],
        }
        for name, then in (("one", MEET), ("two", second))
    ]
    talk = Talk(made(*both), {**model(), **SEES})
    talk.say("还行")
    talk.look(minutes=1)
    talk.say("还行")
    assert (running(talk), len(talk.state.suspended)) == ("meet", 1)
    way = directives.GAVE_WAY
    assert ordered(talk) == [
        ("CALL_TECHNIQUE", ""),
        ("SET_VAR", ""),
        (second["directive"], way),
        ("SET_VAR", way),
    ]
    assert talk.happened("directive")[-1].cause == "local/two yes"
    assert talk.state.pending == []
    check(talk)
