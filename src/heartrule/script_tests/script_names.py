"""What a compiled script has that a test can speak of: phases, topics, techniques, actions, variables, awareness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from heartrule.engine import branches
from heartrule.language.compiling.script import Script
from heartrule.language.names import SCOPES, Names, aliases
from heartrule.language.nodes import Action, Declares, Get, Skill, Topic
from heartrule.language.nodes.forms import Form
from heartrule.language.nodes.node import Node
from heartrule.language.projects.project import SAFETY
from heartrule.language.references import identity


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a script. ``phase`` is a phase's index, None in a technique; ``topic`` a topic's id or a technique's
    full id; ``action`` the name an action has in events, and ``index`` its place among its topic's."""

    phase: int | None
    topic: str
    action: str
    index: int


class KnownScript:
    """``script`` as a test refers to it."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.names = Names()

    # places

    @cached_property
    def spots(self) -> list[Spot]:
        """Every action there is: those of topics, of the project's own techniques, of others'."""
        found: list[Spot] = []
        for index, phase in enumerate(self.script.session.phases):
            for topic in phase.steps:
                found += _spots(index, identity(topic), topic)
        own = self.script.project.id
        for ref, skill in sorted(self.script.skills.items(), key=lambda each: not each[0].startswith(f"{own}/")):
            found += _spots(None, ref, skill)
        return found

    def phases(self, reference: str) -> set[str]:
        """Ids of the phases that are meant."""
        return {identity(each) for each in self.script.session.phases if reference in (each.id, each.phase)}

    def topics(self, reference: str) -> set[str]:
        """Ids of the topics, and full ids of the techniques, that are meant."""
        found = {
            identity(topic)
            for phase in self.script.session.phases
            for topic in phase.steps
            if reference in (topic.id, topic.topic)
        }
        return found | self.skills(reference)

    def skills(self, reference: str) -> set[str]:
        """Full ids of the techniques that are meant, in the language of the session where there are several."""
        found = {meant[0] for project in self._projects if (meant := self.script.skill(reference, project))}
        return found | ({reference} if reference in self.script.skills else set())

    def awareness(self, reference: str) -> set[str]:
        """Full ids of the awareness scripts that are meant."""
        return {meant[0] for project in self._projects if (meant := self.script.noticing(reference, project))}

    def forms(self, reference: str) -> set[str]:
        """Full ids of the forms that are meant, in the language of the session where there are several."""
        found = {meant[0] for project in self._projects if (meant := self.script.form(reference, project))}
        return found | ({reference} if reference in self.script.forms else set())

    def actions(self, reference: str) -> list[Spot]:
        """The actions that ``action`` or ``topic/action`` means."""
        return self._meant(reference, self.spots)

    def steps(self, reference: str) -> list[Spot]:
        """The same, and the parts of blocks of actions."""
        return self._meant(reference, [*self.spots, *self.parts.values()])

    def _meant(self, reference: str, spots: list[Spot]) -> list[Spot]:
        whole = [spot for spot in spots if spot.action == reference]
        topic, slash, action = reference.rpartition("/")
        if slash:
            topics = self.topics(topic)
            whole += [spot for spot in spots if spot.topic in topics and spot.action == action]
        return whole

    def node(self, spot: Spot) -> Action:
        """The action that stands there; of a part, the part."""
        if spot.phase is None:
            steps: Topic | Skill = self.script.skills[spot.topic]
        else:
            steps = next(t for t in self.script.session.phases[spot.phase].steps if identity(t) == spot.topic)
        action = steps.actions[spot.index]
        named = dict(_parts(action, spot.topic, spot.index))
        return named.get(spot.action, action)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The variables that some question goes for."""
        actions = [node for node in self.nodes if isinstance(node, Action)]
        gets = (item.get for each in actions for item in each.peek("output") or () if isinstance(item, Get))
        chosen = (each.peek("var") for each in actions if each.peek("choices"))
        return frozenset([*gets, *(name for name in chosen if isinstance(name, str))])

    @cached_property
    def parts(self) -> Mapping[str, Spot]:
        """The actions within blocks, by the place that events name when one begins; ``index`` is the block's."""
        found: dict[str, Spot] = {}
        bodies: list[tuple[int | None, str, Topic | Skill]] = [
            (n, identity(topic), topic) for n, phase in enumerate(self.script.session.phases) for topic in phase.steps
        ]
        bodies += [(None, ref, skill) for ref, skill in self.script.skills.items()]
        for phase, ref, steps in bodies:
            above = "" if phase is None else identity(self.script.session.phases[phase])
            topic = branches.topic_place(above, ref, skill=phase is None)
            for index, action in enumerate(steps.actions):
                for name, _ in _parts(action, ref, index):
                    found[branches.action_place(topic, ref, name)] = Spot(phase, ref, name, index)
        return found

    def beginning(self, reference: str) -> Spot | None:
        """Where a conversation begins that begins ``at`` this: the first action of the topic, the action, or the first
        one of the phase. Of several, the first in the script, topics before techniques."""
        topics, phases = self.topics(reference), self.phases(reference)
        own = self.script.session.phases
        spots = [spot for spot in self.spots if spot.topic in topics] or self.actions(reference)
        spots = spots or [spot for spot in self.spots if spot.phase is not None and identity(own[spot.phase]) in phases]
        return next(iter(spots), None)

    @cached_property
    def _projects(self) -> list[str]:
        """Projects that a reference without one may be meant in, the script's own first."""
        others = {ref.partition("/")[0] for ref in (*self.script.skills, *self.script.awareness, *self.script.forms)}
        return [self.script.project.id, *sorted(others - {self.script.project.id})]

    # names

    @cached_property
    def variables(self) -> frozenset[str]:
        """Every name that something declares or writes."""
        return frozenset({*self._variables_of(self.nodes), *self.script.scopes})

    def _variables_of(self, nodes: Iterable[Node]) -> set[str]:
        found = {*self.script.variables}
        for node in nodes:
            found |= {write.head for write in self.names.writes(node)} | set(aliases(node))
            if isinstance(node, Declares):
                found |= set(node.declared)
            if isinstance(form := node.peek("form"), str) and isinstance(node, Action):
                found.add(form.rpartition("/")[2])
            if isinstance(node, Skill):
                found |= {*node.returns, *(parameter.name for parameter in node.parameters)}
        return found

    def about(self, name: str) -> Sequence[Node]:
        """The nodes that declare, ask for, write or otherwise name a variable."""
        return self._about.get(name, ())

    @cached_property
    def _about(self) -> Mapping[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            names = {*(write.head for write in self.names.writes(node)), *aliases(node)}
            names |= {each.get for each in node.peek("output") or () if isinstance(each, Get)}
            if isinstance(node, Declares):
                names |= set(node.declared)
            if isinstance(node, Skill):
                names |= {*node.returns, *(parameter.name for parameter in node.parameters)}
            for name in names:
                found.setdefault(name, []).append(node)
        return found

    def has_variable(self, name: str) -> bool:
        """Whether a name, with or without a scope before it and a field behind it, can ever hold anything."""
        return head(name) in self.variables

    def has_place(self, reference: str) -> bool:
        """Whether it means a phase, a topic, a technique or an action."""
        return bool(self.phases(reference) or self.topics(reference) or self.actions(reference))

    def answered(self, name: str) -> list[Form]:
        """The forms whose answers a name holds, unless it is declared as something else."""
        if name in self.script.variables or any(
            isinstance(n, Declares) and name in n.declared for n in self.about(name)
        ):
            return []
        meant = {ref for each in self._shown if each.rpartition("/")[2] == name for ref in self.forms(each)}
        return [self.script.forms[ref] for ref in sorted(meant)]

    @cached_property
    def _shown(self) -> frozenset[str]:
        """Forms as actions call them."""
        forms = (node.peek("form") for node in self.nodes if isinstance(node, Action))
        return frozenset(form for form in forms if isinstance(form, str))

    def has_milestone(self, name: str) -> bool:
        """Whether it can be reached; a name with placeholders may turn out to be anything there."""
        patterns = (re.escape(each) for each in self.listed_milestones)
        return any(re.fullmatch(re.sub(r"\\\{.*?\\\}", ".*", pattern), name) for pattern in patterns)

    # lists, for advice: what the safety project has is seldom meant

    def _listed(self, refs: Iterable[str]) -> list[str]:
        found = sorted(refs)
        own = [ref for ref in found if ref.partition("/")[0] != SAFETY]
        return own if self.script.project.id != SAFETY and own else found

    @property
    def listed_milestones(self) -> list[str]:
        return [phase.milestone for phase in self.script.session.phases if phase.milestone]

    @property
    def listed_variables(self) -> list[str]:
        mine = self.script.project.id == SAFETY
        nodes = [node for ref, node in self._named_nodes() if mine or ref.partition("/")[0] != SAFETY]
        return sorted(self._variables_of(nodes))

    @property
    def listed_phases(self) -> list[str]:
        return [identity(phase) for phase in self.script.session.phases]

    @property
    def listed_skills(self) -> list[str]:
        return self._listed(self.script.skills)

    @property
    def listed_forms(self) -> list[str]:
        return self._listed(self.script.forms)

    @property
    def listed_awareness(self) -> list[str]:
        return self._listed(self.script.awareness)

    @cached_property
    def listed_topics(self) -> list[str]:
        return [identity(topic) for phase in self.script.session.phases for topic in phase.steps]

    @cached_property
    def listed_actions(self) -> list[str]:
        mine = self.script.project.id == SAFETY
        own = (spot for spot in self.spots if mine or spot.phase is not None or not spot.topic.startswith(f"{SAFETY}/"))
        return [spot.action for spot in own]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Everything in the script that can declare or write a variable."""
        return tuple(node for _, node in self._named_nodes())

    def _named_nodes(self) -> Iterator[tuple[str, Node]]:
        """With the full id of what they belong to, which begins with its project."""
        session = self.script.session
        yield from ((self.script.id, node) for node in (session, *session.phases))
        yield from (*self.script.awareness.items(), *self.script.forms.items())
        topics = [(self.script.id, topic) for phase in session.phases for topic in phase.steps]
        for ref, each in (*topics, *self.script.skills.items()):
            yield ref, each
            yield from ((ref, action) for action in _actions(each.actions))


def head(name: str) -> str:
    """The variable that a dotted name is about."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first in SCOPES and rest else first


def _spots(phase: int | None, ref: str, steps: Topic | Skill) -> list[Spot]:
    return [Spot(phase, ref, each.id or f"{ref}#{n + 1}", n) for n, each in enumerate(steps.actions)]


def _parts(action: Action, ref: str, index: int) -> Iterator[tuple[str, Action]]:
    """The actions within a block, by the names that events give them."""
    for number, part in enumerate(action.peek("actions") or ()):
        if isinstance(part, Action):
            yield part.id or f"{action.id or f'{ref}#{index + 1}'}.{number + 1}", part


def _actions(actions: Iterable[Action]) -> Iterator[Action]:
    """With those that stand within others."""
    for action in actions:
        yield action
        yield from _actions(child for _, child in action.children() if isinstance(child, Action))
