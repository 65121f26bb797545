"""Pictures and recordings over HTTP: only what the project has and may show, and nothing by a path."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.material import API, Grounds, problem, run

from heartrule.server.headers import POLICY, policy
from heartrule.server.rendering import address

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
SHOWN = """
sessions:
  - session: 看图
    id: shown
    declare: [{var: 秘密}]
    phases:
      - phase: 一
        steps:
          - topic: 图
            actions:
              - {type: show_pic, picture: pictures/图 1.png, alt: 三个方框}
              - type: ask
                content: 看到了吗？
                card: {title: "{秘密}", items: [一]}
                audio: {src: https://sounds.example/a.mp3, transcript: 静下来}
"""


@pytest.fixture
def shown(grounds: Grounds) -> Path:
    """The grounds' project with a picture."""
    folder = grounds.project
    (folder / "project.yaml").write_text("id: tests\nlocale: zh-CN\nmedia_hosts: [sounds.example]\n", encoding="utf-8")
    (folder / "shown.yaml").write_text(SHOWN, encoding="utf-8")
    (folder / "pictures").mkdir()
    (folder / "pictures" / "图 1.png").write_bytes(PNG)
    (folder / "pictures" / "lying.png").write_bytes(b"<html>")
    (folder.parent / "outside.png").write_bytes(PNG)
    return folder


def test_a_message_says_where_its_media_are_and_a_page_can_read_them(grounds: Grounds, shown: Path) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, turn = await api.begun(script="tests/shown", variables={"秘密": "只给这位看的卡片"})
            picture, asked = turn["messages"]
            assert picture["content"] == "三个方框"
            (media,) = picture["media"]
            assert (media["kind"], media["alt"]) == ("picture", "三个方框")
            assert [each["kind"] for each in asked["media"]] == ["card", "audio"]
            assert asked["media"][0]["src"] is None
            assert asked["media"][0]["data"]["title"] == "只给这位看的卡片"
            assert asked["media"][1]["src"] == "https://sounds.example/a.mp3"
            assert asked["media"][1]["transcript"] == "静下来"
            assert await api.messages(visit) == turn["messages"]
            answer = await api.get(media["src"])
            assert answer.status_code == 200
            assert answer.content == PNG
            assert answer.headers["content-type"] == "image/png"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers["cache-control"] == "public, max-age=3600"
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
            part = await api.get(media["src"], headers={"Range": "bytes=0-7"})
            assert (part.status_code, part.content) == (206, PNG[:8])

    run(work())
    assert "只给这位看的卡片".encode() not in b"".join(
        path.read_bytes() for path in grounds.folder.rglob("*") if path.is_file() and shown not in path.parents
    )


def test_a_session_says_where_the_picture_of_who_speaks_is(grounds: Grounds, shown: Path) -> None:
    """Where the script's project gives it one."""

    async def work() -> None:
        async with grounds.asgi() as api:
            plain = await api.visit("tests/shown")
            assert (await api.get(plain.path, plain.token)).json()["picture"] is None
            role = "roles: [{role: ai, name: 小禾, picture: pictures/图 1.png}]\n"
            (shown / "project.yaml").write_text(f"id: tests\nmedia_hosts: [sounds.example]\n{role}", encoding="utf-8")
            faced = await api.visit("tests/shown")
            told = (await api.get(faced.path, faced.token)).json()
            assert told["speaker"] == "小禾"
            assert told["picture"] == f"{API}/media/tests/pictures/%E5%9B%BE%201.png"
            assert (await api.get(told["picture"])).content == PNG

    run(work())


def test_addresses_as_a_page_reads_them() -> None:
    assert address("tests/pictures/图 1.png") == f"{API}/media/tests/pictures/%E5%9B%BE%201.png"
    assert address("https://sounds.example/a.mp3") == "https://sounds.example/a.mp3"
    assert address("data:image/png;base64,AAAA") == "data:image/png;base64,AAAA"


NOT_SERVED = (
    "tests/pictures/none.png",
    "tests/pictures/lying.png",
    "tests/../outside.png",
    "tests/%2e%2e/outside.png",
    "tests/pictures/..%2f..%2foutside.png",
    "tests/pictures/%2e%2e/project.yaml",
    "tests/project.yaml",
    "tests/shown.yaml",
    "tests//pictures/lying.png",
    "tests/%00",
    "other/pictures/a.png",
    "tests/",
    "safety/suicide.yaml",
)


def test_nothing_else_is_served(grounds: Grounds, shown: Path) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            for path in NOT_SERVED:
                problem(await api.get(f"{API}/media/{path}"), "not-found", 404)

    run(work())


def test_the_page_may_show_what_projects_allow_and_no_more(grounds: Grounds, shown: Path) -> None:
    assert policy(()) == POLICY
    assert "media-src 'self'" in POLICY
    allowed = policy(["sounds.example", "bad host; script-src *", "*"])
    assert "img-src 'self' data: https://sounds.example;" in allowed
    assert "media-src 'self' https://sounds.example;" in allowed
    assert allowed.count("script-src") == 1

    async def work() -> None:
        async with grounds.asgi() as api:
            answer = await api.get("/")
            if answer.status_code == 200:
                assert "https://sounds.example" in answer.headers["content-security-policy"]

    run(work())
