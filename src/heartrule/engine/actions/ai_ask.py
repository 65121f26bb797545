"""``ai_ask``: guided questions until the outputs are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from heartrule.engine.action_types import ActionType
from heartrule.engine.actions.ask import PROGRESS
from heartrule.engine.asking import already_known, ask_rounds, joined_replies
from heartrule.engine.casefile.known_facts import need_not_ask
from heartrule.engine.dialogue import exit_policy, exit_reasons, retries, review, rounds, speech
from heartrule.engine.dialogue.exit_policy import ORDER, Decision, Signals
from heartrule.engine.dialogue.exit_reasons import reason_text
from heartrule.engine.dialogue.fixed_wording import before_question, next_question, puts_a_question, question_for, reask
from heartrule.engine.extraction import asides, murmurs, reply_length
from heartrule.engine.extraction.extraction import ExtractionResult, described, known, values_schema
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.stretches import literal, stretch
from heartrule.engine.supervision import strategy
from heartrule.engine.tasks import feedback
from heartrule.engine.tasks.prompt_context import ahead, fill, shared
from heartrule.engine.variables import dependencies, elapsed_time, missing_reasons
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.variables.evidence import gets, is_stretch
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, AskExitCriteria, ExitSource, Get, Set, Template
from heartrule.language.nodes.stretch import Span, Usable
from heartrule.language.nodes.traits import Plan, Traits


class Fields(Action):
    traits: ClassVar[Traits] = Traits(
        asks="model",
        waits=True,
        opened=True,
        literal="question",
        monitor="ai_ask_monitor",
        remembers=True,
        recalls=True,
        plan=Plan(
            new=frozenset({"content", "question", "tone", "exit", "max_rounds"}),
            changed=frozenset({"content", "question", "tone", "exit", "follow_up", "max_rounds", "required"}),
            skipped=True,
            moved=True,
            shown=("question",),
        ),
    )

    type: Literal["ai_ask"]
    content: Template
    question: Template | None = None
    exit: Template | None = None
    output: list[Get | Set] = []
    required: bool = True
    max_rounds: int = Field(default=3, ge=1, le=50)
    min_rounds: int | None = Field(default=None, ge=1, le=50)
    style: Literal["open", "choice", "mixed"] = "open"
    follow_up: Template | None = None
    verify: Literal["none", "non_empty", "llm"] = "none"
    when_known: Literal["skip", "confirm", "ask"] | None = None
    tone: Template | None = None
    tolist: str | None = None
    exit_criteria: AskExitCriteria | None = None
    exit_sources: list[ExitSource] | None = None
    adaptive: bool = False
    rounds: Span | None = None
    follow: Template | None = None
    may_use: list[Usable] = []
    literal: bool = False


class AiAsk(ActionType):
    """With several outputs it is a stretch of talk: led by the model, or literally in its items' own questions."""

    name = "ai_ask"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        if (step := ask_rounds.nothing_due(work, action.output)) is not None:
            return step
        if leads(work, action):
            return (yield from stretch.enter(work, action))
        if is_literal(action):
            work.frame.round, work.frame.max_rounds = 1, 2 * stretch.most(action)
            return literal.begin(work, action)
        wanted = dependencies.wanted(work, action.output)
        if wanted and _need_not_ask(work, action, wanted):
            return Step(done=True, outcome="known")
        question = fill(work, action.question, to_person=True)
        if (step := already_known.begin(work, action, question)) is not None:
            return step
        work.frame.round, work.frame.max_rounds = 1, action.max_rounds
        if work.frame.asking is None:
            work.frame.asking = wanted[0].get if wanted else ""
        return (yield from _open(work, action, question, [item.get for item in wanted]))

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        if not work.model:
            return None
        if leads(work, action):
            return stretch.question(work, action)
        if heard.repair == "skip":
            return None
        frame = work.frame
        values = _asked(work, action) | {
            "question": _first(work),
            "unclear": missing_reasons.hint(work),
            **joined_replies.prompt_values(work),
            "exit": fill(work, action.exit),
            "current_round": str(frame.round),
            "max_rounds": str(frame.max_rounds),
            "rounds_left": str(max(0, (frame.max_rounds or 1) - frame.round)),
            **rounds.prompt_values(work),
        }
        return Task(
            key=work.task_key("ai_ask"),
            kind="extract",
            role="generate",
            template="ai_ask",
            context=shared(work),
            values=values,
            schema=_schema(work, action),
            required=("EXIT", "content"),
            tier=action.model,
            speaks=not action.review,
        )

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        if leads(work, action):
            return (yield from stretch.hear(work, action, heard, answer))
        if is_literal(action):
            return (yield from _literally(work, action, heard, answer))
        if already_known.waits(work):
            own, again = fill(work, action.question, to_person=True), partial(self.question, work, action, heard)
            taken = yield from already_known.heard(work, action, heard, answer, again, own)
            if isinstance(taken, Step):
                return taken
            heard = taken
        strict = action.verify == "non_empty"
        heard, answer = murmurs.without(work, action.output, heard, answer, strict=strict)
        verify, again = action.verify == "llm", partial(self.question, work, action, heard)
        found = yield from ask_rounds.listen(work, action.output, heard, answer, verify=verify)
        if already_known.kept(work, found):
            own = fill(work, action.question, to_person=True)
            return (yield from already_known.again(work, action, heard, answer, again, own))
        if heard.repair == "skip" and not found.risk and not retries.tries_on(work):
            unwilling = reason_text(exit_reasons.UNWILLING, work.world.script.locale)
            return _refused(work, action, answer, Decision(True, unwilling, "none", "user_blocked"))
        if ask_rounds.is_refused(work, action.output, found) or ask_rounds.declines(work, action.output, answer, found):
            return (yield from ask_rounds.let_go(work, action, answer))
        left = _left(work, action, heard, answer, found.missing)
        progress = retries.progress(heard, rounds.progress(answer))
        decision = retries.after(work, exit_policy.decide(_signals(work, action, heard, answer, left, progress)))
        if retries.skips(work, decision) and not found.risk:
            return _refused(work, action, answer, decision)
        return (yield from _reply(work, action, _Round(heard, answer, found, left, decision), again))

    def leads(self, work: Work, action: Fields) -> bool:
        return leads(work, action)

    def asks_for(self, work: Work, action: Fields) -> list[str]:
        """Of a stretch that the model leads, what its reply says its question goes for."""
        asked = super().asks_for(work, action)
        return asked if len(asked) == 1 or not leads(work, action) else []

    def come_back(self, work: Work, action: Fields) -> Moves:
        if leads(work, action):
            return (yield from stretch.reopen(work, action))
        return self.again(work, action)

    def again(self, work: Work, action: Fields) -> Step:
        return stretch.again(work) if leads(work, action) else super().again(work, action)


