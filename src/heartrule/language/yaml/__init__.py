"""YAML text → plain data and a map of positions. Nothing is built but mappings, lists and scalars, within bounds.

The C parser gives events; they are put together here, so that depth, size and aliases are counted before anything
is expanded, and every key and value keeps its position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser
from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.findings.mends import Mend, TextEdit, between
from heartrule.language.nodes import Place
from heartrule.language.texts.merge_keys import MERGE, taken_over
from heartrule.language.texts.scalars import resolve
from heartrule.language.texts.source import Path, SourceMap, Spot
from heartrule.language.yaml.decoding import decode
from heartrule.language.yaml.indentation import misplaced
from heartrule.language.yaml.traps import mend

MAX_DEPTH = 60
MAX_NODES = 100_000
MAX_SCALAR = 100_000
_MENDS = 50
_FIRST = frozenset(
    [
        "type",
        "session",
        "phase",
        "topic",
        "skill",
        "awareness",
        "form",
        "role",
        "var",
        "id",
        "get",
        "set",
        "directive",
        "to",
        "value",
        "label",
    ]
)
"""Keys that items of lists begin with."""
_GUESSES = 3
"""How many lines of a file are tried in other columns."""


@dataclass(slots=True)
class ParsedYaml:
    """``documents`` are what stands between the ``---`` lines. ``whole`` is False when parsing stopped early."""

    file: str
    documents: list[Any] = field(default_factory=list)
    map: SourceMap = field(default_factory=SourceMap)
    findings: list[Finding] = field(default_factory=list)
    whole: bool = True


def parse(raw: bytes | str, file: str) -> ParsedYaml:
    """Read one file. Never raises for what is in it.

    Where a line cannot be read for a reason that people meet often, that reason is reported and the line is read as
    if it had been mended, so that one mistake does not hide the others.
    """
    text, found = decode(raw, file)
    if text is None:
        return ParsedYaml(file, findings=found, whole=False)
    trapped: list[Finding] = []
    lines = as_written = text.split("\n")
    guesses = 0
    for _ in range(_MENDS):
        composer = _Composer(file, text, lines)
        error = composer.run()
        trap = mend(lines, error) if isinstance(error, MarkedYAMLError) else None
        if trap is None and isinstance(error, MarkedYAMLError) and guesses < _GUESSES:
            trap = misplaced(lines, error)
            guesses += 1
        if trap is None:
            break
        # A line that has been mended before stands elsewhere in the file than its mend thinks.
        fresh = all(old is new for old, new, mended in zip(as_written, lines, trap.lines, strict=True) if new != mended)
        edits = between(lines, trap.lines, safe=trap.safe) if fresh and trap.certain else None
        trapped += [finding(trap.code, Place(file, line, trap.column), mend=edits, **trap.values) for line in trap.at]
        lines = trap.lines
        text = "\n".join(lines)
    parsed = composer.parsed
    # After a mended line a general error may be nothing but the mend's own doing.
    if error is not None and not trapped:
        parsed.findings.append(_syntax(error, composer))
    parsed.whole = error is None and not composer.stopped
    parsed.findings = [*found, *trapped, *parsed.findings]
    return parsed


def compose(text: str, file: str) -> ParsedYaml:
    """A text as it stands, without mending anything."""
    composer = _Composer(file, text, text.split("\n"))
    error = composer.run()
    if error is not None:
        composer.parsed.findings.append(_syntax(error, composer))
    composer.parsed.whole = error is None and not composer.stopped
    return composer.parsed


class _Stop(Exception):
    """A bound was met; the finding has been written down."""


@dataclass(slots=True)
class _Open:
    """A mapping or list that has begun. ``key`` is the key that waits for its value."""

    path: Path
    value: Any
    begun: int
    anchor: str | None
    spot: Spot
    key: str | int | None = None
    key_done: bool = False
    dropped: bool = False
    merges: bool = False
    seen: int = 0
    height: int = 1


class _Composer:
    def __init__(self, file: str, text: str, lines: list[str]) -> None:
        self.parsed = ParsedYaml(file)
        self.parsed.map.lines = lines
        self.stopped = False
        self._text = text
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._nodes = 0

    def run(self) -> YAMLError | None:
        parser = CParser(self._text)
        try:
            while parser.check_event():
                event = parser.get_event()
                if isinstance(event, NodeEvent):
                    self._node(event)
                elif isinstance(event, CollectionEndEvent):
                    self._close()
        except _Stop:
            self.stopped = True
        except YAMLError as error:
            return error
        finally:
            parser.dispose()
        return None

    def spot(self, mark: Any, style: str = "") -> Spot:
        if mark is None:
            return Spot(1, 1, style)
        return Spot(mark.line + 1, mark.column + 1, style)

    def report(self, code: str, spot: Spot, *, mend: Mend | None = None, **values: object) -> None:
        self.parsed.findings.append(finding(code, Place(self.parsed.file, spot.line, spot.column), mend=mend, **values))

    def _with_dash(self, parent: _Open, key: str | int, spot: Spot) -> Mend | None:
        """The mend of the first key of a list's item that comes again: the dash of the next item is missing."""
        listed = len(self._stack) > 1 and isinstance(self._stack[-2].value, list)
        before = self.parsed.map.lines[spot.line - 1][: spot.column - 1]
        if not listed or key not in _FIRST or key != next(iter(parent.value)) or before.strip() or len(before) < 2:
            return None
        return Mend((TextEdit(spot.line, spot.column - 2, spot.line, spot.column, "- "),), safe=False)

    # one event after another

    def _node(self, event: NodeEvent) -> None:
        spot = self.spot(event.start_mark)
        self._nodes += 1
        if self._nodes > MAX_NODES:
            self._stop("E010", spot, limit=MAX_NODES)
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            self.report("E008", spot, tag=clip(tag))
        if isinstance(event, ScalarEvent):
            self._scalar(event, spot)
        elif isinstance(event, AliasEvent):
            self._alias(event, spot)
        else:
            self._open(event, spot)

    def _scalar(self, event: ScalarEvent, spot: Spot) -> None:
        text, style = event.value, event.style or ""
        if len(text) > MAX_SCALAR:
            self._stop("E011", spot, limit=MAX_SCALAR)
        value = resolve(text) if not style and event.implicit[0] else text
        spot = Spot(spot.line, spot.column, style)
        parent = self._stack[-1] if self._stack else None
        if parent is not None and isinstance(parent.value, dict) and not parent.key_done:
            self._key(parent, value if type(value) is int else text, spot)
            parent.merges = parent.merges or (text == MERGE and not style and not parent.dropped)
            return
        self._add(value, spot)
        self._remember(event.anchor, value, 1, 0)

    def _alias(self, event: AliasEvent, spot: Spot) -> None:
        known = self._anchors.get(event.anchor or "")
        if known is None:
            inside = any(frame.anchor == event.anchor for frame in self._stack)
            self._stop("E012" if not inside else "E013", spot, name=clip(event.anchor))
        value, size, height = known or (None, 0, 0)
        if len(self._stack) + height > MAX_DEPTH:
            self._stop("E009", spot, limit=MAX_DEPTH)
        if self._stack:
            self._stack[-1].height = max(self._stack[-1].height, height + 1)
        self._nodes += size
        if self._nodes > MAX_NODES:
            self._stop("E010", spot, limit=MAX_NODES)
        self._add(value, spot)

    def _open(self, event: Event, spot: Spot) -> None:
        assert isinstance(event, MappingStartEvent | SequenceStartEvent)
        if len(self._stack) >= MAX_DEPTH:
            self._stop("E009", spot, limit=MAX_DEPTH)
        mapping = isinstance(event, MappingStartEvent)
        if event.flow_style:
            spot = Spot(spot.line, spot.column, "{" if mapping else "[")
        value: dict[Any, Any] | list[Any] = {} if mapping else []
        path = self._place_for(spot)
        self._stack.append(_Open(path, value, self._nodes, event.anchor, spot))

    def _close(self) -> None:
        frame = self._stack.pop()
        if frame.merges:
            self._merge(frame)
        if self._stack:
            self._stack[-1].height = max(self._stack[-1].height, frame.height + 1)
        self._remember(frame.anchor, frame.value, self._nodes - frame.begun + 1, frame.height)
        self._add(frame.value, frame.spot)

    # putting together

    def _place_for(self, spot: Spot) -> Path:
        """The path of the value that comes next, written down with its position."""
        if not self._stack:
            path: Path = (len(self.parsed.documents),)
        else:
            parent = self._stack[-1]
            step = parent.key if isinstance(parent.value, dict) else parent.seen
            path = (*parent.path, "?" if step is None else step)
        self.parsed.map.values.setdefault(path, spot)
        return path

    def _key(self, parent: _Open, key: str | int, spot: Spot) -> None:
        parent.key, parent.key_done = key, True
        parent.dropped = key in parent.value
        if parent.dropped:
            first = self.parsed.map.key((*parent.path, key))
            mend = self._with_dash(parent, key, spot)
            self.report("E007", spot, mend=mend, key=clip(key), line=first.line)
        else:
            self.parsed.map.keys[(*parent.path, key)] = spot

    def _add(self, value: Any, spot: Spot) -> None:
        if not self._stack:
            self._place_for(spot)
            self.parsed.documents.append(value)
            return
        parent = self._stack[-1]
        if isinstance(parent.value, list):
            self._place_for(spot)
            parent.value.append(value)
            parent.seen += 1
        elif not parent.key_done:
            # A mapping or list where a key belongs: what {{name}} without quotes becomes.
            self.report("E023" if spot.style == "{" else "E014", spot, text=self._line(spot))
            parent.key, parent.key_done, parent.dropped = None, True, True
        else:
            if not parent.dropped:
                self._place_for(spot)
                parent.value[parent.key] = value
            parent.key, parent.key_done, parent.dropped = None, False, False

    def _merge(self, frame: _Open) -> None:
        """``<<`` gives way to the keys of what it names. They stand where it does. What names no mapping is left."""
        taken = taken_over(frame.value)
        if taken is None:
            return
        at = (*frame.path, MERGE)
        key, value = self.parsed.map.key(at), self.parsed.map.value(at)
        del frame.value[MERGE]
        for name, each in taken.items():
            frame.value[name] = each
            self.parsed.map.keys[(*frame.path, name)] = key
            self.parsed.map.values.setdefault((*frame.path, name), value)

    def _remember(self, anchor: str | None, value: Any, size: int, height: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (value, size, height)

    def _line(self, spot: Spot) -> str:
        return clip(self.parsed.map.lines[spot.line - 1].strip()) if spot.line <= len(self.parsed.map.lines) else ""

    def _stop(self, code: str, spot: Spot, **values: object) -> None:
        self.report(code, spot, mend=None, **values)
        raise _Stop


_TOO_DEEP = "exceeded maximum nesting depth"
_NO_COLON = "could not find expected ':'"
_NO_MAPPING = "mapping values are not allowed in this context"
_KEY_ALONE = re.compile(r"\s*(?:- +)*[a-z_]+\s*\Z")
_PROBLEMS = {
    "mapping values are not allowed in this context": Bilingual(
        "这里不该有冒号，可能是缩进不对或少了引号",
        "no colon may stand here; the indentation may be wrong, or quotes missing",
    ),
    "did not find expected key": Bilingual(
        "这一行和上面的字段没有对齐，或者引号、括号后面多了文字",
        "it is not in line with the keys above, or something stands behind a closing quote or bracket",
    ),
    "did not find expected '-' indicator": Bilingual(
        "这一行应当以“- ”开头，和上面的各项对齐",
        "it should begin with “- ”, in line with the items above",
    ),
    "could not find expected ':'": Bilingual(
        "这里少了一个冒号",
        "a colon is missing",
    ),
    "did not find expected ',' or '}'": Bilingual(
        "花括号没有配对，或者少了逗号",
        "a brace is not closed, or a comma is missing",
    ),
    "did not find expected ',' or ']'": Bilingual(
        "方括号没有配对，或者少了逗号",
        "a bracket is not closed, or a comma is missing",
    ),
    "did not find expected node content": Bilingual(
        "这里少了内容",
        "something is missing here",
    ),
    "found unexpected end of stream": Bilingual(
        "引号没有配对，一直到文件结尾",
        "a quotation mark is never closed, down to the end of the file",
    ),
    "found character that cannot start any token": Bilingual(
        "这一行以不能用的符号开头",
        "it begins with a sign that cannot stand there",
    ),
    "block sequence entries are not allowed in this context": Bilingual(
        "“- ”要另起一行",
        "“- ” must begin a line",
    ),
    "block mapping values are not allowed in this context": Bilingual(
        "这里不该有冒号",
        "no colon may stand here",
    ),
    "did not find expected <document start>": Bilingual(
        "两段内容之间要有一行 ---",
        "between two contents stands a line with ---",
    ),
    "found unknown escape character": Bilingual(
        "双引号里的反斜杠写法不对，改用单引号就不必转义",
        "the backslash in double quotes is not right; in single quotes none is needed",
    ),
    "found invalid Unicode character escape code": Bilingual(
        "双引号里 \\u 写的不是一个字，直接写那个字",
        "what is written with \\u in double quotes is no character; write the character itself",
    ),
    "found a tab character that violates indentation": Bilingual(
        "缩进用了制表符（Tab）",
        "the indentation uses a tab",
    ),
    "found incompatible YAML document": Bilingual(
        "第一行的 %YAML 版本不支持，删掉它",
        "the version after %YAML in the first line is not supported; delete that line",
    ),
}


def _syntax(error: YAMLError, composer: _Composer) -> Finding:
    spot = composer.spot(getattr(error, "problem_mark", None) or getattr(error, "context_mark", None))
    problem = getattr(error, "problem", None) or "cannot be read"
    begun = getattr(error, "context_mark", None)
    if problem == _TOO_DEEP:  # the parser's own bound, where brackets come without anything between
        return finding("E009", Place(composer.parsed.file, spot.line, spot.column), limit=MAX_DEPTH)
    above = composer.parsed.map.lines[spot.line - 2] if spot.line > 1 else ""
    if problem == _NO_COLON and begun is not None:
        spot = composer.spot(begun)
    elif problem == _NO_MAPPING and _KEY_ALONE.match(above):
        # The word is read on into the next line, whose colon is one too many.
        spot, problem = Spot(spot.line - 1, len(above) - len(above.lstrip(" -")) + 1), _NO_COLON
    said = _PROBLEMS.get(problem) or Bilingual(clip(problem, 80), clip(problem, 80))
    return finding("E001", Place(composer.parsed.file, spot.line, spot.column), problem=said)
