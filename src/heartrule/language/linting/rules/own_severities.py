"""E272: a code under ``lint`` that there is none of. E273: an error that a project wants to be less than one."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.findings.documents import codes
from heartrule.language.linting.view import View, nearest


def check(view: View) -> Iterator[Finding]:
    known = codes()
    for code, severity in view.project.node.lint.items():
        place = view.project.at(view.project.node, "lint", code)
        if code not in known:
            warnings = [each for each in known if each.startswith("W")]
            mend = view.chosen(place, code, [code.upper()] if code.upper() in known else [])
            yield finding("E272", place, mend=mend, name=clip(code), advice=nearest(code.upper(), warnings))
        elif code.startswith("E") and severity != "error":
            yield finding("E273", place, mend=view.without(place), name=code)
