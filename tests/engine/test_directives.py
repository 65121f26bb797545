"""What an awareness script orders, one directive at a time: done, or refused with a reason, and always recorded."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from tests.engine.minds import INTENT, Node, judged, last, out, replied, running, written
from tests.engine.scripts import ask, causes, check, compiled, phase, roundtrip, say, skill, topic, topics

from heartrule.engine.session.state import Wait
from heartrule.testing.talk import Talk

WORD = "苹果"


def directive(kind: str, **more: Any) -> Node:
    return {"directive": kind, **more}


def call(technique: str, **params: Any) -> Node:
    return directive("CALL_TECHNIQUE", technique=technique, **({"params": params} if params else {}))


NOTE = directive("SET_VAR", var="标记", value="是")


def watcher(*then: Node, word: str = WORD, level: str = "explicit", **more: Any) -> Node:
    condition = {"judge": f"有没有说到{word}", "rules": {level: [{"pattern": word, "reason": "说了"}]}}
    acts = {"then": list(then)} if level == "explicit" else {"then": [], "on_watch": list(then)}
    name = more.pop("id", "fruit")
    return {"awareness": name, "id": name, "priority": "P0", "always": True, "condition": condition, **acts, **more}


def hold(*awareness: Node, topics: list[Node] | None = None, model: Any = None, project: str = "local") -> Talk:
    steps = topics or [
        topic("甲", ask("一？", "a"), ask("二？", "b"), id="t1"),
        topic("乙", say("乙。"), id="t2"),
        topic("丙", say("丙。"), id="t3"),
    ]
    whole = {
        "sessions": [{"session": "谈", "id": "talk", "phases": [phase("P", *steps)]}],
        "skills": [
            skill("缓一缓", say("先缓一缓。"), ask("好些了吗？", "缓", id="calm_ask"), id="calm"),
            skill("说一声", say("知道了：{话}"), id="note", parameters=[{"name": "话"}, {"name": "几", "default": 1}]),
        ],
        "awareness": list(awareness),
    }
    text = yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
    return Talk(compiled(text) if project == "local" else _elsewhere(text, project), model)


def _elsewhere(text: str, project: str) -> Any:
    return compiled.__wrapped__(text, files={"project.yaml": f"id: {project}\n"})


def done(talk: Talk) -> list[tuple[str, str]]:
    return [(event.directive, event.refused) for event in talk.happened("directive")]


# directives that take the floor


def test_call_technique_interrupts_and_the_question_is_put_again() -> None:
    talk = hold(watcher(call("calm")))
    talk.say(f"我要{WORD}")
    assert (running(talk), talk.at) == ("calm", "calm_ask")
    assert talk.said == ["先缓一缓。", "好些了吗？"]
    assert written(talk, "a") == [], "the words that interrupt are withheld"
    roundtrip(talk)
    talk.say("好些了")
    assert talk.at == "t1#1"
    assert talk.said[-1].endswith("一？")
    talk.say("还行")
    assert last(talk, "a") == "还行"
    assert done(talk) == [("CALL_TECHNIQUE", "")]
    check(talk)


def test_parameters_come_in() -> None:
    talk = hold(watcher(call("note", 话="收到")))
    talk.say(WORD)
    assert talk.said[0] == "知道了：收到"
    assert last(talk, "几") == 1


def test_resume_skip_leaves_the_topic_that_was_interrupted() -> None:
    talk = hold(watcher(call("calm"), resume="skip"))
    talk.say(WORD)
    talk.say("好些了")
    assert talk.said[-2:] == ["乙。", "丙。"]
    assert topics(talk, "skipped") == ["t1"]
    assert causes(talk, "skipped")["t1"]
    check(talk)


def test_suspend_current_lets_the_next_topic_go_first() -> None:
    talk = hold(watcher(directive("SUSPEND_CURRENT", reason="先说别的")))
    talk.say(WORD)
    assert talk.said[:1] == ["乙。"]
    assert talk.said[-1].endswith("一？")
    assert causes(talk, "suspended")["t1"] == "先说别的"
    assert talk.at == "t1#1"
    check(talk)


@pytest.mark.parametrize("reason", ["awareness safety/suicide_risk", "risk variable of a", "answer in form a"])
def test_a_reason_that_reads_like_danger_is_words_only(reason: str) -> None:
    """What put a topic aside is not read from what an author wrote: the way back is that of any other topic."""
    plain, talk = (hold(watcher(directive("SUSPEND_CURRENT", reason=words))) for words in ("先说别的", reason))
    plain.say(WORD)
    talk.say(WORD)
    assert causes(talk, "suspended")["t1"] == reason
    assert talk.said == plain.said


def test_suspend_and_insert_runs_what_was_inserted_now() -> None:
    steps = [topic("甲", ask("一？", "a"), id="t1"), topic("乙", ask("乙？", "y"), id="t2", condition="再来 == true")]
    talk = hold(
        watcher(
            directive("SET_VAR", var="再来", value=True),
            directive("SUSPEND_CURRENT"),
            directive("INSERT_TOPIC", topic="t2"),
        ),
        topics=[*steps, topic("丙", say("丙。"), id="t3")],
    )
    talk.say(WORD)
    assert done(talk) == [("SET_VAR", ""), ("SUSPEND_CURRENT", ""), ("INSERT_TOPIC", "")]
    assert talk.state.running is not None
    check(talk)


def test_end_session_ends_and_says_why() -> None:
    talk = hold(watcher(directive("END_SESSION", reason="约好的停止")))
    talk.say(WORD)
    assert talk.ended
    assert talk.state.end_reason == "约好的停止"
    assert written(talk, "a") == []


def test_nothing_after_the_end_is_carried_out() -> None:
    talk = hold(watcher(directive("END_SESSION"), NOTE))
    talk.say(WORD)
    assert done(talk) == [("END_SESSION", "")]
    assert last(talk, "标记") is None


# directives that leave the floor to the action


LEAVING: list[Node] = [
    NOTE,
    directive("INSERT_TOPIC", topic="t3", position="TAIL"),
    directive("SKIP_TOPICS", topics=["t2"]),
    directive("REORDER_TOPICS", priority_map={"t3": "high"}),
]


@pytest.mark.parametrize("level", ["explicit", "watch"])
@pytest.mark.parametrize("order", LEAVING, ids=lambda order: order["directive"])
def test_words_that_interrupt_nothing_are_still_an_answer(order: Node, level: str) -> None:
    """Nothing else comes, so nothing may be withheld, and nobody is left without a reply."""
    talk = hold(watcher(order, level=level))
    talk.say(f"我要{WORD}")
    assert last(talk, "a") == f"我要{WORD}"
    assert not [message for message in talk.history if message.withheld]
    assert talk.said[-1].endswith("二？")
    assert done(talk) == [(order["directive"], "")]
    check(talk)


@pytest.mark.parametrize("order", LEAVING, ids=lambda order: order["directive"])
def test_a_model_that_notices_it_does_no_more(order: Node) -> None:
    node = watcher(order, word="没有人会这样说")
    both = {"verdicts": [{"id": n, "verdict": v, "confidence": 0.9} for n, v in ((1, "yes"), (2, "no"))]}
    talk = hold(node, model={"risk": both, "ask": replied(values={"a": {"value": "还行", "evidence": "还行"}})})
    talk.say("还行")
    assert last(talk, "a") == "还行"
    assert done(talk) == [(order["directive"], "")]


def test_a_question_that_was_not_answered_is_put_again_beside_such_directives() -> None:
    steps = [topic("甲", ask("几分？", {"get": "分", "type": "integer"}), id="t1")]
    talk = hold(watcher(NOTE), topics=steps)
    talk.say(f"我要{WORD}")
    assert talk.said[-1].endswith("几分？")
    assert last(talk, "标记") == "是"


# the queue


def test_insert_topic_comes_next_or_last() -> None:
    for position, order in (("NEXT", ["t1", "t3", "t2"]), ("TAIL", ["t1", "t2", "t3"])):
        steps = [topic("甲", ask("一？", "a"), ask("二？", "b"), id="t1")]
        steps += [topic("丙", say("丙。"), id="t3"), topic("乙", say("乙。"), id="t2")][
            :: 1 if position == "TAIL" else -1
        ]
        talk = hold(watcher(directive("INSERT_TOPIC", topic="丙", position=position)), topics=steps)
        talk.say(WORD)
        talk.say("还行")
        assert topics(talk, "completed") == order
        assert [event.cause for event in talk.happened("queue")].count("awareness local/fruit") == 1


def test_skip_topics_by_id_or_name_with_a_cause() -> None:
    talk = hold(watcher(directive("SKIP_TOPICS", topics=["t2", "丙"])))
    talk.say(WORD)
    talk.say("还行")
    assert talk.ended
    assert topics(talk, "skipped") == ["t2", "t3"]
    assert set(causes(talk, "skipped").values()) == {"awareness local/fruit"}


def test_reorder_topics_sorts_and_keeps_the_rest() -> None:
    steps = [
        topic("甲", ask("一？", "a"), id="t1"),
        *[topic(n, say(f"{n}。"), id=i) for n, i in (("乙", "t2"), ("丙", "t3"))],
    ]
    talk = hold(watcher(directive("REORDER_TOPICS", priority_map={"t2": "low"})), topics=steps)
    talk.say(WORD)
    assert topics(talk, "completed") == ["t1", "t3", "t2"]


# refused


@pytest.mark.parametrize(
    "order",
    [
        directive("SKIP_TOPICS", topics=["t1"]),
        directive("REORDER_TOPICS", priority_map={"t1": "low"}),
        directive("SET_VAR", var="数", value=3),
    ],
    ids=lambda order: order["directive"],
)
def test_what_cannot_be_done_is_recorded_with_the_reason(order: Node) -> None:
    """The topic that runs is no longer planned; what its own check refuses is no value. The conversation goes on."""
    number = {"var": "数", "type": "integer", "validate": "数 > 5"}
    steps = [topic("甲", ask("一？", "a"), ask("二？", "b"), id="t1", declare=[number])]
    talk = hold(watcher(order), topics=steps)
    talk.say(WORD)
    ((kind, refused),) = done(talk)
    assert kind == order["directive"]
    assert refused
    assert last(talk, "a") == WORD
    assert last(talk, "数") is None
    assert talk.at == "t1#2"


def test_directives_run_in_the_order_written_each_with_its_cause() -> None:
    talk = hold(watcher(NOTE, directive("SET_VAR", var="标记", value="又"), call("calm")))
    talk.say(WORD)
    assert [event.cause for event in talk.happened("directive")] == ["local/fruit yes"] * 3
    assert [value for value, *_ in written(talk, "标记")] == ["是", "又"]
    assert running(talk) == "calm"


def test_a_technique_that_runs_is_not_called_again() -> None:
    talk = hold(watcher(call("calm")))
    talk.say(WORD)
    talk.say(WORD)
    assert topics(talk, "running").count("calm") == 1
    assert last(talk, "缓") == WORD, "the words answer its question"


# beside safety


@pytest.mark.parametrize("project", ["aaa", "zzz"])
@pytest.mark.parametrize("order", [call("calm"), directive("END_SESSION"), directive("SUSPEND_CURRENT")], ids=str)
def test_nothing_comes_between_a_person_in_danger_and_the_crisis_technique(project: str, order: Node) -> None:
    """Whatever else these words set off, and whatever its project is called."""
    talk = hold(watcher(order, NOTE), project=project)
    talk.say(f"{INTENT['zh']}，{WORD}")
    assert not talk.ended
    assert running(talk) == "crisis_support"
    refused = {kind: why for kind, why in done(talk) if why}
    assert refused[order["directive"]] == "safety comes first"
    for words in ("没有",) * 3:
        talk.say(words)
    out(talk)
    assert talk.at == "t1#1"
    check(talk)


@pytest.mark.parametrize("order", [call("calm"), directive("END_SESSION")], ids=str)
def test_nothing_interrupts_the_crisis_technique(order: Node) -> None:
    talk = hold(watcher(order))
    talk.say(INTENT["zh"])
    talk.say(f"没有，{WORD}")
    assert running(talk) == "crisis_support"
    assert talk.at != "thoughts", "the words were an answer to its question"
    assert done(talk)[-1] == (order["directive"], "safety comes first")


def test_notes_are_still_taken_in_a_crisis() -> None:
    talk = hold(watcher(NOTE))
    talk.say(f"{INTENT['zh']}，{WORD}")
    assert running(talk) == "crisis_support"
    assert last(talk, "标记") == "是"


def test_a_gentle_question_gives_way_to_a_grave_technique() -> None:
    talk = hold(watcher(call("calm")))
    talk.say("活着没意思")
    assert running(talk) == "safety_check"
    talk.say(WORD)
    assert running(talk) == "calm"
    talk.say("好些了")
    assert running(talk) == "safety_check", "and is not forgotten"


def test_the_time_of_an_interrupted_question_rests() -> None:
    steps = [topic("甲", ask("一？", "a", timeout="30s"), ask("二？", "b"), id="t1")]
    talk = hold(watcher(call("calm")), topics=steps)
    talk.say(WORD)
    (suspended,) = talk.state.suspended
    assert suspended.action is not None
    assert isinstance(suspended.action.wait, Wait)
    assert suspended.action.wait.due is None
    talk.wait(minutes=5)
    assert running(talk) == "calm"
    talk.say("好些了")
    assert talk.turn.wake_at is not None


def test_a_model_verdict_is_as_good_as_a_rule() -> None:
    node = watcher(call("calm"), word="没有人会这样说")
    two = {"verdicts": [{"id": 1, "verdict": "yes", "confidence": 1}, *judged("no")["verdicts"]]}
    two["verdicts"][1]["id"] = 2
    talk = hold(node, model={"risk": two, "ask": replied()})
    talk.say("还行")
    assert running(talk) == "calm"
    assert [message.withheld for message in talk.history if message.sender == "person"] == [True]
