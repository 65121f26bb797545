"""Compiled scripts in memory: the library's own, and the pinned ones that sessions under way were started with."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from heartrule.language.library import Library
from heartrule.language.script import Script, Source

KEPT = 64


@dataclass(frozen=True, slots=True)
class ScriptSummary:
    id: str
    name: str
    goal: str
    duration: str | None
    locale: str


class Scripts:
    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: OrderedDict[tuple[str, str], Script] = OrderedDict()

    def summaries(self) -> Sequence[ScriptSummary]:
        return [ScriptSummary(s.id, s.name, s.goal, s.duration, s.locale) for s in self._library.scripts()]

    def compile(self, script: str, locale: str | None) -> Script:
        """The library's present version. Raises ``Refused`` with findings."""
        return self._keep(self._library.script(script, locale))

    def known(self, bundle: str, script: str) -> Script | None:
        found = self._kept.get((bundle, script))
        if found is not None:
            self._kept.move_to_end((bundle, script))
        return found

    def restore(self, bundle: str, script: str, sources: Sequence[Source]) -> Script:
        """A session's pinned version, from the sources it was started with."""
        return self._keep(self._library.restore(script, bundle, sources))

    def _keep(self, script: Script) -> Script:
        self._kept[(script.bundle, script.id)] = script
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return script
