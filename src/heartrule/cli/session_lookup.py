"""Finding the script or the session that is meant, and saying what must be said before the first word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heartrule.cli.door import Door
from heartrule.cli.faults import stop
from heartrule.cli.initial_variables import refusal_text, taken
from heartrule.cli.program import call
from heartrule.cli.safe_text import shown
from heartrule.cli.words import Words, spoken_here
from heartrule.engine.installed_types import field_models
from heartrule.language.compiling.script import Contact
from heartrule.language.findings import Refused
from heartrule.language.projects.contacts import for_locale
from heartrule.language.projects.library import Library, library_root
from heartrule.llm.config import settings_of_machine
from heartrule.llm.settings import LlmSettings
from heartrule.sessions import Settings
from heartrule.sessions.initial_variables import NotTaken
from heartrule.sessions.session_status import life_of, read_only
from heartrule.store.records import SessionRecord


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session to be held. ``speaker``: the name that the AI goes by; ``audience``: whom a new one is for."""

    id: str
    words: Words
    speaker: str
    contacts: tuple[Contact, ...]
    resumed: bool = False
    audience: str = ""


class Reception:
    """``lang`` is what the person asked for; else the program speaks as the script does."""

    def __init__(self, door: Door, where: Settings, lang: str | None) -> None:
        self._door = door
        self._lang = lang
        self._where = where
        self._library = Library([library_root(), *where.projects], field_models())

    def begin(self, script: str, given: Mapping[str, str], locale: str | None, subject: str | None) -> OpenedSession:
        """Raises ``Refused`` when the script cannot be held."""
        sessions = self._door.sessions
        compiled = self._library.script(script, locale)
        try:
            values = taken(given, compiled, sessions.clock.now())
        except NotTaken as refused:
            raise stop(refusal_text(refused, Words(spoken_here(self._lang, compiled.locale))), 2) from None
        person = self._door.call(sessions.store.new_person, subject) if subject else None
        record = self._door.call(sessions.create, script, person, values, locale)
        opened = self._opened(record, compiled.roles["ai"].name if "ai" in compiled.roles else None)
        return replace(opened, audience=compiled.session.audience)

    def resume(self, wanted: str | None, words: Words, *, start_over: bool) -> OpenedSession:
        record = self._named(wanted, words) if wanted else self._latest(words)
        if start_over:
            record = self._door.call(self._door.sessions.start_over, record.id)
            return self._opened(record, self._speaker(record))
        life = life_of(record, self._door.sessions.clock.now())
        if read_only(life):
            key = "archived" if life == "archived" else "already_ended"
            raise stop(words(key, command=self._anew(record)))
        return self._opened(record, self._speaker(record), resumed=True)

    def _named(self, wanted: str, words: Words) -> SessionRecord:
        """By the whole id, or by its beginning where that is enough to tell it."""
        found = [record for record in self._recent() if record.id.startswith(wanted)]
        if len(found) != 1:
            raise stop(words("no_such_session", session=wanted))
        return found[0]

    def _latest(self, words: Words) -> SessionRecord:
        now = self._door.sessions.clock.now()
        for record in self._recent():
            if not read_only(life_of(record, now)):
                return record
        raise stop(words("nothing_to_resume", command=call(self._where, ["chat", "cbt/first_assessment"])))

    def _recent(self) -> Iterator[SessionRecord]:
        yield from self._door.call(self._door.sessions.recent)

    def _anew(self, record: SessionRecord) -> str:
        """How to begin again; a script that stood in a file of its own is known by that file only."""
        known = any(listed.id == record.script for listed in self._library.scripts())
        return call(self._where, ["chat", record.script if known else "FILE.yaml"])

    def _speaker(self, record: SessionRecord) -> str | None:
        """The session may be pinned to a version that is no longer there; then the AI has no name."""
        try:
            roles = self._library.script(record.script, record.locale).roles
        except Refused:
            return None
        return roles["ai"].name if "ai" in roles else None

    def _opened(self, record: SessionRecord, speaker: str | None, *, resumed: bool = False) -> OpenedSession:
        words = Words(spoken_here(self._lang, record.locale))
        safety = self._library.safety
        contacts = for_locale(safety.contacts, record.locale) if safety else ()
        return OpenedSession(record.id, words, speaker or words("ai"), contacts, resumed)


def listed(opened: OpenedSession) -> str:
    """The numbers to call, in a sentence."""
    return opened.words("and").join(f"{contact.name} {contact.number}" for contact in opened.contacts)


def notices(opened: OpenedSession, where: Settings, *, model: bool, patient: bool) -> list[str]:
    """What the person is told before the first word: that this is a machine, its limits, whom to call, where what they
    say goes."""
    words = opened.words
    lines = [words("notice", contacts=listed(opened))]
    if opened.audience:
        lines.append(words("audience", audience=shown(opened.audience)))
    if model:
        lines.append(_model(words, settings_of_machine(where.data)))
    else:
        lines.append(words("script_mode"))
    lines.append(words("stored_here", folder=where.data))
    if patient:
        lines.append(words("leaving_hint"))
    return lines


def _model(words: Words, settings: LlmSettings) -> str:
    """Every provider that words may go to is named once, those that only stand in for another one too."""
    lines: dict[tuple[str, str], str] = {}
    for each in sorted(settings.all_models, key=lambda model: model.weight == 0):
        host = each.origin or each.provider
        key = "model_mode" if not lines else "model_stands_in" if each.weight == 0 else "model_too"
        lines.setdefault((each.model, host), words(key, model=each.model, host=host))
    return "\n".join(lines.values())
