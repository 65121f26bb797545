"""A release from the first draft to the way back, over HTTP."""

from __future__ import annotations

import time

from tests.releases.material import FILES, KIM, LIN, TALK, WEI, Member, gate, to_the_end
from tests.server.material import Grounds, Json, problem, run, said

from heartrule.server.tokens import Staff

ASKED = TALK.replace("昨晚睡了几个小时？", "昨天夜里睡了几个小时？")
SCRIPT = "sleepy/sleep"


def asks(turn: Json) -> str:
    """The last line that was said in a turn."""
    return said(turn, "ai")[-1].split("\n")[-1]


def test_a_release_goes_through_its_gates_and_new_sessions_begin_with_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            project = await lin.project()
            rules = {"coverage": 90, "reviewers": 1}
            await wei.done("PUT", f"/projects/{project}/releases/rules", rules)
            made = await lin.make(project, "")
            standing = await lin.get(f"/releases/{made}")
            shut = {each["name"]: each["mend"]["en"] for each in standing["gates"] if not each["open"]}
            assert set(shut) == {"tests", "coverage", "debug", "notes", "review"}
            assert all(shut.values())
            refused = problem(await wei.send("POST", f"/releases/{made}/publish"), "release-not-open", 409)
            assert "tests have not been run" in refused["title"]
            assert len(refused["findings"]) == len(standing["gates"])
            problem(await api.post("/api/v1/sessions", {"script": SCRIPT}), "no-such-script", 404)

            assert gate(await lin.post(f"/releases/{made}/check"), "tests")["open"]
            await lin.go_through(project)
            await lin.done("PUT", f"/releases/{made}/notes", {"notes": "第一次。"})
            asked = await wei.post(f"/releases/{made}/review", {"verdict": "changes", "note": "太短"})
            assert "太短" in gate(asked, "review")["details"][0]["en"]
            problem(await wei.send("POST", f"/releases/{made}/publish"), "release-not-open", 409)
            agreed = await wei.post(f"/releases/{made}/review", {"verdict": "approve"})
            assert agreed["open"], agreed["gates"]
            done = await wei.post(f"/releases/{made}/publish")
            assert done["served"]["release"] == made

            visit = await api.visit(SCRIPT)
            record = await api.context.sessions.session(visit.id)
            assert (record.release, record.project) == (made, "sleepy")
            assert asks(await to_the_end(api, visit)) == "今晚早点睡。"
            log = (await wei.get(f"/projects/{project}/releases/log"))["happened"]
            assert [each["what"] for each in log] == ["published", "reviewed", "reviewed", "made", "rules"]

    run(work())


