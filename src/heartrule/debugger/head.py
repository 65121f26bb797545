"""What a debug session is beside its moves: whose it is, where it stands, what holds it, who answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heartrule.debugger.answers import AnswerPolicy
from heartrule.debugger.breakpoints import Breakpoint
from heartrule.debugger.stepping import StepLimit
from heartrule.debugger.tape import Branch, Change

FORMAT = 1
MAIN = "1"


@dataclass(frozen=True, slots=True)
class NamedSnapshot:
    """A snapshot that somebody has given a name: a place in a move, or behind it (``passed`` None)."""

    name: str
    move: int | None
    passed: int | None
    text: str
    at: datetime

    def plain(self) -> dict[str, Any]:
        place = {"name": self.name, "move": self.move, "passed": self.passed}
        return {**place, "text": self.text, "at": self.at.isoformat()}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> NamedSnapshot:
        return cls(data["name"], data["move"], data["passed"], data["text"], datetime.fromisoformat(data["at"]))


@dataclass(slots=True)
class Head:
    """``virtual``: the session's own time, as of ``real``. ``queue``: what the visitor is still to do, where somebody
    plays them. ``pending``: variables set between two moves. ``log``: what log messages have said. ``project`` and
    ``base``: the project that its texts came from, and the version of the workbench that they are changed since (0: it
    lies in a folder). ``classifiers``: the names of those that read along, by what they hear; none in a session that
    was begun before they did."""

    id: str
    who: str
    script: str
    name: str
    text: str
    created_at: datetime
    virtual: datetime
    real: datetime
    branch: str = MAIN
    branches: dict[str, Branch] = field(default_factory=lambda: {MAIN: Branch(MAIN)})
    breakpoints: list[Breakpoint] = field(default_factory=list)
    watches: list[str] = field(default_factory=list)
    hits: dict[str, int] = field(default_factory=dict)
    stepping: StepLimit = field(default_factory=StepLimit)
    answering: AnswerPolicy = field(default_factory=AnswerPolicy)
    values: dict[str, Any] = field(default_factory=dict, repr=False)
    pending: list[Change] = field(default_factory=list, repr=False)
    named: list[NamedSnapshot] = field(default_factory=list)
    queue: list[dict[str, Any]] = field(default_factory=list, repr=False)
    log: list[dict[str, Any]] = field(default_factory=list, repr=False)
    next: int = 1
    version: int = 0
    closed: bool = False
    project: str = ""
    base: int = 0
    classifiers: dict[str, str] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        go = self.stepping
        return {
            "format": FORMAT,
            "id": self.id,
            "who": self.who,
            "script": self.script,
            "name": self.name,
            "text": self.text,
            "created_at": self.created_at.isoformat(),
            "virtual": self.virtual.isoformat(),
            "real": self.real.isoformat(),
            "branch": self.branch,
            "branches": [each.plain() for each in self.branches.values()],
            "breakpoints": [each.model_dump(mode="json") for each in self.breakpoints],
            "watches": self.watches,
            "hits": self.hits,
            "stepping": [go.go, go.depth, go.topic],
            "answering": self.answering.model_dump(mode="json"),
            "values": self.values,
            "pending": [[each.at, each.name, each.value] for each in self.pending],
            "named": [each.plain() for each in self.named],
            "queue": self.queue,
            "log": self.log,
            "next": self.next,
            "version": self.version,
            "closed": self.closed,
            "project": self.project,
            "base": self.base,
            "classifiers": self.classifiers,
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Head:
        """Raises ``ValueError``, ``KeyError`` or ``TypeError`` for what is none."""
        if data.get("format") != FORMAT:
            raise ValueError("a debug session of another format")
        return cls(
            id=data["id"],
            who=data["who"],
            script=data["script"],
            name=data["name"],
            text=data["text"],
            created_at=datetime.fromisoformat(data["created_at"]),
            virtual=datetime.fromisoformat(data["virtual"]),
            real=datetime.fromisoformat(data["real"]),
            branch=data["branch"],
            branches={each["name"]: Branch(**each) for each in data["branches"]},
            breakpoints=[Breakpoint.model_validate(each) for each in data["breakpoints"]],
            watches=list(data["watches"]),
            hits=dict(data["hits"]),
            stepping=StepLimit(*data["stepping"]),
            answering=AnswerPolicy.model_validate(data["answering"]),
            values=dict(data["values"]),
            pending=[Change(*each) for each in data["pending"]],
            named=[NamedSnapshot.of(each) for each in data["named"]],
            queue=list(data["queue"]),
            log=list(data["log"]),
            next=data["next"],
            version=data["version"],
            closed=data["closed"],
            project=data.get("project", ""),
            base=data.get("base", 0),
            classifiers=dict(data.get("classifiers", {})),
        )
