"""Which awareness scripts the script switches on and off where the conversation is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from heartrule.engine.work import Work
from heartrule.language.nodes import AwarenessSwitch, Topic


def here(work: Work) -> Iterator[tuple[AwarenessSwitch, datetime]]:
    """What the phase and the topic switch, the topic last, each with when it began. A topic that has called a technique
    goes on while that runs."""
    state = work.state
    if state.phase is None:
        return
    if work.phase.awareness is not None:
        yield work.phase.awareness, state.phase.entered_at
    frame = next((each for each in reversed(state.frames) if each.kind == "topic"), None)
    topic = work.script_node(frame) if frame is not None else None
    if frame is not None and isinstance(topic, Topic) and topic.awareness is not None:
        yield topic.awareness, frame.started_at
