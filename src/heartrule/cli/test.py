"""``heartrule test``: conversations held without people, and what is expected of them."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.covered import Html, Least
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import shown
from heartrule.cli.settings import Data, Lang, Projects, settings
from heartrule.cli.words import Language, said, spoken_here
from heartrule.rehearsal.situations import GROUPS

if TYPE_CHECKING:
    from heartrule.rehearsal.held import Held, Progress
    from heartrule.rehearsal.means import Means
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
    record: Annotated[
        bool,
        typer.Option(
            "--record",
            help=said(
                "把录音里还没有的回答问来录下（问配置好的模型，或者用 --answers-from）。",
                "Ask for what cassettes lack, of the configured model or by --answers-from, and keep it.",
            ),
        ),
    ] = False,
    answers_from: Annotated[
        Path | None,
        typer.Option(
            "--answers-from",
            metavar="FILE",
            help=said("录音的回答从这个文件来，不问模型。", "Record from these answers, not from a model."),
        ),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help=said("也跑 model: live 的测试。", "Run tests with `model: live` too."))
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help=said("文件一改就再跑一遍。", "Run again whenever a file changes."))
    ] = False,
    project: Projects = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.rehearsal.told import Told

    told = Told(spoken_here(lang))
    if unknown := sorted(set(group or ()) - set(GROUPS)):
        raise stop(told("no_group", name=unknown[0], known=", ".join(GROUPS)), 2)
    asked = Asked(
        paths=tuple(paths or [Path()]),
        name=name,
        groups=tuple(group or ()),
        json=form == "json",
        junit=junit,
        parallel=parallel,
        means=_means(record or answers_from is not None, live, answers_from, data, told, spoken_here(lang)),
        covered=covered or least is not None or html is not None,
        least=least,
        html=html,
        projects=tuple(project or ()),
        language=spoken_here(lang),
    )
    if not watch:
        raise typer.Exit(_once(asked, told))
    _watched(asked, told)


@dataclass(frozen=True)
class Asked:
    """What is to be done."""

    paths: tuple[Path, ...]
    name: str
    groups: tuple[str, ...]
    json: bool
    junit: Path | None
    parallel: int
    means: Means
    covered: bool
    least: float | None
    html: Path | None
    projects: tuple[Path, ...]
    language: Language


def _once(asked: Asked, told: Told) -> int:
    """Runs the tests and tells of them. Returns how to exit."""
    from heartrule.rehearsal.held import hold
    from heartrule.rehearsal.junit import junit as as_junit
    from heartrule.rehearsal.means import Answerers
    from heartrule.rehearsal.told import plain

    suite = _suite(list(asked.paths), list(asked.projects), told, asked.language)
    groups = asked.groups
    jobs = [job for job in suite.jobs if asked.name in job.case.test and (not groups or job.case.group in groups)]
    unrun = [each for each in suite.unrun if not each.name or asked.name in each.name]
    unrun = [each for each in unrun if not groups or each.group not in GROUPS or each.group in groups]
    if suite.jobs and not jobs and not unrun:
        raise stop(told("none_chosen"), 2)
    begun, held, answerers = time.perf_counter(), [], Answerers(asked.means)
    progress = _progress(told, lines=not asked.json)
    running = hold(
        jobs, asked.projects, parallel=asked.parallel, progress=progress, means=asked.means, answerers=answerers
    )
    for each in running:
        held.append(each)
        if not asked.json:
            typer.echo(shown(told.result(each)))
    if asked.json:
        typer.echo(json.dumps([plain(each) for each in held], ensure_ascii=False, indent=2))
    else:
        typer.echo(told.summary(held, time.perf_counter() - begun))
    if len(held) < len(jobs):
        typer.echo(told("not_live", count=len(jobs) - len(held)), err=True)
    if asked.means.record and jobs == suite.jobs and not suite.refused and (gone := answerers.forget()):
        typer.echo(told("forgotten", count=gone), err=True)
    if asked.junit is not None:
        _written(asked.junit, as_junit(held, told, unrun))
    enough = not asked.covered or _covered(held, asked)
    return 0 if enough and not suite.refused and all(each.passed for each in held) else 1


def _watched(asked: Asked, told: Told) -> None:
    from heartrule.language.library import home_of
    from heartrule.rehearsal.suite import named
    from heartrule.rehearsal.watching import PAUSE, changes

    paths = [named(path) for path in asked.paths]
    homes = [home for path in paths if (home := home_of(path)) is not None]
    looked_at = dict.fromkeys([*paths, *homes, *asked.projects])
    with suppress(KeyboardInterrupt):
        for _ in chain([None], changes(looked_at, lambda: time.sleep(PAUSE))):
            with suppress(typer.Exit):  # said already; the next change may mend it
                _once(asked, told)
            typer.echo(told("watching"), err=True)


def _means(
    record: bool, live: bool, answers_from: Path | None, data: Path | None, told: Told, language: Language
) -> Means:
    from heartrule.language.report import report
    from heartrule.llm.config import ConfigError
    from heartrule.rehearsal.given_answers import read_answers
    from heartrule.rehearsal.means import Means

    answers = None
    if answers_from is not None:
        answers, findings = read_answers(answers_from)
        if findings:
            raise stop(shown(report(findings, lang=language)), 2)
    means = Means(record, live, answers, settings(data).data)
    if live or (record and answers is None):
        try:
            configured = means.settings.configured
        except ConfigError as error:
            raise stop(str(error), 2) from None
        if not configured:
            raise stop(told("no_model"), 2)
    return means


def _written(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise stop(f"{path}: {error.strerror}", 2) from None


def _covered(held: list[Held], asked: Asked) -> bool:
    """What was reached of the scripts, and whether that is enough."""
    from heartrule.cli.covered import refused, suffices, tell
    from heartrule.language.findings import Refused
    from heartrule.rehearsal.suite import Shelf
    from heartrule.rehearsal.survey import survey

    try:
        found = survey(held, Shelf(asked.projects), asked.projects)
    except Refused as refusal:
        raise refused(refusal, asked.language) from None
    if not asked.json:
        tell(found, asked.language)
    return suffices(found, asked.least, asked.html, asked.language)


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


def _progress(told: Told, *, lines: bool) -> Progress:
    """On stderr, where it takes its time and there are no ``lines`` that say how far it is: all the time to a person,
    every tenth to a file."""
    begun = time.monotonic()

    def told_of(done: int, of: int) -> None:
        if lines or time.monotonic() - begun < PATIENCE:
            return
        said = told("progress", done=done, of=of)
        if sys.stderr.isatty():
            typer.echo(f"\r{said}", err=True, nl=done == of)
        elif done * 10 // of != (done - 1) * 10 // of:
            typer.echo(said, err=True)

    return told_of


PATIENCE = 1.0
"""Seconds after which it is said how far the tests are."""
