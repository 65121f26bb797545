"""Days in a person's words; now is Wednesday, the 6th of March 2024."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value
from heartrule.parsing.dates import day_without_year, read_date
from heartrule.parsing.tense import is_imprecise, patterns

NOW = datetime(2024, 3, 6, 12, 0)


@tabled(
    ("text", "day"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-3-5", "2024-03-05"),
        ("2024/3/5", "2024-03-05"),
        ("2024.3.5", "2024-03-05"),
        ("２０２４－０３－０５", "2024-03-05"),
        ("2024 - 03 - 05", "2024-03-05"),
        ("2024-03-05T10:00:00", "2024-03-05"),
        ("2024-03-05T10:00:00Z", "2024-03-05"),
        ("2024年3月5日", "2024-03-05"),
        ("2024年3月5号", "2024-03-05"),
        ("2024 年 3 月 5 日", "2024-03-05"),
        ("２０２４年３月５日", "2024-03-05"),
        ("二〇二四年三月五日", "2024-03-05"),
        ("二零二四年三月五号", "2024-03-05"),
        ("一九九零年十二月二十五日", "1990-12-25"),
        ("90年5月3日", "1990-05-03"),
        ("05年5月3日", "2005-05-03"),
        ("生日是1990年1月2日", "1990-01-02"),
        ("我是1990年1月2日出生的", "1990-01-02"),
        ("2024年2月29日", "2024-02-29"),
        ("3月5日", "2024-03-05"),
        ("3月5号", "2024-03-05"),
        ("三月五号", "2024-03-05"),
        ("12月30日", "2023-12-30"),
        ("十二月二十五号", "2023-12-25"),
        ("去年3月5日", "2023-03-05"),
        ("前年3月5日", "2022-03-05"),
        ("今年1月1号", "2024-01-01"),
        ("明年1月1号", "2025-01-01"),
        ("今天", "2024-03-06"),
        ("今天早上", "2024-03-06"),
        ("今早", "2024-03-06"),
        ("昨天", "2024-03-05"),
        ("昨天。", "2024-03-05"),
        ("昨晚", "2024-03-05"),
        ("昨天晚上", "2024-03-05"),
        ("昨天开始的", "2024-03-05"),
        ("从昨天开始", "2024-03-05"),
        ("大概是昨天吧", "2024-03-05"),
        ("就在昨天", "2024-03-05"),
        ("前天", "2024-03-04"),
        ("前天晚上", "2024-03-04"),
        ("大前天", "2024-03-03"),
        ("明天", "2024-03-07"),
        ("后天", "2024-03-08"),
        ("大后天", "2024-03-09"),
        ("三天前", "2024-03-03"),
        ("3天前", "2024-03-03"),
        ("３天之前", "2024-03-03"),
        ("十天以前", "2024-02-25"),
        ("两周前", "2024-02-21"),
        ("两个星期前", "2024-02-21"),
        ("一周后", "2024-03-13"),
        ("5天后", "2024-03-11"),
        ("上周三", "2024-02-28"),
        ("上周一", "2024-02-26"),
        ("上周日", "2024-03-03"),
        ("上星期天", "2024-03-03"),
        ("上个礼拜五", "2024-03-01"),
        ("上上周三", "2024-02-21"),
        ("这周一", "2024-03-04"),
        ("本周五", "2024-03-08"),
        ("下周五", "2024-03-15"),
        ("下下周一", "2024-03-18"),
        ("上周3", "2024-02-28"),
        ("March 5, 2024", "2024-03-05"),
        ("March 5 2024", "2024-03-05"),
        ("march 5th, 2024", "2024-03-05"),
        ("5 March 2024", "2024-03-05"),
        ("5th of March 2024", "2024-03-05"),
        ("the 5th of March, 2024", "2024-03-05"),
        ("Mar 5", "2024-03-05"),
        ("Mar. 5th", "2024-03-05"),
        ("December 30", "2023-12-30"),
        ("Sept 9, 2001", "2001-09-09"),
        ("It was on March 5", "2024-03-05"),
        ("25/03/2024", "2024-03-25"),
        ("03/25/2024", "2024-03-25"),
        ("05/05/2024", "2024-05-05"),
        ("today", "2024-03-06"),
        ("Yesterday", "2024-03-05"),
        ("yesterday evening", "2024-03-05"),
        ("last night", "2024-03-05"),
        ("tomorrow", "2024-03-07"),
        ("the day before yesterday", "2024-03-04"),
        ("the day after tomorrow", "2024-03-08"),
        ("3 days ago", "2024-03-03"),
        ("three days ago", "2024-03-03"),
        ("a week ago", "2024-02-28"),
        ("two weeks ago", "2024-02-21"),
        ("last Wednesday", "2024-02-28"),
        ("last Tuesday", "2024-03-05"),
        ("last sunday", "2024-03-03"),
        ("昨天，昨天晚上", "2024-03-05"),
        ("昨天，也就是3月5日", "2024-03-05"),
    ],
)
def test_one_day(text: str, day: str) -> None:
    found = read_date(text, NOW)
    assert found is not None
    assert found[0] == day


@tabled(
    "text",
    [
        "",
        "。",
        "不知道",
        "很久以前",
        "小时候",
        "去年",
        "上个月",
        "1月",
        "3月",
        "2024年",
        "2024年3月",
        "周三",
        "星期天",
        "上周",
        "周末",
        "三个月前",
        "三年前",
        "几天前",
        "不是昨天",
        "不是3月5日",
        "昨天？",
        "是昨天吗",
        "昨天吗？",
        "昨天或者前天",
        "昨天，或者前天",
        "昨天和今天",
        "3月5日到3月8日",
        "3月5日之前",
        "3月5日以后",
        "昨天以前",
        "2024-13-05",
        "2024-00-10",
        "2024-02-30",
        "2月30日",
        "2023年2月29日",
        "13月1日",
        "三月五十日",
        "05/03/2024",
        "0000-01-01",
        "12024-03-05",
        "2024-03-055",
        "我昨天梦见我妈妈回来了",
        "我今天不想说这个",
        "今天天气很好我想出去走走",
        "如果是昨天",
        "next Friday",
        "Friday",
        "March",
        "in 2024",
        "not yesterday",
        "yesterday or today",
        "between March 5 and March 8",
        "two months ago",
        "a long time ago",
        "7",
        "3.5",
        "3/5",
    ],
)
def test_no_day_or_more_than_one_reading(text: str) -> None:
    assert read_date(text, NOW) is None


def test_relative_days_need_a_present() -> None:
    for text in ("昨天", "三天前", "上周三", "3月5日", "last Tuesday", "March 5"):
        assert read_date(text) is None
    assert read_date("2024年3月5日") == ("2024-03-05", "2024年3月5日")
    assert read_date("March 5, 2024") is not None


def test_the_ends_of_time_are_no_days() -> None:
    assert read_date("999天前", datetime(1, 1, 2)) is None
    assert read_date("下周五", datetime(9999, 12, 31)) is None


def test_a_date_variable_reads_so() -> None:
    found = parse_value(Variable(var="开始日期", type="date"), "唉，是昨天开始的。", now=NOW)
    assert found is not None
    assert (found.value, found.evidence) == ("2024-03-05", "是昨天开始的")
    assert parse_value(Variable(var="开始日期", type="date"), "忘了", now=NOW) is None


days = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@given(
    days, st.sampled_from(["{0}-{1:02}-{2:02}", "{0}/{1}/{2}", "{0}年{1}月{2}日", "是{0}年{1}月{2}号吧", "{0}.{1}.{2}"])
)
def test_every_written_day_is_read(day: date, form: str) -> None:
    found = read_date(form.format(day.year, day.month, day.day), NOW)
    assert found is not None
    assert found[0] == day.isoformat()


@given(days)
def test_every_english_day_is_read(day: date) -> None:
    for form in ("%B %d, %Y", "%d %B %Y", "%b %d %Y"):
        found = read_date(day.strftime(form))
        assert found is not None
        assert found[0] == day.isoformat()


@given(st.integers(1, 365))
def test_days_ago(count: int) -> None:
    for text in (f"{count}天前", f"{count} days ago"):
        found = read_date(text, NOW)
        assert found is not None
        assert found[0] == (NOW.date() - timedelta(days=count)).isoformat()


@given(days, days)
def test_two_days_are_none(first: date, second: date) -> None:
    if first != second:
        assert read_date(f"{first}或{second}", NOW) is None
        assert read_date(f"{first}，{second}", NOW) is None


@given(st.text(st.sampled_from("0123456789年月日号-/.昨今明天前后上下周三一二十，不？ "), max_size=20))
def test_nonsense_never_breaks(text: str) -> None:
    found = read_date(text, NOW)
    if found is not None:
        date.fromisoformat(found[0])


@tabled(
    ("text", "about", "day"),
    [
        ("8月1日", "症状开始的日期", "2023-08-01"),
        ("3月7日", "什么时候开始的？", "2023-03-07"),
        ("3月7日", "上次复诊的日期", "2023-03-07"),
        ("3月7日", "下次约的日期", "2024-03-07"),
        ("3月5日", "下次预约", "2025-03-05"),
        ("3月5日", "打算哪天开始？", "2025-03-05"),
        ("3月5日", "计划完成的日子", "2025-03-05"),
        ("2月29日", "上次", "2024-02-29"),
        ("2月29日", "下次", "2028-02-29"),
        ("是8月1日开始的", "", "2023-08-01"),
        ("下次是8月1日", "", "2024-08-01"),
        ("August 1", "When did it begin?", "2023-08-01"),
        ("August 1", "your next appointment", "2024-08-01"),
        ("1 August", "the date of the last attack", "2023-08-01"),
        ("1月20日", "", "2024-01-20"),
        ("3月6日", "", "2024-03-06"),
        ("1990年3月5日", "出生日期", "1990-03-05"),
        ("上个月3号", "", "2024-02-03"),
        ("上上个月3号", "", "2024-01-03"),
        ("这个月2号", "", "2024-03-02"),
        ("下个月十号", "", "2024-04-10"),
        ("the 3rd of last month", "", "2024-02-03"),
    ],
)
def test_the_year_comes_from_what_is_asked_for(text: str, about: str, day: str) -> None:
    found = read_date(text, NOW, about)
    assert found is not None
    assert found[0] == day


@tabled(
    ("text", "about"),
    [
        ("3月5日", "出生日期"),
        ("5 March", "your birthday"),
        ("8月1日", ""),
        ("三月十五日", ""),
        ("3月7日", ""),
        ("March 7", "the day"),
        ("8月1日", "上次和下次复诊的日期"),
        ("上个月31号", ""),
    ],
)
def test_a_year_is_not_guessed(text: str, about: str) -> None:
    assert read_date(text, NOW, about) is None


@tabled(
    "text",
    [
        "10月",
        "去年夏天",
        "两个月前",
        "上个月",
        "前年",
        "2025年",
        "今年五月初",
        "中秋节",
        "last summer",
        "in May",
        "two months ago",
    ],
)
def test_less_than_a_day_is_known_for_what_it_is(text: str) -> None:
    assert read_date(text, NOW) is None
    assert is_imprecise(text)
    assert not day_without_year(text)


@tabled("text", ["不想说", "昨天", "很难受", "3月5日", "5 March", "2024-03-05", "我也不知道"])
def test_what_is_no_imprecise_day(text: str) -> None:
    assert not is_imprecise(text)


def test_every_pattern_of_days_can_be_read() -> None:
    assert all(each is not None for each in patterns())


def test_a_day_without_its_year_is_told_apart() -> None:
    assert day_without_year("3月5日")
    assert day_without_year("March 5")
    assert not day_without_year("去年3月5日")
    assert not day_without_year("5 March 2024")
    assert not day_without_year("x" * 400)
