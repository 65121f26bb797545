"""A ``for_each`` topic that grows while people name somebody: the shipped example, with and without a model, and what
is recorded of each decision."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.engine.minds import Data, asked, fork, sensible
from tests.engine.scripts import Node, ask, check, phase, put, roundtrip, script, spoken, topic

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.language.linting.lint import lint_text
from heartrule.language.projects.library import Library
from heartrule.testing.talk import Talk

FOLDER = Path(__file__).parents[2] / "examples" / "family"


@pytest.fixture(scope="module")
def family() -> Script:
    return Library([], field_models()).script(f"{FOLDER / 'family.yaml'}#family")


def met(talk: Talk) -> list[str]:
    """Who was asked about, question by question."""
    return [
        text.split("\n")[-1].removeprefix("你和").partition("是做")[0].partition("处得")[0] for text in _asked(talk)
    ]


def _asked(talk: Talk) -> list[str]:
    return [text for text in spoken(talk) if text.endswith(("是做什么的？", "处得怎么样？"))]


def runs(talk: Talk) -> list[str]:
    """Who was asked about, each run of questions once: the same person twice is another's question in between."""
    return [name for name, _ in groupby(met(talk))]


def instances(talk: Talk) -> list[dict[str, Any]]:
    told = [event.model_dump() for event in talk.happened("instances")]
    return [{name: value for name, value in each.items() if value and name not in ("kind", "topic")} for each in told]


def test_lint_has_nothing_to_say_about_it() -> None:
    assert lint_text((FOLDER / "family.yaml").read_text(encoding="utf-8"), field_models()) == []


def test_named_in_one_answer(family: Script) -> None:
    talk = Talk(family)
    talk.say("父亲、母亲，还有奶奶")
    while not talk.ended:
        talk.say("说来话长")
        check(talk)
    assert runs(talk) == ["父亲", "母亲", "奶奶"]
    assert met(talk) == ["父亲", "父亲", "母亲", "母亲", "奶奶", "奶奶"]
    assert instances(talk) == [
        {"cause": "for_each 家庭成员", "after": ["父亲", "母亲", "奶奶"], "added": ["父亲", "母亲", "奶奶"]}
    ]


def test_named_over_several_turns_in_passing(family: Script) -> None:
    """奶奶 comes up while 父亲 is asked about: he is talked about to the end, and her turn comes behind 母亲's."""
    talk = Talk(family)
    talk.say("父亲、母亲")
    talk.say("木匠，不过小时候是奶奶带我")
    assert talk.said[-1].endswith("你和父亲处得怎么样？")
    while not talk.ended:
        talk.say("说来话长")
    assert runs(talk) == ["父亲", "母亲", "奶奶"]
    _, coming, grew = instances(talk)
    assert coming == {
        "cause": "家庭成员 was written by work",
        "before": ["父亲", "母亲"],
        "after": ["父亲", "母亲"],
        "coming": ["奶奶"],
    }
    assert grew["added"] == ["奶奶"]
    assert grew["after"] == ["父亲", "母亲", "奶奶"]


def test_the_last_one_may_still_name_another(family: Script) -> None:
    talk = Talk(family)
    talk.say("父亲")
    talk.say("木匠")
    talk.say("一般，外婆更亲")
    assert talk.said[-1].endswith("外婆是做什么的？")


def test_who_would_rather_not_is_asked_once_more_and_left(family: Script) -> None:
    talk = Talk(family)
    talk.say("父亲、母亲")
    talk.say("不想说")
    assert "父亲是做什么的？" in talk.said[0]
    talk.say("不想说")
    assert talk.said[-1].endswith("你和父亲处得怎么样？")
    for _ in range(8):
        if met(talk)[-1:] != ["父亲"]:
            break
        talk.say("不想说")
    assert runs(talk) == ["父亲", "母亲"]


def test_a_second_pass_is_of_the_same_person(family: Script) -> None:
    """Depth per person: what is still open is asked again before the next one's turn comes."""
    talk = Talk(family)
    talk.say("父亲、母亲")
    talk.say("木匠")
    talk.say("不想说")
    talk.say("不想说")
    assert talk.state.running is not None
    assert (talk.state.running.item, talk.state.running.passes) == ("父亲", 2)
    assert talk.said[-1].endswith("你和父亲处得怎么样？")


