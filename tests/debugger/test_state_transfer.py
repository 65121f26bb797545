"""Sessions in the middle, moved to a script that was changed at random: carried over, or refused with the reason; never
to a wrong place, never an answer under another question. An oracle that knows nothing of the debugger says which.

``HEARTRULE_CARRIED=300`` (``make debugged``) for the long form."""

from __future__ import annotations

import asyncio
import json
import os
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from tests.debugger.straight import SHIPPED, library, next_input, session, shipped_files, straight, text

from heartrule.authoring import node_edits, splices
from heartrule.debugger.session import DebugSession
from heartrule.debugger.state_transfer import NotCarried
from heartrule.debugger.texts import Text, compile_files
from heartrule.engine.session.events import Fault
from heartrule.language.findings import Refused
from heartrule.language.yaml import parse
from heartrule.releases.impact import landing

EDITS = int(os.environ.get("HEARTRULE_CARRIED", "10"))


@pytest.mark.parametrize("number", range(EDITS))
def test_an_edited_script_is_gone_on_with_or_refused(number: int) -> None:
    async def moved() -> None:
        random = Random(number)
        of = text(f"cbt/{SHIPPED[number % len(SHIPPED)]}")
        held = session(of)
        await straight(held, random, random.randrange(1, 9))
        other = _edited(of, random, _near(held))
        if other is None or held.last is None or held.last.state.ended:
            return
        before = held.last.state
        try:
            await held.edit(other)
        except NotCarried as refused:
            _is_gone(refused, before, other)
            return
        _holds(held, of, other, before)
        faults = [event for _, _, event in held.all_events() if isinstance(event, Fault)]
        given = next_input(held, random)
        if given is not None and held.open is None:
            await held.send(given)
        after = [event for _, _, event in held.all_events() if isinstance(event, Fault)]
        assert [each.what for each in after] == [each.what for each in faults]

    asyncio.run(moved())


def _near(held: DebugSession) -> str:
    """The topic that it stands in."""
    running = held.last.state.running if held.last is not None else None
    return running.ref if running is not None else ""


def _edited(of: Text, random: Random, near: str) -> Text | None:
    """The text with one to three edits that leave it a script, more of them where it stands; None where none does."""
    file = of.script.session.place.file
    for _ in range(12):
        words = of.files[file]
        for _ in range(random.randrange(1, 4)):
            words = _edit(words, of, random, near)
        if words == of.files[file]:
            continue
        try:
            return compile_files({**shipped_files(), file: words}, of.script.id, library())
        except Refused:
            continue
    return None


def _edit(words: str, of: Text, random: Random, near: str) -> str:
    """One edit of what the script goes through, as an author would make it."""
    documents = splices.parse_cached(words).documents
    lists = _lists(documents, of.script.session.id or "")
    if not lists:
        return words
    close = [each for each in lists if each[-1] == "actions" and _at(documents, each[:-1]).get("id") == near]
    path = random.choice(close if close and random.random() < 0.6 else lists)
    items = _at(documents, path)
    if not items:
        return words
    index = random.randrange(len(items))
    try:
        match random.choice(("delete", "insert", "move", "words", "rename", "duplicate")):
            case "delete":
                made = node_edits.delete(words, (*path, index))
            case "insert" if path[-1] == "actions":
                made = node_edits.insert(words, path, index, "type: say\nid: put_in\ncontent: 多说一句。")
            case "move":
                made = node_edits.move(words, (*path, index), path, random.randrange(len(items) + 1))
            case "words":
                made = node_edits.set_value(words, (*path, index, _key(items[index])), "换了一种说法。")
            case "rename":
                made = node_edits.set_value(words, (*path, index, "id"), f"renamed_{random.randrange(99)}")
            case _:
                made = node_edits.duplicate(words, (*path, index), ("id", f"copied_{random.randrange(99)}"))
    except node_edits.CannotEdit:
        return words
    return node_edits.spliced(words, made)


def _key(item: dict[str, Any]) -> str:
    return next((key for key in ("content", "question", "goal") if isinstance(item.get(key), str)), "goal")


