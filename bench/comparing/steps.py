"""What an author does to a project, one deed at a time, done by the workbench's own edits of texts (which prove
themselves on the data), and told as lines."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bench.comparing import plain
from bench.comparing.plain import Line, Path, at, neighbours, of, place

from heartrule.authoring.node_edits import delete, duplicate, insert, move, set_value
from heartrule.authoring.operations import operate
from heartrule.authoring.splices import parse_cached, spliced
from heartrule.authoring.wire import Lines
from heartrule.authoring.workspace import Workspace
from heartrule.authoring.yaml_writer import entry
from heartrule.authoring.yaml_writer import item as as_yaml

Texts = Mapping[str, str]


class Step(Protocol):
    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        """The lists and fields that are others afterwards."""
        ...

    def done(self, texts: Texts) -> Texts:
        """Raises ``CannotEdit`` where the workbench would not do it."""
        ...

    def lines(self, texts: Texts, language: str) -> list[Line]:
        """``texts`` are those before it."""
        ...


@dataclass(frozen=True, slots=True)
class Set:
    """A field: another value, a new one, or none."""

    file: str
    path: Path
    value: Any = field(repr=False)

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, self.path),)

    def done(self, texts: Texts) -> Texts:
        text = texts[self.file]
        return {**texts, self.file: spliced(text, set_value(text, self.path, self.value))}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        documents = parse_cached(texts[self.file]).documents
        above = at(documents, self.path[:-1])
        was = above.get(self.path[-1]) if isinstance(above, dict) else above[self.path[-1]]
        where = place(self.file, documents, self.path, language)
        return [Line(where, *plain.both(was, self.value, language))]


@dataclass(frozen=True, slots=True)
class Insert:
    """An item of a list, which may not be there yet."""

    file: str
    path: Path
    index: int
    item: Any = field(repr=False)

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, self.path),)

    def done(self, texts: Texts) -> Texts:
        text = texts[self.file]
        return {**texts, self.file: spliced(text, insert(text, self.path, self.index, as_yaml(self.item, 0)))}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        documents = parse_cached(texts[self.file]).documents
        items = at(documents, self.path[:-1]).get(self.path[-1]) or []
        between = neighbours(self.path[-1], items, self.index, language)
        where = of(language, plain.IN).format(place(self.file, documents, self.path, language), between)
        return [Line(where, plain.value(None, language), plain.value(self.item, language))]


@dataclass(frozen=True, slots=True)
class Delete:
    """An item out of a list."""

    file: str
    path: Path

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, self.path[:-1]), (self.file, self.path))

    def done(self, texts: Texts) -> Texts:
        text = texts[self.file]
        return {**texts, self.file: spliced(text, delete(text, self.path))}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        documents = parse_cached(texts[self.file]).documents
        own = at(documents, self.path)
        where = place(self.file, documents, self.path, language)
        return [Line(where, plain.value(own, language), plain.value(None, language))]


@dataclass(frozen=True, slots=True)
class Move:
    """An item elsewhere in its file, before the one that is ``index`` there."""

    file: str
    path: Path
    to: Path
    index: int

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, self.path[:-1]), (self.file, self.to))

    def done(self, texts: Texts) -> Texts:
        text = texts[self.file]
        return {**texts, self.file: spliced(text, move(text, self.path, self.to, self.index))}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        documents = parse_cached(texts[self.file]).documents
        items, number = at(documents, self.path[:-1]), self.path[-1]
        key = self.to[-1]
        if self.to == self.path[:-1]:
            order = [plain.item(key, n, each, language) for n, each in enumerate(items)]
            after = [*order]
            after.insert(self.index, order[number])
            del after[number + (1 if self.index <= number else 0)]
            low, high = max(0, min(number, self.index) - 1), max(number + 1, self.index) + 1
            where = f"{place(self.file, documents, self.to, language)} ({of(language, plain.ORDER)})"
            return [Line(where, "; ".join(order[low:high]), "; ".join(after[low:high]))]
        own = plain.item(self.path[-2], number, items[number], language)
        return [Line(own, *_stands(self, documents, documents, self.file, items, language))]


@dataclass(frozen=True, slots=True)
class Carry:
    """An item into a list of another file."""

    file: str
    path: Path
    other: str
    to: Path
    index: int

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, self.path[:-1]), (self.other, self.to))

    def done(self, texts: Texts) -> Texts:
        own = at(parse_cached(texts[self.file]).documents, self.path)
        put = Insert(self.other, self.to, self.index, own).done(texts)
        return Delete(self.file, self.path).done(put)

    def lines(self, texts: Texts, language: str) -> list[Line]:
        documents, others = parse_cached(texts[self.file]).documents, parse_cached(texts[self.other]).documents
        items = at(documents, self.path[:-1])
        own = plain.item(self.path[-2], self.path[-1], items[self.path[-1]], language)
        return [Line(own, *_stands(self, documents, others, self.other, items, language))]


def _stands(step: Move | Carry, documents: Any, others: Any, other: str, items: Any, language: str) -> tuple[str, str]:
    number, told = step.path[-1], of(language, plain.IN)
    was = neighbours(step.path[-2], [each for n, each in enumerate(items) if n != number], number, language)
    there = at(others, step.to[:-1]).get(step.to[-1]) or []
    now = neighbours(step.to[-1], there, step.index, language)
    return (
        told.format(place(step.file, documents, step.path[:-1], language), was),
        told.format(place(other, others, step.to, language), now),
    )


@dataclass(frozen=True, slots=True)
class Copy:
    """An item once more behind itself, with another name."""

    file: str
    path: Path
    key: str
    name: str

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, self.path[:-1]),)

    def done(self, texts: Texts) -> Texts:
        text = texts[self.file]
        return {**texts, self.file: spliced(text, duplicate(text, self.path, (self.key, self.name)))}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        copied = copy.deepcopy(at(parse_cached(texts[self.file]).documents, self.path))
        copied[self.key] = self.name
        return Insert(self.file, self.path[:-1], self.path[-1] + 1, copied).lines(texts, language)


@dataclass(frozen=True, slots=True)
class Rename:
    """A name wherever it stands, in all files."""

    file: str
    path: Path
    key: str
    name: str
    workspace: Workspace = field(repr=False, compare=False)

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return tuple((file, ()) for file in self.workspace.texts)

    def done(self, texts: Texts) -> Texts:
        workspace = self.workspace.edited(
            (file, text) for file, text in texts.items() if self.workspace.texts.get(file) != text
        )
        operation = {"kind": "rename", "path": list(self.path), "name": self.name}
        found = operate(workspace, {"file": self.file, "operation": operation})["edit"]["changes"]
        return {**texts, **{file: _applied(texts[file], edits) for file, edits in found.items()}}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        documents, after = parse_cached(texts[self.file]).documents, self.done(texts)
        old = str(at(documents, self.path)[self.key])
        where = place(self.file, documents, (*self.path, self.key), language)
        files = sum(texts[file] != after[file] for file in texts)
        also = ("（用到它的地方都跟着改，共 {} 个文件）", " (and wherever it is used; {} files)")
        return [Line(where + of(language, also).format(files), old, self.name)]


def _applied(text: str, edits: Any) -> str:
    lines = Lines(text)
    for each in sorted(edits, key=lambda one: _place(one["range"]["start"]), reverse=True):
        start, end = (_offset(lines, each["range"][side]) for side in ("start", "end"))
        text = text[:start] + each["newText"] + text[end:]
    return text


def _place(position: Any) -> tuple[int, int]:
    return position["line"], position["character"]


def _offset(lines: Lines, position: Any) -> int:
    line, units = _place(position)
    return lines.begins_at(line + 1, lines.column(line + 1, units))


@dataclass(frozen=True, slots=True)
class File:
    """A file written whole, put away (``text`` None), or called ``name`` instead."""

    file: str
    text: str | None = field(default=None, repr=False)
    name: str | None = None

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, ()),)

    def done(self, texts: Texts) -> Texts:
        rest = {file: text for file, text in texts.items() if file != self.file}
        if self.name is not None:
            return {**rest, self.name: texts[self.file]}
        return rest if self.text is None else {**rest, self.file: self.text}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        word = of(language, plain.FILE)
        if self.name is not None:
            return [Line(word, self.file, self.name)]
        was, now = texts.get(self.file), self.text
        return [Line(f"{word} {self.file}", *(plain.value(each, language) for each in (was, now)))]


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of its own that is a comment: another one, or none; or a new one (``before`` None) above line ``line``."""

    file: str
    line: int
    before: str | None
    after: str | None

    @property
    def touches(self) -> tuple[tuple[str, Path], ...]:
        return ((self.file, ("#", self.line)),)

    def done(self, texts: Texts) -> Texts:
        lines = texts[self.file].splitlines(keepends=True)
        old = lines[self.line]
        room = old[: len(old) - len(old.lstrip())]
        new = [] if self.after is None else [f"{room}{self.after}\n"]
        lines[self.line : self.line + (self.before is not None)] = new
        return {**texts, self.file: "".join(lines)}

    def lines(self, texts: Texts, language: str) -> list[Line]:
        where = f"{self.file} › {of(language, plain.COMMENT)}"
        return [Line(where, plain.value(self.before, language), plain.value(self.after, language))]


def fresh_file(data: Any) -> str:
    return "\n".join(entry(key, value, 0) for key, value in data.items()) + "\n"
