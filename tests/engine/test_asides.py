"""What an answer tells beyond its question: corrections of what is known, and what a later question would ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    Data,
    Node,
    ai_ask,
    ai_say,
    asked,
    exits,
    explained,
    get,
    last,
    option,
    press,
    replied,
    spoken,
    tasks,
    think,
    values,
    written,
)
from tests.engine.scripts import ask, check, phase, put, script, topic

from heartrule.engine.extraction import asides
from heartrule.engine.extraction.asides import FACTS, LATER
from heartrule.engine.session.io import World
from heartrule.engine.work import Work
from heartrule.testing.talk import Talk, compile_text

SINCE: Node = {"var": "多久了", "type": "text", "define": "持续了多长时间"}
SCORE: Node = {"var": "评分", "type": "integer", "range": [0, 10], "define": "心情几分"}
CAUSE: Node = {"var": "起因", "type": "text", "define": "刚开始时的变动"}
JOY: Node = {"var": "没兴趣", "type": "boolean", "define": "对以前喜欢的事是否没兴趣"}
WISH: Node = {"var": "念头", "type": "boolean", "risk": True, "define": "是否有过念头"}
FRIENDS: Node = {"var": "朋友", "type": "list", "define": "可以找的人"}
DIARY: Node = {"var": "日记", "type": "text", "update": "append", "define": "说过的事"}
ALL = [SINCE, SCORE, CAUSE, JOY, WISH, FRIENDS, DIARY]
FIRST = asked("三个月，记住了。", "YES", values=values(多久了=("三个月", "三个月左右")))


def aside(name: str, value: Any, quote: str) -> Data:
    return {"name": name, "value": value, "evidence": quote}


def perceived(*values: Any, holds: Any = ()) -> Data:
    """What perception is answered with."""
    return {"holds": list(holds), "values": list(values)}


def hold(
    *second: Data,
    first: Data = FIRST,
    words: str = "评分八分，哦刚才说错了，是两个月不是三个月",
    heard: Any = None,
) -> Talk:
    """“多久了” is known when the score is asked for; the answers to that are ``second``, and ``heard`` is what is
    perceived beside them."""
    actions = [
        ai_ask("多久", "多久了", question="多久了？"),
        ai_ask("评分", "评分", question="几分？"),
        ai_ask("起因", "起因", question="那阵子有什么变动？", when_known="ask"),
        ai_ask("兴趣", "没兴趣", question="还有兴趣吗？", when_known="ask"),
        ai_ask("念头", "念头", question="有过念头吗？"),
        ai_ask("朋友", "朋友", "日记", question="可以找谁？", literal=True),
    ]
    table = {"risk": CALM, "ai_ask": [first, *second], "perceive": [perceived(), heard or perceived()]}
    talk = Talk(script(phase("P", topic("T", *actions)), declare=ALL), model=table)
    talk.say("三个月左右")
    talk.say(words)
    check(talk)
    return talk


def scored(**more: Any) -> Data:
    return asked("嗯。", "YES", values=values(评分=(8, "八分")), **more)


# corrections


def test_what_was_known_is_put_right() -> None:
    talk = hold(scored(), heard=perceived(aside("多久了", "两个月", "是两个月不是三个月")))
    assert written(talk, "多久了") == [("三个月", "json", "三个月左右"), ("两个月", "correction", "是两个月不是三个月")]
    (change,) = [event for event in talk.happened("variable") if event.strategy == "correction"]
    assert (change.old, change.value, change.operation) == ("三个月", "两个月", "update")
    assert last(talk, "评分") == 8


@pytest.mark.parametrize(
    "wrong",
    [
        aside("多久了", "两个月", "这句没有说过"),
        aside("多久了", "两个月", "三个月左右"),
        aside("多久了", "", "是两个月不是三个月"),
        aside("多久了", None, "是两个月不是三个月"),
        aside("评分", 3, "是两个月不是三个月"),
        aside("没有这个", "两个月", "是两个月不是三个月"),
        {"name": ["多久了"], "value": "两个月", "evidence": "是两个月不是三个月"},
        {"name": "多久了", "value": "两个月", "evidence": 2},
        {"name": "多久了", "value": "两个月"},
    ],
)
def test_a_correction_needs_a_known_name_and_proof_in_these_very_words(wrong: Data) -> None:
    talk = hold(scored(), heard=perceived(wrong))
    assert last(talk, "多久了") == "三个月"
    assert last(talk, "起因") is None
    assert last(talk, "评分") == 8


@pytest.mark.parametrize("junk", [None, "两个月", {"多久了": "两个月"}, [None, "两个月", 3], 7])
def test_whatever_stands_there_nothing_breaks(junk: Any) -> None:
    talk = hold(scored(), heard={"holds": junk, "values": junk})
    assert (last(talk, "多久了"), last(talk, "评分")) == ("三个月", 8)


def test_a_correction_obeys_the_rules_of_its_variable() -> None:
    talk = hold(scored(), asked("嗯。", "YES"))
    talk.model["perceive"] = wrong = perceived(aside("评分", 40, "其实是四十分"))
    talk.say("其实是四十分")
    assert last(talk, "评分") == 8
    assert [event.refused for event in talk.happened("perceived")][-1] == 1
    assert talk.model["perceive"] is wrong


@pytest.mark.parametrize(
    ("action", "answers"),
    [
        (ask("几分？", "评分"), {"ask": replied(values=values(评分=(8, "八分")))}),
        (ai_say("讲讲"), {"ai_say_ack": {"content": "嗯。"}}),
        (ai_say("讲讲", max_rounds=3), {"ai_say": explained()}),
        (option("选的", "好", "不好"), {}),
        (press("说一句"), {}),
    ],
    ids=["ask", "ai_say_ack", "ai_say", "user_option", "user_say"],
)
def test_whatever_listens_takes_asides(action: Node, answers: Data) -> None:
    built = script(phase("P", topic("T", ai_ask("多久", "多久了", question="多久了？"), action)), declare=ALL)
    heard = perceived(aside("多久了", "两个月", "两个月"))
    talk = Talk(
        built, model={"risk": CALM, "ai_ask": FIRST, "ai_say_open": {"content": "讲。"}, "perceive": heard} | answers
    )
    talk.say("三个月左右")
    talk.say("八分，两个月")
    assert last(talk, "多久了") == "两个月"


# what comes later


def test_what_a_later_question_asks_for_is_known_when_it_comes() -> None:
    talk = hold(scored(), words="八分，换了部门以后", heard=perceived(aside("起因", "换了部门", "换了部门")))
    assert written(talk, "起因") == [("换了部门", "passive", "换了部门")]
    assert talk.said[-1].endswith("那阵子有什么变动？")


def test_nobody_has_to_say_it_again_for_the_sake_of_the_question() -> None:
    told = perceived(aside("没兴趣", True, "没意思"))
    caused = asked("嗯。", "YES", values=values(起因=("换部门", "换部门")))
    talk = hold(scored(), caused, asked("说过了，攀岩也没意思了。", "YES"), words="八分，做什么都没意思", heard=told)
    talk.say("换部门")
    talk.say("刚才不是说了嘛")
    assert last(talk, "没兴趣") is True
    assert exits(talk)[-1] == (True, "exit_flag", "exit_criteria_met")
    assert talk.said[-1].endswith("有过念头吗？")


def test_what_they_say_when_they_are_asked_counts() -> None:
    told = perceived(aside("起因", "换了部门", "换了部门"))
    caused = asked("嗯。", "YES", values=values(起因=("失恋", "失恋")))
    talk = hold(scored(), caused, words="八分，换了部门以后", heard=told)
    talk.say("其实是失恋")
    assert last(talk, "起因") == "失恋"


@pytest.mark.parametrize(
    ("name", "value"),
    [("念头", True), ("朋友", ["小雨"]), ("日记", "换了部门"), ("评分", 3)],
)
def test_what_may_not_be_told_in_passing(name: str, value: Any) -> None:
    """A risk variable, what holds many things, what this question asks for."""
    before = {"评分": 8}.get(name)
    talk = hold(scored(), words="八分，换了部门以后", heard=perceived(aside(name, value, "八分，换了部门以后")))
    assert last(talk, name) == before


def test_a_number_means_nothing_without_its_question() -> None:
    built = script(phase("P", topic("T", ask("多久了？", "多久了"), ask("几分？", "评分"))), declare=ALL)
    talk = Talk(built, model={"risk": CALM, "ask": replied(), "perceive": perceived(aside("评分", 8, "八分"))})
    talk.say("三个月，八分吧")
    assert written(talk, "评分") == []


def test_without_a_model_nothing_is_taken_in_passing() -> None:
    built = script(phase("P", topic("T", ask("多久了？", "多久了"), ask("变动？", "起因"))), declare=ALL)
    talk = Talk(built)
    talk.say("三个月，换了部门以后")
    assert written(talk, "起因") == []


# what the model is told


def test_the_model_sees_what_is_known_and_what_may_be_told() -> None:
    talk = hold(scored())
    first, second = tasks(talk, "perceive")
    assert (first.values["facts"], second.values["facts"]) == ("", "多久了")
    assert second.values["later"] == "- 起因：刚开始时的变动\n- 没兴趣：对以前喜欢的事是否没兴趣（true|false）"
    names = second.schema["properties"]["values"]["items"]["properties"]["name"]
    assert names["enum"] == ["多久了", "起因", "没兴趣"]
    assert [task.values["facts"] for task in tasks(talk, "ai_ask")] == ["", ""], "they can read it in the transcript"


def test_what_nobody_told_is_no_fact() -> None:
    """A default, an initial value, what the script sets, what has no declaration, what is marked risk."""
    declared = [
        {"var": "初始", "type": "text", "value": "一", "define": "甲"},
        {"var": "设定", "type": "text", "define": "乙"},
        {"var": "默认", "type": "integer", "define": "丙", "on_failure": {"do": "default", "default": 3}},
        {"var": "风险", "type": "boolean", "risk": True, "define": "丁"},
        SCORE,
    ]
    actions = [
        put("设定", "二"),
        ask("一？", "默认"),
        ask("二？", get("随口", define="戊")),
        ask("三？", "风险"),
        ai_ask("评分", "评分", question="几分？"),
    ]
    table = {
        "risk": CALM,
        "ask": [replied(), replied(values=values(随口=("好", "好"))), replied(values=values(风险=(False, "没有")))],
        "ai_ask": asked("几分？"),
    }
    talk = Talk(script(phase("P", topic("T", *actions)), declare=declared), model=table)
    for words in ("嗯", "好", "没有", "说不好"):
        talk.say(words)
    assert tasks(talk, "ai_ask")[0].values["facts"] == ""
    assert {task.values["facts"] for task in tasks(talk, "perceive")} <= {""}


def test_facts_are_bounded_and_told_once_the_transcript_shows_them_no_more() -> None:
    names = [f"事{n}" for n in range(FACTS + 8)]
    declared = [{"var": name, "type": "text", "define": f"第{name}件"} for name in names]
    built = script(phase("P", topic("T", *(ask(f"{name}？", name) for name in names))), declare=declared)
    long = "这件事说来话长，要从很久以前的那个冬天说起，一直说到今天"
    talk = Talk(built, model={"risk": CALM, "ask": lambda task: replied(values=_told(task, long))})
    for _ in names:
        talk.say(long)
    spoken = asides.prompt_line(_work(talk)).split("；")
    assert len(asides.facts(_work(talk))) == FACTS
    assert 0 < len(spoken) < FACTS
    assert spoken == [f"{name}={long[:20]}…" for name in names[8 : 8 + len(spoken)]]
    last = [task for task in tasks(talk, "perceive") if task.values["facts"]][-1].values["facts"].split("；")
    assert f"{names[8]}={long[:20]}…" in last
    assert names[-2] in last, "by name alone while the words stand there"
    assert tasks(talk, "perceive")[0].values["later"].count("\n") == LATER - 1


def _work(talk: Talk) -> Work:
    """The state as a next turn would find it."""
    return Work.of(World(talk.script, talk.state, talk.variables, tuple(talk.history), talk.now, True))


def _told(task: Any, words: str) -> Data:
    return {
        name: {"value": words, "evidence": words[:10]} for name in task.schema["properties"]["values"]["properties"]
    }


def test_only_what_is_still_to_come_may_be_told() -> None:
    late = {"var": "后来", "type": "text", "define": "以后的事"}
    here = topic("T", ask("起因？", "起因"), ai_ask("多久", "多久了", question="多久了？"), ask("兴趣？", "没兴趣"))
    built = script(phase("P", here), phase("Q", topic("U", ask("后来呢？", "后来"))), declare=[*ALL, late])
    talk = Talk(built, model={"risk": CALM, "ask": replied(understood=False), "ai_ask": asked("多久？")})
    for _ in range(4):
        talk.say("那阵子的事")
    *_, last = tasks(talk, "perceive")
    assert last.values["later"] == "- 没兴趣：对以前喜欢的事是否没兴趣（true|false）\n- 后来：以后的事"


def test_what_was_put_into_a_form_is_told_though_it_was_a_moment_ago() -> None:
    """It stands in no transcript."""
    work = _work(hold(scored()))
    assert asides.prompt_line(work) == ""
    ((where, cell),) = [(where, held["多久了"]) for where, held in work.variables.cells.items() if "多久了" in held]
    work.variables.cells[where]["多久了"] = replace(cell, strategy="form")
    assert asides.prompt_line(work) == "多久了=三个月"
    assert "多久了=三个月" in asides.recorded(work, {"多久了": "三个月"}, work.world.history)


def test_those_who_only_speak_are_told_what_is_known() -> None:
    first = ai_ask("多久", "多久了", question="多久了？")
    built = script(phase("P", topic("T", first, option("选", "好"), ai_say("讲讲", max_rounds=2))), declare=ALL)
    talk = Talk(built, model={"risk": CALM, "ai_ask": FIRST, "ai_say_open": {"content": "讲一点。这样说清楚吗？"}})
    talk.say("三个月左右")
    talk.choose("a")
    (task,) = tasks(talk, "ai_say_open")
    assert task.values["facts"] == ""
    talk.history.clear()
    assert asides.prompt_line(_work(talk)) == "多久了=三个月", "nobody can read it any longer"


# a reply that says nothing


def test_an_empty_reply_leaves_the_word_to_the_scheme() -> None:
    talk = hold(asked("", "YES", values=values(评分=(8, "八分"))))
    assert talk.said[-1].split("\n")[0] in spoken(talk, "acknowledge")
    assert talk.said[-1].endswith("那阵子有什么变动？")


def test_an_empty_reply_to_no_answer_puts_the_question_again() -> None:
    talk = hold(asked(""), words="说不好啊")
    assert talk.said[-1].endswith("几分？")
    assert last(talk, "评分") is None


@pytest.mark.parametrize(
    ("quote", "counts"),
    [
        ("换了部门…睡不着", True),
        ("换了部门......睡不着", True),
        ("……睡不着", True),
        ("睡不着…换了部门", False),
        ("换了部门…吃不下", False),
        ("…", False),
    ],
)
def test_a_quote_may_leave_something_out(quote: str, counts: bool) -> None:
    caused = asked("嗯。", "YES", values=values(起因=("换部门", quote)))
    talk = hold(scored(), caused)
    talk.say("换了部门以后，就睡不着了")
    assert (last(talk, "起因") == "换部门") == counts


# what prompts are made of


def test_a_prompt_says_what_a_value_is_where_it_is_no_text() -> None:
    talk = hold(scored())
    first, second = tasks(talk, "ai_ask")
    assert first.values["outputs"] == "- 多久了：持续了多长时间"
    assert second.values["outputs"] == "- 评分（整数）：心情几分 [0–10]"


def test_the_day_of_the_week_is_told() -> None:
    talk = hold(scored())
    assert [task.context.values["time"] for task in tasks(talk, "ai_ask")] == [
        "2026-11-20 09:00 星期五",
        "2026-11-20 09:00 星期五",
    ]


def test_what_the_script_adds_up_does_not_begin_with_a_comma() -> None:
    summed = [put("和", ""), put("和", "{和}，睡不好"), put("和", "{和}，吃不下")]
    told = ai_say("身体「{和}」，别的「{空}」，{没有这个名}", fallback="好", require_acknowledgment=False)
    built = script(phase("P", topic("T", *summed, told)), declare=[{"var": "和"}, {"var": "空"}])
    talk = Talk(built, model={"ai_say_open": {"content": "好的。"}})
    assert talk.asked[0].values["topic_content"] == "身体「睡不好，吃不下」，别的「（没谈到）」，{没有这个名}"


def test_thinking_is_given_only_what_there_is() -> None:
    thought = think("想", "结论", input=["有", "没有", "空"])
    built = script(
        phase("P", topic("T", put("有", "一"), thought)),
        declare=[{"var": "有"}, {"var": "没有"}, {"var": "空", "value": ""}],
    )
    talk = Talk(built, model={"ai_think": {"values": {"结论": "就这样"}}})
    assert talk.asked[0].values["inputs"] == "- 有: 一"
    assert talk.asked[0].values["outputs"] == "- 结论：结论"
    assert last(talk, "结论") == "就这样"


@pytest.mark.parametrize(
    ("given", "locale", "told"),
    [
        ("instructions: 慢一点", "en", "慢一点"),
        ("instructions: {zh-CN: 慢一点, en: slowly}", "en", "slowly"),
        ("instructions: {zh-CN: 慢一点, en: slowly}", "en-GB", "slowly"),
        ("instructions: {zh: 慢一点}", "zh-CN", "慢一点"),
        ("instructions: {zh-CN: 慢一点}", "en", ""),
    ],
)
def test_a_projects_instructions_are_in_the_sessions_language(given: str, locale: str, told: str) -> None:
    text = f"""
sessions:
  - session: s
    id: s
    locale: {locale}
    phases:
      - {{phase: p, steps: [{{topic: t, actions: [{{type: ai_say, content: x, require_acknowledgment: false}}]}}]}}
"""
    built = compile_text(text, files={"project.yaml": f"id: local\n{given}\n"})
    talk = Talk(built, model={"ai_say_open": {"content": "ok."}})
    assert talk.asked[0].context.values["project_instructions"] == told


def test_a_scripts_own_rules_are_for_when_no_model_can_answer() -> None:
    """“我楼下有只橘猫” is no yes to the question whether interest is gone; a model that found none may be believed."""
    joy = {**JOY, "rules": [{"pattern": "有", "value": True}]}
    built = script(
        phase("P", topic("T", ai_ask("兴趣", "没兴趣", question="还有兴趣吗？", when_known="ask"))), declare=[joy]
    )
    told = {None: None, "failed": {"risk": CALM}, "answered": {"risk": CALM, "ai_ask": asked("那平时呢？")}}
    found = {}
    for how, model in told.items():
        talk = Talk(built, model=model)
        talk.say("突然想到我楼下有只橘猫")
        found[how] = last(talk, "没兴趣")
    assert found == {None: True, "failed": True, "answered": None}
