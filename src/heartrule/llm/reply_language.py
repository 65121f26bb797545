"""Whether words meant for a person are in the language of the conversation, or in the one that the person uses."""

from __future__ import annotations

from heartrule.checks.writing_system import meant_for
from heartrule.engine.session.tasks import Context


def in_tongue(content: object, context: Context) -> bool:
    """False only for a text of some length in the wrong writing system, when the person does not use it either."""
    last = next((line.text for line in reversed(context.history) if line.speaker == "person"), "")
    return not isinstance(content, str) or meant_for(content, context.locale, last)
