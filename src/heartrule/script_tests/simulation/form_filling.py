"""How visitors fill forms: every field as its kind wants it, and truly where an answer tells of danger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from heartrule.engine.session.io import FormRequest
from heartrule.language.forms import results
from heartrule.language.linting.asked_danger import asks_about_danger
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Form
from heartrule.script_tests.simulation.persona import Language, Persona
from heartrule.script_tests.simulation.tables import table

LEFT_OUT = 0.3
"""How often a field is left out that need not be filled."""
_TRIES = 40


@dataclass(frozen=True, slots=True)
class FilledForm:
    """``danger``: an answer says so, by what the form does as soon as it is given, or by what a field asks."""

    how: Literal["submit", "draft", "cancel"]
    key: str
    values: Mapping[str, Json] = field(default_factory=dict, repr=False)
    danger: bool = False

    @property
    def words(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.values.items())


def filled(
    request: FormRequest, form: Form | None, persona: Persona, language: Language, random: Random, *, alarming: bool
) -> FilledForm:
    """All of it, ready to be handed in. ``alarming``: they are in danger, and say so where they are asked."""
    values: dict[str, Json] = {}
    told = rang = False
    for each in request.shown["fields"]:
        rings = [rule for rule in (form.on_answer if form else ()) if rule.field == each["id"]]
        about = not rings and asks_about_danger(str(each.get("label", "")))
        if each["type"] == "note" or not (rings or about or each.get("required") or random.random() > LEFT_OUT):
            continue
        for value in _values(each, persona, language, random):
            values[each["id"]] = value
            rang = _agrees(each, value) if about else _alarms(form, values, each["id"])
            if not (rings or about) or rang is alarming:
                break
        told = told or (bool(rings or about) and rang)
    return FilledForm("submit", request.key, values, told)


def _agrees(shown: Mapping[str, Any], value: Json) -> bool:
    """Whether this answer says yes, or more than the least that the field takes: that is written first or lowest."""
    options = [option["value"] for option in shown.get("options", ())]
    if options:
        return value not in ([], options[0], options[:1])
    return value is True or (isinstance(value, int | float) and value > shown.get("least", 0))


def _alarms(form: Form | None, values: Mapping[str, Json], name: str) -> bool:
    """Whether the answer to this field starts something at once."""
    return form is not None and any(rule.field == name for rule in results.on_answer(form, values))


def _values(shown: Mapping[str, Any], persona: Persona, language: Language, random: Random) -> Iterator[Json]:
    """One value after another that the field takes, the options each once first."""
    options = [option["value"] for option in shown.get("options", ())]
    if shown["type"] == "single":
        yield from random.sample(options, len(options))
        return
    for _ in range(_TRIES):
        match shown["type"]:
            case "multiple":
                yield random.sample(options, random.randint(1, min(3, len(options))))
            case "boolean":
                yield random.random() < persona.agrees
            case "text" | "longtext":
                said = str(random.choice(table(language)["texts"][-1][persona.manner]))
                yield said[: shown.get("max_length", len(said))]
            case "date" | "time" | "datetime":
                yield {"date": "2026-11-03", "time": "08:30", "datetime": "2026-11-03T08:30"}[shown["type"]]
            case _:
                yield _number(shown, persona, random)


def _number(shown: Mapping[str, Any], persona: Persona, random: Random) -> float:
    least, most, step = shown.get("least", 0), shown.get("most", 10), shown.get("step") or 1
    steps = int((most - least) // step)
    low, high = (round(steps * part) for part in persona.numbers)
    value = least + step * random.randint(low, max(low, high))
    return int(value) if float(value).is_integer() else value
