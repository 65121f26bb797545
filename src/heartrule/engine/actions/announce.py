"""The action ``announce``: what a topic marked ``sensitive`` begins with. Scripts cannot write it;
``scheduling/sensitive.py`` puts it before the topic's first action."""

from __future__ import annotations

from typing import Literal

from heartrule import readers
from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.scheduling import sensitive
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

_EXPLAINED = {"clarify": "sensitive_explained", "purpose": "sensitive_purpose"}
_SAID = {sensitive.LATER: "sensitive_put_off", sensitive.SKIP: "sensitive_left"}


class Fields(Action):
    type: Literal["announce"]


class Announce(ActionType):
    name = "announce"
    fields = Fields
    listens = True
    written = False

    def enter(self, work: Work, action: Fields) -> Moves:
        text = sensitive.question(work)
        work.frame.memory["question"] = text
        sensitive.told(work)
        return Step(say=(text,), wait="choice", choices=sensitive.choices(work))
        yield ()

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        """Words of explicit intent pick nothing."""
        memory = work.frame.memory
        if heard.repair == "repeat":
            return self.again(work, action)
        if heard.repair in _EXPLAINED:
            return _offered(work, sensitive.explained(work, _EXPLAINED[heard.repair], _time(work, "explained")))
        plainly = memory.get("hesitated", 0) > 1
        picked = heard.choice or (
            None if heard.grave else sensitive.meant(work, heard.text, heard.repair, plainly=plainly)
        )
        if picked is None:
            unsure = not heard.grave and (heard.repair == "unknown" or sensitive.hesitates(heard.text))
            key = "sensitive_hesitant" if unsure else "choose_again"
            return _offered(work, work.spoken(key, min(_time(work, "hesitated"), 1) if unsure else None))
        sensitive.told(work, picked, by_words=heard.choice is None)
        key = _SAID.get(picked, "")
        return Step(say=(work.spoken(key, 0),) if key else (), done=True, outcome=picked)
        yield ()

    def knows(self, work: Work, action: Fields, text: str) -> bool:
        repair = readers.repair(text, work.world.script.locale)
        return repair is not None or sensitive.meant(work, text, repair) is not None

    def again(self, work: Work, action: Fields) -> Step:
        return _offered(work, str(work.frame.memory.get("question", "")))


def _offered(work: Work, words: str) -> Step:
    return Step(say=(words,), wait="choice", choices=sensitive.choices(work))


def _time(work: Work, what: str) -> int:
    """How often this has happened before at this announcement."""
    times = int(work.frame.memory.get(what, 0))
    work.frame.memory[what] = times + 1
    return times


ANNOUNCE = Announce()
