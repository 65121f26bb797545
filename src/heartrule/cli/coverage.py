"""``heartrule coverage``: what tests, and sessions that were really held, come to of scripts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartrule.cli.coverage_text import Html, Least, refused, suffices, tell
from heartrule.cli.safe_text import echo_json
from heartrule.cli.settings import Data, Form, Lang, Projects, settings
from heartrule.cli.suites import Parallel, Paths, sound_suite_at
from heartrule.cli.words import Language, Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.language.compiling.script import Script
    from heartrule.script_tests.survey import Visit
    from heartrule.script_tests.tally import Tally
    from heartrule.store.store import Store


def coverage(
    paths: Paths = None,
    sessions: Annotated[
        bool,
        typer.Option(
            "--sessions",
            help=said(
                "算上谈完的真实会谈（不写 PATH 就只算它们）：只看走到了哪里，不读说了什么。",
                "Count the sessions that were held and are over (without PATH them alone): where they went, nothing"
                " that was said.",
            ),
        ),
    ] = False,
    least: Least = None,
    html: Html = None,
    form: Form = "text",
    parallel: Parallel = 1,
    project: Projects = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    from heartrule.language.findings import Refused
    from heartrule.script_tests.coverage_report import plain

    language = spoken_here(lang)
    try:
        if sessions and not paths:
            found = _of_sessions(project or [], data, language)
        else:
            visits = _visits(project or [], data, language) if sessions else []
            found = _of_tests(paths or [Path()], visits, project or [], parallel, language)
    except Refused as refusal:
        raise refused(refusal, language) from None
    if form == "json":
        echo_json(plain(found))
    else:
        tell(found, language)
    raise typer.Exit(0 if suffices(found, least, html, language) else 1)


def _of_tests(paths: list[Path], visits: list[Visit], projects: list[Path], parallel: int, language: Language) -> Tally:
    from heartrule.script_tests.parallel_runs import hold
    from heartrule.script_tests.report_text import ReportTexts
    from heartrule.script_tests.suite import Shelf
    from heartrule.script_tests.survey import survey

    shelf = Shelf(projects)
    suite = sound_suite_at(paths, shelf, ReportTexts(language))
    return survey(list(hold(suite.jobs, projects, parallel=parallel)), shelf, projects, visits)


def _visits(projects: list[Path], data: Path | None, language: Language) -> list[Visit]:
    import asyncio

    from heartrule.cli.keys import opened

    with opened(settings(data, projects), Words(language)) as store:
        return asyncio.run(_read(store))


async def _read(store: Store) -> list[Visit]:
    from heartrule.script_tests.coverage import EVENTS
    from heartrule.script_tests.survey import Visit
    from heartrule.sessions.completed_sessions import finished

    return [Visit(each.session.script, each.session.bundle, each.events) async for each in finished(store, EVENTS)]


def _of_sessions(projects: list[Path], data: Path | None, language: Language) -> Tally:
    """Each script as it was when it was held last: it was stored with the session."""
    import asyncio

    from heartrule.cli.keys import opened
    from heartrule.engine.installed_types import field_models
    from heartrule.language.compiling.compiler import compile_sources
    from heartrule.language.findings import Refused
    from heartrule.language.projects.library import Library, library_root
    from heartrule.script_tests.survey import newest, of_sessions

    safety = Library([*projects, library_root()], field_models()).safety

    async def work(store: Store) -> Tally:
        visits = await _read(store)
        scripts: list[Script] = []
        for script, bundle in newest(visits).items():
            with suppress(Refused):  # it was written for a version that read scripts otherwise
                scripts.append(compile_sources(await store.bundle(bundle), script, field_models(), safety))
        return of_sessions(scripts, visits, safety)

    with opened(settings(data, projects), Words(language)) as store:
        return asyncio.run(work(store))
