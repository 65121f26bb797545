"""Labelled files: what somebody said, yes-or-no questions about it, and the right answers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from heartrule.language.texts.plain import read_yaml

YES = frozenset({"1", "true", "yes", "y", "t", "是", "有", "对", "真"})
NO = frozenset({"0", "false", "no", "n", "f", "否", "无", "没有", "不", "假"})


class BadFile(Exception):
    """The file cannot be used. ``line`` counts from 1, of the file (0: all of it); the text quotes no row."""

    def __init__(self, why: str, line: int = 0, **values: object) -> None:
        self.why, self.line, self.values = why, line, values
        super().__init__(f"{why}: line {line}")


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, and where its right answer stands: column ``label``. ``column``: the question is in this one."""

    label: str
    text: str = ""
    column: str = ""


@dataclass(frozen=True, slots=True)
class LabelledUtterance:
    """What was said, ``before`` it by the counsellor, and each question with its right answer."""

    said: str = field(repr=False)
    before: str = field(repr=False)
    answers: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Columns:
    """Where everything stands. ``positive``: the label that means yes; without it, what reads as yes or no."""

    text: str
    asked: tuple[LabelledQuestion, ...]
    before: str = ""
    positive: str = ""


def questions(path: Path) -> tuple[LabelledQuestion, ...]:
    """A YAML list of ``{question: …, label: column}``."""
    try:
        found = read_yaml(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        raise BadFile("unread", path=path) from None
    if not isinstance(found, list) or not found:
        raise BadFile("questions", path=path)
    asked = []
    for each in found:
        if not isinstance(each, dict) or not all(isinstance(each.get(key), str) for key in ("question", "label")):
            raise BadFile("questions", path=path)
        asked.append(LabelledQuestion(each["label"], " ".join(each["question"].split())))
    return tuple(asked)


def load_rows(path: Path, columns: Columns, limit: int | None = None) -> list[LabelledUtterance]:
    """The labelled rows in the order of the file, rows about the same words as one; at most ``limit`` rows of the file.
    A label that is empty (or null) is not asked about. Raises ``BadFile``."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise BadFile("unread", path=path) from None
    found: dict[tuple[str, str], dict[str, bool]] = {}
    for number, (line, row) in enumerate(_csv(text) if path.suffix.lower() in (".csv", ".tsv") else _lines(text)):
        if limit is not None and number >= limit:
            break
        said, before = _text(row, columns.text, line), _text(row, columns.before, line) if columns.before else ""
        answers = found.setdefault((said, before), {})
        for each in columns.asked:
            label = _label(row, each.label, columns.positive, line)
            if label is not None:
                answers[each.text or " ".join(_text(row, each.column, line).split())] = label
    rows = [LabelledUtterance(said, before, answers) for (said, before), answers in found.items() if answers]
    if not rows:
        raise BadFile("empty", path=path)
    return rows


def _csv(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text.partition("\n")[0], delimiters=",;\t")
    except csv.Error:
        dialect = "excel"
    reader = csv.DictReader(io.StringIO(text, newline=""), dialect=dialect)
    for row in reader:
        yield reader.line_num, row


def _lines(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise BadFile("not_json", number) from None
        if not isinstance(row, dict):
            raise BadFile("not_json", number)
        yield number, row


def _text(row: Mapping[str, Any], column: str, line: int) -> str:
    value = row.get(column)
    if not isinstance(value, str) or not value.strip():
        raise BadFile("no_text", line, column=column, columns=_names(row))
    return value.strip()


def _label(row: Mapping[str, Any], column: str, positive: str, line: int) -> bool | None:
    if column not in row:
        raise BadFile("no_text", line, column=column, columns=_names(row))
    value = row[column]
    if value is None or value == "":
        return None
    if isinstance(value, bool) and not positive:
        return value
    said = str(value).strip().casefold()
    if positive:
        return said == positive.strip().casefold()
    if said in YES or said in NO:
        return said in YES
    raise BadFile("no_label", line, column=column)


def _names(row: Mapping[str, Any]) -> str:
    names: Sequence[Any] = [name for name in row if name is not None]
    return ", ".join(map(str, names))
