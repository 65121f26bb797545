"""What the language gives names to, and the linter has to know: earlier values, drawn pictures, where is listened."""

from __future__ import annotations

import pytest
from tests.language.material import linted_whole

SCRIPT = """
sessions:
  - session: 谈
    declare:
      - {{var: 心情, type: integer, range: [0, 10], define: 心情, update: {update}}}
      - {{var: 睡眠, define: 睡眠, listen: {{scope: {scope}}}}}
    phases:
      - phase: 一
        steps:
          - topic: 甲
            actions:
              - {{type: ask, content: 几分？, output: [{{get: 心情}}]}}
              - {{type: ask, content: 再几分？, output: [{{get: 心情}}]}}
              - {{type: say, content: "以前是{{心情.versions}}", condition: "len(心情.versions) > 1"}}
              - {{type: say, content: "以前有", condition: "3 in 心情.versions"}}
              - {{type: ai_pic, prompt: 河, alt: 河, store_as: 画, fallback: 没画成}}
              - {{type: show_pic, picture: "{{{shown}}}", alt: 刚才的河}}
          - topic: 乙
            actions:
              - {{type: ask, content: 睡得怎样？, output: [{{get: {asked}}}]}}
              - {{type: say, content: "{{睡眠}}"}}
"""


def codes(update: str = "versioned", scope: str = "topic", shown: str = "画", asked: str = "睡眠") -> set[str]:
    text = SCRIPT.format(update=update, scope=scope, shown=shown, asked=asked)
    return {found.code for found in linted_whole(text)}


def test_what_is_there_is_known() -> None:
    assert codes() == set()


@pytest.mark.parametrize(
    ("given", "code"),
    [({"update": "overwrite"}, "W419"), ({"shown": "没有"}, "E280"), ({"asked": "别的"}, "W243")],
)
def test_what_is_not_there_is_found(given: dict[str, str], code: str) -> None:
    assert code in codes(**given)
