"""A case run on the real engine: its moves made one after another, and what was expected held against what came."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from heartrule.engine.session.events import Event, Unwritten
from heartrule.engine.session.io import FormAnswers, Input, Message, Request
from heartrule.language.compiling.script import Script
from heartrule.language.lengths import length
from heartrule.llm.provider import NeverDegrade
from heartrule.llm.providers.cassettes import NotRecorded
from heartrule.script_tests.case import Case, Step, texts
from heartrule.script_tests.clock import BEGINS, moment
from heartrule.script_tests.conversation import Answers, Conversation, Lost
from heartrule.script_tests.expectations import outcomes
from heartrule.script_tests.observations import Observation, Outcome, shown_as
from heartrule.script_tests.provider import ScriptedAnswers
from heartrule.script_tests.script_names import KnownScript
from heartrule.script_tests.unused_answers import Note, of_events

PAUSE = timedelta(seconds=20)
"""What a person takes to answer; what comes due meanwhile strikes before the answer is there."""
_ORDER = {"topic": 0, "phase": 1, "session": 2, "global": 3}


@dataclass(frozen=True, slots=True)
class Took:
    """A move as it went: which turn (from 0), and what came of it."""

    step: Step
    number: int
    messages: tuple[Message, ...] = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)
    request: Request = field(repr=False)
    calls: int = 0
    seconds: float = 0.0
    """How much time had passed since the conversation began."""


@dataclass(frozen=True, slots=True)
class RanCase:
    """``fault``: why the case could not be gone through to its end, as a code and what it is about."""

    case: Case
    took: tuple[Took, ...] = field(repr=False)
    outcomes: tuple[Outcome, ...]
    fault: tuple[str, str] | None = None
    notes: tuple[Note, ...] = field(default=(), repr=False)
    """What may explain why something is not as expected."""

    @property
    def passed(self) -> bool:
        return self.fault is None and all(each.held for each in self.outcomes)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for each in self.took for event in each.events)

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(message for each in self.took for message in each.messages)

    @property
    def calls(self) -> int:
        return sum(each.calls for each in self.took)


class _Stuck(Exception):
    """A move that cannot be made."""

    def __init__(self, code: str, about: str) -> None:
        self.code, self.about = code, about
        super().__init__(code)


def run(case: Case, script: Script, answers: Answers | None = None, *, hasty: bool = False) -> RanCase:
    """Hold the conversation of ``case`` with ``script``. ``answers`` answer in place of the case's own table.
    ``hasty``: only whether it passes is of interest; it is left once something is not as expected."""
    own = ScriptedAnswers(script, case.answers) if answers is None and case.by != "none" else None
    try:
        ran = _CaseRun(case, script, answers or own).run(hasty=hasty)
        who = answers or own
        unused = who.notes() if isinstance(who, ScriptedAnswers) else ()
        return ran if ran.passed else replace(ran, notes=tuple(dict.fromkeys((*unused, *of_events(ran.events)))))
    finally:
        if own is not None:
            own.close()


class _CaseRun:
    def __init__(self, case: Case, script: Script, answers: Answers | None) -> None:
        self._case = case
        self._known = KnownScript(script)
        self._talk = Conversation(script, answers, _clock(case), case.given.reaches)
        self._begun = self._talk.now
        self._took: list[Took] = []
        self._outcomes: list[Outcome] = []

    def run(self, *, hasty: bool) -> RanCase:
        fault: tuple[str, str] | None = None
        try:
            for number, step in enumerate(self._case.steps):
                if hasty and not all(each.held for each in self._outcomes):
                    break
                self._take(number, step)
            for expect in self._case.expected:
                self._outcomes += outcomes(expect, self._seen(0, 0, 0), None)
        except _Stuck as stuck:
            fault = (stuck.code, stuck.about)
        except Lost as lost:
            fault = ("lost", lost.what)
        except NotRecorded as missing:
            about = [missing.cassette.as_posix(), *missing.difference]
            fault = ("unrecorded" if missing.difference else "no_cassette", "\n".join(about))
        except NeverDegrade as missing:
            fault = ("unanswered", str(missing))
        except Exception as error:  # of an action type or a provider of another package: one case, not all of them
            fault = ("broke", f"{type(error).__name__}: {error}")
        return RanCase(self._case, tuple(self._took), tuple(self._outcomes), fault)

    def _take(self, number: int, step: Step) -> None:
        talk = self._talk
        messages, events, calls = len(talk.history), len(talk.events), talk.calls
        try:
            if number and step.verb != "wait":
                talk.wait(PAUSE)
            before = talk.calls
            _MOVES[step.verb](talk, step, self._case)
            asked = talk.calls - before
            talk.settle()
        finally:
            self._took.append(
                Took(
                    step,
                    number,
                    tuple(talk.history[messages:]),
                    tuple(talk.events[events:]),
                    talk.turn.request if hasattr(talk, "turn") else Request("none"),
                    talk.calls - calls,
                    (talk.now - self._begun).total_seconds(),
                )
            )
        for expect in step.expected:
            self._outcomes += outcomes(expect, self._seen(messages, events, talk.calls - asked), number)

    def _seen(self, messages: int, events: int, calls: int) -> Observation:
        talk = self._talk
        running = talk.state.running
        action = running.action if running is not None else None
        cells = list(reversed(talk.variables.cells.items()))
        cells.sort(key=lambda each: _ORDER[each[0][0]])
        return Observation(
            known=self._known,
            messages=tuple(talk.history[messages:]),
            past=tuple(talk.events),
            events=tuple(talk.events[events:]),
            values=tuple((where[0], cell) for where, cell in cells),
            at=(running.ref, action.id) if running is not None and action is not None else None,
            request=talk.turn.request,
            calls=talk.calls - calls,
            ended=talk.state.ended,
        )


def _clock(case: Case) -> datetime:
    return (moment(case.given.clock) if case.given.clock else None) or BEGINS


def _start(talk: Conversation, step: Step, case: Case) -> None:
    given = case.given
    talk.state.takeovers = int(given.human)
    if given.at is None:
        talk.move(Input("start", values=given.variables))
    else:
        spot = KnownScript(talk.script).beginning(given.at)
        why = talk.begin_at(spot.phase, spot.topic, spot.index, given.variables) if spot else given.at
        if why:
            raise _Stuck("not_begun", why)
    for event in talk.events:
        if isinstance(event, Unwritten) and event.source == "start":
            raise _Stuck("not_given", f"{event.name} = {shown_as(event.value)} ({event.reason or event.outcome})")


def _say(talk: Conversation, step: Step, case: Case) -> None:
    talk.say(texts(step.say))


def _choose(talk: Conversation, step: Step, case: Case) -> None:
    offered = talk.turn.request.choices
    chosen = next((each for each in offered if step.choose in (each.value, each.label)), None)
    if chosen is None:
        raise _Stuck("not_offered", f"{step.choose} ({' | '.join(each.value for each in offered) or '–'})")
    talk.choose(chosen.value)


def _wait(talk: Conversation, step: Step, case: Case) -> None:
    span = length(step.wait)
    assert span is not None
    talk.wait(span)


def _reconnect(talk: Conversation, step: Step, case: Case) -> None:
    talk.reconnect()


def _fill(talk: Conversation, step: Step, case: Case) -> None:
    form = talk.turn.request.form
    if form is None:
        raise _Stuck("no_form", "fill")
    fields = [each["id"] for each in form.shown["fields"]]
    unknown = [name for name in step.fill if name not in fields]
    if unknown:
        raise _Stuck("no_field", f"{unknown[0]} ({', '.join(fields)})")
    kind: Literal["form_cancel", "form_draft", "form_submit"] = "form_submit"
    if step.cancel:
        kind = "form_cancel"
    elif step.submit is False:
        kind = "form_draft"
    talk.move(Input(kind, form=FormAnswers(form.key, step.fill), after=talk.state.messages))


def _input(talk: Conversation, step: Step, case: Case) -> None:
    kinds: Mapping[str, Input] = {"pause": Input("pause"), "resume": Input("resume"), "end": Input("end")}
    talk.move(kinds[step.verb])


_MOVES: Mapping[str, Callable[[Conversation, Step, Case], None]] = {
    "start": _start,
    "say": _say,
    "choose": _choose,
    "wait": _wait,
    "reconnect": _reconnect,
    "fill": _fill,
    "pause": _input,
    "resume": _input,
    "end": _input,
}
