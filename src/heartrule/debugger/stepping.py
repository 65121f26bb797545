"""How far a step goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from heartrule.debugger import inspection
from heartrule.engine.session.events import Event, Marker, PhaseChanged, RoundInfo, TopicChanged
from heartrule.engine.work import Work

Go = Literal["run", "over", "into", "out", "call"]
"""``over``: to the next action, techniques called meanwhile gone through; ``into``: to whatever comes next: an action,
a technique, a round, a call; ``out``: until the topic or technique has ended; ``call``: to the next prompt."""


@dataclass(frozen=True, slots=True)
class StepLimit:
    """``depth`` and ``topic``: where it began."""

    go: Go = "run"
    depth: int = 0
    topic: str = ""

    @classmethod
    def begun(cls, go: Go, work: Work | None) -> StepLimit:
        if work is None:
            return cls(go)
        running = work.state.running
        return cls(go, inspection.depth(work), running.key if running is not None else "")

    @property
    def calls(self) -> bool:
        """Whether it holds before a model is asked."""
        return self.go in ("into", "call")

    def ends(self, work: Work, event: Event) -> bool:
        match self.go:
            case "over":
                return isinstance(event, Marker) and event.edge == "before" and self._no_deeper(work)
            case "into":
                return _is_next(event)
            case "out":
                return self._is_out(work, event)
            case _:
                return False

    def _no_deeper(self, work: Work) -> bool:
        return not self.depth or inspection.depth(work) <= self.depth

    def _is_out(self, work: Work, event: Event) -> bool:
        if isinstance(event, TopicChanged) and event.key == self.topic:
            return event.state in ("completed", "skipped")
        return isinstance(event, Marker) and event.topic_key != self.topic and self._no_deeper(work)


def _is_next(event: Event) -> bool:
    if isinstance(event, Marker):
        return True
    if isinstance(event, TopicChanged):
        return event.state == "running"
    return isinstance(event, RoundInfo) or (isinstance(event, PhaseChanged) and event.state == "entered")
