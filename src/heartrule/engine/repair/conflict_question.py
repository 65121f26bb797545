"""The question which of two things that were told counts: put once, as soon as the running action waits, in fixed
words; its answer is read by rules. Whatever else is said with it goes to the action that waits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine.awareness import crisis
from heartrule.engine.dialogue.fixed_wording import acknowledgement
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.question_state import ConfirmationState, QuestionState
from heartrule.engine.session.state import Contradiction, State
from heartrule.engine.session.variables import Value
from heartrule.engine.variables import contradictions, scopes
from heartrule.engine.variables.contradictions import drop
from heartrule.engine.variables.evidence import gets
from heartrule.engine.variables.offered_values import record
from heartrule.engine.work import SAFETY, Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import Get, VariableRules
from heartrule.language.values.merge import identity
from heartrule.parsing import single_values
from heartrule.parsing.newer_or_earlier import Chosen, chosen
from heartrule.parsing.numbers import unit_asked

_CLAUSE = re.compile(r"(?:[，,。！!？?；;：:、…()（）\n]|(?<![0-9])\.|\.(?![0-9]))+\s*")
_OPEN_TYPES = (None, "text", "list", "object")
_NUMBERS = ("integer", "number")


@dataclass(frozen=True, slots=True)
class Third:
    """A value that is neither of the two."""

    value: int | float = field(repr=False)
    words: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said to the question. ``which``: None when it is not plain. ``rest``: what else was said.
    ``about``: what it is about, where nobody has been asked yet."""

    which: Chosen | Third | None
    rest: str = field(repr=False)
    about: Contradiction | None = field(default=None, repr=False)

    @property
    def is_all(self) -> bool:
        """Whether nothing else was said."""
        return self.which is not None and not self.rest


def put(work: Work) -> None:
    """Put the next question, where the running action waits for the person and its answer cannot be confused with it.
    In danger nobody is asked: what is there stays."""
    if crisis.runs(work):
        drop(work, "danger comes first")
    waiting = _next(work)
    if waiting is None or _open(work.state) is not None:
        return
    text = placeholders.fill(
        work.spoken("which_counts", 0),
        {"before": waiting.before, "now": waiting.now}.get,
        lambda _: None,
        missing=lambda _: "",
    )
    if work.flags.acknowledge:
        work.flags.acknowledge = False
        text = f"{acknowledgement(work)}\n{text}"
    waiting.asked = work.tell(text, action=work.frame.id)


def reply(work: Work, heard: PersonInput) -> Reply | None:
    """How the question is answered that was put last; None where none was, and nothing is taken back."""
    asked = _open(work.state)
    if asked is None:
        return _taken_back(work, heard.text)
    if _overtaken(work, asked) or not _is_harmless(work, asked):
        return Reply(None, heard.text)
    which, rest = _leading_choice(work, asked, heard.text)
    if which is None or (isinstance(which, Third) and _asks_for(work, asked)):
        return Reply(None, heard.text)
    return Reply(which, rest)


def _leading_choice(work: Work, asked: Contradiction, text: str) -> tuple[Chosen | Third | None, str]:
    """What the first clauses come to, as far as they say nothing else, and the rest of the words."""
    found, parts = list[Chosen | Third](), _parts(text)
    while parts and (one := _clause_choice(work, asked, parts[0][1])) is not None:
        parts = parts[1:]
        if one != "nothing":
            found.append(one)
    return _weighed(found), text[parts[0][0] :].strip() if parts else ""


def _taken_back(work: Work, text: str) -> Reply | None:
    """Before anybody could be asked, because a number is waited for: a denial with another one, or a correction, is no
    number for that question."""
    about, parts = _not_asked_yet(work), [part for _, part in _parts(text)]
    if about is None or not parts:
        return None
    back = single_values.corrects(parts[0]) or (single_values.denies(parts[0]) and len(parts) > 1)
    if not back and not _is_in_its_unit(work, about, parts[0]):
        return None
    which, rest = _leading_choice(work, about, text)
    told = isinstance(which, Third) or any(_value(work, about, part) for part in parts[:2])
    return Reply(which, rest, about) if which is not None and told else None


