"""``listen`` on an output: its variable is listened for as long as the scope is there that it belongs to."""

from __future__ import annotations

import pytest
from tests.engine.minds import last
from tests.engine.scripts import ask, phase, script, topic
from tests.engine.test_listened_variables import FIRST, REST, hold, lines, said

HEARD = said(("睡眠", "半夜醒", "老是半夜醒"))


def output(**more: object) -> dict[str, object]:
    return {"get": "睡眠", "define": "说到的睡眠情况", **more}


def test_it_is_taken_down_before_it_is_asked_for() -> None:
    talk = hold(script(phase("P", topic("T", FIRST, ask("睡得怎么样？", output(listen={"mode": "passive"}))))), HEARD)
    assert last(talk, "睡眠") == "半夜醒"
    assert lines(talk) == [["- 睡眠：说到的睡眠情况"]]


@pytest.mark.parametrize("more", [{}, {"listen": {"mode": "on_demand"}}])
def test_on_demand_is_only_asked_for(more: dict[str, object]) -> None:
    talk = hold(script(phase("P", topic("T", FIRST, ask("睡得怎么样？", output(**more))))), HEARD)
    assert last(talk, "睡眠") is None


@pytest.mark.parametrize(("scope", "found"), [("topic", None), ("phase", "半夜醒"), ("session", "半夜醒")])
def test_in_another_topic_only_where_its_scope_is_there(scope: str, found: str | None) -> None:
    listening = ask("睡得怎么样？", output(listen={"mode": "passive"}, scope=scope))
    talk = hold(script(phase("P", topic("T", FIRST, REST), topic("U", listening))), HEARD)
    assert last(talk, "睡眠") == found
