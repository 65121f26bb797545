"""Explanations: why a mutant that no test notices may live. Each is held against what became of the mutant, so that
none outlives its reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from heartrule.language.diagnostic import announce
from heartrule.language.findings import Finding, clip, finding, in_order
from heartrule.language.library import home_of
from heartrule.language.node import Node, Place
from heartrule.language.project import read_file
from heartrule.language.said import Said
from heartrule.language.shape import Shape
from heartrule.language.yaml import parse
from heartrule.rehearsal.trial import Tried

FILE = "mutants.yaml"
DIAGNOSTICS = Path(__file__).parent / "mutant_diagnostics"
announce(DIAGNOSTICS)


class Explanation(Node):
    """``mutant``: the id of one, in which ``*`` stands for anything."""

    mutant: str
    reason: str = Field(min_length=1)

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(".*".join(re.escape(part) for part in self.mutant.split("*")), re.DOTALL)


class Explanations(Node):
    """The file: beside the tests that do not notice."""

    mutants: list[Explanation]


@dataclass(frozen=True, slots=True)
class Weighed:
    """``alive``: mutants that no test notices and nobody has explained. ``findings`` are about the explanations."""

    tried: tuple[Tried, ...]
    explained: dict[str, str]
    """By the id of a mutant that lives, why it may."""
    findings: tuple[Finding, ...] = field(default=())

    @property
    def alive(self) -> tuple[Tried, ...]:
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


def read(paths: Iterable[Path]) -> tuple[list[Explanation], list[Finding]]:
    """All explanations, and what is wrong with their files."""
    found: list[Explanation] = []
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


def _read(raw: bytes, path: str) -> tuple[list[Explanation], list[Finding]]:
    parsed = parse(raw, path)
    shape = Shape(parsed, {}, Explanations)
    found: list[Explanation] = []
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
            each.put(shape.place((number, "mutants", index)))
            found.append(each)
    return found, in_order(wrong)


def _twice(found: Sequence[Explanation]) -> Iterator[Finding]:
    first: dict[str, Explanation] = {}
    for each in found:
        known = first.setdefault(each.mutant, each)
        if known is not each:
            yield finding("E723", each.place, mutant=clip(each.mutant), line=known.place.line)


def weigh(tried: Sequence[Tried], explanations: Sequence[Explanation], known: Sequence[str]) -> Weighed:
    """``known``: the ids of all mutants there are, those that were not tried this time too."""
    by_id = {each.mutant.id: each for each in tried}
    explained: dict[str, str] = {}
    wrong: list[Finding] = []
    for each in explanations:
        pattern = each.pattern
        meant = [id_ for id_ in known if pattern.fullmatch(id_)]
        living = [id_ for id_ in meant if id_ in by_id and not by_id[id_].died]
        explained |= dict.fromkeys(living, each.reason)
        if not meant:
            wrong.append(finding("E722", each.place, mutant=clip(each.mutant), advice=_advice(each.mutant, known)))
        elif not living and all(id_ in by_id for id_ in meant):
            wrong.append(finding("E721", each.place, mutant=clip(each.mutant)))
    return Weighed(tuple(tried), explained, tuple(wrong))


def _advice(name: str, known: Sequence[str]) -> Any:
    near = get_close_matches(name, known, 1, 0.8)
    if near:
        return Said(f"是不是想写 `{near[0]}`？", f"Did you mean `{near[0]}`?")
    return Said("它说明的东西已经不在脚本里：删掉这条。", "What it explains is no longer in the scripts: remove it.")
