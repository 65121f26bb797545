"""``<heart-chat>`` for other pages: an address of the newest, one of each file, and what to hold it to."""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path

import pytest
from tests.house.tree import WEB
from tests.server.material import Grounds

from heartrule.server.routes import sdk
from heartrule.server.widget_file import Widget, WidgetFile, places

pytestmark = pytest.mark.anyio
CLINIC = "https://clinic.example"
LARGEST = 60_000
"""Bytes, packed as a proxy packs them."""


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Widget:
    content = b"export {};\n"
    (tmp_path / "heart-chat.js").write_bytes(content)
    monkeypatch.setattr(sdk, "embedding", WidgetFile((tmp_path / "nowhere", tmp_path)))
    return Widget.of(content)


async def test_the_newest_is_kept_for_a_while_and_each_file_for_good(grounds: Grounds, built: Widget) -> None:
    async with grounds.asgi(origins=(CLINIC,)) as api:
        said = (await api.client.get("/sdk/heart-chat.json")).json()
        newest = await api.client.get("/sdk/heart-chat.js", headers={"Origin": CLINIC})
        this = await api.client.get(said["file"], headers={"Origin": CLINIC})
        other = await api.client.get("/sdk/0.0.1-00000000/heart-chat.js")
    assert newest.content == this.content == built.content
    assert newest.headers["Cache-Control"] == "public, max-age=300"
    assert this.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert this.headers["Content-Type"].startswith("text/javascript")
    assert said["version"] in said["file"]
    assert said["integrity"] == "sha384-" + base64.b64encode(hashlib.sha384(this.content).digest()).decode()
    assert other.status_code == 404


async def test_only_pages_that_may_call_the_api_may_load_it(grounds: Grounds, built: Widget) -> None:
    async with grounds.asgi(origins=(CLINIC,)) as api:
        theirs = await api.client.get("/sdk/heart-chat.js", headers={"Origin": CLINIC})
        others = await api.client.get("/sdk/heart-chat.js", headers={"Origin": "https://other.example"})
        plain = await api.client.get("/sdk/heart-chat.js")
    assert theirs.headers["Access-Control-Allow-Origin"] == CLINIC
    assert theirs.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Access-Control-Allow-Origin" not in others.headers
    assert all("Origin" in answer.headers["Vary"] for answer in (theirs, others, plain))


async def test_two_contents_are_never_of_one_version() -> None:
    assert Widget.of(b"a").version != Widget.of(b"b").version


async def test_where_it_was_never_built_there_is_none(
    grounds: Grounds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sdk, "embedding", WidgetFile((tmp_path,)))
    async with grounds.asgi() as api:
        answers = [
            await api.client.get(f"/sdk/{name}") for name in ("heart-chat.json", "heart-chat.js", "x/heart-chat.js")
        ]
    assert [answer.status_code for answer in answers] == [404, 404, 404]


def test_what_was_built_is_small_and_makes_no_code_of_words() -> None:
    (folder,) = places()
    assert folder == WEB / "packages" / "sdk" / "dist" / "embed"
    content = (folder / "heart-chat.js").read_bytes()
    assert len(gzip.compress(content, 9)) <= LARGEST
    assert b"eval(" not in content
    assert b"new Function" not in content
