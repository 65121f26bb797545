"""Words that are taken back late take with them what is known by them alone, however short they are."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sessions.material import Place, run, say, seen
from tests.sessions.test_recall import LIMIT, counselled, everything

from heartrule.sessions import Sessions

SCRIPT = """
sessions:
  - session: 问
    id: small
    locale: zh-CN
    declare:
      - {var: 原因, type: text, define: 难受的原因}
      - {var: 烦恼, type: list, define: 有哪些烦恼, update: UPDATE}
      - {var: 几分, type: integer, range: [0, 10], define: 难受几分}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: why, content: 是为什么呢？, output: [{get: 原因}]}
              - {type: say, id: told, content: "你说的是：{原因}。"}
              - {type: ask, id: which, content: 有哪些烦恼？, output: [{get: 烦恼}]}
              - {type: ask, id: more, content: 还有哪些烦恼？, output: [{get: 烦恼}]}
              - {type: ask, id: much, content: 有几分难受？, output: [{get: 几分}]}
              - {type: ask, id: again, content: 现在呢，几分？, output: [{get: 几分}]}
              - {type: say, id: all, content: "原因：{原因}；烦恼：{烦恼}；{几分} 分。"}
              - {type: ask, id: last, content: 还有吗？, output: [{get: 余下}]}
"""
SHORT = "我去年流过一次产"
FIRST, SECOND = "跟丈夫分居半年了还没有告诉孩子", "欠了亲戚三十万块钱一直还不上"


async def told(place: Place, sessions: Sessions, *words: str) -> tuple[str, dict[str, int]]:
    """The session, and the numbers of what was said in it."""
    session, last = await place.begun(sessions)
    numbers: dict[str, int] = {}
    for count, each in enumerate(words):
        last = await sessions.take(session, say(f"said-{count:04}", each, seen(last)))
        numbers[each] = next(one.number for one in last.messages if one.sender == "person")
    return session, numbers


async def known(sessions: Sessions, session: str) -> dict[str, Any]:
    return {each.name: each.value for each in await sessions.store.variables(session)}


def written(place: Place, update: str = "overwrite") -> None:
    path = place.folder / "unsaid.yaml"
    path.write_text(SCRIPT.replace("UPDATE", update), encoding="utf-8")
    place.script = str(path)


@pytest.mark.parametrize("words", [SHORT, "流产", f"{SHORT}，没有告诉过任何人，包括我妈"])
def test_a_text_goes_with_its_words_and_is_said_no_more(place: Place, words: str) -> None:
    async def work() -> None:
        written(place)
        async with place.open() as sessions:
            session, numbers = await told(place, sessions, words, "睡不好", "没了", "5")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers[words], "back-0001", LIMIT)
            assert "原因" not in await known(sessions, session)
            if len(words) > 6:
                assert words not in await everything(sessions, session)
            end = await sessions.take(session, say("said-0009", "6", None))
            assert words not in "".join(each.text for each in end.messages)

    run(work())


@pytest.mark.parametrize("update", ["overwrite", "append", "merge_unique"])
def test_the_items_of_a_list_go_and_what_was_added_since_stays(place: Place, update: str) -> None:
    async def work() -> None:
        written(place, update)
        words = f"1. {FIRST} 2. {SECOND}"
        async with place.open() as sessions:
            session, numbers = await told(place, sessions, "工作", words, "1. 头疼 2. 腰疼", "5")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers[words], "back-0001", LIMIT)
            assert (await known(sessions, session))["烦恼"] == ["头疼", "腰疼"]
            held = await everything(sessions, session)
            assert FIRST not in held
            assert SECOND not in held

    run(work())


def test_a_number_is_again_what_it_was_before(place: Place) -> None:
    async def work() -> None:
        written(place)
        async with place.open() as sessions:
            session, numbers = await told(place, sessions, "工作", "睡不好", "没了", "5", "8分", "没了")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers["8分"], "back-0001", LIMIT)
            (left,) = [each for each in await sessions.store.variables(session) if each.name == "几分"]
            assert (left.value, left.evidence) == (5, "5")
            await sessions.recall(session, numbers["5"], "back-0002", LIMIT)
            assert "几分" not in await known(sessions, session)

    run(work())


def test_what_was_said_again_stays(place: Place) -> None:
    async def work() -> None:
        written(place)
        async with place.open() as sessions:
            session, numbers = await told(place, sessions, "工作", "睡不好", "没了", "5", "8分", "没了")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers["5"], "back-0001", LIMIT)
            assert (await known(sessions, session))["几分"] == 8

    run(work())


def test_the_next_prompts_hold_it_no_more(place: Place) -> None:
    async def work() -> None:
        written(place)
        async with place.open(counselled()) as sessions:
            session, numbers = await told(place, sessions, SHORT, "睡不好", "没了")
            place.clock.pass_(minutes=3)
            await sessions.recall(session, numbers[SHORT], "back-0001", LIMIT)
            assert SHORT not in await everything(sessions, session)

    run(work())
