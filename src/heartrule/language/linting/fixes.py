"""Findings mended in the texts of files, as ``lint --fix`` does: only where there is no other way to mean it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding
from heartrule.language.findings.mends import TextEdit, applied
from heartrule.language.linting.lint import LintResult, Registry, lint_paths
from heartrule.language.yaml.decoding import decode

ROUNDS = 20
"""What one mend lets be seen is mended in the next round."""
TRIES = 200
"""How many mends are made one by one where some of a round brought new errors."""
_MARK = b"\xef\xbb\xbf"
_UNREADABLE = "E0"
"""How codes of files begin that are no good YAML."""
_HIDDEN = "E001"
"""What is not told beside another code of that kind."""


@dataclass(slots=True)
class FixResult:
    """``done`` are findings that are gone, each with the line it was in; ``problems`` say by path why a file could not
    be written, ``left`` is what lint says now."""

    left: LintResult
    done: list[Finding]
    problems: dict[Path, str]


def mend_paths(paths: Iterable[Path | str], registry: Registry, write: Callable[[Path, bytes], str]) -> FixResult:
    """Mends what is at ``paths``. ``write`` puts content in a file's place and says what kept it from being. What
    brings an error of any code that does not go by a further mend is taken back: then mends are made one by one."""
    mending = _Fixing(list(paths), registry, write)
    if mending.settled(mending.left.findings):
        return mending
    for found in list(mending.left.findings)[:TRIES]:
        again = next((each for each in mending.left.findings if _same(each, found)), None)
        if again is not None:
            mending.settled([again])
    return mending


class _Fixing(FixResult):
    def __init__(self, paths: list[Path | str], registry: Registry, write: Callable[[Path, bytes], str]) -> None:
        super().__init__(lint_paths(paths, registry), [], {})
        self._asked = paths, registry
        self._write = write

    def settled(self, chosen: Sequence[Finding]) -> bool:
        """Makes the safe mends among some findings, and those of what they let be seen. False where that left an error
        that was not there; nothing has changed then."""
        before, done_before = self.left, list(self.done)
        originals: dict[str, bytes] = {}
        whole = len(chosen) == len(before.findings)
        known = set() if whole else {_said(each) for each in before.findings}
        for _ in range(ROUNDS):
            if not self._made(chosen, originals):
                break
            self.left = lint_paths(*self._asked)
            chosen = [each for each in self.left.findings if _said(each) not in known]
        if not originals or not _worse(before, self.left):
            return True
        for file, raw in originals.items():
            self._write(Path(file), raw)
        self.left, self.done = before, done_before
        return False

    def _made(self, chosen: Iterable[Finding], originals: dict[str, bytes]) -> bool:
        """Whether a file was written. Keeps what the files held."""
        some = False
        for file, found in _by_file(chosen).items():
            path = Path(file)
            if path in self.problems:
                continue
            raw = path.read_bytes()
            after, done = mended(raw, found)
            if done and (problem := self._write(path, after)):
                self.problems[path] = problem
            elif done:
                originals.setdefault(file, raw)
                self.done += done
                some = True
        return some


def _said(found: Finding) -> tuple[str, str, Bilingual]:
    return found.file, found.code, found.message


def _same(one: Finding, other: Finding) -> bool:
    """Whether two findings are one; a mend may have moved it within its line, and added or taken away lines."""
    return _said(one) == _said(other) and one.path == other.path


def _worse(before: LintResult, now: LintResult) -> bool:
    """Whether there are more errors of some code at some place than before. What could not be read may hide that there
    is more of it."""
    errors, errors_now = _errors(before), _errors(now)
    unreadable = {file for file, code, _ in errors if code.startswith(_UNREADABLE)}
    return any(
        count > errors[file, code, path]
        for (file, code, path), count in errors_now.items()
        if not (code == _HIDDEN and file in unreadable)
    )


def _errors(linted: LintResult) -> Counter[tuple[str, str, Bilingual]]:
    return Counter((found.file, found.code, found.path) for found in linted.findings if found.severity == "error")


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


def _meet(one: TextEdit, other: TextEdit) -> bool:
    """Whether two edits overlap or begin at the same place."""
    ends = (one.end_line, one.end_column), (other.end_line, other.end_column)
    starts = one[:2], other[:2]
    return starts[0] == starts[1] or (starts[0] < ends[1] and starts[1] < ends[0])
