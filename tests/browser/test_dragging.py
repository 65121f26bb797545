"""Things dragged over the flow map: steps and topics to another place in the script, cards to another place on the
map, also after the map was moved beneath the pointer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator

MAP = ".react-flow__pane"
MARKED = ".flow [data-drop]"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("dragging"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def account(served: Served) -> Account:
    return administrator(served).invite("lin", ("developer",))


def box(found: Locator) -> tuple[float, float, float, float]:
    at = found.bounding_box()
    assert at is not None
    return at["x"], at["y"], at["width"], at["height"]


def scrolled(page: Page, x: float, y: float) -> None:
    """The map, moved by the wheel as far as that."""
    card = page.locator(".card.phase").first
    before = box(card)
    left, top, width, height = box(page.locator(MAP))
    page.mouse.move(left + width - 8, top + height - 8)
    page.mouse.wheel(x, y)
    page.wait_for_function(
        "([card, x, y]) => { const at = card.getBoundingClientRect(); return at.x !== x || at.y !== y }",
        arg=[card.element_handle(), before[0], before[1]],
    )


def taken(page: Page, grip: Locator) -> None:
    x, y, width, height = box(grip)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 12, y + height / 2 + 12, steps=2)


def over(page: Page, x: float, y: float) -> None:
    """The first move to something only enters it."""
    page.mouse.move(x, y - 1)
    page.mouse.move(x, y)


def rows(card: Locator) -> list[str]:
    return card.locator(".row-text").all_inner_texts()


def test_a_step_comes_to_where_it_was_marked_after_the_map_was_scrolled(account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    project = author.make("移动", "first_assessment")
    before = author.texts(project)["session.yaml"]
    scrolled(page, 90, 110)
    source, target = page.locator(".card.topic").nth(0), page.locator(".card.topic").nth(1)
    left, right = rows(source), rows(target)
    moved = left[-1]

    taken(page, source.locator(".row .grip").last)
    x, y, width, height = box(target.locator(".row").first)
    over(page, x + width / 2, y + height * 0.25)
    expect(page.locator(MARKED)).to_have_attribute("data-drop", "before")
    over(page, x + width / 2, y + height * 0.75)
    expect(page.locator(MARKED)).to_have_attribute("data-drop", "after")
    expect(page.locator(MARKED)).to_contain_text(right[0])
    page.mouse.up()
    expect(target.locator(".row-text")).to_have_text([right[0], moved, *right[1:]])
    assert rows(source) == left[:-1]
    expect(page.locator(MARKED)).to_have_count(0)

    page.keyboard.press("ControlOrMeta+z")
    expect(source.locator(".row-text")).to_have_text(left)
    expect(target.locator(".row-text")).to_have_text(right)
    expect(page.locator(".room-acts .main")).to_be_disabled()
    assert author.texts(project)["session.yaml"] == before
    assert author.wrong == []


def test_a_mark_goes_with_the_pointer_and_with_what_was_given_up(account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    author.make("放弃", "first_assessment")
    first, second = page.locator(".card.topic").nth(0), page.locator(".card.topic").nth(1)
    before = rows(first)
    taken(page, first.locator(".row .grip").last)
    for card in (second, first, second):
        x, y, width, _ = box(card.locator("header").first)
        over(page, x + width / 2, y + 4)
        expect(card).to_have_attribute("data-drop", "before")
        expect(page.locator(MARKED)).to_have_count(1)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(MARKED)).to_have_count(0)
    assert rows(first) == before
    assert author.wrong == []


def test_a_card_stays_where_it_was_put_while_the_map_went_on_beneath_it(account: Account, context: Opened) -> None:
    """Its arrows go with it, the map goes on at its edge, and the script does not change."""
    author = Author(account, context)
    page = author.page
    author.make("摆放", "first_assessment")
    scrolled(page, 40, 60)
    card, other = page.locator(".card.topic").nth(1), page.locator(".card.phase").last
    arrows = page.locator(".react-flow__edge.next path.react-flow__edge-path")
    x, y, width, height = box(card.locator(".card-title"))
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    drawn = arrows.evaluate_all("all => all.map(each => each.getAttribute('d'))")
    page.mouse.move(x + width / 2 + 2, y + height / 2 + 2)
    page.mouse.move(x + width / 2 + 60, y + height / 2 + 40, steps=4)
    now = box(card.locator(".card-title"))
    assert now[:2] == pytest.approx((x + 60, y + 40), abs=3)
    assert arrows.evaluate_all("all => all.map(each => each.getAttribute('d'))") != drawn

    edge = box(page.locator(MAP))
    beside = box(other)[0]
    page.mouse.move(edge[0] + edge[2] - 4, y + height / 2 + 40, steps=4)
    page.wait_for_function(
        "([other, x]) => other.getBoundingClientRect().x < x - 80", arg=[other.element_handle(), beside]
    )
    page.mouse.move(edge[0] + edge[2] / 2, y + height / 2 + 40, steps=4)
    page.mouse.up()
    put = box(card)[0] - box(other)[0], box(card)[1] - box(other)[1]
    expect(page.get_by_role("button", name="恢复自动排列")).to_be_visible()
    expect(page.locator(".room-acts .main")).to_be_disabled()
    page.reload()
    card.wait_for()
    assert (box(card)[0] - box(other)[0], box(card)[1] - box(other)[1]) == pytest.approx(put, abs=1)
    assert author.wrong == []
