"""Numbers in a person's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value
from heartrule.parsing.numbers import chinese_number, read_number

SCORE = Variable(var="情绪强度", type="integer", range=(1, 10))


@tabled(
    ("numeral", "value"),
    [
        ("零", 0),
        ("〇", 0),
        ("一", 1),
        ("两", 2),
        ("七", 7),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("三十五", 35),
        ("九十九", 99),
        ("一百", 100),
        ("两百", 200),
        ("一百零五", 105),
        ("一百一十", 110),
        ("一百二", 120),
        ("两百五", 250),
        ("两百五十", 250),
        ("三百六十五", 365),
        ("一千", 1000),
        ("一千零一", 1001),
        ("一千二", 1200),
        ("一千二百", 1200),
        ("两千三", 2300),
        ("一万", 10_000),
        ("三万五", 35_000),
        ("十万", 100_000),
        ("一百万", 1_000_000),
        ("一亿", 10**8),
        ("一亿两千万", 120_000_000),
        ("三点五", 3.5),
        ("零点五", 0.5),
        ("十点二五", 10.25),
        ("半", 0.5),
        ("二零二四", 2024),
        ("一九九零", 1990),
        ("负五", -5),
        ("零下十", -10),
        ("一三八", 138),
        ("二〇二四", 2024),
        ("", None),
        ("七八", None),
        ("两三", None),
        ("三四", None),
        ("两三百", None),
        ("五六十", None),
        ("十七八", None),
        ("九九", None),
        ("十十", None),
        ("百", None),
        ("百二", None),
        ("二百三百", None),
        ("十百", None),
        ("两两", None),
        ("点五", None),
        ("三点", None),
        ("三点十", None),
        ("甲", None),
        ("一甲", None),
        ("一万万万", None),
        ("一" * 30, None),
        ("负", None),
    ],
)
def test_chinese_numerals(numeral: str, value: float | None) -> None:
    assert chinese_number(numeral) == value


SPELLED = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"]


def spell(number: int) -> str:
    """An independent speller of 0–9,999, to read back."""
    if number < 10:
        return SPELLED[number]
    words, zero = "", False
    for size, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit:
            words += ("零" if zero and words else "") + SPELLED[digit] + unit
            zero = False
        else:
            zero = True
    return words


@given(st.integers(0, 9_999))
def test_what_is_spelled_is_read_back(number: int) -> None:
    assert chinese_number(spell(number)) == number
    if 10 <= number < 20:
        assert chinese_number(spell(number)[1:]) == number
    assert read_number(spell(number)) == (number, spell(number))


@tabled(
    ("text", "value"),
    [
        ("7", 7),
        ("７", 7),
        (" 7 ", 7),
        ("7。", 7),
        ("7！", 7),
        ("7分", 7),
        ("7 分", 7),
        ("七", 7),
        ("七分", 7),
        ("七分左右", 7),
        ("大概7吧", 7),
        ("大概七分吧", 7),
        ("差不多7分", 7),
        ("差不多是7分的样", 7),
        ("应该是8分", 8),
        ("可能有6分", 6),
        ("我觉得是7分", 7),
        ("我给自己打7分", 7),
        ("打7分。", 7),
        ("嗯，7", 7),
        ("嗯……七吧", 7),
        ("唉，怎么说呢，7吧", 7),
        ("7，就是7分", 7),
        ("7分，因为最近工作压力大", 7),
        ("最近工作压力大，7分", 7),
        ("情绪强度大概8分", 8),
        ("7.5", 7.5),
        ("7.5分", 7.5),
        ("７．５", 7.5),
        ("七分半", 7.5),
        ("七点五", 7.5),
        ("0", 0),
        ("零", 0),
        ("零分", 0),
        ("10", 10),
        ("十", 10),
        ("十分", 10),
        ("十分吧", 10),
        ("给十分", 10),
        ("满分10分的话我给7分", 7),
        ("10分满分，我打7分", 7),
        ("10分制的话7分", 7),
        ("满分十分，七分", 7),
        ("7/10", 7),
        ("7 / 10", 7),
        ("80/100", 80),
        ("100%", 100),
        ("70％", 70),
        ("百分之七十", 70),
        ("百分之70", 70),
        ("-5", -5),
        ("零下五度", -5),
        ("负3", -3),
        ("1,200", 1200),
        ("1,200,000元", 1_200_000),
        ("3万", 30_000),
        ("1.5万", 15_000),
        ("3k", 3000),
        ("两百五十", 250),
        ("一百二", 120),
        ("12", 12),
        ("12个", 12),
        ("我今年35岁", 35),
        ("35岁了", 35),
        ("三十五岁", 35),
        ("睡了5个小时", 5),
        ("每天睡6个小时左右", 6),
        ("五个半小时", 5.5),
        ("三年半", 3.5),
        ("半小时", 0.5),
        ("半个小时", 0.5),
        ("1.5小时", 1.5),
        ("三个月", 3),
        ("两天", 2),
        ("两次", 2),
        ("一次", 1),
        ("一个", 1),
        ("就一次", 1),
        ("一", 1),
        ("两个人", 2),
        ("有3个", 3),
        ("第三", 3),
        ("第三次", 3),
        ("第2个", 2),
        ("①", 1),
        ("7️⃣", 7),
        ("7 points", 7),
        ("I'd say 7", 7),
        ("I would say about 7.", 7),
        ("maybe a 7", 7),
        ("it is 7", 7),
        ("Seven", 7),
        ("about seven", 7),
        ("seven, I think", 7),
        ("7 out of 10", 7),
        ("on a scale of 1 to 10, 7", 7),
        ("twenty five", 25),
        ("twenty-five", 25),
        ("one hundred", 100),
        ("two hundred", 200),
        ("one", 1),
        ("three and a half", 3.5),
        ("6 hours", 6),
        ("about 6 hours a day", 6),
        ("zero", 0),
        ("13800138000", 13800138000),
    ],
)
def test_one_number(text: str, value: float) -> None:
    found = read_number(text)
    assert found is not None
    assert found[0] == value
    assert isinstance(found[0], float) is not float(value).is_integer()


@tabled(
    "text",
    [
        "",
        " ",
        "。",
        "不知道",
        "很高",
        "分",
        "7到8",
        "7-8",
        "7~8分",
        "7—8",
        "7 - 8",
        "7或8",
        "7或者8",
        "7、8",
        "7和8",
        "七到八分",
        "七八",
        "七八分",
        "七八分吧",
        "两三次",
        "一两次",
        "三四个",
        "十七八岁",
        "五六十",
        "不是7分",
        "不是七",
        "没有7分",
        "没到7分",
        "不到7分",
        "不足7",
        "超过7",
        "超过了7分",
        "高于7",
        "快8分了",
        "将近8",
        "至少7",
        "最多7分",
        "7以上",
        "7分以上",
        "7分以下",
        "7多",
        "二十多岁",
        "20多",
        "20来个",
        "二十出头",
        "十几",
        "十几次",
        "几十",
        "几次",
        "好几次",
        "7分？",
        "7吗",
        "是7分吗？",
        "如果是7分",
        "要是7分就好了",
        "怕是7分",
        "5和7",
        "5分，7分",
        "5分，不对，7分",
        "以前5分，现在7分",
        "从5分降到3分",
        "五岁的时候爸妈离婚",
        "我5岁的时候爸妈离婚了",
        "5岁开始",
        "三岁以前",
        "十年前",
        "3天后",
        "三个月前分手的",
        "十分难过",
        "我十分难过",
        "十分痛苦，受不了",
        "万分感谢",
        "一点",
        "有一点",
        "有一点难过",
        "一些",
        "一般",
        "一样",
        "一直",
        "一起",
        "一定",
        "一半",
        "万一",
        "统一",
        "唯一",
        "千万",
        "千万别",
        "有一天",
        "一天比一天难受",
        "一个人住",
        "一个人",
        "某一天",
        "每一天都是",
        "一方面",
        "一开始",
        "一塌糊涂",
        "一无所有",
        "乱七八糟",
        "七上八下",
        "三心二意",
        "五味杂陈",
        "百感交集",
        "半死不活",
        "半夜",
        "四分五裂",
        "三点半睡的",
        "7:30",
        "7点30",
        "2024-03-05",
        "2024年3月5日",
        "3月5日",
        "3月",
        "3号",
        "3/5",
        "1.2.3",
        "192.168.1.1",
        "12,34",
        "A7",
        "mp3",
        "4s店",
        "b12",
        "99999999999999999999",
        "3班",
        "5楼",
        "高三",
        "我和两个朋友去过三次医院",
        "第一次见面我就喜欢他",
        "between 7 and 8",
        "7 or 8",
        "7 to 8",
        "seven or eight",
        "six seven",
        "at least 7",
        "more than 5",
        "less than 5",
        "almost 8",
        "over 7",
        "5+",
        "not 7",
        "never 7",
        "isn't 7",
        "no one",
        "one day",
        "one of them",
        "someone",
        "this one",
        "ten years ago",
        "when I was 5",
        "10 days later",
        "since 5",
        "if it was 7",
        "it went from 3 to 9",
    ],
)
def test_no_number_or_more_than_one_reading(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "highest", "value"),
    [
        ("70%", 1, 0.7),
        ("70%", 100, 70),
        ("70%", None, 70),
        ("百分之五十", 1, 0.5),
        ("7/10", 10, 7),
        ("7/10", 100, None),
        ("3/5", 5, 3),
        ("3/5", None, None),
        ("12/10", 10, None),
        ("4 out of 5", 5, 4),
    ],
)
def test_the_scale_tells_what_a_share_is(text: str, highest: float | None, value: float | None) -> None:
    found = read_number(text, highest)
    assert (found[0] if found else None) == value


@pytest.mark.parametrize(
    ("text", "value", "evidence"),
    [
        ("唉，我给7分吧", 7, "我给7分吧"),
        ("７分", 7, "７分"),
        ("I'd say Seven", 7, "I'd say Seven"),
        ("七分半", 7.5, "七分半"),
    ],
)
def test_evidence_is_in_the_persons_own_words(text: str, value: float, evidence: str) -> None:
    found = parse_value(SCORE, text)
    assert found is not None
    assert (found.value, found.evidence) == (value, evidence)
    assert found.evidence in text


@given(
    st.integers(0, 10**12),
    st.sampled_from(["{}", "{}分", "大概{}", "{}吧", "我觉得{}", "嗯，{}。", "about {}", "I'd say {}"]),
)
def test_a_plain_number_is_read_in_any_plain_frame(number: int, frame: str) -> None:
    found = read_number(frame.format(number))
    assert found is not None
    assert found[0] == number


@given(
    st.integers(0, 99), st.integers(0, 99), st.sampled_from(["到", "-", "~", "或", "、", " or ", "，", " to ", "和"])
)
def test_two_numbers_are_none(low: int, high: int, separator: str) -> None:
    if low != high:
        assert read_number(f"{low}{separator}{high}") is None


@given(
    st.integers(1, 99), st.sampled_from(["不是", "没有", "不到", "如果", "怕", "超过", "not ", "never ", "at least "])
)
def test_a_denied_or_bounded_number_is_none(number: int, denial: str) -> None:
    assert read_number(f"{denial}{number}") is None


WORDS = "zero one two three four five six seven eight nine ten eleven twel teen ty hundred half 半 两 〇"


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_the_reader_never_invents(text: str) -> None:
    found = read_number(text)
    if found is not None:
        assert any(character.isnumeric() for character in text) or any(word in text.lower() for word in WORDS.split())


@given(st.text(st.sampled_from("一二三十百千万点半分个岁天第不没到多几吧，。？-0123456789./%月日 "), max_size=12))
def test_dense_nonsense_never_breaks(text: str) -> None:
    found = read_number(text)
    assert found is None or isinstance(found[0], int | float)
