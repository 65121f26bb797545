"""The chat in somebody else's page, whatever that page does: odd styles, a strict policy, two of them, a phone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.hosting import GLOBALS, HOSTILE, hosting, policy
from tests.browser.pages import SERIOUS, axe, settle
from tests.browser.served import Served

from heartrule.client import person_token

SECRET = "a secret of thirty-two bytes, at least"
TWO = """
<heart-chat id="talk" agreed="2026-11-23" base="{server}" script="cbt/abc_intro" locale="zh-CN"></heart-chat>
<heart-chat id="help" agreed="2026-11-23" base="{server}" script="cbt/abc_intro" mode="bubble" label="Talk to us"
 locale="en"></heart-chat>
"""
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/odd.css">
<script src="/globals.js"></script>
<script type="module" src="{server}{file}" integrity="{integrity}" crossorigin="anonymous"></script>
</head><body><main><h1>A shop</h1>{body}</main></body></html>"""


class Host:
    """A page on an origin of its own, and the server that it may use."""

    def __init__(
        self, served: Served, address: str, files: dict[str, tuple[str, str]], headers: dict[str, str]
    ) -> None:
        self.served, self.address = served, address
        self._files, self._headers = files, headers

    def write(self, body: str, *, style: str = HOSTILE) -> None:
        widget = json.loads(self.served.get("/sdk/heart-chat.json")[1])
        fill = {"server": self.served.url, "file": widget["file"], "integrity": widget["integrity"]}
        page = PAGE.format(body=body.format(server=self.served.url), **fill)
        self._files["/"] = ("text/html", page)
        self._files["/odd.css"] = ("text/css", style)
        self._files["/globals.js"] = ("text/javascript", GLOBALS)
        self._headers["Content-Security-Policy"] = policy(self.served.url)

    def opened(self, page: Page) -> Page:
        page.goto(self.address + "/")
        page.wait_for_function("customElements.get('heart-chat') !== undefined")
        return page


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosting() as (address, files, headers):
        made = Served(tmp_path, environment={"HEARTRULE_EMBED_SECRET": SECRET})
        made.data.mkdir(parents=True)
        origins = f'[server]\norigins = ["{address}"]\n'
        (made.data / "heartrule.toml").write_text(origins + UNLIMITED, encoding="utf-8")
        with made as served:
            yield Host(served, address, files, headers)


def pictured(page: Page, name: str) -> None:
    if folder := os.environ.get("HEARTRULE_PICTURES"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def said(chat: Locator) -> Locator:
    return chat.locator(".message.ai .words").first


def sound(page: Page) -> None:
    """Nothing was forbidden, nothing went wrong, and nobody is kept out. axe itself does not live with what the page
    has done to every array."""
    assert page.evaluate("[reports, wrong]") == [[], []]
    settle(page)
    page.evaluate("() => { delete Array.prototype.added; delete Object.prototype.added; }")
    page.evaluate(axe())
    found = page.evaluate("axe.run({include: [['heart-chat']]}, {resultTypes: ['violations']})")
    assert found["passes"]
    serious = [each for each in found["violations"] if each["impact"] in SERIOUS]
    assert [(each["id"], node["html"][:200]) for each in serious for node in each["nodes"]] == []


def test_a_hostile_page_with_two_of_them(host: Host, context: Opened) -> None:
    host.write(TWO)
    page = host.opened(context("desktop").new_page())
    inline, bubble = page.locator("#talk"), page.locator("#help")
    expect(said(inline)).to_be_visible()
    bubble.locator(".launcher").click()
    expect(said(bubble)).to_be_visible()
    expect(inline.locator(".about")).to_have_text("这里没有语言模型，读到的都是写好的话。")
    expect(bubble.locator(".about")).to_be_in_viewport()
    look = "(node) => { const {fontSize, letterSpacing, direction, textTransform} = getComputedStyle(node);"
    look += " return [fontSize, letterSpacing, direction, textTransform]; }"
    for chat in (inline, bubble):
        assert said(chat).evaluate(look) == ["17px", "normal", "ltr", "none"]
    expect(bubble.locator("textarea")).to_be_focused()
    page.keyboard.type("Hello from the corner")
    page.keyboard.press("Enter")
    expect(bubble.locator(".message.person .words")).to_have_text(["Hello from the corner"])
    expect(inline.locator(".message.person")).to_have_count(0)
    sound(page)


def test_a_bubble_by_keyboard_and_over_reloads(host: Host, context: Opened) -> None:
    host.write(TWO.split("\n", 2)[2])
    page = host.opened(context("desktop").new_page())
    launcher = page.get_by_role("button", name="Talk to us")
    launcher.focus()
    sound(page)
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name="Talk to us")
    expect(panel).to_be_visible()
    help_ = panel.get_by_role("button", name="Help now")
    help_.click()
    expect(panel.get_by_role("link", name="988")).to_be_visible()
    sound(page)
    help_.click()
    expect(panel.get_by_role("link", name="988")).to_have_count(0)
    words = said(page.locator("#help")).inner_text()
    page.reload()
    expect(panel).to_be_visible()
    expect(said(page.locator("#help"))).to_have_text(words)
    page.locator("heart-chat textarea").focus()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(launcher).to_be_focused()
    page.reload()
    expect(launcher).to_be_visible()
    expect(panel).to_be_hidden()
    sound(page)


def test_on_a_phone_it_takes_the_whole_screen(host: Host, context: Opened) -> None:
    host.write(TWO.split("\n", 2)[2], style="")
    page = host.opened(context("phone", color_scheme="dark").new_page())
    page.get_by_role("button", name="Talk to us").click()
    panel = page.get_by_role("dialog", name="Talk to us")
    expect(said(page.locator("#help"))).to_be_visible()
    assert panel.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    sound(page)
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    sound(page)


def test_a_signed_person_keeps_their_session(host: Host, context: Opened) -> None:
    host.write('<heart-chat mode="full" agreed="2026-11-23" base="{server}" locale="en"></heart-chat>')
    opened = context("desktop")
    give = "token => { const chat = document.querySelector('heart-chat');"
    give += " chat.getToken = async () => token; chat.script = 'cbt/abc_intro'; }"
    page = host.opened(opened.new_page())
    page.evaluate(give, person_token(SECRET, "person-7"))
    expect(said(page.locator("heart-chat"))).to_be_visible()
    box = page.locator("heart-chat").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 1280, "height": 800}
    theirs = host.served.call("GET", "/sessions", token=person_token(SECRET, "person-7"))["sessions"]
    assert [each["script"] for each in theirs] == ["cbt/abc_intro_en"]
    # The next person at the same screen does not come upon it.
    page.reload()
    page.wait_for_function("customElements.get('heart-chat') !== undefined")
    page.evaluate(give, person_token(SECRET, "person-8"))
    expect(said(page.locator("heart-chat"))).to_be_visible()
    others = host.served.call("GET", "/sessions", token=person_token(SECRET, "person-8"))["sessions"]
    assert [each["id"] for each in others] != [each["id"] for each in theirs]
    assert len(others) == 1
    sound(page)


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_it_tells_and_offers_what_the_page_does_and_takes_no_focus(host: Host, context: Opened, look: str) -> None:
    body = '<label>Search <input id="search" autofocus></label><heart-chat base="{server}" script="cbt/abc_intro"'
    host.write(body + ' locale="en"></heart-chat>', style="")
    page = host.opened(context(look).new_page())
    page.locator("#search").focus()
    chat = page.locator("heart-chat")
    expect(chat.get_by_text("Who may read and take over")).to_be_attached()
    expect(chat.get_by_text("It is not said who runs this")).to_be_attached()
    expect(chat.get_by_text("Meant for: Adults with mild to moderate distress")).to_be_attached()
    expect(chat.get_by_role("link", name="988")).to_be_attached()
    assert page.evaluate("document.activeElement.id") == "search"
    pictured(page, f"element notice {look}")
    sound(page)
    chat.get_by_role("button", name="I understand. Begin").click()
    expect(said(chat)).to_be_visible()
    expect(chat.get_by_role("button", name="Quick exit")).to_be_visible()
    page.reload()
    expect(said(chat)).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate("document.activeElement.localName") != "heart-chat", "nor after a reload"
    chat.get_by_role("button", name="Options").click()
    pictured(page, f"element menu {look}")
    sound(page)
    chat.get_by_role("button", name="Pause").click()
    expect(chat.get_by_text("Paused. To go on")).to_be_visible()
    chat.get_by_role("button", name="Options").click()
    chat.get_by_role("button", name="End this conversation").click()
    chat.get_by_role("button", name="Really end it?").click()
    expect(chat.get_by_text("This conversation has ended")).to_be_visible()
    expect(chat.get_by_role("textbox")).to_have_count(0)
    sound(page)
    chat.get_by_role("button", name="Options").click()
    expect(chat.get_by_role("button", name="Pause")).to_have_count(0)
    chat.get_by_role("button", name="Erase this conversation").click()
    chat.get_by_role("button", name="Erase it for good?").click()
    expect(chat.get_by_role("button", name="I understand. Begin")).to_be_visible()
    page.route("**wikipedia**", lambda route: route.fulfill(status=200, body="elsewhere"))
    chat.get_by_role("button", name="Quick exit").click()
    page.wait_for_url("**wikipedia**")
