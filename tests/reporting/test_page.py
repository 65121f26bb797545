"""A report as a page: what stands on it, that nothing in it is markup, and what it may do."""

from __future__ import annotations

import base64
import hashlib
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import fields, replace
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.reporting.material import BEGAN, FORM, HELD, ONE, all_of, course

from heartrule.reporting.curve import drawn
from heartrule.reporting.page import file_name, page, policy, title
from heartrule.reporting.report import Course, Point, Score
from heartrule.reporting.words import ReportWords, _texts

HOSTILE = "</style></main><script>alert(1)</script><img src=x onerror=alert(1)> & \" '"


class Elements(HTMLParser):
    """The elements of a page, and whether each that was opened is closed."""

    EMPTY = frozenset({"meta", "polyline", "circle", "line"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag


def read(html: str) -> str:
    body = html.partition("<body>")[2]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


def test_everything_that_is_known_stands_on_it_in_its_order() -> None:
    told = read(page(ONE))
    order = ["一周小结", "2026年3月2日", "不是诊断", "120", "报告", "今天谈的", "散步 早睡", "你自己的话",
             "那一刻的想法 我不行", "分数只说明", "得分： 6 （0 到 10） · 高", "5 到 10", "高 (在这里)",
             "某篇论文", "几分", "下雨了 没有出门", "四拍呼吸 (做完了)",
             "着陆 (做了一部分)", "12356", "2026年3月8日 17:05"]  # fmt: skip
    at = -1
    for each in order:
        at = told.find(each, at + 1)
        assert at >= 0, each


def test_it_is_well_formed_and_holds_no_script_and_nothing_from_elsewhere() -> None:
    for report in (ONE, all_of(course(3, 8)), all_of(course(3, 8), locale="en"), all_of()):
        html = page(report)
        found = Elements(html)
        assert found.open == []
        assert not {tag for tag, _ in found.seen} & {"script", "link", "img", "iframe", "object", "form", "input"}
        assert not [attrs for _, attrs in found.seen if {"src", "href", "style", "onclick"} & set(attrs)]
        assert "url(" not in html
        assert "@import" not in html


def hostile(value: Any) -> Any:
    """The same with every text replaced."""
    if isinstance(value, str):
        return HOSTILE if value else value
    if isinstance(value, tuple):
        return tuple(hostile(each) for each in value)
    if hasattr(value, "__dataclass_fields__"):
        kept = {"locale", "here", "own", "whole", "one", "kind", "talk"}
        return replace(
            value, **{each.name: hostile(getattr(value, each.name)) for each in fields(value) if each.name not in kept}
        )
    return value


@pytest.mark.parametrize("report", [ONE, all_of(course(3, 8), locale="en")], ids=["one", "all"])
def test_no_word_of_anybody_s_is_markup(report: Any) -> None:
    plain, hard = Elements(page(report)), Elements(page(hostile(report)))
    assert [tag for tag, _ in hard.seen] == [tag for tag, _ in plain.seen]
    assert page(hostile(report)).count("</style>") == 1


def test_the_policy_lets_its_own_style_through_and_nothing_else() -> None:
    html = page(ONE)
    style = html.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy() == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert policy() in html
    assert "<" not in style


def test_what_is_not_there_is_not_spoken_of() -> None:
    bare = replace(HELD, noted=(), filled=(), exercises=())
    told = read(page(replace(ONE, held=(bare,))))
    for each in ("分数", "练习", "谈到的", "走到的地方", "填的内容"):
        assert each not in told
    assert "12356" in told
    theirs = read(page(replace(ONE, held=(replace(bare, mine=(("那一刻的想法", "我不行"),)),))))
    assert "你自己的话 那一刻的想法 我不行" in theirs


def test_a_score_that_lacks_an_answer_says_so_and_our_own_source_is_not_named() -> None:
    lacking = replace(FORM, scores=(Score("合计", None, ""),), source="HeartRule")
    told = read(page(replace(ONE, held=(replace(HELD, filled=(lacking,)),))))
    assert "合计：有题没有答，算不出分数" in told
    assert "出处" not in told


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (None, "2026年3月2日 开始，还没有谈完"),
        (BEGAN, "谈话小结 · 2026年3月2日"),
        (BEGAN.replace(day=3), "2026年3月2日 至 2026年3月4日"),
    ],
)
def test_days_are_told_in_the_person_s_zone(ended: Any, said: str) -> None:
    assert said in read(page(replace(ONE, held=(replace(HELD, ended=ended),))))


def test_all_of_a_person_s_is_told_with_curves_and_the_same_in_words_and_numbers() -> None:
    html = page(all_of(replace(course(3, 8, 6), better="low"), course(5), locale="en"))
    assert "lower is better" in html
    told = read(html)
    assert "filled in 3 times, from 3 to 6, lowest 3, highest 8" in html
    assert html.count("<svg") == 1
    assert "8 March 2026" in told
    assert '<span lang="zh-CN">一周小结</span>' in html
    assert "下雨了" not in told


@pytest.mark.parametrize(
    ("given", "points"),
    [
        (course(0, 10), [(34.0, 104.0), (310.0, 10.0)]),
        (replace(course(2, 5), ranges=(), limits=(2, 5)), [(34.0, 104.0), (310.0, 10.0)]),
        (course(5, 5, days=0), [(34.0, 57.0), (310.0, 57.0)]),
        (Course("x", (Point(BEGAN, -4, ""), Point(BEGAN.replace(day=2), 1, ""))), [(34.0, 104.0), (310.0, 10.0)]),
    ],
    ids=["bands", "limits", "one day", "below zero"],
)
def test_a_curve_stands_where_its_numbers_are(given: Course, points: list[tuple[float, float]]) -> None:
    root = ElementTree.fromstring(drawn(given, 'a "label" & more'))
    assert root.attrib["aria-label"] == 'a "label" & more'
    assert root.attrib["role"] == "img"
    dots = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in root.iter("circle")]
    assert dots == points
    written = "".join(root.itertext())
    assert f"{max(1, *(each.value for each in given.points), *(each.high for each in given.ranges)):g}" in written


def test_one_number_is_no_curve() -> None:
    assert drawn(course(5), "x") == ""


def test_it_is_named_without_saying_whose_it_is() -> None:
    assert (title(ONE), file_name(ONE)) == ("谈话小结 · 一周小结", "谈话小结 2026-03-02")
    assert file_name(all_of(locale="en")) == "record 2026-03-08"


def test_both_languages_say_the_same_things() -> None:
    for key, entry in _texts().items():
        assert set(entry) == {"zh", "en"}, key
        names = [sorted(re.findall(r"\{(\w+)\}", text)) for text in entry.values()]
        assert names[0] == names[1], key
        assert not re.search(r"[一-鿿]", entry["en"]), key
    assert ReportWords("en-GB", BEGAN.tzinfo or ONE.zone).tag == "en"
    assert ReportWords("zh-TW", ONE.zone).tag == "zh-CN"
