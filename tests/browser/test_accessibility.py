"""Every page in both themes and both languages: nothing serious for axe, nothing wider than a small phone, no mouse."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.tour import SCRIPTS, tour
from tests.browser.visiting import Visitor

WAYS = [("zh-CN", "light"), ("en", "dark"), ("zh-CN", "dark"), ("en", "light")]
SHORT = 2
"""So many of the ways are gone in the short form."""


def visiting(served: Served, context: Opened, look: str, locale: str, **more: object) -> Visitor:
    opened = context(look, locale={"en": "en-US"}.get(locale, locale), **more)
    return Visitor(opened.new_page(), served, SCRIPTS[locale])


@pytest.mark.parametrize(("locale", "theme"), WAYS)
def test_axe_finds_nothing_serious(served: Served, context: Opened, long: bool, locale: str, theme: str) -> None:
    if not long and (locale, theme) not in WAYS[:SHORT]:
        pytest.skip("part of `make browser`")
    visitor = visiting(served, context, "desktop", locale, color_scheme=theme)
    found = {name: findings(visitor.page) for name in tour(visitor, locale)}
    assert len(found) > 15
    assert visitor.page.evaluate("document.documentElement.lang") == locale
    assert {name: what for name, what in found.items() if what} == {}


def test_axe_would_find_something(served: Served, context: Opened) -> None:
    page = context("desktop").new_page()
    page.goto(served.url)
    page.locator(".scripts a").first.wait_for()
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [each.split()[0] for each in findings(page)] == ["button-name"]


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_nothing_is_wider_than_a_small_phone(served: Served, context: Opened, locale: str) -> None:
    visitor = visiting(served, context, "narrow", locale)
    wide = {name: overflow(visitor.page) for name in tour(visitor, locale)}
    assert {name: pixels for name, pixels in wide.items() if pixels > 0} == {}
