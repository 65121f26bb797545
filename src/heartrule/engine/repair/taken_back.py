"""A message that opens by taking back something said before is no answer, no choice and nothing for a form: the earlier
value is put right, or it is said that it was not understood which one is meant. What waits is put again."""

from __future__ import annotations

import re

from heartrule.engine.extraction import choice_match
from heartrule.engine.repair import conflict_question, late_words, which_answer
from heartrule.engine.repair.which_answer import EarlierAnswer, Own, TakenBack
from heartrule.engine.session.events import VariableOperation
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.question_state import ConfirmationState, QuestionState
from heartrule.engine.session.tasks import Answer
from heartrule.engine.variables import scopes
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.variables.evidence import EVIDENCE, alarming, gets
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders
from heartrule.language.nodes import Action
from heartrule.parsing.corrections import Correction, checks, correction

SHOWN = 60
"""Characters of a value that is said back."""


def taken_back_in(work: Work, action: Action, heard: PersonInput, reply: Answer | None) -> TakenBack | None:
    """What these words take back, where they open so and nobody but the rules can read them; None where they are an
    answer. A question about danger takes its answer from whatever is said."""
    if heard.choice is not None or heard.repair is not None or is_read(reply):
        return None
    own, said = _own(work, action), correction(heard.text)
    if work.frame.wait is None or _is_about_something_else(work) or any(rules.risk for _, rules in own):
        return None
    if action.traits.offers:
        return _at_a_choice(work, heard, own, said)
    if said is None or (work.model and reply is None) or not _tells(work, action):
        return None
    return which_answer.meant(work, own, said)


def _tells(work: Work, action: Action) -> bool:
    """Whether free words are waited for that could take something back: not those that are asked for a check."""
    wait = work.frame.wait
    is_told = wait is not None and wait.kind == "message" and not wait.choices
    return is_told and action.traits.takes_words and not _checks(work)


def is_read(reply: Answer | None) -> bool:
    """Whether a model has read the words."""
    return reply is not None and reply.data is not None


def _is_about_something_else(work: Work) -> bool:
    """In danger, or where it is asked already which value is so."""
    frame = work.frame
    return work.running.project == SAFETY or bool(
        ConfirmationState.of(frame).names or QuestionState.of(frame).differing
    )


def _at_a_choice(work: Work, heard: PersonInput, own: Own, said: Correction | None) -> TakenBack | None:
    """What is taken back where words pick something or nothing. A model may have put it right already."""
    wait = work.frame.wait
    if wait is not None and choice_match.picked(work, heard.text, wait.choices) is not None:
        return None
    for event in work.events:
        if isinstance(event, VariableOperation) and event.strategy == "correction":
            return TakenBack(None, event.value, line=corrected(work, event.value))
    if said is None or (said.plain == "denied" and _checks(work)):
        return None
    return which_answer.meant(work, own, said)


def _own(work: Work, action: Action) -> Own:
    """What the waiting action is to find out."""
    own = [(item.get, rules_of(work, item)) for item in gets(action.peek("output") or [])]
    chosen = action.peek("var")
    rules = scopes.definition(work, chosen)[1] if isinstance(chosen, str) else None
    return [*own, (str(chosen), rules)] if rules is not None else own


def _checks(work: Work) -> bool:
    return checks(work.frame.question)


def settle(work: Work, taken: TakenBack) -> list[str]:
    """Put the value right, and find the words for it. Names of variables marked ``risk`` that it makes a yes, or that
    nobody can say any more."""
    known = taken.known
    if taken.line:
        return []
    risk = known is not None and known.rules.risk
    if known is not None and taken.value is not None and _write(work, known, taken):
        taken.line, taken.is_put_right = corrected(work, taken.value), True
        _follow(work, which_answer.shown(work.world, known), taken.value)
        return [known.name] if risk and alarming(taken.value) else []
    taken.line = work.spoken("correction_unclear", 0)
    return [known.name] if known is not None and risk else []


def corrected(work: Work, value: object) -> str:
    """How it is said that this counts now."""
    now = " ".join(placeholders.format_value(value, work.world.script.locale).split())
    now = now if len(now) <= SHOWN else f"{now[:SHOWN]}…"
    return placeholders.fill(work.spoken("corrected", 0), {"now": now}.get, lambda _: None, missing=lambda _: "")


def _follow(work: Work, before: str, value: object) -> None:
    """What is put again and says the old value says the new one now (A「周三」, B …): words were asked about that no
    longer hold."""
    now = placeholders.format_value(value, work.world.script.locale)
    if before and work.frame.question:
        stands = re.escape(before) if not before.isdigit() else rf"(?<!\d){re.escape(before)}(?!\d)"
        work.frame.question = re.sub(stands, lambda _: now, work.frame.question)


def _write(work: Work, known: EarlierAnswer, taken: TakenBack) -> bool:
    """Whoever takes a value back is not asked which of the two counts."""
    evidence = taken.words[:EVIDENCE]
    if known.rules.risk and not alarming(taken.value):
        return False  # code may only raise it
    if known.asked is not None:
        written = late_words.put_right(work, known.asked, known.name, taken.value, evidence, known.rules)
    else:
        written = scopes.write(
            work, known.name, taken.value, strategy="correction", evidence=evidence, rules=known.rules
        )
    name = known.name.rpartition(".")[2]
    waiting = [each for each in work.state.contradictions if each.name == name and not each.settled]
    if not written and waiting and waiting[-1].part == taken.value:
        conflict_question.settle(work, conflict_question.Reply("newer", "", waiting[-1]))
        written = True
    found = QuestionState.of(work.frame).found
    if written and known.name in found:
        found[known.name] = {"value": taken.value, "evidence": evidence}
    return written
