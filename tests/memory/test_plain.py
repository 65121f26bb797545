"""What is kept, what makes room, and what comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from heartrule.memory.item import Item
from heartrule.memory.plain import MOST, PLAIN
from heartrule.memory.protocol import Mode, Wish

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def item(name: str, content: str = "", *, day: int = 0, **rest: Any) -> Item:
    told: dict[str, Any] = {
        "kind": "answer",
        "type": "long",
        "content": content or name,
        "importance": 0.5,
        "session": "s1",
        "place": f"topic//{name}",
        "topic": "",
        "message": 1,
        "at": NOON + timedelta(days=day),
    }
    return Item(id=name, **{**told, **rest})


def names(found: tuple[Item, ...]) -> list[str]:
    return [each.id for each in found]


MOTHER = item("a", "和妈妈吵架：每周都吵", day=0, importance=0.2)
WORK = item("b", "工作压力：项目要交了", day=1, importance=0.8)
SLEEP = item("c", "睡眠：三点才睡着", day=2)
HELD = (MOTHER, WORK, SLEEP)


@pytest.mark.parametrize(
    ("mode", "about", "most", "found"),
    [
        ("recent", "", 2, ["b", "c"]),
        ("important", "", 1, ["b"]),
        ("important", "", 2, ["b", "c"]),
        ("related", "说说昨晚的睡眠", 3, ["c"]),
        ("related", "妈妈最近怎么样", 3, ["a"]),
        ("related", "天气", 3, []),
        ("related", "", 3, []),
        ("related", "我", 3, []),
        ("mixed", "妈妈最近怎么样", 1, ["a"]),
        ("mixed", "", 1, ["b"]),
        ("mixed", "", 9, ["a", "b", "c"]),
    ],
)
def test_what_comes_back(mode: Mode, about: str, most: int, found: list[str]) -> None:
    assert names(PLAIN.recall(HELD, Wish(about, mode=mode, most=most))) == found


def test_the_order_in_which_it_is_held_says_nothing() -> None:
    for mode in ("recent", "important", "mixed", "related"):
        wish = Wish("妈妈和工作和睡眠", mode=mode, most=2)
        assert PLAIN.recall(HELD, wish) == PLAIN.recall(HELD[::-1], wish)


def test_words_of_a_language_with_spaces() -> None:
    held = (item("a", "The exam: failed it in June"), item("b", "The dog: ran away"))
    assert names(PLAIN.recall(held, Wish("What about the EXAM?", mode="related", most=1))) == ["a"]
    assert PLAIN.recall(held, Wish("is it so", mode="related")) == ()


@pytest.mark.parametrize(
    ("wish", "found"),
    [(Wish("", type="short"), []), (Wish("", importance=0.5), ["b", "c"]), (Wish("", importance=0.81), [])],
)
def test_only_what_is_wished_for(wish: Wish, found: list[str]) -> None:
    assert names(PLAIN.recall(HELD, wish)) == found


def test_what_says_the_same_comes_back_once_the_newest_of_it() -> None:
    again = item("z", MOTHER.content, day=5, session="s2")
    assert names(PLAIN.recall((*HELD, again), Wish("", most=9))) == ["b", "c", "z"]


def test_what_is_known_of_one_person_is_told_as_one() -> None:
    older = item("a", "小明", type="structured", entity="小明", names=("家人",), fields={"年龄": 8, "爱好": "画画"})
    newer = replace(older, id="b", session="s2", at=NOON + timedelta(days=9), fields={"年龄": 9})
    other = replace(older, id="c", entity="小红", fields={"年龄": 3})
    ming, *_ = PLAIN.recall((newer, other, older), Wish("小明最近怎么样", mode="related", most=1))
    assert (ming.id, ming.older) == ("b", ("a",))
    assert ming.fields == {"年龄": 9, "爱好": "画画"}


def test_who_is_named_comes_before_what_shares_words() -> None:
    ming = item("a", "他八岁", type="structured", entity="小明", fields={"年龄": 8})
    words = [item(f"w{number}", "最近怎么样呢，学校的事情", place=f"{number}") for number in range(3)]
    assert names(PLAIN.recall((*words, ming), Wish("小明最近怎么样", mode="related", most=1))) == ["a"]


def test_the_same_action_says_it_anew() -> None:
    newer = item("new", "和妈妈吵架：不吵了", day=3, place=MOTHER.place)
    kept = PLAIN.keep(HELD, newer, mode="recent", most=None)
    assert (kept.item.id, kept.item.content, kept.gone) == ("a", newer.content, ())


def test_another_session_says_it_beside() -> None:
    newer = replace(MOTHER, id="new", session="s2", at=NOON + timedelta(days=3))
    assert PLAIN.keep(HELD, newer, mode="recent", most=1).gone == ()
    assert PLAIN.keep(HELD, newer, mode="recent", most=1).item.id == "new"


def test_what_is_told_of_somebody_is_added_to() -> None:
    ming = item("a", "小明", type="structured", entity="小明", fields={"年龄": 8}, place="t//x")
    kept = PLAIN.keep([ming], replace(ming, id="b", fields={"爱好": "画画"}), mode="recent", most=None)
    assert (kept.item.id, kept.item.fields) == ("a", {"年龄": 8, "爱好": "画画"})


@pytest.mark.parametrize(("mode", "gone"), [("recent", ("heavy",)), ("important", ("light",))])
def test_of_one_action_only_so_many_stay(mode: Any, gone: tuple[str, ...]) -> None:
    heavy = item("heavy", place="p", importance=0.9, names=("x",))
    light = item("light", place="p", day=1, importance=0.1, names=("y",))
    new = item("new", place="p", day=2, names=("z",))
    assert PLAIN.keep([heavy, light, MOTHER], new, mode=mode, most=2).gone == gone


def test_the_least_important_makes_room() -> None:
    held = [item(f"{number:03}", day=number) for number in range(MOST - 1)]
    assert PLAIN.keep(held, item("new", day=999), mode="recent", most=None).gone == ()
    held.append(item("light", day=500, importance=0.1))
    assert PLAIN.keep(held, item("new", day=999), mode="recent", most=None).gone == ("light",)
    assert PLAIN.keep([*held[:-1], item("one", day=9)], item("new"), mode="recent", most=None).gone == ("000",)
