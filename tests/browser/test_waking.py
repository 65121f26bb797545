"""A counsellor's browser that is woken with no page of ours open."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.conftest import UNLIMITED, Opened, Serving
from tests.browser.served import Served
from tests.browser.staffing import administrator

SUBSCRIBES = """
    PushManager.prototype.getSubscription = async () => window.subscribed ?? null;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => (window.subscribed = {
        endpoint: "https://push.example.org/for/this/browser",
        options: { applicationServerKey: Uint8Array.from(
            atob(applicationServerKey.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)).buffer },
        unsubscribe: async () => { window.subscribed = null; return true; },
    });
"""
"""The push service of the browser's maker is out of reach; all else is the browser's own."""
PUSH = '\n[escalation.push]\ncontact = "mailto:ops@example.org"\n'


def with_push(serving: Serving) -> Served:
    served = serving()
    served.stop()
    served.log.unlink()  # the link of the start before opens nothing any more
    (served.data / "heartrule.toml").write_text(UNLIMITED + PUSH, encoding="utf-8")
    served.start()
    return served


def signed_in(served: Served, context: Opened, locale: str) -> tuple[Any, BrowserContext, Page]:
    account = administrator(served).invite("wang")
    account.call("PATCH", "/staff/me", {"locale": locale})
    opened = account.into(context("desktop", locale={"en": "en-US"}.get(locale, locale)))
    opened.grant_permissions(["notifications"], origin=served.url)
    opened.add_init_script(SUBSCRIBES)
    page = opened.new_page()
    page.goto(f"{served.url}/staff/desk")
    return account, opened, page


def test_it_subscribes_wakes_without_a_word_and_can_be_switched_off(serving: Serving, context: Opened) -> None:
    served = with_push(serving)
    account, opened, page = signed_in(served, context, "zh-CN")
    page.get_by_role("switch").check(force=True)
    switch = page.get_by_role("button", name="页面关着也叫我")
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert account.call("GET", "/desk/me/waking")["on"]
    page.evaluate("navigator.serviceWorker.ready")
    found: list[dict[str, Any]] = []
    wire = opened.new_cdp_session(page)
    wire.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    wire.send("ServiceWorker.enable")
    page.wait_for_timeout(500)
    (registration,) = {each["registrationId"] for each in found if each["scopeURL"].endswith("/staff/")}
    push = {"origin": served.url, "registrationId": registration, "data": "ignored"}
    wire.send("ServiceWorker.deliverPushMessage", push)
    shown = """async () => {
        for (let i = 0; i < 250; i++) {
            const found = await (await navigator.serviceWorker.ready).getNotifications();
            if (found.length) return found.map(({ title, body }) => `${title}: ${body}`);
            await new Promise((then) => setTimeout(then, 100));
        }
        return [];
    }"""
    assert page.evaluate(shown) == ["HeartRule: 有人需要你看一下。"]
    switch.click()
    expect(page.get_by_role("button", name="页面关着就不叫我")).to_have_attribute("aria-pressed", "false")
    page.reload()  # and it stays so
    expect(page.get_by_role("button", name=re.compile("不叫我"))).to_be_visible()


def test_where_the_server_wakes_nobody_nothing_is_offered(served: Served, context: Opened) -> None:
    _, _, page = signed_in(served, context, "en")
    page.get_by_role("switch").check(force=True)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("button", name=re.compile("no page open"))).to_have_count(0)
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
