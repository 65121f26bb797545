"""W238: ``require_acknowledgment`` where it has no effect, because the ``ai_say`` explains over several rounds."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View

_EXPLAINING = ("max_rounds", "exit_criteria")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if "require_acknowledgment" in action.model_fields_set:
            written = [key for key in _EXPLAINING if getattr(action, key, None) is not None]
            if written:
                place = view.project.at(action, "require_acknowledgment")
                yield finding("W238", place, mend=view.without(place), written=written[0])
