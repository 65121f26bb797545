"""Sessions, phases and topics: ``session_name``, ``stage``, ``topics``, ``goal`` for ``topic``, …"""

from __future__ import annotations

import re

from heartrule.language.rewriting import Edit
from heartrule.language.spelled.found import Made, Spelled, both

_OWN = {"sessions": "session", "phases": "phase", "steps": "topic"}
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


def spelled(here: Spelled) -> Made:
    """A session, a phase or a topic."""
    own = _OWN[here.kind]
    names = NAMES[here.kind]
    if own == "topic" and not here.get("topic", "topic_name"):
        aim = here.get("goal")
        if aim and (body := here.get("actions")) and body.value.kind == "list":
            yield here.page.rename(aim, "topic")
            return
    named = [own, *(key for key, form in names.items() if form == own)]
    id_ = next((entry for entry in here.node.entries if names.get(entry.name) == "id"), None)
    if id_ is not None and not here.get(*named) and id_.value.text():
        # What has an id and no name is called by its id.
        yield here.page.before(here.node, id_, f"{own}: ", (id_.value.start, id_.value.end))
    if not here.get(*named) and id_ is None and (called := here.get(*_CALLED)):
        yield here.page.rename(called, own)
    yield from here.rename(names)
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


def transition(here: Spelled) -> Made:
    yield from here.rename(TARGETS)
