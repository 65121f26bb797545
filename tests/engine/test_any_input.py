"""Whatever people, timers and models come up with: no turn raises, and what must always hold does."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.scripts import CALM, ask, check, faults, phase, put, roundtrip, say, script, skill, topic, use

from heartrule.engine.session.io import Input, Words
from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk, shipped
from heartrule.testing.visitor import Visitor

FAST = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
SCRIPTS = ("cbt/abc_intro", "cbt/abc_intro_en", "cbt/first_assessment")

WORDS = st.sampled_from(
    [
        "",
        " ",
        "好",
        "不知道",
        "跳过",
        "什么意思",
        "再说一遍",
        "没有",
        "有",
        "5",
        "100",
        "-3",
        "我不想活了",
        "活着没意思",
        "{名}{%who%}{{",
        "开始",
        "2026-02-30",
        "\x00\u200b\ud7ff",
        "长" * 3000,
        "yes",
        "I want to die",
        "skip",
        "说\n好\n几\n行",
        "😀",
        "null",
    ]
) | st.text(max_size=30)


@st.composite
def moves(draw: st.DrawFn) -> tuple[str, Any]:
    kind = draw(
        st.sampled_from(["say", "say", "visitor", "visitor", "burst", "late", "choose", "wrong", "wait", "kind"])
    )
    match kind:
        case "say":
            return kind, draw(WORDS)
        case "burst":
            return kind, draw(st.lists(WORDS, min_size=1, max_size=3))
        case "late":
            return kind, (draw(WORDS), draw(st.integers(-1, 30)))
        case "choose":
            return kind, draw(st.integers(0, 5))
        case "wrong":
            return kind, draw(st.text(max_size=5))
        case "wait":
            return kind, draw(st.integers(0, 8000))
        case "kind":
            return kind, draw(st.sampled_from(["timer", "resume", "start"]))
        case _:
            return kind, None


def move(talk: Talk, visitor: Visitor, kind: str, what: Any) -> None:
    match kind:
        case "say":
            talk.say(what)
        case "visitor":
            if not talk.ended:
                how, words = visitor.reply(talk.state, talk.request)
                talk.choose(words) if how == "choice" else talk.say(words)
        case "burst":
            talk.say(*what)
        case "late":
            talk.say(what[0], after=max(0, talk.state.messages - what[1]) if what[1] >= 0 else 10**6)
        case "choose":
            values = [choice.value for choice in talk.request.choices] or ["?"]
            talk.choose(values[what % len(values)])
        case "wrong":
            talk.choose(what)
        case "wait":
            talk.wait(seconds=what)
        case "kind":
            talk.move(Input(what))


def odd(seed: int) -> Callable[[Task], Any]:
    """A model that answers as it should, or with something of the right keys and the wrong kinds, or not at all."""
    random = Random(seed)
    junk = [
        None,
        {},
        [],
        "",
        "是",
        7,
        -1.5,
        True,
        {"value": 3},
        [[]],
        {"a": None},
        "x" * 500,
        float("nan"),
        10**30,
        -(10**400),
    ]

    def answer(task: Task) -> Any:
        if random.random() < 0.15:
            return None
        if task.template == "risk" and random.random() < 0.7:
            return CALM
        properties = task.schema.get("properties", {})
        return {key: value(key, part) for key, part in properties.items() if random.random() < 0.9}

    def value(key: str, part: Any) -> Any:
        if random.random() < 0.25:
            return random.choice(junk)
        if key in ("content", "exit_reason"):
            return random.choice(["好的。", "然后呢？", ""])
        if "enum" in part:
            return random.choice(part["enum"])
        if part.get("type") == "object":
            return {name: value(name, inner) for name, inner in part.get("properties", {}).items()}
        if part.get("type") == "array":
            return [
                {"id": random.choice([1, 2, "1"]), "verdict": random.choice([True, "yes", "no", 0]), "confidence": 0.8}
            ]
        return random.choice(["好", 5, "5", True, "没有"])

    return answer


def hold(made: Script, plan: list[tuple[str, Any]], seed: int, model: Any) -> Talk:
    talk = Talk(made, model=model)
    visitor = Visitor(made, seed=seed, yes=0.5, prefer=())
    check(talk)
    for kind, what in plan:
        move(talk, visitor, kind, what)
        roundtrip(talk)
        check(talk)
    return talk


PLANS = st.lists(moves(), max_size=14)


@pytest.mark.parametrize("name", SCRIPTS)
@FAST
@given(plan=PLANS, seed=st.integers(0, 1000))
def test_shipped_scripts_without_a_model(name: str, plan: list[tuple[str, Any]], seed: int) -> None:
    hold(shipped(name), plan, seed, None)


@pytest.mark.parametrize("name", SCRIPTS)
@FAST
@given(plan=PLANS, seed=st.integers(0, 1000))
def test_shipped_scripts_with_a_model_that_says_anything(name: str, plan: list[tuple[str, Any]], seed: int) -> None:
    hold(shipped(name), plan, seed, odd(seed))


def everything() -> Script:
    """A script that uses whatever there is, with limits on time."""
    each = {"in": "家人", "as": "成员", "key": "称呼"}
    choice = {
        "type": "user_option",
        "var": "选",
        "choices": [{"value": "A", "label": "甲"}, {"value": 2, "label": "乙{名}"}],
        "timeout": "10m",
        "on_timeout": "continue",
    }
    family = {"get": "家人", "type": "list", "update": "merge_unique", "key": "称呼", "scope": "session"}
    return script(
        phase(
            "A",
            topic(
                "甲",
                ask("名字？", "名", timeout="5m", on_timeout="retry"),
                choice,
                {"type": "user_say", "content": "我好了"},
                use("技", input={"给": "{名}"}, output=[{"get": "r", "set": "结果"}]),
                {
                    "type": "ai_think",
                    "content": "想",
                    "decide": {"var": "定", "options": ["是", "否"], "default": "否"},
                },
                repeat={"until": {"any": ["结果 == '够了'", {"judge": "够了吗", "default": True}]}, "max": 3},
            ),
            topic("家", ask("有谁？", family), transitions=[{"to": "甲", "condition": "len(家人) > 3"}]),
            topic("每人", ask("{成员.称呼}{成员}？", {"get": "成员.年龄", "type": "integer"}), for_each=each),
            topic(
                "技后",
                use("技", timing="after_topic"),
                use("技", timing="before_topic", to="末"),
                use("技", timing="after_phase"),
            ),
            topic(
                "末",
                {
                    "type": "ai_ask",
                    "content": "问",
                    "question": "几？",
                    "output": [{"get": "数", "type": "number"}],
                    "timeout": "1m",
                    "on_timeout": "skip",
                },
            ),
        ),
        phase(
            "B",
            topic("乙", {"type": "ai_say", "content": "讲", "max_rounds": 3}, done_when="数 > 3"),
            topic(
                "丙", put("数", expr="数 * 2"), say("{数}{没有}"), ask("再来？", "再", timeout="1h", on_timeout="end")
            ),
            transitions=[{"to": "a", "condition": "再 == '好'"}],
            milestone="到{名}",
        ),
        declare=[
            {"var": "名", "type": "text", "min_length": 1},
            {"var": "数", "type": "number", "value": 1},
            {"var": "再"},
            {"var": "没有"},
            {"var": "结果"},
        ],
        skills=[
            skill(
                "技",
                ask("{给}怎么？", "r", timeout="2m"),
                use("深"),
                parameters=[{"name": "给", "default": "你"}],
                returns=["r"],
            ),
            skill("深", put("累积次", expr="累积次 + 1"), ask("深？", "s", timeout="2m", on_timeout="skip")),
        ],
        variables=[{"var": "累积次", "type": "integer", "value": 0, "scope": "session"}],
    )


@settings(FAST, max_examples=60)
@given(plan=st.lists(moves(), max_size=25), seed=st.integers(0, 1000), model=st.booleans())
def test_a_script_with_everything(plan: list[tuple[str, Any]], seed: int, model: bool) -> None:
    hold(everything(), plan, seed, odd(seed) if model else None)


@settings(FAST, max_examples=40)
@given(
    values=st.dictionaries(
        st.text(min_size=1, max_size=6),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_any_values_of_a_starter(values: dict[str, Any]) -> None:
    talk = Talk(everything(), values=values)
    check(talk)
    talk.say("好")
    check(talk)


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("model", [False, True])
def test_every_script_comes_to_its_end(name: str, model: bool) -> None:
    made = shipped(name)
    for seed in range(2):
        talk = Talk(made, model=odd(seed) if model else None)
        visitor = Visitor(made, seed=seed)
        for _ in range(250):
            if talk.ended:
                break
            move(talk, visitor, "visitor", None)
        assert talk.ended
        assert not [what for what in faults(talk) if "without waiting" in what]
        check(talk)


def test_words_of_several_senders_in_one_turn() -> None:
    talk = Talk(everything())
    talk.move(Input("message", (Words("我", 1), Words("叫小明", 1)), after=1))
    assert talk.value("名") == "我\n叫小明"
    check(talk)
