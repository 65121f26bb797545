"""Several people who write one project, over HTTP: sharing, comments, merging, who wrote what, what it is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.jobs.receivers import Mailbox
from tests.security.test_mail import mails, told
from tests.server.material import Asked, Grounds, problem, run
from tests.server.test_workbench import WEI, Author

from heartrule.identity.principal import ProjectRole
from heartrule.jobs.digest import Digest
from heartrule.server.tokens import Staff

KIM = Staff("kim", "Kim", "developer", ("*",))
ASK = [0, "sessions", 0, "phases", 0, "steps", 0, "actions", 1]


async def shared(api: Asked, level: str = "write") -> tuple[Author, Author, str]:
    """Lin's project, which Wei may read or write."""
    lin, wei = Author(api), Author(api, WEI)
    at = f"/projects/{(await lin.made())['id']}"
    answer = await lin.send("PUT", f"{at}/sharing", {"who": "token:wei", "level": level})
    assert answer.status_code == 200, answer.text
    return lin, wei, at


def test_a_project_is_shared_with_people_and_groups(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api, "read")
            kim = Author(api, KIM)
            (listed,) = [each for each in (await wei.get("/projects"))["projects"] if each["origin"] == "store"]
            assert (listed["writable"], listed["mine"]) == (False, False)
            texts = (await wei.get(f"{at}/texts"))["texts"]
            changed = {"base": 1, "changes": {"session.yaml": texts["session.yaml"] + "# more\n"}}
            problem(await wei.send("POST", f"{at}/versions", changed), "not-allowed", 403)
            problem(await wei.send("PUT", f"{at}/sharing", {"who": "token:kim", "level": "read"}), "not-allowed", 403)
            problem(await wei.send("DELETE", at), "not-allowed", 403)
            problem(await kim.send("GET", at), "not-found", 404)
            group = await lin.post("/groups", {"name": "Sleep", "members": ["token:kim"]}, 201)
            await lin.send("PUT", f"{at}/sharing", {"who": f"group:{group['id']}", "level": "write"})
            assert (await kim.get(at))["writable"]
            assert (await kim.post(f"{at}/versions", changed, 201))["author"] == "Kim"
            problem(await kim.send("PUT", f"/groups/{group['id']}", {"name": "Mine"}), "not-allowed", 403)
            answer = await lin.send("PUT", f"/groups/{group['id']}", {"name": "Sleep", "members": []})
            assert answer.json()["members"] == []
            problem(await kim.send("GET", at), "not-found", 404)
            await lin.send("PUT", f"{at}/sharing", {"who": "token:wei", "level": None})
            problem(await wei.send("GET", f"{at}/texts"), "not-found", 404)

    run(work())


def test_who_only_reads_leaves_nothing_behind_a_run(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api, "read")
            assert (await wei.post(f"{at}/tests", {"texts": {}}))["at"]
            assert (await lin.get(f"{at}/coverage"))["at"] is None
            await lin.post(f"{at}/tests", {})
            assert (await wei.get(f"{at}/coverage"))["at"] is not None

    run(work())


