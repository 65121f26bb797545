"""A loaded project as lint looks at it: its flows, what can be seen from each, and what references mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from heartrule.language.bilingual import Bilingual
from heartrule.language.compiling.implicit_scopes import Guess, inferred
from heartrule.language.findings import mends
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.topic_graph import TopicGraph
from heartrule.language.names import Names, aliases
from heartrule.language.nodes import (
    Action,
    Awareness,
    Get,
    Node,
    Phase,
    Place,
    Scope,
    Session,
    Skill,
    Topic,
    Variable,
    VariableRules,
)
from heartrule.language.nodes.forms import Form
from heartrule.language.projects.project import SAFETY, LoadedProject
from heartrule.language.references import Referable, homes, identity, in_locale, pick, split

Projects = Callable[[str], LoadedProject | None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Body:
    """Actions that run one after another, a topic's or a skill's, and what they stand in. A skill stands in nothing."""

    steps: Topic | Skill
    locale: str
    session: Session | None = None
    phase: Phase | None = None

    def declared(self) -> Iterator[tuple[Scope, Variable]]:
        """The declarations that can be seen from here, inner ones first."""
        for variable in self.steps.declare:
            yield variable.scope or "topic", variable
        for variable in self.phase.declare if self.phase else ():
            yield variable.scope or "phase", variable
        for variable in self.session.declare if self.session else ():
            yield variable.scope or "session", variable


@dataclass(slots=True)
class View:
    """``project`` is what is checked; ``projects`` finds the others it may refer to."""

    project: LoadedProject
    projects: Projects
    names: Names = field(default_factory=Names)
    bodies: tuple[Body, ...] = field(init=False)
    globals: dict[str, Variable] = field(init=False)
    _once: dict[Callable[[View], Any], Any] = field(default_factory=dict)
    _declarations: dict[int, dict[str, tuple[Scope, Variable]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bodies = tuple(self._bodies())
        self.globals = _globals(self.project, self.projects(SAFETY))

    def _bodies(self) -> Iterator[Body]:
        default = self.project.node.locale
        for session in self.project.sessions:
            for phase in session.phases:
                for topic in phase.steps:
                    yield Body(topic, session.locale or default, session, phase)
        for skill in self.project.skills:
            yield Body(skill, skill.locale or default)

    def once(self, work: Callable[[View], T]) -> T:
        """What ``work`` makes of all of it, made once for all rules that ask. Nobody may change it."""
        if work not in self._once:
            self._once[work] = work(self)
        made: T = self._once[work]
        return made

    def of(self, session: Session) -> Sequence[Body]:
        """The topics of a session."""
        return self.once(_by_session).get(id(session), ())

    def actions(self) -> tuple[tuple[Body, Action], ...]:
        """Every action with what it stands in."""
        return self.once(_all_actions)

    def _each_action(self) -> Iterator[tuple[Body, Action]]:
        """All actions, those of a block behind it."""
        for body in self.bodies:
            for action in body.steps.actions:
                yield body, action
                for part in action.peek("actions") or ():
                    yield body, part

    def nodes(self) -> tuple[Node, ...]:
        """Every node that speaks for itself: sessions, phases, topics, skills, actions, awareness scripts, forms."""
        return self.once(_all_nodes)

    def _each_node(self) -> Iterator[Node]:
        for session in self.project.sessions:
            yield session
            yield from session.phases
        for body in self.bodies:
            yield body.steps
            yield from body.steps.actions
        yield from self.project.awareness
        yield from self.project.forms

    def ordering(self) -> Iterator[Awareness | Form]:
        """Every node that may issue directives."""
        yield from self.project.awareness
        yield from self.project.forms

    def variables(self) -> tuple[Variable, ...]:
        """Every declaration of the project."""
        return self.once(_all_variables)

    def _each_variable(self) -> Iterator[Variable]:
        yield from self.project.variables
        for session in self.project.sessions:
            yield from session.declare
            for phase in session.phases:
                yield from phase.declare
        for body in self.bodies:
            yield from body.steps.declare

    def rules(self) -> tuple[VariableRules, ...]:
        """The rules of every declaration and of every output."""
        return self.once(_all_rules)

    def _each_rules(self) -> Iterator[VariableRules]:
        yield from self.variables()
        for _, action in self.actions():
            for write in self.names.writes(action):
                if write.rules is not None:
                    yield write.rules

    # ways

    def ways(self, session: Session) -> TopicGraph:
        """The ways through a session."""
        return self.names.once(_ways, session, self.once(_all_moved))

    def told_besides(self) -> frozenset[str]:
        """Names that get values at any time: by awareness scripts, by forms, or since they are listened for."""
        return self.once(_besides)

    def _told_besides(self) -> set[str]:
        found = {
            write.head for node in self.nodes() if isinstance(node, Awareness) for write in self.names.writes(node)
        }
        for form in self.project.forms:
            found |= {write.head for write in self.names.writes(form)}
            found |= {write.head for _, child in form.children() for write in self.names.writes(child)}
        found |= {variable.var for variable in self.variables() if variable.listen is not None}
        for _, action in self.actions():
            found |= {each.get for each in action.peek("output") or () if isinstance(each, Get) and each.listen}
        return found

    # references

    def other(self, reference: str) -> tuple[LoadedProject | None, str]:
        """The project that a reference reaches into, and the rest of the reference."""
        name, rest = split(reference, self.project.id)
        return (self.project if name == self.project.id else self.projects(name)), rest

    def skill(self, reference: str, locale: str) -> Skill | None:
        """The skill that is meant where ``locale`` is spoken."""
        for project, rest in self._homes(reference):
            found = pick(project.skills, rest)
            if found is not None:
                return in_locale(found, list(project.skills), locale, project.node.locale)
        return None

    def noticing(self, reference: str) -> Awareness | None:
        found = (pick(project.awareness, rest) for project, rest in self._homes(reference))
        return next((each for each in found if each is not None), None)

    def _homes(self, reference: str) -> Iterator[tuple[LoadedProject, str]]:
        for name, rest in homes(reference, self.project.id):
            project = self.project if name == self.project.id else self.projects(name)
            if project is not None:
                yield project, rest

    def form(self, reference: str, locale: str) -> Form | None:
        """The form that is meant where ``locale`` is spoken."""
        project, rest = self.other(reference)
        found = pick(project.forms, rest) if project is not None else None
        if project is None or found is None:
            return None
        return in_locale(found, list(project.forms), locale, project.node.locale)

    def answered(self, body: Body, name: str) -> Form | None:
        """The form whose answers a name holds in ``body``: it is shown, and nothing that is declared is
        called so."""
        reference = self.once(_shown).get(name, "")
        if not reference or self.declaration(body, name) is not None:
            return None
        return self.form(reference, body.locale)

    def known(self, shelf: Literal["skills", "awareness"], reference: str) -> list[str]:
        """What a reference may have meant: what its project has, and what is near of what is always loaded."""
        found: list[str] = []
        for project, rest in self._homes(reference):
            names = spellings(iter(getattr(project, shelf)))
            own = not found and project is self.other(reference)[0]
            found += names if own else [each for each in mends.alike(rest, names) if each not in found]
        return found

    def is_whole(self, reference: str) -> bool:
        """Whether everything in the project that a reference reaches into could be read."""
        project, _ = self.other(reference)
        return project is None or project.whole

    # mends

    def renamed(self, place: Place, written: str, known: Sequence[str], *, inside: bool = False) -> Mend | None:
        """The mend of a misspelt name that is all of a value, or stands ``inside`` of a text: the one known that is
        near. Names are the author's, and what is like one may mean another; a person decides."""
        parts = [part.strip() for part in re.split(r"[、，;；]", written)]
        if len(parts) > 1 and all(part in known for part in parts) and isinstance(place.path[-1], int):
            return self.rewritten(place, re.escape(written), ", ".join(parts).replace("\\", r"\\"), safe=False)
        prefix, slash, rest = written.rpartition("/")
        near = mends.one_near(rest, known)
        return self.replaced(place, written, f"{prefix}{slash}{near}", safe=False, inside=inside) if near else None

    def chosen(self, place: Place, written: str, known: Sequence[str]) -> Mend | None:
        """The mend of a misspelt value that is one of a few: the nearest one."""
        near = mends.near(written, known)
        return self.replaced(place, written, near[0], safe=near[1]) if near else None

    def replaced(
        self, place: Place, old: object, new: object, *, safe: bool = True, inside: bool = False
    ) -> Mend | None:
        """The mend that writes ``new`` where ``old`` stands."""
        source = self.project.maps.get(place.file)
        if source is None:
            return None
        if inside:
            return mends.name(source, place, str(old), str(new), safe=safe)
        return mends.whole(source, place, old, new, safe=safe)

    def misnamed(self, place: Place, written: str, name: str, known: Sequence[str]) -> Mend | None:
        """The mend of a placeholder with a misspelt name: the nearest one known."""
        near = mends.near(name, known)
        return (
            self.rewritten(place, re.escape(written), _literal(written, name, near[0]), safe=near[1]) if near else None
        )

    def rewritten(self, place: Place, pattern: str, new: str, *, safe: bool = True) -> Mend | None:
        """The mend that writes ``new`` for what ``pattern`` matches."""
        source = self.project.maps.get(place.file)
        return mends.pattern(source, place, pattern, new, safe=safe) if source is not None else None

    def without(self, place: Place, *, safe: bool = True) -> Mend | None:
        """The mend that takes away the key that stands at a place."""
        source = self.project.maps.get(place.file)
        return mends.removed(source, place, safe=safe) if source is not None else None

    # variables

    def declaration(self, body: Body, name: str) -> tuple[Scope, Variable] | None:
        """The declaration of ``name`` that counts in ``body``."""
        known = self._declarations.get(id(body.steps))
        if known is None:
            known = self._declarations[id(body.steps)] = {}
            for scope, variable in body.declared():
                known.setdefault(variable.var, (scope, variable))
        found = known.get(name)
        if found is not None:
            return found
        shared = self.globals.get(name)
        return (shared.scope or "global", shared) if shared is not None else None

    def guesses(self, session: Session) -> dict[str, Guess]:
        """The scopes of names that a session writes without declaring them."""
        return self.names.once(_guesses, session, *self.globals.values())

    def read(self) -> frozenset[str]:
        """The names that anything in the project reads."""
        return self.once(_read)

    def written(self) -> frozenset[str]:
        """The names that an action of the project writes."""
        return self.once(_written)

    def names_in(self, body: Body) -> frozenset[str]:
        """Names that a body itself declares, is given, or writes."""
        return self.names.once(_names_in, body.steps)