def mind(task: Task) -> Data | None:
    """A model that takes down whoever is named, and asks three times of each."""
    said = task.context.history[-1].text if task.context.history else ""
    named = [name for name in ("父亲", "母亲", "奶奶", "外婆") if name in said]
    if task.template == "perceive" and named and "家庭成员" in str(task.values):
        return {"values": [{"name": "家庭成员", "value": named, "evidence": said}]}
    if task.template != "ai_ask":
        return sensible(task)
    wanted = task.schema["properties"]["values"]["properties"]
    if "家庭成员" in wanted:
        return asked("好。", "YES", values={"家庭成员": {"value": named, "evidence": said}})
    found = {name: {"value": said, "evidence": said} for name in wanted}
    return asked("我听着。后来呢？", values=found)


def test_with_a_model_each_is_asked_about_in_depth_and_none_in_between(family: Script) -> None:
    talk = Talk(family, mind)
    talk.say("父亲和母亲")
    items = []
    for number in range(60):
        if talk.ended:
            break
        running = talk.state.running
        items.append(running.item if running is not None else None)
        talk.say("其实是奶奶带大我的" if number == 1 else "挺多事的")
        check(talk)
    assert [name for name, _ in groupby(item for item in items if item)] == ["父亲", "母亲", "奶奶"]
    assert len([item for item in items if item == "父亲"]) >= 3
    assert any(each.get("coming") == ["奶奶"] for each in instances(talk))


def test_a_crash_between_does_not_matter(family: Script) -> None:
    talk = Talk(family)
    for words in ("父亲、母亲", "木匠，还有外婆", "亲", "老师", "亲", "种地", "最亲"):
        twin = fork(talk)
        roundtrip(twin)
        twin.say(words)
        talk.say(words)
        assert twin.state == talk.state
        assert twin.turn.events == talk.turn.events


# decisions on lists of objects

PEOPLE: Node = {
    "var": "家人",
    "type": "list",
    "update": "merge_unique",
    "key": "称呼",
    "value": [{"称呼": "父亲"}, {"称呼": "母亲"}],
}


def each(*actions: Node, **more: Any) -> Node:
    return topic("人", *actions, ask("{成员.称呼}？"), for_each={"in": "家人", "as": "成员", "key": "称呼", **more})


def listed(*actions: Node, **more: Any) -> Talk:
    return Talk(script(phase("P", each(*actions, **more)), variables=[PEOPLE]))


def test_somebody_named_again_has_an_instance_already() -> None:
    again = put("家人", [{"称呼": "母亲", "职业": "老师"}], condition="成员.称呼 == '父亲'")
    talk = listed(again)
    noted = instances(talk)[-1]
    assert (noted["again"], noted["after"]) == (["母亲"], ["父亲", "母亲"])
    talk.say("好")
    talk.say("好")
    assert talk.ended
    assert len([event for event in talk.happened("topic") if event.state == "running"]) == 2


def test_there_is_room_for_so_many() -> None:
    talk = listed(put("家人", [{"称呼": "奶奶"}, {"称呼": "外婆"}], condition="成员.称呼 == '父亲'"), max=3)
    assert (instances(talk)[-1]["coming"], instances(talk)[-1]["beyond"]) == (["奶奶"], ["外婆"])
    for _ in range(3):
        talk.say("好")
    assert talk.ended
    assert instances(talk)[-1]["added"] == ["奶奶"]


def test_too_many_from_the_beginning() -> None:
    talk = listed(max=1)
    assert (instances(talk)[0]["added"], instances(talk)[0]["beyond"]) == (["父亲"], ["母亲"])


def test_somebody_who_has_gone_is_skipped_with_a_cause() -> None:
    people = {**PEOPLE, "update": "overwrite"}
    gone = put("家人", [{"称呼": "父亲"}], condition="成员.称呼 == '父亲'")
    talk = Talk(script(phase("P", each(gone)), variables=[people]))
    assert instances(talk)[-1]["vanished"] == ["母亲"]
    talk.say("好")
    assert talk.ended
    assert [event.cause for event in talk.happened("topic") if event.state == "skipped"] == ["item vanished"]


def test_what_is_written_of_the_present_one_is_no_decision() -> None:
    talk = Talk(script(phase("P", each(ask("{成员.称呼}做什么？", "成员.职业"))), variables=[PEOPLE]))
    talk.say("木匠")
    assert len(instances(talk)) == 1


def test_nothing_is_noted_where_no_topic_goes_through_the_list() -> None:
    own = script(phase("P", topic("T", put("家人", [{"称呼": "奶奶"}]), ask("好？")), each()), variables=[PEOPLE])
    assert not Talk(own).happened("instances")
