"""How much is taken: of requests, of bytes, of streams; and what every answer carries for safety's sake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from types import SimpleNamespace

import httpx2
import pytest
from tests.server.material import API, SCRIPT, Asked, Grounds, problem, run, seen
from tests.sessions.material import reseal_state

from heartrule.server.bodies import LARGEST_BODY, LONGEST_MESSAGE
from heartrule.server.headers import ALWAYS
from heartrule.server.limits import Limits
from heartrule.server.problems import Problem
from heartrule.server.settings import Rates, ServerConfigError, ServerSettings

JSON = {"Content-Type": "application/json"}


def rates(**given: int) -> Rates:
    return Rates(**{"token": 0, "address": 0, "sessions": 0, "turns": 0, **given})


@pytest.fixture(autouse=True)
def within_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """No minute ends while a test counts."""
    still = SimpleNamespace(time=lambda: 1_000_000_020.0)
    monkeypatch.setattr("limits.storage.memory.time", still)
    monkeypatch.setattr("limits.strategies.time", still)


async def allowed(api: Asked, ask: object, count: int) -> None:
    """``count`` requests are answered, and the next is one too many."""
    for _ in range(count):
        assert (await ask()).status_code < 400  # type: ignore[operator]
    answer = await ask()  # type: ignore[operator]
    problem(answer, "too-many-requests", 429)
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert answer.headers["retry-after"] in answer.json()["title"]


def test_each_rate_is_a_rate_of_its_own(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(rates=rates(sessions=2)) as api:
            await allowed(api, lambda: api.post(f"{API}/sessions", {"script": SCRIPT}), 2)
            assert (await api.get(f"{API}/about")).status_code == 200
        async with grounds.asgi(rates=rates(address=3)) as api:
            await allowed(api, lambda: api.get(f"{API}/about"), 3)
            for path in ("/healthz", "/readyz", "/metrics", "/openapi.json"):
                assert (await api.get(path)).status_code == 200
        async with grounds.asgi(rates=rates(token=3)) as api:
            one, other = await api.visit(), await api.visit()
            await allowed(api, lambda: api.get(one.path, one.token), 3)
            assert (await api.get(other.path, other.token)).status_code == 200
            for _ in range(3):
                problem(await api.get(one.path, "nonsense"), "unauthorized", 401)
            problem(await api.get(one.path, "nonsense"), "too-many-requests", 429)

    run(work())


def test_every_way_to_make_a_turn_counts_as_one(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(rates=rates(turns=4)) as api:
            visit, _ = await api.begun()
            other, _ = await api.begun()
            for path in ("pause", "resume", "pause"):
                assert (await api.post(f"{visit.path}/{path}", token=visit.token)).status_code == 200
            for path in ("pause", "resume", "end"):
                problem(await api.post(f"{visit.path}/{path}", token=visit.token), "too-many-requests", 429)
            problem(await api.send(visit, type="resume"), "too-many-requests", 429)
            aloud = await api.send(visit, type="resume", headers={"Accept": "text/event-stream"})
            problem(aloud, "too-many-requests", 429)
            assert (await api.post(f"{other.path}/pause", token=other.token)).status_code == 200

    run(work())


def test_nothing_else_uses_up_what_a_person_may_say(grounds: Grounds) -> None:
    """Whoever has been lent a session can fill it with drafts, and with pauses: the person is heard all the same."""

    async def work() -> None:
        async with grounds.asgi(rates=rates(turns=3)) as api:
            visit, begun = await api.begun(script="cbt/abc_intro")

            number = count()

            async def draft() -> httpx2.Response:
                form = {"type": "form_draft", "form": {"key": "1", "values": {}}}
                body = {"key": f"draft-{next(number):04}", "input": form}
                return await api.post(f"{visit.path}/turns", body, visit.token)

            found = [(await draft()).status_code for _ in range(5)]
            assert found[-2:] == [429, 429]
            for _ in range(3):
                await api.post(f"{visit.path}/pause", token=visit.token)
            problem(await api.post(f"{visit.path}/pause", token=visit.token), "too-many-requests", 429)
            await api.turn(visit, text="我想自杀", after=seen(begun))
            assert (await api.session(visit))["in_crisis"]

    run(work())


@pytest.mark.parametrize("limit", [{"turns": 1}, {"token": 4}, {"address": 6}])
def test_whose_words_are_too_many_is_told_whom_to_call(grounds: Grounds, limit: dict[str, int]) -> None:
    async def work() -> None:
        async with grounds.asgi(rates=rates(**limit)) as api:
            about = {tag: (await api.get(f"{API}/about?locale={tag}")).json()["contacts"] for tag in ("zh-CN", "en")}
            visit, _ = await api.begun()
            for tag, contacts in about.items():
                for _ in range(6):
                    refused = await api.send(visit, text="还在", headers={"Accept-Language": tag})
                problem(refused, "too-many-requests", 429)
                assert refused.json()["contacts"] == contacts != []
            for _ in range(6):
                elsewhere = await api.post(f"{visit.path}/pause", token=visit.token)
            assert "contacts" not in elsewhere.json()

    run(work())


def test_starting_over_counts_as_a_new_session(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(rates=rates(sessions=2)) as api:
            visit, _ = await api.begun()
            await reseal_state(api.context.sessions, visit.id, lambda state: {**state, "format": 999})
            await allowed(api, lambda: api.post(f"{visit.path}/start-over", token=visit.token), 1)

    run(work())


def test_a_rate_frees_itself_within_the_minute_it_names() -> None:
    limits = Limits(Rates(turns=1))
    limits.turn("a")
    limits.turn("b")
    with pytest.raises(Problem) as caught:
        limits.turn("a")
    assert 1 <= int(caught.value.headers["Retry-After"]) <= 60


def test_addresses_of_one_household_count_together(grounds: Grounds) -> None:
    from starlette.requests import Request

    from heartrule.server.access import address_of

    def of(host: str | None) -> str:
        return address_of(Request({"type": "http", "client": (host, 1) if host is not None else None, "headers": []}))

    assert of("192.0.2.7") == "192.0.2.7"
    assert of("2001:db8::1") == of("2001:db8::ffff") == "2001:db8::/64"
    assert of("2001:db8:0:1::1") != of("2001:db8::1")
    assert (of("unix"), of(None)) == ("unix", "")


def test_behind_a_proxy_on_this_machine_the_address_is_the_one_it_tells(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served(rates=rates(address=2), trusted_proxies=("127.0.0.1",)) as api:
            for address in ("192.0.2.1", "192.0.2.2"):
                told = {"X-Forwarded-For": address}
                await allowed(api, lambda: api.get(f"{API}/about", headers=dict(told)), 2)  # noqa: B023

    run(work())


def test_whoever_names_another_address_is_not_believed(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served(rates=rates(address=2)) as api:
            addresses = iter(range(1, 9))
            told = lambda: {"X-Forwarded-For": f"192.0.2.{next(addresses)}"}  # noqa: E731
            await allowed(api, lambda: api.get(f"{API}/about", headers=told()), 2)

    run(work())


async def closes(reader: asyncio.StreamReader) -> bytes:
    """What comes until the other side closes."""
    return await asyncio.wait_for(reader.read(), 10)


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost"], ids=["nothing", "half a header"])
def test_a_connection_that_says_nothing_does_not_stay(
    grounds: Grounds, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr("heartrule.server.process.HEADER_SECONDS", 0.2)

    async def work() -> None:
        async with grounds.served() as api:
            reader, writer = await asyncio.open_connection("127.0.0.1", api.client.base_url.port)
            writer.write(sent)
            assert await closes(reader) == b""
            writer.close()
            assert (await api.get("/healthz")).status_code == 200
            await asyncio.sleep(0.3)
            assert (await api.get("/healthz")).status_code == 200

    run(work())


def test_a_body_that_does_not_come_is_not_waited_for(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.body_limits.BODY_SECONDS", 0.2)

    async def work() -> None:
        async with grounds.served() as api:
            reader, writer = await asyncio.open_connection("127.0.0.1", api.client.base_url.port)
            writer.write(
                b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b'Content-Length: 40\r\n\r\n{"script": "'
            )
            answer = await closes(reader)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b'"code":"too-slow"' in answer
            writer.close()
            visit, _ = await api.begun()
            async with api.events(visit):
                await asyncio.sleep(0.4)  # a stream, whose request has come, is not meant
                assert api.context.live.open == 1

    run(work())


def test_streams_may_be_crowded(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served(streams=3, streams_a_session=2) as api:
            one, other, third = await api.visit(), await api.visit(), await api.visit()
            async with api.events(one), api.events(one):
                await opened(api, 2)
                answer = await api.get(f"{one.path}/events", one.token)
                problem(answer, "too-many-requests", 429)
                assert answer.headers["retry-after"] == "10"
                async with api.events(other):
                    await opened(api, 3)
                    problem(await api.get(f"{third.path}/events", third.token), "too-many-requests", 429)
            await opened(api, 0)
            async with api.events(third):
                await opened(api, 1)

    run(work())


async def opened(api: Asked, count: int) -> None:
    async with asyncio.timeout(20):
        while api.context.live.open != count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


# bodies


def test_bodies_are_bounded_announced_or_not(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, _ = await api.begun()

            async def parts(count: int) -> AsyncIterator[bytes]:
                for _ in range(count):
                    yield b" " * 65_536

            sent = {**JSON, "Authorization": f"Bearer {visit.token}"}
            for path in (f"{API}/sessions", f"{visit.path}/turns", f"{visit.path}/pause"):
                for content in (b" " * (LARGEST_BODY + 1), parts(5), parts(20)):
                    answer = await api.client.post(path, content=content, headers=sent)
                    problem(answer, "body-too-large", 413)
                    assert "256" in answer.json()["title"]
            with suppress(httpx2.NetworkError):  # whoever goes on sending may lose the answer
                answer = await api.client.post(f"{API}/sessions", content=parts(1000), headers=sent)
                problem(answer, "body-too-large", 413)
            assert (await api.session(visit))["turn"] == 1

    run(work())


def test_the_longest_message_is_taken_however_it_is_written(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            for text in ("心" * LONGEST_MESSAGE, "\U0001f499" * LONGEST_MESSAGE):
                visit, _ = await api.begun()
                body = '{"key": "a-long-key", "input": {"type": "message", "text": "'
                escaped = body + text.encode("utf-16-be").hex(" ", 2).replace(" ", "\\u").join(("\\u", '"}}'))
                assert len(escaped) <= LARGEST_BODY
                sent = {**JSON, "Authorization": f"Bearer {visit.token}"}
                answer = await api.client.post(f"{visit.path}/turns", content=escaped, headers=sent)
                assert answer.status_code == 200, answer.text
                assert answer.json()["messages"][0]["content"] == text
                problem(await api.send(visit, text=text + "心"), "too-long", 413)

    run(work())


# headers


def test_every_answer_carries_what_safety_asks_for(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            answers = [
                await api.get(path, visit.token)
                for path in ("/", "/docs", "/nothing", "/healthz", f"{API}/about", visit.path, f"{API}/nothing")
            ]
            answers.append(await api.client.post(f"{API}/sessions", content=b" " * (LARGEST_BODY + 1), headers=JSON))
            answers.append(await api.post(f"{API}/sessions", {}))
            for answer in answers:
                for name, value in ALWAYS.items():
                    assert answer.headers[name] == value
                assert "server" not in answer.headers
                if answer.request.url.path.startswith("/api/"):
                    assert answer.headers["cache-control"] == "no-store"
            assert "unsafe" not in ALWAYS["Content-Security-Policy"]

    run(work())


def test_no_other_origin_may_call_unless_it_is_let(grounds: Grounds) -> None:
    async def work() -> None:
        asking = {
            "Origin": "https://clinic.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, last-event-id, accept-language",
        }
        async with grounds.asgi() as api:
            answer = await api.client.options(f"{API}/sessions", headers=asking)
            assert answer.status_code == 405
            about = await api.get(f"{API}/about", headers={"Origin": "https://clinic.example"})
            for each in (answer, about):
                assert not [name for name in each.headers if name.startswith("access-control-")]
        async with grounds.asgi(origins=("https://clinic.example",)) as api:
            answer = await api.client.options(f"{API}/sessions", headers=asking)
            assert answer.status_code == 200
            assert answer.headers["access-control-allow-origin"] == "https://clinic.example"
            assert "access-control-allow-credentials" not in answer.headers
            lost = await api.get(f"{API}/nothing", headers={"Origin": "https://clinic.example"})
            problem(lost, "not-found", 404)
            assert lost.headers["access-control-allow-origin"] == "https://clinic.example"
            assert "retry-after" in lost.headers["access-control-expose-headers"].lower()
            refused = await api.client.options(f"{API}/sessions", headers={**asking, "Origin": "https://evil.example"})
            assert refused.status_code == 400
            about = await api.get(f"{API}/about", headers={"Origin": "https://evil.example"})
            assert "access-control-allow-origin" not in about.headers

    run(work())


# settings


def test_settings_are_read_from_the_file_with_the_environment_over_it(grounds: Grounds) -> None:
    file = grounds.folder / "heartrule.toml"
    file.write_text('[server]\ndebug = "summary"\norigins = ["https://a.example"]\n[server.rates]\nturns = 3\n')
    found = ServerSettings.load(grounds.folder, environment={})
    assert (found.debug, found.origins, found.rates.turns, found.rates.token) == (
        "summary",
        ("https://a.example",),
        3,
        600,
    )
    assert ServerSettings.load(grounds.folder, environment={"HEARTRULE_DEBUG": "Full"}).debug == "full"
    told = ServerSettings.load(grounds.folder, debug="none", environment={"HEARTRULE_DEBUG": "full"})
    assert (told.debug, told.development) == ("none", False)
    assert ServerSettings.load(grounds.folder, environment={"HEARTRULE_DEVELOPMENT": "yes"}).development


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[server]\nstop_seconds = 0", "server.stop_seconds: "),
        ("[server]\nport = 1", "server.port: "),
        ("[server.rates]\nturns = -1", "server.rates.turns: "),
        ("server = 1", "heartrule.toml: [server] must be a table"),
        ("[server", "heartrule.toml: cannot be read: TOMLDecodeError"),
        ('[server]\nembed_secret = "short-secret"', "server.embed_secret: must have at least 32 bytes"),
    ],
)
def test_settings_that_cannot_be_used_are_named_without_their_values(grounds: Grounds, text: str, told: str) -> None:
    (grounds.folder / "heartrule.toml").write_text(text)
    with pytest.raises(ServerConfigError) as caught:
        ServerSettings.load(grounds.folder, environment={})
    assert told in str(caught.value)
    assert "short-secret" not in str(caught.value)