def _not_asked_yet(work: Work) -> Contradiction | None:
    """What stands against each other and could not be asked about, because a number is waited for."""
    if not work.state.contradictions or work.state.running is None or not _wants_numbers(work):
        return None
    waiting = [each for each in work.state.contradictions if not each.settled and not each.path]
    return waiting[-1] if waiting and not _asks_for(work, waiting[-1]) else None


def _is_in_its_unit(work: Work, about: Contradiction, clause: str) -> bool:
    """Whether a number is told in the unit of the variable, while the question that waits asks for another."""
    only = single_values.told_number(clause)
    question = next((each.text for each in work.transcript() if each.number == work.frame.asked), "")
    wanted = unit_asked(question)
    if only is None or not only.unit or not wanted or only.unit in wanted or wanted in only.unit:
        return False
    return only.unit == _unit(about.evidence)


def settle(work: Work, said: Reply | None) -> None:
    """Decide by the reply: the newer one is written, or the earlier one stays. What is not plain leaves the earlier."""
    asked = said.about if said is not None and said.about is not None else _open(work.state)
    if asked is None:
        return
    if said is not None and isinstance(said.which, Third):
        contradictions.otherwise(work, asked, said.which.value, said.which.words)
        return
    offer = contradictions.offered(asked)
    held = work.variables.find(asked.name, [offer.where])
    which = said.which if said is not None else None
    asked.settled = work.state.seq
    if which == "newer" and held is not None:
        asked.part = contradictions.lost(asked, held[1].value)
        scopes.confirm(work, offer, asked.key)
        return
    record(work, offer, "kept", "the person keeps it" if which == "earlier" else "no plain answer")


def add(work: Work, action: str, text: str) -> None:
    """Words that came late for an answer of ``action`` which contradicts: another value, or the old one."""
    for each in [each for each in work.state.contradictions if each.source == action and not each.settled]:
        which = _value(work, each, text)
        if isinstance(which, Third):
            contradictions.otherwise(work, each, which.value, which.words)
        elif which == "earlier":
            each.settled = work.state.seq
            record(work, contradictions.offered(each), "kept", "the person keeps it")


def is_pending(work: Work) -> bool:
    """Whether a question is still to be put here."""
    return _next(work) is not None


def _next(work: Work) -> Contradiction | None:
    """The next that can be asked about. Those whose scope has gone are dropped."""
    if work.state.running is None or work.running.project == SAFETY or work.state.human or work.state.quiet:
        return None
    for each in work.state.contradictions:
        if each.settled or each.asked:
            continue
        if work.variables.find(each.name, [(each.scope, each.scope_key)]) is None:
            each.settled = work.state.seq
            record(work, contradictions.offered(each), "kept", "its scope is closed")
            continue
        if _is_harmless(work, each):
            return each
    return None


def _outputs(work: Work) -> list[Get]:
    """What the action wants that waits for free words; nothing where none does."""
    if work.state.running is None or work.running.action is None:
        return []
    wait, action = work.frame.wait, work.action_at(work.frame.index)
    if wait is None or wait.kind != "message" or wait.choices or action is None:
        return []
    if ConfirmationState.of(work.frame).names or QuestionState.of(work.frame).differing:
        return []
    return gets(action.peek("output") or [])


def _is_harmless(work: Work, about: Contradiction) -> bool:
    """Whether a yes, a no or a value can be no answer to the question that waits, so that none is taken from it: what
    it wants are free words, or the very value that is asked about. One about danger never is."""
    items = _outputs(work)
    return bool(items) and all(_is_open(work, item, about) for item in items)


