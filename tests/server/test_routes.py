"""Every route, by someone who may ask: what it answers, and that it is what the document says."""

from __future__ import annotations

import asyncio
import errno
import html
from typing import Any

import pytest
from tests.server.material import API, SCRIPT, UNLIMITED, Grounds, problem, run, said, seen
from tests.sessions.material import ANSWERS, reseal_state

from heartrule.engine.installed_types import field_models
from heartrule.language.projects.library import Library, library_root


def test_about_needs_no_token(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            about = (await api.get(f"{API}/about")).json()
            assert set(about) == {
                *("version", "mode", "model", "contacts", "debug", "recall_seconds", "persistence", "exit_page", "pdf"),
                *("operator", "keep_days", "wait_seconds", "numbers"),
            }
            assert about["exit_page"] is None
            assert (about["mode"], about["model"], about["debug"]) == ("script", None, "none")
            assert about["persistence"] == "device"
            assert all(set(contact) == {"name", "number", "note"} for contact in about["contacts"])
            assert "12356" in [contact["number"] for contact in about["contacts"]]
            assert {"12356", "12338", "119"} <= set(about["numbers"])
            english = (await api.get(f"{API}/about?locale=en")).json()
            assert english["contacts"]
            assert english["contacts"] != about["contacts"]
            problem(await api.get(f"{API}/about?locale={'x' * 99}"), "invalid-request", 422)

    run(work())


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("locale=en&zone=Europe/London", "999"),
        ("locale=en-US&zone=Europe/London", "999"),
        ("locale=en-GB&zone=America/Chicago", "911"),
        ("locale=en&zone=Australia/Perth", "000"),
        ("locale=en&zone=PRC", "120"),
        ("locale=en-GB", "999"),
        ("locale=en-GB&zone=UTC", "999"),
        ("locale=en", "112"),
        ("locale=en-GB&zone=Europe/Berlin", "112"),
        ("locale=en&zone=Mars/Olympus", "112"),
        ("locale=zh-CN&zone=Europe/London", "120"),
    ],
)
def test_numbers_are_those_of_where_the_browser_is(grounds: Grounds, asked: str, first: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            told = (await api.get(f"{API}/about?{asked}")).json()["contacts"]
            assert told[0]["number"] == first
            if asked.startswith("locale=en"):
                assert told[-1]["number"] == "findahelpline.com"

    run(work())


@pytest.mark.parametrize(
    ("zone", "named", "elsewhere"),
    [("Australia/Perth", "000", "988"), ("America/Chicago", "988", "116 123"), ("Europe/Berlin", "112", "13 11 14")],
)
def test_the_conversation_names_the_numbers_of_where_the_browser_is(
    grounds: Grounds, zone: str, named: str, elsewhere: str
) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun(script="cbt/mood_check_en", locale="en", zone=zone)
            turn = await api.turn(visit, text="I am going to kill myself tonight", after=seen(turn))
            said = "\n".join(each["content"] for each in turn["messages"])
            assert named in said
            assert elsewhere not in said

    run(work())


def test_scripts_are_offered_with_what_one_chooses_by(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            offered = {script["id"]: script for script in (await api.get(f"{API}/scripts")).json()}
            assert SCRIPT in offered
            assert {listed.id for listed in Library([library_root()], field_models()).scripts()} <= set(offered)
            assert offered[SCRIPT] == {
                "id": SCRIPT,
                "name": "小谈",
                "goal": "",
                "duration": None,
                "locale": "zh-CN",
                "audience": "",
                "project": "",
                "translation_of": "",
            }
            assert offered["cbt/abc_intro_en"]["translation_of"] == "cbt/abc_intro"
            assert offered["cbt/abc_intro"]["audience"]
            assert offered["cbt/abc_intro"]["project"] == "认知行为会谈"

    run(work())


def test_a_session_from_its_making_to_its_end(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            assert visit.person_token
            made = visit.session
            assert (made["status"], made["turn"], made["last_message"], made["last_event_id"]) == ("created", 0, 0, 0)
            assert made["request"] == {"type": "none", "choices": []}
            turns = await api.whole(visit)
            assert [turn["turn"]["seq"] for turn in turns] == [1, 2, 3, 4, 5]
            assert {turn["turn"]["id"] for turn in turns} == {f"{visit.id}.{n}" for n in range(1, 6)}
            assert [turn["execution_status"] for turn in turns] == ["waiting_input"] * 4 + ["completed"]
            assert turns[2]["request"]["type"] == "choice"
            assert turns[2]["request"]["choices"][0] == {"value": "谈", "label": "接着谈"}
            assert turns[1]["position"]["action"] == {"index": 2, "id": "hours"}
            assert turns[0]["exit"] is None
            assert turns[1]["exit"]["class"] == "exit_criteria_met"
            assert turns[-1]["request"] == {"type": "none", "choices": []}
            assert all(turn["in_crisis"] is False for turn in turns)
            session = await api.session(visit)
            assert (session["status"], session["turn"], session["last_event_id"]) == ("ended", 5, 599999)
            assert session["ended_at"] == "2026-11-20T09:00:00Z"
            messages = await api.messages(visit)
            assert messages == [message for turn in turns for message in turn["messages"]]
            assert [message["seq"] for message in messages] == list(range(1, len(messages) + 1))
            spoken = [message["content"] for message in messages if message["sender"] == "person"]
            assert spoken == ["提不起劲", "5 个小时", "接着谈", "没有了"]

    run(work())


def test_words_do_for_a_choice(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun()
            for _, words in ANSWERS[:2]:
                turn = await api.turn(visit, text=words, after=seen(turn))
            turn = await api.turn(visit, text="接着谈", after=seen(turn))
            assert turn["position"]["action"]["id"] == "last"

    run(work())


def test_pausing_resuming_and_ending(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            paused = (await api.post(f"{visit.path}/pause", {"key": "pause-0001"}, visit.token)).json()
            assert (paused["status"], paused["paused"]) == ("suspended", True)
            again = (await api.post(f"{visit.path}/pause", {"key": "pause-0001"}, visit.token)).json()
            assert again["turn"] == paused["turn"]
            resumed = await api.post(f"{visit.path}/resume", {"key": "resume-001"}, visit.token)
            assert resumed.status_code == 200
            same = await api.post(f"{visit.path}/resume", {"key": "resume-001"}, visit.token)
            assert same.json() == resumed.json()
            assert (await api.session(visit))["status"] == "active"
            assert (await api.post(f"{visit.path}/pause", token=visit.token)).json()["paused"]
            turn = await api.turn(visit, type="resume")
            assert (await api.session(visit))["paused"] is False
            ended = (await api.post(f"{visit.path}/end", token=visit.token)).json()
            assert ended["turn"]["seq"] == turn["turn"]["seq"] + 1
            assert ended["execution_status"] == "completed"
            assert (await api.session(visit))["status"] == "ended"
            problem(await api.send(visit, text="还在吗"), "closed", 409)
            problem(await api.post(f"{visit.path}/resume", token=visit.token), "closed", 409)

    run(work())


def test_what_is_said_goes_on_after_a_pause(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun()
            await api.post(f"{visit.path}/pause", token=visit.token)
            grounds.clock.pass_(hours=3)
            assert (await api.session(visit))["status"] == "suspended"
            turn = await api.turn(visit, text="还行", after=seen(turn))
            assert turn["position"]["action"]["id"] == "hours"
            assert (await api.session(visit))["status"] == "active"

    run(work())


def test_where_a_session_is_in_its_life_is_read_off_the_clock(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            lives = []
            for minutes in (0, 6, 30, 24 * 60):
                grounds.clock.pass_(minutes=minutes)
                lives.append((await api.session(visit))["status"])
            assert lives == ["active", "away", "suspended", "archived"]
            problem(await api.send(visit, text="我回来了"), "closed", 409)
            problem(await api.post(f"{visit.path}/pause", token=visit.token), "closed", 409)
            problem(await api.post(f"{visit.path}/end", token=visit.token), "closed", 409)
            assert (await api.messages(visit))[0]["content"] == "你好。"
            listed = await api.get(f"{API}/sessions", visit.person_token)
            assert [item["status"] for item in listed.json()["sessions"]] == ["archived"]

    run(work())


def test_a_timer_strikes_by_itself(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(sweep_seconds=0.02) as api:
            visit, turn = await api.begun()
            await api.turn(visit, text="还行", after=seen(turn))
            grounds.clock.pass_(minutes=11)
            for _ in range(300):
                session = await api.session(visit)
                if session["turn"] == 3:
                    break
            assert session["turn"] == 3
            for _ in range(300):  # it is counted when the sweep has come to its end
                if "heartrule_sessions_woken_total 1.0" in (await api.get("/metrics")).text:
                    return
                await asyncio.sleep(0.01)
            raise AssertionError("nobody counted the session that was woken")

    run(work())


# variables, language, memory


def test_variables_of_their_types_are_taken(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun(variables={"心情": "低落", "睡了": 5, "来过": True})
            held = {record.name: record.value for record in await api.context.sessions.store.variables(visit.id)}
            assert {"心情": "低落", "睡了": 5, "来过": True}.items() <= held.items()

    run(work())


@pytest.mark.parametrize(
    ("variables", "named"),
    [({"睡了": "五"}, "睡了"), ({"睡了": 99}, "睡了"), ({"来过": "是"}, "来过"), ({"没有": 1}, "没有")],
)
def test_variables_that_do_not_fit_are_refused_without_repeating_them(
    grounds: Grounds, variables: dict[str, Any], named: str
) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            body = {"script": SCRIPT, "variables": variables}
            told = problem(await api.post(f"{API}/sessions", body), "variable-refused", 422)
            assert named in told["title"]
            english = await api.post(f"{API}/sessions", body, headers={"Accept-Language": "en-GB"})
            assert problem(english, "variable-refused", 422)["title"].startswith(f"The variable {named} ")

    run(work())


def test_the_language_asked_for_is_that_of_the_sibling(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            assert (await api.visit(locale="en")).session["script"] == "tests/small_en"
            assert (await api.visit(locale="zh-CN")).session["script"] == SCRIPT
            assert (await api.visit(script="tests/small_en", locale="zh")).session["locale"] == "zh-CN"
            answer = await api.post(f"{API}/sessions", {"script": SCRIPT, "locale": "fr"})
            problem(answer, "script-refused", 422)
            answer = await api.post(f"{API}/sessions", {"script": SCRIPT, "locale": "../../etc"})
            problem(answer, "invalid-request", 422)

    run(work())


def test_without_memory_a_session_belongs_to_nobody_known(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            first = await api.visit()
            grounds.clock.pass_(seconds=1)
            kept = await api.visit(token=first.person_token)
            assert kept.person_token is None
            apart = await api.visit(token=first.person_token, options={"memory": False})
            assert apart.person_token not in (None, first.person_token)
            listed = (await api.get(f"{API}/sessions", first.person_token)).json()
            assert [item["id"] for item in listed["sessions"]] == [kept.id, first.id]

    run(work())


# debugging


def test_findings_are_shown_to_those_who_debug(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(debug="summary") as api:
            plain = await api.post(f"{API}/sessions", {"script": "tests/broken"})
            assert "findings" not in problem(plain, "script-refused", 422)
            told = await api.post(f"{API}/sessions", {"script": "tests/broken", "options": {"debug_level": "summary"}})
            findings = problem(told, "script-refused", 422)["findings"]
            assert findings
            assert findings[0].keys() == {"file", "line", "column", "code", "message"}

    run(work())


# pages of messages and sessions


def test_messages_come_in_pages_from_either_end(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            await api.whole(visit)
            everything = await api.messages(visit)

            async def page(query: str) -> tuple[list[int], bool]:
                found = (await api.get(f"{visit.path}/messages?{query}", visit.token)).json()
                assert all(message in everything for message in found["messages"])
                return [message["seq"] for message in found["messages"]], found["more"]

            count = len(everything)
            numbers = list(range(1, count + 1))
            assert await page("") == (numbers, False)
            assert await page("limit=3") == (numbers[-3:], True)
            assert await page("after=0&limit=3") == ([1, 2, 3], True)
            assert await page(f"after={count}") == ([], False)
            assert await page("after=9007199254740992") == ([], False)
            assert await page("before=4&limit=2") == ([2, 3], True)
            assert await page("before=3&limit=2") == ([1, 2], False)
            assert await page("before=1") == ([], False)
            assert await page("before=9007199254740992&limit=1") == ([count], True)
            assert await page("after=1&before=4") == ([2, 3], False)
            assert await page("after=1&before=4&limit=1") == ([2], True)
            walked: list[int] = []
            more = True
            while more:
                numbers_of_page, more = await page(f"after={walked[-1] if walked else 0}&limit=2")
                walked += numbers_of_page
            assert walked == numbers

    run(work())


def test_pages_that_are_none_are_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            for query in ("limit=0", "limit=501", "limit=x", "after=-1", "before=-1", "after=1e3", f"after={9**20}"):
                problem(await api.get(f"{visit.path}/messages?{query}", visit.token), "invalid-request", 422)

    run(work())


def test_sessions_come_in_pages_made_last_first(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            first = await api.visit()
            made = [first.id]
            for _ in range(4):
                grounds.clock.pass_(seconds=1)
                made.insert(0, (await api.visit(token=first.person_token)).id)
            stranger = await api.visit()
            found: list[str] = []
            before = ""
            while before is not None:
                query = f"?limit=2&before={before}" if before else "?limit=2"
                page = (await api.get(f"{API}/sessions{query}", first.person_token)).json()
                found += [item["id"] for item in page["sessions"]]
                before = page["next"]
            assert found == made
            assert stranger.id not in found
            foreign = (await api.get(f"{API}/sessions?before={stranger.id}", first.person_token)).json()
            assert foreign["sessions"] == []
            for query in ("limit=0", "limit=101", "before=../..", f"before={'a' * 65}"):
                problem(await api.get(f"{API}/sessions?{query}", first.person_token), "invalid-request", 422)

    run(work())


# coming back


def test_a_recovery_link_opens_the_session_for_a_week(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            answer = await api.post(f"{visit.path}/recovery", token=visit.token)
            assert answer.status_code == 201
            recovery = answer.json()
            assert recovery["expires_at"] == "2026-11-27T09:00:00Z"
            assert (await api.get(visit.path, recovery["token"])).status_code == 200
            problem(await api.get(f"{API}/sessions", recovery["token"]), "unauthorized", 401)
            grounds.clock.pass_(days=6, hours=23)
            assert (await api.get(visit.path, recovery["token"])).status_code == 200
            grounds.clock.pass_(hours=1)
            problem(await api.get(visit.path, recovery["token"]), "token-expired", 401)

    run(work())


def test_nothing_that_comes_of_a_recovery_link_outlives_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            link = (await api.post(f"{visit.path}/recovery", token=visit.token)).json()
            grounds.clock.pass_(days=3)
            again = (await api.post(f"{visit.path}/recovery", token=link["token"])).json()
            assert again["expires_at"] == link["expires_at"]
            await reseal_state(api.context.sessions, visit.id, lambda state: {**state, "format": 999})
            over = (await api.post(f"{visit.path}/start-over", token=again["token"])).json()
            path = f"{API}/sessions/{over['session']['id']}"
            assert (await api.get(path, over["token"])).status_code == 200
            grounds.clock.pass_(days=4)
            problem(await api.get(path, over["token"]), "token-expired", 401)
            problem(await api.get(visit.path, again["token"]), "token-expired", 401)

    run(work())


def test_starting_over_keeps_what_was_said_and_known(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun()
            await api.turn(visit, text="还行", after=seen(turn))
            old = await api.messages(visit)
            problem(await api.post(f"{visit.path}/start-over", token=visit.token), "restorable", 409)
            await reseal_state(api.context.sessions, visit.id, lambda state: {**state, "format": 999})
            problem(await api.send(visit, text="最后这句还没有人听到"), "cannot-restore", 409)
            answer = await api.post(f"{visit.path}/start-over", token=visit.token)
            assert answer.status_code == 201
            new = answer.json()
            assert new["session"]["id"] != visit.id
            assert new["person_token"] is None
            fresh = type(visit)(new["session"]["id"], new["token"])
            first = await api.turn(fresh, type="start")
            kept = await api.messages(fresh)
            assert [message["content"] for message in kept[: len(old)]] == [message["content"] for message in old]
            assert kept[len(old)]["content"] == "最后这句还没有人听到"
            assert kept[len(old) + 1 :] == first["messages"]
            held = {record.name: record.value for record in await api.context.sessions.store.variables(fresh.id)}
            assert held["心情"] == "还行"
            assert said(first, "ai")[0] == "你好。"
            listed = await api.get(f"{API}/sessions", visit.person_token)
            assert {item["id"] for item in listed.json()["sessions"]} == {visit.id, fresh.id}

    run(work())


# for those who run it


def test_health_readiness_and_counts(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            assert (await api.get("/healthz")).json() == {"status": "ok"}
            assert (await api.get("/readyz")).json() == {"status": "ok"}
            visit, _ = await api.begun()
            counts = (await api.get("/metrics")).text
            assert 'route="/sessions/{session}/turns",status="200"' in counts
            assert "heartrule_turns_at_work 0.0" in counts
            assert visit.id not in counts

            async def away(*_: object) -> None:
                raise OSError("the disk is gone")

            api.context.sessions.store.session = away  # type: ignore[method-assign,assignment]
            answer = await api.get("/readyz")
            assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})
            api.context.running.stopping.set()
            answer = await api.get("/readyz")
            assert (answer.status_code, answer.json()) == (503, {"status": "stopping"})
            assert (await api.get("/healthz")).status_code == 200

    run(work())


def test_a_server_that_can_write_nothing_is_not_ready(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is read from as ever. A write is tried at most every few seconds, whoever asks."""

    async def work() -> None:
        async with grounds.asgi() as api:
            store, tried = api.context.sessions.store, []
            write = store._db.write

            async def full(*_: object) -> None:
                tried.append(1)
                raise OSError(errno.ENOSPC, "No space left on device")

            monkeypatch.setattr(store._db, "write", full)
            for _ in range(3):
                answer = await api.get("/readyz")
                assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})
            assert len(tried) == 1
            monkeypatch.setattr(store._db, "write", write)
            api.context.writable._until = 0.0  # some seconds later
            assert (await api.get("/readyz")).json() == {"status": "ok"}

    run(work())


def test_who_is_lost_gets_a_page_with_a_way_back_and_whom_to_call(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            page = await api.get("/nope", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
            assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
            assert "没有这个页面" in page.text
            assert "There is no such page" in page.text
            assert 'href="/"' in page.text
            for locale in ("zh-CN", "en"):
                numbers = [each.number for each in api.context.sessions.contacts(locale)]
                assert numbers
                assert all(html.escape(number) in page.text for number in numbers)
            problem(await api.get("/nope", headers={"Accept": "*/*"}), "not-found", 404)
            problem(await api.get("/api/v1/nope", headers={"Accept": "text/html"}), "not-found", 404)

    run(work())


def test_invented_methods_and_paths_make_no_new_counts(grounds: Grounds) -> None:
    """Otherwise whoever asks could fill the memory, and put words of theirs among the counts."""

    async def work() -> None:
        async with grounds.asgi() as api:
            for number in range(3):
                await api.client.request(f"INVENTED{number}", f"{API}/about")
                await api.get(f"/invented/{number}")
            assert "nvented" not in (await api.get("/metrics")).text.lower()

    run(work())


def test_the_document_and_the_page_that_shows_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            document = (await api.get("/openapi.json")).json()
            assert document["openapi"].startswith("3.1")
            assert f"{API}/sessions/{{session}}/turns" in document["paths"]
            page = await api.get("/docs")
            assert page.headers["content-type"].startswith("text/html")
            assert f"{API}/sessions/{{session}}/turns" in page.text
            assert "<script" not in page.text
            assert (await api.get("/docs.css")).headers["content-type"].startswith("text/css")

    run(work())


def test_rates_are_off_in_these_tests() -> None:
    assert not any(UNLIMITED.model_dump().values())