def _all_actions(view: View) -> tuple[tuple[Body, Action], ...]:
    return tuple(view._each_action())


def _all_nodes(view: View) -> tuple[Node, ...]:
    return tuple(view._each_node())


def _all_variables(view: View) -> tuple[Variable, ...]:
    return tuple(view._each_variable())


def _all_rules(view: View) -> tuple[VariableRules, ...]:
    return tuple(view._each_rules())


def _all_moved(view: View) -> frozenset[str]:
    return frozenset(name for node in view.project.awareness for name in _moved(node))


def _besides(view: View) -> frozenset[str]:
    return frozenset(view._told_besides())


def _by_session(view: View) -> dict[int, list[Body]]:
    found: dict[int, list[Body]] = {}
    for body in view.bodies:
        if body.session is not None:
            found.setdefault(id(body.session), []).append(body)
    return found


def _names_in(names: Names, steps: Topic | Skill) -> frozenset[str]:
    found = {variable.var for variable in steps.declare} | set(aliases(steps))
    if isinstance(steps, Skill):
        found |= {parameter.name for parameter in steps.parameters}
    for action in steps.actions:
        found |= {write.head for write in names.writes(action)}
    return frozenset(found)


def _shown(view: View) -> dict[str, str]:
    """The references of forms that are shown, by the name that their answers go by."""
    found: dict[str, str] = {}
    for _, action in view.actions():
        if isinstance(reference := action.peek("form"), str):
            found.setdefault(split(reference, "")[1], reference)
    return found