def _wants_numbers(work: Work) -> bool:
    """Whether the action that waits wants numbers, and nothing about danger."""
    rules = [scopes.rules_for(scopes.definition(work, item.get)[1], item) for item in _outputs(work)]
    return bool(rules) and all(each.type in _NUMBERS and not each.risk for each in rules)


def _is_open(work: Work, item: Get, about: Contradiction) -> bool:
    rules = scopes.rules_for(scopes.definition(work, item.get)[1], item)
    if rules.risk or rules.options or rules.type == "boolean":
        return False
    return rules.type in _OPEN_TYPES or _is_about(work, item, about)


def _is_about(work: Work, item: Get, about: Contradiction) -> bool:
    where = scopes.definition(work, item.get)[0]
    return (item.get.rpartition(".")[2], *where) == (about.name, about.scope, about.scope_key)


def _asks_for(work: Work, about: Contradiction) -> bool:
    """Whether the action that waits wants the value itself: what it is told is its answer."""
    return any(_is_about(work, item, about) for item in _outputs(work))


def _open(state: State) -> Contradiction | None:
    """What the person has been asked about and has not answered."""
    return next((each for each in state.contradictions if each.asked and not each.settled), None)


def _overtaken(work: Work, asked: Contradiction) -> bool:
    """Whether something else was said to the person since."""
    return any(each.sender != "person" and each.number > asked.asked for each in work.transcript())


def _parts(text: str) -> list[tuple[int, str]]:
    """The clauses, each with where it begins."""
    found, at = [], 0
    for end in [*_CLAUSE.finditer(text), None]:
        part = text[at : end.end() if end and set("?？") & set(end.group()) else end.start() if end else len(text)]
        if part.strip():
            found.append((at, part.strip()))
        at = end.end() if end else at
    return found


def _weighed(found: list[Chosen | Third]) -> Chosen | Third | None:
    """What the clauses come to: one third value goes before a yes or no, because it says more."""
    thirds = {each.value: each for each in found if isinstance(each, Third)}
    if thirds:
        return next(iter(thirds.values())) if len(thirds) == 1 else None
    return found[0] if len(set(found)) == 1 else None


def _clause_choice(work: Work, asked: Contradiction, clause: str) -> Chosen | Third | Literal["nothing"] | None:
    """What a clause says, where it says nothing else; "nothing": a denial of both, a courtesy. None: something else."""
    if clause.endswith(("?", "？")):
        return None
    value, plain = _value(work, asked, clause), chosen(clause)
    if value is not None:
        return value if plain in (None, value) else None
    if plain is not None:
        return plain
    return "nothing" if single_values.denies(clause) or single_values.is_telling("courtesy", clause) else None


def _value(work: Work, asked: Contradiction, clause: str) -> Chosen | Third | None:
    """One of the two said once more, or a number that is neither."""
    rules = scopes.definition(work, f"{asked.scope}.{asked.name}")[1]
    held = work.variables.find(asked.name, [(asked.scope, asked.scope_key)])
    if held is None:
        return None
    if rules is not None and rules.type in _NUMBERS and not asked.path:
        return _number(rules, asked, held[1], clause)
    newer, earlier = (single_values.tells(clause, words) for words in (asked.now, asked.before))
    return None if newer == earlier else "newer" if newer else "earlier"


def _number(rules: VariableRules, asked: Contradiction, held: Value, clause: str) -> Chosen | Third | None:
    only = single_values.told_number(clause, rules.range[1] if rules.range else None)
    if only is None:
        return None
    same: dict[object, Chosen] = {identity(asked.part): "newer", identity(held.value): "earlier"}
    unit = _unit(asked.evidence) or _unit(held.evidence)
    if only.unit and unit and only.unit not in unit and unit not in only.unit:
        return None
    is_third = only.unit in unit and isinstance(values.accept(rules, only.value, lambda _: None), values.Ok)
    return same.get(identity(only.value)) or (Third(only.value, clause) if is_third else None)


def _unit(evidence: str | None) -> str:
    only = single_values.told_number(evidence or "")
    return only.unit if only is not None else ""
