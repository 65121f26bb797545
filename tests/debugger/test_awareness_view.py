"""Which awareness scripts watch where a debug session stands, why others do not; what was changed in it, saved."""

from __future__ import annotations

from pathlib import Path

from tests.debugger.material import FILES, TALK, Desk, debugging
from tests.server.material import API, Json, run

WATCHED = """skills:
  - skill: 歇一歇
    id: rest
    actions:
      - {type: say, id: rest_say, content: 歇一会儿。}
awareness:
"""
SCRIPT = """  - awareness: {id}
    id: {id}
    priority: P1
    at: [answer]
    cooldown: 3 turns
    condition:
      judge: 困不困
      rules:
        explicit:
          - {{pattern: {heard}, reason: 说困}}
    then:
      - {{directive: CALL_TECHNIQUE, technique: rest}}
"""
IDS = {
    "in_session": "很困",
    "in_phase": "很累",
    "in_topic": "很烦",
    "for_bye": "很饿",
    "for_none": "很冷",
    "off_here": "很热",
}
PHASE = "        id: opening\n"
TOPIC = "            id: meet\n"
BYE = "            id: bye\n"
SWITCHED = (
    TALK.replace("    locale: zh-CN\n", "    locale: zh-CN\n    awareness: [in_session, off_here]\n", 1)
    .replace(PHASE, PHASE + "        awareness: {enable: [in_phase], disable: [off_here]}\n")
    .replace(TOPIC, TOPIC + "            awareness: {enable: [in_topic]}\n")
    .replace(BYE, BYE + "            awareness: {enable: [for_bye]}\n")
)
TEXTS = {
    **FILES,
    "talk.yaml": SWITCHED,
    "watch.yaml": WATCHED + "".join(SCRIPT.format(id=name, heard=heard) for name, heard in IDS.items()),
}


async def _watching(desk: Desk) -> dict[str, Json]:
    found = (await desk.get("awareness"))["scripts"]
    assert [each["awareness"].startswith("sleepy/") for each in found[: len(IDS)]] == [True] * len(IDS)
    return {each["awareness"].removeprefix("sleepy/"): each for each in found}


def test_who_watches_is_told_with_the_reason(tmp_path: Path) -> None:
    async def looked() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(texts=TEXTS)
            found = await _watching(desk)
            told = {name: (found[name]["on"], found[name]["because"]) for name in IDS}
            assert told == {
                "in_session": (True, "session"),
                "in_phase": (True, "phase"),
                "in_topic": (True, "topic"),
                "for_bye": (False, "elsewhere"),
                "for_none": (False, "nowhere"),
                "off_here": (False, "off-here"),
            }
            assert found["for_bye"]["where"] == ["bye"]
            assert found["safety/suicide_risk"]["because"] == "always"
            await desk.say("我很困")
            hit = (await _watching(desk))["in_session"]
            assert (hit["times"], hit["rest"]) == (1, "cooldown")
            await desk.say("小林")
            later = await _watching(desk)
            assert later["off_here"]["because"] == "session"
            assert later["in_topic"]["because"] == "elsewhere"

    run(looked())


def test_what_was_mended_is_saved_as_a_version_of_its_project(tmp_path: Path) -> None:
    async def saved() -> None:
        async with debugging(tmp_path) as desk:
            api, token = desk.api, desk.token
            made = await api.post(f"{API}/workbench/projects", {"name": "睡", "template": "empty"}, token)
            project = made.json()["id"]
            versions = f"{API}/workbench/projects/{project}/versions"
            changes = {**FILES, "session.yaml": None, "tests/own.test.yaml": "cases: []\n"}
            first = await api.post(versions, {"base": 1, "changes": changes}, token)
            assert first.status_code == 201, first.text
            await desk.make(texts={}, project=project)
            assert desk.state["project"] == project
            mended = TALK.replace("睡了 < 6", "睡了 < 5")
            await desk.do("text", {"texts": {"talk.yaml": mended}})
            kept = await desk.do("save", {"note": "少于五个小时才呼吸"})
            assert kept == {"version": 3, "files": ["talk.yaml"]}
            there = (await api.get(f"{API}/workbench/projects/{project}/texts", token)).json()["texts"]
            assert there == {**FILES, "talk.yaml": mended, "tests/own.test.yaml": "cases: []\n"}
            other = await api.post(versions, {"base": 3, "changes": {"talk.yaml": TALK}}, token)
            assert other.status_code == 201
            await desk.do("text", {"texts": {"talk.yaml": mended.replace("早点睡", "早些睡")}})
            refused = await desk.do("save", {}, 409)
            assert refused["code"] == "version-conflict"

    run(saved())


def test_texts_of_no_project_cannot_be_saved(tmp_path: Path) -> None:
    async def kept() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            assert desk.state["project"] == ""
            assert (await desk.do("save", {}, 403))["code"] == "read-only"

    run(kept())
