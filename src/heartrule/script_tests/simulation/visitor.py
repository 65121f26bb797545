"""A visitor by rules and chance: the persona's rates decide what they do, the same seed decides it the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, Protocol

from heartrule.engine.session.io import FormRequest
from heartrule.engine.session.state import Choice
from heartrule.script_tests.simulation import fitting_words
from heartrule.script_tests.simulation.fitting_words import FittingAnswer
from heartrule.script_tests.simulation.form_filling import FilledForm, filled
from heartrule.script_tests.simulation.open_question import OpenQuestion
from heartrule.script_tests.simulation.persona import SPOKEN, Deed, Language, Persona

TYPED = 0.15
"""How often a choice is typed instead of pressed."""
PARTS = 0.25
"""How often a form is begun and left lying before it is handed in."""
_BESIDE_A_FORM = ("evade", "ask_back", "stray", "attack")
AT_A_CHOICE = 0.4
"""How much of what is done instead of answering is done instead of choosing."""
SILENT = (3, 45)
"""Minutes of silence."""
TIRES = 0.25
"""How much likelier an ending becomes each time the same choice is offered."""
AGREES_TO_RISK = 0.6
"""How often somebody at risk says yes where a script asks about it."""
GOES_ON = ("safe", "go_on")
"""What is chosen in the safety project by whoever is safe."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a visitor does. ``gone``: they do not come back; ``end``: they end the session by its button. ``seconds``
    pass before. ``danger``: in plain words they speak of suicide or self-harm, or say yes where a script asks about it;
    ``doubtful``: an unclear answer where it does."""

    kind: Literal["message", "choice", "form", "wait", "end", "gone"]
    deed: Deed | Literal["danger"] = "answer"
    words: str = field(default="", repr=False)
    seconds: float = 20
    danger: bool = False
    doubtful: bool = False
    parts: bool = False
    """They mean to stop here."""
    played: bool = False
    """A model wrote the words, and says itself whether they tell of danger."""
    filled: FilledForm | None = None
    """What was done with a form."""


class Visitor(Protocol):
    def move(self, asked: OpenQuestion, said: Sequence[str]) -> Move:
        """What they do now that the session has ``said`` this and waits."""
        ...


class RuledVisitor:
    """``questions``: how many the session has, for the moment at which somebody at risk speaks."""

    def __init__(self, persona: Persona, language: Language, random: Random, questions: int) -> None:
        self.persona, self.language, self.random = persona, language, random
        self._moves = self._rounds = 0
        self._told: list[tuple[OpenQuestion, FittingAnswer]] = []
        self._offered: Counter[tuple[str, ...]] = Counter()
        self._leaving = self._voiced = False
        danger = persona.danger
        self._moment = 1 + int(random.random() * danger.until * questions) if danger else None
        self._calm_after = random.randint(*danger.rounds) if danger else 0
        self._grave = danger is not None and random.random() < danger.grave

    @property
    def is_grave(self) -> bool:
        """Whether what they would tell of, asked about it now, is danger."""
        return not self._calm and self._grave

    def ends(self, value: str, asked: OpenQuestion) -> bool:
        """Whether the choice of this value means to stop here."""
        return any(fitting_words.ends(each, self.language) for each in asked.choices if each.value == value)

    def move(self, asked: OpenQuestion, said: Sequence[str]) -> Move:
        self._moves += 1
        if asked.kind == "none":
            return self._wait()
        if self._voices_danger(asked):
            self._voiced = True
            return self._message("danger", self._one("danger"), danger=True)
        if self._leaving:
            return self._goes(asked)
        deed = self._deed(asked)
        if deed == "silent":
            return self._wait()
        if deed == "leave":
            self._leaving = True
            return Move("gone", "leave") if self.random.random() < 0.5 else self._message("leave", self._one("leave"))
        if asked.due is not None and deed not in SPOKEN:
            return Move("wait", "answer", seconds=asked.due)
        if asked.form is not None and deed not in _BESIDE_A_FORM:
            return self._fill(asked, asked.form, deed)
        if asked.kind in ("choice", "press") and deed not in SPOKEN:
            return self._choose(asked)
        return self._say(asked, deed)

    # danger

    def _voices_danger(self, asked: OpenQuestion) -> bool:
        danger = self.persona.danger
        if danger is None or self._moment is None or asked.safety:
            return False
        if not self._voiced:
            return self._moves >= self._moment
        return self.random.random() < danger.again

    @property
    def _calm(self) -> bool:
        return self.persona.danger is None or self._rounds >= self._calm_after

    def _about_safety(self, asked: OpenQuestion) -> FittingAnswer:
        """Truly: what somebody at risk says of it, until they have calmed down."""
        if fitting_words.means_safe(asked, self.language):
            agrees = self._calm
        elif self.persona.danger is None or (self._calm and not asked.risk):
            agrees = False
        else:
            agrees = self.random.random() < (AGREES_TO_RISK if asked.risk else self.persona.danger.grave)
        return fitting_words.answer(asked, self.persona, self.language, self.random, agree=agrees)

    # doing

    def _deed(self, asked: OpenQuestion) -> Deed:
        least = AT_A_CHOICE if asked.kind in ("choice", "press", "form") else 1
        drawn = self.random.random()
        for deed, rate in self.persona.rates.by_deed.items():
            drawn -= rate * least
            if drawn < 0:
                return "answer" if asked.safety and deed in ("correct", "contradict", "stray") else deed
        return "answer"

    def _say(self, asked: OpenQuestion, deed: Deed) -> Move:
        if deed in SPOKEN:
            return self._message(deed, self._one(deed), doubtful=asked.safety and asked.rules.type == "boolean")
        told = self._about_safety(asked) if asked.safety else self._answer(asked)
        danger = asked.risk and told.of == "agreed"
        if deed == "correct" and (words := self._taken_back()):
            return self._message(deed, words)
        if deed == "contradict" and (other := self._answer(asked)).words != told.words:
            return self._message(deed, fitting_words.both(told.words, other.words, self.language, self.random))
        if asked.name and not asked.safety:
            self._told.append((asked, told))
        return self._message("answer", told.words, danger=danger)

    def _answer(self, asked: OpenQuestion) -> FittingAnswer:
        return fitting_words.answer(asked, self.persona, self.language, self.random)

    def _taken_back(self) -> str | None:
        """Of the last few things told, one is not so after all."""
        if not self._told:
            return None
        asked, told = self.random.choice(self._told[-6:])
        now = self._answer(asked)
        otherwise = str(now.value) if told.of == "number" else now.words
        return fitting_words.taken_back(told, self.language, self.random, otherwise)

    def _choose(self, asked: OpenQuestion) -> Move:
        choice = self._in_safety(asked) if asked.safety else self._wanted(asked)
        self._offered[tuple(each.value for each in asked.choices)] += 1
        parts = not asked.safety and fitting_words.ends(choice, self.language)
        if self.random.random() < TYPED:
            return self._message("answer", choice.label, parts=parts)
        return Move("choice", "answer", choice.value, self._seconds(), parts=parts)

    def _fill(self, asked: OpenQuestion, form: FormRequest, deed: Deed) -> Move:
        """All at once, now and then a part of it first; who refuses puts it away where that may be done."""
        alarming = self.persona.danger is not None and not self._calm
        done = filled(form, asked.definition, self.persona, self.language, self.random, alarming=alarming)
        if deed == "refuse" and not form.required:
            done = FilledForm("cancel", form.key)
        elif not form.values and self.random.random() < PARTS:
            some = dict(list(done.values.items())[: max(1, len(done.values) // 2)])
            done = FilledForm("draft", form.key, some, danger=False)
        self._voiced = self._voiced or done.danger
        return Move("form", deed, done.words, self._seconds() * max(1, len(done.values)), done.danger, filled=done)

    def _wanted(self, asked: OpenQuestion) -> Choice:
        ends = [choice for choice in asked.choices if fitting_words.ends(choice, self.language)]
        back = [choice for choice in asked.choices if fitting_words.goes_back(choice, self.language)]
        rest = [choice for choice in asked.choices if choice not in ends and choice not in back]
        seen = self._offered[tuple(choice.value for choice in asked.choices)]
        drawn = self.random.random()
        if ends and drawn < self.persona.endings + TIRES * seen:
            return self.random.choice(ends)
        if back and drawn > 1 - self.persona.begins_again:
            return self.random.choice(back)
        return self.random.choice(rest or list(asked.choices))

    def _in_safety(self, asked: OpenQuestion) -> Choice:
        safe = [choice for choice in asked.choices if choice.value in GOES_ON]
        others = [choice for choice in asked.choices if choice not in safe]
        if not self._calm:
            self._rounds += 1
            return self.random.choice(others or safe)
        return self.random.choice(safe or others)

    def _goes(self, asked: OpenQuestion) -> Move:
        """Somebody who has said so goes: by a choice that ends, else by the button."""
        ending = [choice for choice in asked.choices if fitting_words.ends(choice, self.language)]
        if ending:
            return Move("choice", "leave", self.random.choice(ending).value, self._seconds(), parts=True)
        return Move("end", "leave", "", self._seconds())

    def _wait(self) -> Move:
        return Move("wait", "silent", "", 60 * self.random.randint(*SILENT))

    def _one(self, deed: str) -> str:
        return self.random.choice(self.persona.says(deed, self.language))

    def _message(
        self, deed: Deed | Literal["danger"], words: str, *, danger: bool = False, doubtful: bool = False,
        parts: bool = False,
    ) -> Move:  # fmt: skip
        parts = parts or deed == "leave"
        return Move("message", deed, words, self._seconds(), danger=danger, doubtful=doubtful, parts=parts)

    def _seconds(self) -> int:
        return self.random.randint(*self.persona.seconds)