def _read(view: View) -> frozenset[str]:
    nodes = (*view.nodes(), *view.project.variables)
    return frozenset(each.head for node in nodes for each in view.names.reads(node))


def _written(view: View) -> frozenset[str]:
    return frozenset(write.head for _, action in view.actions() for write in view.names.writes(action))


def _ways(_: Names, session: Session, moved: frozenset[str]) -> TopicGraph:
    return TopicGraph(session, moved)


def _guesses(names: Names, session: Session, *shared: Variable) -> dict[str, Guess]:
    return inferred(session, (), shared, names)


def _globals(project: LoadedProject, safety: LoadedProject | None) -> dict[str, Variable]:
    found = {variable.var: variable for variable in project.variables}
    for variable in safety.variables if safety is not None else ():
        found.setdefault(variable.var, variable)
    return found


def _moved(node: Awareness) -> Iterator[str]:
    """The topics that directives of a script skip, insert, or put elsewhere."""
    for directive in node.directives():
        yield from (directive.topic or "", *(directive.topics or ()), *(directive.priority_map or ()))


def _literal(written: str, name: str, new: str) -> str:
    """A template of the ``re`` module that says just this."""
    return written.replace(name, new, 1).replace("\\", r"\\")


def nearest(wanted: str, known: list[str]) -> Bilingual:
    """Advice that names what is near of what is known, or all of it where it is little."""
    near = mends.alike(wanted, known)
    if near:
        names = [f"`{name}`" for name in near]
        return Bilingual(f"是不是想写 {' 或 '.join(names)}？", f"Did you mean {' or '.join(names)}?")
    if known:
        return Bilingual(f"有这些：{'、'.join(known[:12])}。", f"There are: {', '.join(known[:12])}.")
    return Bilingual("这个项目里还没有。", "This project has none yet.")


def listed(names: Iterable[str]) -> Bilingual:
    """Names one after another, as each language parts them."""
    names = list(names)
    return Bilingual("、".join(names), ", ".join(names))


def spellings(nodes: Iterator[Referable]) -> list[str]:
    """What nodes can be referred to by."""
    return [identity(node) for node in nodes]
