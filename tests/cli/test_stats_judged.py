"""What ``heartrule stats`` tells of replies that were reported and judged."""

from __future__ import annotations

import asyncio

from tests.cli.command import Command
from tests.cli.test_stats import read, told
from tests.store import worlds
from tests.store.worlds import NOW

from heartrule.store import Store
from heartrule.store.audit import AuditRecord
from heartrule.store.reviews import ReplyReview


def judge(command: Command) -> None:
    looked = AuditRecord("c-1", "counsellor", "s1", "review", NOW)

    async def run(store: Store) -> None:
        await worlds.session(store)
        for seq in (1, 2, 3, 4):
            await worlds.talk(store, "s1", seq, "你好")
        await store.reports.add("s1", 2, "hurtful", "伤人的话", NOW)
        await store.reviews.judge(2, ReplyReview("harmful", "hurtful", "要改"), "王老师", looked)
        await store.reviews.judge(4, ReplyReview("unsuitable", None, None), "王老师", looked)
        await store.reviews.judge(6, ReplyReview("fitting", None, None), "王老师", looked)

    with Store.open(command.data, synchronous="OFF") as store:
        asyncio.run(run(store))


def test_what_was_reported_and_judged_is_told_by_script(heartrule: Command) -> None:
    judge(heartrule)
    text = told(heartrule)
    assert "demo/main：4 轮里报告了 1 条（25.0%）；评了 3 条，不合适 2 条，其中有伤害 1 条" in text
    assert "抽样的 2 条里不合适的占 50.0%" in text
    assert "伤人的话" not in text
    english = told(heartrule, "--lang", "en", "--by", "script")
    assert "1 reported in 4 turns (25.0%); 3 judged, 2 of them do not fit, 1 harmful" in english
    (found,) = read(heartrule)["replies"]
    assert (found["reported_share"], found["unsuitable_share"], found["sampled"]) == (0.25, 0.5, 2)
    assert read(heartrule, "--by", "model")["replies"] == []
    assert "报告" not in told(heartrule, "--by", "model")
    assert "报告" not in told(heartrule, "--since", "2035-01-01")
