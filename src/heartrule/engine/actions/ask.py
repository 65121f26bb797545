"""``ask``: one literal question, one answer."""

from __future__ import annotations

from functools import partial
from typing import Literal

from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.adapting import feedback
from heartrule.engine.calling import reviewing
from heartrule.engine.calling.prompting import ahead, fill, shared
from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.casefile.known import need_not_ask
from heartrule.engine.interacting import asking, rounds
from heartrule.engine.scheduling import retries
from heartrule.engine.scoping import dependencies
from heartrule.engine.speaking import speech
from heartrule.engine.speaking.wording import next_question, puts_a_question, reask
from heartrule.engine.understanding import missing, murmurs, second_reading
from heartrule.engine.understanding.extraction import described, gets, known, values_schema
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Get, OnFailure, Set, Template


class Fields(Action):
    type: Literal["ask"]
    content: Template
    output: list[Get | Set] = []


class Ask(ActionType):
    name = "ask"
    fields = Fields
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        if (step := asking.nothing_due(work, action.output)) is not None:
            return step
        if work.model and need_not_ask(work, dependencies.wanted(work, action.output)):
            return Step(done=True, outcome="known")
        question = fill(work, action.content, to_person=True)
        wanted, most = dependencies.wanted(work, action.output), len(gets(action.output))
        work.frame.round, work.frame.max_rounds = 1, max(1, most) + _patience(work, action)
        work.frame.memory["question"] = question
        work.frame.memory["asking"] = wanted[0].get if wanted else ""
        return Step(say=(question,), wait="message")
        yield ()

    def question(self, work: Work, action: Fields, heard: Heard) -> Task | None:
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
                "question": str(work.frame.memory.get("question", "")),
                "outputs": described(work, action.output),
                "known": known(work, action.output),
                "unclear": missing.hint(work),
                "next": ahead(work),
                "current_round": str(work.frame.round),
                "max_rounds": str(work.frame.max_rounds),
                "monitor_feedback": feedback.told(work),
            },
            schema={
                "type": "object",
                "properties": {
                    "understood": {"type": "boolean"},
                    "values": values_schema(work, action.output),
                    "progress_suggestion": PROGRESS,
                    "content": asking.SILENT,
                },
                "required": ["understood", "values", "progress_suggestion", "content"],
            },
            required=("understood", "content"),
            tier=action.model,
            speaks=not action.review,
        )

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        if not work.model:
            answer = second_reading.value(work, action.output, heard, answer)
        heard, answer = murmurs.without(work, action.output, heard, answer)
        found = yield from asking.listen(work, action.output, heard, answer)
        if heard.repair == "skip" and not found.risk and not retries.tries_on(work):
            rounds.record(work, (), answer)
            return asking.refused(work, action.output)
        if asking.is_refused(work, action.output, found) or asking.declines(work, action.output, answer, found):
            return (yield from asking.let_go(work, action, answer))
        data = answer.data if answer else None
        if found.missing:
            asked = None if data else work.frame.memory.get("asking")
            left = asking.give_up(work, action.output, found.missing, heard.repair, asked)
        else:
            left = {} if _answered(action, heard, data) else {"": "not_understood"}
        frame = work.frame
        over = bool(left) and retries.gives_up(work, retries.progress(heard, rounds.progress(answer)))
        if left and frame.round < (frame.max_rounds or 1) and not over and not ("" in left and _tired(work, heard)):
            answer = yield from speech.whole(work, answer, shown=False)
            answer = yield from reviewing.passed(work, action, answer, partial(self.question, work, action, heard))
            rounds.record(work, (), answer)
            words = rounds.text_of(answer.data if answer else None)
            frame.round += 1
            if data and puts_a_question(words):
                asking.put_by_model(work, list(left))
                return Step(say=(words,), wait="message", risk=found.risk)
            say = _again(work, action, heard, left, with_model=bool(data))
            return Step(say=(say,), wait="message", risk=found.risk)
        unset = asking.settle(work, action.output)
        risk = found.risk or asking.risk_open(work, action.output)
        answer = yield from speech.whole(work, answer, shown=not (left or unset), statement=True, risk=risk)
        answer = yield from reviewing.passed(work, action, answer, partial(self.question, work, action, heard))
        rounds.record(work, (), answer)
        if left or unset:
            return asking.unfinished(work, heard, risk=risk)
        return asking.closing(rounds.text_of(answer.data if answer else None), risk=risk)


PROGRESS = {"enum": ["continue_needed", "completed", "blocked", "off_topic"]}


def _again(work: Work, action: Fields, heard: Heard, left: dict[str, str], *, with_model: bool) -> str:
    """The question once more, or the one about the next output when the last one was answered."""
    memory = work.frame.memory
    name, reason = next(iter(left.items()))
    if name and name != memory["asking"] and not with_model:
        own = fill(work, action.content, to_person=True)
        memory["asking"] = name
        said, memory["question"] = next_question(work, action.output, name, own)
        return said
    return reask(work, str(memory["question"]), reason, heard.repair, action.output, name)


def _tired(work: Work, heard: Heard) -> bool:
    """Whether a question that has nothing to extract was put in vain often enough."""
    tries = asking.tried(work)
    tries[""] = tries.get("", 0) + (2 if heard.repair == "unknown" else 1)
    return tries[""] > OnFailure().max


def _patience(work: Work, action: Fields) -> int:
    """How often the question may be put again."""
    limits = [rule.max for item in gets(action.output) if (rule := asking.rules_of(work, item).on_failure)]
    return max(limits, default=2)


def _answered(action: Fields, heard: Heard, data: object) -> bool:
    """Whether a question that has nothing to extract was answered at all."""
    if gets(action.output):
        return True
    if isinstance(data, dict) and isinstance(data.get("understood"), bool):
        return bool(data["understood"])
    return heard.repair is None


ASK = Ask()
