"""Sessions held by the client, plain and on asyncio, at a real server and over ways that break."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.browser.served import Served
from tests.client.cutting import after, unheard, way
from tests.server.material import SCRIPT, SECRET
from tests.sessions.material import ANSWERS

from heartrule.client import AsyncClient, Client, Event, Patience, Problem, person_token

QUICK = Patience(first=0.01, most=0.02)
NEXT = "嗯，我记下了。\n昨晚睡了几个小时？"


def transcript(talk: Any) -> list[tuple[int, str, str]]:
    return [(each.seq, each.sender, each.content) for each in talk.messages()]


def spoken(rows: list[tuple[int, str, str]]) -> list[str]:
    return [content for _, sender, content in rows if sender == "person"]


def test_a_session_is_held_to_its_end(served: Served) -> None:
    with Client(served.url, locale="zh-CN") as client:
        assert client.about().mode == "script"
        assert SCRIPT in [each.id for each in client.scripts()]
        talk = client.begin(SCRIPT)
        assert talk.said == ["你好。", "最近心情怎样？"]
        for kind, words in ANSWERS:
            assert not talk.is_over
            assert talk.request is not None
            assert talk.request.type == kind
            _ = talk.say(words) if kind == "message" else talk.choose(words)
        assert talk.is_over
        rows = transcript(talk)
        assert spoken(rows) == ["提不起劲", "5 个小时", "接着谈", "没有了"]
        assert [number for number, *_ in rows] == list(range(1, len(rows) + 1))
        assert talk.session().status == "ended"
        with pytest.raises(Problem) as raised:
            talk.say("还有")
        assert (raised.value.code, raised.value.status) == ("closed", 409)
        assert raised.value.title


def test_the_same_on_asyncio(served: Served) -> None:
    async def held() -> None:
        async with AsyncClient(served.url) as client:
            assert (await client.about()).mode == "script"
            talk = await client.begin(SCRIPT)
            for kind, words in ANSWERS:
                _ = await talk.say(words) if kind == "message" else await talk.choose(words)
            assert talk.is_over
            rows = [(each.seq, each.sender, each.content) async for each in talk.messages()]
            assert spoken(rows) == ["提不起劲", "5 个小时", "接着谈", "没有了"]
            assert (await talk.session()).status == "ended"
            with pytest.raises(Problem):
                await talk.say("还有")

    asyncio.run(held())


def test_pause_resume_recovery_and_end(served: Served) -> None:
    with Client(served.url) as client:
        talk = client.begin(SCRIPT)
        assert talk.pause().paused
        talk.resume()
        assert not talk.session().paused
        elsewhere = client.conversation(talk.id, talk.recovery().token)
        elsewhere.say("提不起劲")
        assert spoken(transcript(talk)) == ["提不起劲"]
        assert talk.stop() is False
        talk.end()
        assert talk.is_over

    async def held() -> None:
        async with AsyncClient(served.url) as client:
            talk = await client.begin(SCRIPT)
            assert (await talk.pause()).paused
            await talk.resume()
            assert (await talk.recovery()).token
            assert await talk.stop() is False
            await talk.end()
            assert talk.is_over

    asyncio.run(held())


def test_what_was_said_is_taken_back(served: Served) -> None:
    with Client(served.url) as client:
        talk = client.begin(SCRIPT)
        talk.say("其实我离婚了")
        back = talk.recall(3)
        assert (back.recalled, back.rewound) == ([3, 4], True)
        assert spoken(transcript(talk)) == [""]

    async def held() -> None:
        async with AsyncClient(served.url) as client:
            talk = await client.begin(SCRIPT)
            await talk.say("其实我离婚了")
            assert (await talk.recall(3)).recalled == [3, 4]

    asyncio.run(held())


def test_a_reply_is_reported_once(served: Served) -> None:
    with Client(served.url) as client:
        talk = client.begin(SCRIPT)
        first = talk.report(1, "hurtful", "冷冰冰的")
        assert (first.message, first.reason, first.text, first.new) == (1, "hurtful", "冷冰冰的", True)
        again = talk.report(1, "other")
        assert (again.text, again.new) == ("冷冰冰的", False)
        assert talk.reports() == [again]
        with pytest.raises(Problem) as raised:
            talk.report(99, "other")
        assert raised.value.code == "no-such-reply"

    async def held() -> None:
        async with AsyncClient(served.url) as client:
            talk = await client.begin(SCRIPT)
            assert (await talk.report(1, "wrong")).new
            assert [each.text for each in await talk.reports()] == [None]

    asyncio.run(held())


def test_a_person_of_the_embedders(served: Served) -> None:
    """Whose sessions are theirs is said by the note that the embedder signs, on each request."""
    with Client(served.url, token=person_token(SECRET, "patient-7")) as client:
        made = [client.create(SCRIPT).session.id for _ in range(3)]
        assert [each.id for each in client.sessions()] == made[::-1]
    with Client(served.url, token=person_token(SECRET, "patient-8")) as client:
        assert list(client.sessions()) == []
    with Client(served.url, token=person_token(SECRET, "patient-7", seconds=-1)) as client:
        with pytest.raises(Problem) as raised:
            list(client.sessions())
        assert raised.value.status == 401

    async def listed() -> list[str]:
        async with AsyncClient(served.url, token=person_token(SECRET, "patient-7")) as client:
            return [each.id async for each in client.sessions()]

    assert asyncio.run(listed()) == made[::-1]


@pytest.mark.parametrize(("secret", "person"), [("short", "x"), (SECRET, ""), (SECRET, "x" * 256)])
def test_a_note_that_the_server_would_refuse_is_not_made(secret: str, person: str) -> None:
    with pytest.raises(ValueError, match="must have"):
        person_token(secret, person)


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", ""])
def test_an_address_that_is_none_is_told_at_once(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        Client(address)


def test_words_that_were_heard_and_not_confirmed_count_once(served: Served) -> None:
    """The server answers and the way breaks, twice in a row: the third answer is the first one's."""
    with Client(served.url, patience=QUICK) as client:
        begun = client.begin(SCRIPT)
        with way(served.port, unheard, unheard) as broken, Client(broken.url, patience=QUICK) as far:
            talk = far.conversation(begun.id, begun.token)
            talk.seen = begun.seen
            turn = talk.say("提不起劲")
            assert broken.connections == 3
        assert turn.messages[-1].content == NEXT
        assert spoken(transcript(begun)) == ["提不起劲"]


