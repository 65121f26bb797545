"""Remarks about the conversation itself, which no question takes for an answer."""

from __future__ import annotations

from tests.table import tabled

from heartrule.parsing.remarks import Remark, remark

SAID: list[tuple[str, Remark | None]] = [
    *((words, "back") for words in ("我回来了", "回来了", "不好意思，我回来了")),
    *((words, "back") for words in ("好了，我又回来啦。", "我吃完饭回来了", "我来了")),
    *((words, "back") for words in ("I'm back", "back")),
    *((words, "back") for words in ("Sorry, I'm back now", "ok, I am here again", "可以继续了")),
    *((words, "back") for words in ("想再聊会儿", "我还想再聊一会儿", "想接着聊", "可以再聊聊")),
    *((words, "back") for words in ("I'd like to talk a bit more", "can we keep talking", "I want to talk some more")),
    *((words, None) for words in ("我想再说说我妈", "还想聊聊工作的事", "想再睡会儿", "想多聊聊我爸", "我想说")),
    *((words, None) for words in ("I want to talk more about my dad", "I want to talk to my dad", "I want to talk")),
    *((words, "wait") for words in ("等一下", "稍等", "等等我")),
    *((words, "wait") for words in ("我去接个电话", "我先去趟厕所", "我有点事，等下再说", "我想想")),
    *((words, "wait") for words in ("让我想一下", "hold on")),
    *((words, "wait") for words in ("one moment please", "brb", "let me think about it")),
    *((words, "rest") for words in ("我想休息一下", "能不能歇会儿再聊")),
    *((words, "rest") for words in ("can we take a break?", "I need a break")),
    *((words, "human") for words in ("转人工", "我要找真人", "换个人来", "我不想跟机器说了", "能不能转真人")),
    *((words, "human") for words in ("can I talk to a human?",)),
    *((words, "human") for words in ("I want to speak to a real person", "human please")),
    *((words, "complaint") for words in ("你烦不烦", "别问东问西的")),
    *((words, "complaint") for words in ("你问得太多了", "怎么老问这些", "说了也没用")),
    *((words, "complaint") for words in ("聊这些有什么用", "跟你说这些也没用")),
    *((words, "complaint") for words in ("有完没完", "你就是个机器人", "能不能别问了")),
    *((words, "complaint") for words in ("what's the use of this",)),
    *((words, "complaint") for words in ("you ask too many questions", "this is pointless")),
    *((words, None) for words in ("", "嗯", "好烦", "没意思")),
    *((words, None) for words in ("他回来了", "我妈回来了", "我昨天回来晚了", "等他等了一下午")),
    *((words, None) for words in ("我回来了，上周同事没回我消息", "想想就难受")),
    *((words, None) for words in ("我想死", "想休息又睡不着", "我跟人说了也没用过")),
    *((words, None) for words in ("没人可以说话", "我问他他也不说", "他总说我没用")),
    *((words, None) for words in ("活着有什么用", "我没用", "I'm useless")),
    *((words, None) for words in ("my back hurts", "he came back")),
    *((words, None) for words in ("I want to be a person again", "what's the use of living")),
    *((words, None) for words in ("等一下……", "选哪个比较好？", "我休息不好")),
    *((words, None) for words in ("停", "I feel like a robot", "真心难过")),
]
CHOOSING: list[tuple[str, Remark | None]] = [
    *((words, "which") for words in ("选哪个比较好？", "我该选哪个")),
    *((words, "which") for words in ("哪个好", "你帮我选一个吧", "这两个有什么区别？")),
    *((words, "which") for words in ("Which one should I pick?",)),
    *((words, "which") for words in ("what's the difference", "could you choose for me")),
    *((words, "other") for words in ("今天天气怎么样？", "我是不是没救了？", "does it cost anything?")),
    *((words, None) for words in ("先聊聊", "都不想选", "我没什么想法")),
    ("我回来了", "back"),
]


@tabled(("text", "expected"), SAID)
def test_what_is_a_remark(text: str, expected: Remark | None) -> None:
    assert remark(text) == expected


@tabled(("text", "expected"), CHOOSING)
def test_what_is_one_where_there_is_something_to_choose(text: str, expected: Remark | None) -> None:
    assert remark(text, choosing=True) == expected
