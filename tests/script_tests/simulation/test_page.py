"""The page: whole in one file, says in words what it draws, and shows nothing that was said as markup."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.script_tests.simulation.test_simulate import order, report

from heartrule.script_tests.simulation.element import Markup, tag, text
from heartrule.script_tests.simulation.page import page
from heartrule.script_tests.simulation.pictures import Part, Row, Span, bars, spans
from heartrule.script_tests.simulation.report import Report, Texts
from heartrule.script_tests.simulation.visitor import Move

VOID = {"meta", "br"}
SHAPES = {"line", "rect", "circle"}


class Reads(HTMLParser):
    """Fails where an element is closed that was not opened, or stays open."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[str] = []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not {"src", "onclick", "onload"} & set(given)
        self.ids += [each for each in [given.get("id")] if each]
        self.links += [each for each in [given.get("href")] if each]
        self.headings += [tag] if re.fullmatch("h[1-6]", tag) else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SHAPES

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(order(tmp_path_factory.mktemp("page"), seed=3, sessions=3))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_page_is_whole_and_needs_nothing_beside_it(made: Report, language: str) -> None:
    shown = page(made, Texts(language))  # type: ignore[arg-type]
    read = Reads(shown)
    assert shown.startswith("<!doctype html>")
    assert f'lang="{"zh-CN" if language == "zh" else "en"}"' in shown
    assert 'name="viewport"' in shown
    assert "prefers-color-scheme: dark" in shown
    assert not re.search(r"https?://|@import|url\(|<script", shown)
    assert len(read.ids) == len(set(read.ids))
    assert {each for each in read.links if each.startswith("#")} <= {f"#{each}" for each in read.ids}
    assert read.headings[0] == "h1"
    assert "h2" in read.headings


def test_every_picture_has_a_name_and_words(made: Report) -> None:
    shown = page(made, Texts("en"))
    pictures = re.findall(r"<svg.*?</svg>", shown, re.DOTALL)
    assert len(pictures) == 4 + len(made.personas)
    for each in pictures:
        named = re.search(r'aria-labelledby="(\S+) (\S+)"', each)
        assert named is not None
        assert 'role="img"' in each
        for ident in named.groups():
            assert re.search(rf'id="{ident}">[^<]{{3,}}<', each)


def test_what_is_said_is_never_markup(made: Report) -> None:
    hostile = '<script>alert("x")</script> & </details>'
    first = made.sessions[0]
    turns = list(first.exchanges)
    turns[1] = replace(turns[1], move=Move("message", "answer", hostile), said=(hostile,))
    changed = Report(made.order, made.script, [replace(first, exchanges=tuple(turns)), *made.sessions[1:]])
    shown = page(changed, Texts("zh"))
    Reads(shown)
    assert "<script>" not in shown
    assert shown.count("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &lt;/details&gt;") == 2


def test_a_finding_leads_to_its_conversation_and_a_grave_one_says_so(tmp_path: Path) -> None:
    stuck = report(order(tmp_path, "hostile", sessions=2, turns=5, patience=2))
    shown = page(stuck, Texts("en"))
    assert 'class="verdict bad"' in shown
    assert re.search(r'class="grave"><a href="#session-hostile-\d"', shown)
    assert 'class="flag"' in shown


def test_conversations_say_where_they_stand_and_what_the_visitor_does(made: Report) -> None:
    shown = page(made, Texts("zh"))
    assert "开头 / 近况" in shown
    assert "选了" in shown
    assert re.search(r'class="note">(?:绕开|不答|反问|沉默 \d+ 分钟|更正)', shown)


# elements and pictures


def test_elements() -> None:
    assert tag("p", "a<b", 3, None, [tag("br"), "x"], class_="y", hidden=True, title=None) == (
        '<p class="y" hidden>a&lt;b3<br>x</p>'
    )
    assert (
        tag("rect", x=1.5, aria_label='"', stroke_width=2.0) == '<rect x="1.5" aria-label="&quot;" stroke-width="2"/>'
    )
    assert text(Markup("<b>")) == "<b>"


def test_bars_are_as_long_as_their_shares() -> None:
    row = Row("一", "半", (Part(0.25, "left", "四分之一"), Part(0.5, "stuck", "半"), Part(0.0, "parted", "无")))
    drawn = bars("a", "标题", [row, Row("二", "灰", (Part(1, "bar", "全"),), muted=True)])
    assert re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"[^>]*fill="var\(--(\w+)\)"', drawn) == [
        ("0", "360", "line"),
        ("0", "90", "left"),
        ("90", "180", "stuck"),
        ("0", "360", "line"),
        ("0", "360", "faint"),
    ]
    assert "一: 四分之一; 半; 无. 二: 全" in drawn


def test_spans_lie_on_one_scale() -> None:
    drawn = spans("a", "标题", [Span("一", "1", 0, 5, 10), Span("二", "2", 5, 5, 5)], 10)
    assert re.findall(r'cx="([\d.]+)"', drawn) == ["180", "180"]
    assert 'x1="6" x2="354"' in drawn
    assert spans("a", "空", [], 0).count("circle") == 0


def test_a_long_label_gives_way_to_its_figures() -> None:
    drawn = bars("a", "标题", [Row("很长的" * 20, "100%（3/3）")])
    assert "…</text>" in drawn
    assert "100%（3/3）</text>" in drawn