def test_running_sessions_stay_and_new_ones_follow_forth_and_back(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            project = await lin.project()
            first = await lin.ready(project)
            await wei.post(f"/releases/{first}/publish")
            old = await api.visit(SCRIPT)
            await api.turn(old, type="start")

            await lin.save(project, {"talk.yaml": ASKED})
            standing = await lin.get(f"/projects/{project}/releases")
            assert standing["draft"]
            drafted = await lin.post(f"/projects/{project}/releases", {}, 201)
            assert "昨天夜里睡了几个小时" in drafted["notes"]
            checked = await lin.post(f"/releases/{drafted['id']}/check")
            assert not gate(checked, "debug")["open"], "a run of the former text proves nothing of this one"
            await lin.go_through(project)
            await wei.post(f"/releases/{drafted['id']}/publish")

            new = await api.visit(SCRIPT)
            told = await api.turn(new, type="start")
            assert asks(await api.turn(new, text="小王", after=told["messages"][-1]["seq"])) == "昨天夜里睡了几个小时？"
            assert asks(await api.turn(old, text="小林", after=1)) == "昨晚睡了几个小时？"

            begun = time.monotonic()
            back = await wei.post(f"/projects/{project}/releases/back")
            assert (back["release"], time.monotonic() - begun < 5) == (first, True)
            again = await api.visit(SCRIPT)
            assert (await api.context.sessions.session(again.id)).release == first
            assert asks(await api.turn(new, text="7 个小时", after=4)) == "今晚早点睡。"
            states = {
                each["id"]: each["state"] for each in (await lin.get(f"/projects/{project}/releases"))["releases"]
            }
            assert states == {first: "published", drafted["id"]: "retired"}
            gone = await wei.post(f"/projects/{project}/releases/back")
            assert gone["release"] is None
            problem(await wei.send("POST", f"/projects/{project}/releases/back"), "release-nothing", 409)
            problem(await api.post("/api/v1/sessions", {"script": SCRIPT}), "no-such-script", 404)

    run(work())


def test_another_process_follows_at_once(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as here, grounds.asgi() as there:
            lin, wei = Member(here, LIN), Member(here, WEI)
            project = await lin.project()
            first = await lin.ready(project)
            await wei.post(f"/releases/{first}/publish")
            visit = await there.visit(SCRIPT)
            assert (await there.context.sessions.session(visit.id)).release == first
            await wei.post(f"/projects/{project}/releases/back")
            problem(await there.post("/api/v1/sessions", {"script": SCRIPT}), "no-such-script", 404)

    run(work())


def test_what_is_said_of_sessions_is_what_happens_to_them(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            project = await lin.project()
            first = await lin.ready(project)
            await wei.post(f"/releases/{first}/publish")
            fresh, asked, far = [await api.visit(SCRIPT) for _ in range(3)]
            for visit in (asked, far):
                await api.turn(visit, type="start")
            await api.turn(far, text="小林", after=1)
            await lin.save(project, {"talk.yaml": ASKED})
            made = await lin.ready(project)
            told = await lin.post(f"/releases/{made}/impact")
            assert (told["sessions"], told["as_is"], told["safe"], told["lost"], told["stuck"]) == (3, 2, 0, 1, 0)
            (example,) = told["examples"]
            assert (example["topic"], example["action"], example["sessions"]) == ("hours", "how_long", 1)
            assert [(each["fate"], each["now"]) for each in example["parts"]] == [("begins_again", "how_long")]

            done = await wei.post(f"/releases/{made}/publish", {"existing": "safe"})
            assert done["moved"] == {"moved": 2, "stayed": 1, "busy": 0}
            assert asks(await api.turn(asked, text="小王", after=1)) == "昨天夜里睡了几个小时？"
            assert asks(await api.turn(far, text="7 个小时", after=3)) == "今晚早点睡。"
            assert asks(await to_the_end(api, fresh)) == "今晚早点睡。"
            async for _ in api.context.sessions.replay(asked.id):
                pass

    run(work())


def test_by_rule_a_question_that_has_changed_is_put_again(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            project = await lin.project()
            await wei.post(f"/releases/{await lin.ready(project)}/publish")
            far = await api.visit(SCRIPT)
            await api.turn(far, type="start")
            await api.turn(far, text="小林", after=1)
            await lin.save(project, {"talk.yaml": ASKED})
            made = await lin.ready(project)
            wanted = {"existing": "rule", "allowed": ["begins_again"], "topics": ["meet"]}
            assert (await wei.post(f"/releases/{made}/publish", wanted))["moved"]["moved"] == 0
            await wei.post(f"/projects/{project}/releases/back")
            again = {"existing": "rule", "allowed": ["begins_again"]}
            assert (await wei.post(f"/releases/{made}/publish", again))["moved"]["moved"] == 1
            assert asks(await api.turn(far, text="7 个小时", after=3)) == "昨天夜里睡了几个小时？"
            assert asks(await api.turn(far, text="6 个小时", after=5)) == "今晚早点睡。"
            (value,) = [v.value for v in await api.context.sessions.store.variables(far.id) if v.name == "睡了"]
            assert value == 6
            taken = await api.client.delete(f"{far.path}/messages/3", headers={"Authorization": f"Bearer {far.token}"})
            assert taken.status_code in (200, 404, 405, 409)
            async for _ in api.context.sessions.replay(far.id):
                pass

    run(work())


def test_who_may_do_what(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            other = Member(api, Staff("ann", "Ann", "developer", ("*",)))
            elsewhere = Member(api, Staff("bo", "Bo", "reviewer", ("cbt",)))
            nurse = Member(api, Staff("n", "N", "counsellor", ("*",)))
            project = await lin.project()
            made = await lin.ready(project)
            for who in (other, elsewhere):
                assert (await who.get("/releases"))["projects"] == []
                for path in (f"/projects/{project}/releases", f"/releases/{made}", f"/releases/{made}/changes"):
                    problem(await who.send("GET", path), "not-found", 404)
                problem(await who.send("POST", f"/releases/{made}/impact"), "not-found", 404)
            problem(await nurse.send("GET", f"/releases/{made}"), "not-allowed", 403)
            problem(await lin.send("POST", f"/releases/{made}/publish"), "not-allowed", 403)
            problem(await lin.send("POST", f"/releases/{made}/review", {"verdict": "approve"}), "not-allowed", 403)
            problem(await wei.send("POST", f"/projects/{project}/releases"), "not-allowed", 403)
            problem(await elsewhere.send("POST", f"/releases/{made}/publish"), "not-found", 404)
            await wei.post(f"/releases/{made}/publish")
            second = await lin.project(FILES)
            taken = await lin.ready(second)
            problem(await wei.send("POST", f"/releases/{taken}/publish"), "release-taken", 409)

    run(work())


def test_safety_asks_for_two_reviewers_and_the_risk_files(grounds: Grounds) -> None:
    risk = grounds.folder / "risk.jsonl"
    risk.write_text(
        '{"text": "我想自杀", "risk": "self_harm"}\n{"text": "今天挺好", "risk": "none"}\n', encoding="utf-8"
    )

    async def work() -> None:
        async with grounds.asgi(risk_files=(risk,)) as api:
            lin, wei, kim = Member(api, LIN), Member(api, WEI), Member(api, KIM)
            copied = await lin.post("/projects", {"name": "safety", "copy": "library.safety"}, 201)
            project = copied["id"]
            texts = (await lin.get(f"/projects/{project}/texts"))["texts"]
            rest = {path for path in texts if path.startswith("tests/") and "heard" not in path}
            await lin.save(project, dict.fromkeys(rest))
            made = await lin.make(project)
            checked = await lin.post(f"/releases/{made}/check")
            assert {each["name"]: each["open"] for each in checked["gates"]} == {
                "lint": True,
                "tests": True,
                "notes": True,
                "review": False,
                "risk": True,
            }, checked["gates"]
            assert not (await wei.post(f"/releases/{made}/review", {"verdict": "approve"}))["open"]
            assert (await kim.post(f"/releases/{made}/review", {"verdict": "approve"}))["open"]
            await wei.post(f"/releases/{made}/publish", {"share": 0.1})
            assert api.context.sessions.library.safety is not None
            served = (await lin.get(f"/projects/{project}/releases"))["served"]
            assert (served["release"], served["candidate"]) == (made, None)

            suicide = texts["suicide.yaml"].replace("priority: P0", "priority: P1")
            await lin.save(project, {"suicide.yaml": suicide})
            worse = await lin.make(project)
            checked = await lin.post(f"/releases/{worse}/check")
            assert not gate(checked, "risk")["open"], gate(checked, "risk")

    run(work(), 180)
