"""What a model may write instead of a plain verdict, and what becomes of words that rules alone understand: neither
must pass danger over, nor put a cry into a field."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import Data, last, replied, running, written
from tests.engine.scripts import ask, check, only
from tests.engine.watchers import MEET, SLOW, made, model, watcher, words
from tests.table import tabled

from heartrule.engine.awareness import awareness
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.tasks import Answer
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
    data, _ = sieve({"verdicts": list(rows)}, awareness.RISK_SCHEMA)
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
    assert running(talk) == "danger_talk"


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


# words that rules alone understand are no answer

CRY = "我喘不过气"
NAME = ask("怎么称呼你？", "称呼", id="name")
AT_ANSWER: dict[str, Any] = {"at": "answer", "rules": words("喘不过气")}


def session(mind: Any = None, *more: Any, first: Any = NAME, then: Any = MEET, **changes: Any) -> Talk:
    actions = [first, ask("几岁？", "岁数", id="age"), ask("还有呢？", "其他")]
    return Talk(made(watcher(then, **(AT_ANSWER | changes)), actions=actions), mind)


def back(talk: Talk) -> Talk:
    """Out of the technique that was called."""
    assert running(talk) == "meet"
    talk.say("胸口")
    return talk


FAILED = model(None, ask=None)
BROKEN = [None, FAILED, {**FAILED, "perceive": {"holds": [], "values": []}}]


@pytest.mark.parametrize("mind", BROKEN, ids=["no provider", "all fail", "the reply fails"])
@pytest.mark.parametrize("level", ["explicit", "watch"])
def test_a_cry_is_not_stored_and_the_question_comes_again(mind: Any, level: str) -> None:
    by = {"rules": words("喘不过气", level)} | ({"on_watch": [MEET]} if level == "watch" else {})
    talk = session(mind, **by)
    talk.say(CRY)
    assert written(talk, "称呼") == []
    assert [m.withheld for m in talk.history if m.sender == "person"] == [True]
    back(talk)
    assert talk.at == "name"
    assert talk.said[-1].endswith("怎么称呼你？")
    talk.say("小林")
    assert last(talk, "称呼") == "小林"
    check(talk)


def test_what_a_working_model_reads_in_it_counts() -> None:
    talk = session(model())
    talk.say(f"小林，{CRY}")
    assert last(talk, "称呼") == f"小林，{CRY}"
    assert back(talk).at == "age"


def test_what_takes_nobodys_floor_leaves_the_answer_where_it_is() -> None:
    talk = session(then=SLOW)
    talk.say(CRY)
    assert last(talk, "称呼") == CRY
    assert talk.at == "age"


def test_what_code_orders_is_not_about_the_words() -> None:
    talk = session(condition="1 == 1", cooldown="9 turns", at="answer", rules=None)
    talk.say("小林")
    assert last(talk, "称呼") == "小林"
    assert back(talk).at == "age"


def test_a_choice_that_is_named_is_taken() -> None:
    pick = {
        "type": "user_option",
        "var": "x",
        "choices": [{"value": "a", "label": CRY}, {"value": "b", "label": "还好"}],
    }
    talk = session(first=pick)
    talk.say(CRY)
    assert last(talk, "x") == "a"
    assert back(talk).at == "age"


def test_asking_back_is_no_answer_either_way() -> None:
    talk = session(rules=words("跳过"))
    talk.say("跳过")
    assert written(talk, "称呼") == []
    assert back(talk).at == "age", "what was to be skipped is skipped"


def test_a_question_about_risk_is_answered_by_it() -> None:
    harm = ask("有过吗？", {"get": "念头", "type": "boolean", "risk": True, "define": "有没有"}, id="harm")
    talk = session(first=harm)
    talk.say(f"有，{CRY}")
    assert running(talk) == "crisis_support", "a yes, or not clearly a no"
    talk = session(first=harm)
    talk.say(f"没有，{CRY}")
    assert running(talk) in ("crisis_support", "meet")
    assert not any(m.withheld for m in talk.history)


def test_late_words_are_not_added_to_the_answer_they_belong_to() -> None:
    talk = session()
    seen = talk.state.messages
    talk.say("小林")
    talk.say(CRY, after=seen)
    assert last(talk, "称呼") == "小林"
    assert back(talk).at == "age"
    talk = session()
    seen = talk.state.messages
    talk.say("小林")
    talk.say("叫我小林就好", after=seen)
    assert last(talk, "称呼") == "小林\n叫我小林就好", "what is no cry is"


def test_late_words_about_risk_count_whatever_else_they_are() -> None:
    harm = ask("有过吗？", {"get": "念头", "type": "boolean", "risk": True, "define": "有没有"}, id="harm")
    talk = session(first=harm)
    seen = talk.state.messages
    talk.say("没有")
    talk.say(f"有，{CRY}", after=seen)
    assert running(talk) == "crisis_support"


def test_danger_in_the_same_words_comes_first() -> None:
    talk = session()
    talk.say(f"我不想活了，{CRY}")
    assert running(talk) == "crisis_support"
    talk = session()
    talk.say(f"活着没意思，{CRY}")
    assert running(talk) == "safety_check"
    assert last(talk, "称呼") is None, "nobody is called that"


def test_the_shipped_intake_asks_for_the_name_again() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    while talk.request.kind != "message":
        talk.choose(talk.request.choices[0].value) if talk.request.choices else talk.say("好")
    at = talk.at
    talk.say(CRY)
    assert running(talk) == "settle"
    assert not any(event.value == CRY for event in talk.happened("variable"))
    for _ in range(6):
        if running(talk) != "settle":
            break
        if talk.request.kind == "choice":
            talk.choose(next(c.value for c in talk.request.choices if c.value != "again"))
        else:
            talk.say("我回来了")
    assert talk.at == at


# a second cry, while the script that heard the first rests

AGAIN = "真的，我喘不过气"
RESTING: dict[str, Any] = {"cooldown": "9 turns"}


def resting(mind: Any = None, **changes: Any) -> Talk:
    """The first cry has been gone through; the question that waited stands again."""
    talk = session(mind, **(RESTING | changes))
    talk.say(CRY)
    back(talk)
    assert talk.at == "name"
    return talk


@pytest.mark.parametrize("mind", BROKEN, ids=["no provider", "all fail", "the reply fails"])
@pytest.mark.parametrize("rest", [{}, {"cooldown": None, "expires": {"times": 1}}], ids=["cooldown", "expired"])
def test_while_the_script_rests_a_cry_is_said_like_anything_else(mind: Any, rest: dict[str, Any]) -> None:
    """It may be what somebody has come with: a bare cry is met once. What is no more than a word about the talk itself
    is never an answer."""
    talk = resting(mind, **rest)
    for words_ in ("我回来了", "等一下", "什么意思"):
        talk.say(words_)
        assert (talk.at, written(talk, "称呼")) == ("name", [])
    talk.say(AGAIN)
    assert talk.said == ["不急着往下走，一句一句来。\n怎么称呼你？"], "gently, and the question again"
    assert written(talk, "称呼") == []
    talk.say(AGAIN)
    assert last(talk, "称呼") == AGAIN, "who says it once more has said it"
    check(talk)


def test_why_nothing_followed_is_on_record() -> None:
    talk = resting()
    talk.say(AGAIN)
    told = of(talk, "local/resists")[-1]
    assert (told.verdict, told.source, told.evidence, told.rest) == ("yes", "rules", "喘不过气", "cooldown")
    assert not told.acted


def test_a_working_model_still_reads_what_is_in_it() -> None:
    talk = resting()
    talk.model = model()
    talk.say(f"小林，{CRY}")
    assert last(talk, "称呼") == f"小林，{CRY}"


def test_danger_in_a_second_cry_comes_first() -> None:
    talk = resting()
    talk.say(f"{AGAIN}，我不想活了")
    assert running(talk) == "crisis_support"


# whatever shape a provider's answer has

SHAPES: list[Any] = [
    "no",
    "none",
    "没有",
    "3: no",
    None,
    False,
    0,
    [],
    ["no"],
    [["id", 1], ["verdict", "no"]],
    {},
    {"verdict": "no"},
    {"id": "one", "verdict": "no"},
    {"id": {"n": 1}, "verdict": "no"},
    {"id": 1, "verdict": {"is": "no"}},
    {"1": "no"},
    {"question": 1, "answer": "no"},
]


def sieved(data: Any) -> Answer:
    """An answer as the model gateway hands it on: what fits no schema is not in it."""
    kept, _ = sieve(data, awareness.RISK_SCHEMA)
    return Answer("1 risk", "answered", kept)


@tabled("shape", SHAPES)
@tabled("beside", [True, False])
def test_no_odd_shape_makes_a_no_of_what_was_left_out(shape: Any, beside: bool) -> None:
    raw = [Verdict(ref, node, "no", "rules") for ref, node in ON.items()]
    told = awareness.with_model(raw, sieved({"verdicts": [*([NO] if beside else []), shape]}))
    assert {each.ref for each in told if each.verdict == "no"} <= ({"safety/suicide_risk"} if beside else set())


@pytest.mark.parametrize("rows", ["no", "", None, 3, {}, {"1": "no"}, {"id": 1, "verdict": "no"}, True], ids=repr)
def test_verdicts_that_are_no_list_are_no_answer(rows: Any) -> None:
    raw = [Verdict(ref, node, "no", "rules") for ref, node in ON.items()]
    told = awareness.with_model(raw, sieved({"verdicts": rows}))
    assert {each.verdict for each in told} == {"unknown"}
