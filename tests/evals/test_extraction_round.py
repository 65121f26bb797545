"""An item is held as a session holds it: the same prompt, the same reading, the same writing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.evals.dialogues import held, reply, row

from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.tasks import Answer, Task
from heartrule.evals.extraction_answers import as_text, prompt_of
from heartrule.evals.extraction_round import ASKED, Round, WrittenValue
from heartrule.evals.labelled_files import BadFile
from heartrule.language.compiling.script import Script
from heartrule.llm.prompt import render
from heartrule.testing.talk import START, Talk

SLEEP = [
    {"get": "时长", "type": "number", "define": "每晚睡几个小时", "range": [0, 24]},
    {"get": "原因", "define": "睡不好的原因"},
]
TWO = row(
    "问睡几个小时？",
    "答五个小时顶天了",
    "问是什么让你睡不好？",
    "答楼上装修",
    "答天天半夜拖桌子",
    gold={"时长": 5, "原因": "装修"},
    output=SLEEP,
    begins=0,
    before={"时长": 5},
    at=f"{START:%Y-%m-%dT%H}:01:00+00:00",
)


def answered(values: Mapping[str, Any], **more: Any) -> Any:
    """Whoever answers every ``ai_ask`` with these values, and nothing else."""

    async def answering(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {
            task.key: Answer(task.key, "answered", json.loads(reply(values, **more)))
            if task.template == ASKED
            else Answer(task.key, "failed")
            for task in tasks
        }

    return answering


def wrote(each: Round, values: Mapping[str, Any], **more: Any) -> dict[str, WrittenValue]:
    return asyncio.run(each.held(answered(values, **more)))


def test_what_is_asked_is_what_a_session_that_came_here_asks(tmp_path: Path) -> None:
    """Held from its first word by the engine itself, with a model that words the second question."""
    each = held(tmp_path, TWO)
    first = json.loads(reply({"时长": {"value": 5, "evidence": "五个小时"}}, content="是什么让你睡不好？"))
    talk = Talk(each.script, {ASKED: [first, None]})
    assert talk.said == ["睡几个小时？"]
    assert talk.say("五个小时顶天了") == ["是什么让你睡不好？"]
    talk.say("楼上装修", "天天半夜拖桌子")
    asked = [task for task in talk.asked if task.template == ASKED]
    mine = prompt_of(each)
    assert mine is not None
    assert mine.messages == render(asked[1], talk.script).messages
    assert mine.hash == render(asked[1], talk.script).hash


def test_the_first_round_too(tmp_path: Path) -> None:
    each = held(tmp_path, row("问怎么了？", "答闷", gold={"感受": "闷"}, at=f"{START:%Y-%m-%dT%H}:00:20+00:00"))
    talk = Talk(each.script, {})
    talk.say("闷")
    mine = prompt_of(each)
    assert mine is not None
    assert mine.hash == render(next(task for task in talk.asked if task.template == ASKED), talk.script).hash


def test_what_was_said_before_the_action_is_shown_and_no_answer_of_it(tmp_path: Path) -> None:
    earlier = {**TWO, "begins": 2, "before": {}}
    each = held(tmp_path, earlier)
    text = as_text(prompt_of(each))  # type: ignore[arg-type]
    assert "五个小时顶天了" in text
    assert "这一项已有" not in text
    assert QuestionState.of(each.world.state.running.action).texts == []  # type: ignore[union-attr]
    found = wrote(each, {"时长": {"value": 5, "evidence": "五个小时"}, "原因": {"value": "装修", "evidence": "装修"}})
    assert {name: value.value for name, value in found.items()} == {"原因": "装修"}, "a number of another question"


def test_what_earlier_rounds_gave_stands(tmp_path: Path) -> None:
    each = held(tmp_path, TWO)
    text = as_text(prompt_of(each))  # type: ignore[arg-type]
    assert "这一项已有：- 时长 = 5" in text
    found = wrote(each, {"原因": {"value": "楼上装修", "evidence": "楼上装修"}})
    assert found["原因"] == WrittenValue("楼上装修", "json")
    assert found.get("时长", WrittenValue(5, "history")) == WrittenValue(5, "history")
    assert QuestionState.of(each.world.state.running.action).texts == ["五个小时顶天了"]  # type: ignore[union-attr]
    assert each.world.state.running.action.round == 2  # type: ignore[union-attr]


def test_several_messages_are_one_answer(tmp_path: Path) -> None:
    each = held(tmp_path, TWO)
    assert "楼上装修 天天半夜拖桌子" in as_text(prompt_of(each))  # type: ignore[arg-type]
    found = wrote(each, {"原因": {"value": "拖桌子", "evidence": "半夜拖桌子"}})
    assert found["原因"].value == "拖桌子"


def test_what_is_not_proved_is_not_written(tmp_path: Path) -> None:
    each = held(tmp_path, row("问怎么了？", "答就那样", gold={"感受": None}, missing={"感受": "vague"}))
    assert wrote(each, {"感受": {"value": "难过", "evidence": "我很难过"}}) == {}


def test_a_list_that_a_model_did_not_find_is_not_made_of_the_clauses(tmp_path: Path) -> None:
    likes = [{"get": "爱好", "type": "list", "define": "喜欢做的事，一种一项"}]
    nothing = {"gold": {"爱好": None}, "missing": {"爱好": "vague"}}
    talk = row("问喜欢做什么？", "答就那些呗，大家不都那样", output=likes, **nothing)
    each = held(tmp_path, talk)
    assert wrote(each, {}) == {}
    assert each.without_model()["爱好"].value == ["那些呗", "大家不都那样"], "without a model they are all there is"
    chosen = [{**likes[0], "options": ["画画", "跑步"]}]
    each = held(tmp_path, row("问画画，还是跑步？", "答跑步、画画", gold={"爱好": ["跑步", "画画"]}, output=chosen))
    assert wrote(each, {}) == {"爱好": WrittenValue(["跑步", "画画"], "rules")}


def test_several_options_are_held(tmp_path: Path) -> None:
    chosen = [{"get": "爱好", "type": "list", "define": "喜欢做的事", "options": ["画画", "跑步", "唱歌"]}]
    each = held(tmp_path, row("问喜欢哪些？", "答除了唱歌都行", gold={"爱好": ["跑步", "画画"]}, output=chosen))
    found = wrote(each, {"爱好": {"value": ["画画", "跑步", "游泳"], "evidence": "除了唱歌都行"}})
    assert found == {"爱好": WrittenValue(["画画", "跑步"], "json")}


def test_the_prompt_says_what_a_field_may_be(tmp_path: Path) -> None:
    fields = [
        {"name": "做什么", "define": "要做的事"},
        {"name": "几次", "type": "integer", "define": "做几次"},
        {"name": "哪天", "type": "enum", "define": "哪天做", "options": ["星期一", "星期日"]},
    ]
    output = [{"get": "计划", "type": "object", "define": "一个计划", "fields": fields}]
    gold = {"计划": {"做什么": "跑", "几次": 2, "哪天": "星期日"}}
    text = as_text(prompt_of(held(tmp_path, row("问呢？", "答周日跑两次", gold=gold, output=output))))  # type: ignore[arg-type]
    assert "{做什么: 要做的事, 几次 (整数): 做几次, 哪天 (选一项): 哪天做 [星期一 | 星期日]}" in text


def test_what_breaks_its_rules_is_not_written(tmp_path: Path) -> None:
    score = [{"get": "分", "type": "integer", "define": "几分", "range": [0, 10]}]
    each = held(tmp_path, row("问几分？", "答得有二三十分吧", gold={"分": None}, missing={"分": "vague"}, output=score))
    assert wrote(each, {"分": {"value": 20, "evidence": "二三十分"}}) == {}


def test_where_no_model_answers_the_rules_read(tmp_path: Path) -> None:
    score = [{"get": "分", "type": "integer", "define": "几分", "range": [0, 10]}]
    each = held(tmp_path, row("问几分？", "答8分", gold={"分": 8}, output=score))
    assert each.without_model() == {"分": WrittenValue(8, "rules")}

    async def nobody(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: Answer(task.key, "failed") for task in tasks}

    assert asyncio.run(each.held(nobody)) == {"分": WrittenValue(8, "rules")}


def test_words_that_are_kept_whole(tmp_path: Path) -> None:
    each = held(tmp_path, row("问怎么了？", "答心里堵得慌", gold={"感受": "堵"}))
    assert each.without_model() == {"感受": WrittenValue("心里堵得慌", "fallback")}


def test_days_are_counted_from_the_items_own(tmp_path: Path) -> None:
    day = [{"get": "日", "type": "date", "define": "哪天"}]
    each = held(tmp_path, row("问哪天？", "答前天", gold={"日": "2026-02-28"}, output=day, at="2026-03-02T10:00:00"))
    assert each.without_model() == {"日": WrittenValue("2026-02-28", "rules")}
    assert "此刻：2026-03-02 星期一 10点多" in as_text(prompt_of(each))  # type: ignore[arg-type]


def test_what_the_action_says_besides_is_the_scripts(tmp_path: Path) -> None:
    each = held(
        tmp_path, row("问怎么了？", "答闷", gold={"感受": "闷"}, action={"exit": "说出感受就好", "max_rounds": 1})
    )
    text = as_text(prompt_of(each))  # type: ignore[arg-type]
    assert "结束条件：说出感受就好" in text
    assert "最后一轮。" in text


def test_braces_are_words(tmp_path: Path) -> None:
    each = held(tmp_path, row("问写了{什么}？", "答{%time%}", gold={"词": None}, missing={"词": "vague"}))
    text = as_text(prompt_of(each))  # type: ignore[arg-type]
    assert "{%time%}" in text, "as the person wrote it"


def test_in_english(tmp_path: Path) -> None:
    each = held(tmp_path, row("问What is it?", "答I feel numb", gold={"feeling": "numb"}, locale="en"))
    text = as_text(prompt_of(each))  # type: ignore[arg-type]
    assert "I feel numb" in text
    assert "摘取" not in text


@pytest.mark.parametrize(
    "change",
    [
        {"output": [{"get": "感受", "type": "feeling"}]},
        {"output": [{"get": "感受", "type": "integer", "range": [10, 0]}]},
        {"action": {"max_rounds": 0}},
        {"action": {"moods": 3}},
    ],
)
def test_what_makes_no_script_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(BadFile) as caught:
        held(tmp_path, {**row("问怎么了？", "答闷", gold={"感受": "闷"}), **change})
    assert caught.value.why == "bad_script"
    assert str(caught.value.values["codes"]).startswith("E")


def test_nothing_of_the_person_stands_in_a_repr(tmp_path: Path) -> None:
    each = held(tmp_path, row("问怎么了？", "答我有个秘密", gold={"感受": "秘密"}))
    assert "我有个秘密" not in repr(each.item)
    assert "我有个秘密" not in repr(wrote(each, {"感受": {"value": "我有个秘密", "evidence": "我有个秘密"}}))
