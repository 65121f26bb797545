"""E240: a check that keeps people from harm, switched off. W242: a sensitive word so short that it stops nearly all."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.checks.rules import CONTENT, STYLE
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    checks = view.project.node.checks
    for index, name in enumerate(checks.off):
        if name in CONTENT:
            place = view.project.at(checks, "off", index, value=True)
            yield finding("E240", place, name=name, known=", ".join(STYLE))
    given = checks.sensitive
    lists = [((), given)] if isinstance(given, list) else [((locale,), words) for locale, words in given.items()]
    for keys, words in lists:
        for index, word in enumerate(words):
            if len(word.strip()) < 2:
                place = view.project.at(checks, "sensitive", *keys, index, value=True)
                yield finding("W242", place, word=clip(word))
