"""Takes the pictures of the README from the real app: a real server, a real browser, a session held as a visitor would.

make pictures
"""

from __future__ import annotations

import sys
from base64 import b64decode
from pathlib import Path
from tempfile import TemporaryDirectory

import chromium
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.looks import LOOKS  # noqa: E402
from tests.browser.served import Served  # noqa: E402
from tests.browser.tour import DANGER  # noqa: E402
from tests.browser.visiting import Visitor  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
LARGEST = 60_000
"""Bytes that a picture may have."""
TALK = ["小林", "最近总是提不起劲，下班回家就只想躺着", "觉得自己什么都做不好，别人都比我强"]
ENGLISH_TALK = ["May", "4", "That makes sense"]


def take(page: Page, name: str) -> None:
    path = PICTURES / f"{name}.webp"
    page.wait_for_timeout(400)
    taken = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": 82})
    path.write_bytes(b64decode(taken["data"]))
    size = path.stat().st_size
    if size > LARGEST:
        raise SystemExit(f"{path.name} has {size} bytes, more than {LARGEST}: take it of less")
    print(f"  {path.relative_to(ROOT)}  {size // 1024} kB")


def talking(page: Page, served: Served, script: str, lines: list[str]) -> Visitor:
    visitor = Visitor(page, served, script)
    visitor.begin()
    for line in lines:
        while visitor.awaits()["asked"] == "choice":
            visitor.answer()
            visitor.awaits(visitor.kept()[-1]["seq"] - 1)
            page.wait_for_timeout(300)
        before = visitor.awaits()["last"]
        visitor.say(line)
        visitor.awaits(before)
    return visitor


def phone(browser: Browser, served: Served) -> None:
    page = browser.new_context(**LOOKS["phone"]).new_page()
    page.goto(served.url)
    page.locator(".scripts a").first.wait_for()
    take(page, "arrive")
    talking(page, served, "cbt/first_assessment", TALK)
    take(page, "phone")


def desktop(browser: Browser, served: Served) -> None:
    page = browser.new_context(**LOOKS["desktop"]).new_page()
    talking(page, served, "cbt/first_assessment", TALK)
    take(page, "desktop")


def dark(browser: Browser, served: Served) -> None:
    page = browser.new_context(**{**LOOKS["phone"], "color_scheme": "dark"}).new_page()
    talking(page, served, "cbt/first_assessment", TALK)
    take(page, "dark")


def english(browser: Browser, served: Served) -> None:
    page = browser.new_context(**LOOKS["english"]).new_page()
    talking(page, served, "cbt/abc_intro_en", ENGLISH_TALK)
    take(page, "english")


def crisis(browser: Browser, served: Served) -> None:
    page = browser.new_context(**LOOKS["phone"]).new_page()
    visitor = talking(page, served, "cbt/first_assessment", TALK[:1])
    before = visitor.awaits()["last"]
    visitor.say(DANGER["zh-CN"])
    visitor.awaits(before)
    take(page, "crisis")


def error(browser: Browser, served: Served) -> None:
    """The server goes away while something is being said."""
    page = browser.new_context(**LOOKS["phone"]).new_page()
    visitor = talking(page, served, "cbt/first_assessment", TALK[:2])
    served.kill()
    visitor.say(TALK[2])
    page.wait_for_function("() => document.querySelector('heart-chat').conversation.state.status === 'offline'")
    take(page, "error")
    served.start()


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    program = chromium.found()
    if program is None:
        raise SystemExit("There is no Chromium. Run: make pictures")
    print("Taking pictures.")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*chromium.FLAGS])
        with Served(Path(folder)) as served:
            for of in (phone, desktop, dark, english, crisis, error):
                of(browser, served)
        browser.close()


if __name__ == "__main__":
    main()
