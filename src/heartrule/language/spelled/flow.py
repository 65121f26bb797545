"""Sessions, phases and topics: ``session_name``, ``stage``, ``topics``, ``goal`` for ``topic``, …"""

from __future__ import annotations

from heartrule.language.spelled.found import Made, Spelled

_OWN = {"sessions": "session", "phases": "phase", "steps": "topic"}
NAMES: dict[str, dict[str, str]] = {
    "sessions": {
        "session_id": "id",
        "session_name": "session",
        "session_goal": "goal",
        "stages": "phases",
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
    },
    "steps": {
        "topic_id": "id",
        "topic_name": "topic",
        "topic_goal": "goal",
        "entry_condition": "condition",
    },
}


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
    yield from here.rename(names)
