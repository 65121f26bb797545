"""Strategies through the sessions' own door: asked beside the turns, kept, compared, replayed, lost with a process."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.engine.adapting import ADVICE, HOW, NO_DANGER
from tests.engine.minds import asked
from tests.sessions.material import Place, run, say, script_file, seen

from heartrule.engine.session.tasks import Task
from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Outcome, Sessions, explanations, strategies, turn_record
from heartrule.sessions.turn_calls import CallEffects
from heartrule.store.records import EventRecord
from heartrule.testing.counsellor import counsel
from heartrule.testing.models import ScriptedModel

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare: [{var: 名字, define: 怎么称呼}]
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            strategy: 慢一点
            actions:
              - {type: ask, id: name, content: 怎么称呼你？, output: [{get: 名字}]}
              - {type: ai_ask, id: it, content: 了解睡眠, max_rounds: 6, adaptive: true}
              - {type: say, id: bye, content: 再见。}
"""
STRONG = {"emotional_intensity": "很低落"}


@pytest.fixture
def held(place: Place) -> Place:
    place.script = str(script_file(place.folder, SCRIPT))
    return place


def model(**more: Any) -> ScriptedModel:
    table: dict[str, Any] = {
        "risk": NO_DANGER,
        "ai_ask_open": {"content": "最近睡得怎么样？"},
        "ai_ask": lambda _: asked("那白天呢？"),
        "strategy": ADVICE,
        **more,
    }
    return ScriptedModel(lambda _: None, **table)


async def talked(sessions: Sessions, session: str, outcome: Outcome, *texts: str, settle: bool = True) -> Outcome:
    for number, text in enumerate(texts):
        if settle:
            await sessions.settled()
        outcome = await sessions.take(session, say(f"{text} {number}", text, seen(outcome)))
    if settle:
        await sessions.settled()
    return outcome


def told(model: ScriptedModel, template: str) -> list[str]:
    """What each prompt of a template was told of a strategy."""
    return [task.context.values["strategy_prompt"] for task in model.asked if task.template == template]


async def of_kind(sessions: Sessions, session: str, kind: str) -> list[EventRecord]:
    return list(await sessions.store.events(session, (kind,)))


def test_it_is_asked_beside_the_turns_and_told_from_the_next_one_on(held: Place) -> None:
    async def work() -> None:
        mind = model()
        async with held.open(mind) as sessions:
            session, outcome = await held.begun(sessions)
            await talked(sessions, session, outcome, "小林", "睡不着")
            assert told(mind, "ai_ask_open") == [HOW]
            assert told(mind, "ai_ask") == [HOW]
            made = await of_kind(sessions, session, "strategy")
            assert [(each.action, each.data["number"], each.data["cause"]) for each in made] == [
                ("it", 1, "prepared"),
                ("it", 2, "regenerated"),
            ]
            record = await sessions.session(session)
            inputs = [item.entry.kind for item in await sessions.store.inbox(session)]
            assert (inputs.count("advised"), record.seq) == (2, 5)

    run(work())


def test_what_it_cost_is_written_down_with_prompt_and_answer(held: Place) -> None:
    async def work() -> None:
        mind = model()
        async with held.open(mind) as sessions:
            session, _ = await held.begun(sessions)
            await sessions.settled()
            (call,) = [call for call in await sessions.store.calls(session) if call.template == "strategy"]
            assert (call.turn, call.status, call.data) == (1, "answered", ADVICE)
            assert "小林" not in call.key

    run(work())


@pytest.mark.parametrize("answer", [None, {}, {"strategy_prompt": "  "}, {"reasoning": {}}])
def test_a_failure_changes_nothing(held: Place, answer: Any) -> None:
    async def work() -> None:
        mind = model(strategy=lambda _: answer)
        async with held.open(mind) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await talked(sessions, session, outcome, "小林", "睡不着")
            assert outcome.execution_status == "waiting_input"
            assert told(mind, "ai_ask") == [""]
            assert await of_kind(sessions, session, "strategy") == []
            assert "advised" not in [item.entry.kind for item in await sessions.store.inbox(session)]
            assert (await sessions.session(session)).seq == 3

    run(work())


class Slow(ScriptedModel):
    """A model that takes its time over strategies, as long as ``done`` is not set; ``twice``: asked twice."""

    def __init__(self, **answers: Any) -> None:
        super().__init__(lambda _: None, **answers)
        self.done, self.twice = asyncio.Event(), asyncio.Event()

    def ask(self, tasks: Any, *args: Any, **more: Any) -> Any:
        asking = super().ask(tasks, *args, **more)
        if any(task.template == "strategy" for task in tasks):
            whole = asking.all

            async def late() -> Any:
                await self.done.wait()
                return await whole()

            if len(told(self, "strategy")) == 2:
                self.twice.set()
            asking.all = late  # type: ignore[method-assign]
        return asking


def slow() -> Slow:
    return Slow(
        risk=NO_DANGER,
        ai_ask_open={"content": "最近睡得怎么样？"},
        ai_ask=lambda _: asked("那白天呢？"),
        strategy=ADVICE,
    )


def test_nobody_waits_for_a_strategy_that_takes_long(held: Place) -> None:
    async def work() -> None:
        mind = slow()
        async with held.open(mind) as sessions:
            session, outcome = await held.begun(sessions)
            async with asyncio.timeout(10):
                outcome = await talked(sessions, session, outcome, "小林", "睡不着", settle=False)
            assert told(mind, "ai_ask_open") == [""]
            assert outcome.messages[-1].text == "那白天呢？"
            mind.done.set()
            await sessions.settled()
            await talked(sessions, session, outcome, "白天困")
            assert told(mind, "ai_ask")[-1] == HOW, "late, and still of use"

    run(work())


