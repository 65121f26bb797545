"""The ways through a session: from which topic to which one can come, whatever conditions turn out to be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from heartrule.language.expressions import Expression
from heartrule.language.nodes import Session, Topic, Transition

END = -1


@dataclass(frozen=True, slots=True)
class Stop:
    """A topic with the number of its phase."""

    phase: int
    topic: Topic


@dataclass(slots=True)
class TopicGraph:
    """``stops`` are the topics in the script's order, ``edges`` those that can come next (END: the session's end), and
    ``entries`` the first that a phase may begin with."""

    session: Session
    moved: frozenset[str] = frozenset()
    """Topics that directives skip or put elsewhere."""
    stops: list[Stop] = field(default_factory=list)
    edges: list[frozenset[int]] = field(default_factory=list)
    entries: list[frozenset[int]] = field(default_factory=list)
    _behind: dict[int, set[int]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        first: list[int] = []
        for number, phase in enumerate(self.session.phases):
            first.append(len(self.stops))
            self.stops += [Stop(number, topic) for topic in phase.steps]
        following: frozenset[int] = frozenset({END})
        for number in reversed(range(len(self.session.phases))):
            phase = self.session.phases[number]
            begun = frozenset({first[number]}) if phase.steps else frozenset()
            self.entries.insert(0, (begun or following) | (following if phase.condition is not None else frozenset()))
            following = self.entries[0]
        for at, stop in enumerate(self.stops):
            self.edges.append(frozenset(self._next(at, stop)))

    def reached(self, start: Iterable[int]) -> set[int]:
        """The topics that can be come to from these, themselves included."""
        seen = {at for at in start if at != END}
        queue = list(seen)
        while queue:
            for at in self.edges[queue.pop()]:
                if at != END and at not in seen:
                    seen.add(at)
                    queue.append(at)
        return seen

    def behind(self, at: int) -> set[int]:
        """The topics that can be come to from one; itself only where it can be come back to."""
        found = self._behind.get(at)
        if found is None:
            found = self._behind[at] = self.reached(self.edges[at])
        return found

    def may_be_skipped(self, at: int) -> bool:
        """Whether a topic may be gone past, so that its transitions are not read."""
        topic = self.stops[at].topic
        return topic.condition is not None or topic.for_each is not None or bool({topic.id, topic.topic} & self.moved)

    def target(self, phase: int, name: str, *, phases_first: bool = False) -> int | None:
        """The topic that a transition in a phase leads to; END, or None where it leads nowhere."""
        if name == "end":
            return END
        topics = [at for at, stop in enumerate(self.stops) if stop.phase == phase and _named(stop.topic, name)]
        phases = [number for number, each in enumerate(self.session.phases) if name in (each.id, each.phase)]
        if topics and not (phases_first and phases):
            return topics[0]
        return min(self.entries[phases[0]] - {END}, default=END) if phases else None

    def _next(self, at: int, stop: Stop) -> Iterable[int]:
        onward = at + 1 < len(self.stops) and self.stops[at + 1].phase == stop.phase
        after = frozenset({at + 1}) if onward else self._after(stop.phase)
        yield from self._chosen(stop.phase, stop.topic.transitions, after, phases_first=False)
        if self.may_be_skipped(at):
            yield from after

    def _after(self, phase: int) -> frozenset[int]:
        following = self.entries[phase + 1] if phase + 1 < len(self.entries) else frozenset({END})
        transitions = self.session.phases[phase].transitions
        return frozenset(self._chosen(phase, transitions, following, phases_first=True))

    def _chosen(
        self, phase: int, transitions: Sequence[Transition], otherwise: frozenset[int], *, phases_first: bool
    ) -> Iterable[int]:
        for transition in transitions:
            found = self.target(phase, transition.to, phases_first=phases_first)
            if found is None:
                continue
            yield found
            if always(transition.condition):
                return
        yield from otherwise


def always(condition: object) -> bool:
    """Whether a condition holds whatever happens: there is none, or it says ``true``."""
    return condition is None or (isinstance(condition, Expression) and condition.source.strip().lower() == "true")


def _named(topic: Topic, name: str) -> bool:
    return name in (topic.id, topic.topic)
