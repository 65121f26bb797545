"""What of a stretch is known, refused and open."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from heartrule.engine import branches
from heartrule.engine.casefile import records
from heartrule.engine.casefile.known_facts import told_elsewhere
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.variables import dependencies
from heartrule.engine.variables.definitions import is_on_demand, lookup
from heartrule.engine.work import Work
from heartrule.language.nodes import Get


@dataclass(frozen=True, slots=True)
class Coverage:
    """The outputs of a stretch that are looked for now, in the script's order: ``open`` ones may be asked for,
    ``required`` are those among them without which it may not end. ``let_be``: asked for as often as may be, or nothing
    that they could tell."""

    open: tuple[Get, ...]
    required: tuple[Get, ...]
    known: tuple[str, ...]
    refused: tuple[str, ...]
    let_be: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        return [item.get for item in self.open]

    def holds(self, name: str) -> bool:
        """Whether it is looked for at all now."""
        return name in (*self.names, *self.known, *self.refused, *self.let_be)

    def closed(
        self, name: str, *, rest: bool = False, before: Collection[str] = ()
    ) -> Literal["known", "refused", "let_be", "moot", ""]:
        """Why it may not be asked for; empty where it may. ``rest``: they have told half of it, and the other half may
        be asked for. ``before``: what was open before they spoke; what is not looked for any more they have made
        needless."""
        if name in before and not self.holds(name):
            return "moot"
        if name in self.refused:
            return "refused"
        if not rest and name in self.known:
            return "known"
        return "let_be" if not rest and name in self.let_be else ""


def covered(work: Work, action: Any, closed: Collection[str] = ()) -> Coverage:
    """``closed``: names that are let be."""
    found: list[str] = list(QuestionState.of(work.frame).found)
    no = records.refused(work)
    known: list[str] = []
    refused: list[str] = []
    open_: list[Get] = []
    let_be: list[Get] = []
    for item in dependencies.wanted(work, action.output):
        if item.get in found or _is_known(work, action, item):
            known.append(item.get)
        elif item.get in no:
            refused.append(item.get)
        else:
            (let_be if item.get in closed else open_).append(item)
    ordered = sorted(open_, key=lambda item: (not is_required(action, item), item.sensitive))
    required = tuple(item for item in ordered if is_required(action, item))
    return Coverage(tuple(ordered), required, tuple(known), tuple(refused), tuple(item.get for item in let_be))


def come_to(work: Work, names: Iterable[str]) -> None:
    """These were asked for, or told, in the running stretch."""
    for name in names:
        branches.take(work, branches.acting(work), branches.output(name))


def is_required(action: Any, item: Get) -> bool:
    return bool(action.required) if item.required is None else item.required


def _is_known(work: Work, action: Any, item: Get) -> bool:
    """Of what grows with each telling nobody can say that all of it is known. Where the script says ``skip``, what it
    has set itself counts too."""
    if action.when_known == "skip" and lookup(work, item.get) is not None:
        return True
    if action.when_known == "ask":
        return False
    rules = dependencies.rules_of(work, item)
    if rules.update in ("append", "merge_unique"):
        return False
    return lookup(work, item.get) is not None and not is_on_demand(work, item) and told_elsewhere(work, item.get)
