"""A persona: how somebody behaves in a conversation, as data. Eight are shipped; others are files of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Language = Literal["zh", "en"]
Deed = Literal["answer", "evade", "correct", "contradict", "ask_back", "refuse", "stray", "attack", "silent", "leave"]
"""What a visitor does when it is their turn. Everything but the first has a rate."""
Rate = Annotated[float, Field(ge=0, le=1)]
SHIPPED = ("cooperative", "terse", "avoidant", "contradicting", "confused", "hostile", "at_risk", "off_topic")
"""In the order in which they are shown."""
SPOKEN: tuple[Deed, ...] = ("evade", "ask_back", "refuse", "stray", "attack")
"""What is done in words of the persona's own, whatever was asked."""


class BadPersona(ValueError):
    """A file that is no persona; the text says where and why."""


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rates(Part):
    """How often each is done instead of answering; what is left is answered."""

    evade: Rate = 0
    correct: Rate = 0
    contradict: Rate = 0
    ask_back: Rate = 0
    refuse: Rate = 0
    stray: Rate = 0
    attack: Rate = 0
    silent: Rate = 0
    leave: Rate = 0

    @model_validator(mode="after")
    def _leave_room(self) -> Self:
        if (total := sum(self.by_deed.values())) > 1:
            raise ValueError(f"the rates add up to {total:g}, more than 1")
        return self

    @property
    def by_deed(self) -> dict[Deed, float]:
        return self.model_dump()  # type: ignore[return-value]


class Danger(Part):
    """Voices danger once, before this part (``until``) of the session's questions has been put, and later ``again`` at
    that rate. ``grave``: how often intent, a plan or means are told of when asked; ``rounds``: after how many rounds of
    the crisis technique they are safe again, least and most."""

    until: Rate = 0.9
    again: Rate = 0
    grave: Rate = 0.5
    rounds: tuple[int, int] = (1, 2)


class Persona(Part):
    """``agrees``: how often a yes-or-no question is answered with yes. ``numbers``: the part of a scale that scores are
    taken from. ``seconds``: how long an answer takes. ``endings`` and ``begins_again``: how often a choice that ends
    the session, or goes back in it, is taken where there is one."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    name: Mapping[Language, str]
    about: Mapping[Language, str]
    play: Mapping[Language, str]
    manner: Literal["short", "plain", "long"] = "plain"
    rates: Rates = Rates()
    agrees: Rate = 0.4
    numbers: tuple[Rate, Rate] = (0, 1)
    seconds: tuple[int, int] = (5, 60)
    endings: Rate = 0.05
    begins_again: Rate = 0.1
    danger: Danger | None = None
    words: Mapping[Language, Mapping[str, tuple[str, ...]]]

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        needed = [deed for deed in (*SPOKEN, "leave") if self.rates.by_deed[deed]] + ["danger"] * bool(self.danger)
        for language in ("zh", "en"):
            for texts in (self.name, self.about, self.play):
                if not texts.get(language):
                    raise ValueError(f"name, about and play are needed in {language}")
            said = self.words.get(language, {})
            if missing := [deed for deed in needed if not said.get(deed)]:
                raise ValueError(f"words.{language} has none for {', '.join(missing)}")
        return self

    def says(self, deed: str, language: Language) -> tuple[str, ...]:
        return self.words[language][deed]


def spoken(locale: str) -> Language:
    """The language a visitor of a session in this locale speaks."""
    return "zh" if locale.lower().startswith("zh") else "en"


@cache
def shipped(name: str) -> Persona:
    text = (files("heartrule.rehearsal.simulation") / "personas" / f"{name}.yaml").read_text(encoding="utf-8")
    return _read(text, f"{name}.yaml")


def find(name: str) -> Persona:
    """A shipped persona by its id, or one of one's own by the path of its file. Raises BadPersona."""
    if name in SHIPPED:
        return shipped(name)
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        raise BadPersona(f"{name}: {', '.join(SHIPPED)}, FILE.yaml")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadPersona(f"{name}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None
    return _read(text, path.name)


def _read(text: str, name: str) -> Persona:
    try:
        found: Any = yaml.load(text, yaml.CSafeLoader)
        return Persona.model_validate(found)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        raise BadPersona(f"{name}{where}: {getattr(error, 'problem', None) or 'not YAML'}") from None
    except ValidationError as error:
        told = [f"{'.'.join(str(part) for part in each['loc']) or '.'}: {each['msg']}" for each in error.errors()]
        raise BadPersona(f"{name}: {'; '.join(told)}") from None
