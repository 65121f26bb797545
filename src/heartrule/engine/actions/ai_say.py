"""``ai_say``: says or explains something in the model's words, and makes sure that it was understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import Field

from heartrule.engine import topic_plan
from heartrule.engine.action_types import ActionType
from heartrule.engine.actions.ask import PROGRESS
from heartrule.engine.asking import ask_rounds, joined_replies
from heartrule.engine.casefile import prompt_view as casefile
from heartrule.engine.dialogue import exit_policy, exit_reasons, review, rounds, speech
from heartrule.engine.dialogue.exit_policy import ORDER, UNDERSTOOD, Signals
from heartrule.engine.dialogue.exit_reasons import reason_text
from heartrule.engine.dialogue.fixed_wording import before_question
from heartrule.engine.extraction import asides
from heartrule.engine.memory import memory_writes
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.state import ActionFrame
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.supervision import strategy
from heartrule.engine.tasks import feedback, strategies, subtypes
from heartrule.engine.tasks.answers import within
from heartrule.engine.tasks.prompt_context import fill, shared, without_notes
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, ExitSource, SayExitCriteria, Template
from heartrule.language.nodes.traits import Plan, Traits
from heartrule.memory.item import Taken


class Fields(Action):
    traits: ClassVar[Traits] = Traits(
        says="model",
        waits=True,
        monitor="ai_say_monitor",
        remembers=True,
        recalls=True,
        plan=Plan(
            new=frozenset({"content", "goal", "tone", "require_acknowledgment", "max_rounds"}),
            changed=frozenset({"content", "goal", "tone", "max_rounds"}),
            skipped=True,
            moved=True,
            shown=("content",),
        ),
    )

    type: Literal["ai_say"]
    content: Template
    subtype: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9_]{0,39}$")
    goal: Template | None = None
    topic_content: Template | None = None
    topic_content_from: Literal["topic", "context"] | None = None
    tone: Template | None = None
    require_acknowledgment: bool = True
    max_rounds: int | None = Field(default=None, ge=1, le=50)
    exit_criteria: SayExitCriteria | None = None
    exit_sources: list[ExitSource] | None = None
    adaptive: bool = False

    def may_wait(self) -> bool:
        return explains(self) or self.require_acknowledgment


ROUNDS = 5
REPEATS = 2
"""How often the same words are said again, at most, when the person asks for that."""


class SayProgress(ActionState):
    """The points that the model says it has told so far."""

    section: ClassVar[str] = "ai_say"

    covered: list[str] = Field(default=[], repr=False)


class AiSay(ActionType):
    name = "ai_say"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        frame = work.frame
        frame.round = 1
        if explains(action):
            frame.max_rounds = action.max_rounds or ROUNDS
        else:
            frame.max_rounds = 1 + REPEATS if action.require_acknowledgment else 1
        words, waits = "", explains(action) or action.require_acknowledgment
        if work.model:
            yield from strategy.first(work, action)
            task = _task(work, action, "ai_say_open", {"content": TEXT}, ("content",))
            answer = yield from speech.whole(work, (yield (task,))[task.key], statement=not waits)
            answer = yield from review.passed(work, action, answer, lambda: replace(task, key=f"{task.key} anew"))
            words = rounds.text_of(answer.data if answer else None)
        if not waits:
            words = before_question(words)
        words = words or spoken_content(work, action)
        if not words:
            return Step(done=True)
        frame.question = words
        return Step(say=(words,), wait="message") if waits else Step(say=(words,), done=True)

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        if not work.model:
            return None
        if not explains(action):
            return _task(work, action, "ai_say_ack", {"content": TEXT}, ("content",))
        explaining = EXPLAINING | {"metrics": rounds.metrics(work, rounds.SAY_METRICS)}
        return _task(work, action, "ai_say", explaining, ("assessment", "content"))

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        frame, explaining = work.frame, explains(action)
        decision = exit_policy.decide(_weighed(work, action, heard, answer))
        data = (answer.data if answer else None) or {}
        wished = data.get("should_exit") is True or not explaining
        opens = decision.should_exit and joined_replies.certain(work, wished and answer is not None)
        answer = yield from speech.whole(work, answer, statement=decision.should_exit and not opens)
        answer = yield from review.passed(work, action, answer, partial(self.question, work, action, heard))
        words = rounds.text_of(answer.data if answer else None)
        rounds.record(work, rounds.SAY_METRICS if explaining else (), answer)
        _remember_covered(work, answer)
        if action.adaptive and data:
            strategies.understood(work, _assessment(data)[0])
        exit_policy.record(work, decision, frame.round)
        if decision.should_exit:
            return ask_rounds.ended(work, words, opens=opens, outcome=decision.exit_class or "completed")
        frame.round += 1
        frame.question = words = words or _explained_again(work, action)
        return Step(say=(words,), wait="message")

    def covered(self, frame: ActionFrame) -> list[str]:
        return SayProgress.of(frame).covered


TEXT = {"type": "string"}
EXPLAINING = {
    "assessment": {
        "type": "object",
        "properties": {
            "understanding_level": {"type": "integer", "minimum": 0, "maximum": 100},
            "has_questions": {"type": "boolean"},
            "expressed_understanding": {"type": "boolean"},
            "reasoning": TEXT,
        },
        "required": ["understanding_level", "has_questions", "expressed_understanding", "reasoning"],
    },
    "should_exit": {"type": "boolean"},
    "exit_reason": TEXT,
    "progress_suggestion": PROGRESS,
    "covered": {"type": "array", "items": TEXT},
    "content": TEXT,
}


def _weighed(work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Signals:
    """What the words say about ending; what they tell of having understood is noted for memory."""
    if explains(action) and answer is not None and answer.data is not None:
        progress = rounds.progress(answer)
        signals = _signals(work, action, answer, progress)
        memory_writes.heard(work, *_taken(action, answer, progress))
        return signals
    signals = _acknowledged(work, heard)
    memory_writes.heard(work, _answered(heard))
    return signals


def _explained_again(work: Work, action: Fields) -> str:
    again = spoken_content(work, action) or work.frame.question
    return f"{work.spoken('explain_again')}\n{again}"


def explains(action: Fields) -> bool:
    """Explaining mode, rather than acknowledgement mode."""
    return action.max_rounds is not None or action.exit_criteria is not None


def spoken_content(work: Work, action: Fields) -> str:
    """What is said without a model: ``fallback``, else ``content`` without the author's notes. As written: what a plan
    says is for a model to put into words. Empty: a plan has put the action in, and there is nothing to say."""
    own = topic_plan.authored(work.running, work.script_node(work.running), action)
    if own is None:
        return ""
    spoken = fill(work, own.peek("fallback"), to_person=True)
    return spoken or fill(work, without_notes(own.peek("content")), to_person=True) or work.spoken("explain_again")


def _task(work: Work, action: Fields, template: str, properties: dict[str, object], required: tuple[str, ...]) -> Task:
    frame = work.frame
    content, kind = fill(work, action.content), subtypes.subtype(work, action)
    criteria = action.exit_criteria
    return Task(
        key=work.task_key(template),
        kind="generate",
        role="generate",
        template=template,
        context=shared(work, {"topic_content": content}),
        values={
            "topic_content": content,
            "extra_content": _extra(work, action),
            "assessed": subtypes.assessed(work, kind),
            "goal": fill(work, action.goal),
            "action_tone": fill(work, action.tone),
            **joined_replies.prompt_values(work),
            "facts": asides.prompt_line(work),
            "covered": "; ".join(SayProgress.of(frame).covered),
            "current_round": str(frame.round),
            "max_rounds": str(frame.max_rounds),
            "rounds_left": str(max(0, (frame.max_rounds or 1) - frame.round)),
            "monitor_feedback": feedback.prompt_line(work) if template != "ai_say_ack" else "",
            **rounds.prompt_values(work),
            "understanding_threshold": str(criteria.understanding_threshold if criteria else 80),
        },
        schema={
            "type": "object",
            "properties": properties,
            "required": [key for key in properties if key != "metrics" or rounds.whole(work)],
        },
        required=required,
        temperature=0.7,
        tier=action.model,
        variant=kind,
        speaks=not action.review,
    )


def _extra(work: Work, action: Fields) -> str:
    """Background to what is said: as written, and what the topic or the whole talk has come to (seed 002 §6.5.3)."""
    made = casefile.whole(work) if action.topic_content_from == "context" else ""
    if action.topic_content_from == "topic":
        made = casefile.of_topic(work)
    return "\n".join(filter(None, (fill(work, action.topic_content), made)))


def _signals(work: Work, action: Fields, answer: Answer, progress: exit_policy.Progress) -> Signals:
    """Seed 003 §5.2: the model's wish to end counts only when understanding bears it out."""
    data, locale = answer.data or {}, work.world.script.locale
    criteria = action.exit_criteria
    holding: dict[ExitSource, str] = {}
    wishes = data.get("should_exit") is True or progress == "completed"
    reason = _understands(data, criteria, locale) if wishes else ""
    if reason:
        holding["llm_suggestion"] = reason
    if reason and criteria:
        holding["exit_criteria"] = reason
    return Signals(
        round=work.frame.round,
        max_rounds=work.frame.max_rounds or ROUNDS,
        holding=holding,
        progress=progress,
        vetoes=_vetoes(work, criteria) if criteria is not None else [],
        reason=str(data.get("exit_reason") or "")[:300],
        sources=action.exit_sources or ORDER,
        locale=locale,
    )


