"""What those are told who are to help: that somebody needs it, and where to look. Nothing that was said, unless whoever
runs this wants the script's note with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any, Literal, Protocol

from heartrule.language.texts.plain import read_yaml
from heartrule.locales import is_chinese

Language = Literal["zh", "en"]
BOTH: tuple[Language, ...] = ("zh", "en")
Security = Literal["starttls", "tls", "none"]
"""How a mail server is spoken to: in the clear until it is asked for TLS, never in the clear, or always."""


class Undelivered(Exception):
    """It was not taken. ``kind`` names the fault, in clear: never what a server said."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Notice:
    """``key`` is the same at every attempt. ``link`` leads to the desk. For a contact of the person, who is no staff of
    ours, ``contact`` and ``known_as`` are what they are called and what they call the person."""

    key: str
    session: str
    to: str
    level: str | None
    at: datetime
    language: Language
    link: str | None = None
    note: str | None = field(default=None, repr=False)
    contact: str | None = field(default=None, repr=False)
    known_as: str = field(default="", repr=False)


class Sender(Protocol):
    """Delivers a notice to one address."""

    async def send(self, notice: Notice) -> None:
        """Returns when it was taken, once or more often under its key. ``Undelivered`` otherwise."""


@cache
def _texts(language: Language) -> Mapping[str, Any]:
    file = resources.files("heartrule.jobs").joinpath("texts", f"{language}.yaml")
    found: Mapping[str, Any] = read_yaml(file.read_text(encoding="utf-8"))
    return found


def subject(notice: Notice) -> str:
    texts = _texts(notice.language)
    return str(texts["subject_contact" if notice.contact is not None else "subject"]).format(level=notice.level or "-")


def asking_subject() -> str:
    return " / ".join(str(_texts(language)["subject_asking"]) for language in BOTH)


def asking_body(contact: str, person: str, link: str) -> str:
    """In both languages: nobody knows which the contact reads."""
    parts = []
    for language in BOTH:
        texts = _texts(language)
        parts.append(str(texts["asking"]).format(contact=contact, person=person or texts["somebody"], link=link))
    return "\n".join(parts)


def body(notice: Notice) -> str:
    """Plain text."""
    texts = _texts(notice.language)
    when = f"{notice.at:%Y-%m-%d %H:%M} UTC"
    if notice.contact is not None:
        person = notice.known_as or texts["somebody"]
        return str(texts["contact"]).format(contact=notice.contact, person=person, at=when)
    lines = [str(texts["desk"]).format(session=notice.session, level=notice.level or "-", at=when)]
    if notice.link is not None:
        lines.append(str(texts["link"]).format(link=notice.link))
    if notice.note is not None:
        lines.append(str(texts["note"]).format(note=notice.note))
    return "\n".join(lines)


def digest_subject(language: str) -> str:
    return str(_texts(_spoken(language))["subject_digest"])


def digest_line(language: str, project: str, by: Mapping[str, int], link: str) -> str:
    """What was said in a project: by whom, and how often."""
    texts = _texts(_spoken(language))
    names = str(texts["digest_and"]).join(f"{name} ({number})" for name, number in by.items())
    return str(texts["digest_line"]).format(project=project, names=names, link=link).rstrip()


def digest_body(language: str, lines: Sequence[str]) -> str:
    texts = _texts(_spoken(language))
    return str(texts["digest"]).format(lines="\n\n".join(lines))


def _spoken(language: str) -> Language:
    return "zh" if is_chinese(language) else "en"
