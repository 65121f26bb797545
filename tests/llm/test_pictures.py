"""Pictures made from words: the wire against a server on this machine, and every way in which there is none."""

from __future__ import annotations

import asyncio
import json
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from heartrule.llm.config import ConfigError, build_model, load_settings
from heartrule.llm.live import LiveCallForbidden
from heartrule.llm.pictures import LARGEST, DrawnPicture, NoPicture, accepted, drawn
from heartrule.llm.provider import ProviderError
from heartrule.llm.providers.openai_pictures import OpenAIPictures
from heartrule.llm.settings import LlmSettings

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
Reply = tuple[int, Any]


class Served:
    """A server that answers as it is told, and keeps what it was asked."""

    def __init__(self) -> None:
        self.reply: Callable[[dict[str, Any]], Reply] = lambda _: (200, {"data": [{"b64_json": encoded(PNG)}]})
        self.asked: list[tuple[str, dict[str, Any], str]] = []
        self.wait = threading.Event()
        held = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                held.asked.append((self.path, body, self.headers.get("Authorization", "")))
                status, said = held.reply(body)
                data = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True, kwargs={"poll_interval": 0.01}).start()


def encoded(data: bytes) -> str:
    return b64encode(data).decode()


@pytest.fixture
def served() -> Iterator[Served]:
    made = Served()
    yield made
    made.wait.set()
    made.server.shutdown()
    made.server.server_close()


def draw(provider: OpenAIPictures, seconds: float = 5.0) -> DrawnPicture:
    async def once() -> DrawnPicture:
        try:
            return await provider.draw("一条河", seconds)
        finally:
            await provider.aclose()

    return asyncio.run(once())


def test_words_go_out_and_a_picture_comes_back(served: Served) -> None:
    made = draw(
        OpenAIPictures(served.url, "painter", "secret", size="512x512", extra={"response_format": None, "seed": 7})
    )
    assert made == DrawnPicture("image/png", PNG)
    assert made.address == f"data:image/png;base64,{encoded(PNG)}"
    ((path, body, key),) = served.asked
    assert path == "/v1/images/generations"
    assert body == {"model": "painter", "n": 1, "size": "512x512", "seed": 7, "prompt": "一条河"}
    assert key == "Bearer secret"


WRONG: list[tuple[Reply, str]] = [
    ((200, {"data": []}), "no_picture:no_answer"),
    ((200, b"not json"), "no_picture:no_answer"),
    ((200, {"data": [{"url": "https://elsewhere.example/a.png"}]}), "no_picture:no_answer"),
    ((200, {"data": [{"b64_json": "%%%"}]}), "no_picture:no_answer"),
    ((200, {"data": [{"b64_json": encoded(b"<svg onload=1>")}]}), "no_picture:no_format"),
    ((200, {"data": [{"b64_json": encoded(b"GIF89a")}]}), "no_picture:no_format"),
    ((200, {"data": [{"b64_json": encoded(PNG + bytes(LARGEST))}]}), "no_picture:too_large"),
    ((200, b"x" * (2 * LARGEST + 200_000)), "too_long"),
    ((401, {}), "unauthorised"),
    ((500, {}), "server_error"),
    ((400, {"error": "content policy: blocked"}), ""),
]


@pytest.mark.parametrize(("reply", "code"), WRONG)
def test_what_is_no_picture_is_told_by_a_code(served: Served, reply: Reply, code: str) -> None:
    served.reply = lambda _: reply
    with pytest.raises(ProviderError) as raised:
        draw(OpenAIPictures(served.url, "painter"))
    assert raised.value.cause.startswith(code)
    assert "一条河" not in str(raised.value)


def test_a_server_that_is_not_there(served: Served) -> None:
    served.server.server_close()
    with pytest.raises(ProviderError):
        draw(OpenAIPictures(served.url, "painter"))


def test_no_other_machine_is_asked_in_a_test() -> None:
    with pytest.raises(LiveCallForbidden):
        draw(OpenAIPictures("https://pictures.example/v1", "painter"))


def test_a_picture_is_waited_for_as_long_as_the_turn_has(served: Served) -> None:
    served.reply = lambda _: (500, {"waited": served.wait.wait(5)})
    provider = OpenAIPictures(served.url, "painter", seconds=60)
    answer = asyncio.run(drawn(provider, "1 ai_pic", "一条河", 0.05, "h"))
    assert (answer.status, answer.attempts[0].outcome) == ("failed", "timeout")
    over = asyncio.run(drawn(provider, "1 ai_pic", "一条河", -3.0, "h"))
    assert over.status == "failed"


def test_what_fails_is_an_answer_and_without_a_provider_there_is_none(served: Served) -> None:
    assert asyncio.run(drawn(None, "k", "一条河", 5.0, "h")).status == "absent"
    served.reply = lambda _: (503, {})
    answer = asyncio.run(drawn(OpenAIPictures(served.url, "painter"), "k", "一条河", 5.0, "h"))
    assert (answer.status, answer.data) == ("failed", None)
    assert answer.attempts[0].code == "server_error:503"


def test_formats_are_known_by_their_bytes() -> None:
    assert accepted(b"\xff\xd8\xff....").mime == "image/jpeg"
    assert accepted(b"RIFF....WEBP").mime == "image/webp"
    with pytest.raises(NoPicture):
        accepted(b"ID3")


def test_settings(tmp_path: Any) -> None:
    file = tmp_path / "heartrule.toml"
    file.write_text(
        '[llm.pictures]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "painter"\nsize = "512x512"\n', "utf-8"
    )
    model = build_model(load_settings(file, {}))
    assert isinstance(model.pictures, OpenAIPictures)
    assert model.pictures.name == "painter@127.0.0.1"
    assert build_model(LlmSettings()).pictures is None
    told = load_settings(file, {}).pictures
    assert told is not None
    assert told.origin == "http://127.0.0.1:9"
    file.write_text('[llm.pictures]\nbase_url = "nowhere"\nmodel = "painter"\nsize = "big"\n', "utf-8")
    with pytest.raises(ConfigError) as raised:
        load_settings(file, {})
    assert "size" in str(raised.value)
