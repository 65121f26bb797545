"""A real person's session, read in the debugger: by whoever may, masked, and on record; by nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.debugging import Held
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator

SAID = "我电话是 13800138000，邮箱 xiaolin@example.com，最近睡不好"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("recorded"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def admin(served: Served) -> Account:
    return administrator(served)


@pytest.fixture(scope="module")
def session(admin: Account) -> str:
    """Of somebody who has said how they can be reached."""
    made = admin.call("POST", "/sessions", {"script": "cbt/abc_intro"})
    path, token = f"/sessions/{made['session']['id']}", made["token"]
    admin.call("POST", f"{path}/turns", {"key": "key-00001", "input": {"type": "start"}}, token)
    said = {"key": "key-00002", "input": {"type": "message", "text": SAID}}
    admin.call("POST", f"{path}/turns", said, token)
    return str(made["session"]["id"])


def _opened(author: Author, session: str) -> Held:
    held = Held(author)
    held.stands("等来访者说话")
    held.tab("来访者")
    held.page.get_by_label("会谈编号").fill(session)
    held.press("打开来读")
    return held


def _read(admin: Account, who: str, session: str) -> list[Any]:
    found = admin.call("GET", "/staff/audit")["records"]
    return [each for each in found if (each["who"], each["session"], each["what"]) == (who, session, "read")]


def test_who_may_reads_it_masked_and_on_record(admin: Account, session: str, context: Opened) -> None:
    both = admin.invite("wei", ("developer", "counsellor"))
    held = _opened(Author(both, context), session)
    there = held.page.locator(".debug-recorded")
    expect(there.get_by_role("status")).to_contain_text("cbt/abc_intro")
    expect(there).to_contain_text("最近睡不好")
    for covered in ("13800138000", "xiaolin@example.com"):
        expect(there).not_to_contain_text(covered)
    expect(there.get_by_role("button")).to_have_count(1)  # which opens: nothing else is to be done with it
    there.locator("summary", has_text="走过的地方").click()
    expect(there.locator("details").first).to_contain_text("before")
    held.seen("recorded")
    assert len(_read(admin, both.id, session)) == 1


def test_an_author_without_the_role_is_told_so_and_sees_nothing(admin: Account, session: str, context: Opened) -> None:
    only = admin.invite("lin", ("developer",))
    author = Author(only, context)
    held = _opened(author, session)
    there = held.page.locator(".debug-recorded")
    expect(there.get_by_role("alert")).to_contain_text("你的角色不能做这件事")
    expect(there).not_to_contain_text("最近睡不好")
    assert _read(admin, only.id, session) == []


def test_what_is_no_session_is_said_to_be_none(admin: Account, context: Opened) -> None:
    both = admin.invite("mei", ("developer", "counsellor"))
    held = _opened(Author(both, context), "no-such")
    expect(held.page.locator(".debug-recorded").get_by_role("alert")).to_contain_text("这里没有这样东西")