@dataclass(frozen=True, slots=True)
class _Round:
    """What one round has come to. ``left``: what is open still, each with why."""

    heard: PersonInput
    answer: Answer | None
    found: ExtractionResult
    left: dict[str, str]
    decision: Decision

    @property
    def data(self) -> Mapping[str, Any] | None:
        return self.answer.data if self.answer else None


def _open(work: Work, action: Fields, question: str, wanted: list[str]) -> Moves:
    """Begin with the words that opened it already, the script's own question, the model's, or one made of what is
    wanted."""
    opened = joined_replies.taken(work)
    if opened and puts_a_question(opened):
        ask_rounds.put_by_model(work, wanted)
        work.frame.question = QuestionState.of(work.frame).first = opened
        return Step(wait="message")
    if not question and work.model and not opened:
        yield from strategy.first(work, action)
        task = _opening(work, action)
        answer = yield from speech.whole(work, (yield (task,))[task.key])
        answer = yield from review.passed(work, action, answer, partial(_opening, work, action))
        question = _opened(work, action, rounds.text_of(answer.data if answer else None))
        if question:
            ask_rounds.put_by_model(work, wanted)
            work.flags.acknowledge = False  # the model's own first words take up the last answer
    if not question:
        question = fill(work, action.fallback, to_person=True) or question_for(work, action.output, None)
    work.frame.question = QuestionState.of(work.frame).first = question
    return Step(say=(question,), wait="message")


def _reply(work: Work, action: Fields, turn: _Round, again: Callable[[], Task | None]) -> Moves:
    """What is said, once it is decided whether it ends."""
    ending = _end(work, action, turn.found) if turn.decision.should_exit else None
    risk = turn.found.risk if ending is None else ending.risk
    wants_exit = rounds.wants_exit(turn.data)
    shown = not (wants_exit or overruled(turn.left)) if ending is None else ending.finished
    opens = ending is not None and ending.finished and not risk and joined_replies.certain(work, wants_exit)
    statement = ending is not None and not opens
    answer = yield from speech.whole(work, turn.answer, shown=shown, statement=statement, risk=risk)
    answer = yield from review.passed(work, action, answer, again)
    turn = replace(turn, answer=answer)
    rounds.record(work, rounds.ASK_METRICS, answer)
    exit_policy.record(work, _explained(turn.decision, answer), work.frame.round)
    if ending is None:
        return _go_on(work, action, turn)
    if not ending.finished:
        return ask_rounds.unfinished(work, turn.heard, risk=risk)
    outcome = turn.decision.exit_class or "completed"
    return ask_rounds.ended(work, rounds.text_of(turn.data), opens=opens, risk=risk, outcome=outcome)


