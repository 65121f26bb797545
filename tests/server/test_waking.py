"""A browser of a counsellor that is woken when somebody is needed, by a push that says nothing."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwt
from joserfc.jwk import ECKey
from tests.jobs.receivers import Hook, Taken
from tests.server.material import Asked, Grounds, Json, problem, run, seen
from tests.server.signing import Page, account, page
from tests.server.test_desk import CRISIS

CONTACT = "mailto:ops@example.org"


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    made = Grounds(tmp_path)
    made.data.mkdir(parents=True, exist_ok=True)
    settings = f'[escalation.push]\ncontact = "{CONTACT}"\nallow_private = true\n'
    (made.data / "heartrule.toml").write_text(settings, encoding="utf-8")
    return made


@contextmanager
def push_service(*answers: int) -> Iterator[Hook]:
    with Hook(answers=deque(answers)).serving() as hook:
        yield hook


async def subscribed(api: Asked, browser: Page, hook: Hook, name: str = "wang", **more: tuple[str, ...]) -> Page:
    await account(api, browser, name, **more)
    told: Json = await browser.done("PUT", "/desk/me/waking", {"endpoint": f"{hook.url}/{name}"})
    assert told["on"]
    return browser


async def danger(api: Asked) -> None:
    visit, begun = await api.begun()
    await api.turn(visit, text=CRISIS, after=seen(begun))


async def calls(hook: Hook, least: int = 1, seconds: float = 20) -> list[Taken]:
    for _ in range(int(seconds / 0.05)):
        if len(hook.taken) >= least:
            break
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)
    return list(hook.taken)


def test_danger_wakes_a_browser_and_tells_it_nothing(grounds: Grounds) -> None:
    async def work(hook: Hook) -> tuple[list[Taken], str]:
        async with grounds.asgi() as api, page(api) as browser:
            await subscribed(api, browser, hook)
            key = (await browser.done("GET", "/desk/me/waking"))["key"]
            await danger(api)
            return await calls(hook), key

    with push_service(201) as hook:
        (taken,), key = run(work(hook))
    assert taken.content == b""
    assert (taken.headers["urgency"], int(taken.headers["ttl"]) > 0) == ("high", True)
    scheme, token, named = taken.headers["authorization"].replace(",", "").split()
    assert (scheme, named) == ("vapid", f"k={key}")
    point = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    claims = jwt.decode(token.removeprefix("t="), ECKey.import_key(public), algorithms=["ES256"]).claims
    assert (claims["sub"], claims["aud"]) == (CONTACT, hook.url.rsplit("/", 1)[0])
    assert grounds.clock.now().timestamp() < claims["exp"] <= grounds.clock.now().timestamp() + 24 * 3600
    assert CRISIS[:3] not in json.dumps([taken.headers, taken.path], ensure_ascii=False)


def test_what_the_push_service_refuses_for_now_is_called_again(grounds: Grounds) -> None:
    async def work(hook: Hook) -> int:
        async with grounds.asgi() as api, page(api) as browser:
            await subscribed(api, browser, hook)
            await danger(api)
            await calls(hook)
            for _ in range(20):
                grounds.clock.pass_(seconds=30)
                await asyncio.sleep(0.2)
                if len(hook.taken) > 1:
                    break
            return len(await calls(hook, 2))

    with push_service(503, 201) as hook:
        assert run(work(hook)) == 2


def test_one_that_cannot_be_reached_is_not_called_for_days(grounds: Grounds) -> None:
    async def work(hook: Hook) -> tuple[str, str | None]:
        async with grounds.asgi() as api, page(api) as browser:
            await subscribed(api, browser, hook)
            await danger(api)
            await calls(hook)
            for _ in range(60):
                grounds.clock.pass_(minutes=5)
                await asyncio.sleep(0.5)
                (call,) = await api.context.sessions.store.escalations.newest()
                if call.status != "delivering":
                    return call.status, call.last_error
            return call.status, call.last_error

    with push_service(*[503] * 50) as hook:
        assert run(work(hook)) == ("open", "nobody to tell")


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_took_it_back_is_forgotten(grounds: Grounds, status: int) -> None:
    async def work(hook: Hook) -> Json:
        async with grounds.asgi() as api, page(api) as browser:
            await subscribed(api, browser, hook)
            await danger(api)
            await calls(hook)
            now: Json = await browser.done("GET", "/desk/me/waking")
            (call,) = await api.context.sessions.store.escalations.newest()
            assert call.status == "delivered", call.last_error
            return now

    with push_service(status) as hook:
        assert run(work(hook))["on"] is False


def test_nobody_else_is_woken(grounds: Grounds) -> None:
    """Who has signed out or switched it off, whose projects are others, who is no counsellor any more."""

    async def work(hook: Hook) -> list[Taken]:
        async with grounds.asgi() as api, page(api) as out, page(api) as off, page(api) as other, page(api) as left:
            await subscribed(api, out, hook, "out")
            await out.done("POST", "/staff/sign-out")
            await subscribed(api, off, hook, "off")
            assert (await off.done("DELETE", "/desk/me/waking"))["on"] is False
            await subscribed(api, other, hook, "other", projects=("elsewhere",))
            await subscribed(api, left, hook, "left")
            accounts = api.context.accounts
            await accounts.change("test", left.principal["id"], roles=("developer",))
            await danger(api)
            return await calls(hook, seconds=3)

    with push_service() as hook:
        assert run(work(hook)) == []


def test_a_place_that_changes_hands_belongs_to_who_named_it_last(grounds: Grounds) -> None:
    async def work(hook: Hook) -> tuple[list[Json], int]:
        async with grounds.asgi() as api, page(api) as first, page(api) as second:
            await account(api, first, "first")
            await account(api, second, "second")
            for browser in (first, first, second):
                await browser.done("PUT", "/desk/me/waking", {"endpoint": hook.url})
            await danger(api)
            found = [await browser.done("GET", "/desk/me/waking") for browser in (first, second)]
            return found, len(await calls(hook))

    with push_service() as hook:
        found, number = run(work(hook))
    assert [each["on"] for each in found] == [False, True]
    assert number == 1


def test_where_it_is_kept_nobody_reads_it(grounds: Grounds) -> None:
    async def work(hook: Hook) -> None:
        async with grounds.asgi() as api, page(api) as browser:
            await subscribed(api, browser, hook)

    with push_service() as hook:
        run(work(hook))
        kept = b"".join(path.read_bytes() for path in grounds.data.rglob("*") if path.is_file())
        assert hook.url.encode() not in kept


def test_a_server_that_wakes_nobody_says_so(tmp_path: Path) -> None:
    async def work(grounds: Grounds) -> None:
        async with grounds.asgi() as api, page(api) as browser:
            await account(api, browser, "wang")
            assert await browser.done("GET", "/desk/me/waking") == {"key": None, "on": False}
            answer = await browser.ask("PUT", "/desk/me/waking", {"endpoint": "https://push.example.org/x"})
            problem(answer, "no-waking", 409)

    run(work(Grounds(tmp_path)))


@pytest.fixture
def guarded(tmp_path: Path) -> Grounds:
    """Anybody of the staff may name an address; without leave none of the own network is called, and none in clear."""
    made = Grounds(tmp_path)
    made.data.mkdir(parents=True, exist_ok=True)
    (made.data / "heartrule.toml").write_text(f'[escalation.push]\ncontact = "{CONTACT}"\n', encoding="utf-8")
    return made


async def told_of_danger(api: Asked) -> tuple[str, str | None]:
    """What the one call comes to, once it was tried."""
    await danger(api)
    for _ in range(200):
        (call,) = await api.context.sessions.store.escalations.newest()
        if call.last_error is not None or call.status not in ("open", "delivering"):
            break
        await asyncio.sleep(0.05)
    return call.status, call.last_error


INSIDE = (
    "https://127.0.0.1/x",
    "https://127.1/x",
    "https://2130706433/x",
    "https://0x7f000001/x",
    "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://[::127.0.0.1]/x",
    "https://[2002:7f00:1::]/x",
    "https://[64:ff9b::10.0.0.1]/x",
    "https://169.254.169.254/latest",
    "https://localhost./x",
    "https://push.localhost/x",
)
NOWHERE = (
    "https://①②⑦.⓪.⓪.①/",
    "https://１２７.0.0.1/",
    "https://push。example.org/",
    "https://推送.example.org/",
    "https://user:secret@push.example.org/",
    "https://push.example.org:99999/",
    "https://[::1/x",
    "https:///only-a-path",
)


@pytest.mark.parametrize("endpoint", [*INSIDE, *NOWHERE])
def test_a_place_inside_or_nowhere_is_refused(guarded: Grounds, endpoint: str) -> None:
    async def work() -> None:
        async with guarded.asgi() as api, page(api) as browser:
            await account(api, browser, "wang")
            problem(await browser.ask("PUT", "/desk/me/waking", {"endpoint": endpoint}), "invalid-request", 422)
            assert (await browser.done("GET", "/desk/me/waking"))["on"] is False

    run(work())


def test_a_place_in_the_clear_is_refused_and_a_plain_one_taken(guarded: Grounds) -> None:
    async def work() -> None:
        async with guarded.asgi() as api, page(api) as browser:
            await account(api, browser, "wang")
            problem(
                await browser.ask("PUT", "/desk/me/waking", {"endpoint": "http://93.184.216.34/x"}), "no-waking", 409
            )
            for endpoint in ("https://93.184.216.34/x", "https://xn--9et52u.example.org:8443/x?y=1"):
                assert (await browser.done("PUT", "/desk/me/waking", {"endpoint": endpoint}))["on"]

    run(work())


@pytest.mark.parametrize("endpoint", ["https://①②⑦.⓪.⓪.①/", "https://127.0.0.1/x"])
def test_one_that_was_kept_and_can_never_be_called_is_forgotten(
    guarded: Grounds, endpoint: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As one from before such were refused: no fault of ours, and nothing waits for it."""

    async def work() -> tuple[str, str | None]:
        async with guarded.asgi() as api, page(api) as browser:
            await account(api, browser, "wang")
            await browser.done("PUT", "/desk/me/waking", {"endpoint": "https://93.184.216.34/x"})
            kept = api.context.sessions.store.push_subscriptions
            (before,) = await kept.for_project("tests", guarded.clock.now())
            await kept.put(replace(before, endpoint=endpoint))
            assert "no address" in ((await told_of_danger(api))[1] or "")
            for _ in range(100):
                guarded.clock.pass_(seconds=30)
                await asyncio.sleep(0.1)
                (call,) = await api.context.sessions.store.escalations.newest()
                if call.status != "delivering":
                    break
            assert (await browser.done("GET", "/desk/me/waking"))["on"] is False
            return call.status, call.last_error

    assert run(work()) == ("open", "nobody to tell")
    assert "fault" not in caplog.text


def test_a_name_that_stands_for_an_inner_address_is_not_called(
    guarded: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hook: Hook) -> str | None:
        loop = asyncio.get_running_loop()
        asked = loop.getaddrinfo

        async def named(host: str, port: int, **more: Any) -> Any:
            return await asked("127.0.0.1" if host == "push.example.org" else host, port, **more)

        monkeypatch.setattr(loop, "getaddrinfo", named)
        async with guarded.asgi() as api, page(api) as browser:
            await account(api, browser, "wang")
            endpoint = f"https://push.example.org:{hook.url.rsplit(':', 1)[1].partition('/')[0]}/x"
            await browser.done("PUT", "/desk/me/waking", {"endpoint": endpoint})
            return (await told_of_danger(api))[1]

    with push_service() as hook:
        assert "private address" in (run(work(hook)) or "")
        assert hook.taken == []
