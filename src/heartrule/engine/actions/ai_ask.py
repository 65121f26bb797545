"""``ai_ask``: guided questions until the outputs are known."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

from pydantic import Field

from heartrule.engine.actions.ask import PROGRESS
from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.adapting import feedback
from heartrule.engine.calling import reviewing
from heartrule.engine.calling.prompting import ahead, fill, shared
from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.casefile.known import need_not_ask
from heartrule.engine.interacting import asking, exit_policy, exit_reasons, rounds
from heartrule.engine.interacting.exit_policy import ORDER, Decision, Signals
from heartrule.engine.interacting.exit_reasons import told
from heartrule.engine.scheduling import budgets, retries
from heartrule.engine.scoping import dependencies
from heartrule.engine.scoping.definitions import lookup
from heartrule.engine.speaking import fusing, speech
from heartrule.engine.speaking.wording import before_question, next_question, puts_a_question, question_for, reask
from heartrule.engine.stretches import leading, literal
from heartrule.engine.stretches.coverage import is_stretch
from heartrule.engine.understanding import already_known, asides, missing, murmurs, reply_length
from heartrule.engine.understanding.extraction import Extraction, described, gets, known, values_schema
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, AskExitCriteria, ExitSource, Get, Set, Template
from heartrule.language.nodes.stretch import Span, Usable


class Fields(Action):
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
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        if (step := asking.nothing_due(work, action.output)) is not None:
            return step
        if leads(work, action):
            return (yield from leading.enter(work, action))
        if is_literal(action):
            work.frame.round, work.frame.max_rounds = 1, 2 * leading.most(action)
            return literal.begin(work, action)
        wanted = dependencies.wanted(work, action.output)
        if wanted and _need_not_ask(work, action, wanted):
            return Step(done=True, outcome="known")
        question = fill(work, action.question, to_person=True)
        if (step := already_known.begin(work, action, question)) is not None:
            return step
        work.frame.round, work.frame.max_rounds = 1, action.max_rounds
        work.frame.memory.setdefault("asking", wanted[0].get if wanted else "")
        opened = fusing.taken(work)
        if opened and puts_a_question(opened):
            asking.put_by_model(work, [item.get for item in wanted])
            work.frame.memory |= {"question": opened, "first": opened}
            return Step(wait="message")
        if not question and work.model and not opened:
            task = _opening(work, action)
            answer = yield from speech.whole(work, (yield (task,))[task.key])
            answer = yield from reviewing.passed(work, action, answer, partial(_opening, work, action))
            question = _opened(work, action, rounds.text_of(answer.data if answer else None))
            if question:
                asking.put_by_model(work, [item.get for item in wanted])
                work.acknowledge = False  # the model's own first words take up the last answer
        if not question:
            question = fill(work, action.fallback, to_person=True) or question_for(work, action.output, None)
        work.frame.memory |= {"question": question, "first": question}
        return Step(say=(question,), wait="message")

    def question(self, work: Work, action: Fields, heard: Heard) -> Task | None:
        if not work.model:
            return None
        if leads(work, action):
            return leading.question(work, action, heard)
        if heard.repair == "skip":
            return None
        frame = work.frame
        values = _asked(work, action) | {
            "question": _first(work),
            "unclear": missing.hint(work),
            **fusing.told(work),
            "exit": fill(work, action.exit),
            "current_round": str(frame.round),
            "max_rounds": str(frame.max_rounds),
            "rounds_left": str(max(0, (frame.max_rounds or 1) - frame.round)),
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

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        if leads(work, action):
            return (yield from leading.hear(work, action, heard, answer))
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
        verify = action.verify == "llm"
        found = yield from asking.listen(work, action.output, heard, answer, verify=verify)
        if already_known.kept(work, found):
            own, again = fill(work, action.question, to_person=True), partial(self.question, work, action, heard)
            return (yield from already_known.again(work, action, heard, answer, again, own))
        if heard.repair == "skip" and not found.risk and not retries.tries_on(work):
            rounds.record(work, rounds.ASK_METRICS, answer)
            refusal = Decision(True, told(exit_reasons.UNWILLING, work.world.script.locale), "none", "user_blocked")
            exit_policy.record(work, refusal, work.frame.round)
            return asking.refused(work, action.output, action.tolist)
        if asking.is_refused(work, action.output, found) or asking.declines(work, action.output, answer, found):
            return (yield from asking.let_go(work, action, answer))
        left = _left(work, action, heard, answer, found.missing)
        progress = retries.progress(heard, rounds.progress(answer))
        decision = retries.after(work, exit_policy.decide(_signals(work, action, heard, answer, left, progress)))
        if retries.skips(work, decision) and not found.risk:
            rounds.record(work, rounds.ASK_METRICS, answer)
            exit_policy.record(work, decision, work.frame.round)
            return asking.refused(work, action.output, action.tolist)
        data = answer.data if answer else None
        ending = _end(work, action, found) if decision.should_exit else None
        risk = found.risk if ending is None else ending.risk
        shown = not (rounds.wants_exit(data) or overruled(left)) if ending is None else ending.finished
        opens = ending is not None and ending.finished and not risk and fusing.certain(work, rounds.wants_exit(data))
        statement = ending is not None and not opens
        answer = yield from speech.whole(work, answer, shown=shown, statement=statement, risk=risk)
        answer = yield from reviewing.passed(work, action, answer, partial(self.question, work, action, heard))
        rounds.record(work, rounds.ASK_METRICS, answer)
        exit_policy.record(work, _explained(decision, answer), work.frame.round)
        if ending is None:
            return _go_on(work, action, heard, answer, left, found)
        if not ending.finished:
            return asking.unfinished(work, heard, risk=risk)
        words, outcome = rounds.text_of(answer.data if answer else None), decision.exit_class or "completed"
        return asking.ended(work, words, opens=opens, risk=risk, outcome=outcome)

    def leads(self, work: Work, action: Fields) -> bool:
        return leads(work, action)

    def asks_for(self, work: Work, action: Fields) -> list[str]:
        """Of a stretch that the model leads, what its reply says its question goes for."""
        asked = super().asks_for(work, action)
        return asked if len(asked) == 1 or not leads(work, action) else []

    def come_back(self, work: Work, action: Fields) -> Moves:
        if leads(work, action):
            return (yield from leading.reopen(work, action))
        return self.again(work, action)

    def again(self, work: Work, action: Fields) -> Step:
        return leading.again(work, action) if leads(work, action) else super().again(work, action)


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


def _literally(work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
    """A stretch in its items' own questions. Where a model has read the answer, its words come before the next one."""
    found = yield from asking.listen(work, action.output, heard, answer)
    answer = yield from speech.whole(work, answer, shown=False, statement=True, risk=found.risk)
    rounds.record(work, rounds.ASK_METRICS, answer)
    words = before_question(rounds.text_of(answer.data if answer else None))
    return literal.heard(work, action, heard, found, words)


