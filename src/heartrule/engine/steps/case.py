"""What is known of a person's words on their way through a turn. Each step returns it with what it has found out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine.repair.conflict_question import Reply
from heartrule.engine.repair.which_answer import TakenBack
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.state import PastQuestion
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.steps.effects import Acting, Effects
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action

Known = Literal["arrived", "screened", "weighed", "answered"]
"""When it can be said whether a row holds: before anything is read, once rules have read the words, once a model has
judged their danger, once the question has its answer."""
Asks = Literal["nothing", "safety", "earlier", "waiting"]
"""What a model is asked about the words: nothing, whether they tell of danger, or that and what the question wants that
they belong to: an earlier one, or the one that waits."""
Found = str | TakenBack | Reply | bool | None
"""What a row has found in the words; empty where it does not hold."""


@dataclass(frozen=True, slots=True)
class Words:
    """``text``: one answer (a burst is joined by newlines), or what of it is claimed. ``said``: all of it, whoever
    claims it. ``messages``: as they came, with their ``numbers`` once they are received. ``before``: what was said in
    pieces just before. ``late``: their sender cannot have seen the question that waits; ``earlier`` is the one that
    they had seen, where it is known and was answered."""

    text: str = field(repr=False)
    said: str = field(repr=False)
    messages: Sequence[str] = field(default=(), repr=False)
    numbers: Sequence[int] = ()
    before: str = field(default="", repr=False)
    after: int | None = None
    late: bool = False
    earlier: PastQuestion | None = None
    repair: str | None = None
    choice: str | None = None

    @property
    def heard(self) -> PersonInput:
        return PersonInput(text=self.text, choice=self.choice, repair=self.repair)


@dataclass(frozen=True, slots=True)
class Danger:
    """``ruled``: what rules and classifier have heard. ``found``: what must act now, by rules and model. ``alarms``:
    variables marked ``risk`` that the words have made a yes, whatever was asked. ``told``: what was told a counsellor
    before, and counts as said now."""

    ruled: Sequence[Verdict] = ()
    found: list[Verdict] = field(default_factory=list)
    alarms: Sequence[str] = ()
    told: Sequence[Verdict] = ()

    @property
    def is_grave(self) -> bool:
        """Whether rules have heard explicit intent."""
        return any(verdict.verdict == "yes" for verdict in self.ruled)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table (``claims.py``). ``holds``: what it finds in the words. ``leaves``: what it leaves for the
    rows below; without it, or where that gives None, it claims them whole."""

    name: str
    known: Known
    holds: Callable[[Case], Found]
    becomes: Callable[[Case], Effects | Acting]
    why: str
    asks: Asks = "nothing"
    leaves: Callable[[Case, Found], Case | None] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """``waiting``: the action that waits, as the script has it. ``chosen``: which of two values they say counts.
    ``first``: they are the first behind a human who has left, and nothing has been asked since. ``own``: what a model
    was asked for the question that they belong to, and ``reply`` its answer. ``claim``: the row that claims them, and
    ``found`` what it has found in them."""

    work: Work = field(repr=False)
    words: Words
    danger: Danger = field(default_factory=Danger)
    waiting: Action | None = field(default=None, repr=False)
    chosen: Reply | None = None
    first: bool = False
    own: Task | None = field(default=None, repr=False)
    reply: Answer | None = field(default=None, repr=False)
    claim: Row | None = None
    found: Found = None

    @property
    def asks(self) -> Asks:
        return self.claim.asks if self.claim is not None else "nothing"

    @property
    def is_open(self) -> bool:
        """Whether it is still to be found out whose the words are, or what the row that claims them wants to know."""
        return self.claim is None or self.asks != "nothing"

    @property
    def in_safety(self) -> bool:
        running = self.work.state.running
        return running is not None and running.project == SAFETY

    @property
    def is_crisis_answer(self) -> bool:
        """Explicit words are never too late for the crisis technique: what they say holds now, whatever they were sent
        to."""
        return self.danger.is_grave and self.in_safety

    @property
    def is_late(self) -> bool:
        return self.words.late and not self.is_crisis_answer

    @property
    def is_read(self) -> bool:
        """Whether a model has read the words for the question that they belong to."""
        return self.reply is not None and self.reply.data is not None
