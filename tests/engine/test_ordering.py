"""What scripts below P0 may order: feedback, switching, help from people; what the project allows, and how much."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import INTENT, ai_ask, ai_say, explained, out, running, tasks
from tests.engine.minds import asked as answered
from tests.engine.scripts import ask, check, phase, say, script, skill, topic
from tests.engine.watchers import (
    MEET,
    NOTE,
    SLOW,
    hearing,
    made,
    model,
    noticed,
    ordered,
    watcher,
    words,
)

from heartrule.engine.awareness import awareness, directives
from heartrule.engine.session import awareness_results
from heartrule.engine.session.events import DirectiveApplied, Escalated
from heartrule.engine.session.io import World
from heartrule.engine.work import Work
from heartrule.testing.talk import Talk

MANY = [ask(f"{n}？", f"v{n}") for n in range(60)]


def directive(kind: str, **more: Any) -> dict[str, Any]:
    return {"directive": kind, **more}


def hearer(word: str, *then: Any, **more: Any) -> Any:
    """A script that acts on a word, whether or not there is a model."""
    name = more.pop("id", word)
    more.setdefault("at", "after ask")
    return watcher(*then, id=name, judge=f"说了{word}", rules=words(word), **more) | {"awareness": word}


def named(*awareness: Any, **more: Any) -> Talk:
    mind = more.pop("mind", None)
    more.setdefault("actions", MANY)
    return Talk(made(*awareness, **more), mind)


# feedback


def advice(talk: Talk) -> list[str]:
    templates = ("ask", "ai_ask", "ai_ask_open", "ai_say", "ai_say_open")
    return [str(task.values.get("monitor_feedback", "")) for task in talk.asked if task.template in templates]


def test_feedback_goes_into_the_next_prompt_once() -> None:
    talk = named(hearer("快", SLOW, id="fast"), mind=model())
    for said in ("太快了", "还行", "还行"):
        talk.say(said)
    assert advice(talk) == ["", "慢一点", ""]
    assert talk.state.feedback == []
    assert ordered(talk) == [("FEEDBACK", "")]


def test_the_opening_of_the_next_action_is_the_next_prompt() -> None:
    steps = (ask("一？", "a"), ai_ask("问乙", "y"), ask("二？", "b"))
    talk = named(hearer("快", SLOW, id="fast"), actions=steps, mind=model(ai_ask_open={"content": "乙呢？"}))
    talk.say("太快了")
    assert [task.values["monitor_feedback"] for task in tasks(talk, "ai_ask_open")] == ["慢一点"]
    assert talk.state.feedback == []


@pytest.mark.parametrize("kind", ["ai_ask", "ai_say"])
def test_whoever_speaks_is_told(kind: str) -> None:
    action = ai_ask("问", "x", question="问？") if kind == "ai_ask" else ai_say("讲一讲", max_rounds=3)
    table = model(ai_ask=answered("再说说？"), ai_say=explained(), ai_say_open={"content": "这样。明白吗？"})
    talk = named(hearer("快", SLOW, id="fast"), actions=(ask("一？", "a"), action), mind=table)
    talk.say("太快了")
    talk.say("嗯嗯哪个")
    assert "慢一点" in advice(talk)
    assert advice(talk).count("慢一点") == 1


def test_a_script_may_put_it_where_it_wants_it() -> None:
    steps = (ask("一？", "a"), ai_ask("问乙。{%monitor_feedback%}", "y"))
    talk = named(hearer("快", SLOW, id="fast"), actions=steps, mind=model(ai_ask_open={"content": "乙呢？"}))
    talk.say("太快了")
    (task,) = tasks(talk, "ai_ask_open")
    assert task.values["content"] == "问乙。慢一点"


def test_names_in_feedback_are_filled_in_and_the_same_is_said_once() -> None:
    text = directive("FEEDBACK", text="他叫{v0}")
    talk = named(hearer("快", text, text, id="fast"), mind=model())
    talk.say("快手")
    assert talk.state.feedback == ["他叫快手"]


def test_only_the_newest_pieces_wait() -> None:
    many = [directive("FEEDBACK", text=f"第{n}条") for n in range(8)]
    talk = named(hearer("快", *many, id="fast"))
    talk.say("太快了")
    assert talk.state.feedback == [f"第{n}条" for n in range(3, 8)]


def test_a_prompt_that_is_made_once_more_says_it_again() -> None:
    """Something its texts read has changed: the first answer is dropped, so is not the advice."""
    steps = (ask("一？", "a"), ai_ask("按{称呼}的方式问", "x", question="问？"), ask("二？", "b"))
    heard = {"holds": [], "values": [{"name": "称呼", "value": "小雨", "evidence": "叫我小雨"}]}
    listen = [{"var": "称呼", "define": "怎么称呼", "listen": {"mode": "passive"}}]
    table = model([{"holds": [], "values": []}, heard], ai_ask=[answered("一稿？"), answered("二稿？")])
    talk = named(hearer("快", SLOW, id="fast"), actions=steps, declare=listen, mind=table)
    talk.say("太快了")
    talk.say("叫我小雨")
    assert [task.values["monitor_feedback"] for task in tasks(talk, "ai_ask")] == ["慢一点", "慢一点"]
    assert talk.state.feedback == []


# switching


def test_scripts_switch_each_other() -> None:
    on, off = directive("ENABLE", awareness="b"), directive("DISABLE", awareness="b")
    talk = named(
        hearer("开", on, id="a"),
        hearer("乙", NOTE, id="b", always=False),
        hearer("关", off, id="c", cooldown="9 turns"),
    )
    for said in ("乙", "开", "乙", "关", "乙"):
        talk.say(said)
    assert [row[2] for row in noticed(talk, "local/b") if row[0] == "yes"] == [True]
    assert talk.state.switched == {"local/b": False}
    assert [each[0] for each in ordered(talk)] == ["ENABLE", "SET_VAR", "DISABLE"]


def test_a_switched_script_stays_so_whatever_the_phases_say() -> None:
    off = directive("DISABLE", awareness="resists")
    whole = script(
        phase("A", topic("甲", ask("一？", "a"), ask("二？", "b"))),
        phase("B", topic("乙", ask("三？", "c"), ask("四？", "d")), awareness={"enable": ["resists"]}),
        awareness=[hearer("关", off, id="c"), watcher(NOTE, always=False)],
    )
    talk = Talk(whole, model(hearing("别扭")))
    for said in ("关", "还行", "真别扭"):
        talk.say(said)
    assert noticed(talk) == []


def test_safety_cannot_be_switched_off() -> None:
    talk = named(hearer("关", directive("DISABLE", awareness="safety/suicide_risk"), id="c"))
    talk.say("关")
    assert ordered(talk) == [("DISABLE", "safety is always on")]
    assert noticed(talk, "local/c") == [("yes", "rules", False, "safety is always on")]
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"


# people


def test_somebody_is_asked_to_help() -> None:
    help_ = directive("ESCALATE", to="desk", note="{v0}，请看一下")
    talk = named(hearer("真人", help_, help_, id="human"))
    talk.say("我要真人")
    told = [(e.id, e.to, e.note, e.cause) for e in talk.happened("escalated")]
    assert told == [(f"2-{n}", "desk", "我要真人，请看一下", "awareness local/human") for n in (1, 2)]
    assert "请看一下" not in repr(talk.happened("escalated"))


@pytest.mark.parametrize("priority", ["P0", "P1"])
def test_whom_the_person_has_named_is_told_by_safety_alone(priority: str) -> None:
    """Lint refuses such a script (E267); a version that was published before is refused here."""
    talk = named(hearer("香蕉", directive("ESCALATE", to="desk"), NOTE, id="call"))
    node = talk.script.awareness["local/call"]
    then = [node.then[0].model_copy(update={"to": "contact"}), node.then[1]]
    node = node.model_copy(update={"then": then, "priority": priority})
    for ref, refused in (("local/call", ["no consent", "nobody was told"]), ("safety/call", ["", ""])):
        work = Work.of(World(talk.script, talk.state, talk.variables, (), talk.now, model=False))
        directives.carry_out(work, awareness_results.Verdict(ref, node, "yes", "rules"))
        assert [each.refused for each in work.events if isinstance(each, DirectiveApplied)] == refused
        assert [each.to for each in work.events if isinstance(each, Escalated)] == ([] if refused[0] else ["contact"])


def test_who_was_not_told_is_not_said_to_be() -> None:
    told = [directive("SET_VAR", var="x", value=1), directive("ESCALATE", to="desk"), NOTE]
    talk = named(hearer("香蕉", *told, id="call"), project="id: local\ndirectives: [SET_VAR]\n")
    talk.say("香蕉")
    assert [each[1] for each in ordered(talk)] == ["", "not allowed", "nobody was told"]
    assert (talk.value("x"), talk.value("标记")) == (1, None)


@pytest.mark.parametrize("ref", ["danger_to_desk", "contact_agreed"])
def test_what_safety_tells_people_cannot_be_switched_off(ref: str) -> None:
    talk = named(hearer("关", directive("DISABLE", awareness=f"safety/{ref}"), id="c"))
    talk.say("关")
    assert ordered(talk) == [("DISABLE", "safety is always on")]
    assert talk.state.switched == {}


def test_the_budget_is_not_held_against_calls_for_help() -> None:
    talk = named(hearer("好", *[directive("SET_VAR", var=f"x{n}", value=n) for n in range(8)], id="many"))
    for _ in range(5):
        talk.say("好")
    talk.say(INTENT["zh"])
    for _ in range(8):
        if talk.happened("escalated"):
            break
        talk.say("有")
    assert [(each.to, each.cause) for each in talk.happened("escalated")] == [
        ("desk", "awareness safety/danger_to_desk")
    ]
    assert talk.state.ordered == directives.SESSION


def test_safety_asks_for_help_too_and_only_once() -> None:
    danger = {
        "awareness": "danger",
        "id": "danger",
        "always": True,
        "condition": {"judge": "有没有危险", "rules": words("救命")},
        "then": [directive("ESCALATE", to="desk"), MEET],
    }
    talk = named(danger)
    talk.say("救命")
    assert running(talk) == "meet"
    talk.say("救命")
    assert [(e.to, e.cause) for e in talk.happened("escalated")] == [("desk", "awareness local/danger")]


# what is allowed, and how much


@pytest.mark.parametrize(
    ("project", "kind", "refused"),
    [
        ("id: local\n", "END_SESSION", "not allowed"),
        ("id: local\n", "FEEDBACK", ""),
        ("id: local\n", "ESCALATE", ""),
        ("id: local\ndirectives: [END_SESSION]\n", "END_SESSION", ""),
        ("id: local\ndirectives: [END_SESSION]\n", "FEEDBACK", "not allowed"),
        ("id: local\ndirectives: []\n", "ESCALATE", "not allowed"),
    ],
)
def test_what_the_project_allows(project: str, kind: str, refused: str) -> None:
    order = directive(kind, text="慢", to="desk") if kind != "END_SESSION" else directive(kind)
    talk = named(hearer("香蕉", order, id="stop"), project=project)
    talk.say("香蕉")
    assert ordered(talk) == [(kind, refused)]
    assert noticed(talk, "local/stop") == [("yes", "rules", not refused, refused)]
    assert talk.ended == (kind == "END_SESSION" and not refused)


def test_p0_may_order_everything() -> None:
    stop = hearer("香蕉", directive("END_SESSION"), id="stop") | {"priority": "P0", "at": []}
    talk = named(stop, project="id: local\ndirectives: []\n")
    talk.say("香蕉")
    assert talk.ended


def test_a_turn_carries_out_eight_and_a_session_forty() -> None:
    notes = [directive("SET_VAR", var=f"x{n}", value=n) for n in range(10)]
    talk = named(hearer("好", *notes, id="many"))
    for _ in range(7):
        talk.say("好")
    done = [not event.refused for event in talk.happened("directive")]
    assert [sum(done[10 * n : 10 * n + 10]) for n in range(7)] == [8, 8, 8, 8, 8, 0, 0]
    assert {event.refused for event in talk.happened("directive")} == {"", "budget"}
    assert talk.state.ordered == directives.SESSION
    assert noticed(talk, "local/many")[-1] == ("yes", "rules", False, "budget")


def test_what_was_refused_has_not_struck() -> None:
    talk = named(hearer("香蕉", directive("END_SESSION"), id="stop", cooldown="9 turns"))
    talk.say("香蕉")
    talk.say("香蕉")
    assert [each[1] for each in ordered(talk)] == ["not allowed", "not allowed"]
    assert "local/stop" not in talk.state.alerts


def test_the_budget_is_never_held_against_safety() -> None:
    talk = named(hearer("好", *[directive("SET_VAR", var=f"x{n}", value=n) for n in range(8)], id="many"))
    for _ in range(5):
        talk.say("好")
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    assert talk.state.ordered == 40
    for said in ("没有",) * 3:
        talk.say(said)
    out(talk)
    assert talk.at == "甲#6"


# the topic queue


def test_a_topic_is_put_aside_at_a_hook_point_and_comes_back() -> None:
    steps = [topic("甲", ask("一？", "a"), ask("二？", "b")), topic("乙", ask("三？", "c"))]
    talk = named(hearer("等", directive("SUSPEND_CURRENT", reason="他要等"), id="wait"), topics=steps)
    talk.say("等等")
    assert talk.at == "乙#1"
    talk.say("好")
    assert talk.at == "甲#2"
    check(talk)


@pytest.mark.parametrize("at", ["topic_start", "topic_end", "before ask", "after ask", "before say", "after say"])
def test_the_end_at_any_hook_point(at: str) -> None:
    steps = [topic("甲", ask("一？", "a"), say("嗯。")), topic("乙", ask("二？", "b"))]
    stop = hearer("香蕉", directive("END_SESSION"), id="stop", at=at)
    talk = named(stop, topics=steps, project="id: local\ndirectives: [END_SESSION]\n")
    talk.say("香蕉")
    assert talk.ended
    assert talk.state.end_reason == "awareness local/stop"
    check(talk)


def test_a_technique_of_a_script_ends_where_it_says() -> None:
    skip = watcher(MEET, id="resists", rules=words("别扭"), resume="skip")
    talk = named(skip, topics=[topic("甲", ask("一？", "a"), ask("二？", "b")), topic("乙", ask("三？", "c"))])
    talk.say("真别扭")
    talk.say("没事")
    assert talk.at == "乙#1"
    check(talk)


def test_inside_a_technique_other_scripts_watch_as_well() -> None:
    inner = skill("迎接抗拒", ask("是哪里？", "哪里"), ask("还有吗？", "还有"), id="meet")
    talk = named(hearer("别扭", MEET, id="a"), hearer("快", SLOW, id="b"), skills=[inner])
    talk.say("真别扭")
    talk.say("太快")
    assert noticed(talk, "local/b")[-1] == ("yes", "rules", True, "")
    assert talk.state.feedback == ["慢一点"]


# P0 scripts of a project


def guard(judge: str = "有没有危险") -> Any:
    condition = {"judge": judge, "rules": words("救命")}
    return {"awareness": "危险", "id": "danger", "always": True, "condition": condition, "then": [MEET]}


def judging(*quotes: str) -> Any:
    """A judge of risk that says yes to the project's own script, with each of these quotes in turn."""
    left = list(quotes)

    def mind(task: Any) -> Any:
        lines = [line for line in task.values["questions"].splitlines() if line[:1].isdigit()]
        own = next(n for n, line in enumerate(lines, 1) if "有没有危险" in line)
        quote = left.pop(0)
        verdict = "yes" if quote else "no"
        return {
            "verdicts": [
                {"id": n, "verdict": verdict if n == own else "no", "confidence": 0.9, "evidence": quote}
                for n in range(1, len(lines) + 1)
            ]
        }

    return mind


