"""A shift at the desk: who waits, who is with them, what happens while one looks elsewhere, what is kept beside."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from tests.server.material import API, Asked, Grounds, Json, Told, Visit, problem, run, seen, told
from tests.server.signing import Page, account, page
from tests.server.test_desk import CRISIS
from tests.server.test_forms import SCRIPT as FORM

from heartrule.server.ready_replies import shipped
from heartrule.server.routes.desk_rota import coming
from heartrule.sessions.lost_counsellors import give_back
from heartrule.store.rota import PlannedHours


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    made = Grounds(tmp_path)
    (made.project / "filling.yaml").write_text(FORM, encoding="utf-8")
    return made


def session(visit: Visit, more: str = "") -> str:
    return f"/desk/sessions/{visit.id}{more}"


async def items(desk: Page, show: str = "help") -> list[Json]:
    found: list[Json] = (await desk.done("GET", f"/desk/sessions?show={show}"))["sessions"]
    return found


async def item(desk: Page, visit: Visit, show: str = "all") -> Json:
    return next(each for each in await items(desk, show) if each["id"] == visit.id)


async def take_over(desk: Page, visit: Visit, key: str = "key-00001", **more: Any) -> Json:
    found: Json = await desk.done("POST", session(visit, "/takeover"), {"key": key, **more})
    return found


@asynccontextmanager
async def news(api: Asked, desk: Page) -> AsyncIterator[AsyncIterator[Told]]:
    """What a page of the desk is told as it happens, over a real socket."""
    cookies = {cookie.name: cookie.value or "" for cookie in desk.client.cookies.jar}
    client = httpx2.AsyncClient(base_url=str(api.client.base_url), cookies=cookies, timeout=20)
    async with client, client.stream("GET", f"{API}/desk/events") as answer:
        assert answer.status_code == 200, await answer.aread()
        stream = told(answer)
        assert (await anext(stream)).name == "hello"
        yield stream


async def until(stream: AsyncIterator[Told], name: str, seconds: float = 5, **wanted: Any) -> Told:
    async with asyncio.timeout(seconds):
        async for each in stream:
            if each.name == name and all(each.data.get(key) == value for key, value in wanted.items()):
                return each
    raise AssertionError("the stream ended")


@asynccontextmanager
async def desks(api: Asked, *names: str) -> AsyncIterator[list[Page]]:
    """Counsellors at their pages."""
    app = api.client._transport  # type: ignore[attr-defined]
    made: list[Page] = []
    base = str(api.client.base_url)
    transport = app if isinstance(app, httpx2.ASGITransport) else None
    for name in names:
        client = httpx2.AsyncClient(transport=transport, base_url=base, timeout=20)
        made.append(await account(api, Page(client), name))
    try:
        yield made
    finally:
        for each in made:
            await each.client.aclose()


def test_a_crisis_is_in_the_list_at_once_and_wakes_who_is_there(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api, desks(api, "wang", "li") as (wang, li), news(api, wang) as stream:
            visit, begun = await api.begun()
            await until(stream, "item", session=visit.id)
            await api.context.sessions.duty.come("someone", ("*",), "")
            turn = asyncio.create_task(api.turn(visit, text=CRISIS, after=seen(begun)))
            alert = await until(stream, "alert", session=visit.id)
            await turn
            assert alert.data["kind"] in ("crisis", "escalated")
            shown = await item(wang, visit)
            assert shown["urgent"] is True
            assert shown["unread"] == 1
            took = []
            for _ in range(5):  # the machine has other things to do as well
                changed = time.perf_counter()
                api.context.news.changed(visit.id)
                told_ = await until(stream, "item", session=visit.id)
                took.append(time.perf_counter() - changed)
            assert min(took) < 0.3
            assert told_.data["item"]["reasons"]
            assert "跳楼" not in json.dumps(told_.data, ensure_ascii=False)
            # Taken over, nobody else can; and the calls are acknowledged by it.
            await take_over(wang, visit)
            problem(await li.ask("POST", session(visit, "/takeover"), {"key": "key-00002"}), "taken-over", 409)
            taken = await until(stream, "item", session=visit.id)
            assert taken.data["item"]["holder"]["me"] is True
            assert (await item(wang, visit))["escalations"] == 0
            await api.turn(visit, text="你还在吗", after=seen(begun))
            message = await until(stream, "alert", session=visit.id, kind="message")
            assert message.data["at"]
            assert (await item(wang, visit))["waiting_since"] is not None

    run(work())


def test_danger_told_to_a_human_stands_first_until_it_is_cleared(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            (grave, begun), (calm, other) = await api.begun(), await api.begun()
            await take_over(wang, grave)
            await take_over(wang, calm)
            assert "crisis" not in (await item(wang, grave))["reasons"]
            await api.turn(grave, text=CRISIS, after=seen(begun))
            await wang.done("POST", session(grave, "/messages"), {"key": "key-00003", "text": "我在。"})
            grounds.clock.pass_(seconds=30)  # type: ignore[attr-defined]
            await api.turn(calm, text="嗯", after=seen(other))  # the latest, and not the first
            assert "crisis" in (await item(wang, grave))["reasons"]
            assert [each["id"] for each in await items(wang, "mine")] == [grave.id, calm.id]
            cleared = {"key": "key-00004", "closed": True, "reason": "misheard"}
            await wang.done("POST", session(grave, "/hand-back"), cleared)
            assert "crisis" not in (await item(wang, grave))["reasons"]

    run(work())


def test_danger_told_to_a_human_who_leaves_wakes_the_others(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api, desks(api, "wang", "li") as (wang, li), news(api, li) as stream:
            visit, begun = await api.begun()
            await take_over(wang, visit)
            await api.turn(visit, text=CRISIS, after=seen(begun))
            await wang.done("POST", session(visit, "/messages"), {"key": "key-00003", "text": "我在。"})
            calls = await wang.done("GET", session(visit))
            for call in calls["escalations"]:
                await wang.done("POST", session(visit, f"/escalations/{call['id']}/acknowledge"))
            await until(stream, "item", session=visit.id)
            await wang.done("POST", session(visit, "/hand-back"), {"key": "key-00004"})
            alert = await until(stream, "alert", session=visit.id)
            assert alert.data["kind"] in ("crisis", "escalated")

    run(work())


def test_a_stream_ends_with_its_sign_in(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrule.server.staff_access.LOOK", 0.05)
    monkeypatch.setattr("heartrule.server.routes.desk_shift.QUIET", 0.1)

    async def work() -> None:
        async with grounds.served() as api, desks(api, "wang") as (wang,), news(api, wang) as stream:
            await wang.done("POST", "/staff/sign-out")
            async with asyncio.timeout(5):
                assert [each.name async for each in stream if each.name != "duty"] == []

    run(work())


def test_people_are_told_apart_and_who_has_seen_what(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang", "li") as (wang, li):
            visit, begun = await api.begun()
            again = await api.visit(token=visit.person_token)
            await api.turn(again, type="start")
            other, _ = await api.begun()
            people = {each["id"]: each["person"] for each in await items(wang, "all")}
            assert people[visit.id] == people[again.id] != people[other.id]
            assert people[visit.id]["pseudonym"]["zh"] != people[visit.id]["pseudonym"]["en"]
            await api.turn(visit, text="我最近睡不好", after=seen(begun))
            assert (await item(wang, visit))["unread"] == 1
            await wang.done("GET", session(visit))
            await wang.done("GET", session(visit, "/messages"))
            await wang.done("GET", session(visit, "/picture"))
            assert (await item(wang, visit))["unread"] == 0
            looked = await item(li, visit)
            assert looked["unread"] == 1
            assert [(each["name"], each["me"]) for each in looked["seen"]] == [("wang", False)]
            found = await api.context.sessions.store.audit.newest(session=visit.id)
            assert [each.what for each in found] == ["read"]  # one look, one record

    run(work())


def test_notes_tags_and_assignments_are_kept_and_never_shown_to_the_person(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang", "li") as (wang, li):
            visit, _ = await api.begun()
            await take_over(wang, visit)
            note = await wang.done("POST", session(visit, "/notes"), {"text": "金丝雀：谨慎一点"}, 201)
            problem(await li.ask("PUT", session(visit, f"/notes/{note['id']}"), {"text": "x"}), "not-allowed", 403)
            problem(await li.ask("DELETE", session(visit, f"/notes/{note['id']}")), "not-allowed", 403)
            assert (await wang.done("PUT", session(visit, f"/notes/{note['id']}"), {"text": "金丝雀二"}))["edited_at"]
            assert [each["text"] for each in (await li.done("GET", session(visit, "/notes")))["notes"]] == ["金丝雀二"]
            await wang.done("PUT", session(visit, "/tags"), {"tags": ["夜间标签", "夜间标签", "回访"]})
            assert (await wang.done("GET", "/desk/tags"))["tags"] == ["回访", "夜间标签"]
            lis = li.principal["id"]
            body = {"to": lis, "note": "睡眠，请接着谈"}
            await wang.done("PUT", session(visit, "/assignment"), body)
            await wang.done("PUT", session(visit, "/handover"), {"note": "金丝雀三：再看一眼"})
            shown = await item(li, visit, "mine")
            assert shown["assigned"]["to"]["me"] is True
            assert shown["assigned"]["note"] == "睡眠，请接着谈"
            assert shown["holder"]["name"] == "wang"
            problem(await wang.ask("PUT", session(visit, "/assignment"), {"to": "nobody"}), "not-found", 404)
            await take_over(li, visit, "key-00009", instead=wang.principal["id"])
            shift = await li.done("GET", "/desk/shift")
            assert [each["id"] for each in shift["handover"]] == [visit.id]
            assert [each["id"] for each in shift["mine"]] == [visit.id]
            assert shift["done"][0]["what"] == "takeover"
            # What the person and their export see of it: nothing.
            export = await api.get(f"{API}/me/export", visit.person_token)
            for answer in (
                export,
                await api.get(visit.path, visit.token),
                await api.get(f"{visit.path}/messages", visit.token),
            ):
                for word in ("金丝雀", "夜间标签", "睡眠，请接着谈", "金丝雀三"):
                    assert word not in answer.text
            # Gone with the session.
            await api.context.sessions.store.belongings.remove_session(visit.id)
            assert await items(li, "mine") == []
            assert (await li.done("GET", "/desk/tags"))["tags"] == []
            return

    run(work())
    data = b"".join(each.read_bytes() for each in Path(grounds.data).rglob("*") if each.is_file())
    for word in ("金丝雀", "夜间", "金丝雀三"):
        assert word.encode() not in data


def test_replies_are_kept_ready_with_placeholders(grounds: Grounds) -> None:
    async def work() -> None:
        operator = {"name": "晨光中心", "contact": "021-5555"}
        async with grounds.asgi(operator=operator) as api, desks(api, "wang", "li") as (wang, li):
            visit, _ = await api.begun()
            body = {"title": "问好", "text": "你好，我是{counsellor}，{service}的咨询师。", "shared": True}
            made = await wang.done("POST", "/desk/canned", body, 201)
            (shown,) = await own(li, f"?session={visit.id}")
            assert shown["filled"] == "你好，我是li，晨光中心的咨询师。"
            problem(await li.ask("PUT", f"/desk/canned/{made['id']}", body), "not-allowed", 403)
            wrong = {**body, "text": "{password}"}
            problem(await wang.ask("POST", "/desk/canned", wrong), "placeholder-unknown", 422)
            await wang.done("PUT", f"/desk/canned/{made['id']}", {**body, "shared": False})
            assert await own(li) == []
            await wang.done("DELETE", f"/desk/canned/{made['id']}", status=204)
            assert await own(wang) == []

    run(work())


async def own(staff: Page, asked: str = "") -> list[Json]:
    """Replies kept ready, but for the shipped ones."""
    found = (await staff.done("GET", f"/desk/canned{asked}"))["canned"]
    return [each for each in found if each["id"] not in shipped()]


def test_the_organisation_s_replies_are_shipped_and_all_may_change_them(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang", "li") as (wang, li):
            found = (await wang.done("GET", "/desk/canned"))["canned"]
            assert sorted(each["locale"] for each in found) == ["en", "en", "zh-CN", "zh-CN"]
            assert all(each["mine"] and each["shared"] for each in found)
            school = next(each for each in found if each["title"] == "怎么告诉学校")
            changed = {"title": "告诉学校", "text": "先想好跟谁说。", "locale": "zh-CN"}
            await li.done("PUT", f"/desk/canned/{school['id']}", changed)
            again = (await wang.done("GET", "/desk/canned"))["canned"]
            assert next(each for each in again if each["id"] == school["id"])["text"] == "先想好跟谁说。"
            await wang.done("DELETE", f"/desk/canned/{school['id']}", status=204)
            assert len((await li.done("GET", "/desk/canned"))["canned"]) == 3, "and it stays away"
            problem(await li.ask("PUT", f"/desk/canned/{school['id']}", changed), "not-found", 404)

    run(work())


def test_who_comes_next_is_told_and_is_their_own_to_say(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang", "li") as (wang, li):
            now = grounds.clock.now()
            zone = {"zone": "Asia/Shanghai"}
            weekly = {"days": list(range(7)), "start": "22:00", "end": "06:00", **zone}
            made = await li.done("POST", "/desk/rota", weekly, 201)
            assert datetime.fromisoformat(made["until"]) > now
            once = {"date": f"{now:%Y-%m-%d}", "start": "17:05", "end": "17:20", **zone}
            await wang.done("POST", "/desk/rota", once, 201)
            hours = (await wang.done("GET", "/desk/rota"))["hours"]
            assert [(each["who"]["name"], each["who"]["me"]) for each in hours] == [("wang", True), ("li", False)]
            assert [each["days"] for each in hours] == [[], weekly["days"]]
            problem(await wang.ask("DELETE", f"/desk/rota/{made['id']}"), "not-allowed", 403)
            for wrong in (
                {**once, "date": f"{now - timedelta(days=3):%Y-%m-%d}"},
                {**once, "days": [1]},
                {**once, "zone": "Nowhere"},
                {**once, "date": "31.12."},
                {**once, "end": "25:00"},
            ):
                problem(await wang.ask("POST", "/desk/rota", wrong), "invalid-request", 422)
            grounds.clock.pass_(seconds=1_300)  # type: ignore[attr-defined]
            assert [each["who"]["name"] for each in (await wang.done("GET", "/desk/rota"))["hours"]] == ["li"]
            await li.done("DELETE", f"/desk/rota/{made['id']}", status=204)
            assert (await li.done("GET", "/desk/rota"))["hours"] == []

    run(work())


@pytest.mark.parametrize(
    ("now", "since", "until"),
    [
        ("2026-11-23T13:00Z", "2026-11-23T14:00Z", "2026-11-23T22:00Z"),
        ("2026-11-23T21:00Z", "2026-11-23T14:00Z", "2026-11-23T22:00Z"),
        ("2026-11-23T22:00Z", "2026-11-30T14:00Z", "2026-11-30T22:00Z"),
    ],
    ids=["before", "in the night", "over"],
)
def test_a_night_that_begins_on_monday_ends_on_tuesday(now: str, since: str, until: str) -> None:
    hours = PlannedHours("1", "c-1", "王老师", (0,), "", "22:00", "06:00", "Asia/Shanghai")
    found = coming(hours, datetime.fromisoformat(now))
    assert found == (datetime.fromisoformat(since), datetime.fromisoformat(until))


def test_words_are_found_where_they_may_be_seen(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            visit, begun = await api.begun()
            await api.turn(visit, text="昨天和妈妈吵了一架，心里堵得慌", after=seen(begun))
            await wang.done("POST", session(visit, "/notes"), {"text": "妈妈：关系紧张"}, 201)
            found = await wang.done("GET", "/desk/search?q=妈妈")
            assert {(each["message"] is None, each["match"]) for each in found["hits"]} == {
                (True, "妈妈"),
                (False, "妈妈"),
            }
            assert found["complete"] is True
            assert any(each["before"].endswith("昨天和") for each in found["hits"])
            assert (await wang.done("GET", "/desk/search?q=爸爸"))["hits"] == []
            async with page(api) as other:
                await account(api, other, "zhang", projects=("elsewhere",))
                assert (await other.done("GET", "/desk/search?q=妈妈"))["hits"] == []
            whats = [each.what for each in await api.context.sessions.store.audit.newest()]
            assert whats.count("read") == 1

    run(work())


def test_the_picture_has_the_answers_and_the_words_of_danger(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            visit, _ = await api.begun(script="tests/filling")
            key = (await api.session(visit))["request"]["form"]["key"]
            filled = {"key": key, "values": {"q1": 1}}
            draft = {"key": "key-form-1", "input": {"type": "form_draft", "form": filled}}
            assert (await api.post(f"{visit.path}/turns", draft, visit.token)).status_code == 200
            filling = (await wang.done("GET", session(visit, "/picture")))["filling"]
            assert (filling["answered"], filling["form"]["id"]) == (1, "tests/mood")
            body = {
                "key": "key-form-2",
                "input": {"type": "form_submit", "form": {"key": key, "values": {"q1": 1, "q9": 1}}},
            }
            assert (await api.post(f"{visit.path}/turns", body, visit.token)).status_code == 200
            shown = await wang.done("GET", session(visit, "/picture"))
            (form,) = shown["forms"]
            assert [(each["field"], each["words"], each["alarm"]) for each in form["answers"]] == [
                ("q1", "有", False),
                ("q9", "有", True),
            ]
            assert form["scores"][0]["value"] == 2
            (course,) = shown["scores"]
            assert [(each["value"], each["band"]) for each in course["points"]] == [(2, "重")]
            assert shown["next"]["asks"]
            talked, begun = await api.begun(token=visit.person_token)
            turn = await api.turn(talked, text=f"说实话，{CRISIS}。", after=seen(begun))
            picture = await wang.done("GET", session(talked, "/picture"))
            trigger = picture["triggers"][0]
            said = next(each["content"] for each in turn["messages"] if each["sender"] == "person")
            assert trigger["level"] == "urgent"
            assert said[trigger["start"] : trigger["end"]] == trigger["words"] != ""
            (earlier,) = picture["earlier"]
            assert (earlier["session"], earlier["forms"]) == (visit.id, [{"name": "心情表", "score": 2, "band": "重"}])
            assert [each["session"] for each in picture["forms"]] == [visit.id]

    run(work())


def test_what_was_taken_from_the_words_is_set_right_on_record(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            visit, begun = await api.begun()
            turn = await api.turn(visit, text="我叫小明", after=seen(begun))
            values = (await wang.done("GET", session(visit, "/picture")))["values"]
            assert values, "the small script keeps what was said"
            one = values[0]
            put = {
                **{name: one[name] for name in ("scope", "scope_key", "name")},
                "reason": "听错了",
                "key": "key-value",
            }
            told_ = await wang.done("PUT", session(visit, "/values"), {**put, "value": "小敏"})
            (right,) = [each for each in told_["values"] if each["name"] == one["name"]]
            assert (right["value"], right["corrected"]) == ("小敏", True)
            (correction,) = told_["corrections"]
            assert (correction["old"], correction["value"], correction["by"]) == (one["value"], "小敏", "wang")
            assert correction["reason"] == "听错了"
            unknown = {**put, "name": "没有", "value": "x", "key": "key-value-2"}
            problem(await wang.ask("PUT", session(visit, "/values"), unknown), "not-found", 404)
            deeds = [each.what for each in await api.context.sessions.store.audit.newest(session=visit.id)]
            assert deeds[0] == "correct"
            assert [each["seq"] for each in await api.messages(visit)][-1] == seen(turn)  # nothing is said
            replayed = [each.turn async for each in api.context.sessions.replay(visit.id)]
            assert replayed == list(range(1, len(replayed) + 1))

    run(work())


def test_a_wrong_reply_becomes_a_conversation_test(grounds: Grounds, tmp_path: Path) -> None:
    async def work() -> str:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            visit, begun = await api.begun()
            turn = await api.turn(visit, text="我叫小明，电话 13800138000", after=seen(begun))
            number = next(each["seq"] for each in turn["messages"] if each["sender"] == "ai")
            answer = await wang.ask("GET", session(visit, f"/reviews/{number}/test"))
            assert answer.status_code == 200, answer.text
            assert "attachment" in answer.headers["content-disposition"]
            problem(await wang.ask("GET", session(visit, "/reviews/9999/test")), "no-such-reply", 409)
            return answer.text

    text = run(work())
    assert "13800138000" not in text
    held = yaml.safe_load(text)
    assert held["script"] == "tests/small"
    assert held["tests"][0]["turns"][-1]["expect"]["never_says"]
    # As a file of the project it is a test, and fails as long as the reply is said.
    (grounds.project / "tests").mkdir(exist_ok=True)
    (grounds.project / "broken.yaml").unlink()
    file = grounds.project / "tests" / "wrong.test.yaml"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "heartrule", "test", str(file), "--format", "json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert held["tests"][0]["turns"][-1]["expect"]["never_says"][0] in ran.stdout + ran.stderr


def test_a_counsellor_who_vanishes_gives_the_session_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(sweep_seconds=300) as api, desks(api, "wang", "li") as (wang, li):
            visit, begun = await api.begun()
            question = begun["messages"][-1]["content"]
            await take_over(wang, visit)
            absent = api.context.settings.staff.absent
            grounds.clock.pass_(minutes=4)  # type: ignore[attr-defined]
            await wang.done("GET", "/desk/colleagues")  # a sign of life
            grounds.clock.pass_(minutes=4)  # type: ignore[attr-defined]
            assert await give_back(api.context.sessions, absent) == []
            grounds.clock.pass_(minutes=2)  # type: ignore[attr-defined]
            assert list(await give_back(api.context.sessions, absent)) == [visit.id]
            said = [each["content"] for each in await api.messages(visit)]
            assert any("连接断了" in each for each in said)
            assert said[-1].endswith(question.splitlines()[-1])  # at its place
            assert (await api.session(visit))["human"] is None
            problem(
                await wang.ask("POST", session(visit, "/messages"), {"key": "key-late-1", "text": "我回来了"}),
                "not-taken-over",
                409,
            )
            await take_over(li, visit, "key-00002")
            figures = await li.done("GET", "/desk/figures")
            assert (figures["taken_over"], figures["vanished"]) == (2, 1)

    run(work())


def test_who_goes_off_duty_and_writes_no_more_gives_the_session_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(sweep_seconds=300) as api, desks(api, "wang", "li") as (wang, li):
            here = await wang.done("PUT", "/desk/me/here", {"here": True})
            absent = api.context.settings.staff.absent
            assert here["absent_minutes"] * 60 == absent.total_seconds()
            (left, _), (ending, _), (others, _) = [await api.begun() for _ in range(3)]
            await take_over(wang, left)
            await take_over(wang, ending)
            await take_over(li, others)  # who never was on duty goes off by nothing
            grounds.clock.pass_(minutes=1)  # type: ignore[attr-defined]
            await wang.done("PUT", "/desk/me/here", {"here": False})
            grounds.clock.pass_(minutes=4)  # type: ignore[attr-defined]
            await wang.done("POST", session(ending, "/messages"), {"key": "key-00003", "text": "我说完再走。"})
            assert await give_back(api.context.sessions, absent) == []
            grounds.clock.pass_(minutes=2)  # type: ignore[attr-defined]
            for page_open in (wang, li):
                await page_open.done("GET", "/desk/colleagues")  # a sign of life, and nothing else
            assert list(await give_back(api.context.sessions, absent)) == [left.id]
            assert "连接断了" in (await api.messages(left))[-2]["content"]
            assert (await api.session(ending))["human"] is not None
            await wang.done("PUT", "/desk/me/here", {"here": True})  # back, and nothing of theirs goes
            grounds.clock.pass_(minutes=4)  # type: ignore[attr-defined]
            await wang.done("PUT", "/desk/me/here", {"here": True})
            grounds.clock.pass_(minutes=4)  # type: ignore[attr-defined]
            for each in (wang, li):
                await each.done("PUT", "/desk/me/here", {"here": True})
            assert await give_back(api.context.sessions, absent) == []

    run(work())


def test_figures_count_calls_and_why_danger_was_cleared(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            await wang.done("PUT", "/desk/me/here", {"here": True})
            visit, begun = await api.begun()
            await api.turn(visit, text=CRISIS, after=seen(begun))
            grounds.clock.pass_(seconds=42)  # type: ignore[attr-defined]
            await take_over(wang, visit)
            body: Json = {"key": "key-00005", "closed": True}
            problem(await wang.ask("POST", session(visit, "/hand-back"), body), "reason-needed", 422)
            body |= {"reason": "with_somebody", "note": "姐姐在身边"}
            await wang.done("POST", session(visit, "/hand-back"), body)
            figures = await wang.done("GET", "/desk/figures?days=1")
            assert figures["cleared"] == {"with_somebody": 1}
            if figures["calls"]:
                assert figures["waiting"]["longest"] == 42
            assert [each["text"] for each in (await wang.done("GET", session(visit, "/notes")))["notes"]] == [
                "姐姐在身边"
            ]

    run(work())


def test_ended_sessions_are_listed_page_by_page(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, desks(api, "wang") as (wang,):
            visits = []
            for _ in range(3):
                visit, _begun = await api.begun()
                await api.post(f"{visit.path}/end", None, visit.token)
                visits.append(visit.id)
                grounds.clock.pass_(minutes=1)  # type: ignore[attr-defined]
            first = await wang.done("GET", "/desk/sessions?show=ended&limit=2")
            assert [each["id"] for each in first["sessions"]] == [visits[2], visits[1]]
            assert first["more"] is True
            before = first["sessions"][-1]["last_active_at"]
            rest = await wang.ask("GET", "/desk/sessions", params={"show": "ended", "before": before})
            assert [each["id"] for each in rest.json()["sessions"]] == [visits[0]]

    run(work())


def test_what_another_process_does_is_told_too(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api, desks(api, "wang") as (wang,), news(api, wang) as stream:
            visit, _begun = await api.begun()
            await until(stream, "item", session=visit.id)
            async with grounds.asgi() as other:
                elsewhere = Page(other.client)
                assert (await elsewhere.sign_in("wang")).status_code == 200
                await elsewhere.done("PUT", session(visit, "/tags"), {"tags": ["回访"]})
                while (await until(stream, "item", session=visit.id)).data["item"]["tags"] != ["回访"]:
                    pass
                assert (await other.send(visit, text="你好")).status_code == 200
                while (await until(stream, "item", session=visit.id)).data["item"]["unread"] != 1:
                    pass

    run(work())
