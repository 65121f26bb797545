"""Without a model: what plainly puts an earlier answer right goes there, whatever was answered since, and never under
the question that waits; what only sounds so is an answer."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import option
from tests.engine.scripts import Node, ask, check, only, say
from tests.table import tabled

from heartrule.testing.talk import Talk

UNCLEAR = "没听明白"


def whole(kind: str, low: int, high: int) -> Node:
    return {"type": "integer", "range": [low, high], "define": kind}


DECLARED: list[Node] = [
    {"var": "名字", "define": "怎么称呼"},
    {"var": "年龄", **whole("年龄", 0, 120)},
    {"var": "小时", **whole("昨晚睡了几个小时", 0, 24)},
    {"var": "几天", **whole("这样几天了", 0, 99)},
    {"var": "吃药", "type": "boolean", "define": "有没有在吃药"},
    {"var": "打分", **whole("心情打几分", 0, 10)},
    {"var": "原因", "define": "难受的原因"},
]
ASKED = [
    ("怎么称呼你？", "名字", "阿林"),
    ("多大了？", "年龄", "30"),
    ("昨晚睡了几个小时？", "小时", "6个小时"),
    ("这样几天了？", "几天", "5天"),
    ("在吃药吗？", "吃药", "没有"),
    ("心情打几分？0 到 10", "打分", "4"),
]
TOLD: dict[str, Any] = {"名字": "阿林", "年龄": 30, "小时": 6, "几天": 5, "吃药": False, "打分": 4}
WHY, PICK = ask("是什么让你难受？", "原因"), option("选", "接着", "停下")


def now(talk: Talk) -> dict[str, Any]:
    return {event.name: event.value for event in talk.happened("variable")}


def hold(*last: Node, upto: int = 6) -> Talk:
    talk = Talk(only(*(ask(q, name) for q, name, _ in ASKED[: max(upto, 5) + 1]), *last, say("完"), declare=DECLARED))
    for _, _, told in ASKED[:upto]:
        talk.say(told)
    return talk


PUT_RIGHT = {
    "几天": (
        "不是5天，是3天=3|哦不，十天=10|不对，是三天=3|等一下，是7天=7|刚才说错了，是三天=3|天数不对，是十天=10|等等，10天=10"
        "|等等，刚才那个天数应该是3=3|之前说的5天应该是6天=6"
    ),
    "小时": "睡了7小时才对=7|还是改成8小时吧=8|啊不，睡了5个小时=5|不是6个小时，是4个小时=4|睡眠我说错了，是5小时=5",
    "打分": (
        "刚才的4分不准，改成2分=2|4不对，是6=6|改成6分吧=6|心情打低了，应该是7=7|把打分改成3分=3|啊，分数打高了，应该是2=2"
        "|刚才的分数改成5=5|对了，刚才打分打高了，应该是2=2"
    ),
    "年龄": "年龄写错了，是31=31|不是30岁，是31岁=31|改一下年龄，31=31",
    "名字": (
        "不对不对，我叫小林=小林|错了，我叫阿木=阿木|名字打错了，叫我阿木=阿木|不是阿林，是阿琳=阿琳"
        "|我想改一下名字，叫阿木=阿木"
    ),
}
SAID = [(name, *each.split("=")) for name, group in PUT_RIGHT.items() for each in group.split("|")]


@tabled(("name", "words", "value"), SAID)
def test_it_goes_where_it_can_only_belong(name: str, words: str, value: str) -> None:
    talk = hold(WHY)
    talk.say(words)
    check(talk)
    new: Any = int(value) if value.isdigit() else value
    assert now(talk) == TOLD | {name: new}
    assert talk.said == [f"好，改成「{value}」。\n是什么让你难受？"]
    last = talk.happened("variable")[-1]
    assert (last.strategy, last.old) == ("correction", TOLD[name])


NO_CORRECTION = (
    "不是我的错，是他的错|不是一天两天了，是很多年|不对，他上班三天就辞了我|改成线上课以后就这样|还是换成别的工作好"
    "|不是钱的事，是没人理解我|房租涨了500，不是小数目|我妈说不对，是我太敏感|错了，全是我的错|三年前我爸走了|不是一两句话，是积累下来的"
    "|本来3天能做完的活，非要改成2天|应该更努力才对|他应该道歉才对|另外我觉得其实没人懂我|对了，其实我也不知道"
    "|公司把奖金改成季度发了|考试考错了，只有4分|我不是不想睡，是睡不着|工资发错了，少了3000|孩子写错了作业，老师骂我"
    "|领导改了方案，改成周末上班|不，我就是累|没有，就是心里难受|不是工作，是家里|不是累，是怕|说好5天，拖到了10天"
    "|前男友改名了，叫阿木|等一下要去接孩子，心里烦|我老公不对，是他先动手的|时间改成晚上了，睡不好|刚才那个电话不对劲，是我妈打来的"
    "|刚才我妈说错了话，我难受|不是3个人，是5个人说我|不是第一次了，是第三次|他不叫我名字，叫我喂|这个数不对，是我算错账赔了钱"
    "|名字被老师写错了，大家都笑我|不，大家都叫我胖子"
)


@tabled("words", NO_CORRECTION.split("|"))
def test_what_only_sounds_so_is_an_answer(words: str) -> None:
    talk = hold(WHY)
    talk.say(words)
    assert now(talk) == TOLD | {"原因": words}


@tabled("words", ["前面说的吃药那个，其实有吃", "我不叫阿林", "我打错了，30不对，是31"])
def test_what_is_plainly_one_and_cannot_be_read_is_asked_about(words: str) -> None:
    talk = hold(WHY)
    talk.say(words)
    assert UNCLEAR in talk.said[0]
    assert now(talk) == TOLD


@pytest.mark.parametrize(
    ("words", "rest", "name", "value"),
    [
        ("工作压力。不过刚才那个天数不对，是三天", "工作压力", "几天", 3),
        ("工作太多，对了，睡眠我说错了，是5小时", "工作太多", "小时", 5),
        ("跟妈妈吵架了。另外昨晚其实睡了3小时", "跟妈妈吵架了", "小时", 3),
    ],
)
def test_behind_an_answer_both_count(words: str, rest: str, name: str, value: int) -> None:
    talk = hold(WHY)
    talk.say(words)
    check(talk)
    assert now(talk) == TOLD | {name: value, "原因": rest}
    assert talk.said[0].startswith(f"好，改成「{value}」。")


def test_behind_a_number_that_waits_too() -> None:
    talk = hold(WHY, upto=5)
    talk.say("4，不过刚才那个天数不对，是三天")
    assert now(talk) == TOLD | {"几天": 3}


def test_another_unit_is_no_answer_to_the_number_that_waits() -> None:
    talk = hold(WHY, upto=5)
    talk.say("不对，是三天")
    told = {name: value for name, value in TOLD.items() if name != "打分"}
    assert now(talk) == told | {"几天": 3}
    assert talk.said[-1].endswith("心情打几分？0 到 10")


def test_beside_a_label_the_correction_counts_as_well() -> None:
    talk = hold(PICK)
    talk.say("接着吧，另外我昨晚其实睡了3小时")
    assert now(talk) == TOLD | {"小时": 3, "选": "a"}
    assert talk.said[0].startswith("好，改成「3」。")


def test_of_two_in_the_same_unit_the_newest_counts_or_it_is_asked() -> None:
    naps = {"var": "午睡", **whole("午睡几个小时", 0, 24)}
    asked = (ask("昨晚睡了几个小时？", "小时"), ask("午睡几个小时？", "午睡"), ask("心情打几分？", "打分"), WHY)
    talk = Talk(only(*asked, declare=[*DECLARED, naps]))
    talk.say("6个小时")
    talk.say("1个小时")
    talk.say("不对，是2个小时")
    assert now(talk) == {"小时": 6, "午睡": 2}
    talk.say("4")
    talk.say("不对，是3个小时")
    assert UNCLEAR in talk.said[0]
    assert now(talk) == {"小时": 6, "午睡": 2, "打分": 4}


@tabled(
    ("words", "name", "value"),
    [
        ("not 5 days, 3 days", "days", 3),
        ("oh no, ten days", "days", 10),
        ("it was 3 days, not 5", "days", 3),
        ("the score was too high, make it 2", "score", 2),
        ("please change the score to 2", "score", 2),
        ("wait, 7 hours", "hours", 7),
        ("no, call me Ben", "name", "Ben"),
        ("it wasn't the money, it was the people", "cause", "it wasn't the money, it was the people"),
        ("not one day goes by without it", "cause", "not one day goes by without it"),
        ("no, just tired", "cause", "no, just tired"),
        ("my boss changed the deadline to 3 days", "cause", "my boss changed the deadline to 3 days"),
        ("he was wrong, it was his fault", "cause", "he was wrong, it was his fault"),
    ],
)
def test_in_english(words: str, name: str, value: Any) -> None:
    known = [
        {"var": "name", "define": "what to call them"},
        {"var": "hours", **whole("hours of sleep last night", 0, 24)},
        {"var": "days", **whole("for how many days", 0, 99)},
        {"var": "score", **whole("mood score", 0, 10)},
        {"var": "cause", "define": "what makes it hard"},
    ]
    asked = ("What shall I call you?", "How many hours did you sleep?", "For how many days?", "Your mood, 0 to 10?")
    names = ("name", "hours", "days", "score")
    actions = [ask(q, n) for q, n in zip(asked, names, strict=True)]
    talk = Talk(only(*actions, ask("What makes it hard?", "cause"), say("Done."), declare=known, locale="en"))
    for told in ("Al", "6 hours", "5 days", "4"):
        talk.say(told)
    before = now(talk)
    talk.say(words)
    assert now(talk) == before | {name: value}
