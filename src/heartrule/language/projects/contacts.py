"""``contacts.yaml`` of the safety project: the numbers shown in a crisis, by language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heartrule.language.compiling.script import CRISIS, Contact
from heartrule.language.findings import Finding
from heartrule.language.shape import Shape
from heartrule.language.yaml import parse


class _Contact(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, coerce_numbers_to_str=True)

    name: str
    number: str
    note: str = ""
    talk: bool = False
    for_: Annotated[Literal["crisis", "danger", "emergency"], Field(alias="for")] = CRISIS


class _Contacts(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, coerce_numbers_to_str=True)

    updated: str
    contacts: dict[str, list[_Contact]]
    on_duty: dict[str, str] = {}


def read_contacts(raw: bytes | str, path: str) -> tuple[dict[str, tuple[Contact, ...]], dict[str, str], list[Finding]]:
    """Contacts by language tag, what those on duty do in danger by language tag, and what is wrong with the file."""
    parsed = parse(raw, path)
    data = parsed.documents[0] if parsed.documents else None
    shape = Shape(parsed, {}, _Contacts)
    if not isinstance(data, dict):
        return {}, {}, parsed.findings or [shape.found("E015", (0,))]
    try:
        read = _Contacts.model_validate(data)
    except ValidationError as error:
        return {}, {}, [*parsed.findings, *shape.findings(error, (0,))]
    kept = {
        locale: tuple(Contact(each.name, each.number, each.note, each.talk, each.for_) for each in each_locale)
        for locale, each_locale in read.contacts.items()
    }
    return kept, read.on_duty, parsed.findings


def for_locale(contacts: dict[str, tuple[Contact, ...]], locale: str, kind: str | None = CRISIS) -> tuple[Contact, ...]:
    """The contacts of a kind (None: of all) in ``locale``, else in its language without a country, else in its
    language, else the first there are. What a country does not say of a kind, its language says."""
    told = (each.kind for listed in contacts.values() for each in listed)
    kinds = [kind] if kind is not None else list(dict.fromkeys(told))
    return tuple(each for wanted in kinds for each in _of_kind(contacts, locale, wanted))


def by_place(contacts: dict[str, tuple[Contact, ...]], locale: str) -> dict[str, tuple[Contact, ...]]:
    """All contacts for each country that the file tells of in the language of ``locale``, by tag (``en-AU``)."""
    own = (tag for tag in contacts if _language(tag) == _language(locale))
    return {tag: for_locale(contacts, tag, None) for tag in own}


def numbers_in(contacts: dict[str, tuple[Contact, ...]], locale: str) -> tuple[str, ...]:
    """Every number that may be said in the language of ``locale``: of all its countries and all kinds."""
    listed = (contacts[tag] for tag in _nearest(contacts, locale))
    return tuple(dict.fromkeys(each.number for told in listed for each in told))


def told_in(texts: Mapping[str, str], locale: str) -> str:
    """The text in ``locale``, else in its language, else the first there is; empty where there is none."""
    return next((texts[tag].strip() for tag in _nearest(texts, locale)), "")


def _of_kind(contacts: dict[str, tuple[Contact, ...]], locale: str, kind: str) -> tuple[Contact, ...]:
    told = (tuple(each for each in contacts[tag] if each.kind == kind) for tag in _nearest(contacts, locale))
    return next(filter(None, told), ())


def _nearest(tags: Iterable[str], locale: str) -> list[str]:
    """The tags in the order in which they are asked; a language of its own does not ask another one's."""
    known = list(tags)
    language = _language(locale)
    own = [tag for tag in known if _language(tag) == language]
    asked = [tag for tag in (locale, language) if tag in own]
    return [*asked, *(tag for tag in own if tag not in asked)] or known[:1]


def _language(tag: str) -> str:
    return tag.replace("_", "-").partition("-")[0].lower()
