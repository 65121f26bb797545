"""The history of a variable as debug sessions see it: what was written, and what was not and why."""

from __future__ import annotations

import pytest
from tests.server.material import Grounds, run, seen
from tests.server.test_debug import debug

SCRIPT = """
sessions:
  - session: 分数
    id: scores
    locale: zh-CN
    declare:
      - {var: 分, type: integer, range: [0, 10], define: 难受几分, confirm_change: true, update: versioned}
      - {var: 药, type: boolean, define: 是否在吃药}
      - {var: 药名, define: 吃什么药, depends_on: [{var: 药, condition: 药 == true}]}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: one, content: 几分？, output: [{get: 分}]}
              - {type: ask, id: two, content: 再说一次，几分？, output: [{get: 分}]}
              - {type: ask, id: pills, content: 在吃药吗？, output: [{get: 药}]}
              - {type: ask, id: which, content: 吃什么药？, output: [{get: 药名}]}
              - {type: ask, id: rest, content: 还有呢？, output: [{get: 别的}]}
"""


@pytest.fixture
def scores(grounds: Grounds) -> Grounds:
    (grounds.folder / "project" / "scores.yaml").write_text(SCRIPT, encoding="utf-8")
    return grounds


@pytest.mark.parametrize(("level", "shown"), [("full", True), ("summary", False)])
def test_what_was_tried_is_told_with_its_reason(scores: Grounds, level: str, shown: bool) -> None:
    async def work() -> None:
        async with scores.asgi(debug="full", development=True) as api:
            visit, turn = await api.begun(script="tests/scores", options={"debug_level": level})
            for each in ("50", "5", "7", "没有", "改成7"):
                turn = await api.turn(visit, text=each, after=seen(turn))
            bubbles = {each["name"]: each for each in (await debug(api, visit))["variables"]}
            told = [
                (each["turn"], each["outcome"], each["reason"], each["value"], each["source"])
                for each in bubbles["分"]["history"]
            ]
            assert told == [
                (2, "refused", "range", 50 if shown else None, "one"),
                (3, "written", "", 5 if shown else None, "one"),
                (4, "unconfirmed", "contradicts the value that is there", 7 if shown else None, "two"),
                (6, "written", "", 7 if shown else None, "two"),
            ]
            assert all(each["at"] for each in bubbles["分"]["history"])
            (skipped,) = bubbles["药名"]["history"]
            assert (skipped["outcome"], skipped["reason"]) == ("skipped", "药 == true")
            assert (bubbles["药名"]["value"], bubbles["药名"]["changed"]) == (None, False)

    run(work())
