"""``ask``: one literal question, one answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.asking import ask_rounds, second_reading
from heartrule.engine.casefile.known_facts import need_not_ask
from heartrule.engine.dialogue import retries, review, rounds, speech
from heartrule.engine.dialogue.fixed_wording import next_question, puts_a_question, reask
from heartrule.engine.extraction import murmurs
from heartrule.engine.extraction.extraction import described, known, values_schema
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks import feedback
from heartrule.engine.tasks.prompt_context import ahead, fill, shared
from heartrule.engine.variables import dependencies, missing_reasons
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Get, OnFailure, Set, Template
from heartrule.language.nodes.traits import Plan, Traits


class Fields(Action):
    traits: ClassVar[Traits] = Traits(
        asks="own",
        waits=True,
        literal="content",
        exits=True,
        remembers=True,
        plan=Plan(changed=frozenset({"content"}), skipped=True, moved=True, shown=("content",)),
    )

    type: Literal["ask"]
    content: Template
    output: list[Get | Set] = []


class Ask(ActionType):
    name = "ask"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        if (step := ask_rounds.nothing_due(work, action.output)) is not None:
            return step
        if work.model and need_not_ask(work, dependencies.wanted(work, action.output)):
            return Step(done=True, outcome="known")
        question = fill(work, action.content, to_person=True)
        wanted, most = dependencies.wanted(work, action.output), len(gets(action.output))
        work.frame.round, work.frame.max_rounds = 1, max(1, most) + _patience(work, action)
        work.frame.question = question
        work.frame.asking = wanted[0].get if wanted else ""
        return Step(say=(question,), wait="message")
        yield ()

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        if not work.model:
            return second_reading.question(work, action.output, heard)
        if heard.repair == "skip":
            return None
        return Task(
            key=work.task_key("ask"),
            kind="extract",
            role="understand",
            template="ask",
            context=shared(work),
            values={
                "question": work.frame.question,
                "outputs": described(work, action.output),
                "known": known(work, action.output),
                "unclear": missing_reasons.hint(work),
                "next": ahead(work),
                "current_round": str(work.frame.round),
                "max_rounds": str(work.frame.max_rounds),
                "monitor_feedback": feedback.prompt_line(work),
            },
            schema={
                "type": "object",
                "properties": {
                    "understood": {"type": "boolean"},
                    "values": values_schema(work, action.output),
                    "progress_suggestion": PROGRESS,
                    "content": ask_rounds.SILENT,
                },
                "required": ["understood", "values", "progress_suggestion", "content"],
            },
            required=("understood", "content"),
            tier=action.model,
            speaks=not action.review,
        )

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        if not work.model:
            answer = second_reading.value(work, action.output, heard, answer)
        heard, answer = murmurs.without(work, action.output, heard, answer)
        found = yield from ask_rounds.listen(work, action.output, heard, answer)
        if heard.repair == "skip" and not found.risk and not retries.tries_on(work):
            rounds.record(work, (), answer)
            return ask_rounds.refused(work, action.output)
        if ask_rounds.is_refused(work, action.output, found) or ask_rounds.declines(work, action.output, answer, found):
            return (yield from ask_rounds.let_go(work, action, answer))
        left = _left(work, action, heard, answer, found.missing)
        again = partial(self.question, work, action, heard)
        if left and _goes_on(work, heard, answer, left):
            return (yield from _asks_again(work, action, heard, answer, left, again, risk=found.risk))
        unset = ask_rounds.settle(work, action.output)
        risk = found.risk or ask_rounds.risk_open(work, action.output)
        answer = yield from speech.whole(work, answer, shown=not (left or unset), statement=True, risk=risk)
        answer = yield from review.passed(work, action, answer, again)
        rounds.record(work, (), answer)
        if left or unset:
            return ask_rounds.unfinished(work, heard, risk=risk)
        return ask_rounds.closing(rounds.text_of(answer.data if answer else None), risk=risk)


PROGRESS = {"enum": ["continue_needed", "completed", "blocked", "off_topic"]}


def _left(
    work: Work, action: Fields, heard: PersonInput, answer: Answer | None, missing: dict[str, str]
) -> dict[str, str]:
    """What is open still, each with why; the empty name: the question itself was not answered."""
    data = answer.data if answer else None
    if missing:
        asked = None if data else work.frame.asking
        return ask_rounds.give_up(work, action.output, missing, heard.repair, asked)
    return {} if _answered(action, heard, data) else {"": "not_understood"}


def _goes_on(work: Work, heard: PersonInput, answer: Answer | None, left: dict[str, str]) -> bool:
    """Whether what is open is asked for again."""
    over = retries.gives_up(work, retries.progress(heard, rounds.progress(answer)))
    if work.frame.round >= (work.frame.max_rounds or 1) or over:
        return False
    return not ("" in left and _tired(work, heard))


def _asks_again(
    work: Work,
    action: Fields,
    heard: PersonInput,
    answer: Answer | None,
    left: dict[str, str],
    again: Callable[[], Task | None],
    *,
    risk: bool,
) -> Moves:
    understood = bool(answer and answer.data)
    answer = yield from speech.whole(work, answer, shown=False)
    answer = yield from review.passed(work, action, answer, again)
    rounds.record(work, (), answer)
    words = rounds.text_of(answer.data if answer else None)
    work.frame.round += 1
    if understood and puts_a_question(words):
        ask_rounds.put_by_model(work, list(left))
        return Step(say=(words,), wait="message", risk=risk)
    return Step(say=(_again(work, action, heard, left, with_model=understood),), wait="message", risk=risk)


def _again(work: Work, action: Fields, heard: PersonInput, left: dict[str, str], *, with_model: bool) -> str:
    """The question once more, or the one about the next output when the last one was answered."""
    frame = work.frame
    name, reason = next(iter(left.items()))
    if name and name != frame.asking and not with_model:
        own = fill(work, action.content, to_person=True)
        frame.asking = name
        said, frame.question = next_question(work, action.output, name, own)
        return said
    return reask(work, frame.question, reason, heard.repair, action.output, name)


def _tired(work: Work, heard: PersonInput) -> bool:
    """Whether a question that has nothing to extract was put in vain often enough."""
    tries = ask_rounds.tried(work)
    tries[""] = tries.get("", 0) + (2 if heard.repair == "unknown" else 1)
    return tries[""] > OnFailure().max


def _patience(work: Work, action: Fields) -> int:
    """How often the question may be put again."""
    limits = [rule.max for item in gets(action.output) if (rule := dependencies.rules_of(work, item).on_failure)]
    return max(limits, default=2)


def _answered(action: Fields, heard: PersonInput, data: object) -> bool:
    """Whether a question that has nothing to extract was answered at all."""
    if gets(action.output):
        return True
    if isinstance(data, dict) and isinstance(data.get("understood"), bool):
        return bool(data["understood"])
    return heard.repair is None


ASK = Ask()