def _understands(data: Mapping[str, Any], criteria: SayExitCriteria | None, locale: str) -> str:
    """Why it may end by what the person has understood; empty where that is not enough."""
    threshold = criteria.understanding_threshold if criteria else 80
    level, questions, expressed = _assessment(data)
    if level >= threshold and (not questions or (criteria is not None and criteria.has_questions)):
        open_yet = exit_reasons.UNDERSTANDS if questions else exit_reasons.UNDERSTANDS_ALL
        return reason_text(open_yet, locale, f"{level:g}", threshold)
    if level >= UNDERSTOOD and expressed:
        return reason_text(exit_reasons.UNDERSTANDS_SAYS_SO, locale, f"{level:g}", UNDERSTOOD)
    return ""


def _vetoes(work: Work, criteria: SayExitCriteria) -> list[str]:
    """What stands against ending now."""
    return exit_policy.too_early(work, criteria.min_rounds) + [
        reason_text(exit_reasons.DOES_NOT_HOLD, work.world.script.locale, f"{c.variable} {c.operator} {c.value}")
        for c in criteria.custom_conditions
        if not exit_policy.compare(lookup(work, c.variable), c)
    ]


COVERED = 20
"""Points that are remembered as told, at most; each is cut to 60 characters."""


def _remember_covered(work: Work, answer: Answer | None) -> None:
    """What the model says it has told so far: the next round begins where that ends."""
    given = (answer.data or {}).get("covered") if answer else None
    if isinstance(given, list):
        points = [" ".join(point.split())[:60] for point in given if isinstance(point, str) and point.strip()]
        state = SayProgress.of(work.frame)
        state.covered = list(dict.fromkeys([*state.covered, *points]))[:COVERED]


