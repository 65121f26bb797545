"""P1 awareness: asked about beside the reply, counted only where its hook point is come to, and never asked for
nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, INTENT, ai_ask, out, replied, running, tasks
from tests.engine.minds import asked as answered
from tests.engine.scripts import ask, check, phase, put, roundtrip, say, script, skill, topic, use
from tests.engine.watchers import (
    MEET,
    MEETING,
    NOTE,
    NOTHING,
    RESISTS,
    asked,
    hearing,
    made,
    model,
    noticed,
    ordered,
    seen,
    taking,
    unasked,
    watcher,
    words,
)

from heartrule.testing.talk import Talk

HIT = ("yes", "model", True, "")


# asked, and counted at the hook point


def test_a_question_rides_in_the_call_that_is_made_anyway() -> None:
    talk = Talk(made(watcher()), model(seen((1, "真别扭"))))
    before = len(talk.asked)
    talk.say("我真别扭")
    assert sorted(task.template for task in talk.asked[before:]) == ["ask", "perceive", "risk"]
    assert asked(talk) == [[RESISTS]]
    assert noticed(talk) == [HIT]
    assert talk.value("标记") == "是"
    (event,) = [e for e in talk.happened("awareness") if e.priority == "P1"]
    assert (event.hook_point, event.evidence, event.confidence) == ("after ask", "真别扭", 0.9)


@pytest.mark.parametrize(
    ("at", "crossed"),
    [
        ("after ask", True),
        ("before ask", True),
        ("after say", True),
        ("before say", True),
        ("topic_end", False),
        ("topic_start", False),
        ("before ai_ask", False),
    ],
)
def test_the_verdict_counts_only_where_its_hook_point_is_come_to(at: str, crossed: bool) -> None:
    talk = Talk(made(watcher(at=at), actions=(ask("一？", "a"), say("嗯。"), ask("二？", "b"))), model(hearing("别扭")))
    talk.say("真别扭")
    assert (talk.value("标记") == "是") == crossed
    assert bool(noticed(talk)) == crossed, "of a hook point that cannot be come to nothing is asked"
    if not crossed:
        assert asked(talk) == []
        assert unasked(talk)[-1] == {"hook point not reachable": ["local/resists"]}


def test_a_hook_point_that_is_not_crossed_after_all_does_not_count() -> None:
    """The action goes on asking, so that its end is not come to."""
    steps = (ai_ask("问", "x", question="怎么了？"), ask("二？", "b"))
    talk = Talk(made(watcher(at="after ai_ask"), actions=steps), model(hearing("别扭"), ai_ask=answered("再说说？")))
    talk.say("真别扭")
    assert asked(talk) == [[RESISTS]]
    assert noticed(talk) == [("yes", "model", False, "hook point not crossed")]
    assert talk.value("标记") is None
    assert ordered(talk) == []
    talk.model = model(hearing(), ai_ask=answered("好。", "YES", values={"x": {"value": "事", "evidence": "说完了"}}))
    talk.say("说完了")
    assert noticed(talk)[-1] == ("no", "model", False, "")
    assert talk.value("标记") is None, "what was seen a turn ago is gone"


def test_topics_begin_and_end() -> None:
    steps = [topic("甲", ask("一？", "a")), topic("乙", ask("二？", "b"))]
    end, start = watcher(at="topic_end", id="end"), watcher(at="topic_start", id="start")
    talk = Talk(made(end, start, topics=steps), model(hearing("别扭")))
    talk.say("真别扭")
    assert [(e.awareness, e.hook_point) for e in talk.happened("awareness") if e.acted] == [
        ("local/end", "topic_end"),
        ("local/start", "topic_start"),
    ]
    assert asked(talk) == [[RESISTS]], "one question asked once, whoever wants to know"


def test_before_anything_is_said_there_is_nothing_to_judge() -> None:
    talk = Talk(made(watcher(at=["topic_start", "before ask"])), model())
    assert talk.asked == []
    assert unasked(talk) == [{"nothing was said": ["local/resists"]}]
    assert talk.state.alerts == {}


def test_nothing_is_added_to_any_prompt_where_no_p1_is_on() -> None:
    def prompts(*awareness: Any) -> list[Any]:
        talk = Talk(made(*awareness), model())
        talk.say("还行")
        return [(task.template, dict(task.values), dict(task.context.values)) for task in talk.asked]

    assert prompts(watcher(always=False)) == prompts()


def test_below_the_threshold_it_does_not_hold() -> None:
    talk = Talk(made(watcher(threshold=0.8)), model(seen((1, "真别扭"), confidence=0.7)))
    talk.say("真别扭")
    assert noticed(talk) == [("no", "model", False, "")]
    (event,) = [e for e in talk.happened("awareness") if e.priority == "P1"]
    assert (event.reason, event.confidence) == ("below threshold", 0.7)


def test_a_quote_that_the_person_never_said_proves_nothing() -> None:
    talk = Talk(made(watcher()), model(seen((1, "我恨你"))))
    talk.say("还行")
    assert len(tasks(talk, "perceive")) == 2, "asked once more, and no more"
    assert noticed(talk) == [("unknown", "default", False, "unanswered")]
    assert talk.value("标记") is None


def test_examples_are_shown_on_the_line_of_the_question() -> None:
    talk = Talk(made(watcher(examples={"hit": ["真别扭", "算了"], "miss": ["想一想"]})), model())
    talk.say("还行")
    assert asked(talk) == [[f"{RESISTS}（算：真别扭｜算了）（不算：想一想）"]]


def test_names_in_a_question_are_filled_in() -> None:
    talk = Talk(made(watcher(judge="来访者是否不信{a}"), declare=[{"var": "a", "value": "药"}]), model())
    talk.say("还行")
    assert asked(talk) == [["来访者是否不信药"]]


# what acts


def test_a_technique_comes_between_and_the_script_goes_on_behind_the_hook_point() -> None:
    talk = Talk(made(watcher(MEET)), model(hearing("别扭")))
    talk.say("真别扭")
    assert running(talk) == "meet"
    assert talk.said[-2:] == ["我们先停一停。", "是哪里不合适？"]
    check(talk)
    roundtrip(talk)
    talk.say("没有，都好")
    assert talk.at == "甲#2"
    assert noticed(talk) == [HIT, ("no", "model", False, "")]
    check(talk)


@pytest.mark.parametrize("at", ["before ask", "topic_end"])
def test_the_hook_point_that_was_left_is_not_read_again_on_the_way_back(at: str) -> None:
    steps = [topic("甲", ask("一？", "a")), topic("乙", ask("二？", "b"))]
    talk = Talk(made(watcher(MEET, at=at), topics=steps), model(hearing("别扭")))
    talk.say("真别扭")
    assert running(talk) == "meet"
    talk.say("还别扭着")
    assert talk.at == "乙#1"
    assert [e.directive for e in talk.happened("directive")] == ["CALL_TECHNIQUE"]
    check(talk)


def test_two_at_one_hook_point_act_in_the_order_of_their_ids_and_one_takes_the_floor() -> None:
    both = (watcher(MEET, NOTE, id="b"), watcher(MEET, id="c"), watcher(NOTE, id="a"))
    talk = Talk(made(*both), model(hearing("别扭")))
    talk.say("真别扭")
    told = [(e.awareness, e.acted, e.rest) for e in talk.happened("awareness") if e.priority == "P1"]
    assert told == [("local/a", True, ""), ("local/b", True, ""), ("local/c", False, "gave way")]
    assert ordered(talk) == [("SET_VAR", ""), ("CALL_TECHNIQUE", ""), ("SET_VAR", "")]
    assert "local/c" not in talk.state.alerts, "what did not act does not rest"
    assert len(talk.state.suspended) == 1


def test_danger_goes_first() -> None:
    talk = Talk(made(watcher(MEET), watcher(NOTE, id="z")), model(hearing("别扭")))
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    assert noticed(talk) == []
    own = [ref for ref in unasked(talk)[-1]["safety first"] if ref.startswith("local/")]
    assert own == ["local/resists", "local/z"]
    assert talk.value("标记") is None


def test_while_danger_is_gone_through_no_hook_point_counts() -> None:
    talk = Talk(made(watcher(at=["before ask", "after ask", "before say"])), model(hearing("没有")))
    talk.say(INTENT["zh"])
    for words_ in ("没有",) * 3:
        talk.say(words_)
    assert noticed(talk) == []
    assert all(set(each) <= {"safety first", "nothing was said"} for each in unasked(talk))
    out(talk)
    assert talk.at == "甲#1"


def test_the_model_s_doubt_of_safety_outranks_a_technique() -> None:
    """A gentle question about danger and a technique for resistance at once: the question."""
    risk = {"verdicts": [{"id": 1, "verdict": "unknown", "confidence": 0.5, "evidence": "没意思"}]}
    talk = Talk(made(watcher(MEET)), model(hearing("没意思"), risk=risk))
    talk.say("没意思")
    assert running(talk) != "meet"
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert noticed(talk) == [("yes", "model", False, "hook point not crossed")] or noticed(talk)[0][3] == "safety first"
    assert ("CALL_TECHNIQUE", "") in ordered(talk)


# without a model


def test_without_a_provider_rules_are_the_judge() -> None:
    talk = Talk(made(watcher(rules=words("别扭"))))
    talk.say("还行")
    talk.say("真别扭")
    assert noticed(talk) == [("no", "rules", False, ""), ("yes", "rules", True, "")]
    assert talk.happened("awareness")[-1].evidence in "真别扭"


def test_explicit_rules_need_no_model_and_are_not_asked_about() -> None:
    talk = Talk(made(watcher(rules=words("别扭"))), model())
    talk.say("真别扭")
    assert asked(talk) == []
    assert noticed(talk) == [("yes", "rules", True, "")]


def test_a_watch_word_orders_what_is_written_for_it() -> None:
    slow = {"directive": "SET_VAR", "var": "慢", "value": True}
    talk = Talk(made(watcher(rules=words("别扭", "watch"), on_watch=[slow])), model())
    talk.say("真别扭")
    assert noticed(talk) == [("watch", "rules", True, "")]
    assert (talk.value("慢"), talk.value("标记")) == (True, None)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("rules", ("unknown", "default", False, "unanswered")),
        ("unknown", ("unknown", "default", False, "unanswered")),
        ("miss", ("no", "default", False, "")),
        ("hit", ("yes", "default", True, "")),
    ],
)
@pytest.mark.parametrize("mind", [None, {"risk": CALM, "ask": taking}], ids=["no provider", "it fails"])
def test_where_nobody_can_judge(mind: Any, says: str, expected: Any) -> None:
    talk = Talk(made(watcher(if_unanswered=says)), mind)
    talk.say("还行")
    assert noticed(talk) == [expected]
    assert (talk.value("标记") == "是") == expected[2]


def test_an_outage_makes_no_verdict_a_no_even_with_rules() -> None:
    talk = Talk(made(watcher(rules=words("别扭"))), {"risk": CALM, "ask": taking})
    talk.say("还行")
    assert noticed(talk) == [("unknown", "default", False, "unanswered")]


def test_what_is_ordered_for_an_outage_is_ordered_once() -> None:
    doubt = {"directive": "SET_VAR", "var": "不明", "value": True}
    talk = Talk(made(watcher(on_unknown=[doubt])), {"risk": CALM, "ask": taking})
    talk.say("还行")
    talk.say("还好")
    assert noticed(talk) == [("unknown", "default", True, ""), ("unknown", "default", False, "unanswered")]
    assert ordered(talk) == [("SET_VAR", "")]


# hook points that nobody foresaw


UNFORESEEN = (ask("一？", "a"), use("inner"), ask("二？", "b"))
INNER = skill("里面", say("嗯。"), ask("里面？", "x"), id="inner")


def test_what_could_not_be_foreseen_is_judged_in_the_next_turn() -> None:
    talk = Talk(made(watcher(at="before say"), actions=UNFORESEEN, skills=[INNER]), model(hearing("别扭")))
    talk.say("真别扭")
    assert asked(talk) == []
    assert unasked(talk)[-1] == {"judged next turn": ["local/resists"]}
    assert talk.state.alerts["local/resists"].owed == ["before say"]
    talk.say("还是别扭")
    assert asked(talk) == [[RESISTS]]
    assert noticed(talk) == [HIT]
    assert talk.happened("awareness")[-1].hook_point == "before say"
    assert talk.state.alerts["local/resists"].owed == []
    talk.say("好")
    assert len(asked(talk)) == 1


def test_strict_pays_a_call_at_the_hook_point() -> None:
    def mind(task: Any) -> Any:
        assert RESISTS in task.values["questions"]
        return {"verdicts": [{"id": 1, "verdict": True, "confidence": 0.9, "evidence": "真别扭"}]}

    strict = watcher(MEET, at="before say", strict=True)
    talk = Talk(made(strict, actions=UNFORESEEN, skills=[INNER, MEETING]), model(judge=mind))
    talk.say("真别扭")
    assert len(tasks(talk, "judge")) == 1
    assert noticed(talk) == [HIT]
    assert running(talk) == "meet"
    check(talk)


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ([{"id": 1, "verdict": False, "confidence": 0.9}], ("no", "model", False, "")),
        ([{"id": 1, "verdict": True, "confidence": 0.3, "evidence": "真别扭"}], ("no", "model", False, "")),
        (
            [{"id": 1, "verdict": True, "confidence": 0.9, "evidence": "我恨你"}],
            ("unknown", "default", False, "unanswered"),
        ),
        (None, ("unknown", "default", False, "unanswered")),
    ],
    ids=["no", "unsure", "not said", "it fails"],
)
def test_strict_takes_no_more_on_trust_than_perception(verdict: Any, expected: Any) -> None:
    answer = {"verdicts": verdict} if verdict is not None else None
    strict = watcher(at="before say", strict=True)
    talk = Talk(made(strict, actions=UNFORESEEN, skills=[INNER]), model(judge=answer))
    talk.say("真别扭")
    assert noticed(talk) == [expected]
    assert talk.state.alerts == {} or talk.state.alerts["local/resists"].owed == []


def test_strict_costs_nothing_where_the_hook_point_was_foreseen() -> None:
    talk = Talk(made(watcher(strict=True)), model(seen((1, "真别扭"))))
    talk.say("真别扭")
    assert tasks(talk, "judge") == []
    assert noticed(talk) == [HIT]


def test_a_technique_that_is_owed_takes_the_place_of_the_reply() -> None:
    """It acts before the reply is shown: the reply is dropped, the answer is kept."""
    steps = (ask("一？", "a"), use("inner"), ask("二？", "b"))
    talk = Talk(
        made(watcher(MEET, at="before say"), actions=steps, skills=[INNER, MEETING]),
        model(hearing("别扭"), ask=lambda task: taking(task) | {"content": "模型的回应"}),
    )
    talk.say("还行")
    talk.say("别扭了")
    assert running(talk) == "meet"
    assert "模型的回应" not in talk.said
    assert talk.said == ["我们先停一停。", "是哪里不合适？"]
    talk.say("没什么")
    assert talk.at == "甲#3"
    check(talk)


def test_a_variable_that_is_owed_and_read_by_the_reply_makes_it_be_written_anew() -> None:
    inner = skill("里面", say("嗯。"), ai_ask("按{标记}的方式问", "x", question="里面？"), id="inner")
    steps = (ask("一？", "a"), use("inner"), ask("二？", "b"))
    talk = Talk(
        made(
            watcher(NOTE, at="before say"),
            actions=steps,
            skills=[inner],
            declare=[{"var": "标记", "value": "否"}],
        ),
        model(hearing("别扭"), ai_ask=[answered("初稿？"), answered("重写？")]),
    )
    talk.say("还行")
    talk.say("别扭了")
    assert talk.said == ["重写？"]
    assert [(e.redone, e.why) for e in talk.happened("replied") if e.redone] == [(True, ["content", "标记"])] or any(
        e.redone for e in talk.happened("replied")
    )


# choices, many scripts, phases


def test_no_more_is_asked_than_one_call_holds() -> None:
    """Fourteen scripts: twelve are asked about, the others in the next turn, as theirs was come to unasked."""
    many = [watcher(id=f"w{n:02}", judge=f"第{n}题") for n in range(14)]
    talk = Talk(made(*many), model())
    talk.say("还行")
    assert [len(each) for each in asked(talk)] == [12]
    assert unasked(talk)[-1] == {"judged next turn": ["local/w12", "local/w13"]}
    talk.say("还行")
    assert [len(each) for each in asked(talk)] == [12, 12]
    assert asked(talk)[1][:2] == ["第12题", "第13题"]
    rows = [e for e in talk.happened("awareness") if e.priority == "P1"]
    assert len(rows) == 24


def test_conditions_of_the_script_come_before_and_leave_the_room() -> None:
    conditions = [say(f"说{n}", condition={"judge": f"条件{n}"}) for n in range(11)]
    many = [watcher(id=f"w{n}", judge=f"第{n}题") for n in range(3)]
    talk = Talk(made(*many, actions=(ask("一？", "a"), *conditions, ask("二？", "b"))), model())
    talk.say("还行")
    assert [len(each) for each in asked(talk)] == [12]
    assert tasks(talk, "judge") == []


def test_a_phase_switches_them_on_and_off() -> None:
    whole = script(
        phase("A", topic("甲", ask("一？", "a")), awareness={"enable": ["off"], "disable": ["on"]}),
        phase("B", topic("乙", ask("二？", "b"), ask("三？", "c"))),
        awareness=[watcher(id="on", always=False), watcher(id="off", always=False, judge="别的")],
    )
    talk = Talk(whole, model())
    talk.say("还行")
    assert asked(talk) == [["别的"]]
    talk.say("还行")
    assert asked(talk) == [["别的"]], "what a phase switched on is off behind it"


def test_a_choice_is_no_words_to_judge() -> None:
    steps = ({"type": "user_option", "var": "x", "choices": [{"value": "a", "label": "好"}]}, ask("二？", "b"))
    talk = Talk(made(watcher(at="before ask"), actions=steps), model(hearing("行")))
    talk.choose("a")
    assert asked(talk) == []
    assert noticed(talk) == []
    talk.say("还行")
    assert noticed(talk) == [HIT]


@pytest.mark.parametrize("phrase", ["什么意思", "再说一遍"])
def test_where_the_question_is_put_again_no_hook_point_is_come_to(phrase: str) -> None:
    talk = Talk(made(watcher()), model(hearing(phrase), ask=replied(False)))
    talk.say(phrase)
    assert asked(talk) == []
    assert unasked(talk)[-1] == {"hook point not reachable": ["local/resists"]}


def test_words_that_belong_to_an_earlier_question_are_not_judged() -> None:
    talk = Talk(made(watcher()), model(hearing("别扭")))
    seen_ = talk.state.messages
    talk.say("还行")
    talk.say("其实真别扭", after=seen_)
    assert noticed(talk) == [("no", "model", False, "")]
    assert unasked(talk)[-1] == {"hook point not reachable": ["local/resists"]}


def test_a_reply_does_not_open_the_next_question_when_something_may_come_between() -> None:
    steps = (ai_ask("问甲", "x", question="甲？"), ai_ask("问乙", "y"), ask("二？", "b"))
    reply = answered("嗯。那乙呢？", "YES", values={"x": {"value": "真别扭", "evidence": "真别扭"}})
    table = model(hearing("别扭"), ai_ask=reply, ai_ask_open={"content": "乙是怎样的？"})
    talk = Talk(made(watcher(MEET, at="before ai_ask"), actions=steps), table)
    talk.say("真别扭")
    assert running(talk) == "meet"
    assert "那乙呢" not in "".join(talk.said)
    plain = Talk(made(watcher(MEET, at="before ai_ask"), actions=steps), table | {"perceive": NOTHING})
    plain.say("真别扭")
    assert "那乙呢？" in "".join(plain.said), "nothing was noticed: the reply opens it"
    assert tasks(plain, "ai_ask_open") == []


def test_a_variable_that_is_set_at_the_hook_point_is_read_by_what_comes_next() -> None:
    steps = (ask("一？", "a"), put("x", 1), say("听到了。", condition="标记 == '是'"), ask("二？", "b"))
    talk = Talk(
        made(watcher(at="after ask"), actions=steps, declare=[{"var": "标记", "value": "否"}]), model(hearing("别扭"))
    )
    talk.say("别扭了")
    assert "听到了。" in talk.said