def _first(work: Work) -> str:
    """The question that the action began with, where the transcript does not end in it."""
    memory, said = work.frame.memory, [m.text for m in work.transcript() if m.sender == "ai"]
    first = str(memory.get("first") or memory.get("question") or "")
    return "" if said and said[-1].endswith(first) else first


def _left(work: Work, action: Fields, heard: Heard, answer: Answer | None, missing: dict[str, str]) -> dict[str, str]:
    """What must still be asked for, and why it is missing."""
    if answer_given(answer):
        return asking.give_up(work, action.output, missing, heard.repair)
    left = asking.give_up(work, action.output, missing, heard.repair, work.frame.memory.get("asking"))
    if action.required or heard.repair is not None:
        return left
    return {name: reason for name, reason in left.items() if name not in asking.tried(work)}


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
        "facts": asides.told(work, action.output),
        "style": reply_length.style(work, action.style),
        "follow_up": "" if budgets.short(work) else fill(work, action.follow_up),
        "action_tone": fill(work, action.tone),
        "next": ahead(work),
        "monitor_feedback": feedback.told(work),
    }


def _schema(work: Work, action: Fields) -> dict[str, object]:
    """What the person waits for comes as early as may be: why it ends, and how it went, behind the words."""
    return {
        "type": "object",
        "properties": {
            "EXIT": {"enum": ["YES", "NO"]},
            "progress_suggestion": PROGRESS,
            "values": values_schema(work, action.output),
            "content": asking.SILENT,
            "exit_reason": {"type": "string"},
            "metrics": rounds.sparse(rounds.ASK_METRICS),
        },
        "required": ["EXIT", "values", "content", "exit_reason"],
    }


