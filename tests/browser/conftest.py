from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import chromium
import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright
from tests.browser.looks import LOOKS
from tests.browser.served import Served

from heartrule.llm.provider import PromptMessage, Request
from heartrule.testing.counsellor import counsel
from heartrule.testing.openai_server import Answer, Body, OpenAIServer

UNLIMITED = "[server.rates]\ntoken = 0\naddress = 0\nsessions = 0\nturns = 0\n"
"""A test types faster than a person."""

expect.set_options(timeout=30_000)
"""Milliseconds: as patient as everything else here, on a machine that others work on as well."""

Opened = Callable[..., BrowserContext]
Serving = Callable[..., Served]


@pytest.fixture
def long() -> bool:
    """Whether these tests are run in their long form (``make browser``)."""
    return os.environ.get("HEARTRULE_BROWSER_TESTS") == "long"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of a module and not of the whole run: while it is open, no other test could run an event loop of its own."""
    with sync_playwright() as playwright:
        program = chromium.found()
        assert program is not None, "there is no Chromium; run: make setup-dev"
        opened = playwright.chromium.launch(executable_path=program, args=[*chromium.FLAGS], timeout=120_000)
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[Opened]:
    """``context("phone", **more)``: a browser of somebody's own, with nothing kept in it."""
    with ExitStack() as opened:

        def make(look: str = "desktop", **more: object) -> BrowserContext:
            made = browser.new_context(**{**LOOKS[look], **more})
            opened.callback(made.close)
            made.set_default_timeout(30_000)
            return made

        yield make


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """``serving(**environment)``: a server with a data folder of its own."""
    with ExitStack() as running:

        def make(**environment: str) -> Served:
            folder = tmp_path / f"served{len(os.listdir(tmp_path))}"
            served = Served(folder, environment=environment)
            served.data.mkdir(parents=True)
            (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
            running.callback(lambda: sys.stdout.write(served.log.read_text(encoding="utf-8", errors="replace")[-4000:]))
            return running.enter_context(served)

        yield make


@pytest.fixture
def served(serving: Serving) -> Served:
    """A server in script mode."""
    return serving()


@pytest.fixture
def model() -> Iterator[OpenAIServer]:
    """A language model on this machine that answers every task in its shape."""
    with OpenAIServer(answer=counselling) as server:
        yield server


@pytest.fixture
def served_with_model(serving: Serving, model: OpenAIServer) -> Served:
    return serving(
        HEARTRULE_LLM_BASE_URL=model.url, HEARTRULE_LLM_API_KEY="loopback", HEARTRULE_LLM_MODEL="loopback-counsellor"
    )


def counselling(body: Body) -> Answer:
    messages = tuple(PromptMessage(each["role"], each["content"]) for each in body["messages"])
    wanted = body.get("response_format", {}).get("json_schema", {}).get("schema")
    answer = counsel(Request(messages, wanted, temperature=body.get("temperature", 0.0)))
    if "asks" in answer and "values" in answer:
        _one_by_one(answer, messages[-1].text)
    return answer


_OPEN = re.compile(r"^(?:还没弄清（\*必要）：|Still open \(\* needed\): )(.*)$", re.MULTILINE)


def _one_by_one(answer: dict[str, Any], prompt: str) -> None:
    """In a stretch of talk one thing is found out at a time, so that a session is as long as with people."""
    found = _OPEN.search(prompt)
    left = [name.strip("* ") for name in re.split("、|, ", found[1])] if found else []
    values = {name: value for name, value in answer["values"].items() if name in left[:1]}
    over = len(left) <= len(values)
    answer |= {"values": values, "EXIT": "YES" if over else "NO", "asks": "" if over else left[len(values)]}
    if not over:
        answer["content"] = "可以再说一点吗？"
