"""What rests on an action: who reads what it writes, what it reads itself, and whether it asks about a risk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heartrule.engine.session.state import TopicFrame
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.names import SCOPES, Names
from heartrule.language.nodes import Action, Declares, Node, Skill, Steps, VariableRules

_TOLD = ("crisis_contacts", "danger_contacts", "emergency_contacts", "crisis_numbers", "crisis_helpline")
"""System variables that tell a person whom to call."""


class Reliance:
    """Of one topic's actions, as its ``body`` has them now."""

    def __init__(self, work: Work, frame: TopicFrame, body: Steps) -> None:
        self._work = work
        self._frame = frame
        self._body = body
        self._names = Names()

    def writes(self, action: Action) -> set[str]:
        return {_bare(write.name) for write in self._names.writes(action)}

    def reads(self, action: Action) -> set[str]:
        return {_bare(read.name) for read in self._names.reads(action)}

    def required(self, action: Action) -> str:
        """A name that the action writes and something else reads, or that is kept beyond the session; empty: none."""
        written = self.writes(action)
        if not written:
            return ""
        handed = {each.theirs for each in self._frame.returns}
        handed |= set(self._body.returns) if isinstance(self._body, Skill) else set()
        for name in sorted(written):
            if name in handed or self._is_global(name):
                return name
        for node in self._others(action):
            for read in self._names.reads(node):
                met = next((name for name in written if _meet(name, _bare(read.name))), None)
                if met is not None:
                    return met
        return ""

    def protected(self, action: Action) -> str:
        """Why no plan may touch it; empty: one may."""
        if any(rules.risk for name in self.writes(action) for rules in self._rules(name)):
            return "it asks about a risk"
        if any(getattr(item, "risk", False) for item in action.peek("output") or []):
            return "it asks about a risk"
        texts = [value for value in action.__dict__.values() if isinstance(value, str)]
        said = (place for text in texts for place in placeholders.names(text))
        if any(place.kind == "system" and place.name in _TOLD for place in said):
            return "it says whom to call"
        return ""

    def apart(self, first: Action, second: Action) -> bool:
        """Whether it makes no difference which of two comes first."""
        return not (
            _any_meet(self.writes(first), self.reads(second) | self.writes(second))
            or _any_meet(self.reads(first), self.writes(second))
        )

    def _others(self, action: Action) -> Iterator[Node]:
        """Everything of the script but the action itself; of the topic, the actions that it really has."""
        script = self._work.world.script
        written = self._work.script_node(self._frame)
        yield from (script.session, *script.awareness.values(), *script.variables.values())
        for phase in script.session.phases:
            yield phase
            yield from self._steps(topic for topic in phase.steps if topic is not written)
        yield from self._steps(skill for skill in script.skills.values() if skill is not written)
        yield self._body
        yield from (each for each in self._body.actions if each is not action)

    @staticmethod
    def _steps(found: Iterable[Steps]) -> Iterator[Node]:
        for steps in found:
            yield steps
            yield from steps.actions

    def _rules(self, name: str) -> Iterator[VariableRules]:
        head = name.partition(".")[0]
        script = self._work.world.script
        declaring: list[Declares] = [self._body, script.session]
        if self._work.state.phase is not None:
            declaring.append(self._work.phase)
        for node in declaring:
            yield from node.declared.get(head, ())
        if head in script.variables:
            yield script.variables[head]

    def _is_global(self, name: str) -> bool:
        head = name.partition(".")[0]
        script = self._work.world.script
        if script.scopes.get(head) == "global":
            return True
        found = next(self._rules(name), None)
        return found is not None and (found.scope or ("global" if head in script.variables else "")) == "global"


def _bare(name: str) -> str:
    """Without the scope that it may be written with."""
    first, dot, rest = name.partition(".")
    return rest if dot and first in SCOPES else name


def _meet(one: str, other: str) -> bool:
    """Whether two names speak of the same value, or one of a part of the other."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _any_meet(some: set[str], others: set[str]) -> bool:
    return any(_meet(one, other) for one in some for other in others)
