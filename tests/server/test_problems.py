"""Every problem there is, reached as somebody may reach it: its shape, both languages, and nothing of the inside."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any
from unittest import mock

import httpx2
import pytest
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from tests.server import authors_problems as authors_problems
from tests.server import debug_problems as debug_problems
from tests.server import sign_in_problems as sign_in_problems
from tests.server import staff_problems as staff_problems
from tests.server.material import API, SCRIPT, UNLIMITED, Asked, Grounds, problem, run
from tests.server.reaching import REACHED, reaching
from tests.sessions.material import reseal_state

from heartrule.reporting import paper
from heartrule.server.bodies import LARGEST_BODY, LONGEST_MESSAGE
from heartrule.server.problems import codes, language_of
from heartrule.server.tokens import Staff
from heartrule.store.database import Tx
from heartrule.store.records import Outdated
from heartrule.store.schema import leases

SECRET = "我从没跟人说过的话"
JSON = {"Content-Type": "application/json"}


@reaching("not-found")
async def nothing_there(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.get(f"{API}/nothing")


@reaching("method-not-allowed")
async def wrong_method(api: Asked, _: Grounds) -> httpx2.Response:
    answer = await api.client.delete(f"{API}/sessions")
    assert answer.headers["allow"]
    return answer


@reaching("unauthorized")
async def no_token(api: Asked, _: Grounds) -> httpx2.Response:
    answer = await api.get(f"{API}/sessions")
    assert answer.headers["www-authenticate"] == "Bearer"
    return answer


@reaching("token-expired")
async def late_token(api: Asked, grounds: Grounds) -> httpx2.Response:
    visit = await api.visit()
    grounds.clock.pass_(days=31)
    return await api.get(visit.path, visit.token)


@reaching("only-lent")
async def by_a_link(api: Asked, _: Grounds) -> httpx2.Response:
    visit = await api.visit()
    link = (await api.post(f"{visit.path}/recovery", None, visit.token)).json()["token"]
    assert (await api.get(visit.path, link)).status_code == 200
    assert (await api.get(visit.path, visit.token)).status_code == 200
    return await api.client.delete(visit.path, headers={"Authorization": f"Bearer {link}"})


@reaching("full")
async def too_much(api: Asked, grounds: Grounds) -> httpx2.Response:
    visit, _ = await api.begun()

    def fill(tx: Tx) -> None:
        tx.conn.execute(update(leases).values(bytes=16 << 20))

    await api.context.sessions.store._db.write(fill)
    short = {"key": "short-words", "input": {"type": "message", "text": "救救我"}}
    assert (await api.post(f"{visit.path}/turns", short, visit.token)).status_code == 200
    long = {"key": "long-words", "input": {"type": "message", "text": "长" * 2000}}
    return await api.post(f"{visit.path}/turns", long, visit.token)


@reaching("wrong-host")
async def another_name(api: Asked, _: Grounds) -> httpx2.Response:
    assert (await api.client.get("http://127.0.0.1/healthz", headers={"Host": "localhost:8000"})).status_code == 200
    return await api.client.get("http://127.0.0.1/healthz", headers={"Host": "bank.example:8000"})


@reaching("not-http")
async def length_told_twice(api: Asked, _: Grounds) -> httpx2.Response:
    both = {"Content-Length": "5", "Transfer-Encoding": "chunked"}
    return await api.client.post(f"{API}/sessions", content=b"0\r\n\r\n", headers=both)


@reaching("debug-off")
async def debug_off(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.post(f"{API}/sessions", {"script": SCRIPT, "options": {"debug_level": "summary"}})


@reaching("invalid-request")
async def wrong_shape(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.post(f"{API}/sessions", {"script": [SECRET]})


@reaching("not-json")
async def no_json(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.client.post(f"{API}/sessions", content=f'{{"script": "{SECRET}', headers=JSON)


@reaching("unsupported-media-type")
async def other_media(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.client.post(f"{API}/sessions", content=SECRET, headers={"Content-Type": "text/plain"})


@reaching("not-acceptable")
async def other_answer(api: Asked, _: Grounds) -> httpx2.Response:
    visit = await api.visit()
    return await api.send(visit, type="start", headers={"Accept": "application/xml"})


@reaching("too-long")
async def too_long(api: Asked, _: Grounds) -> httpx2.Response:
    visit = await api.visit()
    return await api.send(visit, text="长" * (LONGEST_MESSAGE + 1))


@reaching("body-too-large")
async def too_large(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.client.post(f"{API}/sessions", content=b" " * (LARGEST_BODY + 1), headers=JSON)


@reaching("key-reused")
async def key_reused(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    await api.turn(visit, text="还行", key="the-same-key")
    return await api.send(visit, text=SECRET, key="the-same-key")


@reaching("out-of-order")
async def out_of_order(api: Asked, _: Grounds) -> httpx2.Response:
    """What was said second came first: it is not taken until the first has come."""
    visit, turn = await api.begun()
    seen = turn["messages"][-1]["seq"]
    second = {"text": SECRET, "after": seen, "key": "said-second", "follows": "said-first"}
    early = await api.send(visit, **second)
    assert (await api.messages(visit))[-1]["seq"] == seen
    await api.turn(visit, text="提不起劲", after=seen, key="said-first")
    assert (await api.send(visit, **second)).status_code == 200
    said = [each["content"] for each in await api.messages(visit) if each["sender"] == "person"]
    assert said == ["提不起劲", SECRET]
    return early


@reaching("closed")
async def closed(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    await api.post(f"{visit.path}/end", token=visit.token)
    return await api.send(visit, text=SECRET)


@reaching("cannot-restore")
async def cannot_restore(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    await reseal_state(api.context.sessions, visit.id, lambda state: {**state, "format": 999})
    answer = await api.send(visit, text=SECRET)
    session = await api.session(visit)
    assert (session["status"], session["restorable"]) == ("interrupted", False)
    over = await api.post(f"{visit.path}/start-over", token=visit.token)
    assert over.status_code == 201
    assert over.json()["session"]["restorable"]
    return answer


@reaching("nothing-to-recall")
async def nothing_to_recall(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _begun = await api.begun()
    return await api.post(f"{visit.path}/recall", {"key": "take-back-1", "message": 1}, visit.token)


@reaching("restorable")
async def restorable(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    return await api.post(f"{visit.path}/start-over", token=visit.token)


@reaching("too-slow")
async def too_slow(api: Asked, _: Grounds) -> httpx2.Response:
    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(60)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heartrule.server.body_limits.BODY_SECONDS", 0.1)
        return await api.client.post(f"{API}/sessions", content=never(), headers=JSON)


@reaching("script-refused")
async def script_refused(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.post(f"{API}/sessions", {"script": "tests/broken"})


@reaching("no-such-script")
async def no_such_script(api: Asked, grounds: Grounds) -> httpx2.Response:
    for path in (str(grounds.project / "small.yaml"), "../project/small.yaml", "tests/../tests/small", "tests/"):
        problem(await api.post(f"{API}/sessions", {"script": path}), "no-such-script", 404)
    return await api.post(f"{API}/sessions", {"script": "tests/none"})


@reaching("variable-refused")
async def variable_refused(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.post(f"{API}/sessions", {"script": SCRIPT, "variables": {"睡了": SECRET}})


@reaching("too-many-requests")
async def too_many(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    api.context.limits._items["turns"] = api.context.limits._items.get("turns") or minutely(1)
    await api.turn(visit, text="还行")
    answer = await api.send(visit, text=SECRET)
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    return answer


@reaching("busy")
async def busy(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    fail(api, "accept_and_load", Outdated(SECRET))
    answer = await api.send(visit, text=SECRET)
    assert answer.headers["retry-after"]
    return answer


@reaching("put-down")
async def put_down(api: Asked, _: Grounds) -> httpx2.Response:
    """A turn that is taken out of the server's hands."""
    visit, _turn = await api.begun()

    async def hang(*_: object) -> None:
        for task in list(api.context.running._tasks):
            task.cancel()

    api.context.sessions.store.accept_and_load = hang  # type: ignore[method-assign,assignment]
    answer = await api.send(visit, text=SECRET)
    assert answer.headers["retry-after"]
    return answer


