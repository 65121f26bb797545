"""Words that were sent before their sender had seen the present question: added to the answer they belong to, never
taken for an answer to the question that came after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from heartrule.engine.extraction.extraction import ExtractionResult, Source, commit, described, extract, values_schema
from heartrule.engine.session.events import LateWords
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.state import ActionFrame, PastQuestion, PhaseFrame, State, TopicFrame
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import ScopeKey, Value
from heartrule.engine.tasks.prompt_context import shared
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import alarming, gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Get, Set, VariableRules
from heartrule.language.values.types import MAX_TEXT

KEPT = 3
"""Questions that are remembered for words still on their way."""
Outcome = Literal["appended", "corrected", "kept"]
_SINGLE = ("integer", "number", "boolean", "enum", "date")
LONGEST = MAX_TEXT
"""Characters of an answer to which words may be added. What goes beyond stays in the transcript: nothing makes way."""


def is_late(state: State, after: int | None) -> bool:
    """Whether a sender who had seen messages up to ``after`` cannot have seen the present question."""
    frame = state.running.action if state.running else None
    return after is not None and frame is not None and frame.wait is not None and after < frame.asked


def is_late_choice(state: State, after: int | None) -> bool:
    """Whether who picked had not seen these choices. Choices that are put again as they were, behind words that were
    sent a moment before the press, are the ones that they saw."""
    frame = state.running.action if state.running else None
    if frame is None or after is None or not is_late(state, after):
        return False
    return not frame.choices or after < frame.offered


def note(work: Work, heard: PersonInput | None = None, *, open: bool = False) -> PastQuestion:  # noqa: A002
    """Remember the question that is waiting, because it was answered with these words or its time is up. ``open``: it
    was interrupted and will be put again."""
    frame, topic = work.frame, work.running
    asked = PastQuestion(
        message=frame.asked,
        phase=work.phase_frame.key,
        stage=work.phase_frame.index,
        topic=topic.key,
        kind=topic.kind,
        ref=topic.ref,
        item=topic.item,
        index=frame.index,
        action=frame.id,
        texts=[heard.text] if heard is not None and heard.repair is None else [],
        open=open,
        plan=topic.plan,
    )
    work.state.asked = [*(known for known in work.state.asked if known.message != asked.message), asked][-KEPT:]
    return asked


def put_aside(work: Work) -> None:
    """Something more urgent comes before the question that is waiting, if one is."""
    if work.state.running is not None and work.state.running.action is not None and work.frame.wait is not None:
        note(work, open=not work.frame.settled)


def belonging(state: State, after: int | None) -> PastQuestion | None:
    """The answered question that the sender had before their eyes; None when there is none, or when it will be put
    again."""
    seen = [asked for asked in state.asked if after is not None and asked.message <= after]
    return seen[-1] if seen and not seen[-1].open else None


def _open(work: Work) -> set[ScopeKey]:
    """The scopes that are there. One that holds nothing yet is not in the database, and is open all the same."""
    return {*work.variables.cells, *work.chain(), *(("topic", frame.key) for frame in work.state.frames)}


@contextmanager
def standing(work: Work, asked: PastQuestion) -> Iterator[set[ScopeKey]]:
    """Stand where the question stood: its names mean what they meant there, in scopes that may have gone. Gives those
    that have not."""
    before, there = (work.state.phase, work.state.running), _open(work)
    project = asked.ref.partition("/")[0] if asked.kind == "skill" else work.world.script.project.id
    here = work.state.phase if work.state.phase is not None and work.state.phase.key == asked.phase else None
    action = ActionFrame(index=asked.index, id=asked.action, type="", entered_at=work.world.now)
    work.state.phase = here or PhaseFrame(key=asked.phase, index=asked.stage, id="", entered_at=work.world.now)
    work.state.running = TopicFrame(
        key=asked.topic,
        kind=asked.kind,
        ref=asked.ref,
        name="",
        project=project,
        item=asked.item,
        action=action,
        started_at=work.world.now,
        plan=asked.plan,
    )
    try:
        yield there
    finally:
        work.state.phase, work.state.running = before


def _outputs(work: Work, asked: PastQuestion, there: set[ScopeKey]) -> list[Get | Set]:
    """What that question was to find out, as far as the scope is still there that it is written to."""
    if asked.stage >= len(work.world.script.session.phases):
        return []
    action = work.action_at(asked.index)
    output = (action.peek("output") if action is not None else None) or []
    return [item for item in output if isinstance(item, Get) and scopes.definition(work, item.get)[0] in there]


def names(work: Work, asked: PastQuestion) -> list[str]:
    """What that question was to find out."""
    with standing(work, asked) as there:
        return [item.get for item in _outputs(work, asked, there) if isinstance(item, Get)]


def wanted(work: Work, asked: PastQuestion) -> list[tuple[str, VariableRules]]:
    """What that question was to find out, by name, with what is known of it."""
    with standing(work, asked) as there:
        outputs = gets(_outputs(work, asked, there))
        return [(item.get, scopes.rules_for(scopes.definition(work, item.get)[1], item)) for item in outputs]


def told_values(work: Work, asked: PastQuestion) -> Iterator[tuple[Get, VariableRules, Value]]:
    """What is known of that which the question was to find out, where the person has told it."""
    with standing(work, asked) as there:
        for item in gets(_outputs(work, asked, there)):
            where, declared = scopes.definition(work, item.get)
            held = work.variables.find(item.get, [where])
            if held is not None and held[1].value is not None and held[1].evidence:
                yield item, scopes.rules_for(declared, item), held[1]


def put_right(work: Work, asked: PastQuestion, name: str, value: Any, evidence: str, rules: VariableRules) -> bool:
    """Write a value in the place of the one that the question has found out. False where it is not written."""
    with standing(work, asked):
        written = scopes.write(work, name, value, strategy="correction", evidence=evidence, rules=rules)
    if written and name in asked.found:
        asked.found[name] = {"value": value, "evidence": evidence}
    return written


def about_risk(work: Work, asked: PastQuestion) -> bool:
    """Whether that question was about a variable marked ``risk``."""
    with standing(work, asked) as there:
        return concerns_risk(work, _outputs(work, asked, there))


def concerns_risk(work: Work, output: Sequence[Get | Set]) -> bool:
    return any(scopes.rules_for(scopes.definition(work, item.get)[1], item).risk for item in gets(output))


def question(work: Work, asked: PastQuestion) -> Task | None:
    """The extraction is made again over the whole answer."""
    with standing(work, asked) as there:
        wanted = _outputs(work, asked, there)
        if not work.model or not wanted:
            return None
        return Task(
            key=work.task_key("late"),
            kind="extract",
            role="understand",
            template="ask",
            context=shared(work),
            values={
                "question": "",
                "outputs": described(work, wanted),
                "known": "",
                "current_round": "1",
                "max_rounds": "1",
            },
            schema={
                "type": "object",
                "properties": {"understood": {"type": "boolean"}, "values": values_schema(work, wanted)},
                "required": ["understood", "values"],
            },
            required=("understood",),
        )


def join(asked: PastQuestion, text: str) -> bool:
    """Add words to an answer. False where it would become too long."""
    if sum(map(len, asked.texts)) + len(asked.texts) + len(text) > LONGEST:
        return False
    asked.texts.append(text)
    return True


def append(
    work: Work, asked: PastQuestion | None, heard: PersonInput, numbers: Sequence[int], answer: Answer | None
) -> tuple[bool, Outcome]:
    """Add the words to their answer and extract again; without such an answer they only stay in the transcript. Whether
    a variable marked ``risk`` became true or unclear by them, and what became of them."""
    if asked is None or heard.repair is not None:
        work.emit(LateWords(messages=list(numbers), outcome="kept"))
        return False, "kept"
    before = {item.get: value.value for item, rules, value in told_values(work, asked) if rules.type in _SINGLE}
    joined = join(asked, heard.text)
    texts = asked.texts if joined else [heard.text]
    with standing(work, asked) as there:
        wanted = _outputs(work, asked, there)
        found = extract(work, wanted, Source(PersonInput(text="\n".join(texts)), answer, texts, {}, asked.asking))
        if joined:
            commit(work, wanted, found, asked.found)
            asked.found |= {name: {"value": each.value} for name, each in found.found.items()}
        risk = any(_alarms(work, item, found) for item in gets(wanted))
    changed = any(name in found.found and found.found[name].value != value for name, value in before.items())
    outcome: Outcome = "kept"
    if joined and (changed or found.found):
        outcome = "corrected" if changed else "appended"
    work.emit(LateWords(action=asked.action, messages=list(numbers), outcome=outcome))
    return risk, outcome


def _alarms(work: Work, item: Get, found: ExtractionResult) -> bool:
    """Whether it is marked ``risk`` and a yes, or could not be told."""
    rules = scopes.definition(work, item.get)[1]
    if not (item.risk or (rules is not None and rules.risk)):
        return False
    return item.get in found.missing or (item.get in found.found and alarming(found.found[item.get].value))
