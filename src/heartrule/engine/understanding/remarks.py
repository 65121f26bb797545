"""A remark about the conversation itself (我回来了, 等一下, 你问得太多了) answers nothing: a short word, and what waits
stands.

So it is without a model, and wherever something is to be chosen: there nobody but the rules reads the words.
"""

from __future__ import annotations

from dataclasses import replace

from heartrule.engine import flow
from heartrule.engine.actions import registry
from heartrule.engine.actions.base import Heard
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.speaking.wording import last_question
from heartrule.engine.understanding import late
from heartrule.engine.understanding.questions_back import is_an_answer
from heartrule.engine.watching import alerts, lookout
from heartrule.engine.watching.awareness import enabled
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action
from heartrule.readers.questions import invites_questions
from heartrule.readers.remarks import remark

ACTIONS = ("ask", "ai_ask", "ai_say", "user_option", "user_say", "show_form", "announce")
CHOOSING = ("user_option", "announce")
"""Where any question is no answer."""
ANSWERED = ("ask", "ai_ask", "ai_say")
"""What a model answers, where there is one."""
ONCE = ("rest", "which", "other")
"""Whoever says one of these again, while the same question waits, is taken at their word."""
SILENT = ("wait",)
"""After these nothing is put again: they know what was asked, and have said that they will come back to it."""
WAITING = ("user_say", "show_form")
"""Where nothing is asked: what mends the conversation is met there too, and neither presses nor puts away anything."""
_WAITED = ("repeat", "clarify", "purpose", "stop")
WHY = "repair_purpose"
_REPAIRED = ("clarify", "unknown", "purpose", "skip")
"""Repairs for which a choice has sentences of its own: ``choice_…``. To the others it says what any question says."""


def put(work: Work, action: Action, heard: Heard, reply: Answer | None) -> str | None:
    """The scheme's sentences for what these words are, where they answer nothing; None where they may be an answer, and
    in the safety project, whose techniques stay with whoever does not plainly say no."""
    if heard.choice is not None or work.running.project == SAFETY or action.type not in ACTIONS:
        return None
    if (reply is not None and reply.data is not None) or is_an_answer(work, action, heard.text):
        return None
    if heard.repair is not None:
        return _repaired(action, heard.repair)
    if work.model and reply is None and action.type in ANSWERED:
        return None
    kind = remark(heard.text, choosing=action.type in CHOOSING)
    if kind is None or (kind == "back" and action.type == "user_say"):
        return None
    if action.type in ANSWERED and invites_questions(_question(work)):
        return None
    if _is_watched(work, action):
        return None
    key = f"remark_{kind}"
    risky = late.concerns_risk(work, action.peek("output") or [])
    return None if (kind in ONCE or risky) and _times(work, key) else key


def _is_watched(work: Work, action: Action) -> bool:
    """Whether a script of the author's own hears it behind this very action: what comes of it is theirs to say."""
    return any(
        f"after {action.type}" in lookout.joints_of(node)
        and not alerts.resting(work, ref, node)
        and lookout.heard_at_rest(work, ref, node) is not None
        for ref, node in enabled(work, "P1").items()
    )


def _repaired(action: Action, repair: str) -> str | None:
    """A choice is explained in other words, and nothing is explained again to who asks what it is for. One that may be
    declined is left alone by who says no more than that."""
    if repair == "skip" and action.peek("required") is False and action.type == "user_option":
        return None
    if action.type == "user_option":
        return f"choice_{repair}" if repair in _REPAIRED else f"repair_{repair}"
    if action.type in WAITING and repair in _WAITED:
        return f"repair_{repair}"
    return WHY if action.type == "ai_say" and repair == "purpose" else None


def answer(work: Work, action: Action, key: str) -> None:
    """Say the sentence, then put the waiting question again, with its choices. That costs no round and no try."""
    times = _times(work, key)
    step = registry()[action.type].again(work, action)
    said = work.spoken("purpose_again", 0) if key == WHY and times else work.spoken(key, times)
    work.frame.memory["remarks"] = {"of": _question(work), "times": {**_all(work), key: times + 1}}
    rest = "\n".join(step.say) if action.type != "ai_say" else last_question(_question(work))
    rest = "" if key.removeprefix("remark_") in SILENT else rest
    flow.apply(work, replace(step, say=("\n".join(filter(None, (said, rest))),)))


def _question(work: Work) -> str:
    return str(work.frame.memory.get("question", ""))


def _all(work: Work) -> dict[str, int]:
    noted = work.frame.memory.get("remarks", {})
    return dict(noted["times"]) if noted and noted["of"] == _question(work) else {}


def _times(work: Work, key: str) -> int:
    """How often it has been said while the same question was waiting."""
    return _all(work).get(key, 0)
