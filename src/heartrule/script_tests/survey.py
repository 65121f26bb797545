"""Coverage of scripts by the tests that were held and by sessions that are over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.events import Event
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library, home_of, library_root
from heartrule.language.projects.project import SAFETY, LoadedProject, of_sources
from heartrule.script_tests.coverage import Item, reached
from heartrule.script_tests.parallel_runs import CaseResult
from heartrule.script_tests.suite import Job, Shelf
from heartrule.script_tests.tally import Tally, tally


@dataclass(frozen=True, slots=True)
class Visit:
    """A session that is over: the script it was held from, in the version of ``bundle``, and where it went."""

    script: str
    bundle: str
    events: tuple[Event, ...] = field(repr=False)


def of_tests(held: Iterable[CaseResult], shelf: Shelf) -> Iterator[tuple[Script, frozenset[Item]]]:
    """What each case that was held came to, all its runs together."""
    for each in held:
        script = script_of(each.job, shelf)
        yield script, frozenset().union(*(reached(script, ran.events) for ran in each.runs))


def script_of(job: Job, shelf: Shelf) -> Script:
    return shelf.script(Path(job.file), job.reference, job.case.locale)


@dataclass(frozen=True, slots=True)
class SurveyScripts:
    """The scripts that tests are about, and every other session of their projects, whether or not a test is about
    it. ``own``: the ids of the projects in whose folders the tests lie; of a test that lies in none, its script's."""

    scripts: tuple[Script, ...]
    own: frozenset[str]
    projects: Mapping[str, LoadedProject]


def gathered(jobs: Sequence[Job], shelf: Shelf, projects: Sequence[Path] = ()) -> SurveyScripts:
    """Raises ``Refused`` where one of the sessions cannot be compiled."""
    homes = tuple(dict.fromkeys(home for job in jobs if (home := home_of(Path(job.file))) is not None))
    library = Library([*homes, *projects, library_root()], field_models())
    by_job = [(job, script_of(job, shelf)) for job in jobs]
    scripts = {script.id: script for _, script in by_job}
    names = {home: Library([home], field_models()).projects()[0].id for home in homes}
    own = frozenset(names.get(home_of(Path(job.file)) or Path(), script.project.id) for job, script in by_job)
    for listed in library.scripts():
        if listed.id.partition("/")[0] in own:
            scripts.setdefault(listed.id, library.script(listed.id))
    return SurveyScripts(tuple(scripts.values()), own, _projects(library, scripts.values()))


def survey(
    held: Sequence[CaseResult], shelf: Shelf, projects: Sequence[Path] = (), visits: Sequence[Visit] = ()
) -> Tally:
    """What the tests that were held came to of the scripts that are ``gathered`` for them. ``visits`` count where they
    were of the same version."""
    found = gathered([each.job for each in held], shelf, projects)
    scripts = {script.id: script for script in found.scripts}
    same = [visit for visit in visits if visit.script in scripts and scripts[visit.script].bundle == visit.bundle]
    return tally(
        found.scripts,
        found.projects,
        found.own,
        by_tests=[items for _, items in of_tests(held, shelf)],
        by_sessions=[reached(scripts[visit.script], visit.events) for visit in same],
        others=sum(visit.script in scripts for visit in visits) - len(same),
    )


def of_sessions(scripts: Sequence[Script], visits: Sequence[Visit], safety: LoadedProject | None) -> Tally:
    """Real sessions alone: each script in the version that was held last, one of each."""
    by_id = {script.id: script for script in scripts}
    same = [visit for visit in visits if visit.script in by_id and by_id[visit.script].bundle == visit.bundle]
    projects = {SAFETY: safety} if safety is not None else {}
    for script in scripts:
        projects |= of_sources(script.sources, field_models())
    return tally(
        scripts,
        projects,
        {script.project.id for script in scripts},
        by_sessions=[reached(by_id[visit.script], visit.events) for visit in same],
        others=len(visits) - len(same),
    )


def newest(visits: Iterable[Visit]) -> dict[str, str]:
    """The version of each script that was held last, by the script's id. ``visits``: the earliest first."""
    return {visit.script: visit.bundle for visit in visits}


def _projects(library: Library, scripts: Iterable[Script]) -> dict[str, LoadedProject]:
    """By id. A file that belongs to no project is one of its own, and known to its script alone."""
    found = {project.id: project for project in library.projects()}
    for script in scripts:
        if script.project.id not in found:
            found |= of_sources(script.sources, field_models())
    return found
