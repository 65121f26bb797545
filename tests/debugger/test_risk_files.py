"""Labelled sentences put before the awareness scripts of a debug session, over the API."""

from __future__ import annotations

import json
from pathlib import Path

from tests.debugger.material import DEBUG, FILES, Desk, debugging
from tests.debugger.test_awareness_view import TEXTS
from tests.server.material import API, Grounds, Json, problem, run

from heartrule.server.tokens import Staff

WATCHER = "safety/suicide_risk"
ROWS = [
    {"id": "a", "text": "我想自杀", "risk": "self_harm", "sub": ["active_ideation"]},
    {"id": "b", "text": "周五我去取快递", "risk": "self_harm", "sub": ["plan"]},
    {"id": "c", "text": "今天天气不错", "risk": "none"},
    {"id": "d", "text": "困得不行，我很困", "risk": "none", "sub": ["in_session"]},
    {"id": "e", "text": "眼皮打架", "risk": "none", "sub": ["in_session"]},
    {"id": "f", "text": "他说他很困", "risk": "none"},
]
TEXT = "\n".join(json.dumps(each, ensure_ascii=False) for each in ROWS)


def _by(found: Json, awareness: str) -> Json:
    return next(each for each in found["scripts"] if each["awareness"] == awareness)


def _ids(found: Json, awareness: str) -> tuple[list[str], list[str]]:
    script = _by(found, awareness)
    return [each["id"] for each in script["missed"]], [each["id"] for each in script["wrong"]]


def test_each_script_tells_what_it_hears_misses_and_raises_wrongly(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(texts=TEXTS)
            before = await desk.get("file")
            found = await desk.do("risk", {"text": TEXT})
            assert (found["all"], found["done"]) == (6, 6)
            assert found["labels"] == {"none": 4, "in_session": 2, "self_harm": 2, "active_ideation": 1, "plan": 1}
            danger = _by(found, WATCHER)
            assert danger["wanted"] == ["self_harm"], "what the classifier of one's own danger reads along with"
            counts = {each["label"]: (each["explicit"], each["watch"], each["none"]) for each in danger["counts"]}
            assert counts["self_harm"] == (1, 0, 1)
            assert counts["none"] == (0, 0, 4)
            assert _ids(found, WATCHER) == (["b"], [])
            own = _by(found, "sleepy/in_session")
            assert own["wanted"] == ["in_session"], "the label that names it"
            assert _ids(found, "sleepy/in_session") == (["e"], ["f"])
            (wrong,) = own["wrong"]
            assert (wrong["level"], wrong["source"], wrong["reason"], wrong["evidence"]) == (
                *("explicit", "rules", "说困", "很困"),
            )
            assert _by(found, "safety/danger_to_desk")["by_model"]
            assert await desk.get("file") == before

    run(work())


def test_one_script_may_be_asked_other_labels_part_by_part(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make(texts=TEXTS)
            asked = {"text": TEXT, "awareness": WATCHER, "wanted": ["plan"], "many": 4}
            first = await desk.do("risk", asked)
            second = await desk.do("risk", {**asked, "first": 4})
            assert [each["awareness"] for each in first["scripts"]] == [WATCHER]
            assert (first["done"], second["done"], second["all"]) == (4, 6, 6)
            assert [*_ids(first, WATCHER), *_ids(second, WATCHER)] == [["b"], [], [], []]
            assert (await desk.do("risk", {**asked, "first": 90}))["done"] == 6

    run(work())


def test_it_is_found_in_the_project_and_on_the_server(tmp_path: Path) -> None:
    there = tmp_path / "labelled.jsonl"
    there.write_text(TEXT, encoding="utf-8")

    async def work() -> None:
        async with Grounds(tmp_path).asgi(risk_files=(there,)) as api:
            desk = Desk(api, api.context.tokens.of_staff(Staff("lin", "林", "developer", ("*",))).token)
            made = await api.post(f"{API}/workbench/projects", {"name": "睡", "template": "empty"}, desk.token)
            project = made.json()["id"]
            versions = f"{API}/workbench/projects/{project}/versions"
            changes = {**FILES, "session.yaml": None, "tests/own.risk.jsonl": TEXT}
            assert (await api.post(versions, {"base": 1, "changes": changes}, desk.token)).status_code == 201
            lint = await api.get(f"{API}/workbench/projects/{project}/map", desk.token)
            assert "risk.jsonl" not in lint.text, "it is no script"
            await desk.make(texts={}, project=project)
            known = {"files": [{"of": "project", "name": "tests/own.risk.jsonl"}]}
            known["files"].append({"of": "server", "name": "labelled.jsonl"})
            assert await desk.get("risk-files") == known
            for each in known["files"]:
                found = await desk.do("risk", {"of": each["of"], "file": each["name"], "awareness": WATCHER})
                assert _ids(found, WATCHER) == (["b"], []), each
            await desk.do("text", {"texts": {"talk.yaml": FILES["talk.yaml"].replace("早点睡", "早些睡")}})
            await desk.do("save", {"note": "早些"})
            texts = (await api.get(f"{API}/workbench/projects/{project}/texts", desk.token)).json()["texts"]
            assert texts["tests/own.risk.jsonl"] == TEXT, "saving from the debugger leaves it as it is"
            absent = {"of": "project", "file": "talk.yaml"}
            assert (await desk.do("risk", absent, 404))["code"] == "not-found"
            assert (await desk.do("risk", {"of": "server", "file": str(there)}, 404))["code"] == "not-found"

    run(work())


def test_it_is_of_the_folder_that_a_session_runs(tmp_path: Path) -> None:
    folder = tmp_path / "sleepy"
    (folder / "tests").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "tests" / "own.risk.jsonl").write_text(TEXT, encoding="utf-8")

    async def work() -> None:
        async with debugging(tmp_path, projects=(folder,)) as desk:
            await desk.make(texts={}, project="folder.sleepy")
            assert desk.state["project"] == "", "and is saved nowhere"
            assert (await desk.get("risk-files"))["files"] == [{"of": "project", "name": "tests/own.risk.jsonl"}]

    run(work())


def test_what_is_no_such_file_is_refused_with_its_line(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            for text, line in (("", "整份文件"), ('{"text": "x", "risk": "none"}\n{', "第 2 行")):
                answer = await desk.api.post(f"{DEBUG}/sessions/{desk.state['id']}/risk", {"text": text}, desk.token)
                problem(answer, "debug-no-risk-file", 422)
                assert line in answer.json()["title"]

    run(work())
