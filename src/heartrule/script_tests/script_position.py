"""Where a session stands in its script: the topic that runs and the action that waits, as they are written."""

from __future__ import annotations

from heartrule.engine import topic_plan
from heartrule.engine.session.state import State
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Action, Skill, Steps, Topic


def body_at(script: Script, state: State) -> Steps | None:
    """The topic or skill that a state stands in, with its present plan."""
    running, phase = state.running, state.phase
    if running is None or phase is None:
        return None
    node: Topic | Skill | None
    if running.kind == "skill":
        node = script.skills.get(running.ref)
    else:
        node = next((t for t in script.session.phases[phase.index].steps if running.ref in (t.id, t.topic)), None)
    return node if node is None or running.plan is None else topic_plan.body(node, running.ref, running.plan)


def action_at(script: Script, state: State) -> Action | None:
    """The action that a state waits at."""
    body = body_at(script, state)
    if body is None or state.running is None or state.running.action is None:
        return None
    return body.actions[state.running.action.index]
