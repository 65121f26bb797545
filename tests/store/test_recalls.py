"""Words that are taken back leave every row; on both databases."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from tests.store import worlds
from tests.store.worlds import call, event, say, variable

from heartrule.store import Store
from heartrule.store.codec import encode
from heartrule.store.quotations import Quotations, long_texts
from heartrule.store.records import Recall

WORDS = "其实是因为我离婚了这件事"


async def everything(store: Store, session: str) -> str:
    loaded = await store.load(session, 1000)
    found: list[Any] = [loaded.state, await store.messages(session), await store.inbox(session)]
    found += [await store.events(session), await store.calls(session), await store.variables(session)]
    found += [await store.turn(session, number) for number in range(loaded.session.seq + 1)]
    found += [await store.snapshot(session, number) for number in range(loaded.session.seq + 1)]
    kept = [getattr(each, name) for each in flat(found) if hasattr(each, "__slots__") for name in each.__slots__]
    return repr(found) + repr(list(flat(kept))) + repr([each.entry.text for each in await store.inbox(session)])


def flat(found: Any) -> Any:
    for each in found:
        if isinstance(each, list | tuple):
            yield from flat(each)
        else:
            yield each


async def taken_back(store: Store, session: str, seq: int, recall: Recall) -> None:
    loaded = await worlds.start(store, session, worlds.Entry(f"back-{seq}", "recall", text="{}"), seq)
    made = worlds.turn(session, seq, loaded.epoch, seen=loaded.pending[-1].number, consumed=[loaded.pending[-1].number])
    await store.commit(replace(made, recall=recall, release=True))


def test_a_turn_that_is_taken_back_says_only_that_it_was(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "你好")
        judged = event(2, 3, "awareness", awareness="safety/suicide_risk", verdict="yes", evidence=WORDS, reason=WORDS)
        await worlds.talk(store, "s1", 2, WORDS, events=[judged, event(2, 4, "round", heard=WORDS)], variables=[])
        assert WORDS in await everything(store, "s1")
        await taken_back(store, "s1", 3, Recall((2,), (3, 4), (2,)))
        assert WORDS not in await everything(store, "s1")
        rows = await store.messages("s1")
        assert [(row.text, row.metadata.get("recalled")) for row in rows] == [
            ("你好", None),
            ("你说：你好", None),
            ("", True),
            ("", True),
        ]
        (left,) = await store.events("s1", turn=2)
        assert left.data == {"awareness": "safety/suicide_risk", "verdict": "yes"}
        ended = await store.turn("s1", 2)
        assert ended is not None
        assert ended.outcome["recalled"] == 3
        again = await store.accept("s1", say("key-2", WORDS), worlds.NOW)
        assert (again.repeated, again.turn) == (True, 2)
        assert (await store.snapshot("s1", 3)) is not None
        assert await store.save_aside("s1", [call(2, "late", data={"quotes": WORDS})]) is False
        assert await store.save_aside("s1", [call(1, "late", data={"fine": True})]) is True
        assert WORDS not in await everything(store, "s1")

    asyncio.run(run())


def test_words_are_forgotten_wherever_they_are_quoted(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await worlds.session(store, name, person)
            await worlds.talk(store, name, 1, WORDS)
        for seq in range(2, 22):
            await worlds.talk(store, "s1", seq, f"又说：{WORDS}。", variables=[])
        recall = Recall((1,), (1,), (1,), words=(WORDS,), elsewhere=("gone", "s2"))
        await taken_back(store, "s1", 22, recall)
        assert WORDS not in await everything(store, "s2")
        rows = await store.messages("s1")
        assert [row.number for row in rows if WORDS in row.text] == list(range(3, 43, 2)), "said again, it is there"
        assert not [row for row in rows if row.sender == "ai" and WORDS in row.text and row.turn > 1]
        assert not [each for each in await store.events("s1") if WORDS in repr(each.data)]
        assert not [each for each in await store.calls("s1") if WORDS in repr(each.data)]
        before = await store.snapshot("s1", 21)
        assert before is not None
        assert before.turn == 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "kept", "left"),
    [
        (WORDS, f"你说“{WORDS}”。", "你说“”。"),
        (f"  {WORDS}！\n", f"{WORDS}，是吗", "，是吗"),
        (f"嗯\n{WORDS}\n就这样", [{"a": WORDS}, 3], [{"a": ""}, 3]),
        ("2026-11-20T09:00:00", "2026-11-20T09:00:00+00:00", "2026-11-20T09:00:00+00:00"),
        ("safety/crisis_support", {"ref": "safety/crisis_support"}, {"ref": "safety/crisis_support"}),
        ("短的一句", "短的一句，别动", "短的一句，别动"),
        ("", "什么都没有", "什么都没有"),
    ],
)
def test_what_is_taken_out(said: str, kept: Any, left: Any) -> None:
    assert Quotations([said]).out_of(kept) == left


@pytest.mark.parametrize("said", [WORDS, f"他说“{WORDS}”", f'他说"{WORDS}"\n就\\这样\t', f"{WORDS}\ud83d"])
@pytest.mark.parametrize("deep", range(3))
def test_what_holds_the_words_is_never_passed_over(said: str, deep: int) -> None:
    quoted, kept = Quotations([said]), said
    for _ in range(deep):  # what was sent, in what a model answered
        kept = json.dumps({"note": kept})
    data = [{"text": f"{kept}。"}, 3]
    if deep < 2:
        assert quoted.out_of(data) != data
    assert quoted.may_stand_in(encode(data)) or quoted.out_of(data) == data
    assert not quoted.may_stand_in(encode({"text": "别的话"}))


@pytest.mark.parametrize(
    ("evidence", "proves"), [("离婚了", True), (f"x\n{WORDS}", True), ("别的话", False), (f"“{WORDS}”是的", True)]
)
def test_what_proves_a_value(evidence: str, proves: bool) -> None:
    assert Quotations([WORDS]).proves(evidence) is proves


def test_long_texts_of_a_form() -> None:
    filled = {"key": "f1", "values": {"q1": 1, "note": WORDS, "many": ["短", WORDS + "。"]}}
    assert long_texts(filled) == [WORDS, WORDS + "。"]
    assert variable("x", WORDS).value == WORDS
