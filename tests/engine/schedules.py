"""Scripts of many shapes for the topic scheduler, the words that give it orders, and what must hold of its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from tests.engine.minds import ai_ask
from tests.engine.scripts import Node, ask, frames, phase, put, say, script, skill, topic, use

from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.state import TopicFrame
from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk

PEOPLE = [{"称呼": "妈妈"}, {"称呼": "爸爸"}]
SKILLS = [
    skill("缓", say("先缓一缓。"), ask("好些了吗？", "缓解", id="calm_ask"), id="calm", returns=["缓解"]),
    skill("深", ask("往下说？", "深处", id="deep_ask"), use("calm", id="deep_call"), id="deep", returns=["深处"]),
    skill("记", put("记过", "是"), say("记下了。"), id="note"),
]


def order(word: str, *then: Node, level: str = "explicit", resume: str = "after") -> Node:
    """An awareness script that gives these directives whenever the word is said."""
    acts = {"then": list(then)} if level == "explicit" else {"then": [], "on_watch": list(then)}
    rules = {level: [{"pattern": word, "reason": "说了这个词"}]}
    watched = {"judge": f"有没有说{word}", "rules": rules}
    return {"awareness": word, "id": f"o{ORDERS.index(word)}", "always": True, "condition": watched, **acts} | (
        {"resume": resume} if resume != "after" else {}
    )


def directive(kind: str, **more: Any) -> Node:
    return {"directive": kind, **more}


ORDERS = [
    *(f"{where}{number}" for where in ("苹果", "梨子", "桃子") for number in "123"),
    *("放下它", "跳过二", "排一排", "喘口气", "换一个", "往深处", "顶替三", "轻轻问", "两件事"),
]
"""Words that give orders: 苹果 puts a topic at the head, 梨子 next, 桃子 at the tail."""


def orders() -> list[Node]:
    at = {"苹果": "HEAD", "梨子": "NEXT", "桃子": "TAIL"}
    placed = [
        order(word, directive("INSERT_TOPIC", topic=f"t{word[-1]}", position=at[word[:-1]]))
        for word in ORDERS
        if word[:-1] in at
    ]
    return [
        *placed,
        order("放下它", directive("SUSPEND_CURRENT", reason="先说别的")),
        order("跳过二", directive("SKIP_TOPICS", topics=["t2", "t4"])),
        order("排一排", directive("REORDER_TOPICS", priority_map={"t3": "high", "t1": "low"})),
        order("喘口气", directive("CALL_TECHNIQUE", technique="calm")),
        order("换一个", directive("CALL_TECHNIQUE", technique="calm"), resume="skip"),
        order("往深处", directive("CALL_TECHNIQUE", technique="deep")),
        order("顶替三", directive("INSERT_TOPIC", topic="t3", position="HEAD"), resume="skip"),
        order("轻轻问", directive("CALL_TECHNIQUE", technique="note"), level="watch"),
        order("两件事", directive("SUSPEND_CURRENT"), directive("INSERT_TOPIC", topic="t2")),
    ]


# shapes


def body(name: str, random: Random, *, first: bool) -> list[Node]:
    """One to three actions, one of which waits. ``first``: in the phase that t3 is in."""
    waits = [
        ask(f"{name}一？", "答", id=f"{name}_a"),
        ai_ask(f"问问{name}", "想法", question=f"{name}想？", id=f"{name}_b"),
    ]
    calls = [
        use("calm", id=f"{name}_now", output=[{"get": "缓解", "set": "缓过"}]),
        use("deep", id=f"{name}_deep"),
        use("note", id=f"{name}_end", timing="after_topic"),
        use("calm", id=f"{name}_late", timing="after_phase"),
        *([use("note", id=f"{name}_front", timing="before_topic", to="t3")] if first else []),
        say(f"{name}说。", id=f"{name}_s"),
    ]
    chosen = random.sample(calls, random.randint(0, 2))
    return [random.choice(waits), *chosen] if random.random() < 0.5 else [*chosen, random.choice(waits)]


WATCHED = ["拦一下", "回头说", "绕圈子", "老样子"]
"""Words that scripts below P0 hear: at an answer, behind a question, and when they look back (the last two)."""


def watched() -> list[Node]:
    """P1 and P2 by rules; with a model its verdicts come beside them."""

    def watch(number: int, priority: str, *then: Node, **more: Any) -> Node:
        rules = {"explicit": [{"pattern": WATCHED[number], "reason": "说了这个词"}]}
        condition = {"judge": f"有没有说{WATCHED[number]}", "rules": rules}
        return {
            "awareness": WATCHED[number],
            "id": f"w{number}",
            "priority": priority,
            "always": True,
            "condition": condition,
            "then": list(then),
            **more,
        }

    return [
        watch(0, "P1", directive("CALL_TECHNIQUE", technique="calm"), at=["answer"], cooldown="2 turns"),
        watch(1, "P1", directive("INSERT_TOPIC", topic="t2", position="NEXT"), at=["after ask", "after ai_ask"]),
        watch(2, "P2", directive("CALL_TECHNIQUE", technique="deep"), every="2 turns"),
        watch(3, "P2", directive("INSERT_TOPIC", topic="t3", position="TAIL"), every="1m"),
    ]


EXTRAS: list[Node] = [
    {},
    {},
    {},
    {"repeat": {"until": "topic.attempts >= 2", "max": 3}},
    {"condition": "1 == 2"},
    {"for_each": {"in": "家人", "as": "成员", "key": "称呼"}},
    {"priority": "low"},
    {"priority": "high"},
    {"time_budget": "2m"},
]
JUMPS: list[Node] = [{"transitions": [{"to": to, "condition": "topic.attempts < 2"}]} for to in ("t1", "t3", "p2")]


@cache
def shape(seed: int) -> Script:
    """A session of two phases with topics t1 to t5."""
    random = Random(seed)
    first = random.randint(3, 4)
    steps = []
    for n in range(1, 6):
        actions = body(f"t{n}", random, first=n <= first)
        extra = random.choice([*EXTRAS, *JUMPS] if n <= first else EXTRAS)
        steps.append(topic(f"话{n}", *actions, **extra, id=f"t{n}"))
    budget = random.choice([{}, {}, {"time_budget": "5m"}])
    return script(
        phase("P1", *steps[:first], **budget),
        phase("P2", *steps[first:]),
        declare=[{"var": "家人", "value": PEOPLE}, {"var": "记过"}, {"var": "缓过"}],
        skills=SKILLS,
        awareness=[*orders(), *watched()],
    )


# what must hold


ENDED = ("completed", "skipped", "instances")
"""What becomes of a topic; one ``for_each`` becomes its instances."""


class Ledger:
    """Follows every topic of a session by its key, from the events and the state after each turn."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.read = 0
        self.status: dict[str, str] = {}
        self.refs: dict[str, str] = {}
        self.queued: dict[str, tuple[str, str | None]] = {}
        self.starts: Counter[tuple[str, str]] = Counter()
        self.completed: Counter[tuple[str, str]] = Counter()
        self.broken: Counter[tuple[str, str]] = Counter()
        self.jumps: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.called: Counter[str] = Counter()
        self.suspended: dict[str, str] = {}
        self.fresh: set[str] = set()
        self.items: dict[str, str] = {}
        self.visit = 0

    def follow(self) -> None:
        """Read what the last turn has written down."""
        for event in self.talk.events[self.read :]:
            match event.kind:
                case "topic":
                    self._topic(event)
                case "phase":
                    self.visit += event.state == "entered"
                    self.jumps.clear()
                case "queue" if event.cause.startswith("jump to "):
                    self.jumps.update(event.after)
                case "marker" if event.type == "use_skill" and event.edge == "before":
                    self.calls[f"use_skill {event.action}"] += 1
        self.read = len(self.talk.events)
        self._state()

    def _topic(self, event: Any) -> None:
        was, key = self.status.get(event.key), event.key
        self.refs[key] = event.ref
        match event.state:
            case "planned":
                assert was is None, f"{event.ref} was planned twice"
            case "running":
                others = [self.refs[k] for k, s in self.status.items() if s == "running"]
                assert others == [], f"{event.ref} began while {others} ran"
                assert was in (None, "planned", "suspended"), f"{event.ref} ran again after it was {was}"
                if was == "suspended":
                    assert event.cause == "resumed"
                else:
                    self._started(event)
            case "suspended":
                assert was == "running"
                assert event.cause
                self.fresh.add(key)
            case "completed":
                assert was == "running"
            case "skipped":
                assert was in (None, "planned", "running", "suspended")
                assert event.cause, f"{event.ref} was skipped without a cause"
                if was in ("running", "suspended"):
                    self.broken[(event.ref, self.items.get(key, ""))] += 1
        self.status[key] = event.state

    def _started(self, event: Any) -> None:
        item = (self.queued.get(event.key) or (event.ref, None))[1] or event.key if self._each(event.ref) else ""
        self.items[event.key] = item
        name = (event.ref, item)
        self.starts[name] += 1
        if "/" in event.ref:
            self.called[event.cause] += 1
            if event.cause.startswith("use_skill "):
                assert self.called[event.cause] <= self.calls[event.cause], f"{event.cause} ran twice"
            return
        allowed = 1 + self.jumps[event.ref] + self.broken[name] + (self.visit - 1)
        assert self.starts[name] <= allowed, f"{event.ref} {item} ran twice"

    def _each(self, ref: str) -> bool:
        return any(t.for_each is not None and t.id == ref for p in self.talk.script.session.phases for t in p.steps)

    def _state(self) -> None:
        state = self.talk.state
        queue = state.phase.queue if state.phase else []
        here = {planned.key for planned in queue} | {frame.key for frame in frames(state)}
        for key, (ref, item) in self.queued.items():
            gone = self.status.get(key) in ("completed", "skipped") or (item is None and self._each(ref))
            assert key in here or gone, f"{ref} {item} was lost"
        for key, status in self.status.items():
            if key not in here and status == "planned" and self._each(self.refs[key]):
                self.status[key] = "instances"
            else:
                assert key in here or status in ENDED, f"{self.refs[key]} is {status} and nowhere"
        assert {k for k, s in self.status.items() if s == "running"} == (
            {state.running.key} if state.running else set()
        )
        assert {k for k, s in self.status.items() if s == "suspended"} == {frame.key for frame in state.suspended}
        self.queued |= {planned.key: (planned.ref, planned.item) for planned in queue}
        keys = [planned.key for planned in queue]
        assert len(keys) == len(set(keys))
        self._rests(state.suspended)

    def _rests(self, aside: Sequence[TopicFrame]) -> None:
        """What was put aside does not change until it is back, but for whether it gives way."""
        now = {frame.key: frame.model_dump_json(exclude={"gives_way"}) for frame in aside}
        for key in (now.keys() & self.suspended.keys()) - self.fresh:
            assert now[key] == self.suspended[key]
        back = self.talk.state.running
        if back is not None and back.key in self.suspended and back.action is not None:
            before = TopicFrame.model_validate_json(self.suspended[back.key])
            if (
                before.action is not None
                and before.action.index == back.action.index
                and before.action.wait is not None
            ):
                assert back.action.round == before.action.round, "it comes back in the same round"
                assert QuestionState.of(back.action).found == QuestionState.of(before.action).found
        self.suspended = now
        self.fresh.clear()

    def ended(self) -> None:
        """Of a session that has come to its end: nothing is left over."""
        assert set(self.status.values()) <= set(ENDED)
        assert not self.talk.state.suspended