def _signals(
    work: Work,
    action: Fields,
    heard: Heard,
    answer: Answer | None,
    left: dict[str, str],
    progress: exit_policy.Progress,
) -> Signals:
    data, locale = answer.data if answer else None, work.world.script.locale
    holding: dict[ExitSource, str] = {}
    if data:
        why = str(data.get("exit_reason") or data.get("BRIEF") or "")[:300]
        if rounds.wants_exit(data):
            holding["exit_flag"] = why or "EXIT"
        if progress == "completed":
            holding["llm_suggestion"] = why or "completed"
    elif gets(action.output) and not left:
        holding["exit_criteria"] = told(exit_reasons.NOTHING_LEFT, locale)
    elif heard.repair is None and not left:
        holding["exit_criteria"] = told(exit_reasons.ANSWERED, locale)
    reason = exit_policy.criteria_reason(
        action.exit_criteria, work.frame.round, lambda name: lookup(work, name), locale
    )
    if reason:
        holding["exit_criteria"] = reason
    vetoes = [told(exit_reasons.LACKS, locale, name) for name in left] if action.required else []
    least = action.min_rounds or (action.exit_criteria.min_rounds if action.exit_criteria else None)
    if least and work.frame.round < least:
        vetoes.append(told(exit_reasons.TOO_EARLY, locale, least))
    return Signals(
        round=work.frame.round,
        max_rounds=work.frame.max_rounds or action.max_rounds,
        holding=holding,
        progress=progress,
        vetoes=vetoes,
        reason=str((data or {}).get("exit_reason") or "")[:300],
        sources=_sources(action, with_model=bool(data)),
        locale=locale,
    )


def _explained(decision: Decision, answer: Answer | None) -> Decision:
    """With the model's own reason, which it gives behind its words."""
    why = ((answer.data if answer else None) or {}).get("exit_reason")
    if not isinstance(why, str) or not why.strip() or decision.source not in ("exit_flag", "llm_suggestion", "none"):
        return decision
    return replace(decision, reason=why.strip()[:300])


def _sources(action: Fields, *, with_model: bool) -> tuple[ExitSource, ...]:
    """Without a model there is no flag and no suggestion: that it was answered stands in for them."""
    sources = tuple(action.exit_sources or ORDER)
    return sources if with_model or set(sources) == {"max_rounds"} else (*sources, "exit_criteria")


class _Ending(NamedTuple):
    """How the action ends: whether it has found out what it must, and whether a risk stays open."""

    finished: bool
    risk: bool


def _end(work: Work, action: Fields, found: Extraction) -> _Ending:
    unset = asking.settle(work, action.output, action.tolist)
    return _Ending(not (unset and action.required), found.risk or asking.risk_open(work, action.output))


def _go_on(
    work: Work, action: Fields, heard: Heard, answer: Answer | None, left: dict[str, str], found: Extraction
) -> Step:
    frame = work.frame
    frame.round += 1
    data = answer.data if answer else None
    words = "" if rounds.wants_exit(data) or overruled(left) else rounds.text_of(data)
    if words and puts_a_question(words):
        asking.put_by_model(work, list(left) or [item.get for item in dependencies.wanted(work, action.output)])
        frame.memory["question"] = words
        return Step(say=(words,), wait="message", risk=found.risk)
    if doubted := overruled(left):
        return Step(say=(_doubted(work, action, doubted, left[doubted]),), wait="message", risk=found.risk)
    name = next(iter(left), None)
    if name is not None and name != frame.memory.get("asking"):
        frame.memory["asking"] = name
        own = fill(work, action.question or action.fallback, to_person=True)
        said, frame.memory["question"] = next_question(work, action.output, name, own, words)
        return Step(say=(said,), wait="message", risk=found.risk)
    question = str(frame.memory.get("question") or question_for(work, action.output, name))
    if action.question and action.fallback and not answer_given(answer):
        question = fill(work, action.fallback, to_person=True)
    if words:
        return Step(say=(f"{words}\n{question}",), wait="message", risk=found.risk)
    reason = left.get(name, "not_understood") if name else "tell_more"
    said = reask(work, question, reason, heard.repair, action.output, name or "")
    return Step(say=(said,), wait="message", risk=found.risk)


def overruled(left: dict[str, str]) -> str:
    """The output that the model's reply takes for known and that turned out not to be: its words fit no more."""
    return next((name for name, reason in left.items() if reason in missing.OVERRULING), "")


def _doubted(work: Work, action: Fields, name: str, reason: str) -> str:
    """Ask again what was taken down wrongly, or was told in two ways: with the reason, in the scheme's own words."""
    memory = work.frame.memory
    if len(gets(action.output)) > 1 or not memory.get("question"):
        memory["question"] = question_for(work, action.output, name)
    memory["asking"] = name
    question = "" if reason == "contradictory" else str(memory["question"])
    return reask(work, question, reason, None, action.output, name)


def _opened(work: Work, action: Fields, words: str) -> str:
    """The model's first words, with a question where they hold none."""
    if not words or puts_a_question(words):
        return words
    return f"{words}\n{fill(work, action.fallback, to_person=True) or question_for(work, action.output, None)}"


def answer_given(answer: Answer | None) -> bool:
    return answer is not None and answer.data is not None


AI_ASK = AiAsk()