def test_a_role_in_another_project_lists_nothing_of_this_one(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            accounts, lin = api.context.accounts, Author(api)
            kim, _ = await accounts.invite("test", "kim", ["developer"])
            token = (await api.context.services.make("test", kim.id, "p", ["scripts.read", "scripts.write"], 1)).token
            of_kim = Author(api)
            of_kim.token = token
            own, other, third = await of_kim.made(), await lin.made(), await lin.made()
            await lin.send("PUT", f"/projects/{other['id']}/sharing", {"who": kim.id, "level": "write"})

            async def listed() -> set[str]:
                return {each["id"] for each in (await of_kim.get("/projects"))["projects"] if each["origin"] == "store"}

            assert await listed() == {own["id"], other["id"]}
            await accounts.change("test", kim.id, roles=[], granted=[ProjectRole("developer", third["id"])])
            assert await listed() == {third["id"]}

    run(work())


def test_comments_stay_at_their_node_and_are_resolved(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api, "read")
            text = (await lin.get(f"{at}/texts"))["texts"]["session.yaml"]
            said = {"file": "session.yaml", "path": ASK, "text": "太快了", "mentions": ["token:lin"]}
            thread = await wei.post(f"{at}/threads", said, 201)
            assert thread["spot"] == {"file": "session.yaml", "path": ASK}
            away = {"file": "session.yaml", "operation": {"kind": "move", "path": ASK, "to": ASK[:-1], "index": 0}}
            edit = await lin.post(f"{at}/operations", {**away, "base": None})
            moved = applied(text, edit["edit"]["changes"]["session.yaml"])
            typed = await lin.post(f"{at}/threads/places", {"texts": {"session.yaml": moved}})
            assert typed["threads"][0]["spot"]["path"] == [*ASK[:-1], 0]
            assert (await lin.get(f"{at}/threads"))["threads"][0]["spot"]["path"] == ASK
            await lin.post(f"{at}/versions", {"base": 1, "changes": {"session.yaml": moved}}, 201)
            (there,) = (await wei.get(f"{at}/threads"))["threads"]
            assert there["spot"]["path"] == [*ASK[:-1], 0]
            answered = await lin.post(f"{at}/threads/{thread['id']}/comments", {"text": "好"}, 201)
            assert [(each["name"], each["text"], each["mine"]) for each in answered["comments"]] == [
                ("Wei", "太快了", False),
                ("林", "好", True),
            ]
            for resolved in (True, False):
                done = await wei.send("PUT", f"{at}/threads/{thread['id']}/resolved", {"resolved": resolved})
                assert done.json()["resolved"] is resolved
            without = await lin.post(f"{at}/versions", {"base": 2, "changes": {"session.yaml": "sessions: []\n"}}, 201)
            (gone,) = (await wei.get(f"{at}/threads"))["threads"]
            assert (gone["spot"], gone["last"]["path"]) == (None, [*ASK[:-1], 0])
            await lin.post(f"{at}/versions/2/restore", {}, 201)
            (back,) = (await wei.get(f"{at}/threads"))["threads"]
            assert back["spot"]["path"] == [*ASK[:-1], 0]
            assert without["number"] == 3
            nowhere = {"file": "session.yaml", "path": [0, "nothing", 1], "text": "x"}
            problem(await wei.send("POST", f"{at}/threads", nowhere), "no-node", 409)
            other = f"/projects/{(await lin.made())['id']}"
            problem(await lin.send("POST", f"{other}/threads/{thread['id']}/comments", {"text": "x"}), "not-found", 404)

    run(work())


def test_a_comment_on_what_is_not_saved_yet_waits_for_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api)
            text = (await lin.get(f"{at}/texts"))["texts"]["session.yaml"]
            end = {"file": "session.yaml", "operation": {"kind": "insert", "path": ASK[:-1], "index": 0}}
            end["operation"]["item"] = "{type: say, id: brand_new, content: New}"  # type: ignore[index]
            edit = await lin.post(f"{at}/operations", {**end, "base": None})
            typed = applied(text, edit["edit"]["changes"]["session.yaml"])
            said = {"file": "session.yaml", "path": [*ASK[:-1], 0], "text": "?", "texts": {"session.yaml": typed}}
            await lin.post(f"{at}/threads", said, 201)
            assert (await wei.get(f"{at}/threads"))["threads"][0]["spot"] is None
            mine = await lin.post(f"{at}/threads/places", {"texts": {"session.yaml": typed}})
            assert mine["threads"][0]["spot"]["path"] == [*ASK[:-1], 0]
            await lin.post(f"{at}/versions", {"base": 1, "changes": {"session.yaml": typed}}, 201)
            assert (await wei.get(f"{at}/threads"))["threads"][0]["spot"]["path"] == [*ASK[:-1], 0]

    run(work())


def test_what_two_have_written_is_merged_on_the_tree(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api)
            base = "sessions:\n  - session: A\n    id: a\n    goal: one\n    domain: x\n    phases: []\n"
            await lin.post(f"{at}/versions", {"base": 1, "changes": {"session.yaml": base}}, 201)
            theirs = base.replace("goal: one", "goal: theirs")
            await wei.post(f"{at}/versions", {"base": 2, "changes": {"session.yaml": theirs}}, 201)
            mine = {"session.yaml": base.replace("domain: x", "domain: mine")}
            problem(await lin.send("POST", f"{at}/versions", {"base": 2, "changes": mine}), "version-conflict", 409)
            both = await lin.post(f"{at}/merge", {"base": 2, "changes": mine})
            assert both["conflicts"] == []
            assert both["texts"] == {"session.yaml": theirs.replace("domain: x", "domain: mine")}
            clash = {"base": 2, "changes": {"session.yaml": base.replace("goal: one", "goal: mine")}}
            ours = await lin.post(f"{at}/merge", clash)
            (conflict,) = ours["conflicts"]
            assert (conflict["path"][-1], conflict["base"], conflict["ours"], conflict["theirs"]) == (
                "goal",
                "one",
                "mine",
                "theirs",
            )
            assert "goal: mine" in ours["texts"]["session.yaml"]
            taken = await lin.post(f"{at}/merge", {**clash, "take": [{"file": "session.yaml", "number": 0}]})
            assert (taken["texts"], taken["conflicts"][0]["taken"]) == ({}, True)

    run(work())


