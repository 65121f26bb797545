"""W422: the same sentence as an example of what is meant and of what is not, and the same pattern under two kinds of
rules: one of them cannot be right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node, RiskRules
from heartrule.language.texts.source import Path

_KINDS = ("explicit", "wishes", "watch", "others")
"""What is graver is searched later than these, and may well be the same."""


def check(view: View) -> Iterator[Finding]:
    for awareness in view.project.awareness:
        noticing = awareness.noticing
        if noticing is None:
            continue
        examples = noticing.examples
        yield from _both(view, examples, ("hit", examples.hit), ("miss", examples.miss))
        if noticing.rules is not None:
            yield from _patterns(view, noticing.rules)


def _both(
    view: View, node: Node, one: tuple[str, Sequence[str]], other: tuple[str, Sequence[str]]
) -> Iterator[Finding]:
    first = {_plain(text) for text in one[1]}
    for index, text in enumerate(other[1]):
        if _plain(text) in first:
            place = view.project.at(node, other[0], index, value=True)
            yield finding("W422", place, text=clip(text, 40), one=one[0], other=other[0])


def _patterns(view: View, rules: RiskRules) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for kind in _KINDS:
        for rule in getattr(rules, kind):
            yield from _both(view, rule, ("match", rule.match), ("pass", rule.pass_))
            unless = {text for _, text in _written(rule.unless, "unless")}
            for keys, text in _written(rule.pattern, "pattern"):
                before = "unless" if text in unless else first.setdefault(text, kind)
                if before != kind:
                    place = view.project.at(rule, *keys, value=True)
                    yield finding("W422", place, text=clip(text, 40), one=before, other=kind)


def _written(pattern: str | list[str] | None, key: str) -> Iterator[tuple[Path, str]]:
    if isinstance(pattern, str):
        yield (key,), pattern.strip()
    for index, each in enumerate(pattern if isinstance(pattern, list) else ()):
        yield (key, index), each.strip()


def _plain(text: str) -> str:
    return " ".join(str(text).split()).rstrip("。.！!").casefold()