def _assessment(data: Mapping[str, object]) -> tuple[float, bool, bool]:
    """Level, open questions, expressed understanding; what is missing or illegal counts as not understood."""
    assessed = data.get("assessment")
    given: Mapping[str, object] = assessed if isinstance(assessed, dict) else {}
    questions = given.get("has_questions")
    return (
        within(given.get("understanding_level"), 0, 100) or 0.0,
        questions if isinstance(questions, bool) else True,
        given.get("expressed_understanding") is True,
    )


def _taken(action: Fields, answer: Answer, progress: exit_policy.Progress) -> tuple[Taken, ...]:
    """How an explanation was taken, as the model sees it."""
    level, questions, expressed = _assessment(answer.data or {})
    threshold = action.exit_criteria.understanding_threshold if action.exit_criteria else 80
    if progress == "blocked":
        return ("refused",)
    asked: tuple[Taken, ...] = ("asked",) if questions else ()
    return (*asked, "understood" if level >= threshold or (level >= UNDERSTOOD and expressed) else "unclear")


def _answered(heard: PersonInput) -> Taken:
    """The same without a model."""
    if heard.repair in ("repeat", "clarify", "purpose"):
        return "asked"
    return "refused" if heard.repair == "skip" else "acknowledged"


def _acknowledged(work: Work, heard: PersonInput) -> Signals:
    """Without a model (and in acknowledgement mode): any reply that does not ask for it again will do."""
    holding: dict[ExitSource, str] = {}
    if heard.repair not in ("repeat", "clarify", "purpose"):
        holding["exit_criteria"] = reason_text(exit_reasons.REPLIED, work.world.script.locale)
    limit = min(work.frame.max_rounds or 1, 1 + REPEATS)
    return Signals(round=work.frame.round, max_rounds=limit, holding=holding, locale=work.world.script.locale)


AI_SAY = AiSay()
