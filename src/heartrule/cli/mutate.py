"""``heartrule mutate``: what could be taken away from scripts without a test noticing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.coverage_text import refused
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json, shown
from heartrule.cli.settings import Form, Lang, Projects
from heartrule.cli.suites import Paths, progress, sound_suite_at
from heartrule.cli.words import Language, said, spoken_here

if TYPE_CHECKING:
    from heartrule.script_tests.mutant_runs import Witness
    from heartrule.script_tests.mutation import Mutant
    from heartrule.script_tests.mutation_report import MutationTexts

HELP = said(
    "从脚本里一次拿掉一样东西，看有没有测试发现；列出没人发现的。",
    "Take one thing away from the scripts at a time and see whether a test notices; list what none does.",
)
WORTH = 400
"""Runs of tests that are worth another process."""
ALL = 100.0
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind", metavar="KIND", help=said("只拿掉这种东西，可以写几次。", "Only of this kind; may be repeated.")
    ),
]
Only = Annotated[
    str,
    typer.Option("--only", metavar="TEXT", help=said("只要编号里有这些字的。", "Only those with this in their id.")),
]
Every = Annotated[
    int,
    typer.Option(
        "--every",
        metavar="N",
        min=1,
        help=said("每 N 个里只试一个，每次都是同样的几个。", "Only every Nth, the same ones each time."),
        show_default=False,
    ),
]
LeastNoticed = Annotated[
    float,
    typer.Option(
        "--min",
        metavar="PERCENT",
        min=0,
        max=100,
        help=said(
            "发现或说明的少于百分之几就以 1 退出；不写就是全部。",
            "Exit 1 when less than so many percent are noticed or explained; all, unless said.",
        ),
        show_default=False,
    ),
]
Explained = Annotated[
    bool, typer.Option("--explained", help=said("也列出已经说明的。", "List those that are explained too."))
]
Processes = Annotated[
    int | None,
    typer.Option(
        "--parallel",
        min=1,
        metavar="N",
        help=said("用几个进程试。", "Try in so many processes."),
        show_default=False,
    ),
]


def mutate(
    paths: Paths = None,
    kind: Kinds = None,
    only: Only = "",
    every: Every = 1,
    least: LeastNoticed = ALL,
    explained: Explained = False,
    form: Form = "text",
    parallel: Processes = None,
    project: Projects = None,
    lang: Lang = None,
) -> None:
    from heartrule.language.findings import Refused
    from heartrule.language.findings.report import report
    from heartrule.script_tests.mutant_explanations import beside, load_reasons, weigh
    from heartrule.script_tests.mutant_runs import trials
    from heartrule.script_tests.mutation_report import MutationTexts, plain

    language = spoken_here(lang)
    told = MutationTexts(language)
    kinds = _kinds(kind, told)
    projects = list(project or [])
    try:
        ground = _ground(paths or [Path()], projects, told, language)
    except Refused as refusal:
        raise refused(refusal, language) from None
    chosen = [each for each in ground.mutants if only in each.id and each.what in kinds][::every]
    if ground.mutants and not chosen:
        raise stop(told("none_chosen"), 2)
    running = progress(lambda done, of: told("progress", done=done, of=of), to_file=False)
    processes = parallel or _worth(chosen, ground.tests)
    tried = list(trials(chosen, ground.tests, projects, parallel=processes, progress=running))
    reasons, findings = load_reasons(beside(ground.files))
    weighed = weigh(tried, reasons, [each.id for each in ground.mutants])
    findings += weighed.findings
    if form == "json":
        echo_json(plain(weighed))
    else:
        for line in told.lines(weighed, explained=explained):
            echo(line)
    if findings:
        echo(report(findings, lang=language), err=True)
    lacking = told.too_little(weighed, least)
    if lacking is not None and least != ALL:
        echo(lacking, err=True)
    raise typer.Exit(1 if lacking is not None or any(found.stops for found in findings) else 0)


def _kinds(asked: Sequence[str] | None, told: MutationTexts) -> frozenset[str]:
    from heartrule.script_tests.mutation import WHATS

    if unknown := sorted(set(asked or ()) - set(WHATS)):
        raise stop(told("no_kind", name=unknown[0], known=", ".join(WHATS)), 2)
    return frozenset(asked or WHATS)


def _worth(mutants: Sequence[Mutant], tests: Sequence[Witness]) -> int:
    """How many processes the runs are worth."""
    runs = sum(each.sees(mutant) for mutant in mutants for each in tests)
    return max(1, min(os.cpu_count() or 1, runs // WORTH))


@dataclass(slots=True)
class _MutationTarget:
    """What mutants are put to."""

    mutants: Sequence[Mutant]
    tests: Sequence[Witness]
    files: list[Path] = field(default_factory=list)


def _ground(paths: list[Path], projects: list[Path], told: MutationTexts, language: Language) -> _MutationTarget:
    """The tests, which have to pass as things are, and the mutants of the projects that they belong to."""
    from heartrule.script_tests.mutant_runs import BY, witnesses
    from heartrule.script_tests.mutation import mutants
    from heartrule.script_tests.parallel_runs import hold
    from heartrule.script_tests.report_text import ReportTexts
    from heartrule.script_tests.suite import Shelf
    from heartrule.script_tests.survey import gathered

    shelf = Shelf(projects)
    suite = sound_suite_at(paths, shelf, ReportTexts(language))
    usable = [job for job in suite.jobs if job.case.by in BY]
    if not usable:
        raise stop(told("none"), 2)
    if len(usable) < len(suite.jobs):
        echo(told("left_out", count=len(suite.jobs) - len(usable)), err=True)
    held = list(hold(usable, projects))
    failing = [each for each in held if not each.passed]
    if failing:
        names = "\n".join(f"  {each.job.file}:{each.job.case.place.line} {each.job.case.test}" for each in failing)
        raise stop(shown(told("failing", count=len(failing)) + "\n" + names))
    ground = gathered([each.job for each in held], shelf, projects)
    own = [each for each in mutants(ground.scripts, ground.projects) if each.project in ground.own]
    return _MutationTarget(own, witnesses(held, shelf), [Path(each.job.file) for each in held])
