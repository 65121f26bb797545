"""Words that fit what was asked: a yes or no in the question's own words, a number with its unit, an option, a date,
a list, or a sentence about the matter. Which words there are is data (``answers.yaml``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from heartrule.engine.session.state import Choice
from heartrule.language.values.types import option_pair
from heartrule.script_tests.simulation.open_question import OpenQuestion
from heartrule.script_tests.simulation.persona import Language, Persona
from heartrule.script_tests.simulation.tables import table


@dataclass(frozen=True, slots=True)
class FittingAnswer:
    """An answer: ``words``, and what they say: a number, ``agreed`` or ``denied``, a text."""

    words: str
    of: str = "text"
    value: Any = None


def fitting(rows: Sequence[Mapping[str, Any]], asked: OpenQuestion, *, narrow: bool = False) -> Mapping[str, Any]:
    """The first row for the question's last sentence, else (unless ``narrow``) for all that was said, else for what it
    is about; the last row is for everything."""
    sentences = [each for each in re.split(r"(?<=[。.!！?？\n])", asked.question) if each.strip()]
    last = sentences[-1] if sentences else ""
    for text in (last,) if narrow else (last, asked.question, asked.about):
        for row in rows:
            if row["asks"] and re.search(row["asks"], text, re.IGNORECASE):
                return row
    return rows[-1]


def answer(
    asked: OpenQuestion, persona: Persona, language: Language, random: Random, *, agree: bool | None = None
) -> FittingAnswer:
    """What this persona answers. ``agree`` decides a yes or no; None: as often as the persona says yes."""
    words = table(language)
    match asked.rules.type:
        case "boolean":
            yes = random.random() < persona.agrees if agree is None else agree
            return said_yes_or_no(asked, language, random, yes=yes)
        case "integer" | "number":
            return _number(asked, persona, words, random)
        case "enum":
            options = [option_pair(each) for each in asked.rules.options or ()]
            if options:
                label = random.choice(options)[1]
                return FittingAnswer(random.choice(words["options"][persona.manner]).format(label=label))
        case "date":
            return FittingAnswer(random.choice(words["dates"]))
        case "list":
            return FittingAnswer(words["join"].join(random.choice(words["lists"])))
    if not asked.name and not re.search("[?？]", asked.question):
        return FittingAnswer(random.choice(words["acks"]))
    return FittingAnswer(random.choice(fitting(words["texts"], asked)[persona.manner]))


def said_yes_or_no(asked: OpenQuestion, language: Language, random: Random, *, yes: bool) -> FittingAnswer:
    """Plainly where it is about safety: whoever hedges there is asked again, which is for those who evade."""
    row = fitting(table(language)["yes_no"], asked, narrow=True)["agrees" if yes else "denies"]
    plain = [each for each in row if not re.search(table(language)["hedges"], each)] if asked.safety else row
    return FittingAnswer(random.choice(plain or row), "agreed" if yes else "denied")


def _number(asked: OpenQuestion, persona: Persona, words: Mapping[str, Any], random: Random) -> FittingAnswer:
    low, high = (int(each) for each in asked.rules.range or (0, 10))
    least, most = (low + round((high - low) * part) for part in persona.numbers)
    number = random.randint(least, max(least, most))
    spelled = words["spelled"][number] if 0 <= number < len(words["spelled"]) else str(number)
    form = random.choice(words["numbers"][persona.manner])
    unit = fitting(words["units"], asked)["unit"].format(most=high)
    return FittingAnswer(form.format(n=number, unit=unit, spelled=spelled), "number", number)


def means_safe(asked: OpenQuestion, language: Language) -> bool:
    """Whether a yes to this question about safety says that all is well."""
    return re.search(table(language)["safe_when_yes"], asked.question, re.IGNORECASE) is not None


def ends(choice: Choice, language: Language) -> bool:
    return re.search(table(language)["endings"], f"{choice.value}\n{choice.label}") is not None


def goes_back(choice: Choice, language: Language) -> bool:
    return re.search(table(language)["begins_again"], f"{choice.value}\n{choice.label}") is not None


def both(one: str, other: str, language: Language, random: Random) -> str:
    """Two answers to one question, that do not go together."""
    form: str = random.choice(table(language)["contradicts"])
    return form.format(one=one, other=other)


def taken_back(told: FittingAnswer, language: Language, random: Random, otherwise: str) -> str | None:
    """Words that take an earlier answer back; ``otherwise`` is what is said now. None where that changes nothing."""
    if told.of in ("text", "number") and otherwise in (told.words, str(told.value)):
        return None
    row = next(each for each in table(language)["corrects"] if each["of"] == told.of)
    was = str(told.value) if told.of == "number" else told.words
    form: str = random.choice(row["say"])
    return form.format(was=was, now=otherwise)
