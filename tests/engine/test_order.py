"""Phases, topics and actions in their order, and the conditions they stand under."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import (
    ask,
    causes,
    check,
    faults,
    only,
    phase,
    phases,
    put,
    say,
    script,
    spoken,
    topic,
    topics,
)
from tests.table import tabled

from heartrule.engine.session.io import Input
from heartrule.testing.talk import Talk

YES = {"verdicts": [{"id": 1, "verdict": True, "confidence": 0.9}]}
NO = {"verdicts": [{"id": 1, "verdict": False, "confidence": 0.9}]}


def test_phases_topics_and_actions_run_in_the_order_written() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", say("1"), say("2")), topic("乙", say("3"))),
            phase("B", topic("丙", say("4"))),
        )
    )
    assert spoken(talk) == ["1", "2", "3", "4"]
    assert topics(talk, "running") == ["甲", "乙", "丙"]
    assert phases(talk) == ["a entered", "a left", "b entered", "b left"]
    assert talk.ended
    assert talk.state.end_reason == "completed"
    check(talk)


def test_a_session_waits_at_a_question_and_goes_on_after_the_answer() -> None:
    talk = Talk(only(say("你好"), ask("吃了吗？", "吃了"), say("好")))
    assert talk.said == ["你好", "吃了吗？"]
    assert talk.request.kind == "message"
    check(talk)
    assert talk.say("吃了")[-1] == "好"
    assert talk.ended
    assert talk.request.kind == "none"
    check(talk)


def test_after_the_end_words_are_kept_and_nothing_else_happens() -> None:
    talk = Talk(only(say("再见")))
    before = talk.state.model_dump(exclude={"seq", "messages"})
    talk.say("还在吗")
    assert talk.state.model_dump(exclude={"seq", "messages"}) == before
    assert talk.said == []
    assert talk.history[-1].text == "还在吗"
    events = len(talk.events)
    talk.choose("safe")
    assert len(talk.events) == events


def test_after_the_end_danger_is_still_heard() -> None:
    talk = Talk(only(say("再见")))
    assert "12356" in talk.say("我不想活了")[0]
    assert talk.ended


def test_an_action_whose_condition_does_not_hold_is_passed_over() -> None:
    talk = Talk(only(put("n", 3), say("小", condition="n < 3"), say("大", condition="n >= 3"), say("完")))
    assert spoken(talk) == ["大", "完"]
    check(talk)


def test_a_topic_whose_condition_does_not_hold_is_skipped_with_a_cause() -> None:
    talk = Talk(
        script(phase("P", topic("甲", put("n", 1)), topic("乙", say("乙"), condition="n > 1"), topic("丙", say("丙"))))
    )
    assert spoken(talk) == ["丙"]
    assert topics(talk, "skipped") == ["乙"]
    assert causes(talk, "skipped")["乙"]


def test_a_phase_whose_condition_does_not_hold_is_skipped() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("n", 1), say("甲"))),
            phase("B", topic("乙", say("乙")), condition="n > 1"),
            phase("C", topic("丙", say("丙")), condition="n == 1"),
        )
    )
    assert spoken(talk) == ["甲", "丙"]
    assert "b skipped" in phases(talk)
    assert "b entered" not in phases(talk)


def test_a_session_whose_phases_are_all_skipped_ends() -> None:
    talk = Talk(script(phase("A", topic("甲"), condition="1 > 2"), phase("B", topic("乙"), condition="false")))
    assert talk.ended
    assert spoken(talk) == []
    assert phases(talk) == ["a skipped", "b skipped"]


def test_a_condition_is_read_when_its_place_is_reached_and_not_before() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", ask("几？", {"get": "n", "type": "integer"}))),
            phase("B", topic("乙", say("乙")), condition="n > 5"),
        )
    )
    talk.say("7")
    assert talk.said[-1] == "乙"


@pytest.mark.parametrize(
    "condition",
    [
        "没有的 > 3",
        "not (没有的 > 3)",
        "没有的 > 3 and true",
        "没有的 + 1 == 1",
        "没有的",
        {"not": "没有的 > 3"},
        {"all": ["true", "没有的 < 1"]},
        {"any": ["false", "没有的 < 1"]},
        {"not": {"all": ["true", "没有的 < 1"]}},
    ],
)
def test_an_unknown_condition_does_not_hold(condition: Any) -> None:
    talk = Talk(only(say("是", condition=condition), say("完"), declare=[{"var": "没有的", "type": "integer"}]))
    assert spoken(talk) == ["完"]


@tabled(
    ("condition", "holds"),
    [
        ("没有的 == null", True),
        ("没有的 != null", False),
        ("not exists(没有的)", True),
        ("没有的 > 3 or true", True),
        ("not (没有的 > 3 and false)", True),
        ({"any": ["没有的 > 1", "true"]}, True),
        ({"not": {"all": ["没有的 > 1", "false"]}}, True),
        ("n >= 3", True),
        ("{n} ＞＝ 3", True),
        ("{n} ＝＝ 3", True),
        ("n == '3'", True),
        ("3 <= n && n <= 3", True),
        ("n in [1, 2, 3]", True),
        ("名 == '妈妈'", True),
        ("名 contains '妈'", True),
        ("len(名) == 2", True),
        ({"all": ["n > 2", {"not": "n > 3"}]}, True),
        ({"any": ["n > 3", {"all": ["n > 1", "n > 2"]}]}, True),
        ("session.n == 3", True),
        ("n / 0 > 1", False),
    ],
)
def test_conditions(condition: Any, holds: bool) -> None:
    talk = Talk(
        only(
            say("是", condition=condition),
            declare=[{"var": "没有的", "type": "integer"}, {"var": "n", "value": 3}, {"var": "名", "value": "妈妈"}],
        )
    )
    assert spoken(talk) == (["是"] if holds else [])
    assert not faults(talk)


# the model's judgement


def test_a_judge_without_a_model_takes_its_default_and_says_so() -> None:
    for default in (False, True):
        talk = Talk(only(say("是", condition={"judge": "愿意吗", "default": default}), say("完")))
        assert spoken(talk) == (["是"] if default else []) + ["完"]
        (judged,) = talk.happened("judged")
        assert (judged.question, judged.verdict, judged.source) == ("愿意吗", default, "default")


@pytest.mark.parametrize(
    ("answer", "holds", "source"),
    [
        (YES, True, "model"),
        (NO, False, "model"),
        ({"verdicts": [{"id": 1, "verdict": True, "confidence": 0.5}]}, False, "model"),
        ({"verdicts": [{"id": 1, "verdict": True, "confidence": 0.6}]}, True, "model"),
        ({"verdicts": []}, False, "default"),
        ({"verdicts": [{"id": 7, "verdict": True}]}, False, "default"),
        ({"verdicts": [{"id": 1, "verdict": "perhaps"}]}, False, "default"),
        ({"verdicts": "yes"}, False, "default"),
        ({"verdicts": [None, 3, "x"]}, False, "default"),
        (None, False, "default"),
    ],
)
def test_a_judge_with_a_model(answer: Any, holds: bool, source: str) -> None:
    talk = Talk(only(say("是", condition={"judge": "愿意吗"})), model={"judge": answer})
    assert spoken(talk) == (["是"] if holds else [])
    assert talk.happened("judged")[0].source == source


def test_a_judge_that_fails_takes_its_default() -> None:
    talk = Talk(only(say("是", condition={"judge": "愿意吗", "default": True})), model={})
    assert spoken(talk) == ["是"]


def test_the_threshold_is_the_scripts_own() -> None:
    condition = {"judge": "愿意吗", "threshold": 0.95}
    assert spoken(Talk(only(say("是", condition=condition)), model={"judge": YES})) == []


def test_judges_of_one_condition_are_asked_in_one_call() -> None:
    condition = {"all": [{"judge": "甲吗"}, {"not": {"judge": "乙吗"}}]}
    answer = {"verdicts": [{"id": 1, "verdict": True, "confidence": 1}, {"id": 2, "verdict": False, "confidence": 1}]}
    talk = Talk(only(say("是", condition=condition)), model={"judge": answer})
    assert spoken(talk) == ["是"]
    assert [task.template for task in talk.asked] == ["judge"]
    assert "甲吗" in talk.asked[0].values["questions"]
    assert "乙吗" in talk.asked[0].values["questions"]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"all": ["n > 5", {"judge": "愿意吗"}]}, False),
        ({"any": ["n > 1", {"judge": "愿意吗"}]}, True),
        ({"not": {"any": ["n > 1", {"judge": "愿意吗"}]}}, False),
        ({"any": ["n > 1", {"all": ["n > 2", {"judge": "愿意吗"}]}]}, True),
    ],
)
def test_the_model_is_not_asked_where_code_has_decided(condition: Any, holds: bool) -> None:
    talk = Talk(only(put("n", 3), say("是", condition=condition)), model={"judge": YES})
    assert spoken(talk) == (["是"] if holds else [])
    assert talk.asked == []


def test_the_model_is_asked_where_code_cannot_decide() -> None:
    talk = Talk(only(put("n", 3), say("是", condition={"all": ["n > 2", {"judge": "愿意吗"}]})), model={"judge": YES})
    assert spoken(talk) == ["是"]
    assert len(talk.asked) == 1


def test_placeholders_in_a_judges_question_are_filled() -> None:
    talk = Talk(only(put("话题", "家人"), say("是", condition={"judge": "来访者愿意谈{话题}吗"})), model={"judge": YES})
    assert "来访者愿意谈家人吗" in talk.asked[0].values["questions"]


def test_phases_and_topics_ask_the_model_too() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", say("甲"), condition={"judge": "甲吗"}), condition={"judge": "A吗"}),
            phase("B", topic("乙", say("乙"))),
        ),
        model={"judge": lambda task: YES if "A吗" in task.values["questions"] else NO},
    )
    assert spoken(talk) == ["乙"]
    assert "a entered" in phases(talk)
    assert topics(talk, "skipped") == ["甲"]
    assert [judged.verdict for judged in talk.happened("judged")] == [True, False]


def test_the_engines_counters_can_be_read() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", ask("好？", "x"), say("久", condition="session.elapsed >= 600"))),
            phase("B", topic("乙", say("刚到", condition="phase.elapsed < 5"))),
        )
    )
    talk.say("好", seconds=700)
    assert talk.said[-2:] == ["久", "刚到"]


def test_a_session_ended_by_the_person_drops_what_was_left() -> None:
    talk = Talk(script(phase("P", topic("甲", ask("好？", "x")), topic("乙"))))
    talk.move(Input("end"))
    assert talk.ended
    assert set(topics(talk, "skipped")) == {"甲", "乙"}
    assert all(causes(talk, "skipped").values())
    check(talk)


def test_milestones_are_kept_when_a_phase_ends() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("名", "小明")), milestone="认识了{名}", declare=[{"var": "名"}]),
            phase("B", topic("乙"), condition="1 > 2", milestone="没到"),
        )
    )
    assert talk.state.milestones == ["认识了小明"]
    assert [event.name for event in talk.happened("milestone")] == ["认识了小明"]


@pytest.mark.parametrize(
    "verdicts", [7, True, "yes", {"id": 1}, float("nan"), [[1, True]], [{"id": True, "verdict": 1}]]
)
def test_a_judgement_of_the_wrong_shape_is_no_judgement(verdicts: Any) -> None:
    talk = Talk(only(say("是", condition={"judge": "愿意吗"}), say("完")), model={"judge": {"verdicts": verdicts}})
    assert spoken(talk) == ["完"]


@pytest.mark.parametrize("confidence", [float("nan"), -(10**400), "much", None])
def test_a_confidence_that_is_none_does_not_make_a_judgement(confidence: Any) -> None:
    answer = {"verdicts": [{"id": 1, "verdict": True, "confidence": confidence}]}
    talk = Talk(only(say("是", condition={"judge": "愿意吗"}), say("完")), model={"judge": answer})
    assert spoken(talk) == ["完"]
