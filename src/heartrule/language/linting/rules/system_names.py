"""W257: ``{%name%}`` where there is no such system variable; it would be said as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.names import Names, system_names
from heartrule.language.nodes import Node
from heartrule.language.placeholders import Placeholder
from heartrule.language.texts.source import Path

KNOWN = frozenset(
    {
        *(
            "time",
            "who",
            "user",
            "chat_history",
            "current_round",
            "max_rounds",
            "monitor_feedback",
            "memory",
            "case_file",
        ),
        *(f"{part}_{what}" for part in ("topic", "phase", "session") for what in ("goal", "name")),
        *("topic_attempts", "suspended_because", "completed_topics", "planned_topics"),
        *("crisis_contacts", "danger_contacts", "emergency_contacts", "crisis_numbers", "crisis_helpline"),
        "risk_picture",
        "risk_told",
        "on_duty",
    }
)
"""What any text of a script may read."""
_OF_TEMPLATES = frozenset({"understanding_threshold", "strategy_prompt"})
"""What the templates round it read besides."""


def check(view: View) -> Iterator[Finding]:
    for node in view.nodes():
        for keys, found in view.names.once(_unknown, node):
            place = view.project.within(node, found.offset, *keys)
            name = view.misnamed(place, found.source, found.name, sorted(KNOWN))
            yield finding("W257", place, mend=name, name=clip(found.name), advice=nearest(found.name, sorted(KNOWN)))


def _unknown(_: Names, node: Node) -> tuple[tuple[Path, Placeholder], ...]:
    known = KNOWN | _OF_TEMPLATES
    return tuple((keys, found) for keys, found in system_names(node) if found.name not in known)
