"""What conversations came to of several scripts together, counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.language.compiling.script import Script, Source
from heartrule.language.projects.project import SAFETY
from heartrule.script_tests.coverage import KINDS, Item, Kind, Projects, items, uses


@dataclass(frozen=True, slots=True)
class Count:
    reached: int
    total: int

    @property
    def share(self) -> float:
        """Percent; of nothing everything has been reached."""
        return 100.0 * self.reached / self.total if self.total else 100.0


@dataclass(frozen=True, slots=True)
class Tally:
    """``items`` count; those ``beside`` are of the safety project, which belongs to every script, where no script names
    them. ``sessions`` real ones were counted, and ``others`` were of another version of their script."""

    items: tuple[Item, ...]
    beside: tuple[Item, ...] = ()
    by_tests: frozenset[Item] = frozenset()
    by_sessions: frozenset[Item] = frozenset()
    sources: Mapping[tuple[str, str], Source] = field(default_factory=dict, repr=False)
    tests: int = 0
    sessions: int = 0
    others: int = 0

    @property
    def reached(self) -> frozenset[Item]:
        return self.by_tests | self.by_sessions

    @property
    def missed(self) -> tuple[Item, ...]:
        """What counts and was not reached, in order."""
        return tuple(item for item in self.items if item not in self.reached)

    @property
    def whole(self) -> Count:
        return count(self.items, self.reached)

    @property
    def kinds(self) -> dict[Kind, Count]:
        """By kind; kinds of which there is nothing are left out."""
        return by_kind(self.items, self.reached)

    def enough(self, least: float) -> bool:
        """Whether at least so many percent were reached: 99.96 is no 100."""
        return self.whole.share >= least


def count(of: Iterable[Item], reached: Collection[Item]) -> Count:
    found = [item in reached for item in of]
    return Count(sum(found), len(found))


def by_kind(of: Sequence[Item], reached: Collection[Item]) -> dict[Kind, Count]:
    counts = {kind: count([item for item in of if item.kind == kind], reached) for kind in KINDS}
    return {kind: each for kind, each in counts.items() if each.total}


def tally(
    scripts: Sequence[Script],
    projects: Projects,
    own: Collection[str],
    by_tests: Iterable[frozenset[Item]] = (),
    by_sessions: Iterable[frozenset[Item]] = (),
    others: int = 0,
) -> Tally:
    """``own``: the projects that the question is about. Of their scripts everything counts but what is of the safety
    project; of others, with whose help a project without sessions is tested, what is of these projects. ``projects``
    tell where things stand. What several scripts reach counts once."""
    found: dict[Item, bool] = {}
    for script in scripts:
        at_home, wanted = script.project.id in own, uses(script)
        for item in items(script, projects):
            counts = item.project in own or (at_home and (item.project != SAFETY or _within(item, wanted)))
            found[item] = found.get(item, False) or counts
    tests, sessions = list(by_tests), list(by_sessions)
    return Tally(
        items=tuple(item for item, counts in found.items() if counts),
        beside=tuple(item for item, counts in found.items() if not counts and item.project == SAFETY),
        by_tests=frozenset().union(*tests),
        by_sessions=frozenset().union(*sessions),
        sources={(p.id, path): source for p in projects.values() for path, source in p.sources.items()},
        tests=len(tests),
        sessions=len(sessions),
        others=others,
    )


def _within(item: Item, wanted: Collection[str]) -> bool:
    return any(item.owner == ref or item.owner.startswith(f"{ref}/") for ref in wanted)
