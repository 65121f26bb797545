"""Mutants: a script from which one thing has been taken away. A test that still passes does not look at that thing.

Made from the script's nodes and never from its text. Each says where a conversation must have been for it to matter, so
that only tests that were there are held against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from heartrule.engine import branches
from heartrule.engine.work import identity
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import (
    Action,
    Get,
    Node,
    Phase,
    Place,
    Skill,
    Topic,
    Transition,
    Variable,
    VariableRules,
)
from heartrule.language.nodes.forms import Form
from heartrule.script_tests.coverage import NONE, WAYS, Kind, Projects, item_id, named_actions, stretch_outputs

What = Literal[
    "awareness",
    "directive",
    "cooldown",
    "expires",
    "condition",
    "transition",
    "transition_condition",
    "repeat",
    "done_when",
    "action",
    "choice",
    "output",
    "timeout",
    "fallback",
    "exit_criteria",
    "exit_condition",
    "range",
    "options",
    "pattern",
    "min_length",
    "validate",
    "on_failure",
    "rules",
    "form_check",
    "form_shown",
    "form_answer",
    "form_submit",
]
WHATS: tuple[What, ...] = get_args(What)
"""What is taken away."""
RULES: Mapping[str, What] = {
    "range": "range",
    "options": "options",
    "pattern": "pattern",
    "min_length": "min_length",
    "validate_": "validate",
    "on_failure": "on_failure",
    "rules": "rules",
}
"""Fields of a variable, or of an output, that say what its values may be."""
Root = Literal["session", "skill", "awareness", "variable", "form"]
Step = str | int
Point = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Mutant:
    """``id`` is the same in every run: what is taken away, and where. ``ref`` and ``path`` (of attributes) lead to it
    from ``root``. A session matters that came to one of ``points`` or wrote ``variable``."""

    what: What
    id: str
    place: Place
    root: Root
    ref: str
    path: tuple[Step, ...]
    points: frozenset[Point] = field(default=frozenset(), compare=False)
    text: str = field(default="", compare=False, repr=False)
    """What is taken away, as it is written."""
    variable: str = ""

    @property
    def project(self) -> str:
        return self.id.partition(" ")[2].partition("/")[0]


def mutants(scripts: Iterable[Script], projects: Projects = NONE) -> tuple[Mutant, ...]:
    """Those of all scripts, in their order; what several scripts share comes once."""
    found: dict[str, Mutant] = {}
    for script in scripts:
        for each in _Maker(script, projects).all():
            known = found.get(each.id)
            found[each.id] = each if known is None else replace(known, points=known.points | each.points)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _At:
    """A node on the way: how it is reached from its root, and what it is called."""

    root: Root
    ref: str
    own: str
    path: tuple[Step, ...] = ()

    def to(self, *steps: Step, own: str | None = None) -> _At:
        return _At(self.root, self.ref, self.own if own is None else own, (*self.path, *steps))


class _Maker:
    def __init__(self, script: Script, projects: Projects) -> None:
        self._script, self._projects = script, projects
        self._asking: dict[str, set[Point]] = {}
        """The actions that each variable is asked for, or set, in."""

    def all(self) -> Iterator[Mutant]:
        # The actions first: they say where a variable is asked for.
        session = _At("session", self._script.id, self._script.id)
        held = [*self._session(session), *self._skills()]
        yield from held
        yield from self._declared(self._script.session.declare, session)
        for index, phase in enumerate(self._script.session.phases):
            at = session.to("phases", index, own=item_id(self._script, identity(phase)))
            yield from self._declared(phase.declare, at)
            for n, topic in enumerate(phase.steps):
                yield from self._declared(topic.declare, at.to("steps", n, own=f"{at.own}/{identity(topic)}"))
        for ref, skill in sorted(self._script.skills.items()):
            yield from self._declared(skill.declare, _At("skill", ref, ref))
        for name, variable in self._script.variables.items():
            at = _At("variable", name, f"{self._owner(variable)}/{name}")
            yield from self._rules(variable, at, name)
        yield from self._watching()
        for ref, form in sorted(self._script.forms.items()):
            yield from self._form(form, _At("form", ref, ref))

    def _owner(self, variable: Variable) -> str:
        for project in self._projects.values():
            if any(each is variable for each in project.variables):
                return project.id
        return self._script.project.id

    # sessions and skills

    def _session(self, at: _At) -> Iterator[Mutant]:
        for index, phase in enumerate(self._script.session.phases):
            place = identity(phase)
            here = at.to("phases", index, own=item_id(self._script, place))
            yield from self._conditioned(phase, here)
            yield from self._transitions(phase.transitions, here)
            for n, topic in enumerate(phase.steps):
                ref = identity(topic)
                own = item_id(self._script, branches.topic_place(place, ref, skill=False))
                yield from self._steps(topic, ref, here.to("steps", n, own=own))

    def _skills(self) -> Iterator[Mutant]:
        for ref, skill in sorted(self._script.skills.items()):
            yield from self._steps(skill, ref, _At("skill", ref, ref))

    def _steps(self, steps: Topic | Skill, ref: str, at: _At) -> Iterator[Mutant]:
        if isinstance(steps, Topic):
            yield from self._conditioned(steps, at)
        for name in ("repeat", "done_when"):
            if getattr(steps, name) is not None:
                what: What = "repeat" if name == "repeat" else "done_when"
                yield self._mutant(what, steps, at.to(name), [_branch(at.own, branches.condition(name, held=False))])
        if isinstance(steps, Topic):
            yield from self._transitions(steps.transitions, at)
        for index, action in enumerate(steps.actions):
            here = at.to("actions", index)
            for n, (name, each) in enumerate(named_actions(action, ref, index)):
                own = branches.action_place(at.own, ref, name)
                yield from self._action(each, here.to(*(("actions", n - 1) if n else ()), own=own))

    def _conditioned(self, node: Phase | Topic | Action, at: _At) -> Iterator[Mutant]:
        if node.condition is not None:
            point = _branch(at.own, branches.condition("condition", held=False))
            yield self._mutant("condition", node, at.to("condition"), [point])

    def _transitions(self, transitions: list[Transition], at: _At) -> Iterator[Mutant]:
        for index, each in enumerate(transitions):
            here, way = at.to("transitions", index), branches.transition(index)
            yield self._mutant("transition", each, here, [_branch(at.own, way)], f" {index + 1}", at_node=True)
            if each.condition is not None:
                point = _branch(at.own, branches.condition(way, held=False))
                yield self._mutant("transition_condition", each, here.to("condition"), [point], f" {index + 1}")

    def _action(self, action: Action, at: _At) -> Iterator[Mutant]:
        point: Point = ("action", at.own)
        yield self._mutant("action", action, at, [point], at_node=True)
        yield from self._conditioned(action, at)
        choices = action.peek("choices") or ()
        for index, choice in enumerate(choices if len(choices) > 1 else ()):
            yield self._mutant("choice", choice, at.to("choices", index), [point], f" {index + 1}", at_node=True)
        if action.timeout is not None:
            yield self._mutant("timeout", action, at.to("timeout"), [_branch(at.own, branches.TIMEOUT)])
        if action.fallback:
            yield self._mutant("fallback", action, at.to("fallback"), [point])
        yield from self._exits(action, at, point)
        of_stretch = stretch_outputs(action)
        for index, output in enumerate(action.peek("output") or ()):
            if isinstance(output, Get):
                if output in of_stretch:
                    here, asked = at.to("output", index), [_branch(at.own, branches.output(output.get))]
                    yield self._mutant("output", output, here, asked, f" {output.get}", at_node=True)
                self._asking.setdefault(output.get, set()).add(point)
                yield from self._rules(output, at.to("output", index), output.get, f" {output.get}")
        if isinstance(name := action.peek("var"), str):
            self._asking.setdefault(name, set()).add(point)

    def _exits(self, action: Action, at: _At, point: Point) -> Iterator[Mutant]:
        criteria = action.peek("exit_criteria")
        if criteria is None:
            return
        yield self._mutant("exit_criteria", action, at.to("exit_criteria"), [point])
        custom = criteria.custom_conditions
        for index, each in enumerate(custom if len(custom) > 1 else ()):
            here = at.to("exit_criteria", "custom_conditions", index)
            yield self._mutant("exit_condition", each, here, [point], f" {index + 1}", at_node=True)

    # variables

    def _declared(self, declared: list[Variable], at: _At) -> Iterator[Mutant]:
        for index, variable in enumerate(declared):
            here = at.to("declare", index)
            yield from self._rules(variable, here, variable.var, f" {variable.var}")

    def _rules(self, node: VariableRules, at: _At, name: str, detail: str = "") -> Iterator[Mutant]:
        for key, what in RULES.items():
            if getattr(node, key) is not None:
                found = self._mutant(what, node, at.to(key), self._asking.get(name, set()), detail, key=what)
                yield replace(found, variable=name)

    # awareness scripts and forms

    def _watching(self) -> Iterator[Mutant]:
        for ref, node in sorted(self._script.awareness.items()):
            at = _At("awareness", ref, ref)
            acted = [_branch(ref, way) for way in WAYS]
            yield self._mutant("awareness", node, at, acted, at_node=True)
            orders = [(way, n) for way in WAYS for n in range(len(getattr(node, way)))]
            for way, n in orders if len(orders) > 1 else ():
                directive = getattr(node, way)[n]
                here, detail = at.to(way, n), f" {way} {n + 1}"
                yield self._mutant("directive", directive, here, [_branch(ref, way)], detail, at_node=True)
            if node.cooldown is not None:
                yield self._mutant("cooldown", node, at.to("cooldown"), acted)
            if node.expires is not None:
                yield self._mutant("expires", node, at.to("expires"), acted)

    def _form(self, form: Form, at: _At) -> Iterator[Mutant]:
        point: Point = ("form", at.own)
        for index, each in enumerate(form.fields):
            here, name = at.to("fields", index), f" {each.id}"
            if each.show_when is not None:
                yield self._mutant("form_shown", each, here.to("show_when"), [point], name)
            if each.validate_ is not None:
                yield self._mutant("form_check", each, here.to("validate_"), [point], name, key="validate")
        lists: tuple[tuple[What, str, list[Node]], ...] = (
            ("form_check", "validate_", [*form.validate_]),
            ("form_answer", "on_answer", [*form.on_answer]),
            ("form_submit", "on_submit", [*form.on_submit]),
        )
        for what, key, nodes in lists:
            for index, node in enumerate(nodes):
                yield self._mutant(what, node, at.to(key, index), [point], f" {index + 1}", at_node=True)

    def _mutant(
        self,
        what: What,
        node: Node,
        at: _At,
        points: Iterable[Point],
        detail: str = "",
        *,
        key: str = "",
        at_node: bool = False,
    ) -> Mutant:
        """``at`` leads to what is taken away, which is ``node`` itself or one of its fields."""
        project = self._projects.get(at.own.partition("/")[0])
        written = key or (at.path[-1] if at.path else "")
        place = node.place if at_node or project is None else project.at(node, written)
        name = f"{what} {at.own}{detail}"
        text = node.model_dump_json() if at_node else str(getattr(node, str(at.path[-1])))
        return Mutant(what, name, place, at.root, at.ref, at.path, frozenset(points), text)


def _branch(own: str, way: str) -> Point:
    return "branch", branches.branch(own, way)
