"""What a rule for other spellings is given, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import clip
from heartrule.language.texts.page import Page, scalar
from heartrule.language.texts.text_edits import Edit
from heartrule.language.texts.tree import Entry, Tree


class Refusal(NamedTuple):
    """What cannot be turned into our form: where it stands, the code, and what its message says. ``without``: edits
    that leave it out, so that the rest is read."""

    at: int
    code: str
    values: Mapping[str, object]
    without: Sequence[Edit] = ()


class Quietly(list[Edit]):
    """Edits that no loader needs, so that they are not worth telling: what is written means that here already."""


Made = Iterator[list[Edit] | Refusal]


@dataclass(frozen=True, slots=True)
class SpelledMapping:
    """One mapping of a script. ``above``: the mappings that it stands in, the nearest last, each with what it is.
    ``names``: the variables that the file writes or declares."""

    page: Page
    node: Tree
    kind: str
    above: tuple[tuple[str, Tree], ...] = ()
    names: frozenset[str] = field(default=frozenset())

    def within(self, kind: str) -> Tree | None:
        return next((tree for name, tree in reversed(self.above) if name == kind), None)

    def get(self, *names: str) -> Entry | None:
        return self.node.get(*names)

    def text(self, *names: str) -> str | None:
        entry = self.node.get(*names)
        return entry.value.text() if entry else None

    def called(self, value: Tree) -> list[Tree]:
        """The aliases that stand for a value."""
        root = self.above[0][1] if self.above else self.node
        return [leaf for leaf in root.leaves() if leaf.target is value] if value.marked else []

    def freed(self, value: Tree, *gone: Tree) -> list[Edit]:
        """A value that others call by its anchor is written where the first of them does, so that it may change here.
        ``gone``: what goes from here too."""
        aliases = [leaf for leaf in self.called(value) if leaf not in gone]
        if not aliases or value.text() is None:
            return []
        anchor = self.page.text[aliases[0].start + 1 : aliases[0].end]
        return [Edit(aliases[0].start, aliases[0].end, (f"&{anchor} {scalar(value.value)}",))]

    def rename(self, names: Mapping[str, str]) -> Made:
        """Keys that are only called something else."""
        seen: set[str] = set()
        for entry in self.node.entries:
            form = names.get(entry.name)
            if form is None:
                continue
            if self.node.get(form) or form in seen:
                yield both(entry, form)
            else:
                seen.add(form)
                yield self.page.rename(entry, form)


def both(entry: Entry, form: str) -> Refusal:
    """The same thing is said twice, under two keys."""
    return Refusal(entry.key.start, "E192", {"written": clip(entry.name), "key": form})


def taken(at: Entry, key: str, beside: str, advice: Bilingual, edits: Sequence[Edit]) -> Refusal:
    """A key that must be there is not, and something beside it says what it would."""
    return Refusal(at.key.start, "W197", {"key": key, "taken": clip(beside), "advice": advice}, without=edits)


def senseless(entry: Entry, zh: str, en: str) -> Refusal:
    """It has no meaning here; ``zh`` and ``en`` say what to do instead."""
    return Refusal(entry.key.start, "E193", {"written": clip(entry.name), "advice": Bilingual(zh, en)})
