"""A turn as debug sessions may see it: at each level, masked, of models that fail, of records that are broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.server.material import API, Asked, Grounds, Json, Visit, problem, run, seen
from tests.sessions.material import change
from tests.sessions.test_ledger import PRICES, QUICK

from heartrule.llm.model import Model
from heartrule.llm.provider import Reply, Request, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.server.debug_view import _event
from heartrule.store.records import EventRecord

SCRIPT = """
sessions:
  - session: 称呼
    id: named
    locale: zh-CN
    declare:
      - {var: 称呼, type: text, scope: global, define: 怎么称呼}
      - {var: 情绪, type: text, define: 此刻的情绪}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: name, content: 怎么称呼你？, output: [{get: 称呼}]}
              - {type: ask, id: mood, content: "{称呼}，此刻是什么心情？", output: [{get: 情绪}]}
              - type: ai_ask
                id: more
                content: "问{称呼}：感到{情绪}的时候，心里闪过什么念头"
                max_rounds: 3
                output: [{get: 念头, define: 闪过的念头}]
              - {type: say, id: bye, content: 再见。}
"""
NAME, MOOD, THOUGHT = "小雨点儿", "闷闷的难过", "她一定是烦我了"


def values(**given: str) -> Json:
    return {name: {"value": value, "evidence": value} for name, value in given.items()}


class Counsellor:
    """Understands the answers of this test. ``faults`` come before the answer of a turn, one after the other."""

    def __init__(self, *faults: Any) -> None:
        self.faults = list(faults)

    def __call__(self, request: Request) -> Any:
        asked = json.dumps(request.schema, ensure_ascii=False)
        if "verdicts" in asked:
            return {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""}]}
        said = "\n".join(message.text for message in request.messages)
        if THOUGHT in said and "EXIT" in asked and self.faults:
            return self.faults.pop(0)
        known = {"念头": THOUGHT, "情绪": MOOD, "称呼": NAME}
        found = values(**{name: words for name, words in known.items() if words in said and f'"{name}"' in asked})
        answer = {
            "EXIT": "YES" if THOUGHT in said else "NO",
            "exit_reason": "问到了" if THOUGHT in said else "还没问到",
            "understood": True,
            "values": found,
            "content": "嗯，我听见了。" if THOUGHT in said or MOOD not in said else f"{NAME}，难过的时候闪过什么？",
        }
        return Reply(json.dumps(answer, ensure_ascii=False), "m-1", tokens_in=900, tokens_out=40, first_token=0.2)


@pytest.fixture
def named(grounds: Grounds) -> Grounds:
    (grounds.folder / "project" / "named.yaml").write_text(SCRIPT, encoding="utf-8")
    return grounds


def model(*faults: Any) -> Model:
    return Model([ScriptedProvider(Counsellor(*faults), name="host/m")], QUICK, random=lambda: 0.5, prices=PRICES)


async def talked(api: Asked, level: str = "full", words: tuple[str, ...] = (NAME, MOOD, THOUGHT)) -> Visit:
    visit, turn = await api.begun(script="tests/named", options={"debug_level": level})
    for each in words:
        turn = await api.turn(visit, text=each, after=seen(turn))
    return visit


async def debug(api: Asked, visit: Visit, turn: int | None = None) -> Json:
    answer = await api.get(f"{visit.path}/debug" + (f"?turn={turn}" if turn else ""), visit.token)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


@pytest.mark.parametrize(
    ("given", "project", "server", "level"),
    [
        ({}, "full", "full", "full"),
        ({}, "full", "summary", "summary"),
        ({}, "summary", "full", "summary"),
        ({}, "full", "none", "none"),
        ({}, "none", "full", "none"),
        ({"debug_level": "none"}, "full", "full", "none"),
        ({"debug_level": "full"}, "summary", "full", "full"),
    ],
)
def test_a_project_s_level_holds_where_a_session_says_nothing(
    named: Grounds, given: Json, project: str, server: Any, level: str
) -> None:
    (named.project / "project.yaml").write_text(f"id: tests\nlocale: zh-CN\ndebug: {project}\n", encoding="utf-8")

    async def work() -> None:
        async with named.asgi(debug=server) as api:
            visit = await api.visit("tests/named", options=given)
            assert (await api.get(visit.path, visit.token)).json()["debug"] == level

    run(work())


def call(found: Json, purpose: str) -> Json:
    made: Json = next(each for each in found["calls"] if each["purpose"].startswith(purpose))
    return made


def test_a_turn_from_its_position_to_what_each_call_changed(named: Grounds) -> None:
    async def work() -> None:
        async with named.asgi(store={"model": model()}, debug="full", development=True) as api:
            visit = await talked(api)
            found = await debug(api, visit, 3)
            assert (found["turn"], found["last"], found["level"], found["masked"]) == (3, 4, "full", False)
            assert (found["whole"], found["reason"], found["input"]) == (True, "", "message")
            assert found["position"]["action"]["id"] == "more"
            assert found["milliseconds"] > 0
            bubble = next(each for each in found["variables"] if each["name"] == "情绪")
            assert (bubble["value"], bubble["scope"], bubble["source"], bubble["strategy"]) == (
                MOOD,
                "session",
                "mood",
                "json",
            )
            assert (bubble["changed"], bubble["evidence"]) == (True, MOOD)
            assert [(write["turn"], write["old"], write["value"]) for write in bubble["history"]] == [(3, None, MOOD)]
            asked = call(found, "ask")
            assert (
                asked["template"].endswith("/ask.md@" + asked["template"].rpartition("@")[2])
                or "@" in asked["template"]
            )
            assert asked["answer"]["values"]["情绪"]["value"] == MOOD
            assert asked["changed"]["variables"] == ["情绪"]
            assert (asked["used"], asked["exact"], asked["tier"]) == (True, True, "balanced")
            assert (asked["temperature"], asked["deadline"], asked["max_tokens"]) == (0.3, 10.0, 1500)

    run(work())


def test_each_inserted_variable_is_where_it_is_said_to_be(named: Grounds) -> None:
    async def work() -> None:
        async with named.asgi(store={"model": model()}, debug="full", development=True) as api:
            visit = await talked(api)
            found = await debug(api, visit, 4)
            asked = call(found, "ai_ask")
            layers = {layer["role"]: layer for layer in asked["prompt"]}
            assert set(layers) == {"system", "user"}
            places = layers["user"]["inserted"]
            text = layers["user"]["text"]
            at = {(each["name"], text[each["offset"] :][: each["length"]]) for each in places}
            assert {("称呼", NAME), ("情绪", MOOD)} <= at
            assert all(each["source"] in ("name", "mood", "more") for each in places)
            assert f"问{NAME}：感到{MOOD}的时候" in text
            assert not any("\ue0f0" <= character <= "\ue0f2" for character in text)
            scopes = {each["name"]: each["scope"] for each in places}
            assert scopes["称呼"] == "global"
            assert scopes["情绪"] == "session"

    run(work())


def test_exits_and_what_they_rest_on(named: Grounds) -> None:
    async def work() -> None:
        async with named.asgi(store={"model": model()}, debug="full", development=True) as api:
            visit = await talked(api, words=(NAME, MOOD, "不知道怎么说", THOUGHT))
            stays, leaves = await debug(api, visit, 4), await debug(api, visit)
            decided = [each for found in (stays, leaves) for each in found["decisions"] if each["kind"] == "exit"]
            assert [each["data"]["should_exit"] for each in decided] == [False, True]
            assert decided[1]["data"]["decision_source"] in ("exit_flag", "exit_criteria", "llm_suggestion")
            assert call(leaves, "ai_ask")["changed"]["exits"] == [decided[1]["number"]]
            kinds = {each["kind"] for each in leaves["decisions"]}
            assert {"replied", "exit", "topic", "phase", "ended"} <= kinds

    run(work())


def test_every_try_of_a_model_that_fails(named: Grounds) -> None:
    async def work() -> None:
        faults = (ServerError("500"), "这不是 JSON：乱写的")
        async with named.asgi(store={"model": model(*faults)}, debug="full", development=True) as api:
            visit = await talked(api)
            asked = call(await debug(api, visit), "ai_ask")
            first, second, third = asked["attempts"]
            assert (first["outcome"], first["code"], first["because"]) == ("error", "server_error:500", "first")
            assert (second["outcome"], second["code"], second["because"]) == (
                "rejected",
                "not_json",
                "server_error:500",
            )
            assert second["raw"] == "这不是 JSON：乱写的"
            assert second["parse"][0] == "direct"
            assert (third["outcome"], third["because"]) == ("ok", "not_json")
            assert (third["provider"], third["model"], third["first_token"]) == ("host/m", "m-1", 0.2)
            assert (third["tokens_in"], third["cached"], third["tokens_out"]) == (900, None, 40)
            assert (third["cost"], third["currency"], first["cost"]) == (900 * 2000 + 40 * 3000, "CNY", None)
            assert json.loads(third["raw"])["EXIT"] == "YES"
            assert asked["status"] == "answered"
            assert [each["form"] for each in asked["attempts"]] == ["first", "simplified", "mended"]
            assert first["prompt"] == []
            assert len(second["prompt"][0]["text"]) < len(asked["prompt"][0]["text"])
            assert [layer["role"] for layer in third["prompt"]][-2:] == ["assistant", "user"]
            assert third["prompt"][-2]["text"] == second["raw"]
            assert second["problem"] in third["prompt"][-1]["text"]

    run(work())


def test_a_call_that_came_to_nothing_still_shows_its_tries(named: Grounds) -> None:
    async def work() -> None:
        faults = tuple(ServerError("503") for _ in range(4))
        async with named.asgi(store={"model": model(*faults)}, debug="full", development=True) as api:
            visit = await talked(api)
            asked = call(await debug(api, visit), "ai_ask")
            assert (asked["status"], asked["answer"]) == ("failed", None)
            assert [each["code"] for each in asked["attempts"]] == ["server_error:503"] * 4
            assert asked["prompt"]
            assert asked["changed"] == {"variables": [], "exits": [], "messages": []}

    run(work())


def test_outside_development_prompts_and_what_is_known_of_the_person_are_masked(named: Grounds) -> None:
    async def work() -> None:
        async with named.asgi(store={"model": model()}, debug="full") as api:
            visit = await talked(api)
            found = await debug(api, visit, 4)
            assert found["masked"]
            for each in found["calls"]:
                assert each["prompt"]
                assert all(layer["text"] is None and layer["characters"] > 0 for layer in each["prompt"])
                assert not any(layer["inserted"] for layer in each["prompt"])
            bubbles = {each["name"]: each for each in found["variables"]}
            assert (bubbles["称呼"]["masked"], bubbles["称呼"]["value"], bubbles["称呼"]["evidence"]) == (
                True,
                None,
                None,
            )
            assert [(write["turn"], write["value"]) for write in bubbles["称呼"]["history"]] == [(2, None)]
            assert (bubbles["情绪"]["masked"], bubbles["情绪"]["value"]) == (False, MOOD)

    run(work())


@pytest.mark.parametrize("development", [False, True])
@pytest.mark.parametrize("server", ["summary", "full"])
def test_a_summary_holds_nothing_that_was_said(named: Grounds, server: str, development: bool) -> None:
    async def work() -> None:
        faults = (f"这不是 JSON：{THOUGHT}",)
        store = {"model": model(*faults)}
        async with named.asgi(store=store, debug=server, development=development) as api:
            visit = await talked(api, "summary")
            for turn in range(1, 5):
                found = await debug(api, visit, turn)
                told = json.dumps(found, ensure_ascii=False)
                assert found["level"] == "summary"
                for words in (NAME, MOOD, THOUGHT, "我听见了", "问到了", "闪过什么"):
                    assert words not in told
            assert {each["name"] for each in found["variables"]} >= {"称呼", "情绪"}
            assert all(each["masked"] for each in found["variables"])
            decided = [each["data"] for each in found["decisions"] if each["kind"] == "exit"]
            assert decided[0]["should_exit"]
            assert [each["outcome"] for each in call(found, "ai_ask")["attempts"]] == ["rejected", "ok"]

    run(work())


def test_what_a_kind_holds_of_a_persons_words_is_no_part_of_a_summary() -> None:
    """Under the same name (``before``, ``cause``) another kind holds ids."""
    named = {"topic": "family", "cause": "for_each 家人 grew", "before": ["父亲"], "after": ["父亲", "母亲"]}
    told = _event(EventRecord(1, 1, "instances", None, named), full=False).data
    assert told == {"topic": "family", "cause": "for_each 家人 grew"}
    queue = {"before": ["a"], "after": ["b"], "cause": "scheduled"}
    assert _event(EventRecord(1, 1, "queue", None, queue), full=False).data == queue
    snapshot = {"scope": "topic", "scope_key": "t1", "name": "family", "variables": {"想法": "没有用"}}
    assert "variables" not in _event(EventRecord(1, 1, "scope_snapshot", None, snapshot), full=False).data


def test_no_more_is_shown_than_server_and_session_allow(named: Grounds) -> None:
    async def work() -> None:
        asking = {"script": "tests/named", "options": {"debug_level": "full"}}
        async with named.asgi(debug="summary") as api:
            assert (await api.get(f"{API}/about")).json()["debug"] == "summary"
            problem(await api.post(f"{API}/sessions", asking), "debug-off", 403)
            plain, _ = await api.begun(script="tests/named")
            assert plain.session["debug"] == "none"
            problem(await api.get(f"{plain.path}/debug", plain.token), "debug-off", 403)
        async with named.asgi(debug="full") as api:
            visit, _ = await api.begun(script="tests/named", options={"debug_level": "full"})
            assert visit.session["debug"] == "full"
            assert (await debug(api, visit))["level"] == "full"
        async with named.asgi(debug="summary") as api:
            assert (await api.get(visit.path, visit.token)).json()["debug"] == "summary"
            assert (await debug(api, visit))["level"] == "summary"
        async with named.asgi() as api:
            problem(await api.get(f"{visit.path}/debug", visit.token), "debug-off", 403)

    run(work())


def test_whose_it_is_and_which_turn(named: Grounds) -> None:
    async def work() -> None:
        async with named.asgi(debug="full") as api:
            visit = await api.visit(script="tests/named", options={"debug_level": "full"})
            problem(await api.get(f"{visit.path}/debug", visit.token), "not-found", 404)
            await api.turn(visit, type="start")
            problem(await api.get(f"{visit.path}/debug"), "unauthorized", 401)
            other = await api.visit()
            problem(await api.get(f"{visit.path}/debug", other.token), "not-found", 404)
            assert (await debug(api, visit))["turn"] == 1
            problem(await api.get(f"{visit.path}/debug?turn=2", visit.token), "not-found", 404)
            problem(await api.get(f"{visit.path}/debug?turn=0", visit.token), "invalid-request", 422)
            assert (await api.get(f"{visit.path}/debug", visit.person_token)).status_code == 200

    run(work())


@pytest.mark.parametrize(
    ("statement", "reason", "detail"),
    [
        ("DELETE FROM messages WHERE turn = 2 AND reply", "differs", "turn 2: messages differ"),
        ("DELETE FROM snapshots", "not_kept", "turn 1"),
        ("DELETE FROM bundle_sources", "cannot_restore", "script"),
    ],
)
def test_records_that_do_not_come_together(named: Grounds, statement: str, reason: str, detail: str) -> None:
    async def work() -> None:
        async with named.asgi(store={"model": model()}, debug="full", development=True) as api:
            visit = await talked(api)
            change(api.context.sessions, statement)
        async with named.asgi(store={"model": model()}, debug="full", development=True, prepare=False) as api:
            found = await debug(api, visit)
            assert (found["whole"], found["reason"], found["milliseconds"]) == (False, reason, None)
            assert detail in found["detail"]
            asked = call(found, "ai_ask")
            assert (asked["used"], asked["prompt"], asked["temperature"]) == (False, [], None)
            assert asked["answer"]["EXIT"] == "YES"
            assert {each["name"] for each in found["variables"]} >= {"称呼", "情绪"}

    run(work())
