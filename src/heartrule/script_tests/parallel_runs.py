"""Many cases held, in this process or in several, and told in the order in which they are written."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from heartrule.language.compiling.script import Script
from heartrule.script_tests.answer_source import Answerers, AnswerOptions
from heartrule.script_tests.case_run import RanCase, run
from heartrule.script_tests.suite import Job, Shelf

Progress = Callable[[int, int], None]
"""Is told how many cases of how many are done."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case that was held. ``runs``: every time, in a row; it passes when enough of them did."""

    job: Job
    runs: tuple[RanCase, ...] = field(repr=False)
    seconds: float = 0.0

    @property
    def passes(self) -> int:
        return sum(each.passed for each in self.runs)

    @property
    def passed(self) -> bool:
        return self.passes >= (self.job.case.live.wanted if self.job.case.by == "live" else len(self.runs))

    @property
    def shown(self) -> RanCase:
        """The run that says most: the first that failed, else the last."""
        return next((each for each in self.runs if not each.passed), self.runs[-1])


SCRIPTED = AnswerOptions()


def hold(
    jobs: Sequence[Job],
    projects: Sequence[Path] = (),
    *,
    parallel: int = 1,
    progress: Progress = lambda done, of: None,
    means: AnswerOptions = SCRIPTED,
    answerers: Answerers | None = None,
) -> Iterator[CaseResult]:
    """Each job's result, in the order of the jobs, as soon as all before it are there. What wants a live model is left
    out where ``means`` has none. What records is run in this process, where ``answerers`` keep it."""
    folders = tuple(projects)
    jobs = [job for job in jobs if not _lacks(job, means)]
    if parallel < 2 or len(jobs) < 2 or means.record:
        answerers = answerers or Answerers(means)
        for number, job in enumerate(jobs, 1):
            yield _held(job, folders, answerers)
            progress(number, len(jobs))
        return
    with ProcessPoolExecutor(min(parallel, len(jobs)), mp_context=get_context("spawn")) as pool:
        coming = [pool.submit(_alone, job, folders, means) for job in jobs]
        for number, each in enumerate(coming, 1):
            yield each.result()
            progress(number, len(jobs))


def left_out(jobs: Iterable[Job], means: AnswerOptions) -> list[Job]:
    """Those that want a live model where ``means`` has none."""
    return [job for job in jobs if _lacks(job, means)]


def _lacks(job: Job, means: AnswerOptions) -> bool:
    return job.case.by == "live" and not means.live


def _alone(job: Job, projects: tuple[Path, ...], means: AnswerOptions) -> CaseResult:
    return _held(job, projects, Answerers(means))


def _held(job: Job, projects: tuple[Path, ...], answerers: Answerers) -> CaseResult:
    script = _shelf(projects).script(Path(job.file), job.reference, job.case.locale)
    begun = time.perf_counter()
    times = job.case.live.runs if job.case.by == "live" else 1
    runs = tuple(_run(job, script, answerers) for _ in range(times))
    if job.case.by == "recorded" and any(each.fault is not None for each in runs):
        answerers.broke_off(job.file)
    return CaseResult(job, runs, time.perf_counter() - begun)


def _run(job: Job, script: Script, answerers: Answerers) -> RanCase:
    answers = answerers.of(job.file, job.case, script)
    try:
        return run(job.case, script, answers)
    finally:
        if answers is not None:
            answers.close()


@cache
def _shelf(projects: tuple[Path, ...]) -> Shelf:
    return Shelf(projects)
