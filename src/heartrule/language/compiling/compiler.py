"""Projects → one script: everything a session can reach, resolved, with the scopes of its undeclared names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from heartrule.checks.checks import Checks, checks_for
from heartrule.checks.rules import nearest
from heartrule.language.compiling.implicit_scopes import Guess, inferred
from heartrule.language.compiling.reach import Projects, Reach, reach
from heartrule.language.compiling.script import Script, Source
from heartrule.language.findings import Refused, finding
from heartrule.language.names import Names
from heartrule.language.nodes import Action, Place, Project, Role, Session, Skill, Variable
from heartrule.language.nodes.memory import MemoryRules, is_used
from heartrule.language.projects.contacts import by_place, for_locale, told_in
from heartrule.language.projects.knowledge_files import Document, named
from heartrule.language.projects.project import SAFETY, LoadedProject, of_sources
from heartrule.language.references import full, pick, speaks, split


def compile_session(
    session: Session,
    home: LoadedProject,
    projects: Projects,
    safety: LoadedProject | None,
    names: Names | None = None,
) -> tuple[Script, Reach]:
    """The script of ``session``, and what it reaches. References that lead nowhere are left to lint. A session of the
    safety project itself is held beside that, and not beside another that is installed under the same name."""
    safety = home if home.id == SAFETY else safety
    locale = session.locale or home.node.locale
    reached = reach(session, home, home.finds(projects), safety, locale)
    sources = _sources(reached, home)
    script = Script(
        id=full(home.id, session),
        project=home.node,
        session=session,
        locale=locale,
        bundle=bundle(sources),
        sources=sources,
        skills=reached.skills,
        awareness=reached.awareness,
        forms=reached.forms,
        variables=_variables(reached),
        scopes={name: guess.scope for name, guess in guesses(session, reached, names).items()},
        roles=_roles(home, session.locale or home.node.locale),
        templates=home.schemes,
        helplines=for_locale(safety.contacts, locale, None) if safety is not None else (),
        helplines_by_place=by_place(safety.contacts, locale) if safety is not None else {},
        on_duty=told_in(safety.on_duty, locale) if safety is not None else "",
        checks=_checks(home, safety, locale),
        knowledge=_knowledge(home, session),
        remembers=is_used(_memory(home.node, session, reached.skills.values())),
    )
    return script, reached


def guesses(session: Session, reached: Reach, names: Names | None = None) -> dict[str, Guess]:
    """The scopes chosen for names that are written without a declaration, and why."""
    declared = [variable for project in reached.projects.values() for variable in project.variables]
    return inferred(session, reached.skills.values(), declared, names)


def compile_sources(
    sources: Iterable[Source],
    script: str,
    registry: Mapping[str, type[Action]],
    safety: LoadedProject | None,
    names: Names | None = None,
) -> Script:
    """The script with the full id ``script`` again, from the sources it was compiled of. ``safety`` is live: it is the
    safety project as it stands now. Raises ``Refused`` when the sources can no longer be read."""
    projects = of_sources(sources, registry)
    name, rest = split(script, "")
    home = projects.get(name)
    if home is None:
        raise Refused([finding("E303", Place(script, 1, 1), project=name)])
    home.required = {each.id: each for each in projects.values() if each is not home}  # what was kept with it
    stopping = [found for project in projects.values() for found in project.findings if found.stops]
    session = pick(home.sessions, rest)
    if stopping or session is None:
        raise Refused(stopping or [finding("E301", Place(script, 1, 1), name=rest, known="")])
    return compile_session(session, home, projects.get, safety, names)[0]


def bundle(sources: Iterable[Source]) -> str:
    """A hash that names exactly this content, whatever the order of the sources."""
    lines = sorted(f"{source.project}\t{source.path}\t{source.sha256}\n" for source in sources)
    return sha256("".join(lines).encode()).hexdigest()


def _sources(reached: Reach, home: LoadedProject) -> tuple[Source, ...]:
    kept = [
        reached.projects[project].sources[path]
        for project, path in reached.files
        if project != SAFETY or home.id == SAFETY
    ]
    spoken = {f"prompts/{path}" for path in home.schemes}
    for project in (home, *home.required.values()):
        kept += [source for path, source in project.sources.items() if path in spoken and source not in kept]
    return tuple(sorted(kept, key=lambda source: (source.project != home.id, source.project, source.path)))


def _variables(reached: Reach) -> dict[str, Variable]:
    """Declared variables by name; the session's own project is reached first and wins."""
    found: dict[str, Variable] = {}
    for project in reached.projects.values():
        for variable in project.variables:
            found.setdefault(variable.var, variable)
    return found


def _checks(home: LoadedProject, safety: LoadedProject | None, locale: str) -> Checks:
    """The rules of every language, those of ``locale`` first, and what the session's own project adds."""
    outputs = safety.outputs if safety is not None else {}
    first = nearest(outputs, locale)
    rules = (first, *(each for each in outputs.values() if each is not first)) if first is not None else ()
    return checks_for(rules, home.node.checks.within(locale), locale)


def _knowledge(home: LoadedProject, session: Session) -> tuple[Document, ...]:
    documents = (home.documents.get(path) for path in named(home.node, [session]))
    return tuple(each for each in documents if each is not None and not each.problem)


def _memory(project: Project, session: Session, skills: Iterable[Skill]) -> Iterator[MemoryRules | None]:
    """Whatever is said of memory."""
    yield from (project.memory, project.defaults.memory, session.memory)
    yield from (phase.memory for phase in session.phases)
    for steps in (*(topic for phase in session.phases for topic in phase.steps), *skills):
        yield steps.memory
        for action in steps.actions:
            yield from (each.memory for each in (action, *(action.peek("actions") or ())))


def _roles(home: LoadedProject, locale: str) -> dict[str, Role]:
    """The first role of each kind that is meant for ``locale``, else the first that is for any."""
    found: dict[str, Role] = {}
    for own in (True, False):
        for role in home.roles:
            if (role.locale is not None and speaks(role.locale, locale)) if own else role.locale is None:
                found.setdefault(role.role, role)
    return found