def test_the_same_on_asyncio_over_a_way_that_breaks(served: Served) -> None:
    async def held() -> None:
        async with AsyncClient(served.url, patience=QUICK) as client:
            begun = await client.begin(SCRIPT)
            with way(served.port, unheard, unheard) as broken:
                async with AsyncClient(broken.url, patience=QUICK) as far:
                    talk = far.conversation(begun.id, begun.token)
                    talk.seen = begun.seen
                    await talk.say("提不起劲")
            rows = [(each.seq, each.sender, each.content) async for each in begun.messages()]
            assert spoken(rows) == ["提不起劲"]

    asyncio.run(held())


def test_a_session_is_not_made_twice_where_the_first_may_be_there(served: Served) -> None:
    with way(served.port, unheard) as broken, Client(broken.url, patience=QUICK) as client:
        with pytest.raises(Problem) as raised:
            client.create(SCRIPT)
        assert raised.value.code == "network"
        assert broken.connections == 1


def test_a_server_that_is_not_there_is_told_after_some_tries(unused_port: int) -> None:
    with Client(f"http://127.0.0.1:{unused_port}", patience=Patience(tries=3, first=0.01)) as client:
        with pytest.raises(Problem) as raised:
            client.scripts()
        assert raised.value.code == "network"


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# events


def completed(events: list[Event]) -> list[str]:
    return [event.data.content for event in events if event.name == "message.completed"]


def test_a_turn_as_it_is_written(served: Served) -> None:
    with Client(served.url) as client:
        talk = client.begin(SCRIPT)
        events = list(talk.stream("提不起劲"))
    assert completed(events) == ["提不起劲", NEXT]
    assert events[-1].name == "turn.completed"
    assert events[-1].data.request.type == "message"
    assert talk.seen == 4


@pytest.mark.parametrize("cut", [b"\r\n\r\n", b"turn.started", b"message.completed", b"turn.completed"])
def test_a_turn_whose_stream_breaks_comes_whole(served: Served, cut: bytes) -> None:
    with Client(served.url) as client:
        begun = client.begin(SCRIPT)
        with way(served.port, after(cut)) as broken, Client(broken.url, patience=QUICK) as far:
            talk = far.conversation(begun.id, begun.token)
            talk.seen = begun.seen
            events = list(talk.stream("提不起劲"))
        assert completed(events) == ["提不起劲", NEXT]
        assert [event.name for event in events].count("turn.completed") == 1
        assert spoken(transcript(begun)) == ["提不起劲"]


def test_what_the_server_will_not_have_is_told_through_the_stream_too(served: Served) -> None:
    with Client(served.url) as client:
        talk = client.begin(SCRIPT)
        talk.end()
        with pytest.raises(Problem) as raised:
            list(talk.stream("还有"))
        assert raised.value.code == "closed"


def test_live_events_go_on_behind_a_break(served: Served) -> None:
    """Everything is told once, though each of the first three streams breaks at the message it brings."""
    with Client(served.url) as client:
        talk = client.begin(SCRIPT)
        talk.say("提不起劲")
        talk.say("5 个小时")
        cuts = [after(b'"seq":2'), after(b'"seq":4'), after(b'"seq":5')]
        with way(served.port, *cuts) as broken, Client(broken.url, patience=QUICK) as far:
            told = list[Event]()
            for event in far.conversation(talk.id, talk.token).events(0):
                told.append(event)
                if event.name == "turn.completed" and event.data.turn.seq == 3:
                    break
            assert broken.connections == 4
        assert [event.data.seq for event in told if event.name == "message.completed"] == [
            each.seq for each in talk.messages()
        ]
        ids = [event.id for event in told if event.id is not None]
        assert ids == sorted(set(ids))


def test_streams_on_asyncio(served: Served) -> None:
    async def held() -> None:
        async with AsyncClient(served.url) as client:
            begun = await client.begin(SCRIPT)
            with way(served.port, after(b"message.completed")) as broken:
                async with AsyncClient(broken.url, patience=QUICK) as far:
                    talk = far.conversation(begun.id, begun.token)
                    talk.seen = begun.seen
                    events = [event async for event in talk.stream("提不起劲")]
            assert completed(events) == ["提不起劲", NEXT]
            told = list[Event]()
            with way(served.port, after(b'"seq":2')) as broken:
                async with AsyncClient(broken.url, patience=QUICK) as far:
                    stream = far.conversation(begun.id, begun.token).events(0)
                    async for event in stream:
                        told.append(event)
                        if event.name == "turn.completed" and event.data.turn.seq == 2:
                            break
                    await stream.aclose()
            assert completed(told) == ["你好。", "最近心情怎样？", "提不起劲", NEXT]

    asyncio.run(held())


def test_a_stream_that_may_not_be_opened_is_told(served: Served) -> None:
    with Client(served.url) as client:
        with pytest.raises(Problem) as raised:
            list(client.conversation("no-such-session", "no-token").events(0))
        assert raised.value.status == 401