@reaching("stopping")
async def stopping(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    api.context.running.stopping.set()
    for path in ("pause", "resume", "end"):
        problem(await api.post(f"{visit.path}/{path}", token=visit.token), "stopping", 503)
    problem(await api.get(f"{visit.path}/events", visit.token), "stopping", 503)
    aloud = await api.send(visit, text=SECRET, headers={"Accept": "text/event-stream"})
    problem(aloud, "stopping", 503)
    answer = await api.send(visit, text=SECRET)
    assert answer.headers["retry-after"]
    return answer


def on_duty(api: Asked, who: str, path: str, body: Any) -> Any:
    """What a counsellor asks for."""
    staff = Staff(who, f"Dr. {who}", "counsellor", ("*",))
    return api.post(f"{API}/desk/sessions/{path}", body, api.context.tokens.of_staff(staff).token)


@reaching("not-staff")
async def not_staff(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    return await api.post(f"{API}/desk/sessions/{visit.id}/takeover", {"key": "key-00001"}, visit.token)


@reaching("taken-over")
async def taken_over(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    await on_duty(api, "Li", f"{visit.id}/takeover", {"key": "key-00001"})
    answer: httpx2.Response = await on_duty(api, "Wu", f"{visit.id}/takeover", {"key": "key-00002"})
    assert "Dr. Li" in answer.json()["title"]
    return answer


@reaching("not-taken-over")
async def not_taken_over(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    answer: httpx2.Response = await on_duty(api, "Li", f"{visit.id}/messages", {"key": "key-00001", "text": SECRET})
    return answer


@reaching("no-such-reply")
async def no_such_reply(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    return await api.post(f"{visit.path}/reports", {"message": 999, "reason": "other", "text": SECRET}, visit.token)


@reaching("no-such-form")
async def no_such_form(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    answer: httpx2.Response = await on_duty(api, "Li", f"{visit.id}/forms/f1/submit", {"values": {"notes": SECRET}})
    return answer


@reaching("no-pdf")
async def no_pdf(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    with mock.patch.object(paper, "LIBRARY", "no_such_library"):
        return await api.get(f"{visit.path}/summary?format=pdf", visit.token)


@reaching("pdf-too-long")
async def pdf_too_long(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    with mock.patch.object(paper, "LONGEST", 100):
        return await api.get(f"{visit.path}/summary?format=pdf", visit.token)


@reaching("no-font")
async def no_font(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    with mock.patch.object(paper, "pdf", side_effect=paper.NoFont):
        return await api.get(f"{visit.path}/summary?format=pdf", visit.token)


@reaching("unavailable")
async def unavailable(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    fail(api, "session", OperationalError(f"SELECT {SECRET}", {}, Exception(SECRET)))
    return await api.get(visit.path, visit.token)


@reaching("internal")
async def internal(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    fail(api, "accept_and_load", RuntimeError(SECRET))
    return await api.send(visit, text=SECRET)


def fail(api: Asked, method: str, error: Exception) -> None:
    async def failing(*_: object, **__: object) -> None:
        raise error

    setattr(api.context.sessions.store, method, failing)


def minutely(count: int) -> Any:
    from limits import RateLimitItemPerMinute

    return RateLimitItemPerMinute(count)


def test_every_problem_can_be_reached() -> None:
    assert set(REACHED) == set(codes())


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("code", sorted(codes()))
def test_a_problem_is_told_in_its_shape_and_says_nothing_of_the_inside(
    grounds: Grounds,
    code: str,
    language: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work() -> None:
        async with grounds.asgi(rates=UNLIMITED) as api:
            api.client.headers["Accept-Language"] = {"zh": "zh-CN,zh;q=0.9", "en": "en-GB,en;q=0.8,zh;q=0.1"}[language]
            answer = await REACHED[code](api, grounds)
            told = problem(answer, code, codes()[code])
            with_findings = {"version-conflict", "debug-text-refused", "release-not-open", "package-used"}
            more = (
                {"findings"} if code in with_findings else {"contacts"} if code == "too-many-requests" else set[str]()
            )
            assert set(told) == {"type", "title", "status", "code", "reference", *more}
            assert any("一" <= letter <= "鿿" for letter in told["title"].replace("睡了", "")) == (language == "zh")
            assert "{" not in told["title"]
            assert answer.headers["content-language"] == {"zh": "zh-CN", "en": "en"}[language]
            assert answer.headers["cache-control"] == "no-store"
            for inside in (SECRET, "Error", "Traceback", ".py", str(grounds.folder), "sqlite", "SELECT"):
                assert inside not in answer.text

    caplog.set_level(logging.DEBUG, logger="heartrule")
    run(work())
    assert SECRET not in "".join(capfd.readouterr())
    assert SECRET not in caplog.text
    assert any(line.startswith("fault ") for line in caplog.messages) == (code in {"unavailable", "internal"})


def test_a_fault_is_in_the_log_under_the_reference_that_was_told(
    grounds: Grounds, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            reference = problem(await internal(api, grounds), "internal", 500)["reference"]
            (told,) = [line for line in caplog.messages if line.startswith("fault ")]
            assert f"reference={reference} kind=builtins.RuntimeError raised=" in told
            assert "heartrule_faults_total 1.0" in (await api.get("/metrics")).text

    run(work())


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "zh"),
        ("", "zh"),
        ("fr", "zh"),
        ("en", "en"),
        ("EN-us", "en"),
        ("zh-TW", "zh"),
        ("fr, en;q=0.5", "en"),
        ("en;q=0.1, zh;q=0.9", "zh"),
        ("zh;q=x, en", "en"),
        ("en, " * 1000, "en"),
        (";;;,,,=", "zh"),
    ],
)
def test_the_language_is_the_askers(header: str | None, language: str) -> None:
    assert language_of(header) == language


def test_a_problem_of_a_field_names_the_field_and_not_its_value(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            wrong: list[tuple[Any, str]] = [
                ({"key": "a-long-key", "input": {"type": "message", "text": [SECRET]}}, "input.text"),
                ({"key": SECRET, "input": {"type": "message", "text": SECRET}}, "key"),
                ({"key": "short", "input": {"type": "start"}}, "key"),
                ({"key": "a-long-key", "input": {"type": SECRET}}, "input.type"),
                ({"key": "a-long-key", "after": SECRET, "input": {"type": "start"}}, "after"),
                ({"key": "a-long-key", "after": -1, "input": {"type": "start"}}, "after"),
                ({"key": "a-long-key", "after": True, "input": {"type": "start"}}, "after"),
                ({"key": "a-long-key", "after": 1.5, "input": {"type": "start"}}, "after"),
                ({"key": "a-long-key", "input": {"type": "choice", "text": SECRET}}, "input"),
                ({"key": "a-long-key", "input": {"type": "start", "choice": SECRET}}, "input"),
                ({"key": "a-long-key", "input": {"type": "message", "text": ""}}, "input.text"),
                ({"key": "a-long-key", "input": {"type": "choice", "choice": "长" * 1001}}, "input.choice"),
                ({"key": "a-long-key", "input": {"type": "message"}}, "input"),
                ({"key": "a-long-key", "input": None}, "input"),
                ({"input": {"type": "start"}}, "key"),
                ([SECRET], "body"),
                (SECRET, "body"),
                (1, "body"),
            ]
            for body, place in wrong:
                told = problem(await api.post(f"{visit.path}/turns", body, visit.token), "invalid-request", 422)
                assert f"{place}:" in told["title"], told
                assert SECRET not in told["title"]
            assert (await api.session(visit))["turn"] == 1

    run(work())


def test_text_that_is_none_is_refused(grounds: Grounds) -> None:
    """Lone surrogates, numbers beyond all bounds, nesting without end: JSON can write what is no text and no value."""

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            path = f"{visit.path}/turns"
            for text, code, status in (
                (r'{"key": "key-00000001", "input": {"type": "message", "text": "\ud800"}}', "invalid-request", 422),
                (r'{"\ud800": "\ud800"}', "invalid-request", 422),
                ("[" * 100_000, "not-json", 400),
                ('{"after": ' + "9" * 5000 + "}", "not-json", 400),
                ('{"after": 1e999}', "invalid-request", 422),
                ("null", "invalid-request", 422),
            ):
                sent = {**JSON, "Authorization": f"Bearer {visit.token}"}
                problem(await api.client.post(path, content=text, headers=sent), code, status)
            answer = await api.client.post(path, content=b'{"a": "\xff"}', headers=sent)
            problem(answer, "not-json", 400)
            nested = "[" * 400 + "]" * 400
            for variables in (r'{"\ud800": 1}', '{"睡了": 1e999}', '{"睡了": NaN}', f'{{"睡了": {nested}}}'):
                text = f'{{"script": "tests/small", "variables": {variables}}}'
                answer = await api.client.post(f"{API}/sessions", content=text.encode(), headers=JSON)
                assert answer.status_code == 422, answer.text
            text = r'{"script": "tests/\ud800"}'
            problem(await api.client.post(f"{API}/sessions", content=text, headers=JSON), "invalid-request", 422)

    run(work())


def test_path_tricks_lead_nowhere(grounds: Grounds) -> None:
    async def work() -> None:
        (grounds.folder / "secret.txt").write_text(SECRET, encoding="utf-8")
        async with grounds.asgi() as api:
            visit = await api.visit()
            for path in (
                "/..%2f..%2fsecret.txt",
                "/%2e%2e/%2e%2e/secret.txt",
                "/assets/..%2f..%2f..%2fpackage.json",
                "/assets/%00",
                "/" + "a" * 4000,
                "//etc/passwd",
                "/%5c..%5csecret.txt",
                "/%ff%fe",
                f"{API}/sessions/..%2f..%2fabout",
                f"{API}/sessions/{visit.id}%00",
                f"{API}/sessions/{'a' * 4000}",
                f"{API}/sessions/{visit.id.upper()}0",
                f"{API}/sessions/%ff",
                f"{API}/sessions/' OR 1=1 --",
                f"{API}/sessions/{visit.id}/../../about/x",
                f"{API}/../../secret.txt",
                "/api",
                "/api/",
                "/api/v2/about",
            ):
                answer = await api.get(path, visit.token)
                problem(answer, "not-found", 404)
                assert SECRET not in answer.text
            answer = await api.get(f"{API}/sessions/%00", visit.person_token)
            problem(answer, "not-found", 404)

    run(work())


def test_an_unknown_address_of_the_api_is_not_found_however_it_is_asked(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            for method in ("GET", "POST", "PUT", "DELETE"):
                problem(await api.client.request(method, f"{API}/nothing"), "not-found", 404)
            problem(await api.get(f"{visit.path}/turns", visit.token), "method-not-allowed", 405)
            problem(await api.client.put(visit.path), "method-not-allowed", 405)

    run(work())
