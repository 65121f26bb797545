"""Test files and the cassette that lies beside each: where it is, whose it is, and whether it can be read."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from pydantic import BaseModel, ValidationError

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import clip
from heartrule.language.projects.project import PROJECT_FILE, read_file
from heartrule.llm.provider import Reply

SUFFIXES = (".test.yaml", ".test.yml")
YAML = (".yaml", ".yml")
_NAMED = re.compile(rb"^tests[ ]*:", re.MULTILINE)
CASSETTES = "cassettes"
_NO_NUMBER = re.compile(r"(?<![\w\"])-?(?:NaN|Infinity)(?![\w\"])")
_FIELDS = frozenset(each.name for each in fields(Reply))


class _Entry(BaseModel):
    messages: list[tuple[str, str]]
    reply: Reply


def cassette(file: str) -> Path:
    """Where the answers for a test file are kept."""
    path = Path(file)
    stem = next((path.name.removesuffix(each) for each in SUFFIXES if path.name.endswith(each)), path.stem)
    return path.parent / CASSETTES / f"{stem}.json"


def sharing(tape: Path) -> list[Path]:
    """The test files whose answers are kept there: ``a.test.yaml`` and, in a folder ``tests``, ``a.yaml``."""
    found = [tape.parent.parent / f"{tape.stem}{ending}" for ending in (*SUFFIXES, *YAML)]
    return [path for path in found if path.is_file() and is_test_file(path)]


def is_test_file(path: Path) -> bool:
    """Whether a YAML file holds tests: by its name, or in a project's folder ``tests`` by what is in it."""
    if path.name.endswith(SUFFIXES):
        return True
    return path.name.endswith(YAML) and _in_tests(path.parent) and bool(_NAMED.search(read_file(path)[0]))


def _in_tests(folder: Path) -> bool:
    resolved = folder.resolve()
    inside = [each for each in (resolved, *resolved.parents) if each.name == "tests"]
    return any((each.parent / PROJECT_FILE).is_file() for each in inside)


def damage(path: Path) -> tuple[int, Bilingual] | None:
    """What keeps a cassette from being read, and on which line. None when nothing does, or when there is none."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return 1, Bilingual(str(error.strerror), str(error.strerror))
    try:
        text = raw.decode()
        tape = json.loads(text, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        return raw[: error.start].count(b"\n") + 1, Bilingual("不是 UTF-8", "it is not UTF-8")
    except json.JSONDecodeError as error:
        return error.lineno, Bilingual(f"不是 JSON（{error.msg}）", f"it is not JSON ({error.msg})")
    except _NoNumber as error:
        found = _NO_NUMBER.search(text)
        return _line(text, found.start() if found else 0), Bilingual(f"{error} 不是数", f"{error} is no number")
    except RecursionError:
        return 1, Bilingual("套得太深", "it is nested too deeply")
    if not isinstance(tape, dict):
        return 1, Bilingual("不是录音", "it is no cassette")
    return next((_misshapen(text, key) for key, entry in tape.items() if not _is_entry(entry)), None)


class _NoNumber(ValueError):
    """What JSON does not know and Python would take."""


def _refuse(constant: str) -> NoReturn:
    raise _NoNumber(constant)


def _is_entry(entry: Any) -> bool:
    try:
        _Entry.model_validate(entry)
    except ValidationError:
        return False
    return set(entry["reply"]) <= _FIELDS


def _misshapen(text: str, key: str) -> tuple[int, Bilingual]:
    at = max(text.find(json.dumps(key, ensure_ascii=False)), 0)
    name = clip(key, 16)
    return _line(text, at), Bilingual(f"`{name}` 这一条不是录下的回答", f"`{name}` is no recorded answer")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
