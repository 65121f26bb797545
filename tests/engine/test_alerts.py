"""What a watching script remembers: that it has acted, what was handled, when it rests and when it is over."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import running
from tests.engine.scripts import ask, check, phase, put, roundtrip, say, script, topic
from tests.engine.watchers import (
    MEET,
    NOTE,
    RESISTS,
    SLOW,
    asked,
    hearing,
    made,
    model,
    noticed,
    ordered,
    unasked,
    watcher,
    words,
)

from heartrule.testing.talk import Talk

HIT = ("yes", "model", True, "")
MANY = [ask(f"{n}？", f"v{n}") for n in range(12)]
ZH_HANDLED = "（已处理过：只看这次发言里新的、更重的，evidence 必填）"
ZH_HANDLING = "（正在处理：同一件事不算，只看新的、更重的）"


def hold(*awareness: Any, mind: Any = None, **more: Any) -> Talk:
    more.setdefault("actions", MANY)
    return Talk(made(*awareness, **more), model(hearing("别扭")) if mind is None else mind)


def alert(talk: Talk, ref: str = "local/resists") -> Any:
    return talk.state.alerts[ref]


# first, being handled, handled


def test_the_question_is_put_as_things_stand() -> None:
    talk = hold(watcher(MEET, at=["after ask", "before ask"]))
    talk.say("真别扭")
    assert running(talk) == "meet"
    talk.say("就是说不出")
    talk.say("还行")
    assert [each[0] for each in asked(talk)] == [RESISTS, RESISTS + ZH_HANDLING, RESISTS + ZH_HANDLED]


def test_what_it_called_does_not_call_it_again() -> None:
    talk = hold(watcher(MEET, at=["after ask", "before ask"]))
    talk.say("真别扭")
    talk.say("还是别扭")
    assert noticed(talk) == [HIT, ("yes", "model", False, "handled")]
    assert [e.handled for e in talk.happened("awareness") if e.priority == "P1"] == [False, True]
    assert [topic_.ref for topic_ in talk.state.suspended] == []
    assert alert(talk).handled == 1
    check(talk)


def test_the_same_words_do_not_make_it_act_again() -> None:
    """The model quotes what was said before it acted: that is no news."""

    def mind(task: Any) -> Any:
        found = hearing("别扭")(task)
        first = [line.text for line in task.context.history if line.speaker == "person"]
        held = [{"id": 1, "confidence": 0.9, "evidence": "别扭"}] if any("别扭" in line for line in first) else []
        return found if found["holds"] else {"holds": held, "values": []}

    talk = hold(watcher(NOTE), mind=model(mind))
    talk.say("真别扭")
    talk.say("还行")
    assert noticed(talk) == [HIT, ("yes", "model", False, "nothing new was said")]
    talk.say("又别扭了")
    assert noticed(talk)[-1] == HIT
    assert alert(talk).times == 2
    roundtrip(talk)


def test_what_is_ordered_when_nothing_new_was_said() -> None:
    def mind(task: Any) -> Any:
        return {"holds": [{"id": 1, "confidence": 0.9, "evidence": "别扭"}], "values": []}

    talk = hold(watcher(NOTE, on_repeat=[SLOW]), mind=model(mind))
    talk.say("真别扭")
    talk.say("还行")
    assert ordered(talk) == [("SET_VAR", ""), ("FEEDBACK", "")]
    assert alert(talk).times == 1, "it has not hit again"


def test_a_quote_that_is_left_out_is_no_news_either() -> None:
    talk = hold(watcher(NOTE), mind=model({"holds": [{"id": 1, "confidence": 0.9, "evidence": ""}], "values": []}))
    talk.say("真别扭")
    talk.say("真别扭")
    assert noticed(talk) == [HIT, ("yes", "model", False, "nothing new was said")]


def test_rules_read_the_newest_words_and_these_are_new() -> None:
    talk = Talk(made(watcher(NOTE, rules=words("别扭")), actions=MANY))
    for said in ("真别扭", "还行", "真别扭"):
        talk.say(said)
    assert [row[2] for row in noticed(talk)] == [True, False, True]


# what code decides


def counting(*then: Any, **more: Any) -> Any:
    return watcher(*then, id="counts", condition="次数 >= 2", **more)


def rising(**more: Any) -> Talk:
    up = put("次数", expr="次数 + 1")
    steps = [each for n in range(6) for each in (up, ask(f"{n}？", f"v{n}"))]
    return Talk(made(counting(SLOW, at="before ask", **more), actions=steps, declare=[{"var": "次数", "value": 0}]))


def test_an_expression_costs_no_call_and_acts_when_it_comes_to_hold() -> None:
    talk = rising()
    assert talk.asked == []
    assert noticed(talk, "local/counts") == [("no", "rules", False, "")]
    for _ in range(4):
        talk.say("还行")
    rows = noticed(talk, "local/counts")
    assert rows[1] == ("yes", "rules", True, "")
    assert rows[2:] == [("yes", "rules", False, "nothing new was said")] * 3
    assert ordered(talk) == [("FEEDBACK", "")]


def test_with_a_cooldown_it_acts_as_often_as_that_allows() -> None:
    talk = rising(cooldown="1 turn")
    for _ in range(5):
        talk.say("还行")
    assert ordered(talk) == [("FEEDBACK", "")] * 3
    assert [each for each in unasked(talk) if "cooldown" in each] == [{"cooldown": ["local/counts"]}] * 2


def test_it_acts_again_when_it_has_not_held_in_between() -> None:
    swing = put("次数", expr="2 - 次数")
    steps = [each for n in range(6) for each in (swing, ask(f"{n}？", f"v{n}"))]
    talk = Talk(made(counting(SLOW, at="before ask"), actions=steps, declare=[{"var": "次数", "value": 0}]))
    for _ in range(4):
        talk.say("还行")
    assert [row[2] for row in noticed(talk, "local/counts")] == [True, False, True, False, True]


def test_a_combination_asks_only_where_code_has_not_decided() -> None:
    both = watcher(NOTE, condition={"all": ["次数 >= 2", {"judge": RESISTS}]}, at="after ask")
    up = put("次数", expr="次数 + 1")
    steps = [each for n in range(4) for each in (up, ask(f"{n}？", f"v{n}"))]
    talk = Talk(made(both, actions=steps, declare=[{"var": "次数", "value": 0}]), model(hearing("别扭")))
    talk.say("真别扭")
    assert asked(talk) == []
    assert noticed(talk) == [("no", "rules", False, "")]
    talk.say("真别扭")
    assert asked(talk) == [[RESISTS]]
    assert noticed(talk)[-1] == HIT


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"any": [{"judge": RESISTS}, {"judge": "累不累"}]}, "yes"),
        ({"all": [{"judge": RESISTS}, {"judge": "累不累"}]}, "no"),
        ({"not": {"judge": RESISTS}}, "no"),
        ({"all": [{"judge": RESISTS}, {"not": {"judge": "累不累"}}]}, "yes"),
    ],
)
def test_combinations(condition: Any, expected: str) -> None:
    talk = hold(watcher(NOTE, condition=condition))
    talk.say("真别扭")
    assert noticed(talk)[0][:2] == (expected, "model")


@pytest.mark.parametrize(
    ("written", "expected"), [({}, "unknown"), ({"default": False}, "no"), ({"default": True}, "yes")]
)
@pytest.mark.parametrize("mind", [None, model(None)], ids=["no provider", "it fails"])
def test_a_combination_that_nobody_can_judge(mind: Any, written: Any, expected: str) -> None:
    script = made(watcher(NOTE, condition={"any": [{"judge": RESISTS, **written}]}), actions=MANY)
    talk = Talk(script, mind)
    talk.say("还行")
    assert noticed(talk)[0][0] == expected


# rest and expiry


def test_a_cooldown_in_turns_and_nothing_is_asked_meanwhile() -> None:
    talk = hold(watcher(NOTE, cooldown="2 turns"))
    for _ in range(5):
        talk.say("真别扭")
    assert [len(each) for each in asked(talk)] == [1, 1]
    assert [row[2] for row in noticed(talk)] == [True, True]
    assert [each for each in unasked(talk) if "cooldown" in each] == [{"cooldown": ["local/resists"]}] * 3


def test_a_cooldown_in_time() -> None:
    talk = hold(watcher(NOTE, cooldown="1m"))
    talk.say("真别扭")
    talk.say("真别扭", seconds=50)
    talk.say("真别扭", seconds=10)
    assert [row[2] for row in noticed(talk)] == [True, True]
    assert unasked(talk)[-1] == {"cooldown": ["local/resists"]}


def test_what_does_not_act_does_not_rest() -> None:
    talk = hold(watcher(NOTE, cooldown="5 turns"), mind=model(hearing("没有的词")))
    for _ in range(3):
        talk.say("真别扭")
    assert [len(each) for each in asked(talk)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("expires", "acts"),
    [
        ({"times": 2}, 2),
        ({"after": "50s"}, 2),
        ({"after": "2h"}, 4),
        ({"condition": "v1 == '真别扭'"}, 1),
        ({"condition": "v1 == '没有'"}, 4),
    ],
)
def test_it_is_over(expires: Any, acts: int) -> None:
    declared = [{"var": f"v{n}"} for n in range(12)]
    talk = hold(watcher(NOTE, expires=expires), declare=declared)
    for _ in range(4):
        talk.say("真别扭")
    assert sum(row[2] for row in noticed(talk)) == acts
    assert [row[3] for row in noticed(talk) if not row[2]] == (["expired"] if acts == 1 else [])
    if acts < 4:
        assert unasked(talk)[-1] == {"expired": ["local/resists"]}
        assert alert(talk).expired == "expired"


def test_what_has_expired_is_switched_on_anew_by_a_directive() -> None:
    again = watcher(
        {"directive": "ENABLE", "awareness": "resists"}, id="again", judge="重来吗", rules=words("重来"), at="after ask"
    )
    talk = hold(watcher(NOTE, expires={"times": 1}), again)
    for said in ("真别扭", "真别扭", "重来", "真别扭"):
        talk.say(said)
    assert [row[2] for row in noticed(talk) if row[0] == "yes"] == [True, True]
    assert alert(talk).since is not None


def test_the_time_of_a_script_that_a_phase_switches_on_begins_there() -> None:
    late = watcher(NOTE, always=False, expires={"after": "30s"})
    whole = script(
        phase("A", topic("甲", ask("一？", "a"), ask("二？", "b"))),
        phase(
            "B", topic("乙", ask("三？", "c"), ask("四？", "d"), ask("五？", "e")), awareness={"enable": ["resists"]}
        ),
        awareness=[late],
    )
    talk = Talk(whole, model(hearing("别扭")))
    for said in ("还行", "还行", "真别扭", "真别扭"):
        talk.say(said)
    assert [row[2] for row in noticed(talk)] == [True]
    assert unasked(talk)[-1] == {"expired": ["local/resists"]}


# the record


def test_every_script_that_is_on_is_told_of_each_turn_once() -> None:
    """One row for what was judged, one for all that was not."""
    on = [watcher(NOTE, id=f"w{n}", judge=f"第{n}题", at=at) for n, at in enumerate(["after ask", "before say"] * 5)]
    off = watcher(NOTE, id="off", always=False)
    talk = hold(*on, off, mind=model(hearing("x")))
    for _ in range(3):
        talk.say("还行")
    rows = [(e.awareness, e.verdict) for e in talk.happened("awareness") if e.priority == "P1"]
    assert len(rows) == 3 * 5
    assert unasked(talk)[-3:] == [{"hook point not reachable": [f"local/w{n}" for n in (1, 3, 5, 7, 9)]}] * 3
    assert "off" not in str(rows) + str(unasked(talk))


def test_a_hook_point_that_is_come_to_again_and_again_in_one_turn_is_told_of_once() -> None:
    steps = [ask("一？", "a"), *(say(f"{n}。") for n in range(9)), ask("二？", "b")]
    talk = hold(watcher(NOTE, condition="1 > 2", at=["before say", "after say"]), actions=steps)
    talk.say("还行")
    assert noticed(talk) == [("no", "rules", False, "")]
