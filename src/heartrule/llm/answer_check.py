"""Whether an answer can be used, and if not, why: in words that quote nothing."""

from __future__ import annotations

from dataclasses import replace

from heartrule.checks.checks import Checks, Objection
from heartrule.engine.session.tasks import Task
from heartrule.language.sentences import Sentences
from heartrule.llm.parsing import ParsedAnswer, parse
from heartrule.llm.provider import Reply
from heartrule.llm.reply_language import in_tongue
from heartrule.llm.streamed_reply import SAYABLE, is_manner, objection, wrong_tongue


def read(reply: Reply, task: Task, checks: Checks | None = None, said: str = "") -> tuple[ParsedAnswer, str]:
    """The answer as far as it fits ``task`` (and goes on from what was ``said`` already), and the code of what is wrong
    with it (empty: nothing). Of an answer whose words may not be shown (``check:…``) the data are there too."""
    parsed = parse(reply.text, task.schema, task.required)
    if parsed.data is None:
        return parsed, "missing" if parsed.problem.startswith("missing") else "not_json"
    if reply.finish == "length" and parsed.strategy == "repaired":
        return replace(parsed, data=None, problem="cut off at the token limit"), "cut_off"
    content = parsed.data.get("content")
    found, before = _first_objection(content, task, checks, said) if isinstance(content, str) else (None, "")
    if found is None:
        return parsed, "dropped" if parsed.dropped else ""
    if found.code in UNUSABLE:
        return replace(parsed, data=None, problem=found.reason), found.code
    if is_manner(found) and (before.strip() or said):
        return replace(parsed, data={**parsed.data, "content": before.strip()}), f"cut:{found.code}"
    return replace(parsed, problem=found.reason), f"check:{found.code}"


UNUSABLE = ("too_long", "language")
"""Such an answer has missed the task: nothing of it is believed."""


def _first_objection(content: str, task: Task, checks: Checks | None, said: str) -> tuple[Objection | None, str]:
    """What may not be shown, and what stands before it. Nobody reads on where it has become too long: an answer may be
    a megabyte, and all others wait meanwhile."""
    content = content[: SAYABLE + 1]
    if not in_tongue(content, task.context):
        return wrong_tongue(task.context), ""
    before, cut = "", Sentences()
    for sentence in (*cut.feed(content), cut.rest):
        found = objection(sentence, said + before, task.context, checks)
        if found is not None:
            return found, before
        before += sentence
    return None, before
