"""An author's text as it is at one moment: the files, the script that they make, and what stands on which line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from heartrule.engine.work import identity
from heartrule.language.compiling.compiler import bundle, compile_session
from heartrule.language.compiling.script import Script, Source
from heartrule.language.findings import Finding, Refused, finding
from heartrule.language.nodes import Action, Session, Skill, Topic
from heartrule.language.nodes.node import Place
from heartrule.language.projects.library import Library
from heartrule.language.projects.project import RISK_FILE, SAFETY, LoadedProject, load_texts
from heartrule.language.references import full, pick
from heartrule.prompts.fixed_sentences import spoken_table

TESTS = (".test.yaml", ".test.yml", RISK_FILE)
"""Files of a project that are no part of what runs."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A node of the script that the debugger knows by its line: an action, or a topic, technique or phase. ``ref``:
    the topic or technique that an action belongs to; ``index``: where it stands in it."""

    kind: str
    project: str
    file: str
    line: int
    column: int
    last: int
    id: str
    name: str
    type: str = ""
    phase: str = ""
    ref: str = ""
    index: int = -1
    path: tuple[str | int, ...] = ()


@dataclass(frozen=True, eq=False)
class Text:
    """``files`` by their path in the project; ``hash`` names exactly them and the script that was chosen."""

    files: Mapping[str, str] = field(repr=False)
    hash: str
    home: LoadedProject = field(repr=False)
    script: Script = field(repr=False)

    def since(self, saved: Mapping[str, str]) -> dict[str, str | None]:
        """The files that are other ones than those of ``saved``; None where one is gone. Tests and risk files are left
        as they are."""
        own = {path for path in saved if not path.endswith(TESTS)}
        changed = {path: words for path, words in self.files.items() if saved.get(path) != words}
        return {**changed, **dict.fromkeys(own - set(self.files))}

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.home.whole_sources

    @cached_property
    def spoken(self) -> Mapping[str, tuple[str, ...]]:
        """What is said without a model, by key."""
        return spoken_table(self.script)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """In the order of the files and lines."""
        found = sorted(
            _spots(self.script), key=lambda spot: (spot.project, spot.file, spot.line, spot.kind == "action")
        )
        return tuple(_ending(found))

    def at(self, file: str, line: int, project: str = "") -> Spot | None:
        """The action on whose lines ``line`` lies, else the next one below it in the file."""
        own = [
            each
            for each in self.spots
            if each.kind == "action" and each.file == file and each.project == (project or self.home.id)
        ]
        written = self.files.get(file) if (project or self.home.id) == self.home.id else None
        if written is not None and line > written.count("\n") + 1:
            return None
        inside = [each for each in own if each.line <= line <= each.last]
        return inside[-1] if inside else next((each for each in own if each.line >= line), None)

    def of(self, ref: str, index: int, kind: str) -> Spot | None:
        """The action ``index`` of a topic, or of a technique by its full id."""
        return self._actions.get((kind, ref, index))

    @cached_property
    def _actions(self) -> Mapping[tuple[str, str, int], Spot]:
        found: dict[tuple[str, str, int], Spot] = {}
        for each in self.spots:
            if each.kind == "action":
                found.setdefault(("topic" if each.phase else "skill", each.ref, each.index), each)
        return found

    def node(self, kind: str, ref: str) -> Spot | None:
        return next((each for each in self.spots if each.kind == kind and each.id == ref), None)


def compile_files(files: Mapping[str, str], wanted: str, library: Library, locale: str | None = None) -> Text:
    """The text of ``files``; ``wanted`` is the session in it (its id, with or without the project, or empty for the
    only one). Raises ``Refused`` with what keeps it from being run."""
    files = {path: words for path, words in files.items() if not path.endswith(TESTS)}
    home = load_texts(dict(files), library.registry)
    stopping = [each for each in home.findings if each.stops]
    if stopping:
        raise Refused(stopping)
    session = _chosen(home, wanted, locale)
    others = {each.id: each for each in library.projects()}
    others[home.id] = home
    script, reached = compile_session(session, home, others.get, others.get(SAFETY), library.names())
    if reached.missing:
        raise Refused([_missing(session, name) for name in reached.missing])
    return Text(dict(files), bundle(home.whole_sources), home, script)


def _missing(session: Session, name: str) -> Finding:
    return finding("E203", session.place, name=name, known="")


def _chosen(home: LoadedProject, wanted: str, locale: str | None) -> Session:
    sessions = list(home.sessions)
    rest = wanted.partition("#")[2] if "#" in wanted else wanted.removeprefix(f"{home.id}/")
    if rest:
        found = pick(sessions, rest)
        if found is None:
            known = ", ".join(full(home.id, each) for each in sessions)
            raise Refused([finding("E301", Place("project.yaml", 1, 1), name=rest, known=known)])
        return found
    originals = [each for each in sessions if each.translation_of is None] or sessions
    own = [each for each in sessions if locale and each.locale == locale]
    if len(own or originals) != 1:
        known = ", ".join(full(home.id, each) for each in sessions)
        raise Refused([finding("E302", Place("project.yaml", 1, 1), name="", known=known)])
    return (own or originals)[0]


def _spots(script: Script) -> Iterator[Spot]:
    project = script.project.id
    yield _spot("session", project, script.session.place, script.id, script.session.session)
    for phase in script.session.phases:
        own = identity(phase)
        yield _spot("phase", project, phase.place, own, phase.phase)
        for topic in phase.steps:
            yield _spot("topic", project, topic.place, identity(topic), topic.topic, phase=own)
            yield from _actions(topic, project, identity(topic), own)
    for ref, skill in script.skills.items():
        yield _spot("technique", ref.partition("/")[0], skill.place, ref, skill.skill)
        yield from _actions(skill, ref.partition("/")[0], ref, "")
    for ref, awareness in script.awareness.items():
        yield _spot("awareness", ref.partition("/")[0], awareness.place, ref, awareness.awareness)


def _actions(body: Topic | Skill, project: str, ref: str, phase: str) -> Iterator[Spot]:
    for index, action in enumerate(body.actions):
        name = action.id or f"{ref}#{index + 1}"
        place, said = action.place, _title(action)
        yield Spot(
            *("action", project, place.file, place.line, place.column, 0, name, said),
            type=action.type,
            phase=phase,
            ref=ref,
            index=index,
            path=place.path,
        )


def _title(action: Action) -> str:
    for key in ("content", "goal", "skill", "form", "var", "title"):
        value = action.peek(key)
        if isinstance(value, str) and value.strip():
            return value.strip().splitlines()[0][:80]
    return action.type


def _spot(kind: str, project: str, place: Place, ref: str, name: str, phase: str = "") -> Spot:
    return Spot(kind, project, place.file, place.line, place.column, 0, ref, name, phase=phase, path=place.path)


def _ending(spots: list[Spot]) -> Iterator[Spot]:
    """Each with the last line that is its own: up to the next one in the file."""
    for number, spot in enumerate(spots):
        after = next((each for each in spots[number + 1 :] if each.line > spot.line), None)
        same = after is not None and (after.project, after.file) == (spot.project, spot.file)
        last = after.line - 1 if after is not None and same else 10**6
        yield Spot(
            *(spot.kind, spot.project, spot.file, spot.line, spot.column, last, spot.id, spot.name),
            *(spot.type, spot.phase, spot.ref, spot.index, spot.path),
        )
