"""What awareness scripts came to in a turn, as a debug session may see it: why each acted or did not."""

from __future__ import annotations

import pytest
from tests.server.material import API, Asked, Grounds, Json, Visit, run, seen
from tests.server.test_debug import debug
from tests.sessions.looking import SCRIPT, Looker

RISK, ALLIANCE = "safety/suicide_risk", "tests/alliance"
WATCHER = """
  - awareness: 走题
    id: off_topic
    priority: P1
    always: true
    at: [before ai_think]
    condition: {judge: 说到别处去了}
    then: [{directive: FEEDBACK, text: 拉回来}]
"""


@pytest.fixture
def looked(grounds: Grounds) -> Grounds:
    script = SCRIPT.replace("every: 5m", "every: 1 turns").replace("skills:", WATCHER.lstrip("\n") + "skills:")
    (grounds.folder / "project" / "looked.yaml").write_text(script, encoding="utf-8")
    return grounds


async def talked(api: Asked, level: str) -> tuple[Visit, int]:
    """A session whose person has said something, and the last message that they have seen."""
    visit, turn = await api.begun(script="tests/small", options={"debug_level": level})
    return visit, seen(await api.turn(visit, text="你没在听", after=seen(turn)))


async def look(api: Asked) -> None:
    sessions = api.context.sessions
    await sessions.sweep()
    await sessions.settled()


def by_name(found: Json) -> dict[str, Json]:
    return {each["awareness"]: each for each in found["awareness"]}


def test_a_hit_beside_the_conversation_and_what_it_orders_a_turn_later(looked: Grounds) -> None:
    async def work() -> None:
        async with looked.asgi(store={"model": Looker().model()}, debug="full", development=True) as api:
            visit, last = await talked(api, "full")
            told = by_name(await debug(api, visit))
            assert (told[RISK]["verdict"], told[RISK]["because"], told[RISK]["priority"]) == ("no", "no hit", "P0")
            await look(api)
            found = await debug(api, visit)
            assert (found["turn"], found["input"], found["messages"]) == (3, "noticed", [])
            assert (found["whole"], found["calls"]) == (True, [])
            told = by_name(found)
            assert (told[ALLIANCE]["verdict"], told[ALLIANCE]["source"]) == ("yes", "model")
            assert (told[ALLIANCE]["because"], told[ALLIANCE]["orders"]) == ("waits for the next hook point", [])
            await api.turn(visit, text="不太好", after=last)
            told = by_name(await debug(api, visit))
            assert (told[ALLIANCE]["verdict"], told[ALLIANCE]["because"]) == ("", "acted")
            assert told[ALLIANCE]["orders"] == ["CALL_TECHNIQUE"]

    run(work())


def test_the_call_stands_with_the_turn_that_it_looks_back_from(looked: Grounds) -> None:
    async def work() -> None:
        async with looked.asgi(store={"model": Looker("no").model()}, debug="full", development=True) as api:
            visit, _last = await talked(api, "full")
            await look(api)
            (made,) = [each for each in (await debug(api, visit, 2))["calls"] if each["purpose"] == "periodic"]
            assert (made["used"], made["status"], made["attempts"][0]["tokens_in"]) == (False, "answered", 100)

    run(work())


def test_a_script_that_was_not_judged_says_why(looked: Grounds) -> None:
    async def work() -> None:
        async with looked.asgi(debug="full", development=True) as api:
            visit, _last = await talked(api, "full")
            told = by_name(await debug(api, visit))
            assert told["tests/off_topic"]["verdict"] == ""
            assert told["tests/off_topic"]["because"] == "hook point not reachable"

    run(work())


def test_a_summary_holds_no_words(looked: Grounds) -> None:
    async def work() -> None:
        async with looked.asgi(debug="summary") as api:
            visit, last = await talked(api, "summary")
            await api.turn(visit, text="我不想活了", after=last)
            found = await debug(api, visit)
            told = by_name(found)[RISK]
            assert (told["verdict"], told["because"], told["source"]) == ("yes", "acted", "rules")
            assert (told["evidence"], told["reason"]) == (None, None)
            assert told["orders"] == ["CALL_TECHNIQUE"]
            decided = next(
                each for each in found["decisions"] if each["kind"] == "awareness" and "acted" in each["data"]
            )
            assert decided["data"]["priority"] == "P0"
            assert "evidence" not in decided["data"]
            assert "不想活" not in str(found)

    run(work())


def test_the_shape_is_published(looked: Grounds) -> None:
    async def work() -> None:
        async with looked.asgi() as api:
            schemas = (await api.get("/openapi.json")).json()["components"]["schemas"]
            assert schemas["Debug"]["properties"]["awareness"]["items"]["$ref"].endswith("/DebugAwareness")
            assert (await api.get(f"{API}/about")).status_code == 200

    run(work())
