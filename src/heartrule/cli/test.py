"""``heartrule test``: conversations held without people, and what is expected of them."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.covered import Html, Least
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import shown
from heartrule.cli.settings import Lang, Projects
from heartrule.cli.words import Language, said, spoken_here
from heartrule.rehearsal.situations import GROUPS

if TYPE_CHECKING:
    from heartrule.rehearsal.held import Held, Progress
    from heartrule.rehearsal.suite import Suite
    from heartrule.rehearsal.told import Told


def rehearse(
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
    name: Annotated[
        str,
        typer.Option("-k", metavar="TEXT", help=said("只跑名字里有这些字的。", "Only tests with this in their name.")),
    ] = "",
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="GROUP",
            help=said("只跑这类情形的，可以写几次。", "Only tests of this situation; may be given again."),
        ),
    ] = None,
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help=said("输出的格式。", "Form of output."))
    ] = "text",
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help=said("另存一份 JUnit 报告。", "Write a JUnit report too.")),
    ] = None,
    parallel: Annotated[
        int, typer.Option("--parallel", min=1, metavar="N", help=said("用几个进程跑。", "Run in so many processes."))
    ] = 1,
    covered: Annotated[
        bool,
        typer.Option("--coverage", help=said("说说脚本的哪些部分走到了。", "Tell what was reached of the scripts.")),
    ] = False,
    least: Least = None,
    html: Html = None,
    project: Projects = None,
    lang: Lang = None,
) -> None:
    from heartrule.rehearsal.held import hold
    from heartrule.rehearsal.junit import junit as as_junit
    from heartrule.rehearsal.told import Told, plain

    told = Told(spoken_here(lang))
    if unknown := sorted(set(group or ()) - set(GROUPS)):
        raise stop(told("no_group", name=unknown[0], known=", ".join(GROUPS)), 2)
    suite = _suite(paths or [Path()], project or [], told, spoken_here(lang))
    jobs = [job for job in suite.jobs if name in job.case.test and (not group or job.case.group in group)]
    if suite.jobs and not jobs:
        raise stop(told("none_chosen"), 2)
    begun = time.perf_counter()
    held: list[Held] = []
    for each in hold(jobs, project or [], parallel=parallel, progress=_progress(told)):
        held.append(each)
        if form == "text":
            typer.echo(shown(told.result(each)))
    if form == "json":
        typer.echo(json.dumps([plain(each) for each in held], ensure_ascii=False, indent=2))
    else:
        typer.echo(told.summary(held, time.perf_counter() - begun))
    if junit is not None:
        junit.write_text(as_junit(held, told), encoding="utf-8")
    enough = True
    if covered or least is not None or html is not None:
        enough = _covered(held, project or [], spoken_here(lang), least, html, silent=form == "json")
    raise typer.Exit(0 if enough and not suite.refused and all(each.passed for each in held) else 1)


def _covered(
    held: list[Held], projects: list[Path], language: Language, least: float | None, html: Path | None, *, silent: bool
) -> bool:
    """What was reached of the scripts, and whether that is enough."""
    from heartrule.cli.covered import refused, suffices, tell
    from heartrule.language.findings import Refused
    from heartrule.rehearsal.suite import Shelf
    from heartrule.rehearsal.survey import survey

    try:
        found = survey(held, Shelf(projects), projects)
    except Refused as refusal:
        raise refused(refusal, language) from None
    if not silent:
        tell(found, language)
    return suffices(found, least, html, language)


def _suite(paths: list[Path], projects: list[Path], told: Told, lang: str) -> Suite:
    from heartrule.language.report import report
    from heartrule.rehearsal.suite import Shelf, collect, named

    suite = collect([named(path) for path in paths], Shelf(projects))
    if suite.findings:
        typer.echo(shown(report(suite.findings, lang=lang)), err=True)
    if suite.refused:
        errors = sum(found.stops for found in suite.findings)
        typer.echo(told("stopped", count=errors), err=True)
    elif not suite.jobs:
        raise stop(told("none"), 2)
    return suite


def _progress(told: Told) -> Progress:
    """On a terminal, where reports go elsewhere or take their time."""
    begun = time.monotonic()

    def told_of(done: int, of: int) -> None:
        if sys.stderr.isatty() and (time.monotonic() - begun > PATIENCE or done == of):
            end = "\r\033[K" if done == of else "\r"
            typer.echo(told("progress", done=done, of=of) + end, err=True, nl=False)

    return told_of


PATIENCE = 1.0
"""Seconds after which it is said how far the tests are."""
