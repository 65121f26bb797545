"""Findings mended in the texts of files, as ``lint --fix`` does: only where there is no other way to mean it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from heartrule.language.findings import Finding
from heartrule.language.lint import Linted, Registry, lint_paths
from heartrule.language.mends import TextEdit, applied
from heartrule.language.text import decode

ROUNDS = 20
"""What one mend lets be seen is mended in the next round."""
_MARK = b"\xef\xbb\xbf"
_UNREADABLE = "E0"
"""How codes of files begin that are no good YAML."""


@dataclass(slots=True)
class Mended:
    """``done`` are findings that are gone, each with the line it was in; ``problems`` say by path why a file could not
    be written, ``left`` is what lint says now."""

    left: Linted
    done: list[Finding]
    problems: dict[Path, str]


def mend_paths(paths: Iterable[Path | str], registry: Registry, write: Callable[[Path, bytes], str]) -> Mended:
    """Mends what is at ``paths``. ``write`` puts content in a file's place and says what kept it from being."""
    paths = list(paths)
    made = Mended(lint_paths(paths, registry), [], {})
    given_up: set[str] = set()
    for _ in range(ROUNDS):
        before: dict[str, tuple[bytes, list[Finding]]] = {}
        for file, found in _by_file(made.left.findings).items():
            path = Path(file)
            if file in given_up or path in made.problems:
                continue
            raw = path.read_bytes()
            after, done = mended(raw, found)
            if done and (problem := write(path, after)):
                made.problems[path] = problem
            elif done:
                before[file] = raw, done
        if not before:
            break
        found_now = lint_paths(paths, registry)
        broken = _broken(found_now) - _broken(made.left)
        for file in broken & before.keys():
            write(Path(file), before.pop(file)[0])
            given_up.add(file)
        made.left = lint_paths(paths, registry) if broken else found_now
        for _, done in before.values():
            made.done += done
    return made


def mended(raw: bytes, findings: Iterable[Finding]) -> tuple[bytes, list[Finding]]:
    """A file with its safe mends made, and which those were. Of two that meet, the first is made."""
    text, _ = decode(raw, "")
    if text is None:
        return raw, []
    done: list[Finding] = []
    edits: list[TextEdit] = []
    for found in findings:
        if found.mend is None or not found.mend.safe or not found.mend.edits:
            continue
        if not any(_meet(one, other) for one in found.mend.edits for other in edits):
            edits += found.mend.edits
            done.append(found)
    mark = _MARK if raw.startswith(_MARK) else b""
    return mark + applied(text, edits).encode("utf-8"), done


def _by_file(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for each in findings:
        found.setdefault(each.file, []).append(each)
    return found


def _broken(linted: Linted) -> set[str]:
    return {found.file for found in linted.findings if found.code.startswith(_UNREADABLE)}


def _meet(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits overlap or begin at the same place."""
    ends = (one.end_line, one.end_column), (other.end_line, other.end_column)
    starts = one[:2], other[:2]
    return starts[0] == starts[1] or (starts[0] < ends[1] and starts[1] < ends[0])
