"""What is answered, as JSON: ranges as the Language Server Protocol counts them (from 0, in UTF-16 code units)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from heartrule.authoring import offers
from heartrule.authoring.positions import Range, characters, utf16
from heartrule.authoring.splices import Splice
from heartrule.authoring.workspace import Snapshot
from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding
from heartrule.language.findings.documents import diagnostic
from heartrule.language.findings.mends import Mend
from heartrule.language.texts.source import Path
from heartrule.language.texts.text_edits import begins

Json = dict[str, Any]


def hash_of(text: str) -> str:
    """What a text is called by whoever says which one they mean."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def node_id(file: str, path: Path) -> str:
    return f"{file}#{'/'.join(map(str, path))}"


def both(said: Bilingual | None) -> Json | None:
    return {"zh": said.zh, "en": said.en} if said is not None else None


class Lines:
    """A text's lines, to say where something stands in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.split("\n")
        self._begins = begins(text)

    def at(self, line: int, column: int) -> Json:
        """Of a line and a column from 1."""
        line = max(1, min(line, len(self._lines)))
        return {"line": line - 1, "character": utf16(self._lines[line - 1], max(1, column))}

    def range(self, range_: Range) -> Json:
        return {"start": self.at(*range_.start), "end": self.at(*range_.end)}

    def begins_at(self, line: int, column: int) -> int:
        """The offset of a line and a column from 1, a byte order mark being no column."""
        mark = 1 if line == 1 and self.text.startswith("\ufeff") else 0
        return self._begins[line - 1] + column - 1 + mark

    def column(self, line: int, units: int) -> int:
        """The column from 1 of a place so many UTF-16 code units into a line."""
        return characters(self._lines[line - 1], units) if 0 < line <= len(self._lines) else 1

    def offset(self, offset: int) -> Json:
        line = bisect_right(self._begins, offset)
        return self.at(line, offset - self._begins[line - 1] + 1)

    def between(self, start: int, end: int) -> Json:
        return {"start": self.offset(start), "end": self.offset(end)}

    def to_end(self, line: int, column: int) -> Json:
        """From a place to the end of its line."""
        own = self._lines[line - 1].rstrip() if 0 < line <= len(self._lines) else ""
        return {"start": self.at(line, column), "end": self.at(line, max(column + 1, len(own) + 1))}


def lines_of(snapshot: Snapshot, file: str) -> Lines:
    known = snapshot.shown.get(file)
    if known is None:
        known = snapshot.shown[file] = Lines(snapshot.texts.get(file, ""))
    return known


def text_edits(text: str, splices: Iterable[Splice]) -> list[Json]:
    lines = Lines(text)
    ordered = sorted(splices, key=lambda each: (each.start, each.end))
    return [{"range": lines.between(each.start, each.end), "newText": each.text} for each in ordered]


def finding(snapshot: Snapshot, found: Finding, lang: str, at: Path | None, path: Path | None = None) -> Json:
    """``at``: where in its file it is; ``path``: the node that is led to, where that is another place."""
    path = at if path is None else path
    told = found.localized(lang)
    lines = lines_of(snapshot, found.file)
    return {
        "file": found.file,
        "code": found.code,
        "severity": found.severity,
        "message": told.message,
        "hint": told.hint,
        "range": lines.to_end(max(1, found.line), max(1, found.column)),
        "path": list(path) if path is not None else None,
        "about": found.about,
        "mend": _mend(lines, found, found.mend, lang) if found.mend is not None else _offer(snapshot, found, at, lang),
    }


def _offer(snapshot: Snapshot, found: Finding, path: Path | None, lang: str) -> Json | None:
    offer = offers.offered(snapshot, found, path, lang)
    if offer is None:
        return None
    edits = text_edits(snapshot.texts.get(offer.file, ""), offer.splices)
    return {"title": offer.title.localized(lang), "safe": False, "edits": edits, "file": offer.file}


def _mend(lines: Lines, found: Finding, mend: Mend, lang: str) -> Json:
    edits = [
        {
            "range": {"start": lines.at(each.line, each.column), "end": lines.at(each.end_line, each.end_column)},
            "newText": each.text,
        }
        for each in mend.edits
    ]
    title = found.localized(lang).hint or diagnostic(found.code).mend.localized(lang) or found.code
    return {"title": title, "safe": mend.safe, "edits": edits, "file": found.file}


def nearest(paths: Sequence[tuple[int, int, Path]], line: int, column: int) -> Path | None:
    """Of places in their order (line, column, path) the last that is not behind this one."""
    low, high = 0, len(paths)
    while low < high:
        middle = (low + high) // 2
        if paths[middle][:2] <= (line, column):
            low = middle + 1
        else:
            high = middle
    return paths[low - 1][2] if low else None
