"""Events out of a stream, however it is cut."""

from __future__ import annotations

import json

import pytest

from heartrule.client.events import LONGEST, Event, Lines
from heartrule.client.problem import Problem

DELTA = {"turn": 2, "number": 4, "offset": 0, "text": "听起来不容易。", "later": True}
STREAM = (
    ": hello\n\n"
    f"event: message.delta\ndata: {json.dumps(DELTA, ensure_ascii=False)}\n\n"
    'id: 200002\nevent: progress\ndata: {"phases":[],\ndata: "milestones":["了解"]}\n\n'
    'id: 200003\r\nevent: of.tomorrow\r\ndata: {"any": 1}\r\n\r\n'
    "event: never.whole\ndata: {}\n"
).encode()


def found(pieces: list[bytes]) -> list[Event]:
    lines = Lines()
    return [event for piece in pieces for event in lines.feed(piece)]


def test_events_have_their_shapes() -> None:
    delta, progress, unknown = found([STREAM])
    assert (delta.id, delta.name, delta.data.text) == (None, "message.delta", "听起来不容易。")
    assert (progress.id, progress.data.milestones) == (200002, ["了解"])
    assert (unknown.id, unknown.name, unknown.data) == (200003, "of.tomorrow", {"any": 1})


def test_it_does_not_matter_where_they_are_cut() -> None:
    whole = found([STREAM])
    for at in range(len(STREAM)):
        assert found([STREAM[:at], STREAM[at:]]) == whole
    assert found([bytes([each]) for each in STREAM]) == whole


@pytest.mark.parametrize("data", ["{", '{"turn": "two"}', ""])
def test_what_is_no_event_breaks_the_stream(data: str) -> None:
    with pytest.raises(Problem):
        found([f"event: message.delta\ndata: {data}\n\n".encode()])


@pytest.mark.parametrize("piece", [b"x" * 1_000_000, b"data: " + b"x" * 1_000_000 + b"\n"])
def test_an_event_without_end_is_not_kept(piece: bytes) -> None:
    with pytest.raises(Problem):
        found([piece] * (LONGEST // 1_000_000 + 1))
