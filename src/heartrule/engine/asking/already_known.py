"""``when_known: confirm``: what the person has told already is not asked again, but confirmed with a short question.

A plain yes ends the action; another value that a model has found is its answer, and what is known gives way once that
has been accepted; a no lets it be asked as usual; what is neither is asked about once and leaves it as it is. Of
several that are not all so each is put by itself, where nobody says which. Where only some
of what is wanted is known, that is mentioned and only the rest asked for. The words are the scheme's own: no call is
made for them. What no person has told (a default, a value that the script has set) is not known in this sense, and
where a variable is marked ``risk`` the question is put in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from heartrule.engine.asking import ask_rounds
from heartrule.engine.casefile.known_facts import told_value
from heartrule.engine.dialogue import exit_policy, exit_reasons, review, rounds, speech
from heartrule.engine.dialogue.exit_policy import Decision
from heartrule.engine.dialogue.exit_reasons import reason_text
from heartrule.engine.dialogue.fixed_wording import called, puts_a_question, question_for, reask
from heartrule.engine.extraction import confirmations
from heartrule.engine.extraction.confirmations import Reply
from heartrule.engine.extraction.extraction import ExtractionResult, offer, proof_of
from heartrule.engine.session.io import Rest, World
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.question_state import ConfirmationState, QuestionState
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Value
from heartrule.engine.variables import scopes
from heartrule.engine.variables.definitions import lookup
from heartrule.engine.variables.dependencies import rules_of, wanted
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language import placeholders
from heartrule.language.nodes import Get, Set
from heartrule.locales import is_chinese

LABEL = 12
"""Chinese characters of a meaning that may name a value in a sentence; English ones three times as many. A longer one
makes way for the variable's own name."""
SHOWN = 60
"""Characters of a value in the question."""
UNCLEAR = 1
"""How often a plain yes or no is asked for, where a reply was neither that nor a repair phrase."""


class ConfirmableAsk(Protocol):
    """What is read of an ``ai_ask`` here."""

    @property
    def output(self) -> list[Get | Set]: ...
    @property
    def max_rounds(self) -> int: ...
    @property
    def tolist(self) -> str | None: ...
    @property
    def when_known(self) -> str | None: ...
    @property
    def review(self) -> bool: ...


def known(work: Work, output: Sequence[Get | Set]) -> dict[str, Value]:
    """What is wanted and the person has told, with proof; nothing where a variable marked ``risk`` is among it."""
    items = wanted(work, output)
    if any(rules_of(work, item).risk for item in items):
        return {}
    found = {item.get: told_value(work, item.get) for item in items}
    return {name: value for name, value in found.items() if value is not None}


def begin(work: Work, action: ConfirmableAsk, question: str) -> Step | None:
    """What an action begins with that need not ask everything; None where it asks as usual. ``question``: its own
    literal one."""
    told = known(work, action.output) if action.when_known == "confirm" else {}
    if not told:
        return None
    frame, known_so = work.frame, ConfirmationState.of(work.frame)
    left = [item.get for item in wanted(work, action.output) if item.get not in told]
    frame.round, frame.max_rounds = 1, action.max_rounds + (0 if left else 1)
    if not left:
        known_so.names, frame.asking = list(told), ""
        _asks_now(work, _confirmation(work, action.output, told))
        return Step(say=(frame.question,), wait="message")
    known_so.held, frame.asking = list(told), left[0]
    if work.model and not question:
        return None  # the model opens it, and sees what is known
    asks = question_for(work, action.output, left[0])
    said = f"{_filled(work, 'mention_known', known=_list(work, action.output, told))}\n{asks}"
    _asks_now(work, asks)
    return Step(say=(said,), wait="message")


def _asks_now(work: Work, question: str) -> None:
    work.frame.question = QuestionState.of(work.frame).first = question


def waits(work: Work) -> bool:
    """Whether the question that was put is whether something is so."""
    return bool(ConfirmationState.of(work.frame).names)


def heard(
    work: Work, action: Any, given: PersonInput, answer: Answer | None, question: Callable[[], Task | None], own: str
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Step | PersonInput]:
    """What comes of the reply: a step, or the words that are to be taken as the answer. ``question`` builds the
    action's task anew; ``own`` is its literal question."""
    state = ConfirmationState.of(work.frame)
    if given.repair == "skip":
        return (yield from _ends(work, action, None, question, given))
    data = answer.data if answer is not None else None
    reply = Reply("unclear") if given.repair else _parse_reply(work, action, state.names, given, data)
    if reply.kind == "yes" and not (state.later or state.wrong):
        return (yield from _ends(work, action, answer, question, given))
    if reply.kind == "other":
        _make_way(work, action, reply, own)
        return replace(given, text=reply.text)
    return (yield from _asks(work, action, given, answer, question, own, reply))


