"""The worked example for PostgreSQL, as it stands on both pages: an empty server of its own, and a session in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.browser.served import Served
from tests.docs.blocks import blocks
from tests.docs.test_operations import PAGES
from tests.store.postgres import Server, programs

EXAMPLES = {page.parent.name: block for page in PAGES for block in blocks(page) if "createdb" in block.text}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    installed = programs()
    if installed is None:
        pytest.skip("no PostgreSQL on this platform")
    started = Server(installed)
    yield started
    started.stop()


def test_both_pages_show_the_same() -> None:
    assert len({block.text for block in EXAMPLES.values()}) == 1
    assert len(EXAMPLES) == len(PAGES)


def test_what_the_page_shows_makes_a_database_and_holds_a_session_in_it(server: Server, tmp_path: Path) -> None:
    made, exported, served = EXAMPLES["docs"].text.splitlines()
    assert served == "heartrule serve"
    environment = {"PATH": f"{server.programs}:{os.environ['PATH']}", "PGHOST": str(server.folder)}
    owner = {**os.environ, **environment, "PGUSER": "postgres"}
    subprocess.run(["bash", "-ec", made], env=owner, check=True, capture_output=True)
    name, _, url = exported.removeprefix("export ").partition("=")
    with Served(tmp_path, environment={**environment, name: url}) as running:
        begun = running.call("POST", "/sessions", {"script": "cbt/abc_intro"})
        session = begun["session"]["id"]
    with psycopg.connect(host=str(server.folder), user="heartrule", dbname="heartrule") as read:
        assert read.execute("SELECT id FROM sessions").fetchall() == [(session,)]
    assert sorted(path.name for path in (tmp_path / "data").glob("*.db")) == ["keys.db"], "only the keys lie here"