def leads(work: Work, action: Fields) -> bool:
    """Whether the model leads: a stretch of talk that is not to be kept to its wording."""
    return work.model and is_stretch(action.output) and not action.literal


def is_literal(action: Fields) -> bool:
    """Whether a stretch has questions of its items to be put by."""
    return is_stretch(action.output) and any(item.question for item in gets(action.output))


def _need_not_ask(work: Work, action: Fields, wanted: list[Get]) -> bool:
    """Whether all that it wants is known. Where the script does not say, what the person has told under another
    question is not asked again by a model; what is about danger always is."""
    if action.when_known == "skip":
        return all(lookup(work, item.get) is not None for item in wanted)
    if action.when_known is not None or not work.model:
        return False
    return need_not_ask(work, wanted)


def _literally(work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
    """A stretch in its items' own questions. Where a model has read the answer, its words come before the next one."""
    found = yield from ask_rounds.listen(work, action.output, heard, answer)
    answer = yield from speech.whole(work, answer, shown=False, statement=True, risk=found.risk)
    rounds.record(work, rounds.ASK_METRICS, answer)
    words = before_question(rounds.text_of(answer.data if answer else None))
    return literal.heard(work, action, heard, found, words)


def _first(work: Work) -> str:
    """The question that the action began with, where the transcript does not end in it."""
    said = [m.text for m in work.transcript() if m.sender == "ai"]
    first = QuestionState.of(work.frame).first or work.frame.question
    return "" if said and said[-1].endswith(first) else first


def _left(
    work: Work, action: Fields, heard: PersonInput, answer: Answer | None, missing: dict[str, str]
) -> dict[str, str]:
    """What must still be asked for, and why it is missing."""
    if answer_given(answer):
        return ask_rounds.give_up(work, action.output, missing, heard.repair)
    left = ask_rounds.give_up(work, action.output, missing, heard.repair, work.frame.asking)
    if action.required or heard.repair is not None:
        return left
    return {name: reason for name, reason in left.items() if name not in ask_rounds.tried(work)}


def _opening(work: Work, action: Fields) -> Task:
    return Task(
        key=work.task_key("ai_ask_open"),
        kind="generate",
        role="generate",
        template="ai_ask_open",
        context=shared(work),
        values=_asked(work, action),
        schema={"type": "object", "properties": {"content": {"type": "string"}}, "required": ["content"]},
        required=("content",),
        temperature=0.7,
        tier=action.model,
        speaks=not action.review,
    )


def _asked(work: Work, action: Fields) -> dict[str, str]:
    return {
        "content": fill(work, action.content),
        "outputs": described(work, action.output),
        "known": known(work, action.output),
        "facts": asides.prompt_line(work, action.output),
        "style": reply_length.style(work, action.style),
        "follow_up": "" if elapsed_time.short(work) else fill(work, action.follow_up),
        "action_tone": fill(work, action.tone),
        "next": ahead(work),
        "monitor_feedback": feedback.prompt_line(work),
    }


def _schema(work: Work, action: Fields) -> dict[str, object]:
    """What the person waits for comes as early as may be: why it ends, and how it went, behind the words."""
    return {
        "type": "object",
        "properties": {
            "EXIT": {"enum": ["YES", "NO"]},
            "progress_suggestion": PROGRESS,
            "values": values_schema(work, action.output),
            "content": ask_rounds.SILENT,
            "BRIEF": {"type": "string"},
            "exit_reason": {"type": "string"},
            "metrics": rounds.metrics(work, rounds.ASK_METRICS),
        },
        "required": ["EXIT", "values", "content", "BRIEF", "exit_reason", *rounds.required(work)],
    }


def _refused(work: Work, action: Fields, answer: Answer | None, decision: Decision) -> Step:
    """What is not told is let go."""
    rounds.record(work, rounds.ASK_METRICS, answer)
    exit_policy.record(work, decision, work.frame.round)
    return ask_rounds.refused(work, action.output, action.tolist)


def _signals(
    work: Work,
    action: Fields,
    heard: PersonInput,
    answer: Answer | None,
    left: dict[str, str],
    progress: exit_policy.Progress,
) -> Signals:
    data, locale = answer.data if answer else None, work.world.script.locale
    vetoes = [reason_text(exit_reasons.LACKS, locale, name) for name in left] if action.required else []
    return Signals(
        round=work.frame.round,
        max_rounds=work.frame.max_rounds or action.max_rounds,
        holding=_holding(work, action, heard, data, left, progress),
        progress=progress,
        vetoes=vetoes + exit_policy.too_early(work, exit_policy.least(action)),
        reason=rounds.reason(data),
        sources=_sources(action, with_model=bool(data)),
        locale=locale,
    )


def _holding(
    work: Work,
    action: Fields,
    heard: PersonInput,
    data: Mapping[str, Any] | None,
    left: dict[str, str],
    progress: exit_policy.Progress,
) -> dict[ExitSource, str]:
    """Which sources say that it ends, each with its reason."""
    locale = work.world.script.locale
    holding: dict[ExitSource, str] = {}
    if data:
        why = rounds.reason(data)
        if rounds.wants_exit(data):
            holding["exit_flag"] = why or "EXIT"
        if progress == "completed":
            holding["llm_suggestion"] = why or "completed"
    elif gets(action.output) and not left:
        holding["exit_criteria"] = reason_text(exit_reasons.NOTHING_LEFT, locale)
    elif heard.repair is None and not left:
        holding["exit_criteria"] = reason_text(exit_reasons.ANSWERED, locale)
    reason = exit_policy.criteria_reason(
        action.exit_criteria, work.frame.round, lambda name: lookup(work, name), locale
    )
    if reason:
        holding["exit_criteria"] = reason
    return holding


def _explained(decision: Decision, answer: Answer | None) -> Decision:
    """With the model's own reason, which it gives behind its words."""
    why = rounds.reason(answer.data if answer else None)
    if not why or decision.source not in ("exit_flag", "llm_suggestion", "none"):
        return decision
    return replace(decision, reason=why)


def _sources(action: Fields, *, with_model: bool) -> tuple[ExitSource, ...]:
    """Without a model there is no flag and no suggestion: that it was answered stands in for them."""
    sources = tuple(action.exit_sources or ORDER)
    return sources if with_model or set(sources) == {"max_rounds"} else (*sources, "exit_criteria")


class _AskEnding(NamedTuple):
    """How the action ends: whether it has found out what it must, and whether a risk stays open."""

    finished: bool
    risk: bool


def _end(work: Work, action: Fields, found: ExtractionResult) -> _AskEnding:
    unset = ask_rounds.settle(work, action.output, action.tolist)
    return _AskEnding(not (unset and action.required), found.risk or ask_rounds.risk_open(work, action.output))


def _go_on(work: Work, action: Fields, turn: _Round) -> Step:
    work.frame.round += 1
    return Step(say=(_asked_next(work, action, turn),), wait="message", risk=turn.found.risk)


def _asked_next(work: Work, action: Fields, turn: _Round) -> str:
    """The next question: the model's own, else one about what is open."""
    frame, left = work.frame, turn.left
    words = "" if rounds.wants_exit(turn.data) or overruled(left) else rounds.text_of(turn.data)
    if words and puts_a_question(words):
        ask_rounds.put_by_model(work, list(left) or [item.get for item in dependencies.wanted(work, action.output)])
        frame.question = words
        return words
    if doubted := overruled(left):
        return _doubted(work, action, doubted, left[doubted])
    name = next(iter(left), None)
    if name is not None and name != frame.asking:
        frame.asking = name
        own = fill(work, action.question or action.fallback, to_person=True)
        said, frame.question = next_question(work, action.output, name, own, words)
        return said
    return _put_again(work, action, turn, name, words)


def _put_again(work: Work, action: Fields, turn: _Round, name: str | None, words: str) -> str:
    """The question that waited, behind what the model has said, or why it is put again."""
    question = work.frame.question or question_for(work, action.output, name)
    if action.question and action.fallback and not answer_given(turn.answer):
        question = fill(work, action.fallback, to_person=True)
    if words:
        return f"{words}\n{question}"
    reason = turn.left.get(name, "not_understood") if name else "tell_more"
    return reask(work, question, reason, turn.heard.repair, action.output, name or "")


def overruled(left: dict[str, str]) -> str:
    """The output that the model's reply takes for known and that turned out not to be: its words fit no more."""
    return next((name for name, reason in left.items() if reason in missing_reasons.OVERRULING), "")


def _doubted(work: Work, action: Fields, name: str, reason: str) -> str:
    """Ask again what was taken down wrongly, or was told in two ways: with the reason, in the scheme's own words."""
    frame = work.frame
    if len(gets(action.output)) > 1 or not frame.question:
        frame.question = question_for(work, action.output, name)
    frame.asking = name
    question = "" if reason == "contradictory" else frame.question
    return reask(work, question, reason, None, action.output, name)


def _opened(work: Work, action: Fields, words: str) -> str:
    """The model's first words, with a question where they hold none."""
    if not words or puts_a_question(words):
        return words
    return f"{words}\n{fill(work, action.fallback, to_person=True) or question_for(work, action.output, None)}"


def answer_given(answer: Answer | None) -> bool:
    return answer is not None and answer.data is not None


AI_ASK = AiAsk()
