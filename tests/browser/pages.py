"""Every page a visitor can come to, and how to get there; and what a page must be, whoever looks at it."""

from __future__ import annotations

from functools import cache
from typing import Any

from playwright.sync_api import Page
from tests.house.tree import WEB

SERIOUS = {"serious", "critical"}


@cache
def axe() -> str:
    return (WEB / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def findings(page: Page) -> list[str]:
    """What axe finds that keeps somebody out, in a sentence each. The page's own policy forbids foreign scripts; the
    debugging protocol, through which this one comes, does not ask it."""
    settle(page)
    page.evaluate(axe())
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']} ({each['impact']}): {each['help']} – {node['html'][:120]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


def settle(page: Page) -> None:
    """Until nothing moves any more, or only what moves for ever: colours that fade in are not the page's colours."""
    page.evaluate(
        """() => Promise.race([
            Promise.allSettled(document.getAnimations().map((each) => each.finished)),
            new Promise((resolve) => setTimeout(resolve, 1500)),
        ])"""
    )


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide
