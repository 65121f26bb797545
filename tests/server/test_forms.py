"""Forms over HTTP: asked for with all that is needed to show them, kept as they are filled, handed in once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.material import API, Asked, Grounds, Json, Visit, problem, run, said, seen, take
from tests.sessions.test_secrecy import files

from heartrule.server.bodies import LARGEST_BODY, LONGEST_MESSAGE

SCRIPT = """
forms:
  - form: 心情表
    id: mood
    licence: 自编
    fields:
      - {id: hint, label: 最近两周, type: note}
      - id: q1
        label: 提不起劲
        type: single
        required: true
        options: [{value: 0, label: 没有}, {value: 1, label: 有}]
      - id: q9
        label: 不如死掉
        type: single
        required: true
        options: [{value: 0, label: 没有}, {value: 1, label: 有}]
      - {id: how, label: 今天, type: slider, ends: [差, 好], step: 1}
      - {id: since, label: 从哪天起, type: date, show_when: q1 > 0}
      - {id: note, label: 想说的, type: longtext, max_length: 200}
    scores:
      - {id: total, label: 总分, sum: [q1, q9], bands: [{from: 0, to: 0, label: 轻}, {from: 1, to: 2, label: 重}]}
    on_answer:
      - {field: q9, if: q9 > 0, directive: CALL_TECHNIQUE, technique: safety/crisis_support}
sessions:
  - session: 填表
    id: filling
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 填
            id: fill
            actions:
              - {type: show_form, id: form, form: mood}
              - {type: ask, id: rest, content: "{mood.total}分。还有吗？"}
