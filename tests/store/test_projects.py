"""Projects of the workbench in the store: versions, what is typed, and two who save at the same time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from heartrule.store.projects import Author, Moved, NoSuchProject
from heartrule.store.store import Store

pytestmark = pytest.mark.anyio
LIN, WEI = Author("lin", "林"), Author("wei", "Wei")
NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)


def later(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)


async def test_every_save_is_a_version_of_the_whole(store: Store) -> None:
    made = await store.projects.make("睡眠", {"a.yaml": "one\n", "b.yaml": "two\n"}, LIN, "begun", NOW)
    second = await store.projects.save(made.id, 1, {"a.yaml": "1\n", "b.yaml": None, "c.yaml": "🙂"}, WEI, "", later(1))
    assert (second.number, second.changed, second.author) == (2, ("a.yaml", "b.yaml", "c.yaml"), WEI)
    assert (await store.projects.texts(made.id))[1] == {"a.yaml": "1\n", "c.yaml": "🙂"}
    assert (await store.projects.texts(made.id, 1))[1] == {"a.yaml": "one\n", "b.yaml": "two\n"}
    assert await store.projects.save(made.id, 2, {"a.yaml": "1\n"}, LIN, "same", later(2)) == second
    assert [each.number for each in await store.projects.versions(made.id)] == [2, 1]
    assert [each.number for each in await store.projects.versions(made.id, before=2)] == [1]
    with pytest.raises(NoSuchProject):
        await store.projects.texts(made.id, 9)


async def test_of_two_who_save_the_same_file_the_second_is_shown_what_is_there(store: Store) -> None:
    made = await store.projects.make("p", {"a.yaml": "one\n", "b.yaml": "two\n"}, LIN, "", NOW)
    await store.projects.save(made.id, 1, {"a.yaml": "theirs\n"}, WEI, "", later(1))
    with pytest.raises(Moved) as moved:
        await store.projects.save(made.id, 1, {"a.yaml": "mine\n", "b.yaml": "mine\n"}, LIN, "", later(2))
    assert moved.value.there == {"a.yaml": "theirs\n"}
    assert moved.value.version.author == WEI
    third = await store.projects.save(made.id, 1, {"b.yaml": "mine\n"}, LIN, "", later(3))
    assert third.number == 3
    assert (await store.projects.texts(made.id))[1] == {"a.yaml": "theirs\n", "b.yaml": "mine\n"}


async def test_drafts_are_kept_by_author_and_tab(store: Store) -> None:
    made = await store.projects.make("p", {"a.yaml": "one\n"}, LIN, "", NOW)
    await store.projects.draft(made.id, "lin", "t1", 1, {"a.yaml": "typ", "b.yaml": None}, NOW)
    await store.projects.draft(made.id, "wei", "t9", 1, {"a.yaml": "hers"}, NOW)
    both = await store.projects.draft(made.id, "lin", "t2", 1, {}, later(1))
    assert [(each.tab, dict(each.texts)) for each in both] == [("t1", {"a.yaml": "typ", "b.yaml": None}), ("t2", {})]
    await store.projects.drop_draft(made.id, "lin", "t1")
    assert [each.tab for each in await store.projects.drafts(made.id, "lin")] == ["t2"]
    await store.projects.lay_out(made.id, {"a": {"x": 1}})
    await store.projects.keep_run(made.id, {"passed": 1}, NOW)
    assert await store.projects.layout(made.id) == {"a": {"x": 1}}
    assert await store.projects.run(made.id) == (NOW, {"passed": 1})
    await store.projects.remove(made.id)
    assert await store.projects.find(made.id) is None
    assert await store.projects.drafts(made.id, "wei") == ()
    assert await store.projects.run(made.id) is None
