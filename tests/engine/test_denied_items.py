"""Without a model nothing is taken out of a list by what is denied: it is asked which answer is meant, or it is one."""

from __future__ import annotations

from tests.engine.minds import get, last
from tests.engine.scripts import Node, ask, check, only, say
from tests.table import tabled

from heartrule.testing.talk import Talk

FAMILY = "家里人"


def hold(*said: str, update: str = "overwrite") -> Talk:
    declared: list[Node] = [{"var": FAMILY, "type": "list", "update": update, "define": "家里有哪些人"}]
    actions = (ask("家里有哪些人？", FAMILY), ask("谁对你最严？", get("最严")), ask("还有呢？", get("还有")))
    talk = Talk(only(*actions, say("完"), declare=declared))
    for words in said:
        talk.say(words)
        check(talk)
    return talk


@tabled("update", ["overwrite", "append", "merge_unique"])
@tabled("words", ["我说错了，没有妈妈", "刚才说错了，不是妈妈，是姑姑"])
def test_what_was_named_wrongly_is_not_guessed_at(words: str, update: str) -> None:
    talk = hold("爸爸、妈妈", words, update=update)
    assert (last(talk, FAMILY), last(talk, "最严")) == (["爸爸", "妈妈"], None)
    assert "没听明白" in talk.said[0]
    assert talk.said[-1].endswith("谁对你最严？")


@tabled(
    "words",
    [
        "不是爸爸，是我自己太累",
        "不是爸爸的错，是我的错",
        "没有爸爸那么严的人",
        "不是姐姐，是姑姑",
        "没有人对我严",
        "没有，我说错话他们也不骂",
    ],
)
def test_what_is_no_correction_is_an_answer(words: str) -> None:
    talk = hold("爸爸、妈妈", words)
    assert (last(talk, FAMILY), last(talk, "最严")) == (["爸爸", "妈妈"], words)


def test_what_was_asked_since_may_be_answered_so() -> None:
    talk = hold("爸爸、妈妈", "都严", "不是妈妈，是姑姑")
    assert (last(talk, FAMILY), last(talk, "还有")) == (["爸爸", "妈妈"], "不是妈妈，是姑姑")
