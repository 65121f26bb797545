"""``user_option``: the person picks one of the choices."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from heartrule import parsing
from heartrule.engine import branches
from heartrule.engine.action_types import ActionType
from heartrule.engine.awareness import crisis
from heartrule.engine.dialogue import rounds, speech
from heartrule.engine.dialogue.fixed_wording import before_question, just_said
from heartrule.engine.extraction import choice_match, selection
from heartrule.engine.extraction.selection import Selection
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.state import Choice
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables.evidence import alarming, shortened
from heartrule.engine.variables.scopes import definition, lookup, write
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Json, Node, Template
from heartrule.language.nodes.conditions import Expr
from heartrule.language.nodes.traits import Traits
from heartrule.language.patterns import compiled, storable
from heartrule.parsing.murmurs import is_bare
from heartrule.parsing.text import MAX_READ
from heartrule.parsing.yes_no import read_yes_no


class Option(Node):
    """``farewell``: picking it ends the session with these words."""

    value: Json
    label: Template
    farewell: Template = ""


class Reply(Node):
    """What is said to words that are none of the choices, where they match; ``pick``: they count as that choice.
    ``condition`` may read ``action.round``: how often words have been none of them before."""

    pattern: str
    unless: str | None = None
    condition: Expr | None = None
    say: Template = ""
    pick: Json = None


class Fields(Action):
    """``required: false``: who declines to choose is not asked again; the variable stays without a value. ``rest``: the
    variable that keeps what a model has read beside the choice in the same words, so that nobody asks for it again."""

    traits: ClassVar[Traits] = Traits(offers="choice", waits=True, model="choice")

    type: Literal["user_option"]
    var: str
    rest: str | None = None
    required: bool = True
    choices: list[Option] = Field(min_length=1, max_length=50)
    replies: list[Reply] = Field(default=[], max_length=50)


class DoubtedChoice(ActionState):
    """The choice about which it was asked whether it is meant."""

    section: ClassVar[str] = "user_option"

    choice: str | None = None


class UserOption(ActionType):
    name = "user_option"
    fields = Fields

    def asks_for(self, work: Work, action: Fields) -> list[str]:
        return [action.var]

    def enter(self, work: Work, action: Fields) -> Moves:
        work.frame.question = just_said(work)
        return Step(wait="choice", choices=_choices(work, action))
        yield ()

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        """None where the script's own rules know the words, and where they are nothing but a choice."""
        offered = _choices(work, action)
        if not work.model or heard.choice is not None or heard.repair == "repeat":
            return None
        if self.knows(work, action, heard.text) or choice_match.only(heard.text, offered) is not None:
            return None
        return selection.question(work, action, offered, plainly=_guarded(work, action))

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        """Words of explicit intent pick nothing. In a technique that they keep the person in, they end the choice, and
        the pass with it: no way out stays open behind them."""
        if heard.grave and crisis.stays(work):
            write(work, action.var, None, strategy="set")
            return Step(done=True, outcome="danger", pass_over=True)
        offered = _choices(work, action)
        read = selection.parse_answer(answer, offered, heard.text) if heard.choice is None and not heard.grave else None
        if read is not None:
            return (yield from _selected(work, action, heard, answer, read))
        picked, reply = _by_rules(work, action, heard, offered)
        said = fill(work, reply.say, to_person=True) if reply else ""
        for index, choice in enumerate(offered):
            if choice.value == picked:
                return _picked(work, action, index, shortened(choice.label), "set", said)
        if heard.repair == "skip" and _may_decline(work, action):
            return Step(say=(work.spoken("refused"),), done=True, outcome="refused")
        work.frame.round += 1
        return Step(say=(said or _asked_to_choose(work, action),), wait="choice", choices=offered)

    def knows(self, work: Work, action: Fields, text: str) -> bool:
        return _reply(work, action, PersonInput(text)) is not None or _confirmed(work, text) is not None

    def again(self, work: Work, action: Fields) -> Step:
        words = work.frame.question or _asked_to_choose(work, action)
        return Step(say=(words,), wait="choice", choices=_choices(work, action))


def _by_rules(
    work: Work, action: Fields, heard: PersonInput, offered: tuple[Choice, ...]
) -> tuple[str | None, Reply | None]:
    """What was picked, by the hand, by labels or by the script's own rules; and what the script says to it."""
    confirmed = None if heard.grave else _confirmed(work, heard.text)
    DoubtedChoice.of(work.frame).choice = None
    picked = heard.choice or confirmed
    if picked is None and not heard.grave:
        picked = choice_match.picked(work, heard.text, offered)
    reply = _reply(work, action, heard) if picked is None else None
    return (str(reply.pick) if reply is not None and reply.pick is not None else picked), reply


