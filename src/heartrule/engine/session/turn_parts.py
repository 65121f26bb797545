"""What is noted while one turn is worked out, by what it is about: what was read in the words that came, what a model
has been shown, where the schedule stands, and what holds for whatever is said next. Whoever needs only one of these is
given that one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from heartrule.engine.session.awareness_results import Lookout
from heartrule.engine.session.foreseen import Foreseen
from heartrule.engine.session.opening_words import OpeningWords
from heartrule.engine.session.state import PlannedTopic
from heartrule.engine.session.tasks import Context


@dataclass(slots=True)
class TurnFindings:
    """What this turn's words have told. ``foreseen``: what they say of conditions that the turn may come to, by the
    question as it is put. ``overheard``: values of the waiting stretch that were found beside its reply, each with its
    quote."""

    lookout: Lookout | None = None
    foreseen: dict[str, Foreseen] = field(default_factory=dict)
    overheard: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class Models:
    """What has been put to a model. ``number``: how many tasks were made. ``told``: what it was last told about this
    place, and what that rests on. ``fed``: feedback that a prompt has shown."""

    number: int = 0
    told: tuple[object, Context] | None = field(default=None, repr=False)
    fed: set[str] = field(default_factory=set, repr=False)

    def key(self, name: str) -> str:
        """A task's name, the same for the same place in a turn, however often the turn is worked out."""
        self.number += 1
        return f"{self.number} {name}"


@dataclass(slots=True)
class Schedule:
    """Where the turn stands in the script. ``steps``: how many it has made. ``closed``: instances of a topic that have
    ended in it: the topic, the item, and how many events there were then. ``considered``: the planned topic whose
    condition is being read. ``crossing``: the hook point behind the action that has just ended: its topic's key, the
    hook point, the action's index. ``ordered``: directives below P0 that were carried out. ``opening``: the action that
    a reply has opened already. ``due``: when the time of the question would have been up that is being answered."""

    steps: int = 0
    closed: list[tuple[str, str, int]] = field(default_factory=list, repr=False)
    considered: PlannedTopic | None = None
    crossing: tuple[str, str, int] | None = None
    ordered: int = 0
    opening: OpeningWords | None = None
    due: datetime | None = None


@dataclass(slots=True)
class Flags:
    """``acknowledge``: an answer has been taken that nobody has said a word about yet. ``silent``: what the running
    action says now is held back, because something more urgent comes first. ``interrupted``: something was noticed that
    may come before what the script has next. ``draft``: nothing but a draft of a form came: nobody is asked anything
    about it."""

    acknowledge: bool = False
    silent: bool = False
    interrupted: bool = False
    draft: bool = False
