"""What a person agreed to before a session: kept with it, shown to them, taken back."""

from __future__ import annotations

import json

import pytest
from tests.server.material import Asked, Grounds, Visit, problem, run, seen

from heartrule.server.app import API
from heartrule.server.settings import ServerConfigError, ServerSettings

ME = f"{API}/persons/me"


async def withdrawn(asked: Asked, visit: Visit, token: str | None = None) -> object:
    bearer = {"Authorization": f"Bearer {token or visit.token}"}
    return await asked.client.delete(f"{visit.path}/consent", headers=bearer)


def test_what_was_agreed_to_is_shown_with_its_version_and_where_words_go(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as asked:
            visit = await asked.visit(notice="2026-11-22")
            token = visit.person_token
            await asked.visit(token=token)
            (agreed,) = (await asked.get(ME, token)).json()["consents"]
            assert agreed == {
                "session": visit.id,
                "script": "tests/small",
                "notice": "2026-11-22",
                "mode": "script",
                "model": None,
                "hosts": [],
                "withdrawn_at": None,
                "open": True,
                "at": visit.session["created_at"],
            }
            whole = json.loads((await asked.get(f"{ME}/export", token)).text)
            told = {each["id"]: each["consent"] for each in whole["sessions"]}
            assert [each["notice"] for each in told.values() if each] == ["2026-11-22"]
            assert told[visit.id]["at"] == agreed["at"]

    run(work())


def test_taken_back_the_session_ends_and_that_is_on_record(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as asked:
            visit, turn = await asked.begun(notice="2026-11-22")
            grounds.clock.pass_(minutes=3)
            for _ in range(2):
                answer = await withdrawn(asked, visit, visit.person_token)
                assert answer.status_code == 204  # type: ignore[attr-defined]
            assert (await asked.session(visit))["status"] == "ended"
            problem(await asked.send(visit, text="还在吗", after=seen(turn)), "closed", 409)
            (agreed,) = (await asked.get(ME, visit.person_token)).json()["consents"]
            assert agreed["open"] is False
            assert agreed["withdrawn_at"] > agreed["at"]
            assert len(await asked.messages(visit)) >= 1

    run(work())


def test_what_is_over_or_was_never_agreed_to_cannot_be_taken_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as asked:
            over, _ = await asked.begun(notice="1")
            await asked.post(f"{over.path}/end", token=over.token)
            problem(await withdrawn(asked, over), "closed", 409)  # type: ignore[arg-type]
            (agreed,) = (await asked.get(ME, over.person_token)).json()["consents"]
            assert (agreed["open"], agreed["withdrawn_at"]) == (False, None)
            never, _ = await asked.begun()
            problem(await withdrawn(asked, never), "not-found", 404)  # type: ignore[arg-type]
            problem(await withdrawn(asked, over, never.token), "not-found", 404)  # type: ignore[arg-type]

    run(work())


@pytest.mark.parametrize("notice", ["", "x" * 41, "<b>", "两", 3])
def test_a_version_is_a_short_word(grounds: Grounds, notice: object) -> None:
    async def work() -> None:
        async with grounds.asgi() as asked:
            body = {"script": "tests/small", "notice": notice}
            problem(await asked.post(f"{API}/sessions", body), "invalid-request", 422)

    run(work())


def test_a_site_says_where_who_leaves_at_once_is_taken(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(exit_page="https://weather.example/today") as asked:
            assert (await asked.get(f"{API}/about")).json()["exit_page"] == "https://weather.example/today"

    run(work())


@pytest.mark.parametrize(
    "page",
    [
        *("http://weather.example/", "javascript:alert(1)", "//weather.example", "https://", "https:///x", "weather"),
        *("https://me:secret@weather.example/", "https://weather.example:99999/", "https://weather.example/ x"),
        *("https://weather.example/\n", "https://[::1", "https://天气.example/", "https://a.example/" + "x" * 500),
    ],
)
def test_only_a_public_page_may_be_it(page: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    (folder / "heartrule.toml").write_text(f"[server]\nexit_page = {json.dumps(page)}\n", encoding="utf-8")
    with pytest.raises(ServerConfigError, match=r"server\.exit_page: "):
        ServerSettings.load(folder, environment={})
