"""``heartrule test``: conversations held without people, and what is expected of them."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.coverage_text import Html, Least
from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json, shown
from heartrule.cli.settings import Data, Form, Lang, Projects, settings
from heartrule.cli.suites import Parallel, Paths, progress, silent, suite_at
from heartrule.cli.words import Language, said, spoken_here
from heartrule.script_tests.situations import GROUPS

if TYPE_CHECKING:
    from heartrule.script_tests.answer_source import Answerers, AnswerOptions
    from heartrule.script_tests.parallel_runs import CaseResult
    from heartrule.script_tests.report_text import ReportTexts
    from heartrule.script_tests.suite import Job

Name = Annotated[
    str, typer.Option("-k", metavar="TEXT", help=said("只跑名字里有这些字的。", "Only tests with this in their name."))
]
Groups = Annotated[
    list[str] | None,
    typer.Option(
        "--group",
        metavar="GROUP",
        help=said("只跑这类情形的，可以写几次。", "Only tests of this situation; may be given again."),
    ),
]
Junit = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help=said("另存一份 JUnit 报告。", "Write a JUnit report too.")),
]
Covered = Annotated[
    bool, typer.Option("--coverage", help=said("说说脚本的哪些部分走到了。", "Tell what was reached of the scripts."))
]
Record = Annotated[
    bool,
    typer.Option(
        "--record",
        help=said(
            "把录音里还没有的回答问来录下（问配置好的模型，或者用 --answers-from）。",
            "Ask for what cassettes lack, of the configured model or by --answers-from, and keep it.",
        ),
    ),
]
AnswersFrom = Annotated[
    Path | None,
    typer.Option(
        "--answers-from",
        metavar="FILE",
        help=said("录音的回答从这个文件来，不问模型。", "Record from these answers, not from a model."),
    ),
]
Live = Annotated[
    bool, typer.Option("--live", help=said("也跑 model: live 的测试。", "Run tests with `model: live` too."))
]
Watch = Annotated[
    bool, typer.Option("--watch", help=said("文件一改就再跑一遍。", "Run again whenever a file changes."))
]


def run_tests(
    paths: Paths = None,
    name: Name = "",
    group: Groups = None,
    form: Form = "text",
    junit: Junit = None,
    parallel: Parallel = 1,
    covered: Covered = False,
    least: Least = None,
    html: Html = None,
    record: Record = False,
    answers_from: AnswersFrom = None,
    live: Live = False,
    watch: Watch = False,
    project: Projects = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.script_tests.report_text import ReportTexts

    told = ReportTexts(spoken_here(lang))
    if unknown := sorted(set(group or ()) - set(GROUPS)):
        raise stop(told("no_group", name=unknown[0], known=", ".join(GROUPS)), 2)
    asked = TestOptions(
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
class TestOptions:
    """What is to be done."""

    paths: tuple[Path, ...]
    name: str
    groups: tuple[str, ...]
    json: bool
    junit: Path | None
    parallel: int
    means: AnswerOptions
    covered: bool
    least: float | None
    html: Path | None
    projects: tuple[Path, ...]
    language: Language

    def chooses(self, name: str, group: str) -> bool:
        """Whether a test of this name and situation is asked for. What is not known may be it."""
        return (not name or self.name in name) and (not self.groups or group not in GROUPS or group in self.groups)


def _once(asked: TestOptions, told: ReportTexts) -> int:
    """Runs the tests and tells of them. Returns how to exit."""
    from heartrule.script_tests.answer_source import Answerers
    from heartrule.script_tests.junit import junit as as_junit
    from heartrule.script_tests.parallel_runs import left_out
    from heartrule.script_tests.results import results
    from heartrule.script_tests.suite import Shelf

    suite = suite_at(asked.paths, Shelf(asked.projects), told)
    jobs = [job for job in suite.jobs if asked.chooses(job.case.test, job.case.group)]
    unrun = [each for each in suite.unrun if asked.chooses(each.name, each.group)]
    if suite.jobs and not jobs and not unrun:
        raise stop(told("none_chosen"), 2)
    answerers = Answerers(asked.means)
    held, left = _held(jobs, asked, told, answerers), left_out(jobs, asked.means)
    if asked.json:
        echo_json(results(held, left, unrun, told))
    if left:
        echo(told("not_live", count=len(left)), err=True)
    if asked.means.record and jobs == suite.jobs and not suite.refused:
        _forget(answerers, suite.files, told)
    if asked.junit is not None:
        _written(asked.junit, as_junit(held, told, unrun, left))
    enough = not asked.covered or _covered(held, asked)
    return 0 if enough and not suite.refused and all(each.passed for each in held) else 1


def _forget(answerers: Answerers, files: list[str], told: ReportTexts) -> None:
    """Clear the cassettes of what is not asked for any more, where that is certain."""
    if gone := answerers.forget(files):
        echo(told("forgotten", count=gone), err=True)
    for path in sorted(answerers.uncertain):
        echo(told("not_forgotten", about=path.as_posix()), err=True)


def _held(jobs: list[Job], asked: TestOptions, told: ReportTexts, answerers: Answerers) -> list[CaseResult]:
    """What came of the tests, told one by one to people."""
    from heartrule.script_tests.parallel_runs import hold

    begun, held = time.perf_counter(), []
    coming = hold(
        jobs,
        asked.projects,
        parallel=asked.parallel,
        progress=progress(lambda done, of: told("progress", done=done, of=of), to_file=True) if asked.json else silent,
        means=asked.means,
        answerers=answerers,
    )
    for each in coming:
        held.append(each)
        if not asked.json:
            echo(told.result(each))
    if not asked.json:
        echo(told.summary(held, time.perf_counter() - begun))
    return held


def _watched(asked: TestOptions, told: ReportTexts) -> None:
    from heartrule.language.projects.library import home_of
    from heartrule.script_tests.file_watch import PAUSE, changes
    from heartrule.script_tests.suite import named

    paths = [named(path) for path in asked.paths]
    homes = [home for path in paths if (home := home_of(path)) is not None]
    looked_at = dict.fromkeys([*paths, *homes, *asked.projects])
    changed = changes(looked_at, lambda: time.sleep(PAUSE))
    with suppress(KeyboardInterrupt):
        for _ in chain([None], changed):
            with suppress(typer.Exit):  # said already; the next change may mend it
                _once(asked, told)
            echo(told("watching"), err=True)


def _means(
    record: bool, live: bool, answers_from: Path | None, data: Path | None, told: ReportTexts, language: Language
) -> AnswerOptions:
    from heartrule.language.findings.report import report
    from heartrule.llm.config import ConfigError
    from heartrule.script_tests.answer_files import read_answers
    from heartrule.script_tests.answer_source import AnswerOptions

    answers = None
    if answers_from is not None:
        answers, findings = read_answers(answers_from)
        if findings:
            raise stop(shown(report(findings, lang=language)), 2)
    means = AnswerOptions(record, live, answers, settings(data).data)
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


def _covered(held: list[CaseResult], asked: TestOptions) -> bool:
    """What was reached of the scripts, and whether that is enough."""
    from heartrule.cli.coverage_text import refused, suffices, tell
    from heartrule.language.findings import Refused
    from heartrule.script_tests.suite import Shelf
    from heartrule.script_tests.survey import survey

    try:
        found = survey(held, Shelf(asked.projects), asked.projects)
    except Refused as refusal:
        raise refused(refusal, asked.language) from None
    if not asked.json:
        tell(found, asked.language)
    return suffices(found, asked.least, asked.html, asked.language)
