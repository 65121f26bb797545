"""What a compiled script has that a test can speak of: phases, topics, techniques, actions, variables, awareness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from heartrule.language.compiling.script import Script
from heartrule.language.names import SCOPES, Names, aliases
from heartrule.language.nodes import Action, Declares, Skill, Topic
from heartrule.language.nodes.node import Node
from heartrule.language.references import identity


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a script. ``phase`` is a phase's index, None in a technique; ``topic`` a topic's id or a technique's
    full id; ``action`` the name an action has in events, and ``index`` its place among its topic's."""

    phase: int | None
    topic: str
    action: str
    index: int


class Known:
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
        whole = [spot for spot in self.spots if spot.action == reference]
        topic, slash, action = reference.rpartition("/")
        if slash:
            topics = self.topics(topic)
            whole += [spot for spot in self.spots if spot.topic in topics and spot.action == action]
        return whole

    @cached_property
    def parts(self) -> frozenset[str]:
        """Names of the actions within blocks, which end by themselves but are not entered by themselves."""
        topics = [topic for phase in self.script.session.phases for topic in phase.steps]
        return frozenset(
            part.id or f"{action.id or f'{ref}#{at + 1}'}.{number + 1}"
            for ref, steps in [*((identity(each), each) for each in topics), *self.script.skills.items()]
            for at, action in enumerate(steps.actions)
            for number, part in enumerate(action.peek("actions") or ())
        )

    def beginning(self, reference: str) -> Spot | None:
        """Where a conversation begins that begins ``at`` this: the first action of the topic, or the action. Of
        several, the first in the script, topics before techniques."""
        topics = self.topics(reference)
        spots = [spot for spot in self.spots if spot.topic in topics] or self.actions(reference)
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
        found = {*self.script.variables, *self.script.scopes}
        for node in self.nodes:
            found |= {write.head for write in self.names.writes(node)} | set(aliases(node))
            if isinstance(node, Declares):
                found |= set(node.declared)
            if isinstance(form := node.peek("form"), str) and isinstance(node, Action):
                found.add(form.rpartition("/")[2])
            if isinstance(node, Skill):
                found |= {*node.returns, *(parameter.name for parameter in node.parameters)}
        return frozenset(found)

    def has_variable(self, name: str) -> bool:
        """Whether a name, with or without a scope before it and a field behind it, can ever hold anything."""
        return head(name) in self.variables

    def has_place(self, reference: str) -> bool:
        """Whether it means a phase, a topic, a technique or an action."""
        return bool(self.phases(reference) or self.topics(reference) or self.actions(reference))

    # lists, for advice

    @property
    def listed_phases(self) -> list[str]:
        return [identity(phase) for phase in self.script.session.phases]

    @property
    def listed_skills(self) -> list[str]:
        return sorted(self.script.skills)

    @property
    def listed_forms(self) -> list[str]:
        return sorted(self.script.forms)

    @property
    def listed_awareness(self) -> list[str]:
        return sorted(self.script.awareness)

    @property
    def listed_topics(self) -> list[str]:
        return [identity(topic) for phase in self.script.session.phases for topic in phase.steps]

    @property
    def listed_actions(self) -> list[str]:
        return [spot.action for spot in self.spots]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Everything in the script that can declare or write a variable."""
        return tuple(self._nodes())

    def _nodes(self) -> Iterator[Node]:
        session = self.script.session
        yield from (session, *self.script.awareness.values(), *self.script.forms.values())
        topics = [topic for phase in session.phases for topic in phase.steps]
        yield from session.phases
        for each in (*topics, *self.script.skills.values()):
            yield each
            yield from _actions(each.actions)


def head(name: str) -> str:
    """The variable that a dotted name is about."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first in SCOPES and rest else first


def _spots(phase: int | None, ref: str, steps: Topic | Skill) -> list[Spot]:
    return [Spot(phase, ref, each.id or f"{ref}#{n + 1}", n) for n, each in enumerate(steps.actions)]


def _actions(actions: Iterable[Action]) -> Iterator[Action]:
    """With those that stand within others."""
    for action in actions:
        yield action
        yield from _actions(child for _, child in action.children() if isinstance(child, Action))
