"""The language that the scripts of a project are plainly written in, where nothing names one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from heartrule.language.findings import Finding, finding
from heartrule.language.findings.mends import Mend, TextEdit
from heartrule.language.nodes import Node, Session
from heartrule.language.texts.source import SourceMap

ENGLISH = "en"
_OTHER = re.compile(r"[^\x00-\u024f\u2000-\u2bff\ufe00-\ufe0f\U0001f000-\U0001faff]")
"""What belongs to a script that English is not written in."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_COMMON = frozenset(
    _WORD.findall(
        "the a an and or but of to in on at for with from about is are was were be been do does did have has had you"
        " your i me my we our it its this that these those what how when where who why which not no yes can could will"
        " would if thank thanks please hello let us there here some any more one so"
    )
)
_LEAST, _SHARE = 8, 0.3
"""How many words there must be, and how many of them the common ones."""


def taken(nodes: Iterable[Node], texts: Iterable[str]) -> str | None:
    """English, where all that is written is and nothing else; else None. ``texts``: the files, comments and all."""
    if any(node.peek("locale") for node in nodes) or any(_OTHER.search(text) for text in texts):
        return None
    said = " ".join(text.lower() for node in nodes for text in _texts(node.model_dump(serialize_as_any=True)))
    words = _WORD.findall(said)
    common = sum(word in _COMMON for word in words)
    return ENGLISH if len(words) >= _LEAST and common >= _SHARE * len(words) else None


def locale_findings(sessions: Iterable[Session], maps: Mapping[str, SourceMap], locale: str) -> Iterator[Finding]:
    """Each session that does not say it, with the line that would."""
    for session in sessions:
        place = session.place
        spot = maps[place.file].key((*place.path, "session"))
        flow = maps[place.file].value(place.path).style == "{"
        written = f"locale: {locale}" + (", " if flow else "\n" + " " * (spot.column - 1))
        edit = TextEdit(spot.line, spot.column, spot.line, spot.column, written)
        yield finding("W426", place, mend=Mend((edit,), safe=False), locale=locale)


def _texts(value: object) -> Iterator[str]:
    """What is said somewhere, names and identifiers aside: texts of several words."""
    if isinstance(value, str):
        yield from [value] if " " in value.strip() else []
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
