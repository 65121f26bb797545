"""``heartrule mutate``: what could be taken away from scripts without a test noticing."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.covered import refused
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import shown
from heartrule.cli.settings import Lang, Projects
from heartrule.cli.words import Language, said, spoken_here

if TYPE_CHECKING:
    from heartrule.rehearsal.mutation import Mutant
    from heartrule.rehearsal.mutation_told import MutantsTold
    from heartrule.rehearsal.trial import Witness

HELP = said(
    "从脚本里一次拿掉一样东西，看有没有测试发现；列出没人发现的。",
    "Take one thing away from the scripts at a time and see whether a test notices; list what none does.",
)
PATIENCE = 1.0
"""Seconds after which it is said how far the tests are."""
WORTH = 400
"""Runs of tests that are worth another process."""


def mutate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH…]",
            help=said(
                "测试文件、项目文件夹，或装着它们的文件夹；不写就是这里。",
                "Test files, project folders, folders of either; without any, what is here.",
            ),
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", metavar="KIND", help=said("只拿掉这种东西，可以写几次。", "Only of this kind; may be repeated.")
        ),
    ] = None,
    only: Annotated[
        str,
        typer.Option(
            "--only", metavar="TEXT", help=said("只要编号里有这些字的。", "Only those with this in their id.")
        ),
    ] = "",
    least: Annotated[
        float | None,
        typer.Option(
            "--min",
            metavar="PERCENT",
            min=0,
            max=100,
            help=said(
                "发现或说明的少于百分之几就以 1 退出。",
                "Exit 1 when less than so many percent are.",
            ),
            show_default=False,
        ),
    ] = None,
    explained: Annotated[
        bool, typer.Option("--explained", help=said("也列出已经说明的。", "List those that are explained too."))
    ] = False,
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help=said("输出的格式。", "Form of output."))
    ] = "text",
    parallel: Annotated[
        int | None,
        typer.Option(
            "--parallel",
            min=1,
            metavar="N",
            help=said(
                "用几个进程试。",
                "Try in so many processes.",
            ),
            show_default=False,
        ),
    ] = None,
    project: Projects = None,
    lang: Lang = None,
) -> None:
    from heartrule.language.findings import Refused
    from heartrule.language.report import report
    from heartrule.rehearsal.explaining import beside, read, weigh
    from heartrule.rehearsal.mutation import WHATS
    from heartrule.rehearsal.mutation_told import MutantsTold, plain
    from heartrule.rehearsal.trial import trials

    language = spoken_here(lang)
    told = MutantsTold(language)
    if unknown := sorted(set(kind or ()) - set(WHATS)):
        raise stop(told("no_kind", name=unknown[0], known=", ".join(WHATS)), 2)
    projects = list(project or [])
    try:
        ground = _ground(paths or [Path()], projects, told, language)
    except Refused as refusal:
        raise refused(refusal, language) from None
    chosen = [each for each in ground.mutants if only in each.id and (not kind or each.what in kind)]
    runs = sum(each.sees(mutant) for mutant in chosen for each in ground.tests)
    processes = parallel or max(1, min(os.cpu_count() or 1, runs // WORTH))
    tried = list(trials(chosen, ground.tests, projects, parallel=processes, progress=_progress(told)))
    explanations, findings = read(beside(ground.files))
    weighed = weigh(tried, explanations, [each.id for each in ground.mutants])
    findings += weighed.findings
    if form == "json":
        typer.echo(json.dumps(plain(weighed), ensure_ascii=False, indent=2))
    else:
        for line in told.lines(weighed, explained=explained):
            typer.echo(shown(line))
    if findings:
        typer.echo(shown(report(findings, lang=language)), err=True)
    lacking = told.too_little(weighed, least) if least is not None else None
    if lacking is not None:
        typer.echo(lacking, err=True)
    raise typer.Exit(1 if lacking is not None or any(found.stops for found in findings) else 0)


@dataclass(slots=True)
class _Ground:
    """What mutants are put to."""

    mutants: Sequence[Mutant]
    tests: Sequence[Witness]
    files: list[Path] = field(default_factory=list)


def _ground(paths: list[Path], projects: list[Path], told: MutantsTold, language: Language) -> _Ground:
    """The tests, which have to pass as things are, and the mutants of the projects that they belong to."""
    from heartrule.rehearsal.held import hold
    from heartrule.rehearsal.mutation import mutants
    from heartrule.rehearsal.suite import Shelf, collect, named
    from heartrule.rehearsal.survey import gathered
    from heartrule.rehearsal.told import Told
    from heartrule.rehearsal.trial import BY, witnesses

    shelf = Shelf(projects)
    suite = collect([named(path) for path in paths], shelf)
    if suite.refused:
        raise stop(Told(language)("stopped", count=sum(found.stops for found in suite.findings)))
    usable = [job for job in suite.jobs if job.case.by in BY]
    if not usable:
        raise stop(told("none"), 2)
    if len(usable) < len(suite.jobs):
        typer.echo(told("left_out", count=len(suite.jobs) - len(usable)), err=True)
    held = list(hold(usable, projects))
    failing = [each for each in held if not each.passed]
    if failing:
        names = "\n".join(f"  {each.job.file}:{each.job.case.place.line} {each.job.case.test}" for each in failing)
        raise stop(shown(told("failing", count=len(failing)) + "\n" + names))
    ground = gathered([each.job for each in held], shelf, projects)
    own = [each for each in mutants(ground.scripts, ground.projects) if each.project in ground.own]
    return _Ground(own, witnesses(held, shelf), [Path(each.job.file) for each in held])


def _progress(told: MutantsTold) -> Callable[[int, int], None]:
    begun = time.monotonic()

    def told_of(done: int, of: int) -> None:
        if sys.stderr.isatty() and (time.monotonic() - begun > PATIENCE or done == of):
            end = "\r\033[K" if done == of else "\r"
            typer.echo(told("progress", done=done, of=of) + end, err=True, nl=False)

    return told_of
