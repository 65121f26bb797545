"""The plan of a running topic: what was put in, changed, left out or moved is gone through as it stands."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import Data, _quoted, ai_ask, ai_say, asked, explained, fork, option, sensible, tasks
from tests.engine.plotting import contents, plan_types, propose, want
from tests.engine.scripts import Node, ask, check, phase, roundtrip, say, script, skill, spoken, topic, use

from heartrule.engine import topic_plan
from heartrule.engine.extraction import asides
from heartrule.engine.session.state import PlannedAction, State
from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import plans
from heartrule.engine.work import Work
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk
from heartrule.testing.visitor import action_at

FAMILY = (
    ai_ask("问父亲的职业", "父亲职业", max_rounds=3),
    say("谢谢你说这些。"),
    ask("和母亲亲近吗？", "母亲"),
    ai_say("讲讲家的影响", max_rounds=2),
    say("今天就到这里。"),
)
COMFORT: Node = {"type": "ai_say", "content": "不着急，我们可以先聊别的。"}


def family(*more: Node, **topic_more: Any) -> Script:
    return script(phase("P", topic("家里", *FAMILY, *more, **topic_more)))


def brief(task: Task) -> Data | None:
    """A model that takes any words for the answer and ends with it."""
    given = sensible(task)
    if task.template in ("ai_ask", "ask") and given is not None:
        given = {**given, "values": _quoted(task), "EXIT": "YES", "content": "好的。"}
    return given


def held(*more: Node, **topic_more: Any) -> Talk:
    return Talk(family(*more, **topic_more), brief)


def to_the_end(talk: Talk, turns: int = 40) -> list[str]:
    """The ids of the actions that began, until the session has ended."""
    for _ in range(turns):
        if talk.ended:
            break
        talk.choose(talk.request.choices[0].value) if talk.request.choices else talk.say("好的")
        check(talk)
    assert talk.ended
    return [event.action for event in talk.happened("marker") if event.edge == "before"]


def test_without_a_plan_a_topic_is_the_scripts_own() -> None:
    talk = held()
    work = Work.of(talk._world())
    assert work.running.plan is None
    assert work.body() is work.script_node(work.running)


def test_an_action_that_is_put_in_comes_behind_the_running_one_and_is_gone_through() -> None:
    talk = held()
    event = propose(talk, action="insert", target_position="after_current", new_action=COMFORT, reason="他很抗拒")
    assert event.refused == ""
    assert plan_types(talk) == ["ai_ask", "ai_say", "say", "ask", "ai_say", "say"]
    assert (event.written, event.before) == ([f"家里#{n}" for n in range(1, 6)],) * 2
    assert event.after == ["家里#1", "家里+1", *(f"家里#{n}" for n in range(2, 6))]
    assert event.cause == "他很抗拒"
    begun = to_the_end(talk)
    assert begun == event.after, "in this order, and each once"
    assert any(COMFORT["content"] in task.values.values() for task in tasks(talk, "ai_say_open"))


def test_what_is_put_in_at_the_end_comes_last() -> None:
    talk = held()
    propose(talk, action="insert", target=5, new_action={"type": "say", "content": "我们慢慢来。"})
    to_the_end(talk)
    assert spoken(talk)[-1] == "我们慢慢来。"


def test_a_changed_action_says_other_words() -> None:
    talk = held()
    event = propose(talk, action="modify", target=2, modifications={"content": "这些话不容易说出口。"})
    assert event.refused == ""
    assert event.before == event.after
    for _ in range(3):
        talk.say("他在工厂")
    assert any("这些话不容易说出口。" in text for text in spoken(talk))
    assert not any("谢谢你说这些。" in text for text in spoken(talk))


def test_a_change_of_the_running_action_shows_in_its_next_prompt() -> None:
    talk = Talk(family(), sensible)
    propose(talk, action="modify", target=1, modifications={"tone": "更轻一些", "max_rounds": 2})
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert talk.state.running.action.max_rounds == 2
    talk.say("就那样")
    assert tasks(talk, "ai_ask")[-1].values["action_tone"] == "更轻一些"
    assert talk.at == "家里#1"
    talk.say("就那样")
    assert talk.at == "家里#3"


def test_with_the_requirement_off_what_there_is_will_do() -> None:
    never = {"risk": sensible, "ai_ask": asked("好。", "YES")}
    strict, lax = Talk(family(), never), Talk(family(), never)
    propose(lax, action="modify", target=1, modifications={"required": False})
    for talk in (strict, lax):
        talk.say("说不好")
    assert strict.at == "家里#1"
    assert lax.at == "家里#3"


def test_the_running_action_is_left_once_its_question_is_answered() -> None:
    talk = held()
    event = propose(talk, action="skip", target=1)
    assert event.refused == ""
    assert event.before == event.after
    assert talk.at == "家里#1", "its question still waits"
    talk.say("不想说")
    assert talk.at == "家里#3"


def test_an_action_that_is_left_out_never_begins() -> None:
    talk = held()
    event = propose(talk, action="skip", target=4)
    assert event.after == ["家里#1", "家里#2", "家里#3", "家里#5"]
    assert "家里#4" not in to_the_end(talk)


def test_another_order() -> None:
    talk = held()
    assert propose(talk, action="reorder", order=[2, 4, 3, 5]).refused == ""
    assert to_the_end(talk) == ["家里#1", "家里#2", "家里#4", "家里#3", "家里#5"]


def test_a_new_pass_begins_as_written() -> None:
    talk = held(repeat={"until": "母亲 == '够了'", "max": 2})
    propose(talk, action="insert", new_action=COMFORT)
    propose(talk, action="skip", target=5)
    for _ in range(20):
        if talk.state.running is not None and talk.state.running.passes == 2:
            break
        talk.say("好的")
    frame = talk.state.running
    assert frame is not None
    assert (frame.plan, frame.passes) == (None, 2)
    assert (frame.plan_changes, frame.inserted) == (2, 1), "its budget is not new"
    last = talk.happened("plan")[-1]
    assert (last.cause, last.after) == ("repeat", last.written)
    assert "家里+1" in last.before


def test_a_model_has_no_braces() -> None:
    """Its words are data: no variable is read because it names one."""
    placed = PlannedAction(id="x+1", changes={"type": "ai_say", "content": "{用户名}和{%crisis_numbers%}和${父亲职业}"})
    talk = held()
    body = Work.of(talk._world()).body()
    assert body is not None
    made = topic_plan.action(body, "x", placed)
    assert made.peek("content") == "｛用户名｝和｛%crisis_numbers%｝和$｛父亲职业｝"


def test_a_persons_braces_in_a_models_words_stay_words() -> None:
    talk = held()
    talk.say("{母亲}")
    event = propose(talk, action="insert", new_action={"type": "say", "content": "你说到{ 母亲 }，我听到了。"})
    if event.refused:
        assert event.refused.startswith("content may not be said")
        return
    talk.say("好")
    assert "你说到｛ 母亲 ｝，我听到了。" in spoken(talk)


def test_it_is_made_once_for_the_same_content() -> None:
    talk = held()
    propose(talk, action="insert", new_action=COMFORT)
    first = Work.of(talk._world()).body()
    roundtrip(talk)
    assert Work.of(talk._world()).body() is first


def test_no_more_bodies_are_kept_than_may_be() -> None:
    talk = held()
    work = Work.of(talk._world())
    body = work.script_node(work.running)
    assert body is not None
    for number in range(topic_plan.MADE + 5):
        topic_plan.body(body, "x", [PlannedAction(id=str(number), changes={"type": "say", "content": "嗯。"})])
    assert len(topic_plan._made) <= topic_plan.MADE


def test_a_plan_that_fits_no_longer_is_left_out_of_account() -> None:
    talk = held()
    work = Work.of(talk._world())
    body = work.script_node(work.running)
    assert body is not None
    assert topic_plan.body(body, "家里", [PlannedAction(written=99)]) is body


def test_words_that_come_late_belong_to_the_question_of_the_plan_then() -> None:
    talk = held()
    propose(talk, action="reorder", order=[3, 2, 4, 5])
    talk.say("木匠")
    for _ in range(2):
        if talk.at != "家里#3":
            talk.say("嗯")
    assert talk.at == "家里#3"
    seen = talk.state.messages
    talk.say("亲近")
    known = talk.state.asked[-1]
    assert (known.action, known.index) == ("家里#3", 1)
    assert known.plan is not None
    talk.say("其实也没有那么亲近", after=seen)
    late = talk.happened("late")[-1]
    assert (late.action, late.outcome) == ("家里#3", "appended")


def test_a_topic_that_was_put_aside_keeps_its_plan() -> None:
    whole = script(
        phase("P", topic("家里", *FAMILY[:1], use("呼吸"), *FAMILY[1:])), skills=[skill("呼吸", ai_say("吸气"))]
    )
    talk = Talk(whole, brief)
    propose(talk, action="insert", target=2, new_action=COMFORT)
    talk.say("木匠")
    assert talk.state.suspended
    roundtrip(talk)
    assert to_the_end(talk)[-5:] == ["家里+1", "家里#3", "家里#4", "家里#5", "家里#6"]


@pytest.mark.parametrize("turns", range(8))
def test_a_crash_in_the_middle_goes_on_the_same(turns: int) -> None:
    talk = held(option("还好", "是", "否"))
    propose(talk, action="insert", new_action=COMFORT)
    assert propose(talk, action="modify", target=3, modifications={"content": "慢慢来。"}).refused == ""
    propose(talk, action="reorder", order=[2, 3, 5, 4, 6, 7])
    for _ in range(turns):
        if not talk.ended and not talk.request.choices:
            talk.say("好的")
    twin = fork(talk)
    twin.state = State.model_validate_json(talk.state.model_dump_json())
    if not talk.ended:
        assert to_the_end(twin) == to_the_end(talk)
        assert twin.state == talk.state


def test_the_visitor_of_tests_and_the_workbench_sees_the_action_that_waits() -> None:
    talk = held()
    propose(talk, action="insert", new_action=COMFORT)
    talk.say("木匠")
    assert talk.at == "家里+1"
    action = action_at(talk.script, talk.state)
    assert action is not None
    assert action.peek("content") == COMFORT["content"]


def test_an_explanation_that_is_put_in_ends_within_its_rounds() -> None:
    talk = Talk(family(), lambda task: explained(10) if task.template == "ai_say" else brief(task))
    propose(talk, action="insert", new_action={**COMFORT, "max_rounds": plans.ROUNDS})
    talk.say("木匠")
    for _ in range(plans.ROUNDS):
        assert talk.at == "家里+1"
        talk.say("不懂")
    assert talk.at != "家里+1"


def test_contents_in_order() -> None:
    talk = held()
    propose(talk, action="skip", target=4)
    assert contents(talk) == ["问父亲的职业", "谢谢你说这些。", "和母亲亲近吗？", "今天就到这里。"]
    assert want(talk) is not None


def test_what_the_plan_has_ahead_is_what_may_be_told_in_passing() -> None:
    asking = ask("哪一年的？", {"get": "年份", "type": "integer", "define": "哪一年出生"})
    whole = script(phase("P", topic("家里", ai_ask("聊聊", "近况"), asking, ai_ask("再聊聊", "心情"))))
    talk = Talk(whole, sensible)
    talk.state.heard = 1
    plan = propose(talk, action="reorder", order=[3, 2])
    assert plan.refused == ""
    work = Work.of(talk._world())
    assert [item.get for item in asides._ahead(work)] == ["心情", "年份"]
