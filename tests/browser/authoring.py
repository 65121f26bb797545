"""The workbench as an author has it before them: signed in, with a project open."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Opened
from tests.browser.staffing import Account

BOX = """(line, word) => {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(word);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
    }
}"""
TOURED = "try { localStorage.setItem('heartrule.staff.workbench.toured', '1') } catch {}"


class Author:
    """Somebody who writes scripts, in a browser of their own."""

    def __init__(self, account: Account, context: Opened, look: str = "desktop", **more: Any) -> None:
        self.account, self.served = account, account.served
        self.browser = self.account.into(context(look, **more))
        self.browser.add_init_script(TOURED)
        self.page: Page = self.browser.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error) + (error.stack or "")))
        self.page.on("console", lambda told: self.wrong.append(told.text) if _is_refused(told.text) else None)

    # projects

    def make(self, name: str, template: str) -> str:
        """A project from a template, opened; its id."""
        made = self.account.call("POST", "/workbench/projects", {"name": name, "template": template, "locale": "zh-CN"})
        self.open(made["id"])
        return str(made["id"])

    def open(self, project: str, view: str = "") -> None:
        self.page.goto(f"{self.served.url}/staff/workbench/{project}{f'?view={view}' if view else ''}")
        self.page.locator(".room-head").wait_for()
        if not view:
            self.page.locator(".card.topic").first.wait_for()

    def texts(self, project: str) -> dict[str, str]:
        """As they are saved."""
        found: dict[str, str] = self.account.call("GET", f"/workbench/projects/{project}/texts")["texts"]
        return found

    # flow

    def view(self, name: str) -> None:
        self.page.locator(".views button", has_text=name).click()

    def card(self, name: str) -> Locator:
        return self.page.locator(".card.topic", has=self.page.locator(".card-title", has_text=re.compile(f"^{name}$")))

    def step(self, words: str) -> Locator:
        return self.page.locator(".row", has_text=words).first

    def field(self, key: str) -> Locator:
        return self.page.locator(f".panel-body > [data-field={key}]")

    def choose(self, search: str) -> None:
        """What is found in the palette first."""
        box = self.page.locator(".window input[type=search]")
        self.page.locator(".palette button").first.wait_for()
        box.fill(search)
        box.press("Enter")
        expect(self.page.locator(".window")).to_have_count(0)

    def write(self, key: str, words: str) -> None:
        """Instead of what stands in a field of prose."""
        box = self.field(key).locator(".cm-content")
        box.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(words)

    def save(self, note: str) -> None:
        self.page.locator(".room-acts .main").click()
        self.page.locator(".window input").fill(note)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".window")).to_have_count(0)
        expect(self.page.locator(".room-acts .main")).to_be_disabled()

    # text

    @property
    def text(self) -> Locator:
        return self.page.locator(".editor .cm-content")

    def point(self, line: str, word: str) -> None:
        """The pointer rests on a word of a line."""
        box = self.text.locator(".cm-line", has_text=line).first.evaluate(BOX, word)
        self.page.mouse.move(box["x"], box["y"] - 2)
        self.page.mouse.move(box["x"], box["y"], steps=3)


def _is_refused(told: str) -> bool:
    """What the page's own policy keeps it from."""
    return "Content Security Policy" in told or "Uncaught" in told


def lines(text: str) -> list[str]:
    return text.split("\n")


def kept(before: str, after: str) -> list[str]:
    """The lines that were there before and are not any more, each as often as it is missing."""
    left = lines(after)
    gone = []
    for line in lines(before):
        if line in left:
            left.remove(line)
        else:
            gone.append(line)
    return gone
