"""Test files → cases that know their places, and findings. Never raises for what is in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path as File
from typing import Any

from pydantic import ValidationError

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding, in_order
from heartrule.language.findings.documents import announce
from heartrule.language.findings.words import step as in_words
from heartrule.language.lengths import length
from heartrule.language.nodes.node import Node, Place
from heartrule.language.shape import Shape
from heartrule.language.texts.source import Path, SourceMap
from heartrule.language.yaml import parse
from heartrule.script_tests.case import BARE, HANDING, VERBS, Case, Expect, Step, TestFile
from heartrule.script_tests.clock import moment

DIAGNOSTICS = File(__file__).parent / "diagnostics"
announce(DIAGNOSTICS)


@dataclass(frozen=True, slots=True)
class Begun:
    """A test as it is written, whatever may be wrong with it. ``name`` is empty where it has none."""

    line: int
    name: str
    group: str


@dataclass(slots=True)
class ReadFile:
    """What a test file holds. ``findings`` are in the order of its lines. ``begun``: every test of the file, by where
    it begins; ``parts``: the lines on which these and the file's own keys begin."""

    path: str
    cases: list[Case] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    script: str | None = None
    map: SourceMap = field(default_factory=SourceMap)
    begun: list[Begun] = field(default_factory=list)
    parts: set[int] = field(default_factory=set)

    def at(self, line: int) -> Begun | None:
        """The test that a line belongs to."""
        first = max((each for each in self.parts if each <= line), default=0)
        return next((each for each in self.begun if each.line == first), None)

    def place(self, node: Node, *keys: str | int) -> Place:
        """Where what stands under ``keys`` of a node begins."""
        place = node.place
        path = (*place.path, *keys)
        spot = self.map.key(path)
        return Place(place.file, spot.line, spot.column, place.words, place.words_en, path)

    @property
    def runnable(self) -> list[Case]:
        """Cases that nothing is wrong with."""
        wrong = {self.at(found.line) for found in self.findings if found.stops}
        return [case for case in self.cases if self.at(case.place.line) not in wrong]


def near(word: str, known: Iterable[str]) -> Bilingual:
    """Advice on a word that is not among the known ones."""
    known = list(dict.fromkeys(known))
    found = get_close_matches(word, known, 1, 0.6)
    if found:
        return Bilingual(f"是不是想写 `{found[0]}`？", f"Did you mean `{found[0]}`?")
    shown = known[:_SHOWN]
    more = "…" if len(known) > len(shown) else ""
    return Bilingual(f"这里可以写：{'、'.join(shown)}{more}。", f"There are: {', '.join(shown)}{more}.")


_SHOWN = 12


def parse_cases(raw: bytes | str, path: str) -> ReadFile:
    """The cases of one file, under the name ``path``."""
    parsed = parse(raw, path)
    result = ReadFile(path, map=parsed.map, findings=list(parsed.findings))
    reader = _Reader(Shape(parsed, {}, TestFile), result)
    for number, data in enumerate(parsed.documents):
        reader.document(number, data)
    misread = {found.line for found in parsed.findings if found.stops}
    kept = [found for found in result.findings if found in parsed.findings or found.line not in misread]
    result.findings = in_order(kept)
    return result


class _Reader:
    def __init__(self, shape: Shape, result: ReadFile) -> None:
        self._shape, self._result = shape, result

    def _report(self, *found: Finding) -> None:
        self._result.findings += found

    def document(self, number: int, data: Any) -> None:
        if data is None:
            return
        if not isinstance(data, dict):
            self._report(self._shape.found("E015", (number,)))
            return
        self._result.parts |= {self._shape.place((number, key)).line for key in data}
        for key in data:
            if key not in TestFile.model_fields:
                self._report(self._shape.unknown_key((number, key), data[key]))
        script, cases = data.get("script"), data.get("tests")
        if script is not None:
            self._result.script = str(script)
        if not isinstance(cases, list):
            self._report(self._shape.keyed("E016" if "tests" in data else "E102", (number, "tests"), key="tests"))
            return
        for index, case in enumerate(cases):
            self._case((number, "tests", index), case)

    def _case(self, path: Path, data: Any) -> None:
        self._begin(path, data if isinstance(data, dict) else {})
        if not isinstance(data, dict):
            self._report(self._shape.no_mapping(path, data))
            return
        steps = data.get("turns")
        before = len(self._result.findings)
        if isinstance(steps, list):
            data = {**data, "turns": [self._step((*path, "turns", n), each) for n, each in enumerate(steps)]}
        try:
            case = Case.model_validate(data)
        except ValidationError as error:
            self._report(*self._shape.findings(error, path))
            return
        _put(case, path, Bilingual(f"测试 {clip(case.test)}", f"test {clip(case.test)}"), self._shape)
        self._result.cases.append(case)
        if len(self._result.findings) == before:
            self._report(*_senses(self._result, case))

    def _begin(self, path: Path, data: Mapping[str, Any]) -> None:
        group = data.get("group", Case.model_fields["group"].default)
        begun = Begun(self._shape.place(path).line, clip(data.get("test") or ""), clip(group))
        self._result.begun.append(begun)
        self._result.parts.add(begun.line)

    def _step(self, path: Path, data: Any) -> Any:
        """A step as a mapping; what is none is told, and left out by standing for a start."""
        if isinstance(data, str) and data in BARE:
            return {data: None}
        if isinstance(data, dict):
            verbs = [key for key in data if key in VERBS] or [key for key in HANDING if data.get(key) is True]
            if all(data.get(key) is True for key in HANDING):
                self._report(finding("E701", self._shape.place(path), verbs=", ".join(HANDING)))
                return data
            if len(verbs) == 1 or (not verbs and set(HANDING) & set(data)):
                return data
            if len(verbs) > 1:
                self._report(finding("E701", self._shape.place(path), verbs=", ".join(verbs)))
            elif unknown := [key for key in data if key not in Step.model_fields]:
                place = self._shape.place((*path, unknown[0]))
                self._report(finding("E702", place, word=clip(unknown[0]), advice=near(str(unknown[0]), VERBS)))
            else:
                self._report(finding("E702", self._shape.place(path), word="–", advice=near("", VERBS)))
        else:
            place = self._shape.place(path)
            word = data if isinstance(data, str) else clip(data)
            self._report(finding("E702", place, word=clip(word), advice=near(str(word), VERBS)))
        return {"start": None}


