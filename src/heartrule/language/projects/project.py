"""A project: its scripts, prompt templates and crisis contacts, read from texts."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path

from heartrule.checks.rules import OutputRules
from heartrule.language.compiling.script import Contact, Source
from heartrule.language.findings import Finding, finding, in_order
from heartrule.language.nodes import Action, Awareness, Node, Place, Project, Role, Session, Skill, Variable
from heartrule.language.nodes.forms import Form
from heartrule.language.projects import output_rules, project_language
from heartrule.language.projects.contacts import read_contacts
from heartrule.language.projects.knowledge_files import LARGEST, Document, is_document, named, place_of
from heartrule.language.projects.loader import LoadedFile, load, load_project
from heartrule.language.projects.media_files import MediaFile
from heartrule.language.projects.places import PACKAGE_FILE as PACKAGE_FILE
from heartrule.language.projects.places import PROJECT_FILE as PROJECT_FILE
from heartrule.language.projects.places import RISK_FILE as RISK_FILE
from heartrule.language.projects.places import SCRIPTS, TESTS
from heartrule.language.projects.places import belongs as belongs
from heartrule.language.projects.requirements import FOLDER, LOCK, required
from heartrule.language.references import SAFETY as SAFETY
from heartrule.language.texts.source import SourceMap
from heartrule.language.yaml.decoding import MAX_BYTES, decode

CONTACTS_FILE = "contacts.yaml"
DEFAULT_SCHEME = "default"
"""The folder of prompts in place of those we ship."""
_PROMPTS = "prompts/"
_MAX_FILES = 2_000

Texts = Mapping[str, bytes | str]
"""Files by their path relative to the project's folder, with forward slashes."""


@dataclass(slots=True)
class LoadedProject:
    """``whole`` is False when some of its files could not be read: what is missing may well be there. ``documents``:
    what is named as ``knowledge`` and is there. ``on_duty``: what those
    on duty do in danger, by language. ``media``: its pictures and recordings; None where nobody has looked.
    ``types``: the types of actions that scripts may write, with their fields. ``required``: the packages that lie in
    it, by their ids; ``along``: their files, and those that say so.
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
    required: Mapping[str, LoadedProject] = field(default_factory=dict)
    along: dict[str, Source] = field(default_factory=dict)

    def finds(self, others: Callable[[str], LoadedProject | None]) -> Callable[[str], LoadedProject | None]:
        """Projects as its scripts reach them: itself, what it requires, then what else there is."""
        own = {**self.required, self.id: self}
        return lambda name: own.get(name) or others(name)

    @property
    def whole_sources(self) -> tuple[Source, ...]:
        """All that it is made of, the packages that lie in it too."""
        return (*self.sources.values(), *self.along.values())

    @property
    def schemes(self) -> dict[str, str]:
        """Prompt templates by path: its own, and those of what it requires in schemes that it has not itself. What a
        package says in place of ours stays its own."""
        own = {DEFAULT_SCHEME, *(path.partition("/")[0] for path in self.templates)}
        theirs = ((path, text) for each in self.required.values() for path, text in each.templates.items())
        return {path: text for path, text in theirs if path.partition("/")[0] not in own} | self.templates

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
    """The files of a project's folder that belong to it: scripts and prompts, not tests, nothing hidden; and the
    packages that lie in it."""
    texts: dict[str, bytes] = {}
    found: list[Finding] = []
    for path in sorted({*_belonging(folder), *_along(folder)}):
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
            script = name.endswith(SCRIPTS) and not name.endswith(TESTS) and (inside, name) != (".", PACKAGE_FILE)
            if not name.startswith(".") and (prompts or script):
                yield here / name


def _along(folder: Path) -> Iterator[Path]:
    if (folder / LOCK).is_file():
        homes = sorted(each for each in (folder / FOLDER).iterdir() if (each / PROJECT_FILE).is_file())
        named = (each / PACKAGE_FILE for each in (folder, *homes) if (each / PACKAGE_FILE).is_file())
        yield from (folder / LOCK, *named)
        for home in homes:
            yield from () if home.is_symlink() or home.name.startswith(".") else _belonging(home)


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
        if path == PACKAGE_FILE or (path.startswith(FOLDER) and LOCK in texts):
            project.along[path] = _source(project.id, path, texts[path])
        else:
            _take(project, path, texts[path], registry, (read or {}).get(path))
    _take_locale(project)
    found_required = required({path: texts[path] for path in project.along}, project.id, registry, load_texts)
    project.required = found_required.projects
    project.findings = in_order([*project.findings, *found_required.findings])
    return project


def _source(project: str, path: str, raw: bytes | str) -> Source:
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    return Source(project, path, sha256(_data(raw)).hexdigest(), text)


def _data(raw: bytes | str) -> bytes:
    return raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")


def _take_locale(project: LoadedProject) -> None:
    """Where neither the project nor a script names a language, the one that all of it is plainly in."""
    if "locale" in project.node.model_fields_set or not project.sessions:
        return
    nodes = [*project.sessions, *project.skills, *project.forms, *project.awareness, *project.roles]
    locale = project_language.taken(nodes, (file.text for file in project.sources.values()))
    if locale is not None:
        project.node = project.node.model_copy(update={"locale": locale})
        project.findings += project_language.locale_findings(project.sessions, project.maps, locale)


def _take(
    project: LoadedProject,
    path: str,
    raw: bytes | str,
    registry: Mapping[str, type[Action]],
    read: LoadedFile | None = None,
) -> None:
    source = project.sources[path] = _source(project.id, path, raw)
    text = source.text
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
        large = len(_data(raw)) > LARGEST
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
