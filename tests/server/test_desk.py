"""The desk: who gets in, what they see of sessions, taking over, writing and handing back, and what the person sees."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import jwt
import pytest
from tests.server.material import (
    API,
    SECRET,
    Asked,
    Grounds,
    Json,
    Visit,
    headers,
    problem,
    run,
    seen,
    take,
    told,
    until,
)

from heartrule.server.tokens import Invalid, Staff, Tokens
from heartrule.testing.hold import START, MovedClock

DESK = f"{API}/desk"
WANG = Staff("c-1", "王老师", "counsellor", ("*",))
LI = Staff("c-2", "Dr. Li", "counsellor", ("tests",))
ELSEWHERE = Staff("c-3", "张老师", "counsellor", ("cbt",))
CRISIS = "我不想活了，今晚就去跳楼"


def token(api: Asked, staff: Staff = WANG, **more: Any) -> str:
    return api.context.tokens.of_staff(staff, **more).token


def routes_of(session: str) -> list[tuple[str, str, Any]]:
    """Every route of the desk."""
    path = f"{DESK}/sessions/{session}"
    return [
        ("GET", f"{DESK}/me", None),
        ("GET", f"{DESK}/sessions", None),
        ("GET", f"{DESK}/escalations", None),
        ("GET", path, None),
        ("GET", f"{path}/messages", None),
        ("GET", f"{path}/events", None),
        ("POST", f"{path}/takeover", {"key": "key-00001"}),
        ("POST", f"{path}/messages", {"key": "key-00002", "text": "你好"}),
        ("POST", f"{path}/typing", None),
        ("POST", f"{path}/hand-back", {"key": "key-00003"}),
        ("POST", f"{path}/escalations/1-1/acknowledge", None),
    ]


async def desk(api: Asked, method: str, path: str, body: Any = None, staff: Staff = WANG) -> Any:
    sent = {} if body is None else {"json": body}
    return await api.client.request(method, f"{DESK}{path}", headers=headers(token(api, staff), {}), **sent)


async def done(api: Asked, path: str, staff: Staff = WANG, **body: Any) -> Json:
    answer = await desk(api, "POST", path, body, staff)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def listed(api: Asked, show: str = "help", staff: Staff = WANG) -> list[Json]:
    answer = await desk(api, "GET", f"/sessions?show={show}", staff=staff)
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()["sessions"]
    return found


async def deeds(api: Asked, visit: Visit) -> list[tuple[str, str, str]]:
    found = await api.context.sessions.store.audit.newest(session=visit.id)
    return [(each.who, each.role, each.what) for each in reversed(found)]


# who gets in


def test_no_token_of_a_visitor_opens_anything_of_the_desk(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            visit, _ = await api.begun()
            other = await api.visit()
            recovery = (await api.post(f"{visit.path}/recovery", token=visit.token)).json()["token"]
            subject = embedded()
            for wrong in (visit.token, visit.person_token, other.token, recovery, subject):
                for method, path, body in routes_of(visit.id):
                    answer = await api.client.request(method, path, json=body, headers=headers(wrong, {}))
                    problem(answer, "not-staff", 403)
            for method, path, body in routes_of(visit.id):
                problem(await api.client.request(method, path, json=body), "unauthorized", 401)
            assert await deeds(api, visit) == []
            assert (await api.session(visit))["human"] is None

    run(work())


def test_a_token_of_the_desk_opens_nothing_of_a_visitor(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            for method, path in (
                ("GET", ""),
                ("GET", "/messages"),
                ("GET", "/events"),
                ("POST", "/pause"),
                ("POST", "/resume"),
                ("POST", "/end"),
                ("POST", "/recovery"),
            ):
                answer = await api.client.request(method, visit.path + path, headers=headers(token(api), {}))
                problem(answer, "not-found", 404)
            problem(await api.get(f"{API}/sessions", token(api)), "unauthorized", 401)
            problem(await api.post(f"{API}/sessions", {"script": "tests/small"}, token(api)), "unauthorized", 401)

    run(work())


def test_sessions_of_other_projects_do_not_exist(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            for method, path, body in routes_of(visit.id)[3:]:
                answer = await api.client.request(method, path, json=body, headers=headers(token(api, ELSEWHERE), {}))
                problem(answer, "not-found", 404)
                answer = await api.client.request(
                    method, path.replace(visit.id, "0" * 32), json=body, headers=headers(token(api), {})
                )
                problem(answer, "not-found", 404)
            assert await listed(api, "all", ELSEWHERE) == []
            assert [each["id"] for each in await listed(api, "all", LI)] == [visit.id]
            assert await deeds(api, visit) == []

    run(work())


def embedded(**more: Any) -> str:
    claims = {"aud": "heartrule", "sub": "visitor-17", "exp": int((START + timedelta(hours=1)).timestamp()), **more}
    return jwt.encode(claims, SECRET, "HS256")


def test_a_service_that_embeds_us_may_say_who_its_counsellors_are(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api:
            good = {"role": "counsellor", "name": "赵老师", "projects": ["tests"], "sub": "staff-4"}
            answer = await api.get(f"{DESK}/me", embedded(**good))
            assert answer.json() == {
                "id": "embedder:staff-4",
                "name": "赵老师",
                "role": "counsellor",
                "roles": ["counsellor"],
                "projects": ["tests"],
                "here": False,
                "absent_minutes": 5.0,
            }
            problem(await api.get(f"{DESK}/me", embedded(**{**good, "role": "visitor"})), "not-staff", 403)
            for wrong in (
                {"projects": []},
                {"projects": "tests"},
                {"projects": [3]},
                {"projects": None},
                {"name": ""},
                {"name": " 赵老师"},
                {"name": "赵\n老师"},
                {"name": "赵" * 41},
                {"name": 3},
            ):
                problem(await api.get(f"{DESK}/me", embedded(**{**good, **wrong})), "unauthorized", 401)

    run(work())


def test_tokens_of_the_desk_run_out_and_are_not_made_wrong() -> None:
    clock = MovedClock()
    tokens = Tokens(b"k" * 32, None, clock)
    issued = tokens.of_staff(LI)
    assert issued.expires_at - clock.now() == timedelta(hours=12)
    assert tokens.read(issued.token).staff == LI
    clock.pass_(hours=13)
    with pytest.raises(Invalid):
        tokens.read(issued.token)
    for wrong in (
        Staff("", "N", "counsellor", ("*",)),
        Staff("c", "", "counsellor", ("*",)),
        Staff("c", "N", "counsellor", ()),
    ):
        with pytest.raises(Invalid):
            tokens.of_staff(wrong)


# taking over


def test_taking_over_writing_and_handing_back_as_both_see_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            path = f"/sessions/{visit.id}"
            taken = await done(api, f"{path}/takeover", key="key-00001")
            assert taken["human"]["name"] == "王老师"
            assert taken["request"] == {"type": "message", "choices": []}
            session = await api.session(visit)
            assert session["human"] == taken["human"]
            assert "c-1" not in str(session)
            said = await done(api, f"{path}/messages", key="key-00002", text="你好，我是王老师。")
            (message,) = said["messages"]
            assert (message["sender"], message["name"], message["content"]) == ("human", "王老师", "你好，我是王老师。")
            heard = await api.turn(visit, text="我睡不着", after=message["seq"])
            assert [each["sender"] for each in heard["messages"]] == ["person"]
            answer = await desk(api, "GET", f"{path}/messages?after={seen(begun)}")
            senders = [each["sender"] for each in answer.json()["messages"]]
            assert senders == ["system", "human", "person"]
            back = await done(api, f"{path}/hand-back", key="key-00003")
            assert [each["sender"] for each in back["messages"]] == ["system", "ai"]
            assert back["human"] is None
            assert back["messages"][1]["content"].endswith("最近心情怎样？")
            assert (await api.session(visit))["human"] is None
            whats = [what for *_, what in await deeds(api, visit)]
            assert whats == ["takeover", "write", "read", "hand_back"]
            assert {role for _, role, _ in await deeds(api, visit)} == {"counsellor"}

    run(work())


def test_who_has_cleared_the_danger_says_so_with_the_hand_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            question = begun["messages"][-1]["content"]
            crisis = await api.turn(visit, text="我不想活了", after=seen(begun))
            assert crisis["messages"][-1]["content"] != question
            path = f"/sessions/{visit.id}"
            await done(api, f"{path}/takeover", key="key-00001")
            back = await done(api, f"{path}/hand-back", key="key-00002", closed=True, reason="safe", next="on")
            assert back["messages"][-1]["content"].endswith(question.splitlines()[-1])
            again = await done(api, f"{path}/hand-back", key="key-00002", closed=True, reason="safe", next="on")
            assert again["messages"] == back["messages"], "sent twice, done once"
            assert [what for *_, what in await deeds(api, visit)] == ["takeover", "cleared"]

    run(work())


def test_behind_danger_the_program_waits_for_the_person(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            (visit, begun), (calm, _) = await api.begun(), await api.begun()
            await api.turn(visit, text="我不想活了", after=seen(begun))
            for each in (visit, calm):
                await done(api, f"/sessions/{each.id}/takeover", key="key-00001")
            opened = [(await desk(api, "GET", f"/sessions/{each.id}")).json() for each in (visit, calm)]
            assert [each["next"] for each in opened] == ["wait", "on"]
            body: Json = {"key": "key-00002", "closed": True, "reason": "safe", "text": "明天三点见。"}
            back = await done(api, f"/sessions/{visit.id}/hand-back", **body)
            assert back["messages"][0]["content"] == "明天三点见。"
            assert [each["sender"] for each in back["messages"]] == ["human", "system"]
            assert (back["quiet"], back["human"], back["request"]["type"]) == (True, None, "message")
            assert await done(api, f"/sessions/{visit.id}/hand-back", **body) == back, "sent twice, done once"
            assert (await api.session(visit))["quiet"] is True
            on = await done(api, f"/sessions/{calm.id}/hand-back", key="key-00002")
            assert (on["quiet"], [each["sender"] for each in on["messages"]]) == (False, ["system", "ai"])
            heard = await api.turn(visit, text="没人在乎我", after=seen(back))
            assert [each["sender"] for each in heard["messages"]] == ["person", "ai", "ai"]
            assert heard["messages"][-1]["content"].endswith(begun["messages"][-1]["content"].splitlines()[-1])
            assert heard["quiet"] is False

    run(work())


def test_a_counsellor_ends_it_in_words_of_their_own(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            await api.turn(visit, text=CRISIS, after=seen(begun))
            path = f"/sessions/{visit.id}"
            problem(
                await desk(api, "POST", f"{path}/hand-back", {"key": "key-00000", "next": "end"}), "not-taken-over", 409
            )
            await done(api, f"{path}/takeover", key="key-00001")
            body: Json = {"key": "key-00002", "next": "end", "text": "今天到这里。", "closed": True, "reason": "safe"}
            ended = await done(api, f"{path}/hand-back", **body)
            assert [each["sender"] for each in ended["messages"]] == ["human", "system"]
            assert "12356" in ended["messages"][-1]["content"]
            assert (ended["execution_status"], ended["request"]["type"]) == ("completed", "none")
            session = await api.session(visit)
            assert (session["status"], session["human"], session["quiet"]) == ("ended", None, False)
            assert [what for *_, what in await deeds(api, visit)] == ["takeover", "ended"]
            assert await listed(api) == [], "nobody is called for who was seen off"

    run(work())


def test_what_is_opened_tells_the_counsellor_how_it_stands_and_is_on_record(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            await api.turn(visit, text=CRISIS, after=seen(begun))
            opened = (await desk(api, "GET", f"/sessions/{visit.id}")).json()
            assert (opened["id"], opened["project"], opened["holder"], opened["crisis"]) == (
                visit.id,
                "tests",
                None,
                True,
            )
            assert await deeds(api, visit) == [("token:c-1", "counsellor", "read")]
            await done(api, f"/sessions/{visit.id}/takeover", key="key-00001")
            mine = (await desk(api, "GET", f"/sessions/{visit.id}")).json()["holder"]
            theirs = (await desk(api, "GET", f"/sessions/{visit.id}", staff=LI)).json()["holder"]
            assert (mine["me"], theirs["me"], theirs["name"]) == (True, False, "王老师")

    run(work())


def test_the_second_is_told_who_has_it_and_may_relieve_them(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            path = f"/sessions/{visit.id}"
            await done(api, f"{path}/takeover", key="key-00001")
            for what, body in (("takeover", {}), ("messages", {"text": "…"}), ("hand-back", {})):
                answer = await desk(api, "POST", f"{path}/{what}", {"key": "key-00009", **body}, LI)
                assert "王老师" in problem(answer, "taken-over", 409)["title"]
            relieved = await done(api, f"{path}/takeover", LI, key="key-00010", instead="token:c-1")
            assert relieved["human"]["name"] == "Dr. Li"
            answer = await desk(api, "POST", f"{path}/messages", {"key": "key-00011", "text": "…"})
            assert "Dr. Li" in problem(answer, "taken-over", 409)["title"]

    run(work())


def test_without_taking_over_nothing_can_be_said_and_what_is_over_is_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            path = f"/sessions/{visit.id}"
            for what, body in (("messages", {"text": "你好"}), ("hand-back", {})):
                answer = await desk(api, "POST", f"{path}/{what}", {"key": "key-00001", **body})
                problem(answer, "not-taken-over", 409)
            await api.post(f"{visit.path}/end", token=visit.token)
            problem(await desk(api, "POST", f"{path}/takeover", {"key": "key-00002"}), "closed", 409)
            assert await deeds(api, visit) == []

    run(work())


def test_the_same_key_again_is_the_same_deed(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            path = f"/sessions/{visit.id}"
            first = await done(api, f"{path}/takeover", key="key-00001")
            assert await done(api, f"{path}/takeover", key="key-00001") == first
            said = await done(api, f"{path}/messages", key="key-00001", text="你好")
            assert await done(api, f"{path}/messages", key="key-00001", text="你好") == said
            answer = await desk(api, "POST", f"{path}/messages", {"key": "key-00001", "text": "别的"})
            problem(answer, "key-reused", 409)

    run(work())


def test_what_is_too_long_or_no_text_is_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            path = f"/sessions/{visit.id}"
            await done(api, f"{path}/takeover", key="key-00001")
            for text, code, status in (("字" * 20_001, "too-long", 413), ("", "invalid-request", 422)):
                answer = await desk(api, "POST", f"{path}/messages", {"key": "key-00002", "text": text})
                problem(answer, code, status)
            assert [what for *_, what in await deeds(api, visit)] == ["takeover"]

    run(work())


# lists


def test_who_waits_for_somebody_comes_first_without_a_word_of_what_they_said(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            calm, _ = await api.begun()
            held, _ = await api.begun()
            late, begun = await api.begun()
            grounds.clock.pass_(minutes=1)
            await api.turn(late, text=CRISIS, after=seen(begun))
            early, begun = await api.begun()
            grounds.clock.pass_(minutes=-1)
            await api.turn(early, text=CRISIS, after=seen(begun))
            await done(api, f"/sessions/{held.id}/takeover", key="key-00001")
            found = await listed(api)
            assert [each["id"] for each in found] == [early.id, late.id, held.id]
            assert [each["reasons"][-1] for each in found] == ["crisis", "crisis", "taken_over"]
            assert found[2]["holder"]["name"] == "王老师"
            assert "跳楼" not in str(found)
            assert found[0]["name"] == "小谈"
            assert {each["id"] for each in await listed(api, "all")} == {calm.id, held.id, late.id, early.id}
            assert [each["id"] for each in await listed(api, "taken")] == [held.id]
            assert await deeds(api, early) == []
            grounds.clock.pass_(hours=25)
            assert await listed(api, "all") == []

    run(work())


def test_escalations_are_listed_read_and_acknowledged_once(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            await escalate(api, visit)
            assert [each["reasons"] for each in await listed(api, "escalated")] == [["escalated"]]
            found = (await desk(api, "GET", "/escalations")).json()["escalations"]
            assert [(each["session"], each["id"], each["acknowledged_by"]) for each in found] == [
                (visit.id, "1-1", None)
            ]
            assert "一句话" not in str(found)
            opened = (await desk(api, "GET", f"/sessions/{visit.id}")).json()
            assert [each["note"] for each in opened["escalations"]] == ["绝密的一句话"]
            assert (await desk(api, "GET", "/escalations", staff=ELSEWHERE)).json() == {"escalations": []}
            path = f"/sessions/{visit.id}/escalations"
            problem(await desk(api, "POST", f"{path}/9-9/acknowledge"), "not-found", 404)
            await done(api, f"{path}/1-1/acknowledge")
            (seen_,) = (await done(api, f"{path}/1-1/acknowledge", LI))["escalations"]
            assert seen_["acknowledged_by"] == "王老师"
            assert await listed(api, "escalated") == []
            assert (await desk(api, "GET", "/escalations")).json() == {"escalations": []}
            assert [what for *_, what in await deeds(api, visit)] == ["read", "ack", "ack"]

    run(work())


def test_a_session_shows_its_own_calls_however_many_others_there_are_since(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            await escalate(api, visit)
            grounds.clock.pass_(minutes=1)
            other, _ = await api.begun()
            await escalate(api, other, 501)
            for each in (visit, other):
                opened = (await desk(api, "GET", f"/sessions/{each.id}")).json()
                assert len(opened["escalations"]) == (1 if each is visit else 501)
            told = await done(api, f"/sessions/{visit.id}/escalations/1-1/acknowledge")
            assert [(each["id"], each["acknowledged_by"]) for each in told["escalations"]] == [("1-1", "王老师")]

    run(work())


def test_calls_of_other_projects_hide_none_of_ones_own(grounds: Grounds) -> None:
    async def work() -> None:
        from sqlalchemy import update

        from heartrule.store.database import Tx
        from heartrule.store.schema import sessions

        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            await escalate(api, visit)
            grounds.clock.pass_(minutes=1)
            other, _ = await api.begun()
            await escalate(api, other, 501)
            moved = update(sessions).where(sessions.c.id == other.id).values(project="elsewhere")

            def move(tx: Tx) -> None:
                tx.conn.execute(moved)

            await api.context.sessions.store._db.write(move)
            own = (await desk(api, "GET", "/escalations", staff=LI)).json()["escalations"]
            assert [each["session"] for each in own] == [visit.id]
            assert [each["id"] for each in await listed(api, "escalated", LI)] == [visit.id]
            assert len((await desk(api, "GET", "/escalations?limit=500")).json()["escalations"]) == 500

    run(work())


async def escalate(api: Asked, visit: Visit, times: int = 1) -> None:
    """What a turn of a script that calls for somebody leaves in the store."""
    from heartrule.store.database import Tx
    from heartrule.store.escalations import EscalationRecord, put

    record = await api.context.sessions.session(visit.id)
    found = EscalationRecord(
        *(f"{visit.id}/1-1", visit.id, record.person, 1, "desk", "awareness safety/x", "P0", "open"),
        *(grounds_now(api), 0, None, None, None, None),
    )

    def work(tx: Tx) -> None:
        for number in range(1, times + 1):
            put(tx, tx.keys.box(record.person), replace(found, id=f"{visit.id}/1-{number}"), "绝密的一句话")

    await api.context.sessions.store._db.write(work)


def grounds_now(api: Asked) -> Any:
    return api.context.sessions.clock.now()


# live


def test_both_sides_see_each_other_live(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, _ = await api.begun()
            path = f"/sessions/{visit.id}"
            sent = headers(token(api), {})
            async with (
                api.events(visit) as theirs,
                api.client.stream("GET", f"{DESK}{path}/events", headers=sent) as answer,
            ):
                ours = told(answer)
                await done(api, f"{path}/takeover", key="key-00001")
                completed = (await until(theirs))[-1]
                assert completed.data["human"]["name"] == "王老师"
                await until(ours)
                await asyncio.sleep(0.05)
                assert (await desk(api, "POST", f"{path}/typing")).status_code == 204
                (event,) = await take(theirs, 1)
                assert (event.id, event.name, event.data) == (None, "human.typing", {"name": "王老师"})
                await take(ours, 1)
                await done(api, f"{path}/messages", key="key-00002", text="在吗？")
                message = next(each for each in await until(theirs) if each.name == "message.completed")
                assert (message.data["sender"], message.data["name"]) == ("human", "王老师")
                await until(ours)
                await api.turn(visit, text="在", after=message.data["seq"])
                message = next(each for each in await until(ours) if each.name == "message.completed")
                assert message.data["content"] == "在"

    run(work())


def test_only_who_holds_a_session_is_said_to_be_writing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, _ = await api.begun()
            path = f"/sessions/{visit.id}"
            await done(api, f"{path}/takeover", key="key-00001")
            async with api.events(visit) as theirs:
                await desk(api, "POST", f"{path}/typing", staff=LI)
                await done(api, f"{path}/messages", key="key-00002", text="在吗？")
                assert [each.name for each in await take(theirs, 2)] == ["turn.started", "message.completed"]

    run(work())


def test_a_deed_goes_on_when_the_counsellor_s_page_goes_away(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            asked = asyncio.create_task(desk(api, "POST", f"/sessions/{visit.id}/takeover", {"key": "key-00001"}))
            await asyncio.sleep(0)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            answer = await done(api, f"/sessions/{visit.id}/takeover", key="key-00002")
            assert answer["human"]["name"] == "王老师"
            assert (await api.session(visit))["human"] is not None

    run(work())


def test_a_server_that_stops_takes_nothing_new(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await api.begun()
            await api.context.running.finish(0.1)
            answer = await desk(api, "POST", f"/sessions/{visit.id}/takeover", {"key": "key-00001"})
            problem(answer, "stopping", 503)
            problem(await desk(api, "GET", f"/sessions/{visit.id}/events"), "stopping", 503)

    run(work())