def _put(node: Node, path: Path, said: Bilingual, shape: Shape) -> None:
    spot = shape.parsed.map.key(path)
    node.put(Place(shape.parsed.file, spot.line, spot.column, said.zh, said.en, path))
    if isinstance(node, Expect):
        node.mark({keys: shape.place((*path, *keys)) for keys in _keys(node)})
    for below, child in node.children():
        own = said
        if below[0] == "turns" and isinstance(below[-1], int):
            own = Bilingual(f"{said.zh} › 第 {below[-1] + 1} 步", f"{said.en} › step {below[-1] + 1}")
        else:
            own = in_words(said, below[0] if len(below) > 1 else None, below[-1], child)
        _put(child, (*path, *below), own, shape)


def _keys(expect: Expect) -> Iterator[Path]:
    """Its keys, and the names and items under each."""
    for key, wanted in expect.wanted.items():
        yield (key,)
        if isinstance(wanted, dict | list):
            yield from ((key, each) for each in (wanted if isinstance(wanted, dict) else range(len(wanted))))


# what can be told without the script


def _senses(result: ReadFile, case: Case) -> Iterator[Finding]:
    earlier = [each for each in result.cases if each is not case and each.test == case.test]
    if earlier:
        yield finding("E705", result.place(case, "test"), name=clip(case.test), line=earlier[0].place.line)
    for key, by in (("answers", "scripted"), ("live", "live")):
        if getattr(case, key) and key in case.model_fields_set and case.by != by:
            yield finding("E706", result.place(case, key), key=key, by=case.by, wanted=by)
    if case.live.wanted > case.live.runs:
        yield finding("E707", result.place(case.live, "pass"), runs=case.live.runs, passes=case.live.pass_)
    if case.given.clock is not None and moment(case.given.clock) is None:
        yield finding("E704", result.place(case.given, "clock"), text=clip(case.given.clock), form="2026-11-20T09:00")
    for number, step in enumerate(case.turns):
        if number and step.verb == "start":
            yield finding("E708", step.place)
        if step.verb == "wait" and length(step.wait) is None:
            yield finding("E704", result.place(step, "wait"), text=clip(step.wait), form="30s, 40m, 2h, 1h30m")
        for key in (*sorted(BARE - {"start"}), "cancel"):
            if getattr(step, key) is False:
                yield finding("E715", result.place(step, key), key=key)
    for expect in case.all_expected:
        yield from _empty(result, expect)
    if not any(each.model_fields_set - {"expect"} for each in case.all_expected):
        yield finding("W709", case.place, name=clip(case.test))


def _empty(result: ReadFile, expect: Expect) -> Iterator[Finding]:
    """What is written of an expectation and holds whatever happens."""
    for key, wanted in expect.wanted.items():
        if isinstance(wanted, Expect) and wanted.wanted and key == "not":
            yield from _empty(result, wanted)
        elif _is_vacuous(key, wanted):
            yield finding("E106", result.place(expect, key), key=key)


def _is_vacuous(key: str, wanted: Any) -> bool:
    """``problems: []``: the form objects to nothing."""
    if key == "problems" and isinstance(wanted, dict | list):
        return wanted == {} or "" in (wanted.values() if isinstance(wanted, dict) else wanted)
    return key != "expect" and _says_nothing(wanted)


def _says_nothing(wanted: Any) -> bool:
    if isinstance(wanted, Node):
        said = [getattr(wanted, name) for name in wanted.model_fields_set]
        return all(each is None for each in said) or any(each in ("", [], {}) for each in said)
    if isinstance(wanted, list):
        return not wanted or any(map(_says_nothing, wanted))
    return wanted is None or wanted in ("", {})
