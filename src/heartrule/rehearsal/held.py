"""Many cases held, in this process or in several, and told in the order in which they are written."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from heartrule.rehearsal.running import Ran, run
from heartrule.rehearsal.suite import Job, Shelf

Progress = Callable[[int, int], None]
"""Is told how many cases of how many are done."""


@dataclass(frozen=True, slots=True)
class Held:
    """A case that was held. ``runs``: every time, in a row; it passes when enough of them did."""

    job: Job
    runs: tuple[Ran, ...] = field(repr=False)
    seconds: float = 0.0

    @property
    def passes(self) -> int:
        return sum(each.passed for each in self.runs)

    @property
    def passed(self) -> bool:
        return self.passes >= (self.job.case.live.pass_ if self.job.case.by == "live" else len(self.runs))

    @property
    def shown(self) -> Ran:
        """The run that says most: the first that failed, else the last."""
        return next((each for each in self.runs if not each.passed), self.runs[-1])


def hold(
    jobs: Sequence[Job], projects: Sequence[Path] = (), *, parallel: int = 1, progress: Progress = lambda done, of: None
) -> Iterator[Held]:
    """Each job's result, in the order of the jobs, as soon as all before it are there."""
    folders = tuple(projects)
    if parallel < 2 or len(jobs) < 2:
        for number, job in enumerate(jobs, 1):
            yield _held(job, folders)
            progress(number, len(jobs))
        return
    with ProcessPoolExecutor(min(parallel, len(jobs)), mp_context=get_context("spawn")) as pool:
        coming = [pool.submit(_held, job, folders) for job in jobs]
        for number, each in enumerate(coming, 1):
            yield each.result()
            progress(number, len(jobs))


def _held(job: Job, projects: tuple[Path, ...]) -> Held:
    script = _shelf(projects).script(Path(job.file), job.reference, job.case.locale)
    begun = time.perf_counter()
    ran = run(job.case, script)
    return Held(job, (ran,), time.perf_counter() - begun)


@cache
def _shelf(projects: tuple[Path, ...]) -> Shelf:
    return Shelf(projects)
