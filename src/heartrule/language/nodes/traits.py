"""What a type of action is, as everything asks that treats actions alike: scheduling, plans, prompts, lint, coverage,
simulated visitors. A type declares its traits beside its fields; nothing compares names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Plan:
    """What a plan may do with an action: put one in that has the fields ``new`` (none: it may not), change the fields
    ``changed``, leave it out, let it change places with others. ``shown``: fields whose text a person may come to read
    as it stands."""

    new: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    skipped: bool = False
    moved: bool = False
    shown: tuple[str, ...] = ()


NO_PLAN = Plan()


@dataclass(frozen=True, slots=True)
class Traits:
    """``asks``: it puts a question whose answer is free words, in its own words or a model's; ``says``: it tells
    something, likewise. ``offers``: what it puts before the person besides words. ``guides``: it leads through an
    exercise. ``announces``: what is sensitive begins with it; the engine puts it in. ``calls``: it runs a technique.
    ``sets``: it gives a value that its script has written.

    ``waits``: it may wait for the person (``Action.may_wait`` says whether one does). ``silent``: it says nothing and
    waits for nothing. ``is_leaf``: it may stand among actions that are done side by side. ``opened``: the reply before
    it may open it.

    ``model``: what a model does for it: nothing, it reads what was meant by a choice, it thinks unseen, it draws, it
    writes what the person reads. ``literal``: the field whose text is said as it stands. ``monitor``: the template of
    the monitor that looks at how it goes. ``exits``: it ends with an exit, also where it has not decided on one
    itself. ``remembers``: it leaves something to be remembered; ``recalls``: it is told what is.
    """

    asks: Literal["", "own", "model"] = ""
    says: Literal["", "own", "model"] = ""
    offers: Literal["", "choice", "press", "form"] = ""
    guides: bool = False
    announces: bool = False
    calls: bool = False
    sets: bool = False
    waits: bool = False
    silent: bool = False
    is_leaf: bool = True
    opened: bool = False
    model: Literal["", "choice", "unseen", "picture", "words"] = "words"
    literal: str = ""
    monitor: str = ""
    exits: bool = False
    remembers: bool = False
    recalls: bool = False
    plan: Plan = field(default=NO_PLAN)

    @property
    def talks(self) -> bool:
        """Whether it asks or tells."""
        return bool(self.asks or self.says)

    @property
    def takes_words(self) -> bool:
        """Whether free words that come while it waits are taken for what it is about."""
        return bool(self.asks) or self.says == "model"

    @property
    def passes_at_once(self) -> bool:
        """Whether it is over as soon as it is entered, whatever anybody says."""
        return self.silent and not self.calls and not self.model
