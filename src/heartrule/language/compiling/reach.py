"""What a session can reach: the skills, awareness scripts, forms and files that running it may need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from heartrule.language.nodes import Awareness, Directive, Session, Skill, Topic
from heartrule.language.nodes.forms import Form
from heartrule.language.projects import output_rules
from heartrule.language.projects.knowledge_files import named
from heartrule.language.projects.project import CONTACTS_FILE, PROJECT_FILE, SAFETY, LoadedProject
from heartrule.language.references import full, homes, in_locale, pick, split

Projects = Callable[[str], LoadedProject | None]
"""Finds a project by its id."""


@dataclass(slots=True)
class Reach:
    """``files`` are (project, path). ``missing`` are references that nothing answers to."""

    skills: dict[str, Skill] = field(default_factory=dict)
    awareness: dict[str, Awareness] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)
    projects: dict[str, LoadedProject] = field(default_factory=dict)
    files: dict[tuple[str, str], None] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def reach(
    session: Session, home: LoadedProject, projects: Projects, safety: LoadedProject | None, locale: str
) -> Reach:
    """Everything that ``session`` of project ``home`` can reach, the safety project's whole content with it."""
    walk = _Walk(projects, safety, locale)
    walk.enter(home)
    walk.file(home, session.place.file)
    for path in named(home.node, [session]):
        walk.file(home, path)
    for reference in enabled(session):
        walk.notice(reference, home)
    for node in home.awareness:
        if node.always:
            walk.add_awareness(node, home)
    for phase in session.phases:
        for topic in phase.steps:
            walk.steps(topic, home)
    if safety is not None:
        walk.file(safety, CONTACTS_FILE)
        for path in safety.sources:
            if output_rules.FILE.fullmatch(path):
                walk.file(safety, path)
        for node in safety.awareness:
            if node.always:
                walk.add_awareness(node, safety)
        for skill in safety.skills:
            walk.add_skill(skill, safety)
    return walk.found


def enabled(session: Session) -> Iterator[str]:
    """The awareness scripts that a session and its phases name."""
    yield from session.awareness
    for phase in session.phases:
        for switch in phase.switches:
            yield from switch.enable


def calls(steps: Topic | Skill) -> Iterator[str]:
    """The skills that the actions of a topic or skill call, or may begin."""
    for action in steps.actions:
        skill = action.peek("skill")
        if isinstance(skill, str):
            yield skill
        for use in action.peek("may_use") or ():
            yield use.skill


def shows(steps: Topic | Skill) -> Iterator[str]:
    """The forms that the actions of a topic or skill show."""
    for action in steps.actions:
        form = action.peek("form")
        if isinstance(form, str):
            yield form


def orders(node: Awareness | Form) -> Iterable[Directive]:
    """Every directive that an awareness script or a form may issue."""
    return node.orders() if isinstance(node, Form) else node.directives()


def techniques(node: Awareness | Form) -> Iterator[tuple[Directive, str]]:
    """The skills that an awareness script's or a form's directives call."""
    for directive in orders(node):
        if directive.technique is not None:
            yield directive, directive.technique


def switched_on(node: Awareness | Form) -> Iterator[str]:
    """The awareness scripts that an awareness script or a form may switch on."""
    for directive in orders(node):
        if directive.directive == "ENABLE" and directive.awareness is not None:
            yield directive.awareness


class _Walk:
    def __init__(self, projects: Projects, safety: LoadedProject | None, locale: str) -> None:
        self.found = Reach()
        self._projects = projects
        self._safety = safety
        self._locale = locale

    def enter(self, project: LoadedProject) -> None:
        """Take what is always read of a project: its head, and the files that declare variables and roles."""
        if project.id in self.found.projects:
            return
        self.found.projects[project.id] = project
        self.file(project, PROJECT_FILE)
        for path, file in project.files.items():
            if file.variables or file.roles:
                self.file(project, path)

    def file(self, project: LoadedProject, path: str) -> None:
        if path in project.sources:
            self.found.files[(project.id, path)] = None

    def steps(self, steps: Topic | Skill, home: LoadedProject) -> None:
        for reference in calls(steps):
            self.call(reference, home)
        for reference in shows(steps):
            self.show(reference, home)

    def call(self, reference: str, home: LoadedProject) -> None:
        for project, rest in self._projects_of(reference, home):
            if (skill := pick(project.skills, rest)) is not None:
                self.add_skill(skill, project)
                translated = in_locale(skill, list(project.skills), self._locale, project.node.locale)
                self.add_skill(translated, project)
                return
        self.found.missing.append(reference)

    def notice(self, reference: str, home: LoadedProject) -> None:
        for project, rest in self._projects_of(reference, home):
            if (node := pick(project.awareness, rest)) is not None:
                self.add_awareness(node, project)
                return
        self.found.missing.append(reference)

    def show(self, reference: str, home: LoadedProject) -> None:
        project, rest = self._project(reference, home)
        form = pick(project.forms, rest) if project is not None else None
        if project is None or form is None:
            self.found.missing.append(reference)
            return
        self.add_form(form, project)
        self.add_form(in_locale(form, list(project.forms), self._locale, project.node.locale), project)

    def add_skill(self, skill: Skill, project: LoadedProject) -> None:
        key = full(project.id, skill)
        if key not in self.found.skills:
            self.enter(project)
            self.found.skills[key] = skill
            self.file(project, skill.place.file)
            self.steps(skill, project)

    def add_awareness(self, node: Awareness, project: LoadedProject) -> None:
        key = full(project.id, node)
        if key not in self.found.awareness:
            self.enter(project)
            self.found.awareness[key] = node
            self.file(project, node.place.file)
            for _, technique in techniques(node):
                self.call(technique, project)
            for reference in switched_on(node):
                self.notice(reference, project)

    def add_form(self, form: Form, project: LoadedProject) -> None:
        key = full(project.id, form)
        if key not in self.found.forms:
            self.enter(project)
            self.found.forms[key] = form
            self.file(project, form.place.file)
            for _, technique in techniques(form):
                self.call(technique, project)
            for reference in switched_on(form):
                self.notice(reference, project)

    def _projects_of(self, reference: str, home: LoadedProject) -> Iterator[tuple[LoadedProject, str]]:
        """Where a technique or an awareness script may be found, the project that is meant first."""
        for name, rest in homes(reference, home.id):
            project, _ = self._project(f"{name}/{rest}", home)
            if project is not None:
                yield project, rest

    def _project(self, reference: str, home: LoadedProject) -> tuple[LoadedProject | None, str]:
        name, rest = split(reference, home.id)
        if name == home.id:
            return home, rest
        if name == SAFETY and self._safety is not None:
            return self._safety, rest
        return self._projects(name), rest
