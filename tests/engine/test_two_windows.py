"""Two windows that show the same question: what is answered second is a correction, and what waits is asked again."""

from __future__ import annotations

from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: 试
    id: talk
    locale: zh-CN
    declare:
      - {var: 心情, type: integer, range: [0, 10], define: 心情}
      - {var: 睡眠, type: text, define: 睡得怎样}
      - {var: 起居, type: text, define: 起居}
    phases:
      - phase: one
        id: one
        steps:
          - topic: t
            id: t
            actions:
              - {type: ask, id: mood, content: "心情几分，0 到 10？", output: [{get: 心情}]}
              - {type: ask, id: sleep, content: "睡得好吗？", output: [{get: 睡眠}]}
              - {type: ask, id: life, content: "起居呢？", output: [{get: 起居}]}
"""


def test_the_second_answer_is_a_correction_and_what_waits_is_asked_again() -> None:
    talk = Talk(SCRIPT)
    seen = talk.state.messages
    talk.say("4", after=seen)
    assert "睡得好吗？" in "\n".join(talk.say("7", after=seen, seconds=90))
    assert (talk.value("心情"), talk.value("睡眠")) == (7, None)
    seen = talk.state.messages
    talk.say("睡得不好", after=seen)
    again = "\n".join(talk.say("其实睡得还行", after=seen, seconds=90))
    assert talk.value("睡眠") == "其实睡得还行", "it took the place of the first"
    assert talk.value("起居") is None, "and is no answer to what came after"
    assert "起居呢？" in again, "what waits is asked once more"
    assert "其实睡得还行" in again, "and it is said that this counts now"


def test_what_comes_at_once_is_more_of_the_same_answer() -> None:
    talk = Talk(SCRIPT)
    talk.say("4")
    seen = talk.state.messages
    talk.say("睡得不好", after=seen)
    talk.say("三点就醒", after=seen, seconds=5)
    assert talk.value("睡眠") == "睡得不好\n三点就醒"
