"""What ``ask`` and ``ai_ask`` share: rounds, re-asking, what happens to values that could not be had."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from heartrule.engine.asking import denials, joined_replies
from heartrule.engine.casefile import records
from heartrule.engine.dialogue import exit_policy, exit_reasons, rounds, speech
from heartrule.engine.dialogue.exit_policy import Decision
from heartrule.engine.dialogue.exit_reasons import reason_text
from heartrule.engine.dialogue.fixed_wording import before_question, question_for, way_back
from heartrule.engine.extraction import rescue, verification
from heartrule.engine.extraction.extraction import ExtractionResult, Source, assign, commit, extract, remember
from heartrule.engine.session.io import Rest
from heartrule.engine.session.moves import PersonInput, Step
from heartrule.engine.session.question_state import ConfirmationState, QuestionState
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.variables import dependencies, missing_reasons, scopes
from heartrule.engine.variables.dependencies import rules_of
from heartrule.engine.variables.evidence import gets, is_stretch
from heartrule.engine.work import Work
from heartrule.language.nodes import Get, OnFailure, Set

Found = Generator[tuple[Task, ...], Mapping[str, Answer], ExtractionResult]


def listen(
    work: Work,
    output: Sequence[Get | Set],
    heard: PersonInput,
    answer: Answer | None,
    *,
    verify: bool = False,
    anew: bool = True,
    again: bool = False,
) -> Found:
    """Take the words in: extract, write what was found, and remember it for later rounds. ``verify``: what a model has
    found is held against the words once more before it is written. ``anew``: what could not be used of its answer is
    asked for in a call of its own. ``again``: the same words, read once more by an answer that was made once more."""
    state, already = QuestionState.of(work.frame), ConfirmationState.of(work.frame)
    texts, earlier = state.texts, state.found
    if heard.repair is None and not again:
        texts.append(heard.text)
        del texts[:-8]
    called = (yield from rescue.called(work, output, heard, answer, earlier)) if anew else None
    led = work.led or (work.model and is_stretch(output))
    found = extract(work, output, Source(heard, answer, texts, earlier, work.frame.asking, called, led))
    yield from denials.read_again(work, output, found, (*texts, heard.text))
    if verify:
        yield from verification.verified(work, output, found, earlier)
    for name in already.held:
        found.missing.pop(name, None)  # it is known, and was only mentioned
    for name in already.gives_way:
        if name in found.found and found.found[name].strategy != "history":
            scopes.write(work, name, None, strategy="set")  # the person says so: nothing is held against it
    commit(work, output, found, earlier)
    remember(work, found)
    state.fresh = sorted(found.fresh)
    missing_reasons.remember(work, found.missing, found.differing)
    return found


def give_up(
    work: Work,
    output: Sequence[Get | Set],
    missing: dict[str, str],
    repair: str | None = None,
    asked: str | None = None,
) -> dict[str, str]:
    """Apply ``on_failure`` to what is missing after one more failed try; returns what must still be asked for.

    ``default`` takes the default at once, ``skip`` leaves it unset at once, ``reask`` allows ``max`` more questions and
    then takes the default, if there is one. Whoever says that they do not know is asked half as often. ``asked`` is the
    one output that the question was about: nobody has failed to answer what was not asked yet (None: it asked for all).
    """
    tries = tried(work)
    cost = 2 if repair == "unknown" else 1
    left: dict[str, str] = {}
    for item in gets(output):
        if item.get not in missing:
            continue
        if asked not in (None, item.get) or item.get in QuestionState.of(work.frame).fresh:
            left[item.get] = missing[item.get]
            continue
        rule = on_failure(work, item)
        tries[item.get] = tries.get(item.get, 0) + cost
        if rule.do == "reask" and tries[item.get] <= rule.max:
            left[item.get] = missing[item.get]
        elif rule.do != "skip":
            take_default(work, item)
    return left


def put_by_model(work: Work, wanted: Sequence[str]) -> None:
    """The model has worded the question. Where several outputs are wanted, nobody can say which one it was about."""
    work.frame.asking = wanted[0] if len(wanted) == 1 else ""


def tried(work: Work) -> dict[str, int]:
    """How often each output has been asked for in vain."""
    return QuestionState.of(work.frame).tries


def risk_open(work: Work, output: Sequence[Get | Set]) -> bool:
    """Whether a variable marked ``risk`` stays without a value: unclear, after all that was asked."""
    due = dependencies.wanted(work, output)
    return any(rules_of(work, item).risk and scopes.lookup(work, item.get) is None for item in due)


def take_default(work: Work, item: Get) -> bool:
    """Write the default of a value that could not be had. False when there is none."""
    rule = rules_of(work, item).on_failure
    if rule is None or rule.default is None:
        return False
    return scopes.write(work, item.get, rule.default, strategy="fallback", rules=rules_of(work, item))


def settle(work: Work, output: Sequence[Get | Set], tolist: str | None = None) -> list[str]:
    """The action ends: defaults for what is missing, ``set`` items, the row for ``tolist``. Returns what stays
    unset and is worth a word (``on_failure: skip`` is not)."""
    unset = _fall_back(work, output)
    row = {item.get: scopes.lookup(work, item.get) for item in gets(output)}
    assign(work, output)
    if tolist and any(value is not None for value in row.values()):
        held = scopes.lookup(work, tolist)
        scopes.write(work, tolist, [*held, row] if isinstance(held, list) else [row], strategy="set", checked=True)
    if unset:
        work.running.unfinished = sorted({*work.running.unfinished, *unset})
    optional = {item.get for item in gets(output) if _may_stay_unset(work, item)}
    return [name for name in unset if name not in optional]


def _fall_back(work: Work, output: Sequence[Get | Set]) -> list[str]:
    """What is missing is skipped or takes its default; returns what has neither."""
    unset: list[str] = []
    skipped = {item.get: why for item, why in dependencies.skipped(work, output)}
    for item in gets(output):
        if scopes.lookup(work, item.get) is not None:
            continue
        if item.get in skipped:
            scopes.skip(work, item.get, skipped[item.get])
        elif not take_default(work, item):
            unset.append(item.get)
    return unset


def _may_stay_unset(work: Work, item: Get) -> bool:
    return on_failure(work, item).do == "skip"


def on_failure(work: Work, item: Get) -> OnFailure:
    """What is done where the value cannot be had. What the script does not need is not asked for again."""
    return rules_of(work, item).on_failure or OnFailure(do="skip" if item.required is False else "reask")


def refused(work: Work, output: Sequence[Get | Set], tolist: str | None = None) -> Step:
    """The person would rather not answer, and said so: the action ends, kindly and unfinished (seed 000 §7.1)."""
    settle(work, output, tolist)
    return Step(say=(work.spoken("refused"),), done=True, outcome="refused", risk=risk_open(work, output))


def is_refused(work: Work, output: Sequence[Get | Set], found: ExtractionResult) -> bool:
    """Whether the person has just said, in whatever words, that they would not tell what was asked."""
    names = [item.get for item in gets(output)]
    no = records.refused(work) if work.model and not found.risk else frozenset()
    return bool(names) and all(name in no and name not in found.found for name in names)


def declines(work: Work, output: Sequence[Get | Set], answer: Answer | None, found: ExtractionResult) -> bool:
    """Whether the model has read a refusal and closes with it: what it says to that is what is said. Only what is about
    danger may be asked once more."""
    data = answer.data if answer is not None else None
    if not data or found.found or found.risk or data.get("progress_suggestion") != "blocked":
        return False
    closes = rounds.wants_exit(data) or data.get("understood") is True
    return closes and not any(rules_of(work, item).risk for item in gets(output))


def let_go(
    work: Work, action: Any, answer: Answer | None
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Step]:
    """A refusal ends the question, and what the model has said to it is what is said."""
    answer = yield from speech.whole(work, answer, statement=True)
    rounds.record(work, rounds.ASK_METRICS, answer)
    refusal = Decision(True, reason_text(exit_reasons.UNWILLING, work.world.script.locale), "none", "user_blocked")
    exit_policy.record(work, refusal, work.frame.round)
    settle(work, action.output, action.peek("tolist"))
    words = before_question(rounds.text_of(answer.data if answer else None)) or work.spoken("refused")
    return Step(say=(words,), done=True, outcome="refused", risk=risk_open(work, action.output))


def unfinished(work: Work, heard: PersonInput, *, risk: bool) -> Step:
    """The action ends without what it was to find out. Who wanted to stop is not told that it could not be said."""
    words = work.spoken("refused" if heard.repair == "stop" else "unfinished")
    return Step(say=(words,), done=True, outcome="unfinished", risk=risk)


def after_crisis(work: Work, output: Sequence[Get | Set]) -> Step:
    """The crisis technique that a risk variable called has handed back: its question is closed, whatever it found. What
    else the action wants to know is still asked."""
    for item in dependencies.wanted(work, output):
        if not rules_of(work, item).risk and scopes.lookup(work, item.get) is None:
            question = question_for(work, output, item.get)
            work.frame.asking, work.frame.question, work.frame.risk_closed = item.get, question, True
            return Step(say=(f"{way_back(work)}\n{question}",), wait="message")
    return Step(done=True, outcome="settled")


def nothing_due(work: Work, output: Sequence[Get | Set]) -> Step | None:
    """Nothing of what the action is to find out is looked for now: it ends without a word, each output with why."""
    if not gets(output) or dependencies.wanted(work, output):
        return None
    for item, why in dependencies.skipped(work, output):
        scopes.skip(work, item.get, why)
    return Step(done=True, outcome="not_due")


def closing(words: str, *, risk: bool = False, outcome: str = "completed") -> Step:
    """An action's last word: the model's, up to where it asks something that nobody will wait for an answer to."""
    if said := before_question(words):
        return Step(say=(said,), done=True, risk=risk, outcome=outcome)
    return Step(acknowledge=True, done=True, risk=risk, outcome=outcome)


def ended(work: Work, words: str, *, opens: bool, risk: bool = False, outcome: str = "completed") -> Step:
    """The last word of an action whose reply may open the next one."""
    opened = opens and bool(words)
    if joined_replies.following(work):
        joined_replies.hand_on(work, words, opened=opened)
    return Step(say=(words,), done=True, outcome=outcome) if opened else closing(words, risk=risk, outcome=outcome)


SILENT = {"type": "string", "minLength": 0}
"""What is said; it may be empty where the scheme's own word of acknowledgement is enough."""