def test_what_was_gone_through_is_not_called_again_for_the_same_words() -> None:
    talk = named(guard(), mind=model(risk=judging("他打我", "", "他打我", "又打我了")))
    talk.say("他打我")
    assert running(talk) == "meet"
    talk.say("手上")
    talk.say("还行")
    assert running(talk) == "甲"
    assert noticed(talk, "local/danger")[-1] == ("yes", "model", False, "nothing new was said")
    talk.say("他又打我了")
    assert running(talk) == "meet"
    assert [each[2] for each in noticed(talk, "local/danger")] == [True, False, False, True]


def test_the_judgement_is_told_how_things_stand() -> None:
    talk = named(guard(), mind=model(risk=judging("他打我", "", "")))
    for said in ("他打我", "手上", "还行"):
        talk.say(said)
    found = []
    for task in tasks(talk, "risk"):
        number = next(line for line in task.values["questions"].splitlines() if "有没有危险" in line).partition(".")[0]
        own = [line for line in task.values["already"].splitlines() if line.startswith(f"{number}. ")]
        found.append([line.partition(". ")[2][:5] for line in own])
    assert found == [[], ["（正在处理"], ["（已处理过"]]
    assert len({task.values["questions"] for task in tasks(talk, "risk")}) == 1, "the questions stay what is cached"


def test_rules_call_it_again_whatever_was_gone_through() -> None:
    talk = named(guard())
    talk.say("救命")
    talk.say("好了")
    talk.say("救命")
    assert running(talk) == "meet"


def test_a_text_from_elsewhere_is_read_by_the_rules_of_safety() -> None:
    talk = named(guard())
    world = World(talk.script, talk.state, talk.variables, (), talk.now, model=False)
    work = Work.of(world)
    found = awareness.in_text(work, "表里写着：救命，我不想活了")
    assert {(each.ref, each.verdict) for each in found} >= {("local/danger", "yes"), ("safety/suicide_risk", "yes")}
    assert all(each.evidence for each in found)
    assert awareness.in_text(work, "都挺好的") == []
    assert work.events == []
