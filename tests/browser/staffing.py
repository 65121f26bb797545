"""Accounts of staff, made as an administrator makes them, and browsers that are signed in with them."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect
from tests.browser.pages import findings, overflow
from tests.browser.served import Served

PICTURES = os.environ.get("HEARTRULE_PICTURES")
"""A folder, for whoever wants to look at the pages."""
PASSWORD = "a long enough one"
FIRST = re.compile(r"/staff/#/link/([\w-]+)")


def first_link(served: Served) -> str:
    """The token of the link that the server prints while nobody can sign in."""
    found = FIRST.search(served.log.read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


class Account:
    """Somebody of the staff, who has used their link and is signed in over HTTP."""

    def __init__(self, served: Served, token: str, name: str | None = None) -> None:
        self.served = served
        self._jar = http.cookiejar.CookieJar()
        self._ask = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self._csrf = ""
        signed_in = self.call(
            "POST", f"/staff/links/{token}", {"password": PASSWORD} | ({"name": name} if name else {})
        )
        self._csrf, self.id = signed_in["csrf"], signed_in["principal"]["id"]
        self.name: str = signed_in["principal"]["name"]

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """``token``: in place of their sign-in."""
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self._csrf}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        made = urllib.request.Request(f"{self.served.url}/api/v1{path}", data=data, headers=headers, method=method)
        with self._ask.open(made, timeout=30) as answer:
            said = answer.read()
        return json.loads(said) if said else None

    def invite(self, name: str, roles: Sequence[str] = ("counsellor",)) -> Account:
        made = self.call("POST", "/staff/accounts", {"name": name, "roles": list(roles)})
        return Account(self.served, made["link"]["token"])

    def into(self, context: BrowserContext) -> BrowserContext:
        """The browser is signed in as they are."""
        cookies = [{"name": each.name, "value": each.value or "", "url": self.served.url} for each in self._jar]
        context.add_cookies(cookies)  # type: ignore[arg-type]
        return context


def administrator(served: Served) -> Account:
    return Account(served, first_link(served), "admin")


def seen(page: Page, name: str) -> None:
    """Nothing that keeps somebody out, nothing wider than the screen."""
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))
    assert findings(page) == []
    assert overflow(page) <= 0


class Counsellor:
    """Somebody at the desk, with the hands a person has."""

    def __init__(self, page: Page, account: Account) -> None:
        self.page, self.name = page, account.name
        page.goto(f"{account.served.url}/staff/")
        page.locator(".desk .list").wait_for()

    @property
    def items(self) -> Locator:
        return self.page.locator(".list .item")

    @property
    def log(self) -> Locator:
        return self.page.locator(".session .log")

    @property
    def box(self) -> Locator:
        return self.page.locator("#words")

    def open(self) -> None:
        self.items.first.click()
        self.log.locator(".spoken").first.wait_for()

    def take_over(self) -> None:
        self.page.locator(".foot > button").click()
        self.page.locator(".confirm .main").click()
        self.box.wait_for()

    def say(self, text: str) -> None:
        self.box.fill(text)
        self.box.press("Enter")
        expect(self.box).to_have_value("")

    def hand_back(self, cleared: str = "", note: str = "") -> None:
        self.page.locator(".write .leaving").click()
        if cleared:
            self.page.locator(".leaf input[type=radio]").last.check()
            self.page.locator("#reason").select_option(cleared)
        if note:
            self.page.locator("#hand-note").fill(note)
        self.page.locator(".leaf .main").click()
        self.page.locator(".foot > .main").wait_for()
