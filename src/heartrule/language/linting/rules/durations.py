"""W278: a session's ``duration`` that is no length of time."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.timeouts import seconds
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    for session in view.project.sessions:
        if session.duration is not None and seconds(session.duration) is None:
            place = view.project.at(session, "duration", value=True)
            yield finding("W278", place, value=clip(session.duration))
