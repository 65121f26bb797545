"""Numbers as answers to a question: in the unit that was asked for, and of nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value
from heartrule.parsing.units import NOBODY_ASKS, asked, comes_to, kind

MOOD = (
    "开始之前问一下，你这会儿的心情，0 是最糟，10 是最好，几分？",
    Variable(var="x", type="integer", range=(0, 10), define="开始时的心情，0 最糟，10 最好"),
)
TENSION = (
    "现在身体有多紧张，0 到 10，几分？",
    Variable(var="x", type="integer", range=(0, 10), define="做练习之前的紧张程度，0 完全放松，10 非常紧张"),
)
BELIEF = (
    "这句话你现在有多相信，0 到 100？",
    Variable(var="x", type="integer", range=(0, 100), define="实验之前对预测的相信程度，0 到 100"),
)
HOURS = ("昨晚睡了几个小时？", Variable(var="x", type="number", range=(0, 24), define="昨晚睡了几个小时"))
DAYS = ("这样几天了？", Variable(var="x", type="integer", range=(0, 99), define="这样几天了"))
WAKES = ("夜里一般醒几次？", Variable(var="x", type="integer", range=(0, 20), define="每晚醒来的次数"))
MONTHS = ("这种情况持续多久了？", Variable(var="x", type="number", range=(0, 600), define="持续的月数"))
AGE = ("你今年多大？", Variable(var="x", type="integer", range=(0, 120), define="年龄"))
CUPS = ("一天喝几杯咖啡？", Variable(var="x", type="integer", range=(0, 30), define="每天喝咖啡的杯数"))
PEOPLE = ("家里一共几口人？", Variable(var="x", type="integer", range=(0, 20), define="同住的人数"))
MOOD_EN = (
    "How is your mood right now, if 0 is the worst and 10 the best?",
    Variable(var="x", type="integer", range=(0, 10), define="mood at the start, 0 worst, 10 best"),
)
HOURS_EN = (
    "How many hours did you sleep?",
    Variable(var="x", type="number", range=(0, 24), define="hours of sleep last night"),
)
DAYS_EN = (
    "How many days has it been like this?",
    Variable(var="x", type="integer", range=(0, 99), define="days it has been like this"),
)
WAKES_EN = (
    "How many times did you wake up?",
    Variable(var="x", type="integer", range=(0, 20), define="times woken per night"),
)
AGE_EN = ("How old are you?", Variable(var="x", type="integer", range=(0, 120), define="age in years"))

Asking = tuple[str, Variable]


def said(asking: Asking, text: str) -> object:
    question, rules = asking
    found = parse_value(rules, text, question=question)
    return None if found is None else found.value


@tabled(
    ("asking", "answers"),
    [
        (
            MOOD,
            {
                "5": 5,
                "五分": 5,
                "3分吧": 3,
                "大概4分": 4,
                "6左右": 6,
                "我觉得7分": 7,
                "也就2分": 2,
                "今天4分": 4,
                "4分，昨晚没睡好": 4,
                "给5吧": 5,
                "打个6分": 6,
                "就3分": 3,
                "嗯5分吧": 5,
                "差不多6": 6,
                "6，还行": 6,
                "还行，6分": 6,
                "不太好，3分": 3,
                "勉强5分": 5,
                "现在2分": 2,
                "7分的样子": 7,
                "一般吧 5分": 5,
                "五": 5,
                "心情5分": 5,
                "我的心情大概是4分": 4,
                "现在是6分吧，比昨天好点": 6,
                "有个5分吧": 5,
                "我打4分，最近不顺": 4,
                "0": 0,
                "零分": 0,
                "1分，真的很糟": 1,
                "算6分吧": 6,
                "应该在5分": 5,
                "估计就4分": 4,
                "8分，挺好的": 8,
                "10分！": 10,
                "十分": 10,
                "只有2分": 2,
                "说实话3分": 3,
                "老实说就4分": 4,
                "凭感觉6分": 6,
                "那就5分": 5,
                "刚好5分": 5,
                "中间，5吧": 5,
                "选6": 6,
                "5 分 吧": 5,
                "此刻4分": 4,
                "这会儿3分": 3,
                "还能有6分": 6,
                "才3分": 3,
                "起码比昨天好，6分": 6,
                "3分 因为跟老公吵架了": 3,
                "6.": 6,
                "大约七分": 7,
                "四分吧，有点累": 4,
                "我现在也就5分": 5,
                "3，不能再低了": 3,
                "打6": 6,
                "6分，凑合": 6,
                "勉勉强强5分": 5,
                "挺低的，2分": 2,
                "2分吧，真的不想动": 2,
                "大约在4分上下": 4,
                "我会给7分": 7,
                "今天状态还可以，7分": 7,
                "五分左右吧": 5,
                "7啊": 7,
                "我选4": 4,
                "心里大概5分这样": 5,
                "还好，6": 6,
                "8分，刚跟朋友吃了饭": 8,
                "嗯…3分": 3,
                "就在5分吧": 5,
                "没多高，4分": 4,
                "可以打8分": 8,
                "估摸着6分": 6,
                "我的话3分": 3,
            },
        ),
        (
            TENSION,
            {
                "紧张程度7": 7,
                "紧张有8分": 8,
                "7分紧张": 7,
                "现在好多了，3": 3,
                "降到3了": 3,
                "还有5分": 5,
                "身体大概6分紧": 6,
                "当时8分": 8,
                "那会儿有9分": 9,
            },
        ),
        (
            BELIEF,
            {
                "80": 80,
                "80%": 80,
                "百分之八十": 80,
                "八成": 80,
                "八成吧": 80,
                "七成把握": 70,
                "大概60吧": 60,
                "信70": 70,
                "相信60%": 60,
                "70分": 70,
                "85": 85,
                "90%吧": 90,
                "六成": 60,
                "只信40了": 40,
                "还是70": 70,
                "现在大概50%": 50,
            },
        ),
        (
            HOURS,
            {
                "5个小时": 5,
                "五小时": 5,
                "大概6小时": 6,
                "睡了7个小时": 7,
                "就睡了4个小时": 4,
                "6个半小时": 6.5,
                "4小时左右吧": 4,
                "昨晚睡了5小时": 5,
                "5": 5,
                "没怎么睡，3个小时吧": 3,
                "睡了3个小时就醒了": 3,
                "只睡了3小时": 3,
                "仨小时": 3,
                "俩小时": 2,
                "两个钟": 2,
                "两个钟头吧": 2,
                "一个小时": 1,
                "半个小时": 0.5,
                "90分钟": 1.5,
                "昨天晚上睡了六个小时": 6,
                "总共也就5个钟头": 5,
                "三个半小时": 3.5,
                "夜里醒了两次，一共睡了5个小时": 5,
                "我睡了8个小时": 8,
                "8h": 8,
                "差不多8小时": 8,
                "大概就5个小时吧": 5,
                "一晚上就睡了4小时": 4,
                "总共睡了6个钟": 6,
                "4.5小时": 4.5,
                "断断续续睡了5个小时": 5,
                "没睡好，只有4个小时": 4,
                "7小时，还行": 7,
                "八个小时，睡得挺香": 8,
            },
        ),
        (
            DAYS,
            {
                "3天": 3,
                "三天了": 3,
                "一周": 7,
                "两周了": 14,
                "一个礼拜": 7,
                "3周": 21,
                "大概十天": 10,
                "5天吧": 5,
                "有五天了": 5,
                "廿三天": 23,
                "已经4天了": 4,
                "连着6天了": 6,
                "15天左右": 15,
                "7": 7,
                "一天": 1,
                "这样10天了": 10,
                "持续了8天": 8,
                "有4天了吧": 4,
                "大概一个星期": 7,
                "差不多三周了": 21,
                "前后5天": 5,
                "6天了，一直这样": 6,
                "整整10天": 10,
                "我记得是8天": 8,
            },
        ),
        (
            WAKES,
            {
                "3次": 3,
                "两次": 2,
                "一般两次": 2,
                "醒三回": 3,
                "醒2次吧": 2,
                "一次": 1,
                "4": 4,
                "每晚醒3次": 3,
                "三遍": 3,
            },
        ),
        (MONTHS, {"3个月": 3, "三个月了": 3, "半年": 6, "两年": 24, "一年半": 18, "6个月左右": 6, "有八个月了": 8}),
        (AGE, {"35": 35, "35岁": 35, "三十五": 35, "我28了": 28, "今年四十二岁": 42, "虚岁30": 30, "刚满18": 18}),
        (CUPS, {"两杯": 2, "3杯": 3, "一天三杯咖啡": 3, "2杯吧": 2, "就一杯": 1}),
        (PEOPLE, {"四口": 4, "4个人": 4, "四口人": 4, "一共五个": 5, "3": 3, "我们家三口人": 3}),
        (
            MOOD_EN,
            {
                "5": 5,
                "a 6": 6,
                "I'd say 4": 4,
                "about a 5": 5,
                "5 out of 10": 5,
                "four": 4,
                "it's a 3 today": 3,
                "probably 7": 7,
                "maybe 4": 4,
                "I am at a 6": 6,
                "6 I guess": 6,
                "7, pretty good": 7,
                "3 honestly": 3,
                "honestly 3": 3,
                "like a 2": 2,
                "only a 3": 3,
                "5 maybe": 5,
                "I'd put it at 4": 4,
                "I'm at 5": 5,
                "around a 6 right now": 6,
                "not great, 3": 3,
                "a solid 7": 7,
                "8!": 8,
                "my mood is 4": 4,
                "4 because I slept badly": 4,
                "zero": 0,
                "a 5 for me": 5,
                "2 points": 2,
                "somewhere around 6": 6,
                "i guess 5": 5,
                "let me say 6": 6,
                "I'd give it a 7": 7,
                "5 i think": 5,
                "ok so 6": 6,
                "today 4": 4,
                "a four": 4,
                "I would give it a 5": 5,
                "I'm around a 4": 4,
                "Probably about 5": 5,
                "feeling like a 3": 3,
                "3. Rough night.": 3,
                "it would be a 7": 7,
                "5, could be worse": 5,
                "2, really low": 2,
                "five today": 5,
                "call it a 4": 4,
                "my mood is around 5": 5,
                "a low 3": 3,
                "solid 8": 8,
            },
        ),
        (
            HOURS_EN,
            {
                "6 hours": 6,
                "I slept 5 hours": 5,
                "about 7 hours": 7,
                "five and a half hours": 5.5,
                "six hrs": 6,
                "90 minutes": 1.5,
                "maybe 4 hours": 4,
                "I got 5 hours": 5,
                "only 4 hours": 4,
                "7h": 7,
                "8 hours of sleep": 8,
                "just 3": 3,
                "I only slept 3 hours": 3,
                "last night 5 hours": 5,
                "about 4 hours last night": 4,
                "a good 8": 8,
                "I think 6 hours": 6,
                "five": 5,
                "roughly 7 hrs": 7,
                "6.5 hours": 6.5,
                "got about 5 hours in total": 5,
                "maybe 6 hours of broken sleep": 6,
            },
        ),
        (
            DAYS_EN,
            {
                "3 days": 3,
                "two days": 2,
                "5 days now": 5,
                "two weeks": 14,
                "3 weeks": 21,
                "about ten days": 10,
                "7": 7,
                "4 days in a row": 4,
                "it has been 6 days": 6,
                "for 5 days": 5,
                "10 days": 10,
                "around 8 days": 8,
                "2 weeks already": 14,
                "like 3 days": 3,
            },
        ),
        (WAKES_EN, {"3 times": 3, "two": 2, "I woke up 4 times": 4, "maybe 2 times": 2}),
        (
            AGE_EN,
            {
                "35": 35,
                "I am 42": 42,
                "I'm 28 years old": 28,
                "19 years old": 19,
                "thirty-five": 35,
                "just turned 30": 30,
            },
        ),
    ],
)
def test_a_number_in_the_unit_that_was_asked_for(asking: Asking, answers: dict[str, float]) -> None:
    assert {text: said(asking, text) for text in answers} == answers


@tabled(
    ("asking", "answers"),
    [
        (
            MOOD,
            (
                "可能3分都不到吧;最多只能给3分;满分;4到5分;4分多一点;睡了3小时;睡了4个小时;3天没睡;吵了8年;"
                "吃了2片药;吃了两颗药;我儿子5岁;五点就醒了;早上6点就醒了;比5高;比上次高2分;八成不好;八成是不行了;"
                "上次5分;昨天6分;以前5分;ten times worse;等5分钟;我8点要上班;10块钱的事;喝了3瓶酒;第2次来;我妈5分;"
                "我老公能打8分;他说我5分;抽了5根烟;跑了5公里;10年了;失业3个月;才睡2小时;差了10倍;老板5点找我;"
                "还有3节课;5号要考试;带2个孩子;一个人带2娃;手机剩10%;分手3天;胖了10斤;住8楼;我3点睡的;第3次了;"
                "低了3分;高了2分;降了2分;少说5分;顶多3分;不超过4分;凌晨3点;刚吃了3口饭;哭了2小时;今天哭了3次;"
                "吵了2次;3个小时没动;5岁;3天;9点;上周5分;被骂了5次;加班到9点;扣了5分;考了9分;请了2天假;"
                "等10分钟再说;考试差2分;我妈说5分;昨晚熬到2点;一天吃1顿;抽了2包烟;加班6天;他大我5岁;6点要接孩子;"
                "刚睡醒，9点了;走了8公里;比平时低2分;前天7分;降了3分;请假5天;我姐3分;室友打了8分;还差2个月;"
                "过了3个红绿灯;买了5斤苹果;去了3家医院;第5次咨询;考试5门;只剩2块钱;写了3页;看了2部电影;10点多睡的;"
                "5楼的邻居;老师给我9分;工作3年了;住了7天院;开了4个会;输了5局"
            ),
        ),
        (
            HOURS,
            (
                "七个多小时;6小时不到一点;五个小时多一点;20分钟左右就醒了;5点才睡;凌晨3点睡;醒了3次;喝了3杯咖啡;"
                "顶多3小时;最多睡3个小时;至少睡了3小时;第2次失眠了;3点;睡了3天;失眠3年;两片安眠药;2次;起了3趟夜;"
                "吃了2粒药;躺了3个小时才睡着;看了2小时手机;6点起床;6点;吵到4点;跑了3公里;2点多;看了3集剧;哭了2次;"
                "才10分钟;躺到4点;3颗褪黑素;2片;闹了3天;加班到3点"
            ),
        ),
        (
            DAYS,
            (
                "快一周了;二十多天;十几天;十来天;两个月;2年了;一年;5个小时;2次;第3天;3点;上个月3号;3个;3号;5楼;"
                "3小时;2个疗程;一年多;4次了;3点开始;5个月"
            ),
        ),
        (WAKES, ("3点;3个小时;20分钟;两年了;第3次;3杯水")),
        (AGE, ("3年;5个月;3次;我儿子5岁;我妈60岁")),
        (CUPS, ("3次;2小时;2年了;3块钱")),
        (PEOPLE, ("3年;5次;3岁")),
        (
            MOOD_EN,
            (
                "around 5 or so;somewhere between 4 and 5;barely a 3;6ish;close to 6;ten times worse;I woke at 5;"
                "I slept 3 hours;it took 2 years;I have 3 kids;I have 2 dogs;I am 10 minutes late;three days;"
                "5 hours;I woke up at 6;went to bed at 3;got up at 5;my mom is a 5;last time 5;yesterday 6;"
                "at most 4;no more than 5;lost 5 pounds;2 beers;third time;twice as bad;zero energy;my son is 5;"
                "at 5 in the morning;5 am;5pm;worse than 5;better than 4;higher than 5;two months;"
                "3 cups of coffee;up 2 points;down 3;2 points lower;2 coffees;slept 4 hours;I ran 5 miles;"
                "5 people;3 exams this week;10 minutes;been 2 weeks;yesterday was a 7;I am 9 weeks pregnant;"
                "alarm went off at 6;worse than a 4;up since 4;my wife says 3;4 times today;2 more days;8 pm;"
                "6 years ago;gained 7 pounds"
            ),
        ),
        (
            HOURS_EN,
            (
                "20 minutes late;I woke at 3;3 times I woke;went to bed at 11;3 cups of coffee;at most 3 hours;"
                "no more than 4 hours;up at 5;5 am;2 pills;3 years;3 drinks;2 cups;at 2 am;3 nights;woke 4 times;"
                "until 6;30 minutes max"
            ),
        ),
        (DAYS_EN, ("about a week;since 5 days;two months;2 years;5 hours;5 times;3 pills;5 am")),
    ],
)
def test_a_number_about_something_else_is_no_answer(asking: Asking, answers: str) -> None:
    """Another unit, a time of the day, a place in a row, a difference, a bound, somebody else's, another time's."""
    assert {text: found for text in answers.split(";") if (found := said(asking, text)) is not None} == {}


@tabled(
    ("about", "kinds"),
    [
        ("昨晚睡了几个小时？", ("hour",)),
        ("这几天心情几分？", ("score",)),
        ("今天心情怎么样？\n今天的心情，0 最糟，10 最好", ("score",)),
        ("多久了？\n困扰持续了几个月", ("month",)),
        ("持续的月数", ("month",)),
        ("每天吃几片？", ("片",)),
        ("有几个孩子？", ("thing",)),
        ("多少钱？", ("money",)),
        ("孩子上几年级？", ("年级",)),
        ("你今年多大？", ("age",)),
        ("压力有多大，0 到 10？", ("score",)),
        ("几点睡的？", ("clock",)),
        ("你在家排行第几？", ("place",)),
        ("有几成相信？", ("share",)),
        ("How many hours did you sleep?", ("hour",)),
        ("How old are you?", ("age",)),
        ("How is your mood, from 0 to 10?", ("score",)),
        ("How many cups a day?", ("cups",)),
        ("几乎每天都这样吗？", ()),
        ("今天过得怎么样？", ()),
        ("", ()),
    ],
)
def test_what_is_asked_for(about: str, kinds: tuple[str, ...]) -> None:
    assert asked(about).kinds == kinds


@tabled(
    ("question", "text", "value"),
    [
        ("你在家排行第几？", "第三", 3),
        ("你在家排行第几？", "第三个", 3),
        ("你在家排行第几？", "3", 3),
        ("你在家排行第几？", "上头俩姐", None),
        ("你在家排行第几？", "有三个", None),
        ("你自己的血压高压是多少？", "高压130", 130),
        ("你自己的血压高压是多少？", "我妈高压一百六，天天吃药", None),
        ("你妈妈高压是多少？", "我妈妈高压一百六", 160),
        ("几点睡的？", "3点", 3),
        ("除你以外有几个室友？", "连我四个人", None),
        ("心情几分？", "5分，因为昨晚只睡了3小时", 5),
        ("心情几分？", "昨晚只睡了3小时，心情4分", 4),
        ("昨天心情几分？", "昨天4分", 4),
        ("你妈妈打几分？", "我妈打4分", 4),
        ("How old is your son?", "my son is 5", 5),
        ("How was it yesterday, 0 to 10?", "yesterday 4", 4),
    ],
)
def test_what_the_question_is_about_counts(question: str, text: str, value: float | None) -> None:
    assert said((question, Variable(var="x", type="number")), text) == value


@tabled(
    ("unit", "name"),
    [
        ("小时", "hour"),
        ("个小时", "hour"),
        ("个半小时", "hour"),
        ("hrs", "hour"),
        ("个", "thing"),
        ("片", "片"),
        ("分", "score"),
        ("点", "clock"),
    ],
)
def test_units_of_one_kind(unit: str, name: str) -> None:
    assert kind(unit) == name


@pytest.mark.parametrize(
    ("value", "unit", "about", "highest", "there"),
    [
        (2, "周", "几天了", None, 14),
        (90, "分钟", "睡了几个小时", 24, 1.5),
        (20, "分钟", "睡了几个小时", 24, None),
        (3, "天", "睡了几个小时", 24, None),
        (2, "年", "几个月了", None, 24),
        (2, "个月", "几天了", None, None),
        (8, "成", "相信程度，0 到 100", 100, 80),
        (8, "成", "相信程度，0 到 10", 10, 8),
        (70, "%", "相信程度，0 到 100", 100, 70),
        (70, "%", "打几分", 10, None),
        (7, "", "打几分", 10, 7),
        (3, "个", "几分", 10, None),
        (3, "个", "有几个孩子", None, 3),
    ],
)
def test_what_one_unit_comes_to_in_another(
    value: float, unit: str, about: str, highest: float | None, there: float | None
) -> None:
    assert comes_to(value, unit, asked(about), highest) == there


@given(st.integers(0, 999), st.sampled_from(["分", "小时", "天", "个", "片", "%", "years"]))
def test_where_nobody_asks_every_unit_will_do(value: int, unit: str) -> None:
    assert comes_to(value, unit, NOBODY_ASKS, None) == value


@given(
    st.integers(0, 10),
    st.sampled_from(["小时", "年", "片药", "岁", "点就醒了", "次", "块钱", "个月", "杯", "倍", " hours", " months"]),
)
def test_a_score_is_never_in_another_unit(value: int, unit: str) -> None:
    assert said(MOOD, f"{value}{unit}") is None
