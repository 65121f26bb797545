"""Projects of scripts over HTTP, as an author's editor meets them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Visit, problem, run, said

from heartrule.authoring.wire import hash_of
from heartrule.server.app import API
from heartrule.server.tokens import Staff
from heartrule.workbench.blocks import blocks
from heartrule.workbench.templates import templates

LIN = Staff("lin", "林", "developer", ("*",))
WEI = Staff("wei", "Wei", "developer", ("*",))
NURSE = Staff("n", "N", "counsellor", ("*",))
BENCH = f"{API}/workbench"


MISTAKEN = ("project.yaml ", "PROJECT.YAML", " ", "\u202eevil.yaml", "con.yaml", "a/NUL", " a.yaml", "b./c.yaml")
"""What other systems take for something else."""


def token(api: Asked, staff: Staff = LIN) -> str:
    return api.context.tokens.of_staff(staff).token


class Author:
    """Somebody who writes scripts."""

    def __init__(self, api: Asked, staff: Staff = LIN, lang: str = "en") -> None:
        self._api, self._lang = api, lang
        self.token = token(api, staff)

    async def get(self, path: str) -> Any:
        answer = await self._api.get(f"{BENCH}{path}", self.token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Accept-Language": self._lang}
        return await self._api.client.request(method, f"{BENCH}{path}", json=body, headers=headers)

    async def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = await self.send("POST", path, body)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def made(self, template: str = "first_assessment", locale: str = "en") -> Any:
        return await self.post("/projects", {"name": "My project", "template": template, "locale": locale}, 201)


def test_a_project_is_made_changed_and_restored(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            made = await lin.made()
            assert (made["origin"], made["writable"], made["version"], made["slug"]) == ("store", True, 1, "my_project")
            assert [each["id"] for each in made["scripts"]] == ["first_assessment"]
            at = f"/projects/{made['id']}"
            texts = (await lin.get(f"{at}/texts"))["texts"]
            new = texts["session.yaml"].replace("How hard it is\n", "How heavy it is\n")
            saved = await lin.post(
                f"{at}/versions", {"base": 1, "note": "heavy", "changes": {"session.yaml": new}}, 201
            )
            assert (saved["number"], saved["changed"], saved["author"]) == (2, ["session.yaml"], "林")
            renamed = {"base": 2, "renames": {"session.yaml": "first/one.yaml"}}
            assert (await lin.post(f"{at}/versions", renamed, 201))["changed"] == ["first/one.yaml", "session.yaml"]
            assert (await lin.get(f"{at}/files/first/one.yaml"))["text"] == new
            assert (await lin.post(f"{at}/versions/1/restore", {}, 201))["number"] == 4
            assert (await lin.get(f"{at}/texts"))["texts"] == texts
            listed = await lin.get(f"{at}/versions?limit=3")
            assert [each["number"] for each in listed["versions"]] == [4, 3, 2]
            assert listed["more"]
            assert (await lin.get(f"{at}/versions/2"))["texts"]["session.yaml"] == new
            assert (await lin.get("/projects"))["projects"][0]["version"] == 4
            assert (await lin.send("DELETE", at)).status_code == 204
            problem(await lin.send("GET", at), "not-found", 404)

    run(work())


def test_of_two_who_save_the_same_file_the_second_sees_what_is_there(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made())['id']}"
            await lin.post(f"{at}/versions", {"base": 1, "changes": {"session.yaml": "theirs: 1\n"}}, 201)
            late = await lin.send("POST", f"{at}/versions", {"base": 1, "changes": {"session.yaml": "mine: 1\n"}})
            told = problem(late, "version-conflict", 409)
            (there,) = told["findings"]
            assert (there["path"], there["text"], there["version"]) == ("session.yaml", "theirs: 1\n", 2)
            beside = await lin.post(f"{at}/versions", {"base": 1, "changes": {"new.yaml": "skills: []\n"}}, 201)
            assert beside["number"] == 3
            for path in ("../a.yaml", "/a.yaml", ".hidden", "a//b.yaml", "a\\b.yaml", *MISTAKEN):
                wrong = await lin.send("POST", f"{at}/versions", {"base": 3, "changes": {path: "x: 1\n"}})
                problem(wrong, "bad-path", 422)

    run(work())


def test_folders_can_be_read_and_copied(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            listed = {each["id"]: each for each in (await lin.get("/projects"))["projects"]}
            assert listed["library.cbt"]["writable"] is False
            assert listed["folder.tests"]["origin"] == "folder"
            at = "/projects/folder.tests"
            assert "small.yaml" in (await lin.get(f"{at}/texts"))["texts"]
            problem(await lin.send("POST", f"{at}/versions", {"base": 0, "changes": {"a.yaml": ""}}), "read-only", 403)
            copied = await lin.post("/projects", {"name": "copy", "copy": "folder.tests"}, 201)
            assert copied["writable"]
            found = await lin.post(f"/projects/{copied['id']}/findings")
            assert any(each["file"] == "broken.yaml" for each in found["findings"])

    run(work())


def test_only_developers_and_only_their_own(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Author(api), Author(api, WEI)
            made = await lin.made()
            assert made["id"] not in {each["id"] for each in (await wei.get("/projects"))["projects"]}
            for method, path in (
                ("GET", ""),
                ("GET", "/texts"),
                ("POST", "/findings"),
                ("GET", "/drafts"),
                ("GET", "/versions"),
                ("DELETE", ""),
            ):
                answer = await wei.send(method, f"/projects/{made['id']}{path}", {} if method == "POST" else None)
                problem(answer, "not-found", 404)
            problem(await api.get(f"{BENCH}/projects"), "unauthorized", 401)
            problem(await api.get(f"{BENCH}/projects", token(api, NURSE)), "not-allowed", 403)
            problem(await api.get(f"{API}/desk/sessions", lin.token), "not-allowed", 403)

    run(work())


def test_what_is_typed_is_kept_and_two_tabs_are_told_of_each_other(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made())['id']}"
            first = await lin.send("PUT", f"{at}/drafts/t1", {"base": 1, "texts": {"session.yaml": "typ"}})
            assert first.json()["others"] == []
            second = await lin.send("PUT", f"{at}/drafts/t2", {"base": 1, "texts": {}})
            assert [(each["tab"], each["paths"]) for each in second.json()["others"]] == [("t1", ["session.yaml"])]
            assert [each["texts"] for each in (await lin.get(f"{at}/drafts"))["drafts"]] == [
                {"session.yaml": "typ"},
                {},
            ]
            assert (await lin.send("DELETE", f"{at}/drafts/t1")).status_code == 204
            grounds.clock.pass_(minutes=5)
            third = await lin.send("PUT", f"{at}/drafts/t3", {"base": 1, "texts": {}})
            assert third.json()["others"] == []
            laid = await lin.send("PUT", f"{at}/layout", {"layout": {"a": {"x": 1.5}}})
            assert laid.status_code == 200
            assert (await lin.get(f"{at}/layout"))["layout"] == {"a": {"x": 1.5}}

    run(work())


def test_an_operation_answers_with_the_edit_and_writes_nothing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made())['id']}"
            text = (await lin.get(f"{at}/texts"))["texts"]["session.yaml"]
            typed = text.replace("What shall I call you?", "你叫什么 🙂？")
            path = [0, "sessions", 0, "phases", 0, "steps", 0, "actions", 1, "content"]
            asked = {
                "file": "session.yaml",
                "base": hash_of(typed),
                "operation": {"kind": "set", "path": path, "value": "And your name?"},
                "texts": {"session.yaml": typed},
            }
            made = await lin.post(f"{at}/operations", asked)
            (edit,) = made["edit"]["changes"]["session.yaml"]
            line = typed.split("\n")[edit["range"]["start"]["line"]]
            units = line.encode("utf-16-le")
            start, end = edit["range"]["start"]["character"] * 2, edit["range"]["end"]["character"] * 2
            after = (units[:start] + edit["newText"].encode("utf-16-le") + units[end:]).decode("utf-16-le")
            assert after.strip() == 'content: "And your name?"'
            stale = await lin.send("POST", f"{at}/operations", {**asked, "base": "0" * 16})
            problem(stale, "text-moved", 409)
            gone = {**asked, "operation": {"kind": "delete", "path": [0, "sessions", 9]}}
            problem(await lin.send("POST", f"{at}/operations", gone), "cannot-edit", 422)
            assert (await lin.get(f"{at}/texts"))["texts"]["session.yaml"] == text

    run(work())


def test_map_fields_variables_and_dependencies_of_what_is_typed(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made('technique'))['id']}"
            shown = await lin.post(f"{at}/map")
            kinds = {each["kind"] for each in shown["nodes"]}
            assert kinds == {"session", "phase", "topic", "action", "technique"}
            (call,) = [each for each in shown["edges"] if each["kind"] == "call"]
            technique = next(each for each in shown["nodes"] if each["kind"] == "technique")
            assert call["to"] == technique["id"]
            action = next(each for each in shown["nodes"] if each["type"] == "use_skill")
            panel = await lin.post(f"{at}/fields", {"file": action["file"], "path": action["path"]})
            fields = {each["key"]: each for each in panel["fields"]}
            assert (fields["skill"]["control"], fields["skill"]["of"]) == ("reference", "skill")
            assert "grounding" in fields["skill"]["options"]
            assert fields["condition"]["control"] == "condition"
            names = {each["name"]: each for each in (await lin.post(f"{at}/variables"))["variables"]}
            assert names["feeling_now"]["declared"]
            assert names["feeling_now"]["written"][0]["node"].endswith("/actions/0")
            graph = await lin.post(f"{at}/dependencies")
            assert [each["kind"] for each in graph["edges"]] == ["calls"]

    run(work())


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_every_template_can_be_opened_clean(grounds: Grounds, locale: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            assert {each["id"] for each in (await lin.get("/templates"))["templates"]} == {
                each.id for each in templates()
            }
            for each in templates():
                made = await lin.made(each.id, locale)
                assert (await lin.post(f"/projects/{made['id']}/findings"))["findings"] == [], each.id
                assert made["scripts"], each.id

    run(work())


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_every_block_can_be_put_in_where_it_belongs(grounds: Grounds, locale: str) -> None:
    lists = {
        "session": [0, "sessions"],
        "phase": [0, "sessions", 0, "phases"],
        "topic": [0, "sessions", 0, "phases", 0, "steps"],
        "action": [0, "sessions", 0, "phases", 0, "steps", 0, "actions"],
        "technique": [0, "skills"],
        "awareness": [0, "awareness"],
        "form": [0, "forms"],
        "variable": [0, "sessions", 0, "declare"],
    }

    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made('empty', locale))['id']}"
            text = (await lin.get(f"{at}/texts"))["texts"]["session.yaml"]
            offered = (await lin.get(f"/blocks?locale={locale}"))["blocks"]
            assert len(offered) == len(blocks())
            for each in offered:
                operation = {"kind": "insert", "path": lists[each["accepts"]], "index": 0, "item": each["item"]}
                made = await lin.post(f"{at}/operations", {"file": "session.yaml", "operation": operation})
                (edit,) = made["edit"]["changes"]["session.yaml"]
                lines = text.split("\n")
                start = edit["range"]["start"]
                offset = sum(len(line) + 1 for line in lines[: start["line"]]) + start["character"]
                after = text[:offset] + edit["newText"] + text[offset:]
                found = await lin.post(f"{at}/findings", {"texts": {"session.yaml": after}})
                codes = {one["code"] for one in found["findings"] if one["severity"] == "error"}
                placeholders = {"show_form", "use_skill"}
                assert not codes or each["id"] in placeholders, (each["id"], found["findings"])

    run(work())


def test_conditions_and_forms_go_both_ways(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            split = await lin.post("/condition", {"text": "mood >= 3 and not exists(name)"})
            assert split["tree"] == {
                "all": [{"var": "mood", "op": ">=", "value": 3}, {"var": "name", "op": "unknown", "value": None}]
            }
            joined = await lin.post("/condition", {"condition": split["tree"]})
            assert joined["text"] == "mood >= 3 and not exists(name)"
            at = f"/projects/{(await lin.made('screening'))['id']}"
            answers = {"falling": 2, "waking": 2, "rested": 1, "daytime": 1}
            found = await lin.post(f"{at}/form", {"form": "sleep_check", "answers": answers})
            assert (found["scores"][0]["value"], found["scores"][0]["band"]) == (6, "clearly affected")
            assert (await lin.post(f"{at}/form", {"form": "sleep_check"}))["missing"] == list(answers)
            questionnaire = await lin.post(f"{at}/fhir", {"form": "sleep_check"})
            assert questionnaire["resourceType"] == "Questionnaire"
            read = await lin.post("/fhir", {"questionnaire": questionnaire, "locale": "en"})
            item = {
                "kind": "insert",
                "path": [0, "forms"],
                "index": 1,
                "item": read["form"].replace("sleep_check", "b"),
            }
            assert (await lin.post(f"{at}/operations", {"file": "form.yaml", "operation": item}))["edit"]["changes"]

    run(work())


def test_the_present_text_is_tried_and_nobody_is_told(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(debug="full") as api:
            lin = Author(api)
            made = await lin.made("first_assessment", "zh-CN")
            at = f"/projects/{made['id']}"
            text = (await lin.get(f"{at}/texts"))["texts"]["session.yaml"]
            typed = {"session.yaml": text.replace("怎么称呼你？", "你叫什么？")}
            tried = await lin.post(f"{at}/try", {"script": "first_assessment", "texts": typed, "model": False}, 201)
            visit = Visit(tried["session"], tried["token"], None)
            turn = await api.turn(visit, type="start")
            assert said(turn, "ai")[-1] == "你叫什么？"
            turn = await api.turn(visit, text="我不想活了，今晚就结束")
            assert (await api.session(visit))["in_crisis"]
            assert await api.context.sessions.store.escalations.newest(10) == ()
            watched = await api.context.sessions.store.watchlist.sessions(
                "all", grounds.clock.now().replace(year=2000), (), None
            )
            assert watched == ()
            assert await api.context.sessions.recent() == []
            broken = {"session.yaml": text.replace("type: ask", "type: sing", 1)}
            refused = await lin.send("POST", f"{at}/try", {"script": "first_assessment", "texts": broken})
            told = problem(refused, "script-refused", 422)
            assert told["findings"][0]["file"] == "session.yaml"

    run(work())


def test_a_safety_project_of_ones_own_is_tried_beside_itself(grounds: Grounds) -> None:
    """Not beside the one that is shipped under the same name, whose files it does not have."""

    async def work() -> None:
        async with grounds.asgi(debug="full") as api:
            lin = Author(api)
            made = await lin.made("first_assessment", "zh-CN")
            at = f"/projects/{made['id']}"
            texts = (await lin.get(f"{at}/texts"))["texts"]
            named = re.sub(r"(?m)^id:.*$", "id: safety", texts["project.yaml"])
            typed = {"project.yaml": named, "session.yaml": texts["session.yaml"].replace("怎么称呼你？", "你叫什么？")}
            wanted = {"script": "first_assessment", "texts": typed, "model": False}
            tried = await lin.post(f"{at}/try", wanted, 201)
            visit = Visit(tried["session"], tried["token"], None)
            assert said(await api.turn(visit, type="start"), "ai")[-1] == "你叫什么？"
            api.context.sessions._scripts.forget()
            turn = await api.turn(visit, text="我不想活了，今晚就结束")
            assert said(turn, "ai")

    run(work())


def test_tests_of_the_project_are_run_and_what_they_come_to_is_shown(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made('empty'))['id']}"
            cases = "tests:\n  - test: greets\n    turns: [{start: {said_contains: Hello}}]\n"
            wrong = cases.replace("greets", "sings").replace("Hello", "La la la")
            both = {"tests/one.test.yaml": cases, "two.test.yaml": wrong}
            assert (await lin.get(f"{at}/coverage"))["at"] is None
            run_ = await lin.post(f"{at}/tests", {"texts": both})
            assert {each["name"]: each["passed"] for each in run_["cases"]} == {"greets": True, "sings": False}
            assert any("La la la" in line for each in run_["cases"] for line in each["told"])
            assert (await lin.post(f"{at}/findings", {"texts": both}))["findings"] == []
            found = await lin.get(f"{at}/coverage")
            assert found["nodes"]["session.yaml#0/sessions/0/phases/0/steps/0/actions/0"] >= 1

    run(work())


def test_two_versions_are_compared_in_words(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made())['id']}"
            texts = (await lin.get(f"{at}/texts"))["texts"]
            new = texts["session.yaml"].replace("How hard it is\n", "How heavy it is\n")
            await lin.post(f"{at}/versions", {"base": 1, "changes": {"session.yaml": new}}, 201)
            found = await lin.get(f"{at}/versions/1/compare/2")
            (change,) = found["changes"]
            assert (found["before"], found["after"], change["file"]) == (1, 2, "session.yaml")
            assert "How heavy it is" in change["says"]["en"]
            assert "How heavy it is" in change["says"]["zh"]
            assert (await lin.get(f"{at}/versions/2/compare/2"))["changes"] == []
            problem(await lin.send("GET", f"{at}/versions/1/compare/9"), "not-found", 404)
            problem(await Author(api, WEI).send("GET", f"{at}/versions/1/compare/2"), "not-found", 404)

    run(work())