def test_it_is_lost_with_its_process_and_not_missed(held: Place) -> None:
    async def work() -> None:
        mind = slow()
        async with held.open(mind) as sessions:
            session, outcome = await held.begun(sessions)
            outcome = await talked(sessions, session, outcome, "小林", settle=False)
            await mind.twice.wait()
        again = model()
        async with held.open(again) as sessions:
            await talked(sessions, session, outcome, "睡不着")
            assert told(again, "ai_ask") == [""]
            assert await of_kind(sessions, session, "strategy") == []

    run(work())


def test_every_turn_replays_to_the_same(held: Place) -> None:
    async def work() -> None:
        answers = iter([asked("那白天呢？"), asked("嗯？", metrics=STRONG), asked("好。", "YES")])
        async with held.open(model(ai_ask=lambda _: next(answers))) as sessions:
            session, outcome = await held.begun(sessions)
            await talked(sessions, session, outcome, "小林", "睡不着", "别问了", "没了")
            last = (await sessions.session(session)).seq
            assert len(await of_kind(sessions, session, "strategy")) == 3
            assert [each.turn async for each in sessions.replay(session)] == list(range(1, last + 1))

    run(work())


# compared


def test_decisions_stand_beside_the_rounds_that_followed_them(held: Place) -> None:
    async def work() -> None:
        answers = iter([asked("那白天呢？"), asked("嗯？", metrics=STRONG, progress_suggestion="blocked")])
        calm = asked("哦？", metrics={"user_engagement": "愿意说了"})
        async with held.open(model(ai_ask=lambda _: next(answers, calm))) as sessions:
            session, outcome = await held.begun(sessions)
            await talked(sessions, session, outcome, "小林", "睡不着", "别问了", "其实是工作", "对")
            events = await sessions.store.events(session, strategies.KINDS)
            found = strategies.compared(events)
            assert [(each.action, each.before and each.before.round) for each in found] == [
                ("it", None),
                ("it", None),
                ("it", 2),
                ("it", 3),
            ]
            numbers = [each.number for each in found]
            under = [[one.round for one in each.after] for each in found]
            assert numbers == sorted(numbers)
            assert under == [[1], [2, 3], [4], []]
            blocked, _ = found[2], found[3]
            assert blocked.before is not None
            assert (blocked.before.progress, blocked.before.exit_class) == ("blocked", "user_blocked")
            assert blocked.before.metrics["emotional_intensity"] == "很低落"
            assert blocked.after[0].metrics["user_engagement"] == "愿意说了"

    run(work())


def test_why_tells_of_them_and_so_does_the_debug_view(held: Place) -> None:
    async def work() -> None:
        async with held.open(model()) as sessions:
            session, outcome = await held.begun(sessions)
            await talked(sessions, session, outcome, "小林", "睡不着")
            found = [reason for turn in await explanations.whys(sessions.store, session) for reason in turn.reasons]
            first, second = [reason.data for reason in found if reason.kind == "strategy"]
            assert (first["strategy"], first["reasoning"]) == (HOW, ADVICE["reasoning"])
            assert [each["round"] for each in first["after"]] == [1]
            assert (second["replaces"], second["before"], second["after"]) == (1, None, [])
            (one,) = await explanations.whys(sessions.store, session, turn=2)
            (told,) = [reason for reason in one.reasons if reason.kind == "strategy"]
            assert [each["turn"] for each in told.data["after"]] == [5], "later turns are told of too"
            view = await sessions.debugged(session, 2)
            assert view is not None
            assert [each.kind for each in view.decisions] == ["strategy"]
            assert view.whole

    run(work())


def test_the_debug_view_shows_what_was_asked_for_it_and_what_came_back(held: Place) -> None:
    async def work() -> None:
        async with held.open(Model([ScriptedProvider(_provided)])) as sessions:
            session, outcome = await held.begun(sessions)
            await talked(sessions, session, outcome, "小林")
            view = await sessions.debugged(session, 1)
            assert view is not None
            (call,) = [call for call in view.calls if call.purpose == "strategy"]
            assert (call.status, call.used, call.exact, call.answer) == ("answered", False, True, ADVICE)
            assert [layer.role for layer in call.prompt] == ["system", "user"]
            assert "了解睡眠" in call.prompt[1].text
            assert [each.outcome for each in call.attempts] == ["ok"]
            assert call.changed == CallEffects()

    run(work())


async def _provided(request: Request) -> Any:
    return ADVICE if "督导。下面“接下来这一步”" in request.messages[0].text else counsel(request)


def test_its_words_are_not_in_what_is_printed() -> None:
    event = EventRecord(1, 1, "strategy", "it", {"number": 1, "strategy": HOW})
    (found,) = strategies.compared((event,))
    assert HOW not in repr((event, found))
    assert found.plain() == {"before": None, "after": []}
    assert "strategy" in turn_record.DECISIONS


def test_a_task_of_it_is_one_of_those_that_are_asked_beside(held: Place) -> None:
    """Never with those that somebody waits for."""

    async def work() -> None:
        mind = model()
        async with held.open(mind) as sessions:
            session, outcome = await held.begun(sessions)
            await talked(sessions, session, outcome, "小林")
            kinds: dict[str, set[str]] = {}
            task: Task
            for task in mind.asked:
                kinds.setdefault(task.kind, set()).add(task.template)
            assert kinds["analyse"] == {"strategy"}

    run(work())