"""


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    made = Grounds(tmp_path)
    (made.project / "filling.yaml").write_text(SCRIPT, encoding="utf-8")
    return made


async def begun(api: Asked) -> tuple[Visit, Json]:
    visit = await api.visit("tests/filling")
    return visit, await api.turn(visit, type="start")


async def form(api: Asked, visit: Visit, kind: str, key: str, sent: str = "", **values: Any) -> Json:
    answer = await send(api, visit, kind, {"key": key, "values": values}, sent)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def send(api: Asked, visit: Visit, kind: str, given: Any, sent: str = "") -> Any:
    key = sent or f"form-{next(api._keys):08}"
    body = {"key": key, "input": {"type": f"form_{kind}", "form": given}}
    return await api.post(f"{visit.path}/turns", body, visit.token)


def test_a_form_is_filled_handed_in_and_read(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            asked = turn["request"]
            assert (asked["type"], asked["choices"]) == ("form", [])
            shown = asked["form"]
            assert (shown["id"], shown["name"], shown["licence"]) == ("tests/mood", "心情表", "自编")
            assert [field["type"] for field in shown["fields"]] == [
                *("note", "single", "single", "slider", "date", "longtext")
            ]
            assert shown["fields"][1]["options"] == [{"value": 0, "label": "没有"}, {"value": 1, "label": "有"}]
            slider = shown["fields"][3]
            assert (slider["least"], slider["most"], slider["step"], slider["ends"]) == (0, 10, 1, ["差", "好"])
            assert (shown["hidden"], shown["values"], shown["problems"]) == (["since"], {}, [])
            key = shown["key"]

            turn = await form(api, visit, "draft", key, q1=1)
            assert turn["messages"] == []
            assert turn["request"]["form"]["values"] == {"q1": 1}
            assert turn["request"]["form"]["hidden"] == []
            assert (await api.session(visit))["request"] == turn["request"]

            turn = await form(api, visit, "submit", key, how=7)
            assert turn["request"]["form"]["problems"] == [
                {"field": "q9", "code": "required", "message": "这一项需要填写"}
            ]
            assert turn["request"]["form"]["values"] == {"q1": 1, "how": 7}
            assert (await results(api, visit)) == []

            turn = await form(api, visit, "submit", key, "handed-in-once", q9=0)
            assert said(turn) == ["（填好了“心情表”）"]
            assert said(turn, "ai")[-1].endswith("1分。还有吗？")
            assert turn["request"] == {"type": "message", "choices": []}
            assert await form(api, visit, "submit", key, "handed-in-once", q9=0) == turn
            late = await form(api, visit, "submit", key, q9=0, q1=0)
            assert late["messages"] == []
            (found,) = await results(api, visit)
            assert found["at"].startswith("2026-11-20T09:00:00")
            del found["at"]
            assert found == {
                "turn": 4,
                "form": "tests/mood",
                "name": "心情表",
                "values": {"q1": 1, "q9": 0, "how": 7},
                "scores": {"total": 1},
                "labels": {"total": "总分"},
                "bands": {"total": "重"},
            }

    run(work())


def test_danger_in_the_second_of_two_tabs_is_heard_though_the_first_has_handed_the_form_in(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            key = turn["request"]["form"]["key"]
            await form(api, visit, "submit", key, q1=0, q9=0)
            turn = await form(api, visit, "submit", key, q1=0, q9=1, note="我想死，今晚就跳下去")
            assert any("120" in each for each in said(turn, "ai"))
            assert (await api.session(visit))["position"]["topic"]["id"] == "safety/crisis_support"
            (found,) = await results(api, visit)
            assert found["values"] == {"q1": 0, "q9": 0}

    run(work())


async def results(api: Asked, visit: Visit) -> list[Json]:
    answer = await api.get(f"{visit.path}/forms", visit.token)
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()["forms"]
    return found


def test_the_results_are_their_owners_alone(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            other, _ = await begun(api)
            problem(await api.get(f"{visit.path}/forms"), "unauthorized", 401)
            problem(await api.get(f"{visit.path}/forms", other.token), "not-found", 404)
            problem(await api.get(f"{API}/sessions/none/forms", other.token), "not-found", 404)

    run(work())


@pytest.mark.parametrize("kind", ["draft", "submit", "cancel"])
def test_danger_in_an_answer_is_answered_in_that_turn(grounds: Grounds, kind: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            turn = await form(api, visit, kind, turn["request"]["form"]["key"], q1=0, q9=1)
            assert turn["in_crisis"] is True
            assert said(turn, "ai")

    run(work())


def test_a_draft_is_there_in_another_process_and_on_another_device(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            visit, turn = await begun(api)
            key = turn["request"]["form"]["key"]
            async with api.events(visit) as events:
                await form(api, visit, "draft", key, note="写到一半")
                *_, completed = await take(events, 3)
                assert completed.name == "turn.completed"
                assert completed.data["request"]["form"]["values"] == {"note": "写到一半"}
        async with grounds.asgi() as other:
            assert (await other.session(visit))["request"]["form"]["values"] == {"note": "写到一半"}
            turn = await form(other, visit, "submit", key, q1=0, q9=0)
            assert said(turn)
            assert (await results(other, visit))[0]["values"]["note"] == "写到一半"

    run(work())


def test_every_turn_of_a_form_comes_to_the_same_again(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            key = turn["request"]["form"]["key"]
            await form(api, visit, "draft", key, q1=1, note="写的")
            await form(api, visit, "submit", key)
            await form(api, visit, "cancel", key, q9=1)
            await form(api, visit, "draft", key, q9=0)
            turns = [each.turn async for each in api.context.sessions.replay(visit.id)]
            assert turns == [1, 2, 3, 4, 5]

    run(work())


def test_words_beside_a_form_are_answered_and_it_waits_on(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            turn = await api.turn(visit, text="这是做什么的", after=seen(turn))
            assert said(turn, "ai")
            assert turn["request"]["type"] == "form"

    run(work())


VALUES: list[Any] = [
    {"q1": {"a": 1}},
    {"q1": [["a"]]},
    {"": 1},
    {"q" * 201: 1},
    {f"q{number}": 1 for number in range(301)},
    {"note": "长" * (LONGEST_MESSAGE + 1)},
    {"q1": ["a"] * 201},
    {"q1": 2**60},
    [1],
]


@pytest.mark.parametrize("values", VALUES, ids=range(len(VALUES)))
def test_what_is_no_form_is_refused_without_being_repeated(grounds: Grounds, values: Any) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            key = turn["request"]["form"]["key"]
            problem(await send(api, visit, "draft", {"key": key, "values": values}), "invalid-request", 422)
            assert (await api.session(visit))["turn"] == 1

    run(work())


@pytest.mark.parametrize(
    "given",
    [
        {"type": "form_draft"},
        {"type": "form_draft", "form": {"values": {}}},
        {"type": "form_submit", "text": "x", "form": {"key": "f1"}},
        {"type": "message", "text": "x", "form": {"key": "f1"}},
        {"type": "form_view", "form": {"key": "f1"}},
    ],
)
def test_a_form_goes_with_its_kinds_and_only_with_them(grounds: Grounds, given: Json) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, _ = await begun(api)
            body = {"key": "wrong-input", "input": given}
            problem(await api.post(f"{visit.path}/turns", body, visit.token), "invalid-request", 422)

    run(work())


def test_a_form_that_is_too_large_is_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            large = {f"q{number}": "长" * 9_000 for number in range(LARGEST_BODY // 20_000)}
            problem(
                await send(api, visit, "draft", {"key": turn["request"]["form"]["key"], "values": large}),
                "body-too-large",
                413,
            )

    run(work())


def test_what_was_written_in_a_form_stands_in_no_file_and_no_log(
    grounds: Grounds, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    secret = "只写在表里的一句"

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            key = turn["request"]["form"]["key"]
            await form(api, visit, "draft", key, note=secret)
            await form(api, visit, "submit", key, q1=0, q9=0)
            assert (await results(api, visit))[0]["values"]["note"] == secret
            assert secret not in caplog.text
            await send(api, visit, "draft", {"key": key, "values": {"note": [[secret]]}})
            for path in files(grounds.data):
                assert secret.encode() not in path.read_bytes(), path

    run(work())
    assert secret not in caplog.text


def test_erasing_a_session_erases_its_forms(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            await form(api, visit, "submit", turn["request"]["form"]["key"], q1=0, q9=0)
            record = await api.context.sessions.session(visit.id)
            await api.context.sessions.store.erase_person(record.person)
            problem(await api.get(f"{visit.path}/forms", visit.token), "not-found", 404)

    run(work())


def test_what_a_form_was_about_is_shown_to_who_debugs_and_masked_where_it_is_private(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(debug="full") as api:
            visit = await api.visit("tests/filling", options={"debug_level": "full"})
            turn = await api.turn(visit, type="start")
            await form(api, visit, "submit", turn["request"]["form"]["key"], q1=0, q9=0, note="写的")
            found = (await api.get(f"{visit.path}/debug", visit.token)).json()
            kinds = {each["kind"]: each["data"] for each in found["decisions"]}
            assert kinds["form_answered"]["how"] == "submit"
            assert kinds["form_submitted"]["form"] == "tests/mood"

    run(work())


CHOICES = """
forms:
  - form: 睡眠
    id: sleep
    fields:
      - id: well
        label: 睡得好吗
        type: single
        options: [{value: true, label: 好}, {value: false, label: 不好}, {value: 说不准, label: 说不准}]
      - id: some
        label: 哪些有
        type: multiple
        options: [{value: true, label: 有}, {value: 2, label: 两次}, {value: "3", label: 三}]
sessions:
  - session: 睡眠
    id: filling
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 填
            id: fill
            actions:
              - {type: show_form, id: form, form: sleep}
              - {type: say, id: done, content: 好。}
"""


def test_an_option_that_stands_for_yes_or_no_can_be_chosen_as_it_is_offered(grounds: Grounds) -> None:
    (grounds.project / "filling.yaml").write_text(CHOICES, encoding="utf-8")

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await begun(api)
            shown = turn["request"]["form"]
            values = [[option["value"] for option in field["options"]] for field in shown["fields"]]
            assert values == [[True, False, "说不准"], [True, 2, "3"]]
            assert [[type(each) for each in own] for own in values] == [[bool, bool, str], [bool, int, str]]
            turn = await form(api, visit, "draft", shown["key"], well=values[0][1], some=values[1][:1])
            assert turn["request"]["form"]["values"] == {"well": False, "some": [True]}
            assert type(turn["request"]["form"]["values"]["some"][0]) is bool
            turn = await form(api, visit, "submit", shown["key"])
            assert turn["request"]["type"] != "form", turn["request"]["form"]["problems"]
            assert (await results(api, visit))[0]["values"] == {"well": False, "some": [True]}

    run(work())
