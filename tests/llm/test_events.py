"""Server-sent events in all the ways that servers and wires cut them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.llm.providers.events import Events


def read(*parts: bytes, ended: bool = True) -> list[bytes]:
    events = Events()
    found = [each for part in parts for each in events.feed(part)]
    return [*found, *events.end()] if ended else found


@tabled(
    ("content", "found"),
    [
        (b"", []),
        (b"\n\n\n", []),
        (b"data: a\n\n", [b"a"]),
        (b"data:a\r\n\r\ndata:  b\r\n\r\n", [b"a", b" b"]),
        (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
        (b"data: a\n\rdata: b\r\n\n", [b"a", b"b"]),
        (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
        (b"data: {\ndata: }\n\n", [b"{\n}"]),
        (b": keep-alive\n\n: again\n\ndata: a\n\n", [b"a"]),
        (b"event: message\nid: 7\nretry: 10\ndata: a\n: between\ndata: b\n\n", [b"a\nb"]),
        (b"event: ping\n\ndata\n\ndatas: x\n\ndata: a\n\n", [b"a"]),
        (b"data:\n\n", []),
        (b"data: a", [b"a"]),
        (b"data: a\n", [b"a"]),
        (b"data: a\n\ndata: [DONE]", [b"a", b"[DONE]"]),
        ("data: 好\n\n".encode(), ["好".encode()]),
    ],
)
def test_events(content: bytes, found: list[bytes]) -> None:
    assert read(content) == found
    assert read(*[content[at : at + 1] for at in range(len(content))]) == found


def test_an_event_comes_as_soon_as_it_has_ended() -> None:
    events = Events()
    assert [events.feed(part) for part in (b"data: a", b"\n", b"\n", b"data: b\r\n\r", b"\n")] == [
        [],
        [],
        [b"a"],
        [b"b"],
        [],
    ]


PARTS = st.lists(
    st.sampled_from([b"\n", b"\r", b"\r\n", b"data:", b" ", b":", b"event: x", b"{}", b"a", b"\xef\xbb\xbf", b""])
    | st.binary(max_size=3),
    max_size=40,
)


@given(PARTS)
def test_it_does_not_matter_where_they_are_cut(parts: list[bytes]) -> None:
    assert read(*parts) == read(b"".join(parts))


@pytest.mark.parametrize("byte", [b"\n", b"\r", b"a", b":"])
def test_a_megabyte_byte_by_byte(byte: bytes) -> None:
    events = Events()
    events.feed(b"data: ")
    began = time.process_time()
    for _ in range(300_000):
        events.feed(byte)
    assert time.process_time() - began < 5
