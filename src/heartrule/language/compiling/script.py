"""A compiled script: one session with everything it can reach, resolved and immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from heartrule.checks.checks import Checks
from heartrule.language.nodes import Awareness, Project, Role, Scope, Session, Skill, Variable
from heartrule.language.nodes.forms import Form
from heartrule.language.projects.knowledge_files import Document
from heartrule.language.references import full, homes, in_locale, pick, split

CRISIS: Literal["crisis"] = "crisis"


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was read. ``path`` is relative to its project's folder, with forward slashes."""

    project: str
    path: str
    sha256: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Contact:
    name: str
    number: str
    note: str = ""
    talk: bool = False
    """Somebody to talk to, rather than to send for."""
    kind: str = CRISIS
    """What the number is for: a crisis, or ``danger`` or ``emergency``, which have blocks of their own."""


@dataclass(frozen=True, slots=True)
class Script:
    """What the engine runs. References are full ids: ``project/id``.

    ``bundle`` is a hash over ``sources`` and names exactly this content; the ``safety`` project is live and is part of
    neither. ``scopes`` says, for each name that is written without a declaration, the scope the compiler chose.
    ``checks`` is what a model's words are held against before anybody sees them; compiled once for the same content.
    ``on_duty``: what those on duty do in danger, as the project for safety tells it.
    ``knowledge``: what prompts are told from, the project's first. ``remembers``: something in it uses the memory.
    """

    id: str
    project: Project
    session: Session
    locale: str
    bundle: str
    sources: tuple[Source, ...] = field(repr=False)
    skills: Mapping[str, Skill]
    awareness: Mapping[str, Awareness]
    variables: Mapping[str, Variable]
    scopes: Mapping[str, Scope]
    roles: Mapping[str, Role]
    templates: Mapping[str, str] = field(repr=False)
    helplines: tuple[Contact, ...] = ()
    helplines_by_place: Mapping[str, tuple[Contact, ...]] = field(default_factory=dict)
    on_duty: str = ""
    forms: Mapping[str, Form] = field(default_factory=dict)
    checks: Checks = field(default_factory=Checks, repr=False, compare=False)
    knowledge: tuple[Document, ...] = ()
    remembers: bool = False
    _found: dict[tuple[str, str], tuple[str, Skill] | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What references to skills meant so far: a turn asks many times for the same few."""

    def skill(self, reference: str, within: str) -> tuple[str, Skill] | None:
        """The skill that ``reference`` (id, name, or ``project/id``) means when written in project ``within``, in this
        script's locale where a translation exists; with its full id. None when there is none."""
        asked = (reference, within)
        if asked not in self._found:
            self._found[asked] = self._skill(reference, within)
        return self._found[asked]

    def _skill(self, reference: str, within: str) -> tuple[str, Skill] | None:
        for project, rest in homes(reference, within):
            own = {key: skill for key, skill in self.skills.items() if key.partition("/")[0] == project}
            skill = pick(own.values(), rest)
            if skill is not None:
                default = self.project.locale if project == self.project.id else None
                meant = in_locale(skill, list(own.values()), self.locale, default)
                return full(project, meant), meant
        return None

    def form(self, reference: str, within: str) -> tuple[str, Form] | None:
        """The form that ``reference`` means when written in project ``within``, in this script's locale where a
        translation exists; with its full id. None when there is none."""
        project, rest = split(reference, within)
        own = [form for key, form in self.forms.items() if key.partition("/")[0] == project]
        form = pick(own, rest)
        if form is None:
            return None
        default = self.project.locale if project == self.project.id else None
        meant = in_locale(form, own, self.locale, default)
        return full(project, meant), meant

    def noticing(self, reference: str, within: str) -> tuple[str, Awareness] | None:
        """The awareness script that ``reference`` means when written in project ``within``, with its full id."""
        for project, rest in homes(reference, within):
            node = pick((each for key, each in self.awareness.items() if key.partition("/")[0] == project), rest)
            if node is not None:
                return full(project, node), node
        return None
