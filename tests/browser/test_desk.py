"""A visitor's page and a counsellor's, side by side: who speaks is seen on both, at every moment; and a call that comes
is seen, heard and taken."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.conftest import Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.staffing import PICTURES, Account, Counsellor, administrator, seen
from tests.browser.tour import SCRIPTS
from tests.browser.visiting import Visitor

CRISIS = {"zh-CN": "我不想活了，今晚就去跳楼", "en": "I want to kill myself tonight"}
NAME = {"zh-CN": "王老师", "en": "Dr. Wang"}
ROLE = {"zh-CN": "真人咨询师", "en": "human counsellor"}
PROGRAM = {"zh-CN": "程序", "en": "program"}
WATCHED = """
    window.heard = 0;
    window.noticed = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) { window.heard += 1; return start.apply(this, at); };
    window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, more) { window.noticed.push([title, more.body].join(" ")); }
        close() {}
    };
    Document.prototype.hasFocus = () => false;
"""
"""Sounds and notices are counted, and the page is told that somebody looks elsewhere."""


@pytest.fixture
def admin(served: Served) -> Account:
    return administrator(served)


def at_the_desk(account: Account, context: BrowserContext) -> Counsellor:
    return Counsellor(account.into(context).new_page(), account)


def side_by_side(
    served: Served, admin: Account, context: Opened, look: str, locale: str, **more: object
) -> tuple[Visitor, Counsellor]:
    tag = {"en": "en-US"}.get(locale, locale)
    visitor = Visitor(context(look, locale=tag, **more).new_page(), served, SCRIPTS[locale])
    visitor.begin()
    before = visitor.standing()["last_message"]
    visitor.say(CRISIS[locale])
    visitor.awaits(before)
    account = admin.invite(NAME[locale])
    account.call("PATCH", "/staff/me", {"locale": locale})
    return visitor, at_the_desk(account, context(look, locale=tag, **more))


@pytest.mark.parametrize(
    ("look", "locale", "theme"),
    [("desktop", "zh-CN", "light"), ("phone", "en", "dark"), ("phone", "zh-CN", "light"), ("desktop", "en", "dark")],
)
def test_taking_over_and_handing_back(
    served: Served, admin: Account, context: Opened, long: bool, look: str, locale: str, theme: str
) -> None:
    if not long and not PICTURES and (look, locale) not in (("desktop", "zh-CN"), ("phone", "en")):
        pytest.skip("part of `make browser`")
    name = f"desk-{look}-{locale}"
    visitor, counsellor = side_by_side(served, admin, context, look, locale, color_scheme=theme)
    theirs, ours = visitor.page, counsellor.page
    expect(ours.locator(".list .item.urgent")).to_have_count(1)
    assert CRISIS[locale] not in ours.locator("body").inner_text()
    seen(ours, f"{name}-1-list")
    counsellor.open()
    expect(counsellor.log).to_contain_text(CRISIS[locale])
    expect(counsellor.log.locator("mark.urgent")).to_be_visible()
    assert "P0" not in ours.locator("body").inner_text()
    seen(ours, f"{name}-2-opened")
    ours.locator(".foot > button").click()
    seen(ours, f"{name}-3-confirm")
    ours.keyboard.press("Escape")
    expect(ours.locator(".confirm")).to_have_count(0)
    counsellor.take_over()
    expect(theirs.locator("heart-chat .message.system")).to_contain_text(NAME[locale])
    expect(theirs.locator("heart-chat .foot .row.quiet [role=status]")).to_contain_text(ROLE[locale])
    expect(ours.locator(".calls button")).to_have_count(0)  # who takes over has seen the call
    counsellor.say("A line to them.")
    human = theirs.locator("heart-chat .message.human")
    expect(human.locator(".who")).to_contain_text(f"{NAME[locale]} · {ROLE[locale]}")
    expect(human).to_contain_text("A line to them.")
    counsellor.box.press_sequentially("…")
    expect(theirs.locator("heart-chat .foot .row.quiet [role=status]")).to_contain_text(
        "正在写" if locale == "zh-CN" else "is writing"
    )
    expect(theirs.locator(".quiet-line")).to_contain_text("真人" if locale == "zh-CN" else "person")
    visitor.say("An answer to the human.")
    expect(counsellor.log.locator(".spoken.person").last).to_contain_text("An answer to the human.")
    expect(theirs.locator("heart-chat .message.person.sending")).to_have_count(0)
    seen(theirs, f"{name}-4-visitor")
    seen(ours, f"{name}-5-taken")
    counsellor.hand_back()
    expect(theirs.locator("heart-chat .message.system")).to_have_count(2)
    expect(theirs.locator("heart-chat .message.system").last).to_contain_text(PROGRAM[locale])
    expect(theirs.locator("heart-chat .foot .row.quiet [role=status]")).to_have_text("")
    seen(theirs, f"{name}-6-back")
    standing = visitor.standing()
    assert standing["human"] is None
    assert standing["in_crisis"]
    assert [each["sender"] for each in visitor.kept()][-4:] == ["system", "human", "person", "system"]  # it waits


def test_the_second_counsellor_sees_who_has_it_and_may_relieve_them(
    served: Served, admin: Account, context: Opened
) -> None:
    _, first = side_by_side(served, admin, context, "desktop", "zh-CN")
    second = at_the_desk(admin.invite("李老师"), context("desktop"))
    second.open()
    first.open()
    first.take_over()
    stands = second.page.locator(".stands")
    expect(stands).to_contain_text("王老师")
    expect(second.items.first.locator(".tags")).to_contain_text("王老师")
    second.take_over()
    expect(stands).to_contain_text("你在和对方说话")
    expect(first.page.locator(".stands")).to_contain_text("李老师")
    expect(first.box).to_have_count(0)


def test_a_call_is_seen_and_heard_wherever_a_counsellor_is_and_only_one_takes_it(
    served: Served, admin: Account, context: Opened
) -> None:
    wang, li = admin.invite("王老师"), admin.invite("李老师")
    contexts = [context("desktop"), context("desktop")]
    for each in contexts:
        each.add_init_script(WATCHED)
    ours, other = at_the_desk(wang, contexts[0]), at_the_desk(li, contexts[1])
    for each in (ours, other):
        each.page.get_by_role("switch").check()
        expect(each.page.locator(".switch")).to_contain_text("我在值班")
    ours.page.goto(f"{served.url}/staff/account")
    ours.page.get_by_role("button", name="声音").click()  # the browser lets sound be once somebody has clicked
    expect(ours.page.get_by_role("button", name="声音开着")).to_be_visible()
    assert not ours.page.title().startswith("(")

    visitor = Visitor(context("desktop").new_page(), served, SCRIPTS["zh-CN"])
    visitor.begin()
    before = visitor.standing()["last_message"]
    visitor.say(CRISIS["zh-CN"])
    visitor.awaits(before)
    began = time.monotonic()
    expect(ours.page.locator(".alert")).to_have_count(1)
    expect(ours.page).to_have_title("(1) 我的账号 · HeartRule")
    expect(other.items).to_have_count(1)
    assert time.monotonic() - began < 2
    ours.page.wait_for_function("window.heard > 0")
    notice = ours.page.evaluate("window.noticed.join()")
    assert notice == "HeartRule 有人需要你看一下。"
    assert "不想活" not in ours.page.locator("body").inner_text()
    seen(ours.page, "desk-call")

    ours.page.locator(".alert .main").click()
    ours.log.wait_for()
    ours.take_over()
    expect(ours.page.locator(".alert")).to_have_count(0)
    expect(other.page.locator(".alert")).to_have_count(0)
    expect(other.page.locator(".list .item.urgent")).to_have_count(0)
    expect(other.page).to_have_title("值班台 · HeartRule")


def test_what_a_shift_needs_stands_beside_the_talk(served: Served, admin: Account, context: Opened) -> None:
    visitor, ours = side_by_side(served, admin, context, "desktop", "zh-CN")
    li = admin.invite("李老师")
    page = ours.page
    ours.open()
    expect(page.locator(".risks > .urgent")).to_contain_text("自杀")
    page.get_by_role("button", name="看原话").first.click()
    expect(ours.log.locator(".spoken.current")).to_contain_text(CRISIS["zh-CN"])
    ours.take_over()

    page.get_by_role("tab", name="备注").click()
    page.locator("#note").fill("母亲在路上。")
    page.get_by_role("button", name="记下").click()
    expect(page.locator(".note-text")).to_have_text("母亲在路上。")
    page.locator("#tag").fill("回访")
    page.locator("#tag").press("Enter")
    expect(page.locator(".session-head .tags")).to_contain_text("回访")
    seen(page, "desk-notes")

    page.get_by_role("button", name="转给同事").click()
    page.get_by_label("李老师").check()
    page.locator("#assign-note").fill("请接着问药的事。")
    seen(page, "desk-transfer")
    page.locator(".leaf .main").click()
    expect(page.locator(".session-head .tags")).to_contain_text("分派给 李老师")

    theirs = at_the_desk(li, context("desktop"))
    expect(theirs.page).to_have_title("(1) 值班台 · HeartRule")
    theirs.page.goto(f"{served.url}/staff/desk/search")
    theirs.page.locator("#q").fill("跳楼")
    theirs.page.locator("#q").press("Enter")
    theirs.page.locator(".hit").first.click()
    expect(theirs.log.locator(".spoken.current")).to_contain_text("跳楼")
    expect(theirs.page.locator(".passed")).to_contain_text("请接着问药的事。")
    theirs.take_over()
    expect(ours.box).to_have_count(0)

    theirs.page.goto(f"{served.url}/staff/desk/canned")
    theirs.page.locator("#title-new").fill("介绍自己")
    theirs.page.locator("#text-new").fill("我是{counsellor}，我在。")
    theirs.page.get_by_role("button", name="存好").click()
    expect(theirs.page.locator(".rows")).to_contain_text("介绍自己")
    theirs.page.go_back()
    theirs.page.get_by_role("button", name="常用语").click()
    theirs.page.get_by_role("menuitem", name="介绍自己").click()
    expect(theirs.box).to_have_value("我是李老师，我在。")
    theirs.box.press("Enter")
    expect(visitor.page.locator("heart-chat .message.human")).to_contain_text("我是李老师，我在。")

    theirs.page.get_by_role("button", name="交还给程序").click()
    theirs.page.get_by_label("已经排除").check()
    theirs.page.locator(".leaf .main").click()
    expect(theirs.page.locator(".leaf")).to_be_visible()  # not without a reason
    seen(theirs.page, "desk-hand-back")
    theirs.page.keyboard.press("Escape")
    theirs.hand_back("with_somebody", "母亲到了。")
    assert visitor.standing()["human"] is None
    assert "母亲" not in visitor.page.locator("body").inner_text()
    for place, words in (("shift", "危险已排除"), ("figures", "身边有人陪着")):
        theirs.page.goto(f"{served.url}/staff/desk/{place}")
        expect(theirs.page.locator("main")).to_contain_text(words)
        seen(theirs.page, f"desk-{place}")


def test_who_is_no_counsellor_finds_no_sessions(served: Served, admin: Account, context: Opened) -> None:
    page = admin.invite("评审", ["reviewer"]).into(context("desktop")).new_page()
    page.goto(f"{served.url}/staff/desk")
    expect(page).to_have_url(f"{served.url}/staff/desk/replies")
    expect(page.locator(".parts a")).to_have_text(["评回复", "数据"])
    assert page.get_by_role("switch").count() == 0
    seen(page, "desk-reviewer")
    author = admin.invite("编写", ["developer"]).into(context("desktop")).new_page()
    author.goto(f"{served.url}/staff/desk")
    expect(author.locator("main")).to_contain_text("没有这一页")


def test_the_desk_is_used_without_a_mouse(served: Served, admin: Account, context: Opened) -> None:
    _, counsellor = side_by_side(served, admin, context, "desktop", "zh-CN")
    page = counsellor.page
    counsellor.items.first.focus()
    page.keyboard.press("Enter")
    counsellor.log.locator(".spoken").first.wait_for()
    for name in tabbed(page):
        if name.strip() == "接手":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".confirm .main")).to_be_focused()
    page.keyboard.press("Enter")
    expect(counsellor.box).to_be_focused()
    page.keyboard.type("你好，我在。")
    page.keyboard.press("Enter")
    expect(page.locator(".spoken.human")).to_contain_text("你好，我在。")
    expect(counsellor.box).to_be_focused()
    for name in tabbed(page):
        if name.strip() == "交还给程序":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".leaf")).to_be_visible()
    for name in tabbed(page):
        if name.strip() == "确定交还":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".foot > .main")).to_be_visible()


def tabbed(page: Page) -> Iterator[str]:
    """The names of what Tab comes to."""
    for _ in range(60):
        page.keyboard.press("Tab")
        yield str(page.evaluate("document.activeElement.innerText ?? ''"))
    raise AssertionError("Tab does not come there")


@pytest.mark.parametrize("look", ["desktop", "phone"])
def test_who_says_that_they_are_there_is_on_duty(served: Served, admin: Account, context: Opened, look: str) -> None:
    counsellors = [at_the_desk(admin.invite(name), context(look)) for name in ("王老师", "李老师")]
    visitor = Visitor(context(look).new_page(), served, "cbt/exercises")
    visitor.begin()
    before = visitor.standing()["last_message"]
    visitor.say("我想跟真人说")
    visitor.awaits(before)
    said = visitor.page.locator("heart-chat .message.ai")
    expect(said.filter(has_text="没有人值班").first).to_be_attached()
    for each in counsellors:
        each.page.get_by_role("switch").check()
        expect(each.page.locator(".switch")).to_contain_text("我在值班")
        assert findings(each.page) == []
        assert overflow(each.page) <= 0
    before = visitor.standing()["last_message"]
    visitor.say("还是想找个真人说")
    visitor.awaits(before)
    visitor.option("请替我告诉他们").click()
    expect(said.filter(has_text="话留好了").first).to_be_attached()
    expect(counsellors[1].items).to_have_count(1)


def test_what_was_taken_down_is_set_right_and_an_ended_session_is_read(
    served: Served, admin: Account, context: Opened
) -> None:
    visitor = Visitor(context("desktop").new_page(), served)
    visitor.begin()
    for words in ("可以，开始吧", "工作上被批评了，我觉得自己什么都做不好", "大概两个月了"):
        before = visitor.standing()["last_message"]
        visitor.say(words)
        visitor.awaits(before)
    ours = at_the_desk(admin.invite("王老师"), context("desktop"))
    page = ours.page
    expect(ours.items).to_have_count(0)
    page.get_by_role("button", name="全部").click()
    ours.open()
    row = page.locator(".panel .rows li").filter(has_text="依据").first
    row.get_by_role("button", name="更正").click()
    page.locator("#value").fill("换了一种说法")
    page.locator(".leaf .main").click()
    expect(page.locator(".leaf")).to_be_visible()  # not without a reason
    page.locator("#why").fill("来访者后来说清楚了")
    seen(page, "desk-correct")
    page.locator(".leaf .main").click()
    expect(page.locator(".panel")).to_contain_text("更正过")
    assert "换了一种说法" not in visitor.page.locator("body").inner_text()

    served.call("POST", f"/sessions/{visitor.session}/end", {"key": "the-end-of-it"}, visitor.token)
    expect(page.locator(".stands")).to_contain_text("会谈已经结束")
    expect(page.locator(".foot button")).to_have_count(0)
    page.get_by_role("button", name="已结束").click()
    expect(ours.items).to_have_count(1)
