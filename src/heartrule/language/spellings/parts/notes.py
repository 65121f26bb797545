"""Notes on a script, and settings of other engines: they do nothing here, are told so, and become comments."""

from __future__ import annotations

from dataclasses import replace

from heartrule.language.findings import clip
from heartrule.language.spellings.parts.rewrite import Made, Refusal, SpelledMapping
from heartrule.language.texts.text_edits import Edit
from heartrule.language.texts.tree import Entry, Tree

_EVERYWHERE = frozenset(
    {"author", "authors", "version", "description", "desc", "tags", "remark", "remarks", "comment", "comments"}
    | {"note", "notes", "created_at", "created_by", "created_date", "updated_at", "updated_by", "updated_date"}
    | {"last_modified", "last_updated", "sort_order", "display_order"}
    | {"status", "published_at", "script_id", "script_name", "script_type"}
)
_ON_VALUES = frozenset({"remark", "remarks", "comment", "comments", "note", "notes", "example", "examples"})
NOTES: dict[str, frozenset[str]] = {
    "": _EVERYWHERE | {"name", "title", "examples", "script"},
    "sessions": _EVERYWHERE | {"name", "title", "session_type", "session_description", "estimated_duration"},
    "phases": _EVERYWHERE | {"name", "title", "phase_description", "phase_order"},
    "steps": _EVERYWHERE | {"name", "title", "topic_description", "topic_order"},
    "skills": _EVERYWHERE | {"name", "title", "technique_type", "technique_description", "category"},
    "parameters": frozenset({"type", "example", "examples"}),
    **dict.fromkeys(("global", "declare"), _ON_VALUES),
    "output": _ON_VALUES | {"extraction_strategy"},
    "forms": _EVERYWHERE - {"description"},
    "actions": _EVERYWHERE
    | {"action_name", "test_purpose", "expected_behavior", "sample_llm_output", "crisis_thresholds"}
    | {"impedance_threshold", "topic_drift_threshold", "understanding_threshold", "required_variables"}
    | {"extraction_strategy", "subtype", "llm_config", "temperature", "max_tokens"},
    "awareness": _EVERYWHERE | {"name", "title", "consciousness_type"},
    "roles": _EVERYWHERE | {"define", "sound_mode", "pic", "avatar", "id"},
}
"""Keys that say nothing which this engine would execute, each kind with its own."""


def spelled(here: SpelledMapping) -> Made:
    if not here.kind and any(entry.name not in NOTES[""] and entry.value.single for entry in here.node.entries):
        # A file that is one technique or one rule: what it says stands in that, a pass later.
        return
    if here.kind == "actions" and not here.node.given("type"):
        # What says nothing here may be a setting of the action that it will be, a pass later.
        return
    known = NOTES.get(here.kind, frozenset())
    if here.kind == "actions" and here.text("type") == "ai_say":  # there it is a field
        known -= {"subtype"}
    found = [entry for entry in here.node.entries if entry.name in known or _is_left_open(here, entry)]
    if not found or len(found) == len(here.node.entries):
        return
    for entry in found:
        freed = _freed(here, entry)
        without = commented(here, entry) if freed is not None else []
        if without and freed is not None:
            yield Refusal(entry.key.start, "W196", {"written": clip(entry.name)}, without=[*without, *freed])


def _freed(here: SpelledMapping, entry: Entry) -> list[Edit] | None:
    """Its texts that others call by their anchors, written where those stand. None where something else is called."""
    called = [part for part in entry.value.parts() if part.marked and here.called(part)]
    return [edit for part in called for edit in here.freed(part)] if all(part.single for part in called) else None


def _is_left_open(here: SpelledMapping, entry: Entry) -> bool:
    """A condition that an editor left empty, which is none."""
    return (
        here.kind in ("phases", "steps") and entry.name in ("entry_condition", "condition") and _is_empty(entry.value)
    )


_NEEDED = frozenset({"content", "content_template", "prompt_template", "question_template", "config", "skill", "form"})


def empty(here: SpelledMapping, node: Tree) -> Made:
    """Fields that an editor left behind with nothing in them."""
    left = [entry for entry in node.entries if entry.name not in _NEEDED and _is_empty(entry.value)]
    for entry in left if len(left) < len(node.entries) else ():
        without = commented(replace(here, node=node), entry)
        if without:
            yield Refusal(entry.key.start, "W196", {"written": clip(entry.name)}, without=without)


def _is_empty(value: Tree) -> bool:
    return value.kind == "scalar" and value.value in (None, "") and not value.marked


def commented(here: SpelledMapping, entry: Entry) -> list[Edit]:
    """The entry as comments, where it stands. Nothing where that cannot be."""
    page, end = here.page, max(entry.value.end, entry.key.end)
    if here.node.flow:
        written = page.text[entry.key.start : end]
        if "\n" in written:
            return []
        return [page.above(here.node.start, (entry.key.start, end)), *page.remove(here.node, entry)]
    edits = [Edit(entry.key.start, entry.key.start, ("# ",))]
    column, at = page.column(entry.key.start), page.next_line(entry.key.start)
    while at < end:
        line = page.text[at : page.next_line(at)]
        if line.strip():
            inner = at + min(column, len(line) - len(line.lstrip(" ")))
            edits.append(Edit(inner, inner, ("# ",)))
        at = page.next_line(at)
    return edits
