"""Committing a turn: whole, once, and only on what it was worked out from."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError
from tests.store import worlds
from tests.store.worlds import NOW, event, later, message, say, variable

from heartrule.store import Store
from heartrule.store.records import Outdated, TurnRecord


def test_a_turn_changes_everything_it_says(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        made = await worlds.talk(store, "s1", 1, "我睡不着", wake_at=later(90))
        found = await store.session("s1")
        assert found is not None
        assert (found.seq, found.status, found.wake_at) == (1, "active", later(90))
        assert found.position == made.position
        assert found.last_active_at == later(1)
        loaded = await store.load("s1", 20)
        assert loaded.state == made.state
        assert loaded.pending == ()
        assert worlds.texts(loaded.messages) == ["我睡不着", "你说：我睡不着"]
        assert loaded.variables == tuple(made.variables)
        assert await store.events("s1") == tuple(made.events)
        assert [one.turn for one in await store.inbox("s1")] == [1]

    asyncio.run(run())


def test_a_finished_turn_is_given_back_as_it_was_answered(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        made = [await worlds.talk(store, "s1", seq, f"第{seq}句") for seq in (1, 2, 3)]
        said = tuple(replace(one, id=f"s1.{one.number}") for one in made[1].messages)
        assert await store.turn("s1", 2) == TurnRecord("s1", 2, made[1].at, made[1].outcome, said)
        assert await store.turn("s1", 4) is None

    asyncio.run(run())


def test_a_turn_without_messages(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1]))
        found = await store.turn("s1", 1)
        assert found is not None
        assert found.messages == ()

    asyncio.run(run())


@pytest.mark.parametrize("seq", [0, 2, 3])
def test_a_turn_out_of_sequence_is_refused(store: Store, seq: int) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        with pytest.raises(Outdated):
            await store.commit(worlds.turn("s1", seq, loaded.epoch))

    asyncio.run(run())


def test_the_same_turn_is_not_committed_twice(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        made = worlds.turn("s1", 1, loaded.epoch, consumed=[1], messages=[message(1, 1, "hello")])
        await store.commit(made)
        with pytest.raises(Outdated):
            await store.commit(made)
        assert len(await store.messages("s1")) == 1

    asyncio.run(run())


@pytest.mark.parametrize("change", [{"owner": "two"}, {"epoch": 0}, {"epoch": 2}])
def test_a_turn_needs_the_lease(store: Store, change: dict[str, Any]) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.start(store, "s1", say("k"))
        with pytest.raises(Outdated):
            await store.commit(replace(worlds.turn("s1", 1, 1, consumed=[1]), **change))

    asyncio.run(run())


def test_more_words_of_the_same_answer_refuse_the_turn(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k1", "我", after=4))
        await store.accept("s1", say("k2", "今天很难受", after=4), later(1))
        made = worlds.turn("s1", 1, loaded.epoch, seen=1, joins=4, consumed=[1])
        with pytest.raises(Outdated):
            await store.commit(made)
        assert len((await store.load("s1", 1)).pending) == 2
        assert await store.commit(replace(made, seen=2, consumed=[1, 2])) == 0
        assert [one.turn for one in await store.inbox("s1")] == [1, 1]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("entry", "joins"),
    [
        (say("k2", "later words", after=5), 4),
        (say("k2", "words after everything"), 4),
        (say("k2", "same answer", after=4), None),
        (replace(say("k2", None, after=4), kind="timer"), 4),
        (replace(say("k2", None, after=4), kind="choice", choice="a"), 4),
    ],
)
def test_other_inputs_wait_for_the_next_turn(store: Store, entry: Any, joins: int | None) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k1", "我", after=4))
        await store.accept("s1", entry, later(1))
        assert await store.commit(worlds.turn("s1", 1, loaded.epoch, seen=1, joins=joins, consumed=[1])) == 1
        assert [one.entry for one in (await store.load("s1", 1)).pending] == [entry]

    asyncio.run(run())


def test_an_input_is_consumed_once(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k1"))
        await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1]))
        for consumed in ([1], [2], [1, 2]):
            with pytest.raises(Outdated):
                await store.commit(worlds.turn("s1", 2, loaded.epoch, consumed=consumed))
        await store.accept("s1", say("k2"), later(1))
        with pytest.raises(Outdated):
            await store.commit(worlds.turn("s1", 2, loaded.epoch, consumed=[1, 2]))
        assert [one.turn for one in await store.inbox("s1")] == [1, None]

    asyncio.run(run())


def test_a_turn_that_fails_midway_leaves_nothing(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "在")
        before = await store.dump("s1")
        loaded = await worlds.start(store, "s1", say("k2", "再说"), 2)
        broken = worlds.turn(
            "s1",
            2,
            loaded.epoch,
            consumed=[2],
            messages=[message(3, 2, "new"), message(1, 2, "a number that is taken")],
            variables=[variable("said", "overwritten")],
        )
        with pytest.raises(IntegrityError) as caught:
            await store.commit(broken)
        assert "taken" not in str(caught.value)
        after = await store.dump("s1")
        assert after["inbox"].pop()["turn"] is None
        assert after == before
        await store.commit(worlds.turn("s1", 2, loaded.epoch, consumed=[2]))

    asyncio.run(run())


def test_what_cannot_be_stored_is_refused_without_being_quoted(store: Store) -> None:
    class Secret:
        def __repr__(self) -> str:
            return "planted"

    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        with pytest.raises(TypeError) as caught:
            await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1], outcome={"it": Secret()}))
        assert "planted" not in str(caught.value)
        assert len((await store.load("s1", 1)).pending) == 1

    asyncio.run(run())


def test_the_end(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1], status="ended", ended=True, at=later(7)))
        found = await store.session("s1")
        assert found is not None
        assert (found.status, found.ended_at) == ("ended", later(7))

    asyncio.run(run())


def test_a_timer_is_not_the_persons_activity(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "在")
        loaded = await worlds.start(store, "s1", replace(say("t"), kind="timer", text=None), 100)
        await store.commit(worlds.turn("s1", 2, loaded.epoch, consumed=[2], at=later(100)))
        found = await store.session("s1")
        assert found is not None
        assert found.last_active_at == later(1)

    asyncio.run(run())


def test_variables_are_replaced_and_removed(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        first = [
            variable("a", 1),
            variable("b", [1, {"x": None}], evidence=None),
            variable("c", "t1", scope="topic", scope_key="t1"),
            variable("d", "t1", scope="topic", scope_key="t1"),
            variable("c", "t2", scope="topic", scope_key="t2"),
        ]
        await store.commit(worlds.turn("s1", 1, loaded.epoch, variables=first))
        assert await store.variables("s1") == tuple(first)
        changed = variable("a", "two", type="string", updated_at=later(2), updated_by="a2", strategy="llm")
        await store.commit(
            worlds.turn(
                "s1",
                2,
                loaded.epoch,
                variables=[changed, variable("c", "again", scope="topic", scope_key="t1")],
                removed_scopes=[("topic", "t1")],
                removed=[("session", "", "b"), ("session", "", "never was")],
            )
        )
        assert {(one.scope_key, one.name): one.value for one in await store.variables("s1")} == {
            ("", "a"): "two",
            ("t1", "c"): "again",
            ("t2", "c"): "t2",
        }
        assert (await store.variables("s1"))[0] == changed

    asyncio.run(run())


def test_globals_belong_to_the_person_and_the_project(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        await worlds.session(store, "s1", person)
        await worlds.session(store, "same", person)
        await worlds.session(store, "project", person, project="other")
        await worlds.session(store, "person")
        loaded = await worlds.start(store, "s1", say("k"))
        shared = variable("name", "小明", scope="global")
        await store.commit(worlds.turn("s1", 1, loaded.epoch, variables=[shared, variable("mood", "low")]))
        assert await store.variables("same") == (shared,)
        assert await store.variables("project") == ()
        assert await store.variables("person") == ()
        loaded = await worlds.start(store, "same", say("k"))
        await store.commit(worlds.turn("same", 1, loaded.epoch, removed_scopes=[("global", "")]))
        assert [one.name for one in await store.variables("s1")] == ["mood"]

    asyncio.run(run())


def test_sessions_of_one_person_write_globals_at_once(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        names = [await worlds.session(store, f"s{n}", person) for n in range(6)]
        held = [await worlds.start(store, name, say("k")) for name in names]

        def shared(n: int) -> list[Any]:
            made = [variable(f"v{k}", n, scope="global") for k in range(8)]
            return made if n % 2 else made[::-1]

        await asyncio.gather(
            *(
                store.commit(worlds.turn(name, 1, loaded.epoch, variables=shared(n)))
                for n, (name, loaded) in enumerate(zip(names, held, strict=True))
            )
        )
        assert len({one.value for one in await store.variables("s1")}) == 1

    asyncio.run(run())


def test_messages_are_read_in_pages(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        made = [message(n, 1, f"m{n}") for n in range(1, 11)]
        await store.commit(worlds.turn("s1", 1, loaded.epoch, messages=made))
        assert worlds.texts(await store.messages("s1")) == [f"m{n}" for n in range(1, 11)]
        assert worlds.texts(await store.messages("s1", after=3, limit=2)) == ["m4", "m5"]
        assert await store.messages("s1", after=10) == ()
        assert worlds.texts((await store.load("s1", 3)).messages) == ["m8", "m9", "m10"]
        assert (await store.load("s1", 0)).messages == ()

    asyncio.run(run())


def test_a_message_comes_back_with_everything(store: Store) -> None:
    full = message(
        1,
        1,
        "先停一下",
        sender="system",
        content_type="choice",
        action=None,
        withheld=True,
        inbox=1,
        at=later(3),
        metadata={"choices": ["a", "b"]},
    )

    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.commit(worlds.turn("s1", 1, loaded.epoch, messages=[full]))
        assert await store.messages("s1") == (replace(full, id="s1.1"),)

    asyncio.run(run())


def test_events_are_read_by_kind_in_order(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        first = [event(1, 2, "marker", edge="after"), event(1, 1, "round"), event(1, 3, "queue", before=[])]
        await store.commit(worlds.turn("s1", 1, loaded.epoch, events=first))
        await store.commit(worlds.turn("s1", 2, loaded.epoch, events=[event(2, 1, "marker")]))
        assert [(one.turn, one.number) for one in await store.events("s1")] == [(1, 1), (1, 2), (1, 3), (2, 1)]
        assert [one.turn for one in await store.events("s1", ["marker"])] == [1, 2]
        assert [one.kind for one in await store.events("s1", {"queue", "round"})] == ["round", "queue"]
        assert await store.events("s1", []) == ()

    asyncio.run(run())


def test_an_answer_is_bought_once(store: Store) -> None:
    first = worlds.call(1, data={"reply": "first"})

    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.save_calls("s1", "one", loaded.epoch, [first])
        await store.save_calls("s1", "one", loaded.epoch, [replace(first, data={"reply": "second"})])
        assert (await store.load("s1", 1)).calls == (first,)
        other = replace(first, prompt_hash="q" * 64, at=later(1))
        await store.save_calls("s1", "one", loaded.epoch, [other, replace(first, turn=2)])
        assert (await store.load("s1", 1)).calls == (first, other)
        assert len(await store.calls("s1")) == 3

    asyncio.run(run())


def test_a_failure_is_replaced_by_what_came_later(store: Store) -> None:
    failed = worlds.call(1, status="failed", data=None, attempts=[{"number": 1, "cause": "timeout"}])
    answered = worlds.call(1, data={"reply": "at last"})

    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        for saved, kept in ((failed, failed), (answered, answered), (failed, answered)):
            await store.save_calls("s1", "one", loaded.epoch, [saved])
            assert await store.calls("s1") == (kept,)

    asyncio.run(run())


def test_snapshots_are_taken_of_the_beginning_and_every_twenty_turns(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        for seq in range(1, 42):
            await worlds.talk(store, "s1", seq, f"第{seq}句")
        begin = await store.snapshot("s1", 19)
        assert begin is not None
        assert (begin.turn, begin.state, begin.variables, begin.message) == (0, worlds.STATE, (), 0)
        last = await store.snapshot("s1", 41)
        assert last is not None
        assert (last.turn, last.format, last.action, last.message) == (40, 1, "a1", 80)
        assert last.state == {**worlds.STATE, "seq": 40}
        assert [(one.name, one.value) for one in last.variables] == [("said", "第40句")]
        assert last.variables[0].updated_at == NOW
        middle = await store.snapshot("s1", 39)
        assert middle is not None
        assert middle.turn == 20

    asyncio.run(run())