def kept(work: Work, found: ExtractionResult) -> bool:
    """Whether nothing has been accepted in the place of what the person wanted to put right: it stays, and is put to be
    confirmed again. Of several, what was not accepted is known as it was."""
    state = ConfirmationState.of(work.frame)
    replaces, confirmed, against, question = state.replaces, state.confirmed, state.against, state.question
    state.replaces, state.confirmed, state.against, state.question, state.gives_way = [], [], [], "", []
    left = [name for name in replaces if name not in found.found or found.found[name].strategy == "history"]
    if not replaces or len(left) < len(replaces):
        for name in left:
            found.missing.pop(name, None)
        return False
    state.names, state.held = [name for name in confirmed if lookup(work, name) is not None], []
    state.denied = [name for name in against if name in state.names]
    _asks_now(work, question)
    return True


def again(
    work: Work, action: Any, given: PersonInput, answer: Answer | None, question: Callable[[], Task | None], own: str
) -> Moves:
    """What was said instead could not be taken: a plain yes or no is asked for. What was denied in so many words is not
    put once more: it is asked for as usual."""
    given, state = replace(given, repair=None), ConfirmationState.of(work.frame)
    denied, state.denied = state.denied, []
    reply = Reply("no", denied) if denied else Reply("unclear")
    return (yield from _asks(work, action, given, answer, question, own, reply, aloud=bool(denied)))


def _asks(
    work: Work,
    action: Any,
    given: PersonInput,
    answer: Answer | None,
    question: Callable[[], Task | None],
    own: str,
    reply: Reply,
    *,
    aloud: bool = True,
) -> Moves:
    """It is not known whether it is so, or it is not so. ``aloud``: the model's words may be said."""
    state = ConfirmationState.of(work.frame)
    one_by_one = bool(state.later) or len(state.names) > 1
    if one_by_one and reply.kind != "unclear":
        aloud = False
    words = yield from _question_of(work, action, answer, question, aloud=aloud)
    if reply.kind == "unclear":
        return (yield from _asks_plainly(work, action, given, own, words))
    if len(state.names) > 1:
        state.names, state.later = [], state.names
    elif reply.kind == "no":
        state.wrong = [*state.wrong, *state.names]
    return (yield from _goes_through(work, action, given, question, own, words))


def _goes_through(
    work: Work, action: Any, given: PersonInput, question: Callable[[], Task | None], own: str, words: str
) -> Moves:
    """Of several that are not all so each is put by itself; then what is not so is asked for."""
    state = ConfirmationState.of(work.frame)
    if state.later:
        name, *state.later = state.later
        state.names = [name]
        held = {name: value} if (value := told_value(work, name)) is not None else {}
        _asks_now(work, _confirmation(work, action.output, held))
        return Step(say=(work.frame.question,), wait="message")
    if state.wrong:
        return _asks_anew(work, action, own, words)
    return (yield from _ends(work, action, None, question, given))


def _question_of(
    work: Work, action: Any, answer: Answer | None, question: Callable[[], Task | None], *, aloud: bool
) -> Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], str]:
    """The model's words, where they ask something and may be said."""
    data = answer.data if answer is not None else None
    asks = rounds.text_of(data) if aloud and data is not None and not rounds.wants_exit(data) else ""
    shown = puts_a_question(asks)
    answer = yield from speech.whole(work, answer, shown=shown)
    answer = yield from review.passed(work, action, answer, question)
    rounds.record(work, rounds.ASK_METRICS, answer)
    words = rounds.text_of(answer.data if answer is not None else None) if shown else ""
    return words if puts_a_question(words) else ""


def _asks_plainly(work: Work, action: Any, given: PersonInput, own: str, words: str) -> Moves:
    """Neither a yes nor a no: one is asked for, as often as it may be."""
    state = ConfirmationState.of(work.frame)
    unsaid = 0 if given.repair else state.unclear + 1
    state.unclear = unsaid or state.unclear
    if unsaid > UNCLEAR or work.frame.round >= (work.frame.max_rounds or 1):
        if state.wrong:
            return _asks_anew(work, action, own, "")
        return (yield from _stays(work, action))
    work.frame.round += 1
    work.frame.question = words or work.frame.question
    return Step(say=(words or reask(work, work.frame.question, "need_yes_no", given.repair),), wait="message")


def _asks_anew(work: Work, action: Any, own: str, words: str) -> Step:
    """What is not so is asked for as if nothing were known of it."""
    denied = _parts_with(work, action)
    work.frame.round += 1
    said = (
        words
        or (own if not ConfirmationState.of(work.frame).held else "")
        or question_for(work, action.output, denied[0])
    )
    _asks_now(work, said)
    work.frame.asking = denied[0] if len(denied) == 1 or not words else ""
    return Step(say=(said,), wait="message")


def _parts_with(work: Work, action: ConfirmableAsk, *changed: str) -> list[str]:
    """Forget what is not so; what is neither that nor ``changed`` is known, and need not be asked for."""
    state = ConfirmationState.of(work.frame)
    denied, state.wrong, state.names = state.wrong, [], []
    state.held = [name for name in known(work, action.output) if name not in (*denied, *changed)]
    _forget(work, action.output, denied)
    return denied


