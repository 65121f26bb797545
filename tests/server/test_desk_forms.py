"""Forms that scripts leave to counsellors, at the desk: seen, begun, handed in once, and seen by the person only as far
as they are for them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Json, Visit, problem, run, seen
from tests.server.test_desk import DESK, ELSEWHERE, LI, WANG, deeds, desk
from tests.server.test_forms import SCRIPT as FILLED
from tests.sessions.test_secrecy import files

from heartrule.server.tokens import Staff

LEFT = (
    FILLED.replace("licence: 自编", "audience: counselor\n    licence: 自编")
    .replace("scores:", "on_submit:\n      - {set: 记录, value: '{note}'}\n    scores:")
    .replace("locale: zh-CN\n", "locale: zh-CN\n    declare: [{var: 记录, scope: global, define: 咨询师记下的}]\n")
    .replace("id: form, form: mood}", "id: form, form: mood, mode: counselor, values: {how: 3}}")
    .replace("{mood.total}分。还有吗？", "你好吗？")
    + """              - {type: say, content: "{mood.total}分"}
              - {type: ask, id: more, content: 还有吗？}
"""
)
SHARED = LEFT.replace("filling", "shared").replace("audience: counselor", "audience: report")
for old in ("id: {}", "form: {}", "{{{}."):
    SHARED = SHARED.replace(old.format("mood"), old.format("open"))
NOTE = "他今天提到了哥哥的事情"
GOOD: Json = {"q1": 1, "q9": 0, "note": NOTE}


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    made = Grounds(tmp_path)
    (made.project / "left.yaml").write_text(LEFT, encoding="utf-8")
    (made.project / "shared.yaml").write_text(SHARED, encoding="utf-8")
    return made


async def begun(api: Asked, script: str = "tests/filling") -> tuple[Visit, Json]:
    return await api.begun(script=script)


async def left(api: Asked, visit: Visit, staff: Staff = WANG) -> Json:
    answer = await desk(api, "GET", f"/sessions/{visit.id}/forms", staff=staff)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def key_of(api: Asked, visit: Visit) -> str:
    (waiting,) = (await left(api, visit))["waiting"]
    return str(waiting["form"]["key"])


async def send(api: Asked, visit: Visit, key: str, values: Json, staff: Staff = WANG, *, submit: bool = False) -> Any:
    path = f"/sessions/{visit.id}/forms/{key}"
    if submit:
        return await desk(api, "POST", f"{path}/submit", {"values": values}, staff)
    return await desk(api, "PUT", path, {"values": values}, staff)


def test_a_form_waits_is_begun_and_handed_in_once(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            assert turn["request"]["type"] == "message"  # the person is kept by nothing
            (waiting,) = (await left(api, visit))["waiting"]
            assert (waiting["audience"], waiting["begun"], waiting["form"]["values"]) == (
                "counselor",
                False,
                {"how": 3},
            )
            assert waiting["form"]["fields"][0]["label"] == "最近两周"
            key = waiting["form"]["key"]
            kept = (await send(api, visit, key, {"q1": 1, "note": NOTE})).json()
            assert kept["values"] == {"how": 3, "q1": 1, "note": NOTE}
            assert (await send(api, visit, key, {"q1": 0, "how": None}, LI)).json()["values"] == {"q1": 0, "note": NOTE}
            (waiting,) = (await left(api, visit, LI))["waiting"]
            assert (waiting["begun"], waiting["form"]["values"]) == (True, {"q1": 0, "note": NOTE})
            assert "since" in waiting["form"]["hidden"]
            # What is missing is told, and nothing of what was filled in is lost.
            refused = (await send(api, visit, key, {"q1": 1}, submit=True)).json()["form"]
            assert [(each["field"], each["code"]) for each in refused["problems"]] == [("q9", "required")]
            assert refused["values"] == {"q1": 1, "note": NOTE}
            assert (await api.session(visit))["turn"] == 1
            assert (await send(api, visit, key, {"q9": 0}, submit=True)).json() == {"form": None}
            found = await left(api, visit)
            assert found["waiting"] == []
            (done,) = found["done"]
            assert (done["scores"], done["bands"], done["filled_by"]) == ({"total": 1}, {"total": "重"}, "counselor")
            problem(await send(api, visit, key, {"q9": 1}, submit=True), "no-such-form", 409)
            problem(await send(api, visit, key, {"q9": 1}), "no-such-form", 409)
            assert [each[2] for each in await deeds(api, visit)].count("form") == 1
            # Whatever answered the whole form to somebody stands on record as their having read it.
            assert [who for who, _, what in await deeds(api, visit) if what == "read" and who != "token:c-1"] == [
                f"token:{LI.id}"
            ]
            turn = await api.turn(visit, text="还好", after=seen(turn))
            assert [each["content"] for each in turn["messages"] if each["sender"] == "ai"] == ["1分", "还有吗？"]

    run(work())


def test_what_is_for_counsellors_alone_reaches_the_person_nowhere(grounds: Grounds) -> None:
    async def told(api: Asked, script: str) -> str:
        visit, turn = await begun(api, script)
        key = await key_of(api, visit)
        assert (await send(api, visit, key, {**GOOD, "q9": 1}, submit=True)).json() == {"form": None}
        assert (await api.session(visit))["in_crisis"] is False  # it is not the person who says so
        await api.turn(visit, text="还好", after=seen(turn))
        shown = []
        for path in (visit.path, f"{visit.path}/forms", f"{visit.path}/messages", "/api/v1/persons/me"):
            token = visit.person_token if path.endswith("/me") else visit.token
            shown.append((await api.get(path, token)).text)
        shown.append((await api.get("/api/v1/persons/me/export", visit.person_token)).text)
        return "".join(shown)

    async def work() -> None:
        async with grounds.asgi() as api:
            assert NOTE not in await told(api, "tests/filling")
            assert (await told(api, "tests/shared")).count(NOTE) >= 3  # forms, what is known, the export

    run(work())


def test_handing_in_again_what_was_handed_in_is_no_mistake(grounds: Grounds) -> None:
    """Whoever did not hear that it had arrived sends it once more."""

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            key = await key_of(api, visit)
            for _ in range(2):
                assert (await send(api, visit, key, GOOD, submit=True)).json() == {"form": None}
            assert len((await left(api, visit))["done"]) == 1
            assert (await api.session(visit))["turn"] == 2
            problem(await send(api, visit, key, {**GOOD, "q1": 0}, submit=True), "no-such-form", 409)
            problem(await send(api, visit, key, GOOD, LI, submit=True), "no-such-form", 409)

    run(work())


def test_two_counsellors_at_once_hand_in_one_form(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            key = await key_of(api, visit)
            both = await asyncio.gather(
                send(api, visit, key, {**GOOD, "note": "王"}, WANG, submit=True),
                send(api, visit, key, {**GOOD, "note": "李"}, LI, submit=True),
            )
            assert sorted(each.status_code for each in both) in ([200, 200], [200, 409])
            assert len((await left(api, visit))["done"]) == 1
            assert (await api.session(visit))["turn"] == 2

    run(work())


def test_a_session_that_is_over_or_paused_takes_it_and_stays_so(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            over, _ = await begun(api)
            await api.post(f"{over.path}/end", {}, over.token)
            before = await api.session(over)
            grounds.clock.pass_(hours=2)
            assert (await send(api, over, await key_of(api, over), GOOD, submit=True)).json() == {"form": None}
            after = await api.session(over)
            kept = ("status", "ended_at", "last_active_at")
            assert [after[name] for name in kept] == [before[name] for name in kept]
            paused, _ = await begun(api)
            await api.post(f"{paused.path}/pause", {}, paused.token)
            await send(api, paused, await key_of(api, paused), GOOD, submit=True)
            assert (await api.session(paused))["paused"]
            for session in (over.id, paused.id):
                assert [each.turn async for each in api.context.sessions.replay(session)]

    run(work())


def test_who_may_not_see_the_session_sees_no_form_of_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            key = await key_of(api, visit)
            problem(await desk(api, "GET", f"/sessions/{visit.id}/forms", staff=ELSEWHERE), "not-found", 404)
            problem(await send(api, visit, key, GOOD, ELSEWHERE), "not-found", 404)
            problem(await send(api, visit, key, GOOD, ELSEWHERE, submit=True), "not-found", 404)
            problem(await api.get(f"{DESK}/sessions/{visit.id}/forms", visit.token), "not-staff", 403)
            problem(await send(api, visit, "f9-9", GOOD), "no-such-form", 409)
            problem(await send(api, visit, key, {"q1": {"a": 1}}), "invalid-request", 422)
            unknown = (await send(api, visit, key, {**GOOD, "gone": 1}, submit=True)).json()["form"]
            assert [each["code"] for each in unknown["problems"]] == ["unknown_field"]

    run(work())


def test_no_word_of_a_form_is_in_clear_or_logged(grounds: Grounds, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            key = await key_of(api, visit)
            await send(api, visit, key, {"note": NOTE})
            assert not [path for path in files(grounds.data) if NOTE.encode() in path.read_bytes()]
            await send(api, visit, key, GOOD, submit=True)
            problem(await send(api, visit, key, GOOD, LI, submit=True), "no-such-form", 409)

    run(work())
    assert not [path for path in files(grounds.data) if NOTE.encode() in path.read_bytes()]
    assert NOTE not in caplog.text + json.dumps([str(record.__dict__) for record in caplog.records], ensure_ascii=False)