def _lists(documents: list[Any], wanted: str) -> list[tuple[str | int, ...]]:
    found: list[tuple[str | int, ...]] = []
    for at, document in enumerate(documents):
        for which, each in enumerate((document or {}).get("sessions") or ()):
            if each.get("id") != wanted:
                continue
            for number, phase in enumerate(each["phases"]):
                steps = (at, "sessions", which, "phases", number, "steps")
                found.append(steps)
                found += [(*steps, n, "actions") for n, step in enumerate(phase["steps"]) if step.get("actions")]
    return found


def _at(documents: list[Any], path: tuple[str | int, ...]) -> Any:
    data: Any = documents
    for part in path:
        data = data[part]
    return data


# the oracle: raw YAML of both, matched by id and content


@lru_cache(maxsize=64)
def _raw(of: Text) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The actions of each topic of the session, as they are written, by phase and topic."""
    file = of.script.session.place.file
    found = {}
    for document in parse(of.files[file], "").documents:
        for each in (document or {}).get("sessions") or ():
            if each.get("id") == of.script.session.id:
                for phase in each["phases"]:
                    for step in phase["steps"]:
                        key = (phase.get("id") or phase["phase"], step.get("id") or step["topic"])
                        found[key] = step.get("actions") or []
    return found


def _written(action: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in action.items() if key != "id"}, sort_keys=True, ensure_ascii=False)


def _is_gone(refused: NotCarried, before: Any, other: Text) -> None:
    """It is refused only where what it stands in is there no more."""
    phases = {key[0] for key in _raw(other)}
    if refused.code == "phase-gone":
        assert before.phase.id not in phases
    elif refused.code == "topic-gone":
        assert (before.phase.id, refused.about) not in _raw(other)
    else:
        assert refused.code in ("technique-gone", "plan-changed")


def _holds(held: DebugSession, old: Text, new: Text, before: Any) -> None:
    """The question that waited goes on waiting only where it is the same word for word, under its own id or, without
    one, at all; else it is not what waits."""
    running, was = held.session_state(held.branch.leaf, new.hash).state.running, before.running
    if was is None or was.action is None or was.kind != "topic" or was.plan is not None:
        return
    key = (before.phase.id, was.ref)
    then, now = _raw(old)[key], _raw(new).get(key)
    assert now is not None
    asked = then[was.action.index] if was.action.index < len(then) else None
    if (
        asked is None
        or running is None
        or running.key != was.key
        or running.action is None
        or running.action.wait is None
    ):
        return
    if running.action.entered_at != was.action.entered_at or running.action.asked != was.action.asked:
        return  # it was begun again, and asks in its own words
    here = now[running.action.index]
    assert _written(here) == _written(asked), "an answer would come under another question"
    assert here.get("id") == asked.get("id") or asked.get("id") not in {each.get("id") for each in now}


PROJECT = {
    "project.yaml": "id: nights\nlocale: en\n",
    "talk.yaml": """sessions:
  - session: Nights
    id: nights
    phases:
      - phase: One
        id: one
        steps:
          - topic: Sleep
            id: sleep
            actions:
              - {type: use_skill, id: use, skill: breathe}
              - {type: ask, id: more, content: And else?}
""",
    "a.yaml": """skills:
  - skill: Breathe
    id: breathe
    actions:
      - {type: say, id: in, content: Breathe in.}
      - {type: ask, id: how, content: How was it?}
      - {type: say, id: out, content: And out.}
""",
}


def test_sessions_stand_where_they_stood_whatever_file_their_technique_or_session_went_to() -> None:
    async def asked() -> None:
        of = text("nights", tuple(PROJECT.items()))
        held = session(of)
        await straight(held, Random(1), 1)
        assert held.last is not None
        state = held.last.state
        assert state.running is not None
        assert (state.running.kind, state.running.action and state.running.action.id) == ("skill", "how")
        moved_files = {
            "project.yaml": PROJECT["project.yaml"],
            "parts/talk.yaml": PROJECT["talk.yaml"],
            "b.yaml": PROJECT["a.yaml"],
        }
        there = landing(state, of.script, text("nights", tuple(moved_files.items())).script)
        assert there.kind == "as_is", there
        assert there.state == state

    asyncio.run(asked())
