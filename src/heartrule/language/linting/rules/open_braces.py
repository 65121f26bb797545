"""W416: a placeholder that is opened and not closed, or closed and not opened. The person would see the brace.
W431: one with a brace too many, or with a full stop that is no ASCII one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.wide_braces import said_texts
from heartrule.language.linting.view import View
from heartrule.language.names import COUNTERS, Names, aliases
from heartrule.language.nodes import Action
from heartrule.language.placeholders import parse_text
from heartrule.language.texts.source import Path


def check(view: View) -> Iterator[Finding]:
    marked = [(action, *said) for _, action in view.actions() for said in view.names.once(_marked, action)]
    open_ = [(action, *said) for _, action in view.actions() for said in view.names.once(_open, action)]
    if not marked and not open_:
        return
    known = {variable.var for variable in view.variables()} | set(view.globals) | COUNTERS
    known |= view.written()
    known |= {name for body in view.bodies for name in aliases(body.steps)}
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    if marked:
        yield from _foreign(view, names, marked)
    if open_:
        yield from _halves(view, names, open_)


_Said = tuple[Action, Path, str]


def _marked(_: Names, action: Action) -> tuple[tuple[Path, str], ...]:
    return tuple(said_texts(action, "<%[#$"))


def _open(_: Names, action: Action) -> tuple[tuple[Path, str], ...]:
    return tuple((keys, text) for keys, text in said_texts(action, "{}") if _left(text))


def _left(text: str) -> bool:
    """Whether braces are left beside the placeholders of a text: most have none, and no pattern is made for them."""
    return any("{" in part or "}" in part for part in parse_text(text).parts if isinstance(part, str))


def _foreign(view: View, names: str, texts: Sequence[_Said]) -> Iterator[Finding]:
    foreign = re.compile(
        rf"<[ ]*(?P<a>{names})[ ]*>|%(?P<b>{names})%|\[(?P<c>{names})\]|#(?P<d>{names})#|\$(?P<e>{names})(?!\w)"
    )
    for action, keys, text in texts:
        for match in foreign.finditer(text):
            whole = next(filter(None, match.groups()))
            place = view.project.within(action, match.start(), *keys)
            new = "{" + whole.replace("\\", r"\\") + "}"
            mend = view.rewritten(place, re.escape(match[0]), new, safe=False) if match.start() else None
            yield finding("W431", place, mend=mend, name=clip(match[0]), meant="{" + clip(whole) + "}")


def _halves(view: View, names: str, texts: Sequence[_Said]) -> Iterator[Finding]:
    halves = re.compile(
        rf"(?<!\{{)\{{[ \u3000]*(?P<opened>{names})(?![^{{}}]*\}})|(?P<closed>{names})[ \u3000]*\}}(?!\}})"
    )
    uneven = re.compile(
        rf"\{{\{{[ \u3000]*(?P<one>{names})[ \u3000]*\}}(?!\}})|(?<!\{{)\{{[ \u3000]*(?P<two>{names})[ \u3000]*\}}\}}"
    )
    dotted = re.compile(rf"\{{[ \u3000]*(?P<head>{names})[ \u3000]*[。．·•][ \u3000]*(?P<part>\w+)[ \u3000]*\}}")
    for action, keys, text in texts:
        for pattern in (uneven, dotted):
            for match in pattern.finditer(text):
                held = match.groupdict()
                whole = held.get("one") or held.get("two") or f"{held.get('head')}.{held.get('part')}"
                place = view.project.within(action, match.start(), *keys)
                new = "{" + whole.replace("\\", r"\\") + "}"
                mend = view.rewritten(place, re.escape(match[0]), new, safe=False)
                yield finding("W431", place, mend=mend, name=clip(match[0]), meant="{" + clip(whole) + "}")
        for match in halves.finditer(text):
            name = match["opened"] or match["closed"]
            if match["closed"] and "{" in text[: match.start()].rpartition("}")[2]:
                continue
            place = view.project.within(action, match.start(), *keys)
            mend = view.rewritten(place, re.escape(match[0]), "{" + name.replace("\\", r"\\") + "}", safe=False)
            yield finding("W416", place, mend=mend, name=clip(name))
