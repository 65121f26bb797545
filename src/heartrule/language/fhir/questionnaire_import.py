"""A FHIR R4 ``Questionnaire`` → a form. What a form has no place for is kept beside it and put
back by ``questionnaire_export``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from heartrule.language.bilingual import Bilingual
from heartrule.language.expressions.syntax import Name, parse_tree
from heartrule.language.expressions.tokens import ExpressionError
from heartrule.language.fhir import enable_when, fields, heads, options, public_questionnaires, totals
from heartrule.language.fhir.fields import Links, Lists, links_of
from heartrule.language.fhir.parts import Resource, difference, dump, overlaid, rest_of, text, those
from heartrule.language.nodes import Node
from heartrule.language.nodes.forms import MAX_FIELDS, Form, FormField, Score

_DEEPEST = 12
_UNNAMED = re.compile(r"\W+")
AnyNode = TypeVar("AnyNode", bound=Node)


class NotReadable(Exception):
    """What is given is no Questionnaire, or none that can be a form. ``said`` says why."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.said = Bilingual(zh, en)


@dataclass(frozen=True, slots=True)
class ImportedForm:
    """``told``: what a counsellor should know of it, in words."""

    form: Form
    told: tuple[Bilingual, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """An item, the id it is given, the id of what it is within, and the linkId of the one in front of it."""

    item: Resource
    id: str
    within: str | None
    before: str | None

    @property
    def link(self) -> str:
        return text(self.item, "linkId")


def from_fhir(questionnaire: Any) -> ImportedForm:
    """Raises ``NotReadable``."""
    if not isinstance(questionnaire, Mapping) or questionnaire.get("resourceType") != "Questionnaire":
        raise NotReadable("不是 FHIR 的 Questionnaire", "This is no FHIR Questionnaire")
    reading = _Import(dict(questionnaire))
    return ImportedForm(reading.form(), tuple(dict.fromkeys(reading.told)))


def lists_of(contained: Any) -> Lists:
    """Finds the options of a value set: in ``contained``, else among the answer lists of LOINC that we know."""

    def found(address: str) -> list[Resource]:
        for each in those({"contained": contained}, "contained"):
            if address.startswith("#") and each.get("id") == address[1:]:
                include = those(each.get("compose"), "include")
                listed = those(each.get("expansion"), "contains")
                listed += [
                    {**concept, "system": text(one, "system")} for one in include for concept in those(one, "concept")
                ]
                return options.from_fhir([{"valueCoding": one, "extension": one.get("extension")} for one in listed])
        return public_questionnaires.answers(address)

    return found


class _Import:
    def __init__(self, source: Resource) -> None:
        self.source = source
        self.told: list[Bilingual] = []
        self.lists = lists_of(source.get("contained"))
        self.places: list[_Place] = []
        self._walk(source, None, 0)
        _require_links(self.places)
        self.ids = {each.link: each.id for each in reversed(self.places)}

    def form(self) -> Form:
        asked = [each for each in self.places if not totals.is_total(each.item)]
        nodes = {each.id: _node(FormField, self._field(each)) for each in asked}
        reckoned = {each.id: self._score(each, nodes) for each in self.places if each.id not in nodes}
        for each in self.places:
            if each.id in reckoned and not reckoned[each.id].get("sum"):
                del reckoned[each.id]
                nodes[each.id] = _node(FormField, self._field(each))
        made = [{**dump(nodes[each.id]), **self._shown(each, nodes)} for each in self.places if each.id in nodes]
        scores = list(reckoned.values()) or self._total(nodes)
        crisis = heads.crisis(_node(FormField, each) for each in made)
        if crisis and "on_answer" not in rest_of(self.source):
            self._tell(
                crisis["on_answer"][0]["field"], "答案大于 0 时转到危机支持", "an answer above 0 begins crisis support"
            )
        data = {**heads.from_fhir(self.source), **crisis, "fields": made, "scores": scores}
        head = overlaid(data, rest_of(self.source))
        return self._with_kept(_node(Form, head))

    def _walk(self, above: Resource, within: str | None, depth: int) -> None:
        given = above.get("item", [])
        if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
            raise NotReadable("item 应当是一组条目", "item must be a list of items")
        if depth > _DEEPEST or len(self.places) + len(given) > MAX_FIELDS:
            raise NotReadable(f"超过 {MAX_FIELDS} 项，或嵌套太深", f"More than {MAX_FIELDS} items, or nested too deep")
        before: str | None = None
        for item in given:
            place = _Place(item, _name(text(item, "linkId"), {each.id for each in self.places}), within, before)
            self.places.append(place)
            self._walk(item, place.id, depth + 1)
            before = place.link

    def _field(self, place: _Place) -> Resource:
        item = place.item
        made = fields.from_fhir(item, self.lists)
        self._remark(place.link or place.id, item, made)
        within = {"within": place.within} if place.within else {}
        return overlaid({"id": place.id, **made, **within}, rest_of(item))

    def _remark(self, name: str, item: Resource, made: Resource) -> None:
        kind = text(item, "type")
        if not fields.is_read(item):
            self._tell(
                name,
                f"不能填写 {kind or '没有类型'} 的内容，只作说明显示",
                f"{kind or 'no type'} cannot be asked here, only shown",
            )
        if item.get("repeats") is True and made["type"] != "multiple":
            self._tell(name, "只能回答一次", "takes one answer only")
        if made["type"] in ("single", "multiple") and not made["options"]:
            self._tell(name, "选项不在文件里，要自己补上", "its options are not in the file; add them")
        if kind == "open-choice":
            self._tell(name, "只能从选项里选", "only its options can be chosen")

    def _tell(self, name: str, zh: str, en: str) -> None:
        self.told.append(Bilingual(f"{name}：{zh}", f"{name}: {en}"))

    def _shown(self, place: _Place, nodes: Mapping[str, FormField]) -> Resource:
        if "show_when" in rest_of(place.item):
            return {}
        condition = enable_when.from_fhir(place.item, self.ids, nodes)
        if condition is None and "enableWhen" in place.item:
            self._tell(
                place.link, "什么时候显示读不出来，改为一直显示", "when it is shown cannot be read; it is shown always"
            )
        return {"show_when": condition} if condition is not None else {}

    def _score(self, place: _Place, nodes: Mapping[str, FormField]) -> Resource:
        found = totals.from_fhir(place.item, self.ids, nodes.values())
        within = next((each.link for each in self.places if each.id == place.within), None)
        at = {".within": within, ".before": place.before}
        return overlaid({"id": place.id, **found, "fhir": at}, rest_of(place.item))

    def _total(self, nodes: Mapping[str, FormField]) -> list[Resource]:
        """The total of a questionnaire that we know and that leaves the sum to whoever reads it."""
        code = _node(Form, {**heads.from_fhir(self.source), "fields": []}).code
        panel = public_questionnaires.panel(code)
        added = totals.of_codes(panel.code, nodes.values()) if panel is not None else []
        if panel is None or not added:
            return []
        name = _name("total", {each.id for each in self.places})
        self._tell(name, "按公布的计分方法补上了总分", "a total was added, by the published way of scoring")
        found = {
            "id": name,
            "sum": added,
            "code": {"code": panel.code},
            "bands": public_questionnaires.bands(panel.code),
        }
        return [{**found, "fhir": {".absent": True}}]

    def _with_kept(self, form: Form) -> Form:
        """The form with what came and would not be written again, each part beside what it belongs to."""
        items = {each.id: each.item for each in self.places}
        links = links_of(form, {each.id: each.link for each in self.places})
        made = [_kept_field(each, items[each.id], links) for each in form.fields]
        scores = [_kept_score(each, items.get(each.id), links) for each in form.scores]
        head = difference({key: each for key, each in self.source.items() if key != "item"}, heads.to_fhir(form))
        parts = {"fields": made, **({"scores": scores} if scores else {}), **({"fhir": head} if head else {})}
        return _node(Form, {**dump(form), **parts})


def _require_links(places: Sequence[_Place]) -> None:
    """Answers know their questions by linkId: each has one of its own."""
    links = [each.link for each in places]
    wrong = next((link for link in links if not link or links.count(link) > 1), None)
    if wrong is not None:
        raise NotReadable(
            f"每个条目要有自己的 linkId：“{wrong[:40]}”", f'Each item needs a linkId of its own: "{wrong[:40]}"'
        )


def _kept_field(node: FormField, item: Resource, links: Links) -> Resource:
    data, given = dump(node), those(item, "answerOption")
    if node.options and len(given) == len(node.options):
        kept = [difference(one, made) for one, made in zip(given, options.to_fhir(node.options), strict=True)]
        data["options"] = [_with(each, rest) for each, rest in zip(data["options"], kept, strict=True)]
    rest = difference(_alone(item), fields.to_fhir(_node(FormField, data), links))
    return _with(data, {**rest, **({"linkId": text(item, "linkId")} if text(item, "linkId") != node.id else {})})


def _kept_score(node: Score, item: Resource | None, links: Links) -> Resource:
    came = dict(node.fhir or {})
    if item is not None:
        came |= difference(_alone(item), totals.to_fhir(node, links))
        came |= {"linkId": text(item, "linkId")} if text(item, "linkId") != node.id else {}
    return _with(dump(node), came)


def _alone(item: Resource) -> Resource:
    """An item without those below it."""
    return {key: value for key, value in item.items() if key != "item"}


def _with(data: Resource, kept: Resource) -> Resource:
    return {**data, "fhir": kept} if kept else data


def _node(model: type[AnyNode], data: Resource) -> AnyNode:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise NotReadable(f"{where}：{first['msg']}", f"{where}: {first['msg']}") from None


def _name(link: str, taken: set[str]) -> str:
    """A linkId as an id that conditions can name, unlike those that are taken."""
    plain = _UNNAMED.sub("_", link).strip("_")[:60]
    plain = plain if _is_name(plain) and not plain[0].isdigit() else f"q{plain}"
    number, found = 2, plain
    while found in taken:
        found, number = f"{plain}_{number}", number + 1
    return found


def _is_name(written: str) -> bool:
    try:
        tree = parse_tree(written)
    except ExpressionError:
        return False
    return isinstance(tree, Name) and tree.name == written
