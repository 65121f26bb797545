"""``user_option``: the person picks one of the choices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heartrule import readers
from heartrule.engine import branches
from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.calling.prompting import fill
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.scoping.scopes import definition, lookup, write
from heartrule.engine.speaking.wording import just_said
from heartrule.engine.state import Choice
from heartrule.engine.understanding import picking
from heartrule.engine.understanding.extraction import alarming
from heartrule.engine.watching import crisis
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Json, Node, Template
from heartrule.language.nodes.conditions import Expr
from heartrule.language.patterns import compiled, storable
from heartrule.readers.text import MAX_READ


class Option(Node):
    """``farewell``: picking it ends the session with these words."""

    value: Json
    label: Template
    farewell: Template = ""


class Reply(Node):
    """What is said to words that are none of the choices, where they match; ``pick``: they count as that choice."""

    pattern: str
    unless: str | None = None
    condition: Expr | None = None
    say: Template = ""
    pick: Json = None


class Fields(Action):
    type: Literal["user_option"]
    var: str
    choices: list[Option] = Field(min_length=1, max_length=50)
    replies: list[Reply] = Field(default=[], max_length=50)


class UserOption(ActionType):
    name = "user_option"
    fields = Fields
    listens = True

    def asks_for(self, work: Work, action: Fields) -> list[str]:
        return [action.var]

    def enter(self, work: Work, action: Fields) -> Moves:
        work.frame.memory["question"] = just_said(work)
        return Step(wait="choice", choices=_choices(work, action))
        yield ()

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        """Words of explicit intent pick nothing. In a technique that they keep the person in, they end the choice, and
        the pass with it: no way out stays open behind them."""
        if heard.grave and crisis.stays(work):
            write(work, action.var, None, strategy="set")
            return Step(done=True, outcome="danger", pass_over=True)
        offered = _choices(work, action)
        picked = heard.choice
        if picked is None and not heard.grave:
            picked = picking.picked(work, heard.text, offered)
        reply = _reply(work, action, heard) if picked is None else None
        said = fill(work, reply.say, to_person=True) if reply else ""
        if reply is not None and reply.pick is not None:
            picked = str(reply.pick)
        for index, (option, choice) in enumerate(zip(action.choices, offered, strict=True)):
            if choice.value == picked:
                branches.take(work, branches.acting(work), branches.choice(index))
                write(work, action.var, option.value, strategy="set", evidence=choice.label[:20])
                rules = definition(work, action.var)[1]
                risk = rules is not None and rules.risk and alarming(option.value)
                farewell = fill(work, option.farewell, to_person=True)
                return Step(say=tuple(filter(None, (said, farewell))), done=True, risk=risk, ends=bool(farewell))
        return Step(say=(said or _asked_to_choose(work, action),), wait="choice", choices=offered)
        yield ()

    def knows(self, work: Work, action: Fields, text: str) -> bool:
        return _reply(work, action, Heard(text)) is not None

    def again(self, work: Work, action: Fields) -> Step:
        words = str(work.frame.memory.get("question") or "") or _asked_to_choose(work, action)
        return Step(say=(words,), wait="choice", choices=_choices(work, action))


def _reply(work: Work, action: Fields, heard: Heard) -> Reply | None:
    """The first that the words match, as they came or in normal form. Words of explicit intent pick nothing."""
    texts = (heard.text, readers.normalise(heard.text).casefold())
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
