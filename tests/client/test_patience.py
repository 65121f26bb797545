"""How a request is tried, without a server: what is asked again, what is not, how long is waited."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from heartrule.client import calls
from heartrule.client.answers import LONGEST_WAIT, Reply, decode_reply
from heartrule.client.calls import Call
from heartrule.client.patience import OUT_OF_ORDER, Patience, asked
from heartrule.client.problem import Problem
from heartrule.server.message_order import PATIENCE

MORE = {"audience": "", "project": "", "translation_of": "", "newer": 1}
SCRIPTS = json.dumps([{"id": "a/b", "name": "名", "goal": "", "duration": None, "locale": "zh-CN", **MORE}])
GOOD = Reply(200, "", SCRIPTS.encode())


def refused(status: int, code: str = "busy", wait: str = "") -> Reply:
    body = {"type": "urn:x", "title": "稍后再试", "status": status, "code": code, "reference": "0a0a0a0a"}
    return Reply(status, wait, json.dumps(body).encode())


def tried(call: Call[Any], came: list[Reply | Problem], patience: Patience | None = None) -> tuple[Any, list[float]]:
    """What it comes to, and what was waited in between."""
    steps, waits, answer = asked(call, patience or Patience()), list[float](), None
    step = next(steps)
    for each in came:
        assert isinstance(step, Call)
        try:
            step = steps.send(each)
        except StopIteration as done:
            return done.value, waits
        except Problem as problem:
            return problem, waits
        assert isinstance(step, float | int)
        waits.append(step)
        step = steps.send(answer)
    raise AssertionError("it goes on")


def test_an_answer_is_read_and_what_a_newer_server_adds_is_passed_over() -> None:
    found, waits = tried(calls.scripts(), [GOOD])
    assert [each.name for each in found] == ["名"]
    assert waits == []


@pytest.mark.parametrize("broken", [refused(503), refused(500, "internal"), Problem("network"), Problem("timeout")])
def test_what_passes_is_asked_again_twice_as_late_each_time(broken: Reply | Problem) -> None:
    found, waits = tried(calls.scripts(), [broken, broken, broken, GOOD])
    assert len(found) == 1
    assert waits == [0.5, 1.0, 2.0]


def test_waiting_does_not_grow_beyond_its_bound_and_ends() -> None:
    found, waits = tried(calls.scripts(), [Problem("network")] * 8, Patience(tries=7, first=1, most=4))
    assert isinstance(found, Problem)
    assert found.code == "network"
    assert waits == [1, 2, 4, 4, 4, 4]


def test_a_server_is_given_the_time_it_asks_for() -> None:
    _, waits = tried(calls.scripts(), [refused(429, "too-many-requests", "7"), GOOD])
    assert waits == [7.0]
    late = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    _, waits = tried(calls.scripts(), [refused(503, wait=late), GOOD])
    assert 15 < waits[0] <= 20


def test_but_not_any_time() -> None:
    found, waits = tried(calls.scripts(), [refused(503, wait="61"), GOOD])
    assert (found.code, found.status, waits) == ("busy", 503, [])
    assert tried(calls.scripts(), [refused(503, wait="1e9"), GOOD])[0].retry_after == LONGEST_WAIT


@pytest.mark.parametrize("odd", ["nan", "soon", "-3", ""])
def test_a_wait_that_is_none_is_no_wait(odd: str) -> None:
    _, waits = tried(calls.scripts(), [refused(503, wait=odd), GOOD])
    assert waits == [0.5]


def test_what_was_said_before_is_waited_for_a_moment() -> None:
    _, waits = tried(calls.turn("s", "t", "key-00001", {}), [refused(425, "out-of-order")] * 2, Patience(tries=2))
    assert waits == [OUT_OF_ORDER]


def test_what_was_said_before_is_waited_for_longer_than_the_server_does() -> None:
    _, waits = tried(calls.turn("s", "t", "key-00001", {}), [refused(425, "out-of-order")] * 6)
    assert sum(waits) > PATIENCE


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422])
def test_what_is_final_is_told_at_once(status: int) -> None:
    found, waits = tried(calls.scripts(), [refused(status, "no-such-script")])
    assert (found.code, found.title, found.reference, waits) == ("no-such-script", "稍后再试", "0a0a0a0a", [])
    assert str(found) == "稍后再试"


@pytest.mark.parametrize("lost", [Problem("network"), Problem("timeout"), refused(500, "internal")])
def test_what_would_count_twice_is_not_asked_again_where_it_may_have_been_heard(lost: Reply | Problem) -> None:
    found, waits = tried(calls.create("a/b", None), [lost])
    assert isinstance(found, Problem)
    assert waits == []


def test_but_where_it_was_turned_away_it_is() -> None:
    _, waits = tried(calls.create("a/b", None), [refused(503), refused(429)] * 2, Patience(tries=4))
    assert waits == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("page", [b"<html>Sign in to the hotel</html>", b"", b'{"message": "hello"}', b"[]", b"null"])
def test_a_page_of_something_in_between_is_a_disturbance(page: bytes) -> None:
    for status in (200, 403, 502):
        with pytest.raises(Problem) as raised:
            decode_reply(calls.session("s", "t"), Reply(status, "", page))
        assert raised.value.code == "network"
        assert raised.value.is_passing


def test_such_a_page_in_place_of_the_answer_is_asked_again() -> None:
    found, waits = tried(calls.scripts(), [Reply(200, "", b"<html>"), GOOD])
    assert len(found) == 1
    assert waits == [0.5]


def test_an_address_holds_what_it_is_given_and_nothing_else() -> None:
    assert calls.session("../admin?x#y", "t").target == "/api/v1/sessions/..%2Fadmin%3Fx%23y"
    assert calls.sessions("t", before="a&b").target == "/api/v1/sessions?before=a%26b"


def test_nothing_of_what_is_said_is_shown_where_it_is_looked_at() -> None:
    call = calls.turn("s", "secret-token", "key-00001", {"type": "message", "text": "不想活了"})
    assert "不想活了" not in repr(call)
    assert "secret-token" not in repr(call)
    assert "不想活了" not in repr(Reply(200, "", "不想活了".encode()))
