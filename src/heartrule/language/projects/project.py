"""A project: its scripts, prompt templates and crisis contacts, read from texts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path

from heartrule.checks.rules import OutputRules
from heartrule.language.compiling.script import Contact, Source
from heartrule.language.findings import Finding, finding, in_order
from heartrule.language.nodes import Action, Awareness, Node, Place, Project, Role, Session, Skill, Variable
from heartrule.language.nodes.forms import Form
from heartrule.language.projects import output_rules, spoken
from heartrule.language.projects.contacts import read_contacts
from heartrule.language.projects.knowledge_files import LARGEST, Document, is_document, named, place_of
from heartrule.language.projects.loader import LoadedFile, load, load_project
from heartrule.language.projects.media_files import MediaFile
from heartrule.language.references import SAFETY as SAFETY
from heartrule.language.texts.source import SourceMap
from heartrule.language.yaml.decoding import MAX_BYTES, decode

PROJECT_FILE = "project.yaml"
CONTACTS_FILE = "contacts.yaml"
PACKAGE_FILE = "package.yaml"
"""What a package of the project is called; no script."""
_PROMPTS = "prompts/"
_SCRIPTS = (".yaml", ".yml")
_TESTS = (".test.yaml", ".test.yml")
"""Conversations held against scripts, wherever they lie."""
RISK_FILE = ".risk.jsonl"
"""How the files of labelled sentences end that a project's awareness is held against; in ``tests/``."""
_MAX_FILES = 2_000

Texts = Mapping[str, bytes | str]
"""Files by their path relative to the project's folder, with forward slashes."""


@dataclass(slots=True)
class LoadedProject:
    """``whole`` is False when some of its files could not be read: what is missing may well be there. ``documents``:
    what is named as ``knowledge`` and is there. ``on_duty``: what those
    on duty do in danger, by language. ``media``: its pictures and recordings; None where nobody has looked.
    ``types``: the types of actions that scripts may write, with their fields.
    """

    id: str
    node: Project
    files: dict[str, LoadedFile] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    templates: dict[str, str] = field(default_factory=dict)
    contacts: dict[str, tuple[Contact, ...]] = field(default_factory=dict)
    on_duty: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, OutputRules] = field(default_factory=dict)
    maps: dict[str, SourceMap] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    media: Mapping[str, MediaFile] | None = None
    whole: bool = True
    types: Mapping[str, type[Action]] = field(default_factory=dict)

    @property
    def sessions(self) -> Iterator[Session]:
        return chain.from_iterable(file.sessions for file in self.files.values())

    @property
    def skills(self) -> Iterator[Skill]:
        return chain.from_iterable(file.skills for file in self.files.values())

    @property
    def awareness(self) -> Iterator[Awareness]:
        return chain.from_iterable(file.awareness for file in self.files.values())

    @property
    def variables(self) -> Iterator[Variable]:
        return chain.from_iterable(file.variables for file in self.files.values())

    @property
    def forms(self) -> Iterator[Form]:
        return chain.from_iterable(file.forms for file in self.files.values())

    @property
    def roles(self) -> Iterator[Role]:
        return chain(self.node.roles, *(file.roles for file in self.files.values()))

    def at(self, node: Node, *keys: str | int, value: bool = False) -> Place:
        """The place of what stands under ``keys`` in a node: the key itself, or its ``value``."""
        place = node.place
        known = self.maps.get(place.file)
        if known is None:
            return place
        path = (*place.path, *keys)
        spot = known.value(path) if value else known.key(path)
        return Place(place.file, spot.line, spot.column, place.words, place.words_en, path)

    def within(self, node: Node, offset: int, *keys: str | int) -> Place:
        """The place of the character ``offset`` of the text under ``keys``."""
        place = node.place
        known = self.maps.get(place.file)
        if known is None:
            return place
        path = (*place.path, *keys)
        spot = known.within(path, offset)
        return Place(place.file, spot.line, spot.column, place.words, place.words_en, path)


def read_texts(folder: Path) -> tuple[dict[str, bytes], list[Finding]]:
    """The files of a project's folder that belong to it: scripts and prompts, not tests, nothing hidden."""
    texts: dict[str, bytes] = {}
    found: list[Finding] = []
    for path in sorted(_belonging(folder)):
        relative = path.relative_to(folder).as_posix()
        if len(texts) >= _MAX_FILES:
            found.append(finding("E017", Place(relative, 1, 1), problem=f"> {_MAX_FILES} files"))
            break
        raw, problem = read_file(path)
        if problem:
            found.append(finding("E017", Place(relative, 1, 1), problem=problem))
        else:
            texts[relative] = raw
    return texts, found