def _make_way(work: Work, action: ConfirmableAsk, reply: Reply, own: str) -> None:
    """What is said instead is taken in by the action; what is known gives way when it has been accepted. From now on
    the action's own question stands, not whether the old value is so."""
    state, changed = ConfirmationState.of(work.frame), list(reply.names)
    state.confirmed, state.question, state.replaces = state.names, work.frame.question, changed
    state.gives_way = [
        i.get for i in gets(action.output) if i.get in changed and rules_of(work, i).type not in confirmations.MANY
    ]
    state.against, work.frame.asking = changed if reply.against else [], changed[0]
    _parts_with(work, action, *changed)
    _asks_now(work, own if own and not state.held else question_for(work, action.output, changed[0]))


def _stays(work: Work, action: Any) -> Moves:
    """Nobody has said that it is so, nor what it is instead: it stays as it is known."""
    yield from ()
    why = reason_text(exit_reasons.NOT_CONFIRMED, work.world.script.locale)
    decision = Decision(True, why, "exit_criteria", "exit_criteria_met")
    exit_policy.record(work, decision, work.frame.round)
    ask_rounds.settle(work, action.output, action.tolist)
    return ask_rounds.ended(work, "", opens=False, outcome="known")


def _ends(
    work: Work, action: Any, answer: Answer | None, question: Callable[[], Task | None], given: PersonInput
) -> Moves:
    """It stands as it is known."""
    answer = yield from speech.whole(work, answer, statement=True)
    answer = yield from review.passed(work, action, answer, question)
    rounds.record(work, rounds.ASK_METRICS, answer)
    confirmed = given.repair is None
    why = reason_text(exit_reasons.CONFIRMED if confirmed else exit_reasons.NOT_CONFIRMED, work.world.script.locale)
    exit_policy.record(work, Decision(True, why, "exit_criteria", "exit_criteria_met"), work.frame.round)
    ask_rounds.settle(work, action.output, action.tolist)
    if given.repair == "skip":
        return Step(say=(work.spoken("refused"),), done=True, outcome="known")
    return ask_rounds.ended(work, rounds.text_of(answer.data if answer else None), opens=False, outcome="known")


def _parse_reply(
    work: Work, action: ConfirmableAsk, names: Sequence[str], given: PersonInput, data: Mapping[str, Any] | None
) -> Reply:
    """What the reply says. A plain yes is a yes; else what a model has found counts before what rules make of it."""
    items = [item for item in gets(action.output) if item.get in names]
    read = confirmations.parse_reply(work, items, given.text)
    if data is None or read.kind == "yes":
        return read
    offered = data.get("values")
    changed = [item.get for item in items if _offers(work, item, offered, given.text)]
    if changed:
        return Reply("other", changed, given.text, against=read.against)
    if read.against and isinstance(offered, Mapping) and offered.get(read.names[0]):
        return Reply("other", read.names, given.text, against=True)  # what cannot be taken is asked of the model again
    if read.kind != "unclear":
        return read
    return Reply("yes" if rounds.wants_exit(data) else "unclear")


def _offers(work: Work, item: Get, offered: Any, text: str) -> bool:
    """Whether the model has found another value in these words."""
    raw, quote = offer(offered.get(item.get) if isinstance(offered, Mapping) else None)
    proof = None if raw is None or raw == "" else proof_of(raw, quote, text)
    if proof is None:
        return False
    return not confirmations.is_echo(work, item, proof) and confirmations.differs(work, item, raw)


def _forget(work: Work, output: Sequence[Get | Set], names: Sequence[str]) -> None:
    """What the person says is not so is known no longer; the history keeps it. What holds many things stays."""
    for item in gets(output):
        if item.get in names and rules_of(work, item).type not in confirmations.MANY:
            scopes.write(work, item.get, None, strategy="set")


def _confirmation(work: Work, output: Sequence[Get | Set], told: Mapping[str, Value]) -> str:
    if len(told) == 1:
        name, value = next(iter(told.items()))
        return _filled(work, "confirm_known", label=_label(work, output, name), value=_shown(work.world, value.value))
    return _filled(work, "confirm_several", known=_list(work, output, told))


def _list(work: Work, output: Sequence[Get | Set], told: Mapping[str, Value]) -> str:
    zh = is_chinese(work.world.script.locale)
    colon, semicolon = ("：", "；") if zh else (": ", "; ")
    return semicolon.join(
        f"{_label(work, output, name)}{colon}{_shown(work.world, v.value)}" for name, v in told.items()
    )


def _label(work: Work, output: Sequence[Get | Set], name: str) -> str:
    words = called(work, output, name)
    most = LABEL if is_chinese(work.world.script.locale) else 3 * LABEL
    return words if len(words) <= most else name.rpartition(".")[2].replace("_", " ")


def _shown(world: World, value: Any) -> str:
    line = " ".join(placeholders.format_value(value, world.script.locale).split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _filled(work: Work, key: str, **given: str) -> str:
    """A sentence of the scheme with what it names put in, in one pass."""
    return placeholders.fill(
        work.spoken(key), given.get, lambda _: None, missing=lambda each: given.get(each.name, each.source)
    )
