"""Sessions held with a model that fails: refused, 429, 500, stalls, cut and empty answers, no JSON, 1 MB of it.

    python -m tests.chaos.faults [SESSIONS] [SEED] [RATE]

The clock of the model is stepped, so that stalls and waits cost nothing. Each session is looked through when it has
ended; whatever is wrong with one is an ``AssertionError`` that says which session and what.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from heartrule import parsing
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Action, Get, VariableRules
from heartrule.llm.model import Model
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.store.records import EventRecord, InboxEntry, MessageRecord
from heartrule.testing.counsellor import counsel
from heartrule.testing.faults import KINDS, FaultyProvider, SteppedClock
from heartrule.testing.hold import Held, MovedClock, hold
from heartrule.testing.visitor import Visitor

TYPES: Mapping[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "object": (dict,),
}


@dataclass(slots=True)
class Counts:
    sessions: int = 0
    turns: int = 0
    calls: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    values: Counter[str] = field(default_factory=Counter)
    exits: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        def listed(counter: Counter[str]) -> str:
            return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))

        return (
            f"{self.sessions} sessions ended, {self.turns} turns, {self.messages} messages of persons\n"
            f"{self.calls} calls, {sum(self.faults.values())} faults: {listed(self.faults)}\n"
            f"values stored, by strategy: {listed(self.values)}\n"
            f"actions left, by what decided: {listed(self.exits)}"
        )


async def one_session(sessions: Sessions, script: str, seed: int, clock: MovedClock, counts: Counts) -> Held:
    record = await sessions.create(script)
    compiled = await sessions.script_of(record)
    visitor = Visitor(compiled, seed, prefer=("safe", "开始", "接着"))
    held = await hold(sessions, record.id, visitor, clock)
    assert held.completed, f"session {seed} did not end after {len(held.entries)} inputs, at {held.outcome.position}"
    await look_through(sessions, compiled, held, seed, counts)
    return held


async def look_through(sessions: Sessions, script: Script, held: Held, seed: int, counts: Counts) -> None:
    messages = (await sessions.view(held.session)).messages
    events = await sessions.store.events(held.session)
    inbox = await sessions.store.inbox(held.session)
    words_in_order(held, messages, inbox, seed)
    variables = [event for event in events if event.kind == "variable"]
    for event in variables:
        holds_no_raw_words(script, event, seed)
        belongs_to_its_question(events, messages, event, seed)
    nothing_advances_alone(script, events, messages, seed)
    counts.sessions += 1
    counts.turns += len(inbox)
    counts.messages += sum(message.sender == "person" for message in messages)
    counts.values.update(event.data["strategy"] for event in variables)
    counts.exits.update(event.data["decision_source"] for event in events if left(event))


def left(event: EventRecord) -> bool:
    return event.kind == "exit" and bool(event.data["should_exit"])


def words_in_order(held: Held, messages: Sequence[MessageRecord], inbox: Sequence[InboxEntry], seed: int) -> None:
    """Every word of the person is in the transcript exactly once, in order; every input was consumed once."""
    given = [entry.text for entry in held.entries if entry.kind == "message"]
    kept = [message.text for message in messages if message.sender == "person" and message.content_type == "text"]
    assert kept == given, f"session {seed}: {len(given)} messages given, {len(kept)} in the transcript"
    assert [message.number for message in messages] == list(range(1, len(messages) + 1)), seed
    came = [message.inbox for message in messages if message.sender == "person"]
    assert len(set(came)) == len(came), f"session {seed}: an input stands in the transcript twice"
    turns = [item.turn for item in inbox]
    assert None not in turns, f"session {seed}: an input was never consumed"
    assert len(set(turns)) == len(turns), f"session {seed}: two answers in one turn"


def rules_by_name(script: Script) -> dict[str, VariableRules]:
    found: dict[str, VariableRules] = dict(script.variables)
    for phase in script.session.phases:
        for topic in phase.steps:
            found |= {each.var: each for each in topic.declare}
        found |= {each.var: each for each in phase.declare}
    for skill in script.skills.values():
        found |= {each.var: each for each in skill.declare}
    return found | {each.var: each for each in script.session.declare}


def holds_no_raw_words(script: Script, event: EventRecord, seed: int) -> None:
    """A typed variable has a value of its type, whatever the model said."""
    name, value = event.data["name"], event.data["value"]
    rules = rules_by_name(script).get(name)
    if rules is None or value is None:
        return
    if rules.type == "enum":
        assert value in (rules.options or ()), f"session {seed}: {name} is {value!r}"
    elif rules.type in TYPES:
        wanted = TYPES[rules.type]
        fits = isinstance(value, wanted) and (rules.type == "boolean" or not isinstance(value, bool))
        assert fits, f"session {seed}: {name} ({rules.type}) is {value!r}"
    if rules.range and isinstance(value, int | float):
        assert rules.range[0] <= value <= rules.range[1], f"session {seed}: {name} is {value!r}"


def answers_to(action: str, events: Sequence[EventRecord], messages: Sequence[MessageRecord], until: int) -> list[str]:
    """The person's words in the turns that this action heard, up to turn ``until``: it says so in each by a round, and
    stands at the boundary that opened it."""
    opened = max((e.turn for e in events if e.kind == "marker" and e.action == action and _opens(e, until)), default=0)
    heard = [m.text for m in messages if m.sender == "person" and opened <= m.turn <= until]
    return [text for text in heard if text]


def _opens(event: EventRecord, until: int) -> bool:
    return event.data["edge"] == "before" and event.turn <= until


def belongs_to_its_question(
    events: Sequence[EventRecord], messages: Sequence[MessageRecord], event: EventRecord, seed: int
) -> None:
    """What was taken from the person's words was said after that very action had asked, and nowhere else."""
    if event.data["strategy"] not in ("json", "history", "rules"):
        return
    evidence = event.data["evidence"]
    action = event.action or ""
    said = "\n".join(answers_to(action, events, messages, event.turn))
    if evidence is not None:
        assert parsing.fold(evidence) in parsing.fold(said), f"session {seed}: {event.data['name']} of {action}"
    markers = [e for e in events if e.kind == "marker" and e.action == action and _opens(e, event.turn)]
    assert markers, f"session {seed}: {event.data['name']} was stored by {action}, which was never entered"
    own = [m.text for m in messages if m.turn == event.turn and m.sender == "person"]
    assert own, f"session {seed}: {event.data['name']} was stored in a turn in which nothing was said"