def read_file(path: Path) -> tuple[bytes, str]:
    """The bytes of a file (one more than is allowed at most), or what kept them from being read. Of a pipe or a device
    nobody knows when it ends, or whether it ever begins."""
    try:
        with open(path, "rb", opener=_at_once) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                return b"", "not a regular file"
            return opened.read(MAX_BYTES + 1), ""
    except (OSError, ValueError) as error:
        return b"", getattr(error, "strerror", None) or str(error)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _belonging(folder: Path) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        here = Path(above)
        inside = here.relative_to(folder).as_posix()
        if here != folder and PROJECT_FILE in names:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and (inside, name) != (".", "tests"))
        prompts = inside.split("/")[0] == "prompts"
        for name in names:
            script = name.endswith(_SCRIPTS) and not name.endswith(_TESTS) and (inside, name) != (".", PACKAGE_FILE)
            if not name.startswith(".") and (prompts or script):
                yield here / name


def belongs(path: str) -> bool:
    """Whether a file of a project is one of its scripts, its prompts, or what they are told from: no test."""
    inside = path.split("/")
    if any(part.startswith(".") for part in inside) or (inside[0] == "tests" and len(inside) > 1):
        return False
    if path == PACKAGE_FILE:
        return False
    return inside[0] == "prompts" or is_document(path) or (path.endswith(_SCRIPTS) and not path.endswith(_TESTS))


def load_texts(
    texts: Texts,
    registry: Mapping[str, type[Action]],
    ad_hoc: str = "local",
    read: Mapping[str, LoadedFile] | None = None,
) -> LoadedProject:
    """Texts → project. Without ``project.yaml`` it is an ad-hoc one with the id ``ad_hoc``. Never raises for what is in
    the texts. ``read``: script files that were read before and have not changed since."""
    node: Project | None = Project(id=ad_hoc)
    found: list[Finding] = []
    maps: dict[str, SourceMap] = {}
    if PROJECT_FILE in texts:
        node, maps[PROJECT_FILE], found = load_project(texts[PROJECT_FILE], PROJECT_FILE)
    project = LoadedProject(node.id if node else ad_hoc, node or Project(id=ad_hoc), maps=maps, findings=list(found))
    project.types = registry
    project.whole = node is not None and not any(each.stops for each in found)
    for path in sorted(texts):
        _take(project, path, texts[path], registry, (read or {}).get(path))
    _take_locale(project)
    project.findings = in_order(project.findings)
    return project


def _take_locale(project: LoadedProject) -> None:
    """Where neither the project nor a script names a language, the one that all of it is plainly in."""
    if "locale" in project.node.model_fields_set or not project.sessions:
        return
    nodes = [*project.sessions, *project.skills, *project.forms, *project.awareness, *project.roles]
    locale = spoken.taken(nodes, (file.text for file in project.sources.values()))
    if locale is not None:
        project.node = project.node.model_copy(update={"locale": locale})
        project.findings += spoken.told(project.sessions, project.maps, locale)


def _take(
    project: LoadedProject,
    path: str,
    raw: bytes | str,
    registry: Mapping[str, type[Action]],
    read: LoadedFile | None = None,
) -> None:
    data = raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    project.sources[path] = Source(project.id, path, sha256(data).hexdigest(), text)
    if path.startswith(_PROMPTS):
        readable, found = decode(raw, path)
        project.templates[path.removeprefix(_PROMPTS)] = readable if readable is not None else text
        project.findings += found
    elif path == CONTACTS_FILE and project.id == SAFETY:
        project.contacts, project.on_duty, found = read_contacts(raw, path)
        project.findings += found
    elif output_rules.FILE.fullmatch(path) and project.id == SAFETY:
        rules, found = output_rules.read_output_rules(raw, path)
        project.findings += found
        if rules is not None:
            project.outputs[rules.locale] = rules
    elif is_document(path):
        readable, found = decode(raw, path)
        large = len(data) > LARGEST
        project.findings += [] if large else found
        project.documents[path] = Document(path, "" if large else readable or "", "size" if large else "")
    elif path != PROJECT_FILE:
        file = read if read is not None else load(raw, path, registry)
        project.files[path] = file
        project.maps[path] = file.map
        project.findings += file.findings
        project.whole = project.whole and file.whole


def read_knowledge(project: LoadedProject, folder: Path) -> None:
    """Take the files of the project's folder that are named as ``knowledge``, as far as they are there."""
    for path in named(project.node, project.sessions):
        place = place_of(folder, path)
        if place is None or path in project.sources:
            continue
        raw, problem = read_file(place)
        if problem:
            project.findings.append(finding("E017", Place(path, 1, 1), problem=problem))
        else:
            _take(project, path, raw, {})


def of_sources(sources: Iterable[Source], registry: Mapping[str, type[Action]]) -> dict[str, LoadedProject]:
    """The projects that stored sources make up, by id, the first one first."""
    texts: dict[str, dict[str, bytes | str]] = {}
    for source in sources:
        texts.setdefault(source.project, {})[source.path] = source.text
    return {project: load_texts(own, registry, project) for project, own in texts.items()}
