"""What the page weighs over the wire, and how long its first list takes on a slow connection."""

from __future__ import annotations

import sys
import time
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import Opened
from tests.browser.served import Served

FIRST_LOAD = 90_000
EMBEDDED = 60_000
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
"""Milliseconds, and bytes a second, as performance audits take them."""
FIRST_LIST = {True: 1.5, False: 2.5}
"""Seconds; by whether the machine is there for this alone (``make browser``)."""


def weighed(page: Page, url: str, *, slow: bool = False) -> tuple[int, float]:
    """Bytes over the wire until the first list can be read, and seconds."""
    wire = page.context.new_cdp_session(page)
    sizes: list[int] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    if slow:
        wire.send("Network.emulateNetworkConditions", SLOW_4G)
    begun = time.monotonic()
    page.goto(url, wait_until="commit")
    page.locator(".scripts a").first.wait_for()
    return sum(sizes), time.monotonic() - begun


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_the_first_load_is_small(served: Served, context: Opened, look: str) -> None:
    page = context(look, service_workers="block").new_page()
    size, _ = weighed(page, served.url)
    sys.stdout.write(f"first load, {look}: {size} bytes\n")
    assert 20_000 < size <= FIRST_LOAD


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_the_first_list_is_there_soon_on_a_slow_connection(
    served: Served, context: Opened, long: bool, look: str
) -> None:
    best = 99.0
    for _ in range(3):
        page = context(look, service_workers="block").new_page()
        best = min(best, weighed(page, served.url, slow=True)[1])
    sys.stdout.write(f"first list, {look}: {best:.2f} s\n")
    assert best <= FIRST_LIST[long]


@pytest.mark.parametrize(("accepts", "coding"), [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0", None)])
def test_files_go_out_as_they_are_accepted(served: Served, accepts: str, coding: str | None) -> None:
    def sent(path: str) -> Any:
        return urllib.request.urlopen(urllib.request.Request(served.url + path, headers={"Accept-Encoding": accepts}))

    with sent("/") as answer:
        assert answer.headers["Content-Encoding"] == coding
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert answer.headers["Content-Type"].startswith("text/html")
    with sent("/sdk/heart-chat.js") as answer:
        content = answer.read()
        assert answer.headers["Content-Encoding"] == coding
        assert answer.headers["Content-Type"].startswith("text/javascript")
    sys.stdout.write(f"embedded element, {coding}: {len(content)} bytes\n")
    assert coding is None or len(content) <= EMBEDDED


def test_what_was_compressed_has_no_address_of_its_own(served: Served) -> None:
    assert served.get("/index.html.br")[0] == 404
