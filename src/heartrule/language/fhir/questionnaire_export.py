"""A form → a FHIR R4 ``Questionnaire``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from heartrule.language.fhir import fields, heads, totals
from heartrule.language.fhir.fields import Links, links_of
from heartrule.language.fhir.parts import CALCULATED, CORE, OWN, Resource, dump, merged
from heartrule.language.fhir.questionnaire_import import lists_of
from heartrule.language.nodes.forms import Form, FormField, Score

_SAID = frozenset(
    {
        *("type", "text", "required", "repeats", "answerOption", "answerValueSet", "enableWhen", "enableBehavior"),
        *("initial", "maxLength", "prefix", "code", "title", "language", "description", "copyright", "id"),
    }
)
"""Keys that a form says itself."""
_OURS = (OWN, CALCULATED, *(f"{CORE}{name}" for name in ("minValue", "maxValue", "questionnaire-unit")))


def to_fhir(form: Form, *, plain: bool = False) -> Resource:
    """The Questionnaire, with all that once came with the form; ``plain``: only what the form itself holds. Where the
    form has been changed since, what it says now wins."""
    links = links_of(form)
    lists = lists_of((form.fhir or {}).get("contained"))
    made: dict[str | None, list[Resource]] = {}
    for node in form.fields:
        if form.by_id[node.id] is node:
            item = _item(node, links, lists, plain)
            made.setdefault(_above(node, links), []).append({**item, "linkId": links.links[node.id]})
    for score in form.score_by_id.values():
        _placed(score, _total(score, links, plain), made, plain)
    head = _best(
        heads.to_fhir(form), form.fhir, plain, lambda found: heads.again(found, form.fields) == heads.head_of(form)
    )
    items = list(_nested(None, made))
    return {**head, **({"item": items} if items else {})}


def _above(node: FormField, links: Links) -> str | None:
    """The linkId of the item that a field stands in."""
    if node.within is None or node.within not in links.fields or node.within == node.id:
        return None
    return links.links[node.within]


def _item(node: FormField, links: Links, lists: fields.Lists, plain: bool) -> Resource:
    own = {key: value for key, value in dump(node).items() if key != "within"}
    bare = node if not plain else _bare(node)

    def says_the_same(found: Mapping[str, Any]) -> bool:
        return fields.again(dict(found), node.id, links, lists) == own

    return _best(fields.to_fhir(bare, links), node.fhir, plain, says_the_same)


def _bare(node: FormField) -> FormField:
    return FormField.model_validate(dump(node))


def _total(node: Score, links: Links, plain: bool) -> Resource:
    own = dump(node)
    return _best(
        totals.to_fhir(node, links), node.fhir, plain, lambda found: totals.again(dict(found), node.id, links) == own
    )


def _best(
    made: Resource, kept: Mapping[str, Any] | None, plain: bool, says_the_same: Callable[[Resource], bool]
) -> Resource:
    """``made`` with what was kept, as far as that does not say anything else than the form does."""
    if plain or not kept:
        return made
    whole = merged(made, kept)
    if says_the_same(whole):
        return whole
    rest = merged(made, {key: value for key, value in kept.items() if key not in (*_SAID, "extension")})
    came = kept.get("extension")
    if isinstance(came, list):
        foreign = [each for each in came if not isinstance(each, dict) or each.get("url") not in _OURS]
        rest["extension"] = [*made.get("extension", []), *foreign]
    return rest


def _placed(score: Score, item: Resource, made: dict[str | None, list[Resource]], plain: bool) -> None:
    """Puts the item of a score where it once stood; at the end where it never stood anywhere."""
    came = score.fhir or {}
    if came.get(".absent") and not plain:
        return
    siblings = made.setdefault(came.get(".within"), [])
    before = came.get(".before")
    if ".before" not in came:
        siblings.append(item)
        return
    links = [each["linkId"] for each in siblings]
    siblings.insert(links.index(before) + 1 if before in links else 0, item)


def _nested(above: str | None, made: Mapping[str | None, list[Resource]]) -> Iterator[Resource]:
    for item in made.get(above, ()):
        below = list(_nested(item["linkId"], made)) if item["linkId"] != above else []
        yield {**item, **({"item": below} if below else {})}
