"""What is shown beside words: with the message, once, its placeholders filled, and in words for who cannot see it."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.engine.session.media import Media
from heartrule.server import rendering
from heartrule.sessions.rows import MEDIA, history_of, message_rows
from heartrule.testing.talk import Talk, compile_text

HOSTS = {"project.yaml": "id: local\nmedia_hosts: [pictures.example]\n"}


def talk(actions: str, declare: str = "[]", model: Any = None) -> Talk:
    lines = "\n".join(f"              {line}" for line in actions.strip().splitlines())
    text = (
        f"sessions:\n  - session: 看\n    declare: {declare}\n    phases:\n      - phase: 一\n        steps:\n"
        f"          - topic: 图\n            actions:\n{lines}\n"
    )
    return Talk(compile_text(text, files=HOSTS), model)


def shown(held: Talk) -> list[list[Media]]:
    return [list(message.media) for message in held.history if message.sender == "ai"]


def test_a_picture_is_said_in_words() -> None:
    held = talk(
        """
- {type: show_pic, picture: "https://pictures.example/a.png", alt: "{名}的方框", caption: 看这里}
- {type: show_pic, picture: "https://pictures.example/b.png", alt: 一条线}
""",
        "[{var: 名, value: 小林}]",
    )
    assert held.said == ["看这里", "一条线"]
    assert shown(held)[0] == [Media("picture", "https://pictures.example/a.png", "小林的方框", "看这里")]
    assert held.ended


def test_what_a_picture_is_shown_for_is_told_to_the_model_and_not_to_the_person() -> None:
    held = talk(
        """
- {type: show_pic, picture: "https://pictures.example/a.png", alt: 三个方框, purpose: "让{名}看见想法在中间"}
- {type: ai_ask, content: 问一件事, output: [{get: 事, question: 是什么事？}]}
""",
        "[{var: 名, value: 小林}]",
        {"ai_ask_open": {"content": "是什么事？"}},
    )
    (line,) = [line for line in held.asked[-1].context.history if line.speaker == "ai"]
    assert line.text == "三个方框（图片“三个方框”，展示目的：让小林看见想法在中间）"
    assert held.said[0] == "三个方框"
    (media,) = held.history[0].media
    assert "purpose" not in rendering.media(media.dump()).model_dump()


def test_a_technique_tells_the_model_what_it_was_given() -> None:
    text = """
sessions:
  - session: 谈
    phases:
      - phase: 一
        steps:
          - topic: 甲
            actions: [{type: use_skill, skill: 看证据, input: {偏差: 灾难化}}]
skills:
  - skill: 看证据
    strategy: 慢慢来
    parameters: [{name: 偏差, define: 要看的认知偏差}, {name: 别的, define: 没有给}]
    actions: [{type: ai_ask, content: 问证据, output: [{get: 证据, question: 有什么证据？}]}]
"""
    held = Talk(compile_text(text), {"ai_ask_open": {"content": "有什么证据？"}})
    assert held.asked[-1].context.values["strategy"] == "慢慢来 这里给定的：偏差（要看的认知偏差）：灾难化"


def test_a_recording_has_its_transcript() -> None:
    script = compile_text(
        "sessions:\n  - session: 听\n    phases:\n      - phase: 一\n        steps:\n          - topic: 听\n"
        "            actions:\n"
        "              - {type: say, content: 听, audio: {src: 'https://pictures.example/a.mp3', transcript: 静}}\n",
        files=HOSTS,
    )
    (audio,) = shown(Talk(script))[0]
    assert (audio.kind, audio.transcript, audio.alt) == ("audio", "静", "")


def test_a_card_stands_beside_the_first_words_only() -> None:
    held = talk(
        """
- type: ask
  content: 几分？
  card: {title: 记住, text: "{名}，一到十", items: [一, "{名}"]}
  output: [{get: 分, type: integer, range: [1, 10]}]
