"""Who may raise an alarm and who may lower it: rules, the model, a model that fails, and nobody at all."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.minds import (
    CALM,
    INTENT,
    WATCH,
    Node,
    ai_ask,
    ai_say,
    asked,
    judged,
    last,
    option,
    out,
    press,
    replied,
    running,
    sensible,
    tasks,
    written,
)
from tests.engine.scripts import ask, check, compiled, only, phase, say, script, topic

from heartrule.testing.talk import Talk

MOOD, SLEEP = "今天怎么样？", "睡得好吗？"
QUESTIONS = [ask(MOOD, "心情"), ask(SLEEP, "睡眠"), ask("吃得好吗？", "饮食")]


def hold(model: Any = None, *actions: Node) -> Talk:
    return Talk(only(*(actions or QUESTIONS)), model)


def verdicts(talk: Talk) -> list[tuple[str, str, bool]]:
    return [(event.verdict, event.source, event.handled) for event in of_suicide(talk)]


def of_suicide(talk: Talk) -> list[Any]:
    """What the script on suicide came to: others of the safety project come to something on every message too."""
    return [event for event in talk.happened("awareness") if event.awareness == "safety/suicide_risk"]


def model(*risk: Any) -> dict[str, Any]:
    return {"risk": list(risk), "ask": replied(values={}), "ai_ask": asked("再说说？")}


# the rules


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("risk", [None, CALM, "fails"], ids=["no model", "model says no", "model fails"])
def test_no_model_lowers_what_the_rules_hear(language: str, risk: Any) -> None:
    table = None if risk is None else {"ask": replied()} | ({"risk": risk} if risk != "fails" else {})
    talk = hold(table)
    talk.say(INTENT[language])
    assert running(talk) == "crisis_support"
    assert verdicts(talk) == [("yes", "rules", False)]
    assert tasks(talk, "risk") == [], "there is nothing to ask"
    assert written(talk, "心情") == []


def test_the_evidence_is_the_words_themselves() -> None:
    talk = hold()
    talk.say("说实话，我不想活了。")
    (noticed,) = of_suicide(talk)
    assert noticed.evidence in "说实话，我不想活了。"
    assert noticed.reason


def test_ordinary_words_are_judged_and_recorded_too() -> None:
    talk = hold()
    talk.say("还行")
    assert verdicts(talk) == [("no", "rules", False)]
    assert talk.at == "T#2"


@pytest.mark.parametrize(
    "action", [ask(MOOD, "x"), ai_ask("问", "x", question=MOOD), ai_say("讲一讲"), option("x", "好", "坏"), press("好")]
)
def test_intent_is_heard_whatever_waits(action: Node) -> None:
    talk = hold(None, say("你好"), action, say("完"))
    kind = talk.request.kind
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    assert written(talk, "x") == []
    for words in ("没有",) * 3:
        talk.say(words)
    out(talk)
    assert talk.request.kind == kind
    assert talk.said[-1].splitlines()[-1], "what was asked is said once more, choices included"
    assert not talk.ended


def test_a_label_that_speaks_of_dying_is_heard_as_words_when_it_is_typed() -> None:
    talk = hold(None, say("哪个像你？"), option("x", "我不想活了", "还好"), say("完"))
    talk.say("我不想活了")
    assert running(talk) == "crisis_support"
    assert written(talk, "x") == []


def test_the_words_are_withheld_and_stay_in_the_transcript() -> None:
    talk = hold(model(CALM))
    talk.say(INTENT["zh"])
    (message,) = [message for message in talk.history if message.sender == "person"]
    assert (message.text, message.withheld) == (INTENT["zh"], True)
    assert all(event.value != INTENT["zh"] for event in talk.happened("variable"))


@pytest.mark.parametrize(
    "burst", [("我", "不想", "活了"), ("今天好累", "我不想活了", "算了"), ("I want to", "kill myself")]
)
def test_a_burst_is_heard_as_one(burst: tuple[str, ...]) -> None:
    talk = hold()
    talk.say(*burst)
    assert running(talk) == "crisis_support"
    assert all(message.withheld for message in talk.history if message.sender == "person")


# while it runs


def test_further_words_of_intent_do_not_begin_it_anew() -> None:
    talk = hold()
    talk.say(INTENT["zh"])
    first = talk.state.running
    assert first is not None
    for _ in range(3):
        talk.say(INTENT["zh"])
        assert talk.state.running is not None
        assert talk.state.running.key == first.key
    assert [topic.ref for topic in talk.state.suspended] == ["T"]
    assert verdicts(talk) == [("yes", "rules", False), *[("yes", "rules", True)] * 3]


def test_while_it_runs_no_model_is_asked() -> None:
    talk = hold(sensible)
    talk.say(INTENT["zh"])
    count = len(talk.asked)
    for _ in ("thoughts", "hurt", "means"):
        talk.say("没有")
    assert len(talk.asked) == count
    out(talk)
    assert talk.at == "T#1"
    talk.say("还行")
    assert len(talk.asked) > count


def test_explicit_words_take_the_place_of_a_gentle_question() -> None:
    talk = hold()
    talk.say(WATCH)
    assert running(talk) == "safety_check"
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    for words in ("没有",) * 3:
        talk.say(words)
    out(talk)
    assert talk.at == "T#2", "the gentle question does not come back"


def test_explicit_words_take_the_place_of_the_unsure_question() -> None:
    talk = hold({})
    talk.say("还行")
    assert running(talk) == "safety_unsure"
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    assert [topic.ref for topic in talk.state.suspended] == ["T"]


# the gentle question


@pytest.mark.parametrize("table", [None, model(CALM)], ids=["no model", "model says no"])
def test_a_watch_word_is_asked_about_and_its_answer_kept(table: Any) -> None:
    talk = hold(table, ask(MOOD, "心情"), ask(SLEEP, "睡眠"))
    if table:
        table["ask"] = [replied(values={"心情": {"value": WATCH, "evidence": WATCH}}), replied()]
    talk.say(WATCH)
    assert running(talk) == ("explore_wishes" if table else "safety_check")
    assert last(talk, "心情") == WATCH
    assert [message.withheld for message in talk.history if message.sender == "person"] == [False]
    assert SLEEP not in "".join(talk.said), "the next question is not put before the gentle one"
    if table:
        return
    talk.say("没有")
    assert talk.said[-1].endswith(SLEEP)
    assert talk.at == "T#2"


def test_a_watch_word_that_answers_nothing_has_its_question_put_again() -> None:
    talk = hold(None, ask("几分？", {"get": "分", "type": "integer"}))
    talk.say(WATCH)
    assert running(talk) == "safety_check"
    talk.say("没有")
    assert talk.at == "T#1"
    assert talk.said[-1].endswith("几分？")
    talk.say("3")
    assert last(talk, "分") == 3


def test_watch_words_rest_for_six_turns() -> None:
    talk = hold(None, *[ask(f"第{n}问？", f"v{n}") for n in range(12)])
    talk.say(WATCH)
    assert running(talk) == "safety_check"
    talk.say("没有")
    for turn in range(2, 7):
        talk.say(WATCH)
        assert running(talk) == "T", f"turn {turn} after the question"
    assert verdicts(talk)[-1] == ("watch", "rules", True)
    talk.say(WATCH)
    assert running(talk) == "safety_check", "the seventh turn"


def test_resting_is_no_deafness() -> None:
    talk = hold()
    talk.say(WATCH)
    talk.say("没有")
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"


# the model


@pytest.mark.parametrize(
    ("confidence", "goes_to"),
    [(1.0, "crisis_support"), (0.5, "crisis_support"), (0.49, "explore_wishes"), (0.0, "explore_wishes")],
)
def test_a_model_raises_from_its_threshold_on(confidence: float, goes_to: str) -> None:
    talk = hold(model(judged("yes", confidence, "还行")))
    talk.say("还行")
    assert running(talk) == goes_to
    (noticed,) = of_suicide(talk)
    assert (noticed.source, noticed.confidence) == ("model", confidence)
    assert (written(talk, "心情") == []) or goes_to == "explore_wishes"


def test_the_models_yes_withholds_the_words_from_the_action_beside_it() -> None:
    talk = hold(
        {
            "risk": judged("yes"),
            "ask": replied(values={"心情": {"value": "还行", "evidence": "还行"}}),
        }
    )
    talk.say("还行")
    assert len(talk.asked) == 2, "both are asked at once"
    assert written(talk, "心情") == []
    assert [message.withheld for message in talk.history if message.sender == "person"] == [True]


def test_a_model_may_raise_a_watch_word_to_intent() -> None:
    talk = hold(model(judged("yes", 0.9)))
    talk.say(WATCH)
    assert running(talk) == "crisis_support"


@pytest.mark.parametrize("verdict", ["unknown", "passive"])
def test_what_a_model_is_not_sure_of_and_a_mere_wish_is_explored(verdict: str) -> None:
    talk = hold(model(judged(verdict, 0.9)))
    talk.say("反正也就这样了")
    assert running(talk) == "explore_wishes"
    assert [(event.verdict, event.source) for event in of_suicide(talk)] == [("watch", "model")]


@pytest.mark.parametrize(("confidence", "asks"), [(0.4, False), (0.5, True)])
def test_a_faint_doubt_about_another_danger_interrupts_nobody(confidence: float, asks: bool) -> None:
    """A played conversation: a dizzy moment of the day before, and twice the call for an ambulance."""
    both = [
        {"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""},
        {"id": 4, "verdict": "unknown", "confidence": confidence, "evidence": "昨天眼前黑了一下"},
    ]
    talk = hold(model({"verdicts": both}))
    talk.say("昨天眼前黑了一下，靠墙站住了，没事")
    assert (running(talk) != "T") is asks


def test_of_a_yes_and_a_passive_on_one_question_the_yes_counts() -> None:
    both = [{"id": 1, "verdict": each, "confidence": 0.9, "evidence": ""} for each in ("yes", "passive")]
    talk = hold(model({"verdicts": both}))
    talk.say("反正也就这样了")
    assert running(talk) == "crisis_support"


@pytest.mark.parametrize("risk", [None, {"verdicts": []}, {"verdicts": [{"id": 7, "verdict": "no", "confidence": 1}]}])
def test_where_nobody_could_judge_the_person_is_asked_once(risk: Any) -> None:
    talk = hold(model(risk))
    talk.say("还行")
    assert running(talk) == "safety_unsure"
    assert verdicts(talk) == [("unknown", "default", False)]
    talk.say("我很安全")
    for _ in range(2):
        talk.say("还行")
        assert running(talk) == "T"
    assert verdicts(talk)[-1] == ("unknown", "default", True)


def test_and_not_again_until_the_model_has_answered() -> None:
    judgements = [None, None, CALM, None]
    talk = hold({"risk": judgements, "ask": replied()}, *[ask(f"第{n}问？") for n in range(6)])
    talk.say("一")
    assert running(talk) == "safety_unsure"
    talk.say("我很安全")
    talk.say("二")
    assert running(talk) == "T", "it has been asked"
    talk.say("三")
    talk.say("四")
    assert running(talk) == "safety_unsure", "the model had answered in between"


@pytest.mark.parametrize("answer", ["我不安全", "不知道"])
def test_whoever_is_not_safe_then_is_stayed_with(answer: str) -> None:
    talk = hold({})
    talk.say("还行")
    talk.say(answer)
    assert running(talk) == "crisis_support"


def test_without_a_provider_the_rules_are_the_judge() -> None:
    talk = hold()
    for _ in range(3):
        talk.say("还行")
    assert {source for _, source, _ in verdicts(talk)} == {"rules"}
    assert talk.ended


def test_a_failed_model_does_not_silence_a_watch_word() -> None:
    talk = hold({"ask": replied(values={})})
    talk.say(WATCH)
    assert running(talk) == "safety_check"


def test_the_judgement_sees_what_has_just_been_said() -> None:
    talk = hold(model(CALM))
    talk.say("没什么意思吧大概")
    (task,) = tasks(talk, "risk")
    assert task.context.history[-1].text == "没什么意思吧大概"
    assert (task.kind, task.temperature) == ("judge", 0.0)
    assert task.seconds is not None
    assert task.seconds <= 3


# a project's own awareness scripts, and where they are on


def watcher(name: str, *then: Node, word: str = "苹果", level: str = "explicit", **more: Any) -> Node:
    condition = {"judge": f"有没有说到{word}", "rules": {level: [{"pattern": word, "reason": "说了"}]}}
    acts = {"then": list(then)} if level == "explicit" else {"then": [], "on_watch": list(then)}
    return {"awareness": name, "id": name, "priority": "P0", "condition": condition, **acts, **more}


NOTE = {"directive": "SET_VAR", "var": "标记", "value": "是"}


def marked(talk: Talk) -> bool:
    return last(talk, "标记") == "是"


def watched(*phases: Node, session: list[str] | None = None, **more: Any) -> Talk:
    """A session with these phases, in a project that has the script ``fruit``; ``session``: what it has enabled."""
    whole = {
        "sessions": [{"session": "谈", "id": "talk", "awareness": session or [], "phases": list(phases)}],
        "awareness": [watcher("fruit", NOTE, **more)],
    }
    return Talk(compiled(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)))


def place(name: str, **more: Any) -> Node:
    return phase(name, topic(f"T{name}", ask("？", f"v{name}")), **more)


@pytest.mark.parametrize("name", ["fruit", "local/fruit"])
def test_a_script_acts_in_the_sessions_that_enable_it(name: str) -> None:
    talk = watched(place("A"), place("B"), session=[name])
    talk.say("梨")
    talk.say("苹果")
    assert marked(talk)


def test_a_script_that_nobody_enabled_is_silent() -> None:
    talk = watched(place("A"))
    talk.say("苹果")
    assert not marked(talk)
    assert {event.awareness.partition("/")[0] for event in talk.happened("awareness")} == {"safety"}


def test_always_needs_no_listing() -> None:
    talk = watched(place("A"), always=True)
    talk.say("苹果")
    assert marked(talk)


@pytest.mark.parametrize(("said_in", "heard"), [("A", True), ("B", False)])
def test_a_phase_switches_on_for_itself(said_in: str, heard: bool) -> None:
    talk = watched(place("A", awareness={"enable": ["fruit"]}), place("B"))
    if said_in == "B":
        talk.say("梨")
    talk.say("苹果")
    assert marked(talk) == heard


@pytest.mark.parametrize(("said_in", "heard"), [("A", False), ("B", True)])
def test_a_phase_switches_off_for_itself(said_in: str, heard: bool) -> None:
    talk = watched(place("A", awareness={"disable": ["fruit"]}), place("B"), session=["fruit"])
    if said_in == "B":
        talk.say("梨")
    talk.say("苹果")
    assert marked(talk) == heard


@pytest.mark.parametrize(
    ("switch", "session", "heard"),
    [
        ({"enable": ["fruit"]}, [], [False, True, True, False]),
        ({"disable": ["fruit"]}, ["fruit"], [True, False, False, True]),
    ],
)
@pytest.mark.parametrize("said_in", range(4))
def test_a_topic_switches_for_itself(switch: Node, session: list[str], heard: list[bool], said_in: int) -> None:
    """And for the techniques that it calls; not for the topics beside it."""
    topics = [topic(f"T{name}", ask("？", f"v{name}")) for name in "ABC"]
    calls = {"type": "use_skill", "skill": "问", "timing": "now"}
    topics[1] = topic("TB", ask("？", "vB"), calls) | {"awareness": switch}
    whole = {
        "sessions": [{"session": "谈", "id": "talk", "awareness": session, "phases": [phase("A", *topics)]}],
        "skills": [{"skill": "问", "actions": [ask("？", "vS")]}],
        "awareness": [watcher("fruit", NOTE)],
    }
    talk = Talk(compiled(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)))
    for _ in range(said_in):
        talk.say("梨")
    talk.say("苹果")
    assert marked(talk) == heard[said_in]


def test_no_phase_can_switch_off_what_is_always_on() -> None:
    talk = watched(place("A", awareness={"disable": ["fruit", "safety/suicide_risk"]}), always=True)
    twin = watched(place("A", awareness={"disable": ["fruit", "safety/suicide_risk"]}), always=True)
    talk.say("苹果")
    assert marked(talk)
    twin.say(INTENT["zh"])
    assert running(twin) == "crisis_support"


def test_one_call_judges_all_scripts_that_are_on() -> None:
    two = [watcher("fruit", NOTE, always=True), watcher("drink", NOTE, word="茶", always=True)]
    talk = Talk(script(phase("A", topic("T", ask("？", "v"))), awareness=two), model(CALM))
    talk.say("嗯")
    (task,) = tasks(talk, "risk")
    assert all(word in task.values["questions"] for word in ("苹果", "茶", "自杀"))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([*INTENT.values(), WATCH, "还行", "没有", "有", "苹果", "不知道"]), max_size=10))
def test_whatever_is_said_intent_ends_up_in_the_crisis_technique(moves: list[str]) -> None:
    talk = hold(None, *[ask(f"第{n}问？", f"v{n}") for n in range(12)])
    for text in moves:
        talk.say(text)
        check(talk)
        if text in INTENT.values():
            assert running(talk) == "crisis_support"
        assert not any(event.value in INTENT.values() for event in talk.happened("variable") if event.name[0] == "v")