def nothing_advances_alone(
    script: Script, events: Sequence[EventRecord], messages: Sequence[MessageRecord], seed: int
) -> None:
    """An action whose required outputs are not known goes on only when its rounds are used up, or by refusal."""
    actions = {action.id: action for action in asking_actions(script) if action.id}
    at = {message.turn: message.at for message in messages}
    decided = [(e.action, e.turn, e.data["reason"]) for e in events if left(e) and by_itself(e)]
    decided += [(e.action, e.turn, e.data["outcome"]) for e in events if e.kind == "marker" and understood(e)]
    for name, turn, why in decided:
        action = actions.get(name or "")
        if action is None or not getattr(action, "required", True):
            continue
        for item in (each for each in getattr(action, "output", []) if isinstance(each, Get)):
            if item.required is False:
                continue
            known = {e.data["name"]: e.data["value"] for e in events if e.kind == "variable" and e.turn <= turn}
            if item.get in known or not is_looked_for(script, item, known, at[turn]):
                continue
            assert may_be_given_up(script, item), f"session {seed}: {name} left without {item.get} ({why})"


def by_itself(event: EventRecord) -> bool:
    return event.data["decision_source"] != "max_rounds" and event.data["exit_class"] != "user_blocked"


def understood(event: EventRecord) -> bool:
    asking = event.data["type"] in ("ask", "ai_ask")
    return asking and event.data["edge"] == "after" and event.data["outcome"] in ("completed", "exit_criteria_met")


def may_be_given_up(script: Script, item: Get) -> bool:
    declared = rules_by_name(script).get(item.get)
    rule = item.on_failure or (declared.on_failure if declared else None)
    return rule is not None


def is_looked_for(script: Script, item: Get, known: Mapping[str, Any], now: datetime) -> bool:
    """What depends on another value is looked for only where that holds."""
    declared = rules_by_name(script).get(item.get)
    for each in item.depends_on or (declared.depends_on if declared else None) or ():
        if known.get(each.var) is None:
            return False
        if each.condition is not None and not each.condition.holds(known.get, now):
            return False
    return True


def asking_actions(script: Script) -> list[Action]:
    bodies: list[Any] = [topic for phase in script.session.phases for topic in phase.steps]
    return [action for body in [*bodies, *script.skills.values()] for action in body.actions]


async def hold_all(
    folder: Path,
    number: int,
    *,
    seed: int = 1,
    rate: float = 0.1,
    kinds: tuple[str, ...] = KINDS,
    script: str = "cbt/first_assessment",
    progress: bool = False,
) -> Counts:
    counts, clock, stepped = Counts(), MovedClock(), SteppedClock()
    provider = FaultyProvider(counsel, rate=rate, seed=seed, clock=stepped, kinds=kinds)
    model = Model([provider], clock=stepped, random=lambda: 0.5)
    settings = Settings(data=folder, model=model, clock=clock, synchronous="OFF")
    async with open_sessions(settings) as sessions:
        for one in range(number):
            await one_session(sessions, script, seed * 10_000 + one, clock, counts)
            stepped.seconds += 60  # a breaker that has opened is closed again for the next one
            if progress and sys.stderr.isatty():
                print(f"\r{one + 1}/{number}", end="", file=sys.stderr, flush=True)  # noqa: T201
    counts.calls, counts.faults = provider.calls, provider.counts
    return counts


def run(number: int, **more: Any) -> Counts:
    with TemporaryDirectory() as folder:
        return asyncio.run(hold_all(Path(folder), number, **more))


def main(arguments: Sequence[str]) -> None:
    number, seed, rate = (json.loads(each) for each in [*arguments, *("200", "1", "0.1")[len(arguments) :]][:3])
    began = time.perf_counter()
    counts = run(number, seed=seed, rate=rate, progress=True)
    print(f"{counts}\n{time.perf_counter() - began:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
