"""Releases are signed, and a server that runs only signed ones runs nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update
from tests.releases.material import LIN, WEI, Member
from tests.server.material import SCRIPT as IN_FOLDER
from tests.server.material import Asked, Grounds, problem, run

from heartrule.sessions.release_choice import Trust
from heartrule.signing import BadKey, Signer, is_signed
from heartrule.store.database import Tx
from heartrule.store.release_schema import releases
from heartrule.store.schema import sources

SCRIPT = "sleepy/sleep"


def trusting(grounds: Grounds, *keys: str) -> dict[str, Trust]:
    return {"trust": Trust(True, keys or (Signer(grounds.data).key(),))}


async def refused(api: Asked, script: str = SCRIPT) -> None:
    problem(await api.post("/api/v1/sessions", {"script": script}), "no-such-script", 404)


def test_only_what_a_trusted_key_has_signed_is_run(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            project = await lin.project()
            made = await lin.ready(project)
            await wei.post(f"/releases/{made}/publish")
        async with grounds.asgi(store=trusting(grounds)) as api:
            await api.visit(SCRIPT)
            await api.visit("cbt/first_assessment")
            await refused(api, IN_FOLDER)  # nobody has signed what lies in this folder
        other = Signer(grounds.folder / "other").key()
        async with grounds.asgi(store=trusting(grounds, other)) as api:
            await refused(api)
            problem(await Member(api, LIN).send("POST", f"/releases/{made}/impact"), "release-not-trusted", 409)

    run(work())


@pytest.mark.parametrize("what", ["text", "signature", "bundle"])
def test_what_was_changed_in_the_database_is_not_run(grounds: Grounds, what: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Member(api, LIN), Member(api, WEI)
            made = await lin.ready(await lin.project())
            await wei.post(f"/releases/{made}/publish")

            def change(tx: Tx) -> None:
                if what == "text":
                    tx.conn.execute(update(sources).values(text=b"sessions: []\n"))
                else:
                    bundle = "signature" if what == "signature" else "slug"
                    tx.conn.execute(update(releases).values({bundle: "other"}))

            await api.context.sessions.store._db.write(change)
        async with grounds.asgi(store=trusting(grounds)) as api:
            await refused(api)

    run(work())


def test_the_key_is_one_file_that_only_its_owner_reads(tmp_path: Path) -> None:
    signer = Signer(tmp_path)
    key, signature = signer.sign("a", "b")
    assert (tmp_path / "release.key").stat().st_mode & 0o777 == 0o600
    assert Signer(tmp_path).key() == key
    assert is_signed("a", "b", key, signature)
    assert not is_signed("a", "c", key, signature)
    assert not is_signed("a", "b", key, signature[:-4])
    for wrong in ("", "x", "AAAA"):
        assert not is_signed("a", "b", wrong, signature)
    with pytest.raises(BadKey):
        Trust.of({"HEARTRULE_RELEASE_KEYS": "none"}, tmp_path)
    assert Trust.of({"HEARTRULE_SIGNED_ONLY": "1"}, tmp_path) == Trust(True, (key,))
