"""Random plans, legal and illegal, for random topics: never an illegal action, never an endless topic, every refusal
with a cause, and a crash in the middle goes on the same.

``HEARTRULE_PLANS=2000`` tries that many (``make histories``); without it there are 200.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from random import Random

from tests.engine.minds import fork, sensible
from tests.engine.plotting import hand_in, lawful, plan, shapes, standing, want
from tests.engine.scripts import check, roundtrip

from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import orchestration
from heartrule.testing.talk import Talk

PLANS = int(os.environ.get("HEARTRULE_PLANS", "80"))
TURNS = 160
"""A session of two topics comes to its end within so many answers, whatever is put in."""
SAID = ("还行", "8", "没有", "不想说", "说不清", "跳过", "1", "嗯，就是累")


WHY: Counter[str] = Counter()
"""The causes of refusals, for the record."""


def test_random_plans() -> None:
    told: Counter[str] = Counter()
    seed = 0
    while told["plans"] < PLANS:
        seed += 1
        _session(seed, told)
    print(f"{told['plans']} plans in {seed} sessions: {dict(told)}")  # noqa: T201
    print(WHY)  # noqa: T201
    assert told["done"] > PLANS // 10, "some plans are carried out"
    assert told["refused"] > PLANS // 5, "and some are not"
    assert all(told[f"{kind} done"] for kind in ("insert", "modify", "skip", "reorder"))


def _session(seed: int, told: Counter[str]) -> None:
    random = Random(seed)
    talk = Talk(shapes(random), _mind(random))
    for _ in range(TURNS):
        if talk.ended:
            break
        if random.random() < 0.5 and talk.state.running is not None:
            _plan(talk, random, told)
        _answer(talk, random, told)
        check(talk)
    assert talk.ended, f"session {seed} comes to its end"


def _mind(random: Random) -> object:
    """A model that never wants to end an action early, now and then fails, and one that always does."""
    never = random.random() < 0.2

    def mind(task: Task) -> object:
        return None if never and task.template != "risk" else sensible(task)

    return mind


def _plan(talk: Talk, random: Random, told: Counter[str]) -> None:
    task = want(talk)
    if task is None:
        talk.state.wanted = None
        return
    assert task.template == orchestration.TEMPLATE
    before, running = standing(talk), talk.state.running
    assert running is not None
    numbers = [int(line.partition(".")[0]) for line in task.values["actions"].splitlines()]
    given = plan(random, numbers[0], numbers[-1])
    key = task.key if random.random() < 0.95 else f"{task.key}9"
    twin, state = fork(talk), talk.state.model_dump_json()
    event = hand_in(talk, key, given)
    told["plans"] += 1
    _again(twin, talk, key, given)
    done = not event.refused
    told["done" if done else "refused"] += 1
    WHY[re.sub(r"T\S+|\d+", "…", event.refused)] += 1
    told[f"{event.plan.get('action')} {'done' if done else 'refused'}"] += 1
    assert event.written, "the original queue is kept"
    if not done:
        assert event.before == event.after
        kept = talk.state.running
        assert kept is not None
        assert kept.plan == running.plan, state
    lawful(talk, before)
    roundtrip(talk)


def _again(twin: Talk, talk: Talk, key: str, given: object) -> None:
    """The same plan after a crash comes to the same."""
    assert isinstance(given, dict)
    roundtrip(twin)
    hand_in(twin, key, given)
    assert twin.state == talk.state
    assert twin.turn.events == talk.turn.events


def _answer(talk: Talk, random: Random, told: Counter[str]) -> None:
    crashes, seen = random.random() < 0.15, random.random() < 0.1
    choices, words = talk.request.choices, random.choice(SAID)
    after = max(0, talk.state.messages - 2) if seen else None
    twin = fork(talk)
    for each in (twin, talk) if crashes else (talk,):
        if each is twin:
            roundtrip(twin)
        if choices:
            each.choose(choices[-1].value)
        else:
            each.say(words, after=after)
    if crashes:
        told["crashes"] += 1
        assert twin.state == talk.state
        assert twin.turn.messages == talk.turn.messages
