"""Coverage of scripts by the tests that were held and by sessions that are over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heartrule.engine.actions import field_models
from heartrule.engine.events import Event
from heartrule.language.library import Library, home_of, library_root
from heartrule.language.project import SAFETY, LoadedProject, of_sources
from heartrule.language.script import Script
from heartrule.rehearsal.coverage import Item, reached
from heartrule.rehearsal.held import Held
from heartrule.rehearsal.suite import Job, Shelf
from heartrule.rehearsal.tally import Tally, tally


@dataclass(frozen=True, slots=True)
class Visit:
    """A session that is over: the script it was held from, in the version of ``bundle``, and where it went."""

    script: str
    bundle: str
    events: tuple[Event, ...] = field(repr=False)


def of_tests(held: Iterable[Held], shelf: Shelf) -> Iterator[tuple[Script, frozenset[Item]]]:
    """What each case that was held came to, all its runs together."""
    for each in held:
        script = script_of(each.job, shelf)
        yield script, frozenset().union(*(reached(script, ran.events) for ran in each.runs))


def script_of(job: Job, shelf: Shelf) -> Script:
    return shelf.script(Path(job.file), job.reference, job.case.locale)


def survey(
    held: Sequence[Held],
    shelf: Shelf,
    projects: Sequence[Path] = (),
    visits: Sequence[Visit] = (),
) -> Tally:
    """Every session of the projects that the tests belong to, whether or not a test is about it, and the scripts beside
    those that tests are about. ``visits`` count where they were of the same version. Raises ``Refused`` where one of
    the sessions cannot be compiled."""
    tested = list(of_tests(held, shelf))
    homes = tuple(dict.fromkeys(home for each in held if (home := home_of(Path(each.job.file))) is not None))
    library = Library([*homes, *projects, library_root()], field_models())
    own = {script.project.id for script, _ in tested}
    scripts = {script.id: script for script, _ in tested}
    for listed in library.scripts():
        if listed.id.partition("/")[0] in own:
            scripts.setdefault(listed.id, library.script(listed.id))
    same = [visit for visit in visits if visit.script in scripts and scripts[visit.script].bundle == visit.bundle]
    return tally(
        list(scripts.values()),
        _projects(library, scripts.values()),
        own,
        by_tests=[found for _, found in tested],
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