def test_who_wrote_a_line_and_what_changed_where_a_copy_came_from(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api)
            await lin.post(f"{at}/versions", {"base": 1, "changes": {"a.md": "one\ntwo\nthree\n"}}, 201)
            copy = await wei.post("/projects", {"name": "Copy", "copy": at.rpartition("/")[2]}, 201)
            await wei.post(f"{at}/versions", {"base": 2, "changes": {"a.md": "one\n2\nthree\n"}, "note": "two"}, 201)
            await lin.post(f"{at}/versions", {"base": 3, "renames": {"a.md": "b.md"}}, 201)
            found = (await lin.get(f"{at}/blame/b.md"))["lines"]
            assert [(each["first"], each["last"], each["author"], each["version"]) for each in found] == [
                (1, 1, "林", 2),
                (2, 2, "Wei", 3),
                (3, 3, "林", 2),
            ]
            origin = await wei.get(f"/projects/{copy['id']}/origin")
            assert (origin["name"], origin["there"]) == ("My project", True)
            assert [each["kind"] for each in origin["changes"]]
            await lin.send("PUT", f"{at}/sharing", {"who": "token:wei", "level": None})
            gone = await wei.get(f"/projects/{copy['id']}/origin")
            assert (gone["there"], gone["changes"]) == (False, [])

    run(work())


def test_every_script_has_its_fields_and_a_score_with_what_lowers_it(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = Author(api)
            at = f"/projects/{(await lin.made())['id']}"
            (session,) = [
                each for each in (await lin.get(f"{at}/scripts"))["scripts"] if each["script_type"] == "session"
            ]
            assert (session["script_id"], session["version"], session["status"], session["author"]) == (
                "first_assessment",
                1,
                "draft",
                "林",
            )
            assert session["script_content"].startswith("sessions:") or "sessions:" in session["script_content"]
            (found,) = (await lin.post(f"{at}/scores"))["scores"]
            assert found["score"] == sum(each["points"] for each in found["parts"])
            assert {each["name"] for each in found["parts"]} == {
                "findings",
                "coverage",
                "mutants",
                "simulation",
                "size",
            }
            for part in found["parts"]:
                assert part["points"] == part["most"] or part["lowers"], part
            project = (await lin.get(f"{at}/texts"))["texts"]["project.yaml"]
            tight = {"project.yaml": project + "limits: {steps: 1}\n"}
            (less,) = (await lin.post(f"{at}/scores", {"texts": tight}))["scores"]
            size = {each["name"]: each for each in less["parts"]}["size"]
            assert size["points"] < 20
            assert "more than 1" in size["lowers"][0]["en"]

    run(work(), 180)


def test_what_is_said_to_somebody_comes_in_one_mail_without_the_words(grounds: Grounds, tmp_path: Path) -> None:
    async def work(box: Mailbox) -> None:
        async with grounds.asgi() as api:
            lin, wei, at = await shared(api)
            kim, _ = await api.context.accounts.invite(
                "test", "kim", granted=[ProjectRole("developer", at[10:])], roles=[]
            )
            job: Any = api.context.jobs._jobs[Digest.kind]
            assert (await lin.get("/comments/mail")) == {"address": None, "possible": True}
            await lin.send("PUT", "/comments/mail", {"address": "lin@example.org"})
            said = {"file": "session.yaml", "path": ASK, "text": "SECRET words", "mentions": ["token:lin"]}
            await wei.post(f"{at}/threads", said, 201)
            await wei.post(f"{at}/threads", {**said, "text": "SECRET too"}, 201)
            store = api.context.sessions.store
            owed = await store.comments.owed("token:lin")
            assert len(owed) == 2
            for who, lines in (("token:lin", 1), (kim.id, 1), ("somebody", 0)):
                assert len(await job._lines(who, "en", owed)) == lines
            from heartrule.jobs.job import Attempt

            attempt = Attempt(Digest.kind, "digest/token:lin", 1)
            assert await job.steps(attempt) == ["email"]
            outcome = await job.take(attempt, "email")
            await job.settle(attempt, {"email": outcome})
            await mails(box, 1)
            (mail,) = box.mails
            assert mail["To"] == "lin@example.org"
            assert "Wei (2)" in mail.get_content()
            assert "SECRET" not in mail.as_string()
            assert await store.comments.owed("token:lin") == ()
            assert await store.outbox.find("digest/token:lin") is None

    box = Mailbox()
    with box.serving():
        told(grounds, box)
        run(work(box), 60)


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """An edit of the protocol, done on a text."""
    lines = text.split("\n")

    def offset(at: dict[str, int]) -> int:
        units = "".join(lines[at["line"]]).encode("utf-16-le")[: at["character"] * 2].decode("utf-16-le")
        return sum(len(line) + 1 for line in lines[: at["line"]]) + len(units)

    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text
