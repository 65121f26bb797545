"""A branch as a conversation test: what the person did, what was answered, and what is expected to come of it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from heartrule.debugger.session import DebugSession
from heartrule.debugger.tape import Move
from heartrule.script_tests.case_files import parse_cases
from heartrule.script_tests.case_run import run

QUOTED = 40
"""Characters of a reply that a test expects."""
FAILED = ("failed", "absent")


@dataclass(frozen=True, slots=True)
class ExportedTest:
    """``passes``: the test holds on the session's own text, as it was run at once; else ``problems`` says what does
    not. ``kept``: what a test cannot say is left out, by kind."""

    yaml: str = field(repr=False)
    passes: bool
    problems: tuple[str, ...]
    left_out: tuple[str, ...]


def exported(session: DebugSession, name: str) -> ExportedTest:
    moves = session.chain(session.branch.leaf)
    left: dict[str, None] = {}
    turns: list[Any] = []
    for move in moves:
        step = _step(session, move)
        if step is None:
            left[move.given.kind] = None
            continue
        turns.append(step)
    if any(move.changes for move in moves):
        left["variables set by hand"] = None
    case: dict[str, Any] = {"test": name, "turns": turns or ["start"]}
    if moves and moves[0].given.values:
        case["given"] = {"variables": dict(moves[0].given.values)}
    if moves:
        case.setdefault("given", {})["clock"] = moves[0].at.isoformat()
    answers = _answers(moves)
    if answers:
        case |= {"model": "scripted", "answers": answers}
    ends = _ends(session)
    if ends:
        case["expect"] = {"set": ends}
    document = {"script": session.text.script.id, "tests": [case]}
    text = yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=110)
    passes, problems = _held(session, text)
    return ExportedTest(text, passes, problems, tuple(left))


def _step(session: DebugSession, move: Move) -> dict[str, Any] | None:
    given = move.given
    what: dict[str, Any]
    match given.kind:
        case "start":
            what = {"start": {}}
        case "message":
            words = [each.text for each in given.words]
            what = {"say": words[0] if len(words) == 1 else words}
        case "choice":
            what = {"choose": given.choice}
        case "timer":
            what = {"wait": _span(session, move)}
        case "form_submit" | "form_draft" | "form_cancel":
            what = {"fill": dict(given.form.values) if given.form is not None else {}}
            what |= {"form_submit": {}, "form_draft": {"submit": False}, "form_cancel": {"cancel": True}}[given.kind]
        case "pause" | "resume" | "end":
            what = {given.kind: True}
        case _:
            return None
    said = [each.text for each in session.turn(move.number).messages if each.sender == "ai"]
    expect = {"said_contains": _quote(said[-1])} if said and said[-1].strip() else {}
    if given.kind == "start":
        return {"start": expect}
    return {**what, "expect": expect} if expect else what


def _quote(words: str) -> str:
    return words.strip().splitlines()[0][:QUOTED].strip()


def _span(session: DebugSession, move: Move) -> str:
    before = session.moves[move.parent].at if move.parent is not None else session.head.created_at
    return f"{max(1, round((move.at - before).total_seconds()))}s"


def _answers(moves: list[Move]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for move in moves:
        for given in move.answers.values():
            data = given.answer.data
            answer: Any = dict(data) if given.answer.status not in FAILED and data is not None else "fail"
            found.setdefault(given.template, []).append(answer)
    return found


def _ends(session: DebugSession) -> dict[str, Any]:
    leaf = session.branch.leaf
    if leaf is None:
        return {}
    cells: Mapping[Any, Any] = session.turn(leaf).variables.cells
    held = cells.get(("session", ""), {})
    return {
        name: value.value for name, value in sorted(held.items()) if isinstance(value.value, str | int | float | bool)
    }


def _held(session: DebugSession, text: str) -> tuple[bool, tuple[str, ...]]:
    cases = parse_cases(text, "debugged.test.yaml")
    stopping = [f"{each.code} {each.line}" for each in cases.findings if each.stops]
    if stopping or not cases.cases:
        return False, tuple(stopping)
    ran = run(cases.cases[0], session.text.script)
    problems = (
        [f"{each.kind}: {each.wanted} ≠ {each.got}" for each in ran.outcomes if not each.held] if ran.outcomes else []
    )
    return ran.passed, (*problems, *([" ".join(ran.fault)] if ran.fault else []))
