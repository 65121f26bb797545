"""Replies that were reported, those that wait to be judged, and what was said of them; on both databases."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.store import worlds
from tests.store.test_recalls import taken_back
from tests.store.worlds import NOW, later

from heartrule.store import Store
from heartrule.store.audit import AuditRecord
from heartrule.store.judgements import Judgements
from heartrule.store.records import Gone, Recall
from heartrule.store.reports import NoSuchReply
from heartrule.store.reviews import ReplyReview

WORDS = "它说我这样是活该，我很难受"
LONG_AGO = later(-86_400)


def by(session: str = "s1", what: Any = "review", who: str = "c-1", seconds: float = 0) -> AuditRecord:
    return AuditRecord(who, "counselor", session, what, later(seconds))


async def talked(store: Store, name: str = "s1", turns: int = 3, **more: Any) -> None:
    """Messages 1, 3, 5 are the person's, 2, 4, 6 the program's."""
    await worlds.session(store, name, **more)
    for seq in range(1, turns + 1):
        await worlds.talk(store, name, seq, f"第{seq}句")


async def waiting(store: Store, share: float = 0, **more: Any) -> list[tuple[str, int, str]]:
    given = {"since": LONG_AGO, "projects": None, **more}
    return [(one.session, one.message, one.cause) for one in await store.reviews.waiting(share, **given)]


def test_a_reply_is_reported_once_and_the_first_report_stands(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        first, new = await store.reports.add("s1", 4, "hurtful", WORDS, NOW)
        assert new
        assert (first.message, first.turn, first.reason, first.text, first.at) == (4, 2, "hurtful", WORDS, NOW)
        assert WORDS not in repr(first)
        assert await store.reports.add("s1", 4, "wrong", None, later(9)) == (first, False)
        await store.reports.add("s1", 2, "other", None, later(1))
        assert [(each.message, each.text) for each in await store.reports.of_session("s1")] == [(2, None), (4, WORDS)]

    asyncio.run(run())


def test_what_is_no_reply_of_the_programs_cannot_be_reported_or_judged(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        await taken_back(store, "s1", 4, Recall((3,), (5, 6), (3,)))
        for number in (0, 1, 6, 99):
            with pytest.raises(NoSuchReply):
                await store.reports.add("s1", number, "other", None, NOW)
            with pytest.raises(NoSuchReply):
                await store.reviews.judge(number, ReplyReview("fitting", None, None), "王", by())
            with pytest.raises(NoSuchReply):
                await store.reviews.open("s1", number, 1, 1, by(what="read"))
        for work in (
            store.reports.add("none", 2, "other", None, NOW),
            store.reports.of_session("none"),
            store.reviews.judge(2, ReplyReview("fitting", None, None), "王", by("none")),
            store.drafts.of_session("none"),
            store.drafts.add("none", "f", {}, "c-1", NOW),
        ):
            with pytest.raises(Gone):
                await work
        assert await store.audit.newest() == ()  # nothing was done, so nothing is on record

    asyncio.run(run())


def test_reported_replies_wait_first_then_a_sample_and_none_that_was_judged(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        await talked(store, "s2", 2, project="other")
        assert await waiting(store) == []
        await store.reports.add("s2", 2, "wrong", None, later(2))
        await store.reports.add("s1", 4, "unsafe", None, later(1))
        reported = [("s1", 4, "reported"), ("s2", 2, "reported")]
        assert await waiting(store) == reported
        everything = await waiting(store, 1)
        assert everything[:2] == reported
        assert sorted(everything[2:]) == [("s1", 2, "sampled"), ("s1", 6, "sampled"), ("s2", 4, "sampled")]
        assert await waiting(store, 1, limit=3) == everything[:3]
        assert {one[0] for one in await waiting(store, 1, projects=["other"])} == {"s2"}
        assert await waiting(store, 1, projects=[]) == []
        assert await waiting(store, 1, since=later(1e6)) == reported  # what was reported waits for as long as it takes
        await store.reviews.judge(4, ReplyReview("fitting", None, None), "王老师", by(seconds=5))
        await store.reviews.judge(2, ReplyReview("fitting", None, None), "王老师", by(seconds=5))
        left = await waiting(store, 1)
        assert ("s1", 4, "reported") not in left
        assert not any(one[:2] == ("s1", 2) for one in left)
        await store.reports.add("s1", 2, "unsafe", None, later(6))  # after somebody judged it
        assert ("s1", 2, "reported") in await waiting(store)

    asyncio.run(run())


def test_a_sample_is_always_the_same_and_grows_with_its_share(store: Store) -> None:
    async def run() -> None:
        for number in range(8):
            await talked(store, f"{number:032x}", 5)
        found = {share: set(await waiting(store, share)) for share in (0.1, 0.5, 1.0)}
        assert found[0.1] < found[0.5] < found[1.0]
        assert len(found[1.0]) == 40
        assert 10 <= len(found[0.5]) <= 30
        assert set(await waiting(store, 0.5)) == found[0.5]

    asyncio.run(run())


def test_a_reply_is_opened_on_record_with_what_stands_round_it(store: Store) -> None:
    async def run() -> None:
        await talked(store, turns=5)
        await store.reports.add("s1", 6, "hurtful", WORDS, NOW)
        opened = await store.reviews.open("s1", 6, 3, 1, by(what="read"))
        assert [each.number for each in opened.context] == [3, 4, 5, 6, 7]
        assert opened.reply.number == 6
        assert opened.report is not None
        assert opened.report.text == WORDS
        assert opened.review is None
        assert [each.what for each in await store.audit.newest(session="s1")] == ["read"]
        await store.reviews.judge(6, ReplyReview("harmful", "hurtful", WORDS), "王老师", by(seconds=1))
        await store.reviews.judge(6, ReplyReview("unsuitable", None, None), "李老师", by(who="c-2", seconds=2))
        review = (await store.reviews.open("s1", 6, 0, 0, by(what="read"))).review
        assert review is not None
        assert (review.verdict, review.category, review.note, review.cause) == ("unsuitable", None, None, "reported")
        assert (review.who, review.name, review.at) == ("c-2", "李老师", later(2))
        deeds = [(each.who, each.what) for each in await store.audit.newest(session="s1")]
        assert deeds == [("c-1", "read"), ("c-2", "review"), ("c-1", "review"), ("c-1", "read")]

    asyncio.run(run())


def test_words_that_are_taken_back_take_along_what_was_said_of_them(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        for number in (4, 6):
            await store.reports.add("s1", number, "other", f"我说过：{WORDS}", NOW)
            await store.reviews.judge(number, ReplyReview("harmful", None, f"来访者说：{WORDS}"), "王老师", by())
        await store.drafts.add("s1", "f1-1", {"notes": f"提到{WORDS}", "risk": "low"}, "c-1", NOW)
        await taken_back(store, "s1", 4, Recall((3,), (5, 6), (3,), words=(WORDS,)))
        (report,) = await store.reports.of_session("s1")
        assert (report.message, report.text) == (4, "我说过：")
        review = (await store.reviews.open("s1", 4, 0, 0, by(what="read"))).review
        assert review is not None
        assert review.note == "来访者说："
        assert await store.drafts.of_session("s1") == {"f1-1": {"notes": "提到", "risk": "low"}}
        assert await waiting(store) == []

    asyncio.run(run())


def test_nobody_whose_data_is_being_erased_waits_to_be_judged(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        await store.reports.add("s1", 2, "other", None, NOW)
        record = await store.session("s1")
        assert record is not None
        await store.erase_person(record.person)
        assert await waiting(store, 1) == []
        assert await store.judgements() == ()

    asyncio.run(run())


def test_what_was_judged_is_counted_by_script(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        await talked(store, "s2", 2, script="demo/other")
        await store.reports.add("s1", 2, "wrong", None, NOW)
        for number, verdict in ((2, "harmful"), (4, "unsuitable"), (6, "fitting")):
            await store.reviews.judge(number, ReplyReview(verdict, None, None), "王老师", by(seconds=9000))  # type: ignore[arg-type]
        main, other = await store.judgements()
        assert main == Judgements("demo/main", 3, 1, 3, 2, 1, 2, 1)
        assert (main.reported_share, main.unsuitable_share) == (1 / 3, 1 / 2)
        assert other == Judgements("demo/other", turns=2)
        assert (other.reported_share, other.unsuitable_share) == (0.0, None)
        assert Judgements("x").reported_share is None
        assert await store.judgements(NOW) == (main, other)
        assert await store.judgements(later(8000)) == (Judgements("demo/main", 0, 0, 3, 2, 1, 2, 1),)

    asyncio.run(run())


def test_a_draft_is_added_to_taken_back_in_part_and_removed(store: Store) -> None:
    async def run() -> None:
        await talked(store)
        assert await store.drafts.add("s1", "f1", {"a": 1, "b": WORDS}, "c-1", NOW) == {"a": 1, "b": WORDS}
        assert await store.drafts.add("s1", "f1", {"b": None}, "c-2", later(1)) == {"a": 1, "b": None}
        await store.drafts.add("s1", "f2", {"c": [1, 2]}, "c-1", NOW)
        assert await store.drafts.of_session("s1") == {"f1": {"a": 1, "b": None}, "f2": {"c": [1, 2]}}
        await store.drafts.remove("s1", "f1")
        assert await store.drafts.of_session("s1") == {"f2": {"c": [1, 2]}}

    asyncio.run(run())
