"""Mutants put to the tests: each is held by those tests that come to where it differs, until one of them fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from heartrule.engine.session.events import Unwritten, VariableOperation
from heartrule.language.compiling.script import Script
from heartrule.script_tests.case_run import run
from heartrule.script_tests.mutant_script import mutated
from heartrule.script_tests.mutation import Mutant, Point
from heartrule.script_tests.parallel_runs import CaseResult, Progress
from heartrule.script_tests.suite import Job, Shelf
from heartrule.script_tests.survey import of_tests

BY = ("none", "scripted")
"""Who answers in the tests that mutants are put to: what was recorded or is live answers another question otherwise, or
not at all."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A test that passes with the script as it is, and where it was."""

    job: Job
    script: str
    points: frozenset[Point] = field(repr=False)
    variables: frozenset[str]
    words: frozenset[str] = field(default=frozenset(), repr=False)
    """What it expects, in words of the script."""

    def sees(self, mutant: Mutant) -> bool:
        """Whether it was where the mutant differs."""
        if mutant.root == "session" and mutant.ref != self.script:
            return False
        return bool(mutant.points & self.points) or (mutant.variable != "" and mutant.variable in self.variables)

    def looks_at(self, mutant: Mutant) -> int:
        """How much of what it expects is spoken of by what is taken away: the more, the sooner it is tried."""
        text = f"{mutant.text} {mutant.id}"
        return sum(word in text for word in self.words)


@dataclass(frozen=True, slots=True)
class MutantRun:
    """``by``: the test that failed; None when all ``tests`` that come there passed."""

    mutant: Mutant
    tests: int
    by: Job | None = None

    @property
    def died(self) -> bool:
        return self.by is not None


def witnesses(held: Iterable[CaseResult], shelf: Shelf) -> list[Witness]:
    """The tests that mutants can be put to, the short ones first."""
    usable = [each for each in held if each.job.case.by in BY]
    found = []
    for each, (script, items) in zip(usable, of_tests(usable, shelf), strict=True):
        points = frozenset((item.kind, item.id) for item in items)
        wanted = [value for expect in each.job.case.all_expected for value in expect.wanted.values()]
        found.append(Witness(each.job, script.id, points, frozenset(_written(each)), frozenset(_words(wanted))))
    return sorted(found, key=lambda each: len(each.job.case.steps))


def _words(wanted: Any) -> Iterator[str]:
    """The texts in what is expected, and the names of variables."""
    if isinstance(wanted, str):
        yield from (wanted,) if len(wanted) > 1 else ()
    elif isinstance(wanted, Mapping):
        yield from (each for key, value in wanted.items() for part in (key, value) for each in _words(part))
    elif isinstance(wanted, list):
        yield from (each for part in wanted for each in _words(part))


def _written(held: CaseResult) -> Iterator[str]:
    for ran in held.runs:
        for event in ran.events:
            if isinstance(event, VariableOperation | Unwritten):
                yield event.name


def trials(
    mutants: Sequence[Mutant],
    tests: Sequence[Witness],
    projects: Sequence[Path] = (),
    *,
    parallel: int = 1,
    progress: Progress = lambda done, of: None,
) -> Iterator[MutantRun]:
    """What became of each mutant, in their order; the same however many processes there are."""
    jobs = [(mutant, _in_order(mutant, tests)) for mutant in mutants]
    folders = tuple(projects)
    for number, each in enumerate(_tried(jobs, folders, parallel), 1):
        yield each
        progress(number, len(jobs))


def _in_order(mutant: Mutant, tests: Sequence[Witness]) -> tuple[Job, ...]:
    """The tests that come there, those first that look most likely to notice, of equal ones the shortest."""
    seeing = [each for each in tests if each.sees(mutant)]
    return tuple(each.job for each in sorted(seeing, key=lambda each: -each.looks_at(mutant)))


def _tried(
    jobs: Sequence[tuple[Mutant, tuple[Job, ...]]], folders: tuple[Path, ...], parallel: int
) -> Iterator[MutantRun]:
    if parallel < 2 or len(jobs) < 2:
        yield from (_try(mutant, tests, folders) for mutant, tests in jobs)
        return
    with ProcessPoolExecutor(parallel, mp_context=get_context("spawn")) as pool:
        mutants, tests = [job[0] for job in jobs], [job[1] for job in jobs]
        chunk = max(1, min(16, len(jobs) // (parallel * 4)))
        yield from pool.map(_try, mutants, tests, [folders] * len(jobs), chunksize=chunk)


def _try(mutant: Mutant, tests: Sequence[Job], folders: tuple[Path, ...]) -> MutantRun:
    scripts: dict[str, Script | None] = {}
    for job in tests:
        whole = _shelf(folders).script(Path(job.file), job.reference, job.case.locale)
        changed = scripts.setdefault(whole.id, mutated(whole, mutant))
        if changed is not None and not run(job.case, changed, hasty=True).passed:
            return MutantRun(mutant, len(tests), job)
    return MutantRun(mutant, len(tests))


@cache
def _shelf(projects: tuple[Path, ...]) -> Shelf:
    return Shelf(projects)
