"""An item as a session that hears its newest message: the only file that knows how the engine does it.

All that is wanted becomes the outputs of one ``ai_ask``, which makes it a stretch of talk; the dialogue is put in its
place, the newest message makes a turn, and what the turn has written, noted and asked is the outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.engine.session.events import CaseNoted
from heartrule.engine.session.io import Input, Turn, Words, World
from heartrule.engine.session.tasks import Answer, Line
from heartrule.engine.session.variables import Value
from heartrule.engine.turn import UnderWay
from heartrule.evals.extraction_items import AT, LabelledDialogue
from heartrule.evals.extraction_round import Answering, compiled, literal, world_of
from heartrule.evals.listening_items import ChoiceItem, Item, Lang, Refusal
from heartrule.language.compiling.script import Script

_CONTENT: Mapping[Lang, str] = {
    "zh": "弄清他的情况；先跟着他走，再补没说到的",
    "en": "Learn how things are; follow first, then ask what was not told",
}
_LOCALE: Mapping[Lang, str] = {"zh": "zh-CN", "en": "en"}
_ROUNDS = "12-24"
"""Longer than any dialogue: no stretch ends here because its time is over."""
_OF_OUTPUT = ("question", "required", "sensitive")
_NOT_ASKED = ("refusal", "boundary")
_PICKED = "picked"


@dataclass(frozen=True, slots=True)
class Outcome:
    """``known``: the wanted things that are written, and would be skipped or confirmed, each with the words that say
    so. ``refused``: those that are not asked for any more. ``asks``: what the session asks for next, where that is one
    of them. ``picked``: the value that was chosen."""

    known: Mapping[str, str] = field(repr=False)
    refused: frozenset[str] = frozenset()
    asks: str = ""
    picked: str | None = None

    @property
    def passed(self) -> frozenset[str]:
        """What would not be asked plainly any more."""
        return self.refused | frozenset(self.known)


@dataclass(frozen=True, slots=True)
class Session:
    """``world`` is where it stands before the newest message."""

    item: Item
    script: Script
    world: World

    @classmethod
    def of(cls, item: Item, *, model: bool = True) -> Session:
        """Raises ``BadFile`` where what is wanted, or offered, makes no script."""
        script = _choice_script(item) if isinstance(item, ChoiceItem) else _talk_script(item)
        labelled = _labelled(item)
        world = world_of(labelled, script, model=model)
        if isinstance(item, Refusal):
            _ask(world, item.asked)
        return cls(item, script, world)

    async def held(self, answering: Answering) -> Outcome:
        """What the session has heard when ``answering`` answers what it asks."""
        under, answers = UnderWay(self.world, self._given()), dict[str, Answer]()
        result = under.go_on(answers)
        while not isinstance(result, Turn):
            answers |= await answering(self.script, result.tasks)
            result = under.go_on(answers)
        return self._outcome(result)

    def _given(self) -> Input:
        seen, texts = self.world.state.messages, _labelled(self.item).answer
        return Input("message", tuple(Words(text, seen) for text in texts), after=seen)

    def _outcome(self, turn: Turn) -> Outcome:
        running = turn.state.running
        waiting = running.action if running is not None else None
        if isinstance(self.item, ChoiceItem):
            return Outcome({}, picked=next((str(each.value) for name, each in _written(turn) if name == _PICKED), None))
        names = {str(each["name"]) for each in self.item.wanted}
        noted = [each for each in turn.events if isinstance(each, CaseNoted) and each.noted in _NOT_ASKED]
        asks = waiting.asking or "" if waiting is not None else ""
        return Outcome(
            known={name: each.evidence or "" for name, each in _written(turn) if name in names},
            refused=frozenset(name for each in noted for name in each.about) & names,
            asks=asks if asks in names else "",
        )


def _written(turn: Turn) -> Iterator[tuple[str, Value]]:
    """What holds a value that somebody's words stand behind."""
    for cell in turn.variables.cells.values():
        for name, value in cell.items():
            if value.value is not None and value.evidence:
                yield name, value


def _talk_script(item: Any) -> Script:
    declared, output = [], []
    for each in item.wanted:
        kept = {key: value for key, value in each.items() if key not in ("name", *_OF_OUTPUT)}
        declared.append({"var": each["name"], **kept})
        own = {key: each[key] for key in _OF_OUTPUT if key in each}
        output.append({"get": each["name"], **own, "question": literal(str(each.get("question", "")))})
    action = {"type": "ai_ask", "id": "asked", "content": _CONTENT[item.lang], "rounds": _ROUNDS, "output": output}
    action["question"] = literal(item.dialogue[0].text)
    return compiled([action], declared, _LOCALE[item.lang], item.line)


def _choice_script(item: ChoiceItem) -> Script:
    choices = [{"value": value, "label": literal(label)} for value, label in item.choices]
    said = {"type": "say", "id": "said", "content": literal(item.before)}
    chosen = {"type": "user_option", "id": "asked", "var": _PICKED, "choices": choices}
    return compiled([said, chosen], [{"var": _PICKED, "define": _PICKED}], _LOCALE[item.lang], item.line)


def _labelled(item: Item) -> LabelledDialogue:
    """As rounds of ``ai_ask`` are placed: begun with the first line, which is the session's own question."""
    if isinstance(item, ChoiceItem):
        dialogue: Sequence[Line] = (Line("ai", item.before), Line("person", item.text))
    else:
        dialogue = item.dialogue
    wanted = () if isinstance(item, ChoiceItem) else tuple({"get": each["name"]} for each in item.wanted)
    return LabelledDialogue(
        id=item.id,
        line=item.line,
        locale=_LOCALE[item.lang],
        at=AT,
        dialogue=tuple(dialogue),
        begins=0,
        brief=_CONTENT[item.lang],
        output=wanted,
        action={},
        before={},
        gold={},
        missing={},
        tags=(),
    )


def _ask(world: World, name: str) -> None:
    """The last question went for one thing, and not for all of them."""
    running = world.state.running
    assert running is not None
    assert running.action is not None
    running.action.asking = name
