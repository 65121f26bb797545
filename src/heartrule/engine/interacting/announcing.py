"""The action ``announce``: what a topic marked ``sensitive`` begins with. No script writes it;
``scheduling/sensitive.py`` puts it before the topic's first action."""

from __future__ import annotations

from typing import Literal

from heartrule.engine.actions.base import ActionType, Heard, Moves, Step
from heartrule.engine.calling.tasks import Answer
from heartrule.engine.scheduling import sensitive
from heartrule.engine.work import Work
from heartrule.language.nodes import Action

_SAID = {sensitive.LATER: "sensitive_put_off", sensitive.SKIP: "sensitive_left"}


class Fields(Action):
    type: Literal["announce"]


class Announce(ActionType):
    name = "announce"
    fields = Fields
    listens = True

    def enter(self, work: Work, action: Fields) -> Moves:
        text = sensitive.question(work)
        work.frame.memory["question"] = text
        sensitive.told(work)
        return Step(say=(text,), wait="choice", choices=sensitive.choices(work))
        yield ()

    def hear(self, work: Work, action: Fields, heard: Heard, answer: Answer | None) -> Moves:
        """Words of explicit intent pick nothing."""
        if heard.repair in ("repeat", "clarify", "purpose"):
            return self.again(work, action)
        picked = heard.choice or (None if heard.grave else sensitive.meant(work, heard.text, heard.repair))
        if picked is None:
            return Step(say=(work.spoken("choose_again"),), wait="choice", choices=sensitive.choices(work))
        sensitive.told(work, picked, by_words=heard.choice is None)
        key = _SAID.get(picked)
        return Step(say=(work.spoken(key, 0),) if key else (), done=True, outcome=picked)
        yield ()

    def again(self, work: Work, action: Fields) -> Step:
        words = str(work.frame.memory.get("question", ""))
        return Step(say=(words,), wait="choice", choices=sensitive.choices(work))


ANNOUNCE = Announce()
