"""A real person's session as the debugger gives it out: to whom, how much, and what stands on record of it."""

from __future__ import annotations

from pathlib import Path

from tests.debugger.material import DEBUG, LIN
from tests.server.material import API, Grounds, problem, run

from heartrule.server.tokens import Role, Staff


def test_it_is_masked_put_on_record_and_given_to_its_own_project_only(tmp_path: Path) -> None:
    async def work() -> None:
        async with Grounds(tmp_path).asgi() as api:
            visit, _ = await api.begun()
            await api.turn(visit, text="13800138000，住在 https://example.com/lin")
            path = f"{DEBUG}/recorded/{visit.id}"
            project = visit.session["script"].partition("/")[0]

            def token(who: str, role: Role, *projects: str) -> str:
                return api.context.tokens.of_staff(Staff(who, who, role, projects)).token

            store = api.context.sessions.store
            problem(await api.get(path, api.context.tokens.of_staff(LIN).token), "not-allowed", 403)
            problem(await api.get(path, token("far", "counsellor", "elsewhere")), "not-found", 404)
            problem(await api.get(path), "unauthorized", 401)
            problem(await api.get(path, visit.token), "not-staff", 403)
            reviewer = token("yu", "reviewer", project)  # who is shown replies, with what stands round each
            problem(await api.get(f"{API}/desk/sessions/{visit.id}/messages", reviewer), "not-allowed", 403)
            problem(await api.get(path, reviewer), "not-allowed", 403)
            assert await store.audit.newest(10, visit.id) == ()
            found = (await api.get(path, token("mei", "counsellor", project))).json()
            said = " ".join(each["content"] for each in found["messages"])
            assert "住在" in said
            assert "13800138000" not in said
            assert "example.com" not in said
            assert all("=" not in name for name in found["variables"])
            assert found["path"]
            (noted,) = await store.audit.newest(10, visit.id)
            assert (noted.who, noted.role, noted.session, noted.what) == ("token:mei", "counsellor", visit.id, "read")

    run(work())
