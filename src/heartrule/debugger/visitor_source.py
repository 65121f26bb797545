"""Who plays the visitor, where nobody types: a conversation test, or a simulated visitor with a chosen character. A
recording is played by the session itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Any

from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.engine.session.io import FormAnswers, Input, Words
from heartrule.language.lengths import length
from heartrule.script_tests.case import Case, Step, texts
from heartrule.script_tests.case_files import parse_cases
from heartrule.script_tests.simulation.open_question import asked, questions_of
from heartrule.script_tests.simulation.persona import SHIPPED, shipped, spoken
from heartrule.script_tests.simulation.visitor import Move, RuledVisitor

MOST = 100
"""Moves that a visitor makes at one asking."""


def cases(text: str) -> list[Case]:
    """The tests of a file. Raises ``NotPossible`` with what is wrong with it."""
    found = parse_cases(text, "visitor.test.yaml")
    stopping = [each for each in found.findings if each.stops]
    if stopping or not found.cases:
        raise NotPossible("debug-no-test", f"{stopping[0].line}: {stopping[0].message}" if stopping else "")
    return found.cases


async def from_test(session: DebugSession, case: Case) -> None:
    """The person's moves of a test, one after the other; forms are filled when they are come to."""
    for step in case.steps:
        if session.open is not None:
            return
        if step.verb == "start" and session.branch.leaf is not None:
            continue
        await _made(session, step, case)


async def _made(session: DebugSession, step: Step, case: Case) -> None:
    seen = session.last.state.messages if session.last is not None else 0
    match step.verb:
        case "start":
            await session.send(Input("start", values=dict(case.given.variables)))
        case "say":
            words = tuple(Words(each, seen) for each in texts(step.say))
            await session.send(Input("message", words, after=seen))
        case "choose":
            await session.send(Input("choice", choice=_value(session, step.choose), after=seen))
        case "wait":
            span = length(step.wait)
            if span is not None:
                await session.forward(span)
        case "fill":
            await session.send(_form(session, step.fill, "cancel" if step.cancel else "submit"))
        case "pause":
            await session.send(Input("pause"))
        case "resume":
            await session.send(Input("resume"))
        case "end":
            await session.send(Input("end"))
        case _:
            pass


def _value(session: DebugSession, said: str) -> str:
    choices = session.last.request.choices if session.last is not None else ()
    return next((each.value for each in choices if said in (each.value, each.label)), said)


def _form(session: DebugSession, values: Mapping[str, Any], how: str) -> Input:
    form = session.last.request.form if session.last is not None else None
    if form is None:
        raise NotPossible("debug-no-form")
    kind = {"submit": "form_submit", "cancel": "form_cancel", "draft": "form_draft"}[how]
    seen = session.last.state.messages if session.last is not None else 0
    return Input(kind, form=FormAnswers(form.key, values), after=seen)  # type: ignore[arg-type]


async def simulated(session: DebugSession, persona: str, moves: int, seed: int) -> int:
    """Let a visitor of this character make up to ``moves`` moves; how many they made. The same seed, and the same
    conversation so far, give the same moves."""
    if persona not in SHIPPED:
        raise NotPossible("debug-no-persona", persona)
    script = session.text.script
    random = Random(f"{seed} {session.branch.leaf} {session.head.id if seed < 0 else ''}")
    visitor = RuledVisitor(shipped(persona), spoken(script.locale), random, questions_of(script))
    made = 0
    while made < min(moves, MOST) and session.open is None:
        last = session.last
        if last is None or last.state.ended:
            return made
        said = _said(session)
        move = visitor.move(asked(script, last.state, last.request, said, session.now()), said)
        made += 1
        if move.kind == "gone":
            return made
        await _moved(session, move)
    return made


def _said(session: DebugSession) -> list[str]:
    """What was said since the visitor's last words."""
    found: list[str] = []
    for message in reversed(session.messages()):
        if message.sender == "person":
            break
        found.append(message.text)
    return found[::-1]


async def _moved(session: DebugSession, move: Move) -> None:
    seen = session.last.state.messages if session.last is not None else 0
    match move.kind:
        case "message":
            await session.send(Input("message", (Words(move.words, seen),), after=seen))
        case "choice":
            await session.send(Input("choice", choice=move.words, after=seen))
        case "form" if move.filled is not None:
            await session.send(_form(session, move.filled.values, move.filled.how))
        case "end":
            await session.send(Input("end"))
        case _:
            await session.forward(timedelta(seconds=move.seconds))
