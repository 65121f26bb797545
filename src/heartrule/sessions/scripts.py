"""Compiled scripts in memory: the library's own, and the pinned ones that sessions under way were started with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress

from heartrule.classifiers import Classifiers, configured
from heartrule.language.compiling.compiler import bundle, compile_sources
from heartrule.language.compiling.script import Contact, Script, Source
from heartrule.language.findings import Refused
from heartrule.language.labels import Label, called
from heartrule.language.projects.contacts import for_locale, numbers_in
from heartrule.language.projects.library import Library, ListedSession
from heartrule.language.projects.media_files import MediaFile
from heartrule.language.projects.project import SAFETY, LoadedProject, of_sources

KEPT = 64


class Scripts:
    """``classifiers`` are handed to every turn beside its script; without any given, those that are configured."""

    def __init__(self, library: Library, classifiers: Classifiers | None = None) -> None:
        self._library = library
        self.classifiers = configured() if classifiers is None else classifiers
        self._kept: OrderedDict[tuple[str, str], Script] = OrderedDict()
        self._safety: dict[tuple[str, str], tuple[str, tuple[Source, ...]]] = {}
        self._labels: dict[str, tuple[LoadedProject, Mapping[str, Label]]] = {}

    @property
    def library(self) -> Library:
        """The projects that scripts are compiled from."""
        return self._library

    def listed(self) -> Sequence[ListedSession]:
        return self._library.scripts()

    def contacts(self, locale: str) -> Sequence[Contact]:
        """Of the project ``safety``, live."""
        safety = self._library.safety
        return for_locale(safety.contacts, locale) if safety else ()

    def numbers(self, locale: str) -> Sequence[str]:
        """All that may be called of what is said in a language."""
        safety = self._library.safety
        return numbers_in(safety.contacts, locale) if safety else ()

    def media(self, project: str, path: str) -> MediaFile | None:
        """A picture or recording in a project's folder that may be shown."""
        found = self._library.project(project)
        file = (found.media or {}).get(path) if found is not None else None
        return None if file is None or file.problem else file

    def media_hosts(self) -> Sequence[str]:
        """Where else scripts may show pictures from."""
        return sorted({host for project in self._library.projects() for host in project.node.media_hosts})

    def label(self, project: str, name: str, locale: str) -> str:
        """What a variable of the library's present version is called for people; nothing where no script says so."""
        found = self._library.project(project)
        if found is None:
            return ""
        if project not in self._labels or self._labels[project][0] is not found:
            self._labels[project] = (found, self._labels_of(project))
        return called(self._labels[project][1].get(name), locale)

    def _labels_of(self, project: str) -> Mapping[str, Label]:
        """The declaration's own before what a summary calls it."""
        labels: dict[str, Label] = {}
        for listed in self._library.scripts():
            if listed.id.partition("/")[0] != project:
                continue
            with suppress(Refused):
                script = self._library.script(listed.id, listed.locale)
                skills = (each for skill in script.skills.values() for each in skill.declare)
                declared = (*script.session.declare, *script.variables.values(), *skills)
                told: list[tuple[str, Label]] = [(each.var, each.label) for each in declared]
                told += [(each.var, each.label) for each in script.session.summary]
                labels |= {name: label for name, label in reversed(told) if label and name not in labels}
        return labels

    def compile(self, script: str, locale: str | None) -> Script:
        """The library's present version. Raises ``Refused`` with findings."""
        return self._keep(self._library.script(script, locale))

    def known(self, bundle: str, script: str) -> Script | None:
        found = self._kept.get((bundle, script))
        if found is not None:
            self._kept.move_to_end((bundle, script))
        return found

    def forget(self) -> None:
        """What is released has changed: scripts are compiled again, beside the safety project as it is now."""
        self._kept.clear()
        self._safety.clear()
        self._labels.clear()

    def keep(self, script: Script) -> Script:
        """One that was compiled elsewhere, for the turns to come."""
        return self._keep(script)

    def restore(self, script: str, sources: Sequence[Source]) -> Script:
        """A session's pinned version, from the sources it was started with."""
        library = self._library
        return self._keep(compile_sources(sources, script, library.registry, library.safety, library.names()))

    def as_of(self, script: str, sources: Sequence[Source], safety: Sequence[Source]) -> Script:
        """The same beside the safety project as it was then. It is not kept: no turn is to begin with it."""
        registry = self._library.registry
        return compile_sources(sources, script, registry, of_sources(safety, registry).get(SAFETY))

    def safety_of(self, script: Script) -> tuple[str, Sequence[Source]]:
        """The safety project that a script was compiled beside: the hash that names it, and its sources."""
        return self._safety.get((script.bundle, script.id)) or _named(self._library.safety)

    def _keep(self, script: Script) -> Script:
        key = (script.bundle, script.id)
        self._kept[key] = script
        self._safety[key] = _named(self._library.safety)
        while len(self._kept) > KEPT:
            self._safety.pop(self._kept.popitem(last=False)[0], None)
        return script


def _named(project: LoadedProject | None) -> tuple[str, tuple[Source, ...]]:
    sources = tuple(project.sources.values()) if project is not None else ()
    return bundle(sources), sources
