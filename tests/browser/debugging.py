"""The debugger as an author has it before them."""

from __future__ import annotations

import base64
import contextlib
import os
from pathlib import Path

from playwright.sync_api import Error, Locator, expect
from tests.browser.authoring import Author
from tests.browser.pages import findings, overflow

PICTURES = os.environ.get("HEARTRULE_PICTURES")
"""A folder, for whoever wants to look at the pages."""


STILL = """async () => {
    while (document.getAnimations().some((each) => each instanceof CSSTransition))
        await new Promise((then) => setTimeout(then, 30));
}"""


class Held:
    """A debug session on the screen."""

    def __init__(
        self, author: Author, script: str = "cbt/abc_intro", *, entry: bool = False, by: str = "none", opened: str = ""
    ) -> None:
        self.author, self.page = author, author.page
        self.page.goto(f"{author.served.url}/staff/debugger{opened}")
        if not opened:
            self._begin(script, entry, by)
        self.page.locator(".debug-running, .debug-where").first.wait_for()

    def _begin(self, script: str, entry: bool, by: str) -> None:
        values = self.page.locator("select[name=script] option")
        values.nth(1).wait_for(state="attached")
        all_ = values.evaluate_all("all => all.map(each => each.value)")
        wanted = next(value for value in all_ if value.endswith(f"|{script}"))
        self.page.select_option("select[name=script]", wanted)
        self.page.select_option("select[name=by]", by)
        if entry:
            self.page.check("input[name=entry]")
        self.page.click("form button[type=submit]")

    @property
    def where(self) -> Locator:
        return self.page.locator(".debug-where")

    def stands(self, words: str) -> None:
        expect(self.where).to_contain_text(words, timeout=15_000)

    def key(self, name: str) -> None:
        """Once the page takes it: while it asks the server it heeds none."""
        expect(self.page.locator("[aria-keyshortcuts=F8]")).to_be_enabled(timeout=15_000)
        self.page.keyboard.press(name)

    def say(self, words: str) -> None:
        """Once what was said last has been in sight: what is said before it counts for no answer to it."""
        last = self.page.locator("heart-chat article").last
        with contextlib.suppress(Error):  # it may be drawn anew meanwhile
            last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport()
        box = self.page.locator("heart-chat").get_by_role("textbox")
        box.fill(words)
        box.press("Enter")

    def said(self, words: str) -> None:
        expect(self.page.locator("heart-chat article", has_text=words).last).to_be_attached(timeout=15_000)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def type(self, old: str, new: str) -> None:
        """In the script: the line that holds ``old``, with ``new`` in its place."""
        line = self.page.locator(".debug-editor .cm-line", has_text=old).first
        text = line.inner_text()
        line.click()
        self.page.keyboard.press("Home")
        self.page.keyboard.press("Home")
        self.page.keyboard.press("Shift+End")
        self.page.keyboard.insert_text(text.replace(old, new))

    def seen(self, name: str) -> None:
        """Nothing that keeps somebody out, nothing wider than the screen, no error."""
        if PICTURES:
            asked = {"format": "webp", "quality": 78}
            taken = self.page.context.new_cdp_session(self.page).send("Page.captureScreenshot", asked)
            Path(PICTURES, f"debugger-{name}.webp").write_bytes(base64.b64decode(taken["data"]))
        # A button that is just becoming usable has for a moment neither colour.
        self.page.evaluate(STILL)
        found = findings(self.page)
        assert found == [], found
        assert overflow(self.page) <= 0
        assert self.author.wrong == []
