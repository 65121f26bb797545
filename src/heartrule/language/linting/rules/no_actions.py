"""W402: a topic or a skill without any action; nothing happens in it."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    for body in view.bodies:
        if not body.steps.actions:
            what = Bilingual("技术", "skill") if body.session is None else Bilingual("话题", "topic")
            yield finding("W402", view.project.at(body.steps, "actions"), what=what, name=clip(body.steps.name))
