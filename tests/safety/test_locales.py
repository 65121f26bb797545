"""A language tag has no case (BCP 47): what is said in danger is the same to the letter."""

from __future__ import annotations

from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: 谈
    id: talk
    locale: {locale}
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 睡眠
            id: sleep
            actions:
              - {{type: ask, id: rest, content: 睡得怎么样？, output: [{{get: rest, type: text}}]}}
"""


def test_whatever_the_case_of_the_tag_the_words_in_danger_are_the_same() -> None:
    talks = [Talk(SCRIPT.format(locale=locale)) for locale in ("zh-CN", "ZH-cn")]
    for talk in talks:
        talk.say("我想死")
    first, second = (talk.said for talk in talks)
    assert "12356" in "".join(first)
    assert second == first
