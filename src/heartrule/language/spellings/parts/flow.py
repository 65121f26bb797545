"""Sessions, phases and topics: ``session_name``, ``stage``, ``topics``, ``goal`` for ``topic``, …"""

from __future__ import annotations

import re

from heartrule.language.spellings.parts import outputs
from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, both, senseless
from heartrule.language.texts.text_edits import Edit
from heartrule.language.texts.tree import Entry

OWN = {"sessions": "session", "phases": "phase", "steps": "topic"}
"""The key that each is called by."""
NAMES: dict[str, dict[str, str]] = {
    "sessions": {
        "session_id": "id",
        "session_name": "session",
        "session_goal": "goal",
        "stages": "phases",
        "target_audience": "audience",
        "enabled_consciousness": "awareness",
        "consciousness": "awareness",
        "variables": "declare",
        "global_variables": "declare",
    },
    "phases": {
        "phase_id": "id",
        "phase_name": "phase",
        "phase_goal": "goal",
        "stage": "phase",
        "stage_id": "id",
        "stage_name": "phase",
        "stage_goal": "goal",
        "entry_condition": "condition",
        "topics": "steps",
        "variables": "declare",
    },
    "steps": {
        "topic_id": "id",
        "topic_name": "topic",
        "topic_goal": "goal",
        "entry_condition": "condition",
        "variables": "declare",
    },
}
SWITCHES = {
    **dict.fromkeys(("enable_consciousness", "enabled_consciousness"), "enable"),
    **dict.fromkeys(("disable_consciousness", "disabled_consciousness"), "disable"),
}
_LASTS = re.compile(
    r"\s*约?\s*(\d+)\s*(?:(分钟|分|m|min|mins|minutes?)|(?:个)?(?:小时|钟头)|h|hours?)\s*\Z", re.IGNORECASE
)
TARGETS = {"target": "to", "target_phase": "to", "target_topic": "to", "goto": "to"}
_CALLED = ("name", "title")


def spelled(here: SpelledMapping) -> Made:
    """A session, a phase or a topic."""
    own = OWN[here.kind]
    names = NAMES[here.kind]
    if (body := here.get(own)) is not None and body.value.kind == "mapping":
        yield from _lifted(here, body)
        return
    if own == "topic" and not here.get("topic", "topic_name", *_CALLED):
        aim = here.get("goal")
        if aim and (body := here.get("actions")) and body.value.kind == "list":
            yield here.page.rename(aim, "topic")
            return
    named = [own, *(key for key, form in names.items() if form == own)]
    id_ = next((entry for entry in here.node.entries if names.get(entry.name) == "id"), None)
    if not here.get(*named) and (called := here.get(*_CALLED)):
        yield here.page.rename(called, own)
    elif id_ is not None and not here.get(*named) and id_.value.text():
        # What has an id and no name is called by its id.
        yield here.page.before(here.node, id_, f"{own}: ", (id_.value.start, id_.value.end))
    if ends := here.get("exit_condition", "exit_conditions"):
        yield senseless(
            ends,
            "里面的都走完才离开；要提前离开，写 transitions: [{to: …, condition: …}]；要不满足就不进来，写 condition。",
            "It is left when all in it has been gone through: to leave it earlier write"
            " transitions: [{to: …, condition: …}]; what must hold for it to begin is its condition.",
        )
    yield from here.rename(names)
    again = here.get("repeat_until")
    if again is not None and own == "topic" and not here.get("repeat"):
        yield here.page.nest(here.node, again, "repeat", "until")
    declared = here.get("declare", *(key for key, form in names.items() if form == "declare"))
    if declared is not None and (edits := outputs.names(here.page, declared.value, "var")):
        yield edits
    lasts = here.get("estimated_duration")
    told = _LASTS.match(lasts.value.text() or "") if lasts and not here.get("duration") else None
    if here.kind == "sessions" and lasts and told:
        form = f"{told[1]}{'m' if told[2] else 'h'}"
        yield [*here.page.rename(lasts, "duration"), Edit(lasts.value.start, lasts.value.end, (form,))]
    for key, form in SWITCHES.items():
        if here.kind != "phases" or (entry := here.get(key)) is None:
            continue
        if here.get("awareness", *(other for other in SWITCHES if other != key)):
            yield both(entry, f"awareness: {{{form}: […]}}")
        else:
            yield here.page.nest(here.node, entry, "awareness", form)


def _lifted(here: SpelledMapping, body: Entry) -> Made:
    """``- topic: {name: …, actions: […]}``: what stands in it belongs to the topic itself."""
    twice = next((entry for entry in body.value.entries if here.get(entry.name)), None)
    if twice is not None and twice.name != body.name:
        yield both(twice, twice.name)
    elif twice is None and (lifted := here.page.hoist(here.node, body)):
        yield lifted


STRATEGY = {"description": "notes", "retry_strategy": "retry", "max_retry_count": "max_retries"}
CANCELS = ("cancel_when", "cancel_if")


def strategy(here: SpelledMapping) -> Made:
    """``strategy`` of a topic or a technique."""
    yield from here.rename(STRATEGY)


def cancelled(here: SpelledMapping) -> Made:
    """What an awareness script has, and nothing that runs."""
    entry = here.get(*CANCELS)
    if entry is not None:
        yield senseless(
            entry,
            "要跳过整个话题写 condition；要在中途停下，写一个意识脚本：condition 写什么时候，then 用 CALL_TECHNIQUE，"
            "再写 resume: skip。",
            "To pass over all of it write condition; to stop in the middle write an awareness script: condition says"
            " when, then has CALL_TECHNIQUE, with resume: skip.",
        )


def transition(here: SpelledMapping) -> Made:
    yield from here.rename(TARGETS)
