"""The action ``announce``: what a topic marked ``sensitive`` begins with. Scripts cannot write it;
``scheduling/sensitive.py`` puts it before the topic's first action."""

from __future__ import annotations

from typing import ClassVar, Literal

from heartrule import parsing
from heartrule.engine.action_types import ActionType
from heartrule.engine.dialogue import rounds, speech
from heartrule.engine.dialogue.fixed_wording import before_question
from heartrule.engine.extraction import choice_match, selection
from heartrule.engine.extraction.selection import Selection
from heartrule.engine.scheduling import sensitive
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.work import Work
from heartrule.language.nodes import Action
from heartrule.language.nodes.traits import Traits

_EXPLAINED = {"clarify": "sensitive_explained", "purpose": "sensitive_purpose"}
_SAID = {sensitive.LATER: "sensitive_put_off", sensitive.SKIP: "sensitive_left"}


class Fields(Action):
    traits: ClassVar[Traits] = Traits(offers="choice", announces=True, waits=True)

    type: Literal["announce"]


class AnnounceCounts(ActionState):
    """How often it was explained, and how often nobody could tell what was chosen."""

    section: ClassVar[str] = "announce"

    explained: int = 0
    hesitated: int = 0


class Announce(ActionType):
    name = "announce"
    fields = Fields
    written = False

    def enter(self, work: Work, action: Fields) -> Moves:
        text = sensitive.question(work)
        work.frame.question = text
        sensitive.record(work)
        return Step(say=(text,), wait="choice", choices=sensitive.choices(work))
        yield ()

    def question(self, work: Work, action: Fields, heard: PersonInput) -> Task | None:
        """None where the scheme has a sentence for the words, and where they are nothing but a choice."""
        offered = sensitive.choices(work)
        if not work.model or heard.choice is not None or heard.repair in ("repeat", *_EXPLAINED):
            return None
        only = heard.repair is not None or sensitive.is_worded(work.world, heard.text)
        only = only or _plainly(work) or choice_match.only(heard.text, offered) is not None
        if only and sensitive.meant(work, heard.text, heard.repair, plainly=_plainly(work)) is not None:
            return None
        return selection.question(work, action, offered)

    def hear(self, work: Work, action: Fields, heard: PersonInput, answer: Answer | None) -> Moves:
        """Words of explicit intent pick nothing."""
        read = (
            selection.parse_answer(answer, sensitive.choices(work), heard.text)
            if not (heard.choice or heard.grave)
            else None
        )
        if read is not None:
            return (yield from _selected(work, heard, answer, read))
        if heard.repair == "repeat":
            return self.again(work, action)
        if heard.repair in _EXPLAINED:
            return _offered(work, sensitive.explained(work, _EXPLAINED[heard.repair], _counted(work, "explained")))
        picked = heard.choice or (
            None if heard.grave else sensitive.meant(work, heard.text, heard.repair, plainly=_plainly(work))
        )
        if picked is None:
            return _unsure(work, heard)
        return _decided(work, picked, by_words=heard.choice is None)

    def knows(self, work: Work, action: Fields, text: str) -> bool:
        repair = parsing.repair(text, work.world.script.locale)
        return repair is not None or sensitive.meant(work, text, repair) is not None

    def again(self, work: Work, action: Fields) -> Step:
        return _offered(work, work.frame.question)


def _plainly(work: Work) -> bool:
    """Whether a plain question of yes or no is what waits by now."""
    return AnnounceCounts.of(work.frame).hesitated > 1


def _unsure(work: Work, heard: PersonInput, *, read: bool = False) -> Step:
    """``read``: a model has read the words, and could not tell either."""
    unsure = not heard.grave and (read or heard.repair == "unknown" or sensitive.hesitates(heard.text))
    key = "sensitive_hesitant" if unsure else "choose_again"
    return _offered(work, work.spoken(key, min(_counted(work, "hesitated"), 1) if unsure else None))


def _decided(work: Work, picked: str, *, by_words: bool, words: str = "") -> Step:
    sensitive.record(work, picked, by_words=by_words)
    said = work.spoken(_SAID[picked], 0) if picked in _SAID else ""
    return Step(say=tuple(filter(None, (words, said))), done=True, outcome=picked)


def _selected(work: Work, heard: PersonInput, answer: Answer | None, read: Selection) -> Moves:
    """What a model has read in the words. Who would rather not choose has said no; nobody agrees by a murmur, nor by
    words that nothing proves."""
    offered = sensitive.choices(work)
    picked = offered[read.place].value if read.place is not None else sensitive.SKIP if read.declined else None
    if read.unproved is not None or (picked == sensitive.GO_ON and sensitive.hesitates(heard.text)):
        return _unsure(work, heard, read=True)
    answer = yield from speech.whole(work, answer, statement=picked is not None)
    words = rounds.text_of(answer.data if answer else None)
    if picked is None:
        return _offered(work, words) if words else _unsure(work, heard, read=True)
    return _decided(work, picked, by_words=True, words=before_question(words))


def _offered(work: Work, words: str) -> Step:
    return Step(say=(words,), wait="choice", choices=sensitive.choices(work))


def _counted(work: Work, what: Literal["explained", "hesitated"]) -> int:
    """How often this has happened before at this announcement."""
    times = AnnounceCounts.of(work.frame)
    before: int = getattr(times, what)
    setattr(times, what, before + 1)
    return before


ANNOUNCE = Announce()
