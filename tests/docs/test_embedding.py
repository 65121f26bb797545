"""What the page about embedding shows is so: its lists are the element's, its notes are signed, its example runs."""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import subprocess
import threading
from pathlib import Path

import jwt
import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import browser  # noqa: F401 - a fixture
from tests.browser.served import Served
from tests.house.tree import ROOT, WEB

from heartrule.client import person_token

PAGES = (ROOT / "docs" / "embedding.md", ROOT / "docs" / "zh" / "embedding.md")
EMBED = WEB / "packages" / "sdk" / "src" / "chat"
SECRET = "a secret of thirty-two bytes, at least"


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_it_names_every_event_attribute_property_and_part(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    told = set(re.findall(r"`([^`]+)`", text)) | set(re.findall(r"::part\((\w+)\)", text))
    telling = (EMBED / "embed" / "telling.ts").read_text(encoding="utf-8")
    names = re.search(r"NAMES = \[(.*?)\]", telling, re.DOTALL)
    widget = (EMBED / "embed" / "heart-widget.ts").read_text(encoding="utf-8")
    styles = "".join(
        path.read_text(encoding="utf-8") for path in (EMBED / "styles.ts", EMBED / "embed" / "panel-styles.ts")
    )
    assert names
    wanted = set(re.findall(r'"(\w+)"', names[1]))
    wanted |= set(re.findall(r"^    (\w+): \{ (?:type|attribute)", widget, re.MULTILINE))
    wanted |= set(re.findall(r'part="(\w+)"', widget))
    wanted |= set(re.findall(r"var\(\s*(--heart-[a-z-]+)", styles)) - {"--heart-transcript"}
    assert len(wanted) > 40
    assert wanted - told == set()


@pytest.mark.parametrize("page", PAGES, ids=["en", "zh"])
def test_node_signs_what_python_signs(page: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    assert node, "there is no Node.js"
    program = next(
        each
        for each in re.findall(r"```js\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        if "hmac" in each.lower()
    )
    call = f"\nprocess.stdout.write(personToken({json.dumps(SECRET)}, 'person 七'));\n"
    (tmp_path / "sign.mjs").write_text(program + call, encoding="utf-8")
    done = subprocess.run([node, tmp_path / "sign.mjs"], capture_output=True, text=True, timeout=60, check=True)
    theirs = jwt.decode(done.stdout, SECRET, algorithms=["HS256"], audience="heartrule")
    ours = jwt.decode(
        person_token(SECRET, "person 七", seconds=600), SECRET, algorithms=["HS256"], audience="heartrule"
    )
    assert theirs["sub"] == ours["sub"]
    assert abs(theirs["exp"] - ours["exp"]) < 120


def test_the_plain_page_runs(tmp_path: Path, browser: Browser) -> None:  # noqa: F811
    folder = tmp_path / "page"
    shutil.copytree(ROOT / "examples" / "embed", folder)
    serving = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serving) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{pages.server_port}"
        served = Served(tmp_path)
        served.data.mkdir()
        (served.data / "heartrule.toml").write_text(f'[server]\norigins = ["{here}"]\n', encoding="utf-8")
        file = folder / "index.html"
        written = file.read_text(encoding="utf-8")
        file.write_text(written.replace("http://127.0.0.1:8000", served.url), encoding="utf-8")
        with served:
            page = browser.new_page(locale="zh-CN")
            page.goto(here)
            page.get_by_role("button", name="打开").click()
            page.get_by_role("dialog", name="谈一谈").get_by_role("button", name="我知道了，开始").click()
            expect(page.get_by_role("dialog", name="谈一谈").locator(".message.ai .words").first).to_be_visible()
            page.close()
        pages.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Not into the tests' output."""
