"""What the workbench costs the author's browser: ``python -m bench.workbench_page [--slower 4]``.

On a project of 5,000 lines in Chromium: how much script its first load brings (gzip, and whether the visitor's page
brings any of it), how soon the map stands, and what one pointer move works while a card is dragged over it, on a
processor that much slower. The work of a move is the browser's own sum of script, styles and layout from the move to
the second frame behind it, less what the same look takes without a move; painting is left out, as a browser without a
window paints on the processor. It is processor time, multiplied: a browser that slows itself down waits by the clock,
and what it waits for others at work on the machine would count that many times. Exits 1 when a limit is passed.
"""

from __future__ import annotations

import argparse
import gzip
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import chromium
from bench.lint_speed import script
from playwright.sync_api import CDPSession, Page, Request, sync_playwright
from tests.browser.authoring import TOURED
from tests.browser.conftest import UNLIMITED
from tests.browser.served import Served
from tests.browser.staffing import administrator

LINES = 5_000
MOVES = 80
WORK = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
LIMITS = {"first load, kB": 700.0, "map, s": 1.0, "pointer move, ms": 16.0}


def worked(protocol: CDPSession) -> float:
    """Milliseconds of processor time of script, styles and layout since the page began."""
    found = protocol.send("Performance.getMetrics")["metrics"]
    return sum(float(each["value"]) for each in found if each["name"] in WORK) * 1_000


def scripts_of(page: Page, address: str, ready: str) -> dict[str, int]:
    """Bytes of each script that an address brings, as gzip would send them."""
    sizes: dict[str, int] = {}

    def count(asked: Request) -> None:
        response = asked.response()
        if response is not None and re.search(r"\.m?js(?:\?|$)", asked.url):
            sizes[asked.url.rsplit("/", 1)[-1]] = len(gzip.compress(response.body(), 9))

    page.on("requestfinished", count)
    page.goto(address)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    page.remove_listener("requestfinished", count)
    return sizes


def dragged(page: Page, slower: float) -> list[float]:
    """Milliseconds of work of each pointer move, on a processor that much slower."""
    protocol = page.context.new_cdp_session(page)
    protocol.send("Performance.enable", {"timeDomain": "threadTicks"})
    box = page.locator(".card.topic .card-title").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 12)
    page.wait_for_timeout(500)

    def looked(at: int | None) -> float:
        before = worked(protocol)
        if at is not None:
            page.mouse.move(x + 12 + 3 * at, y + 12 + 2 * (at % 20))
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return (worked(protocol) - before) * slower

    still = statistics.median(looked(None) for _ in range(20))
    found = [looked(at) - still for at in range(MOVES)]
    page.mouse.up()
    return found


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def measured(slower: float) -> dict[str, float]:
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        data = Path(folder) / "data"
        data.mkdir()
        (data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=[*chromium.FLAGS])
        with Served(data) as served:
            account = administrator(served).invite("lin", ("developer",))
            made = account.call("POST", "/workbench/projects", {"name": "大", "template": "empty", "locale": "zh-CN"})
            body = {"base": 1, "changes": {"session.yaml": script(LINES)}}
            account.call("POST", f"/workbench/projects/{made['id']}/versions", body)
            context = account.into(browser.new_context(viewport={"width": 1360, "height": 900}))
            context.add_init_script(TOURED)
            bench = f"{served.url}/staff/workbench/{made['id']}?view=flow"
            page = context.new_page()
            began = time.perf_counter()
            author = scripts_of(page, bench, ".card.topic")
            found["first load, kB"] = sum(author.values()) / 1_000
            page.goto(bench.replace("view=flow", "view=text"))
            page.locator(".editor .cm-line").first.wait_for()
            page.wait_for_load_state("networkidle")
            began = time.perf_counter()
            page.locator(".views button", has_text="流程").click()
            page.locator(".card.topic").first.wait_for()
            found["map, s"] = time.perf_counter() - began
            found["pointer move, ms"] = p95(dragged(page, slower))
            visitor = scripts_of(browser.new_context().new_page(), served.url, "button")
            shared = (set(author) & set(visitor)) - {"early.js"}  # a few lines about the theme, in every page
            found["of it loaded by the visitor, files"] = float(len(shared))
        browser.close()
    return found


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--slower", type=float, default=4.0)
    found = measured(asked.parse_args().slower)
    wrong = 0
    for name, value in found.items():
        limit = LIMITS.get(name, 0.0)
        wrong += value > limit
        sys.stdout.write(f"{name}: {value:.2f} (limit {limit:g})\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
