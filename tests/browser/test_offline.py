"""The page without its server: it opens, the numbers are there, and nothing that was typed or said is lost."""

from __future__ import annotations

import json
import struct
from typing import Any

from playwright.sync_api import expect
from tests.browser.conftest import Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.test_taking_back import picture
from tests.browser.visiting import Visitor
from tests.house.tree import WEB

READY = "navigator.serviceWorker.ready.then(() => true)"
KEPT = """async () => {
    const found = [];
    for (const name of await caches.keys()) {
        for (const asked of await (await caches.open(name)).keys()) found.push(new URL(asked.url).pathname);
    }
    return found;
}"""
SAID = "在没有网的时候说的这一句"
TYPED = "只打了一半"


def test_nothing_typed_or_said_is_lost_while_the_server_is_away(served: Served, context: Opened) -> None:
    visitor = Visitor(context("phone").new_page(), served, "cbt/abc_intro")
    visitor.begin()
    page = visitor.page
    page.evaluate(READY)
    served.kill()
    visitor.say(SAID)
    visitor.box.fill(TYPED)
    page.reload()
    expect(visitor.box).to_have_value(TYPED)
    expect(page.locator("heart-chat article")).to_contain_text(SAID)
    picture(page, "offline-session")
    page.locator(".help-button").click()
    assert page.locator("help-sheet .number").first.inner_text() == "120"
    page.goto(f"{served.url}/#/")
    page.reload()
    expect(page.locator(".onward .unsaid")).to_contain_text("还没送出")
    expect(page.get_by_text("暂时没连上")).to_be_visible()
    picture(page, "offline-first")
    assert findings(page) == []
    assert overflow(page) == 0
    page.locator(".onward a").click()
    served.start()
    page.wait_for_function(
        "(id) => !Object.keys(localStorage).some((key) => key.startsWith(`heartrule.outbox.${id}.`))",
        arg=visitor.session,
    )
    assert visitor.spoken() == [SAID]
    expect(visitor.box).to_have_value(TYPED)


def test_what_is_kept_is_the_page_and_nothing_that_was_answered_or_said(served: Served, context: Opened) -> None:
    visitor = Visitor(context("desktop").new_page(), served, "cbt/abc_intro")
    visitor.begin()
    visitor.answer()
    page = visitor.page
    page.evaluate(READY)
    page.reload()
    visitor.awaits()
    kept: list[str] = page.evaluate(KEPT)
    assert any(path.startswith("/assets/") for path in kept)
    others = {path for path in kept if not path.startswith("/assets/")}
    assert {"/", "/early.js", "/mark.svg", "/away.html"} <= others
    assert not [path for path in others if path.startswith(("/api", "/events"))]
    assert page.evaluate("navigator.serviceWorker.controller !== null")


def test_it_can_be_installed_in_both_languages(served: Served) -> None:
    status, worker, headers = served.get("/worker.js")
    assert status == 200
    assert worker.startswith(b"const VERSION")
    assert headers["Content-Type"].startswith("text/javascript")
    assert headers["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in headers["Content-Security-Policy"]
    for locale in ("zh-CN", "en"):
        status, text, headers = served.get(f"/app.{locale}.webmanifest")
        assert status == 200
        assert headers["Content-Type"].startswith("application/manifest+json")
        manifest: dict[str, Any] = json.loads(text)
        assert (manifest["lang"], manifest["start_url"], manifest["display"]) == (locale, "/", "standalone")
        for icon in manifest["icons"]:
            status, data, headers = served.get(icon["src"])
            assert status == 200
            assert headers["Content-Type"] == icon["type"]
            if icon["type"] == "image/png":
                assert "x".join(map(str, struct.unpack(">II", data[16:24]))) == icon["sizes"]
    assert (WEB / "apps" / "visitor" / "public" / "icon-touch.png").is_file()
