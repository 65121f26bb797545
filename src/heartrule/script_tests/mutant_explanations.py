"""Explanations: why mutants that no test notices may live. Each names them by their ids, every one by itself, and is
held against what became of them, so that none outlives its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding, in_order
from heartrule.language.findings.documents import announce
from heartrule.language.nodes.node import Node, Place
from heartrule.language.projects.library import home_of
from heartrule.language.projects.project import read_file
from heartrule.language.shape import Shape
from heartrule.language.yaml import parse
from heartrule.script_tests.case import Texts
from heartrule.script_tests.mutant_runs import MutantRun

FILE = "mutants.yaml"
DIAGNOSTICS = Path(__file__).parent / "mutant_diagnostics"
announce(DIAGNOSTICS)


class Explanation(Node):
    """``mutant``: the id of one, or of several that live for the same reason."""

    mutant: Texts = Field(min_length=1)
    reason: str = Field(min_length=1)


class Explanations(Node):
    """The file: beside the tests that do not notice."""

    mutants: list[Explanation]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one mutant may live, and where that is written."""

    mutant: str
    reason: str
    place: Place


@dataclass(frozen=True, slots=True)
class WeighedMutants:
    """``alive``: mutants that no test notices and nobody has explained. Stale are reasons for a mutant that is noticed
    by now, or is not there any more. ``findings`` say so."""

    tried: tuple[MutantRun, ...]
    explained: dict[str, str]
    """By the id of a mutant that lives, why it may."""
    noticed: tuple[Reason, ...] = ()
    gone: tuple[Reason, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    @property
    def alive(self) -> tuple[MutantRun, ...]:
        return tuple(each for each in self.tried if not each.died and each.mutant.id not in self.explained)

    @property
    def died(self) -> int:
        return sum(each.died for each in self.tried)

    @property
    def share(self) -> float:
        """Percent of the mutants that are noticed or explained; of none, all."""
        return 100.0 * (1 - len(self.alive) / len(self.tried)) if self.tried else 100.0


def beside(tests: Iterable[Path]) -> list[Path]:
    """The files of explanations that belong to test files, each once: in their folder, and in the folder ``tests`` of
    their project."""
    found: dict[Path, Path] = {}
    for file in tests:
        home = home_of(file)
        for folder in (file.parent, *([home / "tests"] if home is not None else [])):
            path = folder / FILE
            if path.is_file():
                found.setdefault(path.resolve(), path)
    return list(found.values())


def load_reasons(paths: Iterable[Path]) -> tuple[list[Reason], list[Finding]]:
    """All reasons, and what is wrong with their files."""
    found: list[Reason] = []
    wrong: list[Finding] = []
    for path in paths:
        raw, problem = read_file(path)
        if problem:
            wrong.append(finding("E017", Place(path.as_posix(), 1, 1), problem=problem))
            continue
        own, findings = _read(raw, path.as_posix())
        found += own
        wrong += findings
    return found, [*wrong, *_twice(found)]


def _read(raw: bytes, path: str) -> tuple[list[Reason], list[Finding]]:
    parsed = parse(raw, path)
    shape = Shape(parsed, {}, Explanations)
    found: list[Reason] = []
    wrong = list(parsed.findings)
    for number, data in enumerate(parsed.documents):
        if data is None:
            continue
        if not isinstance(data, dict):
            wrong.append(shape.found("E015", (number,)))
            continue
        try:
            file = Explanations.model_validate(data)
        except ValidationError as error:
            wrong += shape.findings(error, (number,))
            continue
        for index, each in enumerate(file.mutants):
            at = (number, "mutants", index)
            if isinstance(each.mutant, str):
                found.append(Reason(each.mutant, each.reason, shape.place(at)))
                continue
            for n, mutant in enumerate(each.mutant):
                found.append(Reason(mutant, each.reason, shape.place((*at, "mutant", n))))
    return found, in_order(wrong)


def _twice(found: Sequence[Reason]) -> Iterator[Finding]:
    first: dict[str, Reason] = {}
    for each in found:
        known = first.setdefault(each.mutant, each)
        if known is not each:
            yield finding("E723", each.place, mutant=clip(each.mutant), line=known.place.line)


def weigh(tried: Sequence[MutantRun], reasons: Sequence[Reason], known: Sequence[str]) -> WeighedMutants:
    """``known``: the ids of all mutants there are, those that were not tried this time too."""
    by_id = {each.mutant.id: each for each in tried}
    ids = set(known)
    gone = [each for each in reasons if each.mutant not in ids]
    judged = [each for each in reasons if each.mutant in by_id]
    noticed = [each for each in judged if by_id[each.mutant].died]
    explained = {each.mutant: each.reason for each in judged if not by_id[each.mutant].died}
    wrong = [finding("E721", each.place, mutant=clip(each.mutant)) for each in noticed]
    wrong += [
        finding("E722", each.place, mutant=clip(each.mutant), advice=_advice(each.mutant, known)) for each in gone
    ]
    return WeighedMutants(tuple(tried), explained, tuple(noticed), tuple(gone), tuple(in_order(wrong)))


def _advice(name: str, known: Sequence[str]) -> Any:
    if "*" in name:
        return Bilingual("`*` 不代表别的：每个变异体写全编号。", "`*` stands for nothing: write each id in full.")
    near = get_close_matches(name, known, 1, 0.8)
    if near:
        return Bilingual(f"是不是想写 `{near[0]}`？", f"Did you mean `{near[0]}`?")
    return Bilingual(
        "它说明的东西已经不在脚本里：删掉这条。", "What it explains is no longer in the scripts: remove it."
    )
