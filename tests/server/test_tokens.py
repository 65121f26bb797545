"""Who may do what: every way to come with a token that does not open the door, and that it learns nothing by it."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from datetime import timedelta
from typing import Any

import jwt
import pytest
from tests.server.material import API, SECRET, Asked, Grounds, Visit, problem, run, seen
from tests.sessions.material import Place

from heartrule.server.settings import ServerConfigError, ServerSettings
from heartrule.testing.hold import START


def routes_of(visit: Visit) -> list[tuple[str, str, Any]]:
    """Every route that needs the session."""
    turn = {"key": "a-long-key", "input": {"type": "start"}}
    return [
        ("GET", visit.path, None),
        ("GET", f"{visit.path}/messages", None),
        ("GET", f"{visit.path}/events", None),
        ("POST", f"{visit.path}/turns", turn),
        ("POST", f"{visit.path}/pause", {}),
        ("POST", f"{visit.path}/resume", {}),
        ("POST", f"{visit.path}/end", {}),
        ("POST", f"{visit.path}/recovery", None),
        ("POST", f"{visit.path}/start-over", None),
    ]


async def refused(api: Asked, visit: Visit, header: bytes | str | None, code: str, status: int) -> None:
    """Nothing of the session can be done with this, and nothing is learnt."""
    sent = {} if header is None else {"Authorization": header}
    for method, path, body in routes_of(visit):
        answer = await api.client.request(method, path, json=body, headers=sent)
        told = problem(answer, code, status)
        assert set(told) == {"type", "title", "status", "code", "reference"}
        assert visit.id not in answer.text


def signed(key: bytes | str = SECRET, algorithm: str | None = "HS256", **claims: Any) -> str:
    expires = int((START + timedelta(hours=1)).timestamp())
    given = {"aud": "heartrule", "sub": "visitor-17", "exp": expires, **claims}
    return jwt.encode({k: v for k, v in given.items() if v is not None}, key, algorithm)


def forged(header: Any, claims: Any, signature: bytes = b"") -> str:
    def part(value: Any) -> str:
        raw = value if isinstance(value, bytes) else json.dumps(value).encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    return f"{part(header)}.{part(claims)}.{part(signature)}"


def test_what_a_token_does_not_open_does_not_exist(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            mine, theirs = await api.visit(), await api.visit()
            nowhere = Visit("0" * 32, "")
            for token in (theirs.token, theirs.person_token, signed()):
                await refused(api, mine, f"Bearer {token}", "not-found", 404)
                await refused(api, nowhere, f"Bearer {token}", "not-found", 404)
            assert (await api.session(mine))["turn"] == 0

    run(work())


def test_without_a_token_or_with_a_broken_one_nothing_opens(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit = await api.visit()
            header, claims, signature = visit.token.split(".")
            ours = {"alg": "HS256", "kid": "heartrule"}
            good = {"aud": "session", "sub": visit.id, "exp": 9_999_999_999}
            broken: list[bytes | str | None] = [
                None,
                "",
                "Bearer",
                "Bearer ",
                visit.token,
                f"Basic {visit.token}",
                f"Token {visit.token}",
                f"Bearer {visit.token}x",
                f"Bearer {visit.token[:-2]}",
                f"Bearer {header}.{claims}.",
                f"Bearer {header}.{claims}",
                f"Bearer {visit.token},{visit.token}",
                f"Bearer {header}.{forged({}, good).split('.')[1]}.{signature}",
                f"Bearer {forged({'alg': 'none', 'kid': 'heartrule'}, good)}",
                f"Bearer {forged({'alg': 'None'}, good)}",
                f"Bearer {forged(ours, good, b'x' * 32)}",
                f"Bearer {forged({**ours, 'alg': 'HS512'}, good, b'x' * 64)}",
                f"Bearer {forged({**ours, 'kid': ['heartrule']}, good)}",
                f"Bearer {forged(['heartrule'], good)}",
                f"Bearer {forged(b'[' * 2900, good)}",
                f"Bearer {forged(b'{' * 2900, good)}",
                f"Bearer {'a' * 4097}",
                f"Bearer {'a' * 60_000}",
                b"Bearer \xff\xfe\x80",
                "Bearer null",
                "Bearer ..",
                f"Bearer {jwt.encode(good, 'k' * 32, 'HS256', headers={'kid': 'heartrule'})}",
            ]
            for each in broken:
                await refused(api, visit, each, "unauthorized", 401)
                sent = {} if each is None else {"Authorization": each}
                problem(await api.client.get(f"{API}/sessions", headers=sent), "unauthorized", 401)

    run(work())


def test_a_broken_token_is_refused_and_not_ignored_where_none_is_needed_to_begin(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            for token in ("nonsense", visit.token):
                problem(await api.post(f"{API}/sessions", {"script": "tests/small"}, token), "unauthorized", 401)
            for path in ("about", "scripts"):
                assert (await api.get(f"{API}/{path}", "nonsense")).status_code == 200

    run(work())


def test_tokens_run_out_by_the_servers_clock(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            grounds.clock.pass_(days=29, hours=23)
            assert (await api.get(visit.path, visit.token)).status_code == 200
            grounds.clock.pass_(hours=1)
            await refused(api, visit, f"Bearer {visit.token}", "token-expired", 401)
            assert (await api.get(visit.path, visit.person_token)).status_code == 200
            grounds.clock.pass_(days=370)
            await refused(api, visit, f"Bearer {visit.person_token}", "token-expired", 401)

    run(work())


def test_a_person_token_opens_all_sessions_of_its_person_and_makes_more(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            first = await api.visit()
            second = await api.visit(token=first.person_token)
            for visit in (first, second):
                assert (await api.get(visit.path, first.person_token)).status_code == 200
                assert (await api.send(visit, token=first.person_token, type="start")).status_code == 200
            problem(await api.get(f"{API}/sessions", first.token), "unauthorized", 401)
            problem(await api.get(first.path, second.token), "not-found", 404)

    run(work())


def test_tokens_outlive_the_process_and_not_the_data_folder(grounds: Grounds, tmp_path_factory: Any) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
        async with grounds.asgi() as api:
            assert (await api.get(visit.path, visit.token)).status_code == 200
        async with Grounds(tmp_path_factory.mktemp("other")).asgi() as api:
            await refused(api, visit, f"Bearer {visit.token}", "unauthorized", 401)

    run(work())


def test_an_erased_person_is_gone_with_all_that_was_theirs(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit, _ = await api.begun()
            embedded = await api.visit(token=signed())
            for gone in (visit, embedded):
                record = await api.context.sessions.session(gone.id)
                await api.context.sessions.store.erase_person(record.person)
            await refused(api, visit, f"Bearer {visit.token}", "not-found", 404)
            await refused(api, visit, f"Bearer {visit.person_token}", "not-found", 404)
            assert (await api.get(f"{API}/sessions", visit.person_token)).json() == {"sessions": [], "next": None}
            made = await api.post(f"{API}/sessions", {"script": "tests/small"}, visit.person_token)
            problem(made, "not-found", 404)
            again = await api.visit(token=signed())
            assert again.id != embedded.id
            assert (await api.get(embedded.path, signed())).status_code == 404

    run(work())


# tokens of a service that embeds us


def test_an_embedders_token_stands_for_a_person(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            assert (await api.get(f"{API}/sessions", signed())).json()["sessions"] == []
            visits = await asyncio.gather(*(api.visit(token=signed()) for _ in range(4)))
            assert {visit.person_token for visit in visits} == {None}
            listed = (await api.get(f"{API}/sessions", signed())).json()["sessions"]
            assert {item["id"] for item in listed} == {visit.id for visit in visits}
            assert (
                await api.get(visits[0].path, signed(aud=["them", "heartrule"], iat=0, iss="them"))
            ).status_code == 200
            problem(await api.get(visits[0].path, signed(sub="visitor-18")), "not-found", 404)

    run(work())


@pytest.mark.parametrize("sub", ["x", "长" * 255, "visitor 17\n", "' OR 1=1 --"])
def test_any_name_will_do_for_a_person(grounds: Grounds, sub: str) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit = await api.visit(token=signed(sub=sub))
            assert (await api.get(visit.path, signed(sub=sub))).status_code == 200

    run(work())


def test_an_embedders_token_that_is_not_quite_right_opens_nothing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit = await api.visit(token=signed())
            wrong = [
                signed(key="another secret of quite enough bytes, too"),
                signed(key="", algorithm="none"),
                signed(key=SECRET * 2, algorithm="HS512"),
                signed(exp=None),
                signed(sub=None),
                signed(sub=""),
                signed(sub="x" * 256),
                signed(sub="a\ud800"),
                signed(sub="a\x00"),
                signed(exp="soon"),
                signed(exp=10**30),
                signed(exp=[1]),
                signed(aud=None),
                signed(aud="another service"),
                signed(exp=int((START + timedelta(days=2)).timestamp())),
                signed(nbf=9_999_999_999),
            ]
            for token in wrong:
                await refused(api, visit, f"Bearer {token}", "unauthorized", 401)
                made = await api.post(f"{API}/sessions", {"script": "tests/small"}, token)
                problem(made, "unauthorized", 401)
            late = signed(exp=int((START - timedelta(seconds=1)).timestamp()))
            await refused(api, visit, f"Bearer {late}", "token-expired", 401)

    run(work())


def test_an_embedders_clock_may_be_a_little_ahead(grounds: Grounds) -> None:
    """The moment of signing is told by the embedder's clock; only the end of a token's time is ours to judge."""

    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit = await api.visit(token=signed())
            assert (await api.get(visit.path, signed(iat=int(time.time()) + 30))).status_code == 200

    run(work())


def test_without_a_secret_no_foreign_token_opens_anything(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit = await api.visit(token=signed())
        async with grounds.asgi() as api:
            for token in (
                signed(),
                forged({"alg": "HS256"}, {"sub": "visitor-17", "exp": 9_999_999_999}),
                signed(key="", algorithm="none"),
            ):
                await refused(api, visit, f"Bearer {token}", "unauthorized", 401)

    run(work())


def test_an_embedder_cannot_sign_our_own_kind(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit = await api.visit()
            claims = {"aud": "session", "sub": visit.id, "exp": 9_999_999_999}
            ours = jwt.encode(claims, SECRET, "HS256", headers={"kid": "heartrule"})
            await refused(api, visit, f"Bearer {ours}", "unauthorized", 401)
            theirs = jwt.encode(claims, SECRET, "HS256")
            await refused(api, visit, f"Bearer {theirs}", "unauthorized", 401)

    run(work())


def test_a_secret_that_is_too_short_is_refused_without_being_told(place: Place) -> None:
    with pytest.raises(ServerConfigError) as caught:
        ServerSettings.load(place.folder, environment={"HEARTRULE_EMBED_SECRET": "too-short"})
    assert str(caught.value) == "server.embed_secret: must have at least 32 bytes"


@pytest.fixture
def place(tmp_path: Any) -> Place:
    return Place(tmp_path)


def test_a_turn_of_a_session_that_was_erased_is_not_found_however_it_is_asked(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            record = await api.context.sessions.session(visit.id)
            await api.context.sessions.store.erase_person(record.person)
            body = {"key": "another-key", "after": 1, "input": {"type": "message", "text": "在吗"}}
            for more in ({}, {"follows": "turn-0001"}):
                for accept in ("application/json", "text/event-stream"):
                    headers = {"Authorization": f"Bearer {visit.token}", "Accept": accept}
                    answer = await api.client.post(f"{visit.path}/turns", json={**body, **more}, headers=headers)
                    problem(answer, "not-found", 404)

    run(work())


def test_a_turn_by_the_sessions_own_token_reads_the_session_once(
    grounds: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it takes the input, and not before: fifty conversations feel it."""

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, first = await api.begun()
            read: list[str] = []
            store = api.context.sessions.store
            ordinary = store.session

            async def counted(session: str) -> Any:
                read.append(session)
                return await ordinary(session)

            monkeypatch.setattr(store, "session", counted)
            await api.turn(visit, text="睡不着", after=seen(first))
            assert read == []
            assert visit.person_token is not None
            answer = await api.client.post(
                f"{visit.path}/turns",
                json={"key": "another-key", "input": {"type": "resume"}},
                headers={"Authorization": f"Bearer {visit.person_token}"},
            )
            assert answer.status_code == 200
            assert read == [visit.id]

    run(work())
