"""W233: an undeclared name that is kept longer than its topic, because it is read elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    if not view.project.whole:
        return
    for session in view.project.sessions:
        for name, guess in view.guesses(session).items():
            if guess.why == "read" and guess.read is not None:
                place = view.project.at(guess.write.node, *guess.write.keys, value=True)
                reader = guess.read.node.place
                yield finding("W233", place, name=name, scope=guess.scope, line=reader.line)
