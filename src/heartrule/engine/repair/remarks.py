"""A remark about the conversation itself (我回来了, 等一下, 你问得太多了) answers nothing: a short word, and what waits
stands.

So it is without a model, and wherever something is to be chosen: there nobody but the rules reads the words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from heartrule.engine.action_types import registry
from heartrule.engine.awareness import alerts, hook_judgements
from heartrule.engine.awareness.awareness import enabled
from heartrule.engine.dialogue.fixed_wording import last_question
from heartrule.engine.repair import late_words
from heartrule.engine.repair.questions_back import is_an_answer
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.moves import PersonInput, Step
from heartrule.engine.session.tasks import Answer
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action
from heartrule.parsing.questions import invites_questions
from heartrule.parsing.remarks import remark

ONCE = ("rest", "which", "other")
"""Whoever says one of these again, while the same question waits, is taken at their word."""
SILENT = ("wait",)
"""After these nothing is put again: they know what was asked, and have said that they will come back to it."""
_WAITED = ("repeat", "clarify", "purpose", "stop")
WHY = "repair_purpose"
_REPAIRED = ("clarify", "unknown", "purpose", "skip")
"""Repairs for which a choice has sentences of its own: ``choice_…``. To the others it says what any question says."""


class RemarkCounts(ActionState):
    """How often each sentence was said while ``question`` was waiting."""

    section: ClassVar[str] = "remarks"

    question: str = Field(default="", repr=False)
    times: dict[str, int] = {}


def kind_of(work: Work, action: Action, heard: PersonInput, reply: Answer | None) -> str | None:
    """The scheme's sentences for what these words are, where they answer nothing; None where they may be an answer, and
    in the safety project, whose techniques stay with whoever does not plainly say no."""
    if (
        heard.choice is not None
        or work.running.project == SAFETY
        or not (action.traits.takes_words or action.traits.offers)
    ):
        return None
    if (reply is not None and reply.data is not None) or is_an_answer(work, action, heard.text):
        return None
    if heard.repair is not None:
        return _repaired(action, heard.repair)
    return _remark(work, action, heard.text, reply)


def _remark(work: Work, action: Action, text: str, reply: Answer | None) -> str | None:
    """The sentences for a remark about the conversation, where no model answers it and no script listens for it."""
    if action.traits.takes_words and ((work.model and reply is None) or invites_questions(_question(work))):
        return None
    kind = remark(text, choosing=action.traits.offers == "choice")
    if kind is None or (kind == "back" and action.traits.offers == "press") or _is_watched(work, action):
        return None
    key = f"remark_{kind}"
    risky = late_words.concerns_risk(work, action.peek("output") or [])
    return None if (kind in ONCE or risky) and _times(work, key) else key


def _is_watched(work: Work, action: Action) -> bool:
    """Whether a script of the author's own hears it behind this very action: what comes of it is theirs to say."""
    return any(
        f"after {action.type}" in hook_judgements.hook_points_of(node)
        and not alerts.resting(work, ref, node)
        and hook_judgements.heard_at_rest(work.findings, ref, node) is not None
        for ref, node in enabled(work, "P1").items()
    )


def _repaired(action: Action, repair: str) -> str | None:
    """A choice is explained in other words, and nothing is explained again to who asks what it is for. One that may be
    declined is left alone by who says no more than that."""
    if action.peek("choices"):
        if repair == "skip" and action.peek("required") is False:
            return None
        return f"choice_{repair}" if repair in _REPAIRED else f"repair_{repair}"
    if action.traits.offers in ("press", "form") and repair in _WAITED:
        return f"repair_{repair}"  # nothing is asked there: what mends the conversation neither presses nor puts away
    return WHY if action.traits.says and repair == "purpose" else None


def answer(work: Work, action: Action, key: str) -> Step:
    """The sentence, then the waiting question again, with its choices. That costs no round and no try."""
    times = _times(work, key)
    step = registry()[action.type].again(work, action)
    said = work.spoken("purpose_again", 0) if key == WHY and times else work.spoken(key, times)
    noted, counted = RemarkCounts.of(work.frame), {**_all(work), key: times + 1}
    noted.question, noted.times = _question(work), counted
    rest = "\n".join(step.say) if not action.traits.says else last_question(_question(work))
    rest = "" if key.removeprefix("remark_") in SILENT else rest
    return replace(step, say=("\n".join(filter(None, (said, rest))),))


def _question(work: Work) -> str:
    return work.frame.question


def _all(work: Work) -> dict[str, int]:
    noted = RemarkCounts.of(work.frame)
    return noted.times if noted.question == _question(work) else {}


def _times(work: Work, key: str) -> int:
    """How often it has been said while the same question was waiting."""
    return _all(work).get(key, 0)
