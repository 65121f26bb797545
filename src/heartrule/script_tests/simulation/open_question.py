"""What a session asks at the moment, as somebody who is to answer would take it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from heartrule.engine.session.io import FormRequest, Request
from heartrule.engine.session.state import Choice, State
from heartrule.language.compiling.script import Script
from heartrule.language.linting.asked_danger import asks_about_danger
from heartrule.language.nodes import Action, Get, Variable, VariableRules
from heartrule.language.nodes.forms import Form
from heartrule.script_tests.script_position import action_at, body_at

SAFETY = "safety"


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """``question``: what was said last that may be one. ``name`` and ``rules``: of the variable it is about; a question
    about none has neither. ``safety``: it is about the person's safety. ``form``: what is to be filled, with its
    ``definition``. ``risk``: a script outside the safety project asks whether they are in danger, even if it does not
    say so by ``risk``."""

    kind: Literal["message", "choice", "press", "form", "none"]
    question: str = field(repr=False)
    choices: tuple[Choice, ...] = ()
    name: str = ""
    rules: VariableRules = field(default_factory=VariableRules)
    safety: bool = False
    risk: bool = False
    form: FormRequest | None = field(default=None, repr=False)
    definition: Form | None = field(default=None, repr=False)
    due: float | None = None
    """Seconds after which it goes on by itself, where nothing is asked: the step of an exercise."""

    @property
    def about(self) -> str:
        """All that says what is wanted, the question first."""
        return "\n".join((self.question, self.name, self.rules.define))


def asked(script: Script, state: State, request: Request, said: Sequence[str], now: datetime) -> OpenQuestion:
    """What a session in this state, having ``said`` this last, waits for at ``now``."""
    in_safety = state.running is not None and state.running.project == SAFETY
    question = "\n".join(said[-2:])
    if request.form is not None:
        definition = script.forms.get(request.form.id)
        return OpenQuestion("form", question, safety=in_safety, form=request.form, definition=definition)
    for item in _items(script, state):
        rules = _rules(script, state, item)
        risk = rules.risk or (not in_safety and _asks_about_danger(rules, said))
        return OpenQuestion(request.kind, question, request.choices, item.get, rules, in_safety or risk, risk)
    return OpenQuestion(request.kind, question, request.choices, safety=in_safety, due=_due(state, question, now))


def _asks_about_danger(rules: VariableRules, said: Sequence[str]) -> bool:
    """By the words of the question: a script that forgot to mark it is what is to be found."""
    return rules.type == "boolean" and asks_about_danger("\n".join((rules.define, *said[-1:])))


def _due(state: State, question: str, now: datetime) -> float | None:
    wait = state.running.action.wait if state.running and state.running.action else None
    if wait is None or wait.due is None or re.search("[?？]", question):
        return None
    return max(0.0, (wait.due - now).total_seconds())


def _items(script: Script, state: State) -> list[Get]:
    """The outputs of the action that waits, first the one that its question is about."""
    frame = state.running.action if state.running else None
    name = frame.asking if frame else None
    action = action_at(script, state)
    gets = [item for item in (action.peek("output") if action else None) or () if isinstance(item, Get)]
    return sorted(gets, key=lambda item: item.get != name)


def _rules(script: Script, state: State, item: Get) -> VariableRules:
    known = declaration(script, state, item.get)
    return item if item.type is not None or known is None else known


def declaration(script: Script, state: State, name: str) -> Variable | None:
    """Of this name, the innermost that can be seen."""
    body = body_at(script, state)
    phase = script.session.phases[state.phase.index] if state.phase else None
    near = [*(body.declare if body else ()), *(phase.declare if phase else ()), *script.session.declare]
    return next((v for v in [*near, *script.variables.values()] if v.var == name), None)


def questions_of(script: Script) -> int:
    """How many questions the session puts, techniques that are called left out: one in each place that waits for
    somebody, in a stretch of talk one for each of its items."""
    return sum(_puts(a) for phase in script.session.phases for topic in phase.steps for a in topic.actions)


def _puts(action: Action) -> int:
    if action.traits.asks == "model":
        return max(1, sum(isinstance(item, Get) for item in action.peek("output") or ()))
    return int(bool(action.traits.asks or action.traits.offers))
