"""Answers of a form ↔ a FHIR R4 ``QuestionnaireResponse``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.fhir.enable_when import option_of
from heartrule.language.fhir.fields import VALUES, Links, links_of
from heartrule.language.fhir.options import to_fhir as options_to_fhir
from heartrule.language.fhir.parts import Resource, number, text, those
from heartrule.language.fhir.questionnaire_import import NotReadable
from heartrule.language.forms.scoring import scores
from heartrule.language.forms.visible_fields import hidden
from heartrule.language.nodes import Json
from heartrule.language.nodes.forms import Form, FormField, Option

_DEEPEST = 20
_KEYS = ("valueBoolean", "valueDecimal", "valueInteger", "valueDate", "valueDateTime", "valueTime", "valueString")


@dataclass(frozen=True, slots=True)
class ImportedAnswers:
    """``answers`` by field, not yet checked. ``told``: what of the response could not be taken."""

    answers: dict[str, Json] = field(repr=False)
    told: tuple[Bilingual, ...]


def address(form: Form) -> str:
    """What a response names its questionnaire by: where it came from, else a name of our own."""
    came = text(form.fhir or {}, "url")
    return came or f"urn:heartrule:form:{form.id or 'form'}"


def from_fhir(form: Form, response: Any) -> ImportedAnswers:
    """The answers of a response to this form. Raises ``NotReadable`` for anything but a response."""
    if not isinstance(response, Mapping) or response.get("resourceType") != "QuestionnaireResponse":
        raise NotReadable("不是 FHIR 的 QuestionnaireResponse", "This is no FHIR QuestionnaireResponse")
    links = links_of(form)
    reading = _Import(form, {link: name for name, link in links.links.items()})
    reading.below(response, 0)
    return ImportedAnswers(reading.answers, tuple(dict.fromkeys(reading.told)))


@dataclass(slots=True)
class _Import:
    form: Form
    ids: Mapping[str, str]
    answers: dict[str, Json] = field(default_factory=dict, repr=False)
    told: list[Bilingual] = field(default_factory=list)

    def below(self, above: Mapping[str, Any], depth: int) -> None:
        if depth > _DEEPEST:
            raise NotReadable("嵌套太深", "Nested too deep")
        for item in those(above, "item"):
            self._take(item)
            self.below(item, depth + 1)
            for answer in those(item, "answer"):
                self.below(answer, depth + 1)

    def _take(self, item: Resource) -> None:
        link, given = text(item, "linkId"), those(item, "answer")
        name = self.ids.get(link)
        asked = self.form.by_id.get(name) if name is not None else None
        if asked is None or not asked.asked:
            if given and name not in self.form.score_by_id:
                self.told.append(Bilingual(f"表单里没有“{link[:60]}”", f"The form has no “{link[:60]}”"))
            return
        values = [_value(asked, each) for each in given]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or (len(known) > 1 and asked.type != "multiple"):
            self.told.append(
                Bilingual(f"{asked.id}：有的回答读不出来", f"{asked.id}: some of its answers cannot be read")
            )
        if known:
            self.answers[asked.id] = known if asked.type == "multiple" else known[0]


def _value(asked: FormField, answer: Resource) -> Json:
    coding = answer.get("valueCoding")
    if isinstance(coding, dict):
        return option_of(asked, coding) if asked.options else text(coding, "display") or text(coding, "code") or None
    if isinstance(answer.get("valueQuantity"), dict):
        return number(answer["valueQuantity"], "value")
    return next((answer[key] for key in _KEYS if isinstance(answer.get(key), str | bool | int | float)), None)


def to_fhir(
    form: Form,
    values: Mapping[str, Json],
    *,
    authored: datetime | None = None,
    zone: tzinfo | None = UTC,
    whole: bool = True,
) -> Resource:
    """``values`` are those of ``check``. Scores are answers too, once they have a value. ``zone`` is that of moments
    that were answered without one."""
    links, unseen = links_of(form), hidden(form, values)
    dated = {name: _dated(form, name, value, zone) for name, value in values.items()}
    made = _below(form, None, dated, links, unseen)
    scored = scores(form, values)
    made += [
        {"linkId": links.links[score.id], **_said(score.label), "answer": [{"valueDecimal": scored[score.id].value}]}
        for score in form.score_by_id.values()
        if scored[score.id].value is not None
    ]
    response: Resource = {
        "resourceType": "QuestionnaireResponse",
        "questionnaire": address(form),
        "status": "completed" if whole else "in-progress",
    }
    if authored is not None:
        response["authored"] = authored.isoformat(timespec="seconds")
    return {**response, **({"item": made} if made else {})}


def _below(
    form: Form, above: str | None, values: Mapping[str, Json], links: Links, unseen: frozenset[str]
) -> list[Resource]:
    """The items within one that have an answer, or hold one that has."""
    made: list[Resource] = []
    for each in form.by_id.values():
        if each.within != above or each.id in unseen or each.id == above:
            continue
        inner = _below(form, each.id, values, links, unseen) if each.id in links.above else []
        answers = _answers(each, values[each.id]) if each.asked and each.id in values else []
        if not inner and not answers:
            continue
        item: Resource = {"linkId": links.links[each.id], **_said(each.label)}
        if answers:
            item["answer"] = [{**answers[0], **({"item": inner} if inner else {})}, *answers[1:]]
        elif inner:
            item["item"] = inner
        made.append(item)
    return made


def _said(label: str) -> Resource:
    return {"text": label} if label else {}


def _answers(asked: FormField, value: Json) -> list[Resource]:
    if asked.options:
        given = value if isinstance(value, list) else [value]
        return [_chosen(option) for option in asked.options if any(_same(option, each) for each in given)]
    key = f"value{VALUES[asked.type]}"
    return [{key: f"{value}:00" if asked.type == "time" else value}]


def _same(option: Option, value: Json) -> bool:
    return isinstance(option.value, bool) is isinstance(value, bool) and bool(option.value == value)


def _chosen(option: Option) -> Resource:
    (made,) = options_to_fhir([option])
    return {key: value for key, value in made.items() if key != "extension"}


def _dated(form: Form, name: str, value: Json, zone: tzinfo | None) -> Json:
    """FHIR wants seconds, and a zone where there is a time."""
    if name not in form.by_id or form.by_id[name].type != "datetime":
        return value
    moment = datetime.fromisoformat(value)
    dated = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone or UTC)
    return dated.isoformat(timespec="seconds")
