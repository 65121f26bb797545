"""Who is on duty: whoever is signed in at the desk and has said that they are there. A person who asks for a human is
told so, and stands in their list."""

from __future__ import annotations

from typing import Any

from tests.server.material import API, Asked, Grounds, headers, run
from tests.server.test_desk import DESK, LI, WANG, listed, token

from heartrule.server.tokens import Staff

CBT = Staff("c-9", "赵老师", "counsellor", ("cbt",))


async def here(api: Asked, staff: Staff, there: bool = True) -> dict[str, Any]:
    sent = headers(token(api, staff), {})
    answer = await api.client.put(f"{DESK}/me/here", headers=sent, json={"here": there})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def asked_for_a_human(api: Asked, words: str = "我想跟真人说") -> tuple[str, str]:
    """What is answered, and the session."""
    visit, _ = await api.begun(script="cbt/exercises")
    turn = await api.turn(visit, text=words)
    return "\n".join(each["content"] for each in turn["messages"]), visit.id


def test_nobody_is_on_duty_until_somebody_says_that_they_are_there(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            me = await api.get(f"{DESK}/me", token(api, WANG))
            assert me.json()["here"] is False, "to be signed in is not enough"
            assert "没有人值班" in (await asked_for_a_human(api))[0]
            assert (await here(api, WANG))["here"] is True
            assert (await here(api, LI))["here"] is True
            said, session = await asked_for_a_human(api)
            assert "给负责这里的人留个话" in said
            assert "没有人值班" not in said
            assert (await here(api, LI, there=False))["here"] is False
            assert (await here(api, WANG, there=False))["here"] is False
            assert "没有人值班" in (await asked_for_a_human(api))[0]
            assert session

    run(work())


def test_who_agrees_stands_in_the_list_of_those_who_are_there(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            await here(api, WANG)
            visit, _ = await api.begun(script="cbt/exercises")
            await api.turn(visit, text="我想跟真人说")
            turn = await api.turn(visit, type="choice", choice="tell")
            assert any("话留好了" in each["content"] for each in turn["messages"])
            assert [each["id"] for each in await listed(api, "escalated")] == [visit.id]

    run(work())


def test_in_danger_they_are_called_and_the_person_is_told(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            await here(api, WANG)
            visit, _ = await api.begun(script="cbt/exercises")
            turn = await api.turn(visit, text="我不想活了")
            assert any("给负责这里的人发了提醒" in each["content"] for each in turn["messages"])
            turn = await api.turn(visit, text="我要投诉，叫你们工作人员来")
            assert any("给负责这里的人留了话" in each["content"] for each in turn["messages"])
            assert [each["id"] for each in await listed(api, "escalated")] == [visit.id]

    run(work())


def test_who_may_not_see_the_project_is_not_there_for_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            await here(api, LI)
            assert "没有人值班" in (await asked_for_a_human(api))[0], "of another project"
            await here(api, CBT)
            assert "留个话" in (await asked_for_a_human(api))[0]

    run(work())


def test_a_page_that_was_closed_says_nothing_any_more(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            await here(api, WANG)
            grounds.clock.pass_(seconds=91)
            assert "没有人值班" in (await asked_for_a_human(api))[0]

    run(work())


def test_staff_alone_can_say_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            for opener, status in ((visit.token, 403), (None, 401)):
                answer = await api.client.put(f"{API}/desk/me/here", headers=headers(opener, {}), json={"here": True})
                assert answer.status_code == status

    run(work())


def test_what_is_said_after_asking_for_a_human_is_no_answer(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, first = await api.begun(script="cbt/abc_intro")
            await api.turn(visit, text="我想跟真人说")
            turn = await api.turn(visit, text="我要投诉，叫你们的工作人员来")
            assert any("想和真人谈" in each["content"] for each in turn["messages"])
            kept = await api.context.sessions.store.variables(visit.id)
            assert not [each for each in kept if "投诉" in str(each.value)], "it was stored as an answer"
            assert first

    run(work())
