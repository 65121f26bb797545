"""Without a model: what was named wrongly is taken out of its list, or gives way to what is said instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.engine.minds import get, last
from tests.engine.scripts import Node, ask, check, only, say
from tests.table import tabled

from heartrule.testing.talk import Talk

FAMILY = "家里人"
EXAMPLE = Path(__file__).parents[2] / "examples" / "family" / "family.yaml"


def hold(*said: str, update: str = "overwrite", kind: str = "text") -> Talk:
    declared: list[Node] = [{"var": FAMILY, "type": "list", "update": update, "define": "家里有哪些人"}]
    if kind == "object":
        declared[0] |= {"key": "name", "fields": [{"name": "name", "type": "text"}, {"name": "job", "type": "text"}]}
    actions = (ask("家里有哪些人？", FAMILY), ask("谁对你最严？", get("最严")), ask("还有呢？", get("还有")))
    talk = Talk(only(*actions, say("完"), declare=declared))
    for words in said:
        talk.say(words)
        check(talk)
    return talk


@tabled("update", ["overwrite", "append", "merge_unique"])
@tabled(
    ("words", "left"),
    [
        ("不是妈妈，是姑姑", ["爸爸", "姑姑"]),
        ("没有妈妈，我说错了", ["爸爸"]),
        ("我说错了，没有妈妈", ["爸爸"]),
        ("不对，不是妈妈，是姑姑", ["爸爸", "姑姑"]),
    ],
)
def test_an_item_gives_way(words: str, left: list[str], update: str) -> None:
    talk = hold("爸爸、妈妈", words, update=update)
    assert last(talk, FAMILY) == left
    assert last(talk, "最严") is None
    assert talk.said[0].startswith("好，改成「")
    assert talk.said[-1].endswith("谁对你最严？")
    assert talk.happened("variable")[-1].strategy == "correction"


def test_of_a_list_of_objects_the_key_is_put_right() -> None:
    talk = hold("爸爸、妈妈", "不是妈妈，是姑姑", kind="object")
    assert [each["name"] for each in last(talk, FAMILY)] == ["爸爸", "姑姑"]


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


def test_whoever_is_not_there_is_not_asked_about() -> None:
    talk = Talk(EXAMPLE.read_text(encoding="utf-8"))
    words: list[Any] = ["爸爸和妈妈", "是个木匠，他跟爷爷学的", "还行", "老师", "没有爷爷，我说错了"]
    for each in words:
        talk.say(each)
    assert talk.said == ["好，改成「父亲、母亲」。\n你和母亲处得怎么样？"]
    talk.say("挺好的")
    assert talk.ended
    assert "爷爷" not in "".join(talk.said)
