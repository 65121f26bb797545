"""Placeholders in what is said: one pass, people's words never read again, nothing missing shown as a brace."""

from __future__ import annotations

import pytest
from tests.engine.scripts import CALM, ask, only, phase, put, say, script, skill, spoken, topic, use

from heartrule.testing.talk import Talk

HOSTILE = ["{秘密}", "{%who%}", "{{秘密}}", "${秘密}", "{session.秘密}", "{名}", "左}{右", "开{口", "{%chat_history%}"]


def test_every_spelling_of_a_placeholder() -> None:
    talk = Talk(
        only(say("{名}|{{名}}|${名}|{ 名 }|{session.名}|${session.名}"), declare=[{"var": "名", "value": "小明"}])
    )
    assert spoken(talk) == ["|".join(["小明"] * 6)]


@pytest.mark.parametrize("words", HOSTILE)
def test_a_persons_words_are_data_and_never_scanned_again(words: str) -> None:
    talk = Talk(
        only(
            ask("叫什么？", "名"),
            say("你说：{名}"),
            put("又", "记下{名}"),
            say("{又}"),
            use("技", input={"给": "{名}"}),
            ask("{名}？", "完"),
            declare=[{"var": "秘密", "value": "不能说的"}],
            skills=[skill("技", say("技：{给}"), parameters=[{"name": "给"}])],
        )
    )
    talk.say(words)
    assert talk.said[0].endswith(f"你说：{words}")
    assert talk.said[1:3] == [f"记下{words}", f"技：{words}"]
    assert f"{words}？" in talk.said[3]
    assert "不能说的" not in "".join(talk.said)


def test_a_name_without_a_value_is_neutral_for_a_person() -> None:
    talk = Talk(
        only(
            say("关于{没有}"),
            {"type": "user_option", "var": "x", "choices": [{"value": "A", "label": "选{没有}"}]},
            declare=[{"var": "没有"}],
        )
    )
    seen = [*talk.said, *(choice.label for choice in talk.request.choices)]
    assert all("{" not in text and "没有" not in text for text in seen)
    assert talk.said[0] != "关于"


def test_a_name_without_a_value_stays_neutral_on_its_way_through_a_variable() -> None:
    talk = Talk(only(put("话", "你提到{没有}。"), say("{话}"), declare=[{"var": "没有"}]))
    assert "{" not in spoken(talk)[0]


def test_a_prompt_says_of_a_name_without_a_value_that_nothing_is_known() -> None:
    action = {"type": "ai_say", "content": "讲讲{没有}", "fallback": "好", "require_acknowledgment": False}
    talk = Talk(only(action, declare=[{"var": "没有"}]), model={"ai_say_open": {"content": "好的。"}})
    assert talk.asked[0].values["topic_content"] == "讲讲（没谈到）"
    assert spoken(talk) == ["好的。"]


def test_braces_that_hold_no_name_are_left_alone() -> None:
    text = '{"a": 1} {} { } {1+2} {"名"} {{ }} {% %}'
    assert spoken(Talk(only(say(text)))) == [text]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(7, "7"), (7.0, "7"), (7.5, "7.5"), (True, "是"), (["a", "b"], "a、b"), ({"a": 1, "b": "二"}, "a：1，b：二")],
)
def test_values_in_words(value: object, shown: str) -> None:
    assert spoken(Talk(only(say("[{x}]"), declare=[{"var": "x", "value": value}]))) == [f"[{shown}]"]


def test_system_variables() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic(
                    "甲",
                    say("{%who%}和{%user%}，{%topic_name%}：{%topic_goal%}，{%phase_name%}，{%session_name%}"),
                    goal="认识",
                ),
            ),
            declare=[{"var": "咨询师名", "value": "李医生"}, {"var": "用户名", "value": "小明"}],
        )
    )
    assert spoken(talk) == ["李医生和小明，甲：认识，P，谈话"]


def test_a_script_variable_does_not_hide_a_system_variable() -> None:
    talk = Talk(only(say("{who}{%who%}"), declare=[{"var": "who", "value": "我"}, {"var": "咨询师名", "value": "李"}]))
    assert spoken(talk) == ["我李"]


def test_a_value_that_looks_like_a_placeholder_stays_as_it_is_in_a_prompt() -> None:
    action = {"type": "ai_ask", "content": "问{名}", "question": "{名}？", "output": [{"get": "x"}]}
    data = {"EXIT": "YES", "content": "好。", "values": {}}
    talk = Talk(only(ask("叫什么？", "名"), action), model={"risk": CALM, "ask": None, "ai_ask": data})
    talk.say("{%who%}")
    talk.say("嗯")
    task = next(task for task in talk.asked if task.template == "ai_ask")
    assert task.values["content"] == "问{%who%}"
    assert task.context.variables["名"] == "{%who%}"


def test_long_words_come_through_whole() -> None:
    talk = Talk(only(ask("说？", "话"), say("{话}")))
    words = "长" * 5000
    talk.say(words)
    assert talk.said[-1] == words
