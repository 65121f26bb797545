"""The tests that a command is given: how they are asked for, that they can be run, and how far they are."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo
from heartrule.cli.words import said

if TYPE_CHECKING:
    from heartrule.script_tests.parallel_runs import Progress
    from heartrule.script_tests.report_text import ReportTexts
    from heartrule.script_tests.suite import Shelf, Suite

PATIENCE = 1.0
"""Seconds after which it is said how far the tests are."""
Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[PATH…]",
        help=said(
            "测试文件、项目文件夹，或装着它们的文件夹；不写就是这里。",
            "Test files, project folders, folders of either; without any, what is here.",
        ),
    ),
]
Parallel = Annotated[
    int, typer.Option("--parallel", min=1, metavar="N", help=said("用几个进程跑。", "Run in so many processes."))
]


def suite_at(paths: Sequence[Path], shelf: Shelf, told: ReportTexts) -> Suite:
    """Whatever is there, with what is wrong told; stops where there is nothing at all."""
    from heartrule.language.findings.report import report
    from heartrule.script_tests.suite import collect, named

    suite = collect([named(path) for path in paths], shelf)
    if suite.findings:
        echo(report(suite.findings, lang=told.lang), err=True)
    if suite.refused:
        echo(told("stopped", count=sum(found.stops for found in suite.findings)), err=True)
    elif not suite.jobs:
        raise stop(told("none"), 2)
    return suite


def sound_suite_at(paths: Sequence[Path], shelf: Shelf, told: ReportTexts) -> Suite:
    """The same where every test counts: stops where one cannot be run."""
    suite = suite_at(paths, shelf, told)
    if suite.refused:
        raise typer.Exit(1)
    return suite


def progress(told: Callable[[int, int], str], *, to_file: bool) -> Progress:
    """On the error stream, where it takes its time: all the time to a person; every tenth of the way where the stream
    is a file and ``to_file`` says so."""
    begun = time.monotonic()

    def told_of(done: int, of: int) -> None:
        if time.monotonic() - begun < PATIENCE:
            return
        if sys.stderr.isatty():
            echo(told(done, of), err=True, nl=done == of, over=True)
        elif to_file and done * 10 // of != (done - 1) * 10 // of:
            echo(told(done, of), err=True)

    return told_of


def silent(done: int, of: int) -> None:
    """Where something else says how far the tests are."""
