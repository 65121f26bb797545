"""A labelled beginning as a session hears danger in it: a talk beside the safety project, put where the newest message
comes. What rules, classifier and model are asked, and what is made of it, are the engine's own.

What was said before stands in the talk, and nothing has come of it. What rules and classifier hear in those messages,
each in its turn, is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, get_args

from heartrule.classifiers import configured
from heartrule.engine.installed_types import field_models
from heartrule.engine.session.classifier import Classifier
from heartrule.engine.session.events import Noticed
from heartrule.engine.session.io import Input, Turn, Words, World
from heartrule.engine.session.tasks import Answer, Line
from heartrule.engine.turn import UnderWay
from heartrule.evals.extraction_items import AT, LabelledDialogue
from heartrule.evals.extraction_round import Answering, compiled, literal, world_of
from heartrule.evals.judge_items import JudgeItem
from heartrule.evals.risk_figures import Found, strongest
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library

Tier = Literal["rules", "classifier", "judge"]
"""Who hears: rules alone; the classifier as well; a model besides, where rules have not interrupted already."""
TIERS: tuple[Tier, ...] = get_args(Tier)
JUDGE = "risk"
"""The template of the call that is measured."""
_FOUND: Mapping[str, Found] = {"yes": "explicit", "watch": "watch", "no": "none", "unknown": "none"}
_SAID = "said"
_QUESTION = {"zh-CN": "今天想聊点什么？", "en": "What would you like to talk about today?"}
_CONTENT = {"zh-CN": "弄清来访者想谈什么", "en": "Learn what the client wants to talk about"}
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """``found``: ``explicit`` stops the talk, ``watch`` asks or answers gently. ``by``: the scripts that heard it.
    ``before``: the gravest that is heard, without a model, in what the person had said earlier. ``unanswered``: the
    model was asked and gave no verdict that counts."""

    found: Found
    by: tuple[str, ...] = ()
    before: Found = "none"
    unanswered: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """``world`` is where it stands before the newest message, ``earlier`` where it stood before each older answer."""

    item: JudgeItem
    script: Script
    world: World = field(repr=False)
    earlier: tuple[Session, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, item: JudgeItem, tier: Tier = "judge") -> Session:
        reading = configured() if tier != "rules" else {}
        earlier = tuple(cls._placed(each, reading, model=False) for each in _older(item))
        return replace(cls._placed(item, reading, model=tier == "judge"), earlier=earlier)

    @classmethod
    def _placed(cls, item: JudgeItem, reading: Mapping[str, Classifier], *, model: bool) -> Session:
        script = _script(item.locale)
        return cls(item, script, world_of(_labelled(item), script, model=model, classifiers=reading))

    async def held(self, answering: Answering) -> Outcome:
        """What it hears in the newest message. ``answering`` answers the judgement of danger; nobody the rest."""
        under, answers = UnderWay(self.world, self._given()), dict[str, Answer]()
        result = under.go_on(answers)
        while not isinstance(result, Turn):
            judged = [task for task in result.tasks if task.template == JUDGE]
            answers |= {task.key: Answer(task.key, "failed") for task in result.tasks}
            answers |= await answering(self.script, judged)
            result = under.go_on(answers)
        before = strongest([(await each.held(answering)).found for each in self.earlier])
        return replace(_outcome(each for each in result.events if isinstance(each, Noticed)), before=before)

    def _given(self) -> Input:
        seen = self.world.state.messages
        return Input("message", tuple(Words(text, seen) for text in _labelled(self.item).answer), after=seen)


def _outcome(noticed: Iterable[Noticed]) -> Outcome:
    told = [each for each in noticed if each.awareness in _dangers()]
    heard = {each.awareness: _FOUND[each.verdict] for each in told}
    by = tuple(ref for ref, found in heard.items() if found != "none")
    return Outcome(strongest(heard.values()), by, unanswered=any(each.source == "default" for each in told))


def _older(item: JudgeItem) -> Iterator[JudgeItem]:
    """The beginning as it stood with each earlier answer of the person."""
    said = item.dialogue
    for number in range(1, len(said)):
        if said[number].speaker == "ai" and said[number - 1].speaker == "person":
            yield replace(item, dialogue=said[:number])


@cache
def _safety() -> Library:
    return Library([], field_models())


@cache
def _dangers() -> frozenset[str]:
    """The P0 scripts that hear danger: those that can stop the talk."""
    script = _script("en")
    return frozenset(ref for ref, node in script.awareness.items() if node.priority == "P0" and node.then)


@cache
def _script(locale: str) -> Script:
    """The danger of a message does not depend on what is wanted of it: every beginning is one open question's."""
    asks = {"type": "ai_ask", "id": "asked", "content": _CONTENT[locale], "max_rounds": _ROUNDS, "literal": True}
    asks |= {"question": literal(_QUESTION[locale]), "output": [{"get": _SAID}]}
    declared = [{"var": _SAID, "type": "text", "define": _CONTENT[locale]}]
    return compiled([asks], declared, locale, 0, _safety().safety)


def _labelled(item: JudgeItem) -> LabelledDialogue:
    """As rounds of ``ai_ask`` are placed. A session speaks first: where the person does, they answer its opening."""
    opening = () if item.dialogue[0].speaker == "ai" else (Line("ai", _QUESTION[item.locale]),)
    return LabelledDialogue(
        id=item.id,
        line=item.line,
        locale=item.locale,
        at=AT,
        dialogue=(*opening, *item.dialogue),
        begins=0,
        brief=_CONTENT[item.locale],
        output=({"get": _SAID},),
        action={},
        before=item.known,
        gold={},
        missing={},
        tags=(),
    )
