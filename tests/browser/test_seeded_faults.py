"""Every seeded fault on the page: it stands at its place in the text and on the map, and each mend is one click.
Some of them each time; all of them in the long form."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Error, Locator, Page, expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator
from tests.language.faults import Fault, faults
from tests.language.material import linted_whole

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import applied

ONE_IN = 45
"""Of the faults, in the short form."""
PARTS = 8 if os.environ.get("HEARTRULE_BROWSER_TESTS") == "long" else 1
"""Side by side."""
FILE = "session.yaml"
IN_A_PROJECT = {"W259": "E234"}
"""What is said of the same where a project stands around the script: its folder of templates is known."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("seeded"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def account(served: Served) -> Account:
    return administrator(served).invite("lin", ("developer",))


@pytest.mark.parametrize("part", range(PARTS))
def test_each_is_at_its_place_in_both_views_and_mended_by_one_click(
    account: Account, context: Opened, long: bool, part: int
) -> None:
    author, missed = Author(account, context), []
    chosen = list(faults())[part :: PARTS if long else ONE_IN]
    for fault in chosen:
        for view in ("text", "flow"):
            author.page.goto(f"{author.served.url}/staff/workbench/{_held(account, fault)}?view={view}")
            try:
                _looked(author.page, fault, view)
            except (AssertionError, Error) as error:
                missed.append(f"{fault.name} ({view}): {str(error)[:300]}")
    assert author.wrong == []
    assert missed == [], f"{len(missed)} of {2 * len(chosen)}"


def _held(account: Account, fault: Fault) -> str:
    """A project with it. One for each look: what is mended in one is a draft, and comes back when it is opened."""
    made = account.call("POST", "/workbench/projects", {"name": "错处", "template": "empty", "locale": "zh-CN"})
    body = {"base": 1, "changes": {FILE: fault.text}}
    account.call("POST", f"/workbench/projects/{made['id']}/versions", body)
    return str(made["id"])


def _looked(page: Page, fault: Fault, view: str) -> None:
    """What lint says of the line is in the list; pressing it goes there; its mend takes it away."""
    known = [each for each in linted_whole(fault.text) if each.line == fault.line]
    assert known, "lint does not find it"
    page.locator(".room-head").wait_for()
    page.locator(".findings-button").click()
    found = _at(page, IN_A_PROJECT.get(known[0].code, known[0].code), fault.line)
    expect(found.first).to_be_visible(timeout=15_000)
    found.first.locator(".finding").click()
    if view == "text":
        gutter = page.locator(".editor .cm-activeLineGutter", has_text=re.compile(rf"^{fault.line}$"))
        expect(gutter).to_be_visible()
    else:
        expect(page.locator(".panel, .locked, .editor .cm-activeLine, .form-view").first).to_be_visible()
    mendable = next((each for each in known if each.mend is not None), None)
    if mendable is None or mendable.mend is None:
        return
    one = _at(page, mendable.code, fault.line)
    before = one.count()
    one.locator(".second").first.click()
    if not _stays(fault, mendable):
        expect(one).to_have_count(before - 1)


def _stays(fault: Fault, mendable: Finding) -> bool:
    """Whether another finding of its kind moves into its line."""
    assert mendable.mend is not None
    after = linted_whole(applied(fault.text, mendable.mend.edits))
    return any(each.code == mendable.code and each.line == fault.line for each in after)


def _at(page: Page, code: str, line: int) -> Locator:
    place = page.locator("small", has_text=re.compile(rf"{code} · .*{FILE}:{line}$"))
    return page.locator(".findings li.told", has=place)
