"""``ai_pic``: a picture from words, with words of its own; without one, ``fallback``, and the session goes on."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.testing.talk import Talk

DATA = "data:image/png;base64,iVBORw0KGgo="
SCRIPT = """
sessions:
  - session: 画梦
    declare: [{var: 梦, value: 一条安静的河}, {var: 画}]
    phases:
      - phase: 一
        steps:
          - topic: 梦
            actions:
              - type: ai_pic
                prompt: "{梦}"
                alt: 照着“{梦}”画的画
                store_as: 画
                fallback: 我们就在心里看着它。
              - {type: ask, id: after, content: 像吗？}
"""


def asked(held: Talk) -> list[Any]:
    return [task for task in held.asked if task.template == "ai_pic"]


def test_what_was_drawn_is_shown_and_known_by_its_name() -> None:
    held = Talk(SCRIPT, {"ai_pic": {"picture": DATA}})
    assert held.said == ["照着“一条安静的河”画的画", "像吗？"]
    (media,) = held.history[0].media
    assert (media.kind, media.src, media.alt) == ("picture", DATA, "照着“一条安静的河”画的画")
    assert held.value("画") == media.data["id"]
    assert [task.values["prompt"] for task in asked(held)] == ["一条安静的河"]
    assert DATA not in repr(held.history)


@pytest.mark.parametrize(
    "given",
    [
        None,
        {},
        {"picture": 3},
        {"picture": "https://elsewhere.example/a.png"},
        {"picture": "data:text/html;base64,AA=="},
    ],
)
def test_without_a_picture_the_fallback_is_said(given: Any) -> None:
    held = Talk(SCRIPT, {"ai_pic": given})
    assert held.said == ["我们就在心里看着它。", "像吗？"]
    assert held.value("画") is None
    assert [event.outcome for event in held.happened("marker") if event.edge == "after"] == ["fallback"]


def test_in_script_mode_nobody_is_asked() -> None:
    held = Talk(SCRIPT)
    assert held.said == ["我们就在心里看着它。", "像吗？"]
    assert asked(held) == []


def test_without_a_fallback_the_session_goes_on() -> None:
    assert Talk(SCRIPT.replace("                fallback: 我们就在心里看着它。\n", "")).said == ["像吗？"]


@pytest.mark.parametrize("dream", ["我想自杀", "吃完一整瓶安眠药去死"])
def test_what_speaks_of_danger_is_not_drawn(dream: str) -> None:
    held = Talk(SCRIPT, {"ai_pic": {"picture": DATA}}, {"梦": dream})
    assert asked(held) == []
    assert held.said[0] == "我们就在心里看着它。"
    assert [event.check for event in held.happened("blocked")] == ["picture"]


def test_long_words_are_cut() -> None:
    held = Talk(SCRIPT, {"ai_pic": {"picture": DATA}}, {"梦": "河" * 9_000})
    assert len(asked(held)[0].values["prompt"]) == 2_000


def test_what_was_drawn_is_shown_again_by_its_name() -> None:
    bare = SCRIPT.rpartition("              - {type: ask")[0]
    again = bare + '              - {type: show_pic, picture: "{画}", alt: 刚才的画, caption: 再看一眼}\n'
    held = Talk(again, {"ai_pic": {"picture": DATA}})
    (media,) = held.history[-1].media
    assert (media.src, media.alt) == (DATA, "刚才的画")
    held = Talk(again, {"ai_pic": None})
    assert held.said[-1] == "再看一眼"
    assert not held.history[-1].media
