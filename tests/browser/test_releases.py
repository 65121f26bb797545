"""Releases in two browsers: one writes, tests and makes a release, another reviews, weighs, publishes, compares and
takes it back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator, seen
from tests.releases.material import FILES, TALK


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("releases"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


class Visitor:
    """Somebody who talks, over HTTP."""

    def __init__(self, account: Account, made: dict[str, str] | None = None) -> None:
        self._account = account
        if made is None:
            told = account.call("POST", "/sessions", {"script": "sleepy/sleep"})
            made = {"session": told["session"]["id"], "token": told["token"]}
        self._path, self._token, self._after, self._key = f"/sessions/{made['session']}/turns", made["token"], 0, 0

    def send(self, **given: str) -> str:
        self._key += 1
        body = {"key": f"a-key-{self._key:04}", "input": {"type": "message", **given}, "after": self._after}
        told = self._account.call("POST", self._path, body, self._token)
        self._after = max((each["seq"] for each in told["messages"]), default=self._after)
        said = [each["content"] for each in told["messages"] if each["sender"] == "ai"]
        return str(said[-1]) if said else ""


def gate(page: Page, name: str) -> None:
    expect(page.locator(f'[data-gate="{name}"].open')).to_be_visible()


def test_two_people_make_review_publish_and_take_back(served: Served, context: Opened) -> None:
    admin = administrator(served)
    lin, wei = admin.invite("lin", ("developer",)), admin.invite("wei", ("reviewer",))
    wei.call("PATCH", "/staff/me", {"locale": "en"})
    made = lin.call("POST", "/workbench/projects", {"name": "睡眠", "template": "empty", "locale": "zh-CN"})
    project = f"/workbench/projects/{made['id']}"
    lin.call("POST", f"{project}/versions", {"base": 1, "changes": {"session.yaml": None, **FILES}})
    writer = lin.into(context("desktop")).new_page()
    other = wei.into(context("english")).new_page()

    # what a project asks, and the first release
    other.goto(f"{served.url}/staff/releases/of/{made['id']}")
    other.locator("#coverage").fill("90")
    other.locator("#reviewers").fill("1")
    other.get_by_role("button", name="Set", exact=True).click()
    writer.goto(f"{served.url}/staff/releases")
    writer.get_by_role("link", name="睡眠（sleepy）").click()
    writer.get_by_role("button", name="做一个发布").click()
    writer.locator(".gates .shut").first.wait_for()
    seen(writer, "release-shut-wide-zh-light")
    writer.get_by_role("button", name="检查（跑测试）").click()
    for name in ("lint", "tests", "coverage", "notes"):
        gate(writer, name)
    go_through(lin, project)
    writer.get_by_role("button", name="检查（跑测试）").click()
    gate(writer, "debug")
    address = writer.url

    publish(other, address)
    expect(other.get_by_text("It is published.")).to_be_visible()
    talking = Visitor(lin)
    talking.send(type="start")
    assert "昨晚睡了几个小时" in talking.send(text="叫我小林")

    # another version, weighed and published to everybody
    lin.call("POST", f"{project}/versions", {"base": 2, "changes": {"talk.yaml": TALK.replace("昨晚", "昨天夜里")}})
    go_through(lin, project)
    writer.goto(f"{served.url}/staff/releases/of/{made['id']}")
    writer.get_by_role("button", name="做一个发布").click()
    writer.get_by_role("button", name="检查（跑测试）").click()
    gate(writer, "debug")
    expect(writer.get_by_role("heading", name="改了什么")).to_be_visible()
    expect(writer.locator("#notes")).to_have_value(re.compile("昨天夜里"))
    other.goto(writer.url)
    other.get_by_role("button", name="Have a look").click()
    expect(other.locator(".impact .kind-lost")).to_contain_text("1")
    expect(other.locator(".rows code").first).to_have_text("talk › hours › how_long")
    seen(other, "release-impact-wide-en")
    publish(other, writer.url)
    expect(other.get_by_text("It is published.")).to_be_visible()
    assert "今晚早点睡" in talking.send(text="7 个小时")
    new = Visitor(lin)
    new.send(type="start")
    assert "昨天夜里睡了几个小时" in new.send(text="小王")

    # compared, and taken back by keyboard
    other.goto(f"{served.url}/staff/releases/of/{made['id']}")
    table = other.locator("table")
    expect(table).to_contain_text("Now · Release 2")
    expect(table).to_contain_text("Before · Release 1")
    seen(other, "release-figures-wide-en")
    other.get_by_role("button", name="Go back to the former one").press("Enter")
    other.get_by_role("button", name="Yes, do it").press("Enter")
    expect(other.get_by_text("New sessions begin with release 1.")).to_be_visible()
    again = Visitor(lin)
    again.send(type="start")
    assert "昨晚睡了几个小时" in again.send(text="小李")
    expect(other.locator(".log li").first).to_contain_text("went back")

    phone = wei.into(context("phone")).new_page()
    phone.goto(f"{served.url}/staff/releases/of/{made['id']}")
    phone.locator("table").wait_for()
    seen(phone, "release-phone-zh")


def publish(page: Page, address: str) -> None:
    """Approve what somebody else has made, and publish it."""
    page.goto(address)
    page.get_by_role("button", name="Approve", exact=True).click()
    gate(page, "review")
    page.get_by_role("button", name="Publish", exact=True).click()


def go_through(account: Account, project: str) -> None:
    """One conversation of the present text, to its end."""
    tried = account.call("POST", f"{project}/try", {"script": "sleep"})
    visitor = Visitor(account, tried)
    visitor.send(type="start")
    visitor.send(text="叫我小林")
    visitor.send(text="7 个小时")