def _confirmed(work: Work, text: str) -> str | None:
    """The choice that was asked about, where the words are a plain yes to that. Nobody agrees by a murmur."""
    doubted = DoubtedChoice.of(work.frame).choice
    return doubted if doubted is not None and read_yes_no(text) is True and not is_bare(text) else None


def _selected(work: Work, action: Fields, heard: PersonInput, answer: Answer | None, read: Selection) -> Moves:
    """What a model has read in the words: the choice, with a word to whatever else they say; or an answer to them."""
    offered, doubt = _choices(work, action), DoubtedChoice.of(work.frame)
    doubt.choice = None
    if read.place is not None and (read.place not in _guarded(work, action) or _is_plain(work, action, read, heard)):
        step = _picked(work, action, read.place, read.evidence, "json")
        if action.rest and read.rest:
            write(work, action.rest, read.rest, strategy="json", evidence=shortened(read.rest))
        answer = yield from speech.whole(work, answer, statement=True, risk=step.risk)
        words = before_question(rounds.text_of(answer.data if answer else None))
        return replace(step, say=tuple(filter(None, (words, *step.say))))
    doubted = read.unproved if read.unproved is not None else read.place
    if doubted is not None:
        doubt.choice = offered[doubted].value
        asked = work.spoken("choice_sure", 0).replace("{label}", offered[doubted].label)
        return Step(say=(asked,), wait="choice", choices=offered)
    answer = yield from speech.whole(work, answer)
    words = rounds.text_of(answer.data if answer else None)
    if read.declined and _may_decline(work, action):
        return Step(say=(words or work.spoken("refused"),), done=True, outcome="refused")
    return Step(say=(words or _asked_to_choose(work, action),), wait="choice", choices=offered)


def _picked(
    work: Work, action: Fields, index: int, evidence: str, strategy: Literal["set", "json"], said: str = ""
) -> Step:
    option, rules = action.choices[index], definition(work, action.var)[1]
    branches.take(work, branches.acting(work), branches.choice(index))
    # whoever is asked to choose is not asked which of two choices counts
    settled = rules is not None and (rules.confirm_change or rules.depends_on)
    write(work, action.var, option.value, strategy="set" if settled else strategy, evidence=evidence)
    risk = rules is not None and rules.risk and alarming(option.value)
    farewell = fill(work, option.farewell, to_person=True)
    return Step(say=tuple(filter(None, (said, farewell))), done=True, risk=risk, ends=bool(farewell))


def _may_decline(work: Work, action: Fields) -> bool:
    return not action.required and not _is_of_risk(work, action)


def _is_of_risk(work: Work, action: Fields) -> bool:
    rules = definition(work, action.var)[1]
    return rules is not None and rules.risk


def _guarded(work: Work, action: Fields) -> frozenset[int]:
    """The choices that words only make when they say so plainly, by index: those that end the session, and those that
    deny a danger. A danger may always be raised."""
    risk = _is_of_risk(work, action)
    return frozenset(
        index for index, option in enumerate(action.choices) if option.farewell or (risk and not alarming(option.value))
    )


def _is_plain(work: Work, action: Fields, read: Selection, heard: PersonInput) -> bool:
    """Whether a guarded choice is made. That there is no danger is only taken from words that our own rules read so."""
    if _is_of_risk(work, action):
        return read.place is not None and choice_match.picked(work, heard.text, _choices(work, action)) == str(
            action.choices[read.place].value
        )
    return selection.is_plain(read, heard.text)


def _reply(work: Work, action: Fields, heard: PersonInput) -> Reply | None:
    """The first that the words match, as they came or in normal form. Words of explicit intent pick nothing."""
    texts = (heard.text, parsing.normalise(heard.text).casefold())
    for reply in action.replies:
        if heard.grave and reply.pick is not None:
            continue
        if reply.condition is not None and not reply.condition.truth(lambda name: lookup(work, name), work.world.now):
            continue
        if _matches(reply.pattern, texts) and not (reply.unless and _matches(reply.unless, texts)):
            return reply
    return None


def _matches(pattern: str, texts: tuple[str, ...]) -> bool:
    found = compiled(pattern)
    return found is not None and any(found.search(storable(text[:MAX_READ])) for text in texts)


def _asked_to_choose(work: Work, action: Fields) -> str:
    return fill(work, action.fallback, to_person=True) or work.spoken("choose_again")


def _choices(work: Work, action: Fields) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=str(option.value), label=fill(work, option.label, to_person=True)) for option in action.choices
    )


USER_OPTION = UserOption()
