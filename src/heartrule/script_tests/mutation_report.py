"""Mutants for the terminal and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from heartrule.language.texts.plain import packaged_yaml
from heartrule.script_tests.coverage_words import Language, percent
from heartrule.script_tests.mutant_explanations import WeighedMutants
from heartrule.script_tests.mutant_runs import MutantRun
from heartrule.script_tests.mutation import Mutant


@cache
def _texts() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_yaml("heartrule.script_tests", "mutation_texts.yaml")
    return loaded


class MutationTexts:
    """``told("summary", …)``, in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._texts = _texts()[language]

    def __call__(self, key: str, **values: object) -> str:
        return str(self._texts[key]).format_map(values)

    def lines(self, weighed: WeighedMutants, *, explained: bool = False) -> Iterator[str]:
        """The mutants that live, with what a test might check, and the sum; ``explained``: those with a reason too."""
        if weighed.alive:
            yield self("alive")
        for each in weighed.alive:
            yield self._line(each.mutant)
            key = "passed" if each.tests else "nowhere"
            yield self(key, tests=each.tests, hint=self._texts["whats"][each.mutant.what]["hint"])
        if explained and weighed.explained:
            yield self("explained")
            for each in weighed.tried:
                if each.mutant.id in weighed.explained:
                    yield self._line(each.mutant)
                    yield self("reason", reason=weighed.explained[each.mutant.id])
        yield self.summary(weighed)
        if stale := len(weighed.noticed) + len(weighed.gone):
            yield self("stale", count=stale)

    def _line(self, mutant: Mutant) -> str:
        without = self._texts["whats"][mutant.what]["without"]
        return self("line", place=place(mutant), without=without, id=mutant.id)

    def summary(self, weighed: WeighedMutants) -> str:
        return self(
            "summary",
            total=len(weighed.tried),
            died=weighed.died,
            explained=len(weighed.explained),
            alive=len(weighed.alive),
            share=percent(weighed.share),
        )

    def too_little(self, weighed: WeighedMutants, least: float) -> str | None:
        """What is said when less than ``least`` percent are noticed or explained; None when it is enough."""
        if weighed.share >= least:
            return None
        return self("too_little", share=percent(weighed.share), least=percent(least))


def place(mutant: Mutant) -> str:
    return f"{mutant.project}/{mutant.place.file}:{mutant.place.line}"


def plain(weighed: WeighedMutants) -> dict[str, Any]:
    """As JSON. ``stale``: reasons for a mutant that is noticed by now, or is gone."""
    stale = [*((each, "noticed") for each in weighed.noticed), *((each, "gone") for each in weighed.gone)]
    return {
        "mutants": len(weighed.tried),
        "noticed": weighed.died,
        "explained": len(weighed.explained),
        "alive": len(weighed.alive),
        "percent": round(weighed.share, 2),
        "stale": [
            {"mutant": each.mutant, "why": why, "file": each.place.file, "line": each.place.line} for each, why in stale
        ],
        "tried": [_plain(each, weighed.explained.get(each.mutant.id)) for each in weighed.tried],
    }


def _plain(tried: MutantRun, reason: str | None) -> dict[str, Any]:
    mutant, by = tried.mutant, tried.by
    return {
        "id": mutant.id,
        "what": mutant.what,
        "project": mutant.project,
        "file": mutant.place.file,
        "line": mutant.place.line,
        "tests": tried.tests,
        "noticed_by": None if by is None else {"file": by.file, "line": by.case.place.line, "test": by.case.test},
        "reason": reason,
    }
