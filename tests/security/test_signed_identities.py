"""A token that somebody else signs for the staff: whatever it calls itself, it is nobody's account."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from tests.server.material import API, SECRET, Asked, Grounds, headers, problem, run
from tests.server.signing import account, page

from heartrule.server.tokens import Role, Staff
from heartrule.testing.hold import START


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


@pytest.mark.parametrize("signer", ["embedder", "token"])
def test_a_signed_token_that_names_an_account_is_not_that_account(grounds: Grounds, signer: str) -> None:
    async def work() -> None:
        async with grounds.asgi(embed_secret=SECRET) as api, page(api) as wang, page(api) as lin:
            await account(api, wang, "wang")
            await account(api, lin, "lin", ["developer"])
            visit, _ = await api.begun()
            at = f"/desk/sessions/{visit.id}"
            reply = await wang.done(
                "POST", "/desk/canned", {"title": "t", "text": "t", "locale": "en", "shared": False}, 201
            )
            note = (await wang.done("POST", f"{at}/notes", {"text": "mine"}, 201))["id"]
            await wang.done("PUT", "/desk/me/here", {"here": True})
            await wang.done("POST", f"{at}/takeover", {"key": "key-00001"})
            project = await lin.done("POST", "/workbench/projects", {"name": "p", "template": "empty"}, 201)

            async def ask(method: str, path: str, body: Any = None, who: str = "", role: Role = "counsellor") -> Any:
                token = signed(api, signer, who or wang.principal["id"], role)
                return await api.client.request(method, f"{API}{path}", json=body, headers=headers(token, {}))

            problem(await ask("PUT", f"{at}/notes/{note}", {"text": "changed"}), "not-allowed", 403)
            problem(await ask("DELETE", f"/desk/canned/{reply['id']}"), "not-found", 404)
            problem(await ask("POST", f"{at}/messages", {"key": "key-00002", "text": "…"}), "taken-over", 409)
            assert (await ask("PUT", "/desk/me/here", {"here": False})).status_code == 200
            assert (await wang.done("GET", "/desk/me"))["here"]

            author = lin.principal["id"]
            problem(
                await ask("GET", f"/workbench/projects/{project['id']}", None, author, "developer"), "not-found", 404
            )
            assert (await ask("GET", f"{at}/messages")).status_code == 200
            newest = (await api.context.sessions.store.audit.newest(1, visit.id))[0]
            assert (newest.who, newest.what) == (f"{signer}:{wang.principal['id']}", "read")

    run(work())


def signed(api: Asked, signer: str, who: str, role: Role) -> str:
    if signer == "token":
        return api.context.tokens.of_staff(Staff(who, "Mallory", role, ("*",))).token
    until = int((START + timedelta(hours=1)).timestamp())
    claims = {"aud": "heartrule", "sub": who, "exp": until, "role": role, "name": "Mallory", "projects": ["*"]}
    return jwt.encode(claims, SECRET, "HS256")
