"""W274: a key that has no effect without another one that is missing: ``on_timeout`` without ``timeout``, ``on_failure:
{do: default}`` without ``default``."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.view import View


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.on_timeout is not None and action.timeout is None:
            yield finding("W274", view.project.at(action, "on_timeout"), key="on_timeout", other="timeout")
    for rules in view.rules():
        failing = rules.on_failure
        if failing is not None and failing.do == "default" and failing.default is None:
            place = view.project.at(failing, "do")
            yield finding("W274", place, key="do: default", other="default")