""",
        "[{var: 名, value: 小林}]",
    )
    assert shown(held) == [[Media("card", data={"title": "记住", "text": "小林，一到十", "items": ["一", "小林"]})]]
    held.say("很多")
    assert shown(held)[1] == []


def test_what_a_model_says_has_it_too() -> None:
    actions = "- {type: ai_say, content: 讲, require_acknowledgment: false, fallback: 好, card: {title: 记住}}"
    held = talk(actions, model={"ai_say_open": {"content": "这是 ABC。"}})
    assert [each.kind for each in shown(held)[0]] == ["card"]


def points(held: Talk) -> Any:
    media = shown(held)[-1]
    return media[0].data if media else None


def test_the_course_of_a_variable_is_drawn_from_its_earlier_values() -> None:
    held = talk(
        """
- {type: set_var, var: 情绪, value: 3}
- {type: set_var, var: 情绪, value: 7}
- {type: say, content: 你的情绪, chart: {variables: [情绪], title: 情绪, range: [0, 10]}}
""",
        "[{var: 情绪, type: integer, update: versioned}]",
    )
    assert points(held) == {
        "title": "情绪",
        "kind": "course",
        "points": [{"label": "1", "value": 3}, {"label": "2", "value": 7}],
        "range": [0, 10],
    }


@pytest.mark.parametrize(
    ("value", "kind", "drawn"),
    [
        ("[1, 2, true, 三]", "course", [("1", 1), ("2", 2)]),
        ("[{日: 周一, 分: 4}, {日: 周二}, {分: 5}]", "course", [("周一", 4), ("3", 5)]),
        ("{PHQ9: 12, GAD7: 8, 说明: 无}", "compare", [("PHQ9", 12), ("GAD7", 8)]),
        ("8", "course", [("1", 8)]),
    ],
)
def test_a_list_is_a_course_and_an_object_is_compared(value: str, kind: str, drawn: list[tuple[str, int]]) -> None:
    held = talk("- {type: say, content: 看, chart: {variables: [值], title: 图}}", f"[{{var: 值, value: {value}}}]")
    assert points(held)["kind"] == kind
    assert [(each["label"], each["value"]) for each in points(held)["points"]] == drawn


def test_what_is_compared_is_called_by_its_label_and_the_axis_says_what_its_ends_mean() -> None:
    ends = "type: integer, range: [0, 10], ends: [放松, 很紧]"
    declare = f"[{{var: a, value: 8, label: {{zh: 做之前, en: before}}, {ends}}}, {{var: 后, value: 3, {ends}}}]"
    held = talk("- {type: say, content: 看, chart: {variables: [a, 后], title: 图, range: [0, 10]}}", declare)
    (shown,) = held.history[0].media
    assert [each["label"] for each in shown.data["points"]] == ["做之前", "后"]
    assert shown.data["ends"] == ["放松", "很紧"]
    held = talk("- {type: say, content: 看, chart: {variables: [a, 后], title: 图, range: [0, 20]}}", declare)
    assert "ends" not in held.history[0].media[0].data, "of another axis they would be wrong"


def test_several_variables_are_compared_and_no_number_is_no_chart() -> None:
    declare = "[{var: 前, value: 80}, {var: 后, value: 30}, {var: 词, value: 无}]"
    held = talk("- {type: say, content: 看, chart: {variables: [前, 词, 后], title: 图}}", declare)
    assert [each["label"] for each in points(held)["points"]] == ["前", "后"]
    held = talk("- {type: say, content: 看, chart: {variables: [词], title: 图}}", declare)
    assert points(held) is None
    assert held.said == ["看"]


def test_only_the_newest_points_are_drawn() -> None:
    held = talk(
        "- {type: say, content: 看, chart: {variables: [值], title: 图}}",
        f"[{{var: 值, value: {list(range(100))}}}]",
    )
    assert [each["value"] for each in points(held)["points"]] == list(range(40, 100))


def test_it_is_kept_with_the_message_and_comes_back() -> None:
    held = talk("- {type: say, content: 看, card: {title: 秘密, items: [一]}}\n- {type: say, content: 完}")
    rows = message_rows(held.turn, [])
    assert [MEDIA in row.metadata for row in rows] == [True, False]
    assert "秘密" not in repr(rows)
    assert "秘密" not in repr(held.history)
    assert [message.media for message in history_of(rows)] == [message.media for message in held.history]
