"""Whether an answer can be used, and if not, why: in words that quote nothing."""

from __future__ import annotations

from dataclasses import replace

from heartrule.engine.tasks import Task
from heartrule.llm.parsing import Parsed, parse
from heartrule.llm.provider import Reply
from heartrule.llm.tongue import in_tongue

SAYABLE = 4_000
"""Characters beyond which nothing is meant to be said to a person: such an answer has run away."""


def read(reply: Reply, task: Task) -> tuple[Parsed, str]:
    """The answer as far as it fits ``task``, and the code of what is wrong with it (empty: nothing)."""
    parsed = parse(reply.text, task.schema, task.required)
    if parsed.data is None:
        return parsed, "missing" if parsed.problem.startswith("missing") else "not_json"
    content = parsed.data.get("content")
    if reply.finish == "length" and parsed.strategy == "repaired":
        return replace(parsed, data=None, problem="cut off at the token limit"), "cut_off"
    if isinstance(content, str) and len(content) > SAYABLE:
        return replace(parsed, data=None, problem=f"`content` has more than {SAYABLE} characters"), "too_long"
    if not in_tongue(content, task.context):
        return replace(parsed, data=None, problem=f"`content` must be written in {task.context.locale}"), "language"
    return parsed, "dropped" if parsed.dropped else ""
