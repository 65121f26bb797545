"""A persona: how somebody behaves in a conversation, as data. Eight are shipped; others are files of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding
from heartrule.language.findings.report import as_text
from heartrule.language.projects.project import read_file
from heartrule.language.shape import Shape
from heartrule.language.yaml import parse
from heartrule.locales import is_chinese

Language = Literal["zh", "en"]
Deed = Literal["answer", "evade", "correct", "contradict", "ask_back", "refuse", "stray", "attack", "silent", "leave"]
"""What a visitor does when it is their turn. Everything but the first has a rate."""
Rate = Annotated[float, Field(ge=0, le=1)]
SHIPPED = ("cooperative", "terse", "avoidant", "contradicting", "confused", "hostile", "at_risk", "off_topic")
"""In the order in which they are shown."""
SPOKEN: tuple[Deed, ...] = ("evade", "ask_back", "refuse", "stray", "attack")
"""What is done in words of the persona's own, whatever was asked."""


class BadPersona(ValueError):
    """A file that is no persona; ``said`` says where and why."""

    def __init__(self, said: Bilingual) -> None:
        self.said = said
        super().__init__(said.en)


class _Amiss(ValueError):
    """What is wrong between several parts of a persona."""

    def __init__(self, zh: str, en: str) -> None:
        self.said = Bilingual(zh, en)
        super().__init__(en)


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
            raise _Amiss(f"这些比例加起来是 {total:g}，超过 1", f"the rates add up to {total:g}, more than 1")
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
                    raise _Amiss(
                        f"name、about、play 都要有 {language} 的", f"name, about and play are needed in {language}"
                    )
            said = self.words.get(language, {})
            if missing := [deed for deed in needed if not said.get(deed)]:
                named = ", ".join(missing)
                raise _Amiss(f"words.{language} 里没有 {named} 的话", f"words.{language} has none for {named}")
        return self

    def says(self, deed: str, language: Language) -> tuple[str, ...]:
        return self.words[language][deed]


def spoken(locale: str) -> Language:
    """The language a visitor of a session in this locale speaks."""
    return "zh" if is_chinese(locale) else "en"


@cache
def shipped(name: str) -> Persona:
    raw = (files("heartrule.script_tests.simulation") / "personas" / f"{name}.yaml").read_bytes()
    return _read(raw, f"{name}.yaml")


def find(name: str) -> Persona:
    """A shipped persona by its id, or one of one's own by the path of its file. Raises BadPersona."""
    if name in SHIPPED:
        return shipped(name)
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        known = ", ".join(SHIPPED)
        raise BadPersona(Bilingual(f"没有这种来访者：{name}（{known}，或者 FILE.yaml）", f"{name}: {known}, FILE.yaml"))
    raw, problem = read_file(path)
    if problem:
        raise BadPersona(Bilingual(f"{name}：读不了（{problem}）", f"{name}: {problem}"))
    return _read(raw, path.name)


def _read(raw: bytes, name: str) -> Persona:
    parsed = parse(raw, name)
    if wrong := [found for found in parsed.findings if found.stops]:
        raise _bad(wrong)
    shape = Shape(parsed, {}, Persona)
    if len(parsed.documents) != 1 or not isinstance(parsed.documents[0], dict):
        raise _bad([shape.found("E015", (0,))])
    try:
        return Persona.model_validate(parsed.documents[0])
    except ValidationError as error:
        amiss = [
            Bilingual(f"{at} {why.said.zh}", f"{at} {why.said.en}")
            for each in error.errors()
            if isinstance(why := each.get("ctx", {}).get("error"), _Amiss)
            for at in [f"{name}:{parsed.map.key((0, *each['loc'])).line}:"]
        ]
        if amiss:
            raise BadPersona(_lines(amiss)) from None
        raise _bad(shape.findings(error, (0,))) from None


def _bad(found: Sequence[Finding]) -> BadPersona:
    return BadPersona(_lines([Bilingual(as_text(each, "zh"), as_text(each, "en")) for each in found]))


def _lines(said: Sequence[Bilingual]) -> Bilingual:
    return Bilingual("\n".join(each.zh for each in said), "\n".join(each.en for each in said))
