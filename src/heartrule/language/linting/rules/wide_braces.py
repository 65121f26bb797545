"""W411: full-width braces round a name in a text. They are no placeholder; the person would see them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes import Node
from heartrule.language.texts.source import Path

_WIDE = re.compile(r"[｛{][ \u3000]*([^｛｝{}\s,，。？！]{1,40}?)[ \u3000]*[｝}]")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        for keys, text in view.names.once(_wide, action):
            for match in _WIDE.finditer(text):
                if "｛" in match[0] or "｝" in match[0]:
                    place = view.project.within(action, match.start(), *keys)
                    mend = _mended(view, action, keys, match)
                    yield finding("W411", place, mend=mend, name=clip(match[1]))


def _wide(_: Names, action: Node) -> tuple[tuple[Path, str], ...]:
    return tuple(said_texts(action, "｛｝"))


def said_texts(action: Node, signs: str) -> Iterator[tuple[Path, str]]:
    """The texts of an action that a person may see, where one of these signs stands in them."""
    for key in ("content", "question", "fallback", "goal", "exercise", "on_stop", "caption", "alt", "value"):
        yield from _in(action.peek(key), (key,), signs)
    for index, choice in enumerate(action.peek("choices") or ()):
        yield from _in(choice.label, ("choices", index, "label"), signs)


def _in(value: Any, keys: Path, signs: str) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str) and any(sign in value for sign in signs):
        yield keys, value


def _mended(view: View, action: Node, keys: Path, match: re.Match[str]) -> Mend | None:
    """Plain braces, where the text does not begin with them: there the value would need quotes as well."""
    place = view.project.within(action, match.start(), *keys)
    source = view.project.maps.get(place.file)
    if source is None or (match.start() == 0 and source.value(place.path).style not in ("'", '"', "|", ">")):
        return None
    return view.rewritten(place, re.escape(match[0]), "{" + match[1].replace("\\", r"\\") + "}")
