"""What the page about the API shows is so: its programs run, its lists are the server's own; and the examples run."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import browser  # noqa: F401 - a fixture
from tests.browser.served import Served
from tests.docs.blocks import Block, blocks
from tests.house.tree import ROOT
from tests.server.material import project

from heartrule.server import shapes
from heartrule.server.bodies import LARGEST_BODY, LONGEST_MESSAGE
from heartrule.server.problems import codes
from heartrule.server.settings import Rates, ServerSettings
from heartrule.server.tokens import LIFETIMES, LONGEST_SUBJECT

PAGES = (ROOT / "docs" / "api.md", ROOT / "docs" / "zh" / "api.md")
EXAMPLES = ROOT / "examples"
HERE = "http://127.0.0.1:8000"
LINES = ["提不起劲", "5 个小时", "接着谈", "没有了"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("api")
    made = Served(folder, projects=[project(folder)])
    with made:
        yield made


def ran(command: list[str], served: Served, lines: list[str] | None = None) -> str:
    environment = {**os.environ, "HEARTRULE": served.url, "LANG": "zh_CN.UTF-8", "PYTHONUTF8": "1"}
    done = subprocess.run(
        command,
        input="".join(f"{line}\n" for line in lines or []),
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("block", [each for each in blocks(*PAGES) if each.mark == "run"], ids=str)
def test_what_the_page_shows_runs(block: Block, served: Served) -> None:
    assert HERE in block.text
    text = block.text.replace(HERE, served.url)
    program = {"sh": ["sh", "-eu", "-c"], "python": [sys.executable, "-c"]}[block.kind]
    shown = ran([*program, text], served).splitlines()
    if block.kind == "sh":
        assert "AI" in shown[0]
        assert shown[-1] == "completed"
    else:
        assert shown
        assert shown[0].startswith("ai ")


@pytest.mark.parametrize(
    "command", [["sh", str(EXAMPLES / "curl/talk.sh")], [sys.executable, str(EXAMPLES / "python/talk.py")]]
)
def test_an_example_holds_a_session_to_its_end(command: list[str], served: Served) -> None:
    shown = ran([*command, "tests/small"], served, LINES)
    assert shown.startswith("你好。\n最近心情怎样？\n")
    assert "[接着谈]" in shown
    assert shown.rstrip().endswith("再见。")


def test_an_example_says_what_is_wrong(served: Served) -> None:
    for command in (["sh", EXAMPLES / "curl/talk.sh"], [sys.executable, EXAMPLES / "python/talk.py"]):
        environment = {**os.environ, "HEARTRULE": served.url, "LANG": "en_GB.UTF-8"}
        done = subprocess.run(
            [*command, "tests/none"], env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode != 0
        assert "no-such-script" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_the_page_in_plain_html_holds_a_session(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    quiet = functools.partial(Quiet, directory=str(EXAMPLES / "page"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), quiet) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{pages.server_address[1]}"
        made = Served(tmp_path, projects=[project(tmp_path)])
        made.data.mkdir(parents=True)
        (made.data / "heartrule.toml").write_text(f'[server]\norigins = ["{origin}"]\n')
        with made:
            page = browser.new_page()
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.goto(f"{origin}/?server={made.url}&script=tests/small")
            expect(page.get_by_text("最近心情怎样？")).to_be_visible(timeout=20_000)
            for number, line in enumerate(LINES):
                if number == 2:
                    page.get_by_role("button", name=line).click()
                else:
                    page.get_by_label("想说的话").fill(line)
                    page.get_by_role("button", name="发送").click()
                expect(page.locator("li.person")).to_have_count(number + 1)
                if number == 1:
                    expect(page.get_by_role("button", name="接着谈")).to_be_visible()
                    page.reload()
                    expect(page.locator("li.person")).to_have_count(2)
            expect(page.get_by_text("再见。")).to_be_visible()
            expect(page.locator("form")).to_be_hidden()
            assert wrong == []
            page.close()
        pages.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_page_names_every_route_code_event_and_field(page: Path, served: Served) -> None:
    text = page.read_text(encoding="utf-8")
    desk = (page.parent / "desk.md").read_text(encoding="utf-8")
    workbench = "".join((page.parent / each).read_text(encoding="utf-8") for each in ("workbench.md", "releases.md"))
    debugger = text + (page.parent / "debugger.md").read_text(encoding="utf-8")
    document = json.loads(served.get("/openapi.json")[1])
    for path, methods in document["paths"].items():
        short = path.removeprefix("/api/v1").replace("{session}", "{id}")
        pages = {"/desk/": desk, "/workbench/": workbench, "/debug/": debugger}
        where = next((pages[each] for each in pages if short.startswith(each)), text)
        assert re.search(rf"`(?:(?:{'|'.join(methods).upper()}) )?{re.escape(short)}[?`]", where), path
    for code, status in codes().items():
        assert re.search(rf"^\| [^|]*{status}[^|]* \| .*`{code}`", debugger, re.MULTILINE), code
    for event in (
        "turn.started",
        "message.delta",
        "message.completed",
        "choice.requested",
        "progress",
        "turn.completed",
        "human.typing",
        "error",
    ):
        assert f"| `{event}` |" in text
    for name, shape in {"About": shapes.About, "Session": shapes.SessionShape, "Message": shapes.Message}.items():
        told = re.search(rf"^{name} +\{{(.*?)^(?=\S)", text, re.MULTILINE | re.DOTALL)
        assert told
        assert [field for field in shape.model_fields if not re.search(rf"\b{field}\b", told[1])] == []
    for number in (
        LONGEST_SUBJECT,
        f"{LONGEST_MESSAGE:,}",
        f"{LARGEST_BODY // 1024} KiB",
        *(d.days for d in LIFETIMES.values()),
    ):
        assert str(number) in text, number
    assert set(re.search(r"sender: ([\w|]+)", text)[1].split("|")) == set(  # type: ignore[index]
        get_args(shapes.Message.model_fields["sender"].annotation)
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_settings_that_the_page_shows_are_the_servers_own(page: Path) -> None:
    (block,) = [each for each in blocks(page) if each.mark == "settings"]
    given = tomllib.loads(block.text)["server"]
    assert Rates(**given["rates"]) == Rates()
    found = ServerSettings(**given)
    assert (
        found.model_copy(
            update=dict.fromkeys(("operator", "backup", "certificate", "certificate_key")) | {"origins": ()}
        )
        == ServerSettings()
    )
    assert set(given) == set(ServerSettings.model_fields) - {"embed_secret", "metrics_token"}


def test_both_languages_show_the_same_programs() -> None:
    english, chinese = ([b.text for b in blocks(page) if b.mark == "run"] for page in PAGES)
    assert english == chinese
