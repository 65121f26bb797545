"""What kind of explaining an ``ai_say`` is (seed 003 §13, ``subtype``): written, or taken from what it says it is for.

A kind changes what is assessed in the answers, in the scheme's words (``say_kinds`` in ``spoken.yaml``), and lets a
scheme bring a template of its own for it (``ai_say_<kind>.md``)."""

from __future__ import annotations

from heartrule.engine.tasks.prompt_context import fill, without_notes
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

CONCEPT = "introduce_concept"
INFERRED = ("assign_task", "give_feedback", "persuade")
"""Kinds that are told by their words (``say_hints``), the first that fits."""
_LONGEST = 400


def subtype(work: Work, action: Action) -> str:
    """Its kind; empty where it does not explain."""
    if action.traits.says != "model":
        return ""
    return str(action.peek("subtype") or _inferred(work, action))


def _inferred(work: Work, action: Action) -> str:
    """What its aim says, else what its first words do; explaining something, where neither does."""
    for text in (fill(work, action.peek("goal")), fill(work, without_notes(action.peek("content") or ""))[:_LONGEST]):
        for kind in INFERRED:
            hints = work.world.spoken.get(f"say_hints.{kind}")
            if hints and any(each in text.lower() for each in hints[0].lower().split("|")):
                return kind
    return CONCEPT


def assessed(work: Work, kind: str) -> str:
    """What the answers are assessed for, as the scheme words it; empty where it has no words for this kind."""
    known = work.world.spoken.get(f"say_kinds.{kind}")
    return known[0] if known else ""
