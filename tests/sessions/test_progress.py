"""How far a session has come, as people are shown it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sessions.material import Place, run, script_file

from heartrule.sessions import Outcome
from heartrule.store.records import Entry

BRANCHES = """
sessions:
  - session: 岔路
    id: small
    locale: zh-CN
    declare: [{var: 走, type: text, define: 走哪边}]
    phases:
      - phase: 开头
        id: first
        steps:
          - topic: 问
            id: asking
            actions:
              - type: user_option
                id: which
                var: 走
                choices: [{value: 左, label: 往左}, {value: 右, label: 往右}]
      - phase: 左边
        id: left
        condition: 走 == "左"
        steps:
          - topic: 左
            id: on_the_left
            actions: [{type: ask, id: a, content: 左边怎样？, output: [{get: 左边}]}]
      - phase: 右边
        id: right
        condition: 走 == "右"
        steps:
          - topic: 右
            id: on_the_right
            actions: [{type: ask, id: b, content: 右边怎样？, output: [{get: 右边}]}]
      - phase: 收尾
        id: last
        steps:
          - topic: 完
            id: closing
            actions: [{type: say, id: bye, content: 再见。}]
"""


def shown(outcome: Outcome) -> list[tuple[str, str]]:
    def stands(phase: dict[str, Any]) -> str:
        return "done" if phase["done"] else "current" if phase["current"] else "ahead"

    return [(phase["id"], stands(phase)) for phase in outcome.progress["phases"]]


@pytest.mark.parametrize(("way", "entered"), [("左", "left"), ("右", "right")])
def test_a_phase_with_a_condition_is_shown_once_it_is_entered(place: Place, way: str, entered: str) -> None:
    async def work() -> None:
        script_file(place.folder, BRANCHES)
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            assert shown(outcome) == [("first", "current"), ("last", "ahead")]
            outcome = await sessions.take(session, Entry(key="which way", kind="choice", choice=way))
            assert shown(outcome) == [("first", "done"), (entered, "current"), ("last", "ahead")]
            outcome = await sessions.take(session, Entry(key="how is it", kind="message", text="还好"))
            assert shown(outcome) == [("first", "done"), (entered, "done"), ("last", "done")]

    run(work())


def test_a_session_ended_early_does_not_say_that_all_is_done(place: Place) -> None:
    async def work() -> None:
        script_file(place.folder, BRANCHES)
        async with place.open() as sessions:
            session, _ = await place.begun(sessions)
            assert ("last", "ahead") in shown(await sessions.end(session))

    run(work())


@pytest.mark.parametrize("way", ["左", "右"])
def test_the_number_of_steps_never_grows_and_the_time_left_only_falls(place: Place, way: str) -> None:
    async def work() -> None:
        script_file(place.folder, BRANCHES.replace("    locale: zh-CN", "    locale: zh-CN\n    duration: 20m"))
        async with place.open() as sessions:
            session, first = await place.begun(sessions)
            second = await sessions.take(session, Entry(key="which way", kind="choice", choice=way))
            last = await sessions.take(session, Entry(key="how is it", kind="message", text="还好"))
            outcomes = (first, second, last)
            assert [sum(each["counted"] for each in outcome.progress["phases"]) for outcome in outcomes] == [2, 2, 2]
            assert [outcome.progress["minutes_left"] for outcome in outcomes] == [20, 10, None]

    run(work())
